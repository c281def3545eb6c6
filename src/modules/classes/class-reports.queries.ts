import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm"
import { CLASS_STATUSES, classCounts, classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { enrollmentScope } from "../../access/audience.ts"
import { audienceOf, selectAudienceAccess } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { idsMatching } from "../../db/search.ts"
import { SINGLE_ROW, subquery } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers, isSupervisor } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import type { Period } from "../../lib/text/dates.ts"
import { periodIn } from "../../lib/text/zones.ts"
import { classDetailedColumns, userClassColumns } from "./class-enrollment-columns.ts"
import { canSeeClass } from "./class-scope.ts"
import {
  classEnrollmentScope,
  classSearchFilters,
  classStatusFilter,
  countClassEnrollments,
  countUserClasses,
  statusCountColumns,
} from "./class-students.queries.ts"

interface DateFilters {
  started_on?: Period | undefined
  completed_on?: Period | undefined
}

/** The condition that a class starts and ends within periods. @param zone the time zone of dates without an offset */
function isInPeriod({ started_on, completed_on }: DateFilters, zone: string): SQL | undefined {
  const starts = started_on && periodIn(zone, started_on)
  const ends = completed_on && periodIn(zone, completed_on)
  return and(
    starts && and(gte(classes.startAt, starts.from), lt(classes.startAt, starts.until)),
    ends && and(gte(classes.endAt, ends.from), lt(classes.endAt, ends.until)),
  )
}

const statusCounts = (count: (statuses: ClassStatus[]) => SQL<number>) => ({
  registered: subquery(count([ClassStatus.Registered])).as("registered_count"),
  attended: subquery(count([ClassStatus.Attended])).as("attended_count"),
  noShow: subquery(count([ClassStatus.NoShow])).as("no_show_count"),
  cancelled: subquery(count([ClassStatus.Cancelled])).as("cancelled_count"),
})

/** The class enrollments of an audience in the classes that match a condition, from counters. */
const countInClasses = (audience: string, condition: SQL | undefined, statuses?: readonly ClassStatus[]) =>
  sql<number>`coalesce((
    select sum(${statusCountColumns(statuses)}) from ${classes}
    cross join ${classCounts} on ${classCounts.audience} = ${audience} and ${classCounts.classId} = ${classes.id}
    where ${condition}
  ), 0)`

/** Filters all class enrollments by status, with an index for each status. */
const allByStatus = (statuses: readonly ClassStatus[]): Filter => ({
  ...classStatusFilter(statuses),
  branches: [...new Set(statuses)].map((status) => ({ test: eq(classEnrollments.status, status) })),
})

/** All class enrollments, read by status. */
const allByAnyStatus: Filter = { ...allByStatus(CLASS_STATUSES), test: sql`1` }

/** All class enrollments have an index for registered_on. In other orders they are sorted without one. */
const unscopedSort = Object.fromEntries(
  Object.entries(userClassColumns.sort).map(([name, by]) => [
    name,
    name === "registered_on" || "by" in by || "sorted" in by ? by : { sorted: by },
  ]),
)

type UserReportQuery = PageQuery & {
  user_id?: number | undefined
  group_id?: number | undefined
  portalId?: number | undefined
  search_param: DateFilters & { course?: string | undefined; status?: ClassStatus[] | undefined }
}

/**
 * Returns one page of class enrollments, and the counts by status before the search.
 * @throws 404 for the user, group or portal; 422 for more rows than can be sorted
 */
export async function reportUserClasses(db: Database, caller: Caller, query: UserReportQuery, zone: string) {
  const { course, status: statusFilter = [], ...dates } = query.search_param
  const statuses = statusFilter.length > 0 ? statusFilter : undefined
  // Callers below supervisors see only themselves.
  const isSelfOnly = !canSeeAllUsers(caller) && !isSupervisor(caller)
  const userId = query.user_id ?? (isSelfOnly ? (caller.id ?? 0) : undefined)
  const { group_id, portalId } = query
  const subject = enrollmentScope(caller, { user_id: userId, group_id, portalId }, classEnrollments)
  const { key } = subject
  const countByStatus = (isWantedClass?: readonly ClassStatus[]) =>
    userId === undefined ? countClassEnrollments(key, 0, isWantedClass) : countUserClasses(userId, isWantedClass)
  const matchingCourses = course && idsMatching("courses_search", course)
  const which = and(
    isInPeriod(dates, zone),
    matchingCourses ? sql`${classes.courseId} in ${matchingCourses}` : undefined,
  )
  const classFilters: Filter[] = which
    ? [
        {
          test: sql`${classEnrollments.classId} in (select ${classes.id} from ${classes} where ${which})`,
          ...(key === "all" && {
            ids: sql`
              select own.id as id from ${classes}
              cross join ${classEnrollments} as own on own.class_id = ${classes.id}
              where ${which}`,
          }),
        },
      ]
    : []
  const found = preparePage(
    db,
    {
      table: classEnrollments,
      key: classEnrollments.id,
      fields: userClassColumns.fields,
      sort: key === "all" ? unscopedSort : userClassColumns.sort,
      narrowedBy: "user_id, group_id, portalId or a search_param",
      defaultSort: { colName: "registered_on", direction: "desc" },
      scope: [...subject.scope, ...(key === "all" ? [allByAnyStatus] : [])],
      search: [
        ...classFilters,
        ...(statuses ? [key === "all" ? allByStatus(statuses) : classStatusFilter(statuses)] : []),
      ],
      total: countByStatus(),
      ...(!(userId !== undefined && which) && {
        filtered: which ? countInClasses(key, which, statuses) : countByStatus(statuses),
      }),
    },
    query,
  )
  const [rows, totals, countRows] = await db.batch([
    ...found.statements,
    db
      .select({ allowed: sql<number>`${subject.allowed}`.as("allowed"), ...statusCounts(countByStatus) })
      .from(SINGLE_ROW),
  ])
  const { allowed, ...counts } = firstRow(countRows)
  if (!allowed) throw notFound(subject.unknown)
  return { counts, page: found.read(rows, totals) }
}

