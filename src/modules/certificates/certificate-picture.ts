import type { CodePosition } from "../../../drizzle/schema/certificates.ts"
import { MARGIN, qrModules } from "../../lib/files/qr-code.ts"
import { type Face, type FontCatalog, SUBSTITUTES, winAnsiCode } from "../../lib/pdf/font-catalog.ts"
import { type ShapedFont, Shaper } from "../../lib/pdf/harfbuzz.ts"
import type { Measure } from "../../lib/pdf/text-fitting.ts"
import { mirrorCharacter } from "../../lib/pdf/text-runs.ts"
import { TrueType } from "../../lib/pdf/truetype.ts"
import { FAKE_BOLD_WIDTH, normalizeFieldText } from "./certificate-layout.ts"
import { PageFonts } from "./page-fonts.ts"
import type { PageText } from "./pdf-pages.ts"

// A certificate as SVG with outlines instead of text, so that it looks like the PDF in every browser. Browsers load
// nothing for an SVG in an <img>, so the background is an image of its own behind it.

export interface Picture {
  width: number
  height: number
  texts: PageText[]
  hasBackground: boolean
  code: CodePosition & { link: string }
  catalog: FontCatalog
  loadFont(file: string): Promise<Uint8Array>
}

/** A glyph of a run, with its distance from the start of the run in em. */
interface PlacedGlyph {
  font: OutlineFont
  glyph: number
  x: number
  y: number
}

interface PictureFont extends Measure {
  /** The family has no bold file, so its outlines are stroked as well. */
  fakeBold: boolean
  place(text: string, rightToLeft: boolean): PlacedGlyph[]
}

/** A font file, and the glyphs of it that the picture uses. */
class OutlineFont implements PictureFont {
  readonly fakeBold: boolean
  readonly unitsPerEm: number
  /** The path data of each used glyph. */
  readonly used = new Map<number, string>()
  readonly name: string
  private readonly font: ShapedFont
  private readonly source: TrueType

  constructor(name: string, bytes: Uint8Array, shaper: Shaper, fakeBold = false) {
    this.name = name
    this.fakeBold = fakeBold
    this.font = shaper.load(bytes)
    this.source = new TrueType(bytes)
    this.unitsPerEm = this.source.unitsPerEm
  }

  shape(text: string, rightToLeft: boolean) {
    return this.font.shape(text, rightToLeft)
  }

  widthOf(text: string, rightToLeft: boolean): number {
    return this.shape(text, rightToLeft).reduce((sum, { advance }) => sum + advance, 0)
  }

  place(text: string, rightToLeft: boolean): PlacedGlyph[] {
    let left = 0
    return this.shape(text, rightToLeft).map(({ id, advance, x, y }) => {
      const placed = { font: this, glyph: id, x: left + x, y }
      left += advance
      return placed
    })
  }

  /** Whether the glyph has an outline, which the picture then contains. */
  use(glyph: number): boolean {
    const path = this.used.get(glyph) ?? this.source.pathOf(glyph)
    if (path) this.used.set(glyph, path)
    return path !== ""
  }
}

/** A standard font of PDF viewers: its widths, with the outlines of its substitute. */
class SubstitutedFont implements PictureFont {
  readonly fakeBold = false
  private readonly widths: readonly number[]
  private readonly files: readonly OutlineFont[]

  constructor(widths: readonly number[], files: readonly OutlineFont[]) {
    this.widths = widths
    this.files = files
  }

  private characters(text: string, rightToLeft: boolean) {
    const all = [...text].flatMap((one) => {
      const character = rightToLeft ? mirrorCharacter(one) : one
      const code = winAnsiCode(character)
      return code === undefined ? [] : [{ character, advance: (this.widths[code - 32] ?? 0) / 1000 }]
    })
    return rightToLeft ? all.reverse() : all
  }

  widthOf(text: string, rightToLeft: boolean): number {
    return this.characters(text, rightToLeft).reduce((sum, { advance }) => sum + advance, 0)
  }

