import { z } from "@hono/zod-openapi"
import type { StoredItem } from "../../../drizzle/orders.ts"
import { displayAmount, fromMinor } from "../../lib/input/money.ts"
import { column } from "../../lib/sheet/columns.ts"
import { type NotNull, sortedTextColumn } from "../../lib/sheet/common-columns.ts"
import { answeredItem, toItems } from "./line-items.ts"

/** The columns that lists of orders and of carts share: what is bought, and for how much. */
export const purchaseColumns = (purchase: {
  items: NotNull<StoredItem[]>
  total: NotNull<number>
  currency: NotNull<string>
}) => {
  const { items, total, currency } = purchase
  return {
    total: column({ total, currency }, z.number().openapi({ description: "In the currency's main unit" }), {
      show: ({ total, currency }) => fromMinor(total, currency),
      sort: { sorted: total },
    }),
    display_total: column({ total, currency }, z.string().openapi({ example: "$49.90" }), {
      show: ({ total, currency }) => displayAmount(total, currency),
      sort: { sorted: total },
    }),
    currency: sortedTextColumn(currency),
    items: column({ items, currency }, z.array(answeredItem), {
      show: ({ items, currency }) => toItems(items, currency),
    }),
  }
}
