import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { categories } from "../../../drizzle/schema/categories.ts"
import { userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { nameColumn, sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

/** The columns of the list of categories. */
export const categoryColumns = listColumns({
  id: sortedIntegerColumn(categories.id),
  name: nameColumn(categories.name),
  author: column(sql<string>`coalesce(${userName(categories.createdBy)}, '')`, z.string()),
  count: column(
    categories.useCount,
    z.number().int().openapi({ description: "The number of records in the category" }),
    {
      sort: { sorted: categories.useCount },
    },
  ),
  created_at: dateColumn(categories.createdAt, { sorted: categories.createdAt }),
})
