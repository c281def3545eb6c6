// Which font draws which letters. The index of the static assets tells it (scripts/fonts.ts), so that only the files
// that a text needs are read, and a letter that no font has is known without reading any.

export type StandardFont = "Helvetica" | "Courier" | "Courier-Bold" | "Times-Roman" | "Times-Bold"

/** One of the fonts that every reader of PDF has, or a file among the assets. */
export type Face =
  | { standard: StandardFont; widths: readonly number[] }
  /** `thick`: there is no bold file, so its letters are drawn thicker. */
  | { file: string; thick: boolean; draws(letters: readonly number[]): boolean }

/** What is drawn as one: a letter with its marks, or an emoji of several signs. */
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
  /** The family that draws all that it has; as wide as the standard font. */
  family: string
  bold: boolean
}

/** The font families that a template may name. */
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
const styleOf = (family: string) => STYLES[family as FontFamily] ?? STYLES.Arial
/** Families that draw only where they are asked for by name. */
const BY_NAME = new Set(["arimo", "tinos", "cousine", "dejavu-sans-mono"])
const EMOJI = "noto-emoji"
/** The families of Chinese, Japanese and Korean, which write the same letters each in its own way. */
const CJK = ["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr"]

/** What the standard fonts draw: Windows' Western alphabet, without its unseen characters. */
const WESTERN = new Map(
  [...new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 224 }, (_, i) => i + 32))].flatMap(
    (letter, i): [string, number][] => (/[\p{C}\u00a0]/u.test(letter) ? [] : [[letter, i + 32]]),
  ),
)
/** The code of a letter in the standard fonts' encoding; undefined for one that they lack. */
export const westernCode = (letter: string) => WESTERN.get(letter)

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })
const UNSEEN = /^\p{Default_Ignorable_Code_Point}$/u

/** The letters of a cluster that a font must have: joiners, selectors and the like show nothing by themselves. */
const seen = (cluster: string) =>
  [...cluster].filter((letter) => !UNSEEN.test(letter)).map((letter) => letter.codePointAt(0) ?? 0)

class Family {
  readonly name: string
  private readonly weights: readonly number[]
  private readonly files: { name: string; ranges: string }[]
  private sets: { name: string; ranges: Uint32Array }[] | undefined
  private readonly known = new Map<number, readonly number[]>()
  private readonly faces = new Map<string, Face>()

  constructor({ family, weights, files }: Index["families"][number]) {
    this.name = family
    this.weights = weights
    this.files = Object.entries(files).map(([name, ranges]) => ({ name, ranges }))
  }

  /** The file that has all of these letters, in the weight; undefined where none has. */
  faceOf(letters: readonly number[], bold: boolean): Face | undefined {
    const [first = 0, ...rest] = letters
    const file = this.filesWith(first).find((at) => rest.every((letter) => this.filesWith(letter).includes(at)))
    return file === undefined ? undefined : this.face(file, bold)
  }

  private face(at: number, bold: boolean): Face {
    const weight = bold && this.weights.includes(700) ? 700 : 400
    const file = `${this.files[at]?.name}-${weight}`
    const draws = (letters: readonly number[]) => letters.every((letter) => this.filesWith(letter).includes(at))
    const found = this.faces.get(`${file}${bold}`) ?? { file, thick: bold && weight === 400, draws }
    this.faces.set(`${file}${bold}`, found)
    return found
  }

  private filesWith(letter: number): readonly number[] {
    const known = this.known.get(letter)
    if (known) return known
    this.sets ??= this.files.map(({ name, ranges }) => ({ name, ranges: decoded(ranges) }))
    const found = this.sets.flatMap(({ ranges }, at) => (within(ranges, letter) ? [at] : []))
    this.known.set(letter, found)
    return found
  }
}

/** Pairs of first and last. */
const decoded = (ranges: string) =>
  Uint32Array.from(
    ranges.split(",").flatMap((range) => {
      const [from = "", to = from] = range.split("-")
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
    }),
  )

function within(ranges: Uint32Array, letter: number): boolean {
  let [low, high] = [0, ranges.length / 2 - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (letter < (ranges[2 * middle] ?? 0)) high = middle - 1
    else if (letter > (ranges[2 * middle + 1] ?? 0)) low = middle + 1
    else return true
  }
  return false
}

/** The fonts that there are. */
export class Catalog {
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
   * A text's clusters, each with the font that draws it; none for what no font has. Letters that the standard font of
   * the name has are drawn with it, unless others of the text are drawn with the family that looks like it.
   * @param beside all that is printed: it tells in whose way Chinese letters are written
   */
  clustersOf(text: string, fontFamily: string, beside: string): Cluster<Face | undefined>[] {
    const style = styleOf(fontFamily)
    const chain = this.chain(style, beside)
    const [own] = chain
    const clusters = [...graphemes.segment(text)].map(({ segment }) => ({ segment, letters: seen(segment) }))
    const standard = style.standard && this.standard.get(style.standard)
    const stays = clusters.every(
      ({ segment, letters }) =>
        letters.length === 0 || westernCode(segment) !== undefined || !own?.faceOf(letters, style.bold),
    )
    const found: Cluster<Face | undefined>[] = []
    for (const { segment, letters } of clusters) {
      const before = found.at(-1)
      if (letters.length === 0) {
        if (before) before.text += segment
        continue
      }
      const font =
        standard && stays && westernCode(segment) !== undefined
          ? standard
          : this.faceOf(segment, letters, style, chain, before?.font)
      found.push({ text: segment, font })
    }
    return found
  }

  /** The letters of a text that no font has, each once. */
  missing(text: string): string[] {
    const lacking = this.clustersOf(text, "Arial", text).filter(({ font }) => font === undefined)
    return [...new Set(lacking.map((cluster) => cluster.text))]
  }

  private faceOf(
    text: string,
    letters: readonly number[],
    { bold }: Style,
    chain: readonly Family[],
    before: Face | undefined,
  ): Face | undefined {
    const emoji = /\p{Emoji_Presentation}|\ufe0f|\p{Extended_Pictographic}\u200d/u.test(text)
    const [own, ...others] = chain
    const first = emoji ? this.families.find(({ name }) => name === EMOJI) : own
    const face = first?.faceOf(letters, bold)
    if (face) return face
    // Signs that several scripts share stay with the letters that they stand by.
    if (before && "draws" in before && before.draws(letters)) return before
    for (const family of others) {
      const other = family.faceOf(letters, bold)
      if (other) return other
    }
    return undefined
  }

  private chain({ family }: Style, beside: string): Family[] {
    const first = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(beside)
      ? "noto-sans-jp"
      : /\p{Script=Hangul}/u.test(beside)
        ? "noto-sans-kr"
        : /\p{Script=Bopomofo}/u.test(beside)
          ? "noto-sans-tc"
          : "noto-sans-sc"
    const order = (name: string) => (name === family ? -2 : name === first ? -1 : CJK.includes(name) ? 1 : 0)
    return this.families
      .filter(({ name }) => name === family || !BY_NAME.has(name))
      .map((one, at) => ({ one, at, order: order(one.name) }))
      .sort((a, b) => a.order - b.order || a.at - b.at)
      .map(({ one }) => one)
  }
}
