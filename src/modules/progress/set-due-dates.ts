import { type SQL, sql } from "drizzle-orm"
import { assignmentClaims, assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { dueDateChanges, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, HOUR, now } from "../../lib/clock.ts"
import { dueStatusOf, isExempt, recurs, STORED } from "./due-status.ts"

// Clocks change by an hour at most, so times computed in days of 24 hours are off by an hour at most. The sweep looks
// at an enrollment an hour earlier, and stores the exact times of the person's zone.

/** The claim of an enrollment that is due first. */
const earliestRule = sql`(
  select claim.rule_id from ${assignmentClaims} as claim
  where claim.user_id = ${enrollments.userId} and claim.course_id = ${enrollments.courseId} and claim.due_at > 0
  order by claim.due_at, claim.rule_id
  limit 1
)`

/** The last extension of the current cycle. */
const extendedUntil = sql`coalesce((
  select extension.until from ${dueDateChanges} as extension
  where extension.user_id = ${enrollments.userId} and extension.course_id = ${enrollments.courseId}
    and extension.cycle = ${enrollments.cycle} and extension.kind = 'extension'
  order by extension.id desc
  limit 1
), 0)`

/** The due date that the claims of enrollments determine: a row of `due` for each enrollment. */
const claimedDueDates = (which: SQL) => sql`(
  select of.id, rule.id as rule_id,
    iif(claim.due_at > 0, max(claim.due_at, of.extended_until), 0) as due_at,
    coalesce(rule.grace_days, 0) * ${DAY} as grace,
    coalesce((select max(value) + 1 from json_each(rule.reminders, '$.daysBefore')) * ${DAY} - 1, 0) as soon
  from (
    select ${enrollments.id} as id, ${enrollments.userId} as user_id, ${enrollments.courseId} as course_id,
      ${earliestRule} as rule_id, ${extendedUntil} as extended_until
    from ${enrollments}
    where ${which}
  ) as of
  left join ${assignmentClaims} as claim
    on claim.user_id = of.user_id and claim.course_id = of.course_id and claim.rule_id = of.rule_id
  left join ${assignmentRules} as rule on rule.id = of.rule_id
) as due`

const dueSoonAt = sql`(due.due_at - due.soon)`
const overdueAt = sql`(due.due_at + due.grace)`
const isCompleted = sql`enrollments.status = ${literal(EnrollmentStatus.Completed)}`

/**
 * Sets the due dates of enrollments from their claims. A date set by hand stays; a later date of an extension beats the
 * claims; exempt enrollments stay exempt. A completed enrollment without claims keeps its due date.
 * Only rows that change are written: up to 14 rows each, and one for each group, portal and supervisor of the person.
 * @param which a condition on `enrollments`
 * @param options.rescheduled whether the reminders of a rule changed, so that the sweep must look at all of them
 */
export function applyClaims({ db }: UnitOfWork, which: SQL, { rescheduled = false } = {}): Statement[] {
  const at = now()
  const isSetByHand = sql`(enrollments.due_at > 0 and enrollments.due_rule_id is null)`
  const isSame = sql`(enrollments.due_at = due.due_at
    and enrollments.due_rule_id is due.rule_id
    and abs(enrollments.due_soon_at - ${dueSoonAt}) <= ${HOUR}
    and abs(enrollments.overdue_at - ${overdueAt}) <= ${HOUR})`
  const nextCycle = sql`iif(${recurs}, ${at}, 0)`
  const dueCheckAt = sql`(case
    when ${isCompleted} then ${nextCycle}
    when due.due_at = 0 then 0
    when ${isExempt} then enrollments.due_check_at
    else max(${at}, ${dueSoonAt} - ${HOUR})
  end)`
  return [
    db
      .update(enrollments)
      .set({
        dueAt: sql`due.due_at`,
        dueRuleId: sql`due.rule_id`,
        dueSoonAt: sql`iif(due.due_at = 0, 0, ${dueSoonAt})`,
        overdueAt: sql`iif(due.due_at = 0, 0, ${overdueAt})`,
        dueStatus: dueStatusOf({ ...STORED, dueAt: sql`due.due_at`, dueSoonAt, overdueAt }, at),
        dueCheckAt,
        updatedAt: nextUpdatedAt,
      })
      .from(claimedDueDates(which))
      .where(
        sql`enrollments.id = due.id and not ${isSetByHand}
          and (not ${isSame} ${rescheduled ? sql`or due.due_at > 0` : sql``})
          and not (${isCompleted} and due.due_at = 0)`,
      ),
    // Whether a training that is completed, or exempt, is repeated can change without its due date.
    db
      .update(enrollments)
      .set({ dueCheckAt: nextCycle })
      .where(
        sql`${which} and (
          (${isCompleted} and ((enrollments.due_check_at > 0) <> ${recurs} ${rescheduled ? sql`or ${recurs}` : sql``}))
          or (${isExempt} and ${recurs})
        )`,
      ),
  ]
}
