import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"

// Declares the database objects that drizzle-kit does not support: triggers, full-text tables and views. `npm run
// migrations` generates their SQL.

/** A named object of the database. */
export interface DatabaseObject {
  type: "table" | "trigger" | "view"
  name: string
  sql: string
}

type Event = "insert" | "update" | "delete"

interface TriggerEvent {
  on: SQLiteTable
  /** Runs after this event. */
  after?: Event
  /** Runs before this event, to refuse or prepare it. */
  before?: Event
  /** The updated columns that run it. */
  of?: AnySQLiteColumn[]
  /** The condition on `old` and `new`. */
  if?: string
}

/** Replaces the common indentation of the lines by `by` spaces. */
function reindent(text: string, by: number): string {
  const lines = text.replace(/^\n+/, "").trimEnd().split("\n")
  const margin = Math.min(...lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length))
  return lines.map((line) => (line.trim() ? " ".repeat(by) + line.slice(margin) : "")).join("\n")
}

/** Ends a statement with a semicolon. */
const terminated = (statement: string) => (statement.trimEnd().endsWith(";") ? statement : `${statement.trimEnd()};`)

/**
 * Declares a trigger.
 * @param statements SQL that reads `old` and `new`, one statement each
 */
export function trigger(name: string, when: TriggerEvent, ...statements: string[]): DatabaseObject {
  const { on, after, before, of } = when
  const event = `${after ? "AFTER" : "BEFORE"} ${(after ?? before ?? "").toUpperCase()}`
  const columns = of ? ` OF ${of.map((column) => column.name).join(", ")}` : ""
  const condition = when.if ? `\nWHEN ${reindent(when.if, 0)}` : ""
  const body = statements.map((statement) => reindent(terminated(statement), 2)).join("\n")
  return {
    type: "trigger",
    name,
    sql: `CREATE TRIGGER ${name} ${event}${columns} ON ${getTableName(on)}${condition} BEGIN\n${body}\nEND`,
  }
}

/** Declares a trigger that handles inserts into a view. */
export const insteadOfInsert = (name: string, view: string, statement: string): DatabaseObject => ({
  type: "trigger",
  name,
  sql: `CREATE TRIGGER ${name} INSTEAD OF INSERT ON ${view} BEGIN\n${reindent(terminated(statement), 2)}\nEND`,
})

export const view = (name: string, columns: string[], query: string): DatabaseObject => ({
  type: "view",
  name,
  sql: `CREATE VIEW ${name} (${columns.join(", ")}) AS\n${reindent(query, 2)}`,
})

/** Declares a trigger that aborts an event that no request may cause. */
export const forbid = (name: string, when: TriggerEvent, message: string): DatabaseObject =>
  trigger(name, when, `SELECT RAISE(ABORT, '${message}')`)

/** The condition that a column changed. */
export const changed = (...columns: AnySQLiteColumn[]) =>
  columns.map(({ name }) => `old.${name} <> new.${name}`).join(" OR ")

/** Increments counters. @param keys SQL expressions of their keys: `'courses:' || new.status` */
export const increment = (...keys: string[]) => `
  INSERT INTO counters (key, value)
  VALUES ${keys.map((key) => `(${key}, 1)`).join(", ")}
  ON CONFLICT (key) DO UPDATE SET value = value + 1`

/** Decrements counters. */
export const decrement = (...keys: string[]) =>
  `UPDATE counters SET value = value - 1 WHERE key ${keys.length === 1 ? `= ${keys[0]}` : `IN (${keys.join(", ")})`}`

interface CounterOptions {
  /** Counts all rows under the table's name; true by default. */
  all?: boolean
  /** Counts by these columns as well, under `<table>:<value>`. */
  by?: AnySQLiteColumn[]
  /** As `by`, for columns that never change. */
  byFixed?: AnySQLiteColumn[]
  /** Additional statements of an insert and of a deletion. */
  inserted?: string[]
  deleted?: string[]
}

const counterKeys = (table: string, { all = true, by = [], byFixed = [] }: CounterOptions, row: "old" | "new") => [
  ...(all ? [`'${table}'`] : []),
  ...[...by, ...byFixed].map(({ name }) => `'${table}:' || ${row}.${name}`),
]

/** Maintains the number of rows of a table in `counters`. */
export function rowCounter(table: SQLiteTable, counting: CounterOptions = {}): DatabaseObject[] {
  const name = getTableName(table)
  const { by = [], inserted = [], deleted = [] } = counting
  return [
    trigger(
      `${name}_inserted`,
      { on: table, after: "insert" },
      ...inserted,
      increment(...counterKeys(name, counting, "new")),
    ),
    ...by.map((column) =>
      trigger(
        `${name}_${column.name}_changed`,
        { on: table, after: "update", of: [column], if: changed(column) },
        decrement(`'${name}:' || old.${column.name}`),
        increment(`'${name}:' || new.${column.name}`),
      ),
    ),
    trigger(
      `${name}_deleted`,
      { on: table, after: "delete" },
      ...deleted,
      decrement(...counterKeys(name, counting, "old")),
    ),
  ]
}

type SearchableTable = SQLiteTable & { id: AnySQLiteColumn; searchText: AnySQLiteColumn }

/**
 * The full-text index of a table's `search_text`, whose rowid is the row's id. It stores trigrams, not the text.
 * `<table>_terms` is a view of the index with the number of rows of each trigram.
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

/** The statements that add a row to the full-text index and remove it. */
export const searchIndexStatements = (table: SQLiteTable) => ({
  in: `INSERT INTO ${getTableName(table)}_search (rowid, text) VALUES (new.id, new.search_text)`,
  out: `DELETE FROM ${getTableName(table)}_search WHERE rowid = old.id`,
})

/** Updates the full-text index when the text of a row changes. */
export const searchIndexUpdate = (table: SearchableTable): DatabaseObject =>
  trigger(
    `${getTableName(table)}_search_changed`,
    { on: table, after: "update", of: [table.searchText], if: changed(table.searchText) },
    `UPDATE ${getTableName(table)}_search SET text = new.search_text WHERE rowid = new.id`,
  )

/** Maintains the full-text index and the row counter of a table. */
export function searchIndex(table: SearchableTable, counting: CounterOptions = {}): DatabaseObject[] {
  const { inserted = [], deleted = [] } = counting
  const index = searchIndexStatements(table)
  return [
    ...searchIndexTables(table),
    searchIndexUpdate(table),
    ...rowCounter(table, { ...counting, inserted: [index.in, ...inserted], deleted: [index.out, ...deleted] }),
  ]
}
