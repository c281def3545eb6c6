import { tracing } from "cloudflare:workers"
import type { Context, MiddlewareHandler } from "hono"
import { routePath } from "hono/route"
import { signedBookmark, trustedBookmark } from "../access/bookmarks.ts"
import { openDatabase } from "../db/client.ts"
import { getMeter, serverTiming } from "../db/meter.ts"
import { UnitOfWork } from "../db/unit-of-work.ts"
import { hasRole, type KeyCaller, type RateLimitDecision, type RouteAccess } from "../lib/caller.ts"
import { now, SECOND } from "../lib/clock.ts"
import { type ApiError, forbidden, LoginRedirect, tooMany, unauthorized } from "../lib/errors.ts"
import { errorResponse, NO_CONTENT_POLICY } from "../lib/web/answers.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { identify, TOKEN_OPTIONAL_PATHS } from "./identify.ts"

const SAFE = new Set(["GET", "HEAD", "OPTIONS"])
/** Is it an operation that is asked for, rather than a page? */
export const isApi = (c: Context) => c.req.path.startsWith("/api/")

/** What the limiter's word means for this request; undefined: go on. */
function refusal(c: Context<AppEnv>, admission: RateLimitDecision | undefined): ApiError | LoginRedirect | undefined {
  if (!admission) return undefined
  if (!admission.admitted)
    return tooMany(
      "rate_limited",
      "Too many requests. Wait until the time in Retry-After.",
      (admission.resetAt - now()) / SECOND,
    )
  if (!admission.revoked) return undefined
  if (c.var.caller.via === "cookie") return isApi(c) ? new LoginRedirect() : undefined
  const { path } = c.req
  return TOKEN_OPTIONAL_PATHS.has(path) || path === "/logout"
    ? undefined
    : unauthorized("session_ended", "This session has ended. Sign in again.")
}

/** Waits for the limiter. @throws its refusal. Every mutation passes here before it begins. */
export async function checkRateLimit(c: Context<AppEnv>) {
  const refused = refusal(c, await c.var.admission)
  if (refused) throw refused
}

function stamp(c: Context<AppEnv>, admission: RateLimitDecision | undefined) {
  // After the answer is made, each `c.header` copies it: one copy will do.
  c.header("x-request-id", c.var.requestId)
  const { headers } = c.res
  if (admission) {
    const seconds = Math.max(0, Math.ceil((admission.resetAt - now()) / SECOND))
    headers.set("x-ratelimit-limit", String(admission.limit))
    headers.set("x-ratelimit-remaining", String(admission.remaining))
    headers.set("x-ratelimit-reset", String(Math.ceil(admission.resetAt / SECOND)))
    headers.set("ratelimit-policy", `"default";q=${admission.limit};w=${c.env.RATE_WINDOW_SECONDS}`)
    headers.set("ratelimit", `"default";r=${admission.remaining};t=${seconds}`)
  }
  const meter = getMeter(c.env)
  if (meter) {
    meter.operation ||= routePath(c, -1)
    meter.caller = c.var.caller.kind
    meter.role = c.var.caller.userType
    if (c.env.ENVIRONMENT === "development") headers.set("server-timing", serverTiming(meter))
  }
  const bookmark = c.var.db.meter.trips > 0 ? c.var.db.bookmark() : null
  if (bookmark) headers.set("x-d1-bookmark", signedBookmark(c.env, bookmark))
  // Pages bring their own. An answer without one, an error included, is a document of this origin in which a framing
  // script could run what its own policy forbids it.
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", NO_CONTENT_POLICY)
  // A read may be kept if it is asked about again each time; any other answer may hold what is told once.
  if (!headers.has("cache-control"))
    headers.set("cache-control", isApi(c) && SAFE.has(c.req.method) ? "private, no-cache" : "no-store")
}

/**
 * Who calls, and whether they may: the session (no I/O), the client's Durable Object (rate and revocation), the
 * database session. The limiter runs beside the work of a safe request of a user, and before anything else.
 */
export const authenticate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const safe = SAFE.has(c.req.method)
  const { caller, admission, refused: bad } = await identify(c)
  c.set("caller", caller)
  const db = openDatabase(
    c.env.DB,
    trustedBookmark(c.env, c.req.header("x-d1-bookmark")) ?? (safe ? "first-unconstrained" : "first-primary"),
  )
  c.set("db", db)
  c.set("work", new UnitOfWork(db, caller, c.env))
  c.set("admission", admission)
  const refused = await entrance(c, { bad, safe })
  if (refused) c.res = errorResponse(c, refused)
  else await next()
  const word = await c.var.admission
  const late = !refused && safe ? refusal(c, word) : undefined
  if (late) {
    c.res = undefined
    c.res = errorResponse(c, late)
  }
  stamp(c, word)
}

/**
 * What stops a request at the door. The limiter comes first, but for a safe request whose credential holds: it runs
 * beside the work of that.
 * @param bad what its credential is refused with
 */
