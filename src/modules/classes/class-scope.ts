import { type SQL, sql } from "drizzle-orm"
import { classes, classTallies } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"

// Whose classes are whose to know of: below staff, not those of a draft that the caller may not know.

/** The drafts that a caller may not know; undefined: they may know all. */
export const hiddenCourseIds = (caller: Caller): SQL | undefined =>
  canSeeAllUsers(caller)
    ? undefined
    : sql`select ${courses.id} as id from ${courses} where ${courses.status} = 'draft' and not ${canSeeCourse(caller)}`

/** The condition that a class's course is the caller's to know of. */
export function isOfVisibleCourse(caller: Caller): SQL {
  const hidden = hiddenCourseIds(caller)
  return hidden ? sql`${classes.courseId} not in (${hidden})` : sql`1`
}

/** As `isOfVisibleCourse`, or somebody whom the caller looks after has a part in the class. */
export const canSeeClass = (caller: Caller): SQL =>
  sql`(${isOfVisibleCourse(caller)} or exists (
    select 1 from ${classTallies}
    where ${classTallies.audience} = ${`reach:${caller.id}`} and ${classTallies.classId} = ${classes.id}
      and ${classTallies.registered} + ${classTallies.attended} + ${classTallies.noShow} + ${classTallies.cancelled} > 0
  ))`
