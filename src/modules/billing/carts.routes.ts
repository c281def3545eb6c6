import { messageResponse, recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { cartColumns } from "./cart-fields.ts"
import { createCart, deleteCarts, getCart, listCarts, sendCartReminder, updateCart } from "./carts.queries.ts"
import * as schemas from "./carts.schemas.ts"

export const carts = createApp()

carts.openapi(
  operation({
    operationId: "sendCartReminder",
    method: "post",
    path: "/api/sendCartReminderEmail",
    summary: "Email a user a cart reminder",
    description: "Returns 409 if the user is disabled. The email is sent by the outbox.",
    tag: "Carts",
    access: "admin",
    query: schemas.reminderQuery,
    response: messageResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await sendCartReminder(c.var.work, c.req.valid("query").id), 200),
)

const declared = recordOperations({
  tag: "Carts",
  names: ["a cart", "carts"],
  paths: {
    create: "/api/cart/create",
    list: "/api/cart/tabularlist",
    record: "/api/cart/{id}",
    delete: "/api/cart/delete",
  },
  access: { read: "general", change: "admin" },
  newRecord: schemas.newCart,
  changes: schemas.cartChanges,
  listQuery: schemas.cartListQuery,
  list: schemas.cartList,
  record: schemas.cart,
  describe: {
    create: "Mirrors a cart of the shop. Amounts are stored exactly, in the currency's minor unit.",
    list: "Returns the caller's own carts; admins see all carts.",
    change: "New items without a total are summed.",
  },
})

carts.openapi(declared.create, async (c) => c.json(await createCart(c.var.work, c.req.valid("json")), 200))

carts.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listCarts(c.var.db, c.var.caller, c.req.valid("query")), cartColumns.toRow), 200),
)

carts.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getCart(c.var.db, c.var.caller, c.req.valid("param").id), cartColumns.toRow), 200),
)

carts.openapi(declared.change, async (c) =>
  c.json(await updateCart(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

carts.openapi(declared.remove, async (c) => c.json(await deleteCarts(c.var.work, c.req.valid("json").delete_ids), 200))
