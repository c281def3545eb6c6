import { env } from "cloudflare:workers"
import { eq, sql } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { assignmentClaims } from "../../drizzle/schema/assignment-rules.ts"
import { enrollmentCycles, enrollments } from "../../drizzle/schema/enrollments.ts"
import { events } from "../../drizzle/schema/events.ts"
import { users } from "../../drizzle/schema/users.ts"
import { incorrectCounters } from "../../drizzle/triggers/audience-counters.ts"
import { dueCounter, enrollmentCounter } from "../../drizzle/triggers/enrollments.ts"
import { DAY } from "../../src/lib/clock.ts"
import { sweepDueDates } from "../../src/modules/due-dates/due-sweep.ts"
import { runJobs } from "../factories/background-jobs.ts"
import { assignmentRule, claim, dueState } from "../factories/due-dates.ts"
import { db, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { post, put } from "../helpers/client.ts"

const at = (iso: string) => Date.parse(iso)

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: at("2026-03-02T10:00:00Z") }))
afterEach(() => void vi.useRealTimers())

const enrolledIn = async (zone: string | null, values = {}) => {
  const learner = await user()
  await db.update(users).set({ timeZone: zone }).where(eq(users.id, learner.id))
  return enrollment(learner, await course(), values)
}

async function sweepAt(iso: string) {
  vi.setSystemTime(at(iso))
  await sweepDueDates(env)
}

/** The events of an enrollment in their order. */
const eventsOf = async (id: number) =>
  (await db.select({ type: events.type }).from(events).where(eq(events.objectId, id)).orderBy(events.id))
    .map(({ type }) => type)
    .filter((type) => type.startsWith("enrollment."))

describe("the sweep of due dates", () => {
  it("moves the status at midnight of the learner's zone, also when clocks change", async () => {
    // Clocks go forward on March 29 in Berlin.
    const one = await enrolledIn("Europe/Berlin")
    await claim(one, await assignmentRule({ graceDays: 2 }), at("2026-04-03T21:59:59.999Z"))
    const steps: [string, string][] = [
      ["2026-03-26T22:59:59.999Z", "on_track"],
      ["2026-03-26T23:00:00Z", "due_soon"],
      ["2026-04-03T22:00:00Z", "due_soon"],
      ["2026-04-05T21:59:59.999Z", "due_soon"],
      ["2026-04-05T22:00:00Z", "overdue"],
    ]
    for (const [time, status] of steps) {
      await sweepAt(time)
      expect([time, (await dueState(one.id)).dueStatus]).toEqual([time, status])
    }
    expect(await eventsOf(one.id)).toEqual([
      ...["enrollment.created", "enrollment.assigned", "enrollment.updated", "enrollment.due_soon"],
      "enrollment.overdue",
    ])
    for (const counter of [enrollmentCounter, dueCounter])
      expect(await db.all(sql.raw(incorrectCounters(counter)))).toEqual([])
  })

  it("writes one event when sweeps run at the same time", async () => {
    const one = await enrolledIn(null)
    await claim(one, await assignmentRule(), at("2026-03-10T23:59:59.999Z"))
    vi.setSystemTime(at("2026-03-11T08:00:00Z"))
    await Promise.all([1, 2, 3].map(() => sweepDueDates(env)))
    expect((await eventsOf(one.id)).filter((type) => type === "enrollment.overdue")).toHaveLength(1)
    expect((await dueState(one.id)).dueStatus).toBe("overdue")
  })

  it("begins the next cycle when its window opens, and keeps the last one in the history", async () => {
    const done = { status: "Completed", startedAt: at("2026-02-01T09:00:00Z"), completedAt: at("2026-02-10T09:00:00Z") }
    const one = await enrolledIn(null, { ...done, percent: 100 })
    const recurrence = { type: "months", months: 12, opensDaysBefore: 30 } as const
    const rule = await assignmentRule({ recurrence })
    const dueAt = at("2026-03-31T23:59:59.999Z")
    await claim(one, rule, dueAt)
    await sweepAt("2026-03-02T10:01:00Z")
    const opensAt = at("2027-02-10T00:00:00Z") - 30 * DAY
    expect(await dueState(one.id)).toMatchObject({ dueStatus: "completed", cycle: 1, dueCheckAt: opensAt })
    await sweepAt("2027-01-11T00:00:00Z")
    const nextDueAt = at("2027-02-10T23:59:59.999Z")
    expect(await dueState(one.id)).toMatchObject({ dueAt: nextDueAt, dueStatus: "on_track", cycle: 2 })
    const [reset] = await db.select().from(enrollments).where(eq(enrollments.id, one.id))
    expect(reset).toMatchObject({ status: "Not Started", percent: 0, completedAt: 0, startedAt: 0 })
    expect(await db.select().from(enrollmentCycles)).toEqual([
      expect.objectContaining({
        ...{ userId: one.userId, courseId: one.courseId, cycle: 1, status: "Completed", percent: 100, dueAt },
        ...{ completedAt: done.completedAt, dueStatus: "completed", endedAt: at("2027-01-11T00:00:00Z") },
      }),
    ])
    const [claimed] = await db.select().from(assignmentClaims)
    expect(claimed?.dueAt).toBe(nextDueAt)
    expect((await eventsOf(one.id)).slice(-2)).toEqual(["enrollment.cycle_started", "enrollment.updated"])
    await sweepAt("2027-01-11T00:01:00Z")
    expect((await dueState(one.id)).cycle).toBe(2)
  })

  it("begins the next cycle while an exemption lasts longer than the cycle", async () => {
    const one = await enrolledIn(null)
    const recurrence = { type: "months", months: 12, opensDaysBefore: 30 } as const
    await claim(one, await assignmentRule({ recurrence }), at("2026-03-31T23:59:59.999Z"))
    const { token } = await signedIn("staff")
    const body = { registrationIds: [one.id], until: "2027-12-31", reason: "Parental leave" }
    expect((await post("/api/enrollment/exempt", body, { token })).body.changed).toBe(1)
    for (const time of ["2026-03-02T10:01:00Z", "2027-02-28T23:59:00Z"]) {
      await sweepAt(time)
      expect(await dueState(one.id)).toMatchObject({ cycle: 1, dueStatus: "exempt" })
    }
    await sweepAt("2027-03-01T00:00:00Z")
    expect(await dueState(one.id)).toMatchObject({ cycle: 2, dueAt: at("2027-03-31T23:59:59.999Z") })
  })

  it("begins the next cycle of an exempt learner when the rule is made recurring later", async () => {
    const one = await enrolledIn(null)
    const { token } = await signedIn("owner")
    const rule = await assignmentRule()
    await claim(one, rule, at("2026-03-31T23:59:59.999Z"))
    await post("/api/enrollment/exempt", { registrationIds: [one.id], reason: "Parental leave" }, { token })
    await sweepAt("2026-03-02T10:01:00Z")
    const body = {
      recurrence: { type: "months", months: 12 },
      courseIds: [one.courseId],
      due: { type: "date", date: "2026-03-31" },
    }
    expect((await put(`/api/assignment-rule/${rule.id}`, body, { token })).status).toBe(200)
    await runJobs()
    await sweepAt("2026-03-02T10:02:00Z")
    expect(await dueState(one.id)).toMatchObject({ cycle: 1, dueStatus: "exempt" })
    await sweepAt("2027-03-01T00:00:00Z")
    expect(await dueState(one.id)).toMatchObject({ cycle: 2, dueAt: at("2027-03-31T23:59:59.999Z") })
  })
})
