import { getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import type { Database } from "./client.ts"

/** For each column that is written: an expression over the source, or one value for every row. */
export type ColumnValues<T extends SQLiteTable> = {
  [Column in keyof T["$inferInsert"]]: T["$inferInsert"][Column] | SQLWrapper
}

/** A member of a row of `rowList`, as SQL. */
export const jsonField = (name: string): SQL => sql`value ->> ${sql.raw(`'$.${name}'`)}`

const isExpression = (value: unknown): value is SQLWrapper =>
  typeof value === "object" && value !== null && "getSQL" in value

/**
 * `insert into … select`, by the names of the columns: Drizzle writes a table's columns in the table's order,
 * whatever the selection is called. A column that is left out gets its default.
 * @param source what follows the selection, from `from` on
 */
export function insertFrom<T extends SQLiteTable>(db: Database, table: T, values: ColumnValues<T>, source: SQL) {
  const given = new Map<string, unknown>(Object.entries(values))
  const selected = Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    if (column.generated) return []
    const value = given.has(name) ? given.get(name) : column.default
    return isExpression(value) ? sql`${value}` : sql`${sql.param(value ?? null, column)}`
  })
  return db.insert(table).select(sql`select ${sql.join(selected, sql`, `)} ${source}`)
}
