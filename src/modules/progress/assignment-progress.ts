import { type SQL, sql } from "drizzle-orm"
import { moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { submissions } from "../../../drizzle/schema/submissions.ts"
import { ModuleStatus, SubmissionStatus } from "../../../drizzle/statuses.ts"
import { literal, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { onAchievement } from "../gamification/awards.ts"

/**
 * Must run before assignments become Completed.
 * @param accepted a query of `user_id`, `module_id` and `at`, without assignments that are Completed already
 */
export const onAssignmentsAccepted = ({ db }: UnitOfWork, accepted: SQL): Statement =>
  onAchievement(
    db,
    "assignment_accepted",
    { userId: sql`accepted.user_id`, targetId: sql`accepted.module_id`, at: sql`accepted.at` },
    { from: sql`(${accepted}) as accepted`, where: sql`true` },
  )

/**
 * Closes submissions that wait for an evaluation although their module is no longer Submitted.
 * @param statusRows a query of the `id` of module statuses
 */
export const closeSubmissions = ({ db }: UnitOfWork, statusRows: SQL): Statement => {
  const waits = rowExists(
    moduleStatuses,
    sql`${moduleStatuses.enrollmentId} = ${submissions.enrollmentId}
      and ${moduleStatuses.moduleId} = ${submissions.moduleId}
      and ${moduleStatuses.status} = ${literal(ModuleStatus.Submitted)}`,
  )
  return db
    .update(submissions)
    .set({ status: SubmissionStatus.Closed })
    .where(
      sql`${submissions.id} in (
          select submitted.id
          from (${statusRows}) as named
          cross join ${submissions} as submitted
            on submitted.status_row_id = named.id and submitted.status = ${literal(SubmissionStatus.Submitted)}
        )
        and not ${waits}`,
    )
}
