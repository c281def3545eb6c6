import type { Context, MiddlewareHandler } from "hono"
import { type Admission, type Caller, type Entrance, hasRole } from "../lib/access.ts"
import { now, SECOND } from "../lib/clock.ts"
import { type ApiError, forbidden, LoginRedirect, tooMany, unauthorized } from "../lib/errors.ts"
import { openDatabase } from "../lib/sql/db.ts"
import { meterOf, serverTiming } from "../lib/sql/meter.ts"
import { UnitOfWork } from "../lib/sql/work.ts"
import { answerTo, NO_DOCUMENT } from "../lib/web/answers.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { addressClient, clientOf, userClient } from "./clients.ts"
import { sessionOf } from "./session.ts"

const SAFE = new Set(["GET", "HEAD", "OPTIONS"])
/** They take another credential than a token: one that does not hold, which a program may send along, is no matter. */
const TOKEN_ASIDE = new Set(["/login", "/session/refresh", "/oauth/token"])
/** Is it an operation that is asked for, rather than a page? */
export const isApi = (c: Context) => c.req.path.startsWith("/api/")

/** The rate limit's and the attempts' name for where a call comes from. */
export const clientAddress = (c: Context<AppEnv>) => addressClient(c.req.header("cf-connecting-ip"))

async function identify(c: Context<AppEnv>): Promise<{ caller: Caller; badToken: boolean }> {
  const found = await sessionOf(c)
  if (found && found !== "invalid") {
    const { via, session } = found
    const { userId, userType } = session
    return { caller: { kind: "user", id: userId, userType, client: userClient(userId), via, session }, badToken: false }
  }
  return {
    caller: { kind: "anonymous", id: null, userType: "anonymous", client: clientAddress(c), via: "none" },
    badToken: found === "invalid",
  }
}

/**
 * Asks the client's Durable Object: the user's, or the network address's without a session that holds, so that nobody
 * spends a user's calls with a token that is out of use. Should it be out of reach, the request is served, and that is
 * logged.
 */
async function admission(c: Context<AppEnv>, caller: Caller): Promise<Admission | undefined> {
  const session = caller.kind === "user" ? caller.session : undefined
  try {
    const ofUser = session && (await clientOf(c.env, userClient(session.userId)).admit(session))
    if (ofUser && ofUser !== "revoked") return { ...ofUser, revoked: false }
    const ofAddress = await clientOf(c.env, clientAddress(c)).admit()
    return ofAddress === "revoked" ? undefined : { ...ofAddress, revoked: ofUser === "revoked" }
  } catch (error) {
    console.error(JSON.stringify({ event: "limiter unreachable", requestId: c.var.requestId, error: String(error) }))
    return undefined
  }
}

/** What the limiter's word means for this request; undefined: go on. */
function refusal(c: Context<AppEnv>, admission: Admission | undefined): ApiError | LoginRedirect | undefined {
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
  return TOKEN_ASIDE.has(path) || path === "/logout"
    ? undefined
    : unauthorized("session_ended", "This session has ended. Sign in again.")
}

/** Waits for the limiter. @throws its refusal. Every mutation passes here before it begins. */
export async function admitted(c: Context<AppEnv>) {
  const refused = refusal(c, await c.var.admission)
  if (refused) throw refused
}

function stamp(c: Context<AppEnv>, admission: Admission | undefined) {
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
  const meter = meterOf(c.env)
  if (meter) headers.set("server-timing", serverTiming(meter))
  const bookmark = c.var.db.meter.trips > 0 ? c.var.db.bookmark() : null
  if (bookmark) headers.set("x-d1-bookmark", bookmark)
  // Pages bring their own. An answer without one, an error included, is a document of this origin in which a framing
  // script could run what its own policy forbids it.
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", NO_DOCUMENT)
  // A read may be kept if it is asked about again each time; any other answer may hold what is told once.
  if (!headers.has("cache-control"))
    headers.set("cache-control", isApi(c) && SAFE.has(c.req.method) ? "private, no-cache" : "no-store")
}

/**
 * Who calls, and whether they may: the session (no I/O), the client's Durable Object (rate and revocation), the
 * database session. The limiter runs beside the work of a safe request and before anything else.
 */
