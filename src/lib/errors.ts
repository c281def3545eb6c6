import type { ContentfulStatusCode } from "hono/utils/http-status"

/** Messages by field name, as in `errors` of the error body. */
export type FieldErrors = Record<string, string[]>

/** Every error code with its status. docs/api/errors.md describes each one; a test compares both. */
export const ERROR_CODES = {
  malformed_body: 400,
  card_in_use: 400,
  card_not_deleted: 400,
  invalid_credentials: 401,
  two_factor_required: 401,
  invalid_code: 401,
  password_change_required: 401,
  invalid_token: 401,
  invalid_key: 401,
  session_ended: 401,
  insufficient_role: 403,
  sso_required: 403,
  self_only: 403,
  not_self: 403,
  user_session_required: 403,
  api_key_required: 403,
  key_read_only: 403,
  key_scope_insufficient: 403,
  credentials_scope_required: 403,
  current_password_required: 403,
  view_only: 403,
  cross_origin_forbidden: 403,
  origin_not_allowed: 403,
  prefetch_not_allowed: 403,
  not_found: 404,
  unknown_path: 404,
  method_not_allowed: 405,
  conflict: 409,
  no_seats_left: 409,
  seats_in_use: 409,
  too_early: 409,
  registration_expired: 409,
  locked: 409,
  no_attempts_left: 409,
  awaiting_grading: 409,
  already_submitted: 409,
  already_completed: 409,
  not_submitted: 409,
  wrong_completion_method: 409,
  module_removed: 409,
  package_required: 409,
  content_origin_required: 409,
  not_expired: 409,
  no_recertification_term: 409,
  class_ended: 409,
  class_disabled: 409,
  enrollment_cancelled: 409,
  too_many_webhooks: 409,
  too_many_files: 409,
  offset_mismatch: 409,
  media_in_use: 409,
  webhook_disabled: 409,
  portal_expired: 409,
  portal_inactive: 409,
  user_disabled: 409,
  user_erased: 409,
  last_owner: 409,
  own_account: 409,
  two_factor_enabled: 409,
  two_factor_not_prepared: 409,
  two_factor_unreadable: 409,
  login_method_required: 409,
  membership_not_held: 409,
  export_not_ready: 409,
  export_failed: 409,
  export_not_running: 409,
  link_expired: 410,
  export_cancelled: 410,
  export_expired: 410,
  cursor_expired: 410,
  file_gone: 410,
  upload_expired: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_type: 415,
  range_not_satisfiable: 416,
  validation_failed: 422,
  rate_limited: 429,
  too_many_attempts: 429,
  too_many_exports: 429,
  internal_error: 500,
  provider_failed: 502,
  unavailable: 503,
  outcome_unknown: 503,
} as const satisfies Record<string, ContentfulStatusCode>

export type ErrorCode = keyof typeof ERROR_CODES

/** The codes of a status. */
type CodeOf<Status> = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code] extends Status ? Code : never
}[ErrorCode]

/**
 * An error response. Thrown anywhere below a route and converted in lib/web/answers.ts to the one error body:
 * `{"status":"error","code":"…","message":"…","errors":{"field":["…"]}}`.
 */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly code: ErrorCode
  readonly errors: FieldErrors | undefined
  readonly headers: Record<string, string>
  /** Additional members of the body, such as `twoFactorRequired`. */
  readonly extra: Record<string, unknown>
  /** The id of the record that already has a unique value. */
  readonly takenBy: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      errors?: FieldErrors
      headers?: Record<string, string>
      extra?: Record<string, unknown>
      takenBy?: number
    } = {},
  ) {
    super(message)
    this.code = code
    this.errors = options.errors
    this.headers = options.headers ?? {}
    this.extra = options.extra ?? {}
    this.takenBy = options.takenBy
  }

  get status() {
    return ERROR_CODES[this.code]
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

/** 400: the body cannot be parsed. */
export const malformed = (message: string) => new ApiError("malformed_body", message)
/** 401: an invalid token, password or code. */
export const unauthorized = (code: CodeOf<401>, message: string, extra?: Record<string, unknown>) =>
  new ApiError(code, message, { headers: { "www-authenticate": "Bearer" }, ...(extra && { extra }) })
/** 403: the caller may not do this. Default code: `insufficient_role`. */
export const forbidden = (message = "Your role does not allow this.", code: CodeOf<403> = "insufficient_role") =>
  new ApiError(code, message)
/** 404: the record does not exist or the caller cannot see it. */
export const notFound = (record = "record") => new ApiError("not_found", `No such ${record}.`)
/** 409: the record's state does not allow it. */
export const conflict = (code: CodeOf<409>, message: string) => new ApiError(code, message)
/** 410: the resource no longer exists. */
export const gone = (code: CodeOf<410>, message: string) => new ApiError(code, message)
/** 412: `If-Match` does not match the current version. */
export const preconditionFailed = () =>
  new ApiError(
    "precondition_failed",
    "The record has changed since you read it. Read it again, then repeat the change with the new ETag.",
  )
/** 413: the request has more bytes or rows than the operation allows. */
export const tooLarge = (message: string) => new ApiError("too_large", message)
/** 415: an unsupported content type or file type. */
export const unsupported = (message: string) => new ApiError("unsupported_type", message)
/** 422: one field is invalid. */
export const invalid = (field: string, message: string) => invalidFields({ [field]: [message] })
/** 422: another record has the unique value of a field. @param takenBy its id; 0: unknown */
export const taken = (field: string, message: string, takenBy = 0) =>
  new ApiError("validation_failed", message, { errors: { [field]: [message] }, takenBy })
/** 422: several fields are invalid. @param omitted the number of further errors */
export function invalidFields(errors: FieldErrors, omitted = 0) {
  const messages = Object.values(errors).flat()
  const others = messages.length - 1 + omitted
  const suffix = others > 0 ? ` (and ${others} more ${others === 1 ? "error" : "errors"})` : ""
  return new ApiError("validation_failed", `${messages[0] ?? "The input is invalid."}${suffix}`, { errors })
}
/** 429. @param seconds until the caller may retry */
export const tooMany = (code: CodeOf<429>, message: string, seconds: number) =>
  new ApiError(code, message, { headers: { "retry-after": String(Math.max(1, Math.ceil(seconds))) } })
/** 502: a provider failed or took too long. */
export const badGateway = (message: string) => new ApiError("provider_failed", message)
/** 503: a required part of the service is unavailable. */
export const unavailable = (message: string, options: { errors?: FieldErrors; extra?: Record<string, unknown> } = {}) =>
  new ApiError("unavailable", message, { headers: { "retry-after": "5" }, ...options })

/** Redirects an anonymous caller to the sign-in page. */
export class LoginRedirect extends Error {
  override readonly name = "LoginRedirect"
}
