import { and, eq, type SQL, sql } from "drizzle-orm"
import { assignmentClaims, assignmentRules } from "../../../drizzle/schema/assignment-rules.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupMembers, supervisorScope } from "../../../drizzle/schema/groups.ts"
import { portalMembers } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import {
  type EnrollmentScope,
  enrollmentScope,
  isInUserSet,
  type UserSet,
  usersInGroup,
  usersInPortals,
  usersMatching,
} from "../../access/audience.ts"
import { filterFirstOrScan } from "../../db/list/filter-first.ts"
import type { Filter } from "../../db/list/listing.ts"
import { counter, rowCount, rowExists } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers, isSupervisor } from "../../lib/caller.ts"
import { invalid } from "../../lib/errors.ts"
import {
  hasDueStatus,
  hasUserIndex,
  idsInDueStatus,
  inDueStatus,
  ownDueStatus,
  SET_DUE_STATUSES,
  type SetDueStatus,
  storedDueCount,
} from "../enrollments/due-filters.ts"
import type { DueFilters } from "./due.schemas.ts"

// The enrollments with a due date that a list or an export shows, and how they are found.

/** A team, group or portal whose members are found from the enrollment or from the audience. */
interface Members {
  set: UserSet
  /** The condition that the user of an enrollment is a member. */
  test: SQL
  count: SQL<number>
}

/** Whose due training is shown. */
export interface DueSubject extends Pick<EnrollmentScope, "key" | "allowed" | "unknown" | "userId"> {
  members?: Members
}

const isIn = (table: SQL, condition: SQL | undefined): SQL => rowExists(table, condition)

const teamOf = (supervisorId: number): Members => ({
  set: {
    from: sql`${supervisorScope}`,
    userId: sql`${supervisorScope.userId}`,
    condition: eq(supervisorScope.supervisorId, supervisorId),
  },
  test: isIn(
    sql`${supervisorScope}`,
    and(eq(supervisorScope.supervisorId, supervisorId), eq(supervisorScope.userId, enrollments.userId)),
  ),
  count: counter(`supervisor:${supervisorId}`),
})
const groupOf = (groupId: number): Members => ({
  set: usersInGroup(groupId),
  test: isIn(sql`${groupMembers}`, and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, enrollments.userId))),
  count: counter(`group:${groupId}`),
})
const portalOf = (portalId: number): Members => ({
  set: usersInPortals(portalId),
  test: isIn(
    sql`${portalMembers}`,
    and(eq(portalMembers.portalId, portalId), eq(portalMembers.userId, enrollments.userId)),
  ),
  count: counter(`portal:${portalId}`),
})

type Subject = Pick<DueFilters, "user_id" | "group_id" | "portalId" | "supervisor_id">

/**
 * The person, group, portal or team of a call; else everyone that the caller can see.
 * @throws 422 for several of them
 */
export function dueSubject(caller: Caller, { user_id, group_id, portalId, supervisor_id }: Subject): DueSubject {
  if (supervisor_id !== undefined) {
    if (user_id !== undefined || group_id !== undefined || portalId !== undefined)
      throw invalid("supervisor_id", "supervisor_id cannot be combined with user_id, group_id or portalId.")
    const exists = rowExists(users, eq(users.id, supervisor_id))
    const allowed = canSeeAllUsers(caller) ? exists : sql`${supervisor_id === caller.id && isSupervisor(caller)}`
    return { key: `supervisor:${supervisor_id}`, allowed, unknown: "user", members: teamOf(supervisor_id) }
  }
  const isSelfOnly = !canSeeAllUsers(caller) && !isSupervisor(caller)
  const scope = enrollmentScope(caller, {
    user_id: user_id ?? (isSelfOnly ? (caller.id ?? 0) : undefined),
    group_id,
    portalId,
  })
  if (scope.userId !== undefined) return scope
  const members =
    portalId !== undefined
      ? portalOf(portalId)
      : group_id !== undefined
        ? groupOf(group_id)
        : isSupervisor(caller)
          ? teamOf(caller.id ?? 0)
          : undefined
  return members ? { ...scope, members } : scope
}

export interface DueSelection {
  subject: DueSubject
  /** The filters of the list: the first one with ids, or its branches, find the rows. */
  filters: Filter[]
  /** The filters for an iteration by id. */
  iterated: Filter[]
  /** The number of matches. */
  filtered: SQL<number>
}

/** The enrollments of members in these statuses, found from the members. */
const idsOfMembers = ({ set }: Members, statuses: readonly SetDueStatus[], courseId: number | undefined): SQL => sql`
  select own.id as id
  from ${set.from}
  cross join ${enrollments} as own
    on own.user_id = ${set.userId} and ${courseId === undefined ? sql`1` : sql`own.course_id = ${courseId}`}
  where ${set.condition} and ${ownDueStatus(statuses)}`

/** About how many rows `idsOfMembers` reads: the members, and their share of all enrollments in these statuses. */
const sizeOfMembers = ({ count }: Members, statuses: readonly SetDueStatus[], courseId: number | undefined): SQL =>
  courseId === undefined
    ? sql`(select ${count} * (1 + 1.0 * ${storedDueCount("all", 0, statuses)} / max(1, ${counter("users")})))`
    : count

const idsOfRule = (ruleId: number, statuses: readonly SetDueStatus[], courseId: number | undefined): SQL => sql`
  select own.id as id
  from ${assignmentClaims} as claim
  cross join ${enrollments} as own on own.user_id = claim.user_id and own.course_id = claim.course_id
  where claim.rule_id = ${ruleId}
    and own.due_rule_id = ${ruleId}
    and ${courseId === undefined ? sql`1` : sql`claim.course_id = ${courseId}`}
    and ${ownDueStatus(statuses)}`

