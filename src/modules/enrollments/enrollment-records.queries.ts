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
import {
  auditEnrollments,
  courseSeatsNotExceeded,
  defaultExpiry,
  enrollmentMessage,
  IS_ENROLLED,
  NAME_KEYS,
  requireCourseSeats,
} from "./enrollments.queries.ts"
import type { EnrollmentRecord, EnrollmentRecords } from "./enrollments.schemas.ts"

const { NotStarted, InProgress, Completed } = EnrollmentStatus

const member = (name: keyof ReturnType<typeof toRow>) => jsonField(name)

/** What a record says, with what follows from it. `expiresAt` null: as the course says. */
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
 * Registers users with the dates of another system, each record its own, in two trips. Pairs that are registered
 * already stay as they are; records of unknown users and courses are skipped.
 * @throws 409 when a course has too few seats left: nobody is registered then
 */
export async function recordEnrollments(work: UnitOfWork, { registrations: given }: EnrollmentRecords) {
  const { db, caller } = work
  const records = rowList(given.map(toRow))
  const [ids, found] = await work.read([
    work.nextIds("enrollments", given.length),
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
      .innerJoin(courses, sql`${courses.id} = ${member("courseId")}`)
      .innerJoin(users, sql`${users.id} = ${member("userId")}`)
      .leftJoin(enrollments, and(eq(enrollments.courseId, courses.id), eq(enrollments.userId, users.id)))
      .groupBy(courses.id),
  ])
  const afterId = firstRow(ids).last - given.length
  for (const { name, totalSeats, taken, known, already } of found)
    if (known > already)
      requireCourseSeats(known - already, totalSeats === 0 ? undefined : totalSeats - taken, `The course ${name}`)
  const sum = (count: (course: (typeof found)[number]) => number) => found.reduce((all, one) => all + count(one), 0)
  const alreadyEnrolled = sum((course) => course.already)
  const enrolled = sum((course) => course.known) - alreadyEnrolled
  const skipped = given.length - enrolled - alreadyEnrolled
  const answer = { message: enrollmentMessage(enrolled, alreadyEnrolled, skipped), enrolled, alreadyEnrolled, skipped }
  if (enrolled === 0) return work.commit([], answer)
  const made = insertedAfter(enrollments.id, afterId, given.length)
  const filling = idList(found.filter((course) => course.known > course.already).map((course) => course.id))
  return work.commit(
    [
      insertFrom(
        db,
        enrollments,
        {
          id: sql`${afterId} + key + 1`,
          userId: users.id,
          courseId: courses.id,
          status: member("status"),
          percent: member("percent"),
          enrolledBy: caller.id,
          registeredAt: member("registeredAt"),
          startedAt: member("startedAt"),
          completedAt: member("completedAt"),
          expiresAt: sql`coalesce(${member("expiresAt")}, ${defaultExpiry(member("registeredAt"))})`,
          lastAccessedAt: member("lastAccessedAt"),
          ...NAME_KEYS,
        },
        sql`
          from ${records}
          join ${courses} on ${courses.id} = ${member("courseId")}
          join ${users} on ${users.id} = ${member("userId")}
          where not ${IS_ENROLLED}`,
      ),
      ...onEnrolled(work, made, { started: true, completed: true }),
      auditEnrollments(work, "created", made),
      work.guard(sql`${rowCount(enrollments, made)} = ${enrolled} and ${courseSeatsNotExceeded(filling)}`),
    ],
    answer,
  )
}
