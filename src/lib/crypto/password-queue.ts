import { now } from "../clock.ts"
import { ApiError } from "../errors.ts"

// scrypt runs on the isolate's one thread and takes about 100 ms and 16 MB. Without a queue, hundreds of people who
// sign in together would block every other request of the isolate until the last password is checked.

/**
 * How many hashes wait in an isolate: the last one waits about ten seconds. After each hash the thread serves other
 * requests for `pauseMs`. Tests use lower numbers.
 */
export const hashQueue = { maxWaiting: 64, pauseMs: 25 }
const RETRY_AFTER_SECONDS = 10
/** A waiting request that did not check its turn for so long was canceled by its client. */
const ABANDONED_MS = 1000

/** Waiting requests: their number in the queue, and when each last checked its turn. */
const waiting = new Map<number, number>()
let lastNumber = 0

function deleteAbandoned() {
  for (const [number, checkedAt] of waiting) if (checkedAt + ABANDONED_MS < now()) waiting.delete(number)
}

const busyError = () =>
  new ApiError("unavailable", "Many people are signing in right now. Try again in a few seconds.", {
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  })

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A request waits with a timer of its own: it cannot await a promise of another request. */
async function pause(number: number) {
  waiting.set(number, now())
  await sleep(hashQueue.pauseMs)
}

function isFirst(number: number) {
  deleteAbandoned()
  return number === Math.min(...waiting.keys())
}

/**
 * Runs a hash when those before it in this isolate are done: one at a time, with a pause in between for other requests.
 * @param background the hash waits however long the queue is
 * @throws 503 with Retry-After if too many hashes are waiting
 */
export async function inHashQueue<T>(hash: () => Promise<T>, { background = false } = {}): Promise<T> {
  deleteAbandoned()
  while (waiting.size >= hashQueue.maxWaiting) {
    if (!background) throw busyError()
    await sleep(ABANDONED_MS)
    deleteAbandoned()
  }
  const number = ++lastNumber
  waiting.set(number, now())
  while (!isFirst(number)) await pause(number)
  try {
    const result = await hash()
    // Keeps the turn. A timer measures the pause, because the clock stands still during a hash.
    await pause(number)
    return result
  } finally {
    waiting.delete(number)
  }
}
