import { and, eq, getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { classes, classSessions } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollmentScope } from "../../access/audience.ts"
import { type ScopeParams, selectAudienceAccess } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { filterFirstOrScan } from "../../db/list/filter-first.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { existingRecords } from "../../db/records.ts"
import { idsMatching } from "../../db/search.ts"
import { counter } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import type { Period } from "../../lib/text/dates.ts"
import { periodIn } from "../../lib/text/zones.ts"
import { courseIdsInScope } from "../courses/course-lists.queries.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"
import { classColumns, courseClassColumns, sessionColumns } from "./class-columns.ts"
import { locationName } from "./class-names.ts"
import { hiddenCourseIds } from "./class-scope.ts"

// Lists of classes. A group's or a portal's are those of its courses.

/** The condition that a column of ids names what is searched for, by its id or a part of its name. */
function names(column: SQLWrapper, table: "locations_search" | "users_search", given: string | number): SQL {
  if (typeof given === "number") return sql`${column} = ${given}`
  const found = sql`${column} in ${idsMatching(table, given)}`
  return /^[1-9]\d{0,14}$/.test(given) ? sql`(${column} = ${Number(given)} or ${found})` : found
}

const atLocation = (given: string | number) => names(classes.locationId, "locations_search", given)

const heldAt = (location: string | number): Filter => {
  const test = atLocation(location)
  return { test, ids: sql`select ${classes.id} as id from ${classes} where ${test}` }
}

const instructedBy = (given: string | number): Filter => {
  const test = names(classes.instructorId, "users_search", given)
  return { test, ids: sql`select ${classes.id} as id from ${classes} where ${test}` }
}

/** Classes, or sessions, that start between two dates, as they are in a zone. */
function starting(
  { order_by, search_param: { dates } }: PageQuery & { search_param: Dates },
  zone: string,
  table: typeof classes | typeof classSessions = classes,
): Filter[] {
  if (!dates) return []
  const { from, until } = periodIn(zone, dates)
  const test = sql`${table.startAt} >= ${from} and ${table.startAt} < ${until}`
  // In the order of their dates, the index has them side by side; in another they are found first.
  if (!order_by || order_by.colName.startsWith("start")) return [{ test }]
  return [{ test, ids: sql`select ${table.id} as id from ${table} where ${test}` }]
}

type Dates = { dates?: Period | undefined }

/** Whether the caller may ask for what bounds a list, and what it is unknown as where not. */
function bounds(db: Database, caller: Caller, { group_id, portalId }: ScopeParams) {
  const subject = enrollmentScope(caller, { group_id, portalId })
  return {
    statement: selectAudienceAccess(db, subject),
    /** @throws 404 */
    require(may: { allowed: number }[]) {
      if (!firstRow(may).allowed) throw notFound(subject.unknown)
    },
  }
}

/** The classes, or the sessions, of some courses. How many those are is kept: see the triggers of classes. */
function ofCourses(table: typeof classes | typeof classSessions, courseIds: SQL, query: PageQuery) {
  const count = rowCount(table, courseIds)
  // The plus keeps the walk on the order's index.
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

/** All classes, or all sessions, but those of drafts that the caller may not know: the few are taken from the many. */
function known(caller: Caller, table: typeof classes | typeof classSessions) {
  const hidden = hiddenCourseIds(caller)
  const total = counter(table === classes ? "classes" : "class_sessions")
  if (!hidden) return { scope: [], total }
  // The plus keeps the walk on the order's index.
  return {
    scope: [{ test: sql`+${table.courseId} not in (${hidden})` }],
    total: sql<number>`${total} - ${rowCount(table, hidden)}`,
  }
}

/** How many classes, or sessions, some courses have together. */
const rowCount = (table: typeof classes | typeof classSessions, courseIds: SQL) =>
  sql<number>`coalesce((
    select sum(value) from counters where key in (select ${`${getTableName(table)}:`} || id from (${courseIds}))
  ), 0)`

const isBounded = ({ group_id, portalId }: ScopeParams) => group_id !== undefined || portalId !== undefined

type ClassesQuery = PageQuery &
  ScopeParams & {
    search_param: {
      location?: string | number | undefined
      courseName?: string | undefined
      instructor?: string | number | undefined
    } & Dates
  }

/**
 * One page of classes.
 * @param zone of the days by which they are searched
 * @throws 404 for a group or portal that the caller may not know
 */
export async function listClasses(db: Database, caller: Caller, query: ClassesQuery, zone: string) {
  const { search_param: search } = query
  const bound = bounds(db, caller, query)
  const within = courseIdsInScope(query).map((ids) => ofCourses(classes, ids, query))
  const all = known(caller, classes)
  const hidden = hiddenCourseIds(caller)
  const courseIds =
    search.courseName &&
    sql`
      select id from ${idsMatching("courses_search", search.courseName)}
      where ${hidden ? sql`id not in (${hidden})` : sql`1`}`
  const byCourse = courseIds ? ofCourses(classes, courseIds, query) : undefined
  const isByCourseAlone = byCourse && within.length === 0 && !search.location && !search.instructor && !search.dates
  const found = preparePage(
    db,
    {
      table: classes,
      key: classes.id,
      fields: classColumns.fields,
      sort: classColumns.sort,
      narrowedBy: "group_id, portalId or a search_param",
      defaultSort: { colName: "start_time", direction: "desc" },
      scope: [...within.map(({ filter }) => filter), ...all.scope],
      search: [
        ...(search.location ? [heldAt(search.location)] : []),
        ...(search.instructor ? [instructedBy(search.instructor)] : []),
        ...(byCourse ? [byCourse.filter] : []),
        ...starting(query, zone),
      ],
      total: within[0]?.count ?? all.total,
      ...(isByCourseAlone && { filtered: byCourse.count }),
    },
    query,
  )
  const [rows, totals, may] = await db.batch([...found.statements, bound.statement])
  bound.require(may)
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
 * One page of a course's classes, and the course.
 * @param zone as in `listClasses`
 * @throws 404 for the course, the group or the portal
 */
export async function listCourseClasses(db: Database, caller: Caller, query: CourseClassesQuery, zone: string) {
  const { course_id: courseId, search_param: search } = query
  const bound = bounds(db, caller, query)
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
        ...(search.location ? [{ test: atLocation(search.location) }] : []),
        ...(search.instructor ? [{ test: instructedBy(search.instructor).test }] : []),
        ...starting(query, zone),
      ],
      ...(!isBounded(query) && { total: counter(`classes:${courseId}`) }),
    },
    query,
  )
  const [rows, totals, may, head] = await db.batch([
    ...found.statements,
    bound.statement,
    db
      .select({ name: courses.name, instructions: courses.instructions, featuredImageUrl: courses.featuredImageUrl })
      .from(courses)
      .where(and(eq(courses.id, courseId), canSeeCourse(caller))),
  ])
  const [course] = head
  if (!course) throw notFound("course")
  bound.require(may)
  return { course, page: found.read(rows, totals) }
}

