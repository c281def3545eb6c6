// The moments at which the simulated clock stands: after midnight in London and in New York, and after 07:00 in Kolkata,
// London and New York. Within 50 minutes after each of them, no day begins in any of these zones.
import { DAY, HOUR, MINUTE } from "./calendar.ts"
import { FIRST_DAY } from "./people.ts"

const TIMES = [3 * HOUR, 5 * HOUR + 5 * MINUTE, 8 * HOUR + 30 * MINUTE, 13 * HOUR]
export const TICKS_PER_DAY = TIMES.length

export const tickTime = (tick: number): number =>
  (FIRST_DAY + Math.floor(tick / TICKS_PER_DAY)) * DAY + (TIMES[tick % TICKS_PER_DAY] ?? 0)

/** The tick of a day at which people act, before the service runs. */
export const actingTick = (day: number): number => (day - FIRST_DAY) * TICKS_PER_DAY + TICKS_PER_DAY - 1

/** The first tick at or after a moment. */
export function firstTickFrom(moment: number): number {
  let tick = Math.max(0, (Math.floor(moment / DAY) - FIRST_DAY) * TICKS_PER_DAY)
  while (tickTime(tick) < moment) tick++
  return tick
}

/** The last tick that had come at a moment. */
export const tickAt = (moment: number): number => {
  const next = firstTickFrom(moment)
  return tickTime(next) > moment ? next - 1 : next
}
