import { index, integer, text } from "drizzle-orm/sqlite-core"
import { OrderStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id, updatedAt, version } from "./columns.ts"
import { users } from "./users.ts"

/** A line item of an order or a cart, as stored. */
export interface StoredItem {
  /** The item type: `course`, `learningpath`, `membership`, … */
  type: string
  id: number
  name: string
  quantity: number
  /** The unit price, in minor units of the currency. */
  price: number
}

export const ORDER_STATUSES = valuesOf(OrderStatus)

/** Orders. An order remains, without a user, after its user is deleted. */
export const orders = checkedTable(
  "orders",
  {
    id: id(),
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    items: text("items", { mode: "json" }).$type<StoredItem[]>().notNull(),
    /** In minor units of the currency: cents of a dollar, yen of a yen. */
    total: integer("total").notNull(),
    /** ISO 4217: `USD` */
    currency: text("currency").notNull(),
    status: text("status", { enum: ORDER_STATUSES }).notNull(),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("orders_user").on(table.userId, table.createdAt),
    index("orders_created").on(table.createdAt),
    index("orders_updated_order").on(table.updatedAt),
    // Lists are read per status (src/db/list/).
    index("orders_status_created").on(table.status, table.createdAt),
  ],
)
