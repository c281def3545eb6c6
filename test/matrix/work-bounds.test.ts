import { env } from "cloudflare:workers"
import { afterEach, expect, it } from "vitest"
import { incorrectCounters } from "../../drizzle/triggers/audience-counters.ts"
import { COUNTS, derivedColumns, incorrectRows } from "../../drizzle/triggers/derived-data.ts"
import { audienceCounters } from "../../drizzle/triggers/index.ts"
import { limitedColumns } from "../../drizzle/triggers/limited-data.ts"
import { incorrectAggregates, reportAggregates } from "../../drizzle/triggers/report-aggregates.ts"
import { BATCH_LIMIT } from "../../src/db/background-work.ts"
import { operations } from "../../src/http/operation.ts"
import { lowerBatchLimit, restoreBatchLimit, runJobs } from "../factories/background-jobs.ts"
import { largeAcademy } from "../factories/large-academy.ts"
import { MUTATIONS, mutate } from "./mutations.ts"

// Calls every mutation on records that all members of an academy refer to: no batch of the call, or of the job that it
// starts, may write more than a few rows beyond the limit. `npm test` has a few members and a low limit;
// `npm run verify -- bounds` has 50,000 members and the real limit, the step `bounds` of `npm run test:all` 6,000.

const members = Number(env.BOUNDS_SIZE)
const SIZE = members || 350
const LIMIT = members ? BATCH_LIMIT.rowsWritten : 200
/** The rows that a call may write in addition to the rows of one slice. */
const MARGIN = members ? 500 : 100

afterEach(restoreBatchLimit)

/** Counts the rows that each batch writes from now on. */
function metered() {
  const real = env.DB
  const batches: number[] = []
  const withSession = (constraint?: string) => {
    const session = real.withSession(constraint)
    return {
      prepare: session.prepare.bind(session),
      getBookmark: () => session.getBookmark(),
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await session.batch(statements)
        batches.push(results.reduce((sum, { meta }) => sum + meta.rows_written, 0))
        return results
      },
    }
  }
  // openDatabase uses only this method.
  env.DB = { withSession } as unknown as D1Database
  return { batches, stop: () => Object.assign(env, { DB: real }) }
}

const changing = operations.filter(({ method, mutates }) => method !== "get" || mutates)
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

it("has a call for every operation that changes data", () => {
  const names = changing.filter(({ path }) => path.startsWith("/api/")).map(nameOf)
  expect(names.filter((name) => !(name in MUTATIONS))).toEqual([])
  expect(Object.keys(MUTATIONS).filter((name) => !names.includes(name))).toEqual([])
})

it("bounds the rows of every batch for records of any size", { timeout: 3_600_000 }, async () => {
  const began = Date.now()
  const academy = await largeAcademy(SIZE)
  console.info(`An academy of ${SIZE} members: ${((Date.now() - began) / 1000).toFixed(1)} s`)
  if (!members) lowerBatchLimit(LIMIT)
  const made = new Map<string, number>()
  const faults: string[] = []
  for (const name of Object.keys(MUTATIONS)) {
    const meter = metered()
    try {
      const fault = await mutate(name, academy, made)
      if (fault) faults.push(fault)
      const [called, jobs] = [Math.max(0, ...meter.batches), meter.batches.length]
      await runJobs()
      const sliced = Math.max(0, ...meter.batches.slice(jobs))
      if (members) console.info(`${name}: ${called} rows${sliced ? `, then ${sliced} in a slice` : ""}`)
      const most = Math.max(called, sliced)
      if (most > LIMIT + MARGIN) faults.push(`${name} writes ${called} rows in the call, ${sliced} in a slice`)
    } catch (error) {
      faults.push(`${name}: ${error}`)
    } finally {
      meter.stop()
    }
  }
  expect.soft(faults).toEqual([])
  expect(await wrong()).toEqual([])
})

/** Derived values that differ from a recount. */
async function wrong() {
  const found: unknown[] = []
  const ask = async (what: string, text: string) => {
    const { results } = await env.DB.prepare(`select * from (${text}) limit 3`).all()
    for (const row of results) found.push({ what, ...row })
  }
  for (const one of derivedColumns) if (one.table !== "counters") await ask(one.table, incorrectRows(one))
  // D1 allows five terms in a compound query.
  for (const { table, broken } of limitedColumns) for (const part of broken.split(" UNION ALL ")) await ask(table, part)
  for (const count of COUNTS)
    await ask(
      "counters",
      `with found(key, value) as (${count})
      select key, value, (select value from counters where counters.key = found.key) as kept
      from found where kept is not value and value <> 0`,
    )
  for (const counter of audienceCounters) await ask("counter", incorrectCounters(counter))
  for (const figure of reportAggregates) await ask("figure", incorrectAggregates(figure))
  return found
}
