import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { pointsPossibleIn } from "../../../drizzle/rules.ts"
import { enrollments, moduleStatuses, tallies } from "../../../drizzle/schema/enrollments.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import type { BackgroundKind, Stage } from "../../db/background-work.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { hasReachedGoal, recountEnrollments } from "../progress/recount.ts"

const { InProgress, Completed } = EnrollmentStatus

/** Rows that completing an enrollment writes beside its own: counters, activity, certificate, awards, learning path. */
const COMPLETION_WEIGHT = 60

const completion = sql`${COMPLETION_WEIGHT} + (
  select count(*) from audiences where audiences.user_id = ${enrollments.userId}
)`

type OfCourse = { courseId: number }

/** A status at a time: the index by course and status then leads to where the last slice ended. */
const inStatus = (status: typeof InProgress | typeof Completed, counted: SQLWrapper): Stage<OfCourse> => ({
  table: enrollments,
  where: ({ courseId }) => sql`${enrollments.courseId} = ${courseId} and ${enrollments.status} = ${status}`,
  key: [enrollments.registeredAt, enrollments.id],
  weight: 3,
  ...(status === InProgress && {
    extraWeight: completion,
    sliceWeight: sql`iif(${hasReachedGoal}, ${completion}, 0)`,
  }),
  total: ({ courseId }) => sql`(
    select ${counted} from ${tallies}
    where ${tallies.audience} = 'all' and ${tallies.courseId} = ${courseId}
  )`,
  change: (work, _, which) => recountEnrollments(work, which),
})

/** Recounts the enrollments of a course whose modules changed. No percent falls, and Completed stays. */
export const courseRecount: BackgroundKind<OfCourse> = {
  name: "course.recount",
  // In this order an enrollment that completes meanwhile is not missed.
  stages: [inStatus(InProgress, tallies.inProgress), inStatus(Completed, tallies.completed)],
}

/** Recounts the points that are possible in enrollments where a module was graded, once it is worth something else. */
export const modulePointsRecount: BackgroundKind<{ moduleId: number }> = {
  name: "module.points",
  stages: [
    {
      table: moduleStatuses,
      where: ({ moduleId }) => sql`${moduleStatuses.moduleId} = ${moduleId}`,
      key: [moduleStatuses.enrollmentId],
      weight: 1,
      // A kept counter of a module's statuses does not exist: of all enrollments that have begun.
      total: () => sql`(
        select ${tallies.inProgress} + ${tallies.completed} from ${tallies}
        where ${tallies.audience} = 'all' and ${tallies.courseId} = 0
      )`,
      change: (work, _, which) => [recountPossiblePoints(work, which)],
    },
  ],
}

/** @param which a condition on module statuses */
export const recountPossiblePoints = ({ db }: UnitOfWork, which: SQL): Statement => {
  const possible = sql.raw(pointsPossibleIn("enrollments"))
  return db
    .update(enrollments)
    .set({ pointsPossible: possible })
    .where(
      sql`${enrollments.id} in (
          select ${moduleStatuses.enrollmentId} from ${moduleStatuses}
          where ${which} and ${moduleStatuses.pointsAwarded} is not null
        ) and ${enrollments.pointsPossible} <> ${possible}`,
    )
}
