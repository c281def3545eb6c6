import { and, eq, type SQL, sql } from "drizzle-orm"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { quota } from "../../access/quotas.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { createLease, enqueue } from "../../db/lease.ts"
import { rowCount, rowExists, rowList, SINGLE_ROW } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, outranks } from "../../lib/caller.ts"
import { DAY, now, SECOND } from "../../lib/clock.ts"
import { conflict, gone, notFound, tooMany } from "../../lib/errors.ts"
import { type ExportKind, fileExtension } from "./export-kind.ts"

const EXPORT_LIFETIME = 7 * DAY

/** The lease lasts much longer than a page or a part takes. */
export const exportLease = createLease(exportJobs, 30 * SECOND)

/** A message of the exports queue. */
export interface ExportMessage {
  exportId: string
  /** The token of the invocation to continue from; without it, the job starts over. */
  from?: string
}

/** Sorts keys and lists of a filter, so that equal filters have the same JSON. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([key, member]) => [key, canonical(member)]))
}

export const enqueueExport = (env: Bindings, exportId: string, from?: string): Promise<void> =>
  enqueue(env.EXPORTS, "export not queued", {
    exportId,
    ...(from !== undefined && { from }),
  } satisfies ExportMessage)

/** Export operations require a session, so the caller has an id. */
function callerId(caller: Pick<Caller, "id">): number {
  if (caller.id === null) throw new Error("Exports require a session.")
  return caller.id
}

const isOwnJob = (caller: Caller, kind: ExportKind, exportId: string) =>
  and(eq(exportJobs.id, exportId), eq(exportJobs.kind, kind.name), eq(exportJobs.callerId, callerId(caller)))

type Job = Pick<typeof exportJobs.$inferSelect, "callerType">

/** Returns the caller's job, unless it was created under a higher role than their current one. @throws 404 */
function requireJob<T extends Job>(caller: Caller, jobs: T[]): T {
  const [job] = jobs
  if (!job || outranks(job.callerType, caller)) throw notFound("export")
  return job
}

/** The row of a new export. @param filter the parsed body as canonical JSON */
export function newExport(kind: ExportKind, owner: Pick<Caller, "id" | "userType">, filter: string) {
  const id = crypto.randomUUID()
  const at = now()
  const timestamp = new Date(at)
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .replace("T", "-")
  return {
    id,
    kind: kind.name,
    callerId: callerId(owner),
    callerType: owner.userType,
    filter,
    message: "Waiting to start.",
    // The beginning of the id distinguishes exports of the same second.
    filename: `${kind.filePrefix}-${timestamp}-${id.slice(0, 8)}.${fileExtension(kind, filter)}`,
    ...exportLease.queued(at),
    createdAt: at,
    expiresAt: at + EXPORT_LIFETIME,
  }
}
type NewExport = ReturnType<typeof newExport>

/** Inserts exports, except those that their owner is running already. @param which a condition on the row `value` */
export const insertExports = (db: Database, rows: NewExport[], which: SQL): Statement =>
  insertFrom(
    db,
    exportJobs,
    {
      id: jsonField("id"),
      kind: jsonField("kind"),
      callerId: jsonField("callerId"),
      callerType: jsonField("callerType"),
      filter: jsonField("filter"),
      message: jsonField("message"),
      filename: jsonField("filename"),
      dueAt: jsonField("dueAt"),
      createdAt: jsonField("createdAt"),
      expiresAt: jsonField("expiresAt"),
    },
    sql`from ${rowList(rows)} where ${which}`,
  ).onConflictDoNothing()

/** The maximum number of files that one request expires, for example after the quota was lowered. */
const MAX_EXPIRED = 100
/** Most exports take less. */
const RETRY_AFTER_SECONDS = 30
const tooManyExports = (max: number) =>
  tooMany(
    "too_many_exports",
    `You have ${max} running exports, which is the limit. Wait until one completes, or cancel one.`,
    RETRY_AFTER_SECONDS,
  )

/**
 * Starts an export, or returns the running export of the caller with the same kind and filter.
 * @param body the parsed request body
 * @throws 422 from the validation of the kind; 429 for too many running exports
 */
