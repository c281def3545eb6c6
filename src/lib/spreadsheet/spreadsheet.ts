import { ApiError, invalid, tooLarge, unsupported } from "../errors.ts"
import { beginsAs, markedEncoding } from "../files/file-kinds.ts"
import { openZip } from "../files/zip.ts"
import { decodedText } from "../text/encoding.ts"
import { XmlRefused } from "../text/xml.ts"
import { CsvRefused, csvRows } from "./csv.ts"
import { readWorkbook, WorkbookRefused, type WorkbookRow } from "./xlsx.ts"

/** A sheet's rows with their numbers as the sheet shows them; rows without any value are left out. */
export type SheetRow = WorkbookRow

/** What an xlsx may hold: far more than a list of 5,000 people takes, far less than the memory can hold. */
const ZIP = { field: "file", entries: 1000, unpacked: 60_000_000 }
const COLUMNS = 500
/** Characters of all values, and of one in a csv: of a longer one its row's message tells. */
const CHARACTERS = 10_000_000
const VALUE = 100_000
const LIMITS = { columns: COLUMNS, cells: 300_000, characters: CHARACTERS }

/** Rows of a csv, most of them blank, after which whoever else waits for the same thread has a turn. */
const TURN = 50_000

const NOT_A_SHEET = "file must be a spreadsheet: xlsx or csv, judged by its content."
const TOO_MUCH = {
  columns: `The file has more than ${COLUMNS} columns. Remove those that are not needed.`,
  cells: `The file has more than ${LIMITS.cells} values. Split it.`,
  characters: `The file holds more than ${CHARACTERS / 1_000_000} MB of text. Split it.`,
}

const isBlank = (cell: unknown) => cell === null || cell === undefined || String(cell).trim() === ""

/**
 * Reads the first sheet of an xlsx, or a csv with commas, semicolons or tabs: which of them it is, the content says.
 * @throws 415 for what is neither, 413 for more than `maxRows` rows below the header and for more than the limits,
 * 422 for no row at all
 */
export async function readSpreadsheet(bytes: Uint8Array, maxRows: number): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  const take = ({ row, cells }: SheetRow) => {
    if (cells.every(isBlank)) return
    if (rows.length > maxRows) throw tooLarge(`The file has more than ${maxRows} rows. Split it.`)
    rows.push({ row, cells: cells.map(dated) })
  }
  try {
    if (beginsAs(bytes, "zip")) await readWorkbook(await openZip(bytes, ZIP), LIMITS, take)
    else await readCsv(bytes, take)
  } catch (error) {
    throw refusal(error)
  }
  if (rows.length < 2) throw invalid("file", "file must have a row of headers and a row for each user.")
  return rows
}

/** Why a file is refused, to the one who sent it. */
function refusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof WorkbookRefused && error.reason !== "unreadable") return tooLarge(TOO_MUCH[error.reason])
  if (error instanceof XmlRefused && error.reason === "too large")
    return tooLarge("The file holds more than a sheet of people does. Save it anew, as xlsx or csv.")
  if (error instanceof CsvRefused) {
    if (error.reason === "too many columns") return tooLarge(TOO_MUCH.columns)
    if (error.reason === "too long a value")
      return tooLarge(`Row ${error.row} has a value of more than ${VALUE} characters.`)
    return invalid("file", `file has a quotation mark in row ${error.row} that is never closed.`)
  }
  console.warn(JSON.stringify({ event: "spreadsheet refused", error: String(error) }))
  return unsupported(NOT_A_SHEET)
}

/** A day is a date; a day with a time of day is ISO 8601 in UTC, as the sheet shows it. */
function dated(cell: unknown): unknown {
  if (!(cell instanceof Date) || Number.isNaN(cell.getTime())) return cell
  const text = cell.toISOString()
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text
}

async function readCsv(bytes: Uint8Array, take: (row: SheetRow) => void): Promise<void> {
  const text = decoded(bytes)
  // A first line `sep=;` names the delimiter to spreadsheet programs, which do not show it as a row.
  const [hint = "", delimiter] = /^\ufeff?sep=([,;\t|])\r?\n/i.exec(text) ?? []
  let row = 0
  for (const cells of csvRows(text.slice(hint.length), { columns: COLUMNS, value: VALUE }, delimiter)) {
    take({ row: ++row, cells })
    if (row % TURN === 0) await scheduler.wait(0)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these, other files have
const BINARY = /[\u0000-\u0008\u000e-\u001f]/

/**
 * A csv's text: UTF-8, or UTF-16 with its mark.
 * @throws 415 for no text, 422 for another encoding, which, were it guessed, would damage names
 */
function decoded(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes)
  const text = decodedText(bytes, marked)
  const shown = text ?? (marked ? "" : Buffer.from(bytes).toString("latin1"))
  if (BINARY.test(shown) || /^\ufeff?\s*(<|\{|\[|%PDF|%!PS)/.test(shown)) throw unsupported(NOT_A_SHEET)
  if (text === undefined)
    throw invalid("file", "file is not UTF-8. Save it as CSV UTF-8, or as xlsx, and send it again.")
  return text
}
