import { auditLogs } from "../audit.ts"
import { refused, trigger } from "./declare.ts"

const MONTH = "'m:' || strftime('%Y-%m', new.created_at / 1000, 'unixepoch')"
const DAY = "'d:' || date(new.created_at / 1000, 'unixepoch')"

/** Adds one to the tallies of an audience: in each period, of the given actions and subjects. */
const tally = (audience: string, periods: string[], kinds: string[]) => `
    INSERT INTO audit_tallies (audience, period, action, subject, total)
    VALUES
      ${kinds.flatMap((kind) => periods.map((period) => `(${audience}, ${period}, ${kind}, 1)`)).join(",\n      ")}
    ON CONFLICT (audience, period, action, subject) DO UPDATE SET total = total + 1`

const ANY = "'', ''"
const ITS_OWN = "new.action, new.subject"

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

export const auditTriggers = [
  trigger("audit_logs_counted", { on: auditLogs, after: "insert" }, tally("'all'", ["''", MONTH, DAY], [ANY, ITS_OWN])),
  trigger(
    "audit_logs_counted_by",
    { on: auditLogs, after: "insert", if: "new.performed_by IS NOT NULL" },
    tally("'by:' || new.performed_by", ["''"], [ITS_OWN]),
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
  refused("audit_logs_kept", { on: auditLogs, before: "delete" }, "An audit row is never deleted."),
  refused("audit_logs_fixed", { on: auditLogs, before: "update" }, "An audit row is never changed."),
]
