import { and, eq, lte, ne, type SQL, sql } from "drizzle-orm"
import { z } from "zod"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { runInSlices } from "../../db/slices.ts"
import { inFirstIds } from "../../db/sql.ts"
import type { Bindings } from "../../env.ts"
import { DAY, now } from "../../lib/clock.ts"
import {
  Attempt,
  CLEARED,
  discardAttempt,
  type ExportKinds,
  FAILED_MESSAGE,
  MAX_ATTEMPTS,
  nextToken,
} from "./export-attempt.ts"
import { enqueueExport, exportLease } from "./exports.queries.ts"

/** How long the row of an expired job is retained; its progress returns 410. */
const RETENTION_MS = 30 * DAY

/** The number of jobs in one run of the cron. */
const SWEEP_LIMIT = 50

const message = z.object({ exportId: z.uuid(), from: z.string().optional() })

/** Fails jobs without attempts left. They stay due, so that the cron deletes what they left in R2. */
const failExhaustedJobs = (db: Database, at: number, condition: SQL | undefined) =>
  db
    .update(exportJobs)
    .set({ status: "failed", message: FAILED_MESSAGE, dueAt: at })
    .where(and(condition, exportLease.idle(at), exportLease.spent(MAX_ATTEMPTS)))

/** Handles a message of the exports queue. @throws when the attempt failed, and for a failed job */
export async function runExport(kinds: ExportKinds, env: Bindings, body: unknown): Promise<void> {
  const { exportId, from } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  const token = exportLease.newToken()
  const at = now()
  const isIdle = and(eq(exportJobs.id, exportId), exportLease.idle(at))
  const [before, , resumed, claimed] = await db.batch([
    db.select().from(exportJobs).where(eq(exportJobs.id, exportId)),
    failExhaustedJobs(db, at, eq(exportJobs.id, exportId)),
    db
      .update(exportJobs)
      .set(exportLease.taken(nextToken(from ?? ""), at))
      .where(and(isIdle, eq(exportJobs.lease, from ?? "")))
      .returning(),
    db
      .update(exportJobs)
      .set({ ...exportLease.taken(token, at), upload: null, message: "Writing the file." })
      .where(isIdle)
      .returning(),
  ])
  const [resumedJob] = resumed
  if (resumedJob && from !== undefined) return new Attempt(kinds, env, db, resumedJob, nextToken(from)).resume(from)
  const [job] = claimed
  if (!job) {
    // The job has ended, or another delivery owns it. The message of a failed job goes to the dead-letter queue.
    const [current] = before
    if (current?.status === "failed" || (current?.attempts === MAX_ATTEMPTS && current.leaseUntil <= at))
      throw new Error(FAILED_MESSAGE)
    return
  }
  const [previous] = before
  if (previous) await discardAttempt(env, previous)
  await new Attempt(kinds, env, db, job, token).run()
}

/**
 * Recovers jobs that no attempt owns: enqueues waiting jobs again, fails jobs without attempts left, and deletes what
 * ended attempts left in R2.
 */
export async function resumeExports(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const isDue = inFirstIds(exportJobs.id, sql`${lte(exportJobs.dueAt, at)} order by ${exportJobs.dueAt}`, SWEEP_LIMIT)
  const [, waiting, ended] = await db.batch([
    failExhaustedJobs(db, at, isDue),
    db
      .update(exportJobs)
      .set(exportLease.queued(at))
      .where(and(isDue, exportLease.idle(at)))
      .returning({ id: exportJobs.id }),
    db
      .select()
      .from(exportJobs)
      .where(and(isDue, ne(exportJobs.status, "processing"))),
  ])
  await Promise.all(waiting.map(({ id }) => enqueueExport(env, id)))
  for (const job of ended) {
    await discardAttempt(env, job)
    await db.batch([db.update(exportJobs).set(CLEARED).where(eq(exportJobs.id, job.id))])
  }
}

/** Expires jobs after their lifetime and deletes their files. */
export async function expireExports(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const [expiredJobs] = await db.batch([
    db
      .select({
        id: exportJobs.id,
        filename: exportJobs.filename,
        lease: exportJobs.lease,
        upload: exportJobs.upload,
      })
      .from(exportJobs)
      .where(and(sql`${exportJobs.status} <> 'expired'`, lte(exportJobs.expiresAt, at)))
      .limit(SWEEP_LIMIT),
  ])
  for (const job of expiredJobs) {
    const { id } = job
    await discardAttempt(env, job)
    const { objects } = await env.FILES.list({ prefix: `exports/${id}/` })
    if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key))
    await db.batch([
      db
        .update(exportJobs)
        .set({ status: "expired", objectKey: null, ...CLEARED })
        .where(eq(exportJobs.id, id)),
    ])
  }
}

/** Deletes the rows of expired jobs after the retention period. Run by the cron. */
export async function deleteOldExports(db: Database): Promise<void> {
  const isOld = sql`${exportJobs.status} = 'expired' and ${exportJobs.expiresAt} < ${now() - RETENTION_MS}`
  await runInSlices(db, 2, (limit) =>
    db
      .delete(exportJobs)
      .where(inFirstIds(exportJobs.id, isOld, limit))
      .returning({ id: exportJobs.id }),
  )
}
