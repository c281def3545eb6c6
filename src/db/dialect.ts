import {
  Column,
  getTableName,
  isTable,
  isView,
  Name,
  Param,
  Placeholder,
  SQL,
  StringChunk,
  Subquery,
} from "drizzle-orm"
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core"

// Drizzle joins the text of a statement again at every level of nesting, and checks each part's class by name. This
// takes one pass. test/matrix/statements.test.ts compares both.

/** A chunk of `sql` with the members that tell the kinds apart. */
interface Wrapper {
  getSQL(): SQL
  shouldOmitSQLParens?(): boolean
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const columnNames = new WeakMap<Column, string>()

function columnName(column: Column): string {
  const known = columnNames.get(column)
  if (known) return known
  const name = `${quoted(getTableName(column.table))}.${quoted(column.name)}`
  columnNames.set(column, name)
  return name
}

function bind(value: unknown, params: unknown[]): string {
  params.push(value)
  return "?"
}

function bindEncoded(param: Param, params: unknown[]): string {
  if (param.value instanceof Placeholder) return bind(param, params)
  const value = param.value === null ? null : param.encoder.mapToDriverValue(param.value)
  return value instanceof SQL ? textOf(value, params) : bind(value, params)
}

function subqueryText({ _: { isWith, alias, sql } }: Subquery, params: unknown[]): string {
  return isWith ? quoted(alias) : `(${textOf(sql, params)}) ${quoted(alias)}`
}

/** The text of a chunk, whose parameters are added to `params`. */
function textOf(chunk: unknown, params: unknown[]): string {
  if (typeof chunk !== "object" || chunk === null) return chunk === undefined ? "" : bind(chunk, params)
  if (chunk instanceof StringChunk) return chunk.value.length === 1 ? (chunk.value[0] ?? "") : chunk.value.join("")
  if (chunk instanceof SQL) {
    let text = ""
    for (const part of chunk.queryChunks) text += textOf(part, params)
    return text
  }
  if (chunk instanceof Column) return columnName(chunk)
  if (chunk instanceof Param) return bindEncoded(chunk, params)
  if (chunk instanceof Name) return quoted(chunk.value)
  if (Array.isArray(chunk)) return `(${chunk.map((part) => textOf(part, params)).join(", ")})`
  if (chunk instanceof Placeholder) return bind(chunk, params)
  if (chunk instanceof SQL.Aliased) return quoted(chunk.fieldAlias)
  if (chunk instanceof Subquery) return subqueryText(chunk, params)
  if (isTable(chunk)) return quoted(getTableName(chunk))
  if (isView(chunk)) throw new Error("Views are not supported.")
  const { getSQL, shouldOmitSQLParens } = chunk as Partial<Wrapper>
  if (!getSQL) return bind(chunk, params)
  const text = textOf(getSQL.call(chunk), params)
  return shouldOmitSQLParens?.call(chunk) ? text : `(${text})`
}

class OnePassDialect extends SQLiteAsyncDialect {
  override sqlToQuery(query: SQL) {
    const params: unknown[] = []
    return { sql: textOf(query, params), params }
  }
}

/** Builds the same statements as Drizzle's dialect for D1. */
export const dialect = new OnePassDialect()
