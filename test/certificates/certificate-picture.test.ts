import { env } from "cloudflare:workers"
import { describe, expect, it } from "vitest"
import { loadFontCatalog, loadFontFile } from "../../src/lib/pdf/font-files.ts"
import { drawPicture, type Picture } from "../../src/modules/certificates/certificate-picture.ts"
import { field } from "../factories/certificates.ts"

const LINK = "https://lectern.test/certificate/ABCDEFABCDEFABCDEFABCDEF"

const text = (value: string, overrides = {}) => field("custom_text", { value, ...overrides })

async function draw(fields: ReturnType<typeof field>[], page: Partial<Picture> = {}) {
  return drawPicture({
    width: 1123,
    height: 794,
    texts: fields.map((field) => ({ field, text: field.value })),
    hasBackground: false,
    code: { show: false, left: 0, top: 0, size: 100, link: LINK },
    catalog: await loadFontCatalog(env.ASSETS),
    loadFont: (file) => loadFontFile(env.ASSETS, file),
    ...page,
  })
}

const uses = (svg: string) =>
  [...svg.matchAll(/<use href="#([\w-]+)" transform="translate\(([\d.-]+) ([\d.-]+)\)/g)].map(([, id = "", x, y]) => ({
    id,
    x: Number(x),
    y: Number(y),
  }))
const paths = (svg: string) => [...svg.matchAll(/<path id="([\w-]+)" d="([^"]+)"/g)].map(([, id, d]) => ({ id, d }))

describe("a certificate's picture", () => {
  it("draws each character as an outline at the place that the standard font gives it", async () => {
    const svg = await draw([text("ABBA", { left: 100, top: 50, font_size: 40, align_center: false, width: 0 })])
    const placed = uses(svg)
    expect(placed.map(({ id }) => id)).toEqual([placed[0]?.id, placed[1]?.id, placed[1]?.id, placed[0]?.id])
    // The widths of A and B in Helvetica are 667 thousandths of an em.
    expect(placed.map(({ x }) => x)).toEqual([100, 126.68, 153.36, 180.04])
    expect(new Set(placed.map(({ y }) => y))).toEqual(new Set([50 + 0.9 * 40]))
    expect(paths(svg)).toHaveLength(2)
    for (const { d } of paths(svg)) expect(d).toMatch(/^(M-?\d+ -?\d+([LQ][\d -]+)+Z)+$/)
  })

  it("draws right-to-left text, ligatures and composed characters, and nothing for spaces", async () => {
    for (const [words, glyphs] of [
      ["محمد", 4],
      ["é ñ", 2],
      ["Łukasz", 6],
      ["王 小明", 3],
    ] as const) {
      const svg = await draw([text(words, { width: 0 })])
      expect(uses(svg).length, words).toBeGreaterThanOrEqual(glyphs)
      const drawn = new Set(paths(svg).map(({ id }) => id))
      for (const { id } of uses(svg)) expect(drawn.has(id), `${words}: ${id}`).toBe(true)
    }
  })

  it("has the colors of the fields, and the QR code on white in front of a background", async () => {
    const code = { show: true, left: 10, top: 20, size: 100, link: LINK }
    const svg = await draw([text("Ada", { font_color: "#0b5d1e" })], { hasBackground: true, code })
    expect(svg).toContain('<g fill="#0b5d1e">')
    expect(svg).toContain('<rect x="10" y="20" width="100" height="100" fill="#fff"/>')
    expect(svg).toMatch(/<path d="M4 4h1v1h-1z[^"]+" transform="translate\(10 20\) scale\([\d.]+\)"/)
    expect(await draw([text("Ada")])).not.toContain("<rect")
  })

  it("is a document without scripts, styles and links to other documents", async () => {
    const svg = await draw([text("<script>&\"'")])
    expect(svg).not.toMatch(/<script|<style|style=|href="[^#]/)
    expect(svg.match(/<svg/g)).toHaveLength(1)
  })
})
