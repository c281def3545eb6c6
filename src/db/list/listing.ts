import { type AnyColumn, type SQL, type SQLWrapper, type Subquery, sql } from "drizzle-orm"
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core"

// What a list is made of: its table, its orders, and the filters that narrow it.

export interface PageQuery {
  page_size: number
  page_number: number
  order_by?: { colName: string; direction: "asc" | "desc" } | undefined
  cursor?: string | undefined
  /** How many rows to skip, instead of pages. */
  offset?: number
}

export interface Filter {
  /** The condition on a row. */
  test: SQL
  /** A query of the matching ids (a column `id`, each once), where that is cheaper than testing rows. */
  ids?: SQL
  /**
   * For a keyset iteration (src/db/keyset.ts): the first `limit` of those ids after a key. Needed where the
   * database cannot stop early by itself, as in a union of several lists.
   */
  idsAfter?: (after: number, limit: number) => SQL
  /**
   * Where it is the list's only filter: the matching ids in the list's order, merged from many ranges of an index. It
   * may stop after `limit` of them.
   * @param afterId the id at which the previous page ended
   */
  mergeRanges?: (range: { ascending: boolean; afterId: number | undefined; limit: SQL }) => SQL
  /** For a branch: a condition that is evaluated once. When it is false, the branch is skipped. */
  when?: SQL
  /**
   * The matching rows in disjoint branches, at most five, each of which has an index in every order of the list
   * (`status = 'x'` with an index on status and the order's column). They are merged, so that a page stops when it is
   * full, however many statuses the filter admits.
   */
  branches?: Filter[]
  /** All matching ids, for an order without an index: skipping rows saves nothing there. */
  allIds?: SQL
  /** Of a full-text search: how many rows it finds, without reading them. */
  text?: TextSearch
}

/** What a full-text index knows of a search. */
export interface TextSearch {
  /** How many rows it finds. */
  count: SQL<number>
  /** The same, but it reads no more than `limit` rows where it has to read. */
  upTo(limit: SQL | number): SQL<number>
  /** About how many rows are searched. */
  rows: SQL<number>
}

/**
 * An order without an index, by a NOT NULL column or expression: the rows that the filters leave are read and sorted,
 * up to `MAX_SORTED_ROWS`.
 */
export interface Sorted {
  sorted: SQLWrapper
}

/** How many rows a page may sort for an order without an index. Beyond that, the 422 says how to narrow the list. */
export const MAX_SORTED_ROWS = 200_000

export interface Listing<F extends SelectedFields> {
  /** A table, or a query of few rows under a table's name. */
  table: SQLiteTable | Subquery
  /** The table's unique key, which breaks ties in the order. */
  key: AnyColumn
  fields: F
  /**
   * The columns that `order_by` may name: NOT NULL columns, or expressions such as `lower(x)`, that have an index; and
   * others as `Sorted`.
   */
  sort: Record<string, SQLWrapper | Sorted>
  /** For the 422 of a list too long to sort: the parameters that narrow it, as `user_id or portalId`; else a search. */
  narrowedBy?: string
  defaultSort: { colName: string; direction: "asc" | "desc" }
  /** What bounds the rows before any search: role, portal, group. */
  scope: Filter[]
  /** What the caller searches for. */
  search: Filter[]
  /** How many rows are in scope: a counter of the database. Without one they are counted on the scope's own index. */
  total?: SQL<number>
  /** How many of them the search finds, where a counter has that too. */
  filtered?: SQL<number>
}

/** The beginning of a text of any length, to sort by: a cursor can hold it. */
export const sortPrefix = (text: SQLWrapper): SQL => sql`coalesce(substr(${text}, 1, 200), '') collate nocase`
