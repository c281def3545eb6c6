import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm"
import { z } from "zod"
import { bulkUploadChunks, bulkUploads } from "../../../drizzle/schema/bulk-uploads.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { REQUEUE_DELAY_MS } from "../../db/lease.ts"
import { runInSlices } from "../../db/slices.ts"
import { inFirstIds, rowExists } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { MINUTE, now } from "../../lib/clock.ts"
import { decrypt } from "../../lib/crypto/crypto.ts"
import { ApiError, conflict } from "../../lib/errors.ts"
import { enqueueUpload, uploadLease } from "./bulk-upload.queries.ts"
import type { UploadRow } from "./bulk-upload-rows.ts"
import {
  contextReads,
  rowKeysOf,
  rowResults,
  toContext,
  type UploadResults,
  validateRows,
} from "./bulk-upload-validation.ts"
import { type RowWrites, reserveIds, toFirstIds, writeRows } from "./bulk-upload-write.ts"

// A consumer leases an upload. The batch that writes a chunk also renews the lease, deletes the chunk's rows and adds
// its counts, so each chunk is written once, regardless of repeated messages.

/** The limits of one invocation, which has 300 seconds of CPU and 1,000 queries; a new message continues. */
const MAX_INVOCATION_MS = 2 * MINUTE
const MAX_INVOCATION_CHUNKS = 40
/** After this number of attempts, the rows of a chunk are reported as failed. */
const MAX_ATTEMPTS = 3
/** The number of times that one attempt validates a chunk because of conflicts. */
const MAX_CONFLICT_RETRIES = 3
/** The number of uploads that one run of the cron queues again. */
const SWEEP_LIMIT = 50

const message = z.object({ uploadId: z.number().int() })

type Upload = typeof bulkUploads.$inferSelect

type Chunk = Pick<typeof bulkUploadChunks.$inferSelect, "number" | "rows" | "encryptedRows">

/** The consumer of the uploads queue. @throws when the attempt failed */
export async function runUpload(env: Bindings, body: unknown): Promise<void> {
  const { uploadId } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  const token = uploadLease.newToken()
  const at = now()
  const [claimed] = await db.batch([
    db
      .update(bulkUploads)
      .set(uploadLease.taken(token, at))
      .where(and(eq(bulkUploads.id, uploadId), uploadLease.idle(at)))
      .returning(),
  ])
  const [upload] = claimed
  // Without an upload, it is complete or another consumer runs it.
  if (upload) await new UploadAttempt(env, db, upload, token).run()
}

/** One consumer's run of an upload. */
class UploadAttempt {
  private readonly env: Bindings
  private readonly db: Database
  private readonly work: UnitOfWork
  private readonly upload: Upload
  private readonly hasLease: SQL
  private giveUp: boolean

  constructor(env: Bindings, db: Database, upload: Upload, token: string) {
    this.env = env
    this.db = db
    this.upload = upload
    this.giveUp = upload.attempts > MAX_ATTEMPTS
    this.hasLease = uploadLease.heldBy(upload.id, token)
    const { callerId, callerType, client } = upload
    this.work = new UnitOfWork(db, callerAs(callerId, callerType, client), env)
  }

  async run(): Promise<void> {
    const until = now() + MAX_INVOCATION_MS
    try {
      for (let chunks = 0; chunks < MAX_INVOCATION_CHUNKS && now() < until; chunks++) {
        if (!(await this.processNext())) return
      }
    } catch (error) {
      await this.release()
      throw error
    }
    await this.release({ attempts: 0 })
    await enqueueUpload(this.env, this.upload.id)
  }

