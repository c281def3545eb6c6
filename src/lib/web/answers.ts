import type { Context } from "hono"
import { HTTPException } from "hono/http-exception"
import { routePath } from "hono/route"
import type { ContentfulStatusCode } from "hono/utils/http-status"
import { ReplayedAnswer } from "../../db/idempotency.ts"
import { ApiError, type ErrorCode, LoginRedirect, malformed, unsupported } from "../errors.ts"
import type { AppEnv } from "./app-env.ts"
import { isScimPath, scimErrorResponse } from "./scim-error.ts"

/** The context for responses that contain URLs of this service. */
export interface BaseUrlContext {
  /** The URL of the service without a trailing slash. */
  base: string
}

/** The URL of the service: BASE_URL, or the origin of the request. */
export const baseUrl = (c: Context<AppEnv>) => c.env.BASE_URL || new URL(c.req.url).origin

/** The policy of responses that are not pages: no loading, no connections, no framing. */
export const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** For reads that return a secret: they must not be cached. Other methods are never cached. */
export const NO_STORE = { "cache-control": "no-store" }

const REDIRECT_PAGE = (to: string) =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title></head>' +
  `<body><p>Please <a href="${to}">sign in</a> to continue.</p></body></html>`

/** Converts anything thrown during a request into a response. */
export function errorResponse(c: Context<AppEnv>, error: unknown): Response {
  const isScim = isScimPath(c.req.path)
  if (isScim && (error instanceof ApiError || error instanceof LoginRedirect)) return scimErrorResponse(error)
  if (error instanceof ApiError) return c.json(error.body(), error.status, error.headers)
  if (error instanceof LoginRedirect) {
    const to = `${baseUrl(c)}/login`
    return c.html(REDIRECT_PAGE(to), 302, { location: to })
  }
  if (error instanceof ReplayedAnswer)
    return c.body(error.answer, error.status as ContentfulStatusCode, {
      "content-type": "application/json",
      "idempotency-replayed": "true",
    })
  if (error instanceof HTTPException) return errorResponse(c, fromHono(error))
  // The route instead of the path, which may contain a key.
  const body = internalError(error, c.var.requestId, routePath(c, -1))
  return isScim ? scimErrorResponse(new ApiError("internal_error", body.message)) : c.json(body, 500)
}

/** Logs an internal error. @returns a body without internal details */
function internalError(error: unknown, requestId: string, path: string) {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  console.error(JSON.stringify({ event: "fault", requestId, path, error: details }))
  return {
    status: "error" as const,
    code: "internal_error" satisfies ErrorCode,
    message: `An internal error occurred. Include the request id ${requestId} when you report it.`,
  }
}

/** The response to an error outside of all middleware. */
export function fallbackResponse(error: unknown): Response {
  const requestId = crypto.randomUUID()
  const headers = {
    "x-request-id": requestId,
    "cache-control": "no-store",
    "content-security-policy": NO_CONTENT_POLICY,
    "x-content-type-options": "nosniff",
  }
  return Response.json(internalError(error, requestId, "*"), { status: 500, headers })
}

/** Converts errors that Hono's validators throw before a schema sees the body. */
function fromHono(error: HTTPException): ApiError {
  if (error.status === 415)
    return unsupported("Send the body as application/json, or with the content type of the operation.")
  return malformed(error.status === 400 ? "The body is not valid JSON." : error.message || "The request was refused.")
}