export async function initiateExport(work: UnitOfWork, kind: ExportKind, body: Record<string, unknown>) {
  const { db, caller, env } = work
  const filter = JSON.stringify(canonical(kind.body.parse(body)))
  const running = db
    .select({ id: exportJobs.id })
    .from(exportJobs)
    .where(
      and(
        eq(exportJobs.callerId, callerId(caller)),
        eq(exportJobs.kind, kind.name),
        eq(exportJobs.filter, filter),
        eq(exportJobs.status, "processing"),
      ),
    )
  const runningCount = rowCount(
    exportJobs,
    and(eq(exportJobs.callerId, callerId(caller)), eq(exportJobs.status, "processing")),
  )
  const selectRunningCount = db.select({ running: runningCount.as("running_exports") }).from(SINGLE_ROW)
  const alreadyRunning = (id: string) =>
    ({ status: "success", export_id: id, message: `This export of ${kind.title} is already running.` }) as const

  const { check } = kind
  const [[existing], [counts], ...checked] = await work.read([
    running,
    selectRunningCount,
    ...(check?.read(work, filter) ?? []),
  ] as const)
  check?.validate(work, checked, filter)
  if (existing) return work.commit([], alreadyRunning(existing.id))
  const max = quota(env, "MAX_RUNNING_EXPORTS")
  if (counts && counts.running >= max) throw tooManyExports(max)

  const job = newExport(kind, caller, filter)
  const { id } = job
  const at = job.createdAt
  const answer = { status: "success", export_id: id, message: `Export of ${kind.title} started.` } as const
  const duplicate = conflict("conflict", "The same export was started at the same time.")
  try {
    await work.commit(
      [
        work.guard(sql`${runningCount} < ${max}`),
        // The oldest files above the quota expire, and the cron deletes them.
        db
          .update(exportJobs)
          .set({ expiresAt: at })
          .where(
            sql`${exportJobs.id} in (
              select ${exportJobs.id} from ${exportJobs}
              where ${exportJobs.callerId} = ${callerId(caller)} and ${exportJobs.status} = 'completed'
              order by ${exportJobs.createdAt} desc
              limit ${MAX_EXPIRED} offset ${quota(env, "MAX_KEPT_EXPORTS") - 1}
            ) and ${exportJobs.expiresAt} > ${at}`,
          ),
        db.insert(exportJobs).values(job),
        work.audit(
          "created",
          "export",
          { id: null, name: kind.title },
          { exportId: id, ...kind.auditDetails?.(filter), filter: JSON.parse(filter) },
        ),
      ],
      answer,
      { unique: { "export_jobs.caller_id": () => duplicate } },
    )
  } catch (error) {
    if (error !== duplicate) throw error
    const [[concurrent]] = await work.read([running])
    if (!concurrent) throw error
    return work.commit([], alreadyRunning(concurrent.id))
  }
  await enqueueExport(env, id)
  return answer
}

/**
 * Returns the progress of an export, read from the primary, so that it never decreases. A job that no consumer owns for
 * a while, because its message or its consumer was lost, is enqueued again.
 * @throws 404; 410 when the export has expired or its file is missing
 */
export async function getExportProgress(work: UnitOfWork, kind: ExportKind, exportId: string) {
  const { db, caller, env } = work
  const at = now()
  const [waiting, jobs] = await db.batch([
    db
      .update(exportJobs)
      .set(exportLease.queued(at))
      .where(and(isOwnJob(caller, kind, exportId), exportLease.waits(at)))
      .returning({ id: exportJobs.id }),
    db
      .select({
        status: exportJobs.status,
        progress: exportJobs.progress,
        message: exportJobs.message,
        filename: exportJobs.filename,
        objectKey: exportJobs.objectKey,
        callerType: exportJobs.callerType,
        expiresAt: exportJobs.expiresAt,
      })
      .from(exportJobs)
      .where(isOwnJob(caller, kind, exportId)),
  ])
  const job = requireJob(caller, jobs)
  if (waiting.length > 0) await enqueueExport(env, exportId)
  if (job.status === "expired" || job.expiresAt <= at) throw expired()
  if (job.objectKey !== null && !(await env.FILES.head(job.objectKey))) throw fileGone()
  return { ...job, status: job.status }
}

/** The file is not in R2, for example after only the database was restored. */
export const fileGone = () => gone("file_gone", "The file of this export no longer exists. Start a new export.")

const expired = () =>
  gone(
    "export_expired",
    "This export has expired. Files are available for seven days, up to a limit per user. Start a new export.",
  )

/** Cancels an export. Its consumer stops at the next page of rows. @throws 404; 409 when it has ended */
export async function cancelExport(work: UnitOfWork, kind: ExportKind, exportId: string) {
  const { db, caller } = work
  const isJob = isOwnJob(caller, kind, exportId)
  const [jobs] = await work.read([
    db.select({ status: exportJobs.status, callerType: exportJobs.callerType }).from(exportJobs).where(isJob),
  ])
  const job = requireJob(caller, jobs)
  if (job.status !== "processing")
    throw conflict("export_not_running", `This export is already ${job.status} and can't be canceled.`)
  return work.commit(
    [
      work.guard(rowExists(exportJobs, and(isJob, eq(exportJobs.status, "processing")))),
      db
        .update(exportJobs)
        .set({
          status: "cancelled",
          message: "Canceled.",
          // Without an attempt, nothing is left in R2, so the job is not due.
          dueAt: sql`case when ${exportJobs.lease} is null then null else ${exportJobs.dueAt} end`,
        })
        .where(isJob),
      work.audit("updated", "export", { id: null, name: kind.title }, { exportId, status: "cancelled" }),
    ],
    { status: "success", message: "Export canceled." } as const,
  )
}

/** Returns the file of a completed export. @throws 404; 409 before completion; 410 when canceled or expired */
export async function getCompletedExport(db: Database, caller: Caller, kind: ExportKind, exportId: string) {
  const [jobs] = await db.batch([
    db
      .select({
        status: exportJobs.status,
        message: exportJobs.message,
        filename: exportJobs.filename,
        objectKey: exportJobs.objectKey,
        callerType: exportJobs.callerType,
        expiresAt: exportJobs.expiresAt,
      })
      .from(exportJobs)
      .where(isOwnJob(caller, kind, exportId)),
  ])
  const job = requireJob(caller, jobs)
  if (job.status === "cancelled") throw gone("export_cancelled", "This export was canceled. Start a new export.")
  if (job.status === "expired" || job.expiresAt <= now()) throw expired()
  if (job.status === "failed") throw conflict("export_failed", job.message)
  if (job.objectKey === null)
    throw conflict("export_not_ready", "This export is not completed yet. Check its progress, then download the file.")
  return { key: job.objectKey, filename: job.filename }
}
