import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { assignmentClaims, assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { DueStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { literal, rowExists } from "../../db/sql.ts"
import { now } from "../../lib/clock.ts"

/** What determines the due status, as SQL. */
interface DueState {
  status: SQLWrapper
  completedAt: SQLWrapper
  dueAt: SQLWrapper
  dueSoonAt: SQLWrapper
  overdueAt: SQLWrapper
  /** Whether the learner is exempt from the current cycle. */
  isExempt: SQLWrapper
}

/** Whether an enrollment is exempt. Its status shows it until the exemption ends. */
export const isExempt: SQL = sql`enrollments.due_status = ${literal(DueStatus.Exempt)}`

/** The columns of an enrollment. */
export const STORED: DueState = {
  status: sql`enrollments.status`,
  completedAt: sql`enrollments.completed_at`,
  dueAt: sql`enrollments.due_at`,
  dueSoonAt: sql`enrollments.due_soon_at`,
  overdueAt: sql`enrollments.overdue_at`,
  isExempt,
}

/** The due status at a time. A completion within the grace period, or while exempt, is not late. */
export const dueStatusOf = (
  { status, completedAt, dueAt, dueSoonAt, overdueAt, isExempt: exempt }: DueState,
  at: SQLWrapper | number,
): SQL => sql`(case
    when ${dueAt} = 0 then ${literal(DueStatus.NoDueDate)}
    when ${status} = ${literal(EnrollmentStatus.Completed)} then iif(
      ${completedAt} <= ${overdueAt} or ${exempt},
      ${literal(DueStatus.Completed)},
      ${literal(DueStatus.CompletedLate)}
    )
    when ${exempt} then ${literal(DueStatus.Exempt)}
    when ${at} > ${overdueAt} then ${literal(DueStatus.Overdue)}
    when ${at} >= ${dueSoonAt} then ${literal(DueStatus.DueSoon)}
    else ${literal(DueStatus.OnTrack)}
  end)`

/** The columns of an enrollment that is reset: its due date stays, and the sweep plans the reminders. */
export const dueColumnsOfReset = () => ({
  dueStatus: dueStatusOf({ ...STORED, status: literal(EnrollmentStatus.NotStarted) }, now()),
  dueCheckAt: sql`iif(${isExempt}, enrollments.due_check_at, iif(enrollments.due_at > 0, ${now()}, 0))`,
})

/** Whether an active rule repeats the training of an enrollment. */
export const recurs = rowExists(
  sql`${assignmentClaims} join ${assignmentRules} on ${assignmentRules.id} = ${assignmentClaims.ruleId}`,
  sql`${assignmentClaims.userId} = enrollments.user_id
    and ${assignmentClaims.courseId} = enrollments.course_id
    and ${assignmentRules.active} and ${assignmentRules.recurrence} is not null`,
)

/**
 * The columns of a completed enrollment that follow from its due date. The sweep schedules the next cycle of a
 * recurring training, so it must look at it.
 */
export const dueColumnsOfCompleted = (completedAt: SQLWrapper) => ({
  dueStatus: dueStatusOf({ ...STORED, status: literal(EnrollmentStatus.Completed), completedAt }, completedAt),
  dueCheckAt: sql`iif(${recurs}, ${completedAt}, 0)`,
})
