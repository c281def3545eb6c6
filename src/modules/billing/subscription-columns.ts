import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { SUBSCRIPTION_STATUSES, subscriptions } from "../../../drizzle/schema/subscriptions.ts"
import type { SubscriptionStatus } from "../../../drizzle/statuses.ts"
import { now } from "../../lib/clock.ts"
import { fromMinor } from "../../lib/input/money.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { sortedIntegerColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { displayDate } from "../../lib/text/dates.ts"
import { inMainUnit } from "./purchase-columns.ts"

/** Has its end behind it. */
export const hasEnded = () => sql`(${subscriptions.endAt} > 0 and ${subscriptions.endAt} <= ${now()})`

/** The status as it is shown: what is past its end has expired, whether the cron has written that or not. */
export const currentStatus = ({ status, endAt }: { status: SubscriptionStatus; endAt: number }): SubscriptionStatus =>
  status === "Active" && endAt > 0 && endAt <= now() ? "Expired" : status

/** As `currentStatus`, of the moment when the statement is built. */
const shownStatus = {
  getSQL: () => sql`iif(${subscriptions.status} = 'Active' and ${hasEnded()}, 'Expired', ${subscriptions.status})`,
}

const item = textColumn(subscriptions.subscriptionName)

const columns = {
  id: sortedIntegerColumn(subscriptions.id),
  subscription_name: item,
  status: column(
    { status: subscriptions.status, endAt: subscriptions.endAt },
    z.enum(SUBSCRIPTION_STATUSES).openapi({ description: "One that is active past its end date is Expired" }),
    { show: currentStatus, sort: { sorted: shownStatus } },
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

/** The columns of the list of subscriptions; a subscription by itself is answered alike. */
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
