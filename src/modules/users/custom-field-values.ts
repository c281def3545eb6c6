import { type SQL, sql } from "drizzle-orm"
import { customFields, customFieldValues, type FieldType } from "../../../drizzle/schema/custom-fields.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import type { RowOf } from "../../db/select.ts"
import { nullableColumn, selectFrom } from "../../db/select.ts"
import { rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { type FieldErrors, invalidFields } from "../../lib/errors.ts"
import { calendarDay } from "../../lib/text/dates.ts"
import { readJson } from "../../lib/text/json.ts"
import { hasTooManyMarks, normalizeText, TOO_MANY_MARKS } from "../../lib/text/text.ts"

// Reads, validates and writes the values of custom fields. A value is one string: a date is YYYY-MM-DD, several
// options are joined by commas. A missing value has no row.

export interface FieldDefinition {
  id: number
  type: FieldType
  label: string
  userMetaKey: string
  isRequired: boolean
  options: string[]
}

/** A new value of a field for one user; an empty string deletes the value. */
export interface FieldValue {
  field: FieldDefinition
  value: string
}

const MAX_TEXT_LENGTH = 255
const MAX_TEXTAREA_LENGTH = 5000

/** An option's value is its label without commas, because several values are joined by commas. */
export const optionValue = (label: string): string => label.replace(/[\s,]+/g, " ").trim()

export const isChoice = (type: FieldType): boolean => type === "radio" || type === "checkbox" || type === "dropdown"

const FIELD_WITH_VALUE = {
  id: customFields.id,
  type: customFields.type,
  label: customFields.label,
  userMetaKey: customFields.userMetaKey,
  defaultValue: customFields.defaultValue,
  isRequired: customFields.isRequired,
  options: customFields.options,
  value: nullableColumn(customFieldValues.value),
}

/**
 * Selects all fields in display order with the value of one user (null: none). @param when if false, selects no rows
 */
export const fieldsWithValues = (db: Database, userId: number | SQL, when = true) =>
  selectFrom(
    db,
    FIELD_WITH_VALUE,
    sql`
      from ${customFields}
      left join ${customFieldValues}
        on ${customFieldValues.fieldId} = ${customFields.id} and ${customFieldValues.userId} = ${userId}
      where ${when ? 1 : 0}
      order by ${customFields.displayOrder}, ${customFields.id}`,
  )

type FieldWithValue = RowOf<typeof FIELD_WITH_VALUE>

/** `customUserMetas` of a user: every field by its meta key, with or without a value. */
export const toCustomUserMetas = (fields: FieldWithValue[]) =>
  Object.fromEntries(
    fields.map((field) => [
      field.userMetaKey,
      {
        type: field.type,
        label: field.label,
        submitted_value: field.value ?? "",
        placeholder_value: field.defaultValue ?? "",
        ...(isChoice(field.type) && {
          option_label: field.options,
          option_value: field.options.map(optionValue),
        }),
      },
    ]),
  )

type ParsedValue = { value: string } | { fault: string }

const preview = (words: string[]) => `${words.slice(0, 20).join(", ")}${words.length > 20 ? ", …" : ""}`

/** The value of the option with this label or value, ignoring case. */
function findOption(field: FieldDefinition, input: string): string | undefined {
  const wanted = normalizeText(input).toLowerCase()
  const found = field.options.find(
    (label) => label.toLowerCase() === wanted || optionValue(label).toLowerCase() === wanted,
  )
  return found === undefined ? undefined : optionValue(found)
}

const notAnOption = (field: FieldDefinition, plural: boolean): ParsedValue => ({
  fault: `must be ${plural ? "any" : "one"} of: ${preview(field.options)}`,
})

/** Splits a text into options: one option, a JSON array, or several options joined by commas. */
function splitOptions(field: FieldDefinition, text: string): string[] {
  if (findOption(field, text) !== undefined) return [text]
  const read = text.startsWith("[") ? readJson(text) : undefined
  if (Array.isArray(read)) return read.map(String)
  return text.split(",").filter((part) => part.trim() !== "")
}

/** Each chosen option is compared with every option of the field. */
const MAX_CHOSEN_OPTIONS = 1000

function readOptions(field: FieldDefinition, parts: string[]): ParsedValue {
  if (parts.length > MAX_CHOSEN_OPTIONS) return { fault: `must be ${MAX_CHOSEN_OPTIONS} options or fewer` }
  const chosen = parts.map((part) => findOption(field, part))
  if (chosen.includes(undefined)) return notAnOption(field, true)
  const values = field.options.map(optionValue)
  return { value: values.filter((value) => chosen.includes(value)).join(",") }
}

function readText(field: FieldDefinition, text: string): ParsedValue {
  if (hasTooManyMarks(text)) return { fault: TOO_MANY_MARKS }
  const maxLength = field.type === "textarea" ? MAX_TEXTAREA_LENGTH : MAX_TEXT_LENGTH
  const value = field.type === "textarea" ? text : text.replace(/\s+/g, (blank) => (/[\r\n]/.test(blank) ? " " : blank))
  return value.length > maxLength ? { fault: `must have ${maxLength} characters or fewer` } : { value }
}

function readDate(text: string): ParsedValue {
  const value = calendarDay(text)
  return value === undefined ? { fault: "must be a date such as 2026-01-05" } : { value }
}

const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value)

