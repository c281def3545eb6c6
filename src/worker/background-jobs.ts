import { and, eq, lte, type SQL, sql } from "drizzle-orm"
import { z } from "zod"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import { enqueueJob, jobLease, nextSlices, ownsJobLease, type Slice } from "../db/background-work.ts"
import { type Database, openDatabase } from "../db/client.ts"
import { REQUEUE_DELAY_MS } from "../db/lease.ts"
import { runInSlices } from "../db/slices.ts"
import { inFirstIds, rowExists } from "../db/sql.ts"
import type { Statement } from "../db/statements.ts"
import { UnitOfWork } from "../db/unit-of-work.ts"
import type { Bindings } from "../env.ts"
import { callerAs } from "../lib/caller.ts"
import { DAY, HOUR, MINUTE, now } from "../lib/clock.ts"
import { backgroundKind } from "./background-kinds.ts"

// A slice takes two round trips: one finds the next rows, which may be those of several slices, and one changes them
// and stores the position. The second fails if the job is no longer leased by this consumer. Jobs are retried until they
// complete.

/**
 * The limits of one invocation, after which a new message continues. D1 allows 1,000 statements.
 */
const INVOCATION = { duration: 2 * MINUTE, statements: 800 }
/** How many jobs one cron run queues again. */
const RESUME_LIMIT = 50
/** How long a completed job can be looked up. */
const RETENTION = 30 * DAY

const message = z.object({ jobId: z.string() })
type Job = typeof backgroundJobs.$inferSelect

/** Handles a message of the jobs queue. @throws if the attempt failed */
export async function runBackgroundJob(env: Bindings, body: unknown): Promise<void> {
  const { jobId } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  const token = jobLease.newToken()
  const at = now()
  const [claimed] = await db.batch([
    db
      .update(backgroundJobs)
      .set(jobLease.taken(token, at))
      .where(and(eq(backgroundJobs.id, jobId), jobLease.idle(at)))
      .returning(),
  ])
  const [job] = claimed
  // Otherwise the job is completed, or another delivery runs it.
  if (job) await runAttempt(env, db, job, token)
}

async function runAttempt(env: Bindings, db: Database, job: Job, token: string): Promise<void> {
  const isOurs = ownsJobLease(job.id, token)
  const release = (delay: number) => {
    const at = now()
    return db.batch([
      db
        .update(backgroundJobs)
        .set(jobLease.released(at, at + delay))
        .where(isOurs),
    ])
  }
  let completed: boolean
  try {
    completed = await runSlices(env, db, job, isOurs)
  } catch (error) {
    await release(Math.min(HOUR, REQUEUE_DELAY_MS * 2 ** job.attempts))
    throw error
  }
  if (completed) return
  await release(REQUEUE_DELAY_MS)
  await enqueueJob(env, job.id)
}

/** @returns whether the job is completed */
async function runSlices(env: Bindings, db: Database, job: Job, isOurs: SQL): Promise<boolean> {
  const kind = await backgroundKind(job.kind)
  const work = new UnitOfWork(db, callerAs(job.callerId, "owner", `job:${job.id}`), env)
  const until = now() + INVOCATION.duration
  let { stage: at, after, done } = job
  let slices: Slice[] = []
  for (let sent = 0; sent < INVOCATION.statements && now() < until; ) {
    const stage = kind.stages[at]
    if (!stage) {
      const completed = { status: "completed" as const, completedAt: now(), stage: at, after: null, done }
      await commitSlice(work, job, isOurs, kind.finish?.(work, job.params) ?? [], { ...completed, ...jobLease.over })
      return true
    }
    if (slices.length === 0) {
      slices = await nextSlices(work, stage, job.params, after)
      sent++
    }
    const slice = slices.shift()
    if (!slice) {
      at++
      after = null
      continue
    }
    after = slice.after
    done += slice.rows
    const statements = await stage.change(work, job.params, slice.which)
    sent += statements.length + 3
    const position = { stage: at, after, done, attempts: 0, ...jobLease.renewed(now()) }
    await commitSlice(work, job, isOurs, statements, position)
    await stage.committed?.(env, slice.rows)
  }
  return false
}

/** Changes the rows of a slice and stores the position. If the response is lost, the position shows the outcome. */
async function commitSlice(
  work: UnitOfWork,
  { id }: Job,
  isOurs: SQL,
  statements: Statement[],
  position: Partial<Job> & Pick<Job, "stage" | "after" | "leaseUntil">,
): Promise<void> {
  const { stage, after, leaseUntil } = backgroundJobs
  const key = position.after ? JSON.stringify(position.after) : null
  const isStored = and(
    eq(backgroundJobs.id, id),
    eq(stage, position.stage),
    sql`${after} is ${key}`,
    eq(leaseUntil, position.leaseUntil),
  )
  await work.commit(
    [
      work.guard(rowExists(backgroundJobs, isOurs)),
      ...statements,
      work.db.update(backgroundJobs).set(position).where(isOurs),
    ],
    {},
    { marker: () => rowExists(backgroundJobs, isStored) },
  )
}

/** Queues the jobs again that no consumer is running. Run by the cron. */
export async function resumeBackgroundJobs(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const { id, dueAt } = backgroundJobs
  const [waiting] = await db.batch([
    db
      .update(backgroundJobs)
      .set(jobLease.queued(at))
      .where(and(inFirstIds(id, sql`${lte(dueAt, at)} order by ${dueAt}`, RESUME_LIMIT), jobLease.idle(at)))
      .returning({ id }),
  ])
  await Promise.all(waiting.map((job) => enqueueJob(env, job.id)))
}

/** Deletes completed jobs after 30 days. Run by the cron. */
export async function deleteOldJobs(db: Database): Promise<void> {
  const { id, completedAt } = backgroundJobs
  const isOld = sql`${completedAt} between 1 and ${now() - RETENTION}`
  await runInSlices(db, 3, (limit) =>
    db
      .delete(backgroundJobs)
      .where(inFirstIds(id, isOld, limit))
      .returning({ id }),
  )
}
