import { sql } from "drizzle-orm"
import { index, integer, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { ExportStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt } from "./columns.ts"

export const EXPORT_STATUSES = valuesOf(ExportStatus)

/** One asynchronous spreadsheet. The row is its own outbox: what no consumer works on is queued again. */
export const exportJobs = checkedTable(
  "export_jobs",
  {
    /** A random UUID. */
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    callerId: integer("caller_id").notNull(),
    callerType: text("caller_type").notNull(),
    /** The initiate body, in one spelling: what is exported. */
    filter: text("filter").notNull(),
    status: text("status", { enum: EXPORT_STATUSES }).notNull().default("processing"),
    /** Percent, 0 to 100; never falls. */
    progress: integer("progress").notNull().default(0),
    message: text("message").notNull(),
    filename: text("filename").notNull(),
    /** The finished file in R2; null until then and once it has expired. */
    objectKey: text("object_key"),
    /** How often a consumer has begun. */
    attempts: integer("attempts").notNull().default(0),
    /** The attempt whose file may be in R2; null when there is none. */
    lease: text("lease"),
    /** Until when the attempt has the job to itself (epoch ms); renewed by every page. Less than 0: given back then. */
    leaseUntil: integer("lease_until").notNull().default(0),
    /** The attempt's multipart upload, to be aborted should the attempt die. */
    upload: text("upload"),
    /** When the sweep looks after the job: nobody works on it, or an attempt left something behind. null: never. */
    dueAt: integer("due_at"),
    createdAt: createdAt(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("export_jobs_running")
      .on(table.callerId, table.kind, table.filter)
      .where(sql`${table.status} = 'processing'`),
    index("export_jobs_kept").on(table.callerId, table.createdAt).where(sql`${table.status} = 'completed'`),
    index("export_jobs_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("export_jobs_age").on(table.expiresAt).where(sql`${table.status} <> 'expired'`),
    index("export_jobs_expired").on(table.expiresAt).where(sql`${table.status} = 'expired'`),
  ],
)
