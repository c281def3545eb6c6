import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"

// What the database keeps by itself, declared beside the tables: triggers, full-text tables and views, none of which
// drizzle-kit knows. `npm run migrations` writes the SQL from here; nothing is written twice by hand.

/** Something that stands in the database under its own name. */
export interface DatabaseObject {
  type: "table" | "trigger" | "view"
  name: string
  sql: string
}

type Event = "insert" | "update" | "delete"

interface When {
  on: SQLiteTable
  /** Which act it follows. */
  after?: Event
  /** Which act it precedes: for what must be refused or prepared. */
  before?: Event
  /** Of an update: the columns whose change it waits for. */
  of?: AnySQLiteColumn[]
  /** The condition on `old` and `new`. */
  if?: string
}

/** `text` with its least indentation taken away, and `by` spaces put before each line. */
function indented(text: string, by: number): string {
  const lines = text.replace(/^\n+/, "").trimEnd().split("\n")
  const margin = Math.min(...lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length))
  return lines.map((line) => (line.trim() ? " ".repeat(by) + line.slice(margin) : "")).join("\n")
}

/** A statement, ended by its semicolon. */
const ended = (statement: string) => (statement.trimEnd().endsWith(";") ? statement : `${statement.trimEnd()};`)

/**
 * One trigger of its own kind.
 * @param statements SQL that reads `old` and `new`, one statement each
 */
export function trigger(name: string, when: When, ...statements: string[]): DatabaseObject {
  const { on, after, before, of } = when
  const event = `${after ? "AFTER" : "BEFORE"} ${(after ?? before ?? "").toUpperCase()}`
  const columns = of ? ` OF ${of.map((column) => column.name).join(", ")}` : ""
  const condition = when.if ? `\nWHEN ${indented(when.if, 0)}` : ""
  const body = statements.map((statement) => indented(ended(statement), 2)).join("\n")
  return {
    type: "trigger",
    name,
    sql: `CREATE TRIGGER ${name} ${event}${columns} ON ${getTableName(on)}${condition} BEGIN\n${body}\nEND`,
  }
}

/** A trigger that takes what is inserted into a view. */
export const insteadOfInsert = (name: string, view: string, statement: string): DatabaseObject => ({
  type: "trigger",
  name,
  sql: `CREATE TRIGGER ${name} INSTEAD OF INSERT ON ${view} BEGIN\n${indented(ended(statement), 2)}\nEND`,
})

export const view = (name: string, columns: string[], query: string): DatabaseObject => ({
  type: "view",
  name,
  sql: `CREATE VIEW ${name} (${columns.join(", ")}) AS\n${indented(query, 2)}`,
})

/** Refuses an act in so many words: a mistake of ours, which no caller can make. */
export const forbid = (name: string, when: When, because: string): DatabaseObject =>
  trigger(name, when, `SELECT RAISE(ABORT, '${because}')`)

/** The condition that a column changed. */
export const changed = (...columns: AnySQLiteColumn[]) =>
  columns.map(({ name }) => `old.${name} <> new.${name}`).join(" OR ")

/** Adds one to kept counts. @param keys SQL expressions of their keys: `'courses:' || new.status` */
export const increment = (...keys: string[]) => `
  INSERT INTO counters (key, value)
  VALUES ${keys.map((key) => `(${key}, 1)`).join(", ")}
  ON CONFLICT (key) DO UPDATE SET value = value + 1`

/** Takes one from kept counts. */
export const decrement = (...keys: string[]) =>
  `UPDATE counters SET value = value - 1 WHERE key ${keys.length === 1 ? `= ${keys[0]}` : `IN (${keys.join(", ")})`}`

interface Counting {
  /** Counts the whole table under its name; true unless told. */
  all?: boolean
  /** Counts also by these columns, under `<table>:<value>`. */
  by?: AnySQLiteColumn[]
  /** As `by`, for columns that never change. */
  byFixed?: AnySQLiteColumn[]
  /** Further statements of an insert and of a deletion. */
  inserted?: string[]
  deleted?: string[]
}

const keysOf = (table: string, { all = true, by = [], byFixed = [] }: Counting, row: "old" | "new") => [
  ...(all ? [`'${table}'`] : []),
  ...[...by, ...byFixed].map(({ name }) => `'${table}:' || ${row}.${name}`),
]

/** Keeps the number of a table's rows in `counters`. */
export function rowCounter(table: SQLiteTable, counting: Counting = {}): DatabaseObject[] {
  const name = getTableName(table)
  const { by = [], inserted = [], deleted = [] } = counting
  return [
    trigger(
      `${name}_inserted`,
      { on: table, after: "insert" },
      ...inserted,
      increment(...keysOf(name, counting, "new")),
    ),
    ...by.map((column) =>
      trigger(
        `${name}_${column.name}_changed`,
        { on: table, after: "update", of: [column], if: changed(column) },
        decrement(`'${name}:' || old.${column.name}`),
        increment(`'${name}:' || new.${column.name}`),
      ),
    ),
    trigger(`${name}_deleted`, { on: table, after: "delete" }, ...deleted, decrement(...keysOf(name, counting, "old"))),
  ]
}

type SearchedTable = SQLiteTable & { id: AnySQLiteColumn; searchText: AnySQLiteColumn }

/**
 * The full-text index of a table's `search_text`: its rowid is the row's id. It holds the text's trigrams, not the
 * text. `<table>_terms` reads the index by trigram, and tells in how many rows each is; it stores nothing.
 */
export const searchIndexTables = (table: SQLiteTable): DatabaseObject[] => {
  const name = `${getTableName(table)}_search`
  const terms = `${getTableName(table)}_terms`
  return [
    {
      type: "table",
      name,
      sql: `CREATE VIRTUAL TABLE ${name} USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1)`,
    },
    { type: "table", name: terms, sql: `CREATE VIRTUAL TABLE ${terms} USING fts5vocab('${name}', 'row')` },
  ]
}

/** The statements that put a row into its table's full-text index and take it out. */
export const searchIndexStatements = (table: SQLiteTable) => ({
  in: `INSERT INTO ${getTableName(table)}_search (rowid, text) VALUES (new.id, new.search_text)`,
  out: `DELETE FROM ${getTableName(table)}_search WHERE rowid = old.id`,
})

/** Keeps the full-text index when a row's text changes. */
export const searchIndexUpdate = (table: SearchedTable): DatabaseObject =>
  trigger(
    `${getTableName(table)}_search_changed`,
    { on: table, after: "update", of: [table.searchText], if: changed(table.searchText) },
    `UPDATE ${getTableName(table)}_search SET text = new.search_text WHERE rowid = new.id`,
  )

/** Keeps a table's full-text index and the number of its rows. */
export function searchIndex(table: SearchedTable, counting: Counting = {}): DatabaseObject[] {
  const { inserted = [], deleted = [] } = counting
  const index = searchIndexStatements(table)
  return [
    ...searchIndexTables(table),
    searchIndexUpdate(table),
    ...rowCounter(table, { ...counting, inserted: [index.in, ...inserted], deleted: [index.out, ...deleted] }),
  ]
}
