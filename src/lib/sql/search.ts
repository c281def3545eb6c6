import { type AnyColumn, type SQL, sql } from "drizzle-orm"
import type { Filter } from "./list.ts"

// Case-insensitive substring search on FTS5's trigram tokenizer, for terms of any length. A trigram index alone cannot
// find one or two characters, so the indexed text ends with every pair and every single character of it, each between
// marks that no input can hold (control characters are taken out of all text): a pair is found as "ab|", a single as
// "|a|".

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

const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ĸ: "k",
  ſ: "s",
}
const UNMARKED = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g")
const MARKS = /(?<=[\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu

/**
 * What a name sorts by, bytewise: in lower case, Latin and Greek letters without their marks, so that Ç stands by C.
 */
export const sortKey = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFD")
    .replace(MARKS, "")
    .normalize("NFC")
    .replace(UNMARKED, (letter) => LETTERS[letter] ?? letter)

/** A person's names as every table of them keeps these: as given, and as they sort. */
export const namesOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  firstName,
  lastName,
  firstNameKey: sortKey(firstName),
  lastNameKey: sortKey(lastName),
})

/** The FTS5 query for rows whose text holds `term`. */
export function substring(term: string): string {
  const wanted = term.toLowerCase()
  const length = [...wanted].length
  const phrase = length === 1 ? `${MARK}${wanted}${MARK}` : length === 2 ? `${wanted}${MARK}` : wanted
  return `"${phrase.replaceAll('"', '""')}"`
}

/**
 * The ids of the records whose searched text holds `term`. For use after `in`.
 * @param table the FTS5 table, whose rowid is the record's id
 */
export const foundIn = (table: string, term: string): SQL =>
  sql`(select rowid as id from ${sql.raw(table)} where ${sql.raw(table)} match ${substring(term)})`

/**
 * The rows whose searched text holds `term`.
 * @param table the FTS5 table, whose rowid is the record's id
 * @param key the record's id
 */
export function matching(table: string, key: AnyColumn, term: string): Filter {
  const ids = sql`select rowid as id from ${sql.raw(table)} where ${sql.raw(table)} match ${substring(term)}`
  return { test: sql`${key} in (${ids})`, ids }
}
