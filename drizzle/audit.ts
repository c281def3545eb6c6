import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
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
  },
  (table) => [
    index("audit_logs_created").on(table.createdAt),
    index("audit_logs_performer").on(table.performedBy, table.createdAt),
    index("audit_logs_subject").on(table.subject, table.createdAt),
  ],
)
