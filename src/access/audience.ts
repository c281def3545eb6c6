import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { classEnrollments } from "../../drizzle/schema/classes.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { groupMembers, reach } from "../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Filter } from "../db/list/listing.ts"
import { substring } from "../db/search.ts"
import { idList, rowExists } from "../db/sql.ts"
import { type Caller, isSupervisor, seesEveryone } from "../lib/caller.ts"
import { invalid } from "../lib/errors.ts"
import { type Audience, administersPortal, audienceOf, belongs, mayKnow, type OwnedBy } from "./scope.ts"

/** Whose registrations a report is about: the kept tallies' audience, and the registrations themselves. */
export interface Subject extends Audience {
  /** The one user whose they are. */
  userId?: number
  scope: Filter[]
  unknown: "user" | "group" | "portal"
}

/** What people are registered in: courses, or classes. */
type Registrations = typeof enrollments | typeof classEnrollments

/** Some people: a table that names them, the column that does, and which of its rows. */
export interface People {
  from: SQL
  userId: SQL
  which: SQL
}

/** The members of a group. */
export const groupPeople = (groupId: number): People => ({
  from: sql`${groupMembers}`,
  userId: sql`${groupMembers.userId}`,
  which: eq(groupMembers.groupId, groupId),
})

/** The members of a portal, or of one of several. */
export const portalPeople = (portals: number | readonly number[]): People => ({
  from: sql`${portalMembers}`,
  userId: sql`${portalMembers.userId}`,
  which:
    typeof portals === "number"
      ? eq(portalMembers.portalId, portals)
      : sql`${portalMembers.portalId} in ${idList(portals)}`,
})

/** Whom a supervisor reaches. */
export const reachedPeople = (caller: Caller): People => ({
  from: sql`${reach}`,
  userId: sql`${reach.userId}`,
  which: sql`${reach.supervisorId} = ${caller.id}`,
})

/** The users whose name or address holds a text. */
export const namedPeople = (nameOrEmail: string): People => ({
  from: sql`users_search`,
  userId: sql`users_search.rowid`,
  which: sql`users_search match ${substring(nameOrEmail)}`,
})

/** The condition that a row is about one of some people. @param userId the column that holds whom it is about */
export const isAmong = (userId: SQLWrapper, { from, userId: named, which }: People): SQL => sql`${userId} in (
  select ${named}
  from ${from}
  where ${which}
)`

/** The registrations of some people, entered by whom they are. */
export const registrationsOf = (people: People, of: Registrations = enrollments): Filter => ({
  test: isAmong(of.userId, people),
  ids: sql`
    select distinct own.id as id
    from ${people.from}
    cross join ${of} as own on own.user_id = ${people.userId}
    where ${people.which}`,
})

export const ofMembers = (portalIds: number[], of?: Registrations) => registrationsOf(portalPeople(portalIds), of)

/** The registrations of users whose name or address holds a text. */
export const ofNamed = (nameOrEmail: string) => registrationsOf(namedPeople(nameOrEmail))

/** One user's, one group's or one portal's registrations; else those of everyone whom the caller may see. */
export function subjectOf(caller: Caller, within: OwnedBy, of: Registrations = enrollments): Subject {
  const { user_id: userId, group_id: groupId, portalId } = within
  if (userId !== undefined) {
    const member = belongs(userId, { portalId, group_id: groupId })
    return {
      key: `user:${userId}`,
      userId,
      allowed: rowExists(users, and(eq(users.id, userId), mayKnow(caller, users.id), member)),
      scope: [{ test: eq(of.userId, userId) }],
      unknown: "user",
    }
  }
  if (groupId !== undefined && portalId !== undefined)
    throw invalid("portalId", "portalId and group_id cannot both be given here; leave one of them out.")
  if (portalId !== undefined) {
    const known = seesEveryone(caller) ? undefined : administersPortal(caller, portals.id)
    return {
      key: `portal:${portalId}`,
      allowed: rowExists(portals, and(eq(portals.id, portalId), known)),
      scope: [ofMembers([portalId], of)],
      unknown: "portal",
    }
  }
  const audience = audienceOf(caller, groupId)
  const scope = groupId
    ? [registrationsOf(groupPeople(groupId), of)]
    : isSupervisor(caller)
      ? [registrationsOf(reachedPeople(caller), of)]
      : []
  return { ...audience, scope, unknown: "group" }
}
