import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** When the cron last ran: one row, for whoever asks whether it does. */
export const cronRuns = sqliteTable("cron_runs", {
  /** `sweep` */
  name: text("name").primaryKey(),
  /** When the run ended, epoch milliseconds. */
  ranAt: integer("ran_at").notNull(),
  /** How many of its sweeps failed. */
  failed: integer("failed").notNull(),
})

/** How far each backfill has come: see src/modules/operating/backfills.ts. */
export const backfills = sqliteTable("backfills", {
  name: text("name").primaryKey(),
  /** The id of the last row that was filled in. */
  position: integer("position").notNull(),
  /** When the last row was filled in, epoch milliseconds; 0: there are more. */
  doneAt: integer("done_at").notNull().default(0),
})