async function entrance(c: Context<AppEnv>, { bad, safe }: { bad: ApiError | undefined; safe: boolean }) {
  return (safe && !bad ? undefined : refusal(c, await c.var.admission)) ?? bad
}

/** Does the call come from a page of this origin? undefined: it carries neither header, as a program's call. */
function fromThisOrigin(c: Context<AppEnv>): boolean | undefined {
  const site = c.req.header("sec-fetch-site")
  if (site !== undefined) return site === "same-origin"
  const origin = c.req.header("origin")
  return origin === undefined ? undefined : origin === new URL(c.req.url).origin
}

/** Refuses a form that another site's page could have sent. @throws 403 */
export function requireSameOrigin(c: Context<AppEnv>) {
  if (fromThisOrigin(c) === false)
    throw forbidden("Send this form from this origin's own page.", "cross_origin_forbidden")
}

/**
 * Refuses a change that another origin's page could have sent with this browser's cookie.
 * @throws 403
 */
export function requireOrigin(c: Context<AppEnv>) {
  if (c.var.caller.via === "cookie" && !fromThisOrigin(c)) throw foreign()
}

const foreign = () =>
  forbidden(
    "A call that changes something with a session cookie must come from a script or form of this origin. " +
      "Use a bearer token.",
    "cross_origin_forbidden",
  )

/**
 * Did a script of this origin make the call? Images, frames and links in a page of this origin may be anybody's: the
 * browser names the destination of each. A browser without `Sec-Fetch-Site` sends none of them with an `Origin`.
 */
function fromScript(c: Context<AppEnv>): boolean {
  if (!fromThisOrigin(c)) return false
  if (c.req.header("sec-fetch-site") === undefined) return true
  return c.req.header("sec-fetch-dest") === "empty" && c.req.header("sec-fetch-mode") !== "navigate"
}

/** Did a person follow a link, or type the address? */
const isNavigation = (c: Context<AppEnv>) =>
  c.req.header("sec-fetch-mode") === "navigate" && c.req.header("sec-fetch-dest") === "document"

/**
 * The gate of a GET that changes something: nothing caches or prefetches it, the limiter admits it first, and with a
 * cookie only a script of this origin calls it. A link gets the answer alone where the operation has one without the
 * change.
 * @throws 403, or the limiter's refusal
 */
async function requireIntent(c: Context<AppEnv>, { linkable }: RouteAccess) {
  c.header("cache-control", "no-store")
  if (/prefetch|prerender/.test(c.req.header("sec-purpose") ?? c.req.header("purpose") ?? ""))
    throw forbidden("This call changes something and is not to be prefetched.", "prefetch_not_allowed")
  if (c.var.caller.via === "cookie" && !fromScript(c)) {
    if (!linkable || !isNavigation(c)) throw foreign()
    c.var.work.mayChange = false
  }
  await checkRateLimit(c)
}

/**
 * Refuses a cookie that another origin's page sends along. It could not read the answer; here the call is not made.
 * @throws 403
 */
function requireOwnCookie(c: Context<AppEnv>) {
  const { via } = c.var.caller
  if (via === "cookie" && c.req.header("origin") !== undefined && fromThisOrigin(c) === false)
    throw forbidden(
      "A session cookie counts for pages of this origin alone. Send a bearer token.",
      "cross_origin_forbidden",
    )
}

/** Holds a key against an operation: whether it needs a person, and what the key is for. @throws 403 */
function requireScope({ grant }: KeyCaller, { keys, tag }: RouteAccess, changes: boolean) {
  if (keys === "none")
    throw forbidden("An API key cannot do this: it needs a person who is signed in.", "user_session_required")
  if (keys === "every" || !grant) return
  if (changes && grant.access === "read") throw forbidden("This API key may only read.", "key_read_only")
  if (grant.families && !grant.families.includes(tag))
    throw forbidden(
      `This API key is not for operations of ${tag}: they are not among its families.`,
      "key_scope_insufficient",
    )
}

/** The gate of one operation: session, role, origin and, for a GET that changes something, the limiter first. */
export const authorize =
  (operation: RouteAccess): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { caller } = c.var
    const meter = getMeter(c.env)
    if (meter) meter.operation = operation.operationId
    const changes = operation.mutates || operation.method !== "get"
    const needsSession = operation.signedIn || c.env.ACCESS_POLICY !== "documented"
    if (caller.kind === "anonymous" && needsSession) throw new LoginRedirect()
    if (!hasRole(caller, operation.access)) throw forbidden()
    if (caller.kind === "key") requireScope(caller, operation, changes)
    requireOwnCookie(c)
    if (operation.mutates) await requireIntent(c, operation)
    else if (changes) requireOrigin(c)
    // In traces, what is asked of the bindings stands below the operation.
    await tracing.enterSpan(operation.operationId, () => next())
  }
