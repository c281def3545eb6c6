import { eq } from "drizzle-orm"
import { settings } from "../../drizzle/schema/settings.ts"
import type { Database } from "./client.ts"

/** There is one academy, and one row at most. */
export const SETTINGS_ID = 1

/** The stored settings of the academy. null: see `drizzle/schema/settings.ts` */
export type StoredSettings = typeof settings.$inferSelect

/** Selects the settings. No row: nothing was set. */
export const selectSettings = (db: Database) => db.select().from(settings).where(eq(settings.id, SETTINGS_ID))
