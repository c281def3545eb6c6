import { type SQL, sql } from "drizzle-orm"
import type { EnrolmentStatus } from "../../../drizzle/enrolments.ts"
import { ENROLMENT_STATUSES, enrolments, tallies } from "../../../drizzle/enrolments.ts"
import { users } from "../../../drizzle/users.ts"
import { ofMembers, ofNamed, subjectOf } from "../../gate/audience.ts"
import { type OwnedBy, usersInScope } from "../../gate/scope.ts"
import { type Caller, isSupervisor, seesEveryone } from "../../lib/access.ts"
import { DAY, now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { portalOf } from "../../lib/input/list-query.ts"
import { type Database, one } from "../../lib/sql/db.ts"
import { eitherEnd, type Filter, type PageQuery, page } from "../../lib/sql/list.ts"
import { foundIn, substring } from "../../lib/sql/search.ts"
import { counter, ONE_ROW, textList } from "../../lib/sql/sql.ts"
import { isoDate, type Period } from "../../lib/text/dates.ts"
import {
  enrolmentsInAnyStatus,
  enrolmentsInStatus,
  enrolmentsOf,
  tallyColumns,
} from "../learning/enrolment-lists.queries.ts"
import { userDetailedColumns } from "./detailed-columns.ts"
import { usersReportColumns } from "./users-report-columns.ts"

type DetailedQuery = PageQuery &
  OwnedBy & {
    searchPortalIds?: number[] | undefined
    search_param: {
      course?: string | undefined
      status?: EnrolmentStatus[] | undefined
      nameOrEmail?: string | undefined
      portalId?: number | undefined
      searchPortalIds?: number[] | undefined
    }
  }

/**
 * One page of registrations with what came of them, and the tallies of all before the search.
 * @throws 404 for the user, group or portal
 */
export async function detailUsers(db: Database, caller: Caller, query: DetailedQuery) {
  const { fields, sort } = userDetailedColumns
  const { course, status: statuses = [], nameOrEmail } = query.search_param
  const searchPortalIds = query.searchPortalIds ?? query.search_param.searchPortalIds
  // Whoever ranks below a supervisor reports on themselves alone.
  const ownOnly = !seesEveryone(caller) && !isSupervisor(caller)
  const subject = subjectOf(caller, {
    user_id: query.user_id ?? (ownOnly ? (caller.id ?? 0) : undefined),
    group_id: query.group_id,
    portalId: portalOf(query),
  })
  const { key } = subject
  const everyone = key === "all" && !nameOrEmail && !searchPortalIds
  // All registrations are in the order of their ids; with a filter by status or course they are sorted by them.
  const byId = everyone && !course && statuses.length === 0 && query.order_by?.colName === "id"
  const kept = subject.userId !== undefined || nameOrEmail || searchPortalIds ? undefined : statuses
  const wanted = kept && kept.length > 0 ? [...new Set(kept)] : ENROLMENT_STATUSES
  // By status and course the tallies know how many there are.
  const count = course
    ? sql<number>`coalesce((
        select sum(${tallyColumns(wanted)}) from ${tallies}
        where ${tallies.audience} = ${key} and ${tallies.courseId} in ${foundIn("courses_search", course)}
      ), 0)`
    : enrolmentsOf(subject, wanted)
  const ofCourses = (term: string): Filter => {
    const test = sql`+${enrolments.courseId} in ${foundIn("courses_search", term)}`
    if (!everyone) return { test }
    const ids = sql`
      select own.id as id from courses_search
      cross join ${enrolments} as own on own.course_id = courses_search.rowid and own.status in ${textList(wanted)}
      where courses_search match ${substring(term)}`
    return eitherEnd({ test, ids, count, total: enrolmentsOf(subject) }, query, enrolmentsInStatus(wanted).parts)
  }
  const found = page(
    db,
    {
      table: enrolments,
      key: enrolments.id,
      fields,
      narrowedBy: "user_id, group_id, portalId or a search_param",
      sort: byId ? { ...sort, id: enrolments.id } : sort,
      defaultSort: { colName: "registered_on", direction: "desc" },
      scope: [...subject.scope, ...(everyone && !byId ? [enrolmentsInAnyStatus] : [])],
      search: [
        ...(nameOrEmail
          ? [query.user_id === undefined && !ownOnly ? ofNamed(nameOrEmail) : { test: ofNamed(nameOrEmail).test }]
          : []),
        ...(searchPortalIds ? [ofMembers(searchPortalIds)] : []),
        ...(course ? [ofCourses(course)] : []),
        // The people of the report lead to few registrations: a status only tests them.
        ...(statuses.length > 0
          ? [everyone ? enrolmentsInStatus(statuses) : { test: enrolmentsInStatus(statuses).test }]
          : []),
      ],
      total: enrolmentsOf(subject),
      ...(kept && { filtered: count }),
    },
    query,
  )
  const [rows, totals, head] = await db.batch([
    ...found.statements,
    db
      .select({
        allowed: sql<number>`${subject.allowed}`.as("allowed"),
        notStarted: enrolmentsOf(subject, ["Not Started"]).as("not_started_count"),
        inProgress: enrolmentsOf(subject, ["In Progress"]).as("in_progress_count"),
        completed: enrolmentsOf(subject, ["Completed"]).as("completed_count"),
      })
      .from(ONE_ROW),
  ])
  const { allowed, ...counts } = one(head)
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
    return eitherEnd({ test, ids, count: usersMade(period), total }, query)
  }
  const found = page(
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
export const activitiesOf = (verbs: readonly string[]): SQL<number> =>
  sql<number>`(${sql.join(
    verbs.map((verb) => counter(`activities:verb:${verb}`)),
    sql` + `,
  )})`
