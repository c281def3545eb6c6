import { z } from "@hono/zod-openapi"
import { Column, type GetColumnData, is, SQL, type SQLWrapper } from "drizzle-orm"
import type { AnySQLiteColumn, SelectedFields } from "drizzle-orm/sqlite-core"
import type { Sorted } from "../../db/list/listing.ts"
import type { Cell } from "./workbook.ts"

// Declares the columns of a list: what each one selects, returns, sorts by and exports. The row schema, the names for
// order_by, the selection, and the rows of lists and sheets derive from the declaration.

type Source = AnySQLiteColumn | SQL | SQL.Aliased
type Sources = Source | Record<string, Source>

type ValueOf<S> = S extends AnySQLiteColumn
  ? GetColumnData<S>
  : S extends SQL.Aliased<infer T> | SQL<infer T>
    ? T
    : never
/** The value of a column's source, or the values of several sources by name. */
type Read<S extends Sources> = S extends Source ? ValueOf<S> : { [K in keyof S]: ValueOf<S[K]> }

type Sort = SQLWrapper | Sorted

interface Options<V, A, Context> {
  /** Makes the value of the response from the selected value and the context of `toRow`; by default the same value. */
  show?: (value: V, context: Context) => A
  /** An indexed NOT NULL column, an expression of one, or `sorted`; without it, order_by does not accept the column. */
  sort?: Sort
  /** Makes the cell of a sheet; by default from the value of the response. */
  cell?: (value: V) => Cell
}

/** @param Context what the response needs in addition to the row, such as the service's origin */
export interface ListColumn<Schema extends z.ZodType = z.ZodType, Context = unknown> {
  schema: Schema
  sources: Sources
  sort: Sort | undefined
  show(value: unknown, context: Context): z.output<Schema>
  cell(value: unknown): Cell
}

type OptionsOf<V, A, Context> = [V] extends [A]
  ? [options?: Options<V, A, Context>]
  : [options: Options<V, A, Context> & { show: (value: V, context: Context) => A }]

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
const toCell = (value: unknown): Cell => (isCell(value) ? value : JSON.stringify(value))

/**
 * Declares a column.
 * @param sources the selected column or expression, or several by name
 */
export function column<const S extends Sources, Schema extends z.ZodType, Context = unknown>(
  sources: S,
  schema: Schema,
  ...[options = {}]: OptionsOf<Read<S>, z.output<Schema>, Context>
): ListColumn<Schema, Context> {
  // The signature ensures that `show` and `cell` accept what the sources select.
  const { show = (value: unknown) => value, cell, sort } = options as Options<unknown, unknown, unknown>
  return {
    schema,
    sources,
    sort,
    show: show as ListColumn<Schema, Context>["show"],
    cell: cell ?? ((value) => toCell(show(value, undefined))),
  }
}

/** The same column for lists that have no index to sort by it. */
export const unindexed = <Schema extends z.ZodType, Context>({
  sort,
  ...column
}: ListColumn<Schema, Context>): ListColumn<Schema, Context> => ({
  ...column,
  sort: sort && !("sorted" in sort) ? { sorted: sort } : sort,
})

type Columns = Record<string, ListColumn>
type Row = Record<string, unknown>
type AnswerOf<C extends Columns> = { [K in keyof C]: z.output<C[K]["schema"]> }
type Taking<C extends Columns> = {
  [K in keyof C]: C[K] extends ListColumn<z.ZodType, infer X> ? (x: X) => void : never
}
/** The context that all columns need together. */
type ContextOf<C extends Columns> = Taking<C>[keyof C] extends (x: infer X) => void ? X : never

const isSource = (sources: Sources): sources is Source =>
  is(sources, Column) || is(sources, SQL) || is(sources, SQL.Aliased)

/**
 * Derives everything that a list and its sheet need.
 * @param orders further names for `order_by` that are not columns
 */
export function listColumns<C extends Columns>(columns: C, orders: Record<string, Sort> = {}) {
  const entries: [keyof C & string, ListColumn][] = Object.entries(columns)
  const fields: SelectedFields = {}
  const names = new Map<Source, string>()
  /** A source that several columns need is selected once. */
  const nameOf = (source: Source, suggestion: string): string => {
    const name = names.get(source) ?? `list_${suggestion}`
    names.set(source, name)
    fields[name] = is(source, SQL) ? source.as(name) : source
    return name
  }
  const readers = entries.map(([name, { sources, show, cell }]) => {
    const parts = isSource(sources)
      ? nameOf(sources, name)
      : Object.entries(sources).map(([part, source]) => [part, nameOf(source, `${name}_${part}`)] as const)
    const read = (row: Row) =>
      typeof parts === "string" ? row[parts] : Object.fromEntries(parts.map(([part, from]) => [part, row[from]]))
    return { name, show: (row: Row, context: unknown) => show(read(row), context), cell: (row: Row) => cell(read(row)) }
  })
  const sortable = entries.flatMap(([name, { sort }]): [string, Sort][] => (sort ? [[name, sort]] : []))
  return {
    /** The declaration, to share with other lists. */
    columns,
    names: entries.map(([name]) => name),
    fields,
    /** What each name of `order_by` sorts by. */
    sort: { ...Object.fromEntries(sortable), ...orders },
    row: z.object(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))) as z.ZodObject<{
      [K in keyof C]: C[K]["schema"]
    }>,
    /** Makes the response of a row. */
    toRow: (row: Row, ...[context]: unknown extends ContextOf<C> ? [] : [context: ContextOf<C>]): AnswerOf<C> => {
      const answer: Record<string, unknown> = {}
      for (const { name, show } of readers) answer[name] = show(row, context)
      return answer as AnswerOf<C>
    },
    /** Makes the cells of a row. */
    toCells: (row: Row): Cell[] => readers.map(({ cell }) => cell(row)),
  }
}
