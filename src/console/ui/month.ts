import { useLanguage } from "../messages/messages.ts"
import { useUrlState } from "./url-state.ts"

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/
const MONDAY = 1
const SATURDAY = 6
const DAYS = 7

/** A local date as `2026-11-30`. */
export const dayKey = (day: Date): string =>
  [
    String(day.getFullYear()).padStart(4, "0"),
    String(day.getMonth() + 1).padStart(2, "0"),
    String(day.getDate()).padStart(2, "0"),
  ].join("-")

/** A month as in the URL: `2026-11`. */
export const monthKey = (day: Date): string => dayKey(day).slice(0, 7)

/** Adds calendar days, also across a DST change. */
export const addDays = (day: Date, days: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + days)

/** Adds calendar months; the day is limited to the length of the month. */
export function addMonths(day: Date, months: number): Date {
  const last = new Date(day.getFullYear(), day.getMonth() + months + 1, 0)
  return new Date(last.getFullYear(), last.getMonth(), Math.min(day.getDate(), last.getDate()))
}

interface WeekInfo {
  /** 1 (Monday) to 7. */
  firstDay: number
}

/** The first day of the week, 1 (Monday) to 7, in the browser's region if it has one for the language. */
function firstDayOfWeek(language: string): number {
  const tag = navigator.languages.find((candidate) => candidate.split("-")[0] === language) ?? language
  const locale = new Intl.Locale(tag) as Intl.Locale & { weekInfo?: WeekInfo; getWeekInfo?: () => WeekInfo }
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? (language === "ar" ? SATURDAY : MONDAY)
}

export interface Month {
  /** The first day of the month. */
  first: Date
  /** Full weeks of seven days, each at local midnight. */
  weeks: readonly (readonly Date[])[]
  /** Start and exclusive end of the weeks: the range to load. */
  from: Date
  until: Date
}

/** The month in the URL (`?month=2026-11`), by default the current month. */
export function useMonth(): Month {
  const { query } = useUrlState()
  const firstDay = firstDayOfWeek(useLanguage())
  const [, year, month] = MONTH.exec(query.month ?? "") ?? MONTH.exec(monthKey(new Date())) ?? []
  const first = new Date(Number(year), Number(month) - 1, 1)
  const length = new Date(Number(year), Number(month), 0).getDate()
  const leadingDays = (first.getDay() - firstDay + DAYS) % DAYS
  const from = addDays(first, -leadingDays)
  const weeks = Array.from({ length: Math.ceil((leadingDays + length) / DAYS) }, (_, week) =>
    Array.from({ length: DAYS }, (_, day) => addDays(from, week * DAYS + day)),
  )
  return { first, weeks, from, until: addDays(from, weeks.length * DAYS) }
}
