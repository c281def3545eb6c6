import { isDateFormat, serialToDate } from "hucre"
import type { ZippedFile } from "../files/zip.ts"
import { type Attributes, childrenOf, readXml, readXmlTree, type XmlElement } from "../text/xml.ts"

// The first sheet of an xlsx, row by row. Of a workbook's many parts this reads the five that tell it: the
// relationships, the workbook, its styles (which numbers are dates), its shared texts, and the sheet.

/** What a sheet may hold, beside its bytes: more than any list of 5,000 people. */
export interface SheetLimits {
  columns: number
  /** Cells with a value. */
  cells: number
  /** Characters of all values. */
  characters: number
}

/** Why a workbook is refused: more than its limits, or none that can be read. */
export class WorkbookRefused extends Error {
  readonly reason: "unreadable" | "columns" | "cells" | "characters"
  constructor(reason: WorkbookRefused["reason"]) {
    super(reason)
    this.reason = reason
  }
}

/** A row's number as the sheet shows it, and its values. */
export interface WorkbookRow {
  row: number
  cells: unknown[]
}

/** Number formats of every workbook that show a date or a time. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]
/** A format's code is no longer in any program. */
const LONGEST_FORMAT = 255

/** A part's text as it is unpacked. Left early, nothing more of it is. */
async function* textOf(part: ZippedFile): AsyncGenerator<string> {
  const { stream, done } = part.unpack()
  yield* stream.pipeThrough(new TextDecoderStream("utf-8", { fatal: true, ignoreBOM: false }))
  await done
}

/** `../xl/a.xml` beside `xl/workbook.xml`, as zips name it. */
function within(base: string, target: string): string {
  const steps = target.startsWith("/") ? [] : base.split("/").slice(0, -1)
  for (const step of target.split("/")) {
    if (step === "..") steps.pop()
    else if (step !== "" && step !== ".") steps.push(step)
  }
  return steps.join("/")
}

/** The parts of a workbook by their names, which have no case. */
class Parts {
  private readonly files: ReadonlyMap<string, ZippedFile>

  constructor(files: ZippedFile[]) {
    this.files = new Map(files.map((file) => [within("", file.name).toLowerCase(), file]))
  }

  find = (name: string): ZippedFile | undefined => this.files.get(name.toLowerCase())

  tree(name: string): Promise<XmlElement> {
    const part = this.find(name)
    if (!part) throw new WorkbookRefused("unreadable")
    return readXmlTree(textOf(part))
  }

  /** Where a part's relations lead. */
  async relations(name: string) {
    const at = name.lastIndexOf("/") + 1
    const rels = `${name.slice(0, at)}_rels/${name.slice(at)}.rels`
    const found = this.find(rels) ? childrenOf(await this.tree(rels), "Relationship") : []
    return found.map(({ attributes }) => ({
      id: attributes.get("Id") ?? "",
      type: attributes.get("Type") ?? "",
      target: within(name, attributes.get("Target") ?? ""),
    }))
  }
}

const ofType = <R extends { type: string }>(relations: R[], type: string): R | undefined =>
  relations.find((relation) => relation.type.endsWith(`/${type}`))

/** Which cell styles show their number as a date. */
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
        if (name === "numFmt" && code.length <= LONGEST_FORMAT) codes.set(format, code)
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

/** Characters that XML cannot hold stand in a workbook as `_x000D_`. */
const unescaped = (text: string) =>
  text.includes("_x")
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/** Takes the text within an `si` or `is`: its own and that of its runs, without the reading aids (`rPh`) beside it. */
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

  take(text: string) {
    if (this.inside) this.text += text
  }
}

/** The texts that cells refer to by their place in the list. */
async function sharedTexts(part: ZippedFile | undefined, limits: SheetLimits): Promise<string[]> {
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
      if (texts.length >= limits.cells) throw new WorkbookRefused("cells")
      if (characters > limits.characters) throw new WorkbookRefused("characters")
      texts.push(unescaped(current.text))
      current = undefined
    },
    text: (text) => current?.take(text),
  })
  return texts
}

