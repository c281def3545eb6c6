import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { SUBSCRIPTION_STATUSES, subscriptions } from "../../../drizzle/schema/subscriptions.ts"
import { now } from "../../lib/clock.ts"
import { fromMinor } from "../../lib/input/money.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { sortedIntegerColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { displayDate } from "../../lib/text/dates.ts"
import { inMainUnit } from "./purchase-columns.ts"
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

const columns = {
  id: sortedIntegerColumn(subscriptions.id),
  subscription_name: item,
  status: column(
    { status: subscriptions.status, endAt: subscriptions.endAt },
    z.enum(SUBSCRIPTION_STATUSES).openapi({ description: "Active subscriptions past their end date are Expired" }),
    { show: currentStatus, sort: { sorted: currentStatusSql } },
  ),
  total: column(
    { total: subscriptions.total, currency: subscriptions.currency },
    z.number().openapi({ description: "In the main unit of the subscription's currency" }),
    {
      show: ({ total, currency }) => fromMinor(total, currency),
      sort: { sorted: inMainUnit(subscriptions.total, subscriptions.currency) },
    },
  ),
  created_at: dateColumn(subscriptions.createdAt),
  start_date: dateColumn(subscriptions.startAt, { sorted: subscriptions.startAt }),
  end_date: column(subscriptions.endAt, z.string().openapi({ description: "Never: open-ended" }), {
    show: (at) => (at === 0 ? "Never" : displayDate(at)),
    sort: subscriptions.endAt,
  }),
}

/** The columns of the list of a user's subscriptions. */
export const userSubscriptionColumns = listColumns({ ...columns, item })

/** The columns of the list of subscriptions and of a single subscription. */
export const subscriptionColumns = listColumns(
  {
    ...columns,
    userId: column(subscriptions.userId, z.number().int(), { sort: { sorted: subscriptions.userId } }),
    currency: column(subscriptions.currency, z.string(), { sort: { sorted: subscriptions.currency } }),
    cardId: column(subscriptions.cardId, z.number().int().nullable(), {
      sort: { sorted: sql`coalesce(${subscriptions.cardId}, 0)` },
    }),
  },
  { item: subscriptions.subscriptionName },
)
