import { type AnyColumn, and, type SQL, sql } from "drizzle-orm"
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core"
import { type Database, firstRow } from "./client.ts"
import type { Filter } from "./list.ts"
import type { RowOf } from "./rows.ts"

// A walk through a table, or a part of it, page by page in the order of its key: what exports read by. A page continues
// from a key, so it costs the same however far the walk has come, and rows that come and go in between make no other
// row be repeated or skipped.

export interface Walk<F extends SelectedFields> {
  table: SQLiteTable
  /** The table's integer primary key. */
  key: AnyColumn
  fields: F
  /** What narrows the walk. The first filter that knows its ids leads, and the others test what it finds. */
  filters: Filter[]
  /** How many keys the walk passes, where a counter keeps it; else they are counted. */
  total?: SQL<number> | undefined
}

/** One page of a walk. */
export interface Stretch<Row> {
  rows: Row[]
  /** Where the next page continues; undefined at the end of the walk. */
  next: number | undefined
  /** How many keys the page passed, with those whose rows a filter refused. */
  passed: number
}

const every = (filters: Filter[]): SQL => and(...filters.map((filter) => filter.test)) ?? sql`1`

/** How many keys the walk passes from end to end. */
export function walkLength<F extends SelectedFields>({ table, filters, total }: Walk<F>): SQL<number> {
  const lead = filters.find((filter) => filter.ids)
  if (total) return total
  if (lead?.text) return lead.text.count
  return sql<number>`(select count(*) from ${lead ? sql`(${lead.ids})` : sql`${table} where ${every(filters)}`})`
}

/**
 * Builds the statements of one page: the keys that it passes, at most `limit`, and the rows found there.
 * @param after the key where the page before it ended; 0 at the start
 */
export function stretch<F extends SelectedFields>(db: Database, walk: Walk<F>, after: number, limit: number) {
  const { table, key, filters } = walk
  const lead = filters.find((filter) => filter.ids)
  const tests = every(filters.filter((filter) => filter !== lead))
  // What leads is read as it stands, and its rows are tested below: so a page ends after `limit` keys, found or not.
  const keys = lead
    ? sql`(
        select id from (${lead.idsAfter?.(after, limit) ?? lead.ids})
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
    .select({ ...walk.fields, walk_key: sql<number>`page.id`.as("walk_key") })
    .from(table)
    .innerJoin(sql`${keys} as page`, lead ? sql`${key} = page.id and ${tests}` : sql`${key} = page.id`)
    .orderBy(sql`page.id`)

  /** Reads the two statements' results. */
  const read = (ended: { last: number | null; passed: number }[], found: unknown[]): Stretch<RowOf<F>> => {
    const { last, passed } = firstRow(ended)
    return { rows: found as RowOf<F>[], next: last !== null && passed === limit ? last : undefined, passed }
  }
  return { statements: [ends, rows] as const, read }
}

/** The ids that a link table has for any of several records, each once: a filter's `ids` and `idsAfter`. */
export function linkedTo(links: SQLiteTable, id: AnyColumn, record: AnyColumn, records: readonly number[]) {
  const wanted = JSON.stringify(records)
  return {
    ids: sql`
      select distinct ${id} as id
      from ${links}
      where ${record} in (select value from json_each(${wanted}))`,
    // Of each record's own list the first few, which its index (record, id) has in order.
    idsAfter: (after: number, limit: number) => {
      const fewOfRecord = sql`
        select ${id} as id
        from ${links}
        where ${record} = records.value and ${id} > ${after}
        order by ${id}
        limit ${limit}`
      return sql`
        select distinct linked.value as id
        from json_each(${wanted}) as records,
          json_each((select json_group_array(id) from (${fewOfRecord}))) as linked`
    },
  }
}

/**
 * Rows page by page, for an answer that is streamed: the first page came with the trip that judged the call, each
 * further one is read when the rows before it are taken.
 * @param size of a full page: after a shorter one there is nothing
 */
export async function* pageByPage<Row>(
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
