import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { ORDER_STATUSES, orders } from "../../../drizzle/schema/orders.ts"
import { userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { itemsText } from "./line-items.ts"
import { purchaseColumns } from "./purchase-columns.ts"

const columns = {
  id: sortedIntegerColumn(orders.id),
  ...purchaseColumns(orders),
  status: column(orders.status, z.enum(ORDER_STATUSES), { sort: { sorted: orders.status } }),
  display_status: column(orders.status, z.string().openapi({ example: "Completed" }), {
    show: (status) => `${status.charAt(0).toUpperCase()}${status.slice(1)}`,
    sort: { sorted: orders.status },
  }),
  created_at: dateColumn(orders.createdAt),
  userId: column(orders.userId, z.number().int().nullable().openapi({ description: "null: the user was deleted" }), {
    sort: { sorted: sql`coalesce(${orders.userId}, 0)` },
  }),
  userName: column(sql<string>`coalesce(${userName(orders.userId)}, '')`, z.string()),
}

/** The columns of the list of orders and of a single order. */
export const orderColumns = listColumns(columns)

/** The columns of the list of a user's orders. */
export const userOrderColumns = listColumns({
  ...columns,
  items: column(
    orders.items,
    z.string().openapi({ description: "The names of the items", example: "Algebra, Geometry × 2" }),
    { show: itemsText },
  ),
})
