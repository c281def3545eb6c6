import { type SQL, sql } from "drizzle-orm"
import {
  certificatesOf,
  completedModulesIn,
  isCourseCompleted,
  percentOf,
  pointsAwardedIn,
  pointsPossibleIn,
} from "../../../drizzle/rules.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { onCourseCompleted } from "./course-progress.ts"
import { dueColumnsOfCompleted } from "./due-status.ts"
import { onCoursesCompleting } from "./path-progress.ts"

const goal = "(SELECT goal FROM courses WHERE courses.id = enrollments.course_id)"

/** Whether the learner has completed the modules that the course currently requires. */
export const hasReachedGoal = sql.raw(isCourseCompleted(completedModulesIn("enrollments"), goal))

/**
 * Recounts started enrollments after their course's modules changed. No percentage decreases, and Completed stays.
 * @param condition a condition on the enrollments
 */
export function recountEnrollments(work: UnitOfWork, condition: SQL): Statement[] {
  const { db } = work
  const at = now()
  const updatedAt = nextUpdatedAt
  const counts = {
    done: sql.raw(completedModulesIn("enrollments")),
    pointsAwarded: sql.raw(pointsAwardedIn("enrollments")),
    pointsPossible: sql.raw(pointsPossibleIn("enrollments")),
  }
  const { done, pointsAwarded, pointsPossible } = enrollments
  const differs = sql`(${done}, ${pointsAwarded}, ${pointsPossible}) <> (${sql.join(Object.values(counts), sql`, `)})`
  const percent = sql.raw(percentOf("enrollments.percent", "enrollments.done", goal))
  const completing = sql`${condition}
    and ${enrollments.status} = ${literal(EnrollmentStatus.InProgress)}
    and ${sql.raw(isCourseCompleted("enrollments.done", goal))}`
  return [
    // Each statement only writes changed rows, and indexed columns only if they change.
    db
      .update(enrollments)
      .set({ ...counts, updatedAt })
      .where(sql`${condition} and ${differs}`),
    db
      .update(enrollments)
      .set({ percent, updatedAt })
      .where(sql`${condition} and ${enrollments.percent} <> ${percent} and not (${completing})`),
    ...onCourseCompleted(work, { from: enrollments, where: completing, completedAt: sql`${at}` }),
    ...onCoursesCompleting(db, completing, at),
    db
      .update(enrollments)
      .set({
        percent,
        completedAt: at,
        status: EnrollmentStatus.Completed,
        ...dueColumnsOfCompleted(sql`${at}`),
        certificateCount: sql.raw(certificatesOf("enrollments")),
        updatedAt,
      })
      .where(completing),
  ]
}
