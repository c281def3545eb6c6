import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { ORDER_STATUSES, orders } from "../../../drizzle/schema/orders.ts"
import { userName } from "../../db/sql.ts"
import { choice, keepIfNone, withDefault } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { updatedAtColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { itemsText } from "./line-items.ts"
import { displayTotalColumn, purchaseFields } from "./purchase-fields.ts"

const purchase = purchaseFields(orders, {
  total: "The amount paid, including discounts and taxes. Defaults to the sum of the items",
  created_at: "When the order was placed. Defaults to now",
})

export const orderFields = recordFields(orders, {
  ...purchase,
  status: {
    create: withDefault(choice(ORDER_STATUSES), "pending").openapi({ type: "string", enum: [...ORDER_STATUSES] }),
    change: keepIfNone(choice(ORDER_STATUSES)),
    answer: column(orders.status, z.enum(ORDER_STATUSES), { sort: { sorted: orders.status } }),
  },
  userId: {
    ...purchase.userId,
    answer: column(orders.userId, z.number().int().nullable().openapi({ description: "null: the user was deleted" }), {
      sort: { sorted: sql`coalesce(${orders.userId}, 0)` },
    }),
  },
})

/** The columns of the list of orders and of a single order. */
export const orderColumns = listColumns({
  id: sortedIntegerColumn(orders.id),
  ...orderFields.answers,
  display_total: displayTotalColumn(orders),
  display_status: column(orders.status, z.string().openapi({ example: "Completed" }), {
    show: (status) => `${status.charAt(0).toUpperCase()}${status.slice(1)}`,
    sort: { sorted: orders.status },
  }),
  userName: column(sql<string>`coalesce(${userName(orders.userId)}, '')`, z.string()),
  updatedAt: updatedAtColumn(orders.updatedAt),
})

/** The columns of the list of a user's orders. */
export const userOrderColumns = listColumns({
  ...orderColumns.columns,
  items: column(
    orders.items,
    z.string().openapi({ description: "The names of the items", example: "Algebra, Geometry × 2" }),
    { show: itemsText },
  ),
})
