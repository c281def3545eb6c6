import {
  beginText,
  concatTransformationMatrix,
  drawObject,
  endText,
  fill,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFOperator,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  setFillingRgbColor,
  setFontAndSize,
  setLineWidth,
  setStrokingRgbColor,
  setTextMatrix,
  setTextRenderingMode,
  showText,
  TextRenderingMode,
} from "pdf-lib"
import type { CodePosition, TemplateField } from "../../../drizzle/schema/certificates.ts"
import { MARGIN, qrModules } from "../../lib/files/qr-code.ts"
import type { Face, FontCatalog } from "../../lib/pdf/font-catalog.ts"
import { type Glyph, Shaper } from "../../lib/pdf/harfbuzz.ts"
import { EmbeddedPdfFont, type PdfFont, StandardPdfFont } from "../../lib/pdf/pdf-fonts.ts"
import { type BackgroundImage, embedImage } from "../../lib/pdf/pdf-images.ts"
import type { Run } from "../../lib/pdf/text-runs.ts"
import { FAKE_BOLD_WIDTH, normalizeFieldText } from "./certificate-layout.ts"
import { PageFonts } from "./page-fonts.ts"

/** Template pixels are 1/96 inch, PDF points 1/72. */
const POINTS_PER_PIXEL = 0.75

/** A text and its box. Lengths in pixels. */
export interface PageText {
  field: TemplateField
  text: string
}

export interface PageDrawing {
  width: number
  height: number
  texts: PageText[]
  background?: BackgroundImage | undefined
  /** The QR code with the URL that it contains. */
  code?: (CodePosition & { link: string }) | undefined
}

export interface PdfDrawing {
  title: string
  /** The organization that issues the document. */
  author: string
  /** The PDF's creation date. */
  at: Date
  pages: PageDrawing[]
  catalog: FontCatalog
  loadFont(file: string): Promise<Uint8Array>
}

const round = (value: number) => Math.round(value * 1000) / 1000
const points = (pixels: number) => round(pixels * POINTS_PER_PIXEL)

type Rgb = [red: number, green: number, blue: number]
const WHITE: Rgb = [1, 1, 1]
const BLACK: Rgb = [0, 0, 0]

function parseColor(hex: string): Rgb {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1)
  const component = (at: number) => round(Number.parseInt(digits.slice(at, at + 2), 16) / 255)
  return [component(0), component(2), component(4)]
}

/** A white square behind the QR code, so that readers find it on a background. */
const codeBackground = (code: CodePosition, height: number): PDFOperator[] => [
  setFillingRgbColor(...WHITE),
  rectangle(points(code.left), points(height - code.top - code.size), points(code.size), points(code.size)),
  fill(),
]

/** The QR code, with adjacent dark modules of a row in one rectangle. */
function codeOperators(code: CodePosition & { link: string }, height: number): PDFOperator[] {
  const modules = qrModules(code.link)
  const side = code.size * POINTS_PER_PIXEL
  const module = side / (modules.length + 2 * MARGIN)
  const left = code.left * POINTS_PER_PIXEL
  const bottom = (height - code.top) * POINTS_PER_PIXEL - side
  const operators = [setFillingRgbColor(...BLACK)]
  for (const [row, modulesOfRow] of modules.entries())
    for (let from = 0; from < modulesOfRow.length; from++) {
      if (!modulesOfRow[from]) continue
      let to = from
      while (modulesOfRow[to]) to++
      // Slightly taller than a module, so that viewers show no gap between rows.
      const y = bottom + side - (MARGIN + row + 1.02) * module
      const x = left + (MARGIN + from) * module
      operators.push(rectangle(round(x), round(y), round((to - from) * module), round(module * 1.02)))
      from = to
    }
  return [...operators, fill()]
}

/** Splits the glyphs of a run, from left to right, into clusters with the characters they represent. */
function clustersOf({ text }: Run<PdfFont>, glyphs: readonly Glyph[]) {
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].sort((a, b) => a - b)
  const ends = new Map(starts.map((start, i) => [start, starts[i + 1] ?? text.length]))
  return [...Map.groupBy(glyphs, ({ cluster }) => cluster)].map(([start, members]) => ({
    glyphs: members,
    characters: text.slice(start, ends.get(start)),
  }))
}