/** Parses a value that a client sent: a scalar, an array, or an object with `submitted_value` as in responses. */
export function readValue(field: FieldDefinition, input: unknown): ParsedValue {
  if (typeof input === "object" && input !== null && !Array.isArray(input))
    return "submitted_value" in input && !isPlainObject(input.submitted_value)
      ? readValue(field, input.submitted_value)
      : { fault: "must be a value, or an object with submitted_value" }
  const parts = (Array.isArray(input) ? input : [input]).filter((part) => part !== null && part !== undefined)
  if (!parts.every(isScalar)) return { fault: "must be text, a number or an array of these" }
  const texts = parts.map((part) => normalizeText(String(part))).filter((text) => text !== "")
  const [text] = texts
  if (text === undefined) return { value: "" }
  if (field.type === "checkbox") return readOptions(field, texts.length > 1 ? texts : splitOptions(field, text))
  if (texts.length > 1) return { fault: "must be one value" }
  if (field.type === "date") return readDate(text)
  if (!isChoice(field.type)) return readText(field, text)
  const value = findOption(field, text)
  return value === undefined ? notAnOption(field, false) : { value }
}

/** Whether a definition is invalid: a choice field without options, or a default value that the field rejects. */
export const isInvalidDefinition = (field: FieldDefinition & { defaultValue: string | null }): boolean =>
  (isChoice(field.type) && field.options.length === 0) || "fault" in readValue(field, field.defaultValue)

const isPlainObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value)

/** The value inside `{submitted_value}`, the form that responses have. */
const unwrap = (input: unknown): unknown =>
  typeof input === "object" && input !== null && "submitted_value" in input ? input.submitted_value : input

/**
 * Validates a user's values by meta key, ignoring case. Values equal to the stored ones are not validated again:
 * clients send back what they read, and the definition of the field may have changed since.
 * @param required every required field must have a value; otherwise stored required values cannot be cleared
 * @param stored the user's stored values by field id
 * @returns the values to write, and errors by `customUserMetas.<key>` (empty if valid)
 */
