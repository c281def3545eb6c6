import { and, eq, type SQL, sql } from "drizzle-orm"
import { CLASS_STATUSES, classCounts, classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { groupMembers, supervisorScope } from "../../../drizzle/schema/groups.ts"
import { portalMembers } from "../../../drizzle/schema/portals.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { enrollmentScope } from "../../access/audience.ts"
import type { ScopeParams } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { substring } from "../../db/search.ts"
import { rowCount, subquery, textList } from "../../db/sql.ts"
import { type Caller, isSupervisor } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { classStudentColumns } from "./class-enrollment-columns.ts"
import { classCourseName, courseImage } from "./class-names.ts"
import { canSeeClass } from "./class-scope.ts"

const STATUS_COLUMNS = {
  Registered: classCounts.registered,
  Attended: classCounts.attended,
  [ClassStatus.NoShow]: classCounts.noShow,
  Cancelled: classCounts.cancelled,
} as const

/** The sum of the counter columns of some statuses. */
export const statusCountColumns = (statuses: readonly ClassStatus[] = CLASS_STATUSES): SQL =>
  sql.join(
    [...new Set(statuses)].map((status) => sql`${STATUS_COLUMNS[status]}`),
    sql` + `,
  )

/**
 * The class enrollments of an audience in some statuses, from counters.
 * @param classId 0: in any class. Only the audience `all` has a counter for that; for others their classes are summed.
 */
export function countClassEnrollments(
  audience: string,
  classId: number,
  statuses: readonly ClassStatus[] = CLASS_STATUSES,
): SQL<number> {
  return subquery(sql<number>`coalesce((
    select sum(${statusCountColumns(statuses)}) from ${classCounts}
    where ${classCounts.audience} = ${audience}
      and ${classId === 0 && audience !== "all" ? sql`1` : eq(classCounts.classId, classId)}
  ), 0)`)
}

/** The class enrollments of a user in some statuses. A user has few, so they are counted. */
export const countUserClasses = (userId: number, statuses: readonly ClassStatus[] = CLASS_STATUSES): SQL<number> =>
  rowCount(
    classEnrollments,
    sql`${classEnrollments.userId} = ${userId} and +${classEnrollments.status} in ${textList(statuses)}`,
  )

/** Filters the enrollments of a class by members of a group or portal, or by supervised users. */
const memberFilter = (
  classId: number,
  people: typeof groupMembers | typeof portalMembers | typeof supervisorScope,
  condition: SQL,
): Filter => userFilter(classId, sql`${people}`, sql`${people.userId}`, condition)

const userFilter = (classId: number, people: SQL, userId: SQL, condition: SQL): Filter => ({
  test: sql`${classEnrollments.userId} in (select ${userId} from ${people} where ${condition})`,
  ids: sql`
    select own.id as id from ${people}
    cross join ${classEnrollments} as own on own.class_id = ${classId} and own.user_id = ${userId}
    where ${condition}`,
})

/** The enrollments of a class that a list shows: of a group's or portal's members, or of supervised users. */
export function classEnrollmentScope(caller: Caller, classId: number, { group_id, portalId }: ScopeParams) {
  const { key, allowed, unknown } = enrollmentScope(caller, { group_id, portalId })
  const membersInScope = () => {
    if (portalId) return memberFilter(classId, portalMembers, sql`${portalMembers.portalId} = ${portalId}`)
    if (group_id) return memberFilter(classId, groupMembers, sql`${groupMembers.groupId} = ${group_id}`)
    return isSupervisor(caller)
      ? memberFilter(classId, supervisorScope, sql`${supervisorScope.supervisorId} = ${caller.id}`)
      : undefined
  }
  const members = membersInScope()
  return {
    key,
    allowed,
    unknown,
    scope: [{ test: eq(classEnrollments.classId, classId) }, ...(members ? [members] : [])],
  }
}

/** Filters class enrollments by status. The plus makes SQLite use the index on the class or the user. */
export const classStatusFilter = (statuses: readonly ClassStatus[]): Filter => ({
  test: sql`+${classEnrollments.status} in ${textList(statuses)}`,
})

export const classSearchFilters = (
  classId: number,
  search: { nameOrEmail?: string | undefined; status?: ClassStatus[] | undefined },
): Filter[] => [
  ...(search.nameOrEmail
    ? [
        userFilter(
          classId,
          sql`users_search`,
          sql`users_search.rowid`,
          sql`users_search match ${substring(search.nameOrEmail)}`,
        ),
      ]
    : []),
  ...(search.status?.length ? [classStatusFilter(search.status)] : []),
]

type StudentsQuery = PageQuery &
  ScopeParams & {
    class_id: number
    search_param: { nameOrEmail?: string | undefined; status?: ClassStatus[] | undefined }
  }

/**
 * Returns one page of the learners of a class that the caller can see, and the class with counts by status.
 * @throws 404 for the class, the group or the portal
 */
export async function listClassStudents(db: Database, caller: Caller, query: StudentsQuery) {
  const { class_id: classId, search_param: search } = query
  const { key, allowed, unknown, scope } = classEnrollmentScope(caller, classId, query)
  const found = preparePage(
    db,
    {
      table: classEnrollments,
      key: classEnrollments.id,
      fields: classStudentColumns.fields,
      sort: classStudentColumns.sort,
      defaultSort: { colName: "registered_on", direction: "desc" },
      scope,
      search: classSearchFilters(classId, search),
      total: countClassEnrollments(key, classId),
      ...(!search.nameOrEmail && {
        filtered: countClassEnrollments(key, classId, search.status?.length ? search.status : CLASS_STATUSES),
      }),
    },
    query,
  )
  const [rows, totals, classRows] = await db.batch([
    ...found.statements,
    db
      .select({
        allowed: sql<number>`${allowed}`.as("allowed"),
        courseId: classes.courseId,
        locationId: classes.locationId,
        courseName: classCourseName.as("course_name"),
        featuredImage: courseImage.as("featured_image"),
        startAt: classes.startAt,
        endAt: classes.endAt,
        timeZone: classes.timeZone,
        attended: countClassEnrollments(key, classId, [ClassStatus.Attended]).as("attended_count"),
        noShow: countClassEnrollments(key, classId, [ClassStatus.NoShow]).as("no_show_count"),
        cancelled: countClassEnrollments(key, classId, [ClassStatus.Cancelled]).as("cancelled_count"),
      })
      .from(classes)
      .where(and(eq(classes.id, classId), canSeeClass(caller))),
  ])
  const [classRow] = classRows
  if (!classRow) throw notFound("class")
  if (!classRow.allowed) throw notFound(unknown)
  return { class: classRow, page: found.read(rows, totals) }
}
