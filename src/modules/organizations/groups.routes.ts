import { idByExternalId } from "../../db/external-ids.ts"
import { recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import type { Caller } from "../../lib/caller.ts"
import { externalIdQuery } from "../../lib/input/external-id.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { groupColumns } from "./group-columns.ts"
import { createGroup, deleteGroups, getGroup, listGroups, updateGroup } from "./groups.queries.ts"
import * as schemas from "./groups.schemas.ts"

export const groups = createApp()

const toGroup = (caller: Caller) => (group: Awaited<ReturnType<typeof getGroup>>) => ({
  ...groupColumns.toRow(group, { caller }),
  externalId: group.externalId,
  externalIds: group.externalIds,
  admin_ids: group.adminIds,
  course_seats: group.courseSeats.map((seats) => ({
    course_id: seats.courseId,
    course_name: seats.courseName,
    total_seats: seats.totalSeats,
    used_seats: seats.usedSeats,
  })),
})

const declared = recordOperations({
  tag: "Groups",
  names: ["a group", "groups"],
  paths: {
    create: "/api/group/create",
    list: "/api/group/tabularlist",
    record: "/api/group/{id}",
    delete: "/api/group/delete",
  },
  access: { read: "group_admin", create: "staff", change: "staff" },
  newRecord: schemas.newGroup,
  changes: schemas.groupChanges,
  listQuery: schemas.groupListQuery,
  list: schemas.groupList,
  record: schemas.group,
  describe: {
    create: "Unknown users are skipped and counted. Learners in admin_ids become group_admin.",
    list: "Staff see all groups, supervisors those that they administer.",
    change:
      "Omitted fields keep their values. user_ids, admin_ids and course_seats replace the current " +
      "sets; add_user_ids and " +
      "remove_user_ids change single members. Unknown users are skipped and counted. Honors If-Match.",
    remove: "The members remain as users.",
  },
})

groups.openapi(declared.create, async (c) => c.json(await createGroup(c.var.work, c.req.valid("json")), 200))

groups.openapi(declared.list, async (c) => {
  const { db, caller } = c.var
  const found = await listGroups(db, caller, c.req.valid("query"))
  return c.json(
    listPage(c, found, (row) => groupColumns.toRow(row, { caller })),
    200,
  )
})

groups.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getGroup(c.var.db, c.var.caller, c.req.valid("param").id), toGroup(c.var.caller)), 200),
)

groups.openapi(
  operation({
    operationId: "getGroupByExternalId",
    method: "get",
    path: "/api/group/by-external-id",
    summary: "Retrieve a group by external id",
    description: "The response is that of `GET /api/group/{id}`.",
    tag: "Groups",
    access: "staff",
    record: true,
    extension: true,
    query: externalIdQuery,
    response: schemas.group,
    errors: [404],
  }),
  async (c) => {
    const { db, caller } = c.var
    const found = await getGroup(db, caller, idByExternalId("group", caller, c.req.valid("query")))
    return c.json(withEtag(c, found, toGroup(caller)), 200)
  },
)

groups.openapi(declared.change, async (c) =>
  c.json(await updateGroup(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

groups.openapi(declared.remove, async (c) =>
  c.json(await deleteGroups(c.var.work, c.req.valid("json").delete_ids), 200),
)
