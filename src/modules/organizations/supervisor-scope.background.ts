import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { supervisionCount } from "../../../drizzle/rules.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupAdmins, groupMembers, groups, supervisorScope } from "../../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import type { BackgroundKind, Stage } from "../../db/background-work.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { type Deletion, deletionStatements } from "../../db/records.ts"
import { counterOf, idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"

// Background jobs for groups and portals whose administrators change, whose members are replaced, or that are deleted.

/** The number of aggregate rows that change when a person joins or leaves an audience. */
const aggregateRows = (userId: SQLWrapper) => sql`(
  (select count(*) from enrollments where user_id = ${userId})
  + (select count(*) from quiz_attempts where user_id = ${userId})
  + (select count(*) from class_enrollments where user_id = ${userId})
  + (select count(*) from submissions where user_id = ${userId})
)`
const supervisors = (userId: SQLWrapper) =>
  sql`(select count(*) from supervisor_scope as seen where seen.user_id = ${userId})`

/** The rows that the end of a membership writes: in the person's own audience and in each supervisor's. */
const leavingWeight = (userId: SQLWrapper) => sql`(1 + ${supervisors(userId)}) * (4 + ${aggregateRows(userId)})`

const raw = (text: string) => sql.raw(text)
const linkCount = (supervisor: string, person: string) => raw(supervisionCount(supervisor, person))

/** A change of the members or administrators of a group or portal. */
export interface PeopleChange {
  id: number
  /** The members or learners of a complete set; null: the request has none. */
  keep: number[] | null
  /** The number of administrators in the request; null: unchanged. */
  admins: number | null
}

const adminId = raw("admin.user_id")

/**
 * Recomputes the supervisor scope of the members of `which`.
 * @param from joins members with each administrator as `admin`
 */
function syncScope({ db }: UnitOfWork, table: typeof groupMembers | typeof portalMembers, from: SQL, which: SQL) {
  const name = table === groupMembers ? "group_members" : "portal_members"
  const people = sql`${supervisorScope.userId} in (select ${table.userId} from ${table} where ${which})`
  const computed = linkCount("supervisor_scope.supervisor_id", "supervisor_scope.user_id")
  return [
    insertFrom(
      db,
      supervisorScope,
      { supervisorId: adminId, userId: table.userId, linkCount: linkCount("admin.user_id", `${name}.user_id`) },
      sql`from ${table} ${from} where ${which} and ${linkCount("admin.user_id", `${name}.user_id`)} > 0`,
    ).onConflictDoUpdate({
      target: [supervisorScope.supervisorId, supervisorScope.userId],
      set: { linkCount: sql`excluded.link_count` },
      setWhere: sql`${supervisorScope.linkCount} <> excluded.link_count`,
    }),
    db.delete(supervisorScope).where(sql`${people} and ${computed} = 0`),
    db
      .update(supervisorScope)
      .set({ linkCount: computed })
      .where(sql`${people} and ${supervisorScope.linkCount} <> ${computed}`),
  ]
}

/** The stage that updates the scope of administrators. */
const scopeStage = (
  table: typeof groupMembers | typeof portalMembers,
  organizationId: SQLWrapper,
  from: SQL,
  total: (params: PeopleChange) => SQL,
): Stage<PeopleChange> => ({
  table,
  where: ({ id, admins }) => (admins === null ? sql`0` : sql`${organizationId} = ${id}`),
  key: [organizationId, table.userId],
  weight: 1,
  extraWeight: ({ admins }) =>
    sql`(${admins ?? 0} + ${supervisors(table.userId)}) * (4 + ${aggregateRows(table.userId)})`,
  total: (params) => (params.admins === null ? sql`0` : total(params)),
  change: (work, _, which) => syncScope(work, table, from, which),
})

/** The total number of members of groups or portals, from their counters. @param from after `from` */
const memberCount = (kind: "group" | "portal", id: SQLWrapper, from: SQL) =>
  sql`(select sum(${counterOf(kind, id)}) from ${from})`

/** The stage that deletes memberships. */
function membershipDeletion<P>(
  table: typeof groupMembers | typeof portalMembers,
  organizationId: SQLWrapper,
  where: (params: P) => SQL,
  total: (params: P) => SQL,
): Stage<P> {
  return {
    table,
    where,
    key: [organizationId, table.userId],
    weight: 5,
    extraWeight: leavingWeight(table.userId),
    total,
    change: ({ db }, _, which): Statement[] => [db.delete(table).where(which)],
  }
}

/** Deletes groups: removes their members and clears the group of enrollments. */
export const groupDeletion: BackgroundKind<Deletion> = {
  name: "groups.delete",
  stages: [
    membershipDeletion(
      groupMembers,
      groupMembers.groupId,
      ({ ids }) => sql`${groupMembers.groupId} in ${idList(ids)}`,
      ({ ids }) => memberCount("group", groups.id, sql`${groups} where ${groups.id} in ${idList(ids)}`),
    ),
    {
      table: enrollments,
      where: ({ ids }) => sql`${enrollments.groupId} in ${idList(ids)}`,
      key: [enrollments.groupId, enrollments.courseId, enrollments.id],
      weight: 4,
      total: ({ ids }) => sql`(select sum(used_seats) from group_course_seats where group_id in ${idList(ids)})`,
      change: ({ db }, _, which) => [
        db.update(enrollments).set({ groupId: null, updatedAt: nextUpdatedAt }).where(which),
      ],
    },
  ],
  finish: deletionStatements(groups),
}

/** Deletes portals and their memberships. */
export const portalDeletion: BackgroundKind<Deletion> = {
  name: "portals.delete",
  stages: [
    membershipDeletion(
      portalMembers,
      portalMembers.portalId,
      ({ ids }) => sql`${portalMembers.portalId} in ${idList(ids)}`,
      ({ ids }) => memberCount("portal", portals.id, sql`${portals} where ${portals.id} in ${idList(ids)}`),
    ),
  ],
  finish: (work, params) => deletionStatements(portals, hasOtherDescendants(params.ids))(work, params),
}

const groupTotal = ({ id }: PeopleChange) => memberCount("group", groups.id, sql`${groups} where ${groups.id} = ${id}`)
const portalTotal = ({ id }: PeopleChange) =>
  memberCount("portal", portals.id, sql`${portals} where ${portals.id} = ${id}`)
const notKept = (userId: SQLWrapper, keep: number[] | null) =>
  keep === null ? sql`0` : sql`${userId} not in ${idList(keep)}`

/** Removes group members outside a complete set and updates the scope of the administrators. */
export const groupPeopleChange: BackgroundKind<PeopleChange> = {
  name: "groups.people",
  stages: [
    membershipDeletion(
      groupMembers,
      groupMembers.groupId,
      ({ id, keep }) => sql`${groupMembers.groupId} = ${id} and ${notKept(groupMembers.userId, keep)}`,
      (params) => (params.keep === null ? sql`0` : groupTotal(params)),
    ),
    scopeStage(
      groupMembers,
      groupMembers.groupId,
      sql`join ${groupAdmins} as admin on admin.group_id = ${groupMembers.groupId}`,
      groupTotal,
    ),
  ],
}

/** Removes portal learners outside a complete set and updates the scope of the administrators. */
export const portalPeopleChange: BackgroundKind<PeopleChange> = {
  name: "portals.people",
  stages: [
    membershipDeletion(
      portalMembers,
      portalMembers.portalId,
      ({ id, keep }) =>
        sql`${portalMembers.portalId} = ${id} and ${portalMembers.role} = 'learner'
          and ${notKept(portalMembers.userId, keep)}`,
      (params) => (params.keep === null ? sql`0` : portalTotal(params)),
    ),
    scopeStage(
      portalMembers,
      portalMembers.portalId,
      sql`join ${portalMembers} as admin on admin.portal_id = ${portalMembers.portalId} and admin.role = 'admin'`,
      portalTotal,
    ),
  ],
}

/** Whether a portal has descendants outside `ids`. */
export const hasOtherDescendants = (ids: number[]): SQL => sql`exists (
  with recursive below(id) as (
    select child.id from portals as child where child.parent_portal_id = ${portals.id}
    union
    select child.id from portals as child join below on child.parent_portal_id = below.id
  )
  select 1 from below where below.id not in ${idList(ids)}
)`
