import { tracing } from "cloudflare:workers"
import type { Context, MiddlewareHandler } from "hono"
import { routePath } from "hono/route"
import { signBookmark, verifyBookmark } from "../access/bookmarks.ts"
import { openDatabase } from "../db/client.ts"
import { getMeter, serverTiming } from "../db/meter.ts"
import { UnitOfWork } from "../db/unit-of-work.ts"
import { hasRole, type KeyCaller, type RateLimitDecision, type RouteAccess } from "../lib/caller.ts"
import { now, SECOND } from "../lib/clock.ts"
import { type ApiError, forbidden, LoginRedirect, tooMany, unauthorized } from "../lib/errors.ts"
import { errorResponse, NO_CONTENT_POLICY } from "../lib/web/answers.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { crossingOf } from "../lib/web/crossing.ts"
import { type Identified, identify, TOKEN_OPTIONAL_PATHS } from "./identify.ts"

const SAFE = new Set(["GET", "HEAD", "OPTIONS"])
/** Whether the request is for an API operation rather than a page. */
export const isApiRequest = (c: Context) => c.req.path.startsWith("/api/")

/** The error for the rate limiter's decision; undefined: the request may continue. */
function rateLimitError(
  c: Context<AppEnv>,
  decision: RateLimitDecision | undefined,
): ApiError | LoginRedirect | undefined {
  if (!decision) return undefined
  if (!decision.admitted)
    return tooMany(
      "rate_limited",
      "Too many requests. Retry after the number of seconds in Retry-After.",
      (decision.resetAt - now()) / SECOND,
    )
  if (!decision.revoked) return undefined
  if (c.get("caller").via === "cookie") return isApiRequest(c) ? new LoginRedirect() : undefined
  const { path } = c.req
  return TOKEN_OPTIONAL_PATHS.has(path) || path === "/logout"
    ? undefined
    : unauthorized("session_ended", "This session has ended. Sign in again.")
}

/** Waits for the rate limiter. Every mutation calls this before it starts. @throws 429 or 401 */
export async function checkRateLimit(c: Context<AppEnv>) {
  const error = rateLimitError(c, await c.get("admission"))
  if (error) throw error
}

/** The headers of the response. One from a file or another service has immutable headers, so it is copied. */
function mutableHeaders(c: Context<AppEnv>): Headers {
  const requestId = c.get("requestId")
  try {
    c.res.headers.set("x-request-id", requestId)
  } catch {
    c.header("x-request-id", requestId)
  }
  return c.res.headers
}

/** Notes the caller in the meter, and shows the meter in development. */
function setMeterHeaders(c: Context<AppEnv>) {
  const meter = getMeter(c.env)
  if (!meter) return
  meter.operation ||= routePath(c, -1)
  const { kind, userType } = c.get("caller")
  meter.caller = kind
  meter.role = userType
  if (c.env.ENVIRONMENT === "development") c.res.headers.set("server-timing", serverTiming(meter))
}

async function setResponseHeaders(c: Context<AppEnv>, decision: RateLimitDecision | undefined) {
  const headers = mutableHeaders(c)
  if (decision) {
    const seconds = Math.max(0, Math.ceil((decision.resetAt - now()) / SECOND))
    headers.set("x-ratelimit-limit", String(decision.limit))
    headers.set("x-ratelimit-remaining", String(decision.remaining))
    headers.set("x-ratelimit-reset", String(Math.ceil(decision.resetAt / SECOND)))
    headers.set("ratelimit-policy", `"default";q=${decision.limit};w=${c.env.RATE_WINDOW_SECONDS}`)
    headers.set("ratelimit", `"default";r=${decision.remaining};t=${seconds}`)
  }
  setMeterHeaders(c)
  const db = c.get("db")
  const bookmark = db.meter.trips > 0 ? db.bookmark() : null
  if (bookmark) headers.set("x-d1-bookmark", await signBookmark(c.env, bookmark))
  // Pages set their own policy. Without one, a page of this origin could frame the response, errors included, and run
  // scripts in it that its own policy forbids.
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", NO_CONTENT_POLICY)
  // A read may be cached if it is revalidated; other responses may contain secrets that are shown once.
  if (!headers.has("cache-control"))
    headers.set("cache-control", isApiRequest(c) && SAFE.has(c.req.method) ? "private, no-cache" : "no-store")
}

/** Requests that another request of the same caller makes in-process, with their caller and decision. */
const handedOver = new WeakMap<Request, Identified>()

/** Gives a request that is served in-process the caller of the current one, which was counted already. */
export function handOver(c: Context<AppEnv>, request: Request): Request {
  const { caller, admission } = c.var
  handedOver.set(request, { caller, admission })
  return request
}

/**
 * Sets the caller, the database session, the rate limit decision and the response headers. For a safe
 * request with a valid credential the rate limiter runs in parallel with the handler; otherwise it runs first.
 */
export const authenticate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isSafe = SAFE.has(c.req.method)
  const inProcess = handedOver.get(c.req.raw)
  const { caller, admission, refused: credentialError } = identifiedAtEdge(c) ?? inProcess ?? (await identify(c))
  c.set("caller", caller)
  // Its client keeps no bookmark, but expects to read its own changes.
  const isFresh = !isSafe || inProcess !== undefined
  const db = openDatabase(
    c.env.DB,
    verifyBookmark(c.env, c.req.header("x-d1-bookmark")) ?? (isFresh ? "first-primary" : "first-unconstrained"),
  )
  c.set("db", db)
  c.set("work", new UnitOfWork(db, caller, c.env))
  c.set("admission", admission)
  const refused = await findError(c, { credentialError, isSafe })
  if (refused) c.res = errorResponse(c, refused)
  else await next()
  const decision = await c.get("admission")
  const lateError = !refused && isSafe ? rateLimitError(c, decision) : undefined
  if (lateError) {
    c.res = undefined
    c.res = errorResponse(c, lateError)
  }
  // The primary has set the others.
  if (getMeter(c.env)?.forwarded) setMeterHeaders(c)
  else await setResponseHeaders(c, decision)
}

