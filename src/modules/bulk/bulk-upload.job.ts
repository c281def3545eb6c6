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
import type { Row } from "./bulk-upload-rows.ts"
import {
  addressesOf,
  decide,
  idsFor,
  type Landing,
  land,
  surroundings,
  toIds,
  toSurroundings,
  type UploadVerdict,
} from "./bulk-upload-write.ts"

// A consumer has an upload to itself for as long as it renews its lease, which every chunk does in the batch that lands
// it. That batch also wipes the chunk's rows and adds up its counts: a chunk lands once, whoever brings the message and
// however often.

/**
 * How long one invocation goes on, and how many chunks: it has 300 seconds of CPU and 1,000 queries. A fresh message
 * carries on.
 */
const SLICE = { time: 2 * MINUTE, chunks: 40 }
/** How often a chunk is tried before its rows are reported as failed. */
const ATTEMPTS = 3
/** How often a chunk is decided on anew within one attempt, when users changed under it. */
const REPEATS = 3
/** How many uploads one run of the sweep looks after. */
const SWEPT = 50

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
  // Completed, or another delivery is at work: nothing to do.
  if (upload) await new Attempt(env, db, upload, token).run()
}

/** One consumer's time with an upload. */
class Attempt {
  private readonly env: Bindings
  private readonly db: Database
  private readonly work: UnitOfWork
  private readonly upload: Upload
  /** The upload is this attempt's own. */
  private readonly mine: SQL
  private giveUp: boolean

  constructor(env: Bindings, db: Database, upload: Upload, token: string) {
    this.env = env
    this.db = db
    this.upload = upload
    this.giveUp = upload.attempts > ATTEMPTS
    this.mine = uploadLease.heldBy(upload.id, token)
    const { callerId, callerType, client } = upload
    this.work = new UnitOfWork(db, callerAs(callerId, callerType, client), env)
  }

  async run(): Promise<void> {
    const until = now() + SLICE.time
    try {
      for (let landed = 0; landed < SLICE.chunks && now() < until; landed++) {
        if (!(await this.landNext())) return
      }
    } catch (error) {
      await this.release()
      throw error
    }
    await this.release({ attempts: 0 })
    await enqueueUpload(this.env, this.upload.id)
  }

