import { and, eq, type SQL, sql } from "drizzle-orm"
import { courseCategories, courses } from "../../../drizzle/schema/courses.ts"
import { tallies } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import {
  administersGroup,
  administersPortal,
  audienceOf,
  type ScopeParams,
  selectAudienceAccess,
} from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage, readPage } from "../../db/list/page.ts"
import { searchFilter } from "../../db/search.ts"
import { counter, idList, rowExists } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { courseColumns } from "./course-columns.ts"
import { selectGroupSeats, totalEnrollments } from "./seats.ts"

interface CourseSearch {
  courseCategoryIds?: number[] | undefined
  courseName?: string | undefined
  status?: "draft" | "publish" | undefined
}

/** The courses in some categories. */
export function categoryFilter(categoryIds: number[]): Filter {
  const these = sql`${courseCategories.categoryId} in ${idList(categoryIds)}`
  return {
    test: rowExists(courseCategories, sql`${courseCategories.courseId} = ${courses.id} and ${these}`),
    ids: sql`
      select distinct ${courseCategories.courseId} as id
      from ${courseCategories}
      where ${these}`,
  }
}

/** The courses in which an audience has registrations: rows of `tallies`. */
const registeredOf = (audience: string) => sql`
  ${tallies.audience} = ${audience}
  and ${tallies.courseId} > 0
  and ${totalEnrollments} > 0`

/** The ids of the courses in which a group has seats, and of those in which members of a portal are enrolled. */
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
          select ${tallies.courseId} as id
          from ${tallies}
          where ${registeredOf(`portal:${portalId}`)}`,
      ]
    : []),
]

/** @param known a condition that holds where the caller may ask within these bounds at all */
const within = (bounds: ScopeParams, known: SQL = sql`1`): Filter[] =>
  courseIdsInScope(bounds).map((ids) => ({
    test: sql`${courses.id} in (${ids} and ${known})`,
    ids: sql`${ids} and ${known}`,
  }))

/**
 * The condition that the group and the portal that a call names are the caller's: others are as empty as unknown ones.
 */
const administers = (caller: Caller, { group_id, portalId }: ScopeParams): SQL =>
  (canSeeAllUsers(caller)
    ? undefined
    : and(
        group_id === undefined ? undefined : administersGroup(caller, group_id),
        portalId === undefined ? undefined : administersPortal(caller, portalId),
      )) ?? sql`1`

/** One page of courses; below staff, of those that are published. */
export async function listCourses(
  db: Database,
  caller: Caller,
  query: PageQuery & ScopeParams & { search_param: CourseSearch },
) {
  const { courseCategoryIds, courseName, status } = query.search_param
  const bounds = within(query, administers(caller, query))
  const published = canSeeAllUsers(caller) ? [] : [{ test: sql`${courses.status} = 'publish'` }]
  const total = counter(canSeeAllUsers(caller) ? "courses" : "courses:publish")
  const onlyStatus = status && !courseName && !courseCategoryIds && bounds.length === 0
  const ofStatus = published.length > 0 && status === "draft" ? sql<number>`0` : counter(`courses:${status}`)
  return readPage(
    db,
    {
      table: courses,
      key: courses.id,
      fields: courseColumns.fields,
      sort: courseColumns.sort,
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [...bounds, ...published],
      search: [
        ...(courseName ? [searchFilter(courses, courseName)] : []),
        ...(courseCategoryIds ? [categoryFilter(courseCategoryIds)] : []),
        ...(status ? [{ test: eq(courses.status, status) }] : []),
      ],
      ...(bounds.length === 0 && { total }),
      ...(onlyStatus && { filtered: ofStatus }),
    },
    query,
  )
}

/** The courses in which a group has seats. @throws 404 for a group that the caller may not know */
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
      scope: within(query),
      search: [],
    },
    query,
  )
  const [rows, totals, may] = await db.batch([
    ...found.statements,
    selectAudienceAccess(db, audienceOf(caller, query.group_id)),
  ])
  if (!firstRow(may).allowed) throw notFound("group")
  return found.read(rows, totals)
}

/** Every course with its enrollments by status, from the kept tallies. @throws 404 for an unknown group */
export async function getCoursesOverview(db: Database, caller: Caller, groupId: number | undefined) {
  const audience = audienceOf(caller, groupId)
  const { key } = audience
  const fields = {
    name: courses.name,
    notStarted: sql<number>`coalesce(${tallies.notStarted}, 0)`.as("not_started_count"),
    inProgress: sql<number>`coalesce(${tallies.inProgress}, 0)`.as("in_progress_count"),
    completed: sql<number>`coalesce(${tallies.completed}, 0)`.as("completed_count"),
  }
  const order = sql`${courses.name} collate nocase, ${courses.id}`
  const [rows, may] = await db.batch([
    key === "all"
      ? db
          .select(fields)
          .from(courses)
          .leftJoin(tallies, sql`${tallies.audience} = 'all' and ${tallies.courseId} = ${courses.id}`)
          .orderBy(order)
      : db
          .select(fields)
          .from(tallies)
          .innerJoin(courses, eq(courses.id, tallies.courseId))
          .where(registeredOf(key))
          .orderBy(order),
    selectAudienceAccess(db, audience),
  ])
  if (!firstRow(may).allowed) throw notFound("group")
  return rows
}
