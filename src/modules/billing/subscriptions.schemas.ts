import { z } from "@hono/zod-openapi"
import { SUBSCRIPTION_STATUSES } from "../../../drizzle/schema/subscriptions.ts"
import {
  choice,
  clearable,
  id,
  keepIfNone,
  keepIfNull,
  list,
  moment,
  optional,
  requiredText,
  time,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { amount, currency } from "../../lib/input/money.ts"
import { subscriptionColumns, userSubscriptionColumns } from "./subscription-columns.ts"

const endDate = {
  end_date: optional(time()).openapi({ type: "string", format: "date-time", description: "Defaults to no end" }),
}

export const newSubscription = z
  .object({
    userId: id(),
    subscription_name: requiredText(255),
    total: amount(),
    currency: optional(currency()).openapi({ type: "string", default: "USD" }),
    status: optional(choice(SUBSCRIPTION_STATUSES)).openapi({
      type: "string",
      enum: [...SUBSCRIPTION_STATUSES],
      default: "Active",
    }),
    start_date: optional(time()).openapi({ type: "string", format: "date-time", description: "Defaults to now" }),
    ...endDate,
    cardId: optional(id()).openapi({ type: "integer", description: "The user's card that pays for it" }),
    created_at: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "When the subscription was created. Defaults to now",
    }),
  })
  .openapi("NewSubscription")
export type NewSubscription = z.output<typeof newSubscription>

export const subscriptionChanges = z
  .object({
    subscription_name: keepIfNull(requiredText(255)),
    total: keepIfNone(amount()),
    currency: keepIfNone(currency()),
    status: keepIfNone(choice(SUBSCRIPTION_STATUSES)),
    start_date: keepIfNone(moment()),
    end_date: clearable(moment()).openapi({
      type: ["string", "null"],
      format: "date-time",
      description: "null or Never: no end",
    }),
    cardId: clearable(id()).openapi({ type: ["integer", "null"], description: "null: no card" }),
  })
  .openapi("SubscriptionChanges")
export type SubscriptionChanges = z.output<typeof subscriptionChanges>

export const subscription = subscriptionColumns.row.openapi("Subscription")

const status = optional(list(choice(SUBSCRIPTION_STATUSES)))

export const userSubscriptionsQuery = listQuery(Object.keys(userSubscriptionColumns.sort), { status }).extend({
  user_id: optional(id()).openapi({
    type: "integer",
    description: "Defaults to all subscriptions visible to the caller",
  }),
})
export const userSubscriptions = listResponse(userSubscriptionColumns.row.openapi("SubscriptionRow"))

export const subscriptionListQuery = listQuery(Object.keys(subscriptionColumns.sort), {
  status,
  userId: optional(id()),
})
export const subscriptionList = listResponse(subscription)
