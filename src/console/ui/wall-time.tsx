import { dateTime, timeZone } from "../messages/messages.ts"
import { momentOf } from "./time.tsx"
import { momentAt } from "./time-zone.ts"

const WITH_ZONE = { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const

/** The moment in the browser's time zone, with the zone's name: `Nov 30, 2026, 4:00 PM UTC`. */
const here = (moment: Date) => dateTime(moment, { ...WITH_ZONE, timeZoneName: "short" })

interface WallTimeProps {
  /** As the clocks of the zone show it; the API sends such times of classes beside their zone. */
  value: string
  zone: string
}

/** A wall-clock time as plain text, in the browser's time zone. */
export function wallTimeText({ value, zone }: WallTimeProps): string {
  const at = momentAt(value, zone)
  return at ? here(new Date(at)) : value
}

/**
 * A wall-clock time of another place: in the browser's time zone, as all times are, and by the clocks of that place
 * where they differ. Both name their zone.
 */
export function WallTime({ value, zone }: WallTimeProps) {
  const at = momentAt(value, zone)
  const wall = momentOf(value)
  if (!at || !wall) return <>{value}</>
  const isElsewhere = zone !== timeZone
  return (
    <>
      <time dateTime={at}>{here(new Date(at))}</time>
      {isElsewhere && (
        <>
          {" "}
          <span class="quiet">
            (<bdi>{dateTime(wall, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })}</bdi> <bdi>{zone}</bdi>
            )
          </span>
        </>
      )}
    </>
  )
}
