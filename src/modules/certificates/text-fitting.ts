import { type Letter, visualRuns } from "./text-runs.ts"

// How a text is laid out in its box.

/** From one line to the next, and from a line's top to its baseline, in sizes of its font. */
export const LINE = 1.2
export const BASELINE = 0.9
/** The smallest that a text is made to fit its box, in pixels. */
const SMALLEST = 6

/** A font, as far as it is needed to measure. */
interface Measure {
  widthOfTextAtSize(text: string, size: number): number
}

type Line<F> = Letter<F>[]

/** The width of letters at a size of 1. */
export const widthOf = <F extends Measure>(letters: Line<F>) =>
  visualRuns(letters).reduce((sum, { text, font }) => sum + font.widthOfTextAtSize(text, 1), 0)

/** What stands between spaces. */
function wordsOf<F>(letters: Line<F>): Line<F>[] {
  const words: Line<F>[] = [[]]
  for (const letter of letters) {
    if (letter.text === " ") words.push([])
    else words.at(-1)?.push(letter)
  }
  return words.filter((word) => word.length > 0)
}

interface Word<F> {
  letters: Line<F>
  width: number
}

/** A word too long for a line, in pieces that are not. */
function broken<F extends Measure>(word: Word<F>, most: number): Word<F>[] {
  if (word.width <= most) return [word]
  const pieces: Line<F>[] = [[]]
  for (const letter of word.letters) {
    const piece = pieces.at(-1) ?? []
    if (piece.length > 0 && widthOf([...piece, letter]) > most) pieces.push([letter])
    else piece.push(letter)
  }
  return pieces.map((letters) => ({ letters, width: widthOf(letters) }))
}

/** The lines of a text whose paragraphs are words; `most` is the widest that a line may be at a size of 1. */
function wrapped<F extends Measure>(
  paragraphs: Word<F>[][],
  space: Line<F>,
  most: number,
): { lines: Line<F>[]; tooWide: boolean } {
  const gap = widthOf(space)
  const lines: Line<F>[] = []
  let tooWide = false
  for (const words of paragraphs) {
    let line: Line<F> = []
    let width = 0
    for (const word of words) {
      if (word.width > most) tooWide = true
      if (line.length > 0 && width + gap + word.width > most) {
        lines.push(line)
        line = []
        width = 0
      }
      if (line.length > 0) {
        line.push(...space)
        width += gap
      }
      line.push(...word.letters)
      width += word.width
    }
    lines.push(line)
  }
  return { lines, tooWide }
}

/** The lines of a text and the size at which they fit a box: the size asked for, or the first smaller one. */
export function fitted<F extends Measure>(texts: Line<F>[], asked: number, box: { width: number; height: number }) {
  const paragraphs = texts.map((letters) =>
    wordsOf(letters).map((word): Word<F> => ({ letters: word, width: widthOf(word) })),
  )
  const [first] = texts.flat()
  const space = first ? [{ text: " ", font: first.font }] : []
  const smallest = Math.min(asked, SMALLEST)
  for (let size = asked; size > smallest; size *= 0.95) {
    const { lines, tooWide } = wrapped(paragraphs, space, box.width / size)
    if (!tooWide && ((lines.length - 1) * LINE + 1) * size <= box.height) return { lines, size }
  }
  const most = box.width / smallest
  const pieces = paragraphs.map((words) => words.flatMap((word) => broken(word, most)))
  return { lines: wrapped(pieces, space, most).lines, size: smallest }
}
