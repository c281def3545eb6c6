import { z } from "zod"
import type { Bindings } from "../../bindings.ts"
import { HOUR, now } from "../../lib/clock.ts"
import { seal, unseal } from "../../lib/secrets/crypto.ts"

/** How long a launch may load a package's files: as long as a session lasts. */
const LIFETIME = 12 * HOUR

const shape = z.object({ scorm: z.string().startsWith("scorm/"), until: z.number() })

/** Seals the right to read one package's files into a part of a path. */
export const contentToken = (env: Bindings, packageKey: string): string =>
  seal(env, JSON.stringify({ scorm: packageKey, until: now() + LIFETIME }))

/** Where the package's files lie in R2; undefined when the token is none of ours, or its time is over. */
export function packageOf(env: Bindings, token: string): string | undefined {
  try {
    const { scorm, until } = shape.parse(JSON.parse(unseal(env, token)))
    return until > now() ? scorm : undefined
  } catch {
    return undefined
  }
}
