import { and, eq, gt, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { idList, rowExists, rowList, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { conflict } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"

// How many of a group's members may be enrolled in a course through it.

export interface CourseSeats {
  course_id: number
  total_seats: number
}

/** A group's seats by course. */
export const selectCourseSeats = (db: Database, groupId: number) =>
  db
    .select({
      courseId: groupCourseSeats.courseId,
      totalSeats: groupCourseSeats.totalSeats,
      usedSeats: groupCourseSeats.usedSeats,
    })
    .from(groupCourseSeats)
    .where(eq(groupCourseSeats.groupId, groupId))
    .orderBy(groupCourseSeats.courseId)

/** The courses that a call names, each with the seats taken through the group, for the first trip. */
export const selectKnownCourses = (db: Database, wanted: CourseSeats[] = [], groupId = 0) =>
  db
    .select({
      id: courses.id,
      // Where the group has no seats any more, those who took one still hold it.
      taken: subquery(sql<number>`coalesce(
        (
          select ${groupCourseSeats.usedSeats}
          from ${groupCourseSeats}
          where ${groupCourseSeats.groupId} = ${groupId} and ${groupCourseSeats.courseId} = ${courses.id}
        ),
        (
          select count(*)
          from ${enrollments}
          where ${enrollments.groupId} = ${groupId} and ${enrollments.courseId} = ${courses.id}
        )
      )`).as("taken"),
    })
    .from(courses)
    .where(sql`${courses.id} in ${idList(wanted.map((seats) => seats.course_id))}`)

/**
 * Makes these a group's seats, and no others; undefined, and what there is already, leaves them. Unknown courses are
 * skipped and counted.
 * @throws 409 for fewer seats than are taken; the batch refuses them too
 */
export function setCourseSeats(
  work: UnitOfWork,
  groupId: number,
  wanted: CourseSeats[] | undefined,
  found: { id: number; taken: number }[],
  before: { courseId: number; totalSeats: number }[] = [],
): { statements: Statement[]; remarks: string[] } {
  if (!wanted) return { statements: [], remarks: [] }
  const known = new Map(found.map((course) => [course.id, course.taken]))
  const rows = wanted.filter((seats) => known.has(seats.course_id))
  for (const { course_id, total_seats } of rows) {
    const taken = known.get(course_id) ?? 0
    if (taken > total_seats)
      throw conflict(
        "seats_in_use",
        `${pluralize(taken, "seat")} of course ${course_id} taken: total_seats cannot be ${total_seats}.`,
      )
  }
  const unknown = wanted.length - rows.length
  const remarks = unknown > 0 ? [`${pluralize(unknown, "course")} unknown.`] : []
  const seatsAt = new Map(before.map((seats) => [seats.courseId, seats.totalSeats]))
  if (rows.length === seatsAt.size && rows.every((seats) => seatsAt.get(seats.course_id) === seats.total_seats))
    return { statements: [], remarks }
  const mine = eq(groupCourseSeats.groupId, groupId)
  return {
    statements: [
      work.db
        .delete(groupCourseSeats)
        .where(sql`${mine} and ${groupCourseSeats.courseId} not in ${idList([...known.keys()])}`),
      insertFrom(
        work.db,
        groupCourseSeats,
        { groupId, courseId: jsonField("course_id"), totalSeats: jsonField("total_seats") },
        sql`from ${rowList(rows)} where ${jsonField("course_id")} in (select id from ${courses})`,
      ).onConflictDoUpdate({
        target: [groupCourseSeats.groupId, groupCourseSeats.courseId],
        set: { totalSeats: sql`excluded.total_seats` },
      }),
      work.guard(
        sql`not ${rowExists(groupCourseSeats, and(mine, gt(groupCourseSeats.usedSeats, groupCourseSeats.totalSeats)))}`,
      ),
    ],
    remarks,
  }
}
