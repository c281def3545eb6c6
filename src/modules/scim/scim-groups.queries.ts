import { type SQL, sql } from "drizzle-orm"
import { groupMembers, groups } from "../../../drizzle/schema/groups.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { externalIdOf, idsByExternalId } from "../../db/external-ids.ts"
import type { Listing } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { rawStatement, selectFrom } from "../../db/select.ts"
import { counter, counterOf, fullNameIn } from "../../db/sql.ts"
import { onCommitted } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { createGroup, deleteGroups, updateGroup } from "../organizations/groups.queries.ts"
import type { GroupChanges, NewGroup } from "../organizations/groups.schemas.ts"
import { type Attribute, type ScimAttributes, scimFilters } from "./scim-filter.ts"
import { includes, type Projection } from "./scim-projection.ts"
import type { ScimListQuery } from "./scim-schemas.ts"
import { isVisible, orderBy } from "./scim-users.queries.ts"

/** Lists, and responses to changes, contain the members of groups up to this size. */
const MAX_LISTED_MEMBERS = 1000

const memberRows = (groupId: number | SQL) => sql`
  from ${groupMembers}
  join ${users} on ${users.id} = ${groupMembers.userId}
  where ${groupMembers.groupId} = ${groupId} and ${isVisible}`

const listedMembers = sql<string | null>`(
  case when ${counterOf("group", groups.id)} <= ${MAX_LISTED_MEMBERS} then (
    select json_group_array(json_object('id', ${users.id}, 'name', ${fullNameIn()})) ${memberRows(sql`${groups.id}`)}
  ) end
)`

/** @param hasMembers whether the response contains members */
const fieldsOf = (caller: Caller, hasMembers: boolean) => ({
  id: groups.id,
  name: groups.name,
  version: groups.version,
  createdAt: groups.createdAt,
  updatedAt: groups.updatedAt,
  externalId: externalIdOf("group", groups.id, caller).as("scim_external_id"),
  members: (hasMembers ? listedMembers : sql<string | null>`null`).as("scim_members"),
})

interface Member {
  id: number
  name: string
}

interface GroupFields {
  id: number
  name: string
  version: number
  createdAt: number
  updatedAt: number
  externalId: string | null
  members: string | null
}
export type ScimGroupRow = Omit<GroupFields, "members"> & { members: Member[] | undefined }

const withMembers = (row: GroupFields): ScimGroupRow => ({
  ...row,
  members: row.members === null ? undefined : (JSON.parse(row.members) as Member[]),
})

/** A group with all its members, unless they are excluded. @throws 404 */
export async function getScimGroup(
  { db, caller }: UnitOfWork,
  id: number,
  projection: Projection,
): Promise<ScimGroupRow> {
  const hasMembers = includes(projection, "members")
  const [[found], members] = await db.batch([
    selectFrom(db, fieldsOf(caller, false), sql`from ${groups} where ${groups.id} = ${id}`),
    rawStatement<Member>(
      db,
      sql`select ${users.id} as id, ${fullNameIn()} as name ${memberRows(id)} and ${hasMembers ? 1 : 0}
        order by ${groupMembers.userId}`,
    ),
  ])
  if (!found) throw notFound("group")
  return { ...found, members: hasMembers ? members : undefined }
}

const ATTRIBUTES: Record<string, Attribute> = {
  id: {
    value: sql`${groups.id}`,
    type: "id",
    ids: (id) => sql`select ${groups.id} as id from ${groups} where ${groups.id} = ${id}`,
  },
  displayname: {
    value: sql`${groups.name}`,
    type: "text",
    ids: (name) => sql`select ${groups.id} as id from ${groups} where ${groups.name} collate nocase = ${name}`,
  },
  "meta.created": { value: sql`${groups.createdAt}`, type: "time" },
  "meta.lastmodified": { value: sql`${groups.updatedAt}`, type: "time" },
  "meta.resourcetype": { value: sql`'Group'`, type: "text" },
}

const attributesOf =
  (caller: Caller): ScimAttributes =>
  ({ schema, name, sub }) => {
    if (schema) return undefined
    const path = sub === undefined ? name : `${name}.${sub}`
    if (path === "externalid")
      return {
        value: externalIdOf("group", groups.id, caller),
        type: "exact",
        ids: (value) => idsByExternalId("group", caller, String(value)),
      }
    return Object.hasOwn(ATTRIBUTES, path) ? ATTRIBUTES[path] : undefined
  }

const SORT: Listing<Record<string, never>>["sort"] = {
  id: groups.id,
  displayname: sql`${groups.name} collate nocase`,
}

/** One page of groups. */
export async function listScimGroups({ db, caller }: UnitOfWork, query: ScimListQuery) {
  const page = await readPage(
    db,
    {
      table: groups,
      key: groups.id,
      fields: fieldsOf(caller, includes(query, "members")),
      sort: SORT,
      defaultSort: { colName: "id", direction: "asc" },
      scope: [],
      search: scimFilters(query.filter, attributesOf(caller)),
      total: counter("groups"),
    },
    { page_size: query.count, page_number: 1, offset: query.startIndex - 1, order_by: orderBy(SORT, query) },
  )
  return { ...page, rows: page.rows.map(withMembers) }
}

/** Reads the group in the batch of a change, as `readAfter` of scim-users.queries.ts does. */
function readAfter(work: UnitOfWork) {
  let found: GroupFields | undefined
  const select = (id: number) =>
    selectFrom(work.db, fieldsOf(work.caller, true), sql`from ${groups} where ${groups.id} = ${id}`)
  return {
    statement: (id: number) =>
      onCommitted(select(id), (rows: GroupFields[]) => {
        ;[found] = rows
      }),
    resource: async (id: number): Promise<ScimGroupRow> => {
      const [[read]] = found ? [[found]] : await work.db.batch([select(id)])
      if (!read) throw notFound("group")
      return withMembers(read)
    },
  }
}

/** @throws 409 */
export async function createScimGroup(work: UnitOfWork, group: NewGroup) {
  const after = readAfter(work)
  const { id } = await createGroup(work, group, (groupId) => [after.statement(groupId)])
  return after.resource(id)
}

/** @throws 404, 409, 412 */
export async function updateScimGroup(work: UnitOfWork, id: number, changes: GroupChanges, expectedVersion?: number) {
  const after = readAfter(work)
  await updateGroup(work, id, changes, expectedVersion, (groupId) => [after.statement(groupId)])
  return after.resource(id)
}

/** Deletes a group; its members stay. A large group is deleted by a background job. @throws 404 */
export async function deleteScimGroup(work: UnitOfWork, id: number): Promise<void> {
  await deleteGroups(work, [id], { requireAll: true })
}
