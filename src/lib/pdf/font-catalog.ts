// Which font draws which characters. The index among the static assets (scripts/fonts.ts) lists the characters of every
// font file, so that only the files that a text needs are read.

export type StandardFont = "Helvetica" | "Courier" | "Courier-Bold" | "Times-Roman" | "Times-Bold"

/** One of the fonts that every PDF viewer has, or a file among the assets. */
export type Face =
  | { standard: StandardFont; widths: readonly number[] }
  /** `fakeBold`: the family has no bold file, so its outlines are stroked as well. */
  | { file: string; fakeBold: boolean; has(characters: readonly number[]): boolean }

/** A grapheme cluster: a character with its marks, or an emoji of several code points. */
export interface Cluster<F> {
  text: string
  font: F
}

interface Index {
  standard: Record<StandardFont, number[]>
  families: { family: string; weights: number[]; files: Record<string, string> }[]
}

interface Style {
  standard?: StandardFont
  /** The family that is asked first. It has the same widths as the standard font. */
  family: string
  bold: boolean
}

/** The font families that a template can use. */
export const FONT_FAMILIES = [
  "Arial",
  "Courier",
  "Times-Roman",
  "Helvetica",
  "Times-Bold",
  "Courier-Bold",
  "DejaVuSans-Bold",
  "DejaVuSansMono-Bold",
] as const
type FontFamily = (typeof FONT_FAMILIES)[number]

const STYLES: Record<FontFamily, Style> = {
  Arial: { standard: "Helvetica", family: "arimo", bold: false },
  Helvetica: { standard: "Helvetica", family: "arimo", bold: false },
  Courier: { standard: "Courier", family: "cousine", bold: false },
  "Courier-Bold": { standard: "Courier-Bold", family: "cousine", bold: true },
  "Times-Roman": { standard: "Times-Roman", family: "tinos", bold: false },
  "Times-Bold": { standard: "Times-Bold", family: "tinos", bold: true },
  "DejaVuSans-Bold": { family: "dejavu-sans", bold: true },
  "DejaVuSansMono-Bold": { family: "dejavu-sans-mono", bold: true },
}

/** The files that draw the standard fonts outside of a PDF: they have the same widths. */
export const SUBSTITUTES: Record<StandardFont, readonly string[]> = {
  Helvetica: ["arimo-latin-400", "arimo-latin-ext-400"],
  Courier: ["cousine-latin-400", "cousine-latin-ext-400"],
  "Courier-Bold": ["cousine-latin-700", "cousine-latin-ext-700"],
  "Times-Roman": ["tinos-latin-400", "tinos-latin-ext-400"],
  "Times-Bold": ["tinos-latin-700", "tinos-latin-ext-700"],
}

const styleOf = (family: string) => STYLES[family as FontFamily] ?? STYLES.Arial
/** Families that are never a fallback for others. */
const NO_FALLBACK = new Set(["arimo", "tinos", "cousine", "dejavu-sans-mono"])
const EMOJI = "noto-emoji"
/** The families for Chinese, Japanese and Korean, which draw the same code points differently. */
const CJK = ["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr"]

/** The characters of the standard fonts (Windows-1252 without invisible characters) with their codes. */
const WIN_ANSI = new Map(
  [...new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 224 }, (_, i) => i + 32))].flatMap(
    (character, i): [string, number][] => (/[\p{C}\u00a0]/u.test(character) ? [] : [[character, i + 32]]),
  ),
)
/** The code of a character in the standard fonts' encoding; undefined when they lack it. */
export const winAnsiCode = (character: string) => WIN_ANSI.get(character)

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u

/** The code points of a cluster that a font must have, without joiners, selectors and the like. */
const visibleCodePoints = (cluster: string) =>
  [...cluster].filter((character) => !IGNORABLE.test(character)).map((character) => character.codePointAt(0) ?? 0)

class Family {
  readonly name: string
  private readonly weights: readonly number[]
  private readonly files: { name: string; ranges: string }[]
  private decodedFiles: { name: string; ranges: Uint32Array }[] | undefined
  private readonly filesByCharacter = new Map<number, readonly number[]>()
  private readonly faces = new Map<string, Face>()

  constructor({ family, weights, files }: Index["families"][number]) {
    this.name = family
    this.weights = weights
    this.files = Object.entries(files).map(([name, ranges]) => ({ name, ranges }))
  }

  /** The file that has all of these characters; undefined when none has. */
  faceOf(characters: readonly number[], bold: boolean): Face | undefined {
    const [first = 0, ...rest] = characters
    const file = this.filesWith(first).find((at) => rest.every((one) => this.filesWith(one).includes(at)))
    return file === undefined ? undefined : this.face(file, bold)
  }

