// Subsets of TrueType fonts. Shaped text places marks on characters, so a subset also has glyphs that are composed of
// several glyphs of the font; no subsetter on npm makes those.

import { glyphPath } from "./glyph-paths.ts"

/** Font metrics in thousandths of an em. */
export interface Metrics {
  box: [number, number, number, number]
  ascent: number
  descent: number
}

/** A glyph of the font, or a composite of several, lengths in em. */
export type SubsetGlyph = number | { parts: readonly { glyph: number; x: number; y: number }[]; advance: number }

/** Flags of a composite glyph's component. */
const [WORDS, XY, SCALE, MORE, XY_SCALE, TWO_BY_TWO] = [0x1, 0x2, 0x8, 0x20, 0x40, 0x80]

/** A font file. @throws when it is not TrueType */
export class TrueType {
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly tables = new Map<string, { at: number; length: number }>()
  readonly unitsPerEm: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let i = 0; i < this.view.getUint16(4); i++) {
      const entry = 12 + 16 * i
      const tag = String.fromCharCode(...bytes.subarray(entry, entry + 4))
      this.tables.set(tag, { at: this.view.getUint32(entry + 8), length: this.view.getUint32(entry + 12) })
    }
    this.unitsPerEm = this.view.getUint16(this.table("head").at + 18)
  }

  private table(tag: string) {
    const found = this.tables.get(tag)
    if (!found) throw new Error(`The font lacks the table ${tag}.`)
    return found
  }

  private thousandths(at: number) {
    return Math.round((this.view.getInt16(at) * 1000) / this.unitsPerEm)
  }

  get metrics(): Metrics {
    const [head, hhea] = [this.table("head").at, this.table("hhea").at]
    return {
      box: [36, 38, 40, 42].map((offset) => this.thousandths(head + offset)) as Metrics["box"],
      ascent: this.thousandths(hhea + 4),
      descent: this.thousandths(hhea + 6),
    }
  }

  private metricOf(glyph: number) {
    const count = this.view.getUint16(this.table("hhea").at + 34)
    const { at } = this.table("hmtx")
    const advance = this.view.getUint16(at + 4 * Math.min(glyph, count - 1))
    const bearing = this.view.getInt16(glyph < count ? at + 4 * glyph + 2 : at + 4 * count + 2 * (glyph - count))
    return { advance, bearing }
  }

  /** Whether a glyph has no outline, like a space. */
  isBlank(glyph: number): boolean {
    return this.outlineOf(glyph).length === 0
  }

  /** The outline of a glyph as SVG path data, in units of the font with y upwards. */
  pathOf(glyph: number): string {
    return glyphPath((part) => this.outlineOf(part), glyph)
  }

  private outlineOf(glyph: number): Uint8Array<ArrayBuffer> {
    const long = this.view.getInt16(this.table("head").at + 50) === 1
    const loca = this.table("loca").at
    const offsetOf = (i: number) => (long ? this.view.getUint32(loca + 4 * i) : 2 * this.view.getUint16(loca + 2 * i))
    const { at } = this.table("glyf")
    return this.bytes.slice(at + offsetOf(glyph), at + offsetOf(glyph + 1))
  }

  /** Makes a composite glyph. */
  private compose({ parts }: Exclude<SubsetGlyph, number>): Uint8Array<ArrayBuffer> {
    const outline = new Uint8Array(10 + 8 * parts.length)
    const view = new DataView(outline.buffer)
    view.setInt16(0, -1)
    const edges = parts.map(({ glyph, x, y }) => {
      const component = new DataView(this.outlineOf(glyph).buffer)
      return [2, 4, 6, 8].map((at, i) => component.getInt16(at) + Math.round((i % 2 === 0 ? x : y) * this.unitsPerEm))
    })
    for (const [i, extreme] of [Math.min, Math.min, Math.max, Math.max].entries())
      view.setInt16(2 + 2 * i, extreme(...edges.map((edge) => edge[i] ?? 0)))
    for (const [i, { glyph, x, y }] of parts.entries()) {
      const at = 10 + 8 * i
      view.setUint16(at, WORDS | XY | (i < parts.length - 1 ? MORE : 0))
      view.setUint16(at + 2, glyph)
      view.setInt16(at + 4, Math.round(x * this.unitsPerEm))
      view.setInt16(at + 6, Math.round(y * this.unitsPerEm))
    }
    return outline
  }

  /** Makes a font of these glyphs, numbered by their index in the list, followed by the components they need. */
  subset(selection: readonly SubsetGlyph[]): Uint8Array {
    const glyphs = [...selection]
    /** The numbers of components in the subset. */
    const numbers = new Map<number, number>()
    const outlines: Uint8Array[] = []
    for (let i = 0; i < glyphs.length; i++) {
      const glyph = glyphs[i] ?? 0
      const outline = typeof glyph === "number" ? this.outlineOf(glyph) : this.compose(glyph)
      outlines.push(outline)
      for (const at of componentOffsets(outline)) {
        const view = new DataView(outline.buffer)
        const part = view.getUint16(at)
        const number = numbers.get(part) ?? glyphs.push(part) - 1
        numbers.set(part, number)
        view.setUint16(at, number)
      }
    }
    const loca = new DataView(new ArrayBuffer(4 * (glyphs.length + 1)))
    const hmtx = new DataView(new ArrayBuffer(4 * glyphs.length))
    let size = 0
    for (const [i, outline] of outlines.entries()) {
      const glyph = glyphs[i] ?? 0
      const { advance, bearing } =
        typeof glyph === "number"
          ? this.metricOf(glyph)
          : { advance: Math.round(glyph.advance * this.unitsPerEm), bearing: new DataView(outline.buffer).getInt16(2) }
      hmtx.setUint16(4 * i, advance)
      hmtx.setInt16(4 * i + 2, bearing)
      size += padded(outline.length)
      loca.setUint32(4 * (i + 1), size)
    }
    // A font of spaces has no outlines, and viewers take an empty table for a missing one.
    const glyf = new Uint8Array(Math.max(size, 4))
    for (const [i, outline] of outlines.entries()) glyf.set(outline, loca.getUint32(4 * i))
    const [head, hhea, maxp] = [this.copy("head"), this.copy("hhea"), this.copy("maxp")]
    head.setInt16(50, 1)
    hhea.setUint16(34, glyphs.length)
    maxp.setUint16(4, glyphs.length)
    // The maximum number and depth of components: composing adds a level.
    maxp.setUint16(
      28,
      Math.max(maxp.getUint16(28), ...glyphs.map((one) => (typeof one === "number" ? 0 : one.parts.length))),
    )
    maxp.setUint16(30, maxp.getUint16(30) + 1)
    return assemble({ glyf, head, hhea, hmtx, loca, maxp })
  }

  private copy(tag: string) {
    const { at, length } = this.table(tag)
    return new DataView(this.bytes.slice(at, at + length).buffer)
  }
}

