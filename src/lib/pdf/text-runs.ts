import bidiFactory from "bidi-js"
import type { Cluster } from "./font-catalog.ts"

// What order a line of text is drawn in, whichever scripts it mixes.

const bidi = bidiFactory()
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const ALSO_RIGHT_TO_LEFT = /[\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Bidi_Control}]/u
const turns = (text: string) => RIGHT_TO_LEFT.test(text) || ALSO_RIGHT_TO_LEFT.test(text)

/** A stretch of one direction and one font. */
export interface Run<F> {
  /** In the order in which it is read. */
  text: string
  font: F
  rightToLeft: boolean
}

/**
 * A text with the same directions in which every letter is one unit of UTF-16: the algorithm's table ends there, and
 * takes the scripts beyond for Latin. A pair becomes a letter or a mark of the pair's kind, and a mark, which follows
 * it.
 */
const withoutPairs = (text: string) =>
  text.replace(BEYOND, (letter) => {
    if (/\p{Mn}/u.test(letter)) return "\u0300\u0300"
    if (/[\u{10d30}-\u{10d39}]/u.test(letter)) return "\u0660\u0300"
    return "\u05d0\u0300"
  })
const BEYOND = /[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu

const sameText = <F>(clusters: readonly Cluster<F>[]) => clusters.map(({ text }) => text).join("")

/** Whether a paragraph begins at the right: its first letter that has a direction decides. */
export function startsRight<F>(clusters: readonly Cluster<F>[]): boolean {
  const text = sameText(clusters)
  return turns(text) && (bidi.getEmbeddingLevels(withoutPairs(text)).paragraphs[0]?.level ?? 0) % 2 === 1
}

/** The line's runs from left to right as they are drawn (UAX #9), in a paragraph of that direction. */
export function visualRuns<F>(clusters: readonly Cluster<F>[], fromRight: boolean): Run<F>[] {
  const line = sameText(clusters)
  if (!fromRight && !turns(line)) return grouped(clusters, () => 0).map(({ run }) => run)
  const { levels } = bidi.getEmbeddingLevels(withoutPairs(line), fromRight ? "rtl" : "ltr")
  const runs = grouped(clusters, (at) => levels[at] ?? 0)
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

/** Clusters that stand together in one font and at one level, in the order in which they are read. */
function grouped<F>(clusters: readonly Cluster<F>[], levelAt: (offset: number) => number) {
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

/** A sign as it is drawn from right to left, where a font does not turn it by itself. */
export const mirrored = (sign: string) => bidi.getMirroredCharacter(sign) ?? sign
