import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt, id, version } from "./columns.ts"

export const memberships = sqliteTable("memberships", {
  id: id(),
  name: text("name").notNull(),
  /** Days from the start; null: it does not expire. */
  expiresAfterDays: integer("expires_after_days"),
  version: version(),
  createdAt: createdAt(),
})
