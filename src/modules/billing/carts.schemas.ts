import { z } from "@hono/zod-openapi"
import { boolean, id, optional } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { cartColumns, cartFields } from "./cart-fields.ts"

export const newCart = z.object(cartFields.create).openapi("NewCart")
export type NewCart = z.output<typeof newCart>

export const cartChanges = z.object(cartFields.change).openapi("CartChanges")
export type CartChanges = z.output<typeof cartChanges>

export const cart = cartColumns.row.openapi("Cart")

export const cartListQuery = listQuery(Object.keys(cartColumns.sort), {
  userId: optional(id()),
  reminded: optional(boolean()).openapi({ type: "boolean" }),
})
export const cartList = listResponse(cart)

export const reminderQuery = z.object({ id: id().openapi({ type: "integer", description: "The id of the cart" }) })
