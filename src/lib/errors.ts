import type { ContentfulStatusCode } from "hono/utils/http-status"

/** Messages by field name, as the error body's `errors` carries them. */
export type FieldErrors = Record<string, string[]>

/** A code's status, and what it means. */
const code = <Status extends ContentfulStatusCode>(status: Status, means: string) => ({ status, means })

/**
 * Every `code` that an error answer can carry, for the program that reads it. The set is closed: a new kind of error
 * is a new line here, and docs/conventions.md and the OpenAPI document list these lines.
 */
export const ERROR_CODES = {
  malformed_body: code(400, "The body is not JSON, not an object, or cannot be read."),
  card_in_use: code(400, "The card pays for a subscription."),
  card_not_deleted: code(400, "The card could not be deleted at this moment."),
  wrong_credentials: code(401, "The address or the password is wrong, or the account is disabled."),
  two_factor_required: code(401, "The password held. The code is missing."),
  wrong_code: code(401, "The password held. The two-factor code is wrong, too old or was used before."),
  password_change_required: code(401, "The password was for one time: choose another at `setPasswordUrl`."),
  invalid_token: code(401, "The token is not one of this service, or has expired."),
  invalid_key: code(401, "The API key, or the token that it was exchanged for, is wrong, expired or revoked."),
  session_ended: code(401, "The session was ended: signed out, the user changed, or a refresh token was used twice."),
  role_too_low: code(403, "The caller's role does not allow this."),
  sso_required: code(403, "The account signs in by a provider, which `signInUrl` leads to, and not by a password."),
  own_only: code(403, "Only the person concerned may do this."),
  not_own: code(403, "A person may do this to others only."),
  person_required: code(403, "An API key cannot do this: it needs a person who is signed in."),
  key_read_only: code(403, "The API key may only read."),
  key_other_family: code(403, "The operation is of a family that the API key is not for."),
  view_only: code(403, "It may be viewed and not downloaded."),
  foreign_origin: code(403, "A call with a session cookie came from another origin."),
  origin_not_allowed: code(403, "`ALLOWED_ORIGINS` does not list the origin whose page is to call."),
  not_to_be_prefetched: code(403, "A read that changes something was prefetched, or asked for by a service worker."),
  not_found: code(404, "No such record, or none within the caller's scope."),
  unknown_path: code(404, "There is nothing at this path."),
  method_not_allowed: code(405, "The path has other methods: see `Allow`."),
  changed_meanwhile: code(409, "Other calls changed the records while this one ran. Nothing was done: repeat it."),
  no_seats_left: code(409, "The course, class, group or portal has too few seats left."),
  seats_taken: code(409, "More seats or places are taken than the new number allows."),
  too_early: code(409, "It opens later, or too little time was spent on it."),
  registration_expired: code(409, "The registration has expired."),
  locked: code(409, "Other modules must be completed first."),
  no_attempts_left: code(409, "The quiz allows no further attempt."),
  already_submitted: code(409, "The attempt was submitted before."),
  already_completed: code(409, "It is Completed: it takes no more."),
  not_submitted: code(409, "Nothing was submitted that could be evaluated."),
  completed_otherwise: code(409, "The module is Completed by its own operation only."),
  module_removed: code(409, "The module is no longer part of the course."),
  no_package: code(409, "The SCORM module has no package yet."),
  not_expired: code(409, "Only a Completed registration that has expired can be certified again."),
  no_term: code(409, "The course has no term after which it could be certified again."),
  class_ended: code(409, "The class has ended."),
  class_disabled: code(409, "The class is disabled."),
  place_cancelled: code(409, "The caller's place in the class was cancelled."),
  too_many_webhooks: code(409, "There are as many webhooks as there may be: delete one first."),
  webhook_off: code(409, "The webhook is switched off: switch it on first."),
  portal_expired: code(409, "The portal has expired."),
  portal_inactive: code(409, "The portal is inactive."),
  user_disabled: code(409, "The user is disabled."),
  own_account: code(409, "Callers cannot do this to their own account."),
  two_factor_on: code(409, "Two-factor authentication is on already."),
  two_factor_not_prepared: code(409, "No two-factor secret waits to be confirmed."),
  no_way_in: code(409, "There is no owner with a password, who could sign in if the provider failed."),
  membership_not_held: code(409, "The user does not hold the membership."),
  export_not_ready: code(409, "The export is still being written."),
  export_failed: code(409, "The export failed. The message says why."),
  export_ended: code(409, "The export has ended and cannot be cancelled."),
  link_void: code(410, "The link was used, was replaced or has expired."),
  export_cancelled: code(410, "The export was cancelled."),
  export_expired: code(410, "The export's file is past its seven days."),
  cursor_expired: code(410, "The cursor is older than the events that are kept: begin without it."),
  file_gone: code(410, "The file is not there any more."),
  version_changed: code(412, "`If-Match` names another version of the record."),
  too_large: code(413, "More bytes, rows or pixels than the operation takes."),
  unsupported_type: code(415, "A wrong content type, or a type of file that is not allowed."),
  range_not_satisfiable: code(416, "The file has no such range of bytes."),
  validation_failed: code(422, "Fields or parameters are missing or wrong: `errors` names them."),
  rate_limited: code(429, "Too many requests. `Retry-After` tells when the next one is served."),
  too_many_attempts: code(429, "Too many failed attempts at a secret. `Retry-After` tells when the next one is."),
  internal_error: code(500, "A fault of the service. The message holds the request id."),
  provider_failed: code(502, "A provider failed, or took over five seconds."),
  unavailable: code(503, "A part of the service is out of reach. `Retry-After` tells when to try again."),
} as const satisfies Record<string, { status: ContentfulStatusCode; means: string }>

