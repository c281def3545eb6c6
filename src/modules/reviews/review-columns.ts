import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { reviews } from "../../../drizzle/schema/reviews.ts"
import { sortPrefix } from "../../db/list/listing.ts"
import { userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

/** The columns of the list of reviews and of a single review. */
export const reviewColumns = listColumns({
  id: integerColumn(reviews.id),
  userId: sortedIntegerColumn(reviews.userId),
  userName: column(sql<string>`${userName(reviews.userId)}`, z.string()),
  courseId: sortedIntegerColumn(reviews.courseId),
  rating: integerColumn(reviews.rating),
  created_at: dateColumn(reviews.createdAt),
  text: column(reviews.text, z.string(), { sort: { sorted: sortPrefix(reviews.text) } }),
})
