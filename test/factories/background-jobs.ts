import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { BATCH_LIMIT } from "../../src/db/background-work.ts"
import type { Bindings } from "../../src/env.ts"
import worker from "../../src/index.ts"
import { messages } from "../helpers/queues.ts"
import { user } from "./index.ts"
import { course, enrollment, moduleStatus } from "./learning.ts"

const { rowsWritten } = BATCH_LIMIT

/** Makes a few rows more than one batch may write. */
export const lowerBatchLimit = (limit: number) => Object.assign(BATCH_LIMIT, { rowsWritten: limit })
export const restoreBatchLimit = () => lowerBatchLimit(rowsWritten)

/** Delivers one message of the jobs queue. @returns whether the consumer asked for a retry */
export async function deliverJob(body: unknown, bindings: Bindings = env): Promise<boolean> {
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }
  const batch = createMessageBatch("lectern-jobs", [message])
  const ctx = createExecutionContext()
  await worker.queue(batch, bindings)
  return (await getQueueResult(batch, ctx)).retryMessages.length > 0
}

/** Delivers what is in the jobs queue until it is empty. */
export async function runJobs() {
  for (let next = messages.JOBS.shift(); next !== undefined; next = messages.JOBS.shift())
    if (await deliverJob(next)) throw new Error("A background job failed.")
}

/** Runs `updateRecord` with a limit of a few rows per batch, so that its work becomes a job. */
export async function inSmallBatches<T>(change: () => Promise<T>, limit = 100): Promise<T> {
  lowerBatchLimit(limit)
  try {
    return await change()
  } finally {
    restoreBatchLimit()
  }
}

/** A course of two modules. Its learners have completed the first. */
export async function halfDoneCourse(learners: number, overrides: Parameters<typeof course>[0] = {}) {
  const { id } = await course(overrides, [{}, {}])
  for (let index = 0; index < learners; index++) {
    const { id: enrollmentId } = await enrollment(await user(), { id })
    await moduleStatus(enrollmentId, 1, { status: "Completed", startedAt: 1, completedAt: 1 })
  }
}

/** The rows that each batch wrote, or read, while `run` ran: the batches of requests and of jobs. */
export async function batchesOf(
  run: () => Promise<unknown>,
  rows: "rows_written" | "rows_read" = "rows_written",
): Promise<number[]> {
  const { DB } = env
  const found: number[] = []
  const withSession = (constraint?: string) => {
    const session = DB.withSession(constraint)
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await session.batch(statements)
      found.push(results.reduce((sum, { meta }) => sum + meta[rows], 0))
      return results
    }
    return new Proxy(session, {
      get: (target, name) =>
        name === "batch"
          ? batch
          : (Reflect.get(target, name, target)?.bind?.(target) ?? Reflect.get(target, name, target)),
    })
  }
  Object.assign(env, {
    DB: new Proxy(DB, {
      get: (target, name) => (name === "withSession" ? withSession : Reflect.get(target, name, target)),
    }),
  })
  try {
    await run()
  } finally {
    Object.assign(env, { DB })
  }
  return found
}
