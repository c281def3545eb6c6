import { z } from "@hono/zod-openapi"
import { type AnyColumn, type SQL, type SQLWrapper, type Subquery, sql } from "drizzle-orm"
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core"
import { invalid } from "../lib/errors.ts"
import { ALL_ROWS, DIRECTIONS, MAX_PAGE_SIZE } from "../lib/input/list-query.ts"
import { readJson } from "../lib/text/json.ts"
import type { Database } from "./client.ts"
import { firstRow } from "./client.ts"
import type { RowOf } from "./rows.ts"
import { selectFrom } from "./select.ts"

// Lists (docs/api/conventions.md): one page of rows and exact totals in one trip, at a cost that does not grow with the
// table. A page is found on an index (or on the few ids that a search finds), then its rows are read by id.

export interface PageQuery {
  page_size: number
  page_number: number
  order_by?: { colName: string; direction: "asc" | "desc" } | undefined
  cursor?: string | undefined
}

/** A way to narrow a list. */
export interface Filter {
  /** The condition on a row. */
  test: SQL
  /** The ids it admits (a column `id`, each once), where reading those first is cheaper than testing rows. */
  ids?: SQL
  /**
   * For a walk (src/db/keyset.ts): the first `limit` of those ids after a key. Needed where the database cannot stop
   * early by itself, as in a union of several lists.
   */
  idsAfter?: (after: number, limit: number) => SQL
  /**
   * Where it is the list's only filter: the ids that it admits in the list's order, read from many ranges of an index
   * side by side. It may stop after `limit` of them.
   * @param beyond the id at which the page before ended
   */
  inOrder?: (stretch: { ascending: boolean; beyond: number | undefined; limit: SQL }) => SQL
  /** For a part: evaluated once; when false, the part is skipped. */
  when?: SQL
  /**
   * What it admits in disjoint parts, at most five, each of which an index has in every order of the list (`status =
   * 'x'` with an index on status and the order's column). They are read side by side and merged, so that a page
   * stops when it is full whether the filter admits one, some or all of them.
   */
  parts?: Filter[]
  /** All ids that it admits, for an order without an index: there, walking past refused rows saves nothing. */
  whole?: SQL
  /** Of a search in a full-text index: how many rows it finds, without a look at them. */
  text?: TextSearch
}

/** What a full-text index tells of a search by itself. */
interface TextSearch {
  /** How many rows it finds. */
  count: SQL<number>
  /** The same, which reads no more than `limit` of them where it has to read. */
  upTo(limit: SQL | number): SQL<number>
  /** About how many rows there are to be searched. */
  rows: SQL<number>
}

/**
 * An order without an index, by a NOT NULL column or expression: what the filters leave is read and sorted, up to
 * `SORTED_MOST` rows.
 */
export interface Sorted {
  sorted: SQLWrapper
}

/** How many rows a page may sort for an order without an index. Beyond that, the 422 says how to narrow the list. */
export const SORTED_MOST = 200_000

export interface Listing<F extends SelectedFields> {
  /** A table, or a query of few rows under a table's name. */
  table: SQLiteTable | Subquery
  /** The table's unique key: ties in the order break by it. */
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
  /** How many rows there are in scope: a kept counter. Without one they are counted on the scope's own index. */
  total?: SQL<number>
  /** How many of them the search finds, where a counter keeps that too. */
  filtered?: SQL<number>
}

/** To sort by a text of any length: by its beginning, which a cursor can hold. */
export const beginning = (text: SQLWrapper): SQL => sql`coalesce(substr(${text}, 1, 200), '') collate nocase`

/**
 * A filter for which a counter keeps how many rows it admits. Few rows are read by id and sorted. With many, the list
 * is walked in its order until the page is full. Whichever reads less is chosen: neither reads the whole table.
 * @param many the walk, in parts where the order's indexes are by part
 */
