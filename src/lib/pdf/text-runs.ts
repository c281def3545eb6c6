import bidiFactory from "bidi-js"
import type { Cluster } from "./font-catalog.ts"

// The visual order of a line that mixes scripts (UAX #9).

const bidi = bidiFactory()
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const RIGHT_TO_LEFT_SUPPLEMENT = /[\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Bidi_Control}]/u
const hasRightToLeft = (text: string) => RIGHT_TO_LEFT.test(text) || RIGHT_TO_LEFT_SUPPLEMENT.test(text)

/** Text of one direction and one font. */
export interface Run<F> {
  /** In logical order. */
  text: string
  font: F
  rightToLeft: boolean
}

/**
 * Replaces supplementary characters by pairs of the same direction, because bidi-js takes them for Latin. A pair is a
 * letter or a mark of the same kind, followed by a mark.
 */
const withoutSurrogates = (text: string) =>
  text.replace(SUPPLEMENTARY, (character) => {
    if (/\p{Mn}/u.test(character)) return "\u0300\u0300"
    if (/[\u{10d30}-\u{10d39}]/u.test(character)) return "\u0660\u0300"
    return "\u05d0\u0300"
  })
const SUPPLEMENTARY = /[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu

const textOf = <F>(clusters: readonly Cluster<F>[]) => clusters.map(({ text }) => text).join("")

/** Whether a paragraph runs from right to left: its first character with a direction decides. */
export function isRightToLeft<F>(clusters: readonly Cluster<F>[]): boolean {
  const text = textOf(clusters)
  return hasRightToLeft(text) && (bidi.getEmbeddingLevels(withoutSurrogates(text)).paragraphs[0]?.level ?? 0) % 2 === 1
}

/** Returns the runs of a line from left to right. */
export function visualRuns<F>(clusters: readonly Cluster<F>[], rightToLeft: boolean): Run<F>[] {
  const line = textOf(clusters)
  if (!rightToLeft && !hasRightToLeft(line)) return groupRuns(clusters, () => 0).map(({ run }) => run)
  const { levels } = bidi.getEmbeddingLevels(withoutSurrogates(line), rightToLeft ? "rtl" : "ltr")
  const runs = groupRuns(clusters, (at) => levels[at] ?? 0)
  // Reversed from the highest level down to the lowest odd one (rule L2).
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level--)
    for (let i = 0; i < runs.length; i++) {
      let end = i
      while ((runs[end]?.level ?? 0) >= level) end++
      if (end > i + 1) runs.splice(i, end - i, ...runs.slice(i, end).reverse())
      if (end > i) i = end
    }
  return runs.map(({ run }) => run)
}

/** Groups adjacent clusters of one font and embedding level, in logical order. */
function groupRuns<F>(clusters: readonly Cluster<F>[], levelAt: (offset: number) => number) {
  const runs: { run: Run<F>; level: number }[] = []
  let offset = 0
  for (const { text, font } of clusters) {
    const level = levelAt(offset)
    offset += text.length
    const last = runs.at(-1)
    if (last?.run.font === font && last.level === level) last.run.text += text
    else runs.push({ run: { text, font, rightToLeft: level % 2 === 1 }, level })
  }
  return runs
}

/** The mirrored form of a character, such as a parenthesis, in right-to-left text. */
export const mirrorCharacter = (character: string) => bidi.getMirroredCharacter(character) ?? character
