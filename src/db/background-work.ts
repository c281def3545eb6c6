import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import type { Bindings } from "../env.ts"
import { MINUTE, now } from "../lib/clock.ts"
import { readJson } from "../lib/text/json.ts"
import { firstRow } from "./client.ts"
import { createLease, enqueue } from "./lease.ts"
import { rawStatement } from "./select.ts"
import { idList } from "./sql.ts"
import type { Statement } from "./statements.ts"
import type { UnitOfWork } from "./unit-of-work.ts"

// Changes whose size grows with members, enrollments or modules. A change that fits into one batch runs there; a
// larger one inserts a job in its batch, and a queue consumer (src/worker/background-jobs.ts) runs it in slices.

/** The maximum number of rows that such a batch writes, including index entries and triggers. Tests lower it. */
export const BATCH_LIMIT = { rowsWritten: 4_500 }

export const jobLease = createLease(backgroundJobs, MINUTE)

/** One pass over the rows of a table, by a job. */
export interface JobStage<P> {
  /** The table, or a join, whose rows are changed. */
  table: SQLWrapper
  where: (params: P) => SQL
  /** Unique columns in the order of an index, so that each slice starts where the last one ended. */
  key: SQLWrapper[]
  /** The minimum number of rows written per changed row, and an addition for some rows. */
  weight: number
  extraWeight?: SQL | ((params: P) => SQL)
  /** Replaces `extraWeight` once the caller's change is committed, if it can then be computed better. */
  sliceWeight?: SQL
  /** The approximate number of rows, from a counter: the denominator of the progress. */
  total: (params: P) => SQL
  /**
   * The statements that change the rows matching `condition`, which includes `where`. They must compute values rather
   * than add to them, because a row may be changed twice.
   */
  change: (work: UnitOfWork, params: P, condition: SQL) => Statement[] | Promise<Statement[]>
  /**
   * How many keys a job finds with one query, where finding them is expensive. The condition of a slice then names its
   * keys, without `where`, so `change` must test the rows. For keys of one integer column.
   */
  keysPerQuery?: number
  /** Called after each slice that a job has committed, unless the consumer stops before. */
  committed?: (env: Bindings, rows: number) => Promise<void>
}

/** A pass that needs no round trip of its own, so that it also fits into the batch of a request. */
export interface Stage<P> extends JobStage<P> {
  change: (work: UnitOfWork, params: P, condition: SQL) => Statement[]
}

/** Work that only jobs do. */
export interface JobKind<P extends object = object> {
  /** The stored name of the kind. Never rename it. */
  name: string
  stages: JobStage<P>[]
  /** Final statements once all stages are complete, such as deleting the parent. */
  finish?: (work: UnitOfWork, params: P) => Statement[]
}

export interface BackgroundKind<P extends object = object> extends JobKind<P> {
  stages: Stage<P>[]
}

const list = (parts: SQLWrapper[]) => sql.join(parts, sql`, `)
const extraOf = <P>({ extraWeight = sql`0` }: JobStage<P>, params: P) =>
  typeof extraWeight === "function" ? extraWeight(params) : extraWeight

/** The condition that a row's key is before or after another key. */
const compareKey = (key: SQLWrapper[], operator: ">" | "<=", bound: (number | string)[]) =>
  sql`(${list(key)}) ${sql.raw(operator)} (${list(bound.map((value) => sql`${value}`))})`

export interface Slice {
  /** The key of the last row. */
  after: (number | string)[]
  rows: number
  which: SQL
}

/** Cuts rows into parts that fit into one batch each. */
function cutByWeight<Row extends { weight: number }>(rows: Row[]): Row[][] {
  const parts: Row[][] = []
  let written = Number.POSITIVE_INFINITY
  for (const row of rows) {
    written += row.weight
    if (written <= BATCH_LIMIT.rowsWritten) parts.at(-1)?.push(row)
    else {
      parts.push([row])
      written = row.weight
    }
  }
  return parts
}

