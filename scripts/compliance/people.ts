// Who joins the academy, who leaves it and how, and who completes what: from the Open University Learning Analytics
// Dataset, or drawn with its proportions.
import { rowsOf } from "../lib/csv-rows.ts"
import { Random } from "../mirror/random.ts"
import { dayOfDate } from "./calendar.ts"

type Result = "Pass" | "Distinction" | "Fail" | "Withdrawn"

export interface Person {
  /** A number, which is also the last name. */
  name: string
  email: string
  zone: string
  /** Days since 1970. */
  joinsOn: number
  leaves?: { on: number; how: "group" | "disabled" | "erased" }
  isInGroup: boolean
  result: Result
  /** A number from 0 to 1 for each decision about the person. */
  draw: (what: string) => number
}

export const ACADEMY_ZONE = "Europe/London"
const OTHER_ZONES = ["America/New_York", "Asia/Kolkata"]

/** The dataset begins in 2012. The simulation ends before the present, because the database has the real clock. */
const YEARS_LATER = 11
export const FIRST_DAY = dayOfDate("2023-08-01")

/** The first day of a presentation. */
function startOf(presentation: string): number {
  const year = Number(presentation.slice(0, 4)) + YEARS_LATER
  return dayOfDate(`${year}-${presentation.endsWith("B") ? "02" : "10"}-01`)
}

/** A stable hash (FNV-1a). */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const char of text) value = Math.imul(value ^ char.charCodeAt(0), 0x01000193)
  return value >>> 0
}

interface Registration {
  student: string
  joinsOn: number
  leavesOn?: number
  result: Result
}

function toPerson({ student, joinsOn, leavesOn, result }: Registration, seed: number): Person {
  const draw = (what: string) => new Random(hash(`${seed} ${student} ${what}`)).next()
  const at = draw("zone")
  const isInGroup = draw("group") < 0.6
  const how = draw("how")
  const first = Math.max(FIRST_DAY, joinsOn)
  return {
    name: student,
    email: `${student}@learners.example`,
    zone: at < 0.88 ? ACADEMY_ZONE : (OTHER_ZONES[at < 0.94 ? 0 : 1] ?? ACADEMY_ZONE),
    joinsOn: first,
    ...(leavesOn !== undefined &&
      leavesOn > first && {
        leaves: { on: leavesOn, how: how < 0.5 && isInGroup ? ("group" as const) : how < 0.9 ? "disabled" : "erased" },
      }),
    isInGroup,
    result,
    draw,
  }
}

/** The learners of the dataset: they join with their first registration, and leave with their last withdrawal. */
function registrationsOf(folder: string): Registration[] {
  const keyOf = (row: Record<string, string>) => `${row.code_module} ${row.code_presentation} ${row.id_student}`
  const days = new Map(rowsOf(folder, "studentRegistration.csv").map((row) => [keyOf(row), row]))
  const found = new Map<string, Registration>()
  const dayOf = (start: number, days: string | undefined) =>
    days === undefined || days === "?" ? undefined : start + Number(days)
  for (const row of rowsOf(folder, "studentInfo.csv")) {
    const { id_student: student = "", code_presentation: presentation = "", final_result: result } = row
    const start = startOf(presentation)
    const { date_registration, date_unregistration } = days.get(keyOf(row)) ?? {}
    const joinsOn = dayOf(start, date_registration) ?? start
    const leavesOn = dayOf(start, date_unregistration)
    const before = found.get(student)
    const isLast = !before || before.joinsOn < joinsOn
    const last = isLast ? { leavesOn, result: result as Result } : before
    const { leavesOn: lastLeavesOn, result: lastResult } = last
    found.set(student, {
      student,
      joinsOn: Math.min(joinsOn, before?.joinsOn ?? joinsOn),
      ...(lastLeavesOn !== undefined && { leavesOn: lastLeavesOn }),
      result: lastResult,
    })
  }
  return [...found.values()]
}

/** Learners with the proportions of the dataset, who register before the four starts of its courses. */
function drawnRegistrations(count: number, random: Random): Registration[] {
  const starts = ["2013B", "2013J", "2014B", "2014J"].map(startOf)
  return Array.from({ length: count }, (_, at) => {
    const start = random.pick(starts) ?? FIRST_DAY
    const result = random.next()
    const joinsOn = start - random.below(150)
    const registration = { student: String(100_000 + at), joinsOn }
    if (result < 0.31)
      return { ...registration, leavesOn: start + random.below(200) - 40, result: "Withdrawn" as const }
    if (result < 0.53) return { ...registration, result: "Fail" as const }
    return { ...registration, result: result < 0.91 ? ("Pass" as const) : ("Distinction" as const) }
  })
}

/** @param folder of the dataset; undefined: they are drawn */
export function peopleOf(folder: string | undefined, count: number, seed: number): Person[] {
  const random = new Random(seed)
  if (folder === undefined) return drawnRegistrations(count, random).map((row) => toPerson(row, seed))
  const rows = registrationsOf(folder)
  for (let at = rows.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    const [one, two] = [rows[at], rows[other]]
    if (one && two) [rows[at], rows[other]] = [two, one]
  }
  return rows.slice(0, count).map((row) => toPerson(row, seed))
}
