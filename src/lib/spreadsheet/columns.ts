import { z } from "@hono/zod-openapi"
import { Column, type GetColumnData, is, SQL, type SQLWrapper } from "drizzle-orm"
import type { AnySQLiteColumn, SelectedFields } from "drizzle-orm/sqlite-core"
import type { Sorted } from "../../db/list/listing.ts"
import { isoTime, isoTimeOrNull } from "../text/dates.ts"
import { type IsoName, isoNames } from "./iso-names.ts"
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

/** A time in ISO 8601 (UTC). */
type IsoSchema = z.ZodString | z.ZodNullable<z.ZodString>

/** A column that shows a time, and has a second column beside it: the same time in ISO 8601. */
interface Timed<Iso extends IsoSchema = IsoSchema> {
  iso: { schema: Iso; at(value: unknown, context: unknown): number | null }
}

export const isoSchema = () => z.string().openapi({ format: "date-time" })
export const isoSchemaOrNull = () => isoSchema().nullable()

/**
 * Declares a column that shows a time. The list also has the time in ISO 8601, under the name in `isoNames`.
 * @param iso the schema of that time; if it is nullable, 0 means that there is none
 * @param at the time in epoch milliseconds; by default the value of the sources
 */
export const timeColumn = <const S extends Sources, Schema extends z.ZodType, Iso extends IsoSchema, Context = unknown>(
  sources: S,
  schema: Schema,
  iso: Iso,
  {
    at,
    ...options
  }: Options<Read<S>, z.output<Schema>, Context> & {
    show: (value: Read<S>, context: Context) => z.output<Schema>
    at?: (value: Read<S>, context: Context) => number | null
  },
): ListColumn<Schema, Context> & Timed<Iso> => ({
  ...column<S, Schema, Context>(sources, schema, options),
  iso: { schema: iso, at: (at ?? ((value: unknown) => value)) as Timed["iso"]["at"] },
})

/** The same column for lists that have no index to sort by it. */
export const unindexed = <C extends ListColumn>(column: C): C => ({
  ...column,
  sort: column.sort && !("sorted" in column.sort) ? { sorted: column.sort } : column.sort,
})

type Columns = Record<string, ListColumn>
type Row = Record<string, unknown>
/** The schemas of the columns, and of the times in ISO 8601 beside them. */
type Schemas<C extends Columns> = { [K in keyof C]: C[K]["schema"] } & {
  [K in keyof C as C[K] extends Timed ? IsoName<K> : never]: C[K] extends Timed<infer Iso> ? Iso : never
}
type AnswerOf<C extends Columns> = { [K in keyof Schemas<C>]: z.output<Schemas<C>[K]> }

/** The column and, for a time, the one in ISO 8601 beside it. */
function withIso([name, column]: [string, ListColumn]): [string, ListColumn][] {
  if (!("iso" in column)) return [[name, column]]
  const { schema, at } = (column as ListColumn & Timed).iso
  const isoName = isoNames.get(name)
  if (isoName === undefined) throw new Error(`iso-names.ts has no name for ${name}.`)
  const { sources } = column
  const format = schema instanceof z.ZodNullable ? isoTimeOrNull : (time: number | null) => isoTime(time ?? 0)
  const show = (value: unknown, context?: unknown) => format(at(value, context))
  return [
    [name, column],
    [isoName, { schema, sources, sort: undefined, show, cell: show }],
  ]
}
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
  const entries = Object.entries(columns).flatMap(withIso)
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
    row: z.object(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))) as unknown as z.ZodObject<
      Schemas<C>
    >,
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
