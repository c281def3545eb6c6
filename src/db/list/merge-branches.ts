import { type SQL, sql } from "drizzle-orm"
import type { Filter } from "./listing.ts"
import { firstRows, type Scan } from "./scan.ts"

/** Strategy: each branch of a filter is read in the order of its own index, and the branches are merged. */
export const mergeBranches = (scan: Scan, branches: Filter[], others: Filter[]): SQL =>
  sql.join(
    branches.map((branch) => firstRows(scan, [branch, ...others], branch.when)),
    sql` union all `,
  )
