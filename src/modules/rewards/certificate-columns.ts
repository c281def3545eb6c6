import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/certificates.ts"
import { courses } from "../../../drizzle/courses.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { displayDate } from "../../lib/text/dates.ts"

const featuredImage = sql<string | null>`(
  select ${courses.featuredImageUrl} from ${courses}
  where ${courses.id} = ${certificates.courseId}
)`

// One user's certificates are few: beside `issueDate` they are sorted, not read from an index.

/** The columns of the list of a user's certificates. */
export const certificateColumns = listColumns({
  id: column(certificates.id, z.number().int(), { sort: certificates.id }),
  courseId: column(
    certificates.courseId,
    z.number().int().nullable().openapi({ description: "null: the course was deleted since" }),
    { sort: sql`coalesce(${certificates.courseId}, 0)` },
  ),
  userId: column(certificates.userId, z.number().int(), { sort: certificates.userId }),
  templateId: column(certificates.templateId, z.number().int(), { sort: certificates.templateId }),
  courseName: column(certificates.courseName, z.string().openapi({ description: "As it was at issue" }), {
    sort: sql`${certificates.courseName} collate nocase`,
  }),
  coursefeaturedImage: column(featuredImage, z.string().nullable()),
  issueDate: column(certificates.issuedAt, z.string().openapi({ example: "Jan 05, 2026" }), {
    show: displayDate,
    sort: certificates.issuedAt,
  }),
})
