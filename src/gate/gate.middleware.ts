import { tracing } from "cloudflare:workers"
import type { Context, MiddlewareHandler } from "hono"
import { routePath } from "hono/route"
import {
  type Admission,
  type Caller,
  type Entrance,
  hasRole,
  type KeyCaller,
  type KeyProof,
  type Session,
} from "../lib/access.ts"
import { now, SECOND } from "../lib/clock.ts"
import { type ApiError, forbidden, LoginRedirect, tooMany, unauthorized, unavailable } from "../lib/errors.ts"
import { openDatabase } from "../lib/sql/db.ts"
import { meterOf, serverTiming } from "../lib/sql/meter.ts"
import { UnitOfWork } from "../lib/sql/work.ts"
import { answerTo, NO_DOCUMENT } from "../lib/web/answers.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { addressClient, clientOf, keyClient, userClient } from "./clients.ts"
import { credentialOf } from "./session.ts"

const SAFE = new Set(["GET", "HEAD", "OPTIONS"])
/** They take another credential than a token: one that does not hold, which a program may send along, is no matter. */
const TOKEN_ASIDE = new Set(["/login", "/session/refresh", "/oauth/token"])
/** Is it an operation that is asked for, rather than a page? */
export const isApi = (c: Context) => c.req.path.startsWith("/api/")

/** The rate limit's and the attempts' name for where a call comes from. */
export const clientAddress = (c: Context<AppEnv>) => addressClient(c.req.header("cf-connecting-ip"))

/** Who calls, and what the limiter says of it. */
interface Identified {
  caller: Caller
  admission: Promise<Admission | undefined>
  /** What the credential that came is refused with. */
  refused?: ApiError
}

function nobody(c: Context<AppEnv>, refused?: ApiError, counted = admission(c)): Identified {
  const caller = { kind: "anonymous", id: null, userType: "anonymous", client: clientAddress(c), via: "none" } as const
  return { caller, admission: counted, ...(refused && { refused }) }
}

/** Hashes of keys that hold, though no secret that is there checks them; so many are remembered. */
const proven = new Set<string>()
const REMEMBERED = 1000

/** Does nothing show that a key was made here, rather than made up? */
const isUnproven = (proof: KeyProof) => "hash" in proof && !proof.checked && !proven.has(proof.hash)

function prove(proof: KeyProof) {
  if (!("hash" in proof)) return
  if (proven.size >= REMEMBERED) proven.clear()
  proven.add(proof.hash)
}

async function identify(c: Context<AppEnv>): Promise<Identified> {
  const found = await credentialOf(c)
  if (!found) return nobody(c)
  if (found === "invalid")
    return nobody(c, unauthorized("invalid_token", "The token is invalid or has expired. Sign in again."))
  if ("proof" in found) return holderOf(c, found.proof)
  const { via, session } = found
  const { userId, userType } = session
  const caller = { kind: "user", id: userId, userType, client: userClient(userId), via, session } as const
  return { caller, admission: admission(c, session) }
}

/**
 * The holder of an API key: the key's Durable Object knows what it grants. Unlike a session's, which says itself what
 * it may, a key's call waits for that word, and is not served without it.
 */
async function holderOf(c: Context<AppEnv>, proof: KeyProof): Promise<Identified> {
  const client = keyClient(proof.keyId)
  const invalid = unauthorized("invalid_key", "The API key, or its token, is invalid, expired or revoked.")
  // Whoever makes keys up wakes no more Durable Objects than their network address has calls.
  const counted = isUnproven(proof) ? admission(c) : undefined
  if (counted && !(await counted)?.admitted) return nobody(c, invalid, counted)
  try {
    const admitted = await clientOf(c.env, client).admitKey(proof)
    if (!admitted) return nobody(c, invalid, counted)
    if (counted) prove(proof)
    const { count, grant } = admitted
    const caller = { kind: "key", id: -grant.keyId, userType: grant.role, client, via: "bearer", grant } as const
    return { caller, admission: Promise.resolve({ ...count, revoked: false }) }
  } catch (error) {
    console.error(JSON.stringify({ event: "key not checked", requestId: c.var.requestId, error: String(error) }))
    return nobody(c, unavailable("API keys cannot be checked right now. Try again in a few seconds."))
  }
}

/**
 * Asks the client's Durable Object: the user's, or the network address's without a session that holds, so that nobody
 * spends a user's calls with a token that is out of use. Should it be out of reach, the request is served, and that is
 * logged.
 */
async function admission(c: Context<AppEnv>, session?: Session): Promise<Admission | undefined> {
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
  if (meter) {
    meter.operation ||= routePath(c, -1)
    meter.caller = c.var.caller.kind
    meter.role = c.var.caller.userType
    if (c.env.ENVIRONMENT === "development") headers.set("server-timing", serverTiming(meter))
  }
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
 * database session. The limiter runs beside the work of a safe request of a user, and before anything else.
 */
export const gate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const safe = SAFE.has(c.req.method)
  const { caller, admission, refused: bad } = await identify(c)
  c.set("caller", caller)
  const db = openDatabase(c.env.DB, bookmarkOf(c) ?? (safe ? "first-unconstrained" : "first-primary"))
  c.set("db", db)
  c.set("work", new UnitOfWork(db, caller, c.env))
  c.set("admission", admission)
  const refused = await entrance(c, { bad, safe })
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

/** What stops a request at the door. @param bad what its credential is refused with */
async function entrance(c: Context<AppEnv>, { bad, safe }: { bad: ApiError | undefined; safe: boolean }) {
  const refused = safe ? undefined : refusal(c, await c.var.admission)
  return refused ?? (TOKEN_ASIDE.has(c.req.path) ? undefined : bad)
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
    "foreign_origin",
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
async function requireIntent(c: Context<AppEnv>, { linkable }: Entrance) {
  c.header("cache-control", "no-store")
  if (/prefetch|prerender/.test(c.req.header("sec-purpose") ?? c.req.header("purpose") ?? ""))
    throw forbidden("This call changes something and is not to be prefetched.", "not_to_be_prefetched")
  if (c.var.caller.via === "cookie" && !fromScript(c)) {
    if (!linkable || !isNavigation(c)) throw foreign()
    c.var.work.mayChange = false
  }
  await admitted(c)
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

/** Holds a key against an operation: whether it needs a person, and what the key is for. @throws 403 */
function requireScope({ grant }: KeyCaller, { keys, tag }: Entrance, changes: boolean) {
  if (keys === "none")
    throw forbidden("An API key cannot do this: it needs a person who is signed in.", "person_required")
  if (keys === "every" || !grant) return
  if (changes && grant.access === "read") throw forbidden("This API key may only read.", "key_read_only")
  if (grant.families && !grant.families.includes(tag))
    throw forbidden(
      `This API key is not for operations of ${tag}: they are not among its families.`,
      "key_other_family",
    )
}

/** The gate of one operation: session, role, origin and, for a GET that changes something, the limiter first. */
export const authorize =
  (operation: Entrance): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { caller } = c.var
    const meter = meterOf(c.env)
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
