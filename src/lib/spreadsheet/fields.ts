import type { z } from "@hono/zod-openapi"
import { getTableColumns } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { searchText } from "../../db/search.ts"
import type { ListColumn } from "./columns.ts"

// The registry of a record's fields. The bodies of create and update, the stored row, the response and the search text
// derive from it, so a new field needs its column in the table and one line in the registry.

interface Field {
  /** The table's property; defaults to the name of the field. */
  column?: string
  /** The schema in the body of a create. An omitted field gets the default of its column. */
  create?: z.ZodType
  /** The schema in the body of an update; defaults to `create`. false: an update cannot change the field. */
  change?: z.ZodType | false
  /** The column of the response. */
  answer?: ListColumn
  /** Whether the list of records returns it too. */
  listed?: true
  /** Whether the search finds its text, which is never null. */
  searched?: true
}
type Fields = Record<string, Field>

type CreateSchema<F> = F extends { create: infer Schema extends z.ZodType } ? Schema : never
type ChangeSchema<F> = F extends { change: infer Schema extends z.ZodType }
  ? Schema
  : F extends { change: false }
    ? never
    : CreateSchema<F>
type Answer<F> = F extends { answer: infer Column extends ListColumn } ? Column : never
type Listed<F> = F extends { listed: true } ? Answer<F> : never
/** `Name`, unless `T` is never. */
type NameIf<T, Name> = [T] extends [never] ? never : Name

type CreateShape<F extends Fields> = {
  [Name in keyof F as NameIf<CreateSchema<F[Name]>, Name>]: CreateSchema<F[Name]>
}
type ChangeShape<F extends Fields> = {
  [Name in keyof F as NameIf<ChangeSchema<F[Name]>, Name>]: ChangeSchema<F[Name]>
}
type Answers<F extends Fields> = { [Name in keyof F as NameIf<Answer<F[Name]>, Name>]: Answer<F[Name]> }
type ListedAnswers<F extends Fields> = { [Name in keyof F as NameIf<Listed<F[Name]>, Name>]: Listed<F[Name]> }

type ColumnName<F, Name> = F extends { column: infer Column extends string } ? Column : Name
/** The stored value of an omitted field. */
type DefaultOf<Column> = Column extends { _: { notNull: false } }
  ? null
  : Column extends { _: { hasDefault: true } }
    ? never
    : undefined
type Stored<Column, Input> = undefined extends Input ? Exclude<Input, undefined> | DefaultOf<Column> : Input
type InsertedRow<T extends SQLiteTable, F extends Fields> = {
  [Name in keyof F as NameIf<CreateSchema<F[Name]>, ColumnName<F[Name], Name>>]: Stored<
    T["_"]["columns"][ColumnName<F[Name], Name> & string],
    z.output<CreateSchema<F[Name]>>
  >
}
type UpdatedRow<T extends SQLiteTable, F extends Fields> = {
  [Name in keyof F as NameIf<ChangeSchema<F[Name]>, ColumnName<F[Name], Name>>]:
    | Exclude<z.output<ChangeSchema<F[Name]>>, undefined>
    | T["$inferSelect"][ColumnName<F[Name], Name> & keyof T["$inferSelect"]]
}

/** Declares the fields of a table's records. */
export function recordFields<T extends SQLiteTable, const F extends Fields>(table: T, fields: F) {
  type Created = z.output<z.ZodObject<CreateShape<F>>>
  type Changes = z.output<z.ZodObject<ChangeShape<F>>>
  const columns = getTableColumns(table)
  const entries = Object.entries<Field>(fields).map(([name, field]) => ({ name, column: name, ...field }))
  const pick = <V>(property: (field: (typeof entries)[number]) => V | false | undefined) =>
    Object.fromEntries(
      entries.flatMap((field) => {
        const value = property(field)
        return value === undefined || value === false ? [] : [[field.name, value]]
      }),
    )
  const searched = entries.filter((field) => field.searched)
  const toSearchText = (row: object): string => {
    const values = new Map<string, unknown>(Object.entries(row))
    return searchText(...searched.map(({ column }) => String(values.get(column))))
  }
  return {
    /** The schemas of the body of a create. */
    create: pick(({ create }) => create) as CreateShape<F>,
    /** The schemas of the body of an update. */
    change: pick(({ create, change = create }) => change) as ChangeShape<F>,
    /** The columns of the response. */
    answers: pick(({ answer }) => answer) as Answers<F>,
    /** The columns of the list. */
    listed: pick(({ answer, listed }) => listed && answer) as ListedAnswers<F>,
    /** The row of a create: the input, or the defaults of the columns. */
    toInsert: (input: Created): InsertedRow<T, F> => {
      const values: Record<string, unknown> = input
      return Object.fromEntries(
        entries.flatMap(({ name, column, create }) => {
          const { default: initial, notNull } = columns[column] ?? {}
          return create ? [[column, values[name] ?? initial ?? (notNull ? undefined : null)]] : []
        }),
      ) as InsertedRow<T, F>
    },
    /** The row after an update: the input, or the current values of the record. */
    toUpdate: (record: T["$inferSelect"], input: Partial<Changes>): UpdatedRow<T, F> => {
      const values: Record<string, unknown> = input
      return Object.fromEntries(
        entries.flatMap(({ name, column, create, change = create }) =>
          change ? [[column, values[name] === undefined ? record[column] : values[name]]] : [],
        ),
      ) as UpdatedRow<T, F>
    },
    /** The text that the search finds. */
    searchText: toSearchText,
    /** The search text after an update that changes it; otherwise empty. */
    changedSearchText: (changed: object, next: object) =>
      searched.some(({ column }) => column in changed) ? { searchText: toSearchText(next) } : {},
  }
}
