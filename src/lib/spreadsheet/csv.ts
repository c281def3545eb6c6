// Reads CSV as spreadsheet programs write it (RFC 4180 with any of four delimiters). Parsers on npm take quadratic time
// or hold all rows for some files: docs/adr/0015.

const DELIMITERS = [",", ";", "\t", "|"]
const QUOTE = 34
const LF = 10
const CR = 13

/** Characters that are searched for the delimiter. */
const SAMPLE = 20_000

/** The text is invalid or exceeds a limit. Rows count from 1. */
export class CsvError extends Error {
  readonly reason: "unclosed quote" | "too many columns" | "too long a value"
  readonly row: number
  constructor(reason: CsvError["reason"], row: number) {
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

/** Returns the most frequent delimiter, outside of quotes, of the first line that has one. */
function detectDelimiter(text: string): string {
  for (const line of text.slice(0, SAMPLE).split(/\r\n?|\n/)) {
    const unquoted = line.replace(/"[^"]*("|$)/g, "")
    const [best] = DELIMITERS.map((one) => ({ one, count: unquoted.split(one).length - 1 })).sort(
      (a, b) => b.count - a.count,
    )
    if (best && best.count > 0) return best.one
  }
  return ","
}

/**
 * Yields the rows of a text; a blank row is one empty value. A quotation mark within an unquoted value is literal.
 * @throws CsvError
 */
export function* csvRows(text: string, limits: CsvLimits, delimiter = detectDelimiter(text)): Generator<string[]> {
  const separator = delimiter.charCodeAt(0)
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let row = 1; at < text.length; row++) {
    const values: string[] = []
    for (let hasMore = true; hasMore; ) {
      const from = at
      let value = ""
      if (text.charCodeAt(at) === QUOTE) {
        // Doubled quotation marks are one; text after the closing mark is literal.
        for (let begin = at + 1; ; begin = at + 1) {
          const close = text.indexOf('"', begin)
          if (close < 0) throw new CsvError("unclosed quote", row)
          if (close - from > limits.value) throw new CsvError("too long a value", row)
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
      if (at - from > limits.value) throw new CsvError("too long a value", row)
      values.push(value + text.slice(rest, at))
      if (values.length > limits.columns) throw new CsvError("too many columns", row)
      const end = text.charCodeAt(at)
      hasMore = end === separator
      at += end === CR && text.charCodeAt(at + 1) === LF ? 2 : 1
    }
    yield values
  }
}
