import { recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { apiKeyColumns } from "./api-key-columns.ts"
import { createApiKey, deleteApiKeys, getApiKey, listApiKeys, rotateApiKey, updateApiKey } from "./api-keys.queries.ts"
import * as schemas from "./api-keys.schemas.ts"

export const apiKeys = createApp()

const tag = "API keys"

const declared = recordOperations({
  tag,
  names: ["an API key", "API keys"],
  paths: {
    create: "/api/api-key/create",
    list: "/api/api-key/tabularlist",
    record: "/api/api-key/{id}",
    delete: "/api/api-key/delete",
  },
  access: { read: "admin", change: "admin" },
  persons: true,
  newRecord: schemas.newApiKey,
  created: schemas.mintedKey,
  changes: schemas.apiKeyChanges,
  listQuery: schemas.apiKeyListQuery,
  list: schemas.apiKeyList,
  record: schemas.apiKey,
  describe: {
    create:
      "The key is told this once. A program sends it as `Authorization: Bearer lk_…`, or exchanges it at " +
      "`POST /oauth/token`. Its role is not above the caller's. It has no records of its own.",
    change: "Calls are held to the change from its answer on.",
    remove: "They stop at once, with their tokens. Only an owner deletes keys of an owner's role.",
  },
})

apiKeys.openapi(declared.create, async (c) => c.json(await createApiKey(c.var.work, c.req.valid("json")), 200))

apiKeys.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listApiKeys(c.var.db, c.req.valid("query")), apiKeyColumns.toRow), 200),
)

apiKeys.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getApiKey(c.var.db, c.req.valid("param").id), apiKeyColumns.toRow), 200),
)

apiKeys.openapi(declared.change, async (c) =>
  c.json(await updateApiKey(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

apiKeys.openapi(declared.remove, async (c) =>
  c.json(await deleteApiKeys(c.var.work, c.req.valid("json").delete_ids), 200),
)

apiKeys.openapi(
  operation({
    operationId: "rotateApiKey",
    method: "post",
    path: "/api/api-key/rotate",
    summary: "Make an API key anew",
    description: "The key before it, and its tokens, stop at once. All else of it stays as it is.",
    tag,
    access: "admin",
    keys: "none",
    extension: true,
    body: schemas.rotation,
    answer: schemas.mintedKey,
    errors: [404, 409],
  }),
  async (c) => c.json(await rotateApiKey(c.var.work, c.req.valid("json").id), 200),
)
