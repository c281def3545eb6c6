import { DAY, HOUR, MINUTE, now } from "./clock.ts"

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

/** Seconds as the document shows time spent. */
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

/**
 * Reads ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:mm[:ss]`, as UTC unless an offset is given.
 * @returns epoch milliseconds, or undefined for anything else (a 30 February included).
 */
export function parseTime(text: string): number | undefined {
  const parts = INPUT.exec(text.trim())
  if (!parts) return undefined
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "0", zone = "Z"] = parts
  const numbers = [year, month, day, hour, minute, second].map(Number)
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = numbers
  const local = Date.UTC(y, mo - 1, d, h, mi, s, Number(fraction.padEnd(3, "0").slice(0, 3)))
  const read = new Date(local)
  const exact =
    read.getUTCFullYear() === y &&
    read.getUTCMonth() === mo - 1 &&
    read.getUTCDate() === d &&
    read.getUTCHours() === h &&
    read.getUTCMinutes() === mi
  if (!exact || s > 59) return undefined
  if (zone.toUpperCase() === "Z") return local
  const sign = zone.startsWith("-") ? -1 : 1
  const digits = zone.slice(1).replace(":", "")
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  // No place on Earth is further from UTC than 14 hours.
  if (hours > 14 || minutes > 59) return undefined
  return local - sign * (hours * HOUR + minutes * MINUTE)
}

/** A stretch of time in epoch milliseconds, the end exclusive. */
export interface Period {
  from: number
  until: number
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
