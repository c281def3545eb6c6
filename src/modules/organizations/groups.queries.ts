import { and, eq, type SQL, sql } from "drizzle-orm"
import { groupAdmins, groupMembers, groups } from "../../../drizzle/schema/groups.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { administersGroup } from "../../access/scope.ts"
import { promoteLearners } from "../../access/supervisors.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import {
  changeExternalId,
  externalIdFilters,
  externalIdsBySource,
  selectExternalIds,
  toExternalIds,
  UNIQUE_EXTERNAL_ID,
} from "../../db/external-ids.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { deleteRecords, guardUnchanged, requireVersion, updateChanged } from "../../db/records.ts"
import { searchFilter, searchText } from "../../db/search.ts"
import { counter, idList, SINGLE_ROW } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import type { ExternalIdInput } from "../../lib/input/external-id.ts"
import { pluralize } from "../../lib/text/words.ts"
import { selectCourseSeats, selectKnownCourses, setCourseSeats } from "./course-seats.ts"
import { groupColumns } from "./group-columns.ts"
import type { GroupChanges, NewGroup } from "./groups.schemas.ts"
import { groupDeletion, groupPeopleChange, type PeopleChange } from "./supervisor-scope.background.ts"

/** Restricts groups to those that the caller can see: all for staff, their own for supervisors. */
const visibleGroups = (caller: Caller): Filter[] =>
  canSeeAllUsers(caller)
    ? []
    : [
        {
          test: administersGroup(caller, groups.id),
          ids: sql`
            select ${groupAdmins.groupId} as id
            from ${groupAdmins}
            where ${groupAdmins.userId} = ${caller.id}`,
        },
      ]

type People = Omit<GroupChanges, "name" | "course_seats" | keyof ExternalIdInput>

/** The users that the input adds as members or administrators. */
const addedUserIds = ({ user_ids = [], admin_ids = [], add_user_ids = [] }: People) => [
  ...new Set([...user_ids, ...admin_ids, ...add_user_ids]),
]

/** Selects the users of the input with their current membership in the group, for the first round trip. */
const selectUsers = (db: Database, groupId: number, wanted: People) =>
  db
    .select({
      id: users.id,
      userType: users.userType,
      isMember: isInGroup(groupMembers, groupId).as("is_member"),
      isAdmin: isInGroup(groupAdmins, groupId).as("is_admin"),
    })
    .from(users)
    .where(sql`${users.id} in ${idList([...addedUserIds(wanted), ...(wanted.remove_user_ids ?? [])])}`)

const isInGroup = (table: PeopleTable, groupId: number) =>
  sql<number>`exists (
    select 1 from ${table} as belonging
    where belonging.group_id = ${groupId} and belonging.user_id = users.id
  )`

/** Whether a group has members or administrators outside the sets of the input, for the first round trip. */
const selectOthers = (db: Database, groupId: number, { user_ids, admin_ids }: People) => {
  const hasOthers = (table: PeopleTable, ids: number[] | undefined) =>
    ids === undefined
      ? sql<number>`0`
      : sql<number>`exists (
          select 1 from ${table} as belonging
          where belonging.group_id = ${groupId} and belonging.user_id not in ${idList(ids)}
        )`
  return db
    .select({
      members: hasOthers(groupMembers, user_ids).as("other_members"),
      admins: hasOthers(groupAdmins, admin_ids).as("other_admins"),
    })
    .from(SINGLE_ROW)
}

const NO_OTHERS = { members: 0, admins: 0 }

interface GroupUser {
  id: number
  userType: string
  isMember: number
  isAdmin: number
}

