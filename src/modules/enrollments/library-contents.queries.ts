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
 * The courses that the user's membership gives while it holds, and while the user belongs to the portal and the group
 * that the call names; without a user, those that any membership gives.
 */
const givenCourses = (userId: number | null, within: ScopeParams): SQL =>
  userId === null
    ? sql`select distinct ${membershipCourses.courseId} as id from ${membershipCourses}`
    : sql`
        select ${membershipCourses.courseId} as id
        from ${users}
        cross join ${membershipCourses} on ${membershipCourses.membershipId} = ${users.membershipId}
        where ${users.id} = ${userId}
          and ${isMembershipActive()}
          and ${belongs(userId, within) ?? sql`1`}`

type ContentsQuery = PageQuery & ScopeParams & { search_param: { nameOrDescription?: string | undefined } }

/**
 * The name holds the term, or the description does, which is read of what the membership gives: no more with more
 * courses elsewhere. A description stored before its text was kept is searched as it stands.
 */
function mentions(of: typeof courses | typeof modules, term: string) {
  const description = sql`coalesce(nullif(${of.descriptionText}, ''), lower(${of.content}))`
  const named = containsTerm(of.searchText, term)
  return { test: sql`(${named} or instr(${description}, ${term.toLowerCase()}) > 0)` }
}

/** The modules of those courses, each once. */
const givenModules = (userId: number | null, within: ScopeParams): SQL => sql`
  select distinct ${courseModules.moduleId} as id
  from (${givenCourses(userId, within)}) as given
  join ${courses} on ${courses.id} = given.id and ${courses.status} = 'publish'
  join ${courseModules} on ${courseModules.courseId} = given.id`

/** How many contents there are, courses and modules: the total before search_param.type narrows it to either. */
const contentCount = (userId: number | null, within: ScopeParams): SQL<number> => sql<number>`(
  (select count(*) from (${givenCourses(userId, within)}) as given
    join ${courses} on ${courses.id} = given.id and ${courses.status} = 'publish')
  + (select count(*) from (${givenModules(userId, within)}))
)`

/** The search for one kind of content: the table that is listed has that kind alone. */
const OF_KIND: Filter = { test: sql`1` }

/** One page of the published courses that a membership gives. @throws 404 for a user outside the caller's reach */
export async function listMembershipCourses(db: Database, caller: Caller, userId: number | null, query: ContentsQuery) {
  const term = query.search_param.nameOrDescription
  const given = givenCourses(userId, query)
  const found = preparePage(
    db,
    {
      table: courses,
      key: courses.id,
      fields: membershipCourseColumns.fields,
      sort: membershipCourseColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [{ test: sql`${courses.id} in (${given})`, ids: given }, { test: eq(courses.status, "publish") }],
      search: [OF_KIND, ...(term ? [mentions(courses, term)] : [])],
      total: contentCount(userId, query),
    },
    query,
  )
  const [rows, totals, known] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId ?? 0)])
  if (userId !== null && known.length === 0) throw notFound("user")
  return found.read(rows, totals)
}

/** One page of the modules of those courses, each once. @throws 404 for a user outside the caller's reach */
export async function listMembershipModules(db: Database, caller: Caller, userId: number | null, query: ContentsQuery) {
  const term = query.search_param.nameOrDescription
  const given = givenModules(userId, query)
  const found = preparePage(
    db,
    {
      table: modules,
      key: modules.id,
      fields: membershipModuleColumns.fields,
      sort: membershipModuleColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [{ test: sql`${modules.id} in (${given})`, ids: given }],
      search: [OF_KIND, ...(term ? [mentions(modules, term)] : [])],
      total: contentCount(userId, query),
    },
    query,
  )
  const [rows, totals, known] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId ?? 0)])
  if (userId !== null && known.length === 0) throw notFound("user")
  return found.read(rows, totals)
}
