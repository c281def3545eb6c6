import { z } from "@hono/zod-openapi"
import { ORDER_STATUSES } from "../../../drizzle/schema/orders.ts"
import { choice, id, list, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse, updatedSince } from "../../lib/input/list-query.ts"
import { context } from "../users/contexts.ts"
import { orderColumns, orderFields, userOrderColumns } from "./order-fields.ts"

export const newOrder = z.object(orderFields.create).openapi("NewOrder")
export type NewOrder = z.output<typeof newOrder>

export const orderChanges = z.object(orderFields.change).openapi("OrderChanges")
export type OrderChanges = z.output<typeof orderChanges>

export const order = orderColumns.row.openapi("Order")

const columns = Object.keys(orderColumns.sort)
const status = optional(list(choice(ORDER_STATUSES)))

export const userOrdersQuery = listQuery(columns, { status }).extend({
  user_id: optional(id()).openapi({ type: "integer", description: "Defaults to all orders visible to the caller" }),
  context: optional(context()).openapi({
    type: "string",
    example: "admin",
    description:
      "user (or learner, student): the caller's own orders, unless user_id is set; otherwise all visible orders",
  }),
})
export const userOrders = listResponse(userOrderColumns.row.openapi("UserOrder")).extend({
  currencySymbol: z
    .string()
    .openapi({ description: "The symbol of the newest order's currency; of USD without orders" }),
  avatar: z
    .string()
    .openapi({ description: "The avatar of the selected user, or else of the caller; empty without either" }),
})

export const orderListQuery = listQuery(columns, {
  status,
  userId: optional(id()),
  nameOrEmail: optional(text(254)),
  updatedSince: updatedSince(),
})
export const orderList = listResponse(order)
