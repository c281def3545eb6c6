import { and, asc, eq, type SQL, sql } from "drizzle-orm"
import {
  type AttendanceByDay,
  classEnrollments,
  classes,
  classSessions,
  type SESSION_ATTENDANCE,
} from "../../../drizzle/schema/classes.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { canManageUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { jsonField } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { idList, literal, rowCount, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { isoTime } from "../../lib/text/dates.ts"
import { pluralize } from "../../lib/text/words.ts"
import type { AttendanceChange, AttendanceQuery } from "./attendance.schemas.ts"
import { attendanceByDay, sessionDay, summaryOf } from "./attendance-summary.ts"
import { onClassAttended } from "./class-attended.ts"
import { attendanceColumns } from "./class-enrollment-columns.ts"
import { guardClassUnchanged } from "./class-enrollments.queries.ts"
import { classCourseName } from "./class-names.ts"
import { canSeeClass } from "./class-scope.ts"
import { classEnrollmentScope, classSearchFilters, countClassEnrollments } from "./class-students.queries.ts"

type Mark = (typeof SESSION_ATTENDANCE)[number]

/** The sessions of the class that a condition selects: at most 500. */
const selectSessions = (db: Database, classId: number | SQL) =>
  db
    .select({ id: classSessions.id, startAt: classSessions.startAt, endAt: classSessions.endAt })
    .from(classSessions)
    .where(sql`${classSessions.classId} = ${classId}`)
    .orderBy(asc(classSessions.startAt))

/**
 * Returns one page of the learners of a class that the caller can see, with their attendance in each session. One round
 * trip.
 * @throws 404 for the class, the group or the portal
 */
export async function listAttendance(db: Database, caller: Caller, query: AttendanceQuery & PageQuery) {
  const { class_id: classId, search_param: search } = query
  const { key, allowed, unknown, scope } = classEnrollmentScope(caller, classId, query)
  const found = preparePage(
    db,
    {
      table: classEnrollments,
      key: classEnrollments.id,
      fields: { ...attendanceColumns.fields, status: classEnrollments.status, attendance: classEnrollments.attendance },
      sort: attendanceColumns.sort,
      defaultSort: { colName: "last_name", direction: "asc" },
      scope,
      search: classSearchFilters(classId, search),
      total: countClassEnrollments(key, classId),
      ...(!search.nameOrEmail && {
        filtered: countClassEnrollments(key, classId, search.status?.length ? search.status : undefined),
      }),
    },
    query,
  )
  const [rows, totals, classRows, sessions] = await db.batch([
    ...found.statements,
    db
      .select({
        allowed: sql<number>`${allowed}`.as("allowed"),
        courseName: classCourseName.as("course_name"),
        timeZone: classes.timeZone,
      })
      .from(classes)
      .where(and(eq(classes.id, classId), canSeeClass(caller))),
    selectSessions(db, classId),
  ])
  const [classRow] = classRows
  if (!classRow) throw notFound("class")
  if (!classRow.allowed) throw notFound(unknown)
  const { courseName, timeZone } = classRow
  const days = sessions.map((session) => sessionDay(session, timeZone))
  return {
    page: found.read(rows, totals),
    class: {
      courseName,
      timeZone,
      sessions: sessions.map(({ id, startAt, endAt }, index) => ({
        id,
        day: days[index] ?? "",
        startsAt: isoTime(startAt),
        endsAt: isoTime(endAt),
      })),
    },
    toRow: (row: { status: ClassStatus; attendance: AttendanceByDay | null }) => {
      const byDay = attendanceByDay(row, days)
      return { ...attendanceColumns.toRow({ ...row }), attendance: days.map((day) => byDay[day] ?? null) }
    },
  }
}

interface MarkedEnrollment {
  id: number
  userId: number
  status: ClassStatus
  /** JSON, as it is stored. */
  attendance: string | null
}

/** The attendance and the status of a class enrollment after a mark. */
function marked(row: MarkedEnrollment, day: string, mark: Mark | null, days: readonly string[]) {
  const stored = row.attendance === null ? null : (JSON.parse(row.attendance) as AttendanceByDay)
  const { [day]: before, ...others } = attendanceByDay({ attendance: stored, status: row.status }, days)
  const next: AttendanceByDay = mark ? { ...others, [day]: mark } : others
  return {
    ...row,
    mark,
    isChanged: (before ?? null) !== mark,
    nextAttendance: JSON.stringify(next),
    nextStatus: summaryOf(next, days),
  }
}
type Marked = ReturnType<typeof marked>

