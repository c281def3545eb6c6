import type { Bindings } from "../env.ts"
import { conflict } from "../lib/errors.ts"

// What one person may use at a time. Each quota is a variable in wrangler.toml (docs/operations/operating.md).

const NAMES = [
  "MAX_UNUSED_FILES",
  "MAX_UNUSED_MB",
  "MAX_MEDIA_MB",
  "MAX_DEVICES",
  "MAX_RUNNING_EXPORTS",
  "MAX_KEPT_EXPORTS",
] as const
type Quota = (typeof NAMES)[number]

/** No quota: the largest limit that both JavaScript and SQLite represent. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

/** A quota. A variable that is not a positive integer means no quota. */
export function quota(env: Bindings, name: Quota): number {
  const value = Number(env[name])
  return Number.isSafeInteger(value) && value > 0 ? value : UNLIMITED
}

const MEGABYTE = 1_000_000

/** The files that a person has uploaded and not yet used. */
export interface UnusedFiles {
  count: number
  bytes: number
}

/** Refuses another file beyond the quota. @throws 409 */
export function requireUploadQuota(env: Bindings, { count, bytes }: UnusedFiles, size: number, use: string) {
  const [maxFiles, maxMegabytes] = [quota(env, "MAX_UNUSED_FILES"), quota(env, "MAX_UNUSED_MB")]
  if (count < maxFiles && bytes + size <= maxMegabytes * MEGABYTE) return
  throw conflict(
    "too_many_files",
    `You have ${count} unused uploaded files (${Math.ceil(bytes / MEGABYTE)} MB). The limit is ${maxFiles} files and ` +
      `${maxMegabytes} MB. ${use}, or wait: unused files are deleted after seven days.`,
  )
}
