import type { DueDateRule, RecurrenceRule } from "../../../drizzle/schema/assignment-rules.ts"
import { DAY } from "../../lib/clock.ts"
import { parseMoment } from "../../lib/text/dates.ts"
import { instantOf, wallTimeOf } from "../../lib/text/zones.ts"

// Due dates. A day is the number of days since 1970 on the calendar of a zone. A due date is the last millisecond of a
// day in the zone of the person.

/** The day in a zone at an instant. */
export const dayAt = (at: number, zone: string): number => Math.floor(wallTimeOf(at, zone) / DAY)

/** The last millisecond of a day in a zone. */
export const endOfDay = (day: number, zone: string): number => instantOf((day + 1) * DAY, zone) - 1

/** The first instant of a day in a zone. */
export const startOfDay = (day: number, zone: string): number => instantOf(day * DAY, zone)

/** The day of a date such as `2026-01-05`; undefined if it is none. */
const dayOf = (date: string): number | undefined => {
  const moment = parseMoment(date)
  return moment && Math.floor(moment.at / DAY)
}

const [SUNDAY, SATURDAY] = [0, 6]
// January 1, 1970 was a Thursday.
const weekday = (day: number) => (((day + 4) % 7) + 7) % 7

export const isWeekend = (day: number): boolean => [SUNDAY, SATURDAY].includes(weekday(day))

/** The Monday after a Saturday or Sunday; other days stay. */
function afterWeekend(day: number): number {
  if (weekday(day) === SATURDAY) return day + 2
  return weekday(day) === SUNDAY ? day + 1 : day
}

const daysInMonth = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** A day of a month (0: January), or the last day of a shorter month. */
const clampedDay = (year: number, month: number, dayOfMonth: number): number => {
  const first = new Date(Date.UTC(year, month, 1))
  const [y, m] = [first.getUTCFullYear(), first.getUTCMonth()]
  return Date.UTC(y, m, Math.min(dayOfMonth, daysInMonth(y, m))) / DAY
}

/** The same day of the month some months later, or the last day of a shorter month. */
export function addMonths(day: number, months: number): number {
  const date = new Date(day * DAY)
  return clampedDay(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate())
}

export interface DueDates {
  due: DueDateRule
  /** Whether due dates on Saturday and Sunday move to Monday. */
  skipWeekends: boolean
}

export interface Assigned {
  assignedAt: number
  zone: string
  /** The person's value of the date field, such as `2026-01-05`; null: none. */
  fieldDate?: string | null
}

/** When a training is due in its first cycle. 0: no due date */
export function dueDate({ due, skipWeekends }: DueDates, { assignedAt, zone, fieldDate }: Assigned): number {
  if (due.type === "none") return 0
  const assigned = dayAt(assignedAt, zone)
  const from = due.type === "days" && due.from === "field" ? (dayOf(fieldDate ?? "") ?? assigned) : assigned
  const day = due.type === "date" ? (dayOf(due.date) ?? assigned) : from + due.days
  return endOfDay(skipWeekends ? afterWeekend(day) : day, zone)
}

export interface NextCycle {
  /** When the learner can begin it: the start of a day. */
  opensAt: number
  dueAt: number
}

/** The first day of the recurrence after `earliest` whose window opens after a completion. */
function yearlyDay(
  { month, day, opensDaysBefore }: RecurrenceRule & { type: "yearly" },
  { completed, earliest }: { completed: number; earliest: number },
): number {
  const year = new Date(Math.max(completed, earliest) * DAY).getUTCFullYear()
  const candidates = [year, year + 1, year + 2].map((y) => clampedDay(y, month - 1, day))
  const fits = (candidate: number) => candidate > earliest && candidate - opensDaysBefore > completed
  return candidates.find(fits) ?? clampedDay(year + 3, month - 1, day)
}

/**
 * The cycle after a completed one. If it was completed within its window, the next due date counts from the due date,
 * otherwise from the completion. The next due date is never before the previous one: someone who completed the
 * training before the rule assigned it, so long ago that it must be repeated, has until the due date of the assignment.
 * @param previousDueAt 0: no due date
 */
export function nextCycle(
  recurrence: RecurrenceRule,
  {
    previousDueAt,
    completedAt,
    zone,
    skipWeekends = false,
  }: {
    previousDueAt: number
    completedAt: number
    zone: string
    skipWeekends?: boolean
  },
): NextCycle {
  const completed = dayAt(completedAt, zone)
  const previous = dayAt(previousDueAt, zone)
  const { opensDaysBefore } = recurrence
  const isInWindow = previousDueAt > 0 && completed >= previous - opensDaysBefore && completedAt <= previousDueAt
  const repeated =
    recurrence.type === "months"
      ? addMonths(isInWindow ? previous : completed, recurrence.months)
      : yearlyDay(recurrence, { completed, earliest: isInWindow ? previous : completed })
  const day = skipWeekends ? afterWeekend(repeated) : repeated
  return {
    opensAt: startOfDay(day - opensDaysBefore, zone),
    dueAt: Math.max(previousDueAt, endOfDay(day, zone)),
  }
}

/** The due date of the next cycle: see `nextCycle`. */
export const nextDueDate = (
  recurrence: RecurrenceRule,
  previousDueAt: number,
  completedAt: number,
  zone: string,
): number => nextCycle(recurrence, { previousDueAt, completedAt, zone }).dueAt
