// Makes the fonts of certificates: TrueType files of one weight each, out of the packages of Fontsource, and the index
// that tells which file has which letters. Run by assets.ts; it takes half a minute the first time, and none when they
// are there.
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"

const root = join(import.meta.dirname, "..")
const modules = join(root, "node_modules")
const out = join(root, ".assets", "assets", "fonts")
const require = createRequire(import.meta.url)

/** The families that stand for the standard fonts: as wide as Helvetica, Times and Courier. */
const LATIN = ["arimo", "tinos", "cousine"]
/** Slices that other families have too. */
const ELSEWHERE = /^(latin|greek|cyrillic|vietnamese|math|mayan)/
/** Letters in which a package's own slices are beside Latin ones. */
const WANTED: Record<string, RegExp> = {
  "noto-sans": /^(latin|greek|cyrillic|vietnamese)/,
  "noto-sans-symbols": /^symbols/,
  "noto-sans-symbols-2": /^(symbols|braille)/,
  "noto-sans-arabic": /^arabic/,
}
/** Asked in this order where several have a letter; all others stand between. */
const FIRST = [...LATIN, "noto-sans"]
const LAST = ["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr"]
const SYMBOLS = ["dejavu-sans", "dejavu-sans-mono", "noto-sans-symbols", "noto-sans-symbols-2", "noto-emoji"]
/** What DejaVu draws worse than the fonts of those scripts: it stands in for none of them. */
const NOT_OF_DEJAVU = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Lao}\p{Script=Nko}\p{Script=Han}]/u

/** A file to make of a file that there is. */
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
  const made: Task[] = []
  for (const [family, { folder, variable }] of found) {
    const wanted = WANTED[family]
    for (const name of readdirSync(join(folder, "files"))) {
      const [, slice, style] = new RegExp(`^${family}-(.+)-(wght|400|700)-normal\\.woff2$`).exec(name) ?? []
      if (!slice || !style) continue
      if (!(wanted ? wanted.test(slice) : LATIN.includes(family) || !ELSEWHERE.test(slice))) continue
      for (const weight of style === "wght" ? ([400, 700] as const) : [Number(style) as 400 | 700])
        made.push({ family, weight, file: `${family}-${slice}`, source: join(folder, "files", name), variable })
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
      made.push({ family, weight, file: family, source, variable: false })
    }
  // What several slices have, spaces and digits above all, is drawn with the Latin one.
  const key = ({ file }: Task) => (file.endsWith("-latin") ? "" : file)
  return made.sort(
    (a, b) => order(a.family) - order(b.family) || (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.weight - b.weight),
  )
}

/** The code points that a font maps to glyphs, of its table of formats 4 and 12. */
function lettersOf(font: Buffer): number[] {
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
        for (let letter = from ?? 0; letter <= (to ?? 0); letter++) found.add(letter)
      }
    if (format !== 4) continue
    const count = font.readUInt16BE(at + 6) / 2
    for (let segment = 0; segment < count; segment++) {
      const to = font.readUInt16BE(at + 14 + 2 * segment)
      const from = font.readUInt16BE(at + 16 + 2 * (count + segment))
      const delta = font.readUInt16BE(at + 16 + 2 * (2 * count + segment))
      const place = at + 16 + 2 * (3 * count + segment)
      const offset = font.readUInt16BE(place)
      for (let letter = from; letter <= to && letter < 0xffff; letter++) {
        const glyph = offset === 0 ? letter + delta : font.readUInt16BE(place + offset + 2 * (letter - from))
        if ((glyph & 0xffff) !== 0) found.add(letter)
      }
    }
  }
  return [...found].filter((letter) => letter >= 0x20).sort((a, b) => a - b)
}

/** Ranges as the index has them: "20-7e,a0". */
function rangesOf(letters: number[]): string {
  const ranges: string[] = []
  for (let i = 0; i < letters.length; ) {
    let end = i
    while (letters[end + 1] === (letters[end] ?? 0) + 1) end++
    const [from, to] = [letters[i] ?? 0, letters[end] ?? 0]
    ranges.push(from === to ? from.toString(16) : `${from.toString(16)}-${to.toString(16)}`)
    i = end + 1
  }
  return ranges.join(",")
}

/** Makes one file. @returns the ranges of its letters */
async function make({ family, weight, file, source, variable }: Task): Promise<string> {
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
  const letters = lettersOf(font)
  const kept = family.startsWith("dejavu")
    ? letters.filter((letter) => !NOT_OF_DEJAVU.test(String.fromCodePoint(letter)))
    : letters
  return rangesOf(kept)
}

/** Widths of the standard fonts' letters in Windows' Western alphabet, from 0x20, in thousandths of their size. */
function standardWidths() {
  const { Font, Encodings } = require("@pdf-lib/standard-fonts")
  const alphabet = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 224 }, (_, i) => i + 32))
  const widths = (name: string) => {
    const font = Font.load(name)
    return [...alphabet].map((letter) => {
      const code = letter.codePointAt(0) ?? 0
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

/** Makes the fonts, unless they are there. */
export async function makeFonts() {
  const all = tasks()
  const stamp = stampOf(all)
  const index = join(out, "index.json")
  if (existsSync(index) && JSON.parse(readFileSync(index, "utf8")).stamp === stamp) return
  mkdirSync(out, { recursive: true })
  const made: string[] = new Array(all.length)
  await Promise.all(
    [0, 1].map(
      (part) =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(import.meta.filename, { workerData: { part } })
          worker.on("message", ({ at, ranges }: { at: number; ranges: string }) => {
            made[at] = ranges
          })
          worker.on("error", reject)
          worker.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`A font could not be made: ${code}`))))
        }),
    ),
  )
  const families = new Map<string, { weights: number[]; files: Record<string, string> }>()
  for (const [at, { family, weight, file }] of all.entries()) {
    const found = families.get(family) ?? { weights: [], files: {} }
    if (!found.weights.includes(weight)) found.weights.push(weight)
    found.files[file] ??= made[at] ?? ""
    families.set(family, found)
  }
  const whole = {
    stamp,
    standard: standardWidths(),
    families: [...families].map(([family, rest]) => ({ family, ...rest })),
  }
  writeFileSync(`${index}.${process.pid}`, JSON.stringify(whole))
  renameSync(`${index}.${process.pid}`, index)
  const named = new Set(all.map(({ file, weight }) => `${file}-${weight}.ttf`))
  for (const name of readdirSync(out))
    if (name.endsWith(".ttf") && !named.has(name)) rmSync(join(out, name), { force: true })
}

if (!isMainThread) {
  for (const [at, task] of tasks().entries())
    if (at % 2 === workerData.part) parentPort?.postMessage({ at, ranges: await make(task) })
}
