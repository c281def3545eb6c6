import { ApiError } from "../lib/errors.ts"
import { TimeoutError } from "./timeout.ts"

// What D1 does besides answering: the errors that Cloudflare documents for it, and silence.
// What is done about each: docs/operations/reliability.md.

/**
 * - `behind`: a table or column is missing, as on a replica that a migration has not reached.
 * - `unreached`: the database was not asked. Nothing was written.
 * - `refused`: it is overloaded, or in the hands of another program, and did not run the batch. Nothing was written.
 * - `lost`: the answer did not come. What was to be written may be.
 * - `exhausted`: the batch, or another beside it, took too much memory or time. What was to be written may be.
 * - `silent`: nothing came for as long as a trip may take. What was to be written may be, or may still come to be.
 */
export type DatabaseErrorKind = "behind" | "unreached" | "refused" | "lost" | "exhausted" | "silent"

/** D1's words for each, by which alone it tells them apart. */
const WORDS: [DatabaseErrorKind, RegExp][] = [
  ["behind", /no such (table|column)/],
  [
    "refused",
    // An import has the database to itself, as has, on a developer's machine, whoever writes into its file.
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

/** What kind of fault an error is; undefined: none of D1's, but ours or a constraint's. */
export function databaseErrorKind(error: unknown): DatabaseErrorKind | undefined {
  if (error instanceof TimeoutError) return "silent"
  const words = error instanceof Error ? `${error.message} ${error.cause ?? ""}` : String(error)
  return WORDS.find(([, test]) => test.test(words))?.[0]
}

/** After how many seconds to try again: not all at once, and later where there are too many already. */
const retryAfter = (kind: DatabaseErrorKind) => String((kind === "refused" ? 5 : 1) + Math.floor(Math.random() * 5))

/** 503: a fault of D1's, after which nothing is written by the call. */
export class DatabaseError extends ApiError {
  readonly kind: DatabaseErrorKind

  constructor(kind: DatabaseErrorKind, cause: unknown) {
    super(
      "unavailable",
      `The database ${kind === "refused" ? "has too much to do" : "is out of reach"} right now. ` +
        "Nothing was changed by this call. Repeat it after the seconds in Retry-After.",
      { headers: { "retry-after": retryAfter(kind) } },
    )
    this.kind = kind
    this.cause = cause
  }
}

/** Is it a fault after which the same may be asked again at once? */
export const isRetryable = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.kind === "lost" || error.kind === "unreached")

/** 503: whether the call's change was made cannot be told. */
export const outcomeUnknown = (kind: DatabaseErrorKind) =>
  new ApiError(
    "outcome_unknown",
    "The database did not answer: whether this was done cannot be told. Repeat the call with the same " +
      "Idempotency-Key if it had one: it is done once. Otherwise look first whether it was done.",
    { headers: { "retry-after": retryAfter(kind) } },
  )

/** A moment before a second try, so that those who failed together do not come back together. In ms. */
export const backoff = () => scheduler.wait(50 + Math.random() * 100)

/** A write that is sent again does no harm, for the ids of `sequences` that nobody uses are missed by nobody. */
const DRAWS = /^insert into "sequences"/
const reads = (sql: string) =>
  DRAWS.test(sql) || (/^\s*(select|with)\b/i.test(sql) && !/\b(insert into|update|delete from)\b/i.test(sql))

interface Trip<T> {
  queries: readonly { sql: string }[]
  /** Sends the batch again, in a session of its own that begins at the primary. */
  again: () => Promise<T>
  /** Whether what failed was asked of the primary. */
  atPrimary: boolean
}

/**
 * What becomes of a trip that failed. A read that a replica could not answer is asked of the primary; one whose answer
 * was lost is asked once more.
 * @throws DatabaseError; the error itself where it is no fault of D1's
 */
export async function retryFailedBatch<T>(error: unknown, { queries, again, atPrimary }: Trip<T>): Promise<T> {
  const kind = databaseErrorKind(error)
  if (!kind) throw error
  const isRead = queries.every(({ sql }) => reads(sql))
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
