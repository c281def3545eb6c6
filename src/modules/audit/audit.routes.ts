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
      "Newest first.",
      "Supervisors see their own actions, except those on people outside their scope, and actions on " +
        "them and on people in",
      "their scope.",
      "Below admin, the names and details of other users' cards, carts, orders and subscriptions are hidden.",
    ].join(" "),
    tag: "Audit log",
    access: "group_admin",
    query: schemas.auditQuery,
    response: schemas.auditList,
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
    summary: "List the actions of the audit log",
    tag: "Audit log",
    access: "group_admin",
    response: schemas.verbLookup,
  }),
  async (c) => c.json(schemas.VERBS, 200),
)
