import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import type { Bindings } from "../env.ts"
import { MINUTE, now } from "../lib/clock.ts"
import { readJson } from "../lib/text/json.ts"
import { one } from "./client.ts"
import { createLease, enqueue } from "./lease.ts"
import { asWritten } from "./select.ts"
import type { Statement, UnitOfWork } from "./unit-of-work.ts"

// Work that grows with members, enrollments or modules. A change whose rows fit into one batch does it there; a larger
// one inserts a job in its batch, and a queue consumer (src/worker/background-jobs.ts) does the work in slices.

/** The most rows that one batch of such work writes, index entries and trigger writes included. Tests lower it. */
export const BATCH_LIMIT = { rowsWritten: 4_500 }

export const jobLease = createLease(backgroundJobs, MINUTE)

/** One pass over the rows of a table. */
export interface Stage<P> {
  /** The table, or a join, whose rows are changed. */
  table: SQLWrapper
  where: (params: P) => SQL
  /** Unique columns that an index has in this order, so that each slice begins where the last one ended. */
  key: SQLWrapper[]
  /** The rows that changing one row writes at least, and what must be added for some rows. */
  weight: number
  extraWeight?: SQL | ((params: P) => SQL)
  /** What must be added once the change of the call is committed, where that can be told better; else `extraWeight`. */
  sliceWeight?: SQL
  /** About how many rows there are, from a kept counter: the denominator of the progress. */
  total: (params: P) => SQL
  /**
   * The statements that change the rows of `which`, a condition that includes `where`. They compute values rather than
   * add to them: a row may be changed twice.
   */
  change: (work: UnitOfWork, params: P, which: SQL) => Statement[]
  /** Called after each slice that a job has committed. Not called when the consumer dies before. */
  committed?: (env: Bindings, rows: number) => Promise<void>
}

export interface BackgroundKind<P extends object = object> {
  /** Never renamed: jobs are stored under it. */
  name: string
  stages: Stage<P>[]
  /** What remains to be done once no stage has rows left, such as deleting the parent. */
  finish?: (work: UnitOfWork, params: P) => Statement[]
}

const list = (parts: SQLWrapper[]) => sql.join(parts, sql`, `)
const extraOf = <P>({ extraWeight = sql`0` }: Stage<P>, params: P) =>
  typeof extraWeight === "function" ? extraWeight(params) : extraWeight

/** The condition that a row's key lies on one side of another. */
const beside = (key: SQLWrapper[], operator: ">" | "<=", bound: (number | string)[]) =>
  sql`(${list(key)}) ${sql.raw(operator)} (${list(bound.map((value) => sql`${value}`))})`

export interface Slice {
  /** The key of its last row. */
  after: (number | string)[]
  rows: number
  which: SQL
}

/** The next rows of a stage, as many as one batch may change; undefined: none is left. */
export async function nextSlice<P>(
  { db }: UnitOfWork,
  stage: Stage<P>,
  params: P,
  after: (number | string)[] | null,
): Promise<Slice | undefined> {
  const { key, table, weight } = stage
  const which = after ? sql`${stage.where(params)} and ${beside(key, ">", after)}` : stage.where(params)
  const names = key.map((_, at) => sql.raw(`k${at}`))
  const columns = list(key.map((column, at) => sql`${column} as ${names[at]}`))
  const [found] = await db.batch([
    asWritten<{ last: string; rows: number }>(
      db,
      sql`select json_array(${list(names)}) as "last", position as "rows" from (
          select ${list(names)},
            row_number() over (order by ${list(names)}) as position,
            sum(weight) over (order by ${list(names)} rows unbounded preceding) as written
          from (
            select ${columns}, ${weight} + ${stage.sliceWeight ?? extraOf(stage, params)} as weight
            from ${table} where ${which}
            order by ${list(key)} limit ${Math.ceil(BATCH_LIMIT.rowsWritten / weight)}
          )
        )
        where written <= ${BATCH_LIMIT.rowsWritten} or position = 1
        order by position desc limit 1`,
    ),
  ])
  const [last] = found
  if (!last) return undefined
  const bound = readJson(last.last) as (number | string)[]
  return { after: bound, rows: last.rows, which: sql`${which} and ${beside(key, "<=", bound)}` }
}

interface Plan {
  fits: number
  total: number
}

/**
 * Plans work for one mutation. Ask `question` in its first round trip; what `decide` returns goes into its batch.
 * Call `start` once the batch is committed.
 */
export function planBackgroundJob<P extends object>(work: UnitOfWork, kind: BackgroundKind<P>, params: P) {
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
    question: asWritten<Plan>(
      db,
      sql`select ${sql.join(weights, sql` + `)} <= ${BATCH_LIMIT.rowsWritten} as "fits",
        ${sql.join(totals, sql` + `)} as "total"`,
    ),
    /** @param final the parameters as the first round trip has narrowed them */
    decide(rows: Plan[], final: P = params): Decided {
      const { fits, total } = one(rows)
      if (fits) {
        const statements = kind.stages.flatMap((stage) => stage.change(work, final, stage.where(final)))
        return { statements: [...statements, ...(kind.finish?.(work, final) ?? [])], job: {}, start: async () => {} }
      }
      return newJob(work, kind, final, total)
    },
  }
}

/** What goes into the batch of the change, the id of the job if there is one, and what starts it. */
interface Decided {
  statements: Statement[]
  job: { jobId?: string }
  start: () => Promise<void>
}

/** A job for work that does not fit into the batch of its change. Call `start` once the batch is committed. */
export function newJob<P extends object>(
  { db, env, caller }: UnitOfWork,
  kind: BackgroundKind<P>,
  params: P,
  total: number,
) {
  const jobId = crypto.randomUUID()
  const at = now()
  const row = { id: jobId, kind: kind.name, params: params as Record<string, unknown>, callerId: caller.id, total }
  const inserted = db.insert(backgroundJobs).values({ ...row, createdAt: at, ...jobLease.queued(at) })
  return { statements: [inserted] as Statement[], job: { jobId }, start: () => enqueueJob(env, jobId, START_DELAY) }
}

/** How long a new job waits, so that the call that made it is answered first. */
const START_DELAY = { delaySeconds: 1 }

/** Sends a job to a consumer. */
export const enqueueJob = (env: Bindings, jobId: string, options?: QueueSendOptions): Promise<void> =>
  enqueue(env.JOBS, "job not queued", { jobId }, options)

/** The job's row while this consumer holds its lease. */
export const ownsJobLease = (jobId: string, token: string) => jobLease.heldBy(jobId, token)
