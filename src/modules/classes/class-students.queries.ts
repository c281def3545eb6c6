import { and, eq, type SQL, sql } from "drizzle-orm"
import { CLASS_STATUSES, classEnrollments, classes, classTallies } from "../../../drizzle/schema/classes.ts"
import { groupMembers, reach } from "../../../drizzle/schema/groups.ts"
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

const COLUMN = {
  Registered: classTallies.registered,
  Attended: classTallies.attended,
  [ClassStatus.NoShow]: classTallies.noShow,
  Cancelled: classTallies.cancelled,
} as const

/** The tallies' columns of some statuses together. */
export const statusCountColumns = (statuses: readonly ClassStatus[] = CLASS_STATUSES): SQL =>
  sql.join(
    [...new Set(statuses)].map((status) => sql`${COLUMN[status]}`),
    sql` + `,
  )

/**
 * How many class enrollments of an audience have one of these statuses: kept tallies.
 * @param classId 0: in any class. Everyone has a tally of that; of other audiences it is the sum over their classes.
 */
export function countClassEnrollments(
  audience: string,
  classId: number,
  statuses: readonly ClassStatus[] = CLASS_STATUSES,
): SQL<number> {
  return subquery(sql<number>`coalesce((
    select sum(${statusCountColumns(statuses)}) from ${classTallies}
    where ${classTallies.audience} = ${audience}
      and ${classId === 0 && audience !== "all" ? sql`1` : eq(classTallies.classId, classId)}
  ), 0)`)
}

/** How many of a user's class enrollments have one of these statuses: counted, for they are few. */
export const countUserClasses = (userId: number, statuses: readonly ClassStatus[] = CLASS_STATUSES): SQL<number> =>
  rowCount(
    classEnrollments,
    sql`${classEnrollments.userId} = ${userId} and +${classEnrollments.status} in ${textList(statuses)}`,
  )

/** The places in a class of some people, entered by whom they are. */
const ofPeople = (
  classId: number,
  people: typeof groupMembers | typeof portalMembers | typeof reach,
  which: SQL,
): Filter => ofUsers(classId, sql`${people}`, sql`${people.userId}`, which)

const ofUsers = (classId: number, people: SQL, userId: SQL, which: SQL): Filter => ({
  test: sql`${classEnrollments.userId} in (select ${userId} from ${people} where ${which})`,
  ids: sql`
    select own.id as id from ${people}
    cross join ${classEnrollments} as own on own.class_id = ${classId} and own.user_id = ${userId}
    where ${which}`,
})

/** Whose places in a class a list shows: a group's or a portal's members', or those whom a supervisor reaches. */
export function classEnrollmentScope(caller: Caller, classId: number, { group_id, portalId }: ScopeParams) {
  const { key, allowed, unknown } = enrollmentScope(caller, { group_id, portalId })
  const people = () => {
    if (portalId) return ofPeople(classId, portalMembers, sql`${portalMembers.portalId} = ${portalId}`)
    if (group_id) return ofPeople(classId, groupMembers, sql`${groupMembers.groupId} = ${group_id}`)
    return isSupervisor(caller) ? ofPeople(classId, reach, sql`${reach.supervisorId} = ${caller.id}`) : undefined
  }
  const own = people()
  return { key, allowed, unknown, scope: [{ test: eq(classEnrollments.classId, classId) }, ...(own ? [own] : [])] }
}

/** Places with one of these statuses. The plus leaves the choice of an index to the class, or the people. */
export const classStatusFilter = (statuses: readonly ClassStatus[]): Filter => ({
  test: sql`+${classEnrollments.status} in ${textList(statuses)}`,
})

/** What a search of a class's people means. */
export const classSearchFilters = (
  classId: number,
  search: { nameOrEmail?: string | undefined; status?: ClassStatus[] | undefined },
): Filter[] => [
  ...(search.nameOrEmail
    ? [
        ofUsers(
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
 * One page of a class's learners that the caller may see, the class and its tallies.
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
  const [rows, totals, head] = await db.batch([
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
  const [held] = head
  if (!held) throw notFound("class")
  if (!held.allowed) throw notFound(unknown)
  return { class: held, page: found.read(rows, totals) }
}
