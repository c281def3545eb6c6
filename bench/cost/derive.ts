// Counts the figures of mix.ts in the dataset.
import { createReadStream, existsSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { rowsOf } from "../../scripts/lib/csv-rows.ts"
import type { Facts } from "./mix.ts"

/** Rows of the whole studentAssessment.csv and of studentVle.csv, as published. */
const RESULTS = 173_912
const ACTS = 10_655_280

const courseOf = (row: Record<string, string>) => `${row.code_module} ${row.code_presentation}`
const countBy = <T>(items: T[], of: (item: T) => string) =>
  new Map([...Map.groupBy(items, of)].map(([key, found]) => [key, found.length]))

export async function derive(folder: string): Promise<Facts> {
  const info = rowsOf(folder, "studentInfo.csv")
  const inCourse = countBy(info, courseOf)
  const assessments = rowsOf(folder, "assessments.csv")
  /** How many of a kind the registrations are offered in all. */
  const offered = (kinds: string[]) =>
    assessments
      .filter((row) => kinds.includes(row.assessment_type ?? ""))
      .reduce((sum, row) => sum + (inCourse.get(courseOf(row)) ?? 0), 0)
  const materials = rowsOf(folder, "vle.csv").reduce((sum, row) => sum + (inCourse.get(courseOf(row)) ?? 0), 0)
  const each = RESULTS / offered(["CMA", "TMA", "Exam"])
  const vle = await readVle(join(folder, "studentVle.csv"))
  return {
    learners: new Set(info.map((row) => row.id_student)).size,
    learnerYears: new Set(info.map((row) => `${row.id_student} ${row.code_presentation?.slice(0, 4)}`)).size,
    registrations: info.length,
    completed: info.filter((row) => ["Pass", "Distinction"].includes(row.final_result ?? "")).length,
    modules: Math.round((materials + offered(["CMA", "TMA"])) / info.length),
    acts: ACTS,
    quizzes: Math.round(each * offered(["CMA"])),
    submissions: Math.round(each * offered(["TMA"])),
    ...vle,
  }
}

/** Ten million rows, course after course: only the course at hand is remembered. */
async function readVle(file: string): Promise<Partial<Facts>> {
  if (!existsSync(file)) return {}
  let [acts, openings, days, course] = [-1, 0, 0, ""]
  const seen = new Set<string>()
  for await (const line of createInterface(createReadStream(file))) {
    acts++
    const [module, presentation, student, site, day] = line.split(",")
    if (acts === 0) continue
    if (course !== `${module} ${presentation}`) seen.clear()
    course = `${module} ${presentation}`
    const [opened, sat] = [`${student} site ${site}`, `${student} day ${day}`]
    if (!seen.has(opened)) openings++
    if (!seen.has(sat)) days++
    seen.add(opened).add(sat)
  }
  return { acts, openings, days }
}
