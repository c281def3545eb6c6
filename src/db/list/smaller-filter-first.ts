import { type SQL, sql } from "drizzle-orm"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import type { Filter, Listing, TextSearch } from "./listing.ts"
import { firstRows, type Scan } from "./scan.ts"

/** A search with fewer matches than this comes first, and the matches of the other filter are not counted. */
const SMALL_SEARCH = 1000

/** The condition that a search finds fewer rows than another filter with ids matches. */
export function searchIsSmaller<F extends SelectedFields>(
  { upTo }: TextSearch,
  other: Filter,
  { scope, total }: Listing<F>,
): SQL {
  // A match of the search is looked up and tested with an index; a match of the other filter is only looked up.
  const within = (matches: SQL) => sql`3 * ${upTo(matches)} < 2 * ${matches}`
  if (total && scope.includes(other)) return within(total)
  return sql`iif(${upTo(SMALL_SEARCH)} < ${SMALL_SEARCH}, 1, ${within(sql`(select count(*) from (${other.ids}))`)})`
}

/** Strategy for a search and another filter with ids: the smaller one is read, and the other one tests its rows. */
export const smallerFilterFirst = (
  scan: Scan,
  isSearchSmaller: SQL,
  { searchFirst, otherFirst }: { searchFirst: Filter[]; otherFirst: Filter[] },
): SQL => sql`
        with choice(is_smaller) as materialized (select ${isSearchSmaller})
        ${firstRows(scan, searchFirst, sql`(select is_smaller from choice)`)}
        union all
        ${firstRows(scan, otherFirst, sql`not (select is_smaller from choice)`)}`
