import { type AnyColumn, Column, type GetColumnData, is, SQL, sql } from "drizzle-orm"
import type { RunnableQuery } from "drizzle-orm/runnable-query"
import { type SelectedFields, SQLiteAsyncDialect } from "drizzle-orm/sqlite-core"
import { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw"
import type { Database } from "./client.ts"

// Queries in SQL for batches. The query builder omits the table names of columns unless it made the joins.

/** The row of selected fields. */
export type RowOf<F extends SelectedFields> = {
  [K in keyof F]: F[K] extends AnyColumn
    ? GetColumnData<F[K]>
    : F[K] extends SQL.Aliased<infer T> | SQL<infer T>
      ? T
      : never
}

type Query<Row> = RunnableQuery<Row[], "sqlite">
type Field = AnyColumn | SQL | SQL.Aliased
type Row = Record<string, unknown>

const dialect = new SQLiteAsyncDialect()
const outsideBatch = () => Promise.reject(new Error("Statements run in a batch."))

const rawQuery = <R>(query: SQL, mapRows: (rows: Row[]) => unknown[]): Query<R> =>
  new SQLiteRaw<R[]>(
    outsideBatch,
    () => query,
    "all",
    dialect,
    (result) => mapRows((result as D1Result<Row>).results),
  )

/** A statement in SQL. Its rows have the names and the values of the statement. */
export const rawStatement = <R>(_db: Database, statement: SQL): Query<R> => rawQuery(statement, (rows) => rows)

/** A column of a left join. */
export const nullableColumn = <C extends AnyColumn>(column: C) =>
  column as unknown as SQL.Aliased<GetColumnData<C> | null>

/** Drizzle keeps the decoder of an expression, which `mapWith` sets, internal. */
const decoderOf = (field: Field): { mapFromDriverValue(value: unknown): unknown } =>
  is(field, Column) ? field : Reflect.get(is(field, SQL.Aliased) ? field.sql : field, "decoder")

/**
 * A query of columns and expressions, whose values are decoded.
 * @param rest the statement after the fields; further columns can come first, after a comma
 */
export function selectFrom<F extends SelectedFields, More = unknown>(
  _db: Database,
  fields: F,
  rest: SQL,
): Query<RowOf<F> & More> {
  const entries = Object.entries(fields) as [string, Field][]
  const selection = entries.map(
    ([name, field]) => sql`${is(field, SQL.Aliased) ? field.sql : field} as ${sql.identifier(name)}`,
  )
  const decode = (row: Row) => {
    for (const [name, field] of entries)
      if (row[name] !== null) row[name] = decoderOf(field).mapFromDriverValue(row[name])
    return row
  }
  return rawQuery(sql`select ${sql.join(selection, sql`, `)} ${rest}`, (rows) => rows.map(decode))
}
