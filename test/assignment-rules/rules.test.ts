import { eq, sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { assignmentClaims, assignmentQueue, assignmentRules } from "../../drizzle/schema/assignment-rules.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { users } from "../../drizzle/schema/users.ts"
import { DAY } from "../../src/lib/clock.ts"
import { endOfDay } from "../../src/modules/progress/due-dates.ts"
import { createRule, join, leave, runCron } from "../factories/assignment-rules.ts"
import { runJobs } from "../factories/background-jobs.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { learningPath } from "../factories/learning-paths.ts"
import { get, post, put } from "../helpers/client.ts"

const owner = () => signedIn("owner")

/** The ids of the users who are enrolled in a course. */
const enrolledIn = async (courseId: number) =>
  (await db.select().from(enrollments).where(eq(enrollments.courseId, courseId)).orderBy(enrollments.userId)).map(
    ({ userId }) => userId,
  )

describe("an assignment rule", () => {
  it("is created, read, changed, listed and deleted", async () => {
    const { token } = await owner()
    const { id: courseId, name } = await course()
    const { body: created } = await post(
      "/api/assignment-rule/create",
      { name: "Fire safety", audience: { role: ["general"] }, courseIds: [courseId], due: { type: "days", days: 30 } },
      { token },
    )
    expect(created).toEqual({ id: created.id, message: "Assignment rule created.", jobId: created.jobId })
    await runJobs()
    const path = `/api/assignment-rule/${created.id}`
    const { body: rule, headers } = await get(path, { token })
    expect(rule).toEqual({
      id: created.id,
      name: "Fire safety",
      active: true,
      audience: { role: ["general"] },
      due: { type: "days", days: 30, from: "assignment" },
      graceDays: 0,
      skipWeekends: false,
      recurrence: null,
      reminders: { daysBefore: [30, 7, 1], overdueEveryDays: 7, copySupervisors: false },
      onLeave: "keep",
      groupId: null,
      portalId: null,
      userCount: 0,
      pendingCount: 0,
      created_at: rule.created_at,
      createdAt: rule.createdAt,
      updatedAt: rule.updatedAt,
      courseIds: [courseId],
      learningPathIds: [],
      courses: [{ id: courseId, name }],
      learningPaths: [],
    })
    const unchanged = await put(path, rule, { token })
    expect(unchanged.body).toEqual({ message: "Assignment rule updated." })
    expect((await get(path, { token })).headers.get("etag")).toBe(headers.get("etag"))
    const changed = await put(path, { recurrence: { type: "months", months: 12 } }, { token })
    expect(changed.body.jobId).toBeTruthy()
    const { body: next } = await get(path, { token })
    expect(next.recurrence).toEqual({ type: "months", months: 12, opensDaysBefore: 30 })
    const stale = await put(path, { name: "x" }, { token, headers: { "if-match": headers.get("etag") ?? "" } })
    expect(stale.status).toBe(412)
    const { body: list } = await get("/api/assignment-rule/tabularlist?page_size=10&page_number=1", { token })
    expect(list).toMatchObject({ recordsTotal: 1, records: [{ id: created.id, name: "Fire safety", active: true }] })
    const deleted = await post(
      "/api/assignment-rule/delete",
      { delete_ids: [created.id, 99], enrollments: "keep" },
      { token },
    )
    expect(deleted.body).toEqual({ message: "1 assignment rule deleted. 1 id unknown." })
    expect((await get(path, { token })).status).toBe(404)
  })

  it("enrolls its audience with a due date, once", async () => {
    const { token } = await owner()
    const { id: courseId } = await course()
    const [a, b, c] = [await user(), await user({ timeZone: "Asia/Tokyo" }), await user()]
    const { id: groupId } = await group({ members: [a.id, b.id] })
    const byHand = await enrollment(a, { id: courseId })
    const ruleId = await createRule(token, {
      audience: { group: [groupId] },
      courseIds: [courseId],
      due: { type: "date", date: "2027-03-01" },
    })
    const day = Date.UTC(2027, 2, 1) / DAY
    const stored = await db.select().from(enrollments).orderBy(enrollments.userId)
    expect(
      stored.map(({ id, userId, dueAt, dueStatus, dueRuleId }) => ({
        id: id === byHand.id,
        userId,
        dueAt,
        dueStatus,
        dueRuleId,
      })),
    ).toEqual([
      { id: true, userId: a.id, dueAt: endOfDay(day, "UTC"), dueStatus: "on_track", dueRuleId: ruleId },
      { id: false, userId: b.id, dueAt: endOfDay(day, "Asia/Tokyo"), dueStatus: "on_track", dueRuleId: ruleId },
    ])
    expect((await rowsOf(assignmentClaims)).map(({ userId, enrolled }) => ({ userId, enrolled }))).toEqual([
      { userId: a.id, enrolled: false },
      { userId: b.id, enrolled: true },
    ])
    const before = await db.select().from(enrollments)
    await post(`/api/assignment-rule/${ruleId}/run`, undefined, { token })
    await runJobs()
    await runCron()
    expect(await db.select().from(enrollments)).toEqual(before)
    expect(await enrolledIn(courseId)).not.toContain(c.id)
    expect((await get(`/api/assignment-rule/${ruleId}`, { token })).body).toMatchObject({
      userCount: 2,
      pendingCount: 0,
    })
  })

  it("assigns those who join later, and ends what those who leave had, as it says", async () => {
    const { token } = await owner()
    const { id: courseId } = await course()
    const [hand, later, started] = [await user(), await user(), await user()]
    const { id: groupId } = await group({ members: [hand.id, started.id] })
    await enrollment(hand, { id: courseId })
    const ruleId = await createRule(token, {
      audience: { group: [groupId] },
      courseIds: [courseId],
      due: { type: "days", days: 10 },
      onLeave: "remove_if_not_started",
    })
    await join(groupId, later.id)
    await runCron()
    expect(await enrolledIn(courseId)).toEqual([hand.id, later.id, started.id].sort((x, y) => x - y))
    await db.update(enrollments).set({ status: "In Progress", startedAt: 1 }).where(eq(enrollments.userId, started.id))
    for (const { id } of [hand, later, started]) await leave(groupId, id)
    await runCron()
    expect(await enrolledIn(courseId)).toEqual([hand.id, started.id].sort((x, y) => x - y))
    expect(await rowsOf(assignmentClaims)).toEqual([])
    expect(await rowsOf(assignmentQueue)).toEqual([])
    expect((await db.select().from(enrollments)).map(({ dueAt, dueStatus }) => [dueAt, dueStatus])).toEqual([
      [0, "no_due_date"],
      [0, "no_due_date"],
    ])
    expect((await get(`/api/assignment-rule/${ruleId}`, { token })).body.userCount).toBe(0)
  })

  it("removes disabled people, and gives them a new due date when they return", async () => {
    const { token } = await owner()
    const { id: courseId } = await course()
    const person = await user()
    await createRule(token, { audience: { role: ["general"] }, courseIds: [courseId], onLeave: "remove" })
    expect(await enrolledIn(courseId)).toEqual([person.id])
    await db.update(users).set({ disabled: true }).where(eq(users.id, person.id))
    await runCron()
    expect(await enrolledIn(courseId)).toEqual([])
    await db.update(users).set({ disabled: false }).where(eq(users.id, person.id))
    await runCron()
    expect(await enrolledIn(courseId)).toEqual([person.id])
  })

  it("keeps an enrollment that another rule requires, and lets the last rule decide", async () => {
    const { token } = await owner()
    const { id: courseId } = await course()
    const person = await user()
    const [one, two] = [await group({ members: [person.id] }), await group({ members: [person.id] })]
    const first = await createRule(token, { audience: { group: [one.id] }, courseIds: [courseId], onLeave: "keep" })
    await createRule(token, { audience: { group: [two.id] }, courseIds: [courseId], onLeave: "remove" })
    expect(await enrolledIn(courseId)).toEqual([person.id])
    await leave(one.id, person.id)
    await runCron()
    expect(await enrolledIn(courseId)).toEqual([person.id])
    await leave(two.id, person.id)
    await runCron()
    expect(await enrolledIn(courseId)).toEqual([])
    expect((await get(`/api/assignment-rule/${first}`, { token })).body.userCount).toBe(0)
  })

  it("keeps people waiting for a seat, and enrolls them when there is one", async () => {
    const { token } = await owner()
    const { id: courseId } = await course({ totalSeats: 1 })
    const [a, b] = [await user(), await user()]
    const ruleId = await createRule(token, { audience: { role: ["general"] }, courseIds: [courseId] })
    expect(await enrolledIn(courseId)).toEqual([a.id])
    const path = `/api/assignment-rule/${ruleId}`
    expect((await get(path, { token })).body).toMatchObject({ userCount: 2, pendingCount: 1 })
    await put(`/api/course/${courseId}`, { totalSeats: 2 }, { token })
    await db.run(sql`update courses set total_seats = 2`)
    await db.update(assignmentRules).set({ nextRunAt: 1 })
    await runCron()
    expect(await enrolledIn(courseId)).toEqual([a.id, b.id])
    expect((await get(path, { token })).body).toMatchObject({ userCount: 2, pendingCount: 0 })
  })

  it("assigns learning paths with their courses, also those that are added later", async () => {
    const { token } = await owner()
    const [a, b] = [await course(), await course()]
    const path = await learningPath({}, [a])
    const person = await user()
    await createRule(token, {
      audience: { role: ["general"] },
      learningPathIds: [path.id],
      due: { type: "days", days: 5 },
    })
    expect(await enrolledIn(a.id)).toEqual([person.id])
    expect((await put(`/api/learningpath/${path.id}`, { course_ids: [a.id, b.id] }, { token })).status).toBe(200)
    await runCron()
    expect(await enrolledIn(b.id)).toEqual([person.id])
  })

  it("is deleted with what it assigned, as the caller says", async () => {
    const { token } = await owner()
    const { id: courseId } = await course()
    await user()
    const ruleId = await createRule(token, { audience: { role: ["general"] }, courseIds: [courseId] })
    expect(await enrolledIn(courseId)).toHaveLength(1)
    const missing = await post("/api/assignment-rule/delete", { delete_ids: [ruleId] }, { token })
    expect(missing.status).toBe(422)
    const { body } = await post(
      "/api/assignment-rule/delete",
      { delete_ids: [ruleId], enrollments: "remove" },
      { token },
    )
    expect(body.jobId).toBeTruthy()
    await runJobs()
    expect(await enrolledIn(courseId)).toEqual([])
    expect(await rowsOf(assignmentRules)).toEqual([])
  })

  it("still assigns its audience when it is renamed before it was evaluated", async () => {
    const { token } = await owner()
    const { id: courseId } = await course()
    const person = await user()
    const body = { name: "Fire safety", audience: { role: ["general"] }, courseIds: [courseId] }
    const { body: created } = await post("/api/assignment-rule/create", body, { token })
    const renamed = await put(`/api/assignment-rule/${created.id}`, { name: "Fire drill" }, { token })
    expect(renamed.status).toBe(200)
    await runJobs()
    expect(await enrolledIn(courseId)).toEqual([person.id])
  })

  it("sends no reminders before the due date if its list of days is emptied", async () => {
    const { token } = await owner()
    const reminders = { daysBefore: [], overdueEveryDays: 0, copySupervisors: false }
    const { body: created } = await post("/api/assignment-rule/create", { name: "Fire safety", reminders }, { token })
    const path = `/api/assignment-rule/${created.id}`
    await put(path, { reminders }, { token })
    expect((await get(path, { token })).body.reminders).toEqual(reminders)
  })

  it("is refused with the name of the wrong field of its due date", async () => {
    const { token } = await owner()
    const due = { type: "days", days: 14, from: "field", field: "hired" }
    const refused = await post("/api/assignment-rule/create", { name: "Fire safety", due }, { token })
    expect([refused.status, refused.body.errors]).toEqual([422, { due: ["due.field refers to no date field: hired."] }])
  })
})
