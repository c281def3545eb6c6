import { LecternError, retryAfterSeconds } from "./errors.ts"

export interface RetryOptions {
  /** Maximum number of attempts; default 5. */
  attempts?: number
  /** Milliseconds after which no further attempt starts; default 120,000. */
  totalMs?: number
  /** Timeout of one attempt in milliseconds; default 60,000. */
  timeoutMs?: number
}

export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>

/** Statuses of proxies: the service may or may not have received the request. */
const GATEWAY_ERRORS = new Set([502, 504, 520, 521, 522, 523, 524, 530])
const MIN_RETRY_MS = 300
const MAX_RETRY_MS = 10_000

/** GET operations that change data: they are not retried. */
export const CHANGING_READS = [
  /\/api\/module\/assignment\/details$/,
  /\/api\/certificate_template\/preview\/\d+$/,
  /\/api\/class\/study-material$/,
  /\/api\/class\/update-class-status$/,
  /\/api\/class\/webinar\/launch$/,
  /\/api\/users\/saveViewType$/,
  /\/api\/users\/update-(class-status|webinar-notes|webinar-status)$/,
]

/** Creates an `Idempotency-Key`, also on platforms without `crypto.randomUUID`. */
export const createIdempotencyKey = () =>
  typeof crypto === "object" && "randomUUID" in crypto
    ? crypto.randomUUID()
    : `${Date.now()}-${Math.random()}-${Math.random()}`.replaceAll("0.", "")

/** Whether a retry is safe even if the service already processed the request. */
function isIdempotent({ method, url, headers }: Request): boolean {
  if (method !== "GET" && method !== "HEAD") return headers.has("idempotency-key")
  const path = url.replace(/[?#].*/s, "")
  return !CHANGING_READS.some((pattern) => pattern.test(path))
}

/** @throws the abort reason of the signal */
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

/** Rejects as soon as the signal is aborted: not every `fetch` supports signals. */
function withAbort<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
    // Always handles the promise: an unhandled rejection would be reported as an error of the page.
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}

/** One attempt. JSON is read completely, so that a truncated response counts as failed; files are streamed. */
async function attempt(fetch: Fetch, request: Request, timeoutMs: number): Promise<Response> {
  const callerSignal = request.signal
  const controller = new AbortController()
  const forward = () => controller.abort(callerSignal.reason)
  if (callerSignal.aborted) forward()
  else callerSignal.addEventListener("abort", forward, { once: true })
  const timeout = new LecternError(`No response within ${timeoutMs} ms.`, { status: 0, code: "timed_out" })
  const timer = setTimeout(() => controller.abort(timeout), timeoutMs)
  let isStreaming = false
  try {
    const response = await withAbort(controller.signal, fetch(request.clone(), { signal: controller.signal }))
    const isJson = response.headers.get("content-type")?.startsWith("application/json")
    isStreaming = !isJson && response.ok
    if (!isJson) return response
    const text = await withAbort(controller.signal, response.text())
    return new Response(text, { status: response.status, statusText: response.statusText, headers: response.headers })
  } finally {
    clearTimeout(timer)
    // While a file streams, the signal of the caller must still abort it.
    if (!isStreaming) callerSignal.removeEventListener("abort", forward)
  }
}

/** Milliseconds until the next attempt; undefined: do not retry. */
function retryDelay(attempts: number, response: Response | undefined, isSafeToRepeat: boolean): number | undefined {
  const backoff = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2)
  if (!response) return isSafeToRepeat ? backoff : undefined
  const retryAfter = retryAfterSeconds(response)
  // A rate-limited request was not processed, so every request may be retried. Jitter spreads the retries.
  if (response.status === 429) return retryAfter === undefined ? backoff : retryAfter * 1000 + Math.random() * 250
  if (!isSafeToRepeat) return undefined
  if (response.status === 503) return retryAfter === undefined ? backoff : retryAfter * 1000 + Math.random() * 250
  return GATEWAY_ERRORS.has(response.status) ? backoff : undefined
}

/**
 * Sends a request with retries: after 429 and 503 as `Retry-After` says, after connection and gateway errors with
 * exponential backoff. Requests that the service may have processed are only retried with an `Idempotency-Key`.
 * @returns the last response, with any status
 * @throws LecternError `network_failed` or `timed_out`; the abort reason if the signal of the request is aborted
 */
export async function send(
  fetch: Fetch,
  request: Request,
  { attempts = 5, totalMs = 120_000, timeoutMs = 60_000 }: RetryOptions = {},
): Promise<Response> {
  const isSafeToRepeat = isIdempotent(request)
  const deadline = Date.now() + totalMs
  for (let count = 1; ; count++) {
    let failure: unknown
    const response = await attempt(fetch, request, timeoutMs).catch((error) => {
      if (request.signal.aborted) throw request.signal.reason
      failure = error
      return undefined
    })
    const delay = count < attempts ? retryDelay(count, response, isSafeToRepeat) : undefined
    if (delay !== undefined && Date.now() + delay <= deadline) {
      await response?.body?.cancel()
      await pause(delay, request.signal)
    } else if (response) return response
    else if (failure instanceof LecternError) throw failure
    else
      throw new LecternError(`${request.url} could not be reached: ${failure}`, {
        status: 0,
        code: "network_failed",
        cause: failure,
      })
  }
}
