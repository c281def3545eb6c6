import { env } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { assignmentMembers } from "../../drizzle/schema/assignment-rules.ts"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import { enrollmentCycles, enrollments, overdueDigests, reminders } from "../../drizzle/schema/enrollments.ts"
import { notificationPreferences } from "../../drizzle/schema/notifications.ts"
import { openDatabase } from "../../src/db/client.ts"
import type { Bindings } from "../../src/env.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { sweepDueDates } from "../../src/modules/due-dates/due-sweep.ts"
import { sweepExpiries } from "../../src/modules/due-dates/expiry-sweep.ts"
import { sendOverdueDigests } from "../../src/modules/due-dates/overdue-digests.ts"
import { sendDigests } from "../../src/modules/notifications/digests.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { deliverJob, runJobs } from "../factories/background-jobs.ts"
import { assignmentRule, claim } from "../factories/due-dates.ts"
import { added, stateNow, TIME, withFault } from "../factories/faults.ts"
import { db, group, rowsOf, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { notify } from "../factories/notifications.ts"
import { post } from "../helpers/client.ts"
import { holdQueues, messages } from "../helpers/queues.ts"
import { freshStorage } from "../helpers/storage.ts"
import { ROWS } from "./faults-table.ts"
import { sampled } from "./matrix.ts"
import { many } from "./repeatable.ts"

// Each D1 fault at the round trips of assigned training: whatever is interrupted is done once by the next run.

const START = Date.UTC(2036, 0, 7, 12)

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

interface Work {
  /** Creates what is due. */
  make: () => Promise<unknown>
  run: (bindings: Bindings) => Promise<void>
  /** Compares the result with the expected one. */
  holds: () => Promise<void>
}

const PEOPLE = 3
const RECURRENCE = { type: "months", months: 12, opensDaysBefore: 30 } as const

/** People of a group with an administrator, enrolled in a course that a rule requires by a time. */
async function assigned(dueAt: number, rule = {}, enrolled = {}) {
  const people = await many(PEOPLE, () => user())
  const supervisor = await user({ userType: "group_admin" })
  await group({ admins: [supervisor.id], members: people.map(({ id }) => id) })
  const [inside, made] = [await course(), await assignmentRule(rule)]
  for (const person of people) await claim(await enrollment(person, inside, enrolled), made, dueAt)
  return { people, supervisor }
}

const SWEEPS: Record<string, Work> = {
  "reminders of overdue training": {
    make: () => assigned(START - DAY, { reminders: { daysBefore: [7], overdueEveryDays: 7, copySupervisors: true } }),
    run: sweepDueDates,
    holds: async () => {
      expect((await rowsOf(enrollments)).map(({ dueStatus }) => dueStatus)).toEqual(Array(PEOPLE).fill("overdue"))
      expect(await rowsOf(reminders)).toHaveLength(PEOPLE)
      expect(await rowsOf(overdueDigests)).toHaveLength(1)
    },
  },
  "the next cycles": {
    make: () =>
      assigned(
        START - 350 * DAY,
        { recurrence: RECURRENCE },
        { status: "Completed", percent: 100, startedAt: START - 360 * DAY, completedAt: START - 355 * DAY },
      ),
    run: sweepDueDates,
    holds: async () => {
      expect((await rowsOf(enrollments)).map(({ cycle, status }) => [cycle, status])).toEqual(
        Array(PEOPLE).fill([2, "Not Started"]),
      )
      expect(await rowsOf(enrollmentCycles)).toHaveLength(PEOPLE)
    },
  },
  "the end of access": {
    make: async () => {
      const inside = await course()
      await many(PEOPLE, async () => enrollment(await user(), inside, { expiresAt: START - DAY }))
    },
    run: sweepExpiries,
    holds: async () => {
      expect((await rowsOf(enrollments)).every(({ expiredAt }) => expiredAt > 0)).toBe(true)
    },
  },
  "the digests of supervisors": {
    make: async () => {
      const { supervisor } = await assigned(START - DAY)
      await sweepDueDates(env)
      await db.update(overdueDigests).set({ supervisorId: supervisor.id, sendAt: START - MINUTE })
    },
    run: sendOverdueDigests,
    holds: async () => {
      expect((await rowsOf(overdueDigests)).map(({ sendAt }) => sendAt > START)).toEqual([true])
    },
  },
  "the daily digests of notifications": {
    make: async () => {
      const people = await many(PEOPLE, () => user())
      for (const { id: userId } of people)
        await db.insert(notificationPreferences).values({ userId, kind: "enrolled", mail: "daily", inApp: true })
      vi.setSystemTime(START - DAY)
      await notify(people)
      vi.setSystemTime(START)
    },
    run: (bindings) => sendDigests(bindings, openDatabase(bindings.DB, "first-primary")),
    holds: async () => {},
  },
}

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
    const sums = [...added(before, await stateNow())].filter(([name]) => !VARIES.test(name))
    return { change: Object.fromEntries(sums), times: times() }
  }

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
