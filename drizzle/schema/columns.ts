import { type BuildColumns, type Column, sql } from "drizzle-orm"
import {
  check,
  integer,
  type SQLiteColumnBuilderBase,
  type SQLiteTableExtraConfigValue,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core"

// Shared columns. Times are UTC epoch milliseconds. Columns that lists can be sorted by are NOT NULL, so that cursors
// can compare them: 0 means a time that has not come.

/** A record's id. `sequences` assigns it, so that a mutation knows it before writing. Never reused. */
export const id = () => integer("id").primaryKey()

export const createdAt = () => integer("created_at").notNull()

/** The database's time in milliseconds. Commits are in its order, unlike the clocks of Workers. */
export const DATABASE_NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/**
 * When a visible column of the row last changed. Each change increases it, even within a millisecond. A trigger moves
 * it after every update that does not assign it (drizzle/triggers/updated-at.ts).
 */
export const updatedAt = () =>
  integer("updated_at")
    .notNull()
    .default(sql.raw(`(${DATABASE_NOW})`))

/** The next `updated_at` of a row. */
export const NEXT_UPDATED_AT = `max(updated_at + 1, ${DATABASE_NOW})`

/** What an update assigns to `updatedAt`. Without it, the trigger writes the row a second time. */
export const nextUpdatedAt = sql.raw(NEXT_UPDATED_AT)

/** The number of changes to a record; the first part of its ETag. */
export const version = () => integer("version").notNull().default(1)

export const bool = (name: string) => integer(name, { mode: "boolean" })

/** The content for description search: without markup, in lower case. Empty: not computed since it was stored. */
export const descriptionText = () => text("description_text").notNull().default("")

/** The text of substring search (src/db/search.ts). Triggers maintain the FTS5 index. */
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
