import type { Database } from "../../db/client.ts"
import { type FieldDefinition, isChoice } from "../users/custom-field-values.ts"
import { fieldsInOrder } from "../users/custom-fields.queries.ts"
import { USER_COLUMNS } from "./bulk-upload-rows.ts"

const BLANK_ROWS = 4
const SAMPLE = ["ada@example.com", "Ada", "Byron", "a password of her own", "E-1043"]

/** A valid value of the field. */
function sampleValue(field: FieldDefinition & { defaultValue: string | null }): string {
  if (field.type === "date") return "2026-01-05"
  if (isChoice(field.type)) return field.options[0] ?? ""
  return field.defaultValue ?? field.label
}

/** Returns the headers of an upload, including custom fields, and sample records. */
export async function sampleFile(db: Database) {
  const [fields] = await db.batch([fieldsInOrder(db)])
  const headers = [...USER_COLUMNS, ...fields.map((field) => field.userMetaKey)]
  const values = [...SAMPLE, ...fields.map(sampleValue)]
  const record = (valueAt: (i: number) => string) =>
    Object.fromEntries(headers.map((header, i) => [header, valueAt(i)]))
  return {
    headers,
    records: [record((i) => values[i] ?? ""), ...Array.from({ length: BLANK_ROWS }, () => record(() => ""))],
  }
}
