import { type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { rawStatement } from "../../db/select.ts"
import { insertedAfter, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { seatsTaken, selectGroupSeats } from "../courses/seats.ts"
import { onEnrolled } from "../progress/course-progress.ts"
import { firstCycle } from "../progress/cycles.ts"
import { onPathsProgressed } from "../progress/path-progress.ts"
import { auditEnrollments, defaultExpiry, IS_ENROLLED, NAME_KEYS } from "./enrollments.queries.ts"
import { auditPathEnrollments, IS_IN_PATH } from "./path-enrollments.queries.ts"

// Enrolls users in what they lack. The statements find it by themselves, so running them again changes nothing.

/** Ids for new enrollments: `count` after `afterId`. */
export interface NewIds {
  afterId: number
  count: number
}

/** Users who must be enrolled in courses and paths. */
export interface WantedEnrollments {
  /** A condition on `users`. */
  users: SQL
  /** Queries of ids. */
  courses: SQL
  paths: SQL
  /** The group whose seats are used. */
  groupId: number | null
  at: number
}

/** Draws ids for the enrollments in courses and paths that users lack. */
export function drawEnrollmentIds(work: UnitOfWork, wanted: Pick<WantedEnrollments, "users" | "courses" | "paths">) {
  const missing = (table: typeof courses | typeof learningPaths, targets: SQL, isEnrolled: SQL) =>
    sql`(
      select count(*) from ${users} cross join ${table}
      where ${wanted.users} and ${table.id} in (${targets}) and not ${isEnrolled}
    )`
  const inCourses = missing(courses, wanted.courses, IS_ENROLLED)
  const inPaths = missing(learningPaths, wanted.paths, rowExists(learningPathEnrollments, IS_IN_PATH))
  const statements = [
    rawStatement<{ courses: number; paths: number }>(
      work.db,
      sql`select ${inCourses} as "courses", ${inPaths} as "paths"`,
    ),
    work.nextIds("enrollments", inCourses, sql`wanted.count > 0`),
    work.nextIds("learning_path_enrollments", inPaths, sql`wanted.count > 0`),
  ] as const
  const newIds = (drawn: { last: number } | undefined, count = 0): NewIds | undefined =>
    drawn && count > 0 ? { afterId: drawn.last - count, count } : undefined
  return {
    statements,
    read: (
      [counts]: { courses: number; paths: number }[],
      [course]: { last: number }[],
      [path]: { last: number }[],
    ) => ({
      enrollments: newIds(course, counts?.courses),
      paths: newIds(path, counts?.paths),
    }),
  }
}

/** The free seats of the row's course, for everyone and for the group whose seats the rule uses. */
export const seatsLeftInCourse = (groupId: number | null) => sql`min(
  iif(${courses.totalSeats} > 0, ${courses.totalSeats} - ${seatsTaken}, 9e15),
  coalesce(
    ${selectGroupSeats(groupCourseSeats.totalSeats, groupId ?? 0)}
      - ${selectGroupSeats(groupCourseSeats.usedSeats, groupId ?? 0)},
    9e15
  )
)`

/** Enrolls users in the courses that they lack, as long as there are seats. */
export function enrollMissing(work: UnitOfWork, wanted: WantedEnrollments, { afterId, count }: NewIds): Statement[] {
  const { at, groupId } = wanted
  const { db, caller } = work
  const inserted = insertedAfter(enrollments.id, afterId, count)
  // Seats go to the users with the lowest ids.
  const ranked = sql`(
    select ${courses.id} as course_id, ${users.id} as user_id,
      row_number() over (partition by ${courses.id} order by ${users.id}) as place
    from ${courses} cross join ${users}
    where ${courses.id} in (${wanted.courses}) and ${wanted.users} and not ${IS_ENROLLED}
  ) as ranked`
  return [
    insertFrom(
      db,
      enrollments,
      {
        id: sql`${afterId} + row_number() over (order by ${courses.id}, ${users.id})`,
        userId: users.id,
        courseId: courses.id,
        groupId,
        enrolledBy: caller.id,
        registeredAt: at,
        expiresAt: defaultExpiry(sql`${at}`),
        cycle: firstCycle(sql`${users.id}`, sql`${courses.id}`),
        ...NAME_KEYS,
      },
      sql`
        from ${ranked}
        join ${courses} on ${courses.id} = ranked.course_id
        join ${users} on ${users.id} = ranked.user_id
        where ranked.place <= ${seatsLeftInCourse(groupId)}
        order by ${courses.id}, ${users.id}
        limit ${count}`,
    ),
    ...onEnrolled(work, inserted, { started: false, completed: false }),
    auditEnrollments(work, "created", inserted),
  ]
}

/** Enrolls users in the learning paths that they lack, after their courses. */
export function enrollInMissingPaths(
  work: UnitOfWork,
  wanted: WantedEnrollments,
  { afterId, count }: NewIds,
): Statement[] {
  const { db } = work
  const inserted = insertedAfter(learningPathEnrollments.id, afterId, count)
  return [
    insertFrom(
      db,
      learningPathEnrollments,
      {
        id: sql`${afterId} + row_number() over (order by ${learningPaths.id}, ${users.id})`,
        userId: users.id,
        learningPathId: learningPaths.id,
        status: EnrollmentStatus.NotStarted,
        percent: 0,
        completedCourses: 0,
        certificateCount: 0,
        registeredAt: wanted.at,
        startedAt: 0,
        completedAt: 0,
      },
      sql`
        from ${learningPaths} cross join ${users}
        where ${learningPaths.id} in (${wanted.paths}) and ${wanted.users}
          and not ${rowExists(learningPathEnrollments, IS_IN_PATH)}
        order by ${learningPaths.id}, ${users.id}
        limit ${count}`,
    ),
    ...onPathsProgressed(db, inserted),
    auditPathEnrollments(work, "created", inserted),
  ]
}
