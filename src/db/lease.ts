import { type AnyColumn, and, eq, lte, type SQL, sql } from "drizzle-orm"
import { MINUTE } from "../lib/clock.ts"
import { ApiError } from "../lib/errors.ts"
import type { Database } from "./client.ts"
import { backoff, isRetryable } from "./database-errors.ts"

// A lease lets one consumer at a time work on a row. A consumer writes its token to the row: a second delivery of the
// same message finds no free row, and writes of a consumer that lost its lease have no effect.

/** How long a row waits for a consumer before it is queued again. */
export const REQUEUE_DELAY_MS = MINUTE

interface LeaseColumns {
  id: AnyColumn
  /** The token of the consumer that works on the row. */
  lease: AnyColumn
  /** The number of consumers that have started. */
  attempts: AnyColumn
  /** `processing` until the work is complete. */
  status: AnyColumn
  /** 0: free. Negative: free since that time. */
  leaseUntil: AnyColumn
  /** When the cron checks the row; null: never. */
  dueAt: AnyColumn
}

/**
 * Creates the SQL of a lease, which expires unless it is renewed.
 * @param duration how long a consumer may go without renewing, in ms
 */
export function createLease({ id, lease, attempts, status, leaseUntil, dueAt }: LeaseColumns, duration: number) {
  const until = (at: number) => ({ leaseUntil: at + duration, dueAt: at + duration })
  const idle = (at: number) => and(eq(status, "processing"), lte(leaseUntil, at))
  return {
    newToken: () => crypto.randomUUID(),
    /** The condition that a row is free: no consumer has started, or the last one released it or stopped. */
    idle,
    /** The condition that a row is free and due. */
    waits: (at: number) => and(idle(at), lte(dueAt, at)),
    /** The condition that the maximum number of consumers has started on a row. */
    spent: (maxAttempts: number) => sql`${attempts} >= ${maxAttempts}`,
    /** The condition that the consumer with the token holds the lease, and work remains. */
    heldBy: (row: number | string, token: string): SQL =>
      sql`${id} = ${row} and ${lease} = ${token} and ${leaseUntil} > 0 and ${status} = 'processing'`,
    taken: (token: string, at: number) => ({ lease: token, attempts: sql`${attempts} + 1`, ...until(at) }),
    renewed: until,
    /** Releases the row. The negative value records since when it is free. @param due the value of `dueAt` */
    released: (at: number, due: number) => ({ leaseUntil: -at, dueAt: due }),
    /** Queued again: due only after a consumer has had time to start. */
    queued: (at: number) => ({ dueAt: at + REQUEUE_DELAY_MS }),
    /** No work is left. */
    over: { lease: null, leaseUntil: 0, dueAt: null },
  }
}

/**
 * Sends a consumer's batch, and again if its response was lost.
 * @param send a batch that has no further effect if it was committed before
 */
export async function retryOnce<T>(db: Database, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!isRetryable(error)) throw error
    db.restartAtPrimary()
    await backoff()
    return send()
  }
}

/** Sends a message. If the queue is unavailable, the cron finds the row later. */
export async function enqueue(queue: Queue, event: string, message: object, options?: QueueSendOptions): Promise<void> {
  try {
    await queue.send(message, options)
  } catch (error) {
    console.error(JSON.stringify({ event, ...message, error: String(error) }))
  }
}