export function validateMetas(
  definitions: readonly FieldDefinition[],
  input: Record<string, unknown>,
  { required = false, stored = new Map() }: { required?: boolean; stored?: ReadonlyMap<number, string> } = {},
): { metas: FieldValue[]; errors: FieldErrors } {
  const fields = new Map(definitions.map((field) => [field.userMetaKey.toLowerCase(), field]))
  const byKey = new Map(Object.entries(input).map(([key, value]) => [key.trim().toLowerCase(), value]))
  const errors: FieldErrors = {}
  const unknown = Object.keys(input).filter((key) => !fields.has(key.trim().toLowerCase()))
  if (unknown.length > 0) errors.customUserMetas = [`customUserMetas has unknown keys: ${preview(unknown)}.`]

  const metas: FieldValue[] = []
  for (const [key, field] of fields) {
    const name = `customUserMetas.${field.userMetaKey}`
    const current = stored.get(field.id) ?? ""
    if (!byKey.has(key)) {
      if (required && field.isRequired) errors[name] = [`${name} is required.`]
      continue
    }
    if (current !== "" && unwrap(byKey.get(key)) === current) continue
    const parsed = readValue(field, byKey.get(key))
    if ("fault" in parsed) errors[name] = [`${name} ${parsed.fault}.`]
    else if (parsed.value === "" && field.isRequired && (required || current !== ""))
      errors[name] = [`${name} is required.`]
    else if (parsed.value !== current) metas.push({ field, value: parsed.value })
  }
  return { metas, errors }
}

/** The values that `customUserMetas` of a request changes; none if it is omitted. @throws 422 by meta key */
export function readMetas(
  fields: FieldWithValue[],
  input: Record<string, unknown> | undefined,
  { required = false } = {},
): FieldValue[] {
  if (!input) return []
  const stored = new Map(fields.map((field) => [field.id, field.value ?? ""]))
  const { metas, errors } = validateMetas(fields, input, { required, stored })
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
  return metas
}

/** The changed values by meta key, for the details of an audit row. */
export const metaDetails = (metas: FieldValue[]) =>
  metas.length > 0
    ? { customUserMetas: Object.fromEntries(metas.map(({ field, value }) => [field.userMetaKey, value])) }
    : {}

export interface UserFieldValue {
  userId: number
  fieldId: number
  /** An empty string deletes the value. */
  value: string
}

/** Characters of JSON per statement: D1 binds up to 2 MB, and a character takes up to 3 bytes. */
const MAX_JSON_CHARACTERS = 500_000

/** Splits rows into chunks that fit into one statement. */
function toChunks(rows: UserFieldValue[]): UserFieldValue[][] {
  const chunks: UserFieldValue[][] = []
  let remaining = 0
  for (const row of rows) {
    const size = JSON.stringify(row).length + 1
    if (size > remaining) {
      chunks.push([])
      remaining = MAX_JSON_CHARACTERS
    }
    chunks.at(-1)?.push(row)
    remaining -= size
  }
  return chunks
}

/** Statements that write values of any number of existing users. Fields that were deleted meanwhile are skipped. */
export function writeMetas(db: Database, rows: readonly UserFieldValue[]): Statement[] {
  const { userId, fieldId } = customFieldValues
  const upsert = (chunk: UserFieldValue[]) =>
    insertFrom(
      db,
      customFieldValues,
      {
        userId: jsonField("userId"),
        fieldId: customFields.id,
        value: jsonField("value"),
        searchable: customFields.isSearchable,
      },
      sql`
        from ${rowList(chunk)}
        join ${customFields} on ${customFields.id} = ${jsonField("fieldId")}
        where true`,
    ).onConflictDoUpdate({ target: [userId, fieldId], set: { value: sql`excluded.value` } })
  const remove = (chunk: UserFieldValue[]) =>
    db
      .delete(customFieldValues)
      .where(
        sql`(${userId}, ${fieldId}) in (select ${jsonField("userId")}, ${jsonField("fieldId")} from ${rowList(chunk)})`,
      )
  return [
    ...toChunks(rows.filter((row) => row.value !== "")).map(upsert),
    ...toChunks(rows.filter((row) => row.value === "")).map(remove),
  ]
}

/** `writeMetas` for one user. */
export const writeUserMetas = (db: Database, userId: number, metas: FieldValue[]): Statement[] =>
  writeMetas(
    db,
    metas.map(({ field, value }) => ({ userId, fieldId: field.id, value })),
  )
