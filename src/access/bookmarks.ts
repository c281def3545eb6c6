import type { Bindings } from "../env.ts"
import { hmacs, matchesAnySecret } from "../lib/crypto/crypto.ts"

// D1 bookmarks are signed in responses, and only signed ones are accepted: D1 would wait for the state of an invented
// bookmark, which may never exist.

/** The length of a bookmark's signature: 132 bits of the HMAC. */
const SIGNATURE_LENGTH = 22
const SIGNED = /^([0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})\.([\w-]{22})$/

const signatures = (env: Bindings, bookmark: string) =>
  hmacs(env, "bookmark", bookmark).map((signature) => signature.slice(0, SIGNATURE_LENGTH))

/** A bookmark as responses carry it: the bookmark, a dot and its signature. */
export const signBookmark = (env: Bindings, bookmark: string) => `${bookmark}.${signatures(env, bookmark)[0]}`

/** The bookmark that a client sends back; undefined without a valid signature. */
export function verifyBookmark(env: Bindings, header = ""): string | undefined {
  const [, bookmark, signature] = SIGNED.exec(header) ?? []
  if (bookmark === undefined || signature === undefined) return undefined
  return matchesAnySecret(signature, signatures(env, bookmark)) ? bookmark : undefined
}
