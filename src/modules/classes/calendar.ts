import type { Recurrence } from "../../../drizzle/schema/classes.ts"
import { DAY, MINUTE, now } from "../../lib/clock.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { clockChanges, offsetAt, wallTimeOf } from "../../lib/text/zones.ts"
import { toRecurrenceRule, wallStartTime } from "./recurrence.ts"

export interface CalendarClass {
  id: number
  version: number
  courseName: string
  location: string | null
  instructor: string
  timeZone: string
  /** The first session's, epoch milliseconds. */
  startAt: number
  endAt: number
  /** The last session's end. */
  lastAt: number
  sessionCount: number
  recurrence: Recurrence | null
  /** Where it is joined online; undefined: it is not, or not by this caller. */
  url: string | undefined
}

// Loaded when a calendar is asked for, not when the Worker starts.
const icalGenerator = onDemand(() => import("ical-generator"))

/**
 * A class as an iCalendar file (RFC 5545): one event in its time zone, which recurs where the class does. Its UID
 * stays, its SEQUENCE rises with each change and its DTSTAMP with each download, so that a calendar that has it already
 * takes it over.
 * @param host of the service, for the UID
 */
export async function createClassCalendar(given: CalendarClass, host: string): Promise<string> {
  const { default: ical, ICalCalendarMethod } = await icalGenerator()
  const { recurrence, timeZone } = given
  // What a date shows is written down: by a Worker's own clock, which is UTC's.
  const shown = (at: number) => new Date(wallTimeOf(at, timeZone))
  const calendar = ical({
    prodId: { company: "Lectern", product: "Classes", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
    // The event has a zone, the calendar none: with one, DTSTAMP would not be UTC.
    timezone: { name: null, generator: (zone) => zoneComponent(zone, given.startAt - DAY, given.lastAt) },
  })
  calendar.createEvent({
    id: `class-${given.id}@${host}`,
    sequence: given.version - 1,
    stamp: new Date(now()),
    timezone: timeZone,
    // The rule's own time, also where the clocks skip it on the first day.
    start: recurrence ? new Date(wallStartTime(wallTimeOf(given.startAt, timeZone), recurrence)) : shown(given.startAt),
    end: shown(given.endAt),
    summary: given.courseName,
    description: `Instructor: ${given.instructor}`,
    ...(given.location && { location: given.location }),
    ...(given.url && { url: given.url }),
    ...(recurrence && { repeating: `RRULE:${toRecurrenceRule(recurrence, given.sessionCount)}` }),
  })
  return `${calendar.toString()}\r\n`
}

/** A zone's offset as iCalendar writes it: `+0530`. */
function offsetText(offset: number) {
  const minutes = Math.round(Math.abs(offset) / MINUTE)
  const two = (count: number) => String(count).padStart(2, "0")
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
}

/** `20261130T093000`. */
const wallText = (wall: number) => new Date(wall).toISOString().slice(0, 19).replace(/[-:]/g, "")

/**
 * A zone from one instant to another as a VTIMEZONE (RFC 5545, 3.6.5): the offset at first, and each change of clocks.
 */
function zoneComponent(zone: string, from: number, until: number): string {
  const first = offsetAt(from, zone)
  const onset = { at: from, before: first, after: first }
  const observances = [onset, ...clockChanges(zone, from, until)].map(({ at, before, after }) => {
    // Of two offsets the one further ahead is summer's.
    const kind = after > before ? "DAYLIGHT" : "STANDARD"
    return [
      `BEGIN:${kind}`,
      // A change is told by the clock that it ends.
      `DTSTART:${wallText(at + before)}`,
      `TZOFFSETFROM:${offsetText(before)}`,
      `TZOFFSETTO:${offsetText(after)}`,
      `END:${kind}`,
    ]
  })
  return ["BEGIN:VTIMEZONE", `TZID:${zone}`, ...observances.flat(), "END:VTIMEZONE"].join("\r\n")
}
