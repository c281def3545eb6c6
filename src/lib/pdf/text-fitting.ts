import type { Cluster } from "./font-catalog.ts"
import { startsRight, visualRuns } from "./text-runs.ts"

// How a text is laid out in its box.

/** From one line to the next, and from a line's top to its baseline, in sizes of its font. */
export const LINE = 1.2
export const BASELINE = 0.9
/** The smallest that a text is made to fit its box, in pixels. */
const SMALLEST = 6

/** A font, as far as it is needed to measure. */
export interface Measure {
  /** The width of a text at a size of 1. */
  widthOf(text: string, rightToLeft: boolean): number
}

type Clusters<F> = readonly Cluster<F>[]

export interface Line<F> {
  clusters: Cluster<F>[]
  /** Its paragraph begins at the right. */
  fromRight: boolean
}

/** The width of a line at a size of 1. */
export const widthOf = <F extends Measure>(clusters: Clusters<F>, fromRight: boolean) =>
  visualRuns(clusters, fromRight).reduce((sum, run) => sum + run.font.widthOf(run.text, run.rightToLeft), 0)

interface Word<F> {
  clusters: Cluster<F>[]
  width: number
  /** A space stands before it where it is not the first of its line. */
  spaced: boolean
}

const IDEOGRAPH = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Yi}\u3000-\u303f\uff00-\uffef]/u
/** What begins no line, and what ends none. */
const NO_START = /^[\p{Pe}\p{Pf}\p{Po}ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ〜！？：；，．％]/u
const NO_END = /^[\p{Ps}\p{Pi}]/u
/** Signs after which a line may end. */
const ENDS = /[\u0f0b\u1361\u200b]$/u
/** Scripts that write their words without spaces: a dictionary knows where they end. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const dictionary = new Intl.Segmenter("th", { granularity: "word" })

/** What stands between spaces, in the pieces between which a line may end. */
function piecesOf<F>(clusters: Clusters<F>): Cluster<F>[][] {
  const text = clusters.map((cluster) => cluster.text).join("")
  const ends = new Set<number>()
  if (UNSPACED.test(text)) for (const { index } of dictionary.segment(text)) ends.add(index)
  const pieces: Cluster<F>[][] = []
  let offset = 0
  for (const [at, cluster] of clusters.entries()) {
    const before = clusters[at - 1]?.text ?? ""
    const between = UNSPACED.test(cluster.text)
      ? ends.has(offset)
      : (IDEOGRAPH.test(before) || IDEOGRAPH.test(cluster.text)) && !NO_START.test(cluster.text) && !NO_END.test(before)
    if (at === 0 || between || ENDS.test(before)) pieces.push([cluster])
    else pieces.at(-1)?.push(cluster)
    offset += cluster.text.length
  }
  return pieces
}

function wordsOf<F extends Measure>(clusters: Clusters<F>, fromRight: boolean): Word<F>[] {
  const words: Cluster<F>[][] = [[]]
  for (const cluster of clusters) {
    if (cluster.text === " ") words.push([])
    else words.at(-1)?.push(cluster)
  }
  return words.flatMap((word) =>
    piecesOf(word).map((piece, i) => ({ clusters: piece, width: widthOf(piece, fromRight), spaced: i === 0 })),
  )
}

/** A word too long for a line, in pieces that are not. */
function broken<F extends Measure>(word: Word<F>, most: number, fromRight: boolean): Word<F>[] {
  if (word.width <= most) return [word]
  const pieces: Word<F>[] = []
  for (const cluster of word.clusters) {
    const width = widthOf([cluster], fromRight)
    const piece = pieces.at(-1)
    if (piece && piece.width + width <= most) {
      piece.clusters.push(cluster)
      piece.width += width
    } else pieces.push({ clusters: [cluster], width, spaced: pieces.length === 0 && word.spaced })
  }
  return pieces
}

interface Paragraph<F> {
  words: Word<F>[]
  space: Cluster<F>[]
  gap: number
  fromRight: boolean
}

/** The lines of a text; `most` is the widest that a line may be at a size of 1. */
function wrapped<F>(paragraphs: Paragraph<F>[], most: number): { lines: Line<F>[]; tooWide: boolean } {
  const lines: Line<F>[] = []
  let tooWide = false
  for (const { words, space, gap, fromRight } of paragraphs) {
    let line: Cluster<F>[] = []
    let width = 0
    for (const word of words) {
      if (word.width > most) tooWide = true
      const before = word.spaced ? gap : 0
      if (line.length > 0 && width + before + word.width > most) {
        lines.push({ clusters: line, fromRight })
        line = []
        width = 0
      }
      if (line.length > 0 && word.spaced) {
        line.push(...space)
        width += gap
      }
      line.push(...word.clusters)
      width += word.width
    }
    lines.push({ clusters: line, fromRight })
  }
  return { lines, tooWide }
}

/** The lines of a text and the size at which they fit a box: the size asked for, or the first smaller one. */
export function fitted<F extends Measure>(
  texts: readonly Clusters<F>[],
  asked: number,
  box: { width: number; height: number },
) {
  const paragraphs = texts.map((clusters): Paragraph<F> => {
    const fromRight = startsRight(clusters)
    const space = clusters.filter(({ text }) => text === " ").slice(0, 1)
    return { words: wordsOf(clusters, fromRight), space, gap: widthOf(space, fromRight), fromRight }
  })
  const smallest = Math.min(asked, SMALLEST)
  for (let size = asked; size > smallest; size *= 0.95) {
    const { lines, tooWide } = wrapped(paragraphs, box.width / size)
    if (!tooWide && ((lines.length - 1) * LINE + 1) * size <= box.height) return { lines, size }
  }
  const most = box.width / smallest
  const pieces = paragraphs.map((paragraph) => ({
    ...paragraph,
    words: paragraph.words.flatMap((word) => broken(word, most, paragraph.fromRight)),
  }))
  return { lines: wrapped(pieces, most).lines, size: smallest }
}
