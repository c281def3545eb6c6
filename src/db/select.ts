import { type AnyColumn, Column, type GetColumnData, is, noopDecoder, SQL, sql } from "drizzle-orm"
import type { RunnableQuery } from "drizzle-orm/runnable-query"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw"
import type { Database } from "./client.ts"
import { dialect } from "./dialect.ts"

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
export const rawStatement = <R>(_db: Pick<Database, "batch">, statement: SQL): Query<R> =>
  rawQuery(statement, (rows) => rows)

/** A column of a left join. */
export const nullableColumn = <C extends AnyColumn>(column: C) =>
  column as unknown as SQL.Aliased<GetColumnData<C> | null>

interface Decoder {
  mapFromDriverValue(value: unknown): unknown
}

/** Drizzle keeps the decoder of an expression, which `mapWith` sets, internal. */
const decoderOf = (field: Field): Decoder =>
  is(field, Column) ? field : Reflect.get(is(field, SQL.Aliased) ? field.sql : field, "decoder")

/** Whether a decoder returns each value as it is. */
const changesNothing = ({ mapFromDriverValue }: Decoder) =>
  mapFromDriverValue === noopDecoder.mapFromDriverValue || mapFromDriverValue === Column.prototype.mapFromDriverValue

interface Selection {
  sql: SQL
  decode: (row: Row) => Row
  /** Whether it has been joined to one text, which it can be if it binds no parameters. */
  isJoined: boolean
}

/** The selections of fields that are declared once. */
const selections = new WeakMap<SelectedFields, Selection>()

function createSelection(fields: SelectedFields): Selection {
  const entries = Object.entries(fields) as [string, Field][]
  const selected = entries.map(
    ([name, field]) => sql`${is(field, SQL.Aliased) ? field.sql : field} as ${sql.identifier(name)}`,
  )
  const decoders = entries
    .map(([name, field]) => [name, decoderOf(field)] as const)
    .filter(([, decoder]) => !changesNothing(decoder))
  const decode = (row: Row) => {
    for (const [name, decoder] of decoders) if (row[name] !== null) row[name] = decoder.mapFromDriverValue(row[name])
    return row
  }
  return { sql: sql.join(selected, sql`, `), decode, isJoined: false }
}

/** What a statement selects. Fields that are used again are declared once, so their SQL becomes text once. */
function selectionOf(fields: SelectedFields): Selection {
  const found = selections.get(fields)
  if (!found) {
    const created = createSelection(fields)
    selections.set(fields, created)
    return created
  }
  if (!found.isJoined) {
    found.isJoined = true
    const { sql: text, params } = dialect.sqlToQuery(found.sql)
    if (params.length === 0) found.sql = sql.raw(text)
  }
  return found
}

/**
 * A query of columns and expressions, whose values are decoded.
 * @param rest the statement after the fields; further columns can come first, after a comma
 */
export function selectFrom<F extends SelectedFields, More = unknown>(
  _db: Pick<Database, "batch">,
  fields: F,
  rest: SQL,
): Query<RowOf<F> & More> {
  const { sql: selection, decode } = selectionOf(fields)
  return rawQuery(sql`select ${selection} ${rest}`, (rows) => rows.map(decode))
}
