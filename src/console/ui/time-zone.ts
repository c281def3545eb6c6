import { parseDate } from "./time.tsx"

const PARTS = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
} as const

/** The offset of a time zone from UTC in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", { ...PARTS, timeZone }).formatToParts(at)
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value)
  const wall = Date.UTC(part("year"), part("month") - 1, ...[part("day"), part("hour"), part("minute"), part("second")])
  return wall - Math.floor(at / 1000) * 1000
}

/**
 * Converts a wall-clock time of a time zone to ISO 8601.
 * @param wallTime as in the API or in an input: `Nov 30, 2026 09:30 AM`, `2026-11-30T09:30`
 * @returns undefined for an invalid time or time zone
 */
export function wallTimeToIso(wallTime: string, timeZone: string): string | undefined {
  const asUtc = parseDate(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(wallTime) ? wallTime.replace("T", " ") : wallTime,
  )?.getTime()
  if (asUtc === undefined) return undefined
  try {
    const estimate = asUtc - offsetAt(asUtc, timeZone)
    return new Date(asUtc - offsetAt(estimate, timeZone)).toISOString()
  } catch {
    return undefined
  }
}
