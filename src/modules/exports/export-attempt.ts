import { and, eq, ne, type SQL, sql } from "drizzle-orm"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { actorClient } from "../../access/clients.ts"
import type { Database } from "../../db/client.ts"
import { REQUEUE_DELAY_MS } from "../../db/lease.ts"
import { listeningWebhooks, wakeWebhooks } from "../../db/webhook-listeners.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, callerAs } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { discardObject, ObjectWriter } from "../../lib/files/multipart.ts"
import type { ZipProgress } from "../../lib/files/zip-writer.ts"
import type { ExportAttempt } from "./export-files.ts"
import type { ExportKind } from "./export-kind.ts"
import { enqueueExport, exportLease } from "./exports.queries.ts"

// An attempt at an export owns the job while it renews its lease, which the round trip of every page does. Each attempt
// writes to R2 under its own key, so two attempts never write the same object. The job's row says what an interrupted
// attempt left in R2.

export const MAX_ATTEMPTS = 3

export const FAILED_MESSAGE =
  "The export failed three times. Start it again. If it fails again, contact your administrator with the export id."

/** Queries and R2 calls of an invocation before it continues in another one. Cloudflare allows 1,000. */
export const INVOCATION_LIMIT = { calls: 900 }

type Job = typeof exportJobs.$inferSelect

/** Loads the code of each kind by name. */
export type ExportKinds = Record<string, () => Promise<ExportKind>>

// An attempt runs in as many invocations as it needs. The token of each is the attempt's token and a number.
const attemptToken = (token: string) => token.split(".", 1)[0] ?? token

export const nextToken = (token: string) => `${attemptToken(token)}.${Number(token.split(".")[1] ?? 0) + 1}`

/** The R2 key of an attempt's file, with the extension of the download. */
const fileKey = ({ id, filename }: Pick<Job, "id" | "filename">, token: string) =>
  `exports/${id}/${attemptToken(token)}${/\.\w+$/.exec(filename)?.[0] ?? ""}`

/** The R2 keys of the state for the next invocation: the bytes that are in no part yet, and everything else. */
const remainderKey = ({ id }: Pick<Job, "id">, token: string) => `exports/${id}/${token}.rest`

const stateKey = ({ id }: Pick<Job, "id">, token: string) => `exports/${id}/${token}.json`

/** The state for the next invocation. */
interface SuspendedAttempt {
  uploadId?: string
  parts: R2UploadedPart[]
  zip: ZipProgress
  rows: number
  position: unknown
}

/** Deletes the objects of the last attempt from R2. */
export async function discardAttempt(env: Bindings, job: Pick<Job, "id" | "filename" | "lease" | "upload">) {
  if (!job.lease) return
  await discardObject(env.FILES, fileKey(job, job.lease), job.upload)
  const { objects } = await env.FILES.list({ prefix: `exports/${job.id}/${attemptToken(job.lease)}` })
  if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key))
}

/** The columns of a job that has no lease and nothing left in R2. */
export const CLEARED = { ...exportLease.over, upload: null }

export class Attempt implements ExportAttempt {
  private readonly kinds: ExportKinds
  private readonly db: Database
  private readonly job: Job
  private readonly token: string
  private readonly env: Bindings
  private file: ObjectWriter
  /** The condition that this attempt owns the job, and the job is processing. */
  private readonly ownsJob: SQL
  rows = 0
  isOver = false
  zip: ZipProgress = { written: 0, entries: [] }
  resumeFrom: unknown
  /** The position from which the next invocation continues. */
  private position: unknown
  isSuspended = false
  /** Calls of R2 except those for parts, and the number of parts of previous invocations. */
  private calls = 0
  private partsBefore = 0
  /** Set when the job was canceled or another attempt owns it. */
  private isLeaseLost = false

  constructor(kinds: ExportKinds, env: Bindings, db: Database, job: Job, token: string) {
    this.kinds = kinds
    this.env = env
    this.db = db
    this.job = job
    this.token = token
    this.ownsJob = exportLease.heldBy(job.id, token)
    this.file = new ObjectWriter(env.FILES, fileKey(job, token), {})
  }

  /** Continues from the state of another invocation. */
  async resume(from: string): Promise<void> {
    return this.run(async () => {
      const { env, job } = this
      const keys = [stateKey(job, from), remainderKey(job, from)] as const
      const [state, rest] = await Promise.all(keys.map((key) => env.FILES.get(key)))
      if (!state || !rest) throw new Error("The state of the previous invocation is missing.")
      const { uploadId, parts, zip, rows, position } = await state.json<SuspendedAttempt>()
      const bytes = new Uint8Array(await rest.arrayBuffer())
      this.file = new ObjectWriter(env.FILES, fileKey(job, this.token), {}, { uploadId, parts, rest: bytes })
      this.partsBefore = parts.length
      this.zip = zip
      this.rows = rows
      this.resumeFrom = position
      // The state is used once: if this invocation is interrupted, the next attempt starts over.
      await env.FILES.delete([...keys])
      this.calls += 5
    })
  }

