import { type SQL, sql } from "drizzle-orm"
import { ENROLLMENT_STATUSES, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { usersInScope } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { filterFirstOrScan } from "../../db/list/filter-first.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { counter, SINGLE_ROW, textList } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { isoDate, type Period } from "../../lib/text/dates.ts"
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
 * One page of registrations with what came of them, and the tallies of all before the search.
 * @throws 404 for the user, group or portal
 */
export async function reportUsersInDetail(db: Database, caller: Caller, query: PageQuery & EnrollmentFilters) {
  const { fields, sort } = userDetailedColumns
  const { subject, people, courses, statuses } = toEnrollmentSelection(caller, query)
  const everyone = subject.key === "all" && people.length === 0
  // All registrations are in the order of their ids; with a filter by status or course they are sorted by them.
  const byId = everyone && !courses && statuses.length === 0 && query.order_by?.colName === "id"
  // By status and course the tallies know how many there are.
  const count = enrollmentCount(subject, courses, statuses)
  const isCounted = subject.userId === undefined && people.length === 0
  const ofCourses = (wanted: SQL): Filter => {
    const test = sql`+${enrollments.courseId} in ${wanted}`
    if (!everyone) return { test }
    const among = statuses.length > 0 ? statuses : ENROLLMENT_STATUSES
    const ids = sql`
      select own.id as id from ${wanted} as wanted
      cross join ${enrollments} as own on own.course_id = wanted.id and own.status in ${textList(among)}`
    return filterFirstOrScan(
      { test, ids, count, total: countReportEnrollments(subject) },
      query,
      enrollmentsInStatus(among).branches,
    )
  }
  const found = preparePage(
    db,
    {
      table: enrollments,
      key: enrollments.id,
      fields,
      narrowedBy: "user_id, group_id, portalId or a search_param",
      sort: byId ? { ...sort, id: enrollments.id } : sort,
      defaultSort: { colName: "registered_on", direction: "desc" },
      scope: [...subject.scope, ...(everyone && !byId ? [enrollmentsInAnyStatus] : [])],
      search: [
        ...people,
        ...(courses ? [ofCourses(courses)] : []),
        // The people of the report lead to few registrations: a status only tests them.
        ...(statuses.length > 0
          ? [everyone ? enrollmentsInStatus(statuses) : { test: enrollmentsInStatus(statuses).test }]
          : []),
      ],
      total: countReportEnrollments(subject),
      ...(isCounted && { filtered: count }),
    },
    query,
  )
  const [rows, totals, head] = await db.batch([
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
  const { allowed, ...counts } = firstRow(head)
  if (!allowed) throw notFound(subject.unknown)
  return { counts, page: found.read(rows, totals) }
}

/** From how long a period on, up to now, the days outside of it are taken to be fewer than those within. */
const LONG = 366 * DAY

/**
 * How many users were made in a period: whole days are kept counters, and only the parts of a day are counted. Of a
 * long one up to now it is all users but those of the days before and after.
 */
function usersMade({ from, until }: Period): SQL<number> {
  const made = (start: number, end: number) =>
    sql`(select count(*) from ${users} where ${users.createdAt} >= ${start} and ${users.createdAt} < ${end})`
  const key = (at: number) => `users:day:${isoDate(at)}`
  const kept = (start: string, end: string) =>
    sql`coalesce((select sum(value) from counters where key >= ${start} and key < ${end}), 0)`
  const first = Math.ceil(from / DAY) * DAY
  const last = Math.floor(until / DAY) * DAY
  if (first >= last) return sql<number>`${made(from, until)}`
  const days =
    last - first > LONG && last >= now()
      ? sql`${counter("users")} - ${kept("users:day:", key(first))} - ${kept(key(last), "users:day;")}`
      : kept(key(first), key(last))
  const parts = [...(from < first ? [made(from, first)] : []), days, ...(last < until ? [made(last, until)] : [])]
  return sql<number>`(${sql.join(parts, sql` + `)})`
}

type ReportQuery = PageQuery & {
  portalId?: number | undefined
  group_id?: number | undefined
  registered_between?: Period | undefined
}

/** One page of the users that the caller may see, made within a period. */
export async function reportUsers(db: Database, caller: Caller, query: ReportQuery) {
  const { registered_between: period } = query
  const { filters, total } = usersInScope(caller, users.id, query)
  const everyone = filters.length === 0
  const made = (at: SQL, { from, until }: Period) => sql`${at} >= ${from} and ${at} < ${until}`
  const within = (period: Period): Filter => {
    const test = made(sql`+${users.createdAt}`, period)
    // The index has them in the order of their creation; for other orders the counters know how many they are.
    if (!everyone || !total || (query.order_by?.colName ?? "created_at") === "created_at")
      return { test: made(sql`${users.createdAt}`, period) }
    const ids = sql`select ${users.id} as id from ${users} where ${made(sql`${users.createdAt}`, period)}`
    return filterFirstOrScan({ test, ids, count: usersMade(period), total }, query)
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
      search: period ? [within(period)] : [],
      ...(total && { total }),
      ...(everyone && period && { filtered: usersMade(period) }),
    },
    query,
  )
  return found.read(...(await db.batch(found.statements)))
}

/** The kept count of activities with any of some verbs. */
export const countActivities = (verbs: readonly string[]): SQL<number> =>
  sql<number>`(${sql.join(
    verbs.map((verb) => counter(`activities:verb:${verb}`)),
    sql` + `,
  )})`
