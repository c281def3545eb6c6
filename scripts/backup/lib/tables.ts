// The tables of a database, and their rows as JSON lines.
import { DatabaseSync } from "node:sqlite"
import type { Deployment, Value } from "./deployment.ts"

/** An object of a schema, in the order of its creation in sqlite_master. */
export interface SchemaObject {
  type: string
  name: string
  sql: string
}

export interface Table {
  name: string
  /** The stored columns, without generated ones. */
  columns: string[]
  /** The columns of the primary key, in its order. */
  key: { name: string; type: string }[]
  /** The columns that refer to rows of the same table. */
  selfReferences: string[]
}

/** A full-text table. It is derived: its rowid is the id of a row, its text that row's `search_text`. */
export interface SearchTable {
  name: string
  source: string
}

/** How many counts are asked for at once: a row of D1's has at most 100 columns. */
const COUNTS = 90

/** Statements that count the rows of tables, a column each. */
export const countStatements = (tables: string[]): string[] =>
  Array.from({ length: Math.ceil(tables.length / COUNTS) }, (_, i) => {
    const some = tables.slice(i * COUNTS, (i + 1) * COUNTS)
    return `select ${some.map((name) => `(select count(*) from ${quoteIdentifier(name)})`).join(", ")}`
  })

/** The table in a database whose restore is unfinished. */
export const UNFINISHED_RESTORE = "restore_unfinished"
/** wrangler's own list of the migrations that were applied. */
export const MIGRATIONS_TABLE = "d1_migrations"

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`
/** A text as SQL has it. */
export const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`
const listed = (names: string[]) => names.map(quoteIdentifier).join(", ")

/** All objects of a database, except those of SQLite and D1. */
export async function schemaObjectsIn(deployment: Deployment): Promise<SchemaObject[]> {
  const rows = await deployment.query(
    `select type, name, sql from sqlite_master where sql is not null and substr(name, 1, 7) <> 'sqlite_'
      and substr(name, 1, 4) <> '_cf_' order by rowid`,
  )
  return rows.map(([type, name, sql]) => ({ type: String(type), name: String(name), sql: String(sql) }))
}

/** SQLite's own tables of a full-text table. */
const SHADOWS = ["config", "content", "data", "docsize", "idx"]

/** Without the tables that SQLite creates for full-text tables, and without those of a backup. */
export function createdObjects(objects: SchemaObject[]): SchemaObject[] {
  const virtual = objects.filter(({ sql }) => /^create virtual table/i.test(sql))
  const behind = new Set(virtual.flatMap(({ name }) => SHADOWS.map((shadow) => `${name}_${shadow}`)))
  return objects.filter(({ name }) => !behind.has(name) && !name.startsWith("backup_"))
}

/** An empty in-memory database with the same schema. */
export function createEmptyCopy(objects: SchemaObject[]): DatabaseSync {
  const database = new DatabaseSync(":memory:")
  for (const { sql } of createdObjects(objects)) database.exec(sql)
  return database
}

/** The objects of a local database. */
export const schemaObjectsOf = (database: DatabaseSync): SchemaObject[] =>
  database
    .prepare("select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite~_%' escape '~'")
    .all()
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) }))

/**
 * The tables of a database, each after those that it refers to, and its full-text tables.
 * @throws where a table could not be copied: without a primary key, or in a ring of references
 */
export function readTables(database: DatabaseSync): { tables: Table[]; searches: SearchTable[] } {
  const all = database.prepare("select name, type from pragma_table_list where schema = 'main'").all()
  const names = all
    .filter(({ type, name }) => type === "table" && !String(name).startsWith("sqlite_"))
    .map(({ name }) => String(name))
    .filter((name) => name !== UNFINISHED_RESTORE)
    .sort()
  const parents = new Map<string, Set<string>>()
  const tables = names.map((name): Table => {
    const columns = database.prepare("select name, type, pk from pragma_table_xinfo(?) where hidden = 0").all(name)
    const keys = database.prepare('select "table" as parent, "from" as name from pragma_foreign_key_list(?)').all(name)
    parents.set(name, new Set(keys.map(({ parent }) => String(parent)).filter((parent) => parent !== name)))
    return {
      name,
      columns: columns.map((column) => String(column.name)),
      key: columns
        .filter(({ pk }) => Number(pk) > 0)
        .sort((a, b) => Number(a.pk) - Number(b.pk))
        .map((column) => ({ name: String(column.name), type: String(column.type).toLowerCase() })),
      selfReferences: keys.filter(({ parent }) => parent === name).map((key) => String(key.name)),
    }
  })
  const ordered: Table[] = []
  const place = (table: Table, above: string[]) => {
    if (ordered.includes(table)) return
    if (above.includes(table.name)) throw new Error(`Tables refer to each other in a ring: ${above.join(", ")}.`)
    for (const parent of parents.get(table.name) ?? [])
      for (const other of tables) if (other.name === parent) place(other, [...above, table.name])
    ordered.push(table)
  }
  for (const table of tables) place(table, [])
  const searches = all
    .map(({ name }) => String(name))
    .filter((name) => name.endsWith("_search"))
    .map((name) => ({ name, source: name.slice(0, -"_search".length) }))
  return { tables: ordered, searches }
}

