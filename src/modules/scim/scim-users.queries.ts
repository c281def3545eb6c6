import { type SQL, sql } from "drizzle-orm"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import { groupMembers, groups } from "../../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { externalIdOf, idsByExternalId } from "../../db/external-ids.ts"
import type { Listing } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { selectFrom } from "../../db/select.ts"
import { counter, fullNameIn, subquery } from "../../db/sql.ts"
import { onCommitted } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { ApiError, notFound } from "../../lib/errors.ts"
import { scimError } from "../../lib/web/scim-error.ts"
import { revokeKeysOf } from "../auth/revoke-credentials.ts"
import { planUserPortals, selectUserPortals } from "../organizations/user-portal-changes.ts"
import { updateUser } from "../users/user-changes.queries.ts"
import { createUser } from "../users/user-creation.queries.ts"
import { type Attribute, type ScimAttributes, scimFilters } from "./scim-filter.ts"
import { displayNameOf, namesOf, sentNames, toNewUser, toUserChanges, type UserInput } from "./scim-input.ts"
import { includes, type Projection } from "./scim-projection.ts"
import type { ScimListQuery } from "./scim-schemas.ts"

/** The condition that the provider sees a user: those that it deleted are hidden until they are enabled again. */
export const isVisible = sql`not (${users.deprovisioned} and ${users.disabled})`

const displayName = subquery(sql<string>`coalesce(${users.displayName}, ${fullNameIn()})`)

const customValues = sql<string>`(
  select json_group_object(${customFields.userMetaKey}, ${customFieldValues.value})
  from ${customFieldValues}
  join ${customFields} on ${customFields.id} = ${customFieldValues.fieldId}
  where ${customFieldValues.userId} = ${users.id}
)`

const groupsOfUser = sql<string>`(
  select json_group_array(json_object('value', cast(${groups.id} as text), 'display', ${groups.name}))
  from ${groupMembers}
  join ${groups} on ${groups.id} = ${groupMembers.groupId}
  where ${groupMembers.userId} = ${users.id}
)`

const portalsOfUser = sql<string>`(
  select json_group_array(json_object(
    'value', cast(${portals.id} as text), 'display', ${portals.name}, 'type', ${portalMembers.role}))
  from ${portalMembers}
  join ${portals} on ${portals.id} = ${portalMembers.portalId}
  where ${portalMembers.userId} = ${users.id}
)`

/** What a resource is made of. @param hasGroups whether the request asks for the groups */
const fieldsOf = (caller: Caller, hasGroups: boolean) => ({
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  disabled: users.disabled,
  version: users.version,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
  displayName: displayName.as("scim_display_name"),
  externalId: externalIdOf("user", users.id, caller).as("scim_external_id"),
  custom: customValues.as("scim_custom"),
  portals: portalsOfUser.as("scim_portals"),
  groups: (hasGroups ? groupsOfUser : sql<string | null>`null`).as("scim_groups"),
})

type Row<T> = T extends Promise<infer Found> ? Found : never
export type ScimUserRow = Row<ReturnType<typeof getScimUser>>

const hasGroups = (projection: Projection) => projection.attributes !== undefined && includes(projection, "groups")

const selectUser = ({ db, caller }: UnitOfWork, id: number, projection: Projection) =>
  selectFrom(db, fieldsOf(caller, hasGroups(projection)), sql`from ${users} where ${users.id} = ${id} and ${isVisible}`)

/** @throws 404 */
export async function getScimUser(work: UnitOfWork, id: number, projection: Projection) {
  const [[found]] = await work.db.batch([selectUser(work, id, projection)])
  if (!found) throw notFound("user")
  return found
}

const text = (value: SQL): Attribute => ({ value, type: "text" })
const emailAttribute: Attribute = {
  ...text(sql`${users.email}`),
  ids: (email) => sql`select ${users.id} as id from ${users} where ${users.email} collate nocase = ${email}`,
}

