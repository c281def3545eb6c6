import type { REPORT_INTERVALS } from "../../../drizzle/schema/report-schedules.ts"
import { DAY, HOUR } from "../../lib/clock.ts"
import { instantOf, wallTimeOf } from "../../lib/text/zones.ts"

export interface RunTimes {
  interval: (typeof REPORT_INTERVALS)[number]
  /** Weekly: 1 (Monday) to 7. Monthly: 1 to 31, or the last day of a shorter month. */
  day: number
  hour: number
}

/** The wall time of the day of a month. @param month counted from 0; 12 is January of the next year */
function dayOfMonth(year: number, month: number, day: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day, last))
}

/** The next time after `after` in a time zone. */
export function nextRunAt({ interval, day, hour }: RunTimes, zone: string, after: number): number {
  const wall = wallTimeOf(after, zone)
  const today = Math.floor(wall / DAY)
  const date = new Date(wall)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  // January 5, 1970 was a Monday.
  const sinceMonday = (((today - 4) % 7) + 7) % 7
  const monday = today - sinceMonday
  const days =
    interval === "weekly"
      ? [(monday + day - 1) * DAY, (monday + 7 + day - 1) * DAY]
      : [dayOfMonth(year, month, day), dayOfMonth(year, month + 1, day)]
  const times = days.map((start) => instantOf(start + hour * HOUR, zone))
  return times.find((at) => at > after) ?? Number.NaN
}
