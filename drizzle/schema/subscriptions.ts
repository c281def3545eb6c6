import { sql } from "drizzle-orm"
import { index, integer, text } from "drizzle-orm/sqlite-core"
import { SubscriptionStatus, valuesOf } from "../statuses.ts"
import { cards } from "./cards.ts"
import { checkedTable, createdAt, id, version } from "./columns.ts"
import { users } from "./users.ts"

export const SUBSCRIPTION_STATUSES = valuesOf(SubscriptionStatus)

export const subscriptions = checkedTable(
  "subscriptions",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    subscriptionName: text("subscription_name").notNull(),
    /** In minor units of the currency. */
    total: integer("total").notNull(),
    /** ISO 4217: `USD` */
    currency: text("currency").notNull(),
    /** As last set. An Active subscription past its end counts as Expired. */
    status: text("status", { enum: SUBSCRIPTION_STATUSES }).notNull(),
    startAt: integer("start_at").notNull(),
    /** 0: open-ended. */
    endAt: integer("end_at").notNull().default(0),
    /** The card that pays for it. */
    cardId: integer("card_id").references(() => cards.id, { onDelete: "set null" }),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("subscriptions_user").on(table.userId, table.createdAt),
    index("subscriptions_card").on(table.cardId, table.status).where(sql`${table.cardId} is not null`),
    // Lists are read per status (src/db/list/).
    index("subscriptions_status_created").on(table.status, table.createdAt),
    index("subscriptions_status_name").on(table.status, table.subscriptionName),
    index("subscriptions_status_end").on(table.status, table.endAt),
  ],
)
