import { and, eq, sql } from "drizzle-orm"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { quota } from "../../access/quotas.ts"
import type { Database } from "../../db/client.ts"
import { createLease, enqueue } from "../../db/lease.ts"
import { rowCount, rowExists, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, outranks } from "../../lib/caller.ts"
import { DAY, now, SECOND } from "../../lib/clock.ts"
import { conflict, gone, notFound, tooMany } from "../../lib/errors.ts"
import type { ExportKind } from "./export-kind.ts"

/** How long a job and its file live. */
const EXPORT_LIFETIME = 7 * DAY

/** An attempt may be silent for far longer than a page or a part takes. */
export const exportLease = createLease(exportJobs, 30 * SECOND)

/** A queue message: which job to work on. */
export interface ExportMessage {
  exportId: string
  /** The invocation that left off, for the next to go on; without it, the job begins anew. */
  from?: string
}

/** One spelling of a filter, so that two that ask the same are the same text: keys and id lists in order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([key, member]) => [key, canonical(member)]))
}

/** Hands a job to a consumer. */
export const enqueueExport = (env: Bindings, exportId: string, from?: string): Promise<void> =>
  enqueue(env.EXPORTS, "export not queued", {
    exportId,
    ...(from !== undefined && { from }),
  } satisfies ExportMessage)

/** The caller's own id; export operations ask for a session, so there is one. */
function callerId(caller: Caller): number {
  if (caller.id === null) throw new Error("An export has no anonymous caller.")
  return caller.id
}

const own = (caller: Caller, kind: ExportKind, exportId: string) =>
  and(eq(exportJobs.id, exportId), eq(exportJobs.kind, kind.name), eq(exportJobs.callerId, callerId(caller)))

type Job = Pick<typeof exportJobs.$inferSelect, "callerType">

/** The caller's job, unless it was made under a higher role than theirs of today. @throws 404 */
function required<T extends Job>(caller: Caller, jobs: T[]): T {
  const [job] = jobs
  if (!job || outranks(job.callerType, caller)) throw notFound("export")
  return job
}

/** How many files one call expires at most, such as after the quota was lowered. */
const MAX_EXPIRED = 100
/** When to ask again, in seconds: most exports take less. */
const ASK_AGAIN = 30
const tooManyExports = (most: number) =>
  tooMany(
    "too_many_exports",
    `You have ${most} exports running, as many as may run at once. Wait until one ends, or cancel one.`,
    ASK_AGAIN,
  )

/**
 * Begins an export, or answers with the one that the caller has running already for the same kind and filter.
 * @param body as the kind's schema read it
 * @throws 422 for more than its kind takes; 429 for more at once than a person may run
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
  const atWork = rowCount(
    exportJobs,
    and(eq(exportJobs.callerId, callerId(caller)), eq(exportJobs.status, "processing")),
  )
  const load = db.select({ running: atWork.as("running_exports") }).from(SINGLE_ROW)
  const again = (id: string) =>
    ({ status: "success", export_id: id, message: `This export of ${kind.title} is running already.` }) as const

  const { check } = kind
  const [[existing], [busy], checked = []] = await (check
    ? work.read([running, load, check.read(work, filter)] as const)
    : work.read([running, load] as const))
  check?.validate(work, checked, filter)
  if (existing) return work.commit([], again(existing.id))
  const most = quota(env, "MAX_RUNNING_EXPORTS")
  if (busy && busy.running >= most) throw tooManyExports(most)

  const id = crypto.randomUUID()
  const at = now()
  const stamp = new Date(at)
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .replace("T", "-")
  const answer = { status: "success", export_id: id, message: `The export of ${kind.title} has begun.` } as const
  const taken = conflict("conflict", "The same export was begun at the same time.")
  try {
    await work.commit(
      [
        work.guard(sql`${atWork} < ${most}`),
        // The oldest files beyond the quota expire: the sweep removes them.
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
        db.insert(exportJobs).values({
          id,
          kind: kind.name,
          callerId: callerId(caller),
          callerType: caller.userType,
          filter,
          message: "Waiting to begin.",
          // The id's beginning tells exports of one second apart.
          filename: `${kind.filePrefix}-${stamp}-${id.slice(0, 8)}.${kind.fileExtension}`,
          ...exportLease.queued(at),
          createdAt: at,
          expiresAt: at + EXPORT_LIFETIME,
        }),
        work.audit(
          "created",
          "export",
          { id: null, name: kind.title },
          { exportId: id, ...kind.auditDetails?.(filter), filter: JSON.parse(filter) },
        ),
      ],
      answer,
      { unique: { "export_jobs.caller_id": () => taken } },
    )
  } catch (error) {
    if (error !== taken) throw error
    const [[winner]] = await work.read([running])
    if (!winner) throw error
    return work.commit([], again(winner.id))
  }
  await enqueueExport(env, id)
  return answer
}

/**
 * How far an export is, read where it is written, so that progress never falls. A job that no consumer has taken up for
 * a while, because its message or its consumer was lost, is queued again.
 * @throws 404, 410 when it has expired, or its file is gone
 */
