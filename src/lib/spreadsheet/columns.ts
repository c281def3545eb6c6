import { z } from "@hono/zod-openapi"
import { Column, type GetColumnData, is, SQL, type SQLWrapper } from "drizzle-orm"
import type { AnySQLiteColumn, SelectedFields } from "drizzle-orm/sqlite-core"
import type { Sorted } from "../../db/list.ts"
import type { Cell } from "./workbook.ts"

// A list's columns, each told once: what is read for it, what is answered, what it sorts by, what a sheet says. The
// row's schema, the names of order_by, the selection, and the rows of list and sheet are made from them.

type Source = AnySQLiteColumn | SQL | SQL.Aliased
type Sources = Source | Record<string, Source>

type ValueOf<S> = S extends AnySQLiteColumn
  ? GetColumnData<S>
  : S extends SQL.Aliased<infer T> | SQL<infer T>
    ? T
    : never
/** What is read for a column: the value of its one source, or the values of several by their names. */
type Read<S extends Sources> = S extends Source ? ValueOf<S> : { [K in keyof S]: ValueOf<S[K]> }

type Sort = SQLWrapper | Sorted

interface Options<V, A, Context> {
  /** What is answered, made of what is read (and of what `toRow` is given beside it); the value itself unless told. */
  show?: (value: V, context: Context) => A
  /** NOT NULL columns with an index of their own, an expression of one, or as `sorted` has it; none: no order by it. */
  sort?: Sort
  /** What a sheet's cell says, where it is not what is answered. */
  cell?: (value: V) => Cell
}

/** One column of a list. @param Context what its answer needs beside the row, such as the service's own address */
export interface ListColumn<Schema extends z.ZodType = z.ZodType, Context = unknown> {
  schema: Schema
  sources: Sources
  sort: Sort | undefined
  show(value: unknown, context: Context): z.output<Schema>
  cell(value: unknown): Cell
}

type Told<V, A, Context> = [V] extends [A]
  ? [options?: Options<V, A, Context>]
  : [options: Options<V, A, Context> & { show: (value: V, context: Context) => A }]

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
const toCell = (value: unknown): Cell => (isCell(value) ? value : JSON.stringify(value))

/**
 * A column of a list.
 * @param sources the column or expression that is read, or several by their names
 * @param schema of the answer's member
 */
export function column<const S extends Sources, Schema extends z.ZodType, Context = unknown>(
  sources: S,
  schema: Schema,
  ...[options = {}]: Told<Read<S>, z.output<Schema>, Context>
): ListColumn<Schema, Context> {
  // What the sources read is what `show` and `cell` take: the signature holds the one against the other.
  const { show = (value: unknown) => value, cell, sort } = options as Options<unknown, unknown, unknown>
  return {
    schema,
    sources,
    sort,
    show: show as ListColumn<Schema, Context>["show"],
    cell: cell ?? ((value) => toCell(show(value, undefined))),
  }
}

/** The same column in lists whose order it has no index for. */
export const unindexed = <Schema extends z.ZodType, Context>({
  sort,
  ...told
}: ListColumn<Schema, Context>): ListColumn<Schema, Context> => ({
  ...told,
  sort: sort && !("sorted" in sort) ? { sorted: sort } : sort,
})

type Columns = Record<string, ListColumn>
type Row = Record<string, unknown>
type AnswerOf<C extends Columns> = { [K in keyof C]: z.output<C[K]["schema"]> }
type Taking<C extends Columns> = {
  [K in keyof C]: C[K] extends ListColumn<z.ZodType, infer X> ? (x: X) => void : never
}
/** What the answers of all columns need together. */
type ContextOf<C extends Columns> = Taking<C>[keyof C] extends (x: infer X) => void ? X : never

const isSource = (sources: Sources): sources is Source =>
  is(sources, Column) || is(sources, SQL) || is(sources, SQL.Aliased)

/**
 * What a list and its sheet are made of.
 * @param orders further names of `order_by`, of what no column answers
 */
export function listColumns<C extends Columns>(columns: C, orders: Record<string, Sort> = {}) {
  const entries: [keyof C & string, ListColumn][] = Object.entries(columns)
  const fields: SelectedFields = {}
  const named = new Map<Source, string>()
  /** A source is read once, whoever needs it. */
  const nameOf = (source: Source, wanted: string): string => {
    const name = named.get(source) ?? `list_${wanted}`
    named.set(source, name)
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
    /** The columns as told, for another list to share. */
    columns,
    /** The names of the columns. */
    names: entries.map(([name]) => name),
    /** What is selected. */
    fields,
    /** What `order_by` names, and what each of them sorts by. */
    sort: { ...Object.fromEntries(sortable), ...orders },
    /** The schema of a row. */
    row: z.object(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))) as z.ZodObject<{
      [K in keyof C]: C[K]["schema"]
    }>,
    /** A row as the list answers it. */
    toRow: (row: Row, ...[context]: unknown extends ContextOf<C> ? [] : [context: ContextOf<C>]): AnswerOf<C> =>
      Object.fromEntries(readers.map(({ name, show }) => [name, show(row, context)])) as AnswerOf<C>,
    /** A row as a sheet has it. */
    toCells: (row: Row): Cell[] => readers.map(({ cell }) => cell(row)),
  }
}
