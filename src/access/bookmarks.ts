import type { Bindings } from "../env.ts"
import { hmacs, oneOfSecrets } from "../lib/crypto/crypto.ts"

// D1's bookmarks as answers carry them: signed, so that only what this service handed out is believed. Of a made-up one
// the database would wait for a state that it may never reach.

/** How much of its HMAC a bookmark carries: 132 bits. */
const SIGNATURE_LENGTH = 22
const SIGNED = /^([0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})\.([\w-]{22})$/

const signaturesOf = (env: Bindings, bookmark: string) =>
  hmacs(env, "bookmark", bookmark).map((signature) => signature.slice(0, SIGNATURE_LENGTH))

/** A bookmark as an answer carries it: itself, a dot, and what signs it. */
export const signedBookmark = (env: Bindings, bookmark: string) => `${bookmark}.${signaturesOf(env, bookmark)[0]}`

/** The bookmark that a client sends back; undefined where it has none that this service signed. */
export function trustedBookmark(env: Bindings, given = ""): string | undefined {
  const [, bookmark, signature] = SIGNED.exec(given) ?? []
  if (bookmark === undefined || signature === undefined) return undefined
  return oneOfSecrets(signature, signaturesOf(env, bookmark)) ? bookmark : undefined
}
