import { eq, type SQL, sql } from "drizzle-orm"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import { ENROLLMENT_STATUSES, enrollments, tallies } from "../../../drizzle/schema/enrollments.ts"
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
import { countReportEnrollments, enrollmentsInStatus, tallySum } from "../enrollments/enrollment-lists.queries.ts"
import type { EnrollmentFilters } from "./reports.schemas.ts"

/** The enrollments that the user-detailed report, its export and the gradebook are asked for. */
export interface EnrollmentSelection {
  subject: EnrollmentScope
  /** Whom a search is for. Of one user's enrollments these are tests only. */
  people: Filter[]
  /** The courses searched for: a query of `id`. Undefined: all. */
  courses: SQL | undefined
  /** Each once. Empty: all. */
  statuses: EnrollmentStatus[]
}

export function toEnrollmentSelection(caller: Caller, filters: EnrollmentFilters): EnrollmentSelection {
  const { course, courseId, status, nameOrEmail, searchPortalIds } = filters.search_param
  // A caller below a supervisor reports on their own enrollments only.
  const ownOnly = !canSeeAllUsers(caller) && !isSupervisor(caller)
  const subject = enrollmentScope(caller, {
    user_id: filters.user_id ?? (ownOnly ? (caller.id ?? 0) : undefined),
    group_id: filters.group_id,
    portalId: portalFilter(filters),
  })
  const portals = [filters.searchPortalIds, searchPortalIds].filter((ids) => ids !== undefined)
  const people = [
    ...(nameOrEmail ? [enrollmentsOfMatchingUsers(nameOrEmail)] : []),
    ...portals.map((ids) => enrollmentsOfPortalMembers(ids)),
  ]
  const named = course ? idsMatching("courses_search", course) : undefined
  const chosen = courseId ? sql`(select ${courseId} as id)` : undefined
  const both = named && courseId ? sql`(select id from ${named} where ${isRowId("id", courseId)})` : undefined
  return {
    subject,
    people: subject.userId === undefined ? people : people.map(({ test }) => ({ test })),
    courses: both ?? named ?? chosen,
    statuses: [...new Set(status)],
  }
}

/** How many enrollments the subject has in some courses and statuses: kept counts, unless it is one user. */
export function enrollmentCount(
  subject: EnrollmentScope,
  courses: SQL | undefined,
  statuses: readonly EnrollmentStatus[],
): SQL<number> {
  const wanted = statuses.length > 0 ? statuses : ENROLLMENT_STATUSES
  if (!courses) return countReportEnrollments(subject, wanted)
  return sql<number>`coalesce((
    select sum(${tallySum(wanted)})
    from ${tallies}
    where ${tallies.audience} = ${subject.key} and ${tallies.courseId} in ${courses}
  ), 0)`
}

/** The walk through all of them, in the order of their ids. */
export function enrollmentIterator(
  caller: Caller,
  filters: EnrollmentFilters,
): Omit<KeysetIterator<SelectedFields>, "fields"> {
  const { subject, people, courses, statuses } = toEnrollmentSelection(caller, filters)
  const { courseId } = filters.search_param
  const isCounted = subject.userId === undefined && people.length === 0
  return {
    table: enrollments,
    key: enrollments.id,
    filters: [
      ...people,
      ...subject.scope,
      // The caller may have lost the group or the portal since the export was asked for.
      { test: subject.allowed },
      ...(courseId ? [{ test: eq(enrollments.courseId, courseId) }] : []),
      ...(courses ? [{ test: sql`+${enrollments.courseId} in ${courses}` }] : []),
      ...(statuses.length > 0 ? [enrollmentsInStatus(statuses)] : []),
    ],
    // A group, a portal or a supervisor's people lead: the walk passes all of theirs.
    ...(isCounted && {
      total: subject.scope.length > 0 ? countReportEnrollments(subject) : enrollmentCount(subject, courses, statuses),
    }),
  }
}

/** For the trip in which an export is asked for: whether the caller may ask about its user, group or portal. */
export const isScopeAllowed = (caller: Caller, filters: EnrollmentFilters): SQL<number> =>
  sql<number>`${toEnrollmentSelection(caller, filters).subject.allowed}`

/** @throws 404 for a user, a group or a portal that the caller may not know */
export function requireAllowedScope(
  caller: Caller,
  { allowed }: { allowed: number },
  filters: EnrollmentFilters,
): void {
  if (!allowed) throw notFound(toEnrollmentSelection(caller, filters).subject.unknown)
}
