// Certificates with tools that other people wrote: Chromium, poppler and zbar.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, connect, expectOk, PASSWORD } from "../../../scripts/lib/client.ts"
import { root } from "../../../scripts/lib/state.ts"
import { FontCatalog } from "../../../src/lib/pdf/font-catalog.ts"
import { expect, test } from "../fixtures.ts"
import { get, type Json, post } from "../support/api.ts"
import { cropToInk, difference, readPicture } from "../support/pictures.ts"
import { requireTools } from "../support/tools.ts"
import { SAMPLE_TEXTS } from "../support/writing-systems.ts"

const FONTS = join(root, ".assets/assets/fonts")
const TOOLS = {
  pdftotext: "poppler-utils",
  pdffonts: "poppler-utils",
  pdftoppm: "poppler-utils",
  zbarimg: "zbar-tools",
}

/** Names of learners; `embedded`: the standard fonts do not cover them. */
const NAMES = [
  { firstName: "Zoë", lastName: "Müller", embedded: false },
  { firstName: "Ελένη", lastName: "Παπαδοπούλου", embedded: true },
  { firstName: "Анна", lastName: "Ковальчук", embedded: true },
  { firstName: "Łukasz", lastName: "Dvořák", embedded: true },
  { firstName: "Nguyễn", lastName: "Thị Hồng", embedded: true },
  { firstName: "דוד", lastName: "לוי", embedded: true },
  { firstName: "محمد", lastName: "١٢", embedded: true },
  { firstName: "ہاشم", lastName: "سلام", embedded: true },
  { firstName: "می‌خواهم", lastName: "۱۴۰۴", embedded: true },
  { firstName: "王", lastName: "小明", embedded: true },
  { firstName: "अनिल", lastName: "शर्मा", embedded: true },
  { firstName: "สมชาย", lastName: "ใจดี", embedded: true },
  { firstName: "ዓለም", lastName: "ተስፋዬ", embedded: true },
  { firstName: "Ada", lastName: "🎓", embedded: true },
]

const TEXTS = Object.entries(SAMPLE_TEXTS)
/** The texts stand in a grid. All lengths are in pixels. */
const COLUMNS = 3
const CELL = { width: 440, height: 84, gap: 20 }
const MARGIN = { left: 20, top: 30 }
const FONT_SIZE = 28
const PAGE = {
  width: 2 * MARGIN.left + COLUMNS * (CELL.width + CELL.gap),
  height: 2 * MARGIN.top + Math.ceil(TEXTS.length / COLUMNS) * CELL.height,
}
const positionOf = (index: number) => ({
  left: MARGIN.left + (index % COLUMNS) * (CELL.width + CELL.gap),
  top: MARGIN.top + Math.floor(index / COLUMNS) * CELL.height,
})
/** It has the metrics of the standard font, which draws the spaces. */
const SPACE_FONT = "arimo-latin-400"
/** Pixels of a picture per pixel of the page. */
const SCALE = 3
/** The share of ink that may differ. */
const MAX_DIFFERENCE = 0.12

test.beforeAll(() => requireTools(TOOLS))

/** The page of texts in HTML, with the fonts of the service. */
function htmlPage(): string {
  const index = JSON.parse(readFileSync(join(FONTS, "index.json"), "utf8"))
  const catalog = new FontCatalog(index)
  const ranges = new Map<string, string>(
    index.families.flatMap(({ files }: { files: Record<string, string> }) => Object.entries(files)),
  )
  const all = TEXTS.map(([, text]) => text).join("\n")
  const faces = new Set([SPACE_FONT])
  const shown = TEXTS.map(([, text], at) => {
    const files = catalog
      .clustersOf(text, "Arial", all)
      .flatMap(({ font }) => (font && "file" in font ? [font.file] : []))
    for (const file of files) faces.add(file)
    const { left, top } = positionOf(at)
    const family = [...new Set([SPACE_FONT, ...files])].map((file) => `'${file}'`).join(",")
    return `<div dir="auto" style="left:${left}px;top:${top}px;font-family:${family}">${text}</div>`
  })
  const rules = [...faces].map((file) => {
    const range = (ranges.get(file.replace(/-\d+$/, "")) ?? "").split(",").map((part) => `U+${part}`)
    const data = readFileSync(join(FONTS, `${file}.ttf`)).toString("base64")
    return `@font-face{font-family:"${file}";src:url(data:font/ttf;base64,${data});unicode-range:${range.join(",")}}`
  })
  return (
    `<meta charset="utf-8"><style>${rules.join("")}body{margin:0}div{position:absolute;width:${CELL.width}px;` +
    `font-size:${FONT_SIZE}px;line-height:1.2;white-space:nowrap;text-align:start;` +
    `-webkit-font-smoothing:antialiased}</style>${shown.join("")}`
  )
}

/** The area of a cell in a picture, with room for what a text draws outside of its box. */
function areaOf(index: number) {
  const { left, top } = positionOf(index)
  return {
    left: (left - 8) * SCALE,
    top: (top - 22) * SCALE,
    width: (CELL.width + 16) * SCALE,
    height: CELL.height * SCALE,
  }
}

