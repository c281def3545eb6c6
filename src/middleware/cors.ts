import { getPath } from "hono/utils/url"
import type { Bindings } from "../env.ts"
import { HOUR, SECOND } from "../lib/clock.ts"
import { forbidden } from "../lib/errors.ts"
import { NO_CONTENT_POLICY } from "../lib/web/answers.ts"

// Calls of pages that other origins serve. They carry a bearer token: no answer allows
// credentials, so that no browser hands such a page what a cookie opened.

/** Beside `/api`: what an application of the academy's own takes people in with, and what tells of the operations. */
const SHARED = new Set([
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
])

/** The methods that operations have. */
const METHODS = "GET, HEAD, POST, PUT"
const ALLOWED_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "Range",
  "x-d1-bookmark",
].join(", ")
/** What a page may read of an answer's headers, beside those that any page may. */
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
  "WWW-Authenticate",
  "x-d1-bookmark",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
].join(", ")
/** How long a browser may remember a preflight's answer, in seconds; no browser remembers it much longer. */
const MAX_AGE = String((2 * HOUR) / SECOND)

/** An origin as browsers send it, however it was typed. `null` is what pages without an origin send: nobody's name. */
const originsOf = (list: string): string[] =>
  list
    .split(",")
    .map((entry) => entry.trim().toLowerCase().replace(/\/$/, ""))
    .filter((entry) => entry !== "" && entry !== "null")

let listed: { list: string; origins: Set<string> } = { list: "", origins: new Set() }

/** The origins that `ALLOWED_ORIGINS` lists, read once. */
function allowedBy({ ALLOWED_ORIGINS }: Partial<Bindings>): Set<string> {
  const list = ALLOWED_ORIGINS ?? ""
  if (listed.list !== list) listed = { list, origins: new Set(originsOf(list)) }
  return listed.origins
}

/** What `Access-Control-Allow-Origin` answers a call with; undefined where its origin is not allowed. */
function allowed(request: Request, origins: Set<string>): string | undefined {
  const origin = request.headers.get("origin")
  if (origin === null) return undefined
  if (origins.has("*")) return "*"
  return origins.has(origin) ? origin : undefined
}

const isShared = (request: Request) => {
  const path = getPath(request)
  return path.startsWith("/api/") || SHARED.has(path)
}

/** Lets pages of the allowed origins read an answer, an error as well. */
export function withCorsHeaders(request: Request, env: Bindings, answer: Response): Response {
  const origins = allowedBy(env)
  if (origins.size === 0 || !isShared(request)) return answer
  const { headers } = answer
  headers.append("vary", "Origin")
  const origin = allowed(request, origins)
  if (origin === undefined) return answer
  headers.set("access-control-allow-origin", origin)
  headers.set("access-control-expose-headers", EXPOSED_HEADERS)
  return answer
}

/**
 * A preflight's answer: what a browser asks before a page's call, whatever its path, without a credential. It costs
 * nobody a call of their limit, since it does no work. undefined: the request is no preflight.
 */
export function preflight(request: Request, env: Bindings): Response | undefined {
  const { method, headers } = request
  if (method !== "OPTIONS" || !headers.has("access-control-request-method") || !isShared(request)) return undefined
  const common = { "x-request-id": crypto.randomUUID(), "cache-control": "no-store", vary: "Origin" }
  const origin = allowed(request, allowedBy(env))
  if (origin === undefined) {
    const refusal = forbidden("This origin is not one of those that ALLOWED_ORIGINS lists.", "origin_not_allowed")
    const data = { "content-security-policy": NO_CONTENT_POLICY, "x-content-type-options": "nosniff" }
    return Response.json(refusal.body(), { status: refusal.status, headers: { ...common, ...data } })
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