const countIds = (ids: SQL, tests: SQL[]): SQL<number> =>
  rowCount(
    sql`(${ids}) as found cross join ${enrollments} on ${enrollments.id} = found.id`,
    sql.join(tests, sql` and `),
  )

const countBranches = (branches: Filter[]): SQL<number> =>
  sql<number>`(${sql.join(
    branches.map(({ test }) => rowCount(enrollments, test)),
    sql` + `,
  )})`

/** The ids of a lead, found by the lead or by the due status, whichever reads less. */
const smallerIds = (
  { test, ids, size }: { test: SQL; ids: SQL; size: SQL },
  statuses: readonly SetDueStatus[],
  courseId: number | undefined,
): SQL => {
  const isSmaller = sql`${size} <= ${storedDueCount("all", courseId ?? 0, statuses)}`
  // A limit of 0 skips an arm: a false condition would be tested for each row.
  return sql`
    select id from (${ids} limit iif(${isSmaller}, -1, 0))
    union all
    select found.id as id
    from (${idsInDueStatus(statuses, courseId)} limit iif(${isSmaller}, 0, -1)) as found
    cross join ${enrollments} on ${enrollments.id} = found.id
    where ${test}`
}

/** The filter that finds the rows; the others test them. */
interface Lead {
  test: SQL
  ids: SQL
  /** About how many rows the query of the ids reads. Without it, the rows are always found by the ids. */
  size?: SQL
  /** The same for an order without an index, which reads all of them. */
  allSize?: SQL
}

/** The filters by people and rule, the one that finds the rows first. */
function leadsOf(
  { userId, members }: DueSubject,
  search: DueFilters["search_param"],
  statuses: readonly SetDueStatus[],
) {
  const { courseId, ruleId, nameOrEmail } = search
  const leads: Lead[] = []
  if (userId !== undefined)
    leads.push({
      test: sql`${enrollments.userId} = ${userId}`,
      ids: sql`
        select own.id as id from ${enrollments} as own
        where own.user_id = ${userId} and ${ownDueStatus(statuses)}`,
    })
  if (nameOrEmail) {
    const people = usersMatching(nameOrEmail)
    leads.push({
      test: isInUserSet(enrollments.userId, people),
      ids: sql`
        select own.id as id from ${people.from} cross join ${enrollments} as own on own.user_id = ${people.userId}
        where ${people.condition} and ${ownDueStatus(statuses)}`,
    })
  }
  if (members) {
    const ids = idsOfMembers(members, statuses, courseId)
    const size = sizeOfMembers(members, statuses, courseId)
    // Other statuses have no index by user.
    const read = hasUserIndex(statuses) || courseId !== undefined ? statuses : SET_DUE_STATUSES
    leads.push({ test: members.test, ids, size, allSize: sizeOfMembers(members, read, courseId) })
  }
  if (ruleId !== undefined) {
    const size = sql`coalesce((select user_count from ${assignmentRules} where id = ${ruleId}), 0)`
    const ids = idsOfRule(ruleId, statuses, courseId)
    leads.push({ test: sql`${enrollments.dueRuleId} = ${ruleId}`, ids, size })
  }
  return leads
}

/** The enrollments with a due date that match. @param page the requested page, to choose how to find its rows */
export function selectDue(caller: Caller, filters: DueFilters, page = { page_size: 1, page_number: 1 }): DueSelection {
  const { dueStatus, courseId, ruleId, nameOrEmail, due_between: range } = filters.search_param
  const subject = dueSubject(caller, filters)
  const { key, userId } = subject
  const statuses = dueStatus ?? SET_DUE_STATUSES
  const inRange = (at: SQL) => (range ? [sql`${at} >= ${range.from} and ${at} < ${range.until}`] : [])
  const branches = statuses.map((status) => ({
    test: sql.join([inDueStatus(status, courseId), ...inRange(sql`${enrollments.dueAt}`)], sql` and `),
  }))
  const [lead, ...leads] = leadsOf(subject, filters.search_param, statuses)
  // The unary plus keeps the index free for what finds the rows.
  const tests = [
    hasDueStatus(statuses),
    ...(courseId === undefined ? [] : [sql`+${enrollments.courseId} = ${courseId}`]),
    ...inRange(sql`+${enrollments.dueAt}`),
    ...leads.map(({ test }) => test),
  ]
  const total = storedDueCount("all", courseId ?? 0, statuses)
  const first: Filter = lead?.size
    ? {
        ...filterFirstOrScan({ ...lead, count: lead.size, total }, page, branches),
        allIds: smallerIds({ ...lead, size: lead.allSize ?? lead.size }, statuses, courseId),
      }
    : (lead ?? { test: sql`1`, branches, allIds: idsInDueStatus(statuses, courseId, inRange(sql`due.due_at`)) })
  const isCounted = userId === undefined && !nameOrEmail && ruleId === undefined && !range
  return {
    subject,
    filters: [first, ...tests.map((test) => ({ test }))],
    iterated: [
      lead ? { test: lead.test, ids: lead.ids } : { test: sql`1`, ids: idsInDueStatus(statuses, courseId) },
      ...tests.map((test) => ({ test })),
    ],
    filtered: isCounted
      ? storedDueCount(key, courseId ?? 0, statuses)
      : lead
        ? countIds(first.allIds ?? lead.ids, tests)
        : countBranches(branches),
  }
}

/** The number of enrollments with a due date in a subject: from counters, unless it is one user. */
export const countDue = ({ userId, key }: DueSubject, statuses: readonly SetDueStatus[] = SET_DUE_STATUSES) =>
  userId === undefined
    ? storedDueCount(key, 0, statuses)
    : rowCount(enrollments, and(eq(enrollments.userId, userId), hasDueStatus(statuses)))
