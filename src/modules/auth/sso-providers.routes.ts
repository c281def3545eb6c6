import { messageResponse, recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { ssoProviderColumns } from "./sso-provider-columns.ts"
import {
  createSsoProvider,
  deleteSsoProviders,
  getSsoProvider,
  listSsoProviders,
  unlinkUsers,
  updateSsoProvider,
} from "./sso-providers.queries.ts"
import * as schemas from "./sso-providers.schemas.ts"

export const ssoProviders = createApp()

const declared = recordOperations({
  tag: "Single sign-on",
  names: ["a sign-in provider", "sign-in providers"],
  paths: {
    create: "/api/sso-provider/create",
    list: "/api/sso-provider/tabularlist",
    record: "/api/sso-provider/{id}",
    delete: "/api/sso-provider/delete",
  },
  access: { read: "admin", change: "admin" },
  persons: true,
  newRecord: schemas.newSsoProvider,
  changes: schemas.ssoProviderChanges,
  listQuery: schemas.ssoProviderListQuery,
  list: schemas.ssoProviderList,
  record: schemas.ssoProvider,
  describe: {
    create:
      "OpenID Connect: authorization code with PKCE. Register the record's `callbackUrl` at the provider. " +
      "The sign-in page then shows its button, that of a portal on `/login?portal=` with its id or slug.",
    change: "Only a changed `issuer` or `clientId` undoes the links to users: they are found by their address again.",
    remove: "The users stay; without a password they need one by the forgotten-password mail or a new account mail.",
  },
})

ssoProviders.openapi(declared.create, async (c) =>
  c.json(await createSsoProvider(c.var.work, c.req.valid("json")), 200),
)

ssoProviders.openapi(declared.list, async (c) => {
  const toRow = (row: Parameters<typeof ssoProviderColumns.toRow>[0]) =>
    ssoProviderColumns.toRow(row, { base: baseUrl(c) })
  return c.json(listPage(c, await listSsoProviders(c.var.db, c.req.valid("query")), toRow), 200)
})

ssoProviders.openapi(declared.read, async (c) =>
  c.json(
    withEtag(c, await getSsoProvider(c.var.db, c.req.valid("param").id), (row) =>
      ssoProviderColumns.toRow(row, { base: baseUrl(c) }),
    ),
    200,
  ),
)

ssoProviders.openapi(declared.change, async (c) =>
  c.json(await updateSsoProvider(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

ssoProviders.openapi(declared.remove, async (c) =>
  c.json(await deleteSsoProviders(c.var.work, c.req.valid("json").delete_ids), 200),
)

ssoProviders.openapi(
  operation({
    method: "post",
    path: "/api/sso-provider/unlink",
    operationId: "unlinkSsoUsers",
    summary: "Undo the links of users to the people of a provider",
    description:
      "A user is linked with the person whom a provider first signed in with their address. Another person with that " +
      "address is refused until the link is undone.",
    tag: "Single sign-on",
    access: "admin",
    keys: "none",
    extension: true,
    body: schemas.unlinking,
    answer: messageResponse,
  }),
  async (c) => c.json(await unlinkUsers(c.var.work, c.req.valid("json")), 200),
)
