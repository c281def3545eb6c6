import { z } from "@hono/zod-openapi"
import { type SQL, sql } from "drizzle-orm"
import { ENROLLMENT_STATUSES, enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { DueStatus, EnrollmentStatus, ModuleStatus, QuizResult } from "../../../drizzle/statuses.ts"
import { literal, subquery } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { dateOrNeverColumn } from "../../lib/spreadsheet/date-columns.ts"
import { dueColumns, learnerColumns, percentColumn } from "../enrollments/registration-columns.ts"
import { userDetailedColumns } from "./detailed-columns.ts"

/** Why a learner may not complete a course. */
export const RISK_REASONS = ["overdue", "failed_attempts", "inactive", "not_started"] as const
export type RiskReason = (typeof RISK_REASONS)[number]

/** The number of failed attempts at quizzes that are not completed from which a learner is at risk. */
export const FAILED_ATTEMPTS = 2

const failedAttempts: SQL<number> = subquery(sql<number>`(
  select count(*) from ${quizAttempts}
  join ${moduleStatuses} on ${moduleStatuses.enrollmentId} = ${quizAttempts.enrollmentId}
    and ${moduleStatuses.moduleId} = ${quizAttempts.moduleId}
    and ${moduleStatuses.status} <> ${literal(ModuleStatus.Completed)}
    and ${moduleStatuses.id} = ${quizAttempts.statusRowId}
  where ${quizAttempts.enrollmentId} = ${enrollments.id} and ${quizAttempts.result} = ${literal(QuizResult.Failed)}
)`)

/** The conditions of the reasons. @param cutoff the time since when a learner must have been active */
export const riskConditions = (cutoff: number): Record<RiskReason, SQL> => ({
  overdue: sql`(+${enrollments.dueStatus} = ${literal(DueStatus.Overdue)})`,
  failed_attempts: sql`(${failedAttempts} >= ${FAILED_ATTEMPTS})`,
  inactive: sql`(
    +${enrollments.status} = ${literal(EnrollmentStatus.InProgress)}
    and max(${enrollments.lastAccessedAt}, ${enrollments.startedAt}) < ${cutoff}
  )`,
  not_started: sql`(
    +${enrollments.status} = ${literal(EnrollmentStatus.NotStarted)} and +${enrollments.registeredAt} < ${cutoff}
  )`,
})

interface RiskRow {
  status: EnrollmentStatus
  dueStatus: DueStatus
  failed: number
  registeredAt: number
  startedAt: number
  lastAccessedAt: number
}

/** The same conditions for a row. */
const reasonsOf = (row: RiskRow, { cutoff }: { cutoff: number }): RiskReason[] => {
  const isAtRisk: Record<RiskReason, boolean> = {
    overdue: row.dueStatus === DueStatus.Overdue,
    failed_attempts: row.failed >= FAILED_ATTEMPTS,
    inactive: row.status === EnrollmentStatus.InProgress && Math.max(row.lastAccessedAt, row.startedAt) < cutoff,
    not_started: row.status === EnrollmentStatus.NotStarted && row.registeredAt < cutoff,
  }
  return RISK_REASONS.filter((reason) => isAtRisk[reason])
}

const { user_id, first_name, last_name, email } = learnerColumns
const unsorted = <C extends { sort: unknown }>(column: C): C => ({ ...column, sort: undefined })

/** The columns of the list of learners at risk. */
export const atRiskColumns = listColumns({
  id: column(enrollments.id, z.number().int().openapi({ description: "The registrationId" })),
  user_id: unsorted(user_id),
  first_name: unsorted(first_name),
  last_name: { ...last_name, sort: { sorted: enrollments.lastNameKey } },
  email: unsorted(email),
  course_id: column(enrollments.courseId, z.number().int()),
  courseName: unsorted(userDetailedColumns.columns.courseName),
  status: column(enrollments.status, z.enum(ENROLLMENT_STATUSES)),
  percent_complete: percentColumn,
  last_accessed_on: dateOrNeverColumn(enrollments.lastAccessedAt, { sort: { sorted: enrollments.lastAccessedAt } }),
  registered_on: dateOrNeverColumn(enrollments.registeredAt, { sort: { sorted: enrollments.registeredAt } }),
  dueAt: dueColumns.dueAt,
  dueStatus: unsorted(dueColumns.dueStatus),
  failedAttempts: column(
    failedAttempts,
    z.number().int().openapi({ description: "Failed attempts at quizzes that are not completed" }),
    { sort: { sorted: failedAttempts } },
  ),
  reasons: column(
    {
      status: enrollments.status,
      dueStatus: enrollments.dueStatus,
      failed: failedAttempts,
      registeredAt: enrollments.registeredAt,
      startedAt: enrollments.startedAt,
      lastAccessedAt: enrollments.lastAccessedAt,
    },
    z.array(z.enum(RISK_REASONS)),
    { show: reasonsOf },
  ),
})

/** The number of reasons, to sort by. */
export const riskOf = (cutoff: number): SQL => sql`(${sql.join(Object.values(riskConditions(cutoff)), sql` + `)})`
