import { eq, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { type OwnerParams, rowsInScope } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { changedSince } from "../../db/list/changed-since.ts"
import type { Filter, Listing, PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import type { Caller } from "../../lib/caller.ts"
import { dueStatusFilter, type SetDueStatus, storedDueCount } from "./due-filters.ts"
import { storedEnrollmentCount } from "./enrollment-lists.queries.ts"
import { allEnrollmentColumns } from "./registration-columns.ts"

type EnrollmentsQuery = PageQuery &
  OwnerParams & {
    search_param: {
      courseId?: number | undefined
      dueStatus?: SetDueStatus[] | undefined
      updatedSince?: string | undefined
    }
  }

const ofCourse = (courseId: number): Filter => ({
  test: eq(enrollments.courseId, courseId),
  ids: sql`select ${enrollments.id} as id from ${enrollments} where ${enrollments.courseId} = ${courseId}`,
})

/** Returns one page of the enrollments of all users that the caller can see. */
export function listEnrollments(db: Database, caller: Caller, query: EnrollmentsQuery) {
  const { courseId, dueStatus, updatedSince } = query.search_param
  const owned = {
    table: enrollments,
    key: enrollments.id,
    userId: enrollments.userId,
    kind: "learning",
    total: storedEnrollmentCount("all", 0),
  } as const
  const { scope, total } = rowsInScope(caller, owned, query)
  const isCounted = (courseId !== undefined || dueStatus !== undefined) && scope.length === 0
  const filtered = dueStatus
    ? storedDueCount("all", courseId ?? 0, dueStatus)
    : storedEnrollmentCount("all", courseId ?? 0)
  const listing: Listing<typeof allEnrollmentColumns.fields> = {
    table: enrollments,
    key: enrollments.id,
    fields: allEnrollmentColumns.fields,
    sort: allEnrollmentColumns.sort,
    defaultSort: { colName: "id", direction: "asc" },
    scope,
    search: [
      ...(courseId === undefined ? [] : [ofCourse(courseId)]),
      ...(dueStatus ? [dueStatusFilter(dueStatus, { courseId, total: owned.total }, query)] : []),
    ],
    ...(total && { total }),
    ...(isCounted && { filtered }),
  }
  return readPage(db, changedSince(listing, enrollments, query, updatedSince), query)
}
