import { type AnyColumn, getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import type { Filter } from "./list/listing.ts"

// Case-insensitive substring search on FTS5's trigram tokenizer, for terms of any length. A trigram index alone cannot
// find one or two characters, so the indexed text ends with every pair and every single character of it, each between
// marks that no input can hold (control characters are taken out of all text): a pair is found as "ab|", a single as
// "|a|".

const MARK = "\u0001"

/** What FTS5 takes for another letter although it is in lower case, and what it takes it for. */
const SAME: Record<string, string> = {
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
const SAMES = new RegExp(`[${Object.keys(SAME).join("")}]`, "g")

/** A text without regard to case, as FTS5 has it: so that the index and `instr` of the text find the same. */
export const foldCase = (text: string): string => text.toLowerCase().replace(SAMES, (letter) => SAME[letter] ?? letter)

/** The text to index for a row: its parts, a line each, then its pairs and single characters. */
export function searchText(...parts: string[]): string {
  const text = foldCase(parts.filter(Boolean).join("\n"))
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
export const sortableNames = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  firstName,
  lastName,
  firstNameKey: sortKey(firstName),
  lastNameKey: sortKey(lastName),
})

/** What the indexed text has where it holds `term`: at least three characters. */
function phraseOf(term: string): string {
  const wanted = foldCase(term)
  const length = [...wanted].length
  return length === 1 ? `${MARK}${wanted}${MARK}` : length === 2 ? `${wanted}${MARK}` : wanted
}

const quoted = (phrase: string) => `"${phrase.replaceAll('"', '""')}"`

/** The FTS5 query for rows whose text holds `term`. */
export const substring = (term: string): string => quoted(phraseOf(term))

/** The condition that a searched text holds `term`, by the text itself. */
export const containsTerm = (searchText: SQLWrapper, term: string): SQL =>
  sql`instr(${searchText}, ${phraseOf(term)}) > 0`

/**
 * The ids of the records whose searched text holds `term`. For use after `in`.
 * @param table the FTS5 table, whose rowid is the record's id
 */
export const idsMatching = (table: string, term: string): SQL =>
  sql`(select rowid as id from ${sql.raw(table)} where ${sql.raw(table)} match ${substring(term)})`

/**
 * The condition that what a full-text index found is one record. D1 binds numbers as floats, and FTS5 ignores a rowid
 * that is compared with one.
 * @param column the index's rowid, by the name that it has there
 */
export const isRowId = (column: "rowid" | "id", id: number): SQL => sql`${sql.raw(column)} = cast(${id} as integer)`

/** A table with a full-text index, as `searched` of drizzle/triggers/declare.ts makes it. */
export type SearchedTable = SQLiteTable & { id: AnyColumn; searchText: AnyColumn }

/** The rows of a table whose searched text holds `term`. */
export function searchFilter(table: SearchedTable, term: string): Filter {
  const phrase = phraseOf(term)
  const index = sql.raw(`${getTableName(table)}_search`)
  const found = sql`from ${index} where ${index} match ${quoted(phrase)}`
  // Three characters are one token, of which the index knows in how many rows it is.
  const known =
    [...phrase].length === 3
      ? sql<number>`coalesce((select doc from ${sql.raw(`${getTableName(table)}_terms`)} where term = ${phrase}), 0)`
      : undefined
  return {
    test: containsTerm(table.searchText, term),
    ids: sql`select rowid as id ${found}`,
    text: {
      count: known ?? sql<number>`(select count(*) ${found})`,
      upTo: (limit) => known ?? sql<number>`(select count(*) from (select 1 ${found} limit ${limit}))`,
      // Ids are given out in turn: the last is about how many there are.
      rows: sql<number>`(select coalesce(max(${table.id}), 0) from ${table})`,
    },
  }
}
