import { crc32 } from "node:zlib"
import { zip } from "./scorm.ts"

// Hostile files: zips with a false directory, and small spreadsheets that unpack to large ones.

interface Stored {
  name: string
  content: string
  /** The false offset in the directory. */
  at?: number
  /** The uncompressed size in the directory. */
  size?: number
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A zip of stored files with the given directory entries. */
export function rawZip(files: Stored[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, content, at, size } of files) {
    const [path, data] = [bytesOf(name), bytesOf(content)]
    const header = new DataView(new ArrayBuffer(30))
    const entry = new DataView(new ArrayBuffer(46))
    header.setUint32(0, 0x04034b50, true)
    header.setUint16(4, 20, true)
    entry.setUint32(0, 0x02014b50, true)
    entry.setUint16(6, 20, true)
    for (const [view, from] of [
      [header, 14],
      [entry, 16],
    ] as const) {
      view.setUint32(from, crc32(data), true)
      view.setUint32(from + 4, data.length, true)
      view.setUint32(from + 8, size ?? data.length, true)
      view.setUint16(from + 12, path.length, true)
    }
    entry.setUint32(42, at ?? offset, true)
    parts.push(new Uint8Array(header.buffer), path, data)
    directory.push(new Uint8Array(entry.buffer), path)
    offset += 30 + path.length + data.length
  }
  const end = new DataView(new ArrayBuffer(22))
  const length = directory.reduce((sum, part) => sum + part.length, 0)
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, files.length, true)
  end.setUint16(10, files.length, true)
  end.setUint32(12, length, true)
  end.setUint32(16, offset, true)
  return new Uint8Array(Buffer.concat([...parts, ...directory, new Uint8Array(end.buffer)]))
}

const RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const relations = (targets: Record<string, string>) =>
  `<Relationships>${Object.entries(targets)
    .map(([type, target], i) => `<Relationship Id="r${i}" Type="${RELATION}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`

/** The parts of a workbook with this first sheet. */
export const workbookParts = (sheet: string, strings = "") => ({
  "[Content_Types].xml": "<Types/>",
  "_rels/.rels": relations({ officeDocument: "xl/workbook.xml" }),
  "xl/workbook.xml": `<workbook xmlns:r="${RELATION}">
    <sheets><sheet name="A" sheetId="1" r:id="r0"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": relations({
    worksheet: "worksheets/sheet1.xml",
    ...(strings && { sharedStrings: "sharedStrings.xml" }),
  }),
  ...(strings && { "xl/sharedStrings.xml": strings }),
  "xl/worksheets/sheet1.xml": sheet,
})

export const workbook = (sheet: string, strings?: string) => zip(workbookParts(sheet, strings))

const cell = (reference: string, text: string) => `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`

/** A sheet of people: a header, and a row for each, with additional XML before and in its cells. */
export const sheetOf = (rows: number, { before = "", inRow = (_: number): string => "" } = {}) =>
  `<worksheet>${before}<sheetData><row r="1">${cell("A1", "email")}${cell("B1", "first_name")}</row>${Array.from(
    { length: rows },
    (_, i) =>
      `<row r="${i + 2}">${cell(`A${i + 2}`, `p${i}@example.com`)}${cell(`B${i + 2}`, "Ann")}${inRow(i + 2)}</row>`,
  ).join("")}</sheetData></worksheet>`

export const stringsOf = (count: number, text = "x") => `<sst>${`<si><t>${text}</t></si>`.repeat(count)}</sst>`
