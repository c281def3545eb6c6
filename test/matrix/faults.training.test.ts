import { env } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { assignmentMembers } from "../../drizzle/schema/assignment-rules.ts"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { MINUTE } from "../../src/lib/clock.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { deliverJob, runJobs } from "../factories/background-jobs.ts"
import { added, type State, stateNow, TIME, withFault } from "../factories/faults.ts"
import { rowsOf, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { post } from "../helpers/client.ts"
import { holdQueues, messages } from "../helpers/queues.ts"
import { freshStorage } from "../helpers/storage.ts"
import { ROWS } from "./faults-table.ts"
import { sampled } from "./matrix.ts"
import { many } from "./repeatable.ts"
import { PEOPLE, START, SWEEPS } from "./training-sweeps.ts"

// Each D1 fault at the round trips of assigned training: whatever is interrupted is done once by the next run.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: START })
  vi.spyOn(console, "error").mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function emptied() {
  vi.setSystemTime(START)
  await freshStorage()
  holdQueues()
}

/** Times, and the random number of a batch. */
const VARIES = new RegExp(`${TIME.source}|\\.work$`)
const FAULTS = ROWS.filter(({ fault }) => fault !== "replica-behind")

const changeSince = (before: State, after: State) =>
  Object.fromEntries([...added(before, after)].filter(([name]) => !VARIES.test(name)))

const NUMBERED = FAULTS.map((fault, at) => ({ ...fault, at }))

describe.each(Object.entries(SWEEPS))("%s", (_, { make, run, holds }) => {
  /** The result of a run that meets a fault, and of the next run. */
  const change = async (plan: string) => {
    await emptied()
    await make()
    const before = await stateNow()
    const { bindings, times } = withFault(plan)
    await Promise.allSettled([run(bindings)])
    vi.setSystemTime(START + MINUTE)
    await run(env)
    return { change: changeSince(before, await stateNow()), times: times() }
  }

  it("are done once by two runs at the same time", async () => {
    const clean = await change("silent@1000")
    await emptied()
    await make()
    const before = await stateNow()
    await Promise.allSettled([run(env), run(env)])
    vi.setSystemTime(START + MINUTE)
    await run(env)
    expect(changeSince(before, await stateNow())).toEqual(clean.change)
    await holds()
  })

  it.each(NUMBERED)("are done once: $what", async ({ fault, on, at }) => {
    const clean = await change("silent@1000")
    await holds()
    expect(Object.values(clean.change).some((sum) => sum !== 0)).toBe(true)
    for (const trip of sampled([1, 2, 3], 3, at)) {
      const met = await change(`${fault}@${trip}${on ? "+" : ""}`)
      expect(met.change, `trip ${trip}`).toEqual(clean.change)
      await holds()
      if (met.times === 0) break
    }
  })
})

describe("the evaluation of an assignment rule", () => {
  const make = async () => {
    await emptied()
    const { id } = await course()
    await many(PEOPLE, () => user())
    const due = { type: "days", days: 30, from: "assignment" }
    const body = { name: "Fire safety", audience: { role: ["general"] }, courseIds: [id], due }
    expect((await post("/api/assignment-rule/create", body)).status).toBe(200)
    return messages.JOBS.shift()
  }

  it.each(NUMBERED)("assigns everyone once: $what", async ({ fault, on, at }) => {
    for (const trip of sampled([1, 2, 3, 4], 4, at)) {
      const message = await make()
      const { bindings, times } = withFault(`${fault}@${trip}${on ? "+" : ""}`)
      if (await deliverJob(message, bindings)) await deliverJob(message)
      await runJobs()
      vi.setSystemTime(START + 6 * MINUTE)
      await runScheduled(env)
      await runJobs()
      expect(
        (await rowsOf(backgroundJobs)).every(({ status }) => status === "completed"),
        `trip ${trip}`,
      ).toBe(true)
      expect(await rowsOf(assignmentMembers), `trip ${trip}`).toHaveLength(PEOPLE)
      expect((await rowsOf(enrollments)).map(({ cycle, dueStatus }) => [cycle, dueStatus])).toEqual(
        Array(PEOPLE).fill([1, "due_soon"]),
      )
      if (times() === 0) break
    }
  })
})
