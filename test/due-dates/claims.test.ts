import { and, eq, sql } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { assignmentClaims } from "../../drizzle/schema/assignment-rules.ts"
import { dueDateChanges, enrollmentCounts, enrollments } from "../../drizzle/schema/enrollments.ts"
import { incorrectCounters } from "../../drizzle/triggers/audience-counters.ts"
import { dueCounter, enrollmentCounter } from "../../drizzle/triggers/enrollments.ts"
import { DAY, HOUR } from "../../src/lib/clock.ts"
import { assignmentRule, claim, claimsApplied, dueState } from "../factories/due-dates.ts"
import { db, nextId, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"

const NOW = Date.UTC(2026, 2, 2, 10)
const endOfDay = (day: number) => Date.UTC(2026, 2, day + 1) - 1

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }))
afterEach(() => void vi.useRealTimers())

const enrolled = async (values = {}) => enrollment(await user(), await course(), values)

describe("the due date of claims", () => {
  it("is the earliest, with the reminders and the grace period of its rule", async () => {
    const one = await enrolled()
    const early = await assignmentRule({ graceDays: 3 })
    await claim(one, await assignmentRule(), endOfDay(30))
    await claim(one, early, endOfDay(20))
    const dueSoonAt = endOfDay(12) + 1
    expect(await dueState(one.id)).toEqual({
      ...{ dueAt: endOfDay(20), dueSoonAt, overdueAt: endOfDay(23), dueStatus: "on_track", dueRuleId: early.id },
      ...{ dueCheckAt: dueSoonAt - HOUR, cycle: 1 },
    })
    for (const counter of [enrollmentCounter, dueCounter])
      expect(await db.all(sql.raw(incorrectCounters(counter)))).toEqual([])
    const [counts] = await db
      .select()
      .from(enrollmentCounts)
      .where(and(eq(enrollmentCounts.audience, "all"), eq(enrollmentCounts.courseId, one.courseId)))
    expect(counts).toMatchObject({ notStarted: 1, onTrack: 1, dueSoon: 0, overdue: 0 })
  })

  it.each([
    { due: 9, status: "due_soon" },
    { due: 10, status: "on_track" },
    { due: 2, status: "due_soon" },
    { due: 1, status: "overdue" },
  ])("makes an enrollment that is due on March $due $status", async ({ due, status }) => {
    const one = await enrolled()
    await claim(one, await assignmentRule(), endOfDay(due))
    expect((await dueState(one.id)).dueStatus).toBe(status)
  })

  it("is written once", async () => {
    const one = await enrolled()
    await claim(one, await assignmentRule(), endOfDay(20))
    const [before] = await db.select().from(enrollments).where(eq(enrollments.id, one.id))
    vi.setSystemTime(NOW + DAY)
    await claimsApplied(eq(enrollments.id, one.id))
    expect(await db.select().from(enrollments).where(eq(enrollments.id, one.id))).toEqual([before])
  })

  it("ends with the last claim", async () => {
    const one = await enrolled()
    await claim(one, await assignmentRule(), endOfDay(20))
    await db.delete(assignmentClaims)
    await claimsApplied(eq(enrollments.id, one.id))
    expect(await dueState(one.id)).toEqual({
      ...{ dueAt: 0, dueSoonAt: 0, overdueAt: 0, dueStatus: "no_due_date", dueRuleId: null, dueCheckAt: 0, cycle: 1 },
    })
  })

  it("does not replace a date that was set by hand", async () => {
    const byHand = {
      dueAt: endOfDay(9),
      dueSoonAt: endOfDay(1),
      overdueAt: endOfDay(9),
      dueStatus: "due_soon",
    } as const
    const one = await enrolled(byHand)
    await claim(one, await assignmentRule(), endOfDay(20))
    expect(await dueState(one.id)).toMatchObject(byHand)
  })

  it("is not before the last extension of the cycle", async () => {
    const one = await enrolled()
    const { userId, courseId } = one
    const extended = { kind: "extension", previousDueAt: 0, reason: "Ill", createdAt: NOW } as const
    for (const until of [endOfDay(30), endOfDay(25)])
      await db
        .insert(dueDateChanges)
        .values({ id: await nextId("due_date_changes"), userId, courseId, cycle: 1, until, ...extended })
    await claim(one, await assignmentRule(), endOfDay(20))
    expect((await dueState(one.id)).dueAt).toBe(endOfDay(25))
    await claim(one, await assignmentRule(), endOfDay(27))
    expect((await dueState(one.id)).dueAt).toBe(endOfDay(25))
  })

  it("leaves an exempt enrollment exempt", async () => {
    const one = await enrolled({ dueStatus: "exempt", dueAt: endOfDay(5), dueRuleId: 99, dueCheckAt: endOfDay(7) })
    await claim(one, await assignmentRule(), endOfDay(20))
    expect(await dueState(one.id)).toMatchObject({
      ...{ dueStatus: "exempt", dueAt: endOfDay(20), dueCheckAt: endOfDay(7) },
    })
  })

  it("makes a completed enrollment completed, and the sweep plans the next cycle", async () => {
    const done = { status: "Completed", completedAt: NOW - DAY, startedAt: NOW - DAY } as const
    const one = await enrolled(done)
    await claim(one, await assignmentRule(), endOfDay(20))
    expect(await dueState(one.id)).toMatchObject({ dueStatus: "completed", dueAt: endOfDay(20), dueCheckAt: 0 })
    const recurrence = { type: "months", months: 12, opensDaysBefore: 30 } as const
    await claim(one, await assignmentRule({ recurrence }), endOfDay(21))
    expect(await dueState(one.id)).toMatchObject({ dueStatus: "completed", dueAt: endOfDay(20), dueCheckAt: NOW })
  })
})
