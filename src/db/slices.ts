import type { BatchItem } from "drizzle-orm/batch"
import type { Database } from "./client.ts"

/** The maximum number of rows that one batch of a sweep writes, including index entries, cascades and triggers. */
const MAX_ROWS_WRITTEN = 5000
/** The maximum number of slices in one run. The next run, a minute later, continues. */
const MAX_SLICES = 10

/**
 * Runs a sweep in slices, one batch each, so that it never blocks other queries for long.
 * @param rowsWritten the maximum number of rows written for each affected row
 * @param slice a statement that affects at most `limit` rows and returns one row for each
 */
export async function runInSlices(
  db: Database,
  rowsWritten: number,
  slice: (limit: number) => BatchItem<"sqlite"> & { _: { result: unknown[] } },
): Promise<void> {
  const limit = Math.floor(MAX_ROWS_WRITTEN / rowsWritten)
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const [affected] = await db.batch([slice(limit)])
    if (affected.length < limit) return
  }
}
