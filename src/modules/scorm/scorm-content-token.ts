import { z } from "zod"
import { SCORM_VERSIONS } from "../../../drizzle/schema/modules.ts"
import type { Bindings } from "../../env.ts"
import { HOUR, now } from "../../lib/clock.ts"
import { decrypt, encrypt } from "../../lib/crypto/crypto.ts"

/** The validity of a launch, the same as that of a session. */
const LIFETIME_MS = 12 * HOUR

const tokenSchema = z.object({
  /** The prefix of the package's files in R2. */
  scorm: z.string().startsWith("scorm/"),
  version: z.enum(SCORM_VERSIONS),
  /** The URL path of the file to launch. */
  file: z.string(),
  /** The origin that serves the files. */
  content: z.string(),
  /** The origin of the player, the only one that may frame the package. */
  player: z.string(),
  until: z.number(),
})

/** The grant to read one package's files on one origin, framed by another. */
export type ContentGrant = Omit<z.output<typeof tokenSchema>, "until">

/** Encrypts a grant into a path segment. */
export const createContentToken = (env: Bindings, grant: ContentGrant): string =>
  encrypt(env, JSON.stringify({ ...grant, until: now() + LIFETIME_MS }))

/** Returns the grant of a token; undefined if it is invalid or expired. */
export function verifyContentToken(env: Bindings, token: string): ContentGrant | undefined {
  try {
    const { until, ...grant } = tokenSchema.parse(JSON.parse(decrypt(env, token)))
    return until > now() ? grant : undefined
  } catch {
    return undefined
  }
}
