import { sql } from "drizzle-orm"
import { index, integer, text } from "drizzle-orm/sqlite-core"
import { JobStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt } from "./columns.ts"

export const BACKGROUND_JOB_STATUSES = valuesOf(JobStatus)

/** A change that touches more rows than one batch may write, done by a queue consumer in slices. */
export const backgroundJobs = checkedTable(
  "background_jobs",
  {
    /** A UUID. */
    id: text("id").primaryKey(),
    /** A name of `src/worker/background-kinds.ts`. */
    kind: text("kind").notNull(),
    params: text("params", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** `Caller.id` of the caller whose change it completes; null: an anonymous call. */
    callerId: integer("caller_id"),
    status: text("status", { enum: BACKGROUND_JOB_STATUSES }).notNull().default("processing"),
    /** The stage in progress, and the key of the last row it changed (JSON); null: none yet. */
    stage: integer("stage").notNull().default(0),
    after: text("after", { mode: "json" }).$type<(number | string)[]>(),
    /** How many rows it has changed, and how many there were when it began. */
    done: integer("done").notNull().default(0),
    total: integer("total").notNull(),
    /** The number of consumers started since the last completed slice. */
    attempts: integer("attempts").notNull().default(0),
    /** The consumer that runs it, and the end of its lease (epoch ms; 0: none). */
    lease: text("lease"),
    leaseUntil: integer("lease_until").notNull().default(0),
    /** When the cron queues it again if no consumer works on it; null: never. */
    dueAt: integer("due_at"),
    createdAt: createdAt(),
    /** 0: not yet. */
    completedAt: integer("completed_at").notNull().default(0),
  },
  (table) => [
    index("background_jobs_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("background_jobs_completed").on(table.completedAt).where(sql`${table.completedAt} > 0`),
  ],
)
