import { ApiError } from "../lib/errors.ts"
import { TimeoutError } from "./timeout.ts"

// The errors that Cloudflare documents for D1, and timeouts.
// docs/operations/reliability.md describes how each is handled.

/**
 * - `behind`: a table or column is missing, as on a replica that a migration has not reached yet.
 * - `unreached`: the database was not reached. Nothing was written.
 * - `refused`: the database is overloaded or locked and did not run the batch. Nothing was written.
 * - `lost`: the response was lost. The batch may have been committed.
 * - `exhausted`: the batch, or another one, exceeded memory or CPU time. The batch may have been committed.
 * - `silent`: no response within the timeout. The batch may have been committed, or may still run.
 */
export type DatabaseErrorKind = "behind" | "unreached" | "refused" | "lost" | "exhausted" | "silent"

/** The messages of each kind: D1 has no error codes. */
const MESSAGES: [DatabaseErrorKind, RegExp][] = [
  ["behind", /no such (table|column)/],
  [
    "refused",
    // An import locks the database; in development, so does another process that writes to its file.
    /D1 DB is overloaded|too many requests queued|queued for too long|long-running (im|ex)port|database is locked/i,
  ],
  ["unreached", /Cannot resolve D1 DB|Internal error while starting up D1 DB storage/],
  ["exhausted", /exceeded its (memory|CPU time) limit/],
  [
    "lost",
    new RegExp(
      [
        "Network connection lost",
        "Internal error in D1 DB storage",
        "D1 DB reset because its code was updated",
        "D1 DB storage operation exceeded timeout",
        "client disconnected",
        "object to be reset",
        "internal error",
      ].join("|"),
      "i",
    ),
  ],
]

/** The kind of a D1 error; undefined for other errors, such as constraint violations. */
export function databaseErrorKind(error: unknown): DatabaseErrorKind | undefined {
  if (error instanceof TimeoutError) return "silent"
  const message = error instanceof Error ? `${error.message} ${error.cause ?? ""}` : String(error)
  return MESSAGES.find(([, test]) => test.test(message))?.[0]
}

/** Seconds before a retry: random, and longer if the database is overloaded. */
const retryAfter = (kind: DatabaseErrorKind) => String((kind === "refused" ? 5 : 1) + Math.floor(Math.random() * 5))

/** 503: a D1 error after which nothing was written. */
export class DatabaseError extends ApiError {
  readonly kind: DatabaseErrorKind

  constructor(kind: DatabaseErrorKind, cause: unknown) {
    super(
      "unavailable",
      `The database is ${kind === "refused" ? "overloaded" : "unavailable"} right now. ` +
        "Nothing was changed. Retry after the number of seconds in Retry-After.",
      { headers: { "retry-after": retryAfter(kind) } },
    )
    this.kind = kind
    this.cause = cause
  }
}

/** Whether the same batch may be sent again immediately. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.kind === "lost" || error.kind === "unreached")

/** 503: it is unknown whether the change was committed. */
export const outcomeUnknown = (kind: DatabaseErrorKind) =>
  new ApiError(
    "outcome_unknown",
    "The database did not respond, so it is unknown whether the change was saved. Repeat the request with the same " +
      "Idempotency-Key if it had one. Otherwise check first whether the change was saved.",
    { headers: { "retry-after": retryAfter(kind) } },
  )

/** A short random wait before a retry, so that calls that failed together do not retry together. In ms. */
export const backoff = () => scheduler.wait(50 + Math.random() * 100)

/** A repeated draw of ids is harmless: unused ids leave gaps. */
const DRAWS_IDS = /^(with .*)?insert into "sequences"/s
const isReadOnly = (sql: string) =>
  DRAWS_IDS.test(sql) || (/^\s*(select|with)\b/i.test(sql) && !/\b(insert into|update|delete from)\b/i.test(sql))

interface FailedBatch<T> {
  queries: readonly { sql: string }[]
  /** Sends the batch again in a new session at the primary. */
  again: () => Promise<T>
  /** Whether the failed batch was sent to the primary. */
  atPrimary: boolean
}

/**
 * Handles a failed batch. A read is repeated at the primary if a replica lacked a column, or once if its response was
 * lost.
 * @throws DatabaseError; the error itself if it is not a D1 error
 */
export async function retryFailedBatch<T>(error: unknown, { queries, again, atPrimary }: FailedBatch<T>): Promise<T> {
  const kind = databaseErrorKind(error)
  if (!kind) throw error
  const isRead = queries.every(({ sql }) => isReadOnly(sql))
  if (kind === "behind" && (atPrimary || !isRead)) throw error
  console.error(JSON.stringify({ event: "database fault", kind, read: isRead, error: String(error) }))
  if (!isRead || (kind !== "behind" && kind !== "lost" && kind !== "unreached")) throw new DatabaseError(kind, error)
  if (kind !== "behind") await backoff()
  try {
    return await again()
  } catch (second) {
    const other = databaseErrorKind(second)
    if (!other || other === "behind") throw second
    throw new DatabaseError(other, second)
  }
}
