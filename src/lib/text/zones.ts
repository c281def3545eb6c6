import { tzOffset } from "@date-fns/tz"
import { DAY, MINUTE } from "../clock.ts"
import { type Moment, type Period, parseMoment } from "./dates.ts"

// IANA time zones. A wall time is what a clock in a zone shows, stored as if it were UTC epoch milliseconds.

const UTC = "UTC"

/** The canonical spelling of a zone's name; undefined if it does not exist. UTC offsets are not zones. */
export function findZone(name: string): string | undefined {
  const trimmed = name.trim()
  if (!/^[a-z]/i.test(trimmed)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: trimmed }).resolvedOptions()
    // An alias keeps its own name.
    return timeZone.toLowerCase() === trimmed.toLowerCase() ? timeZone : trimmed
  } catch {
    return undefined
  }
}

/** The academy's time zone: `TIME_ZONE`, or UTC. */
export const academyZone = (env: { TIME_ZONE: string }): string => findZone(env.TIME_ZONE) ?? UTC

/** The UTC offset of a zone at an instant, in milliseconds. */
export const offsetAt = (at: number, zone: string): number => (zone === UTC ? 0 : tzOffset(zone, new Date(at)) * MINUTE)

/** The wall time of a zone at an instant. */
export const wallTimeOf = (at: number, zone: string): number => at + offsetAt(at, zone)

/**
 * The instant of a wall time. An ambiguous time means the first instant; a skipped time uses the offset before the
 * change (RFC 5545, 3.3.5).
 */
export function instantOf(wall: number, zone: string): number {
  const [before, after] = [offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)]
  const [early, late] = [wall - before, wall - after]
  if (offsetAt(early, zone) === before) return early
  return offsetAt(late, zone) === after ? late : early
}

/** Whether a wall time does not exist in a zone because clocks skip it in spring. */
export const isSkipped = (wall: number, zone: string): boolean => wallTimeOf(instantOf(wall, zone), zone) !== wall

/** A time as given: an instant, or without an offset a wall time in a zone that is given elsewhere. */
export interface GivenTime extends Moment {
  isWall: boolean
}

/** Whether a date that `parseMoment` accepts has an offset. */
export const hasOffset = (text: string): boolean => /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.trim())

/** Parses what `parseMoment` accepts. */
export function parseGiven(text: string): GivenTime | undefined {
  const moment = parseMoment(text)
  return moment && { ...moment, isWall: !hasOffset(text) }
}

/** The instant of a given time in a zone. */
export const momentOf = ({ at, isWall }: GivenTime, zone: string): number => (isWall ? instantOf(at, zone) : at)

/** A period of days or months in a zone. Ends with an offset stay as they are. */
export function periodIn(zone: string, { from, until, instants }: Period): Period {
  return {
    from: instants?.from ? from : instantOf(from, zone),
    until: instants?.until ? until : instantOf(until, zone),
  }
}

/** A change of a zone's offset: the first instant with the new offset. Offsets in milliseconds. */
export interface ClockChange {
  at: number
  before: number
  after: number
}

/** The offset changes of a zone between two instants, in order. */
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

/** The first minute between two instants with the given offset. */
function firstWith(offset: number, zone: string, from: number, until: number): number {
  let [earlier, later] = [Math.floor(from / MINUTE), Math.ceil(until / MINUTE)]
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2)
    if (offsetAt(middle * MINUTE, zone) === offset) later = middle
    else earlier = middle
  }
  return later * MINUTE
}
