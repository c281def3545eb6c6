/** Codes of errors that this package creates itself. */
export type ClientCode =
  /** No response, even after retries; see `cause`. */
  | "network_failed"
  /** No response in time. */
  | "timed_out"
  /** The call requires a credential. */
  | "not_signed_in"
  /** A response that is not from the service, such as the page of a proxy. */
  | "unexpected_answer"
  /** An export or import failed or was canceled; see the message. */
  | "job_failed"

export interface ErrorParts {
  status: number
  code: string
  errors?: Record<string, string[]> | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  body?: unknown
  cause?: unknown
}

/**
 * The error of a failed call. The message says how to correct the request.
 */
export class LecternError extends Error {
  override readonly name = "LecternError"
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** An error code of the API (see docs/api/errors.md) or a {@link ClientCode}. */
  readonly code: string
  /** Messages by field. */
  readonly errors: Record<string, string[]>
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined
  /** The complete body, including members such as `setPasswordUrl`. */
  readonly body: unknown

  constructor(message: string, { status, code, errors, requestId, retryAfter, body, cause }: ErrorParts) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.errors = errors ?? {}
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.body = body
  }
}

/** The Retry-After header in seconds. */
export function retryAfterSeconds(response: Response): number | undefined {
  const seconds = Number.parseFloat(response.headers.get("retry-after") ?? "")
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

interface ErrorBody {
  code?: string
  message?: string
  errors?: Record<string, string[]>
  /** Error format of RFC 6749, at /oauth/token. */
  error?: string
  error_description?: string
}

/** Calls without a credential are redirected to the sign-in page; browsers hide the target. */
const isRedirect = ({ status, type }: Response) =>
  (type as string) === "opaqueredirect" || (status >= 300 && status < 400)

/** React Native follows redirects in spite of `redirect: "manual"`. */
const isSignInPage = ({ redirected, url }: Response) => redirected && /\/login$/.test(url.replace(/[?#].*/s, ""))

const requestIdOf = ({ headers }: Response) => headers.get("x-request-id") ?? undefined

const notSignedIn = (response: Response) =>
  new LecternError("This call requires a credential: sign in, or set an API key.", {
    requestId: requestIdOf(response),
    status: isRedirect(response) ? response.status || 302 : 302,
    code: "not_signed_in",
  })

const unexpectedResponse = (response: Response, text: string) =>
  new LecternError(`Unexpected response with status ${response.status}: ${text.slice(0, 200)}`, {
    requestId: requestIdOf(response),
    retryAfter: retryAfterSeconds(response),
    status: response.status,
    code: "unexpected_answer",
    body: text,
  })

/**
 * Parses the JSON of a successful response. Its body can still be read.
 * @throws LecternError `not_signed_in` for the sign-in page; `unexpected_answer` for anything else that is not JSON,
 *   such as the page of a proxy or a captive portal
 */
export async function parseJson(response: Response): Promise<unknown> {
  if (isSignInPage(response)) throw notSignedIn(response)
  const text = await response.clone().text()
  try {
    return JSON.parse(text)
  } catch {
    throw unexpectedResponse(response, text)
  }
}

/** Converts an error response; consumes its body. */
export async function toError(response: Response): Promise<LecternError> {
  const { status } = response
  if (isRedirect(response)) return notSignedIn(response)
  const text = await response.text()
  let body: ErrorBody | undefined
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const code = body?.code ?? body?.error
  const message = body?.message ?? body?.error_description
  if (!body || (!code && !message)) return unexpectedResponse(response, text)
  return new LecternError(message ?? `Request failed with status ${status}: ${code}`, {
    requestId: requestIdOf(response),
    retryAfter: retryAfterSeconds(response),
    status,
    code: code ?? "unexpected_answer",
    errors: body.errors,
    body,
  })
}
