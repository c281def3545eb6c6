import { type Recurrence, WEEKDAYS } from "../../../drizzle/schema/classes.ts"
import { DAY, HOUR, MINUTE } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { pluralize } from "../../lib/text/words.ts"
import { instantOf, isSkipped } from "../../lib/text/zones.ts"

// A recurring class's dates by RFC 5545: its recurrence is a rule of that standard in other words.

/** How many dates a class may have. */
export const MAX_SESSIONS = 500
/** How long after the first day the last may be: ten years. */
const FURTHEST = 3653 * DAY

/** Epoch milliseconds. */
export interface ClassSession {
  startAt: number
  endAt: number
}

/** `09:30` as milliseconds since midnight. */
const sinceMidnight = (time: string) => {
  const [hours, minutes] = time.split(":").map(Number)
  return (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE
}

/** When a recurrence's session of a day starts by the clock: `wall` is any wall time of that day. */
export const wallStartTime = (wall: number, { startTime }: Recurrence): number =>
  Math.floor(wall / DAY) * DAY + sinceMidnight(startTime)

/** How long each session of a recurrence lasts. */
export const sessionDuration = ({ startTime, endTime }: Recurrence): number => {
  const length = sinceMidnight(endTime) - sinceMidnight(startTime)
  return length > 0 ? length : length + DAY
}

// Loaded when a recurring class comes, not when the Worker starts.
const rrule = onDemand(() => import("rrule"))

/** The rule on the walls of its zone, where a day has 24 hours: 10:00 stays 10:00 when the clocks change. */
async function rule({ classDays, startDate, startTime, interval, frequency, end }: Recurrence) {
  const { RRule } = await rrule()
  const first = Date.parse(`${startDate}T00:00:00Z`) + sinceMidnight(startTime)
  const furthest = first + FURTHEST
  const lastDay = "date" in end ? Date.parse(`${end.date}T00:00:00Z`) + DAY - 1 : furthest
  return new RRule({
    freq: { daily: RRule.DAILY, weekly: RRule.WEEKLY, monthly: RRule.MONTHLY }[frequency],
    interval,
    ...(classDays.length > 0 && {
      byweekday: classDays.map((day) => WEEKDAYS.indexOf(day)),
    }),
    dtstart: new Date(first),
    until: new Date(Math.min(lastDay, furthest)),
    ...("count" in end && { count: end.count }),
  })
}

/**
 * The sessions of a recurring class as wall times, in order. `classDays` narrows days and months to those weekdays;
 * without any, it recurs on the weekday, or the day of the month, of its first.
 * @throws 422 for none, for more than 500, and for fewer within ten years than `end.count` asks for
 */
export async function wallSessions(recurrence: Recurrence): Promise<ClassSession[]> {
  const starts = (await rule(recurrence)).all((_date, index) => index <= MAX_SESSIONS)
  const { end } = recurrence
  if (starts.length === 0) throw invalid("recurrence", "recurrence has no date between startDate and end.")
  if (starts.length > MAX_SESSIONS)
    throw invalid("recurrence", `recurrence has more than ${MAX_SESSIONS} dates; let it end earlier.`)
  if ("count" in end && starts.length < end.count)
    throw invalid(
      "recurrence",
      `recurrence has ${pluralize(starts.length, "date")} within ten years, not ${end.count}.`,
    )
  const length = sessionDuration(recurrence)
  return starts.map((date) => ({ startAt: date.getTime(), endAt: date.getTime() + length }))
}

/** When wall sessions are held in a time zone: all have the same exact duration (RFC 5545, 3.8.5.3). */
export const toInstants = (zone: string, walls: ClassSession[]): ClassSession[] =>
  walls.map((wall) => {
    const startAt = instantOf(wall.startAt, zone)
    return { startAt, endAt: startAt + wall.endAt - wall.startAt }
  })

/** When a class held once takes place: a skipped start is shifted with its end. */
export const singleSessionAt = (zone: string, wall: ClassSession): ClassSession => {
  const [shifted] = toInstants(zone, [wall])
  return shifted && isSkipped(wall.startAt, zone)
    ? shifted
    : { startAt: instantOf(wall.startAt, zone), endAt: instantOf(wall.endAt, zone) }
}

/** The recurrence as a rule of RFC 5545, for a calendar: `FREQ=WEEKLY;BYDAY=MO,WE;COUNT=8`. */
export function toRecurrenceRule({ classDays, interval, frequency }: Recurrence, sessions: number): string {
  return [
    `FREQ=${frequency.toUpperCase()}`,
    ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
    ...(classDays.length > 0 ? [`BYDAY=${classDays.join(",")}`] : []),
    `COUNT=${sessions}`,
  ].join(";")
}
