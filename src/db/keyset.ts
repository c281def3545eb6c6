import { type AnyColumn, and, type SQL, sql } from "drizzle-orm"
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core"
import { type Database, firstRow } from "./client.ts"
import type { Filter } from "./list/listing.ts"
import type { RowOf } from "./select.ts"

// Keyset iteration: the rows of a table page by page in the order of its key, for exports. A page continues from a key,
// so its cost does not grow with its number, and concurrent changes make no other row repeat or disappear.

export interface KeysetIterator<F extends SelectedFields> {
  table: SQLiteTable
  /** The table's integer primary key. */
  key: AnyColumn
  fields: F
  /** The first filter that knows its ids provides the keys, and the others test its rows. */
  filters: Filter[]
  /** The number of keys from a counter; without it they are counted. */
  total?: SQL<number> | undefined
}

export interface KeysetPage<Row> {
  rows: Row[]
  /** The key after which the next page continues; undefined on the last page. */
  next: number | undefined
  /** How many keys the page read, including those whose rows a filter excluded. */
  passed: number
}

const allOf = (filters: Filter[]): SQL => and(...filters.map((filter) => filter.test)) ?? sql`1`

/** How many keys all pages read. */
export function countKeys<F extends SelectedFields>({ table, filters, total }: KeysetIterator<F>): SQL<number> {
  const first = filters.find((filter) => filter.ids)
  if (total) return total
  if (first?.text) return first.text.count
  return sql<number>`(select count(*) from ${first ? sql`(${first.ids})` : sql`${table} where ${allOf(filters)}`})`
}

/**
 * Builds the statements of one page: at most `limit` keys, and the rows found there.
 * @param after the last key of the previous page; 0 at the start
 */
export function keysetPage<F extends SelectedFields>(
  db: Database,
  iterator: KeysetIterator<F>,
  after: number,
  limit: number,
) {
  const { table, key, filters } = iterator
  const first = filters.find((filter) => filter.ids)
  const tests = allOf(filters.filter((filter) => filter !== first))
  // The first filter's ids are read untested, and their rows are tested below: a page ends after `limit` keys.
  const keys = first
    ? sql`(
        select id from (${first.idsAfter?.(after, limit) ?? first.ids})
        where id > ${after}
        order by id
        limit ${limit}
      )`
    : sql`(
        select ${key} as id from ${table}
        where ${key} > ${after} and ${tests}
        order by ${key}
        limit ${limit}
      )`

  const ends = db
    .select({
      last: sql<number | null>`max(passed.id)`.as("last_key"),
      passed: sql<number>`count(*)`.as("passed_keys"),
    })
    .from(sql`${keys} as passed`)
  const rows = db
    .select({ ...iterator.fields, keyset_key: sql<number>`page.id`.as("keyset_key") })
    .from(table)
    .innerJoin(sql`${keys} as page`, first ? sql`${key} = page.id and ${tests}` : sql`${key} = page.id`)
    .orderBy(sql`page.id`)

  /** Reads the two statements' results. */
  const read = (ended: { last: number | null; passed: number }[], found: unknown[]): KeysetPage<RowOf<F>> => {
    const { last, passed } = firstRow(ended)
    return { rows: found as RowOf<F>[], next: last !== null && passed === limit ? last : undefined, passed }
  }
  return { statements: [ends, rows] as const, read }
}

/** The distinct ids that a link table has for several records: a filter's `ids` and `idsAfter`. */
export function linkedIds(links: SQLiteTable, id: AnyColumn, record: AnyColumn, records: readonly number[]) {
  const wanted = JSON.stringify(records)
  return {
    ids: sql`
      select distinct ${id} as id
      from ${links}
      where ${record} in (select value from json_each(${wanted}))`,
    // The first ids of each record, which the index (record, id) has in order.
    idsAfter: (after: number, limit: number) => {
      const firstOfRecord = sql`
        select ${id} as id
        from ${links}
        where ${record} = records.value and ${id} > ${after}
        order by ${id}
        limit ${limit}`
      return sql`
        select distinct linked.value as id
        from json_each(${wanted}) as records,
          json_each((select json_group_array(id) from (${firstOfRecord}))) as linked`
    },
  }
}

/**
 * The rows of a streamed response, page by page. The first page was read together with the authorization; each further
 * page is read when the rows before it are consumed.
 * @param size the size of a full page; a shorter page is the last one
 */
export async function* iteratePages<Row>(
  first: Row[],
  size: number,
  after: (last: Row) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let page = first; ; ) {
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < size) return
    page = await after(last)
  }
}
