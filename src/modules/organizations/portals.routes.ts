import { recordOperations } from "../../http/crud.ts"
import { createApp } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { portalColumns, portalDetailColumns } from "./portal-columns.ts"
import { createPortal, deletePortals, getPortal, listPortals, updatePortal } from "./portals.queries.ts"
import * as schemas from "./portals.schemas.ts"

export const portals = createApp()

const toPortal = (portal: Awaited<ReturnType<typeof getPortal>>) => ({
  ...portalDetailColumns.toRow(portal),
  admin_ids: portal.adminIds,
})

const declared = recordOperations({
  tag: "Portals",
  names: ["a portal", "portals"],
  paths: {
    create: "/api/portal/create",
    list: "/api/portal/tabularlist",
    record: "/api/portal/{id}",
    delete: "/api/portal/delete",
  },
  access: { read: "group_admin", create: "admin", change: "admin" },
  newRecord: schemas.newPortal,
  changes: schemas.portalChanges,
  listQuery: schemas.portalListQuery,
  list: schemas.portalList,
  record: schemas.portal,
  describe: {
    create:
      "Unknown users are skipped and counted. Administrators get the portal's userType unless their own type has the " +
      "same or a higher rank.",
    list: "Staff see all portals, supervisors those that they administer. With portalId: the children of that portal.",
    change:
      "Omitted fields keep their values. member_ids and admin_ids replace the current sets; add_member_ids and " +
      "remove_member_ids change single learners. New members of an expired or inactive " +
      "portal, and more learners than seats, are rejected with 409 and nothing changes. Honors If-Match.",
    remove:
      "The members remain as users. Portals with child portals are not deleted unless the children are deleted too.",
  },
})

portals.openapi(declared.create, async (c) => c.json(await createPortal(c.var.work, c.req.valid("json")), 200))

portals.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listPortals(c.var.db, c.var.caller, c.req.valid("query")), portalColumns.toRow), 200),
)

portals.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getPortal(c.var.db, c.var.caller, c.req.valid("param").id), toPortal), 200),
)

portals.openapi(declared.change, async (c) =>
  c.json(await updatePortal(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

portals.openapi(declared.remove, async (c) =>
  c.json(await deletePortals(c.var.work, c.req.valid("json").delete_ids), 200),
)
