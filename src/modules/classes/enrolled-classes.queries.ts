import { and, asc, eq, gte, lt } from "drizzle-orm"
import { classEnrollments, classes, classSessions } from "../../../drizzle/schema/classes.ts"
import type { ClassStatus } from "../../../drizzle/statuses.ts"
import { inGroup, inPortal, selectVisibleUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import type { Caller } from "../../lib/caller.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import type { Period } from "../../lib/text/dates.ts"
import { periodIn } from "../../lib/text/zones.ts"
import { classColumn, classSummary } from "./class-brief.ts"
import { enrolledClassColumns } from "./class-enrollment-columns.ts"
import { classStatusFilter, countUserClasses } from "./class-students.queries.ts"

type EnrolledClassesQuery = PageQuery & {
  user_id?: number | undefined
  portalId?: number | undefined
  group_id?: number | undefined
  search_param: { course_id?: number | undefined; status?: ClassStatus[] | undefined }
}

/** Returns one page of a user's classes. @throws 404; 422 for an anonymous call without a user */
export async function listEnrolledClasses(db: Database, caller: Caller, query: EnrolledClassesQuery) {
  const userId = query.user_id ?? caller.id
  if (userId === null) throw invalid("user_id", "user_id is required.")
  const { portalId, group_id: groupId, search_param: search } = query
  const statuses = search.status ?? []
  const memberships: Filter[] = [
    ...(portalId === undefined ? [] : [{ test: inPortal(userId, portalId) }]),
    ...(groupId === undefined ? [] : [{ test: inGroup(userId, groupId) }]),
  ]
  const found = preparePage(
    db,
    {
      table: classEnrollments,
      key: classEnrollments.id,
      fields: enrolledClassColumns.fields,
      sort: enrolledClassColumns.sort,
      defaultSort: { colName: "start", direction: "desc" },
      scope: [{ test: eq(classEnrollments.userId, userId) }, ...memberships],
      search: [
        ...(search.course_id === undefined ? [] : [{ test: eq(classColumn(classes.courseId), search.course_id) }]),
        ...(statuses.length > 0 ? [classStatusFilter(statuses)] : []),
      ],
      ...(memberships.length === 0 && {
        total: countUserClasses(userId),
        ...(search.course_id === undefined && statuses.length > 0 && { filtered: countUserClasses(userId, statuses) }),
      }),
    },
    query,
  )
  const [rows, totals, known] = await db.batch([...found.statements, selectVisibleUser(db, caller, userId)])
  if (known.length === 0) throw notFound("user")
  return found.read(rows, totals)
}

const MAX_SESSIONS = 1000

/**
 * Returns the sessions of a user's classes that start between two dates, in the order of their starts.
 * @param zone the time zone of dates without an offset
 * @throws 404 for a user the caller cannot see
 */
export async function listUserSessions(
  db: Database,
  caller: Caller,
  query: { user_id?: number | undefined; dates: Period },
  zone: string,
) {
  const userId = query.user_id ?? caller.id
  if (userId === null) throw invalid("user_id", "user_id is required.")
  const { from, until } = periodIn(zone, query.dates)
  const [rows, known] = await db.batch([
    // A user has few classes, so their sessions are read class by class.
    db
      .select({
        registrationId: classEnrollments.id,
        classId: classEnrollments.classId,
        status: classEnrollments.status,
        startAt: classSessions.startAt,
        endAt: classSessions.endAt,
        brief: classSummary,
      })
      .from(classEnrollments)
      .crossJoin(classSessions)
      .where(
        and(
          eq(classEnrollments.userId, userId),
          eq(classSessions.classId, classEnrollments.classId),
          gte(classSessions.startAt, from),
          lt(classSessions.startAt, until),
        ),
      )
      .orderBy(asc(classSessions.startAt), asc(classSessions.id))
      .limit(MAX_SESSIONS),
    selectVisibleUser(db, caller, userId),
  ])
  if (known.length === 0) throw notFound("user")
  return rows
}
