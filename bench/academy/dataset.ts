// The Open University Learning Analytics Dataset as an academy: who learns what, with which result.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { rowsOf } from "../../scripts/lib/csv-rows.ts"

const DAY = 86_400_000

/** The custom fields of a learner, by the names of their columns in a spreadsheet. */
export const FIELDS = { region: "Region", age_band: "Age band", education: "Education" } as const
export type Field = keyof typeof FIELDS

export interface Learner {
  firstName: string
  lastName: string
  email: string
  fields: Record<Field, string>
}

export type Status = "Not Started" | "In Progress" | "Completed"

/** An enrollment. Dates are `YYYY-MM-DD`; a missing one is unknown or in the future. */
export interface Registration {
  email: string
  course: string
  status: Status
  registeredOn: string
  startedOn?: string
  completedOn?: string
  expiresOn?: string
}

interface Material {
  /** Unique: its kind and its number. */
  name: string
  type: "text" | "video" | "quiz" | "assignment"
  content: string
}

export interface Presentation {
  /** `AAA 2013J` */
  name: string
  /** In the order of their weeks. */
  materials: Material[]
}

/** A quiz attempt or an assignment submission, with its score out of 100. */
export interface Attempt {
  email: string
  course: string
  /** The module's name. */
  of: string
  /** Missing if it was not graded. */
  score?: number
  submittedOn: string
}

export interface Dataset {
  presentations: Presentation[]
  registrations: Registration[]
  /** In quizzes: computer-marked assessments. */
  attempts: Attempt[]
  /** In assignments: tutor-marked assessments. */
  submissions: Attempt[]
}

const emailOf = (student: string | undefined) => `${student}@learners.example`
const nameOf = (row: Record<string, string>) => `${row.code_module} ${row.code_presentation}`

/** The distinct learners, in the order of studentInfo.csv; for duplicates, the first row counts. */
export function readLearners(folder: string): Learner[] {
  const found = new Map<string, Learner>()
  for (const row of rowsOf(folder, "studentInfo.csv")) {
    const { id_student: student = "", region = "", age_band = "", highest_education: education = "" } = row
    const learner = { firstName: "Learner", lastName: student, email: emailOf(student) }
    if (!found.has(student)) found.set(student, { ...learner, fields: { region, age_band, education } })
  }
  return [...found.values()]
}

/** Live sessions were recorded and watched; everything else was read. */
const VIDEOS = new Set(["oucollaborate", "ouelluminate"])
/** A presentation `2013J` starts on 1 October 2013, `2014B` on 1 February 2014. */
const MONTHS: Record<string, string> = { B: "02", J: "10" }

/** Days since the start of a presentation as a date; undefined for `?`. */
function dateOf(presentation: string | undefined, days: string | undefined): string | undefined {
  if (presentation === undefined || days === undefined || days === "?") return undefined
  const start = Date.parse(`${presentation.slice(0, 4)}-${MONTHS[presentation.slice(4)]}-01T00:00:00Z`)
  return new Date(start + Number(days) * DAY).toISOString().slice(0, 10)
}

const latest = (...dates: (string | undefined)[]) => dates.reduce((a = "", b = "") => (a > b ? a : b)) ?? ""

