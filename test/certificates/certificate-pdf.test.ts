import { env } from "cloudflare:workers"
import { PDFDocument } from "pdf-lib"
import { describe, expect, it } from "vitest"
import { loadFontCatalog, loadFontFile } from "../../src/lib/pdf/font-files.ts"
import { flattenPng, readPlainPng } from "../../src/lib/pdf/png.ts"
import { defaultCodePosition } from "../../src/modules/certificates/certificate-code-place.ts"
import { drawPages, type PageDrawing } from "../../src/modules/certificates/pdf-pages.ts"
import { field, JPEG, PNG } from "../factories/certificates.ts"
import { codeIn, fontsOf, glyphsOf, placesOf, textOf } from "../helpers/pdf.ts"

const LINK = "https://lectern.test/certificate/ABCDEFABCDEFABCDEFABCDEF"

async function draw(fields: ReturnType<typeof field>[], page: Partial<PageDrawing> = {}) {
  const loaded: string[] = []
  const drawn = await drawPages({
    author: "Lectern",
    title: "Certificate: Safety",
    at: new Date(0),
    pages: [
      {
        width: 1123,
        height: 794,
        texts: fields.map((field) => ({ field, text: field.value })),
        code: { ...defaultCodePosition({ width: 1123, height: 794 }), link: LINK },
        ...page,
      },
    ],
    catalog: await loadFontCatalog(env.ASSETS),
    loadFont: async (file) => {
      loaded.push(file)
      return loadFontFile(env.ASSETS, file)
    },
  })
  return { ...drawn, loaded }
}
const embedded = (names: string[]) => names.filter((name) => /^[A-Z]{6}\+/.test(name))
const text = (value: string, overrides = {}) => field("custom_text", { value, ...overrides })

