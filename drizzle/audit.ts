import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt } from "./columns.ts"

/** The verbs of the audit log. */
export const AUDIT_ACTIONS = ["login", "created", "updated", "deleted"] as const

/** Who did what to what. Written in the batch of the change itself. */
export const auditLogs = sqliteTable(
  "audit_logs",
  {
    id: integer("id").primaryKey(),
    /** null: an anonymous call under the `documented` policy. */
    performedBy: integer("performed_by"),
    action: text("action", { enum: AUDIT_ACTIONS }).notNull(),
    /** What kind of record: `user`, `category`, … */
    subject: text("subject").notNull(),
    subjectId: integer("subject_id"),
    /** The record's name at the time. */
    effectOn: text("effect_on").notNull(),
    details: text("details", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
    /**
     * Whether it was done to anybody but who did it: then `audit_people` says to whom. Acts on groups and portals count
     * as such, acts on announcements do not: their `user_ids` are readers.
     */
    others: integer("others").generatedAlwaysAs(
      sql`case
        when subject in ('user', 'badge award') then subject_id is not performed_by
        when subject in ('group', 'portal') then 1
        when subject = 'announcement' then 0
        else coalesce(details ->> '$.userId', details ->> '$.user_id', performed_by) is not performed_by
          or coalesce(nullif(details -> '$.user_ids', '[]'), json_array(performed_by)) is not json_array(performed_by)
      end`,
      { mode: "virtual" },
    ),
  },
  (table) => [
    index("audit_logs_created").on(table.createdAt),
    index("audit_logs_performer").on(table.performedBy, table.createdAt),
    index("audit_logs_action").on(table.action, table.createdAt),
    // A kind alone is read verb by verb (src/lib/sql/list.ts).
    index("audit_logs_subject_action").on(table.subject, table.action, table.createdAt),
  ],
)

/**
 * To whom an act was done, beside who did it: the user who is its record, or whom its details name as `userId`,
 * `user_id` or in lists such as `user_ids`. Only a trigger writes it; what users do to themselves has no row here.
 */
export const auditPeople = sqliteTable(
  "audit_people",
  { userId: integer("user_id").notNull(), logId: integer("log_id").notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.logId] })],
)

/**
 * How many audit rows there are, so that no list counts them: of everything (`all`, with totals under an empty action
 * and subject) ever (an empty period), in a month (`m:2026-11`) and on a day (`d:2026-11-21`); of who did it (`by:7`)
 * ever. Only triggers write them.
 */
export const auditTallies = sqliteTable(
  "audit_tallies",
  {
    audience: text("audience").notNull(),
    period: text("period").notNull(),
    action: text("action", { enum: ["", ...AUDIT_ACTIONS] }).notNull(),
    subject: text("subject").notNull(),
    total: integer("total").notNull(),
  },
  (table) => [primaryKey({ columns: [table.audience, table.period, table.action, table.subject] })],
)
