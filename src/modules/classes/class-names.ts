import { type SQLWrapper, sql } from "drizzle-orm"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { subquery, userName } from "../../db/sql.ts"
import { displayDate, displayDateTime, displayTime, isoTime, plainDateTime } from "../../lib/text/dates.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"

// Fields of records that a class refers to.

/** Selects a column of the class's course. */
const courseValue = <T>(column: SQLWrapper) =>
  subquery(sql<T>`(select ${column} from ${courses} where ${courses.id} = ${classes.courseId})`)

export const classCourseName = courseValue<string>(courses.name)
export const courseInstructions = courseValue<string>(courses.instructions)
export const courseImage = courseValue<string | null>(courses.featuredImageUrl)
export const locationName = subquery(
  sql<string>`coalesce((select ${locations.name} from ${locations} where ${locations.id} = ${classes.locationId}), '')`,
)
export const instructorName = sql<string>`${userName(classes.instructorId)}`

/** The avatar of the enrolled user. */
export const learnerAvatar = subquery(
  sql<string | null>`(select ${users.avatar} from ${users} where ${users.id} = ${classEnrollments.userId})`,
)

/** The times of a class in epoch milliseconds, and its IANA time zone. */
export interface ClassTimes {
  startAt: number
  endAt: number
  timeZone: string
}

/** Formats the times of a class in its time zone. */
export function formatClassTimes({ startAt, endAt, timeZone }: ClassTimes) {
  const [start, end] = [wallTimeOf(startAt, timeZone), wallTimeOf(endAt, timeZone)]
  return {
    startDate: displayDate(start),
    endDate: displayDate(end),
    startTime: displayTime(start),
    endTime: displayTime(end),
    timeZone,
    startsAt: isoTime(startAt),
    endsAt: isoTime(endAt),
  }
}

/** `Jan 05, 2026 03:04 PM`, in the class's time zone. */
export const formatClassTime = (at: number, { timeZone }: Pick<ClassTimes, "timeZone">) =>
  displayDateTime(wallTimeOf(at, timeZone))

/** `2026-01-05 15:04:00`, in the class's time zone: the format that inputs accept. */
export const toInputTime = (at: number, { timeZone }: Pick<ClassTimes, "timeZone">) =>
  plainDateTime(wallTimeOf(at, timeZone))
