import { sql } from "drizzle-orm"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { fullNameIn, subquery } from "../../db/sql.ts"

/** What a class enrollment's row shows of its class. */
export interface ClassSummary {
  courseName: string
  featuredImageUrl: string | null
  location: string
  instructor: string
  /** Who holds it online; empty: nobody. */
  webinarProvider: string
  /** Its IANA time zone, in which its times are shown. */
  timeZone: string
}

/** A column of a class enrollment's class. */
export const classColumn = (column: typeof classes.courseId | typeof classes.startAt | typeof classes.endAt) =>
  subquery(sql<number>`(select ${column} from ${classes} where ${classes.id} = ${classEnrollments.classId})`)

/** A class enrollment's class, read with the row: one lookup for all of it. */
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
