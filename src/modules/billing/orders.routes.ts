import { recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { currencySymbol } from "../../lib/input/money.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { orderColumns, userOrderColumns } from "./order-fields.ts"
import { createOrder, deleteOrders, getOrder, listOrders, listUserOrders, updateOrder } from "./orders.queries.ts"
import * as schemas from "./orders.schemas.ts"

export const orders = createApp()

orders.openapi(
  operation({
    operationId: "listUserOrders",
    method: "get",
    path: "/api/user-orders",
    summary: "List orders of a user, or all orders visible to the caller",
    description: "Returns the caller's own orders; admins see all orders.",
    tag: "Orders",
    access: "general",
    query: schemas.userOrdersQuery,
    response: schemas.userOrders,
    errors: [404],
  }),
  async (c) => {
    const { page, owner, currency } = await listUserOrders(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = {
      ...listPage(c, page, userOrderColumns.toRow),
      currencySymbol: currencySymbol(currency),
      avatar: owner ? avatarOf(owner) : "",
    }
    return c.json(answer, 200)
  },
)

const declared = recordOperations({
  tag: "Orders",
  names: ["an order", "orders"],
  paths: {
    create: "/api/order/create",
    list: "/api/order/tabularlist",
    record: "/api/order/{id}",
    delete: "/api/order/delete",
  },
  access: { read: "general", change: "admin" },
  newRecord: schemas.newOrder,
  changes: schemas.orderChanges,
  listQuery: schemas.orderListQuery,
  list: schemas.orderList,
  record: schemas.order,
  describe: {
    create: "Mirrors an order of the payment system. Amounts are stored exactly, in the currency's minor unit.",
    list: "Returns the caller's own orders; admins see all orders.",
  },
})

orders.openapi(declared.create, async (c) => c.json(await createOrder(c.var.work, c.req.valid("json")), 200))

orders.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listOrders(c.var.db, c.var.caller, c.req.valid("query")), orderColumns.toRow), 200),
)

orders.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getOrder(c.var.db, c.var.caller, c.req.valid("param").id), orderColumns.toRow), 200),
)

orders.openapi(declared.change, async (c) =>
  c.json(await updateOrder(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

orders.openapi(declared.remove, async (c) =>
  c.json(await deleteOrders(c.var.work, c.req.valid("json").delete_ids), 200),
)
