import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { categories } from "../../../drizzle/categories.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { nameOfUser } from "../../lib/sql/sql.ts"
import { displayDate } from "../../lib/text/dates.ts"

/** The columns of the list of categories. */
export const categoryColumns = listColumns({
  id: column(categories.id, z.number().int(), { sort: categories.id }),
  name: column(categories.name, z.string(), { sort: sql`${categories.name} collate nocase` }),
  author: column(sql<string>`coalesce(${nameOfUser(categories.createdBy)}, '')`, z.string()),
  count: column(categories.useCount, z.number().int().openapi({ description: "How many records are in it" }), {
    sort: categories.useCount,
  }),
  created_at: column(categories.createdAt, z.string(), { show: displayDate, sort: categories.createdAt }),
})