export async function getExportProgress(work: UnitOfWork, kind: ExportKind, exportId: string) {
  const { db, caller, env } = work
  const at = now()
  const [waiting, jobs] = await db.batch([
    db
      .update(exportJobs)
      .set(exportLease.queued(at))
      .where(and(own(caller, kind, exportId), exportLease.waits(at)))
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
      .where(own(caller, kind, exportId)),
  ])
  const job = required(caller, jobs)
  if (waiting.length > 0) await enqueueExport(env, exportId)
  if (job.status === "expired" || job.expiresAt <= at) throw expired()
  if (job.objectKey !== null && !(await env.FILES.head(job.objectKey))) throw fileGone()
  return { ...job, status: job.status }
}

/** The file is not in R2, such as after the database alone was restored. */
export const fileGone = () => gone("file_gone", "The file of this export is gone. Begin a new one.")

const expired = () =>
  gone(
    "export_expired",
    "This export has expired: files live seven days, and only the newest of a person are kept. Begin a new one.",
  )

/** Stops an export; its consumer sees that with its next page of rows. @throws 404, 409 when it has ended */
export async function cancelExport(work: UnitOfWork, kind: ExportKind, exportId: string) {
  const { db, caller } = work
  const mine = own(caller, kind, exportId)
  const [jobs] = await work.read([
    db.select({ status: exportJobs.status, callerType: exportJobs.callerType }).from(exportJobs).where(mine),
  ])
  const job = required(caller, jobs)
  if (job.status !== "processing")
    throw conflict("export_not_running", `This export is ${job.status} already and cannot be cancelled.`)
  return work.commit(
    [
      work.guard(rowExists(exportJobs, and(mine, eq(exportJobs.status, "processing")))),
      db
        .update(exportJobs)
        .set({
          status: "cancelled",
          message: "Cancelled.",
          // Without an attempt nothing can be left behind, and the sweep need not look after it.
          dueAt: sql`case when ${exportJobs.lease} is null then null else ${exportJobs.dueAt} end`,
        })
        .where(mine),
      work.audit("updated", "export", { id: null, name: kind.title }, { exportId, status: "cancelled" }),
    ],
    { status: "success", message: "Export cancelled." } as const,
  )
}

/** A completed export's file. @throws 404; 409 before it is completed; 410 when it was cancelled or has expired */
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
      .where(own(caller, kind, exportId)),
  ])
  const job = required(caller, jobs)
  if (job.status === "cancelled") throw gone("export_cancelled", "This export was cancelled. Begin a new one.")
  if (job.status === "expired" || job.expiresAt <= now()) throw expired()
  if (job.status === "failed") throw conflict("export_failed", job.message)
  if (job.objectKey === null)
    throw conflict("export_not_ready", "This export is not completed yet. Ask for its progress, then download it.")
  return { key: job.objectKey, filename: job.filename }
}
