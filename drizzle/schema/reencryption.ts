import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** How far each column of sealed text is sealed again under the Worker's secret: see src/db/reencrypt.ts. */
export const reencryptionProgress = sqliteTable("sealings", {
  /** `<table>.<column>` */
  name: text("name").primaryKey(),
  /** The secret's name, as sealed text has it. */
  secret: text("secret").notNull(),
  /** The primary key of the row that was looked at last; null: none yet. */
  position: text("position", { mode: "json" }).$type<(string | number)[]>(),
  /** When the cron first found that secret. */
  since: integer("since").notNull(),
  /** When the last row was looked at; 0: not yet. */
  doneAt: integer("done_at").notNull().default(0),
})
