import { eq } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { gamificationAwards } from "../../drizzle/schema/badges.ts"
import { activities, enrollments } from "../../drizzle/schema/enrollments.ts"
import { gamificationEvents } from "../../drizzle/schema/gamification-events.ts"
import { userScores } from "../../drizzle/schema/leaderboard.ts"
import { users } from "../../drizzle/schema/users.ts"
import { DAY } from "../../src/lib/clock.ts"
import { eventColumns } from "../../src/modules/gamification/gamification-event-fields.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { learningPath } from "../factories/learning-paths.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const create = (overrides: object, options = {}) =>
  post("/api/gamification-event/create", { name: "Event", points: 10, ...overrides }, options)
const list = (parameters = {}) =>
  get(`/api/gamification-event/tabularlist${query({ page_size: 10, page_number: 1, ...parameters })}`)
const badge = async (points = 0) =>
  (await post("/api/badge/create", { title: "Badge", badgeIconUrl: "/assets/badge-star.svg", points })).body
    .id as number
const given = async () =>
  (await rowsOf(gamificationAwards)).map((row) => [row.userId, row.cause, row.points, row.badgeId])
const complete = (registrationId: number, moduleId: number, options = {}) =>
  post("/api/module/progress", { registrationId, moduleId, status: "Completed" }, options)

