import { type AnyColumn, type SQL, sql } from "drizzle-orm"
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core"
import { decodeCursor } from "./cursor.ts"
import type { Filter, Listing, PageQuery } from "./listing.ts"
import { matchingRows } from "./scan.ts"

// Lists of what changed since a time: a range of the index on `updated_at`, in its order unless another is asked for.

const COLUMN = "updatedAt"

type DatedTable = SQLiteTable & { id: AnyColumn; updatedAt: AnyColumn }

/** The rows that changed since a time, found by the index. */
export const changedSinceFilter = (table: DatedTable, since: string): Filter => ({
  test: sql`+${table.updatedAt} >= ${Date.parse(since)}`,
  ids: sql`select ${table.id} as id from ${table} where ${table.updatedAt} >= ${Date.parse(since)}`,
})

/**
 * Narrows a listing to the rows that changed since a time. Its column `updatedAt` must have an index.
 * @param since in ISO 8601; undefined: the listing is not narrowed
 */
export function changedSince<F extends SelectedFields>(
  listing: Listing<F>,
  table: DatedTable,
  query: PageQuery,
  since: string | undefined,
): Listing<F> {
  if (since === undefined) return listing
  const defaultSort = { colName: COLUMN, direction: "asc" } as const
  const order = query.order_by ?? defaultSort
  const found = changedSinceFilter(table, since)
  // Branches have indexes in the other orders only.
  const [search, scope] = [listing.search, listing.scope].map((filters) =>
    filters.map(({ branches, ...filter }) => filter),
  ) as [Filter[], Filter[]]
  const isRead = order.colName === COLUMN && [...search, ...scope].every((filter) => !filter.ids)
  const cursor = query.cursor ? decodeCursor(query.cursor, order) : undefined
  const isAscending = (order.direction === "asc") !== (cursor?.b === 1)
  // The index is entered at the later one of the two lower bounds.
  const start = Math.max(Date.parse(since), cursor && isAscending ? Number(cursor.k) : 0)
  const filtered: SQL<number> = sql`(select count(*) ${matchingRows(listing, [found, ...search, ...scope])})`
  return {
    ...listing,
    defaultSort,
    scope,
    search: [isRead ? { test: sql`${table.updatedAt} >= ${start}` } : found, ...search],
    filtered,
  }
}
