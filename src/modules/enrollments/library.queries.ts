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
 * Holds where the portal and the group that a call names are the caller's; for staff, who belong to neither, always.
 */
const admitted = (caller: Caller, within: ScopeParams): SQL | undefined =>
  canSeeAllUsers(caller) ? undefined : belongs(caller.id ?? 0, within)

const mine = (caller: Caller) => eq(learningPathEnrollments.userId, caller.id ?? 0)

const ownPath = (caller: Caller) =>
  sql`(
    select json_object(
      'status', ${learningPathEnrollments.status},
      'percent', ${learningPathEnrollments.percent},
      'completedCourses', ${learningPathEnrollments.completedCourses},
      'certificateCount', ${learningPathEnrollments.certificateCount}
    )
    from ${learningPathEnrollments}
    where ${mine(caller)} and ${PATH_ENROLLMENT_JOIN}
  )`
    .mapWith((json: string): CallerPathEnrollment | null => JSON.parse(json))
    .as("own_json")

/** Paths by the caller's own status; one that they do not take is Not Started. */
function byStatus(caller: Caller, statuses: EnrollmentStatus[]): Filter {
  const inThese = sql`${learningPathEnrollments.status} in ${textList(statuses)}`
  if (statuses.includes(EnrollmentStatus.NotStarted))
    return {
      test: sql`not ${rowExists(learningPathEnrollments, sql`${mine(caller)} and ${PATH_ENROLLMENT_JOIN} and not ${inThese}`)}`,
    }
  return {
    test: rowExists(learningPathEnrollments, sql`${mine(caller)} and ${PATH_ENROLLMENT_JOIN} and ${inThese}`),
    ids: sql`
      select ${learningPathEnrollments.learningPathId} as id
      from ${learningPathEnrollments}
      where ${mine(caller)} and ${inThese}`,
  }
}

type PathsQuery = PageQuery &
  ScopeParams & { search_param: { name?: string | undefined; status?: EnrollmentStatus[] | undefined } }

/** One page of the paths that the caller may take or takes, with where they stand in them. */
export async function listLibraryPaths(
  db: Database,
  caller: Caller,
  query: PathsQuery,
  { fields, sort }: Pick<typeof portalPathColumns, "fields" | "sort">,
) {
  const { name, status = [] } = query.search_param
  const within = admitted(caller, query)
  const visible = countVisiblePaths(caller)
  const total = within ? sql<number>`iif(${within}, ${visible}, 0)` : visible
  // The caller's own paths are few: those that are not in a status wanted are counted and taken off.
  const others = rowCount(
    learningPathEnrollments,
    sql`${mine(caller)} and ${learningPathEnrollments.status} not in ${textList(status)}`,
  )
  const filtered =
    !name && !within && status.includes(EnrollmentStatus.NotStarted) ? sql<number>`(${visible} - ${others})` : undefined
  return readPage(
    db,
    {
      table: learningPaths,
      key: learningPaths.id,
      fields: { ...fields, own: ownPath(caller) },
      sort,
      defaultSort: { colName: "learningPathName", direction: "asc" },
      scope: [{ test: canSeePath(caller) }, ...(within ? [{ test: within }] : [])],
      search: [
        ...(status.length > 0 ? [byStatus(caller, status)] : []),
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

/** One page of the published courses, with the caller's registration in each. */
export async function listLibraryCourses(db: Database, caller: Caller, query: CoursesQuery) {
  const { courseName, courseCategoryIds } = query.search_param
  const within = admitted(caller, query)
  const published = counter("courses:publish")
  return readPage(
    db,
    {
      table: courses,
      key: courses.id,
      fields: {
        ...libraryCourseColumns.fields,
        own: subquery(sql`(
          select json_object(
      'id', ${enrollments.id}, 'status', ${enrollments.status}, 'percent', ${enrollments.percent}
    )
          from ${enrollments}
          where ${enrollments.courseId} = ${courses.id} and ${enrollments.userId} = ${caller.id}
        )`)
          .mapWith((json: string): CallerEnrollment | null => JSON.parse(json))
          .as("own_json"),
      },
      sort: libraryCourseColumns.sort,
      defaultSort: { colName: "courseName", direction: "asc" },
      // The plus keeps the status index out: nearly all are published, and the order's own index stops with the page.
      scope: [{ test: sql`+${courses.status} = 'publish'` }, ...(within ? [{ test: within }] : [])],
      search: [
        ...(courseName ? [searchFilter(courses, courseName)] : []),
        ...(courseCategoryIds ? [categoryFilter(courseCategoryIds)] : []),
      ],
      total: within ? sql<number>`iif(${within}, ${published}, 0)` : published,
    },
    query,
  )
}
