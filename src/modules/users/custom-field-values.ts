import { sql } from "drizzle-orm"
import { customFields, customFieldValues, type FieldType } from "../../../drizzle/schema/custom-fields.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import type { RowOf } from "../../db/select.ts"
import { orNull, selectFrom } from "../../db/select.ts"
import { rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { type FieldErrors, invalidFields } from "../../lib/errors.ts"
import { calendarDay } from "../../lib/text/dates.ts"
import { readJson } from "../../lib/text/json.ts"
import { hasTooManyMarks, normalizeText, TOO_MANY_MARKS } from "../../lib/text/text.ts"

// What users answer to custom fields: how it is read, checked and written. An answer is one text: a date is YYYY-MM-DD,
// an option its value, several options their values joined by commas. No answer is no row.

/** What a value is checked against. */
export interface FieldDefinition {
  id: number
  type: FieldType
  label: string
  userMetaKey: string
  isRequired: boolean
  options: string[]
}

/** A field's new value for one user; an empty text takes its value away. */
export interface FieldValue {
  field: FieldDefinition
  value: string
}

const LONGEST_TEXT = 255
const LONGEST_TEXT_AREA = 5000

/** An option's value is its label without commas, so that several can be joined by commas and told apart again. */
export const optionValue = (label: string): string => label.replace(/[\s,]+/g, " ").trim()

export const isChoice = (type: FieldType): boolean => type === "radio" || type === "checkbox" || type === "dropdown"

/** A custom field, and what a user has in it. */
const HELD = {
  id: customFields.id,
  type: customFields.type,
  label: customFields.label,
  userMetaKey: customFields.userMetaKey,
  defaultValue: customFields.defaultValue,
  isRequired: customFields.isRequired,
  options: customFields.options,
  value: orNull(customFieldValues.value),
}

/** The fields in their order, and what one user answered (null: nothing). @param when false, none is read */
export const fieldsWithValues = (db: Database, userId: number, when = true) =>
  selectFrom(
    db,
    HELD,
    sql`
      from ${customFields}
      left join ${customFieldValues}
        on ${customFieldValues.fieldId} = ${customFields.id} and ${customFieldValues.userId} = ${userId}
      where ${when ? 1 : 0}
      order by ${customFields.displayOrder}, ${customFields.id}`,
  )

type Held = RowOf<typeof HELD>

/** `customUserMetas` of a user's detail: every field by its meta key, answered or not. */
export const toCustomUserMetas = (held: Held[]) =>
  Object.fromEntries(
    held.map((field) => [
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

type Read = { value: string } | { fault: string }

const few = (words: string[]) => `${words.slice(0, 20).join(", ")}${words.length > 20 ? ", …" : ""}`

/** The option of this label or value, whatever its case. */
function optionNamed(field: FieldDefinition, given: string): string | undefined {
  const wanted = normalizeText(given).toLowerCase()
  const found = field.options.find(
    (label) => label.toLowerCase() === wanted || optionValue(label).toLowerCase() === wanted,
  )
  return found === undefined ? undefined : optionValue(found)
}

const notAnOption = (field: FieldDefinition, plural: boolean): Read => ({
  fault: `must be ${plural ? "some" : "one"} of: ${few(field.options)}`,
})

/** The options that a text names: one of them, a JSON array, or several joined by commas. */
function named(field: FieldDefinition, text: string): string[] {
  if (optionNamed(field, text) !== undefined) return [text]
  const read = text.startsWith("[") ? readJson(text) : undefined
  if (Array.isArray(read)) return read.map(String)
  // Not JSON: options joined by commas.
  return text.split(",").filter((part) => part.trim() !== "")
}

/** Each is looked for among all the options. */
const MOST_CHOSEN = 1000

function readOptions(field: FieldDefinition, parts: string[]): Read {
  if (parts.length > MOST_CHOSEN) return { fault: `must be ${MOST_CHOSEN} options or fewer` }
  const chosen = parts.map((part) => optionNamed(field, part))
  if (chosen.includes(undefined)) return notAnOption(field, true)
  const values = field.options.map(optionValue)
  return { value: values.filter((value) => chosen.includes(value)).join(",") }
}

function readText(field: FieldDefinition, text: string): Read {
  if (hasTooManyMarks(text)) return { fault: TOO_MANY_MARKS }
  const longest = field.type === "textarea" ? LONGEST_TEXT_AREA : LONGEST_TEXT
  const value = field.type === "textarea" ? text : text.replace(/\s+/g, (blank) => (/[\r\n]/.test(blank) ? " " : blank))
  return value.length > longest ? { fault: `must have ${longest} characters or fewer` } : { value }
}

function readDate(text: string): Read {
  const value = calendarDay(text)
  return value === undefined ? { fault: "must be a date such as 2026-01-05" } : { value }
}

const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value)

/** Reads one value as clients send it: plain, an array, or the object that they read, with `submitted_value`. */
export function readValue(field: FieldDefinition, given: unknown): Read {
  if (typeof given === "object" && given !== null && !Array.isArray(given))
    return "submitted_value" in given && !isWrapped(given.submitted_value)
      ? readValue(field, given.submitted_value)
      : { fault: "must be a value, or an object with submitted_value" }
  const parts = (Array.isArray(given) ? given : [given]).filter((part) => part !== null && part !== undefined)
  if (!parts.every(isScalar)) return { fault: "must be text, a number or an array of these" }
  const texts = parts.map((part) => normalizeText(String(part))).filter((text) => text !== "")
  const [text] = texts
  if (text === undefined) return { value: "" }
  if (field.type === "checkbox") return readOptions(field, texts.length > 1 ? texts : named(field, text))
  if (texts.length > 1) return { fault: "must be one value" }
  if (field.type === "date") return readDate(text)
  if (!isChoice(field.type)) return readText(field, text)
  const value = optionNamed(field, text)
  return value === undefined ? notAnOption(field, false) : { value }
}

/** Is the definition unfit as it stands: a choice without options, or a default that could not be given as a value? */
export const isInvalidDefinition = (field: FieldDefinition & { defaultValue: string | null }): boolean =>
  (isChoice(field.type) && field.options.length === 0) || "fault" in readValue(field, field.defaultValue)

const isWrapped = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value)

/** The text that a client sends for a value as it read it. */
const asRead = (given: unknown): unknown =>
  typeof given === "object" && given !== null && "submitted_value" in given ? given.submitted_value : given

/**
 * Checks values by meta key (case makes no difference) against the fields, for one user. What is stored already is left
 * out, and is not checked again: a field's definition may have changed since, and clients send back what they read.
 * @param required every required field must have a value; without it, none that has one may be blanked
 * @param stored the user's present values by field id
 * @returns what to write, and messages by `customUserMetas.<key>` (empty: all is well)
 */
export function validateMetas(
  definitions: readonly FieldDefinition[],
  input: Record<string, unknown>,
  { required = false, stored = new Map() }: { required?: boolean; stored?: ReadonlyMap<number, string> } = {},
): { metas: FieldValue[]; errors: FieldErrors } {
  const fields = new Map(definitions.map((field) => [field.userMetaKey.toLowerCase(), field]))
  const given = new Map(Object.entries(input).map(([key, value]) => [key.trim().toLowerCase(), value]))
  const errors: FieldErrors = {}
  const unknown = Object.keys(input).filter((key) => !fields.has(key.trim().toLowerCase()))
  if (unknown.length > 0)
    errors.customUserMetas = [`customUserMetas has keys that are no custom field's: ${few(unknown)}.`]

  const metas: FieldValue[] = []
  for (const [key, field] of fields) {
    const name = `customUserMetas.${field.userMetaKey}`
    const held = stored.get(field.id) ?? ""
    if (!given.has(key)) {
      if (required && field.isRequired) errors[name] = [`${name} is required.`]
      continue
    }
    if (held !== "" && asRead(given.get(key)) === held) continue
    const read = readValue(field, given.get(key))
    if ("fault" in read) errors[name] = [`${name} ${read.fault}.`]
    else if (read.value === "" && field.isRequired && (required || held !== "")) errors[name] = [`${name} is required.`]
    else if (read.value !== held) metas.push({ field, value: read.value })
  }
  return { metas, errors }
}

/**
 * What a call's `customUserMetas` change of what a user holds. @param input undefined: nothing was given
 * @throws 422 by meta key
 */
export function readMetas(
  held: Held[],
  input: Record<string, unknown> | undefined,
  { required = false } = {},
): FieldValue[] {
  if (!input) return []
  const stored = new Map(held.map((field) => [field.id, field.value ?? ""]))
  const { metas, errors } = validateMetas(held, input, { required, stored })
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
  return metas
}

/** Changed values by meta key, for an audit row's details. */
export const metaDetails = (metas: FieldValue[]) =>
  metas.length > 0
    ? { customUserMetas: Object.fromEntries(metas.map(({ field, value }) => [field.userMetaKey, value])) }
    : {}

export interface UserFieldValue {
  userId: number
  fieldId: number
  /** Empty: the value goes. */
  value: string
}

/** How many characters of JSON one statement binds; D1 takes 2 MB, and a character is at most 3 bytes. */
const MOST_CHARACTERS = 500_000

/** Rows in pieces that fit a statement. */
function pieces(rows: UserFieldValue[]): UserFieldValue[][] {
  const found: UserFieldValue[][] = []
  let room = 0
  for (const row of rows) {
    const size = JSON.stringify(row).length + 1
    if (size > room) {
      found.push([])
      room = MOST_CHARACTERS
    }
    found.at(-1)?.push(row)
    room -= size
  }
  return found
}

/**
 * The statements that write values of any number of users. A field that was deleted in the meantime is passed over; the
 * users must exist when the batch gets here.
 */
export function writeMetas(db: Database, rows: readonly UserFieldValue[]): Statement[] {
  const { userId, fieldId } = customFieldValues
  const kept = (piece: UserFieldValue[]) =>
    insertFrom(
      db,
      customFieldValues,
      { userId: jsonField("userId"), fieldId: customFields.id, value: jsonField("value") },
      sql`
        from ${rowList(piece)}
        join ${customFields} on ${customFields.id} = ${jsonField("fieldId")}
        where true`,
    ).onConflictDoUpdate({ target: [userId, fieldId], set: { value: sql`excluded.value` } })
  const gone = (piece: UserFieldValue[]) =>
    db
      .delete(customFieldValues)
      .where(
        sql`(${userId}, ${fieldId}) in (select ${jsonField("userId")}, ${jsonField("fieldId")} from ${rowList(piece)})`,
      )
  return [
    ...pieces(rows.filter((row) => row.value !== "")).map(kept),
    ...pieces(rows.filter((row) => row.value === "")).map(gone),
  ]
}

/** As `writeMetas`, for one user. */
export const writeUserMetas = (db: Database, userId: number, metas: FieldValue[]): Statement[] =>
  writeMetas(
    db,
    metas.map(({ field, value }) => ({ userId, fieldId: field.id, value })),
  )
