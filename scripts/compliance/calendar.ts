// Days and times in time zones, computed with Intl alone: the ledger shares no code with the service.

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()

/** The time that a clock in a zone shows, as if it were UTC. */
export function wallTime(at: number, zone: string): number {
  let format = formats.get(zone)
  if (!format) {
    const numeric = "numeric" as const
    const parts = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric }
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", ...parts })
    formats.set(zone, format)
  }
  const values = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = values
  return Date.UTC(year, month - 1, day, hour, minute, second) + (at % 1000)
}

/** The day in a zone: days since 1970. */
export const dayIn = (at: number, zone: string): number => Math.floor(wallTime(at, zone) / DAY)

/** The instant at which a clock in a zone shows a time of a day. */
export function instant(day: number, timeOfDay: number, zone: string): number {
  const wanted = day * DAY + timeOfDay
  const guess = wanted - (wallTime(wanted, zone) - wanted)
  return guess + (wanted - wallTime(guess, zone))
}

export const lastInstant = (day: number, zone: string): number => instant(day + 1, 0, zone) - 1

/** 0: Sunday. January 1, 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (day + 4) % 7
export const isWeekend = (day: number): boolean => weekdayOf(day) === 0 || weekdayOf(day) === 6

/** The day, or the Monday after a Saturday or Sunday. */
export const weekdayFrom = (day: number): number => (isWeekend(day) ? weekdayFrom(day + 1) : day)

export const dayOfDate = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY
export const dateOfDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)
