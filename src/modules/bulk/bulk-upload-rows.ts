import { z } from "@hono/zod-openapi"
import { fieldErrors } from "../../http/validation.ts"
import { password, weakness } from "../../lib/crypto/password.ts"
import type { Assets } from "../../lib/crypto/well-known-passwords.ts"
import { invalid, tooLarge } from "../../lib/errors.ts"
import { email, name, text } from "../../lib/input/input.ts"
import type { SheetRow } from "../../lib/spreadsheet/spreadsheet.ts"
import { normalizeText, truncate } from "../../lib/text/text.ts"
import { type FieldDefinition, type FieldValue, validateMetas } from "../users/custom-field-values.ts"
import { emailRefusedError } from "../users/email-rules.queries.ts"

// What an upload says, row by row: whose columns are whose, and what is wrong with a row.

export const OWN_COLUMNS = ["email", "first_name", "last_name", "password"] as const
type OwnColumn = (typeof OWN_COLUMNS)[number]

/** One person as the upload has it, not judged yet. */
export interface Row {
  /** As in the sheet, whose header is row 1; of a userList from 1. */
  row: number
  own: { [K in OwnColumn]?: unknown }
  /** Custom fields' values by their keys. */
  metas: Record<string, unknown>
  /** The row that has the same email address before it. */
  repeats?: number
}

/** A row that can become a user. */
export interface Person {
  email: string
  firstName: string
  lastName: string
  /** undefined: the account begins without one. */
  password: string | undefined
  metas: FieldValue[]
}

/** More than any field takes; what a spreadsheet cell can hold at most. */
const LONGEST_VALUE = 32_767
/** The values of all rows together: the text that is encrypted and stored. */
const LONGEST_UPLOAD = 20_000_000

/** Columns of an upload, known or not. */
const MOST_COLUMNS = 500
/** Characters of a header, and of an email address, that are looked at: either is shorter by far. */
const LONGEST_NAME = 1000

const letters = (header: string) => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

type Column = { own: OwnColumn } | { meta: string }

/** Whose column a header names: a user's own, or a custom field's by its key or else its label; undefined: nobody's. */
function columnOf(text: string, fields: readonly FieldDefinition[]): Column | undefined {
  const header = text.slice(0, LONGEST_NAME)
  const own = OWN_COLUMNS.find((column) => letters(column) === letters(header))
  if (own) return { own }
  const wanted = normalizeText(header).toLowerCase()
  const field =
    fields.find((candidate) => candidate.userMetaKey.toLowerCase() === wanted) ??
    fields.find((candidate) => candidate.label.toLowerCase() === wanted)
  return field && { meta: field.userMetaKey }
}

const nameOf = (column: Column) => ("own" in column ? column.own : column.meta)

/** A cell as text, the way a sheet shows it; a list (of options, in a userList) as it is. */
function cellValue(cell: unknown): unknown {
  if (cell === null || cell === undefined) return ""
  return typeof cell === "number" || typeof cell === "boolean" ? String(cell) : cell
}

function put(row: Row, column: Column, cell: unknown) {
  if ("own" in column) row.own[column.own] = cellValue(cell)
  else row.metas[column.meta] = cellValue(cell)
}

/** What is known of a userList or sheet before its rows are judged. */
export interface Reading {
  rows: Row[]
  /** Headers that are nobody's: their values are passed over. */
  ignored: string[]
}

const isBlank = (cell: unknown) => {
  const value = cellValue(cell)
  return Array.isArray(value) ? value.length === 0 : typeof value === "string" && value.trim() === ""
}

/** The rows of a userList but those that are blank. @throws 413 for more than 500 columns, 422 where all are blank */
export function readUserList(userList: Record<string, unknown>[], fields: readonly FieldDefinition[]): Reading {
  const columns = new Map<string, Column | undefined>()
  const rows = userList.flatMap((entry, i) => {
    if (Object.values(entry).every(isBlank)) return []
    const row: Row = { row: i + 1, own: {}, metas: {} }
    for (const [key, cell] of Object.entries(entry)) {
      if (!columns.has(key)) columns.set(key, columnOf(key, fields))
      if (columns.size > MOST_COLUMNS) throw tooLarge(`userList has more than ${MOST_COLUMNS} columns.`)
      const column = columns.get(key)
      if (column) put(row, column, cell)
    }
    return [row]
  })
  if (rows.length === 0) throw invalid("userList", "userList must have a row that is not blank.")
  return { rows: marked(rows), ignored: [...columns].flatMap(([key, column]) => (column ? [] : [key])) }
}

