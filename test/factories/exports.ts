import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { eq, sql } from "drizzle-orm"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import type { Bindings } from "../../src/env.ts"
import worker from "../../src/index.ts"
import { DAY } from "../../src/lib/clock.ts"
import { db, type UserRow } from "./index.ts"

/** A job without a queue message: the test delivers it to the consumer. */
export async function exportJob(caller: UserRow, overrides: Partial<typeof exportJobs.$inferInsert> = {}) {
  const id = crypto.randomUUID()
  await db.insert(exportJobs).values({
    id,
    kind: "users",
    callerId: caller.id,
    callerType: caller.userType,
    filter: '{"search_param":{}}',
    message: "Waiting to start.",
    filename: "users-20260105-150405.xlsx",
    dueAt: Date.now() + DAY,
    createdAt: Date.now(),
    expiresAt: Date.now() + 7 * DAY,
    ...overrides,
  })
  return id
}

export async function jobOf(exportId: string) {
  const [job] = await db.select().from(exportJobs).where(eq(exportJobs.id, exportId))
  if (!job) throw new Error("No job")
  return job
}

/** Delivers a job's message once. @returns whether the consumer requested a retry */
export async function deliver(exportId: string, bindings: Bindings = env, attempts = 1): Promise<{ retried: boolean }> {
  const batch = createMessageBatch("lectern-exports", [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts, body: { exportId } },
  ])
  const ctx = createExecutionContext()
  await worker.queue(batch, bindings)
  const result = await getQueueResult(batch, ctx)
  return { retried: result.retryMessages.length > 0 }
}

/** The Worker's bindings, with a database that runs `before` before each round trip, numbered from 1. */
export function bindingsWith(before: (trip: number) => Promise<void> | void): Bindings {
  let trips = 0
  const session = (constraint: string) => {
    const real = env.DB.withSession(constraint)
    return {
      prepare: (query: string) => real.prepare(query),
      getBookmark: () => real.getBookmark(),
      batch: async (statements: D1PreparedStatement[]) => {
        await before(++trips)
        return real.batch(statements)
      },
    }
  }
  return { ...env, DB: { withSession: session } as unknown as D1Database }
}

/** The keys of all objects in R2. */
export const storedKeys = async () => (await env.FILES.list()).objects.map(({ key }) => key)

/** Inserts many users, with ids after `after`. */
export const manyUsers = (count: number, after = 1000) =>
  db.run(
    sql`insert into users (id, first_name, email, user_type, search_text, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
      select ${after} + i, 'Learner ' || i, 'learner' || i || '@example.com', 'general', 'learner', 0 from n`,
  )
