import { and, eq, sql } from "drizzle-orm"
import { groupAdmins, groupMembers, groups } from "../../../drizzle/schema/groups.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { administersGroup } from "../../access/scope.ts"
import { promoteLearners } from "../../access/supervisors.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { deleteRecords, requireVersion, unchangedAnswer, writeChanged } from "../../db/records.ts"
import { searchFilter, searchText } from "../../db/search.ts"
import { counter, idList, SINGLE_ROW } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { selectCourseSeats, selectKnownCourses, setCourseSeats } from "./course-seats.ts"
import { groupColumns } from "./group-columns.ts"
import type { GroupChanges, NewGroup } from "./groups.schemas.ts"
import { groupDeletion, groupPeopleChange, type PeopleChange } from "./reach.background.ts"

/** The groups that the caller may see: all for staff and above, those that they administer for a supervisor. */
const administered = (caller: Caller): Filter[] =>
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

type People = Omit<GroupChanges, "name" | "course_seats">

/** Whom a call wants in, as either. */
const wantedIn = ({ user_ids = [], admin_ids = [], add_user_ids = [] }: People) => [
  ...new Set([...user_ids, ...admin_ids, ...add_user_ids]),
]

/** The users that a call names, each with what they are in the group now, for the first trip. */
const known = (db: Database, groupId: number, wanted: People) =>
  db
    .select({
      id: users.id,
      userType: users.userType,
      isMember: within(groupMembers, groupId).as("is_member"),
      isAdmin: within(groupAdmins, groupId).as("is_admin"),
    })
    .from(users)
    .where(sql`${users.id} in ${idList([...wantedIn(wanted), ...(wanted.remove_user_ids ?? [])])}`)

const within = (table: PeopleTable, groupId: number) =>
  sql<number>`exists (
    select 1 from ${table} as belonging
    where belonging.group_id = ${groupId} and belonging.user_id = users.id
  )`

/** Whether a group has members, or administrators, beyond the whole sets that a call gives, for the first trip. */
const others = (db: Database, groupId: number, { user_ids, admin_ids }: People) => {
  const beyond = (table: PeopleTable, ids: number[] | undefined) =>
    ids === undefined
      ? sql<number>`0`
      : sql<number>`exists (
          select 1 from ${table} as belonging
          where belonging.group_id = ${groupId} and belonging.user_id not in ${idList(ids)}
        )`
  return db
    .select({
      members: beyond(groupMembers, user_ids).as("other_members"),
      admins: beyond(groupAdmins, admin_ids).as("other_admins"),
    })
    .from(SINGLE_ROW)
}

const nobodyElse = { members: 0, admins: 0 }

interface Known {
  id: number
  userType: string
  isMember: number
  isAdmin: number
}

/** What to change of a group's people: whole sets replace what there is; an equal set changes nothing. */
function appoint(
  work: UnitOfWork,
  groupId: number,
  wanted: People,
  found: Known[],
  beyond: typeof nobodyElse,
  decide?: (change: PeopleChange) => Work,
) {
  const { user_ids, admin_ids } = wanted
  const listed = new Set(admin_ids)
  const named = new Set(wantedIn(wanted))
  const unknown = named.size - found.filter((user) => named.has(user.id)).length
  const coming = new Set([...(user_ids ?? []), ...(wanted.add_user_ids ?? [])])
  const newMembers = found.filter((user) => coming.has(user.id) && !user.isMember).map((user) => user.id)
  const leavers = new Set(wanted.remove_user_ids)
  const leaving = found
    .filter((user) => user.isMember && leavers.has(user.id) && !coming.has(user.id))
    .map((user) => user.id)
  const appointed = found.filter((user) => listed.has(user.id) && !user.isAdmin)
  const promotion = promoteLearners(work, appointed, "group_admin")
  const changesAdmins = admin_ids !== undefined && (appointed.length > 0 || beyond.admins > 0)
  const keep = user_ids && beyond.members > 0 ? user_ids : null
  const rest = decide?.({ id: groupId, keep, admins: changesAdmins ? admin_ids.length : null })
  return {
    // Administrators first: who joins afterwards comes into their scope.
    statements: [
      ...(changesAdmins ? replace(work.db, groupAdmins, groupId, admin_ids) : []),
      ...(leaving.length > 0
        ? [
            work.db
              .delete(groupMembers)
              .where(sql`${groupMembers.groupId} = ${groupId} and ${groupMembers.userId} in ${idList(leaving)}`),
          ]
        : []),
      ...(newMembers.length > 0 ? [include(work.db, groupMembers, groupId, newMembers)] : []),
      ...(keep || changesAdmins ? (rest?.statements ?? []) : []),
      ...promotion.statements,
    ],
    remarks: unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : [],
    job: keep || changesAdmins ? rest?.job : {},
    finish: async () => {
      await promotion.notify()
      if (keep || changesAdmins) await rest?.start()
    },
  }
}