/** How many rows a page has at most, and after how many characters it ends. */
const PAGE_ROWS = 2000
const PAGE_LENGTH = 1_000_000

/**
 * The rows of a table that follow a key, at most a page of them. Rows with the same beginning of the key come first,
 * each by a search of its own: a comparison of rows would read all that share the key's first column.
 */
function following({ name, key }: Table, after: Value[] | undefined): { sql: string; parameters: Value[] } {
  const rows = (condition: string) =>
    `select * from (
        select * from ${quoteIdentifier(name)}${condition} order by ${listed(key.map((column) => column.name))}
      limit ${PAGE_ROWS})`
  if (!after) return { sql: rows(""), parameters: [] }
  const bound = ({ type }: Table["key"][number]) => (type.includes("int") ? "cast(? as integer)" : "?")
  const arms = key
    .map((column, i) => ({ equal: key.slice(0, i), greater: column, parameters: after.slice(0, i + 1) }))
    .reverse()
  const sql = arms.map(({ equal, greater }) => {
    const same = equal.map((column) => `${quoteIdentifier(column.name)} = ${bound(column)} and `).join("")
    return rows(` where ${same}${quoteIdentifier(greater.name)} > ${bound(greater)}`)
  })
  return {
    sql: `${sql.join(" union all ")} limit ${PAGE_ROWS}`,
    parameters: arms.flatMap(({ parameters }) => parameters),
  }
}

/** An expression for each column: the value as text; and a last one with a character for each type. */
export function typedColumns(columns: string[], of = "page"): string {
  const named = columns.map((column) => `${of}.${quoteIdentifier(column)}`)
  const values = named.map(
    (column) => `case typeof(${column}) when 'real' then quote(${column}) when 'blob' then hex(${column})
      else ${column} || '' end`,
  )
  return [...values, named.map((column) => `substr(typeof(${column}), 1, 1)`).join(" || ")].join(", ")
}

/** Reads a page: how long it is so far, then its columns as `typedColumns` has them. */
function pageOf(table: Table, after: Value[] | undefined): { sql: string; parameters: Value[] } {
  const { columns, key } = table
  const keys = listed(key.map((column) => column.name))
  const length = columns.map((column) => `ifnull(length(${quoteIdentifier(column)}), 0)`).join(" + ")
  const { sql, parameters } = following(table, after)
  return {
    sql: `select copy_length, ${typedColumns(columns)}
      from (
        select *, sum(copy_own) over (order by ${keys} rows unbounded preceding) as copy_length
        from (select *, ${length} + ${8 * columns.length} as copy_own from (${sql}))
      ) as page where copy_length - copy_own < ${PAGE_LENGTH} order by ${keys}`,
    parameters,
  }
}

/** A value as JSON. Whole numbers have all their digits, reals a point or an exponent: both as SQLite prints them. */
function json(value: Value | undefined, type: string | undefined): string {
  if (type === "n" || value === null || value === undefined) return "null"
  if (type === "t") return JSON.stringify(value)
  return type === "b" ? `{"blob":"${value}"}` : String(value)
}

/** A row as a line of JSON. @param values as `typedColumns` has them */
export function toLine({ columns }: Table, values: Value[]): string {
  const types = String(values[columns.length])
  return `{${columns.map((column, i) => `${JSON.stringify(column)}:${json(values[i], types[i])}`).join(",")}}`
}

/**
 * The rows of a table as lines of JSON, in the order of its key: pages of them, so that each is waited for once.
 * @param after the key of the row after which to begin
 */
export async function* readLines(deployment: Deployment, table: Table, after?: Value[]): AsyncGenerator<string[]> {
  if (table.key.length === 0) {
    // Such a table exists to refuse every row: see `guards`.
    const [row] = await deployment.query(`select 1 from ${quoteIdentifier(table.name)} limit 1`)
    if (row) throw new Error(`The table ${table.name} has rows and no key: it cannot be copied.`)
    return
  }
  const places = table.key.map(({ name }) => table.columns.indexOf(name))
  let from = after
  for (;;) {
    const { sql, parameters } = pageOf(table, from)
    const page = await deployment.query(sql, parameters)
    const last = page.at(-1)
    if (!last) return
    yield page.map(([_, ...values]) => toLine(table, values))
    if (page.length < PAGE_ROWS && Number(last[0]) < PAGE_LENGTH) return
    from = places.map((place) => last[place + 1] ?? null)
  }
}

