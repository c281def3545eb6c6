import { auditLogs } from "../schema/audit.ts"
import { forbid, insteadOfInsert, trigger, view } from "./declare.ts"

/** The columns that an audit row is told; the trigger adds its numbers. */
const TOLD = ["performed_by", "action", "subject", "subject_id", "effect_on", "details", "work"]

/** What a column of the newest audit row says, of all or of some. */
const newest = (column: string, which = "true") =>
  `coalesce((SELECT ${column} FROM audit_logs WHERE ${which} ORDER BY id DESC LIMIT 1), 0)`

/** What details call a list of users to whom something was done. */
const LISTS = [
  "user_ids",
  "add_user_ids",
  "remove_user_ids",
  "member_ids",
  "add_member_ids",
  "remove_member_ids",
  "admin_ids",
]

/** The condition that anything but its words changes in a row. */
const FIXED = ["id", ...TOLD.slice(0, 4), "created_at", "of_performer", "of_kind", "others"]
  .map((column) => `old.${column} IS NOT new.${column}`)
  .join("\nOR ")

export const auditTriggers = [
  // Each row goes in by itself: of those that one statement writes, every one counts the ones before it.
  view("audit_entries", [...TOLD, "created_at"], "SELECT 0, '', '', 0, '', '', 0, 0 WHERE false"),
  insteadOfInsert(
    "audit_entries_written",
    "audit_entries",
    `
    INSERT INTO audit_logs (${TOLD.join(", ")}, created_at, of_performer, of_kind)
    VALUES (
      ${TOLD.map((column) => `new.${column}`).join(", ")},
      max(new.created_at, ${newest("created_at")}),
      1 + ${newest("of_performer", "performed_by IS new.performed_by")},
      1 + ${newest("of_kind", "subject = new.subject AND action = new.action")}
    )`,
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
      WHERE list.key IN (${LISTS.map((key) => `'${key}'`).join(", ")})
    )
    WHERE typeof(value) = 'integer' AND value IS NOT new.performed_by`,
  ),
  forbid("audit_logs_kept", { on: auditLogs, before: "delete" }, "An audit row is never deleted."),
  // Only an erasure takes words out of rows, as long as it runs: who did what to whom, when, stays as it was.
  forbid(
    "audit_logs_fixed",
    {
      on: auditLogs,
      before: "update",
      if: `${FIXED}\nOR NOT EXISTS (SELECT 1 FROM erasures WHERE due_at IS NOT NULL)`,
    },
    "An audit row is never changed.",
  ),
]
