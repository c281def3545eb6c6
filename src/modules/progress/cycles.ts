import { type SQL, sql } from "drizzle-orm"
import { assignmentClaims, assignmentRules, type RecurrenceRule } from "../../../drizzle/schema/assignment-rules.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { dueDateChanges, enrollmentCycles, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { settings } from "../../../drizzle/schema/settings.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { type RowOf, selectFrom } from "../../db/select.ts"
import { rowList, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { academyZone } from "../../lib/text/zones.ts"
import { nextCycle } from "./due-dates.ts"
import { applyClaims } from "./set-due-dates.ts"

// Cycles of recurring training. When the next cycle begins, the result of the current one is kept, and the enrollment
// is reset.

/** The time zone of a person, or that of the academy; null: TIME_ZONE applies. */
export const personTimeZone = subquery(
  sql<string | null>`coalesce(${users.timeZone}, (select ${settings.timeZone} from ${settings} where id = 1))`,
)

/** The time zone of a row with `personTimeZone`. */
export const zoneOf = ({ timeZone }: { timeZone: string | null }, env: { TIME_ZONE: string }): string =>
  timeZone ?? academyZone(env)

/** What a rule requires of an enrollment, as `claimsOf` selects it. */
export interface StoredClaim {
  ruleId: number
  dueAt: number
  isActive: 0 | 1
  skipWeekends: 0 | 1
  recurrence: RecurrenceRule | null
}

/** The claims of an enrollment, as JSON. */
export const selectClaims = subquery(sql`(
  select json_group_array(json_object(
    'ruleId', claim.rule_id, 'dueAt', claim.due_at, 'isActive', rule.active, 'skipWeekends', rule.skip_weekends,
    'recurrence', json(rule.recurrence)
  ))
  from ${assignmentClaims} as claim join ${assignmentRules} as rule on rule.id = claim.rule_id
  where claim.user_id = ${enrollments.userId} and claim.course_id = ${enrollments.courseId}
)`).mapWith((json: string): StoredClaim[] => JSON.parse(json))

/** The number of a new enrollment's first cycle. A user who was enrolled before continues with the next number. */
export const firstCycle = (userId: SQL, courseId: SQL): SQL => sql`1 + max(
  coalesce((
    select max(earlier.cycle) from ${enrollmentCycles} as earlier
    where earlier.user_id = ${userId} and earlier.course_id = ${courseId}
  ), 0),
  coalesce((
    select max(earlier.cycle) from ${dueDateChanges} as earlier
    where earlier.user_id = ${userId} and earlier.course_id = ${courseId}
  ), 0)
)`

const CYCLE_STATE = {
  id: enrollments.id,
  userId: enrollments.userId,
  courseId: enrollments.courseId,
  completedAt: enrollments.completedAt,
  timeZone: personTimeZone,
  claims: selectClaims,
}

/** What the next cycle of enrollments follows from. */
export const selectCycleState = (db: Database, which: SQL) =>
  selectFrom(
    db,
    CYCLE_STATE,
    sql`from ${enrollments} join ${users} on ${users.id} = ${enrollments.userId} where ${which}`,
  )

type CycleState = RowOf<typeof CYCLE_STATE>

export interface PlannedCycle {
  /** When the window of the first rule opens; Infinity if no rule repeats the training. */
  opensAt: number
  claims: { ruleId: number; dueAt: number }[]
}

/**
 * The cycle after one that was completed, or that the learner was exempt from. Rules that do not repeat it require
 * nothing more.
 * @param endedAt the completion, or the due date of an exempt cycle
 */
export function planCycle(claims: StoredClaim[], endedAt: number, zone: string): PlannedCycle {
  const planned = claims.map(({ ruleId, dueAt, isActive, skipWeekends, recurrence }) =>
    isActive && recurrence
      ? {
          ruleId,
          ...nextCycle(recurrence, {
            ...{ previousDueAt: dueAt, completedAt: endedAt, zone },
            skipWeekends: skipWeekends === 1,
          }),
        }
      : { ruleId, opensAt: Number.POSITIVE_INFINITY, dueAt: 0 },
  )
  const opensAt = Math.min(...planned.map((claim) => claim.opensAt))
  return { opensAt, claims: planned.map(({ ruleId, dueAt }) => ({ ruleId, dueAt })) }
}

/** Plans the next cycles of enrollments as `selectCycleState` read them. */
export const plannedCycles = (env: Bindings, states: CycleState[]) =>
  states.map((state) => ({
    ...{ userId: state.userId, courseId: state.courseId },
    planned: planCycle(state.claims, state.completedAt, zoneOf(state, env)),
  }))

/** Keeps the current cycles of enrollments in the history. Must run before they are reset. */
export const recordCycles = ({ db }: UnitOfWork, which: SQL): Statement => {
  const last = (column: "ended_at" | "certificate_id") => sql`(
    select max(${sql.raw(column)}) from ${enrollmentCycles} as earlier
    where earlier.user_id = ${enrollments.userId} and earlier.course_id = ${enrollments.courseId}
  )`
  return insertFrom(
    db,
    enrollmentCycles,
    {
      userId: enrollments.userId,
      courseId: enrollments.courseId,
      cycle: enrollments.cycle,
      courseName: courses.name,
      beganAt: sql`max(${enrollments.registeredAt}, coalesce(${last("ended_at")}, 0))`,
      endedAt: now(),
      status: enrollments.status,
      percent: enrollments.percent,
      pointsAwarded: enrollments.pointsAwarded,
      pointsPossible: enrollments.pointsPossible,
      startedAt: enrollments.startedAt,
      completedAt: enrollments.completedAt,
      dueAt: enrollments.dueAt,
      overdueAt: enrollments.overdueAt,
      dueStatus: enrollments.dueStatus,
      certificateId: sql`(
        select max(id) from certificates
        where enrollment_id = ${enrollments.id} and revoked_at = 0 and id > coalesce(${last("certificate_id")}, 0)
      )`,
    },
    sql`from ${enrollments} join ${courses} on ${courses.id} = ${enrollments.courseId} where ${which}`,
  )
}

/** Sets the due dates of cycles that begin. Must run after the reset. */
export const claimCycles = (
  work: UnitOfWork,
  cycles: { userId: number; courseId: number; planned: PlannedCycle }[],
  which: SQL,
): Statement[] => {
  const claims = cycles.flatMap(({ userId, courseId, planned }) =>
    planned.claims.map((claim) => ({ userId, courseId, ...claim })),
  )
  return [
    work.db
      .update(assignmentClaims)
      .set({ dueAt: sql`value ->> '$.dueAt'` })
      .from(rowList(claims))
      .where(
        sql`assignment_claims.user_id = value ->> '$.userId' and assignment_claims.course_id = value ->> '$.courseId'
          and assignment_claims.rule_id = value ->> '$.ruleId'`,
      ),
    ...applyClaims(work, which),
  ]
}
