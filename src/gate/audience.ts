import { and, eq, type SQL, sql } from "drizzle-orm"
import type { classEnrolments } from "../../drizzle/classes.ts"
import { enrolments } from "../../drizzle/enrolments.ts"
import { groupMembers, reach } from "../../drizzle/groups.ts"
import { portalMembers, portals } from "../../drizzle/portals.ts"
import { users } from "../../drizzle/users.ts"
import { type Caller, isSupervisor, seesEveryone } from "../lib/access.ts"
import { invalid } from "../lib/errors.ts"
import type { Filter } from "../lib/sql/list.ts"
import { substring } from "../lib/sql/search.ts"
import { idList } from "../lib/sql/sql.ts"
import { type Audience, administersPortal, audienceOf, belongs, mayKnow } from "./scope.ts"

/** Whose registrations a report is about: the kept tallies' audience, and the registrations themselves. */
export interface Subject extends Audience {
  scope: Filter[]
  unknown: "user" | "group" | "portal"
}

/** What people are registered in: courses, or classes. */
type Registrations = typeof enrolments | typeof classEnrolments

/** The registrations of some people, entered by whom they are. */
const registrationsOf = (people: SQL, userId: SQL, which: SQL, of: Registrations = enrolments): Filter => ({
  test: sql`${of.userId} in (select ${userId} from ${people} where ${which})`,
  ids: sql`
    select distinct own.id as id
    from ${people}
    cross join ${of} as own on own.user_id = ${userId}
    where ${which}`,
})

export const ofMembers = (portalIds: number[], of?: Registrations) =>
  registrationsOf(
    sql`${portalMembers}`,
    sql`${portalMembers.userId}`,
    sql`${portalMembers.portalId} in ${idList(portalIds)}`,
    of,
  )

/** The registrations of users whose name or address holds a text. */
export const ofNamed = (nameOrEmail: string) =>
  registrationsOf(sql`users_search`, sql`users_search.rowid`, sql`users_search match ${substring(nameOrEmail)}`)

export interface Within {
  user_id?: number | undefined
  group_id?: number | undefined
  portalId?: number | undefined
}

/** One user's, one group's or one portal's registrations; else those of everyone whom the caller may see. */
export function subjectOf(caller: Caller, within: Within, of: Registrations = enrolments): Subject {
  const { user_id: userId, group_id: groupId, portalId } = within
  if (userId !== undefined) {
    const member = belongs(userId, { portalId, group_id: groupId })
    return {
      key: `user:${userId}`,
      allowed: sql`exists (
        select 1 from ${users}
        where ${and(eq(users.id, userId), mayKnow(caller, users.id), member)}
      )`,
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
      allowed: sql`exists (
        select 1 from ${portals}
        where ${and(eq(portals.id, portalId), known)}
      )`,
      scope: [ofMembers([portalId], of)],
      unknown: "portal",
    }
  }
  const audience = audienceOf(caller, groupId)
  const scope = groupId
    ? [
        registrationsOf(
          sql`${groupMembers}`,
          sql`${groupMembers.userId}`,
          sql`${groupMembers.groupId} = ${groupId}`,
          of,
        ),
      ]
    : isSupervisor(caller)
      ? [registrationsOf(sql`${reach}`, sql`${reach.userId}`, sql`${reach.supervisorId} = ${caller.id}`, of)]
      : []
  return { ...audience, scope, unknown: "group" }
}
