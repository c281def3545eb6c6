import { and, eq, getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { classes, type classSessions } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollmentScope } from "../../access/audience.ts"
import { type ScopeParams, selectAudienceAccess } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { externalIdFilters } from "../../db/external-ids.ts"
import { changedSince } from "../../db/list/changed-since.ts"
import { filterFirstOrScan } from "../../db/list/filter-first.ts"
import type { Filter, Listing, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { idsMatching } from "../../db/search.ts"
import { counter } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import type { ExternalIdInput } from "../../lib/input/external-id.ts"
import type { Period } from "../../lib/text/dates.ts"
import { periodIn } from "../../lib/text/zones.ts"
import { courseIdsInScope } from "../courses/course-lists.queries.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"
import { classColumns, courseClassColumns } from "./class-columns.ts"
import { hiddenCourseIds } from "./class-scope.ts"

// Lists of classes and sessions. The classes of a group or a portal are those of its courses.

/** The condition that an id column matches a search by id or by part of the name. */
function matchesIdOrName(column: SQLWrapper, table: "locations_search" | "users_search", search: string | number): SQL {
  if (typeof search === "number") return sql`${column} = ${search}`
  const found = sql`${column} in ${idsMatching(table, search)}`
  return /^[1-9]\d{0,14}$/.test(search) ? sql`(${column} = ${Number(search)} or ${found})` : found
}

export const isAtLocation = (input: string | number) => matchesIdOrName(classes.locationId, "locations_search", input)

const locationFilter = (location: string | number): Filter => {
  const test = isAtLocation(location)
  return { test, ids: sql`select ${classes.id} as id from ${classes} where ${test}` }
}

const instructorFilter = (input: string | number): Filter => {
  const test = matchesIdOrName(classes.instructorId, "users_search", input)
  return { test, ids: sql`select ${classes.id} as id from ${classes} where ${test}` }
}

/** Filters classes or sessions by start date. @param zone the time zone of dates without an offset */
export function startDateFilters(
  { order_by, search_param: { dates } }: PageQuery & { search_param: DateSearch },
  zone: string,
  table: typeof classes | typeof classSessions = classes,
): Filter[] {
  if (!dates) return []
  const { from, until } = periodIn(zone, dates)
  const test = sql`${table.startAt} >= ${from} and ${table.startAt} < ${until}`
  // In the order of dates, a range of the order's index has them. In another order, they are read first.
  if (!order_by || order_by.colName.startsWith("start")) return [{ test }]
  return [{ test, ids: sql`select ${table.id} as id from ${table} where ${test}` }]
}

export type DateSearch = { dates?: Period | undefined }

/** Checks whether the caller may list the classes of a group or portal. */
export function scopeAccess(db: Database, caller: Caller, { group_id, portalId }: ScopeParams, isMember = sql`false`) {
  const subject = enrollmentScope(caller, { group_id, portalId })
  return {
    statement: selectAudienceAccess(db, { ...subject, allowed: sql`(${subject.allowed} or ${isMember})` }),
    /** @throws 404 */
    require(may: { allowed: number }[]) {
      if (!firstRow(may).allowed) throw notFound(subject.unknown)
    },
  }
}

/** Filters classes or sessions by course. Counters know how many there are. */
export function courseFilter(table: typeof classes | typeof classSessions, courseIds: SQL, query: PageQuery) {
  const count = countByCourses(table, courseIds)
  // The plus makes SQLite scan the order's index.
  const test = sql`+${table.courseId} in (select id from (${courseIds}))`
  const ids = sql`
    select own.id as id from (${courseIds}) as course
    cross join ${table} as own on own.course_id = course.id`
  return {
    count,
    filter: filterFirstOrScan(
      { test, ids, count, total: counter(table === classes ? "classes" : "class_sessions") },
      query,
    ),
  }
}

/** All classes or sessions except those of drafts that the caller cannot see. */
export function visibleRows(caller: Caller, table: typeof classes | typeof classSessions) {
  const hidden = hiddenCourseIds(caller)
  const total = counter(table === classes ? "classes" : "class_sessions")
  if (!hidden) return { scope: [], total }
  // The plus makes SQLite scan the order's index.
  return {
    scope: [{ test: sql`+${table.courseId} not in (${hidden})` }],
    total: sql<number>`${total} - ${countByCourses(table, hidden)}`,
  }
}

/** The number of classes or sessions of some courses. */
const countByCourses = (table: typeof classes | typeof classSessions, courseIds: SQL) =>
  sql<number>`coalesce((
    select sum(value) from counters where key in (select ${`${getTableName(table)}:`} || id from (${courseIds}))
  ), 0)`

export const hasScope = ({ group_id, portalId }: ScopeParams) => group_id !== undefined || portalId !== undefined

type ClassesQuery = PageQuery &
  ScopeParams &
  ExternalIdInput & {
    search_param: {
      location?: string | number | undefined
      courseName?: string | undefined
      instructor?: string | number | undefined
      updatedSince?: string | undefined
    } & DateSearch
  }

/**
 * Returns one page of classes.
 * @param zone the time zone of dates without an offset
 * @throws 404 for a group or portal that the caller cannot see
 */
export async function listClasses(db: Database, caller: Caller, query: ClassesQuery, zone: string) {
  const { search_param: search } = query
  const access = scopeAccess(db, caller, query)
  const scopeFilters = courseIdsInScope(query).map((ids) => courseFilter(classes, ids, query))
  const visible = visibleRows(caller, classes)
  const hidden = hiddenCourseIds(caller)
  const courseIds =
    search.courseName &&
    sql`
      select id from ${idsMatching("courses_search", search.courseName)}
      where ${hidden ? sql`id not in (${hidden})` : sql`1`}`
  const externalId = externalIdFilters("class", classes.id, caller, query)
  const byCourse = courseIds ? courseFilter(classes, courseIds, query) : undefined
  const isOnlyByCourse =
    byCourse && [...scopeFilters, ...externalId].length === 0 && !search.location && !search.instructor && !search.dates
  const listing: Listing<typeof classColumns.fields> = {
    table: classes,
    key: classes.id,
    fields: classColumns.fields,
    sort: classColumns.sort,
    narrowedBy: "group_id, portalId or a search_param",
    defaultSort: { colName: "start_time", direction: "desc" },
    scope: [...scopeFilters.map(({ filter }) => filter), ...visible.scope],
    search: [
      ...externalId,
      ...(search.location ? [locationFilter(search.location)] : []),
      ...(search.instructor ? [instructorFilter(search.instructor)] : []),
      ...(byCourse ? [byCourse.filter] : []),
      ...startDateFilters(query, zone),
    ],
    total: scopeFilters[0]?.count ?? visible.total,
    ...(isOnlyByCourse && { filtered: byCourse.count }),
  }
  const found = preparePage(db, changedSince(listing, classes, query, search.updatedSince), query)
  const [rows, totals, accessRows] = await db.batch([...found.statements, access.statement])
  access.require(accessRows)
  return found.read(rows, totals)
}

type CourseClassesQuery = PageQuery &
  ScopeParams & {
    course_id: number
    search_param: {
      location?: string | number | undefined
      instructor?: string | number | undefined
      dates?: Period | undefined
    }
  }

/**
 * Returns one page of a course's classes, and the course.
 * @param zone as in `listClasses`
 * @throws 404 for the course, the group or the portal
 */
export async function listCourseClasses(db: Database, caller: Caller, query: CourseClassesQuery, zone: string) {
  const { course_id: courseId, search_param: search } = query
  const access = scopeAccess(db, caller, query)
  const found = preparePage(
    db,
    {
      table: classes,
      key: classes.id,
      fields: courseClassColumns.fields,
      sort: courseClassColumns.sort,
      defaultSort: { colName: "startDate", direction: "asc" },
      scope: [
        { test: eq(classes.courseId, courseId) },
        ...courseIdsInScope(query).map((ids) => ({ test: sql`${classes.courseId} in (${ids})` })),
      ],
      search: [
        ...(search.location ? [{ test: isAtLocation(search.location) }] : []),
        ...(search.instructor ? [{ test: instructorFilter(search.instructor).test }] : []),
        ...startDateFilters(query, zone),
      ],
      ...(!hasScope(query) && { total: counter(`classes:${courseId}`) }),
    },
    query,
  )
  const [rows, totals, accessRows, courseRows] = await db.batch([
    ...found.statements,
    access.statement,
    db
      .select({ name: courses.name, instructions: courses.instructions, featuredImageUrl: courses.featuredImageUrl })
      .from(courses)
      .where(and(eq(courses.id, courseId), canSeeCourse(caller))),
  ])
  const [course] = courseRows
  if (!course) throw notFound("course")
  access.require(accessRows)
  return { course, page: found.read(rows, totals) }
}
