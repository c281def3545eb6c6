import type { ZippedFile } from "../files/zip.ts"
import { type Attributes, childrenOf, readXml, readXmlTree, type XmlElement } from "../text/xml.ts"

// Reads the first sheet of an xlsx row by row, from five parts of the file: the relationships, the workbook, the styles
// (which numbers are dates), the shared strings, and the sheet.

/** The limits of a sheet: more than any list of 5,000 people. */
export interface SheetLimits {
  columns: number
  /** Cells with a value. */
  cells: number
  /** Characters of all values. */
  characters: number
}

/** The workbook exceeds a limit, or cannot be read. */
export class WorkbookError extends Error {
  readonly reason: "unreadable" | "columns" | "cells" | "characters"
  constructor(reason: WorkbookError["reason"]) {
    super(reason)
    this.reason = reason
  }
}

/** A row with its number in the sheet. */
export interface WorkbookRow {
  row: number
  cells: unknown[]
}

/** The ids of built-in number formats for dates and times. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]
/** The limit of spreadsheet programs. */
const MAX_FORMAT_LENGTH = 255

const DAY_MS = 86_400_000
const EPOCH_1900 = Date.UTC(1899, 11, 31)
const EPOCH_1904 = Date.UTC(1904, 0, 1)

/** Converts a serial day number. The 1900 system has a 29 February 1900 (number 60), which did not exist. */
function serialToDate(serial: number, is1904: boolean): Date {
  const days = !is1904 && serial >= 60 ? serial - 1 : serial
  return new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(days * DAY_MS))
}

/** Returns whether a number format such as `yyyy-mm-dd` or `[h]:mm` shows a date or a time. */
function isDateFormat(code: string): boolean {
  const withoutLiterals = code.replace(/\[[$\-\w]*\]|\\.|"[^"]*"|[*_]./g, "")
  const isElapsedTime = /\[(h+|m+|s+)\]/i.test(code)
  return isElapsedTime || /[yd]|m{3}|(?<![a-z])(h{1,2}|s{1,2})(?![a-z])|am\/pm|a\/p/i.test(withoutLiterals)
}

/** Streams the text of a part. */
async function* textOf(part: ZippedFile): AsyncGenerator<string> {
  const { stream, done } = part.unpack()
  yield* stream.pipeThrough(new TextDecoderStream("utf-8", { fatal: true, ignoreBOM: false }))
  await done
}

/** Resolves a relative path such as `../xl/a.xml` against the path of a part. */
function resolvePath(base: string, target: string): string {
  const steps = target.startsWith("/") ? [] : base.split("/").slice(0, -1)
  for (const step of target.split("/")) {
    if (step === "..") steps.pop()
    else if (step !== "" && step !== ".") steps.push(step)
  }
  return steps.join("/")
}

/** The parts of a workbook by their names, which are case-insensitive. */
class Parts {
  private readonly files: ReadonlyMap<string, ZippedFile>

  constructor(files: ZippedFile[]) {
    this.files = new Map(files.map((file) => [resolvePath("", file.name).toLowerCase(), file]))
  }

  find = (name: string): ZippedFile | undefined => this.files.get(name.toLowerCase())

  tree(name: string): Promise<XmlElement> {
    const part = this.find(name)
    if (!part) throw new WorkbookError("unreadable")
    return readXmlTree(textOf(part))
  }

  /** Returns the targets of a part's relationships. */
  async relations(name: string) {
    const at = name.lastIndexOf("/") + 1
    const rels = `${name.slice(0, at)}_rels/${name.slice(at)}.rels`
    const found = this.find(rels) ? childrenOf(await this.tree(rels), "Relationship") : []
    return found.map(({ attributes }) => ({
      id: attributes.get("Id") ?? "",
      type: attributes.get("Type") ?? "",
      target: resolvePath(name, attributes.get("Target") ?? ""),
    }))
  }
}

const ofType = <R extends { type: string }>(relations: R[], type: string): R | undefined =>
  relations.find((relation) => relation.type.endsWith(`/${type}`))

/** Returns the cell styles that show a number as a date. */
async function dateStyles(part: ZippedFile | undefined): Promise<ReadonlySet<number>> {
  const codes = new Map<number, string>()
  const formats: number[] = []
  let inCells = false
  if (part)
    await readXml(textOf(part), {
      open(name, attributes) {
        const format = Number(attributes.get("numFmtId"))
        const code = attributes.get("formatCode") ?? ""
        if (name === "cellXfs") inCells = true
        if (name === "xf" && inCells) formats.push(format)
        if (name === "numFmt" && code.length <= MAX_FORMAT_LENGTH) codes.set(format, code)
      },
      close(name) {
        if (name === "cellXfs") inCells = false
      },
    })
  const isDate = (format: number) => {
    const code = codes.get(format)
    if (code !== undefined) return isDateFormat(code)
    return BUILT_IN_DATES.some(([first = 0, last = 0]) => format >= first && format <= last)
  }
  return new Set(formats.flatMap((format, i) => (isDate(format) ? [i] : [])))
}

/** Decodes characters that XML cannot have, such as `_x000D_`. */
const unescapeText = (text: string) =>
  text.includes("_x")
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/** Collects the text of an `si` or `is` element and its runs, without phonetic hints (`rPh`). */
class RichText {
  text = ""
  private phonetic = 0
  private inside = false

  open(name: string) {
    if (name === "rPh") this.phonetic++
    this.inside = name === "t" && this.phonetic === 0
  }

