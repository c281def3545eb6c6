import { deflateSync } from "node:zlib"
import { type PDFContext, PDFHexString, type PDFRef, PDFString } from "pdf-lib"
import { type Face, type StandardFont, winAnsiCode } from "./font-catalog.ts"
import type { Glyph, ShapedFont, Shaper } from "./harfbuzz.ts"
import type { Measure } from "./text-fitting.ts"
import { mirrorCharacter } from "./text-runs.ts"
import { type SubsetGlyph, TrueType } from "./truetype.ts"

// The fonts of one PDF: shaping, character codes and embedding.

/** Glyphs as a content stream shows them. */
export interface EncodedGlyphs {
  /** Hexadecimal digits. */
  code: string
  /** How far the viewer moves the text position, in em. */
  advance: number
}

/** A font that text is drawn with. */
export interface PdfFont extends Measure {
  /** The name in the page's resources. */
  readonly name: string
  /** The text is stroked as well, because the family has no bold file. */
  readonly fakeBold: boolean
  /** Returns the glyphs of a text from left to right. */
  shape(text: string, rightToLeft: boolean): readonly Glyph[]
  /** Encodes the glyphs of one cluster, which represent `characters`. */
  encode(glyphs: readonly Glyph[], characters: string): EncodedGlyphs
  /** Adds the font to the document. */
  embed(context: PDFContext): PDFRef
}

/** Shapes each text once. */
abstract class CachedShaping {
  private readonly cache = new Map<string, readonly Glyph[]>()

  protected abstract shapeText(text: string, rightToLeft: boolean): Glyph[]

  shape(text: string, rightToLeft: boolean): readonly Glyph[] {
    const key = `${rightToLeft ? "<" : ">"}${text}`
    const glyphs = this.cache.get(key) ?? this.shapeText(text, rightToLeft)
    this.cache.set(key, glyphs)
    return glyphs
  }

  widthOf(text: string, rightToLeft: boolean): number {
    return this.shape(text, rightToLeft).reduce((sum, { advance }) => sum + advance, 0)
  }
}

/** One of the fonts that every PDF viewer has. */
export class StandardPdfFont extends CachedShaping implements PdfFont {
  readonly fakeBold = false
  readonly name: string
  private readonly standard: StandardFont
  private readonly widths: readonly number[]

  constructor(name: string, { standard, widths }: Extract<Face, { standard: StandardFont }>) {
    super()
    this.name = name
    this.standard = standard
    this.widths = widths
  }

  protected shapeText(text: string, rightToLeft: boolean): Glyph[] {
    const glyphs = [...text].flatMap((character, cluster) => {
      const id = winAnsiCode(rightToLeft ? mirrorCharacter(character) : character)
      return id === undefined ? [] : [{ id, cluster, advance: (this.widths[id - 32] ?? 0) / 1000, x: 0, y: 0 }]
    })
    return rightToLeft ? glyphs.reverse() : glyphs
  }

  encode(glyphs: readonly Glyph[]): EncodedGlyphs {
    return {
      code: glyphs.map(({ id }) => id.toString(16).padStart(2, "0")).join(""),
      advance: glyphs.reduce((sum, { advance }) => sum + advance, 0),
    }
  }

  embed(context: PDFContext): PDFRef {
    const font = { Type: "Font", Subtype: "Type1", BaseFont: this.standard, Encoding: "WinAnsiEncoding" }
    return context.register(context.obj(font))
  }
}

/** A font file. The PDF embeds the glyphs that it uses. */
export class EmbeddedPdfFont extends CachedShaping implements PdfFont {
  readonly name: string
  readonly fakeBold: boolean
  private readonly file: string
  private readonly tag: string
  private readonly font: ShapedFont
  private readonly source: TrueType
  /**
   * The glyphs of the subset, by character code. A glyph that represents two texts has two codes, so that viewers copy
   * the right one. Code 0 is the font's glyph for missing characters.
   */
  private readonly used: { glyph: SubsetGlyph; characters: string; advance: number }[] = [
    { glyph: 0, characters: "", advance: 0 },
  ]
  private readonly codes = new Map<string, EncodedGlyphs>()

