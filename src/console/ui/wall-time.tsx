import { dateTime, timeZone } from "../messages/messages.ts"
import { parseDate } from "./time.tsx"
import { wallTimeToIso } from "./time-zone.ts"

const WITH_ZONE = { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const

/** Formats in the browser's time zone: `Nov 30, 2026, 4:00 PM UTC`. */
const formatLocal = (date: Date) => dateTime(date, { ...WITH_ZONE, timeZoneName: "short" })

interface WallTimeProps {
  /** Local time of `zone`, as the API sends class times. */
  value: string
  zone: string
}

/** A wall-clock time as text in the browser's time zone. */
export function wallTimeText({ value, zone }: WallTimeProps): string {
  const iso = wallTimeToIso(value, zone)
  return iso ? formatLocal(new Date(iso)) : value
}

/**
 * A wall-clock time in the browser's time zone, and in its own time zone if that differs.
 */
export function WallTime({ value, zone }: WallTimeProps) {
  const iso = wallTimeToIso(value, zone)
  const wallTime = parseDate(value)
  if (!iso || !wallTime) return <>{value}</>
  const isOtherZone = zone !== timeZone
  return (
    <>
      <time dateTime={iso}>{formatLocal(new Date(iso))}</time>
      {isOtherZone && (
        <>
          {" "}
          <span class="quiet">
            (<bdi>{dateTime(wallTime, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })}</bdi>{" "}
            <bdi>{zone}</bdi>)
          </span>
        </>
      )}
    </>
  )
}
