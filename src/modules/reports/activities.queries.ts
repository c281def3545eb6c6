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

const courseNameFilter = (name: string): Filter => {
  const isOfCourse = sql`${activities.courseId} in ${idsMatching("courses_search", name)}`
  const isOfDeletedCourse = sql`(
    ${activities.courseId} is null and instr(lower(${activities.courseName}), ${name.toLowerCase()}) > 0
  )`
  const ids = (condition: SQL) => sql`select ${activities.id} as id from ${activities} where ${condition}`
  return {
    test: sql`(${isOfCourse} or ${isOfDeletedCourse})`,
    ids: sql`${ids(isOfCourse)} union all ${ids(isOfDeletedCourse)}`,
  }
}

/** Filters activities by the categories of their course. */
function categoryFilter(categoryIds: number[]): Filter {
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
 * Returns one page of activities: of one user, of everyone the caller can see, or of the caller, by the context.
 * @returns the page and its owner: the requested user or the caller, if there is one
 * @throws 404 for a user the caller cannot see
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
  // All verbs together filter nothing.
  const verbs = status && new Set(status).size < ACTIVITY_VERBS.length ? [...new Set(status)] : []
  const isUnscoped = scope.length === 0
  const hasSearch = verbs.length > 0 || courseName || courseCategoryIds
  const isById = isUnscoped && !hasSearch && query.order_by?.colName === "id"
  // Without a scope, each verb is read on its own index.
  const verbFilter = (wanted: readonly ActivityVerb[], test: SQL): Filter => ({
    test,
    ...(isUnscoped && { branches: wanted.map((verb) => ({ test: eq(activities.verb, verb) })) }),
  })
  const inCategories = courseCategoryIds && categoryFilter(courseCategoryIds)
  const found = preparePage(
    db,
    {
      table: activities,
      key: activities.id,
      fields: activityColumns.fields,
      sort: isById ? { ...activityColumns.sort, id: activities.id } : activityColumns.sort,
      narrowedBy: "user_id, group_id, portalId or a search_param",
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [...scope, ...(isUnscoped && !isById && verbs.length === 0 ? [verbFilter(ACTIVITY_VERBS, sql`1`)] : [])],
      search: [
        // A user has few activities, which the user's index finds: a search only tests them.
        ...(courseName
          ? [userId === undefined ? courseNameFilter(courseName) : { test: courseNameFilter(courseName).test }]
          : []),
        ...(inCategories ? [isUnscoped ? inCategories : { test: inCategories.test }] : []),
        ...(verbs.length > 0 ? [verbFilter(verbs, sql`+${activities.verb} in ${textList(verbs)}`)] : []),
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
