import { timingSafeEqual } from "node:crypto"
import type { Bindings } from "../bindings.ts"
import type { KeyProof } from "../lib/access.ts"
import { hmac, randomToken } from "../lib/secrets/crypto.ts"

// API keys (docs/decisions/0210). A key is `lk_<id>_<secret>`, and a secret
// is 32 random characters and 11 that are made of them by the Worker's own secret: what somebody made up is found out
// before a Durable Object or the database is asked about it.

/** How a key begins: so that scanners of leaked secrets find it. */
const PREFIX = "lk_"
const FORM = /^lk_([1-9]\d{0,14})_([\w-]{32})([\w-]{11})$/
const RANDOM = 32
const CHECK = 11

const checkOf = (env: Bindings, id: number | string, random: string) =>
  hmac(env.APP_SECRET, "key", `check ${id} ${random}`).slice(0, CHECK)

/** What is kept of a key: an HMAC. */
const hashOf = (env: Bindings, key: string) => hmac(env.APP_SECRET, "key", key)

/** Are two texts the same? It takes as long whatever they differ in. */
export const sameText = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** A new key of an id. @returns what its holder is told, once, and what is kept of it */
export function mintKey(env: Bindings, id: number): { key: string; hash: string } {
  const random = randomToken().slice(0, RANDOM)
  const key = `${PREFIX}${id}_${random}${checkOf(env, id, random)}`
  return { key, hash: hashOf(env, key) }
}

/** Is it a key, rather than a token? Whether it holds is not asked. */
export const isKey = (credential: string) => credential.startsWith(PREFIX)

/** What a key proves; undefined for one that was not made here. */
export function readKey(env: Bindings, key: string): KeyProof | undefined {
  const [, id, random, check] = FORM.exec(key) ?? []
  if (id === undefined || random === undefined || check === undefined) return undefined
  return sameText(check, checkOf(env, id, random)) ? { keyId: Number(id), hash: hashOf(env, key) } : undefined
}
