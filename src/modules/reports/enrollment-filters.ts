import { eq, type SQL, sql } from "drizzle-orm"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import { ENROLLMENT_STATUSES, enrollmentCounts, enrollments } from "../../../drizzle/schema/enrollments.ts"
import type { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import {
  type EnrollmentScope,
  enrollmentScope,
  enrollmentsOfMatchingUsers,
  enrollmentsOfPortalMembers,
} from "../../access/audience.ts"
import type { KeysetIterator } from "../../db/keyset.ts"
import type { Filter } from "../../db/list/listing.ts"
import { idsMatching, isRowId } from "../../db/search.ts"
import { type Caller, canSeeAllUsers, isSupervisor } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { portalFilter } from "../../lib/input/list-query.ts"
import { hasDueStatus, idsInDueStatus, type SetDueStatus } from "../enrollments/due-filters.ts"
import { countReportEnrollments, enrollmentsInStatus, sumOfCounts } from "../enrollments/enrollment-lists.queries.ts"
import type { EnrollmentFilters } from "./reports.schemas.ts"

/** The enrollments in the user-detailed report, its export or the gradebook. */
export interface EnrollmentSelection {
  subject: EnrollmentScope
  /** Filters by user. For one user's enrollments, they are only tests. */
  people: Filter[]
  /** A query of the `id` of the searched courses; undefined: all courses. */
  courses: SQL | undefined
  /** Distinct statuses; empty: all. */
  statuses: EnrollmentStatus[]
  dueStatus: SetDueStatus[] | undefined
}

export function toEnrollmentSelection(caller: Caller, filters: EnrollmentFilters): EnrollmentSelection {
  const { course, courseId, status, dueStatus, nameOrEmail, searchPortalIds } = filters.search_param
  // Callers below supervisors see only their own enrollments.
  const isSelfOnly = !canSeeAllUsers(caller) && !isSupervisor(caller)
  const subject = enrollmentScope(caller, {
    user_id: filters.user_id ?? (isSelfOnly ? (caller.id ?? 0) : undefined),
    group_id: filters.group_id,
    portalId: portalFilter(filters),
  })
  const portals = [filters.searchPortalIds, searchPortalIds].filter((ids) => ids !== undefined)
  const people = [
    ...(nameOrEmail ? [enrollmentsOfMatchingUsers(nameOrEmail)] : []),
    ...portals.map((ids) => enrollmentsOfPortalMembers(ids)),
  ]
  const matching = course ? idsMatching("courses_search", course) : undefined
  const chosen = courseId ? sql`(select ${courseId} as id)` : undefined
  const both = matching && courseId ? sql`(select id from ${matching} where ${isRowId("id", courseId)})` : undefined
  return {
    subject,
    people: subject.userId === undefined ? people : people.map(({ test }) => ({ test })),
    courses: both ?? matching ?? chosen,
    statuses: [...new Set(status)],
    dueStatus,
  }
}

/** Counts the enrollments of a scope by course and status: from counters, unless the scope is one user. */
export function enrollmentCount(
  subject: EnrollmentScope,
  courses: SQL | undefined,
  statuses: readonly EnrollmentStatus[],
): SQL<number> {
  const wanted = statuses.length > 0 ? statuses : ENROLLMENT_STATUSES
  if (!courses) return countReportEnrollments(subject, wanted)
  return sql<number>`coalesce((
    select sum(${sumOfCounts(wanted)})
    from ${enrollmentCounts}
    where ${enrollmentCounts.audience} = ${subject.key} and ${enrollmentCounts.courseId} in ${courses}
  ), 0)`
}

/** Iterates over the selected enrollments in the order of their ids. */
export function enrollmentIterator(
  caller: Caller,
  filters: EnrollmentFilters,
): Omit<KeysetIterator<SelectedFields>, "fields"> {
  const { subject, people, courses, statuses, dueStatus } = toEnrollmentSelection(caller, filters)
  const { courseId } = filters.search_param
  const isCounted = subject.userId === undefined && people.length === 0
  return {
    table: enrollments,
    key: enrollments.id,
    filters: [
      ...people,
      ...subject.scope,
      // The caller may have lost access to the group or the portal since the export was requested.
      { test: subject.allowed },
      ...(courseId ? [{ test: eq(enrollments.courseId, courseId) }] : []),
      ...(courses ? [{ test: sql`+${enrollments.courseId} in ${courses}` }] : []),
      ...(statuses.length > 0 ? [enrollmentsInStatus(statuses)] : []),
      ...(dueStatus ? [{ test: hasDueStatus(dueStatus), ids: idsInDueStatus(dueStatus, courseId) }] : []),
    ],
    // With a scope, the iteration reads all enrollments of the scope.
    ...(isCounted &&
      !dueStatus && {
        total: subject.scope.length > 0 ? countReportEnrollments(subject) : enrollmentCount(subject, courses, statuses),
      }),
  }
}

/** Whether the caller may export the user, group or portal. Read when the export is requested. */
export const isScopeAllowed = (caller: Caller, filters: EnrollmentFilters): SQL<number> =>
  sql<number>`${toEnrollmentSelection(caller, filters).subject.allowed}`

/** @throws 404 for a user, group or portal that the caller cannot see */
export function requireAllowedScope(
  caller: Caller,
  { allowed }: { allowed: number },
  filters: EnrollmentFilters,
): void {
  if (!allowed) throw notFound(toEnrollmentSelection(caller, filters).subject.unknown)
}