const ATTRIBUTES: Record<string, Attribute> = {
  id: {
    value: sql`${users.id}`,
    type: "id",
    ids: (id) => sql`select ${users.id} as id from ${users} where ${users.id} = ${id}`,
  },
  username: emailAttribute,
  emails: emailAttribute,
  "emails.value": emailAttribute,
  "emails.type": text(sql`'work'`),
  "emails.primary": { value: sql`1`, type: "boolean" },
  "name.givenname": text(sql`${users.firstName}`),
  "name.familyname": text(sql`${users.lastName}`),
  "name.formatted": text(fullNameIn()),
  displayname: text(displayName),
  active: { value: sql`(not ${users.disabled})`, type: "boolean" },
  "meta.created": { value: sql`${users.createdAt}`, type: "time" },
  "meta.lastmodified": { value: sql`${users.updatedAt}`, type: "time" },
  "meta.resourcetype": text(sql`'User'`),
}

const customAttribute = (key: string): Attribute => ({
  value: sql`(
    select ${customFieldValues.value} from ${customFieldValues}
    join ${customFields} on ${customFields.id} = ${customFieldValues.fieldId}
    where ${customFieldValues.userId} = ${users.id} and ${customFields.userMetaKey} collate nocase = ${key}
  )`,
  type: "text",
})

const isMemberOf = (id: string | number) => sql`select ${portalMembers.userId} as id
  from ${portalMembers} where ${portalMembers.portalId} = ${id}`
const portalAttribute: Attribute = {
  value: sql`(select min(portal_id) from portal_members where user_id = ${users.id})`,
  type: "id",
  ids: isMemberOf,
  includes: (id) => sql`${users.id} in (${isMemberOf(id)})`,
}

const attributesOf =
  (caller: Caller): ScimAttributes =>
  ({ schema, name, sub }) => {
    if (schema === "custom") return name === "" ? undefined : customAttribute(name)
    if (schema === "lectern")
      return name === "portals" && (sub === undefined || sub === "value") ? portalAttribute : undefined
    if (schema) return undefined
    if (name === "externalid" && sub === undefined)
      return {
        value: externalIdOf("user", users.id, caller),
        type: "exact",
        ids: (value) => idsByExternalId("user", caller, String(value)),
      }
    const path = sub === undefined ? name : `${name}.${sub}`
    return Object.hasOwn(ATTRIBUTES, path) ? ATTRIBUTES[path] : undefined
  }

const SORT: Listing<Record<string, never>>["sort"] = {
  id: users.id,
  username: sql`${users.email} collate nocase`,
  "name.givenname": users.firstNameKey,
  "name.familyname": users.lastNameKey,
  "meta.created": users.createdAt,
  "meta.lastmodified": users.updatedAt,
}

/** The order of a list. @throws 400 for an attribute that lists cannot be sorted by */
export function orderBy(sort: Record<string, unknown>, { sortBy = "id", sortOrder = "ascending" }: ScimListQuery) {
  const colName = sortBy.toLowerCase()
  if (!Object.hasOwn(sort, colName)) throw scimError("invalidPath", `Sort by one of ${Object.keys(sort).join(", ")}.`)
  return { colName, direction: sortOrder.toLowerCase() === "descending" ? ("desc" as const) : ("asc" as const) }
}

/** One page of users. */
export async function listScimUsers({ db, caller }: UnitOfWork, query: ScimListQuery) {
  return readPage(
    db,
    {
      table: users,
      key: users.id,
      fields: fieldsOf(caller, hasGroups(query)),
      sort: SORT,
      defaultSort: { colName: "id", direction: "asc" },
      scope: [{ test: isVisible }],
      search: scimFilters(query.filter, attributesOf(caller)),
      total: sql<number>`${counter("users")} - ${counter("users:deprovisioned")}`,
    },
    { page_size: query.count, page_number: 1, offset: query.startIndex - 1, order_by: orderBy(SORT, query) },
  )
}

/**
 * Reads the user in the batch of a change.
 * @returns the statement, and a function for the resource after the commit; if nothing was written, or the answer of
 *   the batch was lost, it reads again
 */
