import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt, id, version } from "./columns.ts"
import type { StoredItem } from "./orders.ts"
import { users } from "./users.ts"

/** Abandoned carts. */
export const carts = sqliteTable(
  "carts",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    items: text("items", { mode: "json" }).$type<StoredItem[]>().notNull(),
    /** In minor units of the currency. */
    total: integer("total").notNull(),
    /** ISO 4217: `USD` */
    currency: text("currency").notNull(),
    /** 0: never. */
    remindedAt: integer("reminded_at").notNull().default(0),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("carts_user").on(table.userId, table.createdAt),
    index("carts_created").on(table.createdAt),
    index("carts_reminded").on(table.remindedAt),
  ],
)
