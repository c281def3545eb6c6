import { useLanguage } from "../messages/messages.ts"
import { useAddress } from "./url-state.ts"

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/
const MONDAY = 1
const SATURDAY = 6
const DAYS = 7

/** A day of the browser's zone as `2026-11-30`. */
export const keyOf = (day: Date): string =>
  [
    String(day.getFullYear()).padStart(4, "0"),
    String(day.getMonth() + 1).padStart(2, "0"),
    String(day.getDate()).padStart(2, "0"),
  ].join("-")

/** A month as it stands in the address: `2026-11`. */
export const monthKeyOf = (day: Date): string => keyOf(day).slice(0, 7)

/** So many days later; clocks that change do not matter. */
export const addDays = (day: Date, days: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + days)

/** On the same day so many months later, or on the last of a shorter month. */
export function addMonths(day: Date, months: number): Date {
  const last = new Date(day.getFullYear(), day.getMonth() + months + 1, 0)
  return new Date(last.getFullYear(), last.getMonth(), Math.min(day.getDate(), last.getDate()))
}

interface WeekInfo {
  /** From 1, Monday, to 7. */
  firstDay: number
}

/** The day on which a language's weeks begin, from 1, Monday, to 7; the browser's own region counts. */
function firstDayOf(language: string): number {
  const tag = navigator.languages.find((one) => one.split("-")[0] === language) ?? language
  const locale = new Intl.Locale(tag) as Intl.Locale & { weekInfo?: WeekInfo; getWeekInfo?: () => WeekInfo }
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? (language === "ar" ? SATURDAY : MONDAY)
}

export interface Month {
  /** Its first day. */
  first: Date
  /** Its whole weeks, each of seven days at their midnights. */
  weeks: readonly (readonly Date[])[]
  /** The first moment of the weeks, and the first after them: what is to be asked for. */
  from: Date
  until: Date
}

/** The month that the address names (`?month=2026-11`), or that it is now, by the browser's clock. */
export function useMonth(): Month {
  const { query } = useAddress()
  const firstDay = firstDayOf(useLanguage())
  const [, year, month] = MONTH.exec(query.month ?? "") ?? MONTH.exec(monthKeyOf(new Date())) ?? []
  const first = new Date(Number(year), Number(month) - 1, 1)
  const length = new Date(Number(year), Number(month), 0).getDate()
  const before = (first.getDay() - firstDay + DAYS) % DAYS
  const from = addDays(first, -before)
  const weeks = Array.from({ length: Math.ceil((before + length) / DAYS) }, (_, week) =>
    Array.from({ length: DAYS }, (_, day) => addDays(from, week * DAYS + day)),
  )
  return { first, weeks, from, until: addDays(from, weeks.length * DAYS) }
}
