import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { carts } from "../../../drizzle/schema/carts.ts"
import { userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { relativeTime } from "../../lib/text/dates.ts"
import { purchaseColumns } from "./purchase-columns.ts"

/** The columns of the list of carts and of a single cart. */
export const cartColumns = listColumns({
  id: integerColumn(carts.id),
  ...purchaseColumns(carts),
  reminded_at: column(
    carts.remindedAt,
    z.string().openapi({ example: "3 days ago", description: "Never: no reminder was sent" }),
    { show: relativeTime, sort: carts.remindedAt },
  ),
  created_at: dateColumn(carts.createdAt),
  userId: column(carts.userId, z.number().int(), { sort: { sorted: carts.userId } }),
  userName: column(sql<string>`${userName(carts.userId)}`, z.string()),
})
