import jsQR from "jsqr"
import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, PDFRef } from "pdf-lib"
import { extractText, getDocumentProxy } from "unpdf"

// Reads PDFs as others do: pdf.js their text, jsQR their QR code, pdf-lib their structure.

/** The text as pdf.js reads it, lines joined by spaces. */
export async function textOf(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: true })
  return text.replace(/\s+/g, " ").trim()
}

/** The names of the fonts, those of subsets with their tag. */
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

/** The first page's drawing operators. */
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

/** Where each stretch of text begins, in points from the bottom left, how large it is and its colour. */
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

/** What the QR code says that is drawn in dark rectangles. */
export async function codeIn(bytes: Uint8Array): Promise<string | undefined> {
  const whole = await contentOf(bytes)
  // It is drawn last, on a white ground.
  const content = whole.slice(whole.lastIndexOf("1 1 1 rg"))
  const found = [
    ...content.matchAll(
      /([\d.]+ [\d.]+ [\d.]+) rg[\s\S]*?1 0 0 1 ([\d.]+) ([\d.]+) cm[\s\S]*?0 0 m\n0 ([\d.]+) l\n([\d.]+) /g,
    ),
  ]
  const [white, ...rows] = found.map(([, color, ...numbers]) => ({ color, place: numbers.map(Number) }))
  if (white?.color !== "1 1 1") throw new Error("No white ground")
  const [left = 0, bottom = 0, height = 0] = white.place
  const SIDE = 410
  const scale = SIDE / height
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4).fill(255)
  for (const { place } of rows) {
    const [x = 0, y = 0, tall = 0, wide = 0] = place
    const [top, foot] = [bottom + height - y - tall, bottom + height - y].map((at) => Math.round(at * scale))
    const [from, to] = [x - left, x - left + wide].map((at) => Math.round(at * scale))
    for (let py = top ?? 0; py < (foot ?? 0); py++)
      for (let px = from ?? 0; px < (to ?? 0); px++) pixels.fill(0, (py * SIDE + px) * 4, (py * SIDE + px) * 4 + 3)
  }
  return jsQR(pixels, SIDE, SIDE)?.data
}
