import { type AnyColumn, type SQL, type SQLWrapper, type Subquery, sql } from "drizzle-orm"
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core"

// The definition of a list: its table, its orders, and its filters.

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
  /** A query of the matching ids (a column `id`, each once), if that is cheaper than testing rows. */
  ids?: SQL
  /**
   * For a keyset iteration (src/db/keyset.ts): the first `limit` of those ids after a key. Needed if the database
   * cannot stop early, as in a union of several lists.
   */
  idsAfter?: (after: number, limit: number) => SQL
  /**
   * If it is the only filter of the list: the matching ids in the order of the list, merged from many ranges of an
   * index. It may stop after `limit` of them.
   * @param afterId the id at which the previous page ended
   */
  mergeRanges?: (range: { ascending: boolean; afterId: number | undefined; limit: SQL }) => SQL
  /** For a branch: a condition that is evaluated once. When it is false, the branch is skipped. */
  when?: SQL
  /**
   * The matching rows in at most 25 disjoint branches. Each branch has an index in every order of the list
   * (`status = 'x'` with an index on status and the order's column). They are merged, so that a page stops when it is
   * full, regardless of how many statuses the filter matches.
   */
  branches?: Filter[]
  /** All matching ids, for an order without an index: skipping rows saves nothing there. */
  allIds?: SQL
  /** For a full-text search: the number of matches, without reading them. */
  text?: TextSearch
}

/** What a full-text index knows about a search. */
export interface TextSearch {
  /** The number of matches. */
  count: SQL<number>
  /** The same, but it reads at most `limit` rows. */
  upTo(limit: SQL | number): SQL<number>
  /** The approximate number of searched rows. */
  rows: SQL<number>
}

/**
 * An order without an index, by a NOT NULL column or expression: the rows that match the filters are read and sorted,
 * up to `MAX_SORTED_ROWS`.
 */
export interface Sorted {
  sorted: SQLWrapper
}

/** The maximum number of rows to sort for an order without an index. Beyond it, a 422 says how to narrow the list. */
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
  /** For the 422 of a list that is too long to sort: the parameters that narrow it, such as `user_id or portalId`. */
  narrowedBy?: string
  defaultSort: { colName: string; direction: "asc" | "desc" }
  /** The filters before any search: role, portal, group. */
  scope: Filter[]
  /** The filters of the search. */
  search: Filter[]
  /** The number of rows in scope, from a counter. Without it they are counted with the index of the scope. */
  total?: SQL<number>
  /** The number of matches of the search, if a counter has it. */
  filtered?: SQL<number>
}

/** The beginning of a text, to sort by: it fits into a cursor. */
export const sortPrefix = (text: SQLWrapper): SQL => sql`coalesce(substr(${text}, 1, 200), '') collate nocase`
