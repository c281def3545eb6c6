import { type SQL, sql } from "drizzle-orm"

// Case-insensitive substring search on FTS5's trigram tokenizer, for terms of any length. A trigram index alone cannot
// find one or two characters, so the indexed text ends with every pair and every single character of it, each between
// marks that no input can hold (control characters are taken out of all text): a pair is found as "ab|", a single as "|a|".

const MARK = "\u0001"

/** The text to index for a row: its parts, a line each, then its pairs and single characters. */
export function searchText(...parts: string[]): string {
  const text = parts.filter(Boolean).join("\n").toLowerCase()
  const characters = [...text.replaceAll("\n", "")]
  const pairs = new Set<string>()
  for (const line of text.split("\n")) {
    const letters = [...line]
    for (let i = 1; i < letters.length; i++) pairs.add(`${letters[i - 1]}${letters[i]}`)
  }
  return [text, ...pairs, ...new Set(characters)].join(MARK) + MARK
}

/** The FTS5 query for rows whose text holds `term`. */
export function substring(term: string): string {
  const wanted = term.toLowerCase()
  const length = [...wanted].length
  const phrase = length === 1 ? `${MARK}${wanted}${MARK}` : length === 2 ? `${wanted}${MARK}` : wanted
  return `"${phrase.replaceAll('"', '""')}"`
}

/** The ids of the rows of a search table whose text holds `term`. */
export const idsMatching = (table: string, term: string): SQL =>
  sql`select rowid as id from ${sql.raw(table)} where ${sql.raw(table)} match ${substring(term)}`