/** Plans the changes of members and administrators: sets replace the current ones; an equal set changes nothing. */
function planPeople(
  work: UnitOfWork,
  groupId: number,
  wanted: People,
  found: GroupUser[],
  others: typeof NO_OTHERS,
  decide?: (change: PeopleChange) => DecidedWork,
) {
  const { user_ids, admin_ids } = wanted
  const adminIds = new Set(admin_ids)
  const addedIds = new Set(addedUserIds(wanted))
  const unknown = addedIds.size - found.filter((user) => addedIds.has(user.id)).length
  const memberIds = new Set([...(user_ids ?? []), ...(wanted.add_user_ids ?? [])])
  const newMembers = found.filter((user) => memberIds.has(user.id) && !user.isMember).map((user) => user.id)
  const removedIds = new Set(wanted.remove_user_ids)
  const removedMembers = found
    .filter((user) => user.isMember && removedIds.has(user.id) && !memberIds.has(user.id))
    .map((user) => user.id)
  const newAdmins = found.filter((user) => adminIds.has(user.id) && !user.isAdmin)
  const promotion = promoteLearners(work, newAdmins, "group_admin")
  const changesAdmins = admin_ids !== undefined && (newAdmins.length > 0 || others.admins > 0)
  const keptIds = user_ids && others.members > 0 ? user_ids : null
  const job = decide?.({ id: groupId, keep: keptIds, admins: changesAdmins ? admin_ids.length : null })
  return {
    // Administrators first: members who are added afterward come into their scope.
    statements: [
      ...(changesAdmins ? replace(work.db, groupAdmins, groupId, admin_ids) : []),
      ...(removedMembers.length > 0
        ? [
            work.db
              .delete(groupMembers)
              .where(sql`${groupMembers.groupId} = ${groupId} and ${groupMembers.userId} in ${idList(removedMembers)}`),
          ]
        : []),
      ...(newMembers.length > 0 ? [addPeople(work.db, groupMembers, groupId, newMembers)] : []),
      ...(keptIds || changesAdmins ? (job?.statements ?? []) : []),
      ...promotion.statements,
    ],
    remarks: unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : [],
    job: keptIds || changesAdmins ? job?.job : {},
    finish: async () => {
      await promotion.notify()
      if (keptIds || changesAdmins) await job?.start()
    },
  }
}

type DecidedWork = ReturnType<ReturnType<typeof planBackgroundWork<PeopleChange>>["decide"]>
type PeopleTable = typeof groupMembers | typeof groupAdmins

const addPeople = (db: Database, table: PeopleTable, groupId: number, userIds: number[]) =>
  insertFrom(
    db,
    table,
    { groupId, userId: users.id },
    sql`from ${users} where ${users.id} in ${idList(userIds)}`,
  ).onConflictDoNothing()

const replace = (db: Database, table: PeopleTable, groupId: number, userIds: number[]): Statement[] => [
  db.delete(table).where(sql`${table.groupId} = ${groupId} and ${table.userId} not in ${idList(userIds)}`),
  addPeople(db, table, groupId, userIds),
]

/** @param statements further statements of the batch */
export async function createGroup(work: UnitOfWork, input: NewGroup, statements?: (groupId: number) => Statement[]) {
  const { name, user_ids, admin_ids, course_seats } = input
  const links = await planLinks(work, input, statements)
  const answer = await work.create(
    "groups",
    {
      id: links?.id,
      statements: (id) => [
        work.db.insert(groups).values({ id, name, searchText: searchText(name), createdAt: now() }),
        ...(links?.statements ?? []),
        work.audit("created", "group", { id, name }, { user_ids, admin_ids, course_seats, ...links?.details }),
      ],
      answer: (id) => ({ id, message: ["Group created.", ...(links?.remarks ?? [])].join(" ") }),
    },
    { unique: UNIQUE_EXTERNAL_ID },
  )
  await links?.finish()
  return answer
}

/** Plans the records of a new group. Only a group with any needs a round trip that reads. */
async function planLinks(work: UnitOfWork, input: NewGroup, statements?: (groupId: number) => Statement[]) {
  const { db } = work
  const { course_seats, externalId } = input
  if (!statements && !course_seats && externalId === undefined && addedUserIds(input).length === 0) return undefined
  const [newIds, found, courses] = await work.read([
    work.nextIds("groups"),
    selectUsers(db, 0, input),
    selectKnownCourses(db, course_seats),
  ])
  const id = firstRow(newIds).last
  const people = planPeople(work, id, input, found, NO_OTHERS)
  const seats = setCourseSeats(work, id, course_seats, courses)
  const external = changeExternalId(db, { object: "group", id, caller: work.caller }, input)
  return {
    id,
    statements: [...people.statements, ...seats.statements, ...external.statements, ...(statements?.(id) ?? [])],
    remarks: [...people.remarks, ...seats.remarks],
    details: external.details,
    finish: people.finish,
  }
}