  async run(prepare = async () => {}): Promise<void> {
    let failure: unknown = new Error("The attempt lost its lease.")
    try {
      await prepare()
      if ((await this.write()) && (await (this.isSuspended ? this.suspend() : this.complete()))) return
    } catch (error) {
      failure = error
    }
    this.isOver = true
    const { released, completed } = await this.release()
    // The job was completed, and only the response of the database was lost.
    if (completed) return
    await this.file.discard()
    await this.env.FILES.delete([remainderKey(this.job, this.token), stateKey(this.job, this.token)])
    if (released) throw failure
    await this.db.batch([this.clearJob()])
  }

  /** Writes the file. @returns false when the lease is lost */
  private async write(): Promise<boolean> {
    const { env, db, job, file } = this
    const kind = await this.kinds[job.kind]?.()
    if (!kind) throw new Error(`Unknown kind of export: ${job.kind}.`)
    try {
      for await (const chunk of kind.write({ env, db, caller: jobCaller(job), attempt: this }, job.filter))
        await file.write(chunk)
    } catch (error) {
      if (this.isLeaseLost) return false
      throw error
    }
    return true
  }

  countCall() {
    this.calls++
  }

  isFull() {
    return this.db.meter.queries + this.calls + this.file.partCount - this.partsBefore >= INVOCATION_LIMIT.calls
  }

  suspendAt(position: unknown) {
    this.isSuspended = true
    this.position = position
  }

  /** Saves the state and enqueues a message for the next invocation. @returns false when the lease is lost */
  private async suspend(): Promise<boolean> {
    const { env, db, job, token, zip, rows, position } = this
    const { uploadId, parts, rest } = this.file.suspend()
    const state: SuspendedAttempt = { ...(uploadId !== undefined && { uploadId }), parts, zip, rows, position }
    await env.FILES.put(remainderKey(job, token), rest)
    await env.FILES.put(stateKey(job, token), JSON.stringify(state))
    const at = now()
    const [released] = await db.batch([
      db
        .update(exportJobs)
        .set({
          ...exportLease.released(at, at + REQUEUE_DELAY_MS),
          // A suspended invocation does not count as a failed attempt.
          attempts: sql`${exportJobs.attempts} - 1`,
          upload: uploadId ?? null,
        })
        .where(this.ownsJob)
        .returning({ id: exportJobs.id }),
    ])
    if (released.length === 0) return false
    await enqueueExport(env, job.id, token)
    return true
  }

  requireLease(rows: number) {
    if (rows > 0) return
    this.isLeaseLost = true
    throw new Error("The attempt lost its lease.")
  }

  renewLease(percent: number) {
    return this.db
      .update(exportJobs)
      .set({
        ...exportLease.renewed(now()),
        progress: sql`max(${exportJobs.progress}, min(99, ${percent}))`,
        upload: this.file.uploadId ?? null,
      })
      .where(this.ownsJob)
      .returning({ id: exportJobs.id })
  }

  /** Completes the file and the job. @returns false when the lease is lost */
  private async complete(): Promise<boolean> {
    await this.file.finish()
    const [completed, listening] = await this.db.batch([
      this.db
        .update(exportJobs)
        .set({
          status: "completed",
          progress: 100,
          message: `Completed: ${this.rows} ${this.rows === 1 ? "row" : "rows"}.`,
          objectKey: this.file.key,
          ...CLEARED,
        })
        .where(this.ownsJob)
        .returning({ id: exportJobs.id }),
      listeningWebhooks(),
    ])
    wakeWebhooks(this.env, listening)
    return completed.length > 0
  }

  /**
   * Releases the job if this attempt owns it. The row retains what must be deleted from R2.
   * @returns `released` false when the lease is lost; `completed` when the job is completed after all
   */
  private async release(): Promise<{ released: boolean; completed: boolean }> {
    const isLastAttempt = this.job.attempts >= MAX_ATTEMPTS
    const at = now()
    const [released, found] = await this.db.batch([
      this.db
        .update(exportJobs)
        .set({
          ...exportLease.released(at, isLastAttempt ? at : at + REQUEUE_DELAY_MS),
          upload: this.file.uploadId ?? null,
          ...(isLastAttempt ? { status: "failed", message: FAILED_MESSAGE } : { message: "Interrupted. Retrying." }),
        })
        .where(this.ownsJob)
        .returning({ id: exportJobs.id }),
      this.db
        .select({ id: exportJobs.id })
        .from(exportJobs)
        .where(and(eq(exportJobs.id, this.job.id), eq(exportJobs.objectKey, this.file.key))),
    ])
    return { released: released.length > 0, completed: found.length > 0 }
  }

  /** Clears the lease of this attempt if the job has ended. */
  private clearJob() {
    return this.db
      .update(exportJobs)
      .set(CLEARED)
      .where(and(eq(exportJobs.id, this.job.id), eq(exportJobs.lease, this.token), ne(exportJobs.status, "processing")))
  }
}

/** The caller of the job, with the role at the time of the request. */
const jobCaller = (job: Job): Caller => callerAs(job.callerId, job.callerType, actorClient(job.callerId))
