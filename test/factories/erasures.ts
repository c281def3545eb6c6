import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test"
import { env } from "cloudflare:workers"
import type { Bindings } from "../../src/env.ts"
import worker from "../../src/index.ts"

/** Delivers the message of an erasure once. @returns whether the consumer asked for another try */
export async function deliverErasure(userId: number, bindings: Bindings = env, attempts = 1) {
  const batch = createMessageBatch("lectern-erasures", [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts, body: { userId } },
  ])
  const ctx = createExecutionContext()
  await worker.queue(batch, bindings)
  const result = await getQueueResult(batch, ctx)
  return { retried: result.retryMessages.length > 0 }
}
