import { type AnyColumn, getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import type { Filter } from "./list/listing.ts"

// Case-insensitive substring search with FTS5's trigram tokenizer, for terms of any length. A trigram index cannot
// find one or two characters, so the indexed text also has every pair and every single character between marks that
// no input can contain (control characters are removed from all text): a pair is found as "ab|", a single character
// as "|a|".

const MARK = "\u0001"

/** Lowercase characters that FTS5 folds to another character. */
const FTS5_FOLDS: Record<string, string> = {
  µ: "μ",
  ſ: "s",
  ς: "σ",
  ϐ: "β",
  ϑ: "θ",
  ϕ: "φ",
  ϖ: "π",
  ϰ: "κ",
  ϱ: "ρ",
  ϵ: "ε",
  ẛ: "ṡ",
  "\u1fbe": "ι",
  "\u0345": "ι",
  "\ufffe": "\ufffd",
  "\uffff": "\ufffd",
}
const FTS5_FOLDED = new RegExp(`[${Object.keys(FTS5_FOLDS).join("")}]`, "g")

/** A text without case, folded like FTS5 does it, so that the index and `instr` find the same rows. */
export const foldCase = (text: string): string =>
  text.toLowerCase().replace(FTS5_FOLDED, (character) => FTS5_FOLDS[character] ?? character)

/** The indexed text of a row: its parts, one per line, then its pairs and single characters. */
export function searchText(...parts: string[]): string {
  const text = foldCase(parts.filter(Boolean).join("\n"))
  const characters = [...text.replaceAll("\n", "")]
  const pairs = new Set<string>()
  for (const line of text.split("\n")) {
    const lineCharacters = [...line]
    for (let i = 1; i < lineCharacters.length; i++) pairs.add(`${lineCharacters[i - 1]}${lineCharacters[i]}`)
  }
  return [text, ...pairs, ...new Set(characters)].join(MARK) + MARK
}

const BASE_LETTERS: Record<string, string> = {
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
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(BASE_LETTERS).join("")}]`, "g")
const MARKS = /(?<=[\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu

/**
 * The key that a name is sorted by, bytewise: lowercase, Latin and Greek letters without diacritics, so that Ç sorts
 * as C.
 */
export const sortKey = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFD")
    .replace(MARKS, "")
    .normalize("NFC")
    .replace(SPECIAL_LETTERS, (letter) => BASE_LETTERS[letter] ?? letter)

/** A person's names and sort keys, as tables store them. */
export const sortableNames = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  firstName,
  lastName,
  firstNameKey: sortKey(firstName),
  lastNameKey: sortKey(lastName),
})

/** The text to look for in the indexed text: at least three characters. */
function phraseOf(term: string): string {
  const folded = foldCase(term)
  const length = [...folded].length
  return length === 1 ? `${MARK}${folded}${MARK}` : length === 2 ? `${folded}${MARK}` : folded
}

const quoted = (phrase: string) => `"${phrase.replaceAll('"', '""')}"`

/** The FTS5 query for rows whose text contains `term`. */
export const substring = (term: string): string => quoted(phraseOf(term))

/** The condition that a search text contains `term`, without the index. */
export const containsTerm = (searchText: SQLWrapper, term: string): SQL =>
  sql`instr(${searchText}, ${phraseOf(term)}) > 0`

/**
 * The ids of records whose search text contains `term`. For use after `in`.
 * @param table the FTS5 table, whose rowid is the record's id
 */
export const idsMatching = (table: string, term: string): SQL =>
  sql`(select rowid as id from ${sql.raw(table)} where ${sql.raw(table)} match ${substring(term)})`

/**
 * The condition on the row id of a full-text index. D1 binds numbers as floats, which FTS5 ignores.
 * @param column the row id's name in the query
 */
export const isRowId = (column: "rowid" | "id", id: number): SQL => sql`${sql.raw(column)} = cast(${id} as integer)`

/** A table with a full-text index (`searched` in drizzle/triggers/declare.ts). */
export type SearchedTable = SQLiteTable & { id: AnyColumn; searchText: AnyColumn }

/** Filters a table by rows whose search text contains `term`. */
export function searchFilter(table: SearchedTable, term: string): Filter {
  const phrase = phraseOf(term)
  const index = sql.raw(`${getTableName(table)}_search`)
  const found = sql`from ${index} where ${index} match ${quoted(phrase)}`
  // Three characters are one token, and the index has its number of rows.
  const rowsWithTerm =
    [...phrase].length === 3
      ? sql<number>`coalesce((select doc from ${sql.raw(`${getTableName(table)}_terms`)} where term = ${phrase}), 0)`
      : undefined
  return {
    test: containsTerm(table.searchText, term),
    ids: sql`select rowid as id ${found}`,
    text: {
      count: rowsWithTerm ?? sql<number>`(select count(*) ${found})`,
      upTo: (limit) => rowsWithTerm ?? sql<number>`(select count(*) from (select 1 ${found} limit ${limit}))`,
      // Ids are assigned in sequence, so the last one approximates the number of rows.
      rows: sql<number>`(select coalesce(max(${table.id}), 0) from ${table})`,
    },
  }
}
