import { ERASED_IS_FINAL } from "../../drizzle/schema/erasures.ts"
import { now, SECOND } from "../lib/clock.ts"
import { ApiError } from "../lib/errors.ts"
import type { Database } from "./client.ts"
import { erasedError } from "./erased-users.ts"

/** The errors to throw when a unique index refuses a batch, by the index's first column: `users.email`. */
export type UniqueErrors = Record<string, () => ApiError>

/** The errors to throw when a trigger refuses a batch, by the trigger's message. */
export type RefusalErrors = Record<string, () => ApiError>

/** The errors to throw when D1 refuses a batch. */
export interface CommitErrors {
  unique?: UniqueErrors
  refused?: RefusalErrors
  /** If a `guard` fails. Default: ConflictError. */
  guardError?: () => ApiError
}

/** 409: another call changed what this one had read. `retryOnConflict` runs the mutation again. */
export class ConflictError extends ApiError {
  constructor(message = "The records changed while this request ran. Nothing was changed. Repeat the request.") {
    super("conflict", message)
  }
}

/** How long a mutation is retried, and the number of its queries: D1 allows 1,000 per invocation. */
const MAX_RETRYING_MS = 30 * SECOND
const MAX_QUERIES = 900
const MAX_BACKOFF_MS = 2 * SECOND

/**
 * Runs a mutation again when another call changed what it had read. Random, increasing delays let many parallel calls
 * for one record all succeed.
 * @throws ConflictError after the last run
 */
export async function retryOnConflict<A>(db: Database, run: () => Promise<A>): Promise<A> {
  const until = now() + MAX_RETRYING_MS
  for (let runs = 1; ; runs++) {
    const before = db.meter.queries
    try {
      return await run()
    } catch (error) {
      const { queries } = db.meter
      const isExhausted = queries + (queries - before) > MAX_QUERIES || now() > until
      if (!(error instanceof ConflictError) || isExhausted) throw error
    }
    await scheduler.wait(Math.random() * Math.min(MAX_BACKOFF_MS, 50 * 2 ** runs))
    // The primary has the other call's change; a replica may not have it yet.
    db.restartAtPrimary()
  }
}

/** D1's message, from the error or its causes. */
export function databaseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? `${error.message} ${databaseMessage(error.cause)}` : error.message
}

/** The error to throw for a batch that D1 refused. */
export function commitError(
  error: unknown,
  { unique = {}, refused = {}, guardError: overtaken }: CommitErrors,
): unknown {
  const message = databaseMessage(error)
  if (message.includes("CHECK constraint failed: guard")) return overtaken?.() ?? new ConflictError()
  for (const [refusal, refusalError] of Object.entries(refused)) if (message.includes(refusal)) return refusalError()
  for (const [column, uniqueError] of Object.entries(unique))
    if (message.includes(`UNIQUE constraint failed: ${column}`)) return uniqueError()
  if (message.includes(ERASED_IS_FINAL)) return erasedError()
  // The call has read the records that it refers to, so a missing one was deleted in between.
  if (message.includes("FOREIGN KEY constraint failed"))
    return new ConflictError("A record was deleted while this request ran. Nothing was changed. Repeat the request.")
  return error
}

/** Stores references to uploaded files. If that fails, deletes the files, unless the outcome is unknown. */
export async function withCleanup<T>(deleteFiles: () => Promise<unknown>, store: () => Promise<T>): Promise<T> {
  try {
    return await store()
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "outcome_unknown")) await deleteFiles()
    throw error
  }
}
