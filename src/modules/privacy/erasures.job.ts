import { and, eq, lte, type SQL, sql } from "drizzle-orm"
import { z } from "zod"
import { erasures } from "../../../drizzle/schema/erasures.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { REQUEUE_DELAY_MS } from "../../db/lease.ts"
import { inFirstIds, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { HOUR, MINUTE, now } from "../../lib/clock.ts"
import { decrypted } from "../../lib/crypto/crypto.ts"
import { eraseFromAuditLog } from "./erasure-audit.ts"
import {
  eraseFromBulkUploads,
  eraseFromEvents,
  eraseFromExports,
  eraseFromMails,
  eraseFromSearchIndex,
  eraseFromSettings,
} from "./erasure-copies.ts"
import { eraseFiles, eraseOwnRows, findFormerNames } from "./erasure-rows.ts"
import type { ErasureJob, ErasureStage } from "./erasure-stage.ts"
import { type ERASURE_STAGES, encryptedSubject, enqueueErasure, erasureLease } from "./erasures.queries.ts"
import type { DataSubject } from "./personal-data-table.ts"

// An erasure runs in chunks: a read of what is next, then a batch that erases it and stores the position. The batch
// fails if the consumer lost its lease. A failed erasure is retried until it completes.

/** The stages in their order, which the stored position refers to. */
const STAGES = [
  findFormerNames,
  eraseOwnRows,
  eraseFiles,
  eraseFromAuditLog,
  eraseFromEvents,
  eraseFromMails,
  eraseFromBulkUploads,
  eraseFromExports,
  eraseFromSearchIndex,
  eraseFromSettings,
] as const satisfies readonly ErasureStage[] & { length: typeof ERASURE_STAGES }

/** The limits of one invocation, which has 1,000 queries; a new message continues. */
const MAX_INVOCATION_MS = 2 * MINUTE
const MAX_INVOCATION_CHUNKS = 60
/** The number of jobs that one run of the cron queues again. */
const SWEEP_LIMIT = 50

const message = z.object({ userId: z.number().int() })
const subjectSchema = z.object({ emails: z.array(z.string()), names: z.array(z.string()) })

/** The consumer of the erasures queue. @throws when the attempt failed */
export async function runErasure(env: Bindings, body: unknown): Promise<void> {
  const { userId } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  const token = erasureLease.newToken()
  const at = now()
  const [claimed] = await db.batch([
    db
      .update(erasures)
      .set(erasureLease.taken(token, at))
      .where(and(eq(erasures.userId, userId), erasureLease.idle(at)))
      .returning(),
  ])
  const [job] = claimed
  // Without a job, the erasure is complete or another consumer runs it.
  if (job) await new ErasureAttempt(env, db, job, token).run()
}

/** Queues erasures again that no consumer runs. */
export async function resumeErasures(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const [waiting] = await db.batch([
    db
      .update(erasures)
      .set(erasureLease.queued(at))
      .where(
        and(
          inFirstIds(erasures.userId, sql`${lte(erasures.dueAt, at)} order by ${erasures.dueAt}`, SWEEP_LIMIT),
          erasureLease.idle(at),
        ),
      )
      .returning({ userId: erasures.userId }),
  ])
  await Promise.all(waiting.map(({ userId }) => enqueueErasure(env, userId)))
}

type JobUpdate = Partial<ErasureJob> & Pick<ErasureJob, "stage" | "leaseUntil">

/** One consumer's run of an erasure. */
class ErasureAttempt {
  private readonly env: Bindings
  private readonly db: Database
  private readonly work: UnitOfWork
  private readonly job: ErasureJob
  private readonly hasLease: SQL
  private person: DataSubject

  constructor(env: Bindings, db: Database, job: ErasureJob, token: string) {
    this.env = env
    this.db = db
    this.job = job
    this.hasLease = erasureLease.heldBy(job.userId, token)
    this.work = new UnitOfWork(db, callerAs(job.callerId, "owner", `erasure:${job.userId}`), env)
    // If the secret was lost, only the names in the audit log are searched for.
    const subject = decrypted(env, job.subject ?? "") ?? '{"emails":[],"names":[]}'
    this.person = { id: job.userId, ...subjectSchema.parse(JSON.parse(subject)) }
  }

  async run(): Promise<void> {
    const { env, db, job } = this
    const until = now() + MAX_INVOCATION_MS
    let { stage, after } = job
    try {
      for (let chunks = 0; chunks < MAX_INVOCATION_CHUNKS && now() < until; chunks++) {
        const chunk = await STAGES[stage]?.({ env, db, job, person: this.person }, after)
        if (chunk) after = chunk.after ?? null
        else [stage, after] = [stage + 1, null]
        if (stage === STAGES.length) return await this.complete()
        this.person = chunk?.person ?? this.person
        await this.commit(chunk?.statements ?? [], {
          stage,
          after,
          attempts: 0,
          subject: encryptedSubject(env, this.person),
          ...erasureLease.renewed(now()),
        })
      }
    } catch (error) {
      await this.release(Math.min(HOUR, REQUEUE_DELAY_MS * 2 ** job.attempts))
      throw error
    }
    await this.release(REQUEUE_DELAY_MS)
    await enqueueErasure(env, job.userId)
  }

  private async commit(statements: Statement[], values: JobUpdate): Promise<void> {
    const { userId, stage, after, leaseUntil } = erasures
    const key = values.after ? JSON.stringify(values.after) : null
    const isCommitted = and(
      eq(userId, this.job.userId),
      eq(stage, values.stage),
      sql`${after} is ${key}`,
      eq(leaseUntil, values.leaseUntil),
    )
    await this.work.commit(
      [
        this.work.guard(rowExists(erasures, this.hasLease)),
        ...statements,
        this.db.update(erasures).set(values).where(this.hasLease),
      ],
      {},
      { marker: () => rowExists(erasures, isCommitted) },
    )
  }

  private complete() {
    const completed = { status: "completed" as const, completedAt: now(), subject: null, after: null }
    return this.commit([], { ...completed, stage: STAGES.length, ...erasureLease.over })
  }

  private async release(wait: number) {
    const at = now()
    await this.db.batch([
      this.db
        .update(erasures)
        .set(erasureLease.released(at, at + wait))
        .where(this.hasLease),
    ])
  }
}
