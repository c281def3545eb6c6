import { z } from "@hono/zod-openapi"
import { type SQLWrapper, sql } from "drizzle-orm"
import type { StoredItem } from "../../../drizzle/schema/orders.ts"
import { id, keepIfNone, optional, time, withDefault } from "../../lib/input/input.ts"
import { amount, currenciesByDecimals, currency, displayAmount, fromMinor } from "../../lib/input/money.ts"
import { column } from "../../lib/spreadsheet/columns.ts"
import { type NotNull, sortedTextColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { lineItem, lineItems, toItems } from "./line-items.ts"

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

interface PurchaseTable {
  items: NotNull<StoredItem[]>
  total: NotNull<number>
  currency: NotNull<string>
  createdAt: NotNull<number>
}

/** The fields that orders and carts share. */
export const purchaseFields = (table: PurchaseTable, descriptions: { total: string; created_at: string }) => {
  const { items, total, currency: code, createdAt } = table
  return {
    userId: { create: id(), change: false },
    items: {
      create: lineItems(),
      change: keepIfNone(lineItems()),
      answer: column({ items, currency: code }, z.array(lineItem), {
        show: ({ items, currency }) => toItems(items, currency),
      }),
    },
    total: {
      create: optional(amount()).openapi({ type: "number", description: descriptions.total }),
      change: keepIfNone(amount()),
      answer: column({ total, currency: code }, z.number().openapi({ description: "In the currency's main unit" }), {
        show: ({ total, currency }) => fromMinor(total, currency),
        sort: { sorted: inMainUnit(total, code) },
      }),
    },
    currency: {
      create: withDefault(currency(), "USD").openapi({ type: "string" }),
      change: keepIfNone(currency()),
      answer: sortedTextColumn(code),
    },
    created_at: {
      column: "createdAt",
      create: optional(time()).openapi({
        type: "string",
        format: "date-time",
        description: descriptions.created_at,
      }),
      change: false,
      answer: dateColumn(createdAt),
    },
  } as const
}

/** The formatted total, which has no input. */
export const displayTotalColumn = ({ total, currency }: PurchaseTable) =>
  column({ total, currency }, z.string().openapi({ example: "$49.90" }), {
    show: ({ total, currency }) => displayAmount(total, currency),
    sort: { sorted: inMainUnit(total, currency) },
  })
