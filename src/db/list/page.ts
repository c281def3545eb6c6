import { type SQL, sql } from "drizzle-orm"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import { invalid } from "../../lib/errors.ts"
import { ALL_ROWS, MAX_PAGE_SIZE } from "../../lib/input/list-query.ts"
import { type Database, firstRow } from "../client.ts"
import type { RowOf } from "../select.ts"
import { selectFrom } from "../select.ts"
import { decodeCursor, encodeCursor, type Position } from "./cursor.ts"
import { type Filter, type Listing, MAX_SORTED_ROWS, type PageQuery } from "./listing.ts"
import { mergeBranches } from "./merge-branches.ts"
import { mergeRanges } from "./merge-ranges.ts"
import { directionOf, inListOrder, matchingRows, rowsAfterCursor, type Scan } from "./scan.ts"
import { searchOrScan } from "./search-or-scan.ts"
import { searchIsSmaller, smallerFilterFirst } from "./smaller-filter-first.ts"

// Lists: one page of rows and exact totals in one round trip, at a cost that does not grow with
// the table. A strategy finds the ids of the page on an index; then its rows are read by id.

/** The cursors and pages of the Link header. */
interface Neighbors {
  next: string | undefined
  prev: string | undefined
  lastPage: number
}

export interface Page<Row> {
  rows: Row[]
  recordsTotal: number
  recordsFiltered: number
  neighbors: Neighbors
}

function tooManyToSort<F extends SelectedFields>(column: string, { sort, narrowedBy }: Listing<F>) {
  const indexed = Object.entries(sort).filter(([, by]) => !("sorted" in by))
  const others = indexed.map(([name]) => name).join(", ")
  return invalid(
    "order_by",
    `order_by ${column} sorts up to ${MAX_SORTED_ROWS.toLocaleString("en")} rows, and more are left here. ` +
      `Name ${narrowedBy ?? "a search_param"}, or order by ${others}.`,
  )
}

const tooManyToAnswer = (rows: number) =>
  invalid(
    "page_size",
    `page_size is required here: there are ${rows} rows, and without it a list answers ${ALL_ROWS} at most. ` +
      `Give 1 to ${MAX_PAGE_SIZE}, with page_number.`,
  )

/** The filters of a page, and which of them may be read first. */
function filtersOf<F extends SelectedFields>(listing: Listing<F>, sorts: boolean) {
  const withAllIds = (filter: Filter): Filter => (filter.allIds ? { test: filter.test, ids: filter.allIds } : filter)
  const filters = [...listing.search, ...listing.scope].map((filter) => (sorts ? withAllIds(filter) : filter))
  const search = filters.find((filter) => filter.text)
  const others = filters.filter((filter) => filter !== search)
  const other = others.find((filter) => filter.ids)
  return {
    filters,
    search,
    others,
    other,
    searchFirst: search ? [search, ...others] : filters,
    otherFirst: search && other && [other, { test: search.test }, ...others.filter((filter) => filter !== other)],
    isSearchSmaller: search?.text && other && searchIsSmaller(search.text, other, listing),
  }
}
type Filters = ReturnType<typeof filtersOf>

/** Chooses the strategy that finds the page's ids. */
function idsOfPage(scan: Scan, sorts: boolean, found: Filters): SQL {
  const { filters, search, other, searchFirst, otherFirst, isSearchSmaller } = found
  const branched = filters.find((filter) => filter.branches)
  const ranges = sorts || filters.length > 1 ? undefined : filters[0]?.mergeRanges
  const { text } = search ?? {}
  if (text && !sorts && !branched) return searchOrScan(scan, { text, searchFirst, otherFirst, other, isSearchSmaller })
  const rows = () => {
    if (ranges) return mergeRanges(scan, ranges)
    if (isSearchSmaller && otherFirst) return smallerFilterFirst(scan, isSearchSmaller, { searchFirst, otherFirst })
    if (branched?.branches && !search && !other)
      return mergeBranches(
        scan,
        branched.branches,
        filters.filter((filter) => filter !== branched),
      )
    // By the ids of the first filter that has them, else by a scan of the order's index.
    return rowsAfterCursor(scan, searchFirst)
  }
  return sql`${rows()} ${inListOrder(scan)} limit ${scan.limit} offset ${scan.offset}`
}

