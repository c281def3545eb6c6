// The SQL of an operation, so that it can be done again and again without the service: from three recordings of it in a
// row, each parameter is a constant, a number that grows in equal steps (an ID, a version), or the time.

type Value = string | number | null
export interface Recorded {
  sql: string
  params: Value[]
}
type Template = { is: Value } | { from: number; step: number } | { now: true } | { text: [string, string]; at: number }
export interface Replay {
  sql: string
  params: Template[]
}

/** Epoch milliseconds are not an id. */
const TIME = 1e12

function templateOf(a: Value | undefined, b: Value | undefined, c: Value | undefined): Template {
  if (typeof a === "number" && typeof b === "number" && typeof c === "number") {
    if (c > TIME) return { now: true }
    if (a !== b || b !== c) return { from: c, step: c - b }
  }
  if (typeof b === "string" && typeof c === "string" && b !== c) {
    // A text with a number that rises by one, such as a slug.
    const at = Number(/\d+$/.exec(c)?.[0])
    const before = c.replace(/\d+$/, "")
    if (b === `${before}${at - 1}`) return { text: [before, ""], at }
  }
  return { is: c ?? null }
}

/**
 * @param recordings of one operation three times in a row, each with the statements of its round trips in order
 * @throws when their SQL differs
 */
export function createReplay(name: string, recordings: Recorded[][][]): Replay[][] {
  const [a = [], b = [], c = []] = recordings
  if (a.length !== c.length) throw new Error(`${name} does not take the same round trips each time.`)
  return c.map((batch, at) => {
    const [before = [], previous = []] = [a[at], b[at]]
    return batch.map(({ sql, params }, i) => {
      if (before[i]?.sql !== sql || previous[i]?.sql !== sql || before.length !== batch.length)
        throw new Error(`${name} does not run the same SQL each time: ${sql.slice(0, 200)}`)
      return {
        sql,
        params: params.map((param, j) => templateOf(before[i]?.params[j], previous[i]?.params[j], param)),
      }
    })
  })
}

/** The parameters of the n-th time after the recordings, from 1 on. */
export const valuesOf = (params: Template[], n: number, now: number): Value[] =>
  params.map((template) => {
    if ("is" in template) return template.is
    if ("now" in template) return now
    if ("text" in template) return `${template.text[0]}${template.at + n}${template.text[1]}`
    return template.from + template.step * n
  })
