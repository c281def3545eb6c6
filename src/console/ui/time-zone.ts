import { momentOf } from "./time.tsx"

const PARTS = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
} as const

/** How far a zone's clocks are before UTC at a moment, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", { ...PARTS, timeZone }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const wall = Date.UTC(part("year"), part("month") - 1, ...[part("day"), part("hour"), part("minute"), part("second")])
  return wall - Math.floor(at / 1000) * 1000
}

/**
 * The moment at which the clocks of a zone show a time, as ISO 8601.
 * @param wall as the API shows it or an input has it: `Nov 30, 2026 09:30 AM`, `2026-11-30T09:30`
 * @returns undefined for what is no time, or no zone
 */
export function momentAt(wall: string, timeZone: string): string | undefined {
  const asUtc = momentOf(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(wall) ? wall.replace("T", " ") : wall,
  )?.getTime()
  if (asUtc === undefined) return undefined
  try {
    const first = asUtc - offsetAt(asUtc, timeZone)
    return new Date(asUtc - offsetAt(first, timeZone)).toISOString()
  } catch {
    return undefined
  }
}