test("a certificate renders every script as Chromium does with the same fonts", async ({
  service: { url },
  browser,
}, testInfo) => {
  test.setTimeout(600_000)
  const owner = await connect(url, "owner@example.com", PASSWORD)
  const output = (name: string) => testInfo.outputPath(name)
  const template = await post(owner, "/api/certificate_template", {
    name: "Every script",
    ...PAGE,
    qr_code: { show: false, left: 0, top: 0, size: 50 },
    fields: TEXTS.map(([, value], index) => ({
      key: "custom_text",
      value,
      font_size: FONT_SIZE,
      font_family: "Arial",
      ...positionOf(index),
      width: CELL.width,
    })),
  })
  const pdf = await expectOk(await call(owner, "GET", `/api/certificate_template/preview/${template.id}`))
  writeFileSync(output("service.pdf"), Buffer.from(await pdf.arrayBuffer()))
  await post(owner, "/api/certificate_template/delete", { delete_ids: [template.id] })
  execFileSync("pdftoppm", ["-r", String(96 * SCALE), "-png", "-singlefile", output("service.pdf"), output("service")])

  const page = await browser.newPage({ viewport: PAGE, deviceScaleFactor: SCALE })
  await page.setContent(htmlPage())
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.screenshot({ path: output("chromium.png") })

  const [service, chromium] = [readPicture(output("service.png")), readPicture(output("chromium.png"))]
  for (const [index, [script]] of TEXTS.entries()) {
    const [actual, expected] = [cropToInk(service, areaOf(index)), cropToInk(chromium, areaOf(index))]
    expect.soft(difference(actual, expected), `${script}: share of ink`).toBeLessThanOrEqual(MAX_DIFFERENCE)
    expect.soft(Math.abs(actual.width - expected.width), `${script}: width`).toBeLessThanOrEqual(3 * SCALE)
  }
})

/** The words in any order, without presentation forms of Arabic and direction marks. */
const words = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/[\u200e\u200f\u202a-\u202e]/g, "")
    .split(/\s+/)
    .filter(Boolean)
    .sort()
    .join(" ")

test("poppler reads each learner's name and fonts, and zbar reads the QR code of the public page", async ({
  service: { url },
  folder,
}) => {
  test.setTimeout(600_000)
  const stamp = Date.now()
  const owner = await connect(url, "owner@example.com", PASSWORD)
  const run = (tool: string, ...args: string[]) => execFileSync(tool, args, { encoding: "utf8", cwd: folder })
  const template = await post(owner, "/api/certificate_template", {
    name: `Names ${stamp}`,
    width: 1123,
    height: 794,
    fields: [{ key: "student_full_name", font_size: 40, font_family: "Times-Bold", top: 200, left: 100, width: 900 }],
  })
  const course = await post(owner, "/api/course/create", {
    name: `Names ${stamp}`,
    status: "publish",
    certificateTemplateId: template.id,
  })
  for (const [i, { embedded, ...name }] of NAMES.entries()) {
    const password = { password: PASSWORD, password_confirmation: PASSWORD }
    const email = `names-${stamp}-${i}@example.com`
    const user = await post(owner, "/api/user/create", { ...name, email, ...password })
    const enrollment = { course_ids: [course.id], user_ids: [user.id], completed_on: "2026-01-05" }
    await post(owner, "/api/course/enroll", enrollment)
    const paging = { page_size: 10, page_number: 1 }
    const { records } = await get<{ records: Json[] }>(owner, `/api/user-certificates/${user.id}`, paging)
    const pdf = await expectOk(await call(owner, "GET", `/api/user-certificate/${records[0]?.id}/download`))
    writeFileSync(join(folder, "certificate.pdf"), Buffer.from(await pdf.arrayBuffer()))

    const fullName = `${name.firstName} ${name.lastName}`
    expect.soft(words(run("pdftotext", "certificate.pdf", "-"))).toBe(words(fullName))
    const fonts = run("pdffonts", "certificate.pdf").trim().split("\n").slice(2)
    expect
      .soft(
        fonts.some((font) => /^[A-Z]{6}\+/.test(font)),
        `${fullName}: ${fonts.join("; ")}`,
      )
      .toBe(embedded)
    // A font is the standard one, or embedded, a subset, and mapped to Unicode.
    const others = fonts.filter((font) => !/^Times-Bold | yes yes yes /.test(font))
    expect.soft(others, fullName).toEqual([])

    run("pdftoppm", "-r", "150", "-png", "-singlefile", "certificate.pdf", "page")
    const link = run("zbarimg", "--quiet", "--nodbus", "--raw", "page.png").trim()
    expect(link).toMatch(/\/certificate\/[0-9A-F]{24}$/)
    const html = await (await fetch(new URL(new URL(link).pathname, url))).text()
    expect.soft(html).toContain("Valid")
    expect.soft(html).toContain(fullName)
  }
})
