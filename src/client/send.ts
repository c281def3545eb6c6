import { LecternError, retryAfterOf } from "./errors.ts"

/** How often and how long a call is tried. */
export interface RetryOptions {
  /** Tries in all; 5 unless told, 1: never again. */
  attempts?: number
  /** Milliseconds from the first try until no further one begins; 120,000 unless told. */
  totalMs?: number
  /** Milliseconds that one try waits for its answer; 60,000 unless told. */
  timeoutMs?: number
}

/** How a request goes out: `fetch`, or what stands for it in a test. */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>

/** Answers of what stands between: nobody knows whether the service saw the call. */
const UNREACHED = new Set([502, 504, 520, 521, 522, 523, 524, 530])
const FIRST_PAUSE = 300
const LONGEST_PAUSE = 10_000

/** Reads that change something: what they do must not be done twice without being asked. */
export const CHANGING_READS = [
  /\/api\/module\/assignment\/details$/,
  /\/api\/certificate_template\/preview\/\d+$/,
  /\/api\/class\/study-material$/,
  /\/api\/class\/update-class-status$/,
  /\/api\/class\/webinar\/launch$/,
  /\/api\/users\/saveViewType$/,
  /\/api\/users\/update-(class-status|webinar-notes|webinar-status)$/,
]

/** An `Idempotency-Key`. As unlikely to be given twice as a UUID, also where the platform makes none. */
export const newKey = () =>
  typeof crypto === "object" && "randomUUID" in crypto
    ? crypto.randomUUID()
    : `${Date.now()}-${Math.random()}-${Math.random()}`.replaceAll("0.", "")

/** May this be sent again although the service may have done it? */
function isRepeatable({ method, url, headers }: Request): boolean {
  if (method !== "GET" && method !== "HEAD") return headers.has("idempotency-key")
  const path = url.replace(/[?#].*/s, "")
  return !CHANGING_READS.some((pattern) => pattern.test(path))
}

/** Waits. @throws what the signal was aborted with */
export function pause(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener("abort", stop, { once: true })
  })
}

/** Settles as `work` does, or fails as soon as the signal is aborted: not every `fetch` heeds one. */
function heeding<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
    // The work is heard in any case: a failure that nothing handles is an error of the page.
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}

/** One try. JSON is read whole, so that an answer that breaks off counts as none; a file is left to stream. */
async function attempt(fetch: Fetch, request: Request, timeoutMs: number): Promise<Response> {
  const caller = request.signal
  const controller = new AbortController()
  const forward = () => controller.abort(caller.reason)
  if (caller.aborted) forward()
  else caller.addEventListener("abort", forward, { once: true })
  const late = new LecternError(`No answer within ${timeoutMs} ms.`, { status: 0, code: "timed_out" })
  const timer = setTimeout(() => controller.abort(late), timeoutMs)
  let streams = false
  try {
    const response = await heeding(controller.signal, fetch(request.clone(), { signal: controller.signal }))
    const isJson = response.headers.get("content-type")?.startsWith("application/json")
    streams = !isJson && response.ok
    if (!isJson) return response
    const text = await heeding(controller.signal, response.text())
    return new Response(text, { status: response.status, statusText: response.statusText, headers: response.headers })
  } finally {
    clearTimeout(timer)
    // A file that streams ends with the caller's signal; what has ended needs none.
    if (!streams) caller.removeEventListener("abort", forward)
  }
}

/** How long to wait before the next try, in milliseconds; undefined: there is none to be. */
function waitAfter(tries: number, outcome: Response | undefined, repeatable: boolean): number | undefined {
  const backoff = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1)) * (0.5 + Math.random() / 2)
  if (!outcome) return repeatable ? backoff : undefined
  const asked = retryAfterOf(outcome)
  // A refused call was not done: it may be sent again whatever it is. A little later than told, not all at once.
  if (outcome.status === 429) return asked === undefined ? backoff : asked * 1000 + Math.random() * 250
  if (!repeatable) return undefined
  if (outcome.status === 503) return asked === undefined ? backoff : asked * 1000 + Math.random() * 250
  return UNREACHED.has(outcome.status) ? backoff : undefined
}

/**
 * Sends a request until it is answered: again after 429 and 503 when `Retry-After` says so, after a failed connection
 * or a 502 with a growing pause. What may have been done and has no `Idempotency-Key` is not sent again.
 * @returns the last answer, whatever its status
 * @throws LecternError `network_failed` or `timed_out`; the reason of the request's signal when it is aborted
 */
export async function send(
  fetch: Fetch,
  request: Request,
  { attempts = 5, totalMs = 120_000, timeoutMs = 60_000 }: RetryOptions = {},
): Promise<Response> {
  const repeatable = isRepeatable(request)
  const end = Date.now() + totalMs
  for (let tries = 1; ; tries++) {
    let failure: unknown
    const response = await attempt(fetch, request, timeoutMs).catch((error) => {
      if (request.signal.aborted) throw request.signal.reason
      failure = error
      return undefined
    })
    const wait = tries < attempts ? waitAfter(tries, response, repeatable) : undefined
    if (wait !== undefined && Date.now() + wait <= end) {
      await response?.body?.cancel()
      await pause(wait, request.signal)
    } else if (response) return response
    else if (failure instanceof LecternError) throw failure
    else
      throw new LecternError(`${request.url} cannot be reached: ${failure}`, {
        status: 0,
        code: "network_failed",
        cause: failure,
      })
  }
}