/** Returns the offsets of a composite glyph's component numbers; empty for a simple glyph. */
function componentOffsets(outline: Uint8Array): number[] {
  const view = new DataView(outline.buffer)
  if (outline.length < 10 || view.getInt16(0) >= 0) return []
  const offsets: number[] = []
  for (let at = 10, flags = MORE; flags & MORE; ) {
    flags = view.getUint16(at)
    offsets.push(at + 2)
    const scale = flags & SCALE ? 2 : flags & XY_SCALE ? 4 : flags & TWO_BY_TWO ? 8 : 0
    at += 4 + (flags & WORDS ? 4 : 2) + scale
  }
  return offsets
}

const padded = (length: number) => (length + 3) & ~3

/** Writes a font file of tables in alphabetical order. */
function assemble(tables: Record<string, Uint8Array | DataView>): Uint8Array {
  const entries = Object.entries(tables)
  const start = 12 + 16 * entries.length
  const file = new Uint8Array(start + entries.reduce((sum, [, { byteLength }]) => sum + padded(byteLength), 0))
  const view = new DataView(file.buffer)
  view.setUint32(0, 0x00010000)
  view.setUint16(4, entries.length)
  const power = 2 ** Math.floor(Math.log2(entries.length))
  view.setUint16(6, power * 16)
  view.setUint16(8, Math.log2(power))
  view.setUint16(10, (entries.length - power) * 16)
  let at = start
  for (const [i, [tag, table]] of entries.entries()) {
    file.set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength), at)
    let sum = 0
    for (let word = at; word < at + padded(table.byteLength); word += 4) sum = (sum + view.getUint32(word)) >>> 0
    const entry = 12 + 16 * i
    for (let i = 0; i < 4; i++) view.setUint8(entry + i, tag.charCodeAt(i))
    view.setUint32(entry + 4, sum)
    view.setUint32(entry + 8, at)
    view.setUint32(entry + 12, table.byteLength)
    at += padded(table.byteLength)
  }
  return file
}
