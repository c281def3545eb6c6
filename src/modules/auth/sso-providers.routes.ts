import { messageResponse, recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { ssoProviderColumns } from "./sso-provider-fields.ts"
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
      "OpenID Connect with authorization code and PKCE. Register the record's `callbackUrl` at the provider. " +
      "The sign-in page then shows its button; a portal's button is shown on `/login?portal=` with its id or slug.",
    change: "A changed `issuer` or `clientId` deletes the links to users, who are then matched by address again.",
    remove: "The users remain. Those without a password need one from the forgotten-password or the new-account email.",
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
    summary: "Unlink users from a provider",
    description:
      "A user is linked to the person that the provider first signed in with the user's address. " +
      "Other people with that " +
      "address are refused until the link is deleted.",
    tag: "Single sign-on",
    access: "admin",
    keys: "none",
    extension: true,
    body: schemas.unlinking,
    response: messageResponse,
  }),
  async (c) => c.json(await unlinkUsers(c.var.work, c.req.valid("json")), 200),
)
