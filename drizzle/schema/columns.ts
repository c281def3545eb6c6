import { type BuildColumns, type Column, sql } from "drizzle-orm"
import {
  check,
  integer,
  type SQLiteColumnBuilderBase,
  type SQLiteTableExtraConfigValue,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core"

// Columns that many tables share. Times are UTC epoch milliseconds. A column that a list can be ordered by is NOT NULL,
// so that a cursor can compare with it: 0 stands for a time that has not come.

/** A record's own id. Given out by `sequences`, so that a mutation knows it before it writes; never used twice. */
export const id = () => integer("id").primaryKey()

export const createdAt = () => integer("created_at").notNull()

/** Counts a record's changes; the first part of its ETag. */
export const version = () => integer("version").notNull().default(1)

export const bool = (name: string) => integer(name, { mode: "boolean" })

/**
 * The content as a search of descriptions reads it: without markup, in lower case. Empty: not made since it was stored.
 */
export const descriptionText = () => text("description_text").notNull().default("")

/** What substring search looks in, made by src/db/search.ts; triggers keep the table's FTS5 index from it. */
export const searchText = () => text("search_text").notNull()

/** One CHECK for each column of an enumeration: `status in ('a', 'b')`. Null passes. */
const enumerationChecks = (table: string, columns: Column[]) =>
  columns.flatMap(({ name, enumValues }) => {
    const values = enumValues?.map((value) => `'${value}'`).join(", ")
    return values ? [check(`${table}_${name}_check`, sql.raw(`${name} in (${values})`))] : []
  })

/** A table whose columns with an `enum` accept only its values. */
export const checkedTable = <Name extends string, Columns extends Record<string, SQLiteColumnBuilderBase>>(
  name: Name,
  columns: Columns,
  further: (table: BuildColumns<Name, Columns, "sqlite">) => SQLiteTableExtraConfigValue[] = () => [],
) => sqliteTable(name, columns, (table) => [...further(table), ...enumerationChecks(name, Object.values(table))])
