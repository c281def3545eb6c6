import { and, eq, type SQL, sql } from "drizzle-orm"
import type { AudienceCondition } from "../../../drizzle/schema/assignment-rules.ts"
import { userCategories } from "../../../drizzle/schema/categories.ts"
import { courseCategories } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { portalMembers } from "../../../drizzle/schema/portals.ts"
import { users, userViewTypes } from "../../../drizzle/schema/users.ts"
import { accountColumns } from "../../access/accounts.ts"
import { checkAudience, matchesAudience } from "../../access/audience-condition.ts"
import { canSeeUser, usersInScope } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { externalIdFilters, externalIdsBySource, toExternalIds } from "../../db/external-ids.ts"
import { linkedIds } from "../../db/keyset.ts"
import { changedSince, changedSinceFilter } from "../../db/list/changed-since.ts"
import type { Filter, Listing, PageQuery } from "../../db/list/listing.ts"
import { preparePage, readPage } from "../../db/list/page.ts"
import { idsMatching, searchFilter } from "../../db/search.ts"
import { selectFrom } from "../../db/select.ts"
import { idList, rowExists } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { hasFieldValue, requireSearchable, selectSearchableKeys } from "./custom-field-lookup.ts"
import { fieldsWithValues } from "./custom-field-values.ts"
import { pendingEmailOf } from "./email-change.queries.ts"
import { isMembershipActive } from "./held-membership.ts"
import { userColumns, userListFields } from "./user-columns.ts"
import { userDetailFields } from "./user-fields.ts"
import type { UserFilters } from "./users.schemas.ts"

const inCategories = (categoryIds: number[]): Filter => ({
  test: rowExists(
    userCategories,
    sql`${userCategories.userId} = ${users.id} and ${userCategories.categoryId} in ${idList(categoryIds)}`,
  ),
  ...linkedIds(userCategories, userCategories.userId, userCategories.categoryId, categoryIds),
})

/** Users enrolled in a course of a category, or in a course with a name (the older filter of the list). */
const inCourses = (course: SQL): Filter => ({
  test: sql`exists (select 1 from ${enrollments} where ${enrollments.userId} = ${users.id} and ${course})`,
})

const courseFilters = ({ courseCategoryIds, courseName }: UserSearch): Filter[] => [
  ...(courseCategoryIds
    ? [
        inCourses(
          sql`${enrollments.courseId} in (
            select ${courseCategories.courseId} from ${courseCategories}
            where ${courseCategories.categoryId} in ${idList(courseCategoryIds)}
          )`,
        ),
      ]
    : []),
  ...(courseName ? [inCourses(sql`${enrollments.courseId} in ${idsMatching("courses_search", courseName)}`)] : []),
]

/** The id of the user with an email address, as an expression: null if there is none. */
export const idByEmail = (email: string) =>
  sql<number | null>`(select ${users.id} from ${users} where ${users.email} collate nocase = ${email})`

const hasEmail = (email: string): Filter => {
  const test = sql`${users.email} collate nocase = ${email}`
  return { test, ids: sql`select ${users.id} as id from ${users} where ${test}` }
}

export interface UserSearch {
  nameOrEmail?: string | undefined
  membershipId?: number | undefined
  userCategoryId?: number[] | undefined
  userType?: string | undefined
  courseCategoryIds?: number[] | undefined
  courseName?: string | undefined
  updatedSince?: string | undefined
  email?: string | undefined
  audience?: AudienceCondition | undefined
}

/** The filters of a user search, shared by the list, the lookups and the export. */
function userFilters(search: UserSearch): Filter[] {
  return [
    ...(search.nameOrEmail ? [searchFilter(users, search.nameOrEmail)] : []),
    ...(search.userCategoryId ? [inCategories(search.userCategoryId)] : []),
    ...(search.membershipId
      ? [{ test: sql`${users.membershipId} = ${search.membershipId} and ${isMembershipActive()}` }]
      : []),
    ...(search.userType ? [{ test: eq(users.userType, search.userType) }] : []),
    ...courseFilters(search),
    ...(search.updatedSince === undefined ? [] : [changedSinceFilter(users, search.updatedSince)]),
    ...(search.email ? [hasEmail(search.email)] : []),
    ...(search.audience ? [matchesAudience(search.audience)] : []),
  ]
}

type Scope = { portalId?: number | undefined; group_id?: number | undefined }

