import { SECOND } from "../lib/clock.ts"

/** The timeout of a round trip in ms. D1 itself stops a query after 30 seconds. */
export const QUERY_TIMEOUT_MS = 15 * SECOND

/** Thrown when a round trip exceeds its timeout. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError"
}

/** Awaits `work` for at most `timeoutMs`. @throws TimeoutError */
export const withTimeout = <T>(work: Promise<T>, timeoutMs = QUERY_TIMEOUT_MS): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError(`No response within ${timeoutMs} ms.`)), timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
