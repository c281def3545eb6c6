import { ERROR_ANSWERS, type ErrorStatus } from "./error-responses.ts"

// The parts of the OpenAPI document that many operations share: headers, error responses.

/** A reference to a component of the document. */
export const componentRef = (kind: "responses" | "headers" | "parameters" | "schemas", name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

const integer = { type: "integer" }
const text = { type: "string" }

/** The response headers: component name, description, schema. */
const HEADERS = {
  "x-request-id": ["RequestId", "The id of the request. Include it when you report a problem", text],
  "x-ratelimit-limit": ["RateLimitLimit", "The number of requests allowed in a window", integer],
  "x-ratelimit-remaining": ["RateLimitRemaining", "The number of requests left in this window", integer],
  "x-ratelimit-reset": ["RateLimitReset", "When the window resets, in Unix seconds", integer],
  RateLimit: [
    "RateLimit",
    "IETF draft: requests left, and seconds until the window resets. Same values as `x-ratelimit-*`",
    text,
  ],
  "RateLimit-Policy": [
    "RateLimitPolicy",
    "IETF draft: requests allowed, and the length of the window in seconds",
    text,
  ],
  "x-d1-bookmark": ["Bookmark", "Send it with the next request to read your own writes", text],
  Link: ["Link", "Pagination links: `first`, `prev`, `next`, `last` (RFC 8288)", text],
  ETag: ["ETag", "The version of the response, for `If-None-Match`; for a record also for `If-Match`", text],
  Location: ["Location", "The URL to redirect to", text],
  "Retry-After": ["RetryAfter", "The number of seconds to wait before retrying", integer],
  "Content-Disposition": [
    "ContentDisposition",
    "Whether to download or display the file, and its name (RFC 6266)",
    text,
  ],
  "Idempotency-Replayed": [
    "IdempotencyReplayed",
    "`true` if this is the stored response for the `Idempotency-Key`",
    text,
  ],
  Deprecation: [
    "Deprecation",
    "`@` and Unix seconds (RFC 9745): when the path was deprecated. `Link` has its successor",
    text,
  ],
  "WWW-Authenticate": ["WwwAuthenticate", "The required authentication scheme", text],
} as const
export type AnswerHeader = keyof typeof HEADERS

/** Headers of every response. */
const COMMON = ["x-request-id", "RateLimit"] as const
/** Also headers of every response, but documented only for errors, which the document defines once. */
const RATE_LIMITS = ["RateLimit-Policy", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const

/** Paths without a rate limit. */
export const UNLIMITED: ReadonlySet<string> = new Set(["/health", "/ready"])

/** The headers of a response, as references. @param more in addition to the common ones */
export const answerHeaders = (more: readonly AnswerHeader[] = [], isLimited = true) =>
  Object.fromEntries(
    [...COMMON, ...more]
      .filter((name) => isLimited || name !== "RateLimit")
      .map((name) => [name, componentRef("headers", HEADERS[name][0])]),
  )

export const headerComponents = Object.fromEntries(
  Object.values(HEADERS).map(([name, description, schema]) => [name, { description, schema }]),
)

/** The description of each error response, and its own headers. */
const ERRORS: Record<ErrorStatus, readonly [description: string, ...headers: AnswerHeader[]]> = {
  302: ["No credential: redirects to the sign-in page", "Location"],
  400: ["The body is not a JSON object"],
  401: ["The credential is invalid, expired or revoked", "WWW-Authenticate"],
  403: ["The caller's role does not allow it"],
  404: ["The record does not exist or the caller cannot see it"],
  409: ["The record's state does not allow it"],
  410: ["The resource no longer exists"],
  412: ["`If-Match` does not match the current version"],
  413: ["Too large"],
  415: ["Unsupported content type or file type"],
  422: ["A field or parameter is missing or invalid. `errors` has the messages by field"],
  429: ["Rate limit exceeded, or too many failed attempts", "Retry-After"],
  502: ["An external provider failed or did not respond within 5 seconds"],
}

const errorContent = { "application/json": { schema: componentRef("schemas", "Error") } }

/** The error response of SCIM operations, for every status. */
export const SCIM_ERROR = "ScimError"

/** The response for any status that an operation does not declare. */
export const OTHER_ERROR = "OtherError"

export const errorComponents = {
  ...Object.fromEntries(
    Object.entries(ERROR_ANSWERS).map(([status, name]) => {
      const [description, ...headers] = ERRORS[Number(status) as ErrorStatus]
      const content = status === "302" ? { "text/html": { schema: text } } : errorContent
      return [name, { description, headers: answerHeaders([...RATE_LIMITS, ...headers]), content }]
    }),
  ),
  [OTHER_ERROR]: {
    description: "Any other error, such as 503 while the database is unavailable. `code` identifies it",
    headers: answerHeaders([...RATE_LIMITS, "Retry-After"]),
    content: errorContent,
  },
  [SCIM_ERROR]: {
    description: "An error in the shape of RFC 7644, section 3.12",
    headers: answerHeaders([...RATE_LIMITS, "Retry-After"]),
    content: { "application/scim+json": { schema: componentRef("schemas", "ScimError") } },
  },
}