const inPortals = (portalIds: number[]): Filter => ({
  test: rowExists(
    portalMembers,
    sql`${portalMembers.userId} = ${users.id} and ${portalMembers.portalId} in ${idList(portalIds)}`,
  ),
  ...linkedIds(portalMembers, portalMembers.userId, portalMembers.portalId, portalIds),
})

/** The filters of the user list and its export. `total` counts the users in scope, if a counter has the number. */
export function userListFilters(
  caller: Caller,
  { search_param, searchPortalIds, customFields = {}, externalId, externalIdSource, ...within }: UserFilters,
) {
  const { filters: scope, total } = usersInScope(caller, users.id, within)
  const search = [
    ...externalIdFilters("user", users.id, caller, { externalId, externalIdSource }),
    ...Object.entries(customFields).map(([key, value]) => hasFieldValue(key, value)),
    ...userFilters(search_param),
    ...(searchPortalIds ? [inPortals(searchPortalIds)] : []),
  ]
  return { scope, search, ...(total && { total }) }
}

export async function listUsers(db: Database, caller: Caller, query: PageQuery & UserFilters) {
  const { updatedSince, ...search_param } = query.search_param
  const { audience } = search_param
  const references = audience && checkAudience(db, caller, audience)
  if (references) db.addCheck({ statement: references.statement, verify: (rows) => references.verify(rows as never) })
  const listing: Listing<typeof userColumns.fields> = {
    table: users,
    key: users.id,
    fields: userListFields(caller),
    narrowedBy: "portalId, group_id or a search_param",
    sort: userColumns.sort,
    defaultSort: { colName: "created_at", direction: "desc" },
    ...userListFilters(caller, { ...query, search_param: { ...search_param, updatedSince: undefined } }),
  }
  const { customFields = {} } = query
  const page = preparePage(db, changedSince(listing, users, query, updatedSince), query)
  const keys = Object.keys(customFields)
  if (keys.length === 0) return page.read(...(await db.batch(page.statements)))
  const [rows, totals, searchable] = await db.batch([...page.statements, selectSearchableKeys(db, keys)])
  requireSearchable(keys, searchable)
  return page.read(rows, totals)
}

/** One page of users for a picker, sorted by first name. */
export async function lookUpUsers(db: Database, caller: Caller, query: PageQuery & Scope & { search: UserSearch }) {
  const { filters, total } = usersInScope(caller, users.id, query)
  return readPage(
    db,
    {
      table: users,
      key: users.id,
      fields: accountColumns,
      sort: userColumns.sort,
      defaultSort: { colName: "first_name", direction: "asc" },
      scope: filters,
      search: userFilters(query.search),
      ...(total && { total }),
    },
    query,
  )
}

/** A user's preferred list view. @throws 404 */
export async function getViewType(db: Database, caller: Caller, userId: number) {
  const [rows] = await db.batch([
    db
      .select({ userId: users.id, type: userViewTypes.type })
      .from(users)
      .leftJoin(userViewTypes, eq(userViewTypes.userId, users.id))
      .where(and(eq(users.id, userId), canSeeUser(caller, users.id))),
  ])
  const [found] = rows
  if (!found) throw notFound("user")
  return found
}

interface UserExtras {
  activeMembershipId: number | null
  membershipName: string | null
  pendingEmail: string | null
  externalIdsJson: string
}

/**
 * A user with their membership, custom fields and external ids.
 * @param userId the id, or an expression of it
 * @throws 404
 */
export async function getUser(db: Database, caller: Caller, userId: number | SQL) {
  const [rows, metas] = await db.batch([
    selectFrom<typeof userDetailFields, UserExtras>(
      db,
      userDetailFields,
      sql`,
        case when ${isMembershipActive()} then ${users.membershipId} end as activeMembershipId,
        (
          select ${memberships.name} from ${memberships} where ${memberships.id} = ${users.membershipId}
        ) as membershipName,
        ${userId === caller.id ? pendingEmailOf(userId) : sql`null`} as pendingEmail,
        ${externalIdsBySource("user", users.id)} as externalIdsJson
        from ${users}
        where ${users.id} = ${userId} and ${canSeeUser(caller, users.id)}`,
    ),
    fieldsWithValues(db, userId),
  ])
  const [user] = rows
  if (!user) throw notFound("user")
  return { ...user, ...toExternalIds(caller, user.externalIdsJson), metas }
}
