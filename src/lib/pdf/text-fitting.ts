import type { Cluster } from "./font-catalog.ts"
import { isRightToLeft, visualRuns } from "./text-runs.ts"

// Wraps a text and shrinks it to fit its box.

/** Line height, and the distance from the top of a line to its baseline, in em. */
export const LINE_HEIGHT = 1.2
export const BASELINE = 0.9
/** The smallest font size that a text is shrunk to, in pixels. */
const MIN_SIZE = 6

/** Measures the text of a font. */
export interface Measure {
  /** The width of a text in em. */
  widthOf(text: string, rightToLeft: boolean): number
}

type Clusters<F> = readonly Cluster<F>[]

export interface Line<F> {
  clusters: Cluster<F>[]
  /** The direction of its paragraph. */
  rightToLeft: boolean
}

/** The width of a line in em. */
export const widthOf = <F extends Measure>(clusters: Clusters<F>, rightToLeft: boolean) =>
  visualRuns(clusters, rightToLeft).reduce((sum, run) => sum + run.font.widthOf(run.text, run.rightToLeft), 0)

interface Word<F> {
  clusters: Cluster<F>[]
  width: number
  /** A space separates it from the previous word of its line. */
  hasSpaceBefore: boolean
}

const IDEOGRAPH = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Yi}\u3000-\u303f\uff00-\uffef]/u
/** Characters that cannot begin a line, and those that cannot end one. */
const NO_START = /^[\p{Pe}\p{Pf}\p{Po}ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ〜！？：；，．％]/u
const NO_END = /^[\p{Ps}\p{Pi}]/u
/** Characters after which a line can end. */
const BREAK_AFTER = /[\u0f0b\u1361\u200b]$/u
/** Scripts without spaces between words: a dictionary finds the words. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const dictionary = new Intl.Segmenter("th", { granularity: "word" })

/** Splits the text between two spaces at the positions where a line can break. */
function splitAtBreaks<F>(clusters: Clusters<F>): Cluster<F>[][] {
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
    if (at === 0 || between || BREAK_AFTER.test(before)) pieces.push([cluster])
    else pieces.at(-1)?.push(cluster)
    offset += cluster.text.length
  }
  return pieces
}

function splitWords<F extends Measure>(clusters: Clusters<F>, rightToLeft: boolean): Word<F>[] {
  const words: Cluster<F>[][] = [[]]
  for (const cluster of clusters) {
    if (cluster.text === " ") words.push([])
    else words.at(-1)?.push(cluster)
  }
  return words.flatMap((word) =>
    splitAtBreaks(word).map((piece, i) => ({
      clusters: piece,
      width: widthOf(piece, rightToLeft),
      hasSpaceBefore: i === 0,
    })),
  )
}

/** Splits a word that is too wide for a line. */
function breakWord<F extends Measure>(word: Word<F>, maxWidth: number, rightToLeft: boolean): Word<F>[] {
  if (word.width <= maxWidth) return [word]
  const pieces: Word<F>[] = []
  for (const cluster of word.clusters) {
    const width = widthOf([cluster], rightToLeft)
    const piece = pieces.at(-1)
    if (piece && piece.width + width <= maxWidth) {
      piece.clusters.push(cluster)
      piece.width += width
    } else pieces.push({ clusters: [cluster], width, hasSpaceBefore: pieces.length === 0 && word.hasSpaceBefore })
  }
  return pieces
}

interface Paragraph<F> {
  words: Word<F>[]
  space: Cluster<F>[]
  spaceWidth: number
  rightToLeft: boolean
}

/** Wraps paragraphs into lines of at most `maxWidth` em. */
function wrap<F>(paragraphs: Paragraph<F>[], maxWidth: number): { lines: Line<F>[]; tooWide: boolean } {
  const lines: Line<F>[] = []
  let tooWide = false
  for (const { words, space, spaceWidth, rightToLeft } of paragraphs) {
    let line: Cluster<F>[] = []
    let width = 0
    for (const word of words) {
      if (word.width > maxWidth) tooWide = true
      const before = word.hasSpaceBefore ? spaceWidth : 0
      if (line.length > 0 && width + before + word.width > maxWidth) {
        lines.push({ clusters: line, rightToLeft })
        line = []
        width = 0
      }
      if (line.length > 0 && word.hasSpaceBefore) {
        line.push(...space)
        width += spaceWidth
      }
      line.push(...word.clusters)
      width += word.width
    }
    lines.push({ clusters: line, rightToLeft })
  }
  return { lines, tooWide }
}

/** Returns the lines of a text and the font size, at most `maxSize`, at which they fit a box. */
export function fitText<F extends Measure>(
  texts: readonly Clusters<F>[],
  maxSize: number,
  box: { width: number; height: number },
) {
  const paragraphs = texts.map((clusters): Paragraph<F> => {
    const rightToLeft = isRightToLeft(clusters)
    const space = clusters.filter(({ text }) => text === " ").slice(0, 1)
    return { words: splitWords(clusters, rightToLeft), space, spaceWidth: widthOf(space, rightToLeft), rightToLeft }
  })
  const minSize = Math.min(maxSize, MIN_SIZE)
  for (let size = maxSize; size > minSize; size *= 0.95) {
    const { lines, tooWide } = wrap(paragraphs, box.width / size)
    if (!tooWide && ((lines.length - 1) * LINE_HEIGHT + 1) * size <= box.height) return { lines, size }
  }
  const maxWidth = box.width / minSize
  const pieces = paragraphs.map((paragraph) => ({
    ...paragraph,
    words: paragraph.words.flatMap((word) => breakWord(word, maxWidth, paragraph.rightToLeft)),
  }))
  return { lines: wrap(pieces, maxWidth).lines, size: minSize }
}
