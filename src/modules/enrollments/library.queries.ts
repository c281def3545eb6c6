import { eq, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { belongs, type ScopeParams } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { searchFilter } from "../../db/search.ts"
import { counter, rowCount, rowExists, subquery, textList } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { categoryFilter } from "../courses/course-lists.queries.ts"
import { PATH_ENROLLMENT_JOIN } from "./learning-path-columns.ts"
import { canSeePath, countVisiblePaths } from "./learning-paths.queries.ts"
import {
  type CallerEnrollment,
  type CallerPathEnrollment,
  libraryCourseColumns,
  type portalPathColumns,
} from "./library-columns.ts"

/**
 * The condition that the caller belongs to the requested portal and group; none for staff.
 */
const belongsToScope = (caller: Caller, scopeCondition: ScopeParams): SQL | undefined =>
  canSeeAllUsers(caller) ? undefined : belongs(caller.id ?? 0, scopeCondition)

const isCallersPathEnrollment = (caller: Caller) => eq(learningPathEnrollments.userId, caller.id ?? 0)

const selectCallerPathEnrollment = (caller: Caller) =>
  sql`(
    select json_object(
      'status', ${learningPathEnrollments.status},
      'percent', ${learningPathEnrollments.percent},
      'completedCourses', ${learningPathEnrollments.completedCourses},
      'certificateCount', ${learningPathEnrollments.certificateCount}
    )
    from ${learningPathEnrollments}
    where ${isCallersPathEnrollment(caller)} and ${PATH_ENROLLMENT_JOIN}
  )`
    .mapWith((json: string): CallerPathEnrollment | null => JSON.parse(json))
    .as("enrollment_json")

/** Filters paths by the caller's status; paths without an enrollment are Not Started. */
function statusFilter(caller: Caller, statuses: EnrollmentStatus[]): Filter {
  const hasStatus = sql`${learningPathEnrollments.status} in ${textList(statuses)}`
  if (statuses.includes(EnrollmentStatus.NotStarted))
    return {
      test: sql`not ${rowExists(
        learningPathEnrollments,
        sql`${isCallersPathEnrollment(caller)} and ${PATH_ENROLLMENT_JOIN} and not ${hasStatus}`,
      )}`,
    }
  return {
    test: rowExists(
      learningPathEnrollments,
      sql`${isCallersPathEnrollment(caller)} and ${PATH_ENROLLMENT_JOIN} and ${hasStatus}`,
    ),
    ids: sql`
      select ${learningPathEnrollments.learningPathId} as id
      from ${learningPathEnrollments}
      where ${isCallersPathEnrollment(caller)} and ${hasStatus}`,
  }
}

type PathsQuery = PageQuery &
  ScopeParams & { search_param: { name?: string | undefined; status?: EnrollmentStatus[] | undefined } }

/** Returns one page of the paths that the caller may see, with the caller's progress. */
export async function listLibraryPaths(
  db: Database,
  caller: Caller,
  query: PathsQuery,
  { fields, sort }: Pick<typeof portalPathColumns, "fields" | "sort">,
) {
  const { name, status = [] } = query.search_param
  const scopeCondition = belongsToScope(caller, query)
  const visible = countVisiblePaths(caller)
  const total = scopeCondition ? sql<number>`iif(${scopeCondition}, ${visible}, 0)` : visible
  // The caller has few path enrollments: those with other statuses are counted and subtracted.
  const otherStatusCount = rowCount(
    learningPathEnrollments,
    sql`${isCallersPathEnrollment(caller)} and ${learningPathEnrollments.status} not in ${textList(status)}`,
  )
  const filtered =
    !name && !scopeCondition && status.includes(EnrollmentStatus.NotStarted)
      ? sql<number>`(${visible} - ${otherStatusCount})`
      : undefined
  return readPage(
    db,
    {
      table: learningPaths,
      key: learningPaths.id,
      fields: { ...fields, enrollment: selectCallerPathEnrollment(caller) },
      sort,
      defaultSort: { colName: "learningPathName", direction: "asc" },
      scope: [{ test: canSeePath(caller) }, ...(scopeCondition ? [{ test: scopeCondition }] : [])],
      search: [
        ...(status.length > 0 ? [statusFilter(caller, status)] : []),
        ...(name ? [searchFilter(learningPaths, name)] : []),
      ],
      total,
      ...(filtered && { filtered }),
    },
    query,
  )
}

type CoursesQuery = PageQuery &
  ScopeParams & { search_param: { courseName?: string | undefined; courseCategoryIds?: number[] | undefined } }

/** Returns one page of the published courses, with the caller's enrollment in each. */
export async function listLibraryCourses(db: Database, caller: Caller, query: CoursesQuery) {
  const { courseName, courseCategoryIds } = query.search_param
  const scopeCondition = belongsToScope(caller, query)
  const published = counter("courses:publish")
  return readPage(
    db,
    {
      table: courses,
      key: courses.id,
      fields: {
        ...libraryCourseColumns.fields,
        enrollment: subquery(sql`(
          select json_object(
      'id', ${enrollments.id}, 'status', ${enrollments.status}, 'percent', ${enrollments.percent}
    )
          from ${enrollments}
          where ${enrollments.courseId} = ${courses.id} and ${enrollments.userId} = ${caller.id}
        )`)
          .mapWith((json: string): CallerEnrollment | null => JSON.parse(json))
          .as("enrollment_json"),
      },
      sort: libraryCourseColumns.sort,
      defaultSort: { colName: "courseName", direction: "asc" },
      // The unary plus disables the status index: nearly all courses are published, and the sort index can stop early.
      scope: [{ test: sql`+${courses.status} = 'publish'` }, ...(scopeCondition ? [{ test: scopeCondition }] : [])],
      search: [
        ...(courseName ? [searchFilter(courses, courseName)] : []),
        ...(courseCategoryIds ? [categoryFilter(courseCategoryIds)] : []),
      ],
      total: scopeCondition ? sql<number>`iif(${scopeCondition}, ${published}, 0)` : published,
    },
    query,
  )
}