export const gate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const safe = SAFE.has(c.req.method)
  const { caller, badToken } = await identify(c)
  c.set("caller", caller)
  const db = openDatabase(c.env.DB, bookmarkOf(c) ?? (safe ? "first-unconstrained" : "first-primary"))
  c.set("db", db)
  c.set("work", new UnitOfWork(db, caller, c.env))
  c.set("admission", admission(c, caller))
  const refused = await entrance(c, { badToken, safe })
  if (refused) c.res = answerTo(c, refused)
  else await next()
  const word = await c.var.admission
  const late = !refused && safe ? refusal(c, word) : undefined
  if (late) {
    c.res = undefined
    c.res = answerTo(c, late)
  }
  stamp(c, word)
}

/** The caller's bookmark, from an earlier answer: with it they read what they wrote. What cannot be one is ignored. */
function bookmarkOf(c: Context<AppEnv>): string | undefined {
  const bookmark = c.req.header("x-d1-bookmark")
  return bookmark && /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/.test(bookmark) ? bookmark : undefined
}

/** What stops a request at the door. */
async function entrance(c: Context<AppEnv>, { badToken, safe }: { badToken: boolean; safe: boolean }) {
  const refused = safe ? undefined : refusal(c, await c.var.admission)
  const bad = badToken && !TOKEN_ASIDE.has(c.req.path)
  return (
    refused ?? (bad ? unauthorized("invalid_token", "The token is invalid or has expired. Sign in again.") : undefined)
  )
}

/** Does the call come from a page of this origin? undefined: it carries neither header, as a program's call. */
function fromThisOrigin(c: Context<AppEnv>): boolean | undefined {
  const site = c.req.header("sec-fetch-site")
  if (site !== undefined) return site === "same-origin"
  const origin = c.req.header("origin")
  return origin === undefined ? undefined : origin === new URL(c.req.url).origin
}

/** Refuses a form that another site's page could have sent. @throws 403 */
export function requireNotForeign(c: Context<AppEnv>) {
  if (fromThisOrigin(c) === false) throw forbidden("Send this form from this origin's own page.", "foreign_origin")
}

/**
 * May a page of a SCORM package have sent the browser here? Packages are other people's pages on this origin. They can
 * send no form and fetch nothing of it, but can go to any URL, in their frame or in a window of their own, and hide
 * where they come from.
 */
function fromPackage(c: Context<AppEnv>): boolean {
  const referrer = c.req.header("referer") ?? ""
  const from = URL.canParse(referrer) ? new URL(referrer).pathname : undefined
  if (from?.startsWith("/scorm/")) return true
  if (!SAFE.has(c.req.method) || c.req.header("sec-fetch-mode") !== "navigate") return false
  return from === undefined || c.req.header("sec-fetch-dest") !== "document"
}

/**
 * Refuses a change that another site's page, or a package's, could have sent with this browser's cookie.
 * @throws 403
 */
export function requireOrigin(c: Context<AppEnv>) {
  if (c.var.caller.via === "cookie" && (!fromThisOrigin(c) || fromPackage(c)))
    throw forbidden(
      "A call that changes something with a session cookie must come from a page of this origin. Use a bearer token.",
      "foreign_origin",
    )
}

/**
 * Refuses a cookie that another origin's page sends along. It could not read the answer; here the call is not made.
 * @throws 403
 */
function requireOwnCookie(c: Context<AppEnv>) {
  const { via } = c.var.caller
  if (via === "cookie" && c.req.header("origin") !== undefined && fromThisOrigin(c) === false)
    throw forbidden("A session cookie counts for pages of this origin alone. Send a bearer token.", "foreign_origin")
}

/** The gate of one operation: session, role, origin and, for a GET that changes something, the limiter first. */
export const authorize =
  (operation: Entrance): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { caller } = c.var
    const changes = operation.mutates || operation.method !== "get"
    const needsSession = operation.signedIn || c.env.ACCESS_POLICY !== "documented"
    if (caller.kind === "anonymous" && needsSession) throw new LoginRedirect()
    if (!hasRole(caller, operation.access)) throw forbidden()
    requireOwnCookie(c)
    if (changes) requireOrigin(c)
    if (operation.mutates) {
      c.header("cache-control", "no-store")
      if (/prefetch|prerender/.test(c.req.header("sec-purpose") ?? c.req.header("purpose") ?? ""))
        throw forbidden("This call changes something and is not to be prefetched.", "not_to_be_prefetched")
      await admitted(c)
    }
    await next()
  }
