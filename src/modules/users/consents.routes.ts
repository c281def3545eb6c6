import { recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { consentColumns } from "./consent-columns.ts"
import { createConsent, deleteConsents, getConsent, listConsents, updateConsent } from "./consents.queries.ts"
import * as schemas from "./consents.schemas.ts"

export const consents = createApp()

consents.openapi(
  operation({
    operationId: "listUserConsents",
    method: "get",
    path: "/api/user-consents/tabularlist",
    summary: "List the consents of users",
    tag: "Consents",
    access: "general",
    query: schemas.consentListQuery,
    response: schemas.userConsents,
  }),
  async (c) => {
    const found = await listConsents(c.var.db, c.var.caller, c.req.valid("query"))
    const { records, recordsTotal, recordsFiltered } = listPage(c, found, consentColumns.toRow)
    return c.json({ userConsents: records, total: recordsTotal, recordsFiltered }, 200)
  },
)

const declared = recordOperations({
  tag: "Consents",
  names: ["a consent", "consents"],
  paths: {
    create: "/api/user-consent/create",
    list: "/api/user-consent/tabularlist",
    record: "/api/user-consent/{id}",
    delete: "/api/user-consent/delete",
  },
  access: { read: "general", create: "general", change: "admin" },
  newRecord: schemas.newConsent,
  changes: schemas.consentChanges,
  listQuery: schemas.consentListQuery,
  list: schemas.consentList,
  record: schemas.consent,
  describe: { create: "Callers below staff can record only their own consent, dated now, from their own IP address." },
})

consents.openapi(declared.create, async (c) => {
  const address = c.req.header("cf-connecting-ip") ?? ""
  return c.json(await createConsent(c.var.work, c.req.valid("json"), address), 200)
})

consents.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listConsents(c.var.db, c.var.caller, c.req.valid("query")), consentColumns.toRow), 200),
)

consents.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getConsent(c.var.db, c.var.caller, c.req.valid("param").id), consentColumns.toRow), 200),
)

consents.openapi(declared.change, async (c) =>
  c.json(await updateConsent(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

consents.openapi(declared.remove, async (c) =>
  c.json(await deleteConsents(c.var.work, c.req.valid("json").delete_ids), 200),
)
