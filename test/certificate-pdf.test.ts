import { env } from "cloudflare:workers"
import { PDFDocument } from "pdf-lib"
import { describe, expect, it } from "vitest"
import { drawCertificate, type FontFile } from "../src/modules/certificates/certificate-pdf.ts"
import { field, JPEG, PNG } from "./factories.certificates.ts"
import { codeIn, fontsOf, placesOf, textOf } from "./pdf.ts"

const LINK = "https://lectern.test/certificate/ABCDEFABCDEFABCDEFABCDEF"

async function draw(fields: ReturnType<typeof field>[], given = {}) {
  const loaded: FontFile[] = []
  const bytes = await drawCertificate({
    title: "Certificate: Safety",
    template: { width: 1123, height: 794, fields },
    textOf: ({ value }) => value,
    background: undefined,
    link: LINK,
    at: new Date(0),
    loadFont: async (font) => {
      loaded.push(font)
      const answer = await env.ASSETS.fetch(`https://assets.local/assets/fonts/${font}.ttf`)
      return new Uint8Array(await answer.arrayBuffer())
    },
    ...given,
  })
  return { bytes, loaded }
}
const text = (value: string, given = {}) => field("custom_text", { value, ...given })

describe("a certificate's PDF", () => {
  it("has one page of the template's size, its title, and the texts with the standard fonts", async () => {
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
  ] as const)
    it(`carries ${script} in an embedded subset, and in a family of the same kind`, async () => {
      const { bytes, loaded } = await draw([text(words), text(words, { font_family: "Times-Bold", top: 300 })])
      expect(await textOf(bytes)).toBe(`${words} ${words}`)
      expect(loaded[0]).toBe("DejaVuSans")
      expect((await fontsOf(bytes)).every((name) => /^[A-Z]{6}\+DejaVu/.test(name))).toBe(true)
      expect(bytes.length).toBeLessThan(120_000)
    })

  it("draws Hebrew and Arabic from right to left, beside Latin too", async () => {
    for (const words of ["שלום עולם", "محمد علي", "Ada (محمد) 12"]) {
      const { bytes } = await draw([text(words)])
      const read = await textOf(bytes)
      for (const word of words.split(/[ ()]+/).filter(Boolean))
        expect([...read.normalize("NFKC")].sort().join(""), words).toContain([...word].sort().join("").slice(0, 1))
      expect((await fontsOf(bytes)).every((name) => /^[A-Z]{6}\+DejaVu/.test(name))).toBe(true)
    }
  })

  it("shows a box for what no font has, and nothing for what is invisible", async () => {
    const { bytes } = await draw([text("李 Ада 👩‍🎓")])
    expect((await textOf(bytes)).replaceAll(" ", "")).toBe("□Ада□□")
  })

  it("draws all that the standard fonts have with them", async () => {
    const western = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
    const { loaded } = await draw([text(western.replace(/[\p{C}]/gu, "")), text("Zo\u0065\u0308 co\u00adop\u00a0x")])
    expect(loaded).toEqual([])
  })

  it("embeds the two DejaVu families whatever they write", async () => {
    const { bytes, loaded } = await draw([text("Ada", { font_family: "DejaVuSansMono-Bold" })])
    expect(loaded).toEqual(["DejaVuSansMono-Bold"])
    expect(await textOf(bytes)).toBe("Ada")
  })

  it("wraps a text in its box, and makes it smaller where the box is too small", async () => {
    const words = "A certificate of attendance for everybody who was there from the first day to the last"
    const heights = async (given: object) => {
      const { bytes } = await draw([text(words, given)])
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

  it("centres a text in its box, in its colour, and measures from the top left", async () => {
    const { bytes } = await draw([
      text("II", { align_center: true, left: 100, width: 400, top: 100, font_size: 40, font_color: "#f80" }),
      text("II", { left: 100, top: 100, font_size: 40, font_color: "#1d4ed8" }),
    ])
    const [centred, left] = await placesOf(bytes)
    expect(left).toMatchObject({ x: 75, y: (794 - 100 - 36) * 0.75, size: 30 })
    expect(centred?.x).toBeCloseTo((100 + 200) * 0.75 - 0.278 * 30, 1)
    expect(centred?.y).toBe(left?.y)
    expect(centred?.color).toEqual([1, 0x88 / 255, 0])
  })

  it("lies on its background, PNG or JPEG", async () => {
    for (const background of [
      { bytes: PNG, kind: "png" },
      { bytes: JPEG, kind: "jpg" },
    ]) {
      const { bytes } = await draw([text("Ada")], { background })
      expect(await textOf(bytes)).toBe("Ada")
      expect(new TextDecoder("latin1").decode(bytes)).toContain("/Subtype /Image")
    }
  })

  it("carries a QR code that a reader reads, on the smallest page too", async () => {
    expect(await codeIn((await draw([])).bytes)).toBe(LINK)
    const small = await draw([], { template: { width: 100, height: 60, fields: [] } })
    expect(await codeIn(small.bytes)).toBe(LINK)
  })
})
