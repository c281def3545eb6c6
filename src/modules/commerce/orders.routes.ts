import { createApp, operation } from "../../http/operation.ts"
import { recordOperations } from "../../http/records.ts"
import { currencySymbol, displayAmount, fromMinor } from "../../lib/input/money.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { displayDate } from "../../lib/text/dates.ts"
import { demandedVersion, tagged } from "../../lib/web/etag.ts"
import { listAnswer } from "../../lib/web/list-answer.ts"
import { itemsText, toItems } from "./line-items.ts"
import { createOrder, deleteOrders, getOrder, listOrders, listUserOrders, updateOrder } from "./orders.queries.ts"
import * as schemas from "./orders.schemas.ts"

export const orders = createApp()

type OrderRow = Awaited<ReturnType<typeof listOrders>>["rows"][number]

const common = (row: OrderRow) => ({
  id: row.id,
  userId: row.userId,
  userName: row.userName,
  total: fromMinor(row.total, row.currency),
  display_total: displayAmount(row.total, row.currency),
  currency: row.currency,
  status: row.status,
  display_status: `${row.status.charAt(0).toUpperCase()}${row.status.slice(1)}`,
  created_at: displayDate(row.createdAt),
})

const toOrder = (row: OrderRow) => ({ ...common(row), items: toItems(row.items, row.currency) })
const toUserOrder = (row: OrderRow) => ({ ...common(row), items: itemsText(row.items) })

orders.openapi(
  operation({
    method: "get",
    path: "/api/user-orders",
    summary: "List orders, of one user or of all that the caller may see",
    description: "The caller's own; everybody's for an admin.",
    tag: "Orders",
    access: "general",
    query: schemas.userOrdersQuery,
    answer: schemas.userOrders,
    errors: [404],
  }),
  async (c) => {
    const { page, owner, currency } = await listUserOrders(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = {
      ...listAnswer(c, page, toUserOrder),
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
    create: "As the payment system reports it. Amounts are kept exactly, in the currency's minor unit.",
    list: "The caller's own; everybody's for an admin.",
  },
})

orders.openapi(declared.create, async (c) => c.json(await createOrder(c.var.work, c.req.valid("json")), 200))

orders.openapi(declared.list, async (c) =>
  c.json(listAnswer(c, await listOrders(c.var.db, c.var.caller, c.req.valid("query")), toOrder), 200),
)

orders.openapi(declared.read, async (c) =>
  c.json(tagged(c, await getOrder(c.var.db, c.var.caller, c.req.valid("param").id), toOrder), 200),
)

orders.openapi(declared.change, async (c) =>
  c.json(await updateOrder(c.var.work, c.req.valid("param").id, c.req.valid("json"), demandedVersion(c)), 200),
)

orders.openapi(declared.remove, async (c) =>
  c.json(await deleteOrders(c.var.work, c.req.valid("json").delete_ids), 200),
)
