import writeExcelFile from "write-excel-file/universal"
import { openZip } from "../files/zip.ts"
import { type ArchiveFile, writeZip, type ZipProgress } from "../files/zip-writer.ts"

// Writes an xlsx file row by row: write-excel-file makes the workbook and its styles, the rows are streamed into its
// sheet (docs/adr/0013).

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

/** The value of a cell. Text is never parsed as a number, a date or a formula. */
export type Cell = string | number | boolean | null

/** A column of a sheet: its header, and its width in characters. */
export interface Column {
  header: string
  width?: number
  /** Long text wraps within the cell. */
  wraps?: boolean
}

const MAX_CELL_CHARACTERS = 32_767
/** Rows of a sheet with its header, and characters of its XML: a file in a zip archive is smaller than 4 GiB. */
const MAX_ROWS = 1_048_576
const MAX_CHARACTERS = 1_200_000_000
/** Characters that are compressed at once; other requests run in between. */
const CHUNK = 128 * 1024

const HEADER_STYLE = { fontWeight: "bold", backgroundColor: "#E8EDF3" } as const
const WRAPPED_STYLE = { wrap: true, alignVertical: "top" } as const
const FONT = { fontFamily: "Calibri", fontSize: 11 }

/** Matches text that needs escaping: XML syntax, control characters, lone surrogates, `_x0041_`, outer spaces. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NEEDS_ESCAPING = /[&<>\u0000-\u001f\ud800-\udfff\ufffe\uffff]|_[xX]|^ | $/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
const ESCAPED = /[&<>\u0000-\u0008\u000b-\u001f]/g
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

const hex = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")
const escapeXml = (text: string) => text.replace(ESCAPED, (character) => ENTITIES[character] ?? `_x${hex(character)}_`)

/**
 * Removes what the format cannot store, and shortens long text. A literal `_x0041_`, which readers would decode, is
 * escaped.
 */
function normalizeCellText(text: string): string {
  const normalized = text
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, "")
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
  if (normalized.length <= MAX_CELL_CHARACTERS) return normalized
  return `${normalized.slice(0, MAX_CELL_CHARACTERS - 1).toWellFormed()}…`
}

/** Inline strings are never formulas, and need no table of shared strings. */
function textXml(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS && !NEEDS_ESCAPING.test(text)) return `<t>${text}</t>`
  return `<t xml:space="preserve">${escapeXml(normalizeCellText(text))}</t>`
}

