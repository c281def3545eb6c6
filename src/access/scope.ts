import { type AnyColumn, and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { groupAdmins, groupMembers, groups, supervisorScope } from "../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { BatchCheck, Database } from "../db/client.ts"
import type { Filter } from "../db/list/listing.ts"
import { rawStatement, selectFrom } from "../db/select.ts"
import { counter, idList, rowExists, SINGLE_ROW, textList } from "../db/sql.ts"
import type { UnitOfWork } from "../db/unit-of-work.ts"
import { type Caller, canChangeUserOfType, canSeeAllUsers, hasRole, isSupervisor } from "../lib/caller.ts"
import { notFound } from "../lib/errors.ts"
import { accountColumns } from "./accounts.ts"

/** The condition that a user is a member of a portal, in any role. */
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

/** The condition that the calling supervisor administers a group or portal that a user belongs to. */
const supervises = (caller: Caller, userId: SQLWrapper): SQL => sql`exists (
  select 1 from ${supervisorScope}
  where ${supervisorScope.supervisorId} = ${caller.id} and ${supervisorScope.userId} = ${userId}
)`

/** The users that the calling supervisor can see. */
const supervisedUsers = (caller: Caller): SQL => sql`
  select ${supervisorScope.userId} as id
  from ${supervisorScope}
  where ${supervisorScope.supervisorId} = ${caller.id}`

/** The condition that the caller can see a user (by the id column): themselves and the users in their scope. */
export function canSeeUser(caller: Caller, userId: AnyColumn): SQL {
  if (canSeeAllUsers(caller)) return sql`1`
  const self = eq(userId, caller.id)
  if (!isSupervisor(caller)) return self
  return sql`(${self} or ${supervises(caller, userId)})`
}

/** `canChangeUserOfType` as a condition on the user type column. */
export function canChangeUser(caller: Caller, userType: AnyColumn): SQL {
  const above = ["staff", "admin", "owner"].filter((type) => !canChangeUserOfType(caller, type))
  return above.length === 0 ? sql`1` : sql`${userType} not in ${textList(above)}`
}

/**
 * The condition that the caller can manage a user (by the id column): any user for staff, the users in their scope
 * for a supervisor. Supervisors cannot manage themselves: nobody records their own attendance or points.
 */
export function canManageUser(caller: Caller, userId: AnyColumn): SQL {
  if (canSeeAllUsers(caller)) return sql`1`
  return sql`(${userId} <> ${caller.id} and ${supervises(caller, userId)})`
}

const allOf = (ids: readonly number[], isKnown: (id: SQLWrapper) => SQL): SQL => sql`not exists (
  select 1 from ${idList(ids)} where not (${isKnown(sql`value`)})
)`

/**
 * Whether the caller can see every portal and group that a call names: for staff those that exist, for others those
 * that they administer or belong to.
 * @returns a check for the call's first batch; it throws 404
 */
export function checkNamedScope(
  db: Database,
  caller: Caller,
  portalIds: readonly number[],
  groupIds: readonly number[],
): BatchCheck {
  const canSeeAll = canSeeAllUsers(caller)
  const portal = allOf(portalIds, (id) =>
    canSeeAll ? rowExists(portals, eq(portals.id, id)) : inPortal(caller.id, id),
  )
  const group = allOf(groupIds, (id) =>
    canSeeAll
      ? rowExists(groups, eq(groups.id, id))
      : sql`(${administersGroup(caller, id)} or ${inGroup(caller.id, id)})`,
  )
  return {
    statement: rawStatement(db, sql`select ${portal} as portal, ${group} as "group"`),
    verify([found]) {
      for (const [thing, isKnown] of Object.entries(found as object)) if (!isKnown) throw notFound(thing)
    },
  }
}

/** The portal and the group that a call can be limited to. */
export interface ScopeParams {
  portalId?: number | undefined
  group_id?: number | undefined
}

/** The condition that a user belongs to the portal and the group of a call; undefined without either. */
export function belongs(userId: number, { portalId, group_id: groupId }: ScopeParams): SQL | undefined {
  return and(
    portalId === undefined ? undefined : inPortal(userId, portalId),
    groupId === undefined ? undefined : inGroup(userId, groupId),
  )
}

interface UserScope {
  filters: Filter[]
  /** The number of users in scope, if a counter has it. */
  total?: SQL<number>
}

/**
 * The users that a list shows: everyone for staff and above, the members of their groups and portals for supervisors,
 * themselves for learners; limited to the portal and the group of the call.
 * @param userId the user id column
 */
export function usersInScope(caller: Caller, userId: AnyColumn, within: ScopeParams): UserScope {
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
    filters.push({ test: supervises(caller, userId), ids: supervisedUsers(caller) })
    totals.push(counter(`supervisor:${caller.id}`))
  } else if (!canSeeAllUsers(caller)) {
    filters.push({ test: eq(userId, caller.id) })
    totals.push(sql<number>`1`)
  }
  if (totals.length === 0) return { filters, total: counter("users") }
  const [only] = totals
  return totals.length === 1 && only ? { filters, total: only } : { filters }
}

