import { z } from "@hono/zod-openapi"
import { fieldErrors } from "../../http/validation.ts"
import { password, weakness } from "../../lib/crypto/password.ts"
import type { Assets } from "../../lib/crypto/well-known-passwords.ts"
import { type FieldErrors, invalid, tooLarge } from "../../lib/errors.ts"
import { email, line, name, text } from "../../lib/input/input.ts"
import type { SheetRow } from "../../lib/spreadsheet/spreadsheet.ts"
import { normalizeText, truncate } from "../../lib/text/text.ts"
import { type FieldDefinition, type FieldValue, validateMetas } from "../users/custom-field-values.ts"
import { emailRefusedError } from "../users/email-rules.queries.ts"

// Parses the rows of an upload and validates them.

export const USER_COLUMNS = ["email", "first_name", "last_name", "password", "external_id"] as const
type UserColumn = (typeof USER_COLUMNS)[number]

/** A row before validation. */
export interface UploadRow {
  /** The number in the sheet, whose header is row 1, or in userList, from 1. */
  row: number
  own: { [K in UserColumn]?: unknown }
  /** Values of custom fields by their keys. */
  metas: Record<string, unknown>
  /** The earlier row with the same email address or external id. */
  duplicate?: { column: string; row: number }
}

/** A valid row. */
export interface NewUser {
  email: string
  firstName: string
  lastName: string
  /** undefined: the account has none at first. */
  password: string | undefined
  externalId: string | undefined
  metas: FieldValue[]
}

/** The limit of a spreadsheet cell, above the limit of every field. */
const MAX_VALUE_LENGTH = 32_767
/** The limit of all rows together, as encrypted text. */
const MAX_UPLOAD_LENGTH = 20_000_000

/** Includes unknown columns. */
const MAX_COLUMNS = 500
/** The number of characters of a header or an email address that are compared. */
const MAX_HEADER_LENGTH = 1000

const lettersOf = (header: string) => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

type Column = { own: UserColumn } | { meta: string }

/** The column of the user or the custom field (by key, else by label) that a header names; undefined: unknown. */
function columnOf(text: string, fields: readonly FieldDefinition[]): Column | undefined {
  const header = text.slice(0, MAX_HEADER_LENGTH)
  const own = USER_COLUMNS.find((column) => lettersOf(column) === lettersOf(header))
  if (own) return { own }
  const wanted = normalizeText(header).toLowerCase()
  const field =
    fields.find((candidate) => candidate.userMetaKey.toLowerCase() === wanted) ??
    fields.find((candidate) => candidate.label.toLowerCase() === wanted)
  return field && { meta: field.userMetaKey }
}

const nameOf = (column: Column) => ("own" in column ? column.own : column.meta)

/** A cell as text. Lists of options in userList are unchanged. */
function cellValue(cell: unknown): unknown {
  if (cell === null || cell === undefined) return ""
  return typeof cell === "number" || typeof cell === "boolean" ? String(cell) : cell
}

function setCell(row: UploadRow, column: Column, cell: unknown) {
  if ("own" in column) row.own[column.own] = cellValue(cell)
  else row.metas[column.meta] = cellValue(cell)
}

export interface ParsedUpload {
  rows: UploadRow[]
  /** Unknown headers, whose values are ignored. */
  ignored: string[]
}

export const isBlankCell = (cell: unknown) => {
  const value = cellValue(cell)
  return Array.isArray(value) ? value.length === 0 : typeof value === "string" && value.trim() === ""
}

/** Parses the rows of userList without blank rows. @throws 413 for more than 500 columns, 422 if all are blank */
export function readUserList(userList: Record<string, unknown>[], fields: readonly FieldDefinition[]): ParsedUpload {
  const columns = new Map<string, Column | undefined>()
  const rows = userList.flatMap((entry, i) => {
    if (Object.values(entry).every(isBlankCell)) return []
    const row: UploadRow = { row: i + 1, own: {}, metas: {} }
    for (const [key, cell] of Object.entries(entry)) {
      if (!columns.has(key)) columns.set(key, columnOf(key, fields))
      if (columns.size > MAX_COLUMNS) throw tooLarge(`userList has more than ${MAX_COLUMNS} columns.`)
      const column = columns.get(key)
      if (column) setCell(row, column, cell)
    }
    return [row]
  })
  if (rows.length === 0) throw invalid("userList", "userList must have a row that is not blank.")
  return { rows: markDuplicates(rows), ignored: [...columns].flatMap(([key, column]) => (column ? [] : [key])) }
}

/** The columns of a sheet that only changes users: one of the two. */
const KEY_COLUMNS = ["email", "external_id"]

