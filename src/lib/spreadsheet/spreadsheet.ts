import { ApiError, invalid, tooLarge, unsupported } from "../errors.ts"
import { encodingOfBom, hasSignature } from "../files/file-kinds.ts"
import { openZip } from "../files/zip.ts"
import { decodedText } from "../text/encoding.ts"
import { XmlRefused } from "../text/xml.ts"
import { CsvError, csvRows } from "./csv.ts"
import { readWorkbook, WorkbookError, type WorkbookRow } from "./xlsx.ts"

/** A row with its number in the sheet. Rows without values are left out. */
export type SheetRow = WorkbookRow

/** Limits of an xlsx: far more than a list of 5,000 people needs, far less than the memory of an isolate. */
const ZIP_LIMITS = { field: "file", entries: 1000, unpacked: 60_000_000 }
const MAX_COLUMNS = 500
/** Characters of all values, and of one value in a csv. */
const MAX_CHARACTERS = 10_000_000
const MAX_VALUE_CHARACTERS = 100_000
const LIMITS = { columns: MAX_COLUMNS, cells: 300_000, characters: MAX_CHARACTERS }

/** Rows of a csv between two pauses for other requests. */
const ROWS_PER_TURN = 50_000

const NOT_A_SHEET = "file must be a spreadsheet: xlsx or csv, judged by its content."
const LIMIT_MESSAGES = {
  columns: `The file has more than ${MAX_COLUMNS} columns. Remove those that are not needed.`,
  cells: `The file has more than ${LIMITS.cells} values. Split it.`,
  characters: `The file has more than ${MAX_CHARACTERS / 1_000_000} MB of text. Split it.`,
}

const isBlank = (cell: unknown) => cell === null || cell === undefined || String(cell).trim() === ""

/**
 * Reads the first sheet of an xlsx, or a csv with commas, semicolons or tabs, detected from the content.
 * @throws 415 for other files, 413 for more than `maxRows` rows below the header or above the limits, 422 when there
 * are no rows
 */
export async function readSpreadsheet(bytes: Uint8Array, maxRows: number): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  const addRow = ({ row, cells }: SheetRow) => {
    if (cells.every(isBlank)) return
    if (rows.length > maxRows) throw tooLarge(`The file has more than ${maxRows} rows. Split it.`)
    rows.push({ row, cells: cells.map(formatDate) })
  }
  try {
    if (hasSignature(bytes, "zip")) await readWorkbook(await openZip(bytes, ZIP_LIMITS), LIMITS, addRow)
    else await readCsv(bytes, addRow)
  } catch (error) {
    throw toApiError(error)
  }
  if (rows.length < 2) throw invalid("file", "file must have a row of headers and a row for each user.")
  return rows
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof WorkbookError && error.reason !== "unreadable") return tooLarge(LIMIT_MESSAGES[error.reason])
  if (error instanceof XmlRefused && error.reason === "too large")
    return tooLarge("The file has more content than a list of users needs. Save it again as xlsx or csv.")
  if (error instanceof CsvError) {
    if (error.reason === "too many columns") return tooLarge(LIMIT_MESSAGES.columns)
    if (error.reason === "too long a value")
      return tooLarge(`Row ${error.row} has a value of more than ${MAX_VALUE_CHARACTERS} characters.`)
    return invalid("file", `file has a quotation mark in row ${error.row} that is never closed.`)
  }
  console.warn(JSON.stringify({ event: "spreadsheet refused", error: String(error) }))
  return unsupported(NOT_A_SHEET)
}

/** Formats a day as a date, and a day with a time of day as ISO 8601 in UTC. */
function formatDate(cell: unknown): unknown {
  if (!(cell instanceof Date) || Number.isNaN(cell.getTime())) return cell
  const text = cell.toISOString()
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text
}

async function readCsv(bytes: Uint8Array, onRow: (row: SheetRow) => void): Promise<void> {
  const text = decodeCsv(bytes)
  // Spreadsheet programs read the delimiter from a first line `sep=;`, and do not show it.
  const [hint = "", delimiter] = /^\ufeff?sep=([,;\t|])\r?\n/i.exec(text) ?? []
  let row = 0
  for (const cells of csvRows(
    text.slice(hint.length),
    { columns: MAX_COLUMNS, value: MAX_VALUE_CHARACTERS },
    delimiter,
  )) {
    onRow({ row: ++row, cells })
    if (row % ROWS_PER_TURN === 0) await scheduler.wait(0)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\u0000-\u0008\u000e-\u001f]/

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark.
 * @throws 415 for binary files, 422 for other encodings: guessing the encoding could corrupt names
 */
function decodeCsv(bytes: Uint8Array): string {
  const encoding = encodingOfBom(bytes)
  const text = decodedText(bytes, encoding)
  const content = text ?? (encoding ? "" : Buffer.from(bytes).toString("latin1"))
  if (BINARY.test(content) || /^\ufeff?\s*(<|\{|\[|%PDF|%!PS)/.test(content)) throw unsupported(NOT_A_SHEET)
  if (text === undefined)
    throw invalid("file", "file is not UTF-8. Save it as CSV UTF-8, or as xlsx, and send it again.")
  return text
}
