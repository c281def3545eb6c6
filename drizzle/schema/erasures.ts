import { sql } from "drizzle-orm"
import { index, integer, text } from "drizzle-orm/sqlite-core"
import { JobStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt } from "./columns.ts"

export const ERASURE_STATUSES = valuesOf(JobStatus)

/** On what ground a person is erased: those of the GDPR's article 17(1). A closed list, so that no words are kept. */
export const ERASURE_REASONS = [
  "requested",
  "consent_withdrawn",
  "objection",
  "no_longer_needed",
  "unlawful",
  "legal_obligation",
] as const

/** What the database says to a statement that enables an erased user. */
export const ERASED_STAYS_DISABLED = "An erased user is never enabled."

/**
 * Who was erased, and how far that is: a job by queue. The row stays for ever, so that nobody is erased twice or comes
 * back. A user's row that has one is nobody's.
 */
export const erasures = checkedTable(
  "erasures",
  {
    userId: integer("user_id").primaryKey(),
    /** Who asked for it. */
    callerId: integer("caller_id"),
    reason: text("reason", { enum: ERASURE_REASONS }).notNull(),
    status: text("status", { enum: ERASURE_STATUSES }).notNull().default("processing"),
    /** What the person was called, sealed, by which copies are found; null once it is completed. */
    subject: text("subject"),
    /** What the job is at, and the key behind which it goes on there (JSON); null: at the beginning. */
    stage: integer("stage").notNull().default(0),
    after: text("after", { mode: "json" }).$type<(number | string)[]>(),
    /** How often a consumer has begun since the last that came to a chunk's end. */
    attempts: integer("attempts").notNull().default(0),
    /** The consumer at work, and until when the job is its own (epoch ms; 0: nobody's). */
    lease: text("lease"),
    leaseUntil: integer("lease_until").notNull().default(0),
    /** When the sweep queues it again, should nobody work on it. null: never. */
    dueAt: integer("due_at"),
    createdAt: createdAt(),
    /** 0: not yet */
    completedAt: integer("completed_at").notNull().default(0),
  },
  (table) => [index("erasures_due").on(table.dueAt).where(sql`${table.dueAt} is not null`)],
)
