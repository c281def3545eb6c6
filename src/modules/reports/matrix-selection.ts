import { eq, type SQL, sql } from "drizzle-orm"
import {
  assignmentMembers,
  assignmentRuleCourses,
  assignmentRulePaths,
  assignmentRules,
} from "../../../drizzle/schema/assignment-rules.ts"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import {
  activities,
  dueDateChanges,
  enrollmentCounts,
  enrollmentCycles,
  enrollments,
} from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { learningPathCourses } from "../../../drizzle/schema/learning-paths.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { isInUserSet } from "../../access/audience.ts"
import { matchesAudience } from "../../access/audience-condition.ts"
import type { Database } from "../../db/client.ts"
import type { Filter } from "../../db/list/listing.ts"
import { searchFilter } from "../../db/search.ts"
import { rawStatement } from "../../db/select.ts"
import { counter, idList, rowExists, subquery } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { DAY } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { instantOf } from "../../lib/text/zones.ts"
import { dueSubject } from "./due-selection.ts"
import { MAX_COURSES, type MatrixFilters } from "./matrix.schemas.ts"
import type { PersonHistory } from "./matrix-cells.ts"

// The people and the courses of the compliance matrix, and what is stored of both.

/** A query of the courses that rules assign, by themselves or in learning paths. */
const coursesOfRules = (which: SQL): SQL => sql`
  select ${assignmentRuleCourses.courseId} from ${assignmentRules}
  join ${assignmentRuleCourses} on ${assignmentRuleCourses.ruleId} = ${assignmentRules.id}
  where ${which}
  union
  select ${learningPathCourses.courseId} from ${assignmentRules}
  join ${assignmentRulePaths} on ${assignmentRulePaths.ruleId} = ${assignmentRules.id}
  join ${learningPathCourses} on ${learningPathCourses.learningPathId} = ${assignmentRulePaths.learningPathId}
  where ${which}`

/** A query of the ids of the courses. */
function courseIdsOf({ group_id, search_param: { courseIds, ruleId } }: MatrixFilters): SQL {
  if (courseIds) return idList(courseIds)
  if (ruleId !== undefined) return sql`(${coursesOfRules(sql`${assignmentRules.id} = ${ruleId}`)})`
  if (group_id !== undefined)
    return sql`(
      select ${groupCourseSeats.courseId} from ${groupCourseSeats} where ${groupCourseSeats.groupId} = ${group_id}
    )`
  return sql`(${coursesOfRules(sql`${assignmentRules.active}`)})`
}

/** Supervisors see the courses of their people and of the groups that they administer. */
const isVisible = (caller: Caller): SQL =>
  canSeeAllUsers(caller)
    ? sql`1`
    : sql`(
        ${rowExists(
          enrollmentCounts,
          sql`${enrollmentCounts.audience} = ${`supervisor:${caller.id}`}
            and ${enrollmentCounts.courseId} = ${courses.id}`,
        )} or ${courses.status} = 'publish' and ${courses.selfEnroll}
      )`

/** The condition on rows of `courses` that they are among the first of the matrix: one more than it may have. */
export const whichCourses = (caller: Caller, filters: MatrixFilters): SQL => sql`
  ${courses.id} in ${courseIdsOf(filters)} and ${isVisible(caller)}
  order by ${courses.name} collate nocase, ${courses.id} limit ${MAX_COURSES + 1}`

/** @throws 422 for unknown courses, and for too many */
export function requireCourses({ search_param: { courseIds } }: MatrixFilters, found: number[]): void {
  const unknown = courseIds?.filter((id) => !found.includes(id)) ?? []
  if (unknown.length > 0) throw invalid("courseIds", `courseIds refers to unknown courses ${unknown.join(", ")}.`)
  if (found.length > MAX_COURSES)
    throw invalid("courseIds", `There are more than ${MAX_COURSES} courses. Name up to ${MAX_COURSES} in courseIds.`)
}

export const selectCourses = (db: Database, caller: Caller, filters: MatrixFilters) =>
  rawStatement<{ id: number; name: string }>(
    db,
    sql`select ${courses.id} as "id", ${courses.name} as "name" from ${courses} where ${whichCourses(caller, filters)}`,
  )

