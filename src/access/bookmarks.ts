import type { Bindings } from "../env.ts"
import { hmacs, keyFor, matchesAnySecret } from "../lib/crypto/crypto.ts"

// D1 bookmarks are signed in responses, and only signed ones are accepted: D1 would wait for the state of an invented
// bookmark, which may never exist.

/** The length of a bookmark's signature: 132 bits of the HMAC. */
const SIGNATURE_LENGTH = 22
const SIGNED = /^([0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})\.([\w-]{22})$/

const shortened = (signature: string) => signature.slice(0, SIGNATURE_LENGTH)

/** The key that signs. Web Crypto signs in a fraction of the time of `createHmac`, which builds a stream. */
let signing: { secret: string; key: CryptoKey } | undefined

async function signingKey(env: Bindings): Promise<CryptoKey> {
  const { APP_SECRET: secret } = env
  if (signing?.secret === secret) return signing.key
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", keyFor(env, "bookmark"), algorithm, false, ["sign"])
  signing = { secret, key }
  return key
}

/** A bookmark as responses carry it: the bookmark, a dot and its signature. */
export async function signBookmark(env: Bindings, bookmark: string): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await signingKey(env), Buffer.from(bookmark))
  return `${bookmark}.${shortened(Buffer.from(signature).toString("base64url"))}`
}

/** The bookmark that a client sends back; undefined without a valid signature. */
export function verifyBookmark(env: Bindings, header = ""): string | undefined {
  const [, bookmark, signature] = SIGNED.exec(header) ?? []
  if (bookmark === undefined || signature === undefined) return undefined
  return matchesAnySecret(signature, hmacs(env, "bookmark", bookmark).map(shortened)) ? bookmark : undefined
}
