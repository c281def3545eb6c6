import { z } from "@hono/zod-openapi"
import { bool, id, kept, optional, time } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"
import { amount, currency } from "../../lib/input/money.ts"
import { answeredItem, lineItems } from "./line-items.ts"

export const newCart = z
  .object({
    userId: id(),
    items: lineItems(),
    total: optional(amount()).openapi({ type: "number", description: "The items' sum when left out" }),
    currency: optional(currency()).openapi({ type: "string", default: "USD" }),
    created_at: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "When it was filled; now when left out",
    }),
  })
  .openapi("NewCart")
export type NewCart = z.output<typeof newCart>

export const cartChanges = z
  .object({ items: kept(lineItems()), total: kept(amount()), currency: kept(currency()) })
  .openapi("CartChanges")
export type CartChanges = z.output<typeof cartChanges>

export const cart = z
  .object({
    id: z.number().int(),
    userId: z.number().int(),
    userName: z.string(),
    items: z.array(answeredItem),
    total: z.number().openapi({ description: "In the currency's main unit" }),
    display_total: z.string().openapi({ example: "$49.90" }),
    currency: z.string(),
    reminded_at: z.string().openapi({ example: "3 days ago", description: "Never: no reminder was sent" }),
    created_at: z.string(),
  })
  .openapi("Cart")

const COLUMNS = ["id", "total", "currency", "reminded_at", "created_at", "display_total", "userId"] as const
export const cartListQuery = listQuery(COLUMNS, {
  userId: optional(id()),
  reminded: optional(bool()).openapi({ type: "boolean" }),
})
export const cartList = envelope(cart)

export const reminderQuery = z.object({ id: id().openapi({ type: "integer", description: "The cart" }) })
