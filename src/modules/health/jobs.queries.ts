import { and, eq } from "drizzle-orm"
import { backgroundJobs } from "../../../drizzle/schema/background-jobs.ts"
import { enqueueJob, jobLease } from "../../db/background-work.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"

/**
 * The progress of a background job. A job that no consumer has started is queued again.
 * @throws 404, also for jobs of other users unless the caller sees everyone
 */
export async function getJobProgress({ db, caller, env }: UnitOfWork, id: string) {
  const at = now()
  const [waiting, [job]] = await db.batch([
    db
      .update(backgroundJobs)
      .set(jobLease.queued(at))
      .where(and(eq(backgroundJobs.id, id), jobLease.waits(at)))
      .returning({ id: backgroundJobs.id }),
    db.select().from(backgroundJobs).where(eq(backgroundJobs.id, id)),
  ])
  if (!job || (job.callerId !== caller.id && !canSeeAllUsers(caller))) throw notFound("job")
  if (waiting.length > 0) await enqueueJob(env, id)
  const isCompleted = job.status === "completed"
  return {
    id,
    kind: job.kind,
    status: job.status,
    progress: isCompleted ? 100 : Math.min(99, Math.floor((100 * job.done) / Math.max(1, job.total))),
    message: isCompleted ? "The change is complete." : "The change is in progress.",
    createdAt: new Date(job.createdAt).toISOString(),
    completedAt: isCompleted ? new Date(job.completedAt).toISOString() : null,
  }
}