/** A number whose digits a JavaScript number may not hold. */
interface Digits {
  digits: string
}
interface Bytes {
  blob: string
}
/** A line's values by column, each number with the digits that it has in the line. */
const valuesOf = (line: string): Record<string, string | Digits | Bytes | null> => JSON.parse(line, keepDigits)
const keepDigits = (_key: string, value: unknown, context?: { source?: string }) =>
  typeof value === "number" ? { digits: context?.source ?? String(value) } : value

/** A key as a text by which to find it. @param key as `readKey` has it, or the JSON array of its values */
export function canonicalKey(key: string | Value[]): string {
  if (typeof key !== "string") return JSON.stringify(key)
  const values = JSON.parse(key, keepDigits) as (string | Digits | null)[]
  return JSON.stringify(values.map((value) => (value === null || typeof value === "string" ? value : value.digits)))
}

/** Which of two keys SQLite has first. */
export function compareKeys({ key }: Table, one: Value[], other: Value[]): number {
  for (const [i, { type }] of key.entries()) {
    const [a, b] = [String(one[i]), String(other[i])]
    const isFirst = type.includes("int")
      ? Number(BigInt(a) - BigInt(b))
      : Buffer.compare(Buffer.from(a), Buffer.from(b))
    if (isFirst !== 0) return isFirst
  }
  return 0
}

/** The key of a line's row, as `readLines` takes it. */
export function readKey(table: Table, line: string): Value[] {
  const values = valuesOf(line)
  return table.key.map(({ name }) => {
    const value = values[name]
    if (value === null || value === undefined || typeof value === "string") return value ?? null
    return "digits" in value ? value.digits : value.blob
  })
}

/** Longer lines are inserted value by value, because D1 accepts parameters of 2 MB. */
export const MAX_LINE_BYTES = 1_000_000
/** A parameter's length at most where a value is given in pieces: each character has at most three bytes of UTF-8. */
const PIECE = 500_000

/** Inserts lines, none of them long, by one parameter: the JSON array of them. Columns left out are null. */
export function insertLines({ name, columns }: Table, lines: string[], without: string[] = []): [string, string] {
  const included = columns.filter((column) => !without.includes(column))
  const array = `[${lines.join(",")}]`
  const bytes = array.includes('{"blob":"')
  const value = (column: string) => {
    const path = quoteText(`$.${quoteIdentifier(column)}`)
    const plain = `json_extract(value, ${path})`
    if (!bytes) return plain
    const blob = quoteText(`$.${quoteIdentifier(column)}.blob`)
    return `case json_type(value, ${path}) when 'object' then unhex(json_extract(value, ${blob})) else ${plain} end`
  }
  return [
    `insert into ${quoteIdentifier(name)} (${listed(included)})
      select ${included.map(value).join(", ")} from json_each(?)`,
    array,
  ]
}

function pieces(text: string): string[] {
  if (text.length <= PIECE) return [text]
  // Does not split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text[PIECE - 1] ?? "") ? PIECE - 2 : PIECE
  return [text.slice(0, end), ...pieces(text.slice(end))]
}

/** Inserts one long line, its values in pieces that the database takes. */
export function insertLongLine({ name, columns }: Table, line: string, without: string[] = []): [string, Value[]] {
  const values = valuesOf(line)
  const parameters: Value[] = []
  const bound = (text: string) => {
    parameters.push(text)
    return "?"
  }
  const included = columns.filter((column) => !without.includes(column))
  const expressions = included.map((column) => {
    const value = values[column]
    if (value === null || value === undefined) return "null"
    if (typeof value === "string") return pieces(value).map(bound).join(" || ")
    if ("digits" in value) return `cast(${bound(value.digits)} as ${/[.e]/i.test(value.digits) ? "real" : "integer"})`
    return `cast(${pieces(value.blob)
      .map((piece) => `unhex(${bound(piece)})`)
      .join(" || ")} as blob)`
  })
  return [`insert into ${quoteIdentifier(name)} (${listed(included)}) values (${expressions.join(", ")})`, parameters]
}

/** Sets the columns that refer to the same table, once all rows are there. */
export function updateSelfReferences({ name, key, selfReferences: own }: Table, lines: string[]): [string, string] {
  const extracted = (column: string) => `json_extract(line.value, ${quoteText(`$.${quoteIdentifier(column)}`)})`
  const set = own.map((column) => `${quoteIdentifier(column)} = ${extracted(column)}`).join(", ")
  const same = key.map((column) => `it.${quoteIdentifier(column.name)} = ${extracted(column.name)}`).join(" and ")
  return [
    `update ${quoteIdentifier(name)} as it set ${set} from json_each(?) as line where ${same}`,
    `[${lines.join(",")}]`,
  ]
}
