import { type Cell, cellText } from "./workbook.ts"

/** A column of a report: its header, and its width in characters. */
export interface ReportColumn {
  header: string
  width: number
}

/** What a cell holds, as the library spells it. Text has the type of text, so that nothing is read as a formula. */
function cellOf(value: Cell) {
  if (value === null || value === "") return null
  if (typeof value === "string")
    return { type: String, value: cellText(value), wrap: true, alignVertical: "top" } as const
  return typeof value === "number"
    ? ({ type: Number, value, alignVertical: "top" } as const)
    : ({ type: Boolean, value, alignVertical: "top" } as const)
}

/**
 * A small styled spreadsheet, made in memory: a bold header that stays in view, text that wraps. For what may be long
 * there is src/lib/workbook.ts.
 * @param name of the sheet, at most 31 characters
 */
export async function reportFile(name: string, columns: ReportColumn[], rows: Cell[][]): Promise<Blob> {
  const head = columns.map(({ header }) => ({
    type: String,
    value: header,
    fontWeight: "bold" as const,
    backgroundColor: "#E8EDF3",
  }))
  // Loaded when a report is asked for, not when the Worker starts.
  const { default: writeExcelFile } = await import("write-excel-file/universal")
  return writeExcelFile([head, ...rows.map((row) => row.map(cellOf))], {
    sheet: name,
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  }).toBlob()
}
