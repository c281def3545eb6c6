import { z } from "@hono/zod-openapi"
import { Column, type GetColumnData, is, SQL, type SQLWrapper } from "drizzle-orm"
import type { AnySQLiteColumn, SelectedFields } from "drizzle-orm/sqlite-core"
import type { Sorted, SortThrough } from "../sql/list.ts"
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

interface Options<V, A> {
  /** What is answered, made of what is read; the value itself unless told. */
  show?: (value: V) => A
  /** NOT NULL columns with an index of their own, an expression of one, or as `sorted` has it; none: no order by it. */
  sort?: SQLWrapper | SortThrough | Sorted
  /** What a sheet's cell says, where it is not what is answered. */
  cell?: (value: V) => Cell
}

/** One column of a list. */
export interface ListColumn<Schema extends z.ZodType = z.ZodType> {
  schema: Schema
  sources: Sources
  sort: Options<unknown, unknown>["sort"]
  show: (value: unknown) => z.output<Schema>
  cell: (value: unknown) => Cell
}

type Told<V, A> = V extends A ? [options?: Options<V, A>] : [options: Options<V, A> & { show: (value: V) => A }]

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
const toCell = (value: unknown): Cell => (isCell(value) ? value : JSON.stringify(value))

/**
 * A column of a list.
 * @param sources the column or expression that is read, or several by their names
 * @param schema of the answer's member
 */
export function column<const S extends Sources, Schema extends z.ZodType>(
  sources: S,
  schema: Schema,
  ...[options = {}]: Told<Read<S>, z.output<Schema>>
): ListColumn<Schema> {
  // What the sources read is what `show` and `cell` take: the signature holds the one against the other.
  const { show = (value: unknown) => value, cell, sort } = options as Options<unknown, unknown>
  return {
    schema,
    sources,
    sort,
    show: show as ListColumn<Schema>["show"],
    cell: cell ?? ((value) => toCell(show(value))),
  }
}

type Columns = Record<string, ListColumn>
type Row = Record<string, unknown>
type AnswerOf<C extends Columns> = { [K in keyof C]: z.output<C[K]["schema"]> }

const isSource = (sources: Sources): sources is Source =>
  is(sources, Column) || is(sources, SQL) || is(sources, SQL.Aliased)

/** What a list and its sheet are made of. */
export function listColumns<C extends Columns>(columns: C) {
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
    if (isSource(sources)) {
      const from = nameOf(sources, name)
      return { name, show: (row: Row) => show(row[from]), cell: (row: Row) => cell(row[from]) }
    }
    const parts = Object.entries(sources).map(([part, source]) => [part, nameOf(source, `${name}_${part}`)] as const)
    const values = (row: Row) => Object.fromEntries(parts.map(([part, from]) => [part, row[from]]))
    return { name, show: (row: Row) => show(values(row)), cell: (row: Row) => cell(values(row)) }
  })
  const sortable = entries.filter(([, { sort }]) => sort)
  return {
    /** The names of the columns. */
    names: entries.map(([name]) => name),
    /** What is selected. */
    fields,
    /** What `order_by` names, and what each of them sorts by. */
    sort: Object.fromEntries(sortable.map(([name, { sort }]) => [name, sort])) as Record<
      string,
      SQLWrapper | SortThrough | Sorted
    >,
    /** The schema of a row. */
    row: z.object(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))) as z.ZodObject<{
      [K in keyof C]: C[K]["schema"]
    }>,
    /** A row as the list answers it. */
    toRow: (row: Row): AnswerOf<C> =>
      Object.fromEntries(readers.map(({ name, show }) => [name, show(row)])) as AnswerOf<C>,
    /** A row as a sheet has it. */
    toCells: (row: Row): Cell[] => readers.map(({ cell }) => cell(row)),
  }
}
