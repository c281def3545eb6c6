import { and, eq, type SQL, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { belongs, canSeeUser, selectVisibleUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { idsMatching, isRowId, substring } from "../../db/search.ts"
import { literal, rowExists } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { portalFilter } from "../../lib/input/list-query.ts"
import { hasDueStatus, type SetDueStatus } from "./due-filters.ts"
import { ENROLLED_COURSE_STATUS, enrolledCourseColumns } from "./enrolled-course-columns.ts"
import { enrollmentsInStatus } from "./enrollment-lists.queries.ts"

/** The condition that a user's name or email contains the term. */
export const userMatches = (userId: number, term: string): SQL =>
  rowExists(sql`users_search`, sql`${isRowId("rowid", userId)} and users_search match ${substring(term)}`)

/** The condition that the course's name or the user's name or email contains the term. */
const matchesTerm = (userId: number, term: string): SQL =>
  sql`(${enrollments.courseId} in ${idsMatching("courses_search", term)} or ${userMatches(userId, term)})`

type CoursesQuery = PageQuery & {
  user_id: number
  portalId?: number | undefined
  group_id?: number | undefined
  manage_course?: boolean | undefined
  search_param: {
    nameOrEmail?: string | undefined
    courseId?: number | undefined
    status?: EnrollmentStatus[] | undefined
    dueStatus?: SetDueStatus[] | undefined
    portalId?: number | undefined
    manage_course?: boolean | undefined
  }
}

/** Returns one page of a user's enrollments, and the user. @throws 404 if the caller may not see the user */
export async function listEnrolledCourses(db: Database, caller: Caller, query: CoursesQuery) {
  const { user_id: userId, group_id: groupId, search_param: search } = query
  const term = search.nameOrEmail
  const inPortal = belongs(userId, { portalId: portalFilter(query) })
  const bounds: Filter[] = [
    ...(inPortal ? [{ test: inPortal }] : []),
    ...(groupId ? [{ test: eq(enrollments.groupId, groupId) }] : []),
    ...((query.manage_course ?? search.manage_course) === false
      ? [{ test: sql`${ENROLLED_COURSE_STATUS} = 'publish'` }]
      : []),
  ]
  const found = preparePage(
    db,
    {
      table: enrollments,
      key: enrollments.id,
      fields: enrolledCourseColumns.fields,
      sort: enrolledCourseColumns.sort,
      defaultSort: { colName: "registered_on", direction: "desc" },
      scope: [{ test: eq(enrollments.userId, userId) }, ...bounds],
      search: [
        ...(term ? [{ test: matchesTerm(userId, term) }] : []),
        ...(search.courseId ? [{ test: eq(enrollments.courseId, search.courseId) }] : []),
        // A user has few enrollments: no index is needed for the status.
        ...(search.status && search.status.length > 0 ? [{ test: enrollmentsInStatus(search.status).test }] : []),
        ...(search.dueStatus ? [{ test: hasDueStatus(search.dueStatus) }] : []),
      ],
    },
    query,
  )
  const [rows, totals, people] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId)])
  const [user] = people
  if (!user) throw notFound("user")
  return { user, page: found.read(rows, totals) }
}

/** Counts a user's enrollments by status and sums the time spent. @throws 404 if the caller may not see the user */
export async function getUserStatistics(db: Database, caller: Caller, userId: number, portalId: number | undefined) {
  const [rows] = await db.batch([
    db
      .select({
        firstName: users.firstName,
        lastName: users.lastName,
        notStarted: sql<number>`totals.not_started`.as("not_started_count"),
        inProgress: sql<number>`totals.in_progress`.as("in_progress_count"),
        completed: sql<number>`totals.completed`.as("completed_count"),
        timeSpent: sql<number>`totals.time_spent`.as("seconds_spent"),
      })
      .from(users)
      .innerJoin(
        sql`(
          select coalesce(sum(${enrollments.status} = ${literal(EnrollmentStatus.NotStarted)}), 0) as not_started,
            coalesce(sum(${enrollments.status} = ${literal(EnrollmentStatus.InProgress)}), 0) as in_progress,
            coalesce(sum(${enrollments.status} = ${literal(EnrollmentStatus.Completed)}), 0) as completed,
            coalesce(sum(${enrollments.timeSpent}), 0) as time_spent
          from ${enrollments}
          where ${enrollments.userId} = ${userId}
        ) as totals`,
        sql`1`,
      )
      .where(and(eq(users.id, userId), canSeeUser(caller, users.id), belongs(userId, { portalId }))),
  ])
  const [found] = rows
  if (!found) throw notFound("user")
  return found
}