/** The caller and the decision that crossed from the edge; undefined at the edge. */
function identifiedAtEdge(c: Context<AppEnv>): Identified | undefined {
  const crossing = crossingOf(c.env)
  return crossing && { caller: crossing.caller, admission: Promise.resolve(crossing.decision) }
}

/** The error that stops a request. For a safe request with a valid credential the rate limiter is awaited later. */
async function findError(
  c: Context<AppEnv>,
  { credentialError, isSafe }: { credentialError: ApiError | undefined; isSafe: boolean },
) {
  return (isSafe && !credentialError ? undefined : rateLimitError(c, await c.get("admission"))) ?? credentialError
}

/** Whether a page of this origin made the call; undefined if neither header says, as for a program. */
function isSameOrigin(c: Context<AppEnv>): boolean | undefined {
  const site = c.req.header("sec-fetch-site")
  if (site !== undefined) return site === "same-origin"
  const origin = c.req.header("origin")
  return origin === undefined ? undefined : origin === new URL(c.req.url).origin
}

/** Refuses a form that a page of another site sent. @throws 403 */
export function requireSameOrigin(c: Context<AppEnv>) {
  if (isSameOrigin(c) === false) throw forbidden("Send this form from a page of this origin.", "cross_origin_forbidden")
}

/** Refuses a change with a session cookie that a page of another origin may have sent. @throws 403 */
export function requireOrigin(c: Context<AppEnv>) {
  if (c.get("caller").via === "cookie" && !isSameOrigin(c)) throw crossOriginError()
}

const crossOriginError = () =>
  forbidden(
    "A request that changes data with a session cookie must come from a script or form of this origin. " +
      "Use a bearer token.",
    "cross_origin_forbidden",
  )

/**
 * Whether a script of this origin made the call. Images, frames and links within a page can point anywhere:
 * `Sec-Fetch-Dest` identifies them. If a service worker forwards an image, only the mode does. Browsers without
 * `Sec-Fetch-Site` send no `Origin` with them.
 */
function isSameOriginScript(c: Context<AppEnv>): boolean {
  if (!isSameOrigin(c)) return false
  if (c.req.header("sec-fetch-site") === undefined) return true
  const mode = c.req.header("sec-fetch-mode")
  return c.req.header("sec-fetch-dest") === "empty" && (mode === "cors" || mode === "same-origin")
}

/** Whether a person followed a link or typed the address. */
const isNavigation = (c: Context<AppEnv>) =>
  c.req.header("sec-fetch-mode") === "navigate" && c.req.header("sec-fetch-dest") === "document"

/**
 * Protects a GET that changes something: it is never cached or prefetched, the rate limiter runs first, and with a
 * cookie only a script of this origin may call it. A link may read the response without the change if the operation
 * is `linkable`.
 * @throws 403, 429
 */
async function requireIntent(c: Context<AppEnv>, { linkable }: RouteAccess) {
  c.header("cache-control", "no-store")
  if (/prefetch|prerender/.test(c.req.header("sec-purpose") ?? c.req.header("purpose") ?? ""))
    throw forbidden("This request changes data and cannot be prefetched.", "prefetch_not_allowed")
  if (c.get("caller").via === "cookie" && !isSameOriginScript(c)) {
    if (!linkable || !isNavigation(c)) throw crossOriginError()
    c.var.work.mayChange = false
  }
  await checkRateLimit(c)
}

/** Refuses a cookie that a page of another origin sends. The page could not read the response anyway. @throws 403 */
function requireSameOriginCookie(c: Context<AppEnv>) {
  const { via } = c.get("caller")
  if (via === "cookie" && c.req.header("origin") !== undefined && isSameOrigin(c) === false)
    throw forbidden(
      "A session cookie is accepted from pages of this origin only. Use a bearer token.",
      "cross_origin_forbidden",
    )
}

/** Checks that an API key may call an operation. @throws 403 */
function requireKeyAccess({ grant }: KeyCaller, { keys, tag }: RouteAccess, changes: boolean) {
  if (keys === "none") throw forbidden("An API key cannot do this. Sign in as a user.", "user_session_required")
  if (keys === "every" || !grant) return
  if (grant.scopes.includes("scim")) throw forbidden("This API key can only call SCIM.", "key_scope_insufficient")
  if (changes && grant.access === "read") throw forbidden("This API key is read-only.", "key_read_only")
  if (grant.families && !grant.families.includes(tag))
    throw forbidden(`This API key cannot call operations of ${tag}.`, "key_scope_insufficient")
}

/** Checks session, role, API key and origin for one operation; for a GET that changes something also the rate limit. */
export const authorize =
  (operation: RouteAccess): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const caller = c.get("caller")
    const meter = getMeter(c.env)
    if (meter) meter.operation = operation.operationId
    const changes = operation.mutates || operation.method !== "get"
    const needsSession = operation.signedIn || c.env.ACCESS_POLICY !== "documented"
    if (caller.kind === "anonymous" && needsSession) throw new LoginRedirect()
    if (!hasRole(caller, operation.access)) throw forbidden()
    if (caller.kind === "key") requireKeyAccess(caller, operation, changes)
    requireSameOriginCookie(c)
    if (operation.mutates) await requireIntent(c, operation)
    else if (changes) requireOrigin(c)
    c.set("changes", changes)
    // Traces show calls to bindings below the operation.
    await tracing.enterSpan(operation.operationId, () => next())
  }
