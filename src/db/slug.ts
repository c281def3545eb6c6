import { getTableName, type SQL, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import type { NewId } from "./statements.ts"

/** A name as a URL segment: `Académie Nord` → `academie-nord`. Empty for a name without Latin letters or digits. */
export const slugify = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

/**
 * The slug of a new record, resolved when it is inserted: from the name, with the record's id if another record has
 * that slug. So parallel inserts of one name get different slugs.
 * @param fallback used for a name without Latin letters or digits
 */
export function uniqueSlug(table: SQLiteTable, name: string, id: NewId, fallback: string): SQL<string> {
  const derived = slugify(name)
  const prefix = `${derived || fallback}-`
  const withId = typeof id === "number" ? sql`${prefix + id}` : sql`${prefix} || ${id}`
  if (!derived) return sql<string>`${withId}`
  const isTaken = sql`exists (select 1 from ${sql.identifier(getTableName(table))} where slug = ${derived})`
  return sql<string>`iif(${isTaken}, ${withId}, ${derived})`
}
