import { env } from "cloudflare:workers"
import { vi } from "vitest"
import { injectFault, parseFault } from "../../src/db/fault-injection.ts"
import { QUERY_TIMEOUT_MS } from "../../src/db/timeout.ts"
import type { Bindings } from "../../src/env.ts"

/** The real database, which tests replace by a faulty one. */
const { DB } = env

type Rows = Record<string, unknown>[]
/** The rows of each table by its name, and the keys in R2. */
export type State = Map<string, Rows>

let names: string[] | undefined

async function tables(): Promise<string[]> {
  const { results } = await DB.prepare(
    "select name from pragma_table_list where schema = 'main' and type = 'table' order by name",
  ).all<{ name: string }>()
  // Unused reserved ids are harmless.
  return results.map(({ name }) => name).filter((name) => !/^(sqlite_|_cf_|d1_|sequences$)/.test(name))
}

/** The current state of the storage. */
export async function stateNow(): Promise<State> {
  names ??= await tables()
  const every = names.map((name) => DB.prepare(`select * from "${name}"`))
  const results = await DB.batch<Record<string, unknown>>(every)
  const { objects } = await env.FILES.list()
  return new Map([
    ...results.map(({ results }, at): [string, Rows] => [names?.[at] ?? "", results]),
    ["files", objects.map(({ key }) => ({ key }))],
  ])
}

/**
 * What a change added, by table and column: rows, and sums of numbers. Two calls that do the same to two records add
 * the same, except times and ids.
 */
export function added(before: State, after: State): Map<string, number> {
  const sums = (state: State) => {
    const all = new Map<string, number>()
    for (const [table, rows] of state) {
      all.set(table, rows.length)
      for (const row of rows)
        for (const [column, value] of Object.entries(row))
          if (typeof value === "number") {
            const name = `${table}.${column}`
            all.set(name, (all.get(name) ?? 0) + value)
          }
    }
    return all
  }
  const [then, now] = [sums(before), sums(after)]
  const names = new Set([...then.keys(), ...now.keys()])
  return new Map([...names].map((name) => [name, (now.get(name) ?? 0) - (then.get(name) ?? 0)]))
}

/** The columns that contain times. */
export const TIME = /(_at|_until|not_before)$/
/** What two changes added equally, without times, and every number of rows. */
export const alike = (one: Map<string, number>, other: Map<string, number>) =>
  new Map([...one].filter(([name, sum]) => !name.includes(".") || (other.get(name) === sum && !TIME.test(name))))

/** The part of a change that is compared with another change. */
export const within = (change: Map<string, number>, kept: Map<string, number>) =>
  Object.fromEntries([...change].filter(([name]) => kept.has(name)))

/** The bindings with a fault. @returns them, and how often the fault occurred */
export function withFault(plan: string, overrides: Bindings = env): { bindings: Bindings; times: () => number } {
  let times = 0
  const describeChanges = () => {
    times++
    if (plan.startsWith("silent")) queueMicrotask(() => vi.advanceTimersByTime(QUERY_TIMEOUT_MS + 1))
  }
  return { bindings: injectFault({ ...overrides, DB }, parseFault(plan), describeChanges), times: () => times }
}

/** Runs calls while the database fails as planned. @returns their responses, and how often the fault occurred */
export async function failing<T>(plan: string, run: () => Promise<T>): Promise<{ answer: T; times: number }> {
  const { bindings, times } = withFault(plan)
  if (plan.startsWith("silent")) vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  Object.assign(env, { DB: bindings.DB })
  try {
    return { answer: await run(), times: times() }
  } finally {
    Object.assign(env, { DB })
    if (plan.startsWith("silent")) vi.useRealTimers()
  }
}

/** Ends the pauses before retries at once, until `vi.restoreAllMocks`. */
export function shortenBackoff() {
  const wait = scheduler.wait.bind(scheduler)
  vi.spyOn(scheduler, "wait").mockImplementation(() => wait(0))
}