export type ErrorCode = keyof typeof ERROR_CODES

/** The codes of a status. */
type CodeOf<Status> = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code]["status"] extends Status ? Code : never
}[ErrorCode]

/**
 * An answer that is not a success. Thrown anywhere below a route, mapped to the one error body in lib/web/answers.ts:
 * `{"status":"error","code":"…","message":"…","errors":{"field":["…"]}}`. The code has its status.
 */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly code: ErrorCode
  readonly errors: FieldErrors | undefined
  readonly headers: Record<string, string>
  /** Further members of the body, such as `twoFactorRequired`. */
  readonly extra: Record<string, unknown>

  constructor(
    code: ErrorCode,
    message: string,
    more: { errors?: FieldErrors; headers?: Record<string, string>; extra?: Record<string, unknown> } = {},
  ) {
    super(message)
    this.code = code
    this.errors = more.errors
    this.headers = more.headers ?? {}
    this.extra = more.extra ?? {}
  }

  get status() {
    return ERROR_CODES[this.code].status
  }

  body() {
    return {
      ...this.extra,
      status: "error" as const,
      code: this.code,
      message: this.message,
      ...(this.errors && { errors: this.errors }),
    }
  }
}

/** 400: the body cannot be read at all. */
export const malformed = (message: string) => new ApiError("malformed_body", message)
/** 401: a token, password or code that does not hold. */
export const unauthorized = (code: CodeOf<401>, message: string, extra?: Record<string, unknown>) =>
  new ApiError(code, message, { headers: { "www-authenticate": "Bearer" }, ...(extra && { extra }) })
/** 403: the caller is known and may not do this; for their role, unless a code says otherwise. */
export const forbidden = (message = "Your role does not allow this.", code: CodeOf<403> = "role_too_low") =>
  new ApiError(code, message)
/** 404: no such record, or none that this caller may know of. */
export const notFound = (thing = "record") => new ApiError("not_found", `No such ${thing}.`)
/** 409: the record's state does not allow it. */
export const conflict = (code: CodeOf<409>, message: string) => new ApiError(code, message)
/** 410: it was there and is gone for good. */
export const gone = (code: CodeOf<410>, message: string) => new ApiError(code, message)
/** 412: `If-Match` names another version. */
export const preconditionFailed = () =>
  new ApiError(
    "version_changed",
    "The record has changed since you read it. Read it again, then repeat the change with its new ETag.",
  )
/** 413: more bytes or rows than the operation takes. */
export const tooLarge = (message: string) => new ApiError("too_large", message)
/** 415: the wrong content type, or a file of a type that is not allowed. */
export const unsupported = (message: string) => new ApiError("unsupported_type", message)
/** 422: one field is at fault. */
export const invalid = (field: string, message: string) => invalidFields({ [field]: [message] })
/** 422: several fields are at fault. @param untold how many more errors there are */
export function invalidFields(errors: FieldErrors, untold = 0) {
  const messages = Object.values(errors).flat()
  const more = messages.length - 1 + untold
  const suffix = more > 0 ? ` (and ${more} more ${more === 1 ? "error" : "errors"})` : ""
  return new ApiError("validation_failed", `${messages[0] ?? "The input is invalid."}${suffix}`, { errors })
}
/** 429: `seconds` until another try makes sense. */
export const tooMany = (code: CodeOf<429>, message: string, seconds: number) =>
  new ApiError(code, message, { headers: { "retry-after": String(Math.max(1, Math.ceil(seconds))) } })
/** 502: a provider that failed, or took too long. */
export const badGateway = (message: string) => new ApiError("provider_failed", message)
/** 503: a part of the service that this call cannot do without is out of reach. */
export const unavailable = (message: string) =>
  new ApiError("unavailable", message, { headers: { "retry-after": "5" } })

/** Not an error to the caller's eye: an anonymous call of what needs a session goes to the login page. */
export class LoginRedirect extends Error {
  override readonly name = "LoginRedirect"
}
