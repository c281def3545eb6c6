// Uploads all learners as spreadsheets, and compares them with the users' export.
import { XlsxStreamWriter } from "hucre/xlsx"
import { each } from "../../scripts/lib/client.ts"
import type { LecternClient } from "../../src/client/index.ts"
import { ProgressBar } from "../progress-bar.ts"
import { FIELDS, type Field, type Learner } from "./dataset.ts"
import { exportedUsers } from "./service.ts"

const ROWS_PER_SHEET = 5000
/** The export that shows the fields. */
const REPORT = "export-users" as const
const KEYS = Object.keys(FIELDS) as Field[]

const PATH = "/api/users/customUserFields"

/**
 * Adds missing fields and options. PUT replaces the set, so existing ones are sent too.
 */
export async function defineFields(client: LecternClient, learners: Learner[]) {
  const { fields } = (await client.GET(PATH)).data
  const kept = fields.map((field) => {
    const key = KEYS.find((key) => key === field.userMetaKey)
    if (!key) return field
    return {
      ...field,
      optionLabel: [...new Set([...field.optionLabel, ...learners.map((learner) => learner.fields[key])])],
      includeInReportExports: [...new Set([...field.includeInReportExports, REPORT])],
    }
  })
  const added = KEYS.filter((key) => !fields.some((field) => field.userMetaKey === key)).map((key) => ({
    type: "dropdown" as const,
    label: FIELDS[key],
    userMetaKey: key,
    optionLabel: [...new Set(learners.map((learner) => learner.fields[key]))],
    includeInReportExports: [REPORT],
  }))
  await client.PUT(PATH, { body: { fields: [...kept, ...added] } })
}

/** A spreadsheet of learners with blank passwords. */
async function spreadsheet(learners: Learner[]): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new XlsxStreamWriter({ name: "Learners" })
  writer.addRow(["first_name", "last_name", "email", "password", ...KEYS])
  for (const { firstName, lastName, email, fields } of learners)
    writer.addRow([firstName, lastName, email, "", ...KEYS.map((key) => fields[key])])
  return new Uint8Array(await writer.finish())
}

/**
 * Uploads all learners. Existing ones are not changed.
 * @returns how many were created.
 * @throws when a row fails
 */
export async function uploadLearners(client: LecternClient, learners: Learner[]): Promise<number> {
  const sheets: Learner[][] = []
  for (let start = 0; start < learners.length; start += ROWS_PER_SHEET)
    sheets.push(learners.slice(start, start + ROWS_PER_SHEET))
  const bar = new ProgressBar("Learners", learners.length)
  let createdInAll = 0
  await each(sheets, 2, async (sheet) => {
    const file = new File([await spreadsheet(sheet)], "learners.xlsx")
    let before = 0
    const upload = await client.bulkUpload(file, {
      onProgress: ({ created, existing, failed }) => {
        bar.step(created + existing + failed - before)
        before = created + existing + failed
      },
    })
    const { failed, errors } = upload
    bar.step(upload.created + upload.existing + failed - before)
    if (failed > 0)
      throw new Error(
        `${failed} rows failed: ${errors
          .slice(0, 3)
          .map((row) => `${row.email}: ${row.reasons.join(" ")}`)
          .join("; ")}`,
      )
    createdInAll += upload.created
  })
  return createdInAll
}

/** Learners that the export shows with other values, and unexpected ones. */
export async function checkLearners(client: LecternClient, learners: Learner[]): Promise<string[]> {
  const sheet = await exportedUsers(client)
  const wrong = learners.flatMap(({ email, firstName, lastName, fields }) => {
    const row = sheet.get(email)
    if (!row) return [`${email} is not in the export`]
    const right =
      row.first_name === firstName &&
      row.last_name === lastName &&
      KEYS.every((key) => row[FIELDS[key]] === fields[key])
    return right ? [] : [`${email} is exported as ${JSON.stringify(row)}`]
  })
  const known = new Set(learners.map((learner) => learner.email))
  const strangers = [...sheet.keys()].filter((email) => email.endsWith("@learners.example") && !known.has(email))
  return [...wrong, ...strangers.map((email) => `${email} should not be in the export`)]
}