/** Draws the runs of a line, starting at its left end. */
function lineOperators(
  runs: Run<PdfFont>[],
  { x, y, size, color }: { x: number; y: number; size: number; color: Rgb },
): PDFOperator[] {
  const operators: PDFOperator[] = []
  let left = x
  for (const run of runs) {
    const { font } = run
    const encoded = clustersOf(run, font.shape(run.text, run.rightToLeft)).map(({ glyphs, characters }) =>
      font.encode(glyphs, characters),
    )
    operators.push(
      beginText(),
      setFillingRgbColor(...color),
      setFontAndSize(font.name, points(size)),
      ...(font.fakeBold
        ? [
            setStrokingRgbColor(...color),
            setLineWidth(points(size * FAKE_BOLD_WIDTH)),
            setTextRenderingMode(TextRenderingMode.FillAndOutline),
          ]
        : []),
      setTextMatrix(1, 0, 0, 1, points(left), points(y)),
      showText(PDFHexString.of(encoded.map(({ code }) => code).join(""))),
      ...(font.fakeBold ? [setTextRenderingMode(TextRenderingMode.Fill)] : []),
      endText(),
    )
    left += encoded.reduce((sum, { advance }) => sum + advance, 0) * size
  }
  return operators
}

async function drawText(page: PDFPage, fonts: PageFonts<PdfFont>, drawing: PageDrawing, text: PageText) {
  const { lines, size } = await fonts.layOut(text, drawing)
  const color = parseColor(text.field.font_color)
  for (const { runs, x, baseline } of lines)
    page.pushOperators(...lineOperators(runs, { x, y: drawing.height - baseline, size, color }))
}

/** Loads the fonts of a PDF. */
const pdfFont =
  (loadFont: PdfDrawing["loadFont"], shaper: Shaper) =>
  async (face: Face, number: number): Promise<PdfFont> => {
    const name = `F${number + 1}`
    return "standard" in face
      ? new StandardPdfFont(name, face)
      : new EmbeddedPdfFont(name, number, face, await loadFont(face.file), shaper)
  }

async function createDocument({ title, author, at }: PdfDrawing): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false })
  document.setTitle(title, { showInWindowTitleBar: true })
  document.setAuthor(author)
  document.setCreator(author)
  document.setProducer("Lectern")
  document.setCreationDate(at)
  document.setModificationDate(at)
  return document
}

function drawBackground(page: PDFPage, image: BackgroundImage) {
  const { width, height } = page.getSize()
  page.node.setXObject(PDFName.of("Background"), embedImage(page.doc.context, image))
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(width, 0, 0, height, 0, 0),
    drawObject("Background"),
    popGraphicsState(),
  )
}

function addPage(document: PDFDocument, { width, height, background, code }: PageDrawing): PDFPage {
  const page = document.addPage([width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL])
  if (background) {
    drawBackground(page, background)
    if (code?.show) page.pushOperators(...codeBackground(code, height))
  }
  return page
}

/**
 * Draws the pages of a PDF: the background, the texts in their order, the QR code.
 * @returns the PDF's bytes, and the characters that no font has, which are drawn as boxes
 */
export async function drawPages(drawing: PdfDrawing): Promise<{ bytes: Uint8Array<ArrayBuffer>; missing: string[] }> {
  const document = await createDocument(drawing)
  const pages = drawing.pages.map((page) => ({
    ...page,
    texts: page.texts.map(({ field, text }) => ({ field, text: normalizeFieldText(text) })),
  }))
  const documentText = pages.flatMap(({ texts }) => texts.map(({ text }) => text)).join("\n")
  const shaper = new Shaper()
  try {
    const fonts = new PageFonts(drawing.catalog, documentText, pdfFont(drawing.loadFont, shaper))
    for (const page of pages) {
      const drawn = addPage(document, page)
      for (const text of page.texts) if (text.text !== "") await drawText(drawn, fonts, page, text)
      if (page.code?.show) drawn.pushOperators(...codeOperators(page.code, page.height))
    }
    for (const font of fonts.all) {
      const embedded = font.embed(document.context)
      for (const page of document.getPages()) page.node.setFontDictionary(PDFName.of(font.name), embedded)
    }
    const bytes = await document.save({ useObjectStreams: false })
    return { bytes: Uint8Array.from(bytes), missing: [...fonts.missing] }
  } finally {
    shaper.dispose()
  }
}
