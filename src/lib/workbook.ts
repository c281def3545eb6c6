import { writeXlsxStream } from "hucre/xlsx"

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

/** What a cell holds. Text stays text whatever it looks like, a number is a number. */
export type Cell = string | number | boolean | null

/** A spreadsheet cell holds no more characters. */
const LONGEST = 32_767

/**
 * Text as the format can hold it: no half characters and nothing that XML forbids; a literal `_x0041_`, which readers
 * would take for an escaped character, is escaped itself; what is too long ends with an ellipsis.
 */
export function cellText(text: string): string {
  const whole = text
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, "")
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1).toWellFormed()}…` : whole
}

const toCell = (cell: Cell) => (typeof cell === "string" ? cellText(cell) : cell)

/**
 * An xlsx file as a stream of bytes, its rows pulled as it is read; more than a sheet's 1,048,576 rows go on in
 * another sheet. Text is written as inline strings, which are never formulas.
 * @param name of the sheet, at most 31 characters
 */
export function streamWorkbook(
  name: string,
  headers: string[],
  rows: AsyncIterable<Cell[]>,
): ReadableStream<Uint8Array> {
  async function* cells() {
    for await (const row of rows) yield row.map(toCell)
  }
  const columns = headers.map((header) => ({ header: cellText(header), width: 20 }))
  return writeXlsxStream(cells(), { name, columns, freezePane: { rows: 1 } })
}
