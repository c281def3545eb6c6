// Tries certificates against tools that other people wrote. A page of every script is drawn by the service and by
// Chromium with the same fonts, and each text of the two compared as a picture; poppler reads the names of learners and
// their fonts, zbar the QR code, and the page that it names must say that the certificate holds.
// Not part of the tests, which need npm alone. Run `npm start` beside it; BASE_URL says where it is. OUT names a folder
// that keeps both pages and the two side by side, to be looked at.
// On Debian: apt-get install poppler-utils zbar-tools chromium
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type Decoder from "@pdf-lib/upng"
import { chromium } from "playwright-core"
import { FontCatalog } from "../src/lib/pdf/font-catalog.ts"
import { call, connect, held, json, PASSWORD } from "./lib/client.ts"
import { fail } from "./lib/flags.ts"
import { root } from "./lib/state.ts"
import { requireService, requireTools } from "./tools.ts"

/** As Node loads it, which is otherwise than its types tell. */
const { default: UPNG } = createRequire(import.meta.url)("@pdf-lib/upng") as { default: typeof Decoder }

const BASE = process.env.BASE_URL ?? "http://localhost:8787"
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium"
const FONTS = join(root, ".assets/assets/fonts")
const TOOLS = {
  pdftotext: "poppler-utils",
  pdffonts: "poppler-utils",
  pdftoppm: "poppler-utils",
  zbarimg: "zbar-tools",
  [CHROMIUM]: "chromium",
}

/** Names of learners; `embedded`: beyond the standard fonts. */
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

