import { createApp, operation } from "../../http/operation.ts"
import { type Caller, hasRole, seesEveryone } from "../../lib/access.ts"
import { displayDateTime } from "../../lib/text/dates.ts"
import { listAnswer } from "../../lib/web/list-answer.ts"
import { listAudit } from "./audit.queries.ts"
import * as schemas from "./audit.schemas.ts"

export const audit = createApp()

type AuditRow = Awaited<ReturnType<typeof listAudit>>["page"]["rows"][number]

/** Who did it: a name, as long as the user is there. */
function performer({ performedBy, performerName }: AuditRow): string {
  if (performedBy === null) return "Anonymous"
  return performerName ?? `Deleted user ${performedBy}`
}

/** What of others is an administrator's alone to see, as in its own lists. */
const MONEY = new Set(["card", "cart", "order", "subscription"])

/** The row's name and details, as far as the caller may read them in the record itself. */
function shown(caller: Caller, { effectOn, subject, performedBy, details }: AuditRow) {
  if (MONEY.has(subject) && !hasRole(caller, "admin") && performedBy !== caller.id)
    return { effect_on: subject, details: {} }
  const { internalNote: _, ...forSupervisors } = details
  return { effect_on: effectOn, details: seesEveryone(caller) ? details : forSupervisors }
}

const toRecord = (caller: Caller) => (row: AuditRow) => ({
  performed_by: performer(row),
  subject: row.subject,
  action: row.action,
  created_at: displayDateTime(row.createdAt),
  ...shown(caller, row),
})

audit.openapi(
  operation({
    method: "get",
    path: "/api/audit-activities",
    summary: "List the audit log",
    description: [
      "The newest first.",
      "Supervisors see what concerns them and their people: what was done to them, and what they did but to",
      "others.",
      "Below an administrator, others' cards, carts, orders and subscriptions show no names and details.",
    ].join(" "),
    tag: "Audit log",
    access: "group_admin",
    query: schemas.auditQuery,
    answer: schemas.auditList,
  }),
  async (c) => {
    const { page, kinds } = await listAudit(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json({ ...listAnswer(c, page, toRecord(c.var.caller)), performedOnList: kinds }, 200)
  },
)

audit.openapi(
  operation({
    method: "get",
    path: "/api/audit-activities/verb/lookup",
    summary: "Look up the audit log's verbs",
    tag: "Audit log",
    access: "group_admin",
    answer: schemas.verbLookup,
  }),
  async (c) => c.json(schemas.VERBS, 200),
)
