import { getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { guards } from "../../drizzle/schema/system.ts"
import type { Database } from "./client.ts"

/** The value of each column: an SQL expression over the source, or one value for every row. */
export type ColumnValues<T extends SQLiteTable> = {
  [Column in keyof T["$inferInsert"]]: T["$inferInsert"][Column] | SQLWrapper
}

/** A member of a row of `rowList`, as SQL. */
export const jsonField = (name: string): SQL => sql`value ->> ${sql.raw(`'$.${name}'`)}`

const isExpression = (value: unknown): value is SQLWrapper =>
  typeof value === "object" && value !== null && "getSQL" in value

/**
 * `insert into … select` by column names: Drizzle inserts a selection in the order of the table's columns. An omitted
 * column gets its default.
 * @param source the SQL after the selection, starting with `from`
 */
export function insertFrom<T extends SQLiteTable>(
  db: Pick<Database, "insert">,
  table: T,
  values: ColumnValues<T>,
  source: SQL,
) {
  const valuesByName = new Map<string, unknown>(Object.entries(values))
  const selected = Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    if (column.generated) return []
    const value = valuesByName.has(name) ? valuesByName.get(name) : column.default
    return isExpression(value) ? sql`${value}` : sql`${sql.param(value ?? null, column)}`
  })
  return db.insert(table).select(sql`select ${sql.join(selected, sql`, `)} ${source}`)
}

/** The statement that makes a batch fail unless `condition` is true. */
export const guardStatement = (db: Pick<Database, "insert">, condition: SQL) =>
  insertFrom(db, guards, { passed: 0 }, sql`where not (${condition})`)
