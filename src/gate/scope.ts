import { type AnyColumn, eq, type SQL, sql } from "drizzle-orm"
import { groupMembers, reach } from "../../drizzle/groups.ts"
import { portalMembers } from "../../drizzle/portals.ts"
import type { Filter } from "../lib/list.ts"
import { counter } from "../lib/sql.ts"
import { type Caller, isSupervisor, seesEveryone } from "./access.ts"

/** The condition that a user (by the column of its id) is the caller or within its reach: for reads of one record. */
export function mayKnow(caller: Caller, userId: AnyColumn): SQL {
  if (seesEveryone(caller)) return sql`1`
  const self = eq(userId, caller.id)
  if (!isSupervisor(caller)) return self
  return sql`(${self} or exists (select 1 from ${reach} where ${reach.supervisorId} = ${caller.id} and ${reach.userId} = ${userId}))`
}

interface UserScope {
  filters: Filter[]
  /** The number of users in scope, where a counter keeps it. */
  total?: SQL<number>
}

/**
 * Whom a list shows: everyone for staff and above, the members of its groups and portals for a supervisor, itself for
 * a learner; within the portal and the group that the call names.
 * @param userId the column that holds the user's id
 */
export function usersInScope(
  caller: Caller,
  userId: AnyColumn,
  within: { portalId?: number | undefined; group_id?: number | undefined },
): UserScope {
  const filters: Filter[] = []
  const totals: SQL<number>[] = []
  if (within.portalId !== undefined) {
    const { portalId } = within
    filters.push({
      test: sql`exists (select 1 from ${portalMembers} where ${portalMembers.portalId} = ${portalId} and ${portalMembers.userId} = ${userId})`,
      ids: sql`select ${portalMembers.userId} as id from ${portalMembers} where ${portalMembers.portalId} = ${portalId}`,
    })
    totals.push(counter(`portal:${portalId}`))
  }
  if (within.group_id !== undefined) {
    const groupId = within.group_id
    filters.push({
      test: sql`exists (select 1 from ${groupMembers} where ${groupMembers.groupId} = ${groupId} and ${groupMembers.userId} = ${userId})`,
      ids: sql`select ${groupMembers.userId} as id from ${groupMembers} where ${groupMembers.groupId} = ${groupId}`,
    })
    totals.push(counter(`group:${groupId}`))
  }
  if (isSupervisor(caller)) {
    filters.push({
      test: sql`exists (select 1 from ${reach} where ${reach.supervisorId} = ${caller.id} and ${reach.userId} = ${userId})`,
      ids: sql`select ${reach.userId} as id from ${reach} where ${reach.supervisorId} = ${caller.id}`,
    })
    totals.push(counter(`reach:${caller.id}`))
  } else if (!seesEveryone(caller)) {
    filters.push({ test: eq(userId, caller.id) })
    totals.push(sql<number>`1`)
  }
  if (totals.length === 0) return { filters, total: counter("users") }
  const [only] = totals
  return totals.length === 1 && only ? { filters, total: only } : { filters }
}
