import { setTimeout as sleep } from "node:timers/promises"
import { NonRetryableError } from "../../lib/non-retryable-error.ts"

/** The number of attempts, and the delay before the second one in milliseconds. */
const TRIES = 6
const WAIT = 500

/** Retries with exponential backoff. @throws NonRetryableError at once */
export async function withRetries<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (error instanceof NonRetryableError || tries === TRIES) throw error
      await sleep(WAIT * 2 ** (tries - 1))
    }
  }
}

/** Runs an action that must not run twice. Before a retry, `done` checks whether it already ran. */
export function runOnce(act: () => Promise<unknown>, done: () => Promise<boolean>): Promise<void> {
  let tried = false
  return withRetries(async () => {
    if (tried && (await done())) return
    tried = true
    await act()
  })
}
