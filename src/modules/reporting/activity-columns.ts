import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { courses } from "../../../drizzle/courses.ts"
import { type ActivityVerb, activities } from "../../../drizzle/enrolments.ts"
import { users } from "../../../drizzle/users.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { integerColumn } from "../../lib/sheet/common-columns.ts"
import { dateTimeColumn } from "../../lib/sheet/date-columns.ts"
import { nameOfUser } from "../../lib/sql/sql.ts"
import { fullName } from "../../lib/text/words.ts"

interface Person {
  firstName: string
  lastName: string
  email: string
  avatar: string | null
}

/** Who did or underwent it: one lookup for all of it. */
const person = sql`(
  select json_object(
    'firstName', ${users.firstName},
    'lastName', ${users.lastName},
    'email', ${users.email},
    'avatar', ${users.avatar}
  )
  from ${users}
  where ${users.id} = ${activities.userId}
)`.mapWith((json: string): Person => JSON.parse(json))

/** The course as it is called now, or was when it was deleted. */
const courseName = sql<string>`coalesce(
  (select ${courses.name} from ${courses} where ${courses.id} = ${activities.courseId}), ${activities.courseName}
)`

const by = (actor: string | null) => (actor ? ` by ${actor}` : "")
const SENTENCES: Record<ActivityVerb, (course: string, actor: string | null) => string> = {
  ENROLLED: (course, actor) => `was enrolled in ${course}${by(actor)}`,
  STARTED: (course) => `started ${course}`,
  COMPLETED: (course) => `completed ${course}`,
  RESET: (course, actor) => `had the progress in ${course} reset${by(actor)}`,
  UNENROLLED: (course, actor) => `was unenrolled from ${course}${by(actor)}`,
}

/** The columns of the list of what users did in courses. */
export const activityColumns = listColumns({
  id: integerColumn(activities.id),
  verb: column(activities.verb, z.string(), { sort: { sorted: activities.verb } }),
  created_at: dateTimeColumn(activities.createdAt),
  message: column(
    { person, verb: activities.verb, course: courseName, actor: nameOfUser(activities.actorId) },
    z.string().openapi({ example: "Ada Byron completed Algebra" }),
    { show: ({ person: who, verb, course, actor }) => `${fullName(who)} ${SENTENCES[verb](course, actor)}` },
  ),
  course: column(courseName, z.string(), { sort: { sorted: sql`${courseName} collate nocase` } }),
  avatar: column(person, z.string(), { show: avatarOf }),
  name: column(person, z.string(), { show: fullName }),
  email: column(person, z.string(), { show: ({ email }) => email }),
})
