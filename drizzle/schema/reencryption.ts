import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** The progress of reencrypting each encrypted column with the current secret: see src/db/reencrypt.ts. */
export const reencryptionProgress = sqliteTable("reencryptions", {
  /** `<table>.<column>` */
  name: text("name").primaryKey(),
  /** The secret's name, as in encrypted text. */
  secret: text("secret").notNull(),
  /** The primary key of the last row read; null: none yet. */
  position: text("position", { mode: "json" }).$type<(string | number)[]>(),
  /** When the cron first saw that secret. */
  since: integer("since").notNull(),
  /** When the last row was read; 0: not complete. */
  doneAt: integer("done_at").notNull().default(0),
})
