import { createApp, operation } from "../../http/operation.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { listAudit } from "./audit.queries.ts"
import * as schemas from "./audit.schemas.ts"
import { auditColumns } from "./audit-columns.ts"

export const audit = createApp()

audit.openapi(
  operation({
    operationId: "listAuditLog",
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
    const rows = listPage(c, page, (row) => auditColumns.toRow(row, c.var.caller))
    return c.json({ ...rows, performedOnList: kinds }, 200)
  },
)

audit.openapi(
  operation({
    operationId: "lookUpAuditVerbs",
    method: "get",
    path: "/api/audit-activities/verb/lookup",
    summary: "Look up the audit log's verbs",
    tag: "Audit log",
    access: "group_admin",
    answer: schemas.verbLookup,
  }),
  async (c) => c.json(schemas.VERBS, 200),
)