/** The next slices of a stage that fit into one batch each, in the order of their keys; none if no rows are left. */
export async function nextSlices<P>(
  { db }: UnitOfWork,
  stage: JobStage<P>,
  params: P,
  after: (number | string)[] | null,
): Promise<Slice[]> {
  const { key, table, weight, keysPerQuery } = stage
  const which = after ? sql`${stage.where(params)} and ${compareKey(key, ">", after)}` : stage.where(params)
  const [rows] = await db.batch([
    rawStatement<{ key: string; weight: number }>(
      db,
      sql`select json_array(${list(key)}) as "key",
          ${weight} + ${stage.sliceWeight ?? extraOf(stage, params)} as "weight"
        from ${table} where ${which}
        order by ${list(key)} limit ${keysPerQuery ?? Math.ceil(BATCH_LIMIT.rowsWritten / weight)}`,
    ),
  ])
  const parts = cutByWeight(rows.map((row) => ({ key: readJson(row.key) as (number | string)[], weight: row.weight })))
  const slices = parts.map((part): Slice => {
    const last = part.at(-1)?.key ?? []
    return {
      after: last,
      rows: part.length,
      which: keysPerQuery
        ? sql`${key[0]} in ${idList(part.map((row) => Number(row.key[0])))}`
        : sql`${which} and ${compareKey(key, "<=", last)}`,
    }
  })
  return keysPerQuery ? slices : slices.slice(0, 1)
}

interface Plan {
  fits: number
  total: number
}

/**
 * Plans the work of one mutation. Run `question` in the first round trip, add the statements of `decide` to the
 * batch, and call `start` after the batch is committed.
 */
export function planBackgroundWork<P extends object>(work: UnitOfWork, kind: BackgroundKind<P>, params: P) {
  const { db } = work
  const weights = kind.stages.map((stage) => {
    const { table, weight } = stage
    const limit = Math.ceil(BATCH_LIMIT.rowsWritten / weight) + 1
    return sql`(
      select coalesce(sum(weight), 0)
      from (
        select ${weight} + ${extraOf(stage, params)} as weight from ${table} where ${stage.where(params)} limit ${limit}
      )
    )`
  })
  const totals = kind.stages.map((stage) => sql`coalesce(${stage.total(params)}, 0)`)
  return {
    question: rawStatement<Plan>(
      db,
      sql`select ${sql.join(weights, sql` + `)} <= ${BATCH_LIMIT.rowsWritten} as "fits",
        ${sql.join(totals, sql` + `)} as "total"`,
    ),
    /** @param final the parameters as narrowed by the first round trip */
    decide(rows: Plan[], final: P = params): PlannedWork {
      const { fits, total } = firstRow(rows)
      if (fits) {
        const statements = kind.stages.flatMap((stage) => stage.change(work, final, stage.where(final)))
        return { statements: [...statements, ...(kind.finish?.(work, final) ?? [])], job: {}, start: async () => {} }
      }
      return newJob(work, kind, final, total)
    },
  }
}

/** The statements for the change's batch, the id of the job if there is one, and a function that starts the job. */
interface PlannedWork {
  statements: Statement[]
  job: { jobId?: string }
  start: () => Promise<void>
}

/** A job for work that does not fit into its change's batch. Call `start` after the batch is committed. */
export function newJob<P extends object>({ db, env, caller }: UnitOfWork, kind: JobKind<P>, params: P, total: number) {
  const jobId = crypto.randomUUID()
  const at = now()
  const row = { id: jobId, kind: kind.name, params: params as Record<string, unknown>, callerId: caller.id, total }
  const inserted = db.insert(backgroundJobs).values({ ...row, createdAt: at, ...jobLease.queued(at) })
  return { statements: [inserted] as Statement[], job: { jobId }, start: () => enqueueJob(env, jobId, START_DELAY) }
}

/** The delay of a new job, so that the caller gets the response first. */
const START_DELAY = { delaySeconds: 1 }

/** Sends a job to the queue. */
export const enqueueJob = (env: Bindings, jobId: string, options?: QueueSendOptions): Promise<void> =>
  enqueue(env.JOBS, "job not queued", { jobId }, options)

/** The condition that this consumer holds the job's lease. */
export const ownsJobLease = (jobId: string, token: string) => jobLease.heldBy(jobId, token)
