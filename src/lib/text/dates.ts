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

/** `2026-01-05 15:04:00`, in UTC: as forms show it and inputs read it. */
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

/** `Jan 05, 2026`, or `Never` for 0. */
export const dateOrNever = (at: number): string => (at ? displayDate(at) : "Never")

/** Seconds as the interface shows time spent. */
export const duration = (seconds: number) => ({
  hours: Math.floor(seconds / 3600),
  minutes: Math.floor((seconds % 3600) / 60),
  seconds: seconds % 60,
  totalSeconds: seconds,
})

/** `1 hour 30 minutes`; empty for 0. */
export function lengthOf(minutes: number): string {
  const parts = [
    { count: Math.floor(minutes / 60), unit: "hour" },
    { count: minutes % 60, unit: "minute" },
  ]
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, unit }) => `${count} ${unit}${count === 1 ? "" : "s"}`)
    .join(" ")
}

const INPUT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i
const SHOWN = /^([a-z]{3}) (\d{1,2}), (\d{4})(?: (\d{1,2}):(\d{2}) ([ap]m))?$/i

/** A time, and how much time its text names: a day of a display date, a minute where it has a time, else an instant. */
export interface Moment {
  at: number
  length: number
}

/**
 * What a stored time becomes by what is given: it stays where that shows just it, as a form sends back what it read.
 */
export const shiftDate = (stored: number | null, { at, length }: Moment): number =>
  stored !== null && stored >= at && stored < at + length ? stored : at

/**
 * Reads ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:mm[:ss]`, as UTC unless an offset is given, and display dates.
 * @returns undefined for anything else (a 30 February included)
 */
export function parseMoment(text: string): Moment | undefined {
  const given = text.trim()
  const shown = SHOWN.exec(given)
  if (shown) return parseShown(shown)
  const parts = INPUT.exec(given)
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
  // No place on Earth is further from UTC than 14 hours.
  if (hours > 14 || minutes > 59) return undefined
  return { at: at - sign * (hours * HOUR + minutes * MINUTE), length }
}

/** @returns undefined for a date or a time of day that does not exist */
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

function parseShown([, name, day, year, hour, minute = "0", half]: RegExpExecArray): Moment | undefined {
  const month = MONTHS.findIndex((known) => same(known, name)) + 1
  const onClock = Number(hour ?? "12")
  if (month === 0 || onClock < 1 || onClock > 12) return undefined
  const at = utc(Number(year), month, Number(day), (onClock % 12) + (same(half, "pm") ? 12 : 0), Number(minute))
  return at === undefined ? undefined : { at, length: hour === undefined ? DAY : MINUTE }
}

const DAY_ALONE = /^(\d{4}-\d{2}-\d{2}|[a-z]{3} \d{1,2}, \d{4})$/i

/** Whether a date that `parseMoment` reads names a day, without a time of day. */
export const isDayAlone = (text: string): boolean => DAY_ALONE.test(text.trim())

/**
 * The day that a date which `parseMoment` reads is written with, as `2026-01-05`: no time of day and no offset moves
 * it.
 * @returns undefined for what is no date
 */
export function dayIn(text: string): string | undefined {
  const given = text.trim()
  const moment = parseMoment(given)
  if (moment === undefined) return undefined
  return SHOWN.test(given) ? isoDate(moment.at) : given.slice(0, "YYYY-MM-DD".length)
}

/** A stretch of time in epoch milliseconds, the end exclusive. */
export interface Period {
  from: number
  until: number
  /** Which of the two was given as an instant, with its offset, rather than by a day or a clock. */
  instants?: { from: boolean; until: boolean }
}

const MONTH_FIRST = /^([a-z]{3,9})[ ,-]+(\d{4})$/i
const YEAR_FIRST = /^(\d{4})-(\d{1,2})$/

/** Reads `November 2026`, `Nov 2026` or `2026-11` as that month, in UTC. @returns undefined for anything else */
export function parseMonth(text: string): Period | undefined {
  const given = text.trim()
  const named = MONTH_FIRST.exec(given)
  const numbered = YEAR_FIRST.exec(given)
  const year = Number(named?.[2] ?? numbered?.[1])
  const month = named
    ? LONG_MONTHS.findIndex((name, i) => [name, MONTHS[i]].some((known) => same(known, named[1])))
    : Number(numbered?.[2]) - 1
  if (!(month >= 0 && month < 12) || !(year >= 1970)) return undefined
  return { from: Date.UTC(year, month, 1), until: Date.UTC(year, month + 1, 1) }
}

const same = (one: string | undefined, other: string | undefined) => one?.toLowerCase() === other?.toLowerCase()
