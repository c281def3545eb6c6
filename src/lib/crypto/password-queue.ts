import { scheduler } from "node:timers/promises"
import { now } from "../clock.ts"
import { ApiError } from "../errors.ts"

// scrypt runs on the isolate's one thread and takes about 100 ms and 16 MB. Without a queue, hundreds of people who
// sign in together would block every other request of the isolate until the last password is checked.

/**
 * `maxWaiting` hashes wait in an isolate: the last one waits about ten seconds. After each hash the thread serves other
 * requests for `pauseMs`. A waiting request that did not check its turn for `canceledMs` was canceled by its client.
 * Tests use other numbers.
 */
export const hashQueue = { maxWaiting: 64, pauseMs: 25, canceledMs: 3000 }
const RETRY_AFTER_SECONDS = 10
/** How long a background hash waits before it looks at a full queue again. */
const FULL_QUEUE_MS = 1000

/** Waiting requests: their number in the queue, and when each last checked its turn. */
const waiting = new Map<number, number>()
let lastNumber = 0

function deleteCanceled() {
  const at = now()
  for (const [number, checkedAt] of waiting) if (at - checkedAt > hashQueue.canceledMs) waiting.delete(number)
}

const busyError = () =>
  new ApiError("unavailable", "Many people are signing in right now. Try again in a few seconds.", {
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  })

const sleep = (ms: number) => scheduler.wait(ms)

/** A request waits with a timer of its own: it cannot await a promise of another request. */
async function pause(number: number) {
  await sleep(hashQueue.pauseMs)
  waiting.set(number, now())
}

function isFirst(number: number) {
  deleteCanceled()
  return number === Math.min(...waiting.keys())
}

/**
 * Runs a hash when those before it in this isolate are done: one at a time, with a pause in between for other requests.
 * @param background the hash waits regardless of the length of the queue
 * @throws 503 with Retry-After if too many hashes are waiting
 */
export async function inHashQueue<T>(hash: () => Promise<T>, { background = false } = {}): Promise<T> {
  deleteCanceled()
  while (waiting.size >= hashQueue.maxWaiting) {
    if (!background) throw busyError()
    await sleep(FULL_QUEUE_MS)
    deleteCanceled()
  }
  const number = ++lastNumber
  waiting.set(number, now())
  while (!isFirst(number)) await pause(number)
  try {
    const result = await hash()
    // Keeps the turn: a hash blocks the thread, so the next request finds the queue only after it.
    await pause(number)
    return result
  } finally {
    waiting.delete(number)
  }
}
