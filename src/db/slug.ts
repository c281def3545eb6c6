import { getTableName, type SQL, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"

/**
 * A name as it stands in a URL: `Académie Nord` → `academie-nord`. Empty for a name without Latin letters or digits.
 */
export const slugify = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

/**
 * The slug of a new record as its insert settles it: made from the name, and with the record's id where another has
 * that one already. So records of one name that are made at the same time get one each.
 * @param otherwise what stands for a name that makes no slug
 */
export function uniqueSlug(table: SQLiteTable, name: string, id: number, otherwise: string): SQL<string> {
  const derived = slugify(name)
  const own = `${derived || otherwise}-${id}`
  if (!derived) return sql<string>`${own}`
  const taken = sql`exists (select 1 from ${sql.identifier(getTableName(table))} where slug = ${derived})`
  return sql<string>`iif(${taken}, ${own}, ${derived})`
}