/** Parses a sheet with a header row. @throws 422 if a column is missing or duplicate */
export function readSheet(
  [header, ...rest]: SheetRow[],
  fields: readonly FieldDefinition[],
  { isUpdate = false } = {},
): ParsedUpload {
  const headers = (header?.cells ?? []).map((cell) => String(cellValue(cell)).trim())
  const columns = headers.map((text) => columnOf(text, fields))
  const names = columns.flatMap((column) => (column ? [nameOf(column)] : []))
  const hasKey = KEY_COLUMNS.some((column) => names.includes(column))
  const needed = isUpdate ? (hasKey ? [] : KEY_COLUMNS) : ["email", "first_name"]
  const missing = needed.filter((column) => !names.includes(column))
  if (missing.length > 0)
    throw invalid("file", `file has no column ${missing.join(" and none ")}. Its first row must name the columns.`)
  const twice = names.find((column, i) => names.indexOf(column) !== i)
  if (twice) throw invalid("file", `file has two columns ${twice}. Keep one.`)

  const rows = rest.map(({ row: number, cells }) => {
    const row: UploadRow = { row: number, own: {}, metas: {} }
    columns.forEach((column, i) => {
      if (column) setCell(row, column, cells[i])
    })
    return row
  })
  return { rows: markDuplicates(rows), ignored: headers.filter((text, i) => text !== "" && !columns[i]) }
}

/** The email address in lower case, for comparisons. */
export const emailKeyOf = (row: UploadRow): string =>
  typeof row.own.email === "string" ? normalizeText(row.own.email.slice(0, MAX_HEADER_LENGTH)).toLowerCase() : ""

/** The external id of a row; `error` if it is invalid. */
export function rowExternalId(row: UploadRow): { value: string | undefined; error?: z.ZodError } {
  if (isBlankCell(row.own.external_id)) return { value: undefined }
  const { data, error } = line(255).safeParse(row.own.external_id)
  return { value: data, ...(error && { error }) }
}

/**
 * Sets `duplicate` of rows with the address or the external id of an earlier one.
 * @throws 413 if the rows have too much text
 */
function markDuplicates(rows: UploadRow[]): UploadRow[] {
  const first = new Map<string, number>()
  let size = 0
  for (const row of rows) {
    size += JSON.stringify(row).length
    if (size > MAX_UPLOAD_LENGTH) throw tooLarge("The rows hold more than 20 MB of text. Split the upload.")
    const { value: externalId } = rowExternalId(row)
    const address = emailKeyOf(row)
    const keys = [
      ...(address === "" ? [] : [`email ${address}`]),
      ...(externalId === undefined ? [] : [`external_id ${externalId}`]),
    ]
    for (const key of keys) {
      const repeats = first.get(key)
      if (repeats === undefined) first.set(key, row.row)
      else row.duplicate ??= { column: key.split(" ")[0] ?? "", row: repeats }
    }
  }
  return rows
}

const withoutBlanks = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlankCell(value)))

const userFields = z.object({
  email: email(),
  first_name: name(),
  last_name: text(100).optional(),
  password: password().optional(),
})

const SPREADSHEET_ERROR = /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!)$/

/** Errors that the schemas do not find: spreadsheet errors, and values above the limit. */
export function invalidValues(row: UploadRow): string[] {
  return Object.entries({ ...row.metas, ...row.own }).flatMap(([column, value]) => {
    if (typeof value === "string" && SPREADSHEET_ERROR.test(value)) return [`${column} holds the error ${value}.`]
    const size = typeof value === "string" ? value.length : JSON.stringify(value).length
    return size > MAX_VALUE_LENGTH ? [`${column} must have ${MAX_VALUE_LENGTH} characters or fewer.`] : []
  })
}

/** The email address of a row, for error reports. */
export const displayEmail = (row: UploadRow): string =>
  typeof row.own.email === "string" ? truncate(normalizeText(row.own.email.slice(0, MAX_HEADER_LENGTH)), 254) : ""

export const hasValidEmail = (row: UploadRow): boolean => userFields.shape.email.safeParse(row.own.email ?? "").success

/** The messages of a row by column. @param invalid errors by column; "" if the error names the columns itself */
export const rowErrors = (invalid: Record<string, z.ZodError | undefined>, metaErrors: FieldErrors): string[] =>
  [
    ...Object.entries(invalid).flatMap(([column, error]) => {
      const messages = error ? Object.values(fieldErrors(error).errors ?? {}).flat() : []
      return messages.map((message) => (column === "" ? message : message.replace(/^body/, column)))
    }),
    ...Object.values(metaErrors).flat(),
  ].map((message) => message.replace(/^customUserMetas\./, ""))

/**
 * Validates a row by the rules for new users.
 * @param refused addresses in lower case that email rules refuse
 * @returns the new user, or all errors
 */
export async function validateRow(
  row: UploadRow,
  fields: readonly FieldDefinition[],
  refused: ReadonlySet<string>,
  assets: Assets,
): Promise<NewUser | string[]> {
  const stray = invalidValues(row)
  if (stray.length > 0) return stray
  const read = userFields.safeParse(withoutBlanks(row.own))
  const { metas, errors } = validateMetas(fields, row.metas, { required: Object.keys(row.metas).length > 0 })
  const externalId = rowExternalId(row)
  const reasons = rowErrors({ "": read.error, external_id: externalId.error }, errors)
  if (refused.has(emailKeyOf(row))) reasons.push(emailRefusedError().message)
  if (!read.success) return reasons
  const { email, first_name: firstName, last_name: lastName = "", password } = read.data
  const weak = password === undefined ? undefined : await weakness(password, { email, firstName, lastName }, assets)
  if (weak) reasons.push(weak)
  return reasons.length > 0 ? reasons : { email, firstName, lastName, password, externalId: externalId.value, metas }
}
