import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt, id, version } from "./columns.ts"
import { users } from "./users.ts"

/** Payment cards of a payment gateway. Only the last four digits are stored. */
export const cards = sqliteTable(
  "cards",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    last4: text("last4").notNull(),
    paymentGatewayName: text("payment_gateway_name").notNull(),
    cardType: text("card_type").notNull(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("cards_user").on(table.userId, table.createdAt),
    index("cards_created").on(table.createdAt),
    index("cards_last4").on(table.last4),
  ],
)