export function eitherEnd(
  { test, ids, count, total }: { test: SQL; ids: SQL; count: SQL; total: SQL },
  { page_size, page_number }: PageQuery,
  many: Filter[] = [{ test: sql`1` }],
): Filter {
  // All `count` of them are sorted, or some `total / count` are passed for each that is wanted.
  const few = sql`(select n * n < ${total} * ${page_size * page_number} from (select ${count} as n))`
  return {
    test,
    whole: ids,
    parts: [
      { test: sql`1`, ids, when: few },
      ...many.map((part) => ({ test: sql`${test} and ${part.test}`, when: sql`not ${few}` })),
    ],
  }
}

/** Where a row stands in the order: what a cursor holds. */
interface Place {
  sort_key: string | number
  sort_id: number
}

interface Cursor {
  c: string
  d: "asc" | "desc"
  k: string | number
  i: number
  /** 1: toward the beginning. */
  b: 0 | 1
}

const encode = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString("base64url")

const cursorShape = z.object({
  c: z.string(),
  d: z.enum(DIRECTIONS),
  k: z.union([z.string(), z.number()]),
  i: z.number().int(),
  b: z.union([z.literal(0), z.literal(1)]),
})

function decode(text: string, order: { colName: string; direction: string }): Cursor {
  const refused = invalid("cursor", "cursor is not one that this list gave out for this order; start again without it.")
  const { data } = cursorShape.safeParse(readJson(Buffer.from(text, "base64url").toString("utf8")))
  if (!data || data.c !== order.colName || data.d !== order.direction) throw refused
  return data
}

/** Where the answer's neighbors are, for the Link header. */
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

/** What a search finds at the most to lead without a count of what another filter admits. */
const FEW = 1000

/** The condition that a search finds fewer rows than another filter admits: then it leads, and the other tests. */
function fewerFound<F extends SelectedFields>({ upTo }: TextSearch, lead: Filter, { scope, total }: Listing<F>): SQL {
  // A row that the search finds is looked up and tested by an index; one that the other admits is looked up alone.
  const within = (admitted: SQL) => sql`3 * ${upTo(admitted)} < 2 * ${admitted}`
  if (total && scope.includes(lead)) return within(total)
  return sql`iif(${upTo(FEW)} < ${FEW}, 1, ${within(sql`(select count(*) from (${lead.ids}))`)})`
}

const wholly = (filter: Filter): Filter => (filter.whole ? { test: filter.test, ids: filter.whole } : filter)

const WITHIN = SORTED_MOST.toLocaleString("en")

function tooManyToSort<F extends SelectedFields>(column: string, { sort, narrowedBy }: Listing<F>) {
  const indexed = Object.entries(sort).filter(([, by]) => !("sorted" in by))
  const others = indexed.map(([name]) => name).join(", ")
  return invalid(
    "order_by",
    `order_by ${column} sorts up to ${WITHIN} rows, and more are left here. ` +
      `Name ${narrowedBy ?? "a search_param"}, or order by ${others}.`,
  )
}

const tooManyToAnswer = (rows: number) =>
  invalid(
    "page_size",
    `page_size is required here: there are ${rows} rows, and without it a list answers ${ALL_ROWS} at most. ` +
      `Give 1 to ${MAX_PAGE_SIZE}, with page_number.`,
  )

const every = (tests: SQL[]): SQL => (tests.length > 0 ? sql.join(tests, sql` and `) : sql`1`)

/**
 * Builds the statements of one page: its rows, and its totals.
 * @throws invalid for a cursor that does not fit; `read` throws it for more rows than the order sorts, or than a list
 *   without `page_size` answers
 */
