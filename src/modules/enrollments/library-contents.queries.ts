import { eq, type SQL, sql } from "drizzle-orm"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { membershipCourses } from "../../../drizzle/schema/membership-courses.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { belongs, type ScopeParams, selectVisibleUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { containsTerm } from "../../db/search.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { isMembershipActive } from "../users/held-membership.ts"
import { membershipCourseColumns, membershipModuleColumns } from "./library-columns.ts"

/**
 * Selects the ids of the courses of the user's membership while it is active and the user belongs to the requested
 * portal and group; without a user, of all memberships.
 */
const membershipCourseIds = (userId: number | null, scope: ScopeParams): SQL =>
  userId === null
    ? sql`select distinct ${membershipCourses.courseId} as id from ${membershipCourses}`
    : sql`
        select ${membershipCourses.courseId} as id
        from ${users}
        cross join ${membershipCourses} on ${membershipCourses.membershipId} = ${users.membershipId}
        where ${users.id} = ${userId}
          and ${isMembershipActive()}
          and ${belongs(userId, scope) ?? sql`1`}`

type ContentsQuery = PageQuery & ScopeParams & { search_param: { nameOrDescription?: string | undefined } }

/**
 * The name or description contains the term. Only the membership's content is scanned. Descriptions without stored
 * plain text are searched as HTML.
 */
function matchesTerm(table: typeof courses | typeof modules, term: string) {
  const description = sql`coalesce(nullif(${table.descriptionText}, ''), lower(${table.content}))`
  const nameMatches = containsTerm(table.searchText, term)
  return { test: sql`(${nameMatches} or instr(${description}, ${term.toLowerCase()}) > 0)` }
}

/** Selects the ids of the modules of these courses. */
const membershipModuleIds = (userId: number | null, scope: ScopeParams): SQL => sql`
  select distinct ${courseModules.moduleId} as id
  from (${membershipCourseIds(userId, scope)}) as membership_content
  join ${courses} on ${courses.id} = membership_content.id and ${courses.status} = 'publish'
  join ${courseModules} on ${courseModules.courseId} = membership_content.id`

/** The number of courses and modules together: the total before search_param.type selects one of them. */
const contentCount = (userId: number | null, scope: ScopeParams): SQL<number> => sql<number>`(
  (select count(*) from (${membershipCourseIds(userId, scope)}) as membership_content
    join ${courses} on ${courses.id} = membership_content.id and ${courses.status} = 'publish')
  + (select count(*) from (${membershipModuleIds(userId, scope)}))
)`

/** search_param.type selects the table, so it needs no condition. */
const OF_KIND: Filter = { test: sql`1` }

/** Returns one page of the published courses of a membership. @throws 404 if the caller may not see the user */
export async function listMembershipCourses(db: Database, caller: Caller, userId: number | null, query: ContentsQuery) {
  const term = query.search_param.nameOrDescription
  const ids = membershipCourseIds(userId, query)
  const found = preparePage(
    db,
    {
      table: courses,
      key: courses.id,
      fields: membershipCourseColumns.fields,
      sort: membershipCourseColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [{ test: sql`${courses.id} in (${ids})`, ids: ids }, { test: eq(courses.status, "publish") }],
      search: [OF_KIND, ...(term ? [matchesTerm(courses, term)] : [])],
      total: contentCount(userId, query),
    },
    query,
  )
  const [rows, totals, known] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId ?? 0)])
  if (userId !== null && known.length === 0) throw notFound("user")
  return found.read(rows, totals)
}

/** Returns one page of the modules of those courses. @throws 404 if the caller may not see the user */
export async function listMembershipModules(db: Database, caller: Caller, userId: number | null, query: ContentsQuery) {
  const term = query.search_param.nameOrDescription
  const ids = membershipModuleIds(userId, query)
  const found = preparePage(
    db,
    {
      table: modules,
      key: modules.id,
      fields: membershipModuleColumns.fields,
      sort: membershipModuleColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [{ test: sql`${modules.id} in (${ids})`, ids: ids }],
      search: [OF_KIND, ...(term ? [matchesTerm(modules, term)] : [])],
      total: contentCount(userId, query),
    },
    query,
  )
  const [rows, totals, known] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId ?? 0)])
  if (userId !== null && known.length === 0) throw notFound("user")
  return found.read(rows, totals)
}