/** The totals of a list, and a count that stops at a limit. */
function countsOf<F extends SelectedFields>(listing: Listing<F>, found: Filters) {
  const { search, others, searchFirst, otherFirst, isSearchSmaller } = found
  const count = (filters: Filter[]) => sql<number>`(select count(*) ${matchingRows(listing, filters)})`
  const total = listing.total ?? count(listing.scope)
  const onlySearch = others.length === 0 ? search?.text : undefined
  const smallerCount =
    isSearchSmaller && otherFirst && sql<number>`iif(${isSearchSmaller}, ${count(searchFirst)}, ${count(otherFirst)})`
  const matches = onlySearch?.count ?? smallerCount ?? count(searchFirst)
  return {
    total,
    filtered: listing.filtered ?? (listing.search.length > 0 ? matches : total),
    /** The number of matches from a counter, or else counted up to a limit. */
    upTo: (limit: number) =>
      listing.filtered ??
      (listing.search.length === 0 ? listing.total : undefined) ??
      onlySearch?.upTo(limit) ??
      sql`(select count(*) from (select 1 ${matchingRows(listing, searchFirst)} limit ${limit}))`,
  }
}

/**
 * Builds the statements of one page: its rows, and its totals.
 * @throws 422 for a cursor of another order; `read` throws it for more rows than can be sorted, or than a list without
 *   `page_size` can return
 */
export function preparePage<F extends SelectedFields>(db: Database, listing: Listing<F>, query: PageQuery) {
  const { table, key, sort } = listing
  const order = query.order_by ?? listing.defaultSort
  const sorting = sort[order.colName]
  if (!sorting) throw invalid("order_by", `order_by.colName must be one of ${Object.keys(sort).join(", ")}.`)
  const sorts = "sorted" in sorting
  const cursor = query.cursor ? decodeCursor(query.cursor, order) : undefined
  const isBackward = cursor?.b === 1
  const size = query.page_size
  const offset = cursor ? 0 : (query.offset ?? (query.page_number - 1) * size)

  const filters = filtersOf(listing, sorts)
  const counts = countsOf(listing, filters)
  const maxRows = sorts ? MAX_SORTED_ROWS : size > MAX_PAGE_SIZE ? size : undefined
  const scan: Scan = {
    table,
    key,
    sortBy: sorts ? sorting.sorted : sorting,
    ascending: (order.direction === "asc") !== isBackward,
    cursor,
    offset,
    last: offset + size + 1,
    limit:
      maxRows === undefined ? sql`${size + 1}` : sql`iif(${counts.upTo(maxRows + 1)} <= ${maxRows}, ${size + 1}, 0)`,
  }
  const direction = directionOf(scan)
  const rows = selectFrom<F, Position>(
    db,
    listing.fields,
    sql`, page.sort_key as sort_key, page.id as sort_id
      from ${table} inner join (${idsOfPage(scan, sorts, filters)}) as page on ${key} = page.id
      order by page.sort_key ${direction}, page.id ${direction}`,
  )
  const totals = selectFrom<Record<string, never>, { total: number; filtered: number }>(
    db,
    {},
    sql`${counts.total} as total, ${counts.filtered} as filtered`,
  )

  /** Reads the two statements' results into the page. */
  const read = (found: (RowOf<F> & Position)[], counted: { total: number; filtered: number }[]): Page<RowOf<F>> => {
    const { total, filtered } = firstRow(counted)
    if (maxRows !== undefined && filtered > maxRows)
      throw sorts ? tooManyToSort(order.colName, listing) : tooManyToAnswer(filtered)
    const hasMore = found.length > size
    const rows = hasMore ? found.slice(0, size) : found
    if (isBackward) rows.reverse()
    const cursorAt = (row: Position | undefined, b: 0 | 1) => row && encodeCursor(order, row, b)
    const hasNext = isBackward || hasMore
    const hasPrevious = isBackward ? hasMore : query.page_number > 1
    return {
      rows,
      recordsTotal: total,
      recordsFiltered: filtered,
      neighbors: {
        next: hasNext ? cursorAt(rows.at(-1), 0) : undefined,
        prev: hasPrevious ? cursorAt(rows[0], 1) : undefined,
        lastPage: Math.max(1, Math.ceil(filtered / size)),
      },
    }
  }
  return { statements: [rows, totals] as const, read }
}

/** Reads one page in one round trip. @throws like `preparePage` */
export async function readPage<F extends SelectedFields>(db: Database, listing: Listing<F>, query: PageQuery) {
  const found = preparePage(db, listing, query)
  return found.read(...(await db.batch(found.statements)))
}
