import jsQR from "jsqr"
import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, PDFRef } from "pdf-lib"
import { extractText, getDocumentProxy } from "unpdf"

// Reads PDFs: pdf.js the text, jsQR the QR code, pdf-lib the structure.

/** Returns the text, lines joined by spaces. */
export async function textOf(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: true })
  return text.replace(/\s+/g, " ").trim()
}

/** Returns the names of the fonts; those of subsets have a tag. */
export async function fontsOf(bytes: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(bytes)
  const names = document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) =>
      object instanceof PDFDict && object.get(PDFName.of("Type")) === PDFName.of("Font") ? [object] : [],
    )
    .map((font) => String(font.get(PDFName.of("BaseFont"))).replace(/^\//, ""))
  return [...new Set(names)].sort()
}

/** Returns the operators of the first page. */
async function contentOf(bytes: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(bytes)
  const contents = document.getPage(0).node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents]
  return streams
    .map((stream) => (stream instanceof PDFRef ? document.context.lookup(stream) : stream))
    .map((stream) =>
      stream instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(stream).decode()).toString("latin1") : "",
    )
    .join("\n")
}

/** Returns the characters and widths of each embedded font's codes, in order. */
export async function glyphsOf(bytes: Uint8Array) {
  const document = await PDFDocument.load(bytes)
  const streamed = (object: unknown) =>
    object instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(object).decode()).toString("latin1") : ""
  const fonts = document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFDict && object.has(PDFName.of("ToUnicode")) ? [object] : []))
  return fonts.map((font) => {
    const map = streamed(font.lookup(PDFName.of("ToUnicode")))
    const descendant = font.lookup(PDFName.of("DescendantFonts"), PDFArray).lookup(0, PDFDict)
    const widths = descendant.lookup(PDFName.of("W"), PDFArray).lookup(1, PDFArray)
    const characters = [...map.matchAll(/^<\w{4}> <(\w*)>$/gm)].map(([, hex = ""]) =>
      Buffer.from(hex, "hex").swap16().toString("utf16le"),
    )
    return { characters: characters.slice(1), widths: widths.asArray().slice(1).map(Number) }
  })
}

/** Returns the position of each run of text in points from the bottom left, its size and color. */
export async function placesOf(bytes: Uint8Array) {
  const content = await contentOf(bytes)
  return [...content.matchAll(/BT\n([\d. ]+) rg\n\/\S+ ([\d.]+) Tf\n[\s\S]*?1 0 0 1 ([\d.]+) ([\d.]+) Tm/g)].map(
    ([, color = "", size, x, y]) => ({
      color: color.split(" ").map(Number),
      size: Number(size),
      x: Number(x),
      y: Number(y),
    }),
  )
}

/** Returns the dark rectangles of the QR code: left, bottom, width and height. */
export async function squaresIn(bytes: Uint8Array): Promise<number[][]> {
  const content = await contentOf(bytes)
  return [...content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map(([, ...place]) => place.map(Number))
}

/** Decodes the QR code. */
export async function codeIn(bytes: Uint8Array): Promise<string | undefined> {
  const rows = await squaresIn(bytes)
  const edge = (at: number, span = 0) => rows.map((row) => (row[at] ?? 0) + (row[at + span] ?? 0) * Math.sign(span))
  const [left, right, foot, top] = [
    Math.min(...edge(0)),
    Math.max(...edge(0, 2)),
    Math.min(...edge(1)),
    Math.max(...edge(1, 2)),
  ]
  const [SIDE, MARGIN] = [410, 40]
  const scale = (SIDE - 2 * MARGIN) / (right - left)
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4).fill(255)
  for (const [x = 0, y = 0, wide = 0, tall = 0] of rows) {
    const [up, down] = [top - y - tall, top - y].map((at) => MARGIN + Math.round(at * scale))
    const [from, to] = [x - left, x - left + wide].map((at) => MARGIN + Math.round(at * scale))
    for (let py = up ?? 0; py < (down ?? 0); py++)
      for (let px = from ?? 0; px < (to ?? 0); px++) pixels.fill(0, (py * SIDE + px) * 4, (py * SIDE + px) * 4 + 3)
  }
  return foot < top ? jsQR(pixels, SIDE, SIDE)?.data : undefined
}
