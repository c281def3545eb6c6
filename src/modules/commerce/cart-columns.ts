import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { carts } from "../../../drizzle/carts.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { nameOfUser } from "../../lib/sql/sql.ts"
import { displayDate, relativeTime } from "../../lib/text/dates.ts"
import { purchaseColumns } from "./purchase-columns.ts"

/** The columns of the list of carts; a cart by itself is answered alike. */
export const cartColumns = listColumns({
  id: column(carts.id, z.number().int(), { sort: carts.id }),
  ...purchaseColumns(carts),
  reminded_at: column(
    carts.remindedAt,
    z.string().openapi({ example: "3 days ago", description: "Never: no reminder was sent" }),
    { show: relativeTime, sort: carts.remindedAt },
  ),
  created_at: column(carts.createdAt, z.string(), { show: displayDate, sort: carts.createdAt }),
  userId: column(carts.userId, z.number().int(), { sort: { sorted: carts.userId } }),
  userName: column(sql<string>`${nameOfUser(carts.userId)}`, z.string()),
})
