// Builds the fonts of certificates from the Fontsource packages: TrueType files of one weight each, and the index of
// the characters in each file. assets.ts runs it. It takes half a minute the first time, and nothing if they exist.
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"

const root = join(import.meta.dirname, "..")
const modules = join(root, "node_modules")
const out = join(root, ".assets", "assets", "fonts")
const require = createRequire(import.meta.url)

/** The families that replace the standard fonts, with the widths of Helvetica, Times and Courier. */
const LATIN = ["arimo", "tinos", "cousine"]
/** Slices that other families also contain. */
const ELSEWHERE = /^(latin|greek|cyrillic|vietnamese|math|mayan)/
/** The slices to use of packages that also contain other scripts. */
const WANTED: Record<string, RegExp> = {
  "noto-sans": /^(latin|greek|cyrillic|vietnamese)/,
  "noto-sans-symbols": /^symbols/,
  "noto-sans-symbols-2": /^(symbols|braille)/,
  "noto-sans-arabic": /^arabic/,
}
/** The order of families that have the same character; all others are between FIRST and LAST. */
const FIRST = [...LATIN, "noto-sans"]
const LAST = ["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr"]
const SYMBOLS = ["dejavu-sans", "dejavu-sans-mono", "noto-sans-symbols", "noto-sans-symbols-2", "noto-emoji"]
/** Scripts that DejaVu draws worse than their own fonts. */
const EXCLUDED_FROM_DEJAVU = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Lao}\p{Script=Nko}\p{Script=Han}]/u

/** A font file to build from a source file. */
interface Task {
  family: string
  weight: 400 | 700
  file: string
  source: string
  variable: boolean
}

function packages() {
  const found = new Map<string, { folder: string; variable: boolean }>()
  for (const [scope, variable] of [
    ["@fontsource", false],
    ["@fontsource-variable", true],
  ] as const)
    for (const family of readdirSync(join(modules, scope)))
      found.set(family, { folder: join(modules, scope, family), variable })
  return found
}

function tasks(): Task[] {
  const found = packages()
  const order = (family: string) => {
    const group = [FIRST, LAST, SYMBOLS].findIndex((list) => list.includes(family))
    const at = [FIRST, LAST, SYMBOLS][group]?.indexOf(family) ?? 0
    return ([0, 200, 300][group] ?? 100) + at
  }
  const result: Task[] = []
  for (const [family, { folder, variable }] of found) {
    const wanted = WANTED[family]
    for (const name of readdirSync(join(folder, "files"))) {
      const [, slice, style] = new RegExp(`^${family}-(.+)-(wght|400|700)-normal\\.woff2$`).exec(name) ?? []
      if (!slice || !style) continue
      if (!(wanted ? wanted.test(slice) : LATIN.includes(family) || !ELSEWHERE.test(slice))) continue
      for (const weight of style === "wght" ? ([400, 700] as const) : [Number(style) as 400 | 700])
        result.push({ family, weight, file: `${family}-${slice}`, source: join(folder, "files", name), variable })
    }
  }
  for (const [family, name] of [
    ["dejavu-sans", "DejaVuSans"],
    ["dejavu-sans-mono", "DejaVuSansMono"],
  ] as const)
    for (const [weight, style] of [
      [400, ""],
      [700, "-Bold"],
    ] as const) {
      const source = join(modules, "dejavu-fonts-ttf", "ttf", `${name}${style}.ttf`)
      result.push({ family, weight, file: family, source, variable: false })
    }
  // Characters of several slices, such as spaces and digits, are drawn with the Latin slice.
  const key = ({ file }: Task) => (file.endsWith("-latin") ? "" : file)
  return result.sort(
    (a, b) => order(a.family) - order(b.family) || (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.weight - b.weight),
  )
}

/** The code points that a font maps to glyphs in cmap tables of formats 4 and 12. */
function codePointsOf(font: Buffer): number[] {
  const table = (tag: string) => {
    for (let i = 0; i < font.readUInt16BE(4); i++)
      if (font.toString("latin1", 12 + 16 * i, 16 + 16 * i) === tag) return font.readUInt32BE(12 + 16 * i + 8)
    throw new Error(`A font without ${tag}`)
  }
  table("glyf")
  const cmap = table("cmap")
  const found = new Set<number>()
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i++) {
    const at = cmap + font.readUInt32BE(cmap + 4 + 8 * i + 4)
    const format = font.readUInt16BE(at)
    if (format === 12)
      for (let group = 0; group < font.readUInt32BE(at + 12); group++) {
        const [from, to] = [0, 4].map((offset) => font.readUInt32BE(at + 16 + 12 * group + offset))
        for (let codePoint = from ?? 0; codePoint <= (to ?? 0); codePoint++) found.add(codePoint)
      }
    if (format !== 4) continue
    const count = font.readUInt16BE(at + 6) / 2
    for (let segment = 0; segment < count; segment++) {
      const to = font.readUInt16BE(at + 14 + 2 * segment)
      const from = font.readUInt16BE(at + 16 + 2 * (count + segment))
      const delta = font.readUInt16BE(at + 16 + 2 * (2 * count + segment))
      const place = at + 16 + 2 * (3 * count + segment)
      const offset = font.readUInt16BE(place)
      for (let codePoint = from; codePoint <= to && codePoint < 0xffff; codePoint++) {
        const glyph = offset === 0 ? codePoint + delta : font.readUInt16BE(place + offset + 2 * (codePoint - from))
        if ((glyph & 0xffff) !== 0) found.add(codePoint)
      }
    }
  }
  return [...found].filter((codePoint) => codePoint >= 0x20).sort((a, b) => a - b)
}

