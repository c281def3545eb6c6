import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { ACTIVITY_VERBS, activities } from "../../../drizzle/schema/enrollments.ts"
import type { ActivityVerb } from "../../../drizzle/statuses.ts"
import { personSummary } from "../../access/accounts.ts"
import { actorName } from "../../db/sql.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { column, listColumns, unindexed } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateTimeColumn } from "../../lib/spreadsheet/date-columns.ts"
import { fullName } from "../../lib/text/words.ts"

/** The user of the activity. */
const person = personSummary(activities.userId)

/** The current name of the course, or its name when it was deleted. */
const courseName = sql<string>`coalesce(
  (select ${courses.name} from ${courses} where ${courses.id} = ${activities.courseId}), ${activities.courseName}
)`

const byActor = (actor: string | null) => (actor ? ` by ${actor}` : "")
const SENTENCES: Record<ActivityVerb, (course: string, actor: string | null) => string> = {
  ENROLLED: (course, actor) => `was enrolled in ${course}${byActor(actor)}`,
  STARTED: (course) => `started ${course}`,
  COMPLETED: (course) => `completed ${course}`,
  RESET: (course, actor) => `had the progress in ${course} reset${byActor(actor)}`,
  UNENROLLED: (course, actor) => `was unenrolled from ${course}${byActor(actor)}`,
}

/** The columns of the list of course activities. */
export const activityColumns = listColumns({
  id: unindexed(integerColumn(activities.id)),
  verb: column(activities.verb, z.enum(ACTIVITY_VERBS), { sort: { sorted: activities.verb } }),
  created_at: dateTimeColumn(activities.createdAt),
  message: column(
    { person, verb: activities.verb, course: courseName, actor: actorName(activities.actorId) },
    z.string().openapi({ example: "Ada Byron completed Algebra" }),
    { show: ({ person: who, verb, course, actor }) => `${fullName(who)} ${SENTENCES[verb](course, actor)}` },
  ),
  course: column(courseName, z.string(), { sort: { sorted: sql`${courseName} collate nocase` } }),
  avatar: column(person, z.string(), { show: avatarOf }),
  name: column(person, z.string(), { show: fullName }),
  email: column(person, z.string(), { show: ({ email }) => email }),
})
