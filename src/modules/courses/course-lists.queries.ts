import { and, eq, type SQL, sql } from "drizzle-orm"
import { courseCategories, courses } from "../../../drizzle/schema/courses.ts"
import { enrollmentCounts } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import {
  administersGroup,
  administersPortal,
  audienceOf,
  type ScopeParams,
  selectAudienceAccess,
} from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { externalIdFilters } from "../../db/external-ids.ts"
import { changedSince } from "../../db/list/changed-since.ts"
import type { Filter, Listing, PageQuery } from "../../db/list/listing.ts"
import { preparePage, readPage } from "../../db/list/page.ts"
import { searchFilter } from "../../db/search.ts"
import { counter, idList, rowExists } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import type { ExternalIdInput } from "../../lib/input/external-id.ts"
import { courseColumns } from "./course-columns.ts"
import { selectGroupSeats, totalEnrollments } from "./seats.ts"

interface CourseSearch {
  courseCategoryIds?: number[] | undefined
  courseName?: string | undefined
  status?: "draft" | "publish" | undefined
  updatedSince?: string | undefined
}

/** Filters courses by category. */
export function categoryFilter(categoryIds: number[]): Filter {
  const inCategories = sql`${courseCategories.categoryId} in ${idList(categoryIds)}`
  return {
    test: rowExists(courseCategories, sql`${courseCategories.courseId} = ${courses.id} and ${inCategories}`),
    ids: sql`
      select distinct ${courseCategories.courseId} as id
      from ${courseCategories}
      where ${inCategories}`,
  }
}

/** The condition that an audience has enrollments in the counter's course. */
const hasEnrollments = (audience: string) => sql`
  ${enrollmentCounts.audience} = ${audience}
  and ${enrollmentCounts.courseId} > 0
  and ${totalEnrollments} > 0`

/** Selects the ids of courses in which the group has seats, or the portal's members are enrolled. */
export const courseIdsInScope = ({ group_id, portalId }: ScopeParams): SQL[] => [
  ...(group_id
    ? [
        sql`
          select ${groupCourseSeats.courseId} as id
          from ${groupCourseSeats}
          where ${groupCourseSeats.groupId} = ${group_id}`,
      ]
    : []),
  ...(portalId
    ? [
        sql`
          select ${enrollmentCounts.courseId} as id
          from ${enrollmentCounts}
          where ${hasEnrollments(`portal:${portalId}`)}`,
      ]
    : []),
]

/** @param accessCondition whether the caller may use this scope */
const scopeFilters = (scope: ScopeParams, accessCondition: SQL = sql`1`): Filter[] =>
  courseIdsInScope(scope).map((ids) => ({
    test: sql`${courses.id} in (${ids} and ${accessCondition})`,
    ids: sql`${ids} and ${accessCondition}`,
  }))

/**
 * The condition that the caller administers the requested group and portal. Otherwise the list is empty, as for
 * unknown ids.
 */
const administers = (caller: Caller, { group_id, portalId }: ScopeParams): SQL =>
  (canSeeAllUsers(caller)
    ? undefined
    : and(
        group_id === undefined ? undefined : administersGroup(caller, group_id),
        portalId === undefined ? undefined : administersPortal(caller, portalId),
      )) ?? sql`1`

/** Returns one page of courses. Staff see drafts too. */
export async function listCourses(
  db: Database,
  caller: Caller,
  query: PageQuery & ScopeParams & ExternalIdInput & { search_param: CourseSearch },
) {
  const { courseCategoryIds, courseName, status, updatedSince } = query.search_param
  const scope = scopeFilters(query, administers(caller, query))
  const total = counter(canSeeAllUsers(caller) ? "courses" : "courses:publish")
  const externalId = externalIdFilters("course", courses.id, caller, query)
  const onlyStatus = status && !courseName && !courseCategoryIds && scope.length === 0 && externalId.length === 0
  const ofStatus = !canSeeAllUsers(caller) && status === "draft" ? sql<number>`0` : counter(`courses:${status}`)
  // The status has an index in every order but that of changes.
  const hasStatus = (value: string) => sql`${updatedSince === undefined ? sql`` : sql`+`}${courses.status} = ${value}`
  const listing: Listing<typeof courseColumns.fields> = {
    table: courses,
    key: courses.id,
    fields: courseColumns.fields,
    sort: courseColumns.sort,
    defaultSort: { colName: "created_at", direction: "desc" },
    scope: [...scope, ...(canSeeAllUsers(caller) ? [] : [{ test: hasStatus("publish") }])],
    search: [
      ...externalId,
      ...(courseName ? [searchFilter(courses, courseName)] : []),
      ...(courseCategoryIds ? [categoryFilter(courseCategoryIds)] : []),
      ...(status ? [{ test: hasStatus(status) }] : []),
    ],
    ...(scope.length === 0 && { total }),
    ...(onlyStatus && { filtered: ofStatus }),
  }
  return readPage(db, changedSince(listing, courses, query, updatedSince), query)
}

/** Returns the courses in which a group has seats. @throws 404 if the caller may not see the group */
export async function listGroupCourses(db: Database, caller: Caller, query: PageQuery & { group_id: number }) {
  const found = preparePage(
    db,
    {
      table: courses,
      key: courses.id,
      fields: {
        id: courses.id,
        name: courses.name,
        usedSeats: sql<number>`${selectGroupSeats(groupCourseSeats.usedSeats, query.group_id)}`.as("seats_used"),
        totalSeats: sql<number>`${selectGroupSeats(groupCourseSeats.totalSeats, query.group_id)}`.as("seats_in_all"),
      },
      sort: courseColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: scopeFilters(query),
      search: [],
    },
    query,
  )
  const [rows, totals, groupAccess] = await db.batch([
    ...found.statements,
    selectAudienceAccess(db, audienceOf(caller, query.group_id)),
  ])
  if (!firstRow(groupAccess).allowed) throw notFound("group")
  return found.read(rows, totals)
}

/**
 * Returns each course with its enrollment counts by status, from the stored counts. @throws 404 for an unknown group
 */
export async function getCoursesOverview(db: Database, caller: Caller, groupId: number | undefined) {
  const audience = audienceOf(caller, groupId)
  const { key } = audience
  const fields = {
    name: courses.name,
    notStarted: sql<number>`coalesce(${enrollmentCounts.notStarted}, 0)`.as("not_started_count"),
    inProgress: sql<number>`coalesce(${enrollmentCounts.inProgress}, 0)`.as("in_progress_count"),
    completed: sql<number>`coalesce(${enrollmentCounts.completed}, 0)`.as("completed_count"),
  }
  const order = sql`${courses.name} collate nocase, ${courses.id}`
  const [rows, groupAccess] = await db.batch([
    key === "all"
      ? db
          .select(fields)
          .from(courses)
          .leftJoin(
            enrollmentCounts,
            sql`${enrollmentCounts.audience} = 'all' and ${enrollmentCounts.courseId} = ${courses.id}`,
          )
          .orderBy(order)
      : db
          .select(fields)
          .from(enrollmentCounts)
          .innerJoin(courses, eq(courses.id, enrollmentCounts.courseId))
          .where(hasEnrollments(key))
          .orderBy(order),
    selectAudienceAccess(db, audience),
  ])
  if (!firstRow(groupAccess).allowed) throw notFound("group")
  return rows
}
