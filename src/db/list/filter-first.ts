import { type SQL, sql } from "drizzle-orm"
import type { Filter, PageQuery } from "./listing.ts"

/**
 * Strategy for a filter with a known number of matches. Few matches are read by id and sorted. With many, the list is
 * scanned in its order until the page is full. The cheaper one is chosen, so neither reads the whole table.
 * @param branches the branches of the scan, if the indexes of the order are per branch
 */
export function filterFirstOrScan(
  { test, ids, count, total }: { test: SQL; ids: SQL; count: SQL; total: SQL },
  { page_size, page_number }: PageQuery,
  branches: Filter[] = [{ test: sql`1` }],
): Filter {
  // Sorting reads all `count` matches; a scan passes some `total / count` rows for each row of the page.
  const isFew = sql`(select n * n < ${total} * ${page_size * page_number} from (select ${count} as n))`
  return {
    test,
    allIds: ids,
    branches: [
      { test: sql`1`, ids, when: isFew },
      ...branches.map((branch) => ({ test: sql`${test} and ${branch.test}`, when: sql`not ${isFew}` })),
    ],
  }
}
