import { type SQL, sql } from "drizzle-orm"
import type { Filter } from "./listing.ts"
import type { Scan } from "./scan.ts"

/** Strategy: the only filter merges many ranges of an index in the list's order. */
export const mergeRanges = (
  { table, key, sortBy, ascending, cursor, last }: Scan,
  ranges: NonNullable<Filter["mergeRanges"]>,
): SQL => sql`
        select ${key} as id, ${sortBy} as sort_key
        from (${ranges({ ascending, afterId: cursor?.i, limit: sql`${last}` })}) as found
        cross join ${table} on ${key} = found.id`