/** The people that match, and whether the caller may see the group, portal or team. */
export function selectMatrixPeople(caller: Caller, filters: MatrixFilters) {
  const { group_id, portalId, supervisor_id } = filters
  const { ruleId, nameOrEmail, audience, disabled } = filters.search_param
  const subject = dueSubject(caller, { user_id: undefined, group_id, portalId, supervisor_id })
  const { members } = subject
  const scope: Filter[] = members
    ? [
        {
          test: isInUserSet(users.id, members.set),
          ids: sql`select ${members.set.userId} as id from ${members.set.from} where ${members.set.condition}`,
        },
      ]
    : []
  const ofRule = ruleId === undefined ? undefined : sql`${assignmentMembers.ruleId} = ${ruleId}`
  const search: Filter[] = [
    ...(nameOrEmail ? [searchFilter(users, nameOrEmail)] : []),
    ...(ofRule
      ? [
          {
            test: rowExists(assignmentMembers, sql`${ofRule} and ${assignmentMembers.userId} = ${users.id}`),
            ids: sql`select ${assignmentMembers.userId} as id from ${assignmentMembers} where ${ofRule}`,
          },
        ]
      : []),
    ...(audience ? [matchesAudience(audience)] : []),
    ...(disabled === undefined ? [] : [{ test: eq(users.disabled, disabled) }]),
  ]
  return { subject, scope, search, total: members?.count ?? counter("users") }
}

const arrayOf = (fields: Record<string, SQL | object>, from: SQL): SQL => {
  const members = Object.entries(fields).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`)
  return sql`(select json_group_array(json_object(${sql.join(members, sql`, `)})) ${from})`
}

/** What is stored of a person's courses, as JSON. @param isPast whether the history is needed */
export function selectHistory(filters: MatrixFilters, isPast: boolean) {
  const wanted = courseIdsOf(filters)
  const own = (table: typeof enrollments | typeof certificates | typeof activities) =>
    sql`from ${table} where ${table.userId} = ${users.id} and ${table.courseId} in ${wanted}`
  const ownHistory = (table: typeof enrollmentCycles | typeof dueDateChanges) =>
    sql`from ${table} where ${table.userId} = ${users.id} and ${table.courseId} in ${wanted}`
  const enrolled = arrayOf(
    {
      courseId: enrollments.courseId,
      cycle: enrollments.cycle,
      status: enrollments.status,
      dueStatus: enrollments.dueStatus,
      dueAt: enrollments.dueAt,
      dueSoonAt: enrollments.dueSoonAt,
      overdueAt: enrollments.overdueAt,
      registeredAt: enrollments.registeredAt,
      startedAt: enrollments.startedAt,
      completedAt: enrollments.completedAt,
    },
    own(enrollments),
  )
  const issued = arrayOf(
    {
      id: certificates.id,
      courseId: certificates.courseId,
      issuedAt: certificates.issuedAt,
      expiresAt: certificates.expiresAt,
      revokedAt: certificates.revokedAt,
    },
    own(certificates),
  )
  const cycles = arrayOf(
    {
      courseId: enrollmentCycles.courseId,
      cycle: enrollmentCycles.cycle,
      beganAt: enrollmentCycles.beganAt,
      endedAt: enrollmentCycles.endedAt,
      startedAt: enrollmentCycles.startedAt,
      completedAt: enrollmentCycles.completedAt,
      dueAt: enrollmentCycles.dueAt,
      overdueAt: enrollmentCycles.overdueAt,
    },
    ownHistory(enrollmentCycles),
  )
  const changes = arrayOf(
    {
      courseId: dueDateChanges.courseId,
      cycle: dueDateChanges.cycle,
      kind: dueDateChanges.kind,
      until: dueDateChanges.until,
      previousDueAt: dueDateChanges.previousDueAt,
      createdAt: dueDateChanges.createdAt,
      endedAt: dueDateChanges.endedAt,
    },
    ownHistory(dueDateChanges),
  )
  // The order of ids is that of time, except for imported activities.
  const done = arrayOf(
    { courseId: activities.courseId, verb: activities.verb, createdAt: activities.createdAt },
    sql`from (select * ${own(activities)} order by ${activities.createdAt}, ${activities.id}) as activities`,
  )
  const past = isPast ? sql`, 'cycles', ${cycles}, 'changes', ${changes}, 'activities', ${done}` : sql``
  return subquery(sql`json_object('enrollments', ${enrolled}, 'certificates', ${issued}${past})`).mapWith(
    (json: string): PersonHistory => ({ cycles: [], changes: [], activities: [], ...JSON.parse(json) }),
  )
}

/**
 * The end of a past day in a zone; undefined: now.
 * @throws 422 for a day that has not begun
 */
export function asOfTime({ asOf }: Pick<MatrixFilters, "asOf">, zone: string, at: number): number | undefined {
  if (asOf === undefined) return undefined
  const start = Date.parse(asOf)
  if (instantOf(start, zone) > at) throw invalid("asOf", "asOf must be today or a past day.")
  return Math.min(at, instantOf(start + DAY, zone) - 1)
}
