import type { BatchItem } from "drizzle-orm/batch"
import type { Database } from "./client.ts"

/** How many rows one batch of a sweep writes at most, with index entries, cascades and the work of triggers. */
const MAX_ROWS_WRITTEN = 5000
/** How many slices one run of a sweep takes: the next run, a minute later, goes on. */
const MAX_SLICES = 10

/**
 * Does a sweep's work in slices, a batch each, so that no amount of it holds up everybody else's.
 * @param rowsWritten how many rows it writes at most for each row that it takes
 * @param slice a statement that takes at most `limit` rows, and returns one for each
 */
export async function runInSlices(
  db: Database,
  rowsWritten: number,
  slice: (limit: number) => BatchItem<"sqlite"> & { _: { result: unknown[] } },
): Promise<void> {
  const limit = Math.floor(MAX_ROWS_WRITTEN / rowsWritten)
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const [taken] = await db.batch([slice(limit)])
    if (taken.length < limit) return
  }
}
