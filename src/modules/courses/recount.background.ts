import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { pointsPossibleIn } from "../../../drizzle/rules.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { enrollmentCounts, enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import type { BackgroundKind, Stage } from "../../db/background-work.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { hasReachedGoal, recountEnrollments } from "../progress/recount.ts"

const { InProgress, Completed } = EnrollmentStatus

/** Additional rows written per completed enrollment: counters, activity, certificate, awards, learning path. */
const COMPLETION_WEIGHT = 62

const completionWeight = sql`${COMPLETION_WEIGHT} + (
  select count(*) from audiences where audiences.user_id = ${enrollments.userId}
)`

type OfCourse = { courseId: number }

/** One status per stage, so that the index by course and status finds the end of the previous slice. */
const enrollmentStage = (status: typeof InProgress | typeof Completed, countColumn: SQLWrapper): Stage<OfCourse> => ({
  table: enrollments,
  where: ({ courseId }) => sql`${enrollments.courseId} = ${courseId} and ${enrollments.status} = ${status}`,
  key: [enrollments.registeredAt, enrollments.id],
  weight: 5,
  ...(status === InProgress && {
    extraWeight: completionWeight,
    sliceWeight: sql`iif(${hasReachedGoal}, ${completionWeight}, 0)`,
  }),
  total: ({ courseId }) => sql`(
    select ${countColumn} from ${enrollmentCounts}
    where ${enrollmentCounts.audience} = 'all' and ${enrollmentCounts.courseId} = ${courseId}
  )`,
  change: (work, _, which) => recountEnrollments(work, which),
})

/** Recounts the enrollments of a course after its modules changed. No percentage decreases, and Completed stays. */
export const courseRecount: BackgroundKind<OfCourse> = {
  name: "course.recount",
  // This order does not miss enrollments that are completed meanwhile.
  stages: [
    enrollmentStage(InProgress, enrollmentCounts.inProgress),
    enrollmentStage(Completed, enrollmentCounts.completed),
  ],
}

/** The graded module statuses that match a condition: only these have an index by module. */
const isGraded = (which: SQL) => sql`${which} and ${moduleStatuses.pointsAwarded} is not null`

/** Recounts the possible points of enrollments with a graded module, after the module's points changed. */
export const modulePointsRecount: BackgroundKind<{ moduleId: number }> = {
  name: "module.points",
  stages: [
    {
      table: moduleStatuses,
      where: ({ moduleId }) => isGraded(sql`${moduleStatuses.moduleId} = ${moduleId}`),
      key: [moduleStatuses.enrollmentId],
      weight: 2,
      // An upper bound, because no counter of a module's statuses exists: all started enrollments.
      total: () => sql`(
        select ${enrollmentCounts.inProgress} + ${enrollmentCounts.completed} from ${enrollmentCounts}
        where ${enrollmentCounts.audience} = 'all' and ${enrollmentCounts.courseId} = 0
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
    .set({ pointsPossible: possible, updatedAt: nextUpdatedAt })
    .where(
      sql`${enrollments.id} in (
          select ${moduleStatuses.enrollmentId} from ${moduleStatuses}
          where ${isGraded(which)}
        ) and ${enrollments.pointsPossible} <> ${possible}`,
    )
}
