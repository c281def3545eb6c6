import type { Bindings } from "../env.ts"
import type { Grant, KeyAccess, KeyProof } from "../lib/caller.ts"
import { HOUR, now, SECOND } from "../lib/clock.ts"
import { hmac, hmacs, keyFor, keysFor, matchesAnySecret, randomToken, sha256Text } from "../lib/crypto/crypto.ts"
import { signClaims, verifiedClaims } from "../lib/crypto/jwt.ts"

// API keys and the tokens that they are exchanged for (docs/adr/0008). A key is `lk_<id>_<secret>`. The secret
// is 32 random characters and 11 check characters derived from them with the Worker's secret, so an invented key is
// rejected before a Durable Object or the database is read. Keys remain valid when the secret is rotated
// (docs/adr/0017).

/** The prefix by which scanners for leaked secrets recognize a key. */
const PREFIX = "lk_"
const KEY_PATTERN = /^lk_([1-9]\d{0,14})_([\w-]{32})([\w-]{11})$/
const RANDOM_LENGTH = 32
const CHECK_LENGTH = 11

/** The lifetime of a token that a key was exchanged for, in milliseconds. */
const KEY_TOKEN_LIFETIME = HOUR

const checkInput = (id: number | string, random: string) => `check ${id} ${random}`

/** The stored hash of a key. A key is too random to be guessed, so the hash needs no secret. */
const hashOf = (key: string) => `sha256.${sha256Text(key)}`

/** Creates a key for an id. @returns the key, shown once, and the hash to store */
export function createKey(env: Bindings, id: number): { key: string; hash: string } {
  const random = randomToken().slice(0, RANDOM_LENGTH)
  const key = `${PREFIX}${id}_${random}${hmac(env, "key", checkInput(id, random)).slice(0, CHECK_LENGTH)}`
  return { key, hash: hashOf(key) }
}

/** Whether a credential has the form of a key rather than a token. It may be invalid. */
export const isApiKey = (credential: string) => credential.startsWith(PREFIX)

/** What a key claims to prove; undefined if it is malformed. */
export function parseKey(env: Bindings, key: string): KeyProof | undefined {
  const [, id, random, check] = KEY_PATTERN.exec(key) ?? []
  if (id === undefined || random === undefined || check === undefined) return undefined
  return {
    keyId: Number(id),
    hash: hashOf(key),
    hashesBefore: hmacs(env, "key", key),
    checked: matchesAnySecret(
      check,
      hmacs(env, "key", checkInput(id, random)).map((hash) => hash.slice(0, CHECK_LENGTH)),
    ),
  }
}

/** The `sub` claim of a key's token; a session's is a user id. */
const SUBJECT = /^key:([1-9]\d{0,14})$/

const signingKeys = (env: Bindings) => keysFor(env, "token").map((key) => key.toString("base64url"))

/**
 * Signs a token (JWT, HS256) that expires in an hour, or with the key if that is sooner.
 * @param access as the client requested it
 * @returns the token and its lifetime in seconds
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

/** What a key's token proves; undefined if the signature is invalid or the token has expired. */
export async function verifyKeyToken(env: Bindings, token: string): Promise<KeyProof | undefined> {
  try {
    const { sub, access, generation, exp } = await verifiedClaims(token, signingKeys(env))
    const keyId = typeof sub === "string" ? SUBJECT.exec(sub)?.[1] : undefined
    const hasNumbers = Number.isInteger(generation) && Number.isInteger(exp)
    if (keyId === undefined || !hasNumbers || (access !== "read" && access !== "write")) return undefined
    return { keyId: Number(keyId), generation: Number(generation), access, expiresAt: Number(exp) * SECOND }
  } catch {
    return undefined
  }
}
