import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { SUBSCRIPTION_STATUSES, subscriptions } from "../../../drizzle/schema/subscriptions.ts"
import { now } from "../../lib/clock.ts"
import {
  choice,
  clearable,
  id,
  keepIfNone,
  keepIfNull,
  moment,
  optional,
  requiredText,
  time,
  withDefault,
} from "../../lib/input/input.ts"
import { amount, currency, fromMinor } from "../../lib/input/money.ts"
import { column, isoSchemaOrNull, listColumns, timeColumn } from "../../lib/spreadsheet/columns.ts"
import { sortedIntegerColumn, sortedTextColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { displayDate } from "../../lib/text/dates.ts"
import { inMainUnit } from "./purchase-fields.ts"

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/** Whether the end date has passed. */
export const hasEnded = () => sql`(${subscriptions.endAt} > 0 and ${subscriptions.endAt} <= ${now()})`

/** The current status: past its end, a subscription has expired even before the cron writes that. */
export const currentStatus = ({ status, endAt }: { status: SubscriptionStatus; endAt: number }): SubscriptionStatus =>
  status === "Active" && endAt > 0 && endAt <= now() ? "Expired" : status

/** `currentStatus` as SQL, for the time at which the statement is built. */
const currentStatusSql = {
  getSQL: () => sql`iif(${subscriptions.status} = 'Active' and ${hasEnded()}, 'Expired', ${subscriptions.status})`,
}

const item = textColumn(subscriptions.subscriptionName)

export const subscriptionFields = recordFields(subscriptions, {
  subscription_name: {
    column: "subscriptionName",
    create: requiredText(255),
    change: keepIfNull(requiredText(255)),
    answer: item,
    listed: true,
  },
  status: {
    create: withDefault(choice(SUBSCRIPTION_STATUSES), "Active").openapi({
      type: "string",
      enum: [...SUBSCRIPTION_STATUSES],
    }),
    change: keepIfNone(choice(SUBSCRIPTION_STATUSES)),
    answer: column(
      { status: subscriptions.status, endAt: subscriptions.endAt },
      z.enum(SUBSCRIPTION_STATUSES).openapi({ description: "Active subscriptions past their end date are Expired" }),
      { show: currentStatus, sort: { sorted: currentStatusSql } },
    ),
    listed: true,
  },
  total: {
    create: amount(),
    change: keepIfNone(amount()),
    answer: column(
      { total: subscriptions.total, currency: subscriptions.currency },
      z.number().openapi({ description: "In the main unit of the subscription's currency" }),
      {
        show: ({ total, currency }) => fromMinor(total, currency),
        sort: { sorted: inMainUnit(subscriptions.total, subscriptions.currency) },
      },
    ),
    listed: true,
  },
  created_at: {
    column: "createdAt",
    create: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "When the subscription was created. Defaults to now",
    }),
    change: false,
    answer: dateColumn(subscriptions.createdAt),
    listed: true,
  },
  start_date: {
    column: "startAt",
    create: optional(time()).openapi({ type: "string", format: "date-time", description: "Defaults to now" }),
    change: keepIfNone(moment()),
    answer: dateColumn(subscriptions.startAt, { sorted: subscriptions.startAt }),
    listed: true,
  },
  end_date: {
    column: "endAt",
    create: optional(time()).openapi({ type: "string", format: "date-time", description: "Defaults to no end" }),
    change: clearable(moment()).openapi({
      type: ["string", "null"],
      format: "date-time",
      description: "null or Never: no end",
    }),
    answer: timeColumn(
      subscriptions.endAt,
      z.string().openapi({ description: "Never: open-ended" }),
      isoSchemaOrNull(),
      {
        show: (at) => (at === 0 ? "Never" : displayDate(at)),
        sort: subscriptions.endAt,
      },
    ),
    listed: true,
  },
  userId: { create: id(), change: false, answer: sortedIntegerColumn(subscriptions.userId) },
  currency: {
    create: withDefault(currency(), "USD").openapi({ type: "string" }),
    change: keepIfNone(currency()),
    answer: sortedTextColumn(subscriptions.currency),
  },
  cardId: {
    create: optional(id()).openapi({ type: "integer", description: "The user's card that pays for it" }),
    change: clearable(id()).openapi({ type: ["integer", "null"], description: "null: no card" }),
    answer: column(subscriptions.cardId, z.number().int().nullable(), {
      sort: { sorted: sql`coalesce(${subscriptions.cardId}, 0)` },
    }),
  },
})

const subscriptionId = sortedIntegerColumn(subscriptions.id)

/** The columns of the list of a user's subscriptions. */
export const userSubscriptionColumns = listColumns({ id: subscriptionId, ...subscriptionFields.listed, item })

/** The columns of the list of subscriptions and of a single subscription. */
export const subscriptionColumns = listColumns(
  { id: subscriptionId, ...subscriptionFields.answers },
  { item: subscriptions.subscriptionName },
)
