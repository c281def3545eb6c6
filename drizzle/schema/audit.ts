import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { checkedTable, createdAt } from "./columns.ts"

/** The verbs of the audit log. */
export const AUDIT_ACTIONS = ["login", "created", "updated", "deleted"] as const

/**
 * The kinds of which most of the log consists. A column counts their rows instead of an index entry for each: every row
 * has the number of them up to itself, so the n-th is found by binary search (src/db/common-kinds.ts).
 */
export const COMMON_KINDS = [
  { subject: "user", action: "login", column: "sign_ins" },
  { subject: "module progress", action: "updated", column: "progress_updates" },
  { subject: "submission", action: "updated", column: "evaluations" },
] as const

/** The subject or the action of a row, as SQL. */
const ofKind = (name: "subject" | "action") => {
  const cases = COMMON_KINDS.map((kind, at) => `when ${at + 1} then '${kind[name]}'`)
  return sql.raw(`case common_kind ${cases.join(" ")} else stored_${name} end`)
}

/** The columns of a new audit row: of the view `audit_entries`. */
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
  /** Never earlier than the previous row. */
  createdAt: createdAt(),
  /** A random number of the batch, to find out whether it was committed. */
  work: integer("work"),
}

const { action: _, subject: __, ...storedEntry } = auditEntry

/**
 * The audit log in order: ids have no gaps and times never decrease, so rows are counted by ids and running numbers,
 * and found by time without an index. Only the view `audit_entries` inserts rows, in the batch of the change.
 */
export const auditLogs = checkedTable(
  "audit_logs",
  {
    id: integer("id").primaryKey(),
    ...storedEntry,
    /** The number of one of `COMMON_KINDS`, from 1. Its rows do not store the words. */
    commonKind: integer("common_kind"),
    storedAction: text("stored_action", { enum: AUDIT_ACTIONS }),
    storedSubject: text("stored_subject"),
    action: text("action", { enum: AUDIT_ACTIONS }).notNull().generatedAlwaysAs(ofKind("action"), { mode: "virtual" }),
    subject: text("subject").notNull().generatedAlwaysAs(ofKind("subject"), { mode: "virtual" }),
    /** The performer's number of rows, including this one. */
    performerNumber: integer("performer_number").notNull(),
    /** The number of rows with this subject and action, including this one; null: one of `COMMON_KINDS`. */
    kindNumber: integer("kind_number"),
    /** The numbers of the rows of each of `COMMON_KINDS` up to this one. */
    signIns: integer("sign_ins").notNull().default(0),
    progressUpdates: integer("progress_updates").notNull().default(0),
    evaluations: integer("evaluations").notNull().default(0),
    /**
     * Whether it affects anybody except the performer; `audit_people` then has the people. True for groups and
     * portals; false for announcements, whose `user_ids` are recipients.
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
    // SQLite appends the id, which is the order of time.
    index("audit_logs_performer").on(table.performedBy),
    index("audit_logs_kind").on(table.subject, table.action).where(sql`${table.kindNumber} is not null`),
  ],
)

/**
 * The people that an audit row affects, other than the performer: the user who is the record, or users in the details
 * as `userId`, `user_id` or in lists such as `user_ids`. Only a trigger writes it.
 */
export const auditPeople = sqliteTable(
  "audit_people",
  { userId: integer("user_id").notNull(), logId: integer("log_id").notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.logId] })],
)
