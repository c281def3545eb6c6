import { z } from "@hono/zod-openapi"
import { OrderStatus, SubscriptionStatus, valuesOf } from "../statuses.ts"
import { USER_EXISTS } from "./enrollments.ts"
import { choice, type Field, field, integer, nullable, object, text, time, timeOrNull, userOf } from "./fields.ts"
import { eventObject } from "./object.ts"

// `toEvent` converts `total` from the row's minor units.
const total: Field = {
  ...integer("total"),
  schema: z.number().openapi({ description: "In the currency's main unit", example: 49.9 }),
}
const currency = field(z.string().openapi({ example: "USD" }), "row.currency")
const member = (name: string, schema: z.ZodType) => field(schema, `value ->> '$.${name}'`)
const item = object({
  type: member("type", z.string()),
  id: member("id", z.number().int()),
  name: member("name", z.string()),
  quantity: member("quantity", z.number().int()),
})
const reaches = (status: string) => `new.status = '${status}' AND old.status <> '${status}'`
const { Pending, Completed, Failed, Refunded } = OrderStatus

/** The status with which an order is created has its own event as well. */
const status = (meaning: string, of: string) => ({ meaning, insert: `new.status = '${of}'`, update: reaches(of) })

export const orderEvents = eventObject({
  name: "Order",
  table: "orders",
  fields: {
    id: integer("id"),
    user: nullable(userOf("row.user_id")),
    status: choice(valuesOf(OrderStatus), "status"),
    total,
    currency,
    items: field(
      z.array(item.schema),
      `json((SELECT json_group_array(${item.sql}) FROM json_each(row.items)))`,
      (selected) => (selected as unknown[]).map(item.read),
    ),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  userId: "user_id",
  previous: ["status"],
  watched: ["total", "currency", "items"],
  types: {
    "order.created": { meaning: "An order was created", insert: true },
    "order.pending": status("An order awaits its payment", Pending),
    "order.completed": status("An order was paid", Completed),
    "order.failed": status("The payment of an order failed", Failed),
    "order.refunded": status("An order was refunded", Refunded),
    "order.updated": { meaning: "The items or the total of an order changed", update: true },
    "order.deleted": { meaning: "An order was deleted", delete: true, onlyIds: true },
  },
})

const { Active, Cancelled, Expired } = SubscriptionStatus

export const subscriptionEvents = eventObject({
  name: "Subscription",
  table: "subscriptions",
  fields: {
    id: integer("id"),
    user: userOf("row.user_id"),
    name: text("subscription_name"),
    status: choice(valuesOf(SubscriptionStatus), "status"),
    total,
    currency,
    startAt: time("start_at"),
    endAt: timeOrNull("end_at"),
    createdAt: time("created_at"),
  },
  userId: "user_id",
  previous: ["name", "status", "startAt", "endAt"],
  watched: ["total", "currency"],
  parent: USER_EXISTS,
  types: {
    "subscription.created": { meaning: "A subscription was created", insert: true },
    "subscription.canceled": { meaning: "A subscription was canceled", update: reaches(Cancelled) },
    "subscription.ended": { meaning: "A subscription expired", update: reaches(Expired) },
    "subscription.renewed": {
      meaning: "A subscription became active again, or ends later",
      update: `${reaches(Active)} OR old.end_at > 0 AND (new.end_at = 0 OR new.end_at > old.end_at)`,
    },
    "subscription.updated": { meaning: "Another field of a subscription changed", update: true },
    "subscription.deleted": { meaning: "A subscription was deleted", delete: true, onlyIds: true },
  },
})