type ClassDetailedQuery = PageQuery & {
  class_id: number
  group_id?: number | undefined
  portalId?: number | undefined
  search_param: DateFilters & {
    nameOrEmail?: string | undefined
    status?: ClassStatus[] | undefined
    userIdActual?: number | undefined
  }
}

/**
 * Returns one page of the learners of a class that the caller can see, and their counts by status.
 * @throws 404 for the class, the group or the portal
 */
export async function reportClassInDetail(db: Database, caller: Caller, query: ClassDetailedQuery, zone: string) {
  const { class_id: classId } = query
  const { nameOrEmail, status: statusFilter = [], userIdActual: userId, ...dates } = query.search_param
  const statuses = statusFilter.length > 0 ? statusFilter : undefined
  const { key, allowed, unknown, scope } = classEnrollmentScope(caller, classId, query)
  const isWantedClass = isInPeriod(dates, zone)
  const dateTest =
    isWantedClass && sql`${classEnrollments.classId} in (select ${classes.id} from ${classes} where ${isWantedClass})`
  const found = preparePage(
    db,
    {
      table: classEnrollments,
      key: classEnrollments.id,
      fields: classDetailedColumns.fields,
      sort: classDetailedColumns.sort,
      defaultSort: { colName: "registered_on", direction: "desc" },
      scope,
      search: [
        ...(userId === undefined
          ? []
          : [
              {
                test: eq(classEnrollments.userId, userId),
                ids: sql`
                  select own.id as id from ${classEnrollments} as own
                  where own.class_id = ${classId} and own.user_id = ${userId}`,
              },
            ]),
        ...classSearchFilters(classId, { nameOrEmail, status: statuses }),
        ...(dateTest ? [{ test: dateTest }] : []),
      ],
      total: countClassEnrollments(key, classId),
      ...(!nameOrEmail &&
        userId === undefined && {
          filtered: countInClasses(key, and(eq(classes.id, classId), isInPeriod(dates, zone)), statuses),
        }),
    },
    query,
  )
  const [rows, totals, classRows] = await db.batch([
    ...found.statements,
    db
      .select({
        courseName: courses.name,
        timeZone: classes.timeZone,
        allowed: sql<number>`${allowed}`.as("allowed"),
        ...statusCounts((statuses) => countClassEnrollments(key, classId, statuses)),
      })
      .from(classes)
      .innerJoin(courses, eq(courses.id, classes.courseId))
      .where(and(eq(classes.id, classId), canSeeClass(caller))),
  ])
  const [classRow] = classRows
  if (!classRow) throw notFound("class")
  const { allowed: may, courseName, timeZone, ...counts } = classRow
  if (!may) throw notFound(unknown)
  return { courseName, timeZone, counts, page: found.read(rows, totals) }
}

/**
 * Returns classes with counts by status, in the order of their starts. Staff get all classes, others those with users
 * they supervise.
 * @throws 404 for the group
 */
export async function getClassesOverview(
  db: Database,
  caller: Caller,
  { group_id: groupId, selectedMonth }: { group_id?: number | undefined; selectedMonth?: Period | undefined },
  zone: string,
) {
  const audience = audienceOf(caller, groupId)
  const { key } = audience
  const countsOfClass = sql`${classCounts.audience} = ${key} and ${classCounts.classId} = ${classes.id}`
  const fields = {
    courseName: courses.name,
    startAt: classes.startAt,
    endAt: classes.endAt,
    timeZone: classes.timeZone,
    registered: sql<number>`coalesce(${classCounts.registered}, 0)`.as("registered_count"),
    attended: sql<number>`coalesce(${classCounts.attended}, 0)`.as("attended_count"),
    noShow: sql<number>`coalesce(${classCounts.noShow}, 0)`.as("no_show_count"),
    cancelled: sql<number>`coalesce(${classCounts.cancelled}, 0)`.as("cancelled_count"),
  }
  const order = [classes.startAt, classes.id] as const
  // Starts from the smaller set: the classes of a month, or those of the audience.
  const rows =
    key === "all" || selectedMonth
      ? db
          .select(fields)
          .from(classes)
          .innerJoin(courses, eq(courses.id, classes.courseId))
          .leftJoin(classCounts, countsOfClass)
          .where(
            and(
              isInPeriod({ started_on: selectedMonth }, zone),
              key === "all" ? undefined : sql`coalesce(${statusCountColumns()}, 0) > 0`,
            ),
          )
          .orderBy(...order)
      : db
          .select(fields)
          .from(classCounts)
          .crossJoin(classes)
          .innerJoin(courses, eq(courses.id, classes.courseId))
          .where(sql`${countsOfClass} and ${classCounts.classId} > 0 and ${statusCountColumns()} > 0`)
          .orderBy(...order)
  const [found, access] = await db.batch([rows, selectAudienceAccess(db, audience)])
  if (!firstRow(access).allowed) throw notFound("group")
  return found
}
