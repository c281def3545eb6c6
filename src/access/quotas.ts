import type { Bindings } from "../env.ts"
import { conflict } from "../lib/errors.ts"

// Quotas per person. Each is a variable of wrangler.toml; docs/operations/operating.md lists them.

const NAMES = ["MAX_UNUSED_FILES", "MAX_UNUSED_MB", "MAX_DEVICES", "MAX_RUNNING_EXPORTS", "MAX_KEPT_EXPORTS"] as const
type Quota = (typeof NAMES)[number]

/** SQLite's largest limit that JavaScript can write: no quota. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

/** A quota; a variable that is no positive whole number sets none. */
export function quota(env: Bindings, name: Quota): number {
  const given = Number(env[name])
  return Number.isSafeInteger(given) && given > 0 ? given : UNLIMITED
}

const MEGABYTE = 1_000_000

/** The unused files that a person has so far. */
export interface UnusedFiles {
  count: number
  bytes: number
}

/** Refuses one more file. @throws 409 */
export function requireRoomFor(env: Bindings, { count, bytes }: UnusedFiles, size: number, use: string) {
  const [most, megabytes] = [quota(env, "MAX_UNUSED_FILES"), quota(env, "MAX_UNUSED_MB")]
  if (count < most && bytes + size <= megabytes * MEGABYTE) return
  throw conflict(
    "too_many_files",
    `You have ${count} uploaded files (${Math.ceil(bytes / MEGABYTE)} MB) that are not used yet; at most ${most} ` +
      `files and ${megabytes} MB may wait. ${use}, or wait: unused files are removed after seven days.`,
  )
}
