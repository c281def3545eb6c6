import { type SQL, sql } from "drizzle-orm"
import type { BatchItem } from "drizzle-orm/batch"
import type { ApiError } from "../lib/errors.ts"
import type { Database } from "./client.ts"
import { backoff, DatabaseError, outcomeUnknown } from "./database-errors.ts"
import { SINGLE_ROW } from "./sql.ts"
import { listeningWebhooks } from "./webhook-listeners.ts"

// What becomes of a mutation's batch that failed on its way to the database or back. Loaded by the first that does.

/** What the batch answered last: the webhooks that it is to wake. */
type Told = { id: number }[]
type Statement = BatchItem<"sqlite">

interface Landing {
  db: Database
  /** Makes a batch fail unless a condition holds. */
  guard: (condition: SQL) => Statement
  /** As it was sent. */
  batch: [Statement, ...Statement[]]
  /** The condition that it has landed. */
  landed: () => SQL
}

/**
 * Has a batch land once, and tells the truth of it. One whose answer was lost is sent once more, under the condition
 * that it has not landed: D1 takes what it is sent one after the other, so what it had of the first is done by then.
 * @throws the fault, where nothing was written; 503 `outcome_unknown` where that cannot be told; what it fails by
 */
export async function resolveUnknownOutcome(fault: ApiError, { db, guard, batch, landed }: Landing): Promise<Told> {
  if (!(fault instanceof DatabaseError) || fault.kind === "refused") throw fault
  const ask = async (otherwise: unknown) => {
    const question = db.select({ landed: sql<number>`${landed()}`.as("landed") }).from(SINGLE_ROW)
    const [[row], told] = await db.batch([question, listeningWebhooks(db)]).catch(() => {
      throw outcomeUnknown(fault.kind)
    })
    if (row?.landed) return told
    throw otherwise
  }

  db.renew()
  // What D1 still has to do may be done later: to ask now would tell nothing.
  if (fault.kind === "silent") throw outcomeUnknown(fault.kind)
  if (fault.kind === "exhausted") return ask(fault)
  await backoff()
  try {
    const results: unknown[] = await db.batch([guard(sql`not (${landed()})`), ...batch])
    return results.at(-1) as Told
  } catch (second) {
    const never = fault.kind === "unreached"
    if (!(second instanceof DatabaseError)) {
      if (never) throw second
      return ask(second)
    }
    if (never && (second.kind === "unreached" || second.kind === "refused")) throw second
    db.renew()
    if (second.kind === "silent") throw outcomeUnknown(second.kind)
    return ask(second)
  }
}
