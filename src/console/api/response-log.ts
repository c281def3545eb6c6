import { store } from "./store.ts"

/** What one answer said of itself. */
export interface AnswerCost {
  /** When it came, epoch milliseconds. */
  at: number
  method: string
  path: string
  status: number
  /** Milliseconds until the answer began. */
  ms: number
  /** Rows that D1 read and wrote; undefined where the service does not tell (it does on a developer's machine). */
  read: number | undefined
  written: number | undefined
  /** Of the rate limit: calls in a window, and those left. */
  limit: number | undefined
  remaining: number | undefined
}

const HOUR = 3_600_000
const KEPT_AS = "lectern.answers"

const kept = (): AnswerCost[] => {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "[]")
  } catch {
    return []
  }
}

/** The answers of the last hour, the oldest first. They outlive a reload of the page, not its tab. */
export const answers = store<readonly AnswerCost[]>(kept())

const numberIn = (text: string | null) => (text === null || text === "" ? undefined : Number(text))

/** Keeps what an answer's headers say. */
export function remember(request: Request, { status, headers }: Response, ms: number) {
  const at = Date.now()
  const [, read, written] =
    /d1;desc="trips=\d+ read=(\d+) written=(\d+)"/.exec(headers.get("server-timing") ?? "") ?? []
  const answer: AnswerCost = {
    at,
    method: request.method,
    path: new URL(request.url).pathname,
    status,
    ms: Math.round(ms),
    read: numberIn(read ?? null),
    written: numberIn(written ?? null),
    limit: numberIn(headers.get("x-ratelimit-limit")),
    remaining: numberIn(headers.get("x-ratelimit-remaining")),
  }
  const recent = [...answers.get().filter((one) => one.at > at - HOUR), answer]
  answers.set(recent)
  try {
    sessionStorage.setItem(KEPT_AS, JSON.stringify(recent))
  } catch {
    // A full or forbidden storage keeps nothing over a reload.
  }
}