/** The rows of a sheet, whose first row names its columns. @throws 422 where a column is missing or there twice */
export function readSheet([header, ...rest]: SheetRow[], fields: readonly FieldDefinition[]): Reading {
  const headers = (header?.cells ?? []).map((cell) => String(cellValue(cell)).trim())
  const columns = headers.map((text) => columnOf(text, fields))
  const names = columns.flatMap((column) => (column ? [nameOf(column)] : []))
  const missing = ["email", "first_name"].filter((column) => !names.includes(column))
  if (missing.length > 0)
    throw invalid("file", `file has no column ${missing.join(" and none ")}. Its first row must name the columns.`)
  const twice = names.find((column, i) => names.indexOf(column) !== i)
  if (twice) throw invalid("file", `file has two columns ${twice}. Keep one.`)

  const rows = rest.map(({ row: number, cells }) => {
    const row: Row = { row: number, own: {}, metas: {} }
    columns.forEach((column, i) => {
      if (column) put(row, column, cells[i])
    })
    return row
  })
  return { rows: marked(rows), ignored: headers.filter((text, i) => text !== "" && !columns[i]) }
}

/** An address to compare with: case makes no difference. */
export const addressOf = (row: Row): string =>
  typeof row.own.email === "string" ? normalizeText(row.own.email.slice(0, LONGEST_NAME)).toLowerCase() : ""

/** The rows, each told which earlier one has its address. @throws 413 when they hold too much text */
function marked(rows: Row[]): Row[] {
  const first = new Map<string, number>()
  let size = 0
  for (const row of rows) {
    size += JSON.stringify(row).length
    if (size > LONGEST_UPLOAD) throw tooLarge("The rows hold more than 20 MB of text. Split the upload.")
    const address = addressOf(row)
    const repeats = first.get(address)
    if (address === "") continue
    if (repeats === undefined) first.set(address, row.row)
    else row.repeats = repeats
  }
  return rows
}

/** The values that are there: a blank cell says nothing. */
const filled = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlank(value)))

const own = z.object({
  email: email(),
  first_name: name(),
  last_name: text(100).optional(),
  password: password().optional(),
})

const SPREADSHEET_ERROR = /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!)$/

/** What no field reports by itself: half a formula, or more text than any field takes. */
function strayValues(row: Row): string[] {
  return Object.entries({ ...row.metas, ...row.own }).flatMap(([column, value]) => {
    if (typeof value === "string" && SPREADSHEET_ERROR.test(value)) return [`${column} holds the error ${value}.`]
    const size = typeof value === "string" ? value.length : JSON.stringify(value).length
    return size > LONGEST_VALUE ? [`${column} must have ${LONGEST_VALUE} characters or fewer.`] : []
  })
}

/** What the email column of a row holds, to be shown in an answer. */
export const shownEmail = (row: Row): string =>
  typeof row.own.email === "string" ? truncate(normalizeText(row.own.email.slice(0, LONGEST_NAME)), 254) : ""

/** Is the row's address one at all? Only then can it be a user's who is there already. */
export const hasAddress = (row: Row): boolean => own.shape.email.safeParse(row.own.email ?? "").success

/**
 * Holds a row against the rules of creating a user.
 * @param refused addresses in lower case that may have no account
 * @returns the person, or every reason why it is none
 */
export async function judge(
  row: Row,
  fields: readonly FieldDefinition[],
  refused: ReadonlySet<string>,
  assets: Assets,
): Promise<Person | string[]> {
  const stray = strayValues(row)
  if (stray.length > 0) return stray
  const read = own.safeParse(filled(row.own))
  const { metas, errors } = validateMetas(fields, row.metas, { required: Object.keys(row.metas).length > 0 })
  const messages = Object.values({ ...(read.error && fieldErrors(read.error).errors), ...errors }).flat()
  const reasons = messages.map((message) => message.replace(/^customUserMetas\./, ""))
  if (refused.has(addressOf(row))) reasons.push(emailRefusedError().message)
  if (!read.success) return reasons
  const { email, first_name: firstName, last_name: lastName = "", password } = read.data
  const weak = password === undefined ? undefined : await weakness(password, { email, firstName, lastName }, assets)
  if (weak) reasons.push(weak)
  return reasons.length > 0 ? reasons : { email, firstName, lastName, password, metas }
}