/**
 * A group with its administrators and external ids.
 * @param id the id, or an expression of it
 * @throws 404 for a group that the caller cannot see
 */
export async function getGroup(db: Database, caller: Caller, id: number | SQL) {
  const [rows, admins, courseSeats] = await db.batch([
    db
      .select({
        ...groupColumns.fields,
        version: groups.version,
        externalIdsJson: externalIdsBySource("group", groups.id).as("external_ids_json"),
      })
      .from(groups)
      .where(and(sql`${groups.id} = ${id}`, ...visibleGroups(caller).map((filter) => filter.test))),
    db
      .select({ id: groupAdmins.userId })
      .from(groupAdmins)
      .where(sql`${groupAdmins.groupId} = ${id}`)
      .orderBy(groupAdmins.userId),
    selectCourseSeats(db, id),
  ])
  const [found] = rows
  if (!found) throw notFound("group")
  return {
    ...found,
    ...toExternalIds(caller, found.externalIdsJson),
    adminIds: admins.map((admin) => admin.id),
    courseSeats,
  }
}

/**
 * Updates the provided fields; `user_ids`, `admin_ids` and `course_seats` replace the current sets.
 * @param more further statements of the batch, if it writes something
 * @throws 404, 409, 412
 */
export async function updateGroup(
  work: UnitOfWork,
  id: number,
  changes: GroupChanges,
  expectedVersion?: number,
  more: (groupId: number) => Statement[] = () => [],
) {
  const { db, caller } = work
  const { name: _, course_seats, externalId, externalIdSource, ...wanted } = changes
  const plan = planBackgroundWork(work, groupPeopleChange, {
    id,
    keep: wanted.user_ids ?? null,
    admins: wanted.admin_ids?.length ?? null,
  })
  const [planned, rows, found, courses, others, currentSeats, currentIds] = await work.read([
    plan.question,
    db.select().from(groups).where(eq(groups.id, id)),
    selectUsers(db, id, wanted),
    selectKnownCourses(db, course_seats, id),
    selectOthers(db, id, wanted),
    selectCourseSeats(db, id),
    selectExternalIds(db, "group", id),
  ])
  const group = requireVersion(rows, "group", expectedVersion)
  const name = changes.name ?? group.name
  const people = planPeople(work, id, wanted, found, firstRow(others), (change) => plan.decide(planned, change))
  const seats = setCourseSeats(work, id, course_seats, courses, currentSeats)
  const external = changeExternalId(db, { object: "group", id, caller }, { externalId, externalIdSource }, currentIds)
  const statements = [...people.statements, ...seats.statements, ...external.statements]
  const message = ["Group updated.", ...people.remarks, ...seats.remarks].join(" ")
  if (name === group.name && statements.length === 0) return work.commit([], { message })
  const answer = await work.commit(
    [
      guardUnchanged(groups, group),
      updateChanged(db, groups, group, { name, searchText: searchText(name) }),
      ...statements,
      work.audit("updated", "group", { id, name }, { name, ...wanted, course_seats, ...external.details }),
      ...more(id),
    ],
    { message, ...people.job },
    { unique: UNIQUE_EXTERNAL_ID },
  )
  await people.finish()
  return answer
}

/** Deletes groups. Their members remain as users. */
export const deleteGroups = (work: UnitOfWork, ids: number[], options: { requireAll?: boolean } = {}) =>
  deleteRecords(work, { table: groups, subject: "group", name: groups.name, ids, cascade: groupDeletion, ...options })

export async function listGroups(
  db: Database,
  caller: Caller,
  query: PageQuery & ExternalIdInput & { search_param: { name?: string | undefined } },
) {
  const { name } = query.search_param
  const scope = visibleGroups(caller)
  return readPage(
    db,
    {
      table: groups,
      key: groups.id,
      fields: groupColumns.fields,
      sort: groupColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope,
      search: [...externalIdFilters("group", groups.id, caller, query), ...(name ? [searchFilter(groups, name)] : [])],
      ...(scope.length === 0 && { total: counter("groups") }),
    },
    query,
  )
}
