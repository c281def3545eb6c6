import { type SQL, sql } from "drizzle-orm"
import type { BatchItem } from "drizzle-orm/batch"
import type { ApiError } from "../lib/errors.ts"
import type { Database } from "./client.ts"
import { backoff, DatabaseError, outcomeUnknown } from "./database-errors.ts"
import { SINGLE_ROW } from "./sql.ts"
import { listeningWebhooks } from "./webhook-listeners.ts"

// Resolves the outcome of a batch whose response was lost. Loaded when first needed.

/** The last result of the batch: the webhooks to wake. */
type WebhookIds = { id: number }[]
type Statement = BatchItem<"sqlite">

interface UnknownBatch {
  db: Database
  /** Makes a batch fail unless a condition is true. */
  guard: (condition: SQL) => Statement
  /** The batch as it was sent. */
  batch: [Statement, ...Statement[]]
  /** The condition that the batch was committed. */
  isCommitted: () => SQL
}

/**
 * Makes sure that a batch is committed exactly once. If its response was lost, it is sent again with a guard that it
 * is not committed. D1 runs batches in order, so the first one has ended by then.
 * @throws the fault if nothing was written; 503 `outcome_unknown` if the outcome cannot be determined; the second
 * batch's own error
 */
export async function resolveUnknownOutcome(
  fault: ApiError,
  { db, guard, batch, isCommitted }: UnknownBatch,
): Promise<WebhookIds> {
  if (!(fault instanceof DatabaseError) || fault.kind === "refused") throw fault
  const checkOutcome = async (error: unknown) => {
    const question = db.select({ isCommitted: sql<number>`${isCommitted()}`.as("isCommitted") }).from(SINGLE_ROW)
    const [[row], webhooks] = await db.batch([question, listeningWebhooks()]).catch(() => {
      throw outcomeUnknown(fault.kind)
    })
    if (row?.isCommitted) return webhooks
    throw error
  }

  db.restartAtPrimary()
  // D1 may still run the batch later, so a check now proves nothing.
  if (fault.kind === "silent") throw outcomeUnknown(fault.kind)
  if (fault.kind === "exhausted") return checkOutcome(fault)
  await backoff()
  try {
    const results: unknown[] = await db.batch([guard(sql`not (${isCommitted()})`), ...batch])
    return results.at(-1) as WebhookIds
  } catch (second) {
    const neverSent = fault.kind === "unreached"
    if (!(second instanceof DatabaseError)) {
      if (neverSent) throw second
      return checkOutcome(second)
    }
    if (neverSent && (second.kind === "unreached" || second.kind === "refused")) throw second
    db.restartAtPrimary()
    if (second.kind === "silent") throw outcomeUnknown(second.kind)
    return checkOutcome(second)
  }
}
