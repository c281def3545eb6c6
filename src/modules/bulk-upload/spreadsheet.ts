import { parseCsv } from "hucre/csv"
import { streamXlsxRows } from "hucre/xlsx"
import { invalid, tooLarge, unsupported } from "../../lib/errors.ts"

/** A sheet's rows with their numbers as the sheet shows them; rows without any value are left out. */
export interface SheetRow {
  row: number
  cells: unknown[]
}

/** What the parts of an xlsx may unpack to, all told: far more than 5,000 people take, far less than memory. */
const UNPACKED_BYTES = 60_000_000
const DIRECTORY_ENTRY = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const NOT_A_SHEET = "file must be a spreadsheet: xlsx or csv, judged by its content."

const startsWith = (bytes: Uint8Array, ...head: number[]) => head.every((byte, i) => bytes[i] === byte)

/**
 * Reads the first sheet of an xlsx, or a csv with commas, semicolons or tabs: which of them it is, the content says.
 * @throws 415 for what is neither, 413 for more than `maxRows` rows below the header, 422 for no row at all
 */
export async function readSpreadsheet(bytes: Uint8Array, maxRows: number): Promise<SheetRow[]> {
  const isZip = startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)
  const rows: SheetRow[] = []
  for await (const row of isZip ? xlsxRows(bytes) : csvRows(bytes)) {
    if (row.cells.every((cell) => cell === null || cell === undefined || String(cell).trim() === "")) continue
    if (rows.length > maxRows) throw tooLarge(`The file has more than ${maxRows} rows. Split it.`)
    rows.push(row)
  }
  if (rows.length < 2) throw invalid("file", "file must have a row of headers and a row for each user.")
  return rows
}

async function* xlsxRows(bytes: Uint8Array): AsyncGenerator<SheetRow> {
  if (unpackedSize(bytes) > UNPACKED_BYTES) throw tooLarge("The file unpacks to more than 60 MB.")
  try {
    for await (const { index, values } of streamXlsxRows(bytes)) yield { row: index + 1, cells: values.map(dated) }
  } catch (error) {
    console.warn(JSON.stringify({ event: "spreadsheet refused", error: String(error) }))
    throw unsupported(NOT_A_SHEET)
  }
}

/**
 * What the archive's directory says that its parts unpack to; the reader holds each part to that.
 * @returns Infinity for a directory that cannot be read or says nothing of a part
 */
function unpackedSize(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== END_OF_DIRECTORY) end--
  if (end < 0) throw unsupported(NOT_A_SHEET)
  let size = 0
  let at = view.getUint32(end + 16, true)
  for (let entry = view.getUint16(end + 10, true); entry > 0; entry--) {
    if (at + 46 > end || view.getUint32(at, true) !== DIRECTORY_ENTRY) return Number.POSITIVE_INFINITY
    const [packed, unpacked] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    size += unpacked === 0 && packed > 2 ? Number.POSITIVE_INFINITY : unpacked
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return size
}

/** A day is a date; a day with a time of day is ISO 8601 in UTC, as the sheet shows it. */
function dated(cell: unknown): unknown {
  if (!(cell instanceof Date) || Number.isNaN(cell.getTime())) return cell
  const text = cell.toISOString()
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text
}

function* csvRows(bytes: Uint8Array): Generator<SheetRow> {
  const text = decoded(bytes)
  // A first line `sep=;` names the delimiter to spreadsheet programs, which do not show it as a row.
  const [hint = "", delimiter] = /^\ufeff?sep=([,;\t|])\r?\n/i.exec(text) ?? []
  const rows = parseCsv(text.slice(hint.length), delimiter === undefined ? {} : { delimiter })
  for (const [i, cells] of rows.entries()) yield { row: i + 1, cells }
}

/** A csv's text: UTF-8, UTF-16 with its mark, or what older spreadsheet programs write. @throws 415 for what is no text */
function decoded(bytes: Uint8Array): string {
  const text = decode(bytes)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these, other files have
  const binary = /[\u0000-\u0008\u000e-\u001f]/.test(text)
  if (binary || /^\ufeff?\s*(<|\{|\[|%PDF|%!PS)/.test(text)) throw unsupported(NOT_A_SHEET)
  return text
}

function decode(bytes: Uint8Array): string {
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes)
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}
