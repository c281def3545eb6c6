import { type ArchiveFile, type ZipProgress, zipped } from "../files/zip-writer.ts"

// Writes an xlsx file row by row. Own code, because a library's cost three times the CPU.

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
/** A sheet has no more rows, its header included; and no more of them than a file in a zip archive has bytes. */
const MOST_ROWS = 1_048_576
const MOST_CHARACTERS = 1_200_000_000
/** Characters that are compressed at once. Whoever else waits for the same thread then has a turn. */
const PIECE = 128 * 1024

/** The styles of cells, by their place in STYLES. */
const PLAIN = ""
const HEADER = ' s="1"'
const WRAPPED = ' s="2"'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const PACKAGE = "http://schemas.openxmlformats.org/package/2006"
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const STYLES = `${XML}<styleSheet xmlns="${MAIN}">
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>
<fill><patternFill patternType="solid"><fgColor rgb="FFE8EDF3"/></patternFill></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/>
<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/>
</xf></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`

/** What most texts have none of: what XML or the format escapes, half characters, blanks at an end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNUSUAL = /[&<>\u0000-\u001f\ud800-\udfff\ufffe\uffff]|_[xX]|^ | $/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
const ESCAPED = /[&<>\u0000-\u0008\u000b-\u001f]/g
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

const hex = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")
const escaped = (text: string) => text.replace(ESCAPED, (character) => ENTITIES[character] ?? `_x${hex(character)}_`)

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

/** The element of a text. */
function textXml(text: string): string {
  if (text.length <= LONGEST && !UNUSUAL.test(text)) return `<t>${text}</t>`
  return `<t xml:space="preserve">${escaped(cellText(text))}</t>`
}

/** `A` to `Z`, `AA` …: how a sheet calls its columns. @param at from 0 */
const letters = (at: number): string =>
  (at < 26 ? "" : letters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

/** What stands before a cell's reference, and what after: its column's letters; its style. */
interface Place {
  column: string
  style: string
}

/** @param at the row's number, from 1 */
function rowXml(at: number, cells: readonly Cell[], places: readonly Place[]): string {
  let xml = `<row r="${at}">`
  let i = 0
  for (const cell of cells) {
    const { column, style } = places[i] ?? { column: letters(i), style: PLAIN }
    i++
    const place = `<c r="${column}${at}"${style}`
    if (typeof cell === "string") xml += `${place} t="inlineStr"><is>${textXml(cell)}</is></c>`
    else if (typeof cell === "boolean") xml += `${place} t="b"><v>${cell ? 1 : 0}</v></c>`
    else if (cell !== null && Number.isFinite(cell)) xml += `${place}><v>${cell}</v></c>`
    else if (style) xml += `${place}/>`
  }
  return `${xml}</row>`
}

const relation = (id: number, type: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
const relations = (...all: string[]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join("")}</Relationships>`

/** What ties the sheets together. @param name of the first; the next are `name_2` … */
function frame(name: string, sheets: number): ArchiveFile[] {
  const numbers = Array.from({ length: sheets }, (_, i) => i + 1)
  const nameOf = (n: number) => (n === 1 ? name : `${name.slice(0, 31 - `_${n}`.length)}_${n}`)
  const part = (path: string, type: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${TYPE}.${type}+xml"/>`
  return [
    { path: "xl/styles.xml", pieces: [STYLES] },
    {
      path: "xl/workbook.xml",
      pieces: [
        `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>`,
        ...numbers.map((n) => `<sheet name="${escaped(nameOf(n))}" sheetId="${n}" r:id="rId${n}"/>`),
        "</sheets></workbook>",
      ],
    },
    {
      path: "xl/_rels/workbook.xml.rels",
      pieces: [
        relations(
          ...numbers.map((n) => relation(n, "worksheet", `worksheets/sheet${n}.xml`)),
          relation(sheets + 1, "styles", "styles.xml"),
        ),
      ],
    },
    { path: "_rels/.rels", pieces: [relations(relation(1, "officeDocument", "xl/workbook.xml"))] },
    {
      path: "[Content_Types].xml",
      pieces: [
        `${XML}<Types xmlns="${PACKAGE}/content-types">`,
        `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
        `<Default Extension="xml" ContentType="application/xml"/>`,
        part("workbook", "sheet.main"),
        ...numbers.map((n) => part(`worksheets/sheet${n}`, "worksheet")),
        part("styles", "styles"),
        "</Types>",
      ],
    },
  ]
}

/** The path of a sheet in the file. */
const sheetPath = (n: number) => `xl/worksheets/sheet${n}.xml`

/**
 * The file's parts. A sheet's text is made while it is read, in turn.
 * @param written how many sheets the file has already
 * @param isLast asked after the rows: false leaves out what ties the sheets together
 */
async function* partsOf(
  name: string,
  columns: Column[],
  rows: AsyncIterable<Cell[]>,
  { written = 0, isLast = () => true }: { written?: number; isLast?: () => boolean } = {},
): AsyncGenerator<ArchiveFile, void, void> {
  const headers = columns.map(({ header }) => header)
  const headerPlaces = columns.map((_, i) => ({ column: letters(i), style: HEADER }))
  const places = columns.map(({ wraps }, i) => ({ column: letters(i), style: wraps ? WRAPPED : PLAIN }))
  const widths = columns.map(
    ({ width = 20 }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  )
  const source = rows[Symbol.asyncIterator]()
  let next = await source.next()
  async function* sheet(): AsyncGenerator<string> {
    let xml = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">`
    xml += `<pane ySplit="1" topLeftCell="A2" state="frozen" activePane="bottomLeft"/></sheetView></sheetViews>`
    xml += `<sheetFormatPr defaultRowHeight="15"/>${widths.length > 0 ? `<cols>${widths.join("")}</cols>` : ""}`
    xml += `<sheetData>${rowXml(1, headers, headerPlaces)}`
    let characters = 0
    for (let at = 2; at <= MOST_ROWS && characters < MOST_CHARACTERS && !next.done; at++) {
      xml += rowXml(at, next.value, places)
      if (xml.length >= PIECE) {
        yield xml
        characters += xml.length
        xml = ""
        await scheduler.wait(0)
      }
      next = await source.next()
    }
    yield `${xml}</sheetData></worksheet>`
  }
  try {
    let sheets = written
    while (!next.done || sheets === 0) yield { path: sheetPath(++sheets), pieces: sheet() }
    if (isLast()) yield* frame(name, sheets)
  } finally {
    await source.return?.()
  }
}

/**
 * An xlsx file, or the next sheets of one: rows end a sheet, and another invocation goes on with the next.
 * @param zip where the file is; moved on with each part
 * @param isLast asked after the rows: false leaves the file open, for further sheets
 */
export function workbookBytes(
  name: string,
  columns: Column[],
  rows: AsyncIterable<Cell[]>,
  zip: ZipProgress,
  isLast: () => boolean,
): AsyncGenerator<Uint8Array> {
  const written = zip.entries.filter(({ path }) => path.startsWith("xl/worksheets/")).length
  return zipped(partsOf(name, columns, rows, { written, isLast }), zip, isLast)
}

/**
 * An xlsx file as a stream of bytes with a bold header that stays in view. Its rows are made no faster than the bytes
 * are read, so that neither pile up; more than a sheet's 1,048,576 rows go on in another sheet. Text is written as
 * inline strings, which are never formulas.
 * @param name of the sheet, at most 31 characters
 */
export function streamWorkbook(
  name: string,
  columns: Column[],
  rows: AsyncIterable<Cell[]>,
): ReadableStream<Uint8Array> {
  const bytes = zipped(partsOf(name, columns, rows))
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