  place(text: string, rightToLeft: boolean): PlacedGlyph[] {
    let left = 0
    return this.characters(text, rightToLeft).flatMap(({ character, advance }) => {
      const x = left
      left += advance
      for (const font of this.files) {
        const [shaped] = font.shape(character, false)
        if (shaped && shaped.id !== 0) return [{ font, glyph: shaped.id, x, y: 0 }]
      }
      return []
    })
  }
}

/** Loads each file once, also for two standard fonts. */
function fontLoader({ loadFont }: Picture, shaper: Shaper) {
  const files: OutlineFont[] = []
  const open = async (file: string, fakeBold?: boolean) => {
    const font = new OutlineFont(`f${files.length}`, await loadFont(file), shaper, fakeBold)
    files.push(font)
    return font
  }
  const load = async (face: Face): Promise<PictureFont> =>
    "standard" in face
      ? new SubstitutedFont(face.widths, await Promise.all(SUBSTITUTES[face.standard].map((file) => open(file))))
      : open(face.file, face.fakeBold)
  return { files, load }
}

const round = (value: number) => Math.round(value * 100) / 100
/** Font units are small, so their scale needs more digits. */
const scale = (value: number) => Number(value.toPrecision(5))

async function textMarkup(fonts: PageFonts<PictureFont>, page: Picture, text: PageText): Promise<string> {
  const { lines, size } = await fonts.layOut(text, page)
  // The schema of a field allows only hexadecimal digits.
  const color = text.field.font_color
  let markup = ""
  for (const { runs, x, baseline } of lines) {
    let left = x
    for (const { font, text, rightToLeft } of runs) {
      const stroke = (unitsPerEm: number) =>
        font.fakeBold ? ` stroke="${color}" stroke-width="${round(FAKE_BOLD_WIDTH * unitsPerEm)}"` : ""
      for (const { font: file, glyph, x, y } of font.place(text, rightToLeft)) {
        if (!file.use(glyph)) continue
        const to = `translate(${round(left + x * size)} ${round(baseline - y * size)})`
        const by = scale(size / file.unitsPerEm)
        markup += `<use href="#${file.name}-${glyph}" transform="${to} scale(${by} -${by})"${stroke(file.unitsPerEm)}/>`
      }
      left += font.widthOf(text, rightToLeft) * size
    }
  }
  return `<g fill="${color}">${markup}</g>`
}

/** The QR code, on white where there is a background. */
function codeMarkup({ code: { show, left, top, size, link }, hasBackground }: Picture): string {
  if (!show) return ""
  const modules = qrModules(link)
  const module = size / (modules.length + 2 * MARGIN)
  const path = modules
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")))
    .join("")
  const white = hasBackground ? `<rect x="${left}" y="${top}" width="${size}" height="${size}" fill="#fff"/>` : ""
  const transform = `translate(${left} ${top}) scale(${scale(module)})`
  return `${white}<path d="${path}" transform="${transform}" shape-rendering="crispEdges"/>`
}

/** Draws a certificate as SVG without its background. */
export async function drawPicture(picture: Picture): Promise<string> {
  const { width, height } = picture
  const texts = picture.texts.map(({ field, text }) => ({ field, text: normalizeFieldText(text) }))
  const shaper = new Shaper()
  try {
    const { files, load } = fontLoader(picture, shaper)
    const fonts = new PageFonts(picture.catalog, texts.map(({ text }) => text).join("\n"), load)
    let markup = ""
    for (const text of texts) if (text.text !== "") markup += await textMarkup(fonts, picture, text)
    const paths = files.flatMap(({ name, used }) => [...used].map(([id, d]) => `<path id="${name}-${id}" d="${d}"/>`))
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
      `<defs>${paths.join("")}</defs>${markup}${codeMarkup(picture)}</svg>`,
    ].join("")
  } finally {
    shaper.dispose()
  }
}
