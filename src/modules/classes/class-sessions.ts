import { sql } from "drizzle-orm"
import { type classes, classSessions } from "../../../drizzle/schema/classes.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { rowList } from "../../db/sql.ts"
import { DAY } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { shiftDate } from "../../lib/text/dates.ts"
import { type GivenTime, instantOf, isSkipped, momentOf, wallTimeOf } from "../../lib/text/zones.ts"
import type { ClassChanges, NewClass } from "./classes.schemas.ts"
import { type ClassSession, sessionDuration, singleSessionAt, toInstants, wallSessions } from "./recurrence.ts"

// The sessions of a class: from its times or its recurrence.

const MAX_SESSION_MS = 31 * DAY

/** @throws 422 */
export function requireOrder({ startAt, endAt }: ClassSession) {
  if (endAt <= startAt) throw invalid("endTime", "endTime must be after startTime.")
  if (endAt - startAt > MAX_SESSION_MS) throw invalid("endTime", "endTime must be within 31 days of startTime.")
}

/** The columns of a class that follow from its sessions. */
export function classSpan(sessions: ClassSession[]) {
  const [first] = sessions
  const last = sessions.at(-1)
  if (!first || !last) throw new Error("A class without a session")
  return { startAt: first.startAt, endAt: last.endAt, sessionCount: sessions.length }
}

/** @param lastId the last of the ids that were drawn for the sessions */
export const insertSessions = (
  db: Database,
  classRow: { id: number; courseId: number },
  sessions: ClassSession[],
  lastId: number,
) =>
  insertFrom(
    db,
    classSessions,
    {
      id: sql`${lastId - sessions.length} + key + 1`,
      classId: classRow.id,
      courseId: classRow.courseId,
      startAt: jsonField("startAt"),
      endAt: jsonField("endAt"),
    },
    sql`from ${rowList(sessions)} where true`,
  )

/** The session of a one-time class. */
export function singleSession({ startTime, endTime }: NewClass, zone: string): ClassSession {
  if (!startTime || !endTime) throw new Error("A class without times")
  if (startTime.isWall && endTime.isWall) return singleSessionAt(zone, { startAt: startTime.at, endAt: endTime.at })
  return { startAt: momentOf(startTime, zone), endAt: momentOf(endTime, zone) }
}

type ClassRow = typeof classes.$inferSelect

type NewTimes = Partial<Pick<ClassChanges, "startTime" | "endTime">>

/**
 * Returns the start and the end of a class after a change of its times or its zone. A change of the zone keeps the wall
 * times. If daylight saving time skips the start, the start and the end move together.
 */
function rescheduledSpan(before: ClassRow, { startTime, endTime }: NewTimes, zone: string): ClassSession {
  const wallTimeBefore = (at: number) => wallTimeOf(at, before.timeZone)
  const unchanged = (at: number) => (zone === before.timeZone ? at : instantOf(wallTimeBefore(at), zone))
  // A form that sends the displayed time changes nothing, even if that wall time occurs twice in the night.
  const changedTime = (at: number, input: GivenTime | undefined) => {
    if (!input) return unchanged(at)
    const displayed = input.isWall ? wallTimeBefore(at) : at
    if (shiftDate(displayed, input) !== displayed) return momentOf(input, zone)
    return input.isWall ? unchanged(at) : at
  }
  const areWalls = (startTime?.isWall ?? true) && (endTime?.isWall ?? true)
  const wall = {
    startAt: startTime?.at ?? wallTimeBefore(before.startAt),
    endAt: endTime?.at ?? wallTimeBefore(before.endAt),
  }
  if (areWalls && isSkipped(wall.startAt, zone)) return singleSessionAt(zone, wall)
  return { startAt: changedTime(before.startAt, startTime), endAt: changedTime(before.endAt, endTime) }
}

/**
 * Returns the sessions of a class after a change; undefined if they stay the same. A recurring class that becomes
 * one-time keeps its first session, unless the change has other times.
 * @param recurring the wall times of the new recurrence
 * @throws 422 for times of a recurring class, and for a recurring class without a recurrence
 */
export async function changedSessions(
  before: ClassRow,
  changes: ClassChanges,
  recurring: ClassSession[] | undefined,
): Promise<ClassSession[] | undefined> {
  const { recurrence, type = before.type, timeZone: zone = before.timeZone } = changes
  const isMoved = zone !== before.timeZone
  const isNew = recurrence && JSON.stringify(recurrence) !== JSON.stringify(before.recurrence)
  if (recurring) return isNew || isMoved ? toInstants(zone, recurring) : undefined
  const [unchanged, session] = [rescheduledSpan(before, {}, zone), rescheduledSpan(before, changes, zone)]
  const [isSameStart, isSameEnd] = [session.startAt === unchanged.startAt, session.endAt === unchanged.endAt]
  if (type === "onetime") {
    if (before.recurrence && isSameEnd) session.endAt = session.startAt + sessionDuration(before.recurrence)
    return session.startAt === before.startAt && session.endAt === before.endAt ? undefined : [session]
  }
  if (!before.recurrence) throw invalid("recurrence", "recurrence is required for a recurring class.")
  if (!isSameStart || !isSameEnd)
    throw invalid(
      "startTime",
      "A recurring class takes its times from recurrence. Send recurrence instead of startTime and endTime.",
    )
  return isMoved ? toInstants(zone, await wallSessions(before.recurrence)) : undefined
}
