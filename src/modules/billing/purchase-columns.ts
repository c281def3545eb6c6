import { z } from "@hono/zod-openapi"
import { type SQLWrapper, sql } from "drizzle-orm"
import type { StoredItem } from "../../../drizzle/schema/orders.ts"
import { currenciesByDecimals, displayAmount, fromMinor } from "../../lib/input/money.ts"
import { column } from "../../lib/spreadsheet/columns.ts"
import { type NotNull, sortedTextColumn } from "../../lib/spreadsheet/common-columns.ts"
import { lineItem, toItems } from "./line-items.ts"

/** An amount in its currency's main unit, so that amounts in several currencies can be sorted. */
export const inMainUnit = (minor: SQLWrapper, currency: SQLWrapper): SQLWrapper => ({
  getSQL: () => {
    const cases = [...currenciesByDecimals()].map(
      ([places, codes]) => sql`when ${currency} in (${sql.raw(codes.map((code) => `'${code}'`).join(", "))})
        then ${sql.raw(`1e${places}`)}`,
    )
    return sql`(${minor} / case ${sql.join(cases, sql` `)} else 1e2 end)`
  },
})

/** The columns of items and amounts that orders and carts share. */
export const purchaseColumns = (purchase: {
  items: NotNull<StoredItem[]>
  total: NotNull<number>
  currency: NotNull<string>
}) => {
  const { items, total, currency } = purchase
  const byAmount = { sorted: inMainUnit(total, currency) }
  return {
    total: column({ total, currency }, z.number().openapi({ description: "In the currency's main unit" }), {
      show: ({ total, currency }) => fromMinor(total, currency),
      sort: byAmount,
    }),
    display_total: column({ total, currency }, z.string().openapi({ example: "$49.90" }), {
      show: ({ total, currency }) => displayAmount(total, currency),
      sort: byAmount,
    }),
    currency: sortedTextColumn(currency),
    items: column({ items, currency }, z.array(lineItem), {
      show: ({ items, currency }) => toItems(items, currency),
    }),
  }
}
