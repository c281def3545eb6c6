import { type Embedded, Standard } from "./pdf-fonts.ts"
import type { Picture } from "./png.ts"

// Writes a PDF of one page (ISO 32000-1): a handful of objects and where each begins. A library that also reads, edits
// and signs documents would be a tenth of the bundle. What is large is packed by the runtime, many times faster than by
// script.

/** UTF-16 in hexadecimal digits, as PDF has texts. */
const utf16 = (text: string) =>
  Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, "0")).join("")

/** A text of the PDF's own, such as its title. */
const textString = (text: string) => `<feff${utf16(text)}>`
const dateString = (at: Date) => `(D:${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z)`
const list = (values: readonly (string | number)[]) => `[${values.join(" ")}]`
/** A dictionary of values as they are written. */
const dictionary = (entries: Record<string, string | number>) =>
  `<< ${Object.entries(entries)
    .map(([key, value]) => `/${key} ${value}`)
    .join(" ")} >>`

const encoder = new TextEncoder()

async function packed(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new CompressionStream("deflate"))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Which letters the codes of a font stand for. */
function toUnicode(letters: readonly string[]): string {
  const lines = letters.map((text, code) => `<${code.toString(16).padStart(4, "0")}> <${utf16(text)}>`)
  const blocks: string[] = []
  // A block holds a hundred at most.
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

/** A JPEG as a file has it. */
export interface Jpeg {
  width: number
  height: number
  /** Samples of a pixel: gray, colors, or the four inks of print. */
  colors: 1 | 3 | 4
  data: Uint8Array
}

/** What a document says of itself. */
interface About {
  title: string
  /** Who issues it. */
  author: string
  at: Date
  /** Points. */
  size: [number, number]
}

/** A document of one page, lengths in points. */
export class PdfWriter {
  /** The objects' bytes; the first has the number 1. */
  private readonly objects: Uint8Array[] = []
  private readonly about: About
  private readonly content: string[] = []
  private readonly images: Record<string, string> = {}

  constructor(about: About) {
    this.about = about
  }

  /** Operators of the page. */
  draw(operators: string) {
    this.content.push(operators)
  }

  /** Draws an image over the whole page, its data as the file has them: readers unpack them. */
  cover(image: { kind: "png"; picture: Picture } | { kind: "jpg"; picture: Jpeg }) {
    const [width, height] = this.about.size
    this.images.Im1 = image.kind === "png" ? this.png(image.picture) : this.jpeg(image.picture)
    this.draw(`q ${width} 0 0 ${height} 0 0 cm /Im1 Do Q`)
  }

  private png({ width, height, depth, colors, palette, data }: Picture): string {
    const plain = colors === 1 ? "/DeviceGray" : "/DeviceRGB"
    return this.stream(data, {
      Type: "/XObject",
      Subtype: "/Image",
      Width: width,
      Height: height,
      BitsPerComponent: depth,
      ColorSpace: palette
        ? list(["/Indexed /DeviceRGB", palette.length / 3 - 1, `<${Buffer.from(palette).toString("hex")}>`])
        : plain,
      Filter: "/FlateDecode",
      DecodeParms: dictionary({ Predictor: 15, Colors: colors, BitsPerComponent: depth, Columns: width }),
    })
  }

  private jpeg({ width, height, colors, data }: Jpeg): string {
    return this.stream(data, {
      Type: "/XObject",
      Subtype: "/Image",
      Width: width,
      Height: height,
      BitsPerComponent: 8,
      ColorSpace: colors === 1 ? "/DeviceGray" : colors === 3 ? "/DeviceRGB" : "/DeviceCMYK",
      Filter: "/DCTDecode",
      // Programs store the inks of print complemented: 0 is full ink.
      ...(colors === 4 && { Decode: "[1 0 1 0 1 0 1 0]" }),
    })
  }

  /** Takes up an object. @returns how others refer to it */
  private add(body: string | Uint8Array): string {
    this.objects.push(typeof body === "string" ? encoder.encode(body) : body)
    return `${this.objects.length} 0 R`
  }

  private stream(data: Uint8Array, entries: Record<string, string | number>): string {
    const head = encoder.encode(`${dictionary({ ...entries, Length: data.length })}\nstream\n`)
    return this.add(Buffer.concat([head, data, encoder.encode("\nendstream")]))
  }

  private async packed(data: Uint8Array, entries: Record<string, string | number> = {}) {
    return this.stream(await packed(data), { ...entries, Filter: "/FlateDecode" })
  }

  private async font(font: Standard | Embedded, at: number): Promise<string> {
    if (font instanceof Standard)
      return this.add(
        dictionary({
          Type: "/Font",
          Subtype: "/Type1",
          BaseFont: `/${font.standard}`,
          Encoding: "/WinAnsiEncoding",
        }),
      )
    const { file, metrics, widths, letters } = font.held
    // Six capitals mark a subset, others in each of a document's.
    const tag = Array.from({ length: 6 }, (_, i) => String.fromCharCode(65 + (Math.floor(at / 26 ** (5 - i)) % 26)))
    const name = `/${tag.join("")}+${font.file}`
    const descriptor = this.add(
      dictionary({
        Type: "/FontDescriptor",
        FontName: name,
        Flags: 4,
        FontBBox: list(metrics.box),
        ItalicAngle: 0,
        Ascent: metrics.ascent,
        Descent: metrics.descent,
        CapHeight: metrics.ascent,
        StemV: 80,
        FontFile2: await this.packed(file, { Length1: file.length }),
      }),
    )
    const descendant = this.add(
      dictionary({
        Type: "/Font",
        Subtype: "/CIDFontType2",
        BaseFont: name,
        CIDSystemInfo: dictionary({ Registry: "(Adobe)", Ordering: "(Identity)", Supplement: 0 }),
        FontDescriptor: descriptor,
        CIDToGIDMap: "/Identity",
        W: list([0, list(widths)]),
      }),
    )
    return this.add(
      dictionary({
        Type: "/Font",
        Subtype: "/Type0",
        BaseFont: name,
        Encoding: "/Identity-H",
        DescendantFonts: list([descendant]),
        ToUnicode: await this.packed(encoder.encode(toUnicode(letters))),
      }),
    )
  }

  /** @returns the PDF's bytes */
  async save(fonts: readonly (Standard | Embedded)[]): Promise<Uint8Array<ArrayBuffer>> {
    const { title, author, at, size } = this.about
    const named: Record<string, string> = {}
    for (const [i, font] of fonts.entries()) named[font.name] = await this.font(font, i)
    const content = await this.packed(encoder.encode(this.content.join("\n")))
    // The page and the list of pages name each other.
    const pages = `${this.objects.length + 2} 0 R`
    const page = this.add(
      dictionary({
        Type: "/Page",
        Parent: pages,
        MediaBox: list([0, 0, ...size]),
        Resources: dictionary({ Font: dictionary(named), XObject: dictionary(this.images) }),
        Contents: content,
      }),
    )
    this.add(dictionary({ Type: "/Pages", Kids: list([page]), Count: 1 }))
    const root = this.add(
      dictionary({ Type: "/Catalog", Pages: pages, ViewerPreferences: dictionary({ DisplayDocTitle: "true" }) }),
    )
    const info = this.add(
      dictionary({
        Title: textString(title),
        Author: textString(author),
        Creator: textString(author),
        Producer: "(Lectern)",
        CreationDate: dateString(at),
        ModDate: dateString(at),
      }),
    )
    return this.file({ Root: root, Info: info })
  }

  private file(trailer: Record<string, string>): Uint8Array<ArrayBuffer> {
    // Four bytes beyond ASCII tell programs that copy the file that it is no text.
    const parts: Uint8Array[] = [Buffer.from("%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1")]
    let length = parts[0]?.length ?? 0
    const places: number[] = []
    for (const [i, object] of this.objects.entries()) {
      const whole = Buffer.concat([encoder.encode(`${i + 1} 0 obj\n`), object, encoder.encode("\nendobj\n")])
      places.push(length)
      length += whole.length
      parts.push(whole)
    }
    const size = places.length + 1
    const table = [
      `xref\n0 ${size}\n0000000000 65535 f `,
      ...places.map((place) => `${String(place).padStart(10, "0")} 00000 n `),
      `trailer\n${dictionary({ ...trailer, Size: size })}\nstartxref\n${length}\n%%EOF\n`,
    ]
    return Uint8Array.from(Buffer.concat([...parts, encoder.encode(table.join("\n"))]))
  }
}