  close(name: string) {
    if (name === "rPh") this.phonetic--
    this.inside = false
  }

  append(text: string) {
    if (this.inside) this.text += text
  }
}

/** Reads the texts that cells refer to by index. */
async function sharedStrings(part: ZippedFile | undefined, limits: SheetLimits): Promise<string[]> {
  const texts: string[] = []
  if (!part) return texts
  let current: RichText | undefined
  let characters = 0
  await readXml(textOf(part), {
    open(name) {
      if (name === "si") current = new RichText()
      else current?.open(name)
    },
    close(name) {
      current?.close(name)
      if (name !== "si" || !current) return
      characters += current.text.length
      if (texts.length >= limits.cells) throw new WorkbookError("cells")
      if (characters > limits.characters) throw new WorkbookError("characters")
      texts.push(unescapeText(current.text))
      current = undefined
    },
    text: (text) => current?.append(text),
  })
  return texts
}

/** Returns the column of a cell reference, from 0: `AB12` is in column 27. */
function columnOf(reference: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? "") ?? []
  if (letters === undefined) return undefined
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

interface Workbook {
  texts: string[]
  dates: ReadonlySet<number>
  is1904: boolean
}

/** Returns text, a number, a date, a boolean or null. */
function cellValue(attributes: Attributes, raw: string, inline: string, { texts, dates, is1904 }: Workbook): unknown {
  const type = attributes.get("t") ?? "n"
  if (type === "inlineStr") return unescapeText(inline)
  if (raw === "") return null
  if (type === "s") return texts[Number(raw)] ?? null
  if (type === "str") return unescapeText(raw)
  if (type === "b") return raw === "1" || raw.toLowerCase() === "true"
  const number = Number(raw)
  if (type !== "n" || Number.isNaN(number)) return raw
  return dates.has(Number(attributes.get("s"))) ? serialToDate(number, is1904) : number
}

/** Reads the rows of a sheet and enforces the limits. */
class SheetReader {
  /** The row that has just ended. */
  completedRow: WorkbookRow | undefined
  private readonly workbook: Workbook
  private readonly limits: SheetLimits
  private row: WorkbookRow | undefined
  private number = 0
  private column = 0
  private cell: { attributes: Attributes; raw: string; inline: RichText } | undefined
  private inValue = false
  private cells = 0
  private characters = 0

  constructor(workbook: Workbook, limits: SheetLimits) {
    this.workbook = workbook
    this.limits = limits
  }

  open(name: string, attributes: Attributes) {
    if (name === "row") {
      const number = Number(attributes.get("r"))
      this.number = Number.isInteger(number) && number > 0 ? number : this.number + 1
      this.row = { row: this.number, cells: [] }
      this.column = 0
    } else if (name === "c" && this.row) this.cell = { attributes, raw: "", inline: new RichText() }
    else this.cell?.inline.open(name)
    this.inValue = name === "v"
  }

  text(text: string) {
    if (this.inValue && this.cell) this.cell.raw += text
    else this.cell?.inline.append(text)
  }

  close(name: string) {
    this.inValue = false
    if (name === "c" && this.cell) this.put(this.cell)
    else this.cell?.inline.close(name)
    if (name !== "row") return
    this.completedRow = this.row
    this.row = undefined
  }

  private put({ attributes, raw, inline }: NonNullable<SheetReader["cell"]>) {
    const column = columnOf(attributes.get("r")) ?? this.column
    this.column = column + 1
    this.cell = undefined
    const value = cellValue(attributes, raw, inline.text, this.workbook)
    // Empty cells, such as those with only a color, do not count.
    if (value === null || value === "") return
    const { limits } = this
    if (column >= limits.columns) throw new WorkbookError("columns")
    if (++this.cells > limits.cells) throw new WorkbookError("cells")
    this.characters += typeof value === "string" ? value.length : 8
    if (this.characters > limits.characters) throw new WorkbookError("characters")
    const cells = this.row?.cells ?? []
    while (cells.length < column) cells.push(null)
    cells[column] = value
  }
}

/**
 * Reads the rows of a workbook's first sheet in order.
 * @param onRow stops the reading when it throws
 * @throws WorkbookError, XmlRefused, errors of the zip and of `onRow`
 */
export async function readWorkbook(files: ZippedFile[], limits: SheetLimits, onRow: (row: WorkbookRow) => void) {
  const parts = new Parts(files)
  const main = ofType(await parts.relations(""), "officeDocument")?.target
  if (main === undefined) throw new WorkbookError("unreadable")
  const [workbook, relations] = [await parts.tree(main), await parts.relations(main)]
  const [first] = childrenOf(childrenOf(workbook, "sheets")[0], "sheet")
  const sheet = parts.find(relations.find(({ id }) => id !== "" && id === first?.attributes.get("id"))?.target ?? "")
  if (!sheet) throw new WorkbookError("unreadable")
  const is1904 = ["1", "true"].includes(childrenOf(workbook, "workbookPr")[0]?.attributes.get("date1904") ?? "")
  const reader = new SheetReader(
    {
      texts: await sharedStrings(parts.find(ofType(relations, "sharedStrings")?.target ?? ""), limits),
      dates: await dateStyles(parts.find(ofType(relations, "styles")?.target ?? "")),
      is1904,
    },
    limits,
  )
  await readXml(textOf(sheet), {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close(name) {
      reader.close(name)
      if (reader.completedRow) onRow(reader.completedRow)
      reader.completedRow = undefined
    },
  })
}
