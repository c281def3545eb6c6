import { joinList, number } from "../messages/messages.ts"

const SECONDS_PER_MINUTE = 60
const MINUTES_PER_HOUR = 60

const part = (value: number, unit: "second" | "minute" | "hour") =>
  number(value, { style: "unit", unit, unitDisplay: "long" })

/** Formats seconds; from one minute on, full hours and minutes, such as "1 hour, 15 minutes". */
export function formatDuration(seconds: number): string {
  if (seconds < SECONDS_PER_MINUTE) return part(seconds, "second")
  const total = Math.floor(seconds / SECONDS_PER_MINUTE)
  const [hours, minutes] = [Math.floor(total / MINUTES_PER_HOUR), total % MINUTES_PER_HOUR]
  const parts = [...(hours > 0 ? [part(hours, "hour")] : []), ...(minutes > 0 ? [part(minutes, "minute")] : [])]
  return joinList(parts, { type: "unit" })
}

/** Formats the seconds that are left; from one minute on, minutes that have begun count. */
export const formatTimeLeft = (seconds: number): string =>
  formatDuration(seconds < SECONDS_PER_MINUTE ? seconds : Math.ceil(seconds / SECONDS_PER_MINUTE) * SECONDS_PER_MINUTE)
