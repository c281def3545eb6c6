import { DAY, HOUR, MINUTE, now, SECOND } from "../clock.ts"

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const LONG_MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
]
const two = (n: number) => String(n).padStart(2, "0")

/** `Jan 05, 2026`, in UTC. */
export function displayDate(at: number): string {
  const date = new Date(at)
  return `${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())}, ${date.getUTCFullYear()}`
}

/** `03:04 PM`, in UTC. */
export function displayTime(at: number): string {
  const date = new Date(at)
  const hour = date.getUTCHours()
  return `${two(hour % 12 || 12)}:${two(date.getUTCMinutes())} ${hour < 12 ? "AM" : "PM"}`
}

/** `Jan 05, 2026 03:04 PM`, in UTC. */
export const displayDateTime = (at: number): string => `${displayDate(at)} ${displayTime(at)}`

/** `2026-01-05`, in UTC. */
export const isoDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** `2026-01-05 15:04:00`, in UTC: the format of forms and inputs. */
export const plainDateTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ")

const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"} ago`

/** `just now`, `5 minutes ago`, `3 days ago`; `Never` for 0 or null. */
export function relativeTime(at: number | null): string {
  if (!at) return "Never"
  const passed = now() - at
  if (passed < MINUTE) return "just now"
  if (passed < HOUR) return ago(Math.floor(passed / MINUTE), "minute")
  if (passed < DAY) return ago(Math.floor(passed / HOUR), "hour")
  return ago(Math.floor(passed / DAY), "day")
}

/** `2026-01-05T15:04:00.000Z` */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** `2026-01-05T15:04:00.000Z`; null for 0 or null. */
export const isoTimeOrNull = (at: number | null): string | null => (at ? isoTime(at) : null)

/** `Jan 05, 2026`, or `Never` for 0. */
export const dateOrNever = (at: number): string => (at ? displayDate(at) : "Never")

/** Time spent, from seconds. */
export const duration = (seconds: number) => ({
  hours: Math.floor(seconds / 3600),
  minutes: Math.floor((seconds % 3600) / 60),
  seconds: seconds % 60,
  totalSeconds: seconds,
})

/** `1 hour 30 minutes`; empty for 0. */
export function durationText(minutes: number): string {
  const parts = [
    { count: Math.floor(minutes / 60), unit: "hour" },
    { count: minutes % 60, unit: "minute" },
  ]
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, unit }) => `${count} ${unit}${count === 1 ? "" : "s"}`)
    .join(" ")
}

const ISO_FORMAT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i
const DISPLAY_FORMAT = /^([a-z]{3}) (\d{1,2}), (\d{4})(?: (\d{1,2}):(\d{2}) ([ap]m))?$/i

/** A time and the length of time that its text names: a day, a minute, a second or a millisecond. */
export interface Moment {
  at: number
  length: number
}

/** The stored time if the given text shows it rounded, as when a form sends back what it read; else the given time. */
export const shiftDate = (stored: number | null, { at, length }: Moment): number =>
  stored !== null && stored >= at && stored < at + length ? stored : at

/**
 * Parses ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:mm[:ss]` (UTC unless an offset is given), and display dates.
 * @returns undefined for anything else, including February 30
 */
export function parseMoment(text: string): Moment | undefined {
  const trimmed = text.trim()
  const display = DISPLAY_FORMAT.exec(trimmed)
  if (display) return parseDisplayDate(display)
  const parts = ISO_FORMAT.exec(trimmed)
  if (!parts) return undefined
  const [, year, month, day, hour = "0", minute = "0", second, fraction, zone = "Z"] = parts
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = [year, month, day, hour, minute, second ?? "0"].map(Number)
  const local = utc(y, mo, d, h, mi)
  if (local === undefined || s > 59) return undefined
  const at = local + s * SECOND + Number((fraction ?? "").padEnd(3, "0").slice(0, 3))
  const length = second !== undefined && fraction === undefined ? SECOND : 1
  if (zone.toUpperCase() === "Z") return { at, length }
  const sign = zone.startsWith("-") ? -1 : 1
  const digits = zone.slice(1).replace(":", "")
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  // No time zone is further from UTC than 14 hours.
  if (hours > 14 || minutes > 59) return undefined
  return { at: at - sign * (hours * HOUR + minutes * MINUTE), length }
}

/** @returns undefined for a date or time of day that does not exist */
function utc(year: number, month: number, day: number, hour: number, minute: number): number | undefined {
  const at = Date.UTC(year, month - 1, day, hour, minute)
  const read = new Date(at)
  const exact =
    read.getUTCFullYear() === year &&
    read.getUTCMonth() === month - 1 &&
    read.getUTCDate() === day &&
    read.getUTCHours() === hour &&
    read.getUTCMinutes() === minute
  return exact ? at : undefined
}

function parseDisplayDate([, name, day, year, hour, minute = "0", meridiem]: RegExpExecArray): Moment | undefined {
  const month = MONTHS.findIndex((known) => same(known, name)) + 1
  const clockHour = Number(hour ?? "12")
  if (month === 0 || clockHour < 1 || clockHour > 12) return undefined
  const at = utc(Number(year), month, Number(day), (clockHour % 12) + (same(meridiem, "pm") ? 12 : 0), Number(minute))
  return at === undefined ? undefined : { at, length: hour === undefined ? DAY : MINUTE }
}

const DATE_ONLY = /^(\d{4}-\d{2}-\d{2}|[a-z]{3} \d{1,2}, \d{4})$/i

/** Whether a date has no time of day. */
export const isDateOnly = (text: string): boolean => DATE_ONLY.test(text.trim())

/**
 * The calendar day in a date's text, as `2026-01-05`, regardless of time and offset.
 * @returns undefined if it is not a date
 */
export function calendarDay(text: string): string | undefined {
  const trimmed = text.trim()
  const moment = parseMoment(trimmed)
  if (moment === undefined) return undefined
  return DISPLAY_FORMAT.test(trimmed) ? isoDate(moment.at) : trimmed.slice(0, "YYYY-MM-DD".length)
}

/** A period in epoch milliseconds; the end is exclusive. */
export interface Period {
  from: number
  until: number
  /** Which of the two has an offset and so is independent of a time zone. */
  instants?: { from: boolean; until: boolean }
}

const MONTH_FIRST = /^([a-z]{3,9})[ ,-]+(\d{4})$/i
const YEAR_FIRST = /^(\d{4})-(\d{1,2})$/

/** Parses `November 2026`, `Nov 2026` or `2026-11` as a month in UTC. @returns undefined for anything else */
export function parseMonth(text: string): Period | undefined {
  const trimmed = text.trim()
  const named = MONTH_FIRST.exec(trimmed)
  const numbered = YEAR_FIRST.exec(trimmed)
  const year = Number(named?.[2] ?? numbered?.[1])
  const month = named
    ? LONG_MONTHS.findIndex((name, i) => [name, MONTHS[i]].some((known) => same(known, named[1])))
    : Number(numbered?.[2]) - 1
  if (!(month >= 0 && month < 12) || !(year >= 1970)) return undefined
  return { from: Date.UTC(year, month, 1), until: Date.UTC(year, month + 1, 1) }
}

const same = (one: string | undefined, other: string | undefined) => one?.toLowerCase() === other?.toLowerCase()
