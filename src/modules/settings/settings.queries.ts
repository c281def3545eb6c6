import { sql } from "drizzle-orm"
import { settings } from "../../../drizzle/schema/settings.ts"
import type { Database } from "../../db/client.ts"
import { changedFields } from "../../db/records.ts"
import { SETTINGS_ID, type StoredSettings } from "../../db/settings.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { preconditionFailed } from "../../lib/errors.ts"
import { isoTimeOrNull } from "../../lib/text/dates.ts"
import { findZone } from "../../lib/text/zones.ts"
import { brandOf } from "../../lib/web/brand.ts"
import { requireLogo, selectLogo } from "./logo.ts"
import type { SettingsChanges } from "./settings.schemas.ts"
import { academyLanguage, academyTimeZone, selectSettings } from "./settings.ts"

/** The settings of an academy that has set nothing. */
const UNSET: StoredSettings = {
  ...{ id: SETTINGS_ID, name: null, logoUrl: null, primaryColor: null, secondaryColor: null, senderName: null },
  ...{ replyTo: null, timeZone: null, language: null, version: 0, updatedAt: 0 },
}

/** The stored settings. */
export async function readSettings(db: Database): Promise<StoredSettings> {
  const [[stored]] = await db.batch([selectSettings(db)])
  return stored ?? UNSET
}

/** What applies, and where it comes from. */
export function toSettings(env: Bindings, { id, version, updatedAt, ...stored }: StoredSettings) {
  const { name, senderName } = brandOf(env, "", stored)
  const sourceOf = (set: string | null, fromEnvironment: boolean) =>
    set ? ("setting" as const) : fromEnvironment ? ("environment" as const) : ("default" as const)
  const nameSource = sourceOf(stored.name, Boolean(env.ACADEMY_NAME?.trim()))
  return {
    ...stored,
    effective: {
      name,
      senderName: senderName ?? name,
      timeZone: academyTimeZone(stored, env),
      language: academyLanguage(stored),
    },
    source: {
      name: nameSource,
      senderName: stored.senderName ? ("setting" as const) : nameSource,
      timeZone: sourceOf(stored.timeZone, findZone(env.TIME_ZONE) !== undefined),
      language: sourceOf(stored.language, false),
    },
    updatedAt: isoTimeOrNull(updatedAt),
  }
}

/** Changes the given settings and leaves the others. @throws 403, 412, 422 */
export async function updateSettings(work: UnitOfWork, changes: SettingsChanges, expected?: number) {
  const [[stored], files] = await work.read([selectSettings(work.db), selectLogo(work.db, changes.logoUrl)])
  const before = stored ?? UNSET
  if (expected !== undefined && expected !== before.version) throw preconditionFailed()
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const changed = changedFields(before, { ...before, ...given })
  const answer = { message: "Settings updated." }
  if (Object.keys(changed).length === 0) return work.commit([], answer)
  const row = { ...before, ...changed, version: before.version + 1, updatedAt: now() }
  return work.commit(
    [
      ...requireLogo(work, changed.logoUrl, files),
      work.guard(sql`coalesce((select version from ${settings} where id = ${SETTINGS_ID}), 0) = ${before.version}`),
      work.db.insert(settings).values(row).onConflictDoUpdate({ target: settings.id, set: row }),
      work.audit("updated", "settings", { id: SETTINGS_ID, name: "Settings" }, changed),
    ],
    answer,
  )
}