describe("a certificate's PDF", () => {
  it("has one page of the template's size, a title, and text in the standard fonts", async () => {
    const { bytes, loaded } = await draw([
      text("Ada Byron"),
      text("Zoë Müller – “10 €”", { font_family: "Times-Bold", top: 200 }),
      text("ABC", { font_family: "Courier", top: 300 }),
    ])
    const document = await PDFDocument.load(bytes)
    expect(document.getPages().map((page) => page.getSize())).toEqual([{ width: 842.25, height: 595.5 }])
    expect(document.getTitle()).toBe("Certificate: Safety")
    expect(await textOf(bytes)).toBe("Ada Byron Zoë Müller – “10 €” ABC")
    expect(loaded).toEqual([])
    expect(await fontsOf(bytes)).toEqual(["Courier", "Helvetica", "Times-Bold"])
    expect(bytes.length).toBeLessThan(20_000)
  })

  for (const [script, words] of [
    ["Greek", "Ελένη Παπαδοπούλου"],
    ["Cyrillic", "Анна Ковальчук"],
    ["Polish and Czech", "Łukasz Dvořák"],
    ["Vietnamese", "Nguyễn Thị Hồng"],
    ["Georgian and Armenian", "გიორგი Արամ"],
    ["Chinese", "王 小明"],
    ["Japanese", "山田 さくら"],
    ["Korean", "김 민준"],
    ["Devanagari", "अनिल शर्मा"],
    ["Bengali", "রহিম উদ্দিন"],
    ["Tamil", "முருகன் செல்வி"],
    ["Thai", "สมชาย ใจดี"],
    ["Khmer", "សុខ ណាង"],
    ["Amharic", "ዓለም ተስፋዬ"],
    ["Tibetan", "བསྟན་འཛིན།"],
    ["Cherokee", "ᏣᎳᎩ"],
    ["emoji", "Zoë 🎓 👩‍🎓"],
  ] as const)
    it(`embeds subsets for ${script}, and its text can be read`, async () => {
      const { bytes, missing } = await draw([text(words)])
      expect(missing).toEqual([])
      expect(await textOf(bytes)).toBe(words)
      expect(embedded(await fontsOf(bytes)).length).toBeGreaterThan(0)
      expect(bytes.length).toBeLessThan(40_000)
    })

  it("draws right-to-left scripts from right to left and digits from left to right", async () => {
    // The reader returns the characters of each word in logical order.
    for (const words of ["שלום עולם", "محمد علي", "المستوى ١٢", "ہاشم", "سلام ۱۴۰۴"]) {
      const read = await textOf((await draw([text(words)])).bytes)
      expect(read.split(" ").sort(), words).toEqual(words.split(" ").sort())
    }
    const { bytes } = await draw([text("١٢٣", { font_size: 40, left: 0 })])
    const [glyph] = await glyphsOf(bytes)
    const one = await glyphsOf((await draw([text("١", { font_size: 40, left: 0 })])).bytes)
    expect(glyph?.characters).toEqual(["١", "٢", "٣"])
    expect(one[0]?.characters).toEqual(["١"])
  })

  it("shapes the final form of a Persian character before a zero-width non-joiner", async () => {
    const widthIn = async (words: string, characters: string) => {
      const [font] = await glyphsOf((await draw([text(words)])).bytes)
      return font?.widths[font.characters.indexOf(characters)]
    }
    expect(await widthIn("می‌خواهم", "\u200c")).toBe(0)
    expect(await widthIn("می‌خواهم", "ی")).toBe(await widthIn("می", "ی"))
    expect(await widthIn("میخواهم", "ی")).not.toBe(await widthIn("می", "ی"))
  })

  it("aligns a right-to-left paragraph with the right edge of its box", async () => {
    const at = async (words: string, overrides = {}) => {
      const [place] = await placesOf((await draw([text(words, { left: 100, width: 400, ...overrides })])).bytes)
      return place?.x ?? 0
    }
    expect(await at("Ada")).toBe(75)
    expect(await at("محمد")).toBeGreaterThan(250)
    expect(await at("محمد")).toBeLessThan(375)
    for (const words of ["דוד", "𞤀𞤣𞤤𞤢𞤥", "𐴌𐴟𐴇𐴥𐴝"]) expect(await at(words), words).toBeGreaterThan(250)
    expect(await at("محمد", { align_center: true })).toBeLessThan(await at("محمد"))
  })

  it("uses a font of the same weight and width as the standard font for other characters", async () => {
    expect(embedded(await fontsOf((await draw([text("Łukasz", { font_family: "Times-Bold" })])).bytes))).toEqual([
      expect.stringMatching(/^[A-Z]{6}\+tinos-latin-ext-700$/),
      expect.stringMatching(/^[A-Z]{6}\+tinos-latin-700$/),
    ])
    const { bytes } = await draw([text("王 Ada", { font_family: "Courier-Bold" })])
    expect(await fontsOf(bytes)).toEqual([expect.stringMatching(/\+noto-sans-sc-\d+-700$/), "Courier-Bold"])
  })

  it("draws Chinese characters with the font of the certificate's language", async () => {
    const fonts = async (...words: string[]) =>
      embedded(await fontsOf((await draw(words.map((value, i) => text(value, { top: 100 * i })))).bytes)).join()
    expect(await fonts("骨")).toContain("noto-sans-sc")
    expect(await fonts("骨", "さくら")).toMatch(/^((?!-sc).)*$/)
    expect(await fonts("骨", "한국")).not.toContain("noto-sans-sc")
  })

  it("draws and returns characters without a font as boxes, and draws nothing for invisible ones", async () => {
    const { bytes, missing } = await draw([text("\u{13000} Ada\u2060")])
    expect((await textOf(bytes)).replaceAll(" ", "")).toBe("□Ada")
    expect(missing).toEqual(["\u{13000}"])
  })

  it("loads no font for characters that the standard fonts have", async () => {
    const western = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
    const { loaded } = await draw([text(western.replace(/[\p{C}]/gu, "")), text("Zo\u0065\u0308 co\u00adop\u00a0x")])
    expect(loaded).toEqual([])
  })

  it("embeds the DejaVu families for any text", async () => {
    const { bytes, loaded } = await draw([text("Ada", { font_family: "DejaVuSansMono-Bold" })])
    expect(loaded).toEqual(["dejavu-sans-mono-700"])
    expect(await textOf(bytes)).toBe("Ada")
  })

  it("wraps a text in its box, and shrinks it to fit a small box", async () => {
    const words = "A certificate of attendance for everybody who was there from the first day to the last"
    const heights = async (overrides: object) => {
      const { bytes } = await draw([text(words, overrides)])
      expect(await textOf(bytes)).toBe(words)
      return placesOf(bytes)
    }
    const wide = await heights({ width: 1000, font_size: 20, left: 0 })
    expect(wide).toHaveLength(1)
    const narrow = await heights({ width: 200, font_size: 20, left: 0 })
    expect(narrow.length).toBeGreaterThan(3)
    expect(new Set(narrow.map(({ size }) => size))).toEqual(new Set([15]))
    const low = await heights({ width: 200, height: 40, font_size: 20, left: 0 })
    expect(Math.max(...low.map(({ size }) => size))).toBeLessThan(15)
    const long = await draw([text("x".repeat(2000), { width: 100, font_size: 40 })])
    expect((await textOf(long.bytes)).replaceAll(" ", "")).toBe("x".repeat(2000))
  })

  it("centers a text in its box, in its color, with positions from the top left", async () => {
    const { bytes } = await draw([
      text("II", { align_center: true, left: 100, width: 400, top: 100, font_size: 40, font_color: "#f80" }),
      text("II", { left: 100, top: 100, font_size: 40, font_color: "#1d4ed8" }),
    ])
    const [centered, left] = await placesOf(bytes)
    expect(left).toMatchObject({ x: 75, y: (794 - 100 - 36) * 0.75, size: 30 })
    expect(centered?.x).toBeCloseTo((100 + 200) * 0.75 - 0.278 * 30, 1)
    expect(centered?.y).toBe(left?.y)
    expect(centered?.color).toEqual([1, 0.533, 0])
  })

  it("draws the background from a PNG or a JPEG", async () => {
    const png = readPlainPng(await flattenPng(PNG))
    if (!png) throw new Error("The PNG cannot be read.")
    for (const background of [
      { kind: "png", picture: png },
      { kind: "jpg", picture: { width: 2, height: 1, components: 3, data: JPEG } },
    ] as const) {
      const { bytes } = await draw([text("Ada")], { background })
      expect(await textOf(bytes)).toBe("Ada")
      expect(new TextDecoder("latin1").decode(bytes)).toContain("/Subtype /Image")
    }
  })

  it("has a QR code that can be decoded, also on the smallest page", async () => {
    expect(await codeIn((await draw([])).bytes)).toBe(LINK)
    const page = { width: 100, height: 60 }
    const small = await draw([], { ...page, code: { ...defaultCodePosition(page), link: LINK } })
    expect(await codeIn(small.bytes)).toBe(LINK)
  })
})
