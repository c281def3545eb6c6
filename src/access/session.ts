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
import { isApiKey, parseKey, verifyKeyToken } from "./keys.ts"

const COOKIE = "session"

/** How many verified sessions an isolate caches, so that it verifies each token once. */
const MAX_CACHED_SESSIONS = 1000

/** The keys of a secret and its previous secrets, and the tokens verified with them. */
interface SigningKeys {
  /** The value of APP_SECRET_PREVIOUS. */
  previous: string | undefined
  /** The first one signs; all verify. */
  keys: [CryptoKey, ...CryptoKey[]]
  /** Verified sessions by token. Expiry is checked on each use. */
  verified: Map<string, Session>
}
const cache = new Map<string, SigningKeys>()

const cachedKeys = ({ APP_SECRET, APP_SECRET_PREVIOUS }: Bindings): SigningKeys | undefined => {
  const found = cache.get(APP_SECRET)
  return found?.previous === APP_SECRET_PREVIOUS ? found : undefined
}

const importKey = (key: Buffer) =>
  crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])

/** The keys of the tokens, importKey once. */
async function signingKeys(env: Bindings): Promise<SigningKeys> {
  const found = cachedKeys(env)
  if (found) return found
  const [current, ...others] = keysFor(env, "session")
  const keys: SigningKeys["keys"] = [await importKey(current), ...(await Promise.all(others.map(importKey)))]
  const created = { previous: env.APP_SECRET_PREVIOUS, keys, verified: new Map() }
  cache.set(env.APP_SECRET, created)
  return created
}

/**
 * Signs a token (JWT, HS256) for 12 hours.
 * @param session with an id if it belongs to a device
 * @param issuedAt epoch milliseconds; the same session at the same time gives the same token
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
    (await signingKeys(env)).keys[0],
  )
  return { token, expiresAt }
}

/** Whether a session has not expired and was issued after SESSIONS_AFTER. */
const isCurrent = ({ expiresAt }: Session, { SESSIONS_AFTER }: Bindings) =>
  expiresAt > now() && (SESSIONS_AFTER === "" || expiresAt - SESSION_LIFETIME >= Date.parse(SESSIONS_AFTER))

/** @returns undefined if the signature is invalid or the token has expired */
async function readToken(env: Bindings, token: string): Promise<Session | undefined> {
  const { keys, verified } = cachedKeys(env) ?? (await signingKeys(env))
  const cached = verified.get(token)
  if (cached) return isCurrent(cached, env) ? cached : undefined
  const session = await verifiedSession(token, keys)
  if (!session || !isCurrent(session, env)) return undefined
  for (const oldest of verified.keys()) {
    if (verified.size < MAX_CACHED_SESSIONS) break
    verified.delete(oldest)
  }
  verified.set(token, session)
  return session
}

async function verifiedSession(token: string, keys: CryptoKey[]): Promise<Session | undefined> {
  try {
    const { jti, sub, type, epoch, exp } = await verifiedClaims(token, keys)
    // Checked without zod, so that a cold start does not load it (docs/adr/0009).
    const hasTexts = typeof jti === "string" && typeof type === "string" && typeof sub === "string" && /^\d+$/.test(sub)
    if (!hasTexts || !Number.isInteger(epoch) || !Number.isInteger(exp)) return undefined
    return { id: jti, userId: Number(sub), userType: type, epoch: Number(epoch), expiresAt: Number(exp) * SECOND }
  } catch {
    return undefined
  }
}

/** The credential of a request: a session, or an API key or its token, which is not verified yet. */
type Credential = { via: "bearer" | "cookie"; session: Session } | { proof: KeyProof }

const refusedCredentials = onDemand(() => import("./refused-credentials.ts"))

async function bearerCredential(env: Bindings, authorization: string): Promise<Credential | ApiError> {
  const token = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1]
  const session = token && !isApiKey(token) ? await readToken(env, token) : undefined
  if (session) return { via: "bearer", session }
  const proof = token && (isApiKey(token) ? parseKey(env, token) : await verifyKeyToken(env, token))
  return proof ? { proof } : (await refusedCredentials()).refusedAuthorization(authorization)
}

/** The credential of a request, or the error for one that is invalid, expired or in the wrong place. */
export async function credentialOf(c: Context<AppEnv>): Promise<Credential | ApiError | undefined> {
  const authorization = c.req.header("authorization")
  if (authorization !== undefined) return bearerCredential(c.env, authorization)
  const cookie = readServiceCookie(c, COOKIE)
  const session = cookie && (await readToken(c.env, cookie))
  if (session) return { via: "cookie", session }
  // Other values of this header belong to proxies in front of the service.
  return isApiKey(c.req.header("x-api-key") ?? "") ? (await refusedCredentials()).misplacedKey() : undefined
}

const isSecure = (c: Context) => new URL(c.req.url).protocol === "https:"

/**
 * Reads a cookie of this service. Over https the `__Host-` prefix prevents other hosts and paths from setting it.
 * Over http there is no such prefix: of two cookies with the name, neither is trusted.
 */
export function readServiceCookie(c: Context, name: string): string | undefined {
  if (isSecure(c)) return getCookie(c, name, "host")
  const sent = (c.req.header("cookie") ?? "").split(";").filter((pair) => pair.trim().startsWith(`${name}=`))
  return sent.length === 1 ? getCookie(c, name) : undefined
}

const attributes = (c: Context) => ({
  path: "/",
  secure: isSecure(c),
  ...(isSecure(c) && { prefix: "host" as const }),
})

/** Sets a cookie that scripts cannot read and that links from other sites send. @param lifetime milliseconds */
export const setServiceCookie = (c: Context<AppEnv>, name: string, value: string, lifetime: number) =>
  setCookie(c, name, value, { ...attributes(c), httpOnly: true, sameSite: "Lax", maxAge: lifetime / SECOND })

export const clearServiceCookie = (c: Context<AppEnv>, name: string) => deleteCookie(c, name, attributes(c))

/** The cookie of a session that a provider opened, from which a person also signs out there. */
export const PROVIDER_SESSION_COOKIE = "sso-session"

/** @param providerSession the provider's session; without one, that of an earlier sign-in in this browser is deleted */
export function setSessionCookie(c: Context<AppEnv>, token: string, providerSession?: string) {
  setServiceCookie(c, COOKIE, token, SESSION_LIFETIME)
  if (providerSession) setServiceCookie(c, PROVIDER_SESSION_COOKIE, providerSession, SESSION_LIFETIME)
  else if (readServiceCookie(c, PROVIDER_SESSION_COOKIE) !== undefined) clearServiceCookie(c, PROVIDER_SESSION_COOKIE)
}
export const clearSessionCookie = (c: Context<AppEnv>) => clearServiceCookie(c, COOKIE)
