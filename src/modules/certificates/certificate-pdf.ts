import type { PDFDocument, PDFFont, PDFPage } from "pdf-lib"
import type { TemplateField } from "../../../drizzle/certificates.ts"
import { MARGIN, qrSquares } from "../../lib/qr-code.ts"
import type { FontFamily } from "./certificate-templates.schemas.ts"
import { BASELINE, fitted, LINE, widthOf } from "./text-fitting.ts"
import { type Letter, visualRuns } from "./text-runs.ts"

// Draws a certificate. Its libraries and fonts are loaded when a PDF is made, not when the Worker starts.

/** Points of the page for a pixel of the template: 72 and 96 to the inch. */
const POINT = 0.75
/** What the standard fonts draw: Windows' Western alphabet, without its unseen characters. */
const WESTERN: ReadonlySet<string> = new Set(
  new TextDecoder("windows-1252")
    .decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
    .replace(/[\p{C}\u00a0]/gu, ""),
)
/** What stands for a character that no font has. */
const NO_GLYPH = "□"

/** The standard font that draws what Windows' Western alphabet has, and the one embedded for all else. */
const FAMILIES: Record<FontFamily, { standard?: string; embedded: FontFile }> = {
  Arial: { standard: "Helvetica", embedded: "DejaVuSans" },
  Helvetica: { standard: "Helvetica", embedded: "DejaVuSans" },
  Courier: { standard: "Courier", embedded: "DejaVuSansMono" },
  "Courier-Bold": { standard: "Courier-Bold", embedded: "DejaVuSansMono-Bold" },
  "Times-Roman": { standard: "Times-Roman", embedded: "DejaVuSerif" },
  "Times-Bold": { standard: "Times-Bold", embedded: "DejaVuSerif-Bold" },
  "DejaVuSans-Bold": { embedded: "DejaVuSans-Bold" },
  "DejaVuSansMono-Bold": { embedded: "DejaVuSansMono-Bold" },
}

/** A font among the static assets. */
export type FontFile =
  | "DejaVuSans"
  | "DejaVuSans-Bold"
  | "DejaVuSansMono"
  | "DejaVuSansMono-Bold"
  | "DejaVuSerif"
  | "DejaVuSerif-Bold"

/** The font with the most scripts: it draws what the others lack. */
const WIDEST: FontFile = "DejaVuSans"

export interface Drawing {
  /** The document's title. */
  title: string
  template: { width: number; height: number; fields: TemplateField[] }
  /** What a field prints; a field without text is left out. */
  textOf(field: TemplateField): string
  background: { bytes: Uint8Array; kind: "png" | "jpg" } | undefined
  /** What the QR code in the bottom right corner says. */
  link: string
  /** When it is drawn. */
  at: Date
  loadFont(font: FontFile): Promise<Uint8Array>
}

const libraries = async () => {
  const [pdf, fontkit] = await Promise.all([import("pdf-lib"), import("fontkit")])
  return { pdf, fontkit }
}

/** The fonts of one document, each embedded once with the glyphs that are used alone. */
class Fonts {
  private readonly embedded = new Map<string, Promise<PDFFont>>()
  private readonly sets = new Map<PDFFont, Set<number>>()
  private readonly document: PDFDocument
  private readonly loadFont: Drawing["loadFont"]

  constructor(document: PDFDocument, loadFont: Drawing["loadFont"]) {
    this.document = document
    this.loadFont = loadFont
  }

  /** A text's letters, each with a font that has it. */
  async lettersOf(text: string, family: string): Promise<Letter<PDFFont>[]> {
    const { standard, embedded } = FAMILIES[family as FontFamily] ?? FAMILIES.Arial
    if (standard && [...text].every((letter) => WESTERN.has(letter))) {
      const font = await this.font(standard, async () => standard)
      return [...text].map((letter) => ({ text: letter, font }))
    }
    const first = await this.file(embedded)
    const needsMore = [...text].some((letter) => !this.has(first, letter))
    const widest = needsMore ? await this.file(WIDEST) : first
    return [...text].flatMap((letter) => {
      const font = [first, widest].find((candidate) => this.has(candidate, letter))
      if (font) return [{ text: letter, font }]
      // Joiners, variation selectors and the like show nothing where they change nothing.
      return /\p{Default_Ignorable_Code_Point}/u.test(letter) ? [] : [{ text: NO_GLYPH, font: widest }]
    })
  }

  private file(font: FontFile) {
    return this.font(font, () => this.loadFont(font))
  }

  private font(name: string, source: () => Promise<string | Uint8Array>): Promise<PDFFont> {
    const known = this.embedded.get(name)
    if (known) return known
    // Six capitals mark a subset, others in each of a document's.
    const customName = `LECTR${String.fromCharCode(65 + this.embedded.size)}+${name}`
    const embedded = source().then((font) =>
      typeof font === "string"
        ? this.document.embedFont(font)
        : this.document.embedFont(font, { subset: true, customName }),
    )
    this.embedded.set(name, embedded)
    return embedded
  }

  private has(font: PDFFont, letter: string): boolean {
    const known = this.sets.get(font)
    const set = known ?? new Set(font.getCharacterSet())
    if (!known) this.sets.set(font, set)
    return set.has(letter.codePointAt(0) ?? 0)
  }
}

function colorOf(hex: string) {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
  return [red, green, blue] as const
}

