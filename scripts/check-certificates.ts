// Tries certificates against tools that other people wrote: poppler reads their text and fonts and draws the page, zbar
// reads the QR code, and the page that it names must say that the certificate holds.
// Not part of the tests, which need npm alone. Run `npm start` beside it; BASE_URL says where it is.
// On Debian: apt-get install poppler-utils zbar-tools
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PASSWORD } from "./sample/index.ts"

const BASE = process.env.BASE_URL ?? "http://localhost:8787"
const TOOLS = {
  pdftotext: "poppler-utils",
  pdffonts: "poppler-utils",
  pdftoppm: "poppler-utils",
  zbarimg: "zbar-tools",
}

/** Names of learners in scripts of every kind that the fonts have; `embedded`: beyond the standard fonts. */
const NAMES = [
  { firstName: "Zoë", lastName: "Müller", embedded: false },
  { firstName: "Ελένη", lastName: "Παπαδοπούλου", embedded: true },
  { firstName: "Анна", lastName: "Ковальчук", embedded: true },
  { firstName: "Łukasz", lastName: "Dvořák", embedded: true },
  { firstName: "Nguyễn", lastName: "Thị Hồng", embedded: true },
  { firstName: "محمد", lastName: "علي", embedded: true },
  { firstName: "דוד", lastName: "לוי", embedded: true },
]

function notRun(why: string): never {
  console.error(`Not run: ${why}`)
  process.exit(2)
}

const isThere = (tool: string) => {
  try {
    execFileSync(tool, [tool === "zbarimg" ? "--version" : "-v"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
const missing = Object.entries(TOOLS).filter(([tool]) => !isThere(tool))
if (missing.length > 0)
  notRun(`${missing.map(([tool, name]) => `${tool} (Debian package ${name})`).join(", ")} not found.`)
const reachable = await fetch(`${BASE}/login`).then(
  (response) => response.ok,
  () => false,
)
if (!reachable) notRun(`no service at ${BASE}. Start it with npm start, or set BASE_URL.`)

type Json = Record<string, unknown>

async function send(method: string, path: string, token: string, body?: Json): Promise<Response> {
  const response = await fetch(`${BASE}${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response
}
const call = async (...given: Parameters<typeof send>) => (await (await send(...given)).json()) as Json

const failures: string[] = []
const expectTrue = (what: string, holds: boolean) => {
  if (!holds) failures.push(what)
}
const directory = mkdtempSync(join(tmpdir(), "lectern-certificates-"))
const run = (tool: string, ...args: string[]) => execFileSync(tool, args, { encoding: "utf8", cwd: directory })
/** Text as it is compared: presentation forms of Arabic folded, marks of direction left out, in the letters' order. */
const letters = (text: string) => [...text.normalize("NFKC").replace(/[\s\p{Cf}]/gu, "")].sort().join("")

const { token } = await call("POST", "/login", "", { email: "owner@example.com", password: PASSWORD })
const owner = String(token)
try {
  const stamp = Date.now()
  const template = await call("POST", "/api/certificate_template", owner, {
    name: "Check",
    width: 1123,
    height: 794,
    fields: [{ key: "student_full_name", font_size: 40, font_family: "Times-Bold", top: 200, left: 100, width: 900 }],
  })
  const course = await call("POST", "/api/course/create", owner, {
    name: `Check ${stamp}`,
    status: "publish",
    certificateTemplateId: template.id,
  })
  for (const [i, { embedded, ...name }] of NAMES.entries()) {
    const user = await call("POST", "/api/user/create", owner, {
      ...name,
      email: `check-${stamp}-${i}@example.com`,
      password: `check ${stamp}`,
      password_confirmation: `check ${stamp}`,
    })
    const enrolled = { course_ids: [course.id], user_ids: [user.id], completed_on: "2026-01-05" }
    await call("POST", "/api/course/enroll", owner, enrolled)
    const { records } = await call("GET", `/api/user-certificates/${user.id}?page_size=10&page_number=1`, owner)
    const [certificate] = records as Json[]
    const pdf = await send("GET", `/api/user-certificate/${certificate?.id}/download`, owner)
    writeFileSync(join(directory, "certificate.pdf"), Buffer.from(await pdf.arrayBuffer()))

    const whole = `${name.firstName} ${name.lastName}`
    const text = run("pdftotext", "certificate.pdf", "-")
    expectTrue(`pdftotext reads ${text.trim()} instead of ${whole}`, letters(text) === letters(whole))
    const fonts = run("pdffonts", "certificate.pdf").trim().split("\n").slice(2)
    const fits = embedded
      ? /^[A-Z]{6}\+DejaVuSerif-Bold|^[A-Z]{6}\+DejaVuSans /.test(fonts[0] ?? "") &&
        fonts.every((font) => / yes yes yes /.test(font))
      : fonts.length === 1 && /^Times-Bold /.test(fonts[0] ?? "")
    expectTrue(`pdffonts finds ${fonts.join("; ")} for ${whole}`, fits)
    run("pdftoppm", "-r", "150", "-png", "-singlefile", "certificate.pdf", "page")
    const link = run("zbarimg", "--quiet", "--nodbus", "--raw", "page.png").trim()
    expectTrue(`zbarimg reads ${link}`, /\/certificate\/[0-9A-F]{24}$/.test(link))
    const page = await fetch(`${BASE}${new URL(link).pathname}`)
    const html = await page.text()
    expectTrue(
      `${link} does not say that ${whole} has a valid certificate`,
      html.includes("Valid") && html.includes(whole),
    )
  }
} finally {
  rmSync(directory, { recursive: true })
}
if (failures.length > 0) {
  console.error(failures.join("\n"))
  process.exit(1)
}
console.info(
  `poppler reads ${NAMES.length} certificates in as many scripts, and zbar their codes, which lead to their pages.`,
)