/** The sessions of classes that are held at a location. */
function sessionsAt(location: string | number): Filter {
  const there = atLocation(location)
  return {
    test: sql`${classSessions.classId} in (select ${classes.id} from ${classes} where ${there})`,
    ids: sql`
      select own.id as id from ${classes}
      cross join ${classSessions} as own on own.class_id = ${classes.id}
      where ${there}`,
  }
}

type ScheduleQuery = PageQuery &
  ScopeParams & {
    courseId?: number | undefined
    classId?: number | undefined
    search_param: { location?: string | number | undefined } & Dates
  }

/**
 * One page of sessions, a row each.
 * @param zone as in `listClasses`
 * @throws 404 for a group or portal that the caller may not know
 */
export async function listClassSessions(db: Database, caller: Caller, query: ScheduleQuery, zone: string) {
  const { courseId, classId, search_param: search } = query
  const isNarrow = courseId !== undefined || classId !== undefined
  const bound = bounds(db, caller, query)
  const within = courseIdsInScope(query).map((ids) => ofCourses(classSessions, ids, query))
  const all = known(caller, classSessions)
  const hidden = hiddenCourseIds(caller)
  const isHidden = hidden ? sql`${courseId} in (${hidden})` : sql`0`
  const ofCourse =
    courseId === undefined ? undefined : sql<number>`iif(${isHidden}, 0, ${counter(`class_sessions:${courseId}`)})`
  const held = search.location ? sessionsAt(search.location) : undefined
  const found = preparePage(
    db,
    {
      table: classSessions,
      key: classSessions.id,
      fields: sessionColumns.fields,
      sort: sessionColumns.sort,
      narrowedBy: "courseId, classId, group_id, portalId or a search_param",
      defaultSort: { colName: "start_time", direction: "asc" },
      scope: [
        ...(courseId ? [{ test: eq(classSessions.courseId, courseId) }] : []),
        ...(classId ? [{ test: eq(classSessions.classId, classId) }] : []),
        ...(isNarrow
          ? courseIdsInScope(query).map((ids) => ({ test: sql`${classSessions.courseId} in (${ids})` }))
          : within.map(({ filter }) => filter)),
        ...all.scope,
      ],
      // A course's sessions, or a class's, are fewer than a location's.
      search: [...(held ? [isNarrow ? { test: held.test } : held] : []), ...starting(query, zone, classSessions)],
      ...(!classId && !(courseId && isBounded(query)) && { total: within[0]?.count ?? ofCourse ?? all.total }),
    },
    query,
  )
  const [rows, totals, may] = await db.batch([...found.statements, bound.statement])
  bound.require(may)
  return found.read(rows, totals)
}

type LocationsQuery = PageQuery & ScopeParams & { course_id?: number | undefined }

/** The classes that are held somewhere, with where: a course's, or all that the caller may know. @throws 404 */
export async function listClassLocations(db: Database, caller: Caller, query: LocationsQuery) {
  const { course_id: courseId } = query
  const bound = bounds(db, caller, query)
  const found = preparePage(
    db,
    {
      table: classes,
      key: classes.id,
      fields: {
        classId: classes.id,
        courseId: classes.courseId,
        id: sql<number>`${classes.locationId}`.as("its_location_id"),
        name: locationName.as("location_name"),
      },
      sort: { start_time: classes.startAt },
      defaultSort: { colName: "start_time", direction: "asc" },
      scope: [
        { test: sql`${classes.locationId} is not null` },
        ...(courseId === undefined ? known(caller, classes).scope : [{ test: eq(classes.courseId, courseId) }]),
        ...courseIdsInScope(query).map((ids) => ({ test: sql`${classes.courseId} in (${ids})` })),
      ],
      search: [],
    },
    query,
  )
  const [rows, totals, may, course] = await db.batch([
    ...found.statements,
    bound.statement,
    existingRecords(db, courses, courseId === undefined ? [] : [courseId], canSeeCourse(caller)),
  ])
  if (courseId !== undefined && course.length === 0) throw notFound("course")
  bound.require(may)
  return found.read(rows, totals)
}
