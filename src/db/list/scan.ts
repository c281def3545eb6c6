import { type AnyColumn, type SQL, type SQLWrapper, type Subquery, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import type { Cursor } from "./cursor.ts"
import type { Filter } from "./listing.ts"

// The common part of the strategies: each is a query of the columns id and sort_key, in the order of the list.

/** The order of a page and where it begins. */
export interface Scan {
  table: SQLiteTable | Subquery
  key: AnyColumn
  sortBy: SQLWrapper
  ascending: boolean
  cursor: Cursor | undefined
  /** The number of rows before the page. */
  offset: number
  /** The number of rows up to its end, plus one that shows whether there is a next page. */
  last: number
  /** The number of rows that the page reads; 0 if the page is refused because of its size. */
  limit: SQL
}

export const allOf = (tests: SQL[]): SQL => (tests.length > 0 ? sql.join(tests, sql` and `) : sql`1`)

/** The rows that match: by the ids of the first filter that has them, else by a scan that tests each row. */
export function matchingRows({ table, key }: Pick<Scan, "table" | "key">, filters: Filter[]): SQL {
  const first = filters.find((filter) => filter.ids)
  const tests = allOf(filters.filter((filter) => filter !== first).map((filter) => filter.test))
  return first?.ids
    ? sql`from (${first.ids}) as found cross join ${table} on ${key} = found.id where ${tests}`
    : sql`from ${table} where ${tests}`
}

/**
 * The matching rows after the cursor. For a scan the predicate has two arms. Each enters the index at the row itself: a
 * comparison of pairs would read every tie, or, on an expression, the whole index. Both stop when the page is full.
 * Rows that are found by ids are all read, so once.
 */
export function rowsAfterCursor(scan: Scan, filters: Filter[], furtherColumns = sql``): SQL {
  const { key, sortBy, cursor } = scan
  const rows = sql`select ${key} as id, ${sortBy} as sort_key${furtherColumns} ${matchingRows(scan, filters)}`
  if (!cursor) return rows
  const isPast = sql.raw(scan.ascending ? ">" : "<")
  if (filters.some((filter) => filter.ids))
    return sql`${rows} and (${sortBy}, ${key}) ${isPast} (${cursor.k}, ${cursor.i})`
  return sql`${rows} and ${sortBy} = ${cursor.k} and ${key} ${isPast} ${cursor.i}
          union all
          ${rows} and ${sortBy} ${isPast} ${cursor.k}`
}

export const directionOf = ({ ascending }: Pick<Scan, "ascending">) => sql.raw(ascending ? "asc" : "desc")

export const inListOrder = (scan: Scan) => sql`order by 2 ${directionOf(scan)}, 1 ${directionOf(scan)}`

/** The matching rows up to the end of the page; none if the condition is false. */
export const firstRows = (scan: Scan, filters: Filter[], when?: SQL) =>
  sql`select id, sort_key
    from (
      ${rowsAfterCursor(scan, filters)}
      ${inListOrder(scan)}
      limit ${when ? sql`iif(${when}, ${scan.last}, 0)` : scan.last}
    )`
