import { type SQL, sql } from "drizzle-orm"
import { assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { enrollments, reminders } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { DueStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { canManageUser } from "../../access/scope.ts"
import { type RowOf, selectFrom } from "../../db/select.ts"
import { idList, subquery } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { momentOf } from "../../lib/text/zones.ts"
import { personTimeZone } from "../progress/cycles.ts"
import { dayAt, endOfDay } from "../progress/due-dates.ts"
import { DEFAULT_SCHEDULE, type DueSchedule } from "../progress/due-schedule.ts"
import type { Deadline } from "./due-dates.schemas.ts"

type StoredSchedule = Omit<DueSchedule, "skipWeekends"> & { skipWeekends: 0 | 1 }

/** The schedule of the rule that sets the due date. null: it was set by hand, or the rule was deleted. */
const selectSchedule = subquery(sql`(
  select json_patch(rule.reminders, json_object('graceDays', rule.grace_days, 'skipWeekends', rule.skip_weekends))
  from ${assignmentRules} as rule where rule.id = ${enrollments.dueRuleId}
)`).mapWith((json: string): StoredSchedule | null => JSON.parse(json))

/** What a change of a due date follows from. */
export const DUE_FIELDS = {
  id: enrollments.id,
  userId: enrollments.userId,
  courseId: enrollments.courseId,
  status: enrollments.status,
  cycle: enrollments.cycle,
  completedAt: enrollments.completedAt,
  dueAt: enrollments.dueAt,
  dueStatus: enrollments.dueStatus,
  dueRuleId: enrollments.dueRuleId,
  isDisabled: users.disabled,
  timeZone: personTimeZone,
  schedule: selectSchedule,
  lastReminderDay: subquery(sql<number | null>`(
    select max(${reminders.day}) from ${reminders}
    where ${reminders.enrollmentId} = ${enrollments.id} and ${reminders.cycle} = ${enrollments.cycle}
  )`),
}

export const fromEnrollmentsWithUsers = (which: SQL): SQL => sql`
  from ${enrollments} join ${users} on ${users.id} = ${enrollments.userId} where ${which}`

/** When the last reminder of the cycle was sent, which may be later than the day that it is for. */
const lastReminderAt = subquery(sql<number | null>`(
  select max(${reminders.sentAt}) from ${reminders}
  where ${reminders.enrollmentId} = ${enrollments.id} and ${reminders.cycle} = ${enrollments.cycle}
)`)

/** Selects the enrollments that the caller may change: users cannot change their own, except staff. */
export const selectChangeable = ({ db, caller }: UnitOfWork, ids: number[]) =>
  selectFrom(
    db,
    { ...DUE_FIELDS, lastReminderAt },
    fromEnrollmentsWithUsers(sql`${enrollments.id} in ${idList(ids)} and ${canManageUser(caller, users.id)}`),
  )

export type DueRow = RowOf<typeof DUE_FIELDS>

export const scheduleOf = ({ schedule }: { schedule: StoredSchedule | null }): DueSchedule =>
  schedule ? { ...schedule, skipWeekends: schedule.skipWeekends === 1 } : DEFAULT_SCHEDULE

/** The instant of a deadline in a zone. */
export const deadlineIn = (zone: string, deadline: Deadline): number =>
  deadline.isDay ? endOfDay(dayAt(deadline.at, "UTC"), zone) : momentOf(deadline, zone)

/** Whether the learner still has to complete the cycle by its due date. */
export const isOpen = ({ status, dueAt, dueStatus }: DueRow): boolean =>
  dueAt > 0 && status !== EnrollmentStatus.Completed && dueStatus !== DueStatus.Exempt
