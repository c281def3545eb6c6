import { getPath } from "hono/utils/url"
import type { Bindings } from "../env.ts"
import { HOUR, SECOND } from "../lib/clock.ts"
import { forbidden } from "../lib/errors.ts"
import { NO_CONTENT_POLICY } from "../lib/web/answers.ts"

// Calls from pages of other origins. They use bearer tokens: no response allows credentials, so
// browsers never give such pages what a cookie can read.

/** Paths outside `/api` that other origins may call: sign-in, sign-up, the OpenAPI document and MCP. */
const SHARED_PATHS = new Set([
  "/login",
  "/logout",
  "/session/refresh",
  "/oauth/token",
  "/password/forgot",
  "/set-password",
  "/email/confirm",
  "/sign-up",
  "/sign-up/confirm",
  "/openapi.json",
  "/mcp",
])

/** The methods of all operations. */
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
const ALLOWED_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "MCP-Protocol-Version",
  "Prefer",
  "Range",
  "Tus-Resumable",
  "Upload-Length",
  "Upload-Metadata",
  "Upload-Offset",
  "x-client-version",
  "x-d1-bookmark",
].join(", ")
/** The response headers that a page may read in addition to the CORS-safelisted ones. */
const EXPOSED_HEADERS = [
  "Allow",
  "Content-Disposition",
  "Content-Range",
  "Deprecation",
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Tus-Resumable",
  "Upload-Expires",
  "Upload-Length",
  "Upload-Offset",
  "WWW-Authenticate",
  "x-d1-bookmark",
  "x-ignored",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
].join(", ")
/** How long a browser may cache a preflight, in seconds; most browsers allow no more. */
const MAX_AGE = String((2 * HOUR) / SECOND)

/** Origins as browsers send them. Pages without an origin send `null`, which is never allowed. */
const parseOrigins = (list: string): string[] =>
  list
    .split(",")
    .map((entry) => entry.trim().toLowerCase().replace(/\/$/, ""))
    .filter((entry) => entry !== "" && entry !== "null")

let cached: { list: string; origins: Set<string> } = { list: "", origins: new Set() }

/** The origins of `ALLOWED_ORIGINS`, parsed once. */
function allowedOrigins({ ALLOWED_ORIGINS }: Partial<Bindings>): Set<string> {
  const list = ALLOWED_ORIGINS ?? ""
  if (cached.list !== list) cached = { list, origins: new Set(parseOrigins(list)) }
  return cached.origins
}

/** The value of `Access-Control-Allow-Origin`; undefined if the origin is not allowed. */
function allowedOrigin(request: Request, origins: Set<string>): string | undefined {
  const origin = request.headers.get("origin")
  if (origin === null) return undefined
  if (origins.has("*")) return "*"
  return origins.has(origin) ? origin : undefined
}

/** Whether `ALLOWED_ORIGINS` has the origin of the page that sent the request. */
export const isAllowedOrigin = (request: Request, env: Partial<Bindings>) =>
  allowedOrigin(request, allowedOrigins(env)) !== undefined

const isShared = (request: Request) => {
  const path = getPath(request)
  return path.startsWith("/api/") || SHARED_PATHS.has(path)
}

/** Lets pages of the allowed origins read a response, errors included. */
export function withCorsHeaders(request: Request, env: Bindings, response: Response): Response {
  const origins = allowedOrigins(env)
  if (origins.size === 0 || !isShared(request)) return response
  const { headers } = response
  headers.append("vary", "Origin")
  const origin = allowedOrigin(request, origins)
  if (origin === undefined) return response
  headers.set("access-control-allow-origin", origin)
  headers.set("access-control-expose-headers", EXPOSED_HEADERS)
  return response
}

/**
 * The response to a preflight, which browsers send without credentials. It does not count against a rate limit.
 * undefined: the request is not a preflight.
 */
export function preflight(request: Request, env: Bindings): Response | undefined {
  const { method, headers } = request
  if (method !== "OPTIONS" || !headers.has("access-control-request-method") || !isShared(request)) return undefined
  const common = { "x-request-id": crypto.randomUUID(), "cache-control": "no-store", vary: "Origin" }
  const origin = allowedOrigin(request, allowedOrigins(env))
  if (origin === undefined) {
    const error = forbidden("This origin is not listed in ALLOWED_ORIGINS.", "origin_not_allowed")
    const securityHeaders = { "content-security-policy": NO_CONTENT_POLICY, "x-content-type-options": "nosniff" }
    return Response.json(error.body(), { status: error.status, headers: { ...common, ...securityHeaders } })
  }
  return new Response(null, {
    status: 204,
    headers: {
      ...common,
      "access-control-allow-origin": origin,
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": MAX_AGE,
    },
  })
}