/** A text of each script. */
const SCRIPTS: Record<string, string> = {
  Latin: "Łukasz Dvořák, Nguyễn Thị Hồng",
  Greek: "Ελένη Παπαδοπούλου",
  Cyrillic: "Анна Ковальчук, Қазақстан",
  Armenian: "Արամ Խաչատրյան",
  Georgian: "გიორგი ბერიძე",
  Hebrew: "דוד בן־גוריון",
  Arabic: "محمد علي ١٢",
  Persian: "می‌خواهم ۱۲۳",
  Urdu: "ہاشم رضا ٹھیک",
  Syriac: "ܫܠܡܐ ܥܠܡܐ",
  Thaana: "ދިވެހިރާއްޖެ",
  "N'Ko": "ߒߞߏ ߞߊ߲",
  Adlam: "𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪",
  "Hanifi Rohingya": "𐴌𐴟𐴇𐴥𐴝𐴚𐴒𐴙𐴝",
  Devanagari: "अनिल शर्मा क्षत्रिय",
  Bengali: "রহিম উদ্দিন ক্ষমা",
  Gurmukhi: "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ",
  Gujarati: "ક્ષમા પટેલ શ્રી",
  Odia: "ଓଡ଼ିଆ ଶ୍ରୀକ୍ଷେତ୍ର",
  Tamil: "முருகன் செல்வி ஸ்ரீ",
  Telugu: "శ్రీనివాస్ క్షమ",
  Kannada: "ಶ್ರೀನಿವಾಸ ಕ್ಷಮೆ",
  Malayalam: "ശ്രീനിവാസൻ ക്ഷമ",
  Sinhala: "ශ්‍රී ලංකා ක්ෂය",
  Thai: "สมชาย ใจดี น้ำผึ้ง",
  Lao: "ສົມໃຈ ນ້ຳ",
  Khmer: "សុខ សំណាង ស្រ្តី",
  Burmese: "မောင်မောင် ကြွေး",
  Tibetan: "བསྟན་འཛིན་རྒྱ་མཚོ།",
  Chinese: "王小明 龍騰 骨",
  Bopomofo: "ㄅㄆㄇㄈ",
  Japanese: "山田さくら カタカナ",
  Korean: "김민준 안녕하세요",
  Mongolian: "ᠮᠣᠩᠭᠣᠯ",
  Amharic: "ዓለም ተስፋዬ",
  Cherokee: "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
  "Canadian syllabics": "ᐃᓄᒃᑎᑐᑦ ᓄᓇᕗᑦ",
  Tifinagh: "ⵜⴰⵎⴰⵣⵉⵖⵜ",
  Vai: "ꕙꔤ ꗡꗸ",
  Bamum: "ꚠꚡꚢ",
  Osage: "𐓏𐓘𐓻𐓘𐓻𐓟",
  "Ol Chiki": "ᱥᱟᱱᱛᱟᱲᱤ",
  "Meetei Mayek": "ꯃꯩꯇꯩꯂꯣꯟ",
  Limbu: "ᤕᤰᤌᤢᤱ ᤐᤠᤴ",
  Lepcha: "ᰛᰩᰵᰛᰧᰵ",
  Newa: "𑐣𑐾𑐥𑐵𑐮 𑐨𑐵𑐲𑐵",
  "Syloti Nagri": "ꠍꠤꠟꠐꠤ",
  Saurashtra: "ꢱꣃꢬꢵꢰ꣄ꢜ꣄ꢬꢵ",
  Javanese: "ꦧꦱꦗꦮ ꦏꦿꦩ",
  Balinese: "ᬩᬲᬩᬮᬶ",
  Sundanese: "ᮘᮞ ᮞᮥᮔ᮪ᮓ",
  Buginese: "ᨅᨔ ᨕᨘᨁᨗ",
  Cham: "ꨌꩌ ꨨꨲꨮ",
  "Tai Le": "ᥖᥭᥰᥖᥬᥳ",
  "New Tai Lue": "ᦅᧄᦺᦑᦟᦹᧉ",
  "Tai Tham": "ᨣᩤᩴᨾᩮᩬᩥᨦ",
  "Tai Viet": "ꪼꪕꪒꪾ",
  "Kayah Li": "ꤊꤢꤛꤢ꤭ ꤜꤟꤤ꤬",
  Lisu: "ꓡꓲꓢꓴ",
  Miao: "𖼀𖽡𖽐",
  Yi: "ꆈꌠꉙ",
  "Nyiakeng Puachue Hmong": "𞄀𞄩𞄰",
  Emoji: "🎓 👩‍🎓 👍🏽 1️⃣",
  Symbols: "★ → ♪ ∑ ∞",
}
/** Each text's place on the page, in pixels. */
const [COLUMNS, LEFT, TOP, WIDE, HIGH, SIZE] = [3, 20, 30, 440, 84, 28]
const placeOf = (at: number) => ({
  left: LEFT + (at % COLUMNS) * (WIDE + 20),
  top: TOP + Math.floor(at / COLUMNS) * HIGH,
})
const TEXTS = Object.entries(SCRIPTS)
const PAGE = {
  width: 2 * LEFT + COLUMNS * (WIDE + 20),
  height: 2 * TOP + Math.ceil(TEXTS.length / COLUMNS) * HIGH,
}
/** What is as wide as the standard font, which draws the spaces. */
const SPACES = "arimo-latin-400"
/** Pixels of the pictures for a pixel of the page. */
const SCALE = 3
/** How much of the ink of two pictures may differ, each smoothed over a pixel of the page. */
const MOST = 0.12

requireTools(TOOLS)
await requireService(BASE)

type Json = Record<string, unknown>

const owner = await connect(BASE, "owner@example.com", PASSWORD)
const post = async (path: string, body: Json) => json<Json>(await call(owner, "POST", path, body))
const get = async (path: string) => held(await call(owner, "GET", path))

const failures: string[] = []
const expectTrue = (what: string, holds: boolean) => {
  if (!holds) failures.push(what)
}
const kept = process.env.OUT && resolve(process.env.OUT)
if (kept) mkdirSync(kept, { recursive: true })
const directory = kept ?? mkdtempSync(join(tmpdir(), "lectern-certificates-"))
const run = (tool: string, ...args: string[]) => execFileSync(tool, args, { encoding: "utf8", cwd: directory })

interface Picture {
  width: number
  height: number
  /** 0 for paper to 1 for ink, row by row. */
  ink: Float32Array
}

function pictureOf(file: string): Picture {
  const image = UPNG.decode(Uint8Array.from(readFileSync(join(directory, file))).buffer)
  const [first] = UPNG.toRGBA8(image)
  const pixels = new Uint8Array(first ?? new ArrayBuffer(0))
  const ink = Float32Array.from({ length: image.width * image.height }, (_, i) => {
    const [red = 255, green = 255, blue = 255] = pixels.subarray(4 * i, 4 * i + 3)
    return 1 - (red + green + blue) / 765
  })
  return { width: image.width, height: image.height, ink }
}

