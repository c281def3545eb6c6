import { sql } from "drizzle-orm"
import { classes } from "../../../drizzle/classes.ts"
import { courses } from "../../../drizzle/courses.ts"
import { locations } from "../../../drizzle/locations.ts"
import { users } from "../../../drizzle/users.ts"
import { displayDate, displayTime } from "../../lib/dates.ts"
import { subquery } from "../../lib/sql.ts"

// What is shown of a class beside its own columns: looked up with it, never kept.

export const courseName = subquery(
  sql<string>`(select ${courses.name} from ${courses} where ${courses.id} = ${classes.courseId})`,
)
export const locationName = subquery(
  sql<string>`coalesce((select ${locations.name} from ${locations} where ${locations.id} = ${classes.locationId}), '')`,
)
export const instructorName = subquery(
  sql<string>`(select trim(${users.firstName} || ' ' || ${users.lastName}) from ${users} where ${users.id} = ${classes.instructorId})`,
)

/** `startDate`, `endDate`, `startTime` and `endTime` as the document has them. */
export const when = ({ startAt, endAt }: { startAt: number; endAt: number }) => ({
  startDate: displayDate(startAt),
  endDate: displayDate(endAt),
  startTime: displayTime(startAt),
  endTime: displayTime(endAt),
})
