import type { ContentfulStatusCode } from "hono/utils/http-status"

/** Messages by field name, as the error body's `errors` carries them. */
export type FieldErrors = Record<string, string[]>

/**
 * An answer that is not a success. Thrown anywhere below a route, mapped to the one error body in `app.ts`:
 * `{"status":"error","message":"…","errors":{"field":["…"]}}`.
 */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly status: ContentfulStatusCode
  readonly errors: FieldErrors | undefined
  readonly headers: Record<string, string>
  /** Further members of the body, such as `twoFactorRequired`. */
  readonly extra: Record<string, unknown>

  constructor(
    status: ContentfulStatusCode,
    message: string,
    more: { errors?: FieldErrors; headers?: Record<string, string>; extra?: Record<string, unknown> } = {},
  ) {
    super(message)
    this.status = status
    this.errors = more.errors
    this.headers = more.headers ?? {}
    this.extra = more.extra ?? {}
  }

  body() {
    return {
      ...this.extra,
      status: "error" as const,
      message: this.message,
      ...(this.errors && { errors: this.errors }),
    }
  }
}

/** 400: the body cannot be read at all. */
export const malformed = (message: string) => new ApiError(400, message)
/** 401: a token, password or code that does not hold. */
export const unauthorized = (message: string, extra?: Record<string, unknown>) =>
  new ApiError(401, message, { headers: { "www-authenticate": "Bearer" }, ...(extra && { extra }) })
/** 403: the caller is known and may not do this. */
export const forbidden = (message = "Your role does not allow this.") => new ApiError(403, message)
/** 404: no such record, or none that this caller may know of. */
export const notFound = (thing = "record") => new ApiError(404, `No such ${thing}.`)
/** 409: the record's state does not allow it. */
export const conflict = (message: string) => new ApiError(409, message)
/** 410: it was there and is gone for good. */
export const gone = (message: string) => new ApiError(410, message)
/** 412: `If-Match` names another version. */
export const preconditionFailed = () =>
  new ApiError(
    412,
    "The record has changed since you read it. Read it again, then repeat the change with its new ETag.",
  )
/** 413: more bytes or rows than the operation takes. */
export const tooLarge = (message: string) => new ApiError(413, message)
/** 415: the wrong content type, or a file of a type that is not allowed. */
export const unsupported = (message: string) => new ApiError(415, message)
/** 422: one field is at fault. */
export const invalid = (field: string, message: string) => invalidFields({ [field]: [message] })
/** 422: several fields are at fault. @param untold how many more errors there are */
export function invalidFields(errors: FieldErrors, untold = 0) {
  const messages = Object.values(errors).flat()
  const more = messages.length - 1 + untold
  const suffix = more > 0 ? ` (and ${more} more ${more === 1 ? "error" : "errors"})` : ""
  return new ApiError(422, `${messages[0] ?? "The input is invalid."}${suffix}`, { errors })
}
/** 429: `seconds` until another try makes sense. */
export const tooMany = (message: string, seconds: number) =>
  new ApiError(429, message, { headers: { "retry-after": String(Math.max(1, Math.ceil(seconds))) } })
/** 502: a provider that failed, or took too long. */
export const badGateway = (message: string) => new ApiError(502, message)
/** 503: a part of the service that this call cannot do without is out of reach. */
export const unavailable = (message: string) => new ApiError(503, message, { headers: { "retry-after": "5" } })

/** Not an error to the caller's eye: an anonymous call of what needs a session goes to the login page. */
export class LoginRedirect extends Error {
  override readonly name = "LoginRedirect"
}