describe("gamification events", () => {
  it("are created, read, updated, listed and deleted", async () => {
    const badgeId = await badge()
    const { id: courseId } = await course()
    const created = await create({ name: "Done", type: "course_completed", targetId: courseId, badgeId })
    expect(created.body).toEqual({ id: 1, message: "Gamification event created." })
    expect(cost(created).roundTrips).toBe(2)
    expect((await get("/api/gamification-event/1")).body).toMatchObject({
      id: 1,
      name: "Done",
      type: "course_completed",
      targetId: courseId,
      badgeId,
      points: 10,
      active: true,
    })
    const changed = await put("/api/gamification-event/1", { name: "Any", targetId: null, active: false })
    expect(changed.body).toEqual({ message: "Gamification event updated." })
    await create({ name: "Login", type: "login" })
    expect((await list()).body).toMatchObject({
      recordsTotal: 2,
      records: [
        { id: 1, name: "Any", targetId: null, badgeId, active: false },
        { name: "Login", badgeId: null },
      ],
    })
    for (const colName of Object.keys(eventColumns.sort)) {
      const response = await list({ order_by: { colName, direction: "desc" } })
      expect(response.body.records).toHaveLength(2)
      expect(cost(response).roundTrips).toBe(1)
    }
    expect((await list({ search_param: { name: "log" } })).body.recordsFiltered).toBe(1)
    const deleted = await post("/api/gamification-event/delete", { delete_ids: [1, 9] })
    expect(deleted.body.message).toBe("1 gamification event deleted. 1 id unknown.")
    expect(
      (await rowsOf(auditLogs)).filter((row) => row.subject === "gamification event").map((row) => row.action),
    ).toEqual(["created", "updated", "created", "deleted"])
  })

  it("reject an unknown badge or target, and an event without an award", async () => {
    const quiz = await module({ type: "quiz" })
    for (const [wrong, field] of [
      [{ type: "birthday" }, "type"],
      [{ type: "login", name: "" }, "name"],
      [{ type: "login", targetId: quiz.id }, "targetId"],
      [{ type: "course_completed", targetId: 99 }, "targetId"],
      [{ type: "assignment_accepted", targetId: quiz.id }, "targetId"],
      [{ type: "login", badgeId: 99 }, "badgeId"],
      [{ type: "login", points: 0 }, "points"],
      [{ type: "login", points: -5 }, "points"],
    ] as const) {
      const { status, body } = await create(wrong)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]])
    }
    expect(await rowsOf(gamificationEvents)).toEqual([])
    await create({ type: "quiz_passed", targetId: quiz.id })
    const id = (await rowsOf(gamificationEvents))[0]?.id
    expect((await put(`/api/gamification-event/${id}`, { type: "login" })).body.errors).toHaveProperty("targetId")
    expect((await put(`/api/gamification-event/${id}`, { points: 0 })).body.errors).toHaveProperty("points")
    expect((await put(`/api/gamification-event/${id}`, { type: "login", targetId: 0 })).status).toBe(200)
    expect((await put("/api/gamification-event/99", { name: "A" })).status).toBe(404)
  })

  it("award a completed course once, in the request that completes it", async () => {
    const me = await signedIn("general")
    const badgeId = await badge(5)
    const { id: moduleId } = await module()
    const first = await course({}, [{ moduleId }])
    const otherModule = await module()
    const other = await course({}, [{ moduleId: otherModule.id }])
    await create({ type: "course_completed", badgeId })
    await create({ type: "course_completed", targetId: first.id, points: 100 })
    await create({ type: "course_completed", points: 7, active: false })
    const one = await enrollment(me, first)
    const two = await enrollment(me, other)
    const done = await complete(one.id, moduleId, me)
    expect(done.status).toBe(200)
    expect(cost(done).roundTrips).toBe(2)
    expect(await given()).toEqual([
      [me.id, `course:${first.id}`, 15, badgeId],
      [me.id, `course:${first.id}`, 100, null],
    ])
    expect((await post("/api/course/reset", { registration_ids: [one.id] })).body.reset).toBe(1)
    await complete(one.id, moduleId, me)
    expect((await rowsOf(activities)).filter((row) => row.verb === "COMPLETED")).toHaveLength(2)
    expect(await rowsOf(gamificationAwards)).toHaveLength(2)
    await complete(two.id, otherModule.id, me)
    expect(await rowsOf(gamificationAwards)).toHaveLength(3)
    expect(await rowsOf(userScores)).toMatchObject([{ userId: me.id, points: 130, badgeCount: 2 }])
    expect((await get(`/api/user/badges/${me.id}`, me)).body).toMatchObject([{ id: badgeId, count: 2 }])
  })

  it("award an imported completion, and a learning path with its last course", async () => {
    const me = await user()
    const { id: moduleId } = await module()
    const first = await course({}, [{ moduleId }])
    const path = await learningPath({}, [first])
    await create({ type: "course_completed" })
    await create({ type: "learning_path_completed", targetId: path.id, points: 50 })
    await post("/api/learningpath/enroll", { learning_path_ids: [path.id], user_ids: [me.id] })
    expect(await given()).toEqual([])
    const [row] = await rowsOf(enrollments)
    await moduleStatus(row?.id ?? 0, moduleId, { status: "Completed" })
    expect((await given()).sort()).toEqual([
      [me.id, `course:${first.id}`, 10, null],
      [me.id, `path:${path.id}`, 50, null],
    ])
    const late = await user()
    await enrollment(late, first, { status: "Completed", completedAt: 5, startedAt: 4, percent: 100, done: 1 })
    await post("/api/learningpath/enroll", { learning_path_ids: [path.id], user_ids: [late.id] })
    expect((await given()).slice(2).sort()).toEqual([
      [late.id, `course:${first.id}`, 10, null],
      [late.id, `path:${path.id}`, 50, null],
    ])
  })

  it("award 500 imported completions in the two round trips of the import", async () => {
    const { id } = await course()
    const people: number[] = []
    for (let i = 0; i < 500; i++) people.push((await user({ passwordHash: null })).id)
    await create({ type: "course_completed", badgeId: await badge(5) })
    const registrations = people.map((user_id) => ({
      user_id,
      course_id: id,
      registered_on: "2025-01-01",
      started_on: "2025-01-02",
      completed_on: "2025-02-01",
    }))
    const response = await post("/api/course/record", { registrations })
    expect(response.status).toBe(200)
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(gamificationAwards)).toHaveLength(500)
    expect((await rowsOf(gamificationAwards))[0]).toMatchObject({ points: 15, awardedAt: Date.UTC(2025, 1, 1) })
    expect((await get(`/api/user/leaderboard/${people[499]}`)).body).toMatchObject({ userRank: 1 })
  })

  it("award a passed quiz once, and never a failed one", async () => {
    const me = await signedIn("general")
    const question = { text: "Two?", type: "short", points: 5, answers: ["2"] }
    const quiz = await post("/api/modules/quiz", { name: "Q", content: "", passPercent: 50, questions: [question] })
    const one = await enrollment(me, await course({}, [{ moduleId: quiz.body.id }]))
    await create({ type: "quiz_passed", targetId: quiz.body.id })
    const attempt = async (text: string) => {
      const { body } = await post("/api/quiz/attempt", { registrationId: one.id, moduleId: quiz.body.id }, me)
      const answers = [{ questionId: body.questions[0].id, text }]
      return post("/api/quiz/submit", { attemptId: body.attemptId, answers }, me)
    }
    expect((await attempt("3")).body.result).toBe("failed")
    expect(await given()).toEqual([])
    for (let i = 0; i < 2; i++) expect((await attempt("2")).body.result).toBe("passed")
    expect(await given()).toEqual([[me.id, `quiz:${quiz.body.id}`, 10, null]])
  })

  it("award only an accepted assignment, and no other module", async () => {
    const me = await signedIn("general")
    const assignment = await module({ type: "assignment", submissionType: "text", totalPoints: 5 })
    const text = await module()
    const one = await enrollment(me, await course({}, [{ moduleId: assignment.id }, { moduleId: text.id }, {}]))
    await create({ type: "assignment_accepted" })
    const ref = { registrationId: one.id, moduleId: assignment.id, submission: "Mine" }
    const submit = async () => (await post("/api/module/assignment/submit", ref, me)).body
    const submitted = await submit()
    await moduleStatus(one.id, text.id, { status: "Completed" })
    expect(await given()).toEqual([])
    const evaluate = (isAccepted: boolean) =>
      post("/api/module/assignment/evaluate", { statusRowId: submitted.statusRowId, evaluation: { isAccepted } })
    expect((await evaluate(false)).status).toBe(200)
    expect(await given()).toEqual([])
    await submit()
    expect((await evaluate(true)).status).toBe(200)
    expect(await given()).toEqual([[me.id, `assignment:${assignment.id}`, 10, null]])
  })

  it("award an attended class once, regardless of status changes", async () => {
    const me = await user()
    const attended = await classOf(undefined, { startAt: Date.UTC(2026, 0, 5, 9), endAt: Date.UTC(2026, 0, 5, 10) })
    const enrolled = await classEnrollment(me, attended)
    await create({ type: "class_attended", targetId: attended.id })
    for (const status of ["No Show", "Attended", "Registered", "Attended"])
      expect((await get(`/api/class/update-class-status${query({ id: enrolled.id, status })}`)).status).toBe(200)
    expect(await given()).toEqual([[me.id, `class:${attended.id}`, 10, null]])
    expect((await create({ type: "class_attended", targetId: 99 })).status).toBe(422)
  })

  it("award a login once a day", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5, 22) })
    const { id, email } = await user()
    await create({ type: "login", points: 3 })
    const login = () => post("/login", { email, password: PASSWORD })
    for (const hour of [22, 23, 25]) {
      vi.setSystemTime(Date.UTC(2026, 0, 5, hour))
      expect((await login()).status).toBe(200)
    }
    const earned = async () => (await db.select().from(users).where(eq(users.id, id)))[0]?.loginAwards
    const firstDay = Date.UTC(2026, 0, 5) / DAY
    expect(await earned()).toEqual({ 1: [firstDay + 1, 2, 6] })
    expect(await given()).toEqual([])
    // An event of later that day awards that day, and a changed event only its next day.
    await create({ type: "login", points: 10 })
    await put("/api/gamification-event/1", { points: 50 })
    await Promise.all([login(), login()])
    expect(await earned()).toEqual({ 1: [firstDay + 1, 2, 6], 2: [firstDay + 1, 1, 10] })
    await post("/api/gamification-event/delete", { delete_ids: [1] })
    expect((await get(`/api/user/leaderboard/${id}`)).body.rankedUsers).toMatchObject([{ id, points: 16, rank: 1 }])
  })

  it("award a badge for a login once a day, also when the event gets or loses its badge that day", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5, 10) })
    const { id, email } = await user()
    const badgeId = await badge(5)
    await create({ type: "login", points: 1, badgeId })
    const loginOn = async (day: number) => {
      vi.setSystemTime(Date.UTC(2026, 0, day, 10, 0, sequence++))
      expect((await post("/login", { email, password: PASSWORD })).status).toBe(200)
    }
    let sequence = 0
    await loginOn(5)
    await put("/api/gamification-event/1", { badgeId: null })
    await loginOn(5)
    await loginOn(6)
    await put("/api/gamification-event/1", { badgeId })
    await loginOn(6)
    await loginOn(7)
    expect(await given()).toEqual([
      [id, "login:2026-01-05", 6, badgeId],
      [id, "login:2026-01-07", 6, badgeId],
    ])
    const [row] = await db.select().from(users).where(eq(users.id, id))
    expect(row?.loginAwards).toEqual({ 1: [Date.UTC(2026, 0, 6) / DAY, 1, 1] })
    const { body } = await get(`/api/user/leaderboard/${id}`)
    expect(body.rankedUsers).toMatchObject([{ id, points: 13, badgeCount: 2 }])
  })

  it("can be managed only by staff", async () => {
    await create({ type: "login" })
    for (const userType of ["general", "group_admin"]) {
      const { token } = await signedIn(userType)
      expect((await create({ type: "login" }, { token })).status).toBe(403)
      expect((await get("/api/gamification-event/1", { token })).status).toBe(403)
    }
    expect((await create({ type: "login" }, await signedIn("staff"))).status).toBe(200)
  })
})
