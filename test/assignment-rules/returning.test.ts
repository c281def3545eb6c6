import { afterEach, describe, expect, it, vi } from "vitest"
import { assignmentRules } from "../../drizzle/schema/assignment-rules.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { notifications } from "../../drizzle/schema/notifications.ts"
import { DAY } from "../../src/lib/clock.ts"
import { createRule, join, leave, runCron } from "../factories/assignment-rules.ts"
import { runJobs } from "../factories/background-jobs.ts"
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { post, put } from "../helpers/client.ts"

afterEach(() => void vi.useRealTimers())

const owner = () => signedIn("owner")

describe("an assignment rule whose people leave and return", () => {
  it("continues the cycles of someone who leaves and returns", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 2, 2, 10) })
    const { token } = await owner()
    const { id: courseId } = await course()
    const person = await user()
    const { id: groupId } = await group({ members: [person.id] })
    await createRule(token, {
      audience: { group: [groupId] },
      courseIds: [courseId],
      due: { type: "days", days: 10 },
      recurrence: { type: "months", months: 12 },
      onLeave: "remove_if_not_started",
    })
    const complete = () =>
      db.update(enrollments).set({
        ...{ status: "Completed", startedAt: Date.now(), completedAt: Date.now(), dueStatus: "completed" },
        dueCheckAt: Date.now(),
      })
    const stateOf = async () => (await rowsOf(enrollments)).map(({ cycle, status }) => [cycle, status])
    await complete()
    vi.setSystemTime(Date.UTC(2027, 2, 2, 10))
    await runCron()
    expect(await stateOf()).toEqual([[2, "Not Started"]])
    await leave(groupId, person.id)
    await runCron()
    expect(await stateOf()).toEqual([])
    await join(groupId, person.id)
    await runCron()
    expect(await stateOf()).toEqual([[2, "Not Started"]])
    await complete()
    vi.setSystemTime(Date.UTC(2028, 2, 2, 10))
    await runCron()
    expect(await stateOf()).toEqual([[3, "Not Started"]])
  })

  it("gives someone who was unenrolled and enrolled again by hand the due date, and keeps them enrolled", async () => {
    const { token } = await owner()
    const { id: courseId } = await course()
    const person = await user()
    const { id: groupId } = await group({ members: [person.id] })
    const due = { type: "days", days: 40 }
    await createRule(token, { audience: { group: [groupId] }, courseIds: [courseId], due, onLeave: "remove" })
    const pair = { course_ids: [courseId], user_ids: [person.id] }
    expect((await post("/api/course/unenroll", pair, { token })).body).toMatchObject({ unenrolled: 1 })
    expect((await post("/api/course/enroll", pair, { token })).body).toMatchObject({ enrolled: 1 })
    await db.update(assignmentRules).set({ nextRunAt: 1 })
    await runCron()
    expect((await rowsOf(enrollments)).map(({ dueStatus }) => dueStatus)).toEqual(["on_track"])
    await leave(groupId, person.id)
    await runCron()
    expect((await rowsOf(enrollments)).map(({ userId }) => userId)).toEqual([person.id])
  })

  it.each([
    ["group", true],
    ["portal", true],
    ["group", false],
  ] as const)("ends what it required when its %s is deleted; active: %s", async (owned, active) => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { token } = await owner()
    const { id: courseId } = await course()
    const person = await user()
    const { id } = await (owned === "group" ? group : portal)({ members: [person.id] })
    const body = { audience: { everyone: true }, courseIds: [courseId], due: { type: "days", days: 10 } }
    const ruleId = await createRule(token, { ...body, [`${owned}Id`]: id })
    const dueStatuses = async () => (await rowsOf(enrollments)).map(({ dueStatus }) => dueStatus)
    expect(await dueStatuses()).toEqual(["due_soon"])
    if (!active) expect((await put(`/api/assignment-rule/${ruleId}`, { active }, { token })).status).toBe(200)
    expect((await post(`/api/${owned}/delete`, { delete_ids: [id] }, { token })).status).toBe(200)
    await runJobs()
    if (!active) vi.setSystemTime(Date.now() + 20 * DAY)
    await runCron()
    expect(await dueStatuses()).toEqual(["no_due_date"])
    expect((await rowsOf(notifications)).filter(({ kind }) => kind === "overdue")).toEqual([])
  })
})
