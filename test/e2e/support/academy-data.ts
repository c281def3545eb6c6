import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const LEARNERS = 60
const PRESENTATIONS = ["AAA 2013J", "AAA 2014B", "BBB 2013J"]
const KINDS = ["homepage", "resource", "oucollaborate", "url"]
const RESULTS = ["Pass", "Fail", "Withdrawn", "Distinction", "Pass"]
const REGIONS = ["Scotland", "Wales", "London Region"]
const DAYS = 240

type Row = Record<string, string | number>

/** Writes a small dataset in the format of bench/academy: each learner is in one or two of the presentations. */
export function writeAcademyData(folder: string) {
  const files: Record<string, Row[]> = {
    courses: [],
    vle: [],
    assessments: [],
    studentInfo: [],
    studentRegistration: [],
    studentAssessment: [],
  }
  const add = (file: keyof typeof files, row: Row) => files[file]?.push(row)
  for (const [at, name] of PRESENTATIONS.entries()) {
    const [code_module = "", code_presentation = ""] = name.split(" ")
    const presentation = { code_module, code_presentation }
    add("courses", { ...presentation, module_presentation_length: DAYS })
    for (const [index, activity_type] of KINDS.entries()) {
      const week = index === 0 ? "?" : index * 4
      add("vle", { id_site: 10 * (at + 1) + index, ...presentation, activity_type, week_from: week, week_to: week })
    }
    for (const [index, assessment_type] of ["CMA", "TMA"].entries()) {
      const id_assessment = 100 * (at + 1) + index
      add("assessments", { ...presentation, id_assessment, assessment_type, date: 60 * (index + 1), weight: 50 })
    }
    for (let id_student = 1; id_student <= LEARNERS; id_student++) {
      if (id_student % PRESENTATIONS.length !== at && id_student % 4 !== at) continue
      const final_result = RESULTS[(id_student + at) % RESULTS.length] ?? ""
      add("studentInfo", {
        ...presentation,
        id_student,
        region: REGIONS[id_student % REGIONS.length] ?? "",
        highest_education: "A Level or Equivalent",
        age_band: id_student % 2 ? "0-35" : "35-55",
        final_result,
      })
      add("studentRegistration", {
        ...presentation,
        id_student,
        date_registration: -(id_student % 30),
        date_unregistration: final_result === "Withdrawn" ? 10 + id_student : "?",
      })
      if (final_result === "Withdrawn") continue
      for (const index of [0, 1])
        add("studentAssessment", {
          id_assessment: 100 * (at + 1) + index,
          id_student,
          date_submitted: 60 * (index + 1) - (id_student % 9),
          score: (id_student * 17 + index * 31 + at * 7) % 101,
        })
    }
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, rows] of Object.entries(files)) {
    const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    writeFileSync(join(folder, `${name}.csv`), lines.map((cells) => `${cells.join(",")}\n`).join(""))
  }
}
