import { DAY, HOUR } from "../../lib/clock.ts"
import { instantOf, wallTimeOf } from "../../lib/text/zones.ts"

/** Mails that can wait are not sent from 20:00 to 07:00 in the recipient's time zone. Digests are sent at 07:00. */
const QUIET_FROM = 20 * HOUR
const MORNING = 7 * HOUR

/** The last 07:00 in a zone that has come, with its day (2026-01-05). */
export function lastMorning(at: number, zone: string): { at: number; day: string } {
  const wall = wallTimeOf(at, zone)
  const today = wall - (wall % DAY) + MORNING
  const morning = today <= wall ? today : today - DAY
  return { at: instantOf(morning, zone), day: new Date(morning).toISOString().slice(0, 10) }
}

/** When the quiet hours end; undefined outside of them. */
export function quietUntil(at: number, zone: string): number | undefined {
  const wall = wallTimeOf(at, zone)
  const time = wall % DAY
  if (time >= MORNING && time < QUIET_FROM) return undefined
  const today = wall - time + MORNING
  return instantOf(time < MORNING ? today : today + DAY, zone)
}
