import { type SQL, sql } from "drizzle-orm"
import { classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { DueStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { supervisedUserSet, type UserSet, usersInGroup, usersInPortals } from "../../access/audience.ts"
import { literal } from "../../db/sql.ts"
import { type Caller, isSupervisor } from "../../lib/caller.ts"
import { inDueStatus } from "../enrollments/due-filters.ts"
import { MAX_CONSIDERED } from "./at-risk.schemas.ts"
import { RISK_REASONS, type RiskReason, riskConditions } from "./at-risk-columns.ts"

// The learners at risk: candidates are found by indexes, at most a fixed number, and the reasons are tested for each.

/** A query of the courses that a user wrote, or teaches a class of. */
export const taughtCourseIds = (userId: number | null): SQL => sql`
  select ${courses.id} from ${courses} where ${courses.authorId} = ${userId}
  union
  select ${classes.courseId} from ${classes} where ${classes.instructorId} = ${userId}`

const isOpen = sql`${enrollments.status} <> ${literal(EnrollmentStatus.Completed)}`

/** The people of a list; undefined: everyone. */
export function peopleAtRisk(
  caller: Caller,
  { group_id, portalId }: { group_id?: number | undefined; portalId?: number | undefined },
): UserSet | undefined {
  if (group_id !== undefined) return usersInGroup(group_id)
  if (portalId !== undefined) return usersInPortals(portalId)
  return isSupervisor(caller) ? supervisedUserSet(caller) : undefined
}

/**
 * A query of the ids of enrollments that may be at risk. It stops after a fixed number, so that a large course costs
 * no more than a medium one.
 * @param courseIds a query of course ids
 */
function candidateIds(courseIds: SQL, people: UserSet | undefined, cutoff: number): SQL {
  const { inProgress, others } = MAX_CONSIDERED
  const ofCourses = sql`${enrollments.courseId} in (${courseIds})`
  if (people)
    return sql`
      select own.id as id from ${people.from}
      cross join ${enrollments} as own on own.user_id = ${people.userId} and own.course_id in (${courseIds})
      where ${people.condition} and own.status <> ${literal(EnrollmentStatus.Completed)}
      limit ${inProgress + 2 * others}`
  const inStatus = (status: EnrollmentStatus) => sql`${ofCourses} and ${enrollments.status} = ${literal(status)}`
  return sql`
    select id from (
      select ${enrollments.id} as id from ${enrollments}
      where ${ofCourses} and ${inDueStatus(DueStatus.Overdue)} limit ${others}
    )
    union
    select id from (
      select ${enrollments.id} as id from ${enrollments}
      where ${inStatus(EnrollmentStatus.NotStarted)} and ${enrollments.registeredAt} < ${cutoff} limit ${others}
    )
    union
    select id from (
      select ${enrollments.id} as id from ${enrollments}
      where ${inStatus(EnrollmentStatus.InProgress)} limit ${inProgress}
    )`
}

/** The condition that one of the reasons applies. */
export function hasReason(cutoff: number, reasons: readonly RiskReason[] = RISK_REASONS): SQL {
  const conditions = riskConditions(cutoff)
  return sql`(${sql.join(
    [...new Set(reasons)].map((reason) => conditions[reason]),
    sql` or `,
  )})`
}

/** The filter that leaves the learners at risk. */
export const atRiskFilter = (courseIds: SQL, people: UserSet | undefined, cutoff: number) => ({
  ids: candidateIds(courseIds, people, cutoff),
  test: sql`${isOpen} and ${hasReason(cutoff)}`,
})
