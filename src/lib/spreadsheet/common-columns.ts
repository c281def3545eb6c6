import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core"
import { column } from "./columns.ts"

// Columns such as most lists have: each is answered and sorted by, and needs an index of its own unless it says else.

/** A table's column that always holds something. */
export type NotNull<T> = AnySQLiteColumn<{ data: T; notNull: true }>

/** An id, a count. */
export const integerColumn = (source: NotNull<number>) => column(source, z.number().int(), { sort: source })

/** An id or a count without an index: see `Sorted`. */
export const sortedIntegerColumn = (source: NotNull<number>) =>
  column(source, z.number().int(), { sort: { sorted: source } })

/** A text that is sorted by as it is stored: a code, a key. */
export const textColumn = (source: NotNull<string>) => column(source, z.string(), { sort: source })

/** Such a text without an index: see `Sorted`. */
export const sortedTextColumn = (source: NotNull<string>) => column(source, z.string(), { sort: { sorted: source } })

/** A text that is sorted by without regard to case: a name, an email address. */
export const nameColumn = (source: NotNull<string>) =>
  column(source, z.string(), { sort: sql`${source} collate nocase` })