/** Writes the attendance. Only rows whose status changes write the indexes of the status. */
function writeMarks({ db }: UnitOfWork, changes: Marked[]): Statement[] {
  const [moved, same] = [
    changes.filter(({ status, nextStatus }) => status !== nextStatus),
    changes.filter(({ status, nextStatus }) => status === nextStatus),
  ]
  const write = (rows: Marked[], values: { status?: SQL }) =>
    db
      .update(classEnrollments)
      .set({ attendance: jsonField("attendance"), ...values })
      .from(
        rowList(
          rows.map(({ id, nextAttendance, nextStatus }) => ({ id, attendance: nextAttendance, status: nextStatus })),
        ),
      )
      .where(sql`class_enrollments.id = ${jsonField("id")}`)
  return [
    ...(same.length > 0 ? [write(same, {})] : []),
    ...(moved.length > 0 ? [write(moved, { status: jsonField("status") })] : []),
  ]
}

/**
 * Records the attendance in one session of a class, and sets the status of each learner to its summary.
 * @throws 404 for a session that the caller cannot see
 */
export async function setAttendance(work: UnitOfWork, { sessionId, marks }: AttendanceChange) {
  const { db, caller } = work
  const classId = sql`(select ${classSessions.classId} from ${classSessions} where ${classSessions.id} = ${sessionId})`
  const ids = marks.map(({ registrationId }) => registrationId)
  const [classRows, sessions, found] = await work.read([
    db
      .select({
        id: classes.id,
        version: classes.version,
        timeZone: classes.timeZone,
        courseName: classCourseName.as("course_name"),
      })
      .from(classes)
      .where(sql`${classes.id} = ${classId} and ${canSeeClass(caller)}`),
    selectSessions(db, classId),
    db
      .select({
        id: classEnrollments.id,
        userId: classEnrollments.userId,
        status: classEnrollments.status,
        attendance: sql<string | null>`${classEnrollments.attendance}`.as("stored_attendance"),
      })
      .from(classEnrollments)
      .where(
        sql`${classEnrollments.id} in ${idList(ids)} and ${classEnrollments.classId} = ${classId}
          and +${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}
          and ${canManageUser(caller, classEnrollments.userId)}`,
      ),
  ])
  const [classRow] = classRows
  const session = sessions.find(({ id }) => id === sessionId)
  if (!classRow || !session) throw notFound("session")
  const days = sessions.map((one) => sessionDay(one, classRow.timeZone))
  const day = sessionDay(session, classRow.timeZone)
  const markOf = new Map(marks.map(({ registrationId, attendance }) => [registrationId, attendance]))
  const rows = found.map((row) => marked(row, day, markOf.get(row.id) ?? null, days))
  const changes = rows.filter(({ isChanged }) => isChanged)
  const skipped = ids.length - found.length
  const answer = {
    message: [
      `Attendance of ${pluralize(changes.length, "learner")} changed.`,
      ...(skipped > 0 ? [`${pluralize(skipped, "id")} skipped.`] : []),
    ].join(" "),
    changed: changes.length,
    skipped,
    records: rows.map(({ id, isChanged, status, nextStatus }) => ({
      registrationId: id,
      status: isChanged ? nextStatus : status,
    })),
  }
  if (changes.length === 0) return work.commit([], answer)
  const attended = changes.filter(
    ({ status, nextStatus }) => status !== nextStatus && nextStatus === ClassStatus.Attended,
  )
  const isUnchanged = sql`
    ${classEnrollments.status} = ${jsonField("status")}
    and ${classEnrollments.attendance} is ${jsonField("attendance")}`
  return work.commit(
    [
      guardClassUnchanged(work, classRow),
      work.guard(
        eq(
          rowCount(
            sql`${rowList(changes.map(({ id, status, attendance }) => ({ id, status, attendance })))}
              cross join ${classEnrollments} on ${classEnrollments.id} = ${jsonField("id")}`,
            isUnchanged,
          ),
          changes.length,
        ),
      ),
      ...writeMarks(work, changes),
      ...(attended.length > 0
        ? [onClassAttended(work, sql`${classEnrollments.id} in ${idList(attended.map(({ id }) => id))}`)]
        : []),
      work.audit(
        "updated",
        "class attendance",
        { id: classRow.id, name: classRow.courseName },
        {
          session: isoTime(session.startAt),
          attendance: changes.map(({ userId, mark, nextStatus }) => ({
            user_id: userId,
            attendance: mark,
            status: nextStatus,
          })),
        },
      ),
    ],
    answer,
  )
}
