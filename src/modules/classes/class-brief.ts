import { sql } from "drizzle-orm"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { fullNameIn, subquery } from "../../db/sql.ts"

/** The fields of a class that its enrollments show. */
export interface ClassSummary {
  courseName: string
  featuredImageUrl: string | null
  location: string
  instructor: string
  /** The webinar provider; empty for a class without a webinar. */
  webinarProvider: string
  /** The IANA time zone of its times. */
  timeZone: string
}

/** Selects a column of a class enrollment's class. */
export const classColumn = (column: typeof classes.courseId | typeof classes.startAt | typeof classes.endAt) =>
  subquery(sql<number>`(select ${column} from ${classes} where ${classes.id} = ${classEnrollments.classId})`)

/** The class of a class enrollment: one lookup reads all its fields. */
export const classSummary = sql`(
    select json_object(
      'courseName', ${courses.name},
      'featuredImageUrl', ${courses.featuredImageUrl},
      'location', coalesce(${locations.name}, ''),
      'instructor', ${fullNameIn()},
      'webinarProvider', ${classes.webinarProvider},
      'timeZone', ${classes.timeZone}
    )
    from ${classes}
    join ${courses} on ${courses.id} = ${classes.courseId}
    join ${users} on ${users.id} = ${classes.instructorId}
    left join ${locations} on ${locations.id} = ${classes.locationId}
    where ${classes.id} = ${classEnrollments.classId}
  )`
  .mapWith((json: string): ClassSummary => JSON.parse(json))
  .as("class_brief")
