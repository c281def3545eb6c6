import { z } from "zod"
import { SCORM_VERSIONS } from "../../../drizzle/schema/modules.ts"
import type { Bindings } from "../../env.ts"
import { HOUR, now } from "../../lib/clock.ts"
import { decrypt, encrypt } from "../../lib/crypto/crypto.ts"

/** How long a launch may load a package's files: as long as a session lasts. */
const LIFETIME = 12 * HOUR

const shape = z.object({
  /** Where the package's files are in R2. */
  scorm: z.string().startsWith("scorm/"),
  version: z.enum(SCORM_VERSIONS),
  /** The file that it begins with, as a URL has it. */
  file: z.string(),
  /** The origin that serves the files. */
  content: z.string(),
  /** The origin of the player, which alone may frame the package. */
  player: z.string(),
  until: z.number(),
})

/** What a launch's token grants: to read one package's files, on one origin, in the frames of another. */
export type ContentGrant = Omit<z.output<typeof shape>, "until">

/** Seals the right to read one package's files into a part of a path. */
export const createContentToken = (env: Bindings, grant: ContentGrant): string =>
  encrypt(env, JSON.stringify({ ...grant, until: now() + LIFETIME }))

/** What a token grants; undefined when it is none of ours, or its time is over. */
export function verifyContentToken(env: Bindings, token: string): ContentGrant | undefined {
  try {
    const { until, ...grant } = shape.parse(JSON.parse(decrypt(env, token)))
    return until > now() ? grant : undefined
  } catch {
    return undefined
  }
}
