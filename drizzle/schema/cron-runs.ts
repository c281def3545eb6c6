import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** The last cron run, for health checks: one row. */
export const cronRuns = sqliteTable("cron_runs", {
  /** `sweep` */
  name: text("name").primaryKey(),
  /** When the run ended, epoch milliseconds. */
  ranAt: integer("ran_at").notNull(),
  /** How many of its sweeps failed. */
  failed: integer("failed").notNull(),
})

/** The progress of each backfill: see src/db/backfills.ts. */
export const backfills = sqliteTable("backfills", {
  name: text("name").primaryKey(),
  /** The id of the last row filled in. */
  position: integer("position").notNull(),
  /** When the last row was filled in, epoch milliseconds; 0: not complete. */
  doneAt: integer("done_at").notNull().default(0),
})
