import { type SQLWrapper, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollmentCounts } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { subquery } from "../../db/sql.ts"

const { notStarted, inProgress, completed } = enrollmentCounts

/** The number of enrollments in an `enrollment_counts` row, in any status. */
export const totalEnrollments = sql<number>`${notStarted} + ${inProgress} + ${completed}`

/** The number of learners enrolled in the row's course. */
export const seatsTaken = subquery(sql<number>`coalesce((
  select ${totalEnrollments}
  from ${enrollmentCounts}
  where ${enrollmentCounts.audience} = 'all' and ${enrollmentCounts.courseId} = ${courses.id}
), 0)`)

/** The condition that seats belong to the group and the row's course. */
export const isGroupSeat = (groupId: number) =>
  sql`${groupCourseSeats.groupId} = ${groupId} and ${groupCourseSeats.courseId} = ${courses.id}`

/** Selects the total or used seats of a group in the row's course; null if it has none. */
export const selectGroupSeats = (column: SQLWrapper, groupId: number) =>
  subquery(sql<number | null>`(
    select ${column}
    from ${groupCourseSeats}
    where ${isGroupSeat(groupId)}
  )`)
