import { eq, sql } from "drizzle-orm"
import { classes, classSessions } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { inGroup, type ScopeParams } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { existingRecords } from "../../db/records.ts"
import { counter } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { courseIdsInScope } from "../courses/course-lists.queries.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"
import { sessionColumns } from "./class-columns.ts"
import {
  courseFilter,
  type DateSearch,
  hasScope,
  isAtLocation,
  scopeAccess,
  startDateFilters,
  visibleRows,
} from "./class-lists.queries.ts"
import { locationName } from "./class-names.ts"
import { hiddenCourseIds } from "./class-scope.ts"

/** Filters sessions by the location of their class. */
function sessionLocationFilter(location: string | number): Filter {
  const there = isAtLocation(location)
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
    search_param: { location?: string | number | undefined } & DateSearch
  }

/**
 * Returns one page of sessions.
 * @param zone as in `listClasses`
 * @throws 404 for a group or portal that the caller cannot see
 */
export async function listClassSessions(db: Database, caller: Caller, query: ScheduleQuery, zone: string) {
  const { courseId, classId, search_param: search } = query
  const isOfOneCourse = courseId !== undefined || classId !== undefined
  const access = scopeAccess(db, caller, query)
  const scopeFilters = courseIdsInScope(query).map((ids) => courseFilter(classSessions, ids, query))
  const visible = visibleRows(caller, classSessions)
  const hidden = hiddenCourseIds(caller)
  const isHidden = hidden ? sql`${courseId} in (${hidden})` : sql`0`
  const courseTotal =
    courseId === undefined ? undefined : sql<number>`iif(${isHidden}, 0, ${counter(`class_sessions:${courseId}`)})`
  const location = search.location ? sessionLocationFilter(search.location) : undefined
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
        ...(isOfOneCourse
          ? courseIdsInScope(query).map((ids) => ({ test: sql`${classSessions.courseId} in (${ids})` }))
          : scopeFilters.map(({ filter }) => filter)),
        ...visible.scope,
      ],
      // A course or a class has fewer sessions than a location.
      search: [
        ...(location ? [isOfOneCourse ? { test: location.test } : location] : []),
        ...startDateFilters(query, zone, classSessions),
      ],
      ...(!classId &&
        !(courseId && hasScope(query)) && { total: scopeFilters[0]?.count ?? courseTotal ?? visible.total }),
    },
    query,
  )
  const [rows, totals, accessRows] = await db.batch([...found.statements, access.statement])
  access.require(accessRows)
  return found.read(rows, totals)
}

type LocationsQuery = PageQuery & ScopeParams & { course_id?: number | undefined }

/** Returns the classes that have a location, of one course or of all. @throws 404 */
export async function listClassLocations(db: Database, caller: Caller, query: LocationsQuery) {
  const { course_id: courseId, group_id: groupId } = query
  const access = scopeAccess(db, caller, query, groupId ? inGroup(caller.id, groupId) : undefined)
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
        ...(courseId === undefined ? visibleRows(caller, classes).scope : [{ test: eq(classes.courseId, courseId) }]),
        ...courseIdsInScope(query).map((ids) => ({ test: sql`${classes.courseId} in (${ids})` })),
      ],
      search: [],
    },
    query,
  )
  const [rows, totals, accessRows, courseRows] = await db.batch([
    ...found.statements,
    access.statement,
    existingRecords(db, courses, courseId === undefined ? [] : [courseId], canSeeCourse(caller)),
  ])
  if (courseId !== undefined && courseRows.length === 0) throw notFound("course")
  access.require(accessRows)
  return found.read(rows, totals)
}