/** The part of a picture that has ink, of a cell of the page. */
function cellOf({ width, height, ink }: Picture, at: number): Picture {
  const { left, top } = placeOf(at)
  const [x0, y0] = [(left - 8) * SCALE, (top - 22) * SCALE]
  const [wide, high] = [(WIDE + 16) * SCALE, HIGH * SCALE]
  const valueAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (ink[y * width + x] ?? 0)
  let [least, most, up, down] = [wide, -1, high, -1]
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++)
      if (valueAt(x0 + x, y0 + y) > 0.2) {
        least = Math.min(least, x)
        most = Math.max(most, x)
        up = Math.min(up, y)
        down = Math.max(down, y)
      }
  const [w, h] = [Math.max(0, most - least + 1), Math.max(0, down - up + 1)]
  return {
    width: w,
    height: h,
    ink: Float32Array.from({ length: w * h }, (_, i) => valueAt(x0 + least + (i % w), y0 + up + Math.floor(i / w))),
  }
}

/** The share of ink that two pictures do not have in common, laid over each other where they fit best. */
function difference(one: Picture, other: Picture): number {
  if (one.width * one.height === 0 || other.width * other.height === 0) return 1
  const smooth = ({ width, height, ink }: Picture, x: number, y: number) => {
    let sum = 0
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++)
        if (x + dx >= 0 && y + dy >= 0 && x + dx < width && y + dy < height) sum += ink[(y + dy) * width + x + dx] ?? 0
    return sum / 9
  }
  const [width, height] = [Math.max(one.width, other.width), Math.max(one.height, other.height)]
  let best = 1
  for (let shiftY = -3; shiftY <= 3; shiftY++)
    for (let shiftX = -3; shiftX <= 3; shiftX++) {
      let [apart, whole] = [0, 0]
      for (let y = -3; y < height + 3; y++)
        for (let x = -3; x < width + 3; x++) {
          const [a, b] = [smooth(one, x, y), smooth(other, x + shiftX, y + shiftY)]
          apart += Math.abs(a - b)
          whole += a + b
        }
      best = Math.min(best, apart / whole)
    }
  return best
}

/** The page as Chromium draws it with the same fonts. */
async function chromiumPage(): Promise<void> {
  const index = JSON.parse(readFileSync(join(FONTS, "index.json"), "utf8"))
  const catalog = new FontCatalog(index)
  const ranges = new Map<string, string>(
    index.families.flatMap(({ files }: { files: Record<string, string> }) => Object.entries(files)),
  )
  const beside = TEXTS.map(([, text]) => text).join("\n")
  const faces = new Set([SPACES])
  const shown = TEXTS.map(([, text], at) => {
    const files = catalog
      .clustersOf(text, "Arial", beside)
      .flatMap(({ font }) => (font && "file" in font ? [font.file] : []))
    for (const file of files) faces.add(file)
    const { left, top } = placeOf(at)
    const family = [...new Set([SPACES, ...files])].map((file) => `'${file}'`).join(",")
    return `<div dir="auto" style="left:${left}px;top:${top}px;font-family:${family}">${text}</div>`
  })
  const rules = [...faces].map((file) => {
    const range = (ranges.get(file.replace(/-\d+$/, "")) ?? "").split(",").map((part) => `U+${part}`)
    const data = readFileSync(join(FONTS, `${file}.ttf`)).toString("base64")
    return `@font-face{font-family:"${file}";src:url(data:font/ttf;base64,${data});unicode-range:${range.join(",")}}`
  })
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  })
  try {
    const page = await browser.newPage({ viewport: PAGE, deviceScaleFactor: SCALE })
    await page.setContent(
      `<meta charset="utf-8"><style>${rules.join("")}body{margin:0}div{position:absolute;width:${WIDE}px;` +
        `font-size:${SIZE}px;line-height:1.2;white-space:nowrap;text-align:start;` +
        `-webkit-font-smoothing:antialiased}</style>${shown.join("")}`,
    )
    await page.evaluate("document.fonts.ready")
    await page.screenshot({ path: join(directory, "chromium.png") })
  } finally {
    await browser.close()
  }
}

