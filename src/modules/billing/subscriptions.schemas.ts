import { z } from "@hono/zod-openapi"
import { SUBSCRIPTION_STATUSES } from "../../../drizzle/schema/subscriptions.ts"
import { choice, id, list, optional } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { subscriptionColumns, subscriptionFields, userSubscriptionColumns } from "./subscription-fields.ts"

export const newSubscription = z.object(subscriptionFields.create).openapi("NewSubscription")
export type NewSubscription = z.output<typeof newSubscription>

export const subscriptionChanges = z.object(subscriptionFields.change).openapi("SubscriptionChanges")
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
