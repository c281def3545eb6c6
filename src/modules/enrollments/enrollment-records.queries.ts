import { and, eq, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { idList, insertedAfter, rowCount, rowList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { seatsTaken } from "../courses/seats.ts"
import { onEnrolled } from "../progress/course-progress.ts"
import { firstCycle } from "../progress/cycles.ts"
import {
  auditEnrollments,
  courseSeatsNotExceeded,
  defaultExpiry,
  enrollmentMessage,
  expiredWhenImported,
  IS_ENROLLED,
  NAME_KEYS,
  requireCourseSeats,
} from "./enrollments.queries.ts"
import type { EnrollmentRecord, EnrollmentRecords } from "./enrollments.schemas.ts"

const { NotStarted, InProgress, Completed } = EnrollmentStatus

const recordField = (name: keyof ReturnType<typeof toRow>) => jsonField(name)

/** Derives the enrollment's columns from a record. `expiresAt` null means the course's default. */
const toRow = ({
  user_id,
  course_id,
  registered_on,
  started_on = 0,
  completed_on = 0,
  expire_on,
}: EnrollmentRecord) => ({
  userId: user_id,
  courseId: course_id,
  status: completed_on ? Completed : started_on ? InProgress : NotStarted,
  percent: completed_on ? 100 : 0,
  registeredAt: registered_on ?? (started_on || completed_on || now()),
  startedAt: started_on || completed_on,
  completedAt: completed_on,
  expiresAt: expire_on ?? null,
  lastAccessedAt: Math.max(started_on, completed_on),
})

/**
 * Enrolls users with dates from another system, in two round trips. Existing enrollments are not changed, and
 * records of unknown users or courses are skipped.
 * @throws 409 if a course has too few seats left; no user is enrolled then
 */
export async function recordEnrollments(work: UnitOfWork, { registrations: inputs }: EnrollmentRecords) {
  const { db, caller } = work
  const records = rowList(inputs.map(toRow))
  const [ids, courseRows] = await work.read([
    work.nextIds("enrollments", inputs.length),
    db
      .select({
        id: sql<number>`${courses.id}`.as("course_id"),
        name: sql<string>`${courses.name}`.as("course_name"),
        totalSeats: sql<number>`${courses.totalSeats}`.as("total_seats"),
        taken: seatsTaken.as("taken"),
        known: sql<number>`count(*)`.as("known"),
        already: sql<number>`count(${enrollments.id})`.as("already"),
      })
      .from(records)
      .innerJoin(courses, sql`${courses.id} = ${recordField("courseId")}`)
      .innerJoin(users, sql`${users.id} = ${recordField("userId")}`)
      .leftJoin(enrollments, and(eq(enrollments.courseId, courses.id), eq(enrollments.userId, users.id)))
      .groupBy(courses.id),
  ])
  const afterId = firstRow(ids).last - inputs.length
  for (const { name, totalSeats, taken, known, already } of courseRows)
    if (known > already) requireCourseSeats(known - already, totalSeats === 0 ? undefined : totalSeats - taken, name)
  const sum = (count: (course: (typeof courseRows)[number]) => number) =>
    courseRows.reduce((all, one) => all + count(one), 0)
  const alreadyEnrolled = sum((course) => course.already)
  const enrolled = sum((course) => course.known) - alreadyEnrolled
  const skipped = inputs.length - enrolled - alreadyEnrolled
  const answer = { message: enrollmentMessage(enrolled, alreadyEnrolled, skipped), enrolled, alreadyEnrolled, skipped }
  if (enrolled === 0) return work.commit([], answer)
  const inserted = insertedAfter(enrollments.id, afterId, inputs.length)
  const expiresAt = sql`coalesce(${recordField("expiresAt")}, ${defaultExpiry(recordField("registeredAt"))})`
  const filledCourseIds = idList(
    courseRows.filter((course) => course.known > course.already).map((course) => course.id),
  )
  return work.commit(
    [
      insertFrom(
        db,
        enrollments,
        {
          id: sql`${afterId} + key + 1`,
          userId: users.id,
          courseId: courses.id,
          status: recordField("status"),
          percent: recordField("percent"),
          enrolledBy: caller.id,
          registeredAt: recordField("registeredAt"),
          startedAt: recordField("startedAt"),
          completedAt: recordField("completedAt"),
          expiresAt,
          expiredAt: expiredWhenImported(expiresAt),
          cycle: firstCycle(sql`${users.id}`, sql`${courses.id}`),
          lastAccessedAt: recordField("lastAccessedAt"),
          ...NAME_KEYS,
        },
        sql`
          from ${records}
          join ${courses} on ${courses.id} = ${recordField("courseId")}
          join ${users} on ${users.id} = ${recordField("userId")}
          where not ${IS_ENROLLED}`,
      ),
      ...onEnrolled(work, inserted, { started: true, completed: true }),
      auditEnrollments(work, "created", inserted),
      work.guard(sql`${rowCount(enrollments, inserted)} = ${enrolled} and ${courseSeatsNotExceeded(filledCourseIds)}`),
    ],
    answer,
  )
}
