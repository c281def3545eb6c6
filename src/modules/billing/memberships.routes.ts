import { recordOperations } from "../../http/crud.ts"
import { createApp } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { membershipColumns } from "./membership-fields.ts"
import {
  createMembership,
  deleteMemberships,
  getMembership,
  listMemberships,
  updateMembership,
} from "./memberships.queries.ts"
import * as schemas from "./memberships.schemas.ts"

export const memberships = createApp()

const toMembership = (row: Awaited<ReturnType<typeof getMembership>>) => ({
  ...membershipColumns.toRow(row),
  course_ids: row.courseIds,
})

const declared = recordOperations({
  tag: "Memberships",
  names: ["a membership", "memberships"],
  paths: {
    create: "/api/membership/create",
    list: "/api/membership/tabularlist",
    record: "/api/membership/{id}",
    delete: "/api/membership/delete",
  },
  access: { read: "staff", change: "admin" },
  newRecord: schemas.newMembership,
  changes: schemas.membershipChanges,
  listQuery: schemas.membershipListQuery,
  list: schemas.membershipList,
  record: schemas.membership,
  describe: { remove: "Memberships that a user has are not deleted." },
})

memberships.openapi(declared.create, async (c) => c.json(await createMembership(c.var.work, c.req.valid("json")), 200))

memberships.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listMemberships(c.var.db, c.req.valid("query")), membershipColumns.toRow), 200),
)

memberships.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getMembership(c.var.db, c.req.valid("param").id), toMembership), 200),
)

memberships.openapi(declared.change, async (c) =>
  c.json(await updateMembership(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

memberships.openapi(declared.remove, async (c) =>
  c.json(await deleteMemberships(c.var.work, c.req.valid("json").delete_ids), 200),
)
