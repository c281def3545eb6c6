import { type Recurrence, WEEKDAYS } from "../../../drizzle/schema/classes.ts"
import { DAY, HOUR, MINUTE } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { pluralize } from "../../lib/text/words.ts"
import { instantOf, isSkipped } from "../../lib/text/zones.ts"

// The dates of a recurring class, by the recurrence rules of RFC 5545.

/** The maximum number of sessions of a class. */
export const MAX_SESSIONS = 500
/** The maximum time between the first and the last session: ten years. */
const MAX_SPAN_MS = 3653 * DAY

/** Epoch milliseconds. */
export interface ClassSession {
  startAt: number
  endAt: number
}

/** Converts `09:30` to milliseconds since midnight. */
const toTimeOfDayMs = (time: string) => {
  const [hours, minutes] = time.split(":").map(Number)
  return (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE
}

/** The wall time at which the session of a day starts. @param wall any wall time of that day */
export const wallStartTime = (wall: number, { startTime }: Recurrence): number =>
  Math.floor(wall / DAY) * DAY + toTimeOfDayMs(startTime)

/** The duration of each session. */
export const sessionDuration = ({ startTime, endTime }: Recurrence): number => {
  const length = toTimeOfDayMs(endTime) - toTimeOfDayMs(startTime)
  return length > 0 ? length : length + DAY
}

// Loaded for the first recurring class, not when the Worker starts.
const rrule = onDemand(() => import("rrule"))

/** The rule in wall times, so that 10:00 stays 10:00 when the UTC offset changes. */
async function createRule({ classDays, startDate, startTime, interval, frequency, end }: Recurrence) {
  const { RRule } = await rrule()
  const first = Date.parse(`${startDate}T00:00:00Z`) + toTimeOfDayMs(startTime)
  const latest = first + MAX_SPAN_MS
  const lastDay = "date" in end ? Date.parse(`${end.date}T00:00:00Z`) + DAY - 1 : latest
  return new RRule({
    freq: { daily: RRule.DAILY, weekly: RRule.WEEKLY, monthly: RRule.MONTHLY }[frequency],
    interval,
    ...(classDays.length > 0 && {
      byweekday: classDays.map((day) => WEEKDAYS.indexOf(day)),
    }),
    dtstart: new Date(first),
    until: new Date(Math.min(lastDay, latest)),
    ...("count" in end && { count: end.count }),
  })
}

/**
 * Returns the sessions of a recurring class as wall times, in order. `classDays` limits them to weekdays; by default,
 * the class recurs on the weekday, or the day of the month, of its first session.
 * @throws 422 for no session, for more than 500, and for fewer than `end.count` within ten years
 */
export async function wallSessions(recurrence: Recurrence): Promise<ClassSession[]> {
  const starts = (await createRule(recurrence)).all((_date, index) => index <= MAX_SESSIONS)
  const { end } = recurrence
  if (starts.length === 0) throw invalid("recurrence", "recurrence has no dates between startDate and end.")
  if (starts.length > MAX_SESSIONS)
    throw invalid("recurrence", `recurrence has more than ${MAX_SESSIONS} dates. Choose an earlier end.`)
  if ("count" in end && starts.length < end.count)
    throw invalid(
      "recurrence",
      `recurrence has ${pluralize(starts.length, "date")} within ten years, not ${end.count}.`,
    )
  const length = sessionDuration(recurrence)
  return starts.map((date) => ({ startAt: date.getTime(), endAt: date.getTime() + length }))
}

/** Converts wall times to instants in a time zone. All sessions have the same exact duration (RFC 5545, 3.8.5.3). */
export const toInstants = (zone: string, walls: ClassSession[]): ClassSession[] =>
  walls.map((wall) => {
    const startAt = instantOf(wall.startAt, zone)
    return { startAt, endAt: startAt + wall.endAt - wall.startAt }
  })

/** The session of a one-time class. If daylight saving time skips the start, the start and the end move together. */
export const singleSessionAt = (zone: string, wall: ClassSession): ClassSession => {
  const [shifted] = toInstants(zone, [wall])
  return shifted && isSkipped(wall.startAt, zone)
    ? shifted
    : { startAt: instantOf(wall.startAt, zone), endAt: instantOf(wall.endAt, zone) }
}

/** Converts a recurrence to a rule of RFC 5545: `FREQ=WEEKLY;BYDAY=MO,WE;COUNT=8`. */
export function toRecurrenceRule({ classDays, interval, frequency }: Recurrence, sessions: number): string {
  return [
    `FREQ=${frequency.toUpperCase()}`,
    ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
    ...(classDays.length > 0 ? [`BYDAY=${classDays.join(",")}`] : []),
    `COUNT=${sessions}`,
  ].join(";")
}
