import { recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { userSourceColumns } from "./user-source-fields.ts"
import {
  createUserSource,
  deleteUserSources,
  getUserSource,
  listUserSources,
  updateUserSource,
} from "./user-sources.queries.ts"
import * as schemas from "./user-sources.schemas.ts"

export const userSources = createApp()

userSources.openapi(
  operation({
    operationId: "lookUpUserSources",
    method: "get",
    path: "/api/user-source",
    summary: "Look up user sources by name",
    description: "Returns all sources unless page_size is set.",
    tag: "User sources",
    access: "general",
    query: schemas.userSourcesQuery,
    response: schemas.allUserSources,
  }),
  async (c) => {
    const { records } = listPage(c, await listUserSources(c.var.db, c.req.valid("query")), userSourceColumns.toRow)
    return c.json({ records }, 200)
  },
)

const declared = recordOperations({
  tag: "User sources",
  names: ["a user source", "user sources"],
  paths: {
    create: "/api/user-source/create",
    list: "/api/user-source/tabularlist",
    record: "/api/user-source/{id}",
    delete: "/api/user-source/delete",
  },
  access: { read: "staff", change: "admin" },
  newRecord: schemas.newUserSource,
  changes: schemas.userSourceChanges,
  listQuery: schemas.userSourceListQuery,
  list: schemas.userSourceList,
  record: schemas.userSource,
  describe: { remove: "Built-in sources and sources in use are not deleted." },
})

userSources.openapi(declared.create, async (c) => c.json(await createUserSource(c.var.work, c.req.valid("json")), 200))

userSources.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listUserSources(c.var.db, c.req.valid("query")), userSourceColumns.toRow), 200),
)

userSources.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getUserSource(c.var.db, c.req.valid("param").id), userSourceColumns.toRow), 200),
)

userSources.openapi(declared.change, async (c) =>
  c.json(await updateUserSource(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

userSources.openapi(declared.remove, async (c) =>
  c.json(await deleteUserSources(c.var.work, c.req.valid("json").delete_ids), 200),
)
