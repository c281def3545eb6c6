import type { Context } from "hono"
import { HTTPException } from "hono/http-exception"
import { routePath } from "hono/route"
import type { ContentfulStatusCode } from "hono/utils/http-status"
import { ReplayedAnswer } from "../../db/idempotency.ts"
import { ApiError, type ErrorCode, LoginRedirect, malformed, unsupported } from "../errors.ts"
import type { AppEnv } from "./app-env.ts"

/** What an answer with addresses of this service is made with. */
export interface Addressed {
  /** The service's own, without a slash at the end. */
  base: string
}

/** Where callers reach the service: BASE_URL, or the origin they called. */
export const baseUrl = (c: Context<AppEnv>) => c.env.BASE_URL || new URL(c.req.url).origin

/** The policy of an answer that is no page: it loads nothing, calls nothing and is framed by nobody. */
export const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** For reads that hand out a secret: nothing on the way may keep them. Other answers than reads are so anyhow. */
export const NO_STORE = { "cache-control": "no-store" }

const REDIRECT_PAGE = (to: string) =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title></head>' +
  `<body><p>Please <a href="${to}">sign in</a> to go on.</p></body></html>`

/** The answer to anything thrown while a request was served: the one place where errors become answers. */
export function errorResponse(c: Context<AppEnv>, error: unknown): Response {
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
  // The route, not the path: a path may carry a key.
  return c.json(faulted(error, c.var.requestId, routePath(c, -1)), 500)
}

/** Logs a fault of ours. @returns the body that tells of it, and nothing of its inside */
function faulted(error: unknown, requestId: string, path: string) {
  const found = error instanceof Error ? (error.stack ?? error.message) : String(error)
  console.error(JSON.stringify({ event: "fault", requestId, path, error: found }))
  return {
    status: "error" as const,
    code: "internal_error" satisfies ErrorCode,
    message: `Something went wrong on our side. Quote ${requestId} when you report it.`,
  }
}

/** The answer to what was thrown where no middleware runs: around all of them. */
export function fallbackResponse(error: unknown): Response {
  const requestId = crypto.randomUUID()
  const headers = {
    "x-request-id": requestId,
    "cache-control": "no-store",
    "content-security-policy": NO_CONTENT_POLICY,
    "x-content-type-options": "nosniff",
  }
  return Response.json(faulted(error, requestId, "*"), { status: 500, headers })
}

/** Hono's own validators throw these before a schema sees the body. */
function fromHono(error: HTTPException): ApiError {
  if (error.status === 415)
    return unsupported("Send the body as application/json (or the content type that the operation names).")
  return malformed(error.status === 400 ? "The body is not valid JSON." : error.message || "The request was refused.")
}
