import type { BatchItem } from "drizzle-orm/batch"
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1"
import type { PreparedQuery } from "drizzle-orm/session"
import { retryFailedBatch } from "./database-errors.ts"
import { withTimeout } from "./timeout.ts"

/** A statement as it is sent. */
interface Query {
  sql: string
  params: unknown[]
}

/** Drizzle prepares each statement on its client, and only `batch` runs any. */
const CLIENT = { prepare: () => undefined } as unknown as D1Database

/** A session whose first trip goes to the primary. */
const PRIMARY = "first-primary"

/** A question that the next batch answers before its own statements. */
export interface BatchCheck {
  statement: BatchItem<"sqlite">
  /** @throws an error that takes the place of the batch's results */
  verify(rows: unknown[]): void
}

export type Database = DrizzleD1Database & {
  /** Round trips and statements so far, and what D1 said of the last trip. Rows are counted by `withMeter` bindings. */
  readonly meter: { trips: number; queries: number; served?: D1Meta }
  bookmark(): string | null
  /** The next trip begins a session of its own, at the primary: it sees whatever has landed. */
  renew(): void
  /** Adds a question to the next batch, which must only read. The last one added is answered first. */
  check(question: BatchCheck): void
  /** Answers by itself what no batch has answered yet. @throws what the questions do */
  settleChecks(): Promise<void>
}

/**
 * A Drizzle instance over a D1 session that counts its trips. A trip that fails is seen to in faults.ts.
 * @param constraint a bookmark of the caller's, `first-unconstrained` for the nearest replica, or `first-primary`.
 */
export function openDatabase(binding: D1Database, constraint: string): Database {
  let session = binding.withSession(constraint)
  let atPrimary = constraint === PRIMARY
  const meter: Database["meter"] = { trips: 0, queries: 0 }
  const renew = () => {
    session = binding.withSession(PRIMARY)
    atPrimary = true
  }
  const send = async (queries: Query[]) => {
    meter.queries += queries.length
    const results = await withTimeout(
      session.batch(queries.map(({ sql, params }) => session.prepare(sql).bind(...params))),
    )
    meter.trips++
    const [first] = results
    if (first) meter.served = first.meta
    return results
  }
  const trip = async (queries: Query[]) => {
    try {
      return await send(queries)
    } catch (error) {
      const again = () => {
        renew()
        return send(queries)
      }
      return retryFailedBatch(error, { queries, again, atPrimary })
    }
  }
  // Statements run through `batch` alone, which is what is counted: running one by itself is a lint error
  // (test/platform/conventions.test.ts).
  const orm = drizzle(CLIENT)
  const runBatch = async (statements: readonly BatchItem<"sqlite">[]) => {
    const prepared = statements.map((statement) => (statement as unknown as { _prepare(): PreparedQuery })._prepare())
    const results = await trip(prepared.map((query) => query.getQuery()))
    return results.map((result, at) => prepared[at]?.mapResult(result, true))
  }
  const checks: BatchCheck[] = []
  const batch = async (statements: readonly BatchItem<"sqlite">[]) => {
    const asked = checks.splice(0)
    const results = await runBatch([...asked.map(({ statement }) => statement), ...statements])
    for (const [at, { verify }] of asked.entries()) verify(results[at] as unknown[])
    return results.slice(asked.length)
  }
  return Object.assign(orm, {
    meter,
    renew,
    batch: batch as Database["batch"],
    check: (question: BatchCheck) => void checks.unshift(question),
    settleChecks: async () => {
      if (checks.length > 0) await batch([])
    },
    bookmark: () => session.getBookmark(),
  })
}

/** The first row of a statement's result. @throws when there is none: the statement was to return one. */
export function one<T>(rows: T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error("A statement that returns a row returned none.")
  return row
}
