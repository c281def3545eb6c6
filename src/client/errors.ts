/** What this package says itself, where no answer of the service carries a code. */
export type ClientCode =
  /** No answer came, also when asked again: `cause` says why. */
  | "network_failed"
  /** No answer came in time. */
  | "timed_out"
  /** The call needs a credential and has none. */
  | "not_signed_in"
  /** An answer that is not the service's own, such as a proxy's page. */
  | "unexpected_answer"
  /** An export or a bulk upload ended otherwise than completed: the message says how. */
  | "job_failed"

/** What an error is made of beside its message. */
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
 * Every failure of a call, thrown. What the service answered is in its fields; `message` is written for the person who
 * must mend the call.
 */
export class LecternError extends Error {
  override readonly name = "LecternError"
  /** The answer's status; 0 where there was no answer. */
  readonly status: number
  /** Of the closed set in the service's docs/api/errors.md, or a {@link ClientCode}. */
  readonly code: string
  /** Messages by the name of the field at fault; empty where no field is. */
  readonly errors: Record<string, string[]>
  /** What to quote when something is reported. */
  readonly requestId: string | undefined
  /** Seconds until another try makes sense. */
  readonly retryAfter: number | undefined
  /** The whole body, with members such as `setPasswordUrl`. */
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

/** Seconds that an answer asks to wait; undefined where it does not say. */
export function retryAfterOf(response: Response): number | undefined {
  const seconds = Number.parseFloat(response.headers.get("retry-after") ?? "")
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

interface ErrorBody {
  code?: string
  message?: string
  errors?: Record<string, string[]>
  /** As RFC 6749 has it, at /oauth/token. */
  error?: string
  error_description?: string
}

/** Without a credential a call is sent to the sign-in page; a browser hides where to. */
const isRedirect = ({ status, type }: Response) =>
  (type as string) === "opaqueredirect" || (status >= 300 && status < 400)

/** Did the platform follow the redirect to the sign-in page, although it was asked not to? React Native does. */
const isSignInPage = ({ redirected, url }: Response) => redirected && /\/login$/.test(url.replace(/[?#].*/s, ""))

const requestIdOf = ({ headers }: Response) => headers.get("x-request-id") ?? undefined

const notSignedIn = (response: Response) =>
  new LecternError("This call needs a credential: sign in, or give an API key.", {
    requestId: requestIdOf(response),
    status: isRedirect(response) ? response.status || 302 : 302,
    code: "not_signed_in",
  })

const notOurs = (response: Response, text: string) =>
  new LecternError(`The answer ${response.status} is not the service's own: ${text.slice(0, 200)}`, {
    requestId: requestIdOf(response),
    retryAfter: retryAfterOf(response),
    status: response.status,
    code: "unexpected_answer",
    body: text,
  })

/**
 * The JSON of a successful answer, whose body can still be read.
 * @throws LecternError `not_signed_in` for the sign-in page; `unexpected_answer` for anything else that is not JSON,
 *   such as the page of a proxy or a captive portal
 */
export async function jsonOf(response: Response): Promise<unknown> {
  if (isSignInPage(response)) throw notSignedIn(response)
  const text = await response.clone().text()
  try {
    return JSON.parse(text)
  } catch {
    throw notOurs(response, text)
  }
}

/** The error that an answer is; it is read to its end. */
export async function errorOf(response: Response): Promise<LecternError> {
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
  if (!body || (!code && !message)) return notOurs(response, text)
  return new LecternError(message ?? `The service answered ${status}: ${code}`, {
    requestId: requestIdOf(response),
    retryAfter: retryAfterOf(response),
    status,
    code: code ?? "unexpected_answer",
    errors: body.errors,
    body,
  })
}
