import { setTimeout as sleep } from "node:timers/promises"
import { Refused } from "../../lib/non-retryable-error.ts"

/** How often something is tried that may succeed later, and how long it waits before the second time, milliseconds. */
const TRIES = 6
const WAIT = 500

/** Tries something that may fail in transit, with longer and longer waits. A refusal is no such failure. */
export async function withRetries<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (error instanceof Refused || tries === TRIES) throw error
      await sleep(WAIT * 2 ** (tries - 1))
    }
  }
}

/** Runs something that must not run twice: when its answer is lost, `done` checks whether it has run. */
export function runOnce(act: () => Promise<unknown>, done: () => Promise<boolean>): Promise<void> {
  let tried = false
  return withRetries(async () => {
    if (tried && (await done())) return
    tried = true
    await act()
  })
}
