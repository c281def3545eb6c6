import { z } from "zod"
import type { Bindings } from "../../env.ts"
import { HOUR, now } from "../../lib/clock.ts"
import { decrypt, encrypt } from "../../lib/crypto/crypto.ts"

/** The validity of a link: long enough to play a video, as long as a session. */
const LIFETIME_MS = 12 * HOUR

const linkSchema = z.object({
  /** The key in R2. */
  media: z.string().startsWith("media/"),
  type: z.string(),
  filename: z.string(),
  until: z.number(),
})

export type LinkedFile = Omit<z.output<typeof linkSchema>, "until">

/** Encrypts the access to a file into a path segment. */
export function createMediaToken(env: Bindings, file: LinkedFile) {
  const until = now() + LIFETIME_MS
  return { token: encrypt(env, JSON.stringify({ ...file, until })), expiresAt: until }
}

/** Returns the file of a token; undefined if it is invalid or expired. */
export function verifyMediaToken(env: Bindings, token: string): LinkedFile | undefined {
  try {
    const { until, ...file } = linkSchema.parse(JSON.parse(decrypt(env, token)))
    return until > now() ? file : undefined
  } catch {
    return undefined
  }
}
