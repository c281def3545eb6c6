import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core"
import { column } from "./columns.ts"

// Common columns of lists. Each can be sorted by, and needs an index unless noted.

/** A NOT NULL column. */
export type NotNull<T> = AnySQLiteColumn<{ data: T; notNull: true }>

/** An id, a count. */
export const integerColumn = (source: NotNull<number>) => column(source, z.number().int(), { sort: source })

/** An id or a count without an index: see `Sorted`. */
export const sortedIntegerColumn = (source: NotNull<number>) =>
  column(source, z.number().int(), { sort: { sorted: source } })

/** Case-sensitive text: a code, a key. */
export const textColumn = (source: NotNull<string>) => column(source, z.string(), { sort: source })

/** Case-sensitive text without an index: see `Sorted`. */
export const sortedTextColumn = (source: NotNull<string>) => column(source, z.string(), { sort: { sorted: source } })

/** Text that sorts case-insensitively: a name, an email address. */
export const nameColumn = (source: NotNull<string>) =>
  column(source, z.string(), { sort: sql`${source} collate nocase` })
