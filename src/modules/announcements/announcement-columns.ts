import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import {
  announcementCourses,
  announcementPortals,
  announcements,
  SENDING_RULES,
} from "../../../drizzle/schema/announcements.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { sortPrefix } from "../../db/list/listing.ts"
import { userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { audienceSummary, describeAudience, firstNames, toAudienceSummary } from "./announcement-audience.ts"

const columns = {
  id: integerColumn(announcements.id),
  heading: nameColumn(announcements.heading),
  author: column(sql<string>`coalesce(${userName(announcements.authorId)}, '')`, z.string()),
  created_at: dateColumn(announcements.createdAt),
  content: column(announcements.content, z.string(), { sort: { sorted: sortPrefix(announcements.content) } }),
}

/** The columns of the list of the caller's own announcements. */
export const ownAnnouncementColumns = listColumns(columns)

const courseNames = sql`
  ${courses.name} as name
  from ${announcementCourses}
  join ${courses} on ${courses.id} = ${announcementCourses.courseId}
  where ${announcementCourses.announcementId} = ${announcements.id}
  order by ${announcementCourses.courseId}`

const portalNames = sql`
  ${portals.name} as name
  from ${announcementPortals}
  join ${portals} on ${portals.id} = ${announcementPortals.portalId}
  where ${announcementPortals.announcementId} = ${announcements.id}
  order by ${announcementPortals.portalId}`

const audience = {
  rule: announcements.sendingRules,
  userCount: announcements.userCount,
  courses: firstNames(courseNames),
  portals: firstNames(portalNames),
}

/** The columns of the list of all announcements. */
export const announcementColumns = listColumns({
  ...columns,
  sent_to: column(audience, z.string().openapi({ example: "Users of Algebra, Botany" }), { show: describeAudience }),
  audience: column(audience, audienceSummary, { show: toAudienceSummary }),
  rules: column(announcements.sendingRules, z.enum(SENDING_RULES), { sort: { sorted: announcements.sendingRules } }),
})