/** The condition that the caller can see what a user pays: their own, or anybody's for an admin. */
export const canSeePayments = (caller: Caller, userId: AnyColumn): SQL =>
  hasRole(caller, "admin") ? sql`1` : eq(userId, caller.id)

interface OwnedTable {
  table: SQLiteTable
  key: AnyColumn
  /** The user id column. */
  userId: AnyColumn
  /** `money`: below admin, callers see their own rows only. */
  kind: "learning" | "money"
  /** The counter of all rows. */
  total: SQL<number>
}

export interface OwnerParams extends ScopeParams {
  /** Limits a list to one user's rows. */
  user_id?: number | undefined
}

/**
 * The rows of users that a list shows: for supervisors their own and those of the users in their scope, for learners
 * their own; limited to the user, portal or group of the call.
 */
export function rowsInScope(caller: Caller, owned: OwnedTable, { user_id, ...within }: OwnerParams) {
  const { table, key, userId } = owned
  const ofUsers = (ids: SQL) => sql`select ${key} as id from ${table} where ${userId} in (${ids})`
  const scope: Filter[] = user_id === undefined ? [] : [{ test: eq(userId, user_id) }]
  const requiredRole = owned.kind === "money" ? "admin" : "staff"
  if (!hasRole(caller, requiredRole)) {
    scope.push(
      owned.kind === "learning" && isSupervisor(caller)
        ? { test: canSeeUser(caller, userId), ids: ofUsers(sql`${supervisedUsers(caller)} union select ${caller.id}`) }
        : { test: eq(userId, caller.id) },
    )
  }
  // The portal and the group of the call, without the caller's role: the filter above covers it.
  const { filters } = usersInScope({ ...caller, userType: "owner" }, userId, within)
  scope.push(...filters.map(({ test, ids }) => ({ test, ...(ids && { ids: ofUsers(ids) }) })))
  if (scope.length === 0) return { scope, total: owned.total }
  // One user has few rows, and the user's index finds them: the other conditions only test them.
  const [first] = scope
  return { scope: first?.ids ? scope : scope.map(({ test }) => ({ test })) }
}

const VISIBLE_USER = { ...accountColumns, avatar: users.avatar }

/** A user's name and type if the caller can see them: for the first round trip of a change or list for that user. */
export const selectVisibleUser = (
  db: Database,
  caller: Caller,
  userId: number,
  condition = canSeeUser(caller, users.id),
) => selectFrom(db, VISIBLE_USER, sql`from ${users} where ${users.id} = ${userId} and ${condition}`)

/** Whose enrollments a report covers: `key` is the audience of the maintained aggregates. */
export interface Audience {
  key: string
  /** The condition that the caller may read this audience; otherwise the group does not exist for the caller. */
  allowed: SQL
}

/** All enrollments for staff, those in their scope for a supervisor; limited to the group of the call. */
export function audienceOf(caller: Caller, groupId: number | null | undefined): Audience {
  const canSeeAll = canSeeAllUsers(caller)
  if (!groupId) return { key: canSeeAll ? "all" : `supervisor:${caller.id}`, allowed: sql`1` }
  const groupExists = rowExists(groups, eq(groups.id, groupId))
  return {
    key: `group:${groupId}`,
    allowed: canSeeAll ? groupExists : sql`(${groupExists} and ${administersGroup(caller, groupId)})`,
  }
}

/** Whether the caller may read an audience: one row, `allowed`. */
export const selectAudienceAccess = (db: Database, { allowed }: Audience) =>
  db.select({ allowed: sql<number>`${allowed}`.as("allowed") }).from(SINGLE_ROW)

/** Makes the batch fail with 409 if the user was deleted since they were read. Put it before the rows of that user. */
export const guardUserExists = (work: UnitOfWork, userId: number) => work.guard(rowExists(users, eq(users.id, userId)))
