import { type Face, type StandardFont, westernCode } from "./font-catalog.ts"
import type { Glyph, ShapedFont, Shaper } from "./harfbuzz.ts"
import type { Measure } from "./text-fitting.ts"
import { mirrored } from "./text-runs.ts"
import { type Drawn, TrueType } from "./truetype.ts"

// The fonts of one PDF: what their glyphs are, how wide, and which letters they stand for.

export interface Written {
  /** In hexadecimal digits. */
  code: string
  /** How far it moves the reader's pen by itself, in sizes of the font. */
  advance: number
}

/** A font that texts are drawn with. */
export interface PdfFont extends Measure {
  /** How the page's operators name it. */
  readonly name: string
  /** Its letters are drawn thicker: there is no bold one. */
  readonly thick: boolean
  /** A text's glyphs, from left to right. */
  shape(text: string, rightToLeft: boolean): readonly Glyph[]
  /** Glyphs that stand together for letters, as they are written into the page. */
  written(glyphs: readonly Glyph[], letters: string): Written
}

/** Shapes every text once. */
abstract class Shaping {
  private readonly shaped = new Map<string, readonly Glyph[]>()

  protected abstract glyphs(text: string, rightToLeft: boolean): Glyph[]

  shape(text: string, rightToLeft: boolean): readonly Glyph[] {
    const key = `${rightToLeft ? "<" : ">"}${text}`
    const known = this.shaped.get(key) ?? this.glyphs(text, rightToLeft)
    this.shaped.set(key, known)
    return known
  }

  widthOf(text: string, rightToLeft: boolean): number {
    return this.shape(text, rightToLeft).reduce((sum, { advance }) => sum + advance, 0)
  }
}

/** One of the fonts that every reader has. */
export class Standard extends Shaping implements PdfFont {
  readonly thick = false
  readonly name: string
  readonly standard: StandardFont
  private readonly widths: readonly number[]

  constructor(name: string, { standard, widths }: Extract<Face, { standard: StandardFont }>) {
    super()
    this.name = name
    this.standard = standard
    this.widths = widths
  }

  protected glyphs(text: string, rightToLeft: boolean): Glyph[] {
    const letters = [...text].flatMap((letter, cluster) => {
      const id = westernCode(rightToLeft ? mirrored(letter) : letter)
      return id === undefined ? [] : [{ id, cluster, advance: (this.widths[id - 32] ?? 0) / 1000, x: 0, y: 0 }]
    })
    return rightToLeft ? letters.reverse() : letters
  }

  written(glyphs: readonly Glyph[]) {
    return {
      code: glyphs.map(({ id }) => id.toString(16).padStart(2, "0")).join(""),
      advance: glyphs.reduce((sum, { advance }) => sum + advance, 0),
    }
  }
}

/** A font of which the PDF holds the glyphs that it uses. */
export class Embedded extends Shaping implements PdfFont {
  readonly name: string
  readonly file: string
  readonly thick: boolean
  private readonly font: ShapedFont
  private readonly source: TrueType
  /**
   * What is used, in the order of the codes: once for each text that it stands for, so that readers can copy it. The
   * first is the font's own box for what is missing.
   */
  private readonly used: { drawn: Drawn; letters: string; advance: number }[] = [{ drawn: 0, letters: "", advance: 0 }]
  private readonly codes = new Map<string, Written>()

  constructor(name: string, face: { file: string; thick: boolean }, bytes: Uint8Array, shaper: Shaper) {
    super()
    this.name = name
    this.file = face.file
    this.thick = face.thick
    this.font = shaper.load(bytes)
    this.source = new TrueType(bytes)
  }

  protected glyphs(text: string, rightToLeft: boolean): Glyph[] {
    return this.font.shape(text, rightToLeft)
  }

  /** One code, whatever it is drawn with: a letter and its marks become one glyph, whose text is theirs. */
  written(glyphs: readonly Glyph[], letters: string): Written {
    const key = `${letters} ${glyphs.map(({ id, advance, x, y }) => [id, advance, x, y]).join()}`
    const known = this.codes.get(key)
    if (known) return known
    const { drawn, width } = this.drawn(glyphs)
    // As the PDF has it, in thousandths.
    const advance = Math.round(width * 1000) / 1000
    const code = (this.used.push({ drawn, letters, advance }) - 1).toString(16).padStart(4, "0")
    const written = { code, advance }
    this.codes.set(key, written)
    return written
  }

  private drawn(glyphs: readonly Glyph[]): { drawn: Drawn; width: number } {
    const parts: { glyph: number; x: number; y: number }[] = []
    let pen = 0
    for (const { id, advance, x, y } of glyphs) {
      if (!this.source.isBlank(id)) parts.push({ glyph: id, x: pen + x, y })
      pen += advance
    }
    const [only = { glyph: glyphs[0]?.id ?? 0, x: 0, y: 0 }] = parts
    return parts.length < 2 && only.x === 0 && only.y === 0
      ? { drawn: only.glyph, width: pen }
      : { drawn: { parts, advance: pen }, width: pen }
  }

  /** What the PDF holds of it, once everything is drawn. */
  get held() {
    return {
      file: this.source.subset(this.used.map(({ drawn }) => drawn)),
      metrics: this.source.metrics,
      widths: this.used.map(({ advance }) => Math.round(advance * 1000)),
      letters: this.used.map(({ letters }) => letters),
    }
  }
}
