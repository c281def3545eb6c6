import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { reviews } from "../../../drizzle/reviews.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { beginning } from "../../lib/sql/list.ts"
import { nameOfUser } from "../../lib/sql/sql.ts"
import { displayDate } from "../../lib/text/dates.ts"

/** The columns of the list of reviews; a review by itself is answered alike. */
export const reviewColumns = listColumns({
  id: column(reviews.id, z.number().int(), { sort: reviews.id }),
  userId: column(reviews.userId, z.number().int(), { sort: reviews.userId }),
  userName: column(sql<string>`${nameOfUser(reviews.userId)}`, z.string()),
  courseId: column(reviews.courseId, z.number().int(), { sort: reviews.courseId }),
  rating: column(reviews.rating, z.number().int(), { sort: reviews.rating }),
  created_at: column(reviews.createdAt, z.string(), { show: displayDate, sort: reviews.createdAt }),
  text: column(reviews.text, z.string(), { sort: { sorted: beginning(reviews.text) } }),
})