/** Ranges in the format of the index: "20-7e,a0". */
function rangesOf(codePoints: number[]): string {
  const ranges: string[] = []
  for (let i = 0; i < codePoints.length; ) {
    let end = i
    while (codePoints[end + 1] === (codePoints[end] ?? 0) + 1) end++
    const [from, to] = [codePoints[i] ?? 0, codePoints[end] ?? 0]
    ranges.push(from === to ? from.toString(16) : `${from.toString(16)}-${to.toString(16)}`)
    i = end + 1
  }
  return ranges.join(",")
}

/** Builds one file. @returns the ranges of its characters */
async function build({ family, weight, file, source, variable }: Task): Promise<string> {
  const subsetFont: (font: Buffer, text: undefined, options: object) => Promise<Buffer> = require("subset-font")
  const font = await subsetFont(readFileSync(source), undefined, {
    targetFormat: "truetype",
    keepAllGlyphs: true,
    noHinting: true,
    dropTables: ["STAT", "DSIG", "vhea", "vmtx", "VORG", "BASE", "gasp", "meta"],
    ...(variable && { variationAxes: { wght: weight } }),
  })
  const target = join(out, `${file}-${weight}.ttf`)
  writeFileSync(`${target}.${process.pid}`, font)
  renameSync(`${target}.${process.pid}`, target)
  const codePoints = codePointsOf(font)
  const included = family.startsWith("dejavu")
    ? codePoints.filter((codePoint) => !EXCLUDED_FROM_DEJAVU.test(String.fromCodePoint(codePoint)))
    : codePoints
  return rangesOf(included)
}

/** Widths of the standard fonts' characters in Windows-1252, from 0x20, in thousandths of the font size. */
function standardWidths() {
  const { Font, Encodings } = require("@pdf-lib/standard-fonts")
  const alphabet = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 224 }, (_, i) => i + 32))
  const widths = (name: string) => {
    const font = Font.load(name)
    return [...alphabet].map((character) => {
      const code = character.codePointAt(0) ?? 0
      if (!Encodings.WinAnsi.canEncodeUnicodeCodePoint(code)) return 0
      return font.getWidthOfGlyph(Encodings.WinAnsi.encodeUnicodeCodePoint(code).name) ?? 0
    })
  }
  return Object.fromEntries(
    ["Helvetica", "Courier", "Courier-Bold", "Times-Roman", "Times-Bold"].map((name) => [name, widths(name)]),
  )
}

/** The sources of the fonts. A change of the packages or of this script rebuilds them. */
function stampOf(all: Task[]) {
  const hash = createHash("sha256").update(readFileSync(import.meta.filename))
  for (const { source } of all) hash.update(source.slice(root.length))
  for (const [, { folder }] of packages()) hash.update(readFileSync(join(folder, "package.json")))
  return hash.digest("hex")
}

/** Builds the fonts unless they exist. */
export async function makeFonts() {
  const all = tasks()
  const stamp = stampOf(all)
  const index = join(out, "index.json")
  if (existsSync(index) && JSON.parse(readFileSync(index, "utf8")).stamp === stamp) return
  mkdirSync(out, { recursive: true })
  const ranges: string[] = new Array(all.length)
  await Promise.all(
    [0, 1].map(
      (part) =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(import.meta.filename, { workerData: { part } })
          worker.on("message", (message: { index: number; ranges: string }) => {
            ranges[message.index] = message.ranges
          })
          worker.on("error", reject)
          worker.on("exit", (code) =>
            code === 0 ? resolve() : reject(new Error(`A font could not be built: ${code}`)),
          )
        }),
    ),
  )
  const families = new Map<string, { weights: number[]; files: Record<string, string> }>()
  for (const [position, { family, weight, file }] of all.entries()) {
    const found = families.get(family) ?? { weights: [], files: {} }
    if (!found.weights.includes(weight)) found.weights.push(weight)
    found.files[file] ??= ranges[position] ?? ""
    families.set(family, found)
  }
  const content = {
    stamp,
    standard: standardWidths(),
    families: [...families].map(([family, rest]) => ({ family, ...rest })),
  }
  writeFileSync(`${index}.${process.pid}`, JSON.stringify(content))
  renameSync(`${index}.${process.pid}`, index)
  const current = new Set(all.map(({ file, weight }) => `${file}-${weight}.ttf`))
  for (const name of readdirSync(out))
    if (name.endsWith(".ttf") && !current.has(name)) rmSync(join(out, name), { force: true })
}

if (!isMainThread) {
  for (const [index, task] of tasks().entries())
    if (index % 2 === workerData.part) parentPort?.postMessage({ index, ranges: await build(task) })
}
