import { type CellStyle, type ColumnDef, writeXlsxStream } from "hucre/xlsx"

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

/** What a cell holds. Text stays text whatever it looks like, a number is a number. */
export type Cell = string | number | boolean | null

/** A column of a sheet: its header, and its width in characters. */
export interface Column {
  header: string
  width?: number
  /** Long text goes on in the cell's next line. */
  wraps?: boolean
}

/** A spreadsheet cell holds no more characters. */
const LONGEST = 32_767
/** How many rows are written before whoever else waits for the same thread has a turn: a poll, another client. */
const SLICE = 250

/**
 * Text as the format can hold it: no half characters and nothing that XML forbids; a literal `_x0041_`, which readers
 * would take for an escaped character, is escaped itself; what is too long ends with an ellipsis.
 */
function cellText(text: string): string {
  const whole = text
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, "")
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1).toWellFormed()}…` : whole
}

const toCell = (cell: Cell) => (typeof cell === "string" ? cellText(cell) : cell)

const HEADER: CellStyle = {
  font: { bold: true },
  fill: { type: "pattern", pattern: "solid", fgColor: { rgb: "E8EDF3" } },
}
const WRAPPED: CellStyle = { alignment: { wrapText: true, vertical: "top" } }

function setBodyStyles(described: ColumnDef[], columns: Column[]) {
  for (const [i, column] of described.entries()) {
    if (columns[i]?.wraps) column.style = WRAPPED
    else delete column.style
  }
}

/**
 * An xlsx file as a stream of bytes with a bold header that stays in view. Its rows are pulled no faster than the bytes
 * are read, so that neither pile up; more than a sheet's 1,048,576 rows go on in another sheet. Text is written as
 * inline strings, which are never formulas.
 * @param name of the sheet, at most 31 characters
 */
export function streamWorkbook(
  name: string,
  columns: Column[],
  rows: AsyncIterable<Cell[]>,
): ReadableStream<Uint8Array> {
  const described: ColumnDef[] = columns.map(({ header, width = 20 }) => ({
    header: cellText(header),
    width,
    style: HEADER,
  }))
  const demand = new Demand()
  async function* cells() {
    let count = 0
    for await (const row of rows) {
      // The library asks for a column's style with each row; the header was the first.
      if (count === 0) setBodyStyles(described, columns)
      if (count++ % SLICE === 0) {
        await scheduler.wait(0)
        await demand.met()
      }
      yield row.map(toCell)
    }
  }
  return demand.of(writeXlsxStream(cells(), { name, columns: described, freezePane: { rows: 1 } }))
}

/** Tells who makes a stream's bytes when somebody waits for them: a compressor in between would take all there is. */
class Demand {
  private waiting = false
  private wake = () => {}

  /** Resolves when a reader waits for bytes. */
  met(): Promise<void> {
    if (this.waiting) return Promise.resolve()
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }

  /** The same bytes, whose readers are known of. */
  of(bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = bytes.getReader()
    return new ReadableStream(
      {
        pull: async (controller) => {
          this.waiting = true
          this.wake()
          const { done, value } = await reader.read()
          this.waiting = false
          if (done) controller.close()
          else controller.enqueue(value)
        },
        cancel: (reason) => {
          this.waiting = true
          this.wake()
          return reader.cancel(reason)
        },
      },
      { highWaterMark: 0 },
    )
  }
}
