import type { CodePlace, TemplateField } from "../../../drizzle/schema/certificates.ts"
import { MARGIN, qrSquares } from "../../lib/files/qr-code.ts"
import type { Catalog, Cluster, Face } from "../../lib/pdf/font-catalog.ts"
import { type Glyph, Shaper } from "../../lib/pdf/harfbuzz.ts"
import { Embedded, type PdfFont, Standard } from "../../lib/pdf/pdf-fonts.ts"
import { type Jpeg, PdfWriter } from "../../lib/pdf/pdf-writer.ts"
import type { Picture } from "../../lib/pdf/png.ts"
import type { Run } from "../../lib/pdf/text-runs.ts"
import { facesOf, laidOut, paragraphsOf, prepared, THICKER } from "./certificate-layout.ts"

// Draws a certificate. It is loaded with its libraries and fonts when a PDF is made, not when the Worker starts.

/** Points of the page for a pixel of the template: 72 and 96 to the inch. */
const POINT = 0.75

export interface Drawing {
  /** The PDF's title. */
  title: string
  /** Who issues it. */
  author: string
  template: { width: number; height: number; fields: TemplateField[] }
  /** Where the QR code stands. */
  code: CodePlace
  /** What a field prints; a field without text is left out. */
  textOf(field: TemplateField): string
  background: { kind: "png"; picture: Picture } | { kind: "jpg"; picture: Jpeg } | undefined
  /** What the QR code says. */
  link: string
  /** When it is drawn. */
  at: Date
  catalog: Catalog
  loadFont(file: string): Promise<Uint8Array>
}

/** The fonts of one PDF. */
class Fonts {
  readonly all: (Standard | Embedded)[] = []
  /** Letters that no font has. */
  readonly missing = new Set<string>()
  private readonly known = new Map<Face, Promise<PdfFont>>()
  private readonly drawing: Pick<Drawing, "catalog" | "loadFont">
  private readonly shaper: Shaper
  private readonly beside: string

  constructor(drawing: Pick<Drawing, "catalog" | "loadFont">, shaper: Shaper, beside: string) {
    this.drawing = drawing
    this.shaper = shaper
    this.beside = beside
  }

  /** A text's clusters, each with a font that has it. */
  async clustersOf(text: string, family: string): Promise<Cluster<PdfFont>[]> {
    const { catalog } = this.drawing
    const found: Cluster<PdfFont>[] = []
    for (const { text: cluster, font } of facesOf(catalog, text, family, this.beside, this.missing))
      found.push({ text: cluster, font: await this.font(font) })
    return found
  }

  private font(face: Face): Promise<PdfFont> {
    const known = this.known.get(face)
    if (known) return known
    const name = `F${this.known.size + 1}`
    const made = this.made(name, face)
    this.known.set(face, made)
    return made
  }

  private async made(name: string, face: Face): Promise<PdfFont> {
    const font =
      "standard" in face
        ? new Standard(name, face)
        : new Embedded(name, face, await this.drawing.loadFont(face.file), this.shaper)
    this.all.push(font)
    return font
  }
}

const shown = (value: number) => String(Math.round(value * 1000) / 1000)

function colorOf(hex: string): string {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1)
  return [0, 2, 4].map((at) => shown(Number.parseInt(digits.slice(at, at + 2), 16) / 255)).join(" ")
}

/** The QR code's ground: white over a background, so that readers tell the code from it. */
function groundOf({ code, template: { height } }: Drawing): string {
  const place = [code.left, height - code.top - code.size, code.size, code.size]
  return `1 1 1 rg\n${place.map((length) => shown(length * POINT)).join(" ")} re f`
}

