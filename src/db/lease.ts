import { type AnyColumn, and, eq, lte, type SQL, sql } from "drizzle-orm"
import { MINUTE } from "../lib/clock.ts"
import { ApiError } from "../lib/errors.ts"
import type { Database } from "./client.ts"
import { backoff, isRetryable } from "./database-errors.ts"

// A row that one consumer works on at a time. Whoever begins writes a token of its own on it: of two deliveries of a
// message the second finds nothing to take, and what a consumer writes that has lost the row changes nothing.

/** How long a row waits for a consumer before it is queued again. */
export const REQUEUE_DELAY_MS = MINUTE

interface LeaseColumns {
  id: AnyColumn
  /** Holds the token of whoever works on the row. */
  lease: AnyColumn
  /** How often a consumer has begun. */
  attempts: AnyColumn
  /** `processing` while there is anything to do. */
  status: AnyColumn
  /** 0: nobody's yet, or any more; less: nobody's since then, negated. */
  leaseUntil: AnyColumn
  /** When the sweep looks after the row; null: never. */
  dueAt: AnyColumn
}

/**
 * A hold on a row that lasts for as long as it is renewed; then another takes over.
 * @param lasts how long a consumer may be silent, in ms
 */
export function createLease({ id, lease, attempts, status, leaseUntil, dueAt }: LeaseColumns, lasts: number) {
  const until = (at: number) => ({ leaseUntil: at + lasts, dueAt: at + lasts })
  const idle = (at: number) => and(eq(status, "processing"), lte(leaseUntil, at))
  return {
    newToken: () => crypto.randomUUID(),
    /** The condition that nobody works on a row: it never began, its consumer gave it back, or its consumer died. */
    idle,
    /** Such a row that is due. */
    waits: (at: number) => and(idle(at), lte(dueAt, at)),
    /** The condition that as many consumers as may have begun on a row. */
    spent: (most: number) => sql`${attempts} >= ${most}`,
    /** The condition that a row is held by whoever has the token, and is still to be done. */
    heldBy: (row: number | string, token: string): SQL =>
      sql`${id} = ${row} and ${lease} = ${token} and ${leaseUntil} > 0 and ${status} = 'processing'`,
    taken: (token: string, at: number) => ({ lease: token, attempts: sql`${attempts} + 1`, ...until(at) }),
    renewed: until,
    /** Given back, for another to take. The negative tells since when it has been nobody's. @param due as `dueAt` */
    released: (at: number, due: number) => ({ leaseUntil: -at, dueAt: due }),
    /** Queued again: not due until a consumer has had its time to begin. */
    queued: (at: number) => ({ dueAt: at + REQUEUE_DELAY_MS }),
    /** There is nothing left to look after. */
    over: { lease: null, leaseUntil: 0, dueAt: null },
  }
}

/**
 * Sends a consumer's batch, and once more when its answer was lost.
 * @param send a batch that does nothing more when it has landed before
 */
export async function retryOnce<T>(db: Database, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!isRetryable(error)) throw error
    db.renew()
    await backoff()
    return send()
  }
}

/** Sends a message. Should the queue be out of reach, the row that it names waits for the sweep. */
export async function enqueue(queue: Queue, event: string, message: object, options?: QueueSendOptions): Promise<void> {
  try {
    await queue.send(message, options)
  } catch (error) {
    console.error(JSON.stringify({ event, ...message, error: String(error) }))
  }
}
