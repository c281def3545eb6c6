import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { reviews } from "../../../drizzle/reviews.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { integerColumn, sortedIntegerColumn } from "../../lib/sheet/common-columns.ts"
import { dateColumn } from "../../lib/sheet/date-columns.ts"
import { beginning } from "../../lib/sql/list.ts"
import { nameOfUser } from "../../lib/sql/sql.ts"

/** The columns of the list of reviews; a review by itself is answered alike. */
export const reviewColumns = listColumns({
  id: integerColumn(reviews.id),
  userId: sortedIntegerColumn(reviews.userId),
  userName: column(sql<string>`${nameOfUser(reviews.userId)}`, z.string()),
  courseId: sortedIntegerColumn(reviews.courseId),
  rating: integerColumn(reviews.rating),
  created_at: dateColumn(reviews.createdAt),
  text: column(reviews.text, z.string(), { sort: { sorted: beginning(reviews.text) } }),
})