/** `AB12` is in column 27, counted from 0; undefined for what is no place. */
function columnOf(place: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}(?=\d)/.exec(place ?? "") ?? []
  if (letters === undefined) return undefined
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

interface Workbook {
  texts: string[]
  dates: ReadonlySet<number>
  is1904: boolean
}

/** What a cell holds: text, a number, a date, whether something is so, or nothing. */
function cellValue(attributes: Attributes, raw: string, inline: string, { texts, dates, is1904 }: Workbook): unknown {
  const type = attributes.get("t") ?? "n"
  if (type === "inlineStr") return unescaped(inline)
  if (raw === "") return null
  if (type === "s") return texts[Number(raw)] ?? null
  if (type === "str") return unescaped(raw)
  if (type === "b") return raw === "1" || raw.toLowerCase() === "true"
  const number = Number(raw)
  if (type !== "n" || Number.isNaN(number)) return raw
  return dates.has(Number(attributes.get("s"))) ? serialToDate(number, is1904) : number
}

/** Tells a sheet's rows, one at a time, and holds them to the limits. */
class SheetReader {
  /** The row that has just ended. */
  ended: WorkbookRow | undefined
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
      const told = Number(attributes.get("r"))
      this.number = Number.isInteger(told) && told > 0 ? told : this.number + 1
      this.row = { row: this.number, cells: [] }
      this.column = 0
    } else if (name === "c" && this.row) this.cell = { attributes, raw: "", inline: new RichText() }
    else this.cell?.inline.open(name)
    this.inValue = name === "v"
  }

  text(text: string) {
    if (this.inValue && this.cell) this.cell.raw += text
    else this.cell?.inline.take(text)
  }

  close(name: string) {
    this.inValue = false
    if (name === "c" && this.cell) this.put(this.cell)
    else this.cell?.inline.close(name)
    if (name !== "row") return
    this.ended = this.row
    this.row = undefined
  }

  private put({ attributes, raw, inline }: NonNullable<SheetReader["cell"]>) {
    const column = columnOf(attributes.get("r")) ?? this.column
    this.column = column + 1
    this.cell = undefined
    const value = cellValue(attributes, raw, inline.text, this.workbook)
    // A cell with nothing in it, such as one that is only colored, costs nothing wherever it stands.
    if (value === null || value === "") return
    const { limits } = this
    if (column >= limits.columns) throw new WorkbookRefused("columns")
    if (++this.cells > limits.cells) throw new WorkbookRefused("cells")
    this.characters += typeof value === "string" ? value.length : 8
    if (this.characters > limits.characters) throw new WorkbookRefused("characters")
    const cells = this.row?.cells ?? []
    while (cells.length < column) cells.push(null)
    cells[column] = value
  }
}

/**
 * The rows of a workbook's first sheet.
 * @param take is told each row as it ends, in order
 * @throws WorkbookRefused, XmlRefused, what the zip throws; what `take` throws, without reading on
 */
export async function readWorkbook(files: ZippedFile[], limits: SheetLimits, take: (row: WorkbookRow) => void) {
  const parts = new Parts(files)
  const main = ofType(await parts.relations(""), "officeDocument")?.target
  if (main === undefined) throw new WorkbookRefused("unreadable")
  const [workbook, relations] = [await parts.tree(main), await parts.relations(main)]
  const [first] = childrenOf(childrenOf(workbook, "sheets")[0], "sheet")
  const sheet = parts.find(relations.find(({ id }) => id !== "" && id === first?.attributes.get("id"))?.target ?? "")
  if (!sheet) throw new WorkbookRefused("unreadable")
  const is1904 = ["1", "true"].includes(childrenOf(workbook, "workbookPr")[0]?.attributes.get("date1904") ?? "")
  const reader = new SheetReader(
    {
      texts: await sharedTexts(parts.find(ofType(relations, "sharedStrings")?.target ?? ""), limits),
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
      if (reader.ended) take(reader.ended)
      reader.ended = undefined
    },
  })
}
