import { eq, type SQL, sql } from "drizzle-orm"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import { courses } from "../../../drizzle/schema/courses.ts"
import { ENROLLMENT_STATUSES, enrollmentCounts, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import {
  type EnrollmentScope,
  isInUserSet,
  supervisedUserSet,
  type UserSet,
  usersInGroup,
  usersInPortals,
  usersMatching,
} from "../../access/audience.ts"
import { audienceOf } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { filterFirstOrScan } from "../../db/list/filter-first.ts"
import type { Filter, Listing, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { rowCount, SINGLE_ROW, textList } from "../../db/sql.ts"
import { type Caller, isSupervisor } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"
import { dueStatusFilter, idsInDueStatus, type SetDueStatus, storedDueCount } from "./due-filters.ts"
import type { studentColumns } from "./registration-columns.ts"

const COUNT_COLUMNS = {
  [EnrollmentStatus.NotStarted]: enrollmentCounts.notStarted,
  [EnrollmentStatus.InProgress]: enrollmentCounts.inProgress,
  Completed: enrollmentCounts.completed,
} as const

/** The sum of the count column of these statuses. */
export const sumOfCounts = (statuses: readonly EnrollmentStatus[]): SQL =>
  sql.join(
    statuses.map((status) => sql`${COUNT_COLUMNS[status]}`),
    sql` + `,
  )

/**
 * The number of enrollments of an audience in these statuses, from the stored counts.
 * @param courseId 0 counts all courses. Only the audience `all` stores that total; for others the courses are summed.
 */
export const storedEnrollmentCount = (
  audience: string,
  courseId: number,
  statuses: readonly EnrollmentStatus[] = ENROLLMENT_STATUSES,
): SQL<number> => sql<number>`coalesce((
  select sum(${sumOfCounts(statuses)})
  from ${enrollmentCounts}
  where ${enrollmentCounts.audience} = ${audience}
    and ${courseId === 0 && audience !== "all" ? sql`1` : eq(enrollmentCounts.courseId, courseId)}
), 0)`

/** Counts a user's enrollments in these statuses. A user has few. */
const enrollmentCount = (userId: number, statuses: readonly EnrollmentStatus[]): SQL<number> =>
  rowCount(enrollments, sql`${enrollments.userId} = ${userId} and ${enrollments.status} in ${textList(statuses)}`)

/** The number of enrollments in a report: those of one user or of an audience. */
export const countReportEnrollments = (
  { userId, key }: Pick<EnrollmentScope, "userId" | "key">,
  statuses: readonly EnrollmentStatus[] = ENROLLMENT_STATUSES,
): SQL<number> => (userId === undefined ? storedEnrollmentCount(key, 0, statuses) : enrollmentCount(userId, statuses))

/**
 * Enrollments in these statuses, read as one branch per status. The unary plus in `test` keeps the status index free
 * for the branches.
 */
export const enrollmentsInStatus = (statuses: readonly EnrollmentStatus[]): Filter => ({
  test: sql`+${enrollments.status} in ${textList(statuses)}`,
  branches: [...new Set(statuses)].map((status) => ({ test: eq(enrollments.status, status) })),
})

/** All enrollments, for sort orders that are read one status at a time. */
export const enrollmentsInAnyStatus: Filter = { ...enrollmentsInStatus(ENROLLMENT_STATUSES), test: sql`1` }

/** The status filter of a list sorted by name: the name indexes do not contain the status. */
const statusFilterByName = (courseId: number, statuses: EnrollmentStatus[], query: PageQuery): Filter => {
  const { test } = enrollmentsInStatus(statuses)
  return filterFirstOrScan(
    {
      test,
      ids: sql`
        select matching.id as id
        from ${enrollments} as matching
        where matching.course_id = ${courseId} and matching.status in ${textList(statuses)}`,
      count: storedEnrollmentCount("all", courseId, statuses),
      total: storedEnrollmentCount("all", courseId),
    },
    query,
  )
}

type StudentsQuery = PageQuery & {
  course_id: number
  group_id?: number | null | undefined
  portalId?: number | undefined
  search_param: {
    nameOrEmail?: string | undefined
    status?: EnrollmentStatus[] | undefined
    dueStatus?: SetDueStatus[] | undefined
  }
}

type StudentColumns = Pick<Listing<SelectedFields>, "fields" | "sort"> &
  Partial<Pick<Listing<SelectedFields>, "defaultSort">>

/**
 * Builds the statements of one page of the course's learners that the caller may see, with the counts by status.
 * `read` throws 404 if the course or the group is unknown to the caller.
 */
export function prepareStudents<C extends StudentColumns>(
  db: Database,
  caller: Caller,
  query: StudentsQuery,
  { fields, sort, defaultSort = { colName: "registered_on", direction: "desc" } }: C,
) {
  const { course_id: courseId, group_id: groupId, portalId, search_param: search } = query
  const audience = audienceOf(caller, groupId)
  const statuses = [...new Set(search.status)]
  const people = [
    ...(groupId ? [usersInGroup(groupId)] : isSupervisor(caller) ? [supervisedUserSet(caller)] : []),
    ...(portalId ? [usersInPortals(portalId)] : []),
  ].map((some) => enrollmentsOfUsers(courseId, some))
  // Two audiences combined have no counter: their enrollments are counted.
  const counterKey = portalId ? (people.length === 1 ? `portal:${portalId}` : undefined) : audience.key
  const byName = ["first_name", "last_name"].includes((query.order_by ?? defaultSort).colName)
  const { dueStatus } = search
  const ofCourse = { courseId, total: storedEnrollmentCount("all", courseId) }
  const branches = enrollmentsInStatus(statuses.length > 0 ? statuses : ENROLLMENT_STATUSES).branches
  const found = preparePage<C["fields"]>(
    db,
    {
      table: enrollments,
      key: enrollments.id,
      fields,
      sort,
      narrowedBy: "group_id, portalId or a search_param",
      defaultSort,
      scope: [...people, { test: eq(enrollments.courseId, courseId) }, ...(byName ? [] : [enrollmentsInAnyStatus])],
      search: [
        ...(search.nameOrEmail ? [enrollmentsOfUsers(courseId, usersMatching(search.nameOrEmail))] : []),
        ...(dueStatus ? [dueStatusFilter(dueStatus, ofCourse, query, byName ? undefined : branches)] : []),
        ...(statuses.length > 0
          ? [byName ? statusFilterByName(courseId, statuses, query) : enrollmentsInStatus(statuses)]
          : []),
      ],
      ...(counterKey && { total: storedEnrollmentCount(counterKey, courseId) }),
      ...(counterKey &&
        !search.nameOrEmail &&
        !dueStatus &&
        statuses.length > 0 && { filtered: storedEnrollmentCount(counterKey, courseId, statuses) }),
      ...(dueStatus &&
        people.length === 0 &&
        !search.nameOrEmail && { filtered: countByDueStatus(dueStatus, statuses, courseId) }),
    },
    query,
  )
  const ofStudents = [
    selectStatusCounts(db, courseId, counterKey ?? people),
    db
      .select({
        name: courses.name,
        featuredImageUrl: courses.featuredImageUrl,
        allowed: sql<number>`${audience.allowed}`.as("allowed"),
      })
      .from(courses)
      .where(sql`${courses.id} = ${courseId} and ${canSeeCourse(caller)}`),
  ] as const
  return { page: found, ofStudents }
}

/** The course of a list of its learners. @throws 404 if the course or the group is unknown to the caller */
export function requireStudentsCourse<C extends { allowed: number }>([course]: C[]): C {
  if (!course) throw notFound("course")
  if (!course.allowed) throw notFound("group")
  return course
}

/**
 * Returns one page of the course's learners that the caller may see, with the counts by status.
 * @throws 404 if the course or the group is unknown to the caller
 */
export async function listStudents(
  db: Database,
  caller: Caller,
  query: StudentsQuery,
  columns: Pick<typeof studentColumns, "fields" | "sort">,
) {
  const { page, ofStudents } = prepareStudents(db, caller, query, columns)
  const [rows, totals, counts, courseRows] = await db.batch([...page.statements, ...ofStudents])
  return {
    course: { ...requireStudentsCourse(courseRows), ...firstRow(counts) },
    page: page.read(rows, totals),
  }
}

/** Counts the course's enrollments by due status, and by status if it is given. */
const countByDueStatus = (dueStatus: SetDueStatus[], statuses: EnrollmentStatus[], courseId: number): SQL<number> =>
  statuses.length === 0
    ? storedDueCount("all", courseId, dueStatus)
    : rowCount(
        sql`(${idsInDueStatus(dueStatus, courseId)}) as found
          cross join ${enrollments} on ${enrollments.id} = found.id`,
        enrollmentsInStatus(statuses).test,
      )

/** Selects the course's enrollment counts by status: from a counter, or counted for a combination of audiences. */
function selectStatusCounts(db: Database, courseId: number, audience: string | IdFilter[]) {
  const of = (status: EnrollmentStatus) =>
    typeof audience === "string"
      ? storedEnrollmentCount(audience, courseId, [status])
      : sql<number>`coalesce(sum(${enrollments.status} = ${status}), 0)`
  const counted =
    typeof audience === "string"
      ? SINGLE_ROW
      : sql`(${sql.join(
          audience.map((people) => people.ids),
          sql` intersect `,
        )}) as found cross join ${enrollments} on ${enrollments.id} = found.id`
  return db
    .select({
      notStarted: of(EnrollmentStatus.NotStarted).as("not_started_count"),
      inProgress: of(EnrollmentStatus.InProgress).as("in_progress_count"),
      completed: of(EnrollmentStatus.Completed).as("completed_count"),
    })
    .from(counted)
}

type IdFilter = Filter & { ids: SQL }

/** The enrollments of these users in the course, found through the users. */
const enrollmentsOfUsers = (courseId: number, people: UserSet): IdFilter => ({
  test: isInUserSet(enrollments.userId, people),
  ids: sql`
    select matching.id as id
    from ${people.from}
    cross join ${enrollments} as matching on matching.course_id = ${courseId} and matching.user_id = ${people.userId}
    where ${people.condition}`,
})
