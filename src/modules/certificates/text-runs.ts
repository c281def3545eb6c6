import bidiFactory from "bidi-js"

// What order a line of text is drawn in, whichever scripts it mixes.

const bidi = bidiFactory()
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** A stretch of one direction and one font. */
export interface Run<F> {
  /** As a shaper takes it: right-to-left scripts in the order in which they are read. */
  text: string
  font: F
}

/** A text's characters, each with the font that has it. */
export interface Letter<F> {
  text: string
  font: F
}

const sameText = <F>(letters: Letter<F>[]) => letters.map(({ text }) => text).join("")

/** The line's runs from left to right as they are drawn (UAX #9, the direction of the first strong character). */
export function visualRuns<F>(letters: Letter<F>[]): Run<F>[] {
  const line = sameText(letters)
  if (!RIGHT_TO_LEFT.test(line)) return grouped(letters)
  const levels = bidi.getEmbeddingLevels(line)
  const mirrored = bidi.getMirroredCharactersMap(line, levels.levels)
  /** Each letter with where it begins in the line. */
  let offset = 0
  const placed = letters.map((letter) => {
    const at = offset
    offset += letter.text.length
    return { ...letter, text: mirrored.get(at) ?? letter.text, level: levels.levels[at] ?? 0 }
  })
  const order = [...placed.keys()]
  // Reversed from the highest level down to the lowest odd one: rule L2, on letters instead of UTF-16 units.
  const highest = Math.max(...placed.map(({ level }) => level))
  for (let level = highest; level >= 1; level--)
    for (let i = 0; i < order.length; i++) {
      let end = i
      while (end < order.length && (placed[order[end] ?? 0]?.level ?? 0) >= level) end++
      if (end > i + 1) order.splice(i, end - i, ...order.slice(i, end).reverse())
      if (end > i) i = end
    }
  const drawn = order.flatMap((at) => placed[at] ?? [])
  const runs: Run<F>[] = []
  for (let i = 0; i < drawn.length; ) {
    const first = drawn[i]
    if (!first) break
    let end = i + 1
    while (drawn[end]?.level === first.level && drawn[end]?.font === first.font) end++
    const stretch = drawn.slice(i, end)
    // A shaper turns right-to-left letters around by itself, and leaves all else as it is.
    const turns = first.level % 2 === 1 && RIGHT_TO_LEFT.test(sameText(stretch))
    runs.push({ text: sameText(turns ? stretch.reverse() : stretch), font: first.font })
    i = end
  }
  return runs
}

function grouped<F>(letters: Letter<F>[]): Run<F>[] {
  const runs: Run<F>[] = []
  for (const { text, font } of letters) {
    const last = runs.at(-1)
    if (last?.font === font) last.text += text
    else runs.push({ text, font })
  }
  return runs
}
