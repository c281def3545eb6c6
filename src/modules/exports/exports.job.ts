import { and, eq, lte, ne, type SQL, sql } from "drizzle-orm"
import { z } from "zod"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { actorClient } from "../../access/clients.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { REQUEUE_DELAY_MS } from "../../db/lease.ts"
import { runInSlices } from "../../db/slices.ts"
import { inFirstIds } from "../../db/sql.ts"
import { listeningWebhooks, wakeWebhooks } from "../../db/webhook-listeners.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, callerAs } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { discardObject, ObjectWriter } from "../../lib/files/multipart.ts"
import type { ZipProgress } from "../../lib/files/zip-writer.ts"
import type { ExportAttempt } from "./export-files.ts"
import type { ExportKind } from "./export-kind.ts"
import { enqueueExport, exportLease } from "./exports.queries.ts"

// An attempt at an export has the job to itself for as long as it renews its lease, which every page of rows does in
// the trip that reads it. Whatever an attempt writes to R2 lies under a key of its own, so that two never write one
// object, and what a dead one left behind is known from the job's row.

const ATTEMPTS = 3
/** How long an expired job is still known (its progress answers 410) before its row goes too. */
const REMEMBERED = 30 * DAY
/** How many jobs one run of the sweep looks after. */
const SWEPT = 50

const FAILED =
  "The export failed three times. Begin it again; if that fails too, tell whoever runs this service its id."
const message = z.object({ exportId: z.uuid(), from: z.string().optional() })

/** How many queries and calls of R2 one invocation makes, of the 1,000 that it has: then a fresh message goes on. */
export const INVOCATION_LIMIT = { calls: 900 }

type Job = typeof exportJobs.$inferSelect

/** Loads the code of each kind, by its name. */
export type ExportKinds = Record<string, () => Promise<ExportKind>>

// An attempt goes on in as many invocations as it needs. Each has a token of its own: the attempt's and a number.
const attemptOf = (token: string) => token.split(".", 1)[0] ?? token
const nextToken = (token: string) => `${attemptOf(token)}.${Number(token.split(".")[1] ?? 0) + 1}`

/** Where an attempt's file lies: its name ends as the download's does. */
const fileOf = ({ id, filename }: Pick<Job, "id" | "filename">, token: string) =>
  `exports/${id}/${attemptOf(token)}${/\.\w+$/.exec(filename)?.[0] ?? ""}`

/** Where an invocation leaves what the next needs: the bytes of no part yet, and all else. */
const restOf = ({ id }: Pick<Job, "id">, token: string) => `exports/${id}/${token}.rest`
const stateOf = ({ id }: Pick<Job, "id">, token: string) => `exports/${id}/${token}.json`

/** What an invocation leaves for the next. */
interface Suspended {
  uploadId?: string
  parts: R2UploadedPart[]
  zip: ZipProgress
  rows: number
  place: unknown
}

/** Removes from R2 whatever the last attempt at a job left there. */
export async function discardAttempt(env: Bindings, job: Pick<Job, "id" | "filename" | "lease" | "upload">) {
  if (!job.lease) return
  await discardObject(env.FILES, fileOf(job, job.lease), job.upload)
  const { objects } = await env.FILES.list({ prefix: `exports/${job.id}/${attemptOf(job.lease)}` })
  if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key))
}

/** Of a job that has ended: nothing is left to look after, neither a lease nor anything in R2. */
const SETTLED = { ...exportLease.over, upload: null }

/** Fails the jobs whose attempts have all died. They stay due: the sweep removes what was left in R2. */
const giveUp = (db: Database, at: number, which: SQL | undefined) =>
  db
    .update(exportJobs)
    .set({ status: "failed", message: FAILED, dueAt: at })
    .where(and(which, exportLease.idle(at), exportLease.spent(ATTEMPTS)))

