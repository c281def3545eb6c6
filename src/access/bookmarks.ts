import type { Bindings } from "../env.ts"
import { hmac, hmacs, matchesAnySecret } from "../lib/crypto/crypto.ts"

// D1 bookmarks are signed in responses, and only signed ones are accepted: D1 would wait for the state of an invented
// bookmark, which may never exist.

/** The length of a bookmark's signature: 132 bits of the HMAC. */
const SIGNATURE_LENGTH = 22
const SIGNED = /^([0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})\.([\w-]{22})$/

const shortened = (signature: string) => signature.slice(0, SIGNATURE_LENGTH)

/** The bookmark signed last. Reads return the same one until the database changes. */
let last: { secret: string; bookmark: string; signed: string } | undefined

/** A bookmark as responses carry it: the bookmark, a dot and its signature. */
export function signBookmark(env: Bindings, bookmark: string): string {
  const { APP_SECRET: secret } = env
  if (last?.bookmark !== bookmark || last.secret !== secret)
    last = { secret, bookmark, signed: `${bookmark}.${shortened(hmac(env, "bookmark", bookmark))}` }
  return last.signed
}

/** The bookmark that a client sends back; undefined without a valid signature. */
export function verifyBookmark(env: Bindings, header = ""): string | undefined {
  const [, bookmark, signature] = SIGNED.exec(header) ?? []
  if (bookmark === undefined || signature === undefined) return undefined
  return matchesAnySecret(signature, hmacs(env, "bookmark", bookmark).map(shortened)) ? bookmark : undefined
}
