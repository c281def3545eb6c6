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

export const auditTriggers = [
  trigger("audit_logs_counted", { on: auditLogs, after: "insert" }, tally("'all'", ["''", MONTH, DAY], [ANY, ITS_OWN])),
  trigger(
    "audit_logs_counted_of",
    { on: auditLogs, after: "insert", if: "new.user_id IS NOT NULL" },
    tally("'of:' || new.user_id", ["''", MONTH], [ITS_OWN]),
  ),
  trigger(
    "audit_logs_counted_by",
    { on: auditLogs, after: "insert", if: "new.performed_by IS NOT NULL" },
    tally("'by:' || new.performed_by", ["''", MONTH], [ITS_OWN]),
  ),
  refused("audit_logs_kept", { on: auditLogs, before: "delete" }, "An audit row is never deleted."),
  refused("audit_logs_fixed", { on: auditLogs, before: "update" }, "An audit row is never changed."),
]
