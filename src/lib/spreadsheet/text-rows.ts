import type { Cell } from "./workbook.ts"

// Streams rows as text: CSV (RFC 4180) and NDJSON, in UTF-8 without a byte order mark.

export const CSV_TYPE = "text/csv; charset=utf-8"
export const NDJSON_TYPE = "application/x-ndjson"

/** Characters that are encoded at once; other requests run in between. */
const CHUNK = 128 * 1024

/** Spreadsheet programs read text that begins with these as a formula. */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** Text that a spreadsheet program would read as a formula gets an apostrophe in front. */
function csvField(cell: Cell): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csvLine = (cells: readonly Cell[]) => `${cells.map(csvField).join(",")}\r\n`

/** The keys of an object: those that occur twice get a number. */
function uniqueKeys(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    let key = name
    for (let n = 2; used.has(key); n++) key = `${name}_${n}`
    used.add(key)
    return key
  })
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ""
  for await (const line of lines) {
    text += line
    if (text.length < CHUNK) continue
    yield encoder.encode(text)
    text = ""
    await scheduler.wait(0)
  }
  if (text) yield encoder.encode(text)
}

/** @param headers left out by an invocation that continues a file */
export function csvBytes(headers: readonly string[] | undefined, rows: AsyncIterable<Cell[]>) {
  async function* lines() {
    if (headers) yield csvLine(headers)
    for await (const row of rows) yield csvLine(row)
  }
  return encoded(lines())
}

/** One JSON object for each row. */
export function ndjsonBytes(names: readonly string[], rows: AsyncIterable<Cell[]>) {
  const keys = uniqueKeys(names)
  async function* lines() {
    for await (const row of rows)
      yield `${JSON.stringify(Object.fromEntries(keys.map((key, at) => [key, row[at] ?? null])))}\n`
  }
  return encoded(lines())
}