/** The consumer of the exports queue. @throws when the attempt failed, and for a job that has failed for good */
export async function runExport(kinds: ExportKinds, env: Bindings, body: unknown): Promise<void> {
  const { exportId, from } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  const token = exportLease.newToken()
  const at = now()
  const isIdle = and(eq(exportJobs.id, exportId), exportLease.idle(at))
  const [before, , resumed, claimed] = await db.batch([
    db.select().from(exportJobs).where(eq(exportJobs.id, exportId)),
    giveUp(db, at, eq(exportJobs.id, exportId)),
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
  const [goingOn] = resumed
  if (goingOn && from !== undefined) return new Attempt(kinds, env, db, goingOn, nextToken(from)).resume(from)
  const [job] = claimed
  if (!job) {
    // Ended, or another delivery is at work: nothing to do. A failed job's message goes on to the dead-letter queue.
    const [known] = before
    if (known?.status === "failed" || (known?.attempts === ATTEMPTS && known.leaseUntil <= at)) throw new Error(FAILED)
    return
  }
  const [dead] = before
  if (dead) await discardAttempt(env, dead)
  await new Attempt(kinds, env, db, job, token).run()
}

/** One attempt at a job, from the claim of its lease to its end. */
class Attempt implements ExportAttempt {
  private readonly kinds: ExportKinds
  private readonly db: Database
  private readonly job: Job
  private readonly token: string
  private readonly env: Bindings
  private file: ObjectWriter
  /** The job is this attempt's own, and is still to be done. */
  private readonly mine: SQL
  rows = 0
  isOver = false
  zip: ZipProgress = { written: 0, entries: [] }
  resumeFrom: unknown
  /** Where the next invocation goes on. */
  private place: unknown
  isSuspended = false
  /** The calls of R2 so far, those for parts of the file aside, and how many parts it had before. */
  private calls = 0
  private partsBefore = 0
  /** Set when the job was cancelled or taken over. */
  private lost = false

  constructor(kinds: ExportKinds, env: Bindings, db: Database, job: Job, token: string) {
    this.kinds = kinds
    this.env = env
    this.db = db
    this.job = job
    this.token = token
    this.mine = exportLease.heldBy(job.id, token)
    this.file = new ObjectWriter(env.FILES, fileOf(job, token), {})
  }

  /** Goes on from where another invocation stopped. */
  async resume(from: string): Promise<void> {
    return this.run(async () => {
      const { env, job } = this
      const keys = [stateOf(job, from), restOf(job, from)] as const
      const [state, rest] = await Promise.all(keys.map((key) => env.FILES.get(key)))
      if (!state || !rest) throw new Error("What the invocation before left is gone.")
      const { uploadId, parts, zip, rows, place } = await state.json<Suspended>()
      const bytes = new Uint8Array(await rest.arrayBuffer())
      this.file = new ObjectWriter(env.FILES, fileOf(job, this.token), {}, { uploadId, parts, rest: bytes })
      this.partsBefore = parts.length
      this.zip = zip
      this.rows = rows
      this.resumeFrom = place
      // Read once: should this invocation die, the next attempt begins anew.
      await env.FILES.delete([...keys])
      this.calls += 5
    })
  }

  async run(prepare = async () => {}): Promise<void> {
    let failure: unknown = new Error("The attempt lost its job.")
    try {
      await prepare()
      if ((await this.write()) && (await (this.isSuspended ? this.suspend() : this.complete()))) return
    } catch (error) {
      failure = error
    }
    this.isOver = true
    const { released, completed } = await this.release()
    // Completed although completing seemed to fail: only the answer was lost.
    if (completed) return
    await this.file.discard()
    await this.env.FILES.delete([restOf(this.job, this.token), stateOf(this.job, this.token)])
    if (released) throw failure
    await this.db.batch([this.settle()])
  }

  /** Streams everything into the file. @returns false when the job was cancelled or taken over */
  private async write(): Promise<boolean> {
    const { env, db, job, file } = this
    const kind = await this.kinds[job.kind]?.()
    if (!kind) throw new Error(`There is no export of the kind ${job.kind}.`)
    try {
      for await (const chunk of kind.write({ env, db, caller: callerOf(job), attempt: this }, job.filter))
        await file.write(chunk)
    } catch (error) {
      if (this.lost) return false
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

  suspendAt(place: unknown) {
    this.isSuspended = true
    this.place = place
  }

  /** Has a fresh message go on with the file. @returns false when the job was cancelled or taken over */
  private async suspend(): Promise<boolean> {
    const { env, db, job, token, zip, rows, place } = this
    const { uploadId, parts, rest } = this.file.suspend()
    const state: Suspended = { ...(uploadId !== undefined && { uploadId }), parts, zip, rows, place }
    await env.FILES.put(restOf(job, token), rest)
    await env.FILES.put(stateOf(job, token), JSON.stringify(state))
    const at = now()
    const [released] = await db.batch([
      db
        .update(exportJobs)
        .set({
          ...exportLease.released(at, at + REQUEUE_DELAY_MS),
          // An invocation that did its part is no failed attempt.
          attempts: sql`${exportJobs.attempts} - 1`,
          upload: uploadId ?? null,
        })
        .where(this.mine)
        .returning({ id: exportJobs.id }),
    ])
    if (released.length === 0) return false
    await enqueueExport(env, job.id, token)
    return true
  }

  requireLease(rows: number) {
    if (rows > 0) return
    this.lost = true
    throw new Error("The export is no longer this attempt's own.")
  }

  renewLease(percent: number) {
    return this.db
      .update(exportJobs)
      .set({
        ...exportLease.renewed(now()),
        progress: sql`max(${exportJobs.progress}, min(99, ${percent}))`,
        upload: this.file.uploadId ?? null,
      })
      .where(this.mine)
      .returning({ id: exportJobs.id })
  }

  /** Puts the file in place. @returns false when the job was cancelled or taken over */
  private async complete(): Promise<boolean> {
    await this.file.finish()
    const [completed, told] = await this.db.batch([
      this.db
        .update(exportJobs)
        .set({
          status: "completed",
          progress: 100,
          message: `Completed: ${this.rows} ${this.rows === 1 ? "row" : "rows"}.`,
          objectKey: this.file.key,
          ...SETTLED,
        })
        .where(this.mine)
        .returning({ id: exportJobs.id }),
      listeningWebhooks(this.db),
    ])
    wakeWebhooks(this.env, told)
    return completed.length > 0
  }

  /**
   * Gives the job back, if it is still this attempt's own; the row keeps what has to be removed from R2 until it is.
   * @returns `released` false: it was cancelled or taken over, or `completed` after all
   */
  private async release(): Promise<{ released: boolean; completed: boolean }> {
    const last = this.job.attempts >= ATTEMPTS
    const at = now()
    const [released, found] = await this.db.batch([
      this.db
        .update(exportJobs)
        .set({
          ...exportLease.released(at, last ? at : at + REQUEUE_DELAY_MS),
          upload: this.file.uploadId ?? null,
          ...(last ? { status: "failed", message: FAILED } : { message: "Interrupted; it is tried again." }),
        })
        .where(this.mine)
        .returning({ id: exportJobs.id }),
      this.db
        .select({ id: exportJobs.id })
        .from(exportJobs)
        .where(and(eq(exportJobs.id, this.job.id), eq(exportJobs.objectKey, this.file.key))),
    ])
    return { released: released.length > 0, completed: found.length > 0 }
  }

  /** Of a job that has ended, nothing of this attempt is left to look after. */
  private settle() {
    return this.db
      .update(exportJobs)
      .set(SETTLED)
      .where(and(eq(exportJobs.id, this.job.id), eq(exportJobs.lease, this.token), ne(exportJobs.status, "processing")))
  }
}

/** Whose rows the job may hold: its caller, in the role that they had when they asked. */
const callerOf = (job: Job): Caller => callerAs(job.callerId, job.callerType, actorClient(job.callerId))

/**
 * Looks after the jobs that nobody works on: queues again what waits, fails what died three times, removes what ended
 * attempts left in R2.
 */
export async function resumeExports(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const due = inFirstIds(exportJobs.id, sql`${lte(exportJobs.dueAt, at)} order by ${exportJobs.dueAt}`, SWEPT)
  const [, waiting, ended] = await db.batch([
    giveUp(db, at, due),
    db
      .update(exportJobs)
      .set(exportLease.queued(at))
      .where(and(due, exportLease.idle(at)))
      .returning({ id: exportJobs.id }),
    db
      .select()
      .from(exportJobs)
      .where(and(due, ne(exportJobs.status, "processing"))),
  ])
  await Promise.all(waiting.map(({ id }) => enqueueExport(env, id)))
  for (const job of ended) {
    await discardAttempt(env, job)
    await db.batch([db.update(exportJobs).set(SETTLED).where(eq(exportJobs.id, job.id))])
  }
}

/** Ends the jobs that are past their seven days and deletes their files. */
export async function expireExports(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const [old] = await db.batch([
    db
      .select({
        id: exportJobs.id,
        filename: exportJobs.filename,
        lease: exportJobs.lease,
        upload: exportJobs.upload,
      })
      .from(exportJobs)
      .where(and(sql`${exportJobs.status} <> 'expired'`, lte(exportJobs.expiresAt, at)))
      .limit(SWEPT),
  ])
  for (const job of old) {
    const { id } = job
    await discardAttempt(env, job)
    const { objects } = await env.FILES.list({ prefix: `exports/${id}/` })
    if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key))
    await db.batch([
      db
        .update(exportJobs)
        .set({ status: "expired", objectKey: null, ...SETTLED })
        .where(eq(exportJobs.id, id)),
    ])
  }
}

/** Deletes the jobs that ended long ago. Run by the cron. */
export async function deleteOldExports(db: Database): Promise<void> {
  const old = sql`${exportJobs.status} = 'expired' and ${exportJobs.expiresAt} < ${now() - REMEMBERED}`
  await runInSlices(db, 2, (limit) =>
    db
      .delete(exportJobs)
      .where(inFirstIds(exportJobs.id, old, limit))
      .returning({ id: exportJobs.id }),
  )
}