type Work = ReturnType<ReturnType<typeof planBackgroundWork<PeopleChange>>["decide"]>
type PeopleTable = typeof groupMembers | typeof groupAdmins

const include = (db: Database, table: PeopleTable, groupId: number, userIds: number[]) =>
  insertFrom(
    db,
    table,
    { groupId, userId: users.id },
    sql`from ${users} where ${users.id} in ${idList(userIds)}`,
  ).onConflictDoNothing()

const replace = (db: Database, table: PeopleTable, groupId: number, userIds: number[]): Statement[] => [
  db.delete(table).where(sql`${table.groupId} = ${groupId} and ${table.userId} not in ${idList(userIds)}`),
  include(db, table, groupId, userIds),
]

export async function createGroup(work: UnitOfWork, input: NewGroup) {
  const { db } = work
  const { name, user_ids, admin_ids, course_seats } = input
  const [given, found, courses] = await work.read([
    work.nextIds("groups"),
    known(db, 0, input),
    selectKnownCourses(db, course_seats),
  ])
  const id = firstRow(given).last
  const people = appoint(work, id, input, found, nobodyElse)
  const seats = setCourseSeats(work, id, course_seats, courses)
  const answer = await work.commit(
    [
      db.insert(groups).values({ id, name, searchText: searchText(name), createdAt: now() }),
      ...people.statements,
      ...seats.statements,
      work.audit("created", "group", { id, name }, { user_ids, admin_ids, course_seats }),
    ],
    { id, message: ["Group created.", ...people.remarks, ...seats.remarks].join(" ") },
  )
  await people.finish()
  return answer
}

/** A group with its administrators. @throws 404 for one that the caller does not administer */
export async function getGroup(db: Database, caller: Caller, id: number) {
  const [rows, admins, courseSeats] = await db.batch([
    db
      .select({ ...groupColumns.fields, version: groups.version })
      .from(groups)
      .where(and(eq(groups.id, id), ...administered(caller).map((filter) => filter.test))),
    db
      .select({ id: groupAdmins.userId })
      .from(groupAdmins)
      .where(eq(groupAdmins.groupId, id))
      .orderBy(groupAdmins.userId),
    selectCourseSeats(db, id),
  ])
  const [found] = rows
  if (!found) throw notFound("group")
  return { ...found, adminIds: admins.map((admin) => admin.id), courseSeats }
}

/**
 * Changes what is given and leaves the rest; `user_ids`, `admin_ids` and `course_seats` are whole sets.
 * @throws 404, 409, 412
 */
export async function updateGroup(work: UnitOfWork, id: number, changes: GroupChanges, demanded?: number) {
  const { db } = work
  const { name: _, course_seats, ...wanted } = changes
  const plan = planBackgroundWork(work, groupPeopleChange, {
    id,
    keep: wanted.user_ids ?? null,
    admins: wanted.admin_ids?.length ?? null,
  })
  const [planned, rows, found, courses, beyond, seatsNow] = await work.read([
    plan.question,
    db.select().from(groups).where(eq(groups.id, id)),
    known(db, id, wanted),
    selectKnownCourses(db, course_seats, id),
    others(db, id, wanted),
    selectCourseSeats(db, id),
  ])
  const group = requireVersion(rows, "group", demanded)
  const name = changes.name ?? group.name
  const people = appoint(work, id, wanted, found, firstRow(beyond), (change) => plan.decide(planned, change))
  const seats = setCourseSeats(work, id, course_seats, courses, seatsNow)
  const statements = [...people.statements, ...seats.statements]
  const message = ["Group updated.", ...people.remarks, ...seats.remarks].join(" ")
  if (name === group.name && statements.length === 0) return work.commit([], { message })
  const answer = await work.commit(
    [
      unchangedAnswer(work, groups, group),
      writeChanged(db, groups, group, { name, searchText: searchText(name) }),
      ...statements,
      work.audit("updated", "group", { id, name }, { name, ...wanted, course_seats }),
    ],
    { message, ...people.job },
  )
  await people.finish()
  return answer
}

/** Deletes groups. The users who were members stay. */
export const deleteGroups = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: groups, subject: "group", name: groups.name, ids, cascade: groupDeletion })

/** One page of the groups that the caller may see. */
export async function listGroups(
  db: Database,
  caller: Caller,
  query: PageQuery & { search_param: { name?: string | undefined } },
) {
  const { name } = query.search_param
  const scope = administered(caller)
  return readPage(
    db,
    {
      table: groups,
      key: groups.id,
      fields: groupColumns.fields,
      sort: groupColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope,
      search: name ? [searchFilter(groups, name)] : [],
      ...(scope.length === 0 && { total: counter("groups") }),
    },
    query,
  )
}
