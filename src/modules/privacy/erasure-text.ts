import { type AnyColumn, type SQL, sql } from "drizzle-orm"
import { type DataSubject, ERASED } from "./personal-data-table.ts"

// SQL that finds and replaces the names and email addresses of a person in text and JSON columns.

/** The names of more than one word: a single word can belong to another person. */
const fullNames = ({ names }: DataSubject) => names.filter((name) => name.includes(" "))
/** The texts that identify a person. */
export const identifiersOf = (person: DataSubject) => [...person.emails, ...fullNames(person)]

/** A JSON array of texts as they are in JSON, with case variants: SQLite folds the case of ASCII letters only. */
const variantsOf = (texts: string[]): string => {
  const variants = texts.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()])
  const escaped = variants.map((text) => JSON.stringify(text).slice(1, -1)).filter((text) => !ERASED.includes(text))
  return JSON.stringify([...new Set(escaped)])
}

/** The condition that one of the columns contains one of the texts, in any case. */
export const containsAny = (columns: AnyColumn[], texts: string[]): SQL =>
  sql`exists (
    select 1 from ${sql.raw("json_each(")}${variantsOf(texts)}${sql.raw(")")} as identifier
    where ${sql.join(
      columns.map((column) => sql`instr(lower(${column}), lower(identifier.value))`),
      sql` or `,
    )}
  )`

/** The shortest search term that counts as a part of a person's name. */
const MIN_SEARCH_TERM_LENGTH = 3

/** The condition that a JSON column contains a search for the person: a name, an address or a part of one. */
export const searchesFor = (column: AnyColumn, { emails, names }: DataSubject): SQL => sql`exists (
  select 1 from json_tree(${column}) as term, json_each(${variantsOf([...emails, ...names])}) as identifier
  where term.type = 'text' and (
    instr(lower(term.value), lower(identifier.value))
    or (
      length(term.value) >= ${MIN_SEARCH_TERM_LENGTH} and instr(lower(identifier.value), lower(term.value))
    )
  )
)`

/** The text with each of some texts replaced, in any case. SQLite's `replace` is case-sensitive. */
const replaceTexts = (column: AnyColumn, texts: string[]): SQL => {
  const position = sql`instr(lower(text), lower(remaining ->> '$[0]'))`
  return sql`(
    with recursive redacted (remaining, text) as (
      select ${variantsOf(texts)}, ${column}
      union all
      select
        iif(${position}, remaining, json_remove(remaining, '$[0]')),
        iif(
          ${position},
          substr(text, 1, ${position} - 1) || ${ERASED} || substr(text, ${position} + length(remaining ->> '$[0]')),
          text
        )
      from redacted where remaining <> '[]'
    )
    select text from redacted where remaining = '[]'
  )`
}
export const redactEmails = (column: AnyColumn, { emails }: DataSubject): SQL => replaceTexts(column, emails)
export const redact = (column: AnyColumn, person: DataSubject): SQL => replaceTexts(column, identifiersOf(person))
