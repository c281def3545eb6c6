import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm"
import { CLASS_STATUSES, classEnrollments, classes, classTallies } from "../../../drizzle/schema/classes.ts"
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

interface Dated {
  started_on?: Period | undefined
  completed_on?: Period | undefined
}

/** When a class starts and ends; the days are those of a zone. */
function within({ started_on, completed_on }: Dated, zone: string): SQL | undefined {
  const starts = started_on && periodIn(zone, started_on)
  const ends = completed_on && periodIn(zone, completed_on)
  return and(
    starts && and(gte(classes.startAt, starts.from), lt(classes.startAt, starts.until)),
    ends && and(gte(classes.endAt, ends.from), lt(classes.endAt, ends.until)),
  )
}

/** Counts by status, to be selected. */
const totalsOf = (count: (statuses: ClassStatus[]) => SQL<number>) => ({
  registered: subquery(count([ClassStatus.Registered])).as("registered_count"),
  attended: subquery(count([ClassStatus.Attended])).as("attended_count"),
  noShow: subquery(count([ClassStatus.NoShow])).as("no_show_count"),
  cancelled: subquery(count([ClassStatus.Cancelled])).as("cancelled_count"),
})

/** How many class enrollments an audience has in the classes that `which` admits: a sum of kept tallies. */
const tallied = (audience: string, which: SQL | undefined, statuses?: readonly ClassStatus[]) =>
  sql<number>`coalesce((
    select sum(${statusCountColumns(statuses)}) from ${classes}
    cross join ${classTallies} on ${classTallies.audience} = ${audience} and ${classTallies.classId} = ${classes.id}
    where ${which}
  ), 0)`

/** Everyone's class enrollments in these statuses: a part of the list each. */
const everyonesInStatus = (statuses: readonly ClassStatus[]): Filter => ({
  ...classStatusFilter(statuses),
  branches: [...new Set(statuses)].map((status) => ({ test: eq(classEnrollments.status, status) })),
})

/** All of them: the list is read by status. */
const everyonesInAnyStatus: Filter = { ...everyonesInStatus(CLASS_STATUSES), test: sql`1` }

/** Everyone's class enrollments have an index by when they were made; in other orders they are sorted. */
const everyonesSort = Object.fromEntries(
  Object.entries(userClassColumns.sort).map(([name, by]) => [
    name,
    name === "registered_on" || "by" in by || "sorted" in by ? by : { sorted: by },
  ]),
)

type UserReportQuery = PageQuery & {
  user_id?: number | undefined
  group_id?: number | undefined
  portalId?: number | undefined
  search_param: Dated & { course?: string | undefined; status?: ClassStatus[] | undefined }
}

/**
 * One page of class enrollments, and the tallies of all before the search.
 * @throws 404 for the user, group or portal; 422 for more than can be sorted
 */
export async function reportUserClasses(db: Database, caller: Caller, query: UserReportQuery, zone: string) {
  const { course, status: given = [], ...dated } = query.search_param
  const statuses = given.length > 0 ? given : undefined
  // Whoever ranks below a supervisor reports on themselves alone.
  const ownOnly = !canSeeAllUsers(caller) && !isSupervisor(caller)
  const userId = query.user_id ?? (ownOnly ? (caller.id ?? 0) : undefined)
  const { group_id, portalId } = query
  const subject = enrollmentScope(caller, { user_id: userId, group_id, portalId }, classEnrollments)
  const { key } = subject
  const inAny = (which?: readonly ClassStatus[]) =>
    userId === undefined ? countClassEnrollments(key, 0, which) : countUserClasses(userId, which)
  const named = course && idsMatching("courses_search", course)
  const which = and(within(dated, zone), named ? sql`${classes.courseId} in ${named}` : undefined)
  const inClasses: Filter[] = which
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
      sort: key === "all" ? everyonesSort : userClassColumns.sort,
      narrowedBy: "user_id, group_id, portalId or a search_param",
      defaultSort: { colName: "registered_on", direction: "desc" },
      scope: [...subject.scope, ...(key === "all" ? [everyonesInAnyStatus] : [])],
      search: [
        ...inClasses,
        ...(statuses ? [key === "all" ? everyonesInStatus(statuses) : classStatusFilter(statuses)] : []),
      ],
      total: inAny(),
      ...(!(userId !== undefined && which) && { filtered: which ? tallied(key, which, statuses) : inAny(statuses) }),
    },
    query,
  )
  const [rows, totals, head] = await db.batch([
    ...found.statements,
    db.select({ allowed: sql<number>`${subject.allowed}`.as("allowed"), ...totalsOf(inAny) }).from(SINGLE_ROW),
  ])
  const { allowed, ...counts } = firstRow(head)
  if (!allowed) throw notFound(subject.unknown)
  return { counts, page: found.read(rows, totals) }
}

