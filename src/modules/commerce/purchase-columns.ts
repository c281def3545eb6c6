import { z } from "@hono/zod-openapi"
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core"
import type { StoredItem } from "../../../drizzle/orders.ts"
import { displayAmount, fromMinor } from "../../lib/input/money.ts"
import { column } from "../../lib/sheet/columns.ts"
import { answeredItem, toItems } from "./line-items.ts"

type Holding<T> = AnySQLiteColumn<{ data: T; notNull: true }>

/** The columns that lists of orders and of carts share: what is bought, and for how much. */
export const purchaseColumns = (purchase: {
  items: Holding<StoredItem[]>
  total: Holding<number>
  currency: Holding<string>
}) => {
  const { items, total, currency } = purchase
  return {
    total: column({ total, currency }, z.number().openapi({ description: "In the currency's main unit" }), {
      show: ({ total, currency }) => fromMinor(total, currency),
      sort: total,
    }),
    display_total: column({ total, currency }, z.string().openapi({ example: "$49.90" }), {
      show: ({ total, currency }) => displayAmount(total, currency),
      sort: total,
    }),
    currency: column(currency, z.string(), { sort: currency }),
    items: column({ items, currency }, z.array(answeredItem), {
      show: ({ items, currency }) => toItems(items, currency),
    }),
  }
}
