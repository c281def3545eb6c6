import { now } from "../clock.ts"
import { ApiError } from "../errors.ts"

// scrypt runs on the isolate's one thread and takes about 100 ms and 16 MB. Without a queue, hundreds of people who
// sign in together would block every other request of the isolate until the last password is checked.

/** How many hashes wait in an isolate. The last one waits about ten seconds. */
export const MAX_WAITING_HASHES = 64
const RETRY_AFTER_SECONDS = 10
/** The thread serves other requests for so long between two hashes. */
const PAUSE_MS = 25
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

/** A request waits with a timer of its own: it cannot await a promise of another request. */
async function pause(number: number) {
  await scheduler.wait(PAUSE_MS)
  waiting.set(number, now())
}

function isFirst(number: number) {
  deleteAbandoned()
  return number === Math.min(...waiting.keys())
}

/**
 * Runs a hash when those before it in this isolate are done: one at a time, with a pause in between for other requests.
 * @param background the hash waits however long the queue is, and always pauses
 * @throws 503 with Retry-After if too many hashes are waiting
 */
export async function inHashQueue<T>(hash: () => Promise<T>, { background = false } = {}): Promise<T> {
  deleteAbandoned()
  while (waiting.size >= MAX_WAITING_HASHES) {
    if (!background) throw busyError()
    await scheduler.wait(ABANDONED_MS)
    deleteAbandoned()
  }
  const number = ++lastNumber
  const isAlone = waiting.size === 0
  waiting.set(number, now())
  try {
    while (!isFirst(number)) await pause(number)
    if (!isAlone || background) await pause(number)
    return await hash()
  } finally {
    waiting.delete(number)
  }
}
