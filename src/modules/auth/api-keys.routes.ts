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
      "The key is shown only once. A program sends it as `Authorization: Bearer lk_…`, or exchanges it at " +
      "`POST /oauth/token`. Its role cannot be above the caller's. A key owns no records.",
    change: "Changes apply to the next call with the key.",
    remove: "Keys and their tokens stop working immediately. Only an owner can delete keys with the role owner.",
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
    summary: "Regenerate an API key",
    description: "The previous key and its tokens stop working immediately. All other properties stay the same.",
    tag,
    access: "admin",
    keys: "none",
    extension: true,
    body: schemas.rotation,
    response: schemas.mintedKey,
    errors: [404, 409],
  }),
  async (c) => c.json(await rotateApiKey(c.var.work, c.req.valid("json").id), 200),
)
