import { sql } from "drizzle-orm"
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"

/** One asynchronous spreadsheet. The row is its own outbox: the cron queues again what no consumer works on. */
export const exportJobs = sqliteTable(
  "export_jobs",
  {
    /** A random UUID. */
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    callerId: integer("caller_id").notNull(),
    callerType: text("caller_type").notNull(),
    /** The initiate body, in one spelling: what is exported. */
    filter: text("filter").notNull(),
    /** processing, completed, cancelled, failed */
    status: text("status").notNull().default("processing"),
    /** Percent, 0 to 100; never falls. */
    progress: integer("progress").notNull().default(0),
    rows: integer("rows").notNull().default(0),
    message: text("message").notNull(),
    filename: text("filename").notNull(),
    /** The finished file in R2; null until then. */
    objectKey: text("object_key"),
    /** How often a consumer has begun. */
    attempts: integer("attempts").notNull().default(0),
    /** The consumer at work, and until when the job is its own (epoch ms; 0: nobody's). */
    lease: text("lease"),
    leaseUntil: integer("lease_until").notNull().default(0),
    createdAt: createdAt(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("export_jobs_running")
      .on(table.callerId, table.kind, table.filter)
      .where(sql`${table.status} = 'processing'`),
    index("export_jobs_idle").on(table.leaseUntil).where(sql`${table.status} = 'processing'`),
    index("export_jobs_age").on(table.expiresAt),
  ],
)
