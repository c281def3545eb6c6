import { type SQL, sql } from "drizzle-orm"
import type { Filter, TextSearch } from "./listing.ts"
import { allOf, inListOrder, rowsAfterCursor, type Scan } from "./scan.ts"

interface Search {
  text: TextSearch
  /** The search and the other filters; the first one with ids is read first. */
  searchFirst: Filter[]
  /** The same, with the ids of another filter first. */
  otherFirst: Filter[] | undefined
  /** The other filter with ids. */
  other: Filter | undefined
  /** The condition that the search finds fewer rows than the other filter matches. */
  isSearchSmaller: SQL | undefined
}

/**
 * Strategy for a full-text search. Sorting reads three rows for each match. A scan in the list's order, which tests
 * each row until the page is full, passes `rows / matches` for each row of the page. Few matches are therefore sorted.
 * With many matches the list is scanned, but no further than twice the expected distance: the matches may be at the end
 * of the list. Then they are sorted after all.
 */
export function searchOrScan(
  scan: Scan,
  { text: { upTo, rows }, searchFirst, otherFirst, other, isSearchSmaller }: Search,
): SQL {
  const { last, limit, offset } = scan
  const few = sql`(select few from bound)`
  const isFew = [
    sql`${upTo(few)} < ${few}`,
    ...(other ? [sql`(select count(*) from (select 1 from (${other.ids}) limit ${few})) < ${few}`] : []),
  ]
  const matches = sql`, ${allOf(searchFirst.map((filter) => filter.test))} as matches`
  const sorted = (filters: Filter[], way: string) => sql`
      select id, sort_key
      from (
        ${rowsAfterCursor(scan, filters)}
        ${inListOrder(scan)}
        limit iif((select taken from way) = ${way}, ${limit}, 0) offset ${offset}
      )`
  return sql`
      with bound(few) as materialized (select cast(sqrt(${rows} * ${last} / 3.0) as integer) + 1),
      choice(is_few) as materialized (select ${sql.join(isFew, sql` or `)}),
      scanned(id, sort_key) as materialized (
        select id, sort_key
        from (
          ${rowsAfterCursor(scan, [], matches)}
          ${inListOrder(scan)}
          limit iif((select is_few from choice), 0, 6 * ${few} + ${last})
        )
        where matches
        limit ${limit} offset ${offset}
      ),
      way(taken) as materialized (
        select case
          when not (select is_few from choice) and (select count(*) from scanned) = ${limit} then 'scan'
          when ${isSearchSmaller ?? sql`1`} then 'search'
          else 'other'
        end
      )
      select id, sort_key from scanned where (select taken from way) = 'scan'
      union all
      ${sorted(searchFirst, "search")}
      ${otherFirst ? sql`union all ${sorted(otherFirst, "other")}` : sql``}`
}
