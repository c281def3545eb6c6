import { type SQL, sql } from "drizzle-orm"
import { classCounts, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"

// Which classes a caller can see. Below staff, these are not the classes of drafts that the caller cannot see.

/** A query of the drafts that the caller cannot see; undefined if they can see all. */
export const hiddenCourseIds = (caller: Caller): SQL | undefined =>
  canSeeAllUsers(caller)
    ? undefined
    : sql`select ${courses.id} as id from ${courses} where ${courses.status} = 'draft' and not ${canSeeCourse(caller)}`

/** The condition that the caller can see the course of a class. */
export function isOfVisibleCourse(caller: Caller): SQL {
  const hidden = hiddenCourseIds(caller)
  return hidden ? sql`${classes.courseId} not in (${hidden})` : sql`1`
}

/** The condition that the caller can see the course of a class, or supervises someone who is enrolled in the class. */
export const canSeeClass = (caller: Caller): SQL =>
  sql`(${isOfVisibleCourse(caller)} or exists (
    select 1 from ${classCounts}
    where ${classCounts.audience} = ${`supervisor:${caller.id}`} and ${classCounts.classId} = ${classes.id}
      and ${classCounts.registered} + ${classCounts.attended} + ${classCounts.noShow} + ${classCounts.cancelled} > 0
  ))`
