import { store } from "./store.ts"

/** Metrics of one API response. */
export interface LoggedResponse {
  /** Epoch milliseconds. */
  at: number
  method: string
  path: string
  status: number
  /** Milliseconds until the first byte. */
  latencyMs: number
  /** Rows that D1 read and wrote; undefined in production, which does not report them. */
  rowsRead: number | undefined
  rowsWritten: number | undefined
  /** Rate limit: requests per window, and how many remain. */
  limit: number | undefined
  remaining: number | undefined
}

const HOUR_MS = 3_600_000
const STORAGE_KEY = "lectern.answers"

const readStoredLog = (): LoggedResponse[] => {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]")
  } catch {
    return []
  }
}

/** Responses of the last hour, oldest first. Stored per tab: they survive a reload. */
export const responseLog = store<readonly LoggedResponse[]>(readStoredLog())

const toNumber = (text: string | null) => (text === null || text === "" ? undefined : Number(text))

export function logResponse(request: Request, { status, headers }: Response, latencyMs: number) {
  const at = Date.now()
  const [, read, written] = /d1;desc="[^"]*\bread=(\d+) written=(\d+)"/.exec(headers.get("server-timing") ?? "") ?? []
  const entry: LoggedResponse = {
    at,
    method: request.method,
    path: new URL(request.url).pathname,
    status,
    latencyMs: Math.round(latencyMs),
    rowsRead: toNumber(read ?? null),
    rowsWritten: toNumber(written ?? null),
    limit: toNumber(headers.get("x-ratelimit-limit")),
    remaining: toNumber(headers.get("x-ratelimit-remaining")),
  }
  const recent = [...responseLog.get().filter((logged) => logged.at > at - HOUR_MS), entry]
  responseLog.set(recent)
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(recent))
  } catch {
    // The storage is full or blocked: the log is lost on reload.
  }
}
