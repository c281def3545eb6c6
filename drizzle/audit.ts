import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"

/** Who did what to what. Written in the batch of the change itself. */
export const auditLogs = sqliteTable(
  "audit_logs",
  {
    id: integer("id").primaryKey(),
    /** null: an anonymous call under the `documented` policy. */
    performedBy: integer("performed_by"),
    /** login, created, updated, deleted */
    action: text("action").notNull(),
    /** What kind of record: `user`, `category`, … */
    subject: text("subject").notNull(),
    subjectId: integer("subject_id"),
    /** The record's name at the time. */
    effectOn: text("effect_on").notNull(),
    details: text("details", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
    /** Whom it concerns: the user that it was done to; of anything else, who did it. */
    userId: integer("user_id").generatedAlwaysAs(
      sql`case when subject = 'user' then subject_id else performed_by end`,
      {
        mode: "virtual",
      },
    ),
  },
  (table) => [
    index("audit_logs_created").on(table.createdAt),
    index("audit_logs_performer").on(table.performedBy, table.createdAt),
    index("audit_logs_subject").on(table.subject, table.createdAt),
    index("audit_logs_action").on(table.action, table.createdAt),
    index("audit_logs_subject_action").on(table.subject, table.action, table.createdAt),
    index("audit_logs_user").on(table.userId, table.createdAt),
    // For orders: these end with the id, which ties break by.
    index("audit_logs_by_action").on(table.action),
    index("audit_logs_by_subject").on(table.subject),
    index("audit_logs_by_effect").on(sql`${table.effectOn} collate nocase`),
  ],
)

/**
 * How many audit rows there are, so that no list counts them: of everything (`all`, with totals under an empty action
 * and subject), of whom they concern (`of:7`), of who did it (`by:7`); ever (an empty period), in a month
 * (`m:2026-11`) and, of everything, on a day (`d:2026-11-21`). Only triggers write them.
 */
export const auditTallies = sqliteTable(
  "audit_tallies",
  {
    audience: text("audience").notNull(),
    period: text("period").notNull(),
    action: text("action").notNull(),
    subject: text("subject").notNull(),
    total: integer("total").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.period, table.action, table.subject] })],
)
