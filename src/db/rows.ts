import { type AnyColumn, Column, type GetColumnData, is, SQL } from "drizzle-orm"
import type { BatchItem } from "drizzle-orm/batch"
import { SQLiteD1Session } from "drizzle-orm/d1/session"
import type { SelectedFields, SQLiteAsyncDialect } from "drizzle-orm/sqlite-core"

// How the rows of statements are read. Drizzle finds out anew for each value of each row; here that is found out once
// for a statement, or once for all statements that select the same fields (src/db/select.ts).

/** What fields are once read. */
export type RowOf<F extends SelectedFields> = {
  [K in keyof F]: F[K] extends AnyColumn
    ? GetColumnData<F[K]>
    : F[K] extends SQL.Aliased<infer T> | SQL<infer T>
      ? T
      : never
}

type Prepare = SQLiteD1Session<Record<string, never>, Record<string, never>>["prepareQuery"]
/** The fields of a statement in the order of its columns. */
export type Fields = NonNullable<Parameters<Prepare>[1]>
type Row = Record<string, unknown>

/** As it is stored: what most columns are. */
const AS_IT_IS = Reflect.get(new SQL([]), "decoder").mapFromDriverValue

/** How a field's values are read; undefined: as they are stored. */
function readerOf(field: Fields[number]["field"]): ((value: unknown) => unknown) | undefined {
  if (is(field, Column)) {
    const { mapFromDriverValue } = field
    return mapFromDriverValue === Column.prototype.mapFromDriverValue
      ? undefined
      : (value) => field.mapFromDriverValue(value)
  }
  const decoder = Reflect.get(is(field, SQL) ? field : Reflect.get(field, "sql"), "decoder")
  return decoder.mapFromDriverValue === AS_IT_IS ? undefined : (value) => decoder.mapFromDriverValue(value)
}

type Columns = { name: string; read: ReturnType<typeof readerOf> }[]
const known = new WeakMap<Fields, Columns>()

function columnsOf(fields: Fields): Columns {
  const found = known.get(fields)
  if (found) return found
  const made = fields.map(({ path: [name = ""], field }) => ({ name, read: readerOf(field) }))
  known.set(fields, made)
  return made
}

/**
 * Reads rows of plain fields: by position, since a statement's columns begin with its fields in their order. Whatever
 * follows keeps its name and is as it is stored.
 */
function plainRows(fields: Fields, rows: Row[]): Row[] {
  const [first] = rows
  if (!first) return []
  const columns = columnsOf(fields)
  const named = Object.keys(first)
  return rows.map((row) => {
    const answer: Row = {}
    named.forEach((from, at) => {
      const column = columns[at]
      const value = row[from]
      if (column) answer[column.name] = column.read === undefined || value === null ? value : column.read(value)
      else answer[from] = value
    })
    return answer
  })
}

/** A statement as it is sent. */
export interface Query {
  sql: string
  params: unknown[]
}

type Prepared = ReturnType<Prepare>

/**
 * A session of Drizzle's whose batches answer rows of plain fields at less cost; nested ones are left to Drizzle. What
 * sends them is given: statements are told as text, so that they can be sent again in another session of D1.
 */
export class PlainRowsSession extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
  private readonly trip: (queries: Query[]) => Promise<D1Result[]>

  constructor(trip: (queries: Query[]) => Promise<D1Result[]>, dialect: SQLiteAsyncDialect) {
    // Drizzle prepares each statement by itself as well, and only `batch` runs one.
    super({ prepare: () => undefined } as unknown as D1Database, dialect, undefined)
    this.trip = trip
  }

  override prepareQuery(...given: Parameters<Prepare>): Prepared {
    const query = super.prepareQuery(...given)
    const [, fields, , , mapper] = given
    if (fields && !mapper && fields.every(({ path }) => path.length === 1)) {
      const drizzles = query.mapAllResult.bind(query)
      query.mapAllResult = (result, isFromBatch) =>
        isFromBatch ? plainRows(fields, (result as { results: Row[] }).results) : drizzles(result, isFromBatch)
    }
    return query
  }

  override async batch<T extends BatchItem<"sqlite">[] | readonly BatchItem<"sqlite">[]>(statements: T) {
    const prepared = statements.map((statement) => (statement as unknown as { _prepare(): Prepared })._prepare())
    const results = await this.trip(prepared.map((query) => query.getQuery()))
    return results.map((result, at) => prepared[at]?.mapResult(result, true))
  }
}
