import { type SQLWrapper, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { tallies } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { subquery } from "../../db/sql.ts"

/** How many registrations a row of `tallies` counts, whatever their status. */
export const totalEnrollments = sql<number>`${tallies.notStarted} + ${tallies.inProgress} + ${tallies.completed}`

/** How many are enrolled in the course of the row. */
export const seatsTaken = subquery(sql<number>`coalesce((
  select ${totalEnrollments}
  from ${tallies}
  where ${tallies.audience} = 'all' and ${tallies.courseId} = ${courses.id}
), 0)`)

/** The seats that a group has in the course of the row. */
export const isGroupSeat = (groupId: number) =>
  sql`${groupCourseSeats.groupId} = ${groupId} and ${groupCourseSeats.courseId} = ${courses.id}`

/** The total or the used seats of a group in the course of the row; null where the group has none. */
export const selectGroupSeats = (column: SQLWrapper, groupId: number) =>
  subquery(sql<number | null>`(
    select ${column}
    from ${groupCourseSeats}
    where ${isGroupSeat(groupId)}
  )`)