  /**
   * Writes the next chunk. It is validated again if users changed meanwhile.
   * @returns false if there is no further chunk, or the lease was lost
   */
  private async processNext(): Promise<boolean> {
    for (let repeat = 1; ; repeat++) {
      const chunk = await this.readNext()
      if (!chunk) return false
      try {
        await (this.giveUp ? this.failChunk(chunk) : this.processChunk(chunk))
        return true
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409 || repeat === MAX_CONFLICT_RETRIES) throw error
      }
    }
  }

  /** The first chunk that is not written; undefined if there is none, or the lease was lost. */
  private async readNext(): Promise<Chunk | undefined> {
    const { uploadId, number, rows, encryptedRows } = bulkUploadChunks
    const [[chunk]] = await this.db.batch([
      this.db
        .select({ number, rows: sql<number[]>`${rows}`.mapWith(rows).as("row_numbers"), encryptedRows })
        .from(bulkUploadChunks)
        .innerJoin(bulkUploads, eq(bulkUploads.id, uploadId))
        .where(and(this.hasLease, sql`${encryptedRows} is not null`))
        .orderBy(asc(number))
        .limit(1),
    ])
    return chunk
  }

  private async processChunk({ number, encryptedRows }: Chunk): Promise<void> {
    const rows: UploadRow[] = JSON.parse(decrypt(this.env, encryptedRows ?? ""))
    const [userIds, enrollmentIds, placeIds, ...found] = await this.work.read([
      ...reserveIds(this.work, this.upload, rows.length),
      ...contextReads(this.db, this.upload, rowKeysOf(rows, this.upload)),
    ])
    const context = toContext(found)
    const results = await validateRows(rows, context, {
      mode: this.upload.mode,
      caller: this.work.caller,
      assets: this.env.ASSETS,
    })
    const { id: uploadId, baseUrl } = this.upload
    const ids = toFirstIds([userIds, enrollmentIds, placeIds], this.upload, context, rows.length)
    const writes = await writeRows(this.work, results, context, { places: this.upload, baseUrl, ids, uploadId })
    await this.commitChunk(number, results, writes, ids.users)
  }

  /** Reports the rows of a chunk that could not be written as failed, so that the upload continues. */
  private async failChunk({ number, rows }: Chunk): Promise<void> {
    const reasons = ["The row could not be written, which is a fault of ours. Upload it again."]
    const errors = rows.map((row) => ({ row, email: "", reasons }))
    const results = { newUsers: [], existing: [], updates: [], errors }
    await this.commitChunk(number, results, { statements: [], dispatch: () => {} }, 0)
    this.giveUp = false
  }

  /** Writes the users, counts and errors of a chunk and deletes its rows. */
  private async commitChunk(number: number, results: UploadResults, writes: RowWrites, firstId: number): Promise<void> {
    const { newUsers, existing, updates, errors } = results
    const { id } = this.upload
    const { leaseUntil, dueAt } = uploadLease.renewed(now())
    const chunk = and(eq(bulkUploadChunks.uploadId, id), eq(bulkUploadChunks.number, number))
    const count = newUsers.length + existing.length + updates.length + errors.length
    const { created, existing: found, updated, failed } = bulkUploads
    const before = sql`${created} + ${found} + ${updated} + ${failed}`
    const after = sql`${before} + ${count}`
    const completes = sql`${after} >= ${bulkUploads.rows}`
    await this.work.commit(
      [
        this.work.guard(sql`exists (
          select 1 from ${bulkUploadChunks}
          join ${bulkUploads} on ${bulkUploads.id} = ${bulkUploadChunks.uploadId}
          where ${chunk} and ${bulkUploadChunks.encryptedRows} is not null and ${this.hasLease}
        )`),
        ...writes.statements,
        this.db
          .update(bulkUploadChunks)
          .set({ encryptedRows: null, errors, results: rowResults(results, firstId) })
          .where(chunk),
        this.db
          .update(bulkUploads)
          .set({
            created: sql`${bulkUploads.created} + ${newUsers.length}`,
            existing: sql`${bulkUploads.existing} + ${existing.length}`,
            updated: sql`${bulkUploads.updated} + ${updates.length}`,
            failed: sql`${bulkUploads.failed} + ${errors.length}`,
            attempts: 0,
            status: sql`iif(${completes}, 'completed', 'processing')`,
            leaseUntil: sql`iif(${completes}, 0, ${leaseUntil})`,
            dueAt: sql`iif(${completes}, null, ${dueAt})`,
          })
          .where(eq(bulkUploads.id, id)),
      ],
      {},
      {
        unique: {
          "users.email": () => conflict("conflict", "An email address was taken meanwhile."),
          "external_ids.object": () => conflict("conflict", "An external id was taken meanwhile."),
        },
        // No other consumer writes a chunk while this one has the lease.
        marker: () => rowExists(bulkUploadChunks, sql`${chunk} and ${bulkUploadChunks.encryptedRows} is null`),
      },
    )
    writes.dispatch()
  }

  /** Releases the lease, if this attempt still has it. */
  private async release(changes: { attempts?: number } = {}) {
    const at = now()
    await this.db.batch([
      this.db
        .update(bulkUploads)
        .set({ ...uploadLease.released(at, at + REQUEUE_DELAY_MS), ...changes })
        .where(this.hasLease),
    ])
  }
}

/** Queues uploads again that no consumer runs. */
export async function sweepUploads(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const [waiting] = await db.batch([
    db
      .update(bulkUploads)
      .set(uploadLease.queued(at))
      .where(inFirstIds(bulkUploads.id, lte(bulkUploads.dueAt, at), SWEEP_LIMIT))
      .returning({ id: bulkUploads.id }),
  ])
  await Promise.all(waiting.map(({ id }) => enqueueUpload(env, id)))
}

/** The number of chunks of the largest upload with passwords in all rows. */
const MAX_CHUNKS = 200

/** Deletes completed uploads after their retention. Runs in the cron. */
export async function deleteExpiredUploads(db: Database): Promise<void> {
  const old = sql`${bulkUploads.status} = 'completed' and ${bulkUploads.expiresAt} <= ${now()}`
  await runInSlices(db, 2 + MAX_CHUNKS, (limit) =>
    db
      .delete(bulkUploads)
      .where(inFirstIds(bulkUploads.id, old, limit))
      .returning({ id: bulkUploads.id }),
  )
}
