import type { Recurrence } from "../../../drizzle/classes.ts"
import { calendarRule } from "./recurrence.ts"

export interface CalendarClass {
  id: number
  version: number
  courseName: string
  location: string | null
  instructor: string
  /** The first session's, epoch milliseconds. */
  startAt: number
  endAt: number
  sessionCount: number
  recurrence: Recurrence | null
  createdAt: number
}

/**
 * A class as an iCalendar file (RFC 5545): one event, which recurs where the class does. Its UID stays and its SEQUENCE
 * rises, so that a calendar that has it already moves it.
 * @param host of the service, for the UID
 */
export async function calendarOf(given: CalendarClass, host: string): Promise<string> {
  // Loaded when a calendar is asked for, not when the Worker starts.
  const { default: ical } = await import("ical-generator")
  const { recurrence } = given
  const calendar = ical({ prodId: { company: "Lectern", product: "Classes", language: "EN" } })
  calendar.createEvent({
    id: `class-${given.id}@${host}`,
    sequence: given.version - 1,
    stamp: new Date(given.createdAt),
    start: new Date(given.startAt),
    end: new Date(given.endAt),
    summary: given.courseName,
    description: `Instructor: ${given.instructor}`,
    ...(given.location && { location: given.location }),
    ...(recurrence && { repeating: `RRULE:${calendarRule(recurrence, given.sessionCount)}` }),
  })
  return calendar.toString()
}
