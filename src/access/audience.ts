import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { classEnrollments } from "../../drizzle/schema/classes.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { groupMembers, supervisorScope } from "../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Filter } from "../db/list/listing.ts"
import { substring } from "../db/search.ts"
import { idList, rowExists } from "../db/sql.ts"
import { type Caller, canSeeAllUsers, isSupervisor } from "../lib/caller.ts"
import { invalid } from "../lib/errors.ts"
import { type Audience, administersPortal, audienceOf, belongs, canSeeUser, type OwnerParams } from "./scope.ts"

/** The enrollments that a report covers: the audience of the maintained aggregates, and a filter for the rows. */
export interface EnrollmentScope extends Audience {
  /** Set if the report covers one user. */
  userId?: number
  scope: Filter[]
  unknown: "user" | "group" | "portal"
}

/** Tables of enrollments: in courses, or in classes. */
type Registrations = typeof enrollments | typeof classEnrollments

/** A set of users: a table with user ids, its column, and a condition on its rows. */
export interface UserSet {
  from: SQL
  userId: SQL
  condition: SQL
}

/** The members of a group. */
export const usersInGroup = (groupId: number): UserSet => ({
  from: sql`${groupMembers}`,
  userId: sql`${groupMembers.userId}`,
  condition: eq(groupMembers.groupId, groupId),
})

/** The members of a portal, or of one of several. */
export const usersInPortals = (portals: number | readonly number[]): UserSet => ({
  from: sql`${portalMembers}`,
  userId: sql`${portalMembers.userId}`,
  condition:
    typeof portals === "number"
      ? eq(portalMembers.portalId, portals)
      : sql`${portalMembers.portalId} in ${idList(portals)}`,
})

/** The users that a supervisor can see. */
export const supervisedUserSet = (caller: Caller): UserSet => ({
  from: sql`${supervisorScope}`,
  userId: sql`${supervisorScope.userId}`,
  condition: sql`${supervisorScope.supervisorId} = ${caller.id}`,
})

/** The users whose name or email address contains a text. */
export const usersMatching = (nameOrEmail: string): UserSet => ({
  from: sql`users_search`,
  userId: sql`users_search.rowid`,
  condition: sql`users_search match ${substring(nameOrEmail)}`,
})

/** The condition that a row belongs to a user of the set. @param userId the row's user id column */
export const isInUserSet = (
  userId: SQLWrapper,
  { from, userId: column, condition: which }: UserSet,
): SQL => sql`${userId} in (
  select ${column}
  from ${from}
  where ${which}
)`

/** The enrollments of a set of users, found from the users. */
export const enrollmentsOfUsers = (people: UserSet, table: Registrations = enrollments): Filter & { ids: SQL } => ({
  test: isInUserSet(table.userId, people),
  ids: sql`
    select distinct own.id as id
    from ${people.from}
    cross join ${table} as own on own.user_id = ${people.userId}
    where ${people.condition}`,
})

export const enrollmentsOfPortalMembers = (portalIds: number[], table?: Registrations) =>
  enrollmentsOfUsers(usersInPortals(portalIds), table)

/** The enrollments of users whose name or email address contains a text. */
export const enrollmentsOfMatchingUsers = (nameOrEmail: string) => enrollmentsOfUsers(usersMatching(nameOrEmail))

/** The enrollments of one user, group or portal; else of everyone that the caller can see. */
export function enrollmentScope(
  caller: Caller,
  within: OwnerParams,
  table: Registrations = enrollments,
): EnrollmentScope {
  const { user_id: userId, group_id: groupId, portalId } = within
  if (userId !== undefined) {
    const belongsToScope = belongs(userId, { portalId, group_id: groupId })
    return {
      key: `user:${userId}`,
      userId,
      allowed: rowExists(users, and(eq(users.id, userId), canSeeUser(caller, users.id), belongsToScope)),
      scope: [{ test: eq(table.userId, userId) }],
      unknown: "user",
    }
  }
  if (groupId !== undefined && portalId !== undefined)
    throw invalid("portalId", "portalId and group_id cannot be combined here. Send only one of them.")
  if (portalId !== undefined) {
    const known = canSeeAllUsers(caller) ? undefined : administersPortal(caller, portals.id)
    return {
      key: `portal:${portalId}`,
      allowed: rowExists(portals, and(eq(portals.id, portalId), known)),
      scope: [enrollmentsOfPortalMembers([portalId], table)],
      unknown: "portal",
    }
  }
  const audience = audienceOf(caller, groupId)
  const scope = groupId
    ? [enrollmentsOfUsers(usersInGroup(groupId), table)]
    : isSupervisor(caller)
      ? [enrollmentsOfUsers(supervisedUserSet(caller), table)]
      : []
  return { ...audience, scope, unknown: "group" }
}
