import type { Recurrence } from "../../../drizzle/schema/classes.ts"
import { DAY, MINUTE, now } from "../../lib/clock.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { clockChanges, offsetAt, wallTimeOf } from "../../lib/text/zones.ts"
import { loadWords } from "../../lib/texts/texts.ts"
import { toRecurrenceRule, wallStartTime } from "./recurrence.ts"

export interface CalendarClass {
  id: number
  version: number
  courseName: string
  location: string | null
  instructor: string
  timeZone: string
  /** The start of the first session, in epoch milliseconds. */
  startAt: number
  endAt: number
  /** The end of the last session. */
  lastAt: number
  sessionCount: number
  recurrence: Recurrence | null
  /** Where the caller joins online; undefined when they cannot. */
  url: string | undefined
}

// Loaded on the first calendar request, not when the Worker starts.
const icalGenerator = onDemand(() => import("ical-generator"))

/** A class as an event of a calendar. */
export interface ClassEvent extends CalendarClass {
  /** Rises with each change. */
  sequence: number
  /** When it was last changed, or is published, epoch milliseconds. */
  stamp: number
  canceled?: boolean
}

interface CalendarOptions {
  /** The host of the service, for the UIDs. */
  host: string
  /** The name in a calendar application. */
  name?: string
  /** The language of the person whose calendar it is. */
  language: string | null
}

/** How often a calendar application should read a subscription. */
const REFRESH_SECONDS = 3600

/**
 * Returns classes as an iCalendar file (RFC 5545): an event in its time zone for each, which recurs if the class does.
 * The UID never changes, and SEQUENCE rises with each change, so that a calendar updates the event.
 */
export async function createCalendarFile(
  events: ClassEvent[],
  { host, name, language }: CalendarOptions,
): Promise<string> {
  const words = await loadWords(language)
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await icalGenerator()
  const from = Math.min(...events.map(({ startAt }) => startAt)) - DAY
  const until = Math.max(...events.map(({ lastAt }) => lastAt))
  const calendar = ical({
    prodId: { company: "Lectern", product: "Classes", language: words.language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ...(name && { name, ttl: REFRESH_SECONDS }),
    // Only the events have a zone: with a zone in the calendar, DTSTAMP would not be in UTC.
    timezone: { name: null, generator: (zone) => timeZoneComponent(zone, from, until) },
  })
  for (const item of events) {
    const { recurrence, timeZone } = item
    // The library writes the UTC parts of a date, so wall times are passed as UTC.
    const toWallDate = (at: number) => new Date(wallTimeOf(at, timeZone))
    calendar.createEvent({
      id: `class-${item.id}@${host}`,
      sequence: item.sequence,
      stamp: new Date(item.stamp),
      timezone: timeZone,
      // The time of the rule, even if daylight saving time skips it on the first day.
      start: recurrence
        ? new Date(wallStartTime(wallTimeOf(item.startAt, timeZone), recurrence))
        : toWallDate(item.startAt),
      end: toWallDate(item.endAt),
      summary: item.courseName,
      ...(item.canceled && { status: ICalEventStatus.CANCELLED }),
      ...(item.instructor && { description: words.t("calendar.instructor", { name: item.instructor }) }),
      ...(item.location && { location: item.location }),
      ...(item.url && { url: item.url }),
      ...(recurrence && { repeating: `RRULE:${toRecurrenceRule(recurrence, item.sessionCount)}` }),
    })
  }
  return `${calendar.toString()}\r\n`
}

/** Returns one class as an iCalendar file. DTSTAMP is the time of the download. */
export const createClassCalendar = (
  item: CalendarClass,
  options: Pick<CalendarOptions, "host" | "language">,
): Promise<string> => createCalendarFile([{ ...item, sequence: item.version - 1, stamp: now() }], options)

/** Formats a UTC offset: `+0530`. */
function formatOffset(offset: number) {
  const minutes = Math.round(Math.abs(offset) / MINUTE)
  const twoDigits = (count: number) => String(count).padStart(2, "0")
  return `${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(minutes / 60))}${twoDigits(minutes % 60)}`
}

/** `20261130T093000`. */
const formatWallTime = (wall: number) => new Date(wall).toISOString().slice(0, 19).replace(/[-:]/g, "")

/**
 * Returns the VTIMEZONE (RFC 5545, 3.6.5) of a period: the first offset and each change of it.
 */
function timeZoneComponent(zone: string, from: number, until: number): string {
  const first = offsetAt(from, zone)
  const onset = { at: from, before: first, after: first }
  const observances = [onset, ...clockChanges(zone, from, until)].map(({ at, before, after }) => {
    // The greater of two offsets is daylight saving time.
    const kind = after > before ? "DAYLIGHT" : "STANDARD"
    return [
      `BEGIN:${kind}`,
      // The time of a change is in the offset that it ends.
      `DTSTART:${formatWallTime(at + before)}`,
      `TZOFFSETFROM:${formatOffset(before)}`,
      `TZOFFSETTO:${formatOffset(after)}`,
      `END:${kind}`,
    ]
  })
  return ["BEGIN:VTIMEZONE", `TZID:${zone}`, ...observances.flat(), "END:VTIMEZONE"].join("\r\n")
}
