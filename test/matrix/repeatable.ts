import type { Answer } from "../helpers/client.ts"

type Headers = Record<string, string>

export interface Act {
  /** It does not accept an Idempotency-Key. */
  keyless?: true
  /** It hashes a password, which is slow: only its batch meets faults. */
  slow?: true
  /** It stores a measured duration. */
  timed?: true
  /** Creates records for `count` calls. @returns makes the n-th call, from 0 */
  make: (count: number) => Promise<(n: number, headers: Headers) => Promise<Answer>>
}

export const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Array.from({ length: count }).reduce<Promise<T[]>>(
    async (made, _, n) => [...(await made), await make(n)],
    Promise.resolve([]),
  )

/** The n-th created record. */
export const nth = <T>(made: T[], n: number): T => {
  const found = made[n]
  if (found === undefined) throw new Error(`There are only ${made.length}.`)
  return found
}
