import { eq } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { dueDateChanges, enrollments } from "../../drizzle/schema/enrollments.ts"
import { events } from "../../drizzle/schema/events.ts"
import { notifications } from "../../drizzle/schema/notifications.ts"
import { users } from "../../drizzle/schema/users.ts"
import { assignmentRule, claim, dueState } from "../factories/due-dates.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { post } from "../helpers/client.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-02T10:00:00Z") }))
afterEach(() => void vi.useRealTimers())

const at = (iso: string) => Date.parse(iso)
const staff = async () => ({ token: (await signedIn("staff")).token })
const lastEvent = async (id: number) =>
  (await db.select().from(events).where(eq(events.objectId, id)).orderBy(events.id)).at(-1)

async function enrolled(zone: string | null = null) {
  const learner = await user()
  await db.update(users).set({ timeZone: zone }).where(eq(users.id, learner.id))
  return enrollment(learner, await course())
}

describe("POST /api/enrollment/due-date", () => {
  it("sets a day in the zone of each learner, and clears it", async () => {
    const caller = await staff()
    const [one, other] = [await enrolled("America/New_York"), await enrolled()]
    const registrationIds = [one.id, other.id, 999]
    const set = await post("/api/enrollment/due-date", { registrationIds, dueAt: "2026-03-20" }, caller)
    expect([set.status, set.body]).toEqual([
      200,
      {
        message: "2 enrollments changed. 1 skipped: they don't exist, or you don't have access to them.",
        ...{ changed: 2, skipped: 1 },
      },
    ])
    expect(await dueState(one.id)).toMatchObject({ dueAt: at("2026-03-21T03:59:59.999Z"), dueStatus: "on_track" })
    expect(await dueState(other.id)).toMatchObject({ dueAt: at("2026-03-20T23:59:59.999Z"), dueRuleId: null })
    expect((await rowsOf(auditLogs)).map(({ details }) => details)).toMatchObject([
      { dueAt: at("2026-03-21T03:59:59.999Z"), previousDueAt: 0 },
      { dueAt: at("2026-03-20T23:59:59.999Z"), previousDueAt: 0 },
    ])
    expect(await lastEvent(one.id)).toMatchObject({
      type: "enrollment.updated",
      previous: { dueAt: 0, dueStatus: "no_due_date" },
    })
    await post("/api/enrollment/due-date", { registrationIds, dueAt: null }, caller)
    expect(await dueState(one.id)).toMatchObject({ dueAt: 0, dueStatus: "no_due_date", dueCheckAt: 0, dueRuleId: null })
  })

  it("returns to the date of the rules when it is cleared", async () => {
    const caller = await staff()
    const one = await enrolled()
    const rule = await assignmentRule()
    await claim(one, rule, at("2026-03-30T23:59:59.999Z"))
    await post("/api/enrollment/due-date", { registrationIds: [one.id], dueAt: "2026-04-20" }, caller)
    expect(await dueState(one.id)).toMatchObject({ dueAt: at("2026-04-20T23:59:59.999Z"), dueRuleId: null })
    await post("/api/enrollment/due-date", { registrationIds: [one.id], dueAt: null }, caller)
    expect(await dueState(one.id)).toMatchObject({ dueAt: at("2026-03-30T23:59:59.999Z"), dueRuleId: rule.id })
  })
})

describe("POST /api/enrollment/extend", () => {
  it("moves the date for a supervisor's people, with the reason, and not for the supervisor", async () => {
    const supervisor = await signedIn("group_admin")
    const one = await enrolled()
    const own = await enrollment(supervisor, await course())
    await group({ admins: [supervisor.id], members: [one.userId, supervisor.id] })
    const rule = await assignmentRule()
    for (const each of [one, own]) await claim(each, rule, at("2026-03-01T23:59:59.999Z"))
    const body = { registrationIds: [one.id, own.id], dueAt: "2026-03-20", reason: "Ill" }
    const { token } = supervisor
    expect((await post("/api/enrollment/extend", body, { token })).body).toMatchObject({ changed: 1, skipped: 1 })
    expect(await dueState(one.id)).toMatchObject({
      ...{ dueAt: at("2026-03-20T23:59:59.999Z"), dueStatus: "on_track", dueRuleId: rule.id },
    })
    expect((await dueState(own.id)).dueStatus).toBe("overdue")
    expect(await db.select().from(dueDateChanges)).toEqual([
      expect.objectContaining({
        ...{ userId: one.userId, kind: "extension", until: at("2026-03-20T23:59:59.999Z"), reason: "Ill" },
        ...{ previousDueAt: at("2026-03-01T23:59:59.999Z"), createdBy: supervisor.id, cycle: 1 },
      }),
    ])
    expect((await lastEvent(one.id))?.type).toBe("enrollment.extended")
    const notified = await db.select().from(notifications).where(eq(notifications.userId, one.userId))
    expect(notified.map(({ kind }) => kind)).toEqual(["extended"])
    expect((await post("/api/enrollment/extend", { ...body, reason: "" }, { token })).status).toBe(422)
  })
})

describe("POST /api/enrollment/exempt", () => {
  it("makes an enrollment exempt until the exemption is ended", async () => {
    const caller = await staff()
    const one = await enrolled()
    await claim(one, await assignmentRule(), at("2026-03-01T23:59:59.999Z"))
    const body = { registrationIds: [one.id], until: "2026-04-01", reason: "Certified elsewhere" }
    const past = await post("/api/enrollment/exempt", { ...body, until: "2026-03-01" }, caller)
    expect([past.status, Object.keys(past.body.errors)]).toEqual([422, ["until"]])
    expect((await post("/api/enrollment/exempt", body, caller)).body.changed).toBe(1)
    expect(await dueState(one.id)).toMatchObject({ dueStatus: "exempt", dueCheckAt: at("2026-04-02T00:00:00Z") })
    expect((await lastEvent(one.id))?.type).toBe("enrollment.exempted")
    const ended = await post("/api/enrollment/end-exemption", { registrationIds: [one.id] }, caller)
    expect(ended.body).toMatchObject({ changed: 1, skipped: 0 })
    expect((await dueState(one.id)).dueStatus).toBe("overdue")
    const [change] = await db.select().from(dueDateChanges)
    expect(change?.endedAt).toBe(Date.now())
    const [row] = await db.select().from(enrollments).where(eq(enrollments.id, one.id))
    expect(row?.status).toBe("Not Started")
  })
})
