import { eq, type SQL, sql } from "drizzle-orm"
import { courseCategories } from "../../../drizzle/schema/courses.ts"
import { ACTIVITY_VERBS, activities } from "../../../drizzle/schema/enrollments.ts"
import type { ActivityVerb } from "../../../drizzle/statuses.ts"
import { type OwnerParams, rowsInScope, selectVisibleUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { idsMatching } from "../../db/search.ts"
import { idList, rowExists, textList } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { portalFilter } from "../../lib/input/list-query.ts"
import type { Context } from "../users/contexts.ts"
import { activityColumns } from "./activity-columns.ts"
import { countActivities } from "./reports.queries.ts"

type ActivitiesQuery = PageQuery &
  OwnerParams & {
    context?: Context | undefined
    search_param: {
      context?: Context | undefined
      portalId?: number | undefined
      courseCategoryIds?: number[] | undefined
      courseName?: string | undefined
      status?: ActivityVerb[] | undefined
    }
  }

const inCourses = (name: string): Filter => {
  const there = sql`${activities.courseId} in ${idsMatching("courses_search", name)}`
  const gone = sql`(
    ${activities.courseId} is null and instr(lower(${activities.courseName}), ${name.toLowerCase()}) > 0
  )`
  const ids = (which: SQL) => sql`select ${activities.id} as id from ${activities} where ${which}`
  return { test: sql`(${there} or ${gone})`, ids: sql`${ids(there)} union all ${ids(gone)}` }
}

/** Activities in courses of any of some categories. */
function inCategories(categoryIds: number[]): Filter {
  const wanted = sql`${courseCategories.categoryId} in ${idList(categoryIds)}`
  return {
    test: rowExists(courseCategories, sql`${courseCategories.courseId} = ${activities.courseId} and ${wanted}`),
    ids: sql`
      select distinct ${activities.id} as id from ${courseCategories}
      cross join ${activities} on ${activities.courseId} = ${courseCategories.courseId}
      where ${wanted}`,
  }
}

/**
 * One page of what users did: one user's; without one everyone's whom the caller may see, or the caller's own where the
 * context says so.
 * @returns with it the user named, or else the caller; nobody without either
 * @throws 404 for a user outside the caller's reach
 */
export async function listActivities(db: Database, caller: Caller, query: ActivitiesQuery) {
  const { courseCategoryIds, courseName, status } = query.search_param
  const context = query.context ?? query.search_param.context
  const userId = query.user_id ?? (context === "all" ? undefined : (caller.id ?? undefined))
  const { scope, total } = rowsInScope(
    caller,
    {
      table: activities,
      key: activities.id,
      userId: activities.userId,
      kind: "learning",
      total: countActivities(ACTIVITY_VERBS),
    },
    { user_id: userId, portalId: portalFilter(query), group_id: query.group_id },
  )
  // All of the verbs are no filter.
  const verbs = status && new Set(status).size < ACTIVITY_VERBS.length ? [...new Set(status)] : []
  const everyone = scope.length === 0
  const searched = verbs.length > 0 || courseName || courseCategoryIds
  const byId = everyone && !searched && query.order_by?.colName === "id"
  // Everyone's are read verb by verb, whichever of them are asked for.
  const inVerbs = (wanted: readonly ActivityVerb[], test: SQL): Filter => ({
    test,
    ...(everyone && { branches: wanted.map((verb) => ({ test: eq(activities.verb, verb) })) }),
  })
  const categorized = courseCategoryIds && inCategories(courseCategoryIds)
  const found = preparePage(
    db,
    {
      table: activities,
      key: activities.id,
      fields: activityColumns.fields,
      sort: byId ? { ...activityColumns.sort, id: activities.id } : activityColumns.sort,
      narrowedBy: "user_id, group_id, portalId or a search_param",
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [...scope, ...(everyone && !byId && verbs.length === 0 ? [inVerbs(ACTIVITY_VERBS, sql`1`)] : [])],
      search: [
        // One user's activities are few and found by the user's index: a search only tests them.
        ...(courseName ? [userId === undefined ? inCourses(courseName) : { test: inCourses(courseName).test }] : []),
        ...(categorized ? [everyone ? categorized : { test: categorized.test }] : []),
        ...(verbs.length > 0 ? [inVerbs(verbs, sql`+${activities.verb} in ${textList(verbs)}`)] : []),
      ],
      ...(total && { total }),
      ...(total && verbs.length > 0 && !courseName && !courseCategoryIds && { filtered: countActivities(verbs) }),
    },
    query,
  )
  const [rows, totals, known] = await db.batch([
    ...found.statements,
    selectVisibleUser(db, caller, userId ?? caller.id ?? 0),
  ])
  const [owner] = known
  if (userId !== undefined && !owner) throw notFound("user")
  return { owner, page: found.read(rows, totals) }
}