/** `A` to `Z`, `AA` …: the name of a column. @param at from 0 */
const columnName = (at: number): string =>
  (at < 26 ? "" : columnName(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

/** The parts of a cell's start tag before and after the row number. */
interface CellTag {
  column: string
  /** The style attribute, or nothing. */
  style: string
}

/** @param at the row's number, from 1 */
function rowXml(at: number, cells: readonly Cell[], tags: readonly CellTag[]): string {
  let xml = `<row r="${at}">`
  let i = 0
  for (const cell of cells) {
    const { column, style } = tags[i] ?? { column: columnName(i), style: "" }
    i++
    const tag = `<c r="${column}${at}"${style}`
    if (typeof cell === "string") xml += `${tag} t="inlineStr"><is>${textXml(cell)}</is></c>`
    else if (typeof cell === "boolean") xml += `${tag} t="b"><v>${cell ? 1 : 0}</v></c>`
    else if (cell !== null && Number.isFinite(cell)) xml += `${tag}><v>${cell}</v></c>`
    else if (style) xml += `${tag}/>`
  }
  return `${xml}</row>`
}

const SHEETS = "xl/worksheets/sheet"
const sheetPath = (number: number) => `${SHEETS}${number}.xml`

/** A workbook without rows. */
interface Frame {
  /** The XML of its last sheet before and after the rows. */
  head: string
  tail: string
  /** The style attributes of header cells and of cells that wrap. */
  headerStyle: string
  wrappedStyle: string
  /** All parts but the sheets. */
  parts: ArchiveFile[]
}

/** @param name of the first sheet, at most 31 characters; the next are `name_2` … */
async function workbookFrame(name: string, sheetCount: number, columns: Column[]): Promise<Frame> {
  const nameOf = (number: number) => {
    const suffix = number === 1 ? "" : `_${number}`
    return name.slice(0, 31 - suffix.length) + suffix
  }
  const sheets = Array.from({ length: sheetCount }, (_, i) => ({
    sheet: nameOf(i + 1),
    // A row for each style: the streamed rows replace them.
    data: [[{ ...HEADER_STYLE }], [{ ...WRAPPED_STYLE }]],
    columns: columns.map(({ width = 20 }) => ({ width })),
    stickyRowsCount: 1,
  }))
  const workbook = await (await writeExcelFile(sheets, FONT).toBlob()).arrayBuffer()
  const limits = { field: "workbook", entries: 10 + 2 * sheetCount, unpacked: 100_000_000 }
  const files = await openZip(new Uint8Array(workbook), limits)
  const textOf = (path: string) => new Response(files.find((file) => file.name === path)?.unpack().stream).text()
  const [head = "", rows = "", tail = ""] = (await textOf(sheetPath(sheetCount))).split(
    /(?<=<sheetData>)(.*)(?=<\/sheetData>)/s,
  )
  const [headerStyle = "", wrappedStyle = ""] = rows.match(/ s="\d+"/g) ?? []
  const parts = files.flatMap(({ name: path }) => (path.startsWith(SHEETS) ? [] : [path]))
  return {
    head,
    tail,
    headerStyle,
    wrappedStyle,
    parts: await Promise.all(parts.map(async (path) => ({ path, pieces: [await textOf(path)] }))),
  }
}

/**
 * Returns the files of the archive. The XML of a sheet is made while it is read.
 * @param written how many sheets the archive has already
 * @param isLast asked after the rows: false leaves out the parts that complete the workbook
 */
async function* workbookFiles(
  name: string,
  columns: Column[],
  rows: AsyncIterable<Cell[]>,
  { written = 0, isLast = () => true }: { written?: number; isLast?: () => boolean } = {},
): AsyncGenerator<ArchiveFile, void, void> {
  const source = rows[Symbol.asyncIterator]()
  let next = await source.next()
  async function* sheetXml({ head, tail, headerStyle, wrappedStyle }: Frame): AsyncGenerator<string> {
    const headers = columns.map(({ header }) => header)
    const headerTags = columns.map((_, i) => ({ column: columnName(i), style: headerStyle }))
    const tags = columns.map(({ wraps }, i) => ({ column: columnName(i), style: wraps ? wrappedStyle : "" }))
    let xml = head + rowXml(1, headers, headerTags)
    let characters = 0
    for (let at = 2; at <= MAX_ROWS && characters < MAX_CHARACTERS && !next.done; at++) {
      xml += rowXml(at, next.value, tags)
      if (xml.length >= CHUNK) {
        yield xml
        characters += xml.length
        xml = ""
        await scheduler.wait(0)
      }
      next = await source.next()
    }
    yield xml + tail
  }
  try {
    let sheets = written
    let frame: Frame | undefined
    while (!next.done || sheets === 0) {
      frame = await workbookFrame(name, ++sheets, columns)
      yield { path: sheetPath(sheets), pieces: sheetXml(frame) }
    }
    if (isLast()) yield* (frame ?? (await workbookFrame(name, sheets, columns))).parts
  } finally {
    await source.return?.()
  }
}

/**
 * Returns the bytes of an xlsx file, or of its next sheets: another invocation can continue with a new sheet.
 * @param zip the state of the archive, which is updated
 * @param isLast asked after the rows: false leaves the file open for further sheets
 */
export function workbookBytes(
  name: string,
  columns: Column[],
  rows: AsyncIterable<Cell[]>,
  zip: ZipProgress,
  isLast: () => boolean,
): AsyncGenerator<Uint8Array> {
  const written = zip.entries.filter(({ path }) => path.startsWith(SHEETS)).length
  return writeZip(workbookFiles(name, columns, rows, { written, isLast }), zip, isLast)
}

/**
 * Streams an xlsx file with a bold, frozen header. Rows are made no faster than the client reads. Rows beyond the limit
 * of a sheet continue in another sheet.
 * @param name of the sheet, at most 31 characters
 */
export function streamWorkbook(
  name: string,
  columns: Column[],
  rows: AsyncIterable<Cell[]>,
): ReadableStream<Uint8Array> {
  const bytes = writeZip(workbookFiles(name, columns, rows))
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await bytes.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => {
        await bytes.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
