import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { checkedTable, createdAt } from "./columns.ts"

/** The verbs of the audit log. */
export const AUDIT_ACTIONS = ["login", "created", "updated", "deleted"] as const

/** What an audit row is told when it is written: the columns of the view `audit_entries`. */
export const auditEntry = {
  /** A user's id, or the negative of a key's; null: an anonymous call under the `documented` policy. */
  performedBy: integer("performed_by"),
  action: text("action", { enum: AUDIT_ACTIONS }).notNull(),
  /** What kind of record: `user`, `category`, … */
  subject: text("subject").notNull(),
  subjectId: integer("subject_id"),
  /** The record's name at the time. */
  effectOn: text("effect_on").notNull(),
  details: text("details", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  /** Kept as no earlier than the row before. */
  createdAt: createdAt(),
  /** A random number of the batch that wrote it, by which that is known to have landed. */
  work: integer("work"),
}

/**
 * Who did what to what, in the order of writing: ids have no gap and times never go back, so that rows are counted by
 * ids and by the running numbers, and found by time without an index. Only the view `audit_entries` writes them, in
 * the batch of the change itself.
 */
export const auditLogs = checkedTable(
  "audit_logs",
  {
    id: integer("id").primaryKey(),
    ...auditEntry,
    /** How many rows the performer has with this one. */
    ofPerformer: integer("of_performer").notNull(),
    /** How many rows there are of its subject and action with this one. */
    ofKind: integer("of_kind").notNull(),
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
    // Behind each stands the id: the order of time.
    index("audit_logs_performer").on(table.performedBy),
    index("audit_logs_kind").on(table.subject, table.action),
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
