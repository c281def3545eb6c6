import { type SQL, sql } from "drizzle-orm"
import { ENROLLMENT_STATUSES, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { usersInScope } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { filterFirstOrScan } from "../../db/list/filter-first.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { counter, rowCount, SINGLE_ROW, textList } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { isoDate, type Period } from "../../lib/text/dates.ts"
import {
  dueStatusFilter,
  hasDueStatus,
  idsInDueStatus,
  type SetDueStatus,
  storedDueCount,
} from "../enrollments/due-filters.ts"
import {
  countReportEnrollments,
  enrollmentsInAnyStatus,
  enrollmentsInStatus,
} from "../enrollments/enrollment-lists.queries.ts"
import { userDetailedColumns } from "./detailed-columns.ts"
import { enrollmentCount, toEnrollmentSelection } from "./enrollment-filters.ts"
import type { EnrollmentFilters } from "./reports.schemas.ts"
import { usersReportColumns } from "./users-report-columns.ts"

/**
 * Returns one page of enrollments with their progress, and the counts by status before the search.
 * @throws 404 for the user, group or portal
 */
export async function reportUsersInDetail(db: Database, caller: Caller, query: PageQuery & EnrollmentFilters) {
  const { fields, sort } = userDetailedColumns
  const { subject, people, courses, statuses, dueStatus } = toEnrollmentSelection(caller, query)
  const isUnscoped = subject.key === "all" && people.length === 0
  // Only a list without filters can be read in the order of its ids.
  const isById = isUnscoped && !courses && !dueStatus && statuses.length === 0 && query.order_by?.colName === "id"
  // Counters know the number of enrollments by status and course.
  const count = enrollmentCount(subject, courses, statuses)
  const isCounted = subject.userId === undefined && people.length === 0
  const searchedStatuses = statuses.length > 0 ? statuses : ENROLLMENT_STATUSES
  const { branches } = enrollmentsInStatus(searchedStatuses)
  const dueFilter = (wanted: SetDueStatus[]): Filter =>
    isUnscoped
      ? dueStatusFilter(wanted, { total: countReportEnrollments(subject) }, query, branches)
      : { test: hasDueStatus(wanted) }
  const courseFilter = (wanted: SQL): Filter => {
    const test = sql`+${enrollments.courseId} in ${wanted}`
    if (!isUnscoped) return { test }
    const ids = sql`
      select own.id as id from ${wanted} as wanted
      cross join ${enrollments} as own on own.course_id = wanted.id and own.status in ${textList(searchedStatuses)}`
    return filterFirstOrScan({ test, ids, count, total: countReportEnrollments(subject) }, query, branches)
  }
  const found = preparePage(
    db,
    {
      table: enrollments,
      key: enrollments.id,
      fields,
      narrowedBy: "user_id, group_id, portalId or a search_param",
      sort: isById ? { ...sort, id: enrollments.id } : sort,
      defaultSort: { colName: "registered_on", direction: "desc" },
      scope: [...subject.scope, ...(isUnscoped && !isById ? [enrollmentsInAnyStatus] : [])],
      search: [
        ...people,
        ...(courses ? [courseFilter(courses)] : []),
        ...(dueStatus ? [dueFilter(dueStatus)] : []),
        // Filters by user leave few enrollments: a status only tests them.
        ...(statuses.length > 0
          ? [isUnscoped ? enrollmentsInStatus(statuses) : { test: enrollmentsInStatus(statuses).test }]
          : []),
      ],
      total: countReportEnrollments(subject),
      ...(isCounted && !dueStatus && { filtered: count }),
      ...(isUnscoped && dueStatus && { filtered: countDueInReport(dueStatus, courses, statuses) }),
    },
    query,
  )
  const [rows, totals, countRows] = await db.batch([
    ...found.statements,
    db
      .select({
        allowed: sql<number>`${subject.allowed}`.as("allowed"),
        notStarted: countReportEnrollments(subject, [EnrollmentStatus.NotStarted]).as("not_started_count"),
        inProgress: countReportEnrollments(subject, [EnrollmentStatus.InProgress]).as("in_progress_count"),
        completed: countReportEnrollments(subject, [EnrollmentStatus.Completed]).as("completed_count"),
      })
      .from(SINGLE_ROW),
  ])
  const { allowed, ...counts } = firstRow(countRows)
  if (!allowed) throw notFound(subject.unknown)
  return { counts, page: found.read(rows, totals) }
}

/** Counts enrollments by due status, and by the course and the status of the search. */
const countDueInReport = (dueStatus: SetDueStatus[], courses: SQL | undefined, statuses: EnrollmentStatus[]) =>
  courses || statuses.length > 0
    ? rowCount(
        sql`(${idsInDueStatus(dueStatus)}) as found cross join ${enrollments} on ${enrollments.id} = found.id`,
        sql`${courses ? sql`${enrollments.courseId} in ${courses}` : sql`1`}
          and ${statuses.length > 0 ? enrollmentsInStatus(statuses).test : sql`1`}`,
      )
    : storedDueCount("all", 0, dueStatus)

/** For longer periods up to now, the days outside of the period are summed instead of those within. */
const LONG_PERIOD_MS = 366 * DAY

/**
 * Counts the users created in a period. Full days come from counters; only parts of days are counted.
 */
function countUsersCreated({ from, until }: Period): SQL<number> {
  const countRows = (start: number, end: number) =>
    sql`(select count(*) from ${users} where ${users.createdAt} >= ${start} and ${users.createdAt} < ${end})`
  const key = (at: number) => `users:day:${isoDate(at)}`
  const sumOfDays = (start: string, end: string) =>
    sql`coalesce((select sum(value) from counters where key >= ${start} and key < ${end}), 0)`
  const first = Math.ceil(from / DAY) * DAY
  const last = Math.floor(until / DAY) * DAY
  if (first >= last) return sql<number>`${countRows(from, until)}`
  const days =
    last - first > LONG_PERIOD_MS && last >= now()
      ? sql`${counter("users")} - ${sumOfDays("users:day:", key(first))} - ${sumOfDays(key(last), "users:day;")}`
      : sumOfDays(key(first), key(last))
  const parts = [
    ...(from < first ? [countRows(from, first)] : []),
    days,
    ...(last < until ? [countRows(last, until)] : []),
  ]
  return sql<number>`(${sql.join(parts, sql` + `)})`
}

type ReportQuery = PageQuery & {
  portalId?: number | undefined
  group_id?: number | undefined
  registered_between?: Period | undefined
}

/** Returns one page of the users that the caller can see and that were created within a period. */
export async function reportUsers(db: Database, caller: Caller, query: ReportQuery) {
  const { registered_between: period } = query
  const { filters, total } = usersInScope(caller, users.id, query)
  const isUnscoped = filters.length === 0
  const isCreatedIn = (at: SQL, { from, until }: Period) => sql`${at} >= ${from} and ${at} < ${until}`
  const periodFilter = (period: Period): Filter => {
    const test = isCreatedIn(sql`+${users.createdAt}`, period)
    // The index has the order of creation. For other orders, counters know the number of matches.
    if (!isUnscoped || !total || (query.order_by?.colName ?? "created_at") === "created_at")
      return { test: isCreatedIn(sql`${users.createdAt}`, period) }
    const ids = sql`select ${users.id} as id from ${users} where ${isCreatedIn(sql`${users.createdAt}`, period)}`
    return filterFirstOrScan({ test, ids, count: countUsersCreated(period), total }, query)
  }
  const found = preparePage(
    db,
    {
      table: users,
      key: users.id,
      fields: usersReportColumns.fields,
      narrowedBy: "portalId, group_id or registered_between",
      sort: usersReportColumns.sort,
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: filters,
      search: period ? [periodFilter(period)] : [],
      ...(total && { total }),
      ...(isUnscoped && period && { filtered: countUsersCreated(period) }),
    },
    query,
  )
  return found.read(...(await db.batch(found.statements)))
}

/** The number of activities with these verbs, from counters. */
export const countActivities = (verbs: readonly string[]): SQL<number> =>
  sql<number>`(${sql.join(
    verbs.map((verb) => counter(`activities:verb:${verb}`)),
    sql` + `,
  )})`
