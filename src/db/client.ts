import type { BatchItem } from "drizzle-orm/batch"
import { DrizzleD1Database, SQLiteD1Session } from "drizzle-orm/d1"
import type { PreparedQuery } from "drizzle-orm/session"
import { retryFailedBatch } from "./database-errors.ts"
import { dialect } from "./dialect.ts"
import { shareParameters } from "./parameters.ts"
import { withTimeout } from "./timeout.ts"

/** A statement as it is sent. */
interface Query {
  sql: string
  params: unknown[]
}

/** Drizzle prepares each statement on its client, and only `batch` runs any. */
const CLIENT = { prepare: () => undefined } as unknown as D1Database

/** Builds statements for every request. Only the `batch` of a `Database` runs any. */
export const statementBuilder: DrizzleD1Database = new DrizzleD1Database(
  "async",
  dialect,
  new SQLiteD1Session(CLIENT, dialect, undefined),
  undefined,
)

/** A session that starts at the primary. */
const PRIMARY = "first-primary"

/** A read-only statement that runs in the next batch, before the batch's own statements. */
export interface BatchCheck {
  statement: BatchItem<"sqlite">
  /** @throws an error, instead of returning the batch's results */
  verify(rows: unknown[]): void
}

export type Database = DrizzleD1Database & {
  /** The number of round trips and statements, and D1's metadata of the last round trip. `withMeter` counts rows. */
  readonly meter: { trips: number; queries: number; served?: D1Meta }
  bookmark(): string | null
  /** Starts a new session at the primary with the next round trip, which then sees every committed change. */
  restartAtPrimary(): void
  /** Adds a check to the next batch. The last one added runs first. */
  addCheck(check: BatchCheck): void
  /** Runs the checks that no batch has run yet. @throws the errors of the checks */
  runChecks(): Promise<void>
}

/**
 * Opens a Drizzle instance over a D1 session that counts round trips and retries reads (database-errors.ts).
 * @param constraint a bookmark from the caller, `first-unconstrained` for the nearest replica, or `first-primary`
 */
export function openDatabase(binding: D1Database, constraint: string): Database {
  let session = binding.withSession(constraint)
  let atPrimary = constraint === PRIMARY
  const meter: Database["meter"] = { trips: 0, queries: 0 }
  const restartAtPrimary = () => {
    session = binding.withSession(PRIMARY)
    atPrimary = true
  }
  const send = async (queries: Query[]) => {
    meter.queries += queries.length
    const results = await withTimeout(
      session.batch(queries.map(shareParameters).map(({ sql, params }) => session.prepare(sql).bind(...params))),
    )
    meter.trips++
    const [first] = results
    if (first) meter.served = first.meta
    return results
  }
  const sendWithRetry = async (queries: Query[]) => {
    try {
      return await send(queries)
    } catch (error) {
      const again = () => {
        restartAtPrimary()
        return send(queries)
      }
      return retryFailedBatch(error, { queries, again, atPrimary })
    }
  }
  // Statements run only through `batch`, which counts them. Running one directly is a lint error
  // (test/platform/conventions.test.ts).
  const runBatch = async (statements: readonly BatchItem<"sqlite">[]) => {
    const prepared = statements.map((statement) => (statement as unknown as { _prepare(): PreparedQuery })._prepare())
    const results = await sendWithRetry(prepared.map((query) => query.getQuery()))
    return results.map((result, at) => prepared[at]?.mapResult(result, true))
  }
  const checks: BatchCheck[] = []
  const batch = async (statements: readonly BatchItem<"sqlite">[]) => {
    const pending = checks.splice(0)
    const results = await runBatch([...pending.map(({ statement }) => statement), ...statements])
    for (const [at, { verify }] of pending.entries()) verify(results[at] as unknown[])
    return results.slice(pending.length)
  }
  return Object.assign(Object.create(statementBuilder) as typeof statementBuilder, {
    meter,
    restartAtPrimary,
    batch: batch as Database["batch"],
    addCheck: (check: BatchCheck) => void checks.unshift(check),
    runChecks: async () => {
      if (checks.length > 0) await batch([])
    },
    bookmark: () => session.getBookmark(),
  })
}

/** The first row of a result. @throws if there is none */
export function firstRow<T>(rows: T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error("A statement returned no row.")
  return row
}