/** The operators of the QR code: the dark squares of each row in as few rectangles as they are. */
function codeOf({ link, code, template: { height } }: Drawing): string {
  const squares = qrSquares(link)
  const side = code.size * POINT
  const square = side / (squares.length + 2 * MARGIN)
  const left = code.left * POINT
  const bottom = (height - code.top) * POINT - side
  const operators = ["0 0 0 rg"]
  for (const [row, squaresOfRow] of squares.entries())
    for (let from = 0; from < squaresOfRow.length; from++) {
      if (!squaresOfRow[from]) continue
      let to = from
      while (squaresOfRow[to]) to++
      // A hair taller than a square, so that no line shows between the rows.
      const y = bottom + side - (MARGIN + row + 1.02) * square
      const place = [left + (MARGIN + from) * square, y, (to - from) * square, square * 1.02]
      operators.push(`${place.map(shown).join(" ")} re`)
      from = to
    }
  return [...operators, "f"].join("\n")
}

/** Glyphs that stand together for letters, from left to right, and those letters. */
function parts({ text }: Run<PdfFont>, glyphs: readonly Glyph[]) {
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].sort((a, b) => a - b)
  const ends = new Map(starts.map((start, i) => [start, starts[i + 1] ?? text.length]))
  return [...Map.groupBy(glyphs, ({ cluster }) => cluster)].map(([start, members]) => ({
    glyphs: members,
    letters: text.slice(start, ends.get(start)),
  }))
}

/** The operators of a line's runs, from its left end. */
function shownLine(runs: Run<PdfFont>[], place: { x: number; y: number; size: number; color: string }): string {
  const { y, size, color } = place
  const operators: string[] = []
  let { x } = place
  for (const run of runs) {
    const { font } = run
    const glyphs = font.shape(run.text, run.rightToLeft)
    const written = parts(run, glyphs).map((part) => font.written(part.glyphs, part.letters))
    operators.push(
      "BT",
      `${color} rg`,
      `/${font.name} ${shown(size * POINT)} Tf`,
      ...(font.thick ? [`${color} RG ${shown(size * POINT * THICKER)} w 2 Tr`] : []),
      `1 0 0 1 ${shown(x * POINT)} ${shown(y * POINT)} Tm`,
      `<${written.map(({ code }) => code).join("")}> Tj`,
      ...(font.thick ? ["0 Tr"] : []),
      "ET",
    )
    x += written.reduce((sum, { advance }) => sum + advance, 0) * size
  }
  return operators.join("\n")
}

async function drawField(
  writer: PdfWriter,
  fonts: Fonts,
  page: Drawing["template"],
  field: TemplateField,
  text: string,
) {
  const paragraphs: Cluster<PdfFont>[][] = []
  for (const paragraph of paragraphsOf(text)) paragraphs.push(await fonts.clustersOf(paragraph, field.font_family))
  const { lines, size } = laidOut(paragraphs, field, page)
  for (const { runs, x, baseline } of lines)
    writer.draw(shownLine(runs, { x, y: page.height - baseline, size, color: colorOf(field.font_color) }))
}

/**
 * Draws a certificate on one page of the template's size: the background, the fields in their order, the QR code.
 * @returns the PDF's bytes, and the letters that no font has, which are drawn as boxes
 */
export async function drawCertificate(
  drawing: Drawing,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; missing: string[] }> {
  const { title, author, template, background, at } = drawing
  const size: [number, number] = [template.width * POINT, template.height * POINT]
  const writer = new PdfWriter({ title, author, at, size })
  if (background) {
    writer.cover(background)
    if (drawing.code.show) writer.draw(groundOf(drawing))
  }
  const texts = template.fields.map((field) => ({ field, text: prepared(drawing.textOf(field)) }))
  const shaper = new Shaper()
  try {
    const fonts = new Fonts(drawing, shaper, texts.map(({ text }) => text).join("\n"))
    for (const { field, text } of texts) if (text !== "") await drawField(writer, fonts, template, field, text)
    if (drawing.code.show) writer.draw(codeOf(drawing))
    return { bytes: await writer.save(fonts.all), missing: [...fonts.missing] }
  } finally {
    shaper[Symbol.dispose]()
  }
}
