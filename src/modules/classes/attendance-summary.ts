import { type SQL, sql } from "drizzle-orm"
import { type AttendanceByDay, classEnrollments } from "../../../drizzle/schema/classes.ts"
import { ClassStatus, SessionAttendance } from "../../../drizzle/statuses.ts"
import { literal } from "../../db/sql.ts"
import { isoDate } from "../../lib/text/dates.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"

// The attendance in the sessions of a class, and the documented status, which is its summary.

/** The day of a session in the time zone of its class. */
export const sessionDay = ({ startAt }: { startAt: number }, timeZone: string): string =>
  isoDate(wallTimeOf(startAt, timeZone))

/** What a status that was set for the whole class means for each session. */
const IN_ALL_SESSIONS: Partial<Record<ClassStatus, SessionAttendance>> = {
  [ClassStatus.Attended]: SessionAttendance.Present,
  [ClassStatus.NoShow]: SessionAttendance.Absent,
}

/**
 * The attendance by day after an update sets a status for the whole class: the status replaces it. A canceled
 * enrollment keeps it, also when it is restored.
 */
export function attendanceAfter(status: ClassStatus): SQL | null {
  if (status === ClassStatus.Cancelled) return sql`${classEnrollments.attendance}`
  if (status !== ClassStatus.Registered) return null
  return sql`iif(${classEnrollments.status} = ${literal(ClassStatus.Cancelled)}, ${classEnrollments.attendance}, null)`
}

/** The attendance by day. @param attendance null: the status applies to all sessions */
export function attendanceByDay(
  { attendance, status }: { attendance: AttendanceByDay | null; status: ClassStatus },
  days: readonly string[],
): AttendanceByDay {
  if (attendance) return attendance
  const inAll = IN_ALL_SESSIONS[status]
  return inAll ? Object.fromEntries(days.map((day) => [day, inAll])) : {}
}

/**
 * The status that the attendance in all sessions amounts to. Registered until every session has a value; then Attended
 * if at least half of the sessions that were not excused were attended, else No Show.
 */
export function summaryOf(attendance: AttendanceByDay, days: readonly string[]): ClassStatus {
  const values = days.map((day) => attendance[day])
  const expected = values.filter((value) => value !== SessionAttendance.Excused)
  if (expected.length === 0 || expected.includes(undefined)) return ClassStatus.Registered
  const absent = expected.filter((value) => value === SessionAttendance.Absent).length
  return absent * 2 <= expected.length ? ClassStatus.Attended : ClassStatus.NoShow
}
