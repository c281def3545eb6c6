import { z } from "@hono/zod-openapi"
import { boolean, id, keepIfNone, optional, time } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { amount, currency } from "../../lib/input/money.ts"
import { cartColumns } from "./cart-columns.ts"
import { lineItems } from "./line-items.ts"

export const newCart = z
  .object({
    userId: id(),
    items: lineItems(),
    total: optional(amount()).openapi({ type: "number", description: "Defaults to the sum of the items" }),
    currency: optional(currency()).openapi({ type: "string", default: "USD" }),
    created_at: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "When the cart was filled. Defaults to now",
    }),
  })
  .openapi("NewCart")
export type NewCart = z.output<typeof newCart>

export const cartChanges = z
  .object({ items: keepIfNone(lineItems()), total: keepIfNone(amount()), currency: keepIfNone(currency()) })
  .openapi("CartChanges")
export type CartChanges = z.output<typeof cartChanges>

export const cart = cartColumns.row.openapi("Cart")

export const cartListQuery = listQuery(Object.keys(cartColumns.sort), {
  userId: optional(id()),
  reminded: optional(boolean()).openapi({ type: "boolean" }),
})
export const cartList = listResponse(cart)

export const reminderQuery = z.object({ id: id().openapi({ type: "integer", description: "The id of the cart" }) })
