import type { Bindings } from "../env.ts"
import type { Grant, KeyAccess, KeyProof } from "../lib/caller.ts"
import { HOUR, now, SECOND } from "../lib/clock.ts"
import { hashed, hmac, hmacs, keyFor, keysFor, oneOfSecrets, randomToken } from "../lib/crypto/crypto.ts"
import { signClaims, verifiedClaims } from "../lib/crypto/jwt.ts"

// API keys and the tokens that they are exchanged for (docs/adr/0008). A key is `lk_<id>_<secret>`, and a secret
// is 32 random characters and 11 that are made of them by the Worker's own secret: what somebody made up is found out
// before a Durable Object or the database is asked about it. A key of before the secret was rotated holds as well
// (docs/adr/0017).

/** How a key begins: so that scanners of leaked secrets find it. */
const PREFIX = "lk_"
const FORM = /^lk_([1-9]\d{0,14})_([\w-]{32})([\w-]{11})$/
const RANDOM = 32
const CHECK = 11

/** How long a token that a key was exchanged for lasts, in milliseconds. */
const KEY_TOKEN_LIFETIME = HOUR

const checked = (id: number | string, random: string) => `check ${id} ${random}`

/** What is kept of a key. It is too random to be guessed, so that no secret need be in its hash. */
const hashOf = (key: string) => `sha256.${hashed(key)}`

/** A new key of an id. @returns what its holder is told, once, and what is kept of it */
export function mintKey(env: Bindings, id: number): { key: string; hash: string } {
  const random = randomToken().slice(0, RANDOM)
  const key = `${PREFIX}${id}_${random}${hmac(env, "key", checked(id, random)).slice(0, CHECK)}`
  return { key, hash: hashOf(key) }
}

/** Is it a key, rather than a token? Whether it holds is not asked. */
export const isKey = (credential: string) => credential.startsWith(PREFIX)

/** What a key would prove; undefined for what is none. */
export function readKey(env: Bindings, key: string): KeyProof | undefined {
  const [, id, random, check] = FORM.exec(key) ?? []
  if (id === undefined || random === undefined || check === undefined) return undefined
  return {
    keyId: Number(id),
    hash: hashOf(key),
    hashesBefore: hmacs(env, "key", key),
    checked: oneOfSecrets(
      check,
      hmacs(env, "key", checked(id, random)).map((hash) => hash.slice(0, CHECK)),
    ),
  }
}

/** The subject of a key's token: no session has such. */
const SUBJECT = /^key:([1-9]\d{0,14})$/

const signingKeys = (env: Bindings) => keysFor(env, "token").map((key) => key.toString("base64url"))

/**
 * Signs a token (JWT, HS256) for an hour, for less where the key ends before.
 * @param access as the client narrowed it
 * @returns the token and how many seconds it holds
 */
export async function issueKeyToken(env: Bindings, grant: Grant, access: KeyAccess) {
  const issuedAt = now()
  const until = issuedAt + KEY_TOKEN_LIFETIME
  const expiresAt = Math.floor(Math.min(until, grant.expiresAt || until) / SECOND)
  const token = await signClaims(
    {
      jti: crypto.randomUUID(),
      sub: `key:${grant.keyId}`,
      role: grant.role,
      access,
      families: grant.families,
      generation: grant.generation,
      iat: Math.floor(issuedAt / SECOND),
      exp: expiresAt,
    },
    keyFor(env, "token").toString("base64url"),
  )
  return { token, seconds: expiresAt - Math.floor(issuedAt / SECOND) }
}

/** What a key's token proves; undefined for one that was not signed here, was changed or has expired. */
export async function readKeyToken(env: Bindings, token: string): Promise<KeyProof | undefined> {
  try {
    const { sub, access, generation, exp } = await verifiedClaims(token, signingKeys(env))
    const keyId = typeof sub === "string" ? SUBJECT.exec(sub)?.[1] : undefined
    const numbers = Number.isInteger(generation) && Number.isInteger(exp)
    if (keyId === undefined || !numbers || (access !== "read" && access !== "write")) return undefined
    return { keyId: Number(keyId), generation: Number(generation), access, expiresAt: Number(exp) * SECOND }
  } catch {
    return undefined
  }
}
