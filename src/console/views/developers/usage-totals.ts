import type { AnswerCost } from "../../api/response-log.ts"

const MINUTE = 60_000
const MINUTES = 60

/** What some answers cost together. */
export interface Sum {
  calls: number
  refused: number
  read: number
  written: number
  /** Milliseconds until each answer began, from the shortest on. */
  ms: readonly number[]
  /** Of the rate limit, after the last of them; undefined where no answer told. */
  limit: number | undefined
  remaining: number | undefined
}

export function sumOf(answers: readonly AnswerCost[]): Sum {
  const told = answers.filter(({ limit }) => limit !== undefined)
  return {
    calls: answers.length,
    refused: answers.filter(({ status }) => status === 429).length,
    read: answers.reduce((sum, { read = 0 }) => sum + read, 0),
    written: answers.reduce((sum, { written = 0 }) => sum + written, 0),
    ms: answers.map(({ ms }) => ms).sort((a, b) => a - b),
    limit: told.at(-1)?.limit,
    remaining: told.at(-1)?.remaining,
  }
}

/** A share of the answers began within this many milliseconds. */
export const within = ({ ms }: Sum, share: number) => ms[Math.max(0, Math.ceil(ms.length * share) - 1)] ?? 0

/** The last hour minute by minute, each with its beginning (epoch milliseconds). */
export function byMinute(answers: readonly AnswerCost[], now: number): { at: number; sum: Sum }[] {
  const last = now - (now % MINUTE)
  const of = Map.groupBy(answers, ({ at }) => at - (at % MINUTE))
  return Array.from({ length: MINUTES }, (_, place) => {
    const at = last - (MINUTES - 1 - place) * MINUTE
    return { at, sum: sumOf(of.get(at) ?? []) }
  })
}

/** A call's path with what differs from record to record taken out: `GET /api/user/{id}`. */
const operationOf = ({ method, path }: AnswerCost) =>
  `${method} ${path.replace(/\/(\d+|[\da-f]{8}-[\da-f-]{27})(?=\/|$)/g, "/{id}")}`

/** What each operation cost, the most called first. */
export const byOperation = (answers: readonly AnswerCost[]): { operation: string; sum: Sum }[] =>
  [...Map.groupBy(answers, operationOf)]
    .map(([operation, of]) => ({ operation, sum: sumOf(of) }))
    .sort((a, b) => b.sum.calls - a.sum.calls || a.operation.localeCompare(b.operation))