  /** @param number of the font in the document, from 0 */
  constructor(name: string, number: number, face: Extract<Face, { file: string }>, bytes: Uint8Array, shaper: Shaper) {
    super()
    this.name = name
    this.file = face.file
    this.fakeBold = face.fakeBold
    this.tag = subsetTag(number)
    this.font = shaper.load(bytes)
    this.source = new TrueType(bytes)
  }

  protected shapeText(text: string, rightToLeft: boolean): Glyph[] {
    return this.font.shape(text, rightToLeft)
  }

  /** A character and its marks become one glyph of the subset with one code. */
  encode(glyphs: readonly Glyph[], characters: string): EncodedGlyphs {
    const key = `${characters} ${glyphs.map(({ id, advance, x, y }) => [id, advance, x, y]).join()}`
    const known = this.codes.get(key)
    if (known) return known
    const { glyph, width } = this.combine(glyphs)
    // The PDF's widths are whole thousandths of an em.
    const advance = Math.round(width * 1000) / 1000
    const code = hex4(this.used.push({ glyph, characters, advance }) - 1)
    const encoded = { code, advance }
    this.codes.set(key, encoded)
    return encoded
  }

  private combine(glyphs: readonly Glyph[]): { glyph: SubsetGlyph; width: number } {
    const parts: { glyph: number; x: number; y: number }[] = []
    let width = 0
    for (const { id, advance, x, y } of glyphs) {
      if (!this.source.isBlank(id)) parts.push({ glyph: id, x: width + x, y })
      width += advance
    }
    const [first = { glyph: glyphs[0]?.id ?? 0, x: 0, y: 0 }] = parts
    const isSimple = parts.length < 2 && first.x === 0 && first.y === 0
    return { glyph: isSimple ? first.glyph : { parts, advance: width }, width }
  }

  embed(context: PDFContext): PDFRef {
    const { box, ascent, descent } = this.source.metrics
    const file = this.source.subset(this.used.map(({ glyph }) => glyph))
    const name = `${this.tag}+${this.file}`
    const descriptor = context.obj({
      Type: "FontDescriptor",
      FontName: name,
      Flags: 4,
      FontBBox: box,
      ItalicAngle: 0,
      Ascent: ascent,
      Descent: descent,
      CapHeight: ascent,
      StemV: 80,
      FontFile2: context.register(deflatedStream(context, file, { Length1: file.length })),
    })
    const descendant = context.obj({
      Type: "Font",
      Subtype: "CIDFontType2",
      BaseFont: name,
      CIDSystemInfo: { Registry: PDFString.of("Adobe"), Ordering: PDFString.of("Identity"), Supplement: 0 },
      FontDescriptor: context.register(descriptor),
      CIDToGIDMap: "Identity",
      W: [0, this.used.map(({ advance }) => Math.round(advance * 1000))],
    })
    const toUnicode = Buffer.from(toUnicodeMap(this.used.map(({ characters }) => characters)))
    const font = context.obj({
      Type: "Font",
      Subtype: "Type0",
      BaseFont: name,
      Encoding: "Identity-H",
      DescendantFonts: [context.register(descendant)],
      ToUnicode: context.register(deflatedStream(context, toUnicode)),
    })
    return context.register(font)
  }
}

const hex4 = (value: number) => value.toString(16).padStart(4, "0")

/** The six capitals that mark a subset. */
const subsetTag = (number: number) =>
  Array.from({ length: 6 }, (_, i) => String.fromCharCode(65 + (Math.floor(number / 26 ** (5 - i)) % 26))).join("")

/** Compresses natively: pdf-lib's own compression is JavaScript. */
const deflatedStream = (context: PDFContext, bytes: Uint8Array, entries: Record<string, number> = {}) =>
  context.stream(deflateSync(bytes), { ...entries, Filter: "FlateDecode" })

/** The CMap from character codes to text. */
function toUnicodeMap(texts: readonly string[]): string {
  const utf16 = (text: string) => PDFHexString.fromText(text).asString().slice("FEFF".length)
  const lines = texts.map((text, code) => `<${hex4(code)}> <${utf16(text)}>`)
  const blocks: string[] = []
  // The format allows 100 lines in a block.
  for (let i = 0; i < lines.length; i += 100) {
    const block = lines.slice(i, i + 100)
    blocks.push(`${block.length} beginbfchar`, ...block, "endbfchar")
  }
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
    "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
    "1 begincodespacerange <0000> <ffff> endcodespacerange",
    ...blocks,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n")
}