export function page<F extends SelectedFields>(db: Database, listing: Listing<F>, query: PageQuery) {
  const { table, key, sort } = listing
  const order = query.order_by ?? listing.defaultSort
  const sorting = sort[order.colName]
  if (!sorting) throw invalid("order_by", `order_by.colName must be one of ${Object.keys(sort).join(", ")}.`)
  const sorts = "sorted" in sorting
  const sortBy = sorts ? sorting.sorted : sorting
  const cursor = query.cursor ? decode(query.cursor, order) : undefined
  const backwards = cursor?.b === 1
  const ascending = (order.direction === "asc") !== backwards
  const direction = sql.raw(ascending ? "asc" : "desc")
  const size = query.page_size

  /** The table, entered by the first filter that knows its ids. */
  const from = (filters: Filter[]): SQL => {
    const driver = filters.find((filter) => filter.ids)
    const tests = filters.filter((filter) => filter !== driver).map((filter) => filter.test)
    return driver
      ? sql`from (${driver.ids}) as found cross join ${table} on ${key} = found.id where ${every(tests)}`
      : sql`from ${table} where ${every(tests)}`
  }
  const filters = [...listing.search, ...listing.scope].map((filter) => (sorts ? wholly(filter) : filter))
  // Two arms, each of which enters the index at the row itself: a comparison of pairs would read every tie, or, on an
  // expression, the whole index. They are merged in order, so that both stop when the page is full.
  const passed = sql.raw(ascending ? ">" : "<")
  const beyond = (filters: Filter[], also = sql``): SQL => {
    const places = sql`select ${key} as id, ${sortBy} as sort_key${also} ${from(filters)}`
    return cursor
      ? sql`${places} and ${sortBy} = ${cursor.k} and ${key} ${passed} ${cursor.i}
          union all
          ${places} and ${sortBy} ${passed} ${cursor.k}`
      : places
  }
  const offset = cursor ? 0 : (query.page_number - 1) * size
  const inOrder = sql`order by 2 ${direction}, 1 ${direction}`
  const last = offset + size + 1

  const search = filters.find((filter) => filter.text)
  const others = filters.filter((filter) => filter !== search)
  const searchFirst = search ? [search, ...others] : filters
  const lead = others.find((filter) => filter.ids)
  /** The same filters, led by another than the search. */
  const leadFirst = search && lead && [lead, { test: search.test }, ...others.filter((filter) => filter !== lead)]
  const isFewer = search?.text && lead && fewerFound(search.text, lead, listing)

  const count = (filters: Filter[]) => sql<number>`(select count(*) ${from(filters)})`
  const total = listing.total ?? count(listing.scope)
  const kept = listing.filtered ?? (listing.search.length === 0 ? listing.total : undefined)
  const alone = others.length === 0 ? search?.text : undefined
  const eitherCount = isFewer && leadFirst && sql<number>`iif(${isFewer}, ${count(searchFirst)}, ${count(leadFirst)})`
  const found = alone?.count ?? eitherCount ?? count(searchFirst)
  // A page that is refused for its size is not read.
  const most = sorts ? SORTED_MOST : size > MAX_PAGE_SIZE ? size : undefined
  const upTo = (limit: number) =>
    alone?.upTo(limit) ?? sql`(select count(*) from (select 1 ${from(searchFirst)} limit ${limit}))`
  const wanted = most === undefined ? sql`${size + 1}` : sql`iif(${kept ?? upTo(most + 1)} <= ${most}, ${size + 1}, 0)`

  /** The first rows in order of some filters, as far as the page's last; none where the condition does not hold. */
  const first = (filters: Filter[], when?: SQL) =>
    sql`select id, sort_key from (${beyond(filters)} ${inOrder} limit ${when ? sql`iif(${when}, ${last}, 0)` : last})`
  const parted = filters.find((filter) => filter.parts)
  const [only] = filters
  const merging = sorts || filters.length > 1 ? undefined : only?.inOrder
  const places = (): SQL => {
    if (merging)
      return sql`
        select ${key} as id, ${sortBy} as sort_key
        from (${merging({ ascending, beyond: cursor?.i, limit: sql`${last}` })}) as found
        cross join ${table} on ${key} = found.id`
    if (isFewer && leadFirst)
      return sql`
        with choice(is_fewer) as materialized (select ${isFewer})
        ${first(searchFirst, sql`(select is_fewer from choice)`)}
        union all
        ${first(leadFirst, sql`not (select is_fewer from choice)`)}`
    if (!parted?.parts || search || lead) return beyond(searchFirst)
    const rest = filters.filter((filter) => filter !== parted)
    return sql.join(
      parted.parts.map((part) => first([part, ...rest], part.when)),
      sql` union all `,
    )
  }
  /**
   * What a search finds. Sorting reads three rows for each. A walk in the list's order, which tests each row until the
   * page is full, passes `rows / found` for each that is wanted. So few are sorted, of many the order is walked; no
   * further than twice what is to be expected, since they may lie together at its end: then they are sorted after all.
   */
  const walkedOrSorted = (search: Filter, { upTo, rows }: TextSearch): SQL => {
    const few = sql`(select few from bound)`
    const isFew = [
      sql`${upTo(few)} < ${few}`,
      ...(lead ? [sql`(select count(*) from (select 1 from (${lead.ids}) limit ${few})) < ${few}`] : []),
    ]
    const holds = sql`, ${every([search, ...others].map((filter) => filter.test))} as holds`
    const sorted = (filters: Filter[], way: string) => sql`
      select id, sort_key
      from (
        ${beyond(filters)}
        ${inOrder}
        limit iif((select taken from way) = ${way}, ${wanted}, 0) offset ${offset}
      )`
    return sql`
      with bound(few) as materialized (select cast(sqrt(${rows} * ${last} / 3.0) as integer) + 1),
      choice(is_few) as materialized (select ${sql.join(isFew, sql` or `)}),
      walked(id, sort_key) as materialized (
        select id, sort_key
        from (
          ${beyond([], holds)}
          ${inOrder}
          limit iif((select is_few from choice), 0, 6 * ${few} + ${last})
        )
        where holds
        limit ${wanted} offset ${offset}
      ),
      way(taken) as materialized (
        select case
          when not (select is_few from choice) and (select count(*) from walked) = ${wanted} then 'walk'
          when ${isFewer ?? sql`1`} then 'search'
          else 'lead'
        end
      )
      select id, sort_key from walked where (select taken from way) = 'walk'
      union all
      ${sorted(searchFirst, "search")}
      ${leadFirst ? sql`union all ${sorted(leadFirst, "lead")}` : sql``}`
  }
  const merged =
    search?.text && !sorts && !parted
      ? sql`(${walkedOrSorted(search, search.text)}) as page`
      : sql`(${places()} ${inOrder} limit ${wanted} offset ${offset}) as page`

  const rows = selectFrom<F, Place>(
    db,
    listing.fields,
    sql`, page.sort_key as sort_key, page.id as sort_id
      from ${table} inner join ${merged} on ${key} = page.id
      order by page.sort_key ${direction}, page.id ${direction}`,
  )

  const totals = selectFrom<Record<string, never>, { total: number; filtered: number }>(
    db,
    {},
    sql`${total} as total, ${listing.filtered ?? (listing.search.length > 0 ? found : total)} as filtered`,
  )

  /** Reads the two statements' results into the page. */
  const read = (found: (RowOf<F> & Place)[], counted: { total: number; filtered: number }[]): Page<RowOf<F>> => {
    const { total, filtered } = firstRow(counted)
    if (most !== undefined && filtered > most)
      throw sorts ? tooManyToSort(order.colName, listing) : tooManyToAnswer(filtered)
    const more = found.length > size
    const kept = more ? found.slice(0, size) : found
    if (backwards) kept.reverse()
    const at = (row: Place | undefined, b: 0 | 1): string | undefined =>
      row && encode({ c: order.colName, d: order.direction, k: row.sort_key, i: row.sort_id, b })
    const hasNext = backwards || more
    const hasPrevious = backwards ? more : query.page_number > 1
    return {
      rows: kept,
      recordsTotal: total,
      recordsFiltered: filtered,
      neighbors: {
        next: hasNext ? at(kept.at(-1), 0) : undefined,
        prev: hasPrevious ? at(kept[0], 1) : undefined,
        lastPage: Math.max(1, Math.ceil(filtered / size)),
      },
    }
  }
  return { statements: [rows, totals] as const, read }
}

/** Reads one page: one trip. @throws as `page` */
export async function readPage<F extends SelectedFields>(db: Database, listing: Listing<F>, query: PageQuery) {
  const found = page(db, listing, query)
  return found.read(...(await db.batch(found.statements)))
}