export function readDataset(folder: string): Dataset {
  const assessments = rowsOf(folder, "assessments.csv")
  const marked = new Map(
    assessments.filter((row) => (row.assessment_type ?? "") in MARKED).map((row) => [row.id_assessment, row]),
  )
  const materials = Map.groupBy(
    [
      ...rowsOf(folder, "vle.csv").map((row) => ({
        course: nameOf(row),
        week: weekOf(row),
        material: toMaterial(row),
      })),
      ...[...marked.values()].map((row) => ({
        course: nameOf(row),
        week: Math.ceil(Number(row.date) / 7),
        material: toMarked(row),
      })),
    ],
    ({ course }) => course,
  )
  const courses = rowsOf(folder, "courses.csv")
  const presentations = courses.map((row) => ({
    name: nameOf(row),
    materials: (materials.get(nameOf(row)) ?? []).sort((a, b) => a.week - b.week).map(({ material }) => material),
  }))
  const lengths = new Map(courses.map((row) => [nameOf(row), row.module_presentation_length]))
  const days = new Map(rowsOf(folder, "studentRegistration.csv").map((row) => [pairOf(row), row]))
  const registrations = rowsOf(folder, "studentInfo.csv").map((row) =>
    toRegistration(row, days.get(pairOf(row)) ?? {}, lengths.get(nameOf(row))),
  )
  const part = "studentAssessment-part.csv"
  const results = rowsOf(folder, existsSync(join(folder, part)) ? part : "studentAssessment.csv").flatMap((row) => {
    const assessment = marked.get(row.id_assessment)
    const submittedOn = assessment && dateOf(assessment.code_presentation, row.date_submitted)
    if (!submittedOn) return []
    const attempt: Attempt = {
      email: emailOf(row.id_student),
      course: nameOf(assessment),
      of: markedName(assessment),
      ...(/^\d+$/.test(row.score ?? "") && { score: Number(row.score) }),
      submittedOn,
    }
    return [{ kind: assessment.assessment_type, attempt }]
  })
  const ofKind = (wanted: keyof typeof MARKED) =>
    results.filter(({ kind }) => kind === wanted).map(({ attempt }) => attempt)
  const attempts = ofKind("CMA").filter(({ score }) => score !== undefined)
  return { presentations, registrations, attempts, submissions: ofKind("TMA") }
}

const pairOf = (row: Record<string, string>) => `${nameOf(row)} ${row.id_student}`
const weekOf = (row: Record<string, string>) => (row.week_from === "?" ? 0 : Number(row.week_from))
const markedName = (row: Record<string, string>) => `${row.assessment_type} ${row.id_assessment}`

function toMaterial(row: Record<string, string>): Material {
  const { activity_type: kind = "", id_site: number = "", week_from: from, week_to: to } = row
  const weeks = from === "?" ? "" : from === to ? `, week ${from}` : `, weeks ${from} to ${to}`
  const type = VIDEOS.has(kind) ? "video" : "text"
  return { name: `${kind} ${number}`, type, content: `<p>${nameOf(row)}${weeks}: ${kind}</p>` }
}

/** Assessments by who grades them, and their module type. */
const MARKED = {
  CMA: { type: "quiz", words: "computer-marked assignment" },
  TMA: { type: "assignment", words: "tutor-marked assignment" },
} as const

function toMarked(row: Record<string, string>): Material {
  const { type, words } = MARKED[row.assessment_type as keyof typeof MARKED]
  return {
    name: markedName(row),
    type,
    content: `<p>${nameOf(row)}: ${words}, due on day ${row.date}, weight ${row.weight}</p>`,
  }
}

/** Pass and Distinction are Completed at the end, Fail is In Progress, Withdrawn is Not Started and ends that day. */
function toRegistration(
  info: Record<string, string>,
  { date_registration, date_unregistration }: Record<string, string>,
  length: string | undefined,
): Registration {
  const presentation = info.code_presentation
  const start = dateOf(presentation, "0") ?? ""
  const left = dateOf(presentation, date_unregistration)
  // An unknown registration day is not after the withdrawal or the start.
  const registeredOn = dateOf(presentation, date_registration) ?? (left && left < start ? left : start)
  const known = { email: emailOf(info.id_student), course: nameOf(info), registeredOn }
  const startedOn = latest(start, registeredOn)
  if (info.final_result === "Withdrawn") return { ...known, status: "Not Started", ...(left && { expiresOn: left }) }
  if (info.final_result === "Fail") return { ...known, status: "In Progress", startedOn }
  return { ...known, status: "Completed", startedOn, completedOn: latest(startedOn, dateOf(presentation, length)) }
}
