// Comma-separated values as spreadsheet programs write them (RFC 4180, with any of four delimiters), row by row. Own
// code, because a file from outside must not cost more than a look at each of its characters: docs/adr/0015.

const DELIMITERS = [",", ";", "\t", "|"]
const QUOTE = 34
const LF = 10
const CR = 13

/** Characters from which the delimiter is guessed. */
const SAMPLE = 20_000

/** Why a text is refused, and in which row; rows count from 1. */
export class CsvRefused extends Error {
  readonly reason: "unclosed quote" | "too many columns" | "too long a value"
  readonly row: number
  constructor(reason: CsvRefused["reason"], row: number) {
    super(reason)
    this.reason = reason
    this.row = row
  }
}

interface CsvLimits {
  columns: number
  /** Characters of a value. */
  value: number
}

/** The delimiter that stands most often, outside of quotes, in the first line that has one. */
function delimiterOf(text: string): string {
  for (const line of text.slice(0, SAMPLE).split(/\r\n?|\n/)) {
    const bare = line.replace(/"[^"]*("|$)/g, "")
    const [most] = DELIMITERS.map((one) => ({ one, count: bare.split(one).length - 1 })).sort(
      (a, b) => b.count - a.count,
    )
    if (most && most.count > 0) return most.one
  }
  return ","
}

/**
 * The rows of a text, blank ones among them as one empty value. A quote that stands within an unquoted value is itself.
 * @throws CsvRefused while the rows are read
 */
export function* csvRows(text: string, limits: CsvLimits, delimiter = delimiterOf(text)): Generator<string[]> {
  const separator = delimiter.charCodeAt(0)
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let row = 1; at < text.length; row++) {
    const values: string[] = []
    for (let more = true; more; ) {
      const from = at
      let value = ""
      if (text.charCodeAt(at) === QUOTE) {
        // Doubled quotes stand for one; the rest of the value is taken as it is.
        for (let begin = at + 1; ; begin = at + 1) {
          const close = text.indexOf('"', begin)
          if (close < 0) throw new CsvRefused("unclosed quote", row)
          if (close - from > limits.value) throw new CsvRefused("too long a value", row)
          at = close + 1
          value += text.slice(begin, close)
          if (text.charCodeAt(at) !== QUOTE) break
          value += '"'
        }
      }
      const rest = at
      while (at < text.length) {
        const code = text.charCodeAt(at)
        if (code === separator || code === LF || code === CR) break
        at++
      }
      if (at - from > limits.value) throw new CsvRefused("too long a value", row)
      values.push(value + text.slice(rest, at))
      if (values.length > limits.columns) throw new CsvRefused("too many columns", row)
      const end = text.charCodeAt(at)
      more = end === separator
      at += end === CR && text.charCodeAt(at + 1) === LF ? 2 : 1
    }
    yield values
  }
}
