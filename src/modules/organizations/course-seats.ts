import { and, eq, gt, type SQL, sql } from "drizzle-orm"
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

// The number of members that may be enrolled in a course through a group.

export interface CourseSeats {
  course_id: number
  total_seats: number
}

/** Selects the seats of a group by course. */
export const selectCourseSeats = (db: Database, groupId: number | SQL) =>
  db
    .select({
      courseId: groupCourseSeats.courseId,
      totalSeats: groupCourseSeats.totalSeats,
      usedSeats: groupCourseSeats.usedSeats,
      courseName: courses.name,
    })
    .from(groupCourseSeats)
    .innerJoin(courses, eq(courses.id, groupCourseSeats.courseId))
    .where(sql`${groupCourseSeats.groupId} = ${groupId}`)
    .orderBy(groupCourseSeats.courseId)

/** Selects the existing courses among `wanted` with the seats taken through the group, for the first round trip. */
export const selectKnownCourses = (db: Database, wanted: CourseSeats[] = [], groupId = 0) =>
  db
    .select({
      id: courses.id,
      // Counts enrollments if the group no longer has seats: they keep the seat that they took.
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
 * Replaces the seats of a group; undefined or an equal set changes nothing. Unknown courses are skipped and counted.
 * @throws 409 for fewer seats than are taken; the batch checks this too
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
        `${pluralize(taken, "seat")} of course ${course_id} already used: total_seats cannot be ${total_seats}.`,
      )
  }
  const unknown = wanted.length - rows.length
  const remarks = unknown > 0 ? [`${pluralize(unknown, "course")} not found.`] : []
  const currentSeats = new Map(before.map((seats) => [seats.courseId, seats.totalSeats]))
  if (
    rows.length === currentSeats.size &&
    rows.every((seats) => currentSeats.get(seats.course_id) === seats.total_seats)
  )
    return { statements: [], remarks }
  const ofGroup = eq(groupCourseSeats.groupId, groupId)
  return {
    statements: [
      work.db
        .delete(groupCourseSeats)
        .where(sql`${ofGroup} and ${groupCourseSeats.courseId} not in ${idList([...known.keys()])}`),
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
        sql`not ${rowExists(
          groupCourseSeats,
          and(ofGroup, gt(groupCourseSeats.usedSeats, groupCourseSeats.totalSeats)),
        )}`,
      ),
    ],
    remarks,
  }
}