type ClassDetailedQuery = PageQuery & {
  class_id: number
  group_id?: number | undefined
  portalId?: number | undefined
  search_param: Dated & {
    nameOrEmail?: string | undefined
    status?: ClassStatus[] | undefined
    userIdActual?: number | undefined
  }
}

/**
 * One page of a class's learners that the caller may see, and their tallies.
 * @throws 404 for the class, the group or the portal
 */
export async function reportClassInDetail(db: Database, caller: Caller, query: ClassDetailedQuery, zone: string) {
  const { class_id: classId } = query
  const { nameOrEmail, status: given = [], userIdActual: userId, ...dated } = query.search_param
  const statuses = given.length > 0 ? given : undefined
  const { key, allowed, unknown, scope } = classEnrollmentScope(caller, classId, query)
  const dates = within(dated, zone)
  const times = dates && sql`${classEnrollments.classId} in (select ${classes.id} from ${classes} where ${dates})`
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
        ...(times ? [{ test: times }] : []),
      ],
      total: countClassEnrollments(key, classId),
      ...(!nameOrEmail &&
        userId === undefined && {
          filtered: tallied(key, and(eq(classes.id, classId), within(dated, zone)), statuses),
        }),
    },
    query,
  )
  const [rows, totals, head] = await db.batch([
    ...found.statements,
    db
      .select({
        courseName: courses.name,
        timeZone: classes.timeZone,
        allowed: sql<number>`${allowed}`.as("allowed"),
        ...totalsOf((which) => countClassEnrollments(key, classId, which)),
      })
      .from(classes)
      .innerJoin(courses, eq(courses.id, classes.courseId))
      .where(and(eq(classes.id, classId), canSeeClass(caller))),
  ])
  const [known] = head
  if (!known) throw notFound("class")
  const { allowed: may, courseName, timeZone, ...counts } = known
  if (!may) throw notFound(unknown)
  return { courseName, timeZone, counts, page: found.read(rows, totals) }
}

/**
 * Every class with its tallies, by their starts: all for staff, for others those in which their people are enrolled.
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
  const of = sql`${classTallies.audience} = ${key} and ${classTallies.classId} = ${classes.id}`
  const fields = {
    courseName: courses.name,
    startAt: classes.startAt,
    endAt: classes.endAt,
    timeZone: classes.timeZone,
    registered: sql<number>`coalesce(${classTallies.registered}, 0)`.as("registered_count"),
    attended: sql<number>`coalesce(${classTallies.attended}, 0)`.as("attended_count"),
    noShow: sql<number>`coalesce(${classTallies.noShow}, 0)`.as("no_show_count"),
    cancelled: sql<number>`coalesce(${classTallies.cancelled}, 0)`.as("cancelled_count"),
  }
  const order = [classes.startAt, classes.id] as const
  // Entered by what is fewer: the classes of a month, or those of the audience.
  const rows =
    key === "all" || selectedMonth
      ? db
          .select(fields)
          .from(classes)
          .innerJoin(courses, eq(courses.id, classes.courseId))
          .leftJoin(classTallies, of)
          .where(
            and(
              within({ started_on: selectedMonth }, zone),
              key === "all" ? undefined : sql`coalesce(${statusCountColumns()}, 0) > 0`,
            ),
          )
          .orderBy(...order)
      : db
          .select(fields)
          .from(classTallies)
          .crossJoin(classes)
          .innerJoin(courses, eq(courses.id, classes.courseId))
          .where(sql`${of} and ${classTallies.classId} > 0 and ${statusCountColumns()} > 0`)
          .orderBy(...order)
  const [found, may] = await db.batch([rows, selectAudienceAccess(db, audience)])
  if (!firstRow(may).allowed) throw notFound("group")
  return found
}