/** The QR code's side: what a phone reads from an arm's length, on a small page a third of it. */
const sideOf = ({ width, height }: { width: number; height: number }) =>
  Math.min(Math.max(Math.min(width, height) * 0.14, 96), Math.min(width, height) / 3)

function drawCode(page: PDFPage, { link, template }: Drawing, color: (hex: string) => ReturnType<PdfLib["rgb"]>) {
  const squares = qrSquares(link)
  const count = squares.length + 2 * MARGIN
  const side = sideOf(template) * POINT
  const square = side / count
  const left = template.width * POINT - side - square * MARGIN
  const bottom = square * MARGIN
  page.drawRectangle({ x: left, y: bottom, width: side, height: side, color: color("#ffffff") })
  for (const [row, squaresOfRow] of squares.entries())
    for (let from = 0; from < squaresOfRow.length; from++) {
      if (!squaresOfRow[from]) continue
      let to = from
      while (squaresOfRow[to]) to++
      page.drawRectangle({
        x: left + (MARGIN + from) * square,
        // A hair taller than a square, so that no line shows between the rows.
        y: bottom + side - (MARGIN + row + 1.02) * square,
        width: (to - from) * square,
        height: square * 1.02,
        color: color("#000000"),
      })
      from = to
    }
}

type PdfLib = typeof import("pdf-lib")

/** fontkit as pdf-lib takes it: its second version hands a subset on in one piece, pdf-lib listens for the parts. */
const asPdfLibWants = (fontkit: typeof import("fontkit")) => ({
  create(data: Uint8Array) {
    const font = fontkit.create(
      Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    ) as unknown as SubsettableFont
    const createSubset = font.createSubset.bind(font)
    font.createSubset = () => {
      const subset = createSubset()
      subset.encodeStream = () => {
        const stream = {
          on(event: string, listener: (bytes?: Uint8Array) => void) {
            if (event === "data") listener(subset.encode())
            if (event === "end") listener()
            return stream
          },
        }
        return stream
      }
      return subset
    }
    return font
  },
})

/** The members of fontkit's fonts that its types leave out. */
interface SubsettableFont {
  createSubset(): { encode(): Uint8Array; encodeStream?: () => unknown }
}

/**
 * Draws a certificate on one page of the template's size: the background, the fields in their order, the QR code.
 * @returns the PDF's bytes
 */
export async function drawCertificate(drawing: Drawing): Promise<Uint8Array> {
  const { template, background, at } = drawing
  const { pdf, fontkit } = await libraries()
  const document = await pdf.PDFDocument.create()
  // The adapter has what pdf-lib calls of the older version that its types describe.
  document.registerFontkit(asPdfLibWants(fontkit) as unknown as Parameters<PDFDocument["registerFontkit"]>[0])
  document.setTitle(drawing.title, { showInWindowTitleBar: true })
  document.setProducer("Lectern")
  document.setCreator("Lectern")
  document.setCreationDate(at)
  document.setModificationDate(at)

  const color = (hex: string) => pdf.rgb(...colorOf(hex))
  const size = { width: template.width * POINT, height: template.height * POINT }
  const page = document.addPage([size.width, size.height])
  if (background) {
    const { bytes, kind } = background
    const image = kind === "png" ? await document.embedPng(bytes) : await document.embedJpg(bytes)
    page.drawImage(image, { x: 0, y: 0, ...size })
  }
  const fonts = new Fonts(document, drawing.loadFont)
  for (const field of template.fields) {
    // A soft hyphen shows where a line ends within a word, which none does here.
    const text = drawing.textOf(field).normalize("NFC").replace(/\r\n?/g, "\n").replaceAll("\u00ad", "").trim()
    if (text === "") continue
    await drawField(page, fonts, template, field, text, color(field.font_color))
  }
  drawCode(page, drawing, color)
  return document.save()
}

async function drawField(
  page: PDFPage,
  fonts: Fonts,
  template: Drawing["template"],
  field: TemplateField,
  text: string,
  color: ReturnType<PdfLib["rgb"]>,
) {
  const box = {
    width: Math.min(field.width || template.width, template.width - field.left),
    height: Math.min(field.height || template.height, template.height - field.top),
  }
  const paragraphs: Letter<PDFFont>[][] = []
  for (const paragraph of text.split("\n"))
    paragraphs.push(await fonts.lettersOf(paragraph.replace(/\s+/g, " "), field.font_family))
  const { lines, size } = fitted(paragraphs, field.font_size, box)
  for (const [i, line] of lines.entries()) {
    const spare = box.width - widthOf(line) * size
    let x = field.left + (field.align_center ? Math.max(0, spare / 2) : 0)
    const y = template.height - field.top - (BASELINE + i * LINE) * size
    for (const run of visualRuns(line)) {
      page.drawText(run.text, { x: x * POINT, y: y * POINT, size: size * POINT, font: run.font, color })
      x += run.font.widthOfTextAtSize(run.text, size)
    }
  }
}

/** Whether an image can be drawn, by drawing it. */
export async function isDrawable(bytes: Uint8Array, kind: "png" | "jpg"): Promise<boolean> {
  const { PDFDocument } = await import("pdf-lib")
  const document = await PDFDocument.create()
  try {
    await (kind === "png" ? document.embedPng(bytes) : document.embedJpg(bytes))
    return true
  } catch {
    return false
  }
}
