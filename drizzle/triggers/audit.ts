import { auditLogs, COMMON_KINDS } from "../schema/audit.ts"
import { forbid, insteadOfInsert, trigger, view } from "./declare.ts"

/** The columns of an inserted audit row. The trigger adds the others. */
const INSERTED_COLUMNS = ["performed_by", "action", "subject", "subject_id", "effect_on", "details", "work"]

const STORED_COLUMNS = INSERTED_COLUMNS.filter((column) => column !== "action" && column !== "subject")

/** The value of a column in the newest audit row that matches a condition. */
const newestValue = (column: string, condition: string) =>
  `coalesce((SELECT ${column} FROM audit_logs WHERE ${condition} ORDER BY id DESC LIMIT 1), 0)`

/** Whether the new row is of a kind that a column counts. */
const isNewOf = ({ subject, action }: (typeof COMMON_KINDS)[number]) =>
  `(new.subject = '${subject}' AND new.action = '${action}')`

const IS_COMMON = `(${COMMON_KINDS.map(isNewOf).join(" OR ")})`
const COMMON_KIND = `(CASE ${COMMON_KINDS.map((kind, at) => `WHEN ${isNewOf(kind)} THEN ${at + 1}`).join(" ")} END)`

/** The keys of audit details that list affected users. */
const USER_LIST_KEYS = [
  "user_ids",
  "add_user_ids",
  "remove_user_ids",
  "member_ids",
  "add_member_ids",
  "remove_member_ids",
  "admin_ids",
]

/** The condition that a column other than the texts changes. */
const IMMUTABLE_COLUMN_CHANGED = [
  "id",
  "performed_by",
  "subject_id",
  // The columns of the virtual ones: SQLite computes these only from what a trigger names.
  "common_kind",
  "stored_action",
  "stored_subject",
  "created_at",
  "performer_number",
  "kind_number",
  ...COMMON_KINDS.map(({ column }) => column),
  "others",
]
  .map((column) => `old.${column} IS NOT new.${column}`)
  .join("\nOR ")

export const auditTriggers = [
  // The view inserts rows one at a time, so that each row counts the rows before it in the same statement.
  view("audit_entries", [...INSERTED_COLUMNS, "created_at"], "SELECT 0, '', '', 0, '', '', 0, 0 WHERE false"),
  insteadOfInsert(
    "audit_entries_insert",
    "audit_entries",
    `
    INSERT INTO audit_logs (${STORED_COLUMNS.join(", ")}, common_kind, stored_action, stored_subject, created_at,
      performer_number, kind_number, ${COMMON_KINDS.map(({ column }) => column).join(", ")})
    SELECT
      ${STORED_COLUMNS.map((column) => `new.${column}`).join(", ")},
      ${COMMON_KIND}, iif(${IS_COMMON}, NULL, new.action), iif(${IS_COMMON}, NULL, new.subject),
      max(new.created_at, coalesce(newest.created_at, 0)),
      1 + ${newestValue("performer_number", "performed_by IS new.performed_by")},
      iif(
        ${IS_COMMON},
        NULL,
        1 + ${newestValue("kind_number", "subject = new.subject AND action = new.action AND kind_number IS NOT NULL")}
      ),
      ${COMMON_KINDS.map((kind) => `coalesce(newest.${kind.column}, 0) + ${isNewOf(kind)}`).join(",\n      ")}
    FROM (SELECT 1) LEFT JOIN (SELECT * FROM audit_logs ORDER BY id DESC LIMIT 1) AS newest`,
  ),
  trigger(
    "audit_logs_people",
    { on: auditLogs, after: "insert", if: "new.others" },
    `
    INSERT INTO audit_people (user_id, log_id)
    SELECT DISTINCT value, new.id
    FROM (
      SELECT new.subject_id AS value WHERE new.subject IN ('user', 'badge award')
      UNION ALL SELECT coalesce(new.details ->> '$.userId', new.details ->> '$.user_id')
      UNION ALL
      SELECT member.value
      FROM json_each(new.details) AS list
        CROSS JOIN json_each(iif(list.type = 'array', list.value, '[]')) AS member
      WHERE list.key IN (${USER_LIST_KEYS.map((key) => `'${key}'`).join(", ")})
    )
    WHERE typeof(value) = 'integer' AND value IS NOT new.performed_by`,
  ),
  forbid("audit_logs_deletion_refused", { on: auditLogs, before: "delete" }, "An audit row is never deleted."),
  // Only a running erasure may remove texts. The actor, action, subject and time never change.
  forbid(
    "audit_logs_update_refused",
    {
      on: auditLogs,
      before: "update",
      if: `${IMMUTABLE_COLUMN_CHANGED}\nOR NOT EXISTS (SELECT 1 FROM erasures WHERE due_at IS NOT NULL)`,
    },
    "An audit row is never changed.",
  ),
]
