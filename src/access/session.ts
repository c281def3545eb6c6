import type { Context } from "hono"
import { deleteCookie, getCookie, setCookie } from "hono/cookie"
import type { Bindings } from "../env.ts"
import type { KeyProof, Session } from "../lib/caller.ts"
import { now, SECOND } from "../lib/clock.ts"
import { keysFor } from "../lib/crypto/crypto.ts"
import { signClaims, verifiedClaims } from "../lib/crypto/jwt.ts"
import type { ApiError } from "../lib/errors.ts"
import { SESSION_LIFETIME } from "../lib/lifetimes.ts"
import { onDemand } from "../lib/on-demand.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { isKey, readKey, readKeyToken } from "./keys.ts"

const COOKIE = "session"

/** How many sessions an isolate remembers, so that it verifies a token once. */
const REMEMBERED = 1000

/** What a secret signs and has signed, and what those signed that count beside it. */
interface Signing {
  /** Of the secrets that count beside it. */
  previous: string | undefined
  /** First the one that signs. */
  keys: [CryptoKey, ...CryptoKey[]]
  /** Sessions by the tokens that were found to be signed with it. Whether they have expired is asked each time. */
  verified: Map<string, Session>
}
const signings = new Map<string, Signing>()

const known = ({ APP_SECRET, APP_SECRET_PREVIOUS }: Bindings): Signing | undefined => {
  const found = signings.get(APP_SECRET)
  return found?.previous === APP_SECRET_PREVIOUS ? found : undefined
}

const imported = (key: Buffer) =>
  crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])

/** The keys of the tokens, imported once. */
async function signingOf(env: Bindings): Promise<Signing> {
  const found = known(env)
  if (found) return found
  const [current, ...others] = keysFor(env, "session")
  const keys: Signing["keys"] = [await imported(current), ...(await Promise.all(others.map(imported)))]
  const made = { previous: env.APP_SECRET_PREVIOUS, keys, verified: new Map() }
  signings.set(env.APP_SECRET, made)
  return made
}

/**
 * A signed token (JWT, HS256) for 12 hours.
 * @param session with an id where it is a device's
 * @param issuedAt epoch milliseconds; the same session at the same time makes the same token
 * @returns the token and when it expires, epoch milliseconds
 */
export async function issueToken(
  env: Bindings,
  session: Pick<Session, "userId" | "userType" | "epoch"> & Partial<Pick<Session, "id">>,
  issuedAt = now(),
) {
  const expiresAt = issuedAt + SESSION_LIFETIME
  const token = await signClaims(
    {
      jti: session.id ?? crypto.randomUUID(),
      sub: String(session.userId),
      type: session.userType,
      epoch: session.epoch,
      iat: Math.floor(issuedAt / SECOND),
      exp: Math.floor(expiresAt / SECOND),
    },
    (await signingOf(env)).keys[0],
  )
  return { token, expiresAt }
}

/** Whether a session holds still: it has not expired, and is no older than all sessions may be. */
const holds = ({ expiresAt }: Session, { SESSIONS_AFTER }: Bindings) =>
  expiresAt > now() && (SESSIONS_AFTER === "" || expiresAt - SESSION_LIFETIME >= Date.parse(SESSIONS_AFTER))

/** @returns undefined for a token that was not signed here, was changed or has expired. */
async function readToken(env: Bindings, token: string): Promise<Session | undefined> {
  const { keys, verified } = known(env) ?? (await signingOf(env))
  const before = verified.get(token)
  if (before) return holds(before, env) ? before : undefined
  const session = await verifiedSession(token, keys)
  if (!session || !holds(session, env)) return undefined
  for (const oldest of verified.keys()) {
    if (verified.size < REMEMBERED) break
    verified.delete(oldest)
  }
  verified.set(token, session)
  return session
}

async function verifiedSession(token: string, keys: CryptoKey[]): Promise<Session | undefined> {
  try {
    const { jti, sub, type, epoch, exp } = await verifiedClaims(token, keys)
    // Checked without zod, which a start need not load for it (docs/adr/0009).
    const texts = typeof jti === "string" && typeof type === "string" && typeof sub === "string" && /^\d+$/.test(sub)
    if (!texts || !Number.isInteger(epoch) || !Number.isInteger(exp)) return undefined
    return { id: jti, userId: Number(sub), userType: type, epoch: Number(epoch), expiresAt: Number(exp) * SECOND }
  } catch {
    return undefined
  }
}

/** What a request carries to show who calls: a session; or an API key or its token, which is not yet known to hold. */
type Credential = { via: "bearer" | "cookie"; session: Session } | { proof: KeyProof }

const refusedCredentials = onDemand(() => import("./refused-credentials.ts"))

async function bearerOf(env: Bindings, authorization: string): Promise<Credential | ApiError> {
  const token = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1]
  const session = token && !isKey(token) ? await readToken(env, token) : undefined
  if (session) return { via: "bearer", session }
  const proof = token && (isKey(token) ? readKey(env, token) : await readKeyToken(env, token))
  return proof ? { proof } : (await refusedCredentials()).refusedAuthorization(authorization)
}

/** The credential that a request carries, or what it is refused with: not made here, changed, expired or misplaced. */
export async function credentialOf(c: Context<AppEnv>): Promise<Credential | ApiError | undefined> {
  const authorization = c.req.header("authorization")
  if (authorization !== undefined) return bearerOf(c.env, authorization)
  const cookie = ownCookie(c, COOKIE)
  const session = cookie && (await readToken(c.env, cookie))
  if (session) return { via: "cookie", session }
  // Another value is nobody's: proxies in front of a service use this header for keys of their own.
  return isKey(c.req.header("x-api-key") ?? "") ? (await refusedCredentials()).misplacedKey() : undefined
}

const isSecure = (c: Context) => new URL(c.req.url).protocol === "https:"

/**
 * A cookie that this service has set. Over https its name keeps every other path and host of the domain from setting
 * one beside it. Over http, where no name does so, one of two is somebody else's: neither counts.
 */
export function ownCookie(c: Context, name: string): string | undefined {
  if (isSecure(c)) return getCookie(c, name, "host")
  const sent = (c.req.header("cookie") ?? "").split(";").filter((pair) => pair.trim().startsWith(`${name}=`))
  return sent.length === 1 ? getCookie(c, name) : undefined
}

const attributes = (c: Context) => ({
  path: "/",
  secure: isSecure(c),
  ...(isSecure(c) && { prefix: "host" as const }),
})

/** Sets a cookie that no script reads, and that comes along by another site's link. @param lasts milliseconds */
export const setOwnCookie = (c: Context<AppEnv>, name: string, value: string, lasts: number) =>
  setCookie(c, name, value, { ...attributes(c), httpOnly: true, sameSite: "Lax", maxAge: lasts / SECOND })

export const clearOwnCookie = (c: Context<AppEnv>, name: string) => deleteCookie(c, name, attributes(c))

export const setSessionCookie = (c: Context<AppEnv>, token: string) => setOwnCookie(c, COOKIE, token, SESSION_LIFETIME)
export const clearSessionCookie = (c: Context<AppEnv>) => clearOwnCookie(c, COOKIE)
