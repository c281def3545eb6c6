import { tzOffset } from "@date-fns/tz"
import { DAY, MINUTE } from "../clock.ts"
import { type Moment, type Period, parseMoment } from "./dates.ts"

// The clocks of IANA time zones. A wall time is what a clock there shows, as epoch milliseconds if it were UTC's.

const UTC = "UTC"

/** The zone's name as it is spelled; undefined where there is none such. An offset is no zone: it knows no summer. */
export function findZone(name: string): string | undefined {
  const given = name.trim()
  if (!/^[a-z]/i.test(given)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: given }).resolvedOptions()
    // Of a zone with several names the given one stays.
    return timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given
  } catch {
    return undefined
  }
}

/** The academy's own zone: the variable `TIME_ZONE`, UTC where it names none. */
export const academyZone = (env: { TIME_ZONE: string }): string => findZone(env.TIME_ZONE) ?? UTC

/** How far a zone's clock is ahead of UTC at an instant, in milliseconds. */
export const offsetAt = (at: number, zone: string): number => (zone === UTC ? 0 : tzOffset(zone, new Date(at)) * MINUTE)

/** What a zone's clock shows at an instant. */
export const wallTimeOf = (at: number, zone: string): number => at + offsetAt(at, zone)

/**
 * When a zone's clock shows a wall time: of one that comes twice the first, and one that is skipped is read with the
 * offset before the change (RFC 5545, 3.3.5).
 */
export function instantOf(wall: number, zone: string): number {
  const [before, after] = [offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)]
  const [early, late] = [wall - before, wall - after]
  if (offsetAt(early, zone) === before) return early
  return offsetAt(late, zone) === after ? late : early
}

/** Whether a zone's clock never shows a wall time: it falls into the hour that is skipped in spring. */
export const isSkipped = (wall: number, zone: string): boolean => wallTimeOf(instantOf(wall, zone), zone) !== wall

/** A time as it was given: an instant, or without an offset what a clock shows in a zone that is told elsewhere. */
export interface GivenTime extends Moment {
  isWall: boolean
}

/** Whether a time that `parseMoment` reads says how far it is from UTC. */
export const hasOffset = (text: string): boolean => /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.trim())

/** Reads what `parseMoment` reads. */
export function parseGiven(text: string): GivenTime | undefined {
  const moment = parseMoment(text)
  return moment && { ...moment, isWall: !hasOffset(text) }
}

/** When that is, should it be told in this zone. */
export const momentOf = ({ at, isWall }: GivenTime, zone: string): number => (isWall ? instantOf(at, zone) : at)

/** A period of days or months as it is in a zone; what was given as an instant stays. */
export function periodIn(zone: string, { from, until, instants }: Period): Period {
  return {
    from: instants?.from ? from : instantOf(from, zone),
    until: instants?.until ? until : instantOf(until, zone),
  }
}

/** A change of a zone's clocks: the first instant of the new offset. Offsets in milliseconds. */
export interface ClockChange {
  at: number
  before: number
  after: number
}

/** A zone's changes of clocks between two instants, in order. */
export function clockChanges(zone: string, from: number, until: number): ClockChange[] {
  const changes: ClockChange[] = []
  let start = from
  while (start < until) {
    const end = Math.min(start + 7 * DAY, until)
    const [before, after] = [offsetAt(start, zone), offsetAt(end, zone)]
    if (before !== after) changes.push({ at: firstWith(after, zone, start, end), before, after })
    start = end
  }
  return changes
}

/** The first minute between two instants at which the zone has the later one's offset. */
function firstWith(offset: number, zone: string, from: number, until: number): number {
  let [earlier, later] = [Math.floor(from / MINUTE), Math.ceil(until / MINUTE)]
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2)
    if (offsetAt(middle * MINUTE, zone) === offset) later = middle
    else earlier = middle
  }
  return later * MINUTE
}