  private face(at: number, bold: boolean): Face {
    const weight = bold && this.weights.includes(700) ? 700 : 400
    const file = `${this.files[at]?.name}-${weight}`
    const has = (characters: readonly number[]) => characters.every((one) => this.filesWith(one).includes(at))
    const face = this.faces.get(`${file}${bold}`) ?? { file, fakeBold: bold && weight === 400, has }
    this.faces.set(`${file}${bold}`, face)
    return face
  }

  private filesWith(character: number): readonly number[] {
    const known = this.filesByCharacter.get(character)
    if (known) return known
    this.decodedFiles ??= this.files.map(({ name, ranges }) => ({ name, ranges: decodeRanges(ranges) }))
    const found = this.decodedFiles.flatMap(({ ranges }, at) => (isInRanges(ranges, character) ? [at] : []))
    this.filesByCharacter.set(character, found)
    return found
  }
}

/** Returns pairs of first and last code points. */
const decodeRanges = (ranges: string) =>
  Uint32Array.from(
    ranges.split(",").flatMap((range) => {
      const [from = "", to = from] = range.split("-")
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
    }),
  )

function isInRanges(ranges: Uint32Array, character: number): boolean {
  let [low, high] = [0, ranges.length / 2 - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (character < (ranges[2 * middle] ?? 0)) high = middle - 1
    else if (character > (ranges[2 * middle + 1] ?? 0)) low = middle + 1
    else return true
  }
  return false
}

/** All fonts. */
export class FontCatalog {
  private readonly families: Family[]
  private readonly standard: Map<StandardFont, Face>

  constructor(index: Index) {
    this.families = index.families.map((family) => new Family(family))
    this.standard = new Map(
      Object.entries(index.standard).map(([name, widths]) => [
        name as StandardFont,
        { standard: name as StandardFont, widths },
      ]),
    )
  }

  /**
   * Returns the clusters of a text, each with the font that draws it, or undefined when no font has it. Characters of
   * the standard font use it, unless other characters of the text need the lookalike family.
   * @param documentText all text of the document, whose language decides how Chinese characters are drawn
   */
  clustersOf(text: string, fontFamily: string, documentText: string): Cluster<Face | undefined>[] {
    const style = styleOf(fontFamily)
    const families = this.fallbacks(style, documentText)
    const [preferred] = families
    const segments = [...graphemes.segment(text)].map(({ segment }) => ({
      segment,
      characters: visibleCodePoints(segment),
    }))
    const standard = style.standard && this.standard.get(style.standard)
    const keepsStandard = segments.every(
      ({ segment, characters }) =>
        characters.length === 0 || winAnsiCode(segment) !== undefined || !preferred?.faceOf(characters, style.bold),
    )
    const clusters: Cluster<Face | undefined>[] = []
    for (const { segment, characters } of segments) {
      const previous = clusters.at(-1)
      if (characters.length === 0) {
        if (previous) previous.text += segment
        continue
      }
      const font =
        standard && keepsStandard && winAnsiCode(segment) !== undefined
          ? standard
          : this.faceOf(segment, characters, style, families, previous?.font)
      clusters.push({ text: segment, font })
    }
    return clusters
  }

  /** Returns the characters of a text that no font has, each once. */
  missing(text: string): string[] {
    const missing = this.clustersOf(text, "Arial", text).filter(({ font }) => font === undefined)
    return [...new Set(missing.map((cluster) => cluster.text))]
  }

  private faceOf(
    text: string,
    characters: readonly number[],
    { bold }: Style,
    families: readonly Family[],
    previous: Face | undefined,
  ): Face | undefined {
    const emoji = /\p{Emoji_Presentation}|\ufe0f|\p{Extended_Pictographic}\u200d/u.test(text)
    const [preferred, ...others] = families
    const first = emoji ? this.families.find(({ name }) => name === EMOJI) : preferred
    const face = first?.faceOf(characters, bold)
    if (face) return face
    // Punctuation that several scripts share uses the font of the characters before it.
    if (previous && "has" in previous && previous.has(characters)) return previous
    for (const family of others) {
      const other = family.faceOf(characters, bold)
      if (other) return other
    }
    return undefined
  }

  private fallbacks({ family }: Style, documentText: string): Family[] {
    const cjk = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(documentText)
      ? "noto-sans-jp"
      : /\p{Script=Hangul}/u.test(documentText)
        ? "noto-sans-kr"
        : /\p{Script=Bopomofo}/u.test(documentText)
          ? "noto-sans-tc"
          : "noto-sans-sc"
    const order = (name: string) => (name === family ? -2 : name === cjk ? -1 : CJK.includes(name) ? 1 : 0)
    return this.families
      .filter(({ name }) => name === family || !NO_FALLBACK.has(name))
      .map((one, at) => ({ one, at, order: order(one.name) }))
      .sort((a, b) => a.order - b.order || a.at - b.at)
      .map(({ one }) => one)
  }
}
