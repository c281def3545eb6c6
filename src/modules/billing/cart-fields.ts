import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { carts } from "../../../drizzle/schema/carts.ts"
import { userName } from "../../db/sql.ts"
import { column, isoSchemaOrNull, listColumns, timeColumn } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { relativeTime } from "../../lib/text/dates.ts"
import { displayTotalColumn, purchaseFields } from "./purchase-fields.ts"

const purchase = purchaseFields(carts, {
  total: "Defaults to the sum of the items",
  created_at: "When the cart was filled. Defaults to now",
})

export const cartFields = recordFields(carts, {
  ...purchase,
  userId: { ...purchase.userId, answer: sortedIntegerColumn(carts.userId) },
})

/** The columns of the list of carts and of a single cart. */
export const cartColumns = listColumns({
  id: integerColumn(carts.id),
  ...cartFields.answers,
  display_total: displayTotalColumn(carts),
  reminded_at: timeColumn(
    carts.remindedAt,
    z.string().openapi({ example: "3 days ago", description: "Never: no reminder was sent" }),
    isoSchemaOrNull(),
    { show: relativeTime, sort: carts.remindedAt },
  ),
  userName: column(sql<string>`${userName(carts.userId)}`, z.string()),
})
