import { sql } from "drizzle-orm"
import { index, integer, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { ExportStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt } from "./columns.ts"

export const EXPORT_STATUSES = valuesOf(ExportStatus)

/** One spreadsheet export. The row is also its queue entry: the cron queues it again if no consumer runs it. */
export const exportJobs = checkedTable(
  "export_jobs",
  {
    /** A random UUID. */
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    callerId: integer("caller_id").notNull(),
    callerType: text("caller_type").notNull(),
    /** The normalized body of the request: what is exported. */
    filter: text("filter").notNull(),
    status: text("status", { enum: EXPORT_STATUSES }).notNull().default("processing"),
    /** Percent, 0 to 100; never decreases. */
    progress: integer("progress").notNull().default(0),
    message: text("message").notNull(),
    filename: text("filename").notNull(),
    /** The finished file in R2; null until then and after expiry. */
    objectKey: text("object_key"),
    /** The number of consumers started. */
    attempts: integer("attempts").notNull().default(0),
    /** The attempt whose file may be in R2; null if there is none. */
    lease: text("lease"),
    /** The end of the attempt's lease (epoch ms), renewed with every page. Negative: released then. */
    leaseUntil: integer("lease_until").notNull().default(0),
    /** The attempt's multipart upload, to be aborted if the attempt stops. */
    upload: text("upload"),
    /** When the cron checks the job: no consumer runs it, or an attempt left a file behind. null: never. */
    dueAt: integer("due_at"),
    createdAt: createdAt(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("export_jobs_running")
      .on(table.callerId, table.kind, table.filter)
      .where(sql`${table.status} = 'processing'`),
    index("export_jobs_stored").on(table.callerId, table.createdAt).where(sql`${table.status} = 'completed'`),
    index("export_jobs_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("export_jobs_age").on(table.expiresAt).where(sql`${table.status} <> 'expired'`),
    index("export_jobs_expired").on(table.expiresAt).where(sql`${table.status} = 'expired'`),
  ],
)