function readAfter(work: UnitOfWork) {
  let found: ScimUserRow | undefined
  return {
    statement: (id: number) =>
      onCommitted(selectUser(work, id, {}), (rows: ScimUserRow[]) => {
        ;[found] = rows
      }),
    resource: async (id: number) => found ?? getScimUser(work, id, {}),
  }
}

/**
 * Reads what a change of the portals needs in the next round trip.
 * @param userId 0 for a new user
 * @returns the statements of the change
 */
function portalChanges(work: UnitOfWork, userId: number, { portals: wanted, userName }: UserInput) {
  if (!wanted) return undefined
  let found: Awaited<ReturnType<typeof selectUserPortals>> = []
  const current = sql`(select ${users.email} from ${users} where ${users.id} = ${userId})`
  work.db.addCheck({
    statement: selectUserPortals(work.db, { id: userId, email: userName ? sql`${userName}` : current }, wanted),
    verify: (rows) => {
      found = rows as typeof found
    },
  })
  return (id: number) => planUserPortals(work, id, wanted, found)
}

/** Creates a user, or provisions one again that the provider deleted. @throws 400, 403, 409 */
export async function createScimUser(work: UnitOfWork, base: string, user: UserInput) {
  const after = readAfter(work)
  const names = namesOf(user)
  const columns = { disabled: user.active === false, displayName: displayNameOf(user, names) }
  const memberships = portalChanges(work, 0, user)
  try {
    const { id } = await createUser(work, base, toNewUser(user), {
      columns,
      ...(memberships && { memberships }),
      statements: (userId) => [after.statement(userId)],
    })
    return await after.resource(id)
  } catch (error) {
    if (!(error instanceof ApiError) || !error.takenBy) throw error
    const again = { active: true, ...user, givenName: names.firstName, familyName: names.lastName }
    return provisionAgain(work, base, error.takenBy, again, error)
  }
}

async function provisionAgain(work: UnitOfWork, base: string, id: number, user: UserInput, taken: ApiError) {
  try {
    return await changeUser(work, base, id, user, undefined, sql`not ${isVisible}`)
  } catch (error) {
    throw error instanceof ApiError && error.code === "not_found" ? taken : error
  }
}

async function changeUser(
  work: UnitOfWork,
  base: string,
  id: number,
  user: UserInput,
  expectedVersion: number | undefined,
  within: SQL = isVisible,
) {
  const after = readAfter(work)
  const keys = user.active === false ? revokeKeysOf(work, id) : undefined
  const memberships = portalChanges(work, id, user)
  await updateUser(work, base, id, toUserChanges(user), expectedVersion, {
    columns: {
      ...(user.displayName !== undefined && { displayName: displayNameOf(user, sentNames(user)) }),
      ...(user.active !== undefined && { deprovisioned: false }),
    },
    within,
    ...(memberships && { memberships }),
    statements: (userId) => [...(keys?.statements ?? []), after.statement(userId)],
  })
  await keys?.notify()
  return after.resource(id)
}

/** @throws 400, 403, 404, 409, 412 */
export const updateScimUser = (
  work: UnitOfWork,
  base: string,
  id: number,
  user: UserInput,
  expectedVersion: number | undefined,
) => changeUser(work, base, id, user, expectedVersion)

/**
 * Deletes a user for the provider: disables the account, ends the person's sessions and API keys, and hides the user
 * from SCIM. What the person learned stays; an erasure removes personal data.
 * @throws 403, 404, 412
 */
export async function deleteScimUser(
  work: UnitOfWork,
  base: string,
  id: number,
  expectedVersion: number | undefined,
): Promise<void> {
  const keys = revokeKeysOf(work, id)
  await updateUser(work, base, id, { disabled: true, externalId: null }, expectedVersion, {
    columns: { deprovisioned: true },
    within: isVisible,
    statements: () => keys.statements,
  })
  await keys.notify()
}
