import { type AnyColumn, and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { groupAdmins, groupMembers, groups, reach } from "../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { BatchCheck, Database } from "../db/client.ts"
import type { Filter } from "../db/list/listing.ts"
import { asWritten, selectFrom } from "../db/select.ts"
import { counter, idList, rowExists, SINGLE_ROW, textList } from "../db/sql.ts"
import type { UnitOfWork } from "../db/unit-of-work.ts"
import { type Caller, hasRole, isSupervisor, mayChange, seesEveryone } from "../lib/caller.ts"
import { notFound } from "../lib/errors.ts"
import { account } from "./accounts.ts"

/** The condition that a user is a member of a portal, in whatever role. */
export const inPortal = (userId: SQLWrapper | number | null, portalId: SQLWrapper | number): SQL => sql`exists (
  select 1 from ${portalMembers}
  where ${portalMembers.portalId} = ${portalId} and ${portalMembers.userId} = ${userId}
)`

/** The condition that a user is a member of a group. */
export const inGroup = (userId: SQLWrapper | number | null, groupId: SQLWrapper | number): SQL => sql`exists (
  select 1 from ${groupMembers}
  where ${groupMembers.groupId} = ${groupId} and ${groupMembers.userId} = ${userId}
)`

/** The condition that the caller administers a portal. */
export const administersPortal = (caller: Caller, portalId: SQLWrapper | number): SQL => sql`exists (
  select 1 from ${portalMembers}
  where ${portalMembers.portalId} = ${portalId}
    and ${portalMembers.userId} = ${caller.id}
    and ${portalMembers.role} = 'admin'
)`

/** The condition that the caller administers a group. */
export const administersGroup = (caller: Caller, groupId: SQLWrapper | number): SQL => sql`exists (
  select 1 from ${groupAdmins}
  where ${groupAdmins.groupId} = ${groupId} and ${groupAdmins.userId} = ${caller.id}
)`

/** The condition that a supervisor who calls reaches a user: as a member of a group or portal of theirs. */
const reaches = (caller: Caller, userId: SQLWrapper): SQL => sql`exists (
  select 1 from ${reach}
  where ${reach.supervisorId} = ${caller.id} and ${reach.userId} = ${userId}
)`

/** Whom a supervisor who calls reaches. */
const reached = (caller: Caller): SQL => sql`
  select ${reach.userId} as id
  from ${reach}
  where ${reach.supervisorId} = ${caller.id}`

/** The condition that a user (by the column of its id) is the caller or within their reach: for reads of one record. */
export function mayKnow(caller: Caller, userId: AnyColumn): SQL {
  if (seesEveryone(caller)) return sql`1`
  const self = eq(userId, caller.id)
  if (!isSupervisor(caller)) return self
  return sql`(${self} or ${reaches(caller, userId)})`
}

/** `mayChange` of a user by the column of its type. */
export function mayChangeUser(caller: Caller, userType: AnyColumn): SQL {
  const above = ["staff", "admin", "owner"].filter((type) => !mayChange(caller, type))
  return above.length === 0 ? sql`1` : sql`${userType} not in ${textList(above)}`
}

/**
 * The condition that a user (by the column of its id) is one whom the caller looks after: anybody for staff, whom
 * they reach for a supervisor, and never the supervisor: attendance and its points are not one's own to give.
 */
export function mayManage(caller: Caller, userId: AnyColumn): SQL {
  if (seesEveryone(caller)) return sql`1`
  return sql`(${userId} <> ${caller.id} and ${reaches(caller, userId)})`
}

const allOf = (ids: readonly number[], known: (id: SQLWrapper) => SQL): SQL => sql`not exists (
  select 1 from ${idList(ids)} where not (${known(sql`value`)})
)`

/**
 * Whether the caller may know of every portal and group that a call names: for staff those that exist, for others
 * those that they administer or belong to.
 * @returns a check for the call's first batch: 404
 */
export function namedScope(
  db: Database,
  caller: Caller,
  portalIds: readonly number[],
  groupIds: readonly number[],
): BatchCheck {
  const everyone = seesEveryone(caller)
  const portal = allOf(portalIds, (id) => (everyone ? rowExists(portals, eq(portals.id, id)) : inPortal(caller.id, id)))
  const group = allOf(groupIds, (id) =>
    everyone
      ? rowExists(groups, eq(groups.id, id))
      : sql`(${administersGroup(caller, id)} or ${inGroup(caller.id, id)})`,
  )
  return {
    statement: asWritten(db, sql`select ${portal} as portal, ${group} as "group"`),
    verify([found]) {
      for (const [thing, isKnown] of Object.entries(found as object)) if (!isKnown) throw notFound(thing)
    },
  }
}

/** The portal and the group that a call may name. */
export interface Within {
  portalId?: number | undefined
  group_id?: number | undefined
}

/** The condition that a user belongs to the portal and the group that a call names; undefined where it names none. */
export function belongs(userId: number, { portalId, group_id: groupId }: Within): SQL | undefined {
  return and(
    portalId === undefined ? undefined : inPortal(userId, portalId),
    groupId === undefined ? undefined : inGroup(userId, groupId),
  )
}

interface UserScope {
  filters: Filter[]
  /** The number of users in scope, where a counter keeps it. */
  total?: SQL<number>
}

/**
 * Whom a list shows: everyone for staff and above, the members of their groups and portals for supervisors, learners
 * themselves; within the portal and the group that the call names.
 * @param userId the column that holds the user's id
 */
export function usersInScope(caller: Caller, userId: AnyColumn, within: Within): UserScope {
  const filters: Filter[] = []
  const totals: SQL<number>[] = []
  if (within.portalId !== undefined) {
    const { portalId } = within
    filters.push({
      test: inPortal(userId, portalId),
      ids: sql`
        select ${portalMembers.userId} as id
        from ${portalMembers}
        where ${portalMembers.portalId} = ${portalId}`,
    })
    totals.push(counter(`portal:${portalId}`))
  }
  if (within.group_id !== undefined) {
    const groupId = within.group_id
    filters.push({
      test: inGroup(userId, groupId),
      ids: sql`
        select ${groupMembers.userId} as id
        from ${groupMembers}
        where ${groupMembers.groupId} = ${groupId}`,
    })
    totals.push(counter(`group:${groupId}`))
  }
  if (isSupervisor(caller)) {
    filters.push({ test: reaches(caller, userId), ids: reached(caller) })
    totals.push(counter(`reach:${caller.id}`))
  } else if (!seesEveryone(caller)) {
    filters.push({ test: eq(userId, caller.id) })
    totals.push(sql<number>`1`)
  }
  if (totals.length === 0) return { filters, total: counter("users") }
  const [only] = totals
  return totals.length === 1 && only ? { filters, total: only } : { filters }
}

/** The condition that what a user pays with or for is the caller's to see: their own, or anybody's for an admin. */
export const mayAccount = (caller: Caller, userId: AnyColumn): SQL =>
  hasRole(caller, "admin") ? sql`1` : eq(userId, caller.id)

interface Owned {
  table: SQLiteTable
  key: AnyColumn
  /** The column that holds whose a row is. */
  userId: AnyColumn
  /** `money`: below admin, callers see their own rows only. */
  kind: "learning" | "money"
  /** The kept count of all rows. */
  total: SQL<number>
}

export interface OwnedBy extends Within {
  /** One user's rows. */
  user_id?: number | undefined
}

/**
 * Which rows of users a list shows: for supervisors their own and those of whom they reach, for learners their own; of
 * one user, portal or group where the call names one.
 */
export function rowsInScope(caller: Caller, owned: Owned, { user_id, ...within }: OwnedBy) {
  const { table, key, userId } = owned
  const ofUsers = (ids: SQL) => sql`select ${key} as id from ${table} where ${userId} in (${ids})`
  const scope: Filter[] = user_id === undefined ? [] : [{ test: eq(userId, user_id) }]
  const least = owned.kind === "money" ? "admin" : "staff"
  if (!hasRole(caller, least)) {
    scope.push(
      owned.kind === "learning" && isSupervisor(caller)
        ? { test: mayKnow(caller, userId), ids: ofUsers(sql`${reached(caller)} union select ${caller.id}`) }
        : { test: eq(userId, caller.id) },
    )
  }
  // What the call names, without what the role allows: that stands above, with the caller's own rows.
  const { filters } = usersInScope({ ...caller, userType: "owner" }, userId, within)
  scope.push(...filters.map(({ test, ids }) => ({ test, ...(ids && { ids: ofUsers(ids) }) })))
  if (scope.length === 0) return { scope, total: owned.total }
  // One user's rows are few and found by the user's index: the other conditions test them.
  const [first] = scope
  return { scope: first?.ids ? scope : scope.map(({ test }) => ({ test })) }
}

const PERSON = { ...account, avatar: users.avatar }

/** A user's name and type if the caller may know of them: for the trip of whatever is made or listed for that user. */
export const userKnown = (db: Database, caller: Caller, userId: number, condition = mayKnow(caller, users.id)) =>
  selectFrom(db, PERSON, sql`from ${users} where ${users.id} = ${userId} and ${condition}`)

/** Whose enrollments a report is about: `key` is the audience of the kept tallies. */
export interface Audience {
  key: string
  /** Holds where the caller may ask for it at all; where it does not, the group is unknown to the caller. */
  allowed: SQL
}

/** Everyone's for staff, their own people's for a supervisor; those of one group where the call names it. */
export function audienceOf(caller: Caller, groupId: number | null | undefined): Audience {
  const everyone = seesEveryone(caller)
  if (!groupId) return { key: everyone ? "all" : `reach:${caller.id}`, allowed: sql`1` }
  const known = rowExists(groups, eq(groups.id, groupId))
  return {
    key: `group:${groupId}`,
    allowed: everyone ? known : sql`(${known} and ${administersGroup(caller, groupId)})`,
  }
}

/** Whether the caller may ask about an audience, for the trip of whatever answers about it: one row, `allowed`. */
export const allowance = (db: Database, { allowed }: Audience) =>
  db.select({ allowed: sql<number>`${allowed}`.as("allowed") }).from(SINGLE_ROW)

/**
 * Makes the batch answer 409 should the user be deleted since `userKnown` found it. Before what is made for that user.
 */
export const userStays = (work: UnitOfWork, userId: number) => work.guard(rowExists(users, eq(users.id, userId)))
