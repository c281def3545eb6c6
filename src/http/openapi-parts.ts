import { ERROR_ANSWERS, type ErrorStatus } from "./operation.ts"

// What the OpenAPI document says of many operations at once: headers, error answers, tags.

/** Says how a component of the document is referred to. */
export const componentRef = (kind: "responses" | "headers" | "parameters" | "schemas", name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

const integer = { type: "integer" }
const text = { type: "string" }

/** The headers of answers: what each is called among the components, and what it says. */
const HEADERS = {
  "x-request-id": ["RequestId", "The request's own id: quote it when you report something", text],
  "x-ratelimit-limit": ["RateLimitLimit", "Requests in a window", integer],
  "x-ratelimit-remaining": ["RateLimitRemaining", "Requests left in this window", integer],
  "x-ratelimit-reset": ["RateLimitReset", "When the window ends, in Unix seconds", integer],
  RateLimit: [
    "RateLimit",
    "The IETF draft's: requests left, seconds to the window's end. `x-ratelimit-*` say the same",
    text,
  ],
  "RateLimit-Policy": ["RateLimitPolicy", "The IETF draft's: requests, and the window's seconds", text],
  "x-d1-bookmark": ["Bookmark", "Send it with the next call, which then reads at least what this one wrote", text],
  Link: ["Link", "Where the list goes on: `first`, `prev`, `next`, `last` (RFC 8288)", text],
  ETag: ["ETag", "The answer's version: for `If-None-Match`, of a record for `If-Match` too", text],
  Location: ["Location", "Where to go on", text],
  "Retry-After": ["RetryAfter", "Seconds until another try makes sense", integer],
  "Content-Disposition": ["ContentDisposition", "Whether the file is saved or shown, and its name (RFC 6266)", text],
  "Idempotency-Replayed": ["IdempotencyReplayed", "`true`: this `Idempotency-Key`'s first answer, again", text],
  Deprecation: [
    "Deprecation",
    "`@` and Unix seconds (RFC 9745): an older spelling since then; `Link` names its successor",
    text,
  ],
  "WWW-Authenticate": ["WwwAuthenticate", "The credential that is wanted", text],
} as const
export type AnswerHeader = keyof typeof HEADERS

/** Every answer has them. */
const EVERY = ["x-request-id", "RateLimit"] as const
/** Every answer has them as well; told of error answers alone, which stand in the document once. */
const LIMITS = ["RateLimit-Policy", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const

/** What no limit counts: its answers tell of none. */
export const UNLIMITED: ReadonlySet<string> = new Set(["/health", "/ready"])

/** The headers of an answer, as references. @param more those beside what every answer has */
export const answerHeaders = (more: readonly AnswerHeader[] = [], isLimited = true) =>
  Object.fromEntries(
    [...EVERY, ...more]
      .filter((name) => isLimited || name !== "RateLimit")
      .map((name) => [name, componentRef("headers", HEADERS[name][0])]),
  )

export const headerComponents = Object.fromEntries(
  Object.values(HEADERS).map(([name, description, schema]) => [name, { description, schema }]),
)

/** When a call is answered so, and with which headers of its own. */
const ERRORS: Record<ErrorStatus, readonly [description: string, ...headers: AnswerHeader[]]> = {
  302: ["No credential: on to the sign-in page", "Location"],
  400: ["The body is not JSON, or not an object"],
  401: ["The credential is invalid, expired or revoked", "WWW-Authenticate"],
  403: ["The caller's role does not allow it"],
  404: ["No such record, or none within the caller's scope"],
  409: ["The record's state does not allow it"],
  410: ["Gone for good"],
  412: ["If-Match names another version"],
  413: ["Too large"],
  415: ["Wrong content type, or a type of file that is not taken"],
  422: ["A field or parameter is missing or invalid: `errors` says which"],
  429: ["Rate limit, or too many failed attempts", "Retry-After"],
  502: ["The provider failed, or took over 5 seconds"],
}

const errorContent = { "application/json": { schema: componentRef("schemas", "Error") } }

/** The answer with any status that an operation does not name. */
export const OTHER_ERROR = "OtherError"

export const errorComponents = {
  ...Object.fromEntries(
    Object.entries(ERROR_ANSWERS).map(([status, name]) => {
      const [description, ...headers] = ERRORS[Number(status) as ErrorStatus]
      const content = status === "302" ? { "text/html": { schema: text } } : errorContent
      return [name, { description, headers: answerHeaders([...LIMITS, ...headers]), content }]
    }),
  ),
  [OTHER_ERROR]: {
    description: "Any other error, such as 503 while the database is out of reach: `code` says which",
    headers: answerHeaders([...LIMITS, "Retry-After"]),
    content: errorContent,
  },
}
