import type { LoggedResponse } from "../../api/response-log.ts"

const MINUTE_MS = 60_000
const MINUTES_PER_HOUR = 60

/** Totals of several responses. */
export interface UsageTotals {
  calls: number
  rateLimited: number
  rowsRead: number
  rowsWritten: number
  /** Sorted latencies in milliseconds. */
  latencies: readonly number[]
  /** Rate limit after the last response; undefined if no response reported it. */
  limit: number | undefined
  remaining: number | undefined
}

export function summarize(responses: readonly LoggedResponse[]): UsageTotals {
  const withLimit = responses.filter(({ limit }) => limit !== undefined)
  return {
    calls: responses.length,
    rateLimited: responses.filter(({ status }) => status === 429).length,
    rowsRead: responses.reduce((sum, { rowsRead = 0 }) => sum + rowsRead, 0),
    rowsWritten: responses.reduce((sum, { rowsWritten = 0 }) => sum + rowsWritten, 0),
    latencies: responses.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b),
    limit: withLimit.at(-1)?.limit,
    remaining: withLimit.at(-1)?.remaining,
  }
}

/** The latency in milliseconds at a percentile, such as 0.95. */
export const percentile = ({ latencies }: UsageTotals, share: number) =>
  latencies[Math.max(0, Math.ceil(latencies.length * share) - 1)] ?? 0

/** Totals per minute of the last hour; `at` is the start of the minute in epoch milliseconds. */
export function totalsByMinute(
  responses: readonly LoggedResponse[],
  now: number,
): { at: number; totals: UsageTotals }[] {
  const last = now - (now % MINUTE_MS)
  const byMinute = Map.groupBy(responses, ({ at }) => at - (at % MINUTE_MS))
  return Array.from({ length: MINUTES_PER_HOUR }, (_, index) => {
    const at = last - (MINUTES_PER_HOUR - 1 - index) * MINUTE_MS
    return { at, totals: summarize(byMinute.get(at) ?? []) }
  })
}

/** Method and path without ids: `GET /api/user/{id}`. */
const operationOf = ({ method, path }: LoggedResponse) =>
  `${method} ${path.replace(/\/(\d+|[\da-f]{8}-[\da-f-]{27})(?=\/|$)/g, "/{id}")}`

/** Totals per operation, most called first. */
export const totalsByOperation = (responses: readonly LoggedResponse[]): { operation: string; totals: UsageTotals }[] =>
  [...Map.groupBy(responses, operationOf)]
    .map(([operation, group]) => ({ operation, totals: summarize(group) }))
    .sort((a, b) => b.totals.calls - a.totals.calls || a.operation.localeCompare(b.operation))
