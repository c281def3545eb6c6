import { sql } from "drizzle-orm"
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { createdAt, id, searchText, version } from "./columns.ts"

export const memberships = sqliteTable(
  "memberships",
  {
    id: id(),
    name: text("name").notNull(),
    /** Days from the start; 0: never expires. */
    expiresAfterDays: integer("expires_after_days").notNull().default(0),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("memberships_name").on(sql`${table.name} collate nocase`)],
)
