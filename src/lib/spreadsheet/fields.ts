import type { z } from "@hono/zod-openapi"
import { getTableColumns } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { searchText } from "../../db/search.ts"
import type { ListColumn } from "./columns.ts"

// The registry of a record's fields. The body of a creation and of a change, the row that is written, the answer and
// the search are made from it, so a new field is its column in the table and one line in the registry.

interface Field {
  /** The table's property, where it has another name than the field. */
  column?: string
  /** The schema in the body of a creation. A field that is left out gets the default of its column. */
  create?: z.ZodType
  /** The schema in the body of a change, where it differs from `create`. */
  change?: z.ZodType
  /** How the record answers it. */
  answer?: ListColumn
  /** The list of records answers it as well. */
  listed?: true
  /** The search looks in it: a text that is never null. */
  searched?: true
}
type Fields = Record<string, Field>

type CreateSchema<F> = F extends { create: infer Schema extends z.ZodType } ? Schema : never
type ChangeSchema<F> = F extends { change: infer Schema extends z.ZodType } ? Schema : CreateSchema<F>
type Answer<F> = F extends { answer: infer Column extends ListColumn } ? Column : never
type Listed<F> = F extends { listed: true } ? Answer<F> : never
/** `Name`, unless there is nothing of it. */
type Present<T, Name> = [T] extends [never] ? never : Name

type CreateShape<F extends Fields> = {
  [Name in keyof F as Present<CreateSchema<F[Name]>, Name>]: CreateSchema<F[Name]>
}
type ChangeShape<F extends Fields> = {
  [Name in keyof F as Present<ChangeSchema<F[Name]>, Name>]: ChangeSchema<F[Name]>
}
type Answers<F extends Fields> = { [Name in keyof F as Present<Answer<F[Name]>, Name>]: Answer<F[Name]> }
type ListedAnswers<F extends Fields> = { [Name in keyof F as Present<Listed<F[Name]>, Name>]: Listed<F[Name]> }

type ColumnName<F, Name> = F extends { column: infer Column extends string } ? Column : Name
/** What a column holds for a field that may be left out. */
type DefaultOf<Column> = Column extends { _: { notNull: false } }
  ? null
  : Column extends { _: { hasDefault: true } }
    ? never
    : undefined
type Stored<Column, Given> = undefined extends Given ? Exclude<Given, undefined> | DefaultOf<Column> : Given
type InsertedRow<T extends SQLiteTable, F extends Fields> = {
  [Name in keyof F as Present<CreateSchema<F[Name]>, ColumnName<F[Name], Name>>]: Stored<
    T["_"]["columns"][ColumnName<F[Name], Name> & string],
    z.output<CreateSchema<F[Name]>>
  >
}
type UpdatedRow<T extends SQLiteTable, F extends Fields> = {
  [Name in keyof F as Present<ChangeSchema<F[Name]>, ColumnName<F[Name], Name>>]:
    | Exclude<z.output<ChangeSchema<F[Name]>>, undefined>
    | T["$inferSelect"][ColumnName<F[Name], Name> & keyof T["$inferSelect"]]
}

/** Declares the fields of a table's records. */
export function recordFields<T extends SQLiteTable, const F extends Fields>(table: T, fields: F) {
  type Created = z.output<z.ZodObject<CreateShape<F>>>
  type Changes = z.output<z.ZodObject<ChangeShape<F>>>
  const columns = getTableColumns(table)
  const entries = Object.entries<Field>(fields).map(([name, field]) => ({ name, column: name, ...field }))
  const pick = <V>(value: (field: (typeof entries)[number]) => V | undefined) =>
    Object.fromEntries(
      entries.flatMap((field) => {
        const found = value(field)
        return found === undefined ? [] : [[field.name, found]]
      }),
    )
  const searched = entries.filter((field) => field.searched)
  const toSearchText = (row: object): string => {
    const values = new Map<string, unknown>(Object.entries(row))
    return searchText(...searched.map(({ column }) => String(values.get(column))))
  }
  return {
    /** The schemas of a creation's body. */
    create: pick(({ create }) => create) as CreateShape<F>,
    /** The schemas of a change's body. */
    change: pick(({ create, change = create }) => change) as ChangeShape<F>,
    /** The columns of the answer. */
    answers: pick(({ answer }) => answer) as Answers<F>,
    /** The columns of the list. */
    listed: pick(({ answer, listed }) => (listed ? answer : undefined)) as ListedAnswers<F>,
    /** The row of a creation: what is given, else the defaults of the columns. */
    toInsert: (given: Created): InsertedRow<T, F> => {
      const values: Record<string, unknown> = given
      return Object.fromEntries(
        entries.flatMap(({ name, column, create }) => {
          const { default: initial, notNull } = columns[column] ?? {}
          return create ? [[column, values[name] ?? initial ?? (notNull ? undefined : null)]] : []
        }),
      ) as InsertedRow<T, F>
    },
    /** The row after a change: what is given, else what the record has. */
    toUpdate: (record: T["$inferSelect"], given: Partial<Changes>): UpdatedRow<T, F> => {
      const values: Record<string, unknown> = given
      return Object.fromEntries(
        entries.flatMap(({ name, column, create, change = create }) =>
          change ? [[column, values[name] === undefined ? record[column] : values[name]]] : [],
        ),
      ) as UpdatedRow<T, F>
    },
    /** What the search looks in. */
    searchText: toSearchText,
    /** What the search looks in after a change, where the change affects it. */
    changedSearchText: (changed: object, next: object) =>
      searched.some(({ column }) => column in changed) ? { searchText: toSearchText(next) } : {},
  }
}