  /**
   * Lands the next chunk. What was decided may be out of date by the time it is written: then it is decided anew.
   * @returns false when there is no further chunk, or the upload is not this attempt's any more
   */
  private async landNext(): Promise<boolean> {
    for (let repeat = 1; ; repeat++) {
      const chunk = await this.next()
      if (!chunk) return false
      try {
        await (this.giveUp ? this.abandon(chunk) : this.landChunk(chunk))
        return true
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409 || repeat === REPEATS) throw error
      }
    }
  }

  /**
   * The first chunk that has not landed; undefined when there is none, or the upload is not this attempt's any more.
   */
  private async next(): Promise<Chunk | undefined> {
    const { uploadId, number, rows, encryptedRows } = bulkUploadChunks
    const [[chunk]] = await this.db.batch([
      this.db
        .select({ number, rows: sql<number[]>`${rows}`.mapWith(rows).as("row_numbers"), encryptedRows })
        .from(bulkUploadChunks)
        .innerJoin(bulkUploads, eq(bulkUploads.id, uploadId))
        .where(and(this.mine, sql`${encryptedRows} is not null`))
        .orderBy(asc(number))
        .limit(1),
    ])
    return chunk
  }

  private async landChunk({ number, encryptedRows }: Chunk): Promise<void> {
    const rows: Row[] = JSON.parse(decrypt(this.env, encryptedRows ?? ""))
    const [userIds, enrollmentIds, placeIds, ...found] = await this.work.read([
      ...idsFor(this.work, this.upload, rows.length),
      ...surroundings(this.db, this.upload, addressesOf(rows)),
    ])
    const around = toSurroundings(found)
    const verdict = await decide(rows, around, this.env.ASSETS)
    const { id: uploadId, baseUrl } = this.upload
    const landing = await land(this.work, verdict, around, {
      places: this.upload,
      baseUrl,
      ids: toIds([userIds, enrollmentIds, placeIds], this.upload, around, rows.length),
      uploadId,
    })
    await this.settle(number, verdict, landing)
  }

  /** Reports the rows of a chunk that could not be written as failed, so that the others still land. */
  private async abandon({ number, rows }: Chunk): Promise<void> {
    const reasons = ["The row could not be written, which is a fault of ours. Upload it again."]
    const errors = rows.map((row) => ({ row, email: "", reasons }))
    await this.settle(number, { newcomers: [], existing: [], errors }, { statements: [], dispatch: () => {} })
    this.giveUp = false
  }

  /** Writes what became of a chunk: its users, its counts and its errors, in the batch that wipes its rows. */
  private async settle(
    number: number,
    { newcomers, existing, errors }: UploadVerdict,
    landing: Landing,
  ): Promise<void> {
    const { id } = this.upload
    const { leaseUntil, dueAt } = uploadLease.renewed(now())
    const chunk = and(eq(bulkUploadChunks.uploadId, id), eq(bulkUploadChunks.number, number))
    const count = newcomers.length + existing.length + errors.length
    const after = sql`${bulkUploads.created} + ${bulkUploads.existing} + ${bulkUploads.failed} + ${count}`
    const completes = sql`${after} >= ${bulkUploads.rows}`
    await this.work.commit(
      [
        this.work.guard(sql`exists (
          select 1 from ${bulkUploadChunks}
          join ${bulkUploads} on ${bulkUploads.id} = ${bulkUploadChunks.uploadId}
          where ${chunk} and ${bulkUploadChunks.encryptedRows} is not null and ${this.mine}
        )`),
        ...landing.statements,
        this.db.update(bulkUploadChunks).set({ encryptedRows: null, errors }).where(chunk),
        this.db
          .update(bulkUploads)
          .set({
            created: sql`${bulkUploads.created} + ${newcomers.length}`,
            existing: sql`${bulkUploads.existing} + ${existing.length}`,
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
        unique: { "users.email": () => conflict("conflict", "An email address was taken meanwhile.") },
        // Nobody else lands a chunk while the upload is this attempt's own.
        mark: () => rowExists(bulkUploadChunks, sql`${chunk} and ${bulkUploadChunks.encryptedRows} is null`),
      },
    )
    landing.dispatch()
  }

  /** Gives the upload back, if it is still this attempt's own. */
  private async release(changes: { attempts?: number } = {}) {
    const at = now()
    await this.db.batch([
      this.db
        .update(bulkUploads)
        .set({ ...uploadLease.released(at, at + REQUEUE_DELAY_MS), ...changes })
        .where(this.mine),
    ])
  }
}

/** Queues again the uploads that nobody works on. */
export async function sweepUploads(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const [waiting] = await db.batch([
    db
      .update(bulkUploads)
      .set(uploadLease.queued(at))
      .where(inFirstIds(bulkUploads.id, lte(bulkUploads.dueAt, at), SWEPT))
      .returning({ id: bulkUploads.id }),
  ])
  await Promise.all(waiting.map(({ id }) => enqueueUpload(env, id)))
}

/** An upload of the most rows, all with passwords, has so many chunks. */
const MAX_CHUNKS = 200

/** Deletes the uploads that were completed long ago, with what is known of their rows. Run by the cron. */
export async function forgetUploads(db: Database): Promise<void> {
  const old = sql`${bulkUploads.status} = 'completed' and ${bulkUploads.expiresAt} <= ${now()}`
  await runInSlices(db, 2 + MAX_CHUNKS, (limit) =>
    db
      .delete(bulkUploads)
      .where(inFirstIds(bulkUploads.id, old, limit))
      .returning({ id: bulkUploads.id }),
  )
}
