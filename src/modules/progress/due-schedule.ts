import type { ReminderRule } from "../../../drizzle/schema/assignment-rules.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import { DAY, HOUR } from "../../lib/clock.ts"
import { instantOf, wallTimeOf } from "../../lib/text/zones.ts"
import { dayAt, endOfDay, isWeekend, startOfDay } from "./due-dates.ts"

// When the status of an enrollment changes, and when reminders are sent. Days are days since 1970 in the person's zone.

/** The times of day between which reminders are sent. */
const [MORNING, EVENING] = [7 * HOUR, 20 * HOUR]

export interface DueSchedule extends ReminderRule {
  /** Days after the due date until it is overdue. */
  graceDays: number
  /** Whether reminders for a Saturday or Sunday are sent on Monday. */
  skipWeekends: boolean
}

/** Of enrollments whose due date was set by hand. */
export const DEFAULT_SCHEDULE: DueSchedule = {
  daysBefore: [7, 1, 0],
  overdueEveryDays: 7,
  copySupervisors: false,
  graceDays: 0,
  skipWeekends: false,
}

/** When an enrollment becomes due soon, and after which instant it is overdue. */
export function dueTimes(dueAt: number, { daysBefore, graceDays }: DueSchedule, zone: string) {
  if (dueAt === 0) return { dueSoonAt: 0, overdueAt: 0 }
  const day = dayAt(dueAt, zone)
  return {
    dueSoonAt: daysBefore.length > 0 ? Math.min(dueAt, startOfDay(day - Math.max(...daysBefore), zone)) : dueAt,
    overdueAt: graceDays > 0 ? endOfDay(day + graceDays, zone) : dueAt,
  }
}

/** The first instant from `at` on at which a reminder may be sent. */
function nextAllowed(at: number, zone: string, skipWeekends: boolean): number {
  const wall = wallTimeOf(at, zone)
  const today = Math.floor(wall / DAY)
  const time = wall - today * DAY
  const isSkipped = (day: number) => skipWeekends && isWeekend(day)
  if (!isSkipped(today) && time >= MORNING && time < EVENING) return at
  let day = time < MORNING ? today : today + 1
  while (isSkipped(day)) day++
  return instantOf(day * DAY + MORNING, zone)
}

export interface DueEnrollment {
  dueAt: number
  /** The last day for which a reminder of this cycle was sent; null: none. */
  lastReminderDay: number | null
  schedule: DueSchedule
  zone: string
}

export interface DueCheck {
  dueStatus: DueStatus
  dueSoonAt: number
  overdueAt: number
  /** The reminder to send now: only the most urgent one. */
  reminder?: { day: number; isOverdue: boolean; isFirstOverdue: boolean }
  /** When the enrollment must be looked at again. 0: never */
  nextCheckAt: number
}

/** The days of reminders around a time: the last that has come by it, and the first after it. */
function reminderDays({ dueAt, schedule, zone }: DueEnrollment, at: number) {
  const { daysBefore, overdueEveryDays: every, graceDays, skipWeekends } = schedule
  const dueDay = dayAt(dueAt, zone)
  const firstOverdue = dueDay + graceDays + 1
  const sentAt = (day: number) => nextAllowed(startOfDay(day, zone), zone, skipWeekends)
  const repeats = every > 0 ? Math.max(0, Math.floor((dayAt(at, zone) - firstOverdue) / every)) : 0
  const overdue = every > 0 ? [-1, 0, 1].map((step) => firstOverdue + Math.max(0, repeats + step) * every) : []
  const days = [...daysBefore.map((days) => dueDay - days), ...overdue]
  const come = days.filter((day) => sentAt(day) <= at)
  const later = days.map(sentAt).filter((time) => time > at)
  return { firstOverdue, last: come.length > 0 ? Math.max(...come) : undefined, nextAt: later }
}

/** The status of an open enrollment with a due date, and what happens next. */
export function checkDueDate(enrollment: DueEnrollment, at: number): DueCheck {
  const { dueAt, lastReminderDay, schedule, zone } = enrollment
  const { dueSoonAt, overdueAt } = dueTimes(dueAt, schedule, zone)
  const dueStatus = at > overdueAt ? DueStatus.Overdue : at >= dueSoonAt ? DueStatus.DueSoon : DueStatus.OnTrack
  const { firstOverdue, last, nextAt } = reminderDays(enrollment, at)
  const times = [dueSoonAt, overdueAt + 1, ...nextAt].filter((time) => time > at)
  const waits = last !== undefined && (lastReminderDay === null || last > lastReminderDay)
  const allowedAt = nextAllowed(at, zone, schedule.skipWeekends)
  if (waits && allowedAt > at) times.push(allowedAt)
  const isOverdue = waits && last >= firstOverdue
  return {
    dueStatus,
    dueSoonAt,
    overdueAt,
    ...(waits &&
      allowedAt === at && {
        reminder: {
          day: last,
          isOverdue,
          isFirstOverdue: isOverdue && (lastReminderDay === null || lastReminderDay < firstOverdue),
        },
      }),
    nextCheckAt: times.length > 0 ? Math.min(...times) : 0,
  }
}
