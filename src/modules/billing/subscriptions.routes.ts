import { recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { subscriptionColumns, userSubscriptionColumns } from "./subscription-fields.ts"
import {
  createSubscription,
  deleteSubscriptions,
  getSubscription,
  listSubscriptions,
  updateSubscription,
} from "./subscriptions.queries.ts"
import * as schemas from "./subscriptions.schemas.ts"

export const subscriptions = createApp()

subscriptions.openapi(
  operation({
    operationId: "listUserSubscriptions",
    method: "get",
    path: "/api/user-subscriptions",
    summary: "List subscriptions of a user, or all subscriptions visible to the caller",
    description: "Returns the caller's own subscriptions; admins see all subscriptions.",
    tag: "Subscriptions",
    access: "general",
    query: schemas.userSubscriptionsQuery,
    response: schemas.userSubscriptions,
    errors: [404],
  }),
  async (c) => {
    const { db, caller } = c.var
    const found = await listSubscriptions(db, caller, c.req.valid("query"), userSubscriptionColumns)
    return c.json(listPage(c, found, userSubscriptionColumns.toRow), 200)
  },
)

const declared = recordOperations({
  tag: "Subscriptions",
  names: ["a subscription", "subscriptions"],
  paths: {
    create: "/api/subscription/create",
    list: "/api/subscription/tabularlist",
    record: "/api/subscription/{id}",
    delete: "/api/subscription/delete",
  },
  access: { read: "general", change: "admin" },
  newRecord: schemas.newSubscription,
  changes: schemas.subscriptionChanges,
  listQuery: schemas.subscriptionListQuery,
  list: schemas.subscriptionList,
  record: schemas.subscription,
  describe: {
    create: "Mirrors a subscription of the payment system.",
    list: "Returns the caller's own subscriptions; admins see all subscriptions.",
  },
})

subscriptions.openapi(declared.create, async (c) =>
  c.json(await createSubscription(c.var.work, c.req.valid("json")), 200),
)

subscriptions.openapi(declared.list, async (c) =>
  c.json(
    listPage(c, await listSubscriptions(c.var.db, c.var.caller, c.req.valid("query")), subscriptionColumns.toRow),
    200,
  ),
)

subscriptions.openapi(declared.read, async (c) =>
  c.json(
    withEtag(c, await getSubscription(c.var.db, c.var.caller, c.req.valid("param").id), subscriptionColumns.toRow),
    200,
  ),
)

subscriptions.openapi(declared.change, async (c) =>
  c.json(await updateSubscription(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

subscriptions.openapi(declared.remove, async (c) =>
  c.json(await deleteSubscriptions(c.var.work, c.req.valid("json").delete_ids), 200),
)
