import { sql } from "drizzle-orm"
import { index, integer, text } from "drizzle-orm/sqlite-core"
import { JobStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt } from "./columns.ts"

export const ERASURE_STATUSES = valuesOf(JobStatus)

/** The reason for an erasure according to GDPR article 17(1). A closed list, so that no personal text is stored. */
export const ERASURE_REASONS = [
  "requested",
  "consent_withdrawn",
  "objection",
  "no_longer_needed",
  "unlawful",
  "legal_obligation",
] as const

/** What the database says to a statement that changes an erased user. */
export const ERASED_IS_FINAL = "An erased user is never changed."

/**
 * Erasures of users and their progress: each is a job of its queue. Rows are never deleted, so that nobody is erased
 * twice or restored.
 */
export const erasures = checkedTable(
  "erasures",
  {
    userId: integer("user_id").primaryKey(),
    /** Who requested it. */
    callerId: integer("caller_id"),
    reason: text("reason", { enum: ERASURE_REASONS }).notNull(),
    status: text("status", { enum: ERASURE_STATUSES }).notNull().default("processing"),
    /** The person's encrypted names, used to find copies; null once completed. */
    subject: text("subject"),
    /** The current stage, and the key to continue after (JSON); null: from the start. */
    stage: integer("stage").notNull().default(0),
    after: text("after", { mode: "json" }).$type<(number | string)[]>(),
    /** The number of consumers started since the last completed chunk. */
    attempts: integer("attempts").notNull().default(0),
    /** The consumer that runs it, and the end of its lease (epoch ms; 0: none). */
    lease: text("lease"),
    leaseUntil: integer("lease_until").notNull().default(0),
    /** When the cron queues it again if no consumer runs it; null: never. */
    dueAt: integer("due_at"),
    createdAt: createdAt(),
    /** 0: not yet */
    completedAt: integer("completed_at").notNull().default(0),
  },
  (table) => [index("erasures_due").on(table.dueAt).where(sql`${table.dueAt} is not null`)],
)
