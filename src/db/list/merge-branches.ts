import { type SQL, sql } from "drizzle-orm"
import type { Filter } from "./listing.ts"
import { firstRows, type Scan } from "./scan.ts"

/** D1 allows five terms in a compound SELECT. */
const MAX_TERMS = 5

const unionAll = (terms: SQL[]): SQL => sql.join(terms, sql` union all `)

/** Strategy: each branch of a filter is read in the order of its own index, and the branches are merged. */
export function mergeBranches(scan: Scan, branches: Filter[], others: Filter[]): SQL {
  const terms = branches.map((branch) => firstRows(scan, [branch, ...others], branch.when))
  if (terms.length <= MAX_TERMS) return unionAll(terms)
  const parts = Array.from({ length: Math.ceil(terms.length / MAX_TERMS) }, (_, at) =>
    unionAll(terms.slice(at * MAX_TERMS, (at + 1) * MAX_TERMS)),
  )
  return unionAll(parts.map((part) => sql`select id, sort_key from (${part})`))
}