async function everyScript() {
  const template = await post("/api/certificate_template", {
    name: "Every script",
    ...PAGE,
    qr_code: { show: false, left: 0, top: 0, size: 50 },
    fields: TEXTS.map(([, value], at) => ({
      key: "custom_text",
      value,
      font_size: SIZE,
      font_family: "Arial",
      ...placeOf(at),
      width: WIDE,
    })),
  })
  try {
    const pdf = await get(`/api/certificate_template/preview/${template.id}`)
    writeFileSync(join(directory, "service.pdf"), Buffer.from(await pdf.arrayBuffer()))
  } finally {
    await post("/api/certificate_template/delete", { delete_ids: [template.id] })
  }
  run("pdftoppm", "-r", String(96 * SCALE), "-png", "-singlefile", "service.pdf", "service")
  await chromiumPage()
  const [service, browser] = [pictureOf("service.png"), pictureOf("chromium.png")]
  const measured = TEXTS.map(([script], at) => {
    const [own, its] = [cellOf(service, at), cellOf(browser, at)]
    const apart = difference(own, its)
    expectTrue(
      `${script} is drawn otherwise than by Chromium: ${(100 * apart).toFixed(0)} % of the ink differs, ` +
        `${own.width} × ${own.height} against ${its.width} × ${its.height} pixels`,
      apart <= MOST && Math.abs(own.width - its.width) <= 3 * SCALE,
    )
    return apart
  })
  return Math.max(...measured)
}

/** Text as it is compared: presentation forms of Arabic folded, marks of direction left out, words in any order. */
const words = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/[\u200e\u200f\u202a-\u202e]/g, "")
    .split(/\s+/)
    .filter(Boolean)
    .sort()
    .join(" ")

async function names() {
  const stamp = Date.now()
  const template = await post("/api/certificate_template", {
    name: "Check",
    width: 1123,
    height: 794,
    fields: [{ key: "student_full_name", font_size: 40, font_family: "Times-Bold", top: 200, left: 100, width: 900 }],
  })
  const course = await post("/api/course/create", {
    name: `Check ${stamp}`,
    status: "publish",
    certificateTemplateId: template.id,
  })
  for (const [i, { embedded, ...name }] of NAMES.entries()) {
    const user = await post("/api/user/create", {
      ...name,
      email: `check-${stamp}-${i}@example.com`,
      password: `check ${stamp}`,
      password_confirmation: `check ${stamp}`,
    })
    const enrolled = { course_ids: [course.id], user_ids: [user.id], completed_on: "2026-01-05" }
    await post("/api/course/enroll", enrolled)
    const found = await get(`/api/user-certificates/${user.id}?page_size=10&page_number=1`)
    const { records } = await json<{ records: Json[] }>(found)
    const pdf = await get(`/api/user-certificate/${records[0]?.id}/download`)
    writeFileSync(join(directory, "certificate.pdf"), Buffer.from(await pdf.arrayBuffer()))

    const whole = `${name.firstName} ${name.lastName}`
    const text = run("pdftotext", "certificate.pdf", "-")
    expectTrue(`pdftotext reads ${text.trim()} instead of ${whole}`, words(text) === words(whole))
    const fonts = run("pdffonts", "certificate.pdf").trim().split("\n").slice(2)
    const subsets = fonts.filter((font) => /^[A-Z]{6}\+/.test(font))
    expectTrue(
      `pdffonts finds ${fonts.join("; ")} for ${whole}`,
      subsets.length > 0 === embedded && fonts.every((font) => /^Times-Bold /.test(font) || / yes yes yes /.test(font)),
    )
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
}

let furthest = 0
try {
  furthest = await everyScript()
  await names()
} finally {
  if (!kept) rmSync(directory, { recursive: true })
}
if (failures.length > 0) fail(failures.join("\n"))
console.info(
  `Chromium draws ${TEXTS.length} texts alike (${(100 * furthest).toFixed(0)} % of the ink differs at most); ` +
    `poppler reads ${NAMES.length} certificates, and zbar their codes, which lead to their pages.`,
)
