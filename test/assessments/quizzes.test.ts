import { sql } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { activities, enrollments, moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { quizAttempts, quizCounts, quizVersions } from "../../drizzle/schema/quizzes.ts"
import { toStatusRowId } from "../../src/modules/enrollments/module-statuses.queries.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, group, rowsOf, signedIn } from "../factories/index.ts"
import { changeMeanwhile, course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, get, post, put } from "../helpers/client.ts"

/** The status row of the first enrollment and module. */
const FIRST = toStatusRowId({ enrollmentId: 1, moduleId: 1 })

const DAY = 86_400_000

const QUESTIONS = [
  { text: "2 + 2?", type: "single", points: 3, options: [{ text: "4", correct: true }, { text: "5" }] },
  {
    text: "Primes?",
    type: "multiple",
    points: 4,
    options: [{ text: "2", correct: true }, { text: "3", correct: true }, { text: "4" }],
  },
  { text: "True?", type: "truefalse", points: 1, options: [{ text: "True", correct: true }, { text: "False" }] },
  { text: "Capital of France?", type: "short", points: 2, answers: ["Paris", "la ville lumière"] },
]
const RIGHT = [
  { questionId: 1, optionIds: [1] },
  { questionId: 2, optionIds: [4, 3] },
  { questionId: 3, optionIds: [6] },
  { questionId: 4, text: "  PARIS " },
]

/** Enrolls a learner in a course with one quiz. */
async function taking(quiz: object = {}, link: object = {}, registration: object = {}) {
  const learner = await signedIn("general")
  const { body } = await post("/api/modules/quiz", {
    name: "Sums",
    content: "x",
    questions: QUESTIONS,
    passPercent: 60,
    ...quiz,
  })
  const inside = await course({}, [{ moduleId: body.id, ...link }])
  const registered = await enrollment(learner, inside, registration)
  const ref = { registrationId: registered.id, moduleId: body.id as number }
  const begin = (more: object = {}, token = learner.token) => post("/api/quiz/attempt", { ...ref, ...more }, { token })
  const submit = (more: object = {}, token = learner.token) =>
    post("/api/quiz/submit", { attemptId: 1, answers: RIGHT, ...more }, { token })
  return { learner, inside, ref, begin, submit }
}

/** Inserts many enrollments of users without passwords. */
async function crowd(count: number, courseId: number) {
  await manyUsers(count)
  await db.run(
    sql`insert into enrollments (id, user_id, course_id, registered_at)
      select id - 1000, id, ${courseId}, 1 from users where id > 1000`,
  )
  return rowsOf(enrollments)
}

describe("quiz attempts", () => {
  it("write 29 rows when opening a course, 15 when failed, and 30 when completing it", async () => {
    const { begin, submit } = await taking()
    // The first grade adds the entry in the index of graded modules, and each grade writes it.
    expect(cost(await begin()).written).toBeLessThanOrEqual(29)
    expect(cost(await submit({ answers: [] })).written).toBeLessThanOrEqual(15)
    const { body } = await begin()
    expect(cost(await submit({ attemptId: body.attemptId })).written).toBeLessThanOrEqual(30)
  })

  it("are counted in the quiz's terms in the list of modules", async () => {
    const { learner, ref, begin, submit } = await taking({ maxAttempts: 3, timeLimitMinutes: 20 })
    const modulesOf = () => get(`/api/course/modules?registrationId=${ref.registrationId}`, { token: learner.token })
    const terms = {
      questions: 4,
      time_limit_minutes: 20,
      pass_percent: 60,
      max_attempts: 3,
      is_awaiting_grading: false,
    }
    const before = await modulesOf()
    expect(cost(before).roundTrips).toBe(1)
    expect(before.body).toMatchObject([{ type: "quiz", quiz: { ...terms, attempts_used: 0, is_attempt_open: false } }])
    await begin()
    expect((await modulesOf()).body[0].quiz).toEqual({ ...terms, attempts_used: 1, is_attempt_open: true })
    await submit({ answers: [] })
    expect((await modulesOf()).body[0].quiz).toEqual({ ...terms, attempts_used: 1, is_attempt_open: false })
    await begin()
    await post("/api/course/reset", { registration_ids: [ref.registrationId] })
    expect((await modulesOf()).body[0].quiz).toEqual({ ...terms, attempts_used: 0, is_attempt_open: false })
  })

  it("show questions without answers, open the module, and are graded", async () => {
    const { learner, begin, submit } = await taking()
    const begun = await begin()
    expect(cost(begun).roundTrips).toBe(2)
    expect(begun.body).toMatchObject({ attemptId: 1, statusRowId: FIRST, attempt: 1, due_on: null })
    expect(begun.body.questions).toHaveLength(4)
    expect(begun.body.questions[1]).toEqual({
      id: 2,
      text: "Primes?",
      type: "multiple",
      points: 4,
      options: [
        { id: 3, text: "2" },
        { id: 4, text: "3" },
        { id: 5, text: "4" },
      ],
      prompts: [],
      choices: [],
      blanks: 0,
      unit: "",
      imageUrl: "",
      imageAlt: "",
    })
    expect(JSON.stringify(begun.body)).not.toMatch(/correct|Paris/)
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ id: FIRST, status: "In Progress", timesAccessed: 1 }])
    expect(await rowsOf(enrollments)).toMatchObject([{ status: "In Progress", percent: 0 }])

    const done = await submit()
    expect(cost(done).roundTrips).toBe(2)
    expect(done.body).toEqual({
      message: "You passed the quiz.",
      attemptId: 1,
      score: 10,
      outOf: 10,
      percent: 100,
      result: "passed",
      unanswered: 0,
      pendingPoints: 0,
    })
    expect(await rowsOf(moduleStatuses)).toMatchObject([
      { id: FIRST, status: "Completed", percent: 100, pointsAwarded: 10, timesAccessed: 1 },
    ])
    expect(await rowsOf(enrollments)).toMatchObject([{ status: "Completed", percent: 100 }])
    expect((await rowsOf(activities)).map((row) => row.verb)).toEqual(["ENROLLED", "STARTED", "COMPLETED"])
    expect((await rowsOf(auditLogs)).slice(1)).toMatchObject([
      { action: "created", subject: "quiz attempt", effectOn: "Sums", performedBy: learner.id },
      { action: "updated", subject: "quiz attempt", details: { userId: learner.id, score: 10, result: "passed" } },
    ])
  })

  it("earn a question's points only for exactly the correct options", async () => {
    const { submit, begin } = await taking({ passPercent: 50 })
    await begin()
    const answers = [
      { questionId: 1, optionIds: [2] },
      { questionId: 2, optionIds: [3] },
      { questionId: 3, optionIds: [6, 7] },
      { questionId: 4, text: "La  Ville\tlumière" },
    ]
    expect((await submit({ answers })).body).toMatchObject({ score: 2, outOf: 10, percent: 20, result: "failed" })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "In Progress", pointsAwarded: 2, completedAt: 0 }])
    expect((await rowsOf(quizAttempts))[0]?.responses.map((response) => response.points)).toEqual([0, 0, 0, 2])
  })

  it("can be submitted once, and the best points count", async () => {
    const { begin, submit } = await taking()
    await begin()
    await submit()
    expect(await submit({ answers: [] })).toMatchObject({ status: 409, body: { message: /already submitted/ } })
    await begin()
    expect((await submit({ attemptId: 2, answers: [] })).body).toMatchObject({ score: 0, result: "failed" })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "Completed", pointsAwarded: 10 }])
    expect((await rowsOf(quizAttempts)).map((row) => [row.number, row.result])).toEqual([
      [1, "passed"],
      [2, "failed"],
    ])
  })

  it("count once if several clients submit concurrently", async () => {
    const { begin, submit } = await taking()
    await begin()
    const responses = await Promise.all([submit(), submit(), submit(), submit()])
    expect(responses.map((response) => response.status).sort()).toEqual([200, 409, 409, 409])
    expect((await rowsOf(auditLogs)).filter((row) => row.action === "updated")).toHaveLength(1)
  })

  it("can be continued, and keep their questions when the quiz changes", async () => {
    const { begin, submit } = await taking()
    const first = await begin()
    await put("/api/modules/quiz/1", {
      questions: [{ text: "New?", type: "short", points: 100, answers: ["x"] }],
      passPercent: 90,
    })
    const again = await begin()
    expect(again.body).toEqual(first.body)
    expect((await submit()).body).toMatchObject({ outOf: 10, result: "passed" })
    expect((await begin()).body.questions).toMatchObject([{ text: "New?", points: 100 }])
    expect(await rowsOf(quizVersions)).toHaveLength(2)
  })

  it("are limited by the quiz until the enrollment is reset", async () => {
    const { begin, submit, ref } = await taking({ maxAttempts: 1 })
    await begin()
    await submit({ answers: [] })
    expect(await begin()).toMatchObject({
      status: 409,
      body: { message: "No attempts left: this quiz allows 1 attempt." },
    })
    await post("/api/course/reset", { registration_ids: [ref.registrationId] })
    expect((await begin()).body).toMatchObject({ attemptId: 3, attempt: 2 })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "In Progress" }])
  })

  it("score 0 after their time limit", async () => {
    const { begin, submit } = await taking({ timeLimitMinutes: 10 })
    vi.useFakeTimers({ toFake: ["Date"] })
    expect((await begin()).body.due_on).toBe(new Date(Date.now() + 10 * 60_000).toISOString())
    vi.setSystemTime(Date.now() + 11 * 60_000)
    expect((await submit()).body).toMatchObject({ score: 0, percent: 0, result: "failed", message: /time limit/ })
    await begin()
    vi.setSystemTime(Date.now() + 9 * 60_000)
    expect((await submit({ attemptId: 2 })).body).toMatchObject({ result: "passed" })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ timeSpent: 20 * 60 }])
  })

  it("reject unknown questions and options, and stay open", async () => {
    const { begin, submit } = await taking()
    await begin()
    const answers = [
      { questionId: 99 },
      { questionId: 1, optionIds: [3] },
      { questionId: 4, text: "a" },
      { questionId: 4, text: "b" },
    ]
    const refused = await submit({ answers })
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual([
      "answers.0.questionId",
      "answers.1.optionIds",
      "answers.3.questionId",
    ])
    expect((await submit()).status).toBe(200)
    expect((await post("/api/quiz/attempt", { registrationId: 1 })).body.errors).toHaveProperty("moduleId")
  })

  it("require open modules, minimum times and an active enrollment", async () => {
    const drip = await taking({}, { dripDays: 3 })
    expect(await drip.begin()).toMatchObject({ status: 409, body: { message: /^Available on/ } })
    const over = await taking({}, {}, { expiresAt: Date.now() - DAY })
    expect(await over.begin()).toMatchObject({ status: 409, body: { message: /expired/ } })
    const learner = await signedIn("general")
    const locked = await course({}, [{}, { moduleId: drip.ref.moduleId, isLocked: true }])
    const { id } = await enrollment(learner, locked)
    const ref = { registrationId: id, moduleId: drip.ref.moduleId }
    expect((await post("/api/quiz/attempt", ref, { token: learner.token })).body.message).toMatch(/^Complete Module/)
    expect(await rowsOf(quizAttempts)).toEqual([])
    const slow = await taking({}, { minTimeSpent: 60 })
    const { attemptId } = (await slow.begin()).body
    expect(await slow.submit({ attemptId, answers: [] })).toMatchObject({
      status: 409,
      body: { message: /^Spend 60 more seconds/ },
    })
  })

  it("return 404 to other learners and supervisors", async () => {
    const { begin, submit, learner } = await taking()
    const other = await signedIn("general")
    const admin = await signedIn("group_admin")
    await group({ admins: [admin.id], members: [learner.id] })
    for (const { token } of [other, admin]) expect((await begin({}, token)).status).toBe(404)
    await begin()
    for (const { token } of [other, admin]) expect((await submit({}, token)).status).toBe(404)
    expect((await submit({ attemptId: 77 })).status).toBe(404)
    const text = await module()
    expect((await begin({ moduleId: text.id })).status).toBe(404)
    expect((await begin({ statusRowId: 999 })).status).toBe(404)
  })

  it("accept dates only from staff", async () => {
    const { begin, submit, ref } = await taking({}, { dripDays: 9 }, { expiresAt: 1 })
    const staff = await signedIn("staff")
    expect((await begin({ started_on: "2020-01-01" })).status).toBe(403)
    expect((await begin({ started_on: "2020-01-01" }, staff.token)).body.started_on).toBe("2020-01-01T00:00:00.000Z")
    expect((await submit({ submitted_on: "2020-01-01 00:10" })).status).toBe(403)
    expect((await submit({ submitted_on: "2019-01-01" }, staff.token)).body.errors).toHaveProperty("submitted_on")
    expect((await submit({ submitted_on: "2020-01-01 00:10" }, staff.token)).status).toBe(200)
    expect(await rowsOf(quizAttempts)).toMatchObject([{ timeTaken: 600, completedAt: Date.UTC(2020, 0, 1, 0, 10) }])
    expect(await rowsOf(enrollments)).toMatchObject([
      { id: ref.registrationId, status: "Completed", completedAt: Date.UTC(2020, 0, 1, 0, 10) },
    ])
  })

  it("are started once for two concurrent requests", async () => {
    const { begin } = await taking()
    const responses = await Promise.all([begin(), begin(), begin()])
    expect(responses.map(({ status, body }) => [status, body.attemptId])).toEqual(
      responses.map(({ body }) => [200, body.attemptId]),
    )
    expect(new Set(responses.map(({ body }) => body.attemptId)).size).toBe(1)
    expect(await rowsOf(quizAttempts)).toHaveLength(1)
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ timesAccessed: 1 }])
  })

  it("return the module's status row if it is opened concurrently", async () => {
    const { begin, ref, learner } = await taking()
    const [opened, started] = await Promise.all([post("/api/module/progress", ref, { token: learner.token }), begin()])
    const [state] = await rowsOf(moduleStatuses)
    expect([opened?.body.statusRowId, started?.body.statusRowId]).toEqual([state?.id, state?.id])
    expect(await rowsOf(quizAttempts)).toMatchObject([{ statusRowId: state?.id }])
  })

  it("use the status row that a concurrent request created", async () => {
    const { ref } = await taking()
    const rival = await changeMeanwhile(
      sql.raw(
        `insert into module_statuses (enrollment_id, module_id, status, started_at, last_accessed_at)
          values (${ref.registrationId}, ${ref.moduleId}, 'In Progress', 1, 1)`,
      ),
    )
    const started = await post("/api/quiz/attempt", ref, rival)
    expect(started).toMatchObject({ status: 200, body: { statusRowId: FIRST, attempt: 1 } })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ id: FIRST, startedAt: 1, timesAccessed: 1 }])
    expect(await rowsOf(quizAttempts)).toMatchObject([{ statusRowId: FIRST, number: 1 }])
  })

  it("end with a reset, so that the quiz can be restarted", async () => {
    const { begin, submit, ref } = await taking({ maxAttempts: 1, timeLimitMinutes: 10 })
    vi.useFakeTimers({ toFake: ["Date"] })
    await begin()
    vi.setSystemTime(Date.now() + 20 * 60_000 + 500)
    await post("/api/course/reset", { registration_ids: [ref.registrationId] })
    expect(await rowsOf(quizAttempts)).toMatchObject([
      { status: "Completed", result: "failed", score: 0, percent: 0, timeTaken: 20 * 60, completedAt: Date.now() },
    ])
    expect(await rowsOf(quizCounts)).toMatchObject([
      { inProgress: 0, completed: 1 },
      { inProgress: 0, completed: 1 },
    ])
    expect((await submit()).status).toBe(409)
    const { body } = await begin()
    expect(body).toMatchObject({ attempt: 2 })
    expect((await submit({ attemptId: body.attemptId })).body.result).toBe("passed")
  })

  it("accept the status row, and replay an Idempotency-Key", async () => {
    const { ref, learner } = await taking()
    const row = await moduleStatus(ref.registrationId, ref.moduleId)
    const options = { token: learner.token, headers: { "idempotency-key": "once" } }
    const first = await post("/api/quiz/attempt", { statusRowId: row.id }, options)
    expect(first.body.statusRowId).toBe(row.id)
    const submit = () =>
      post("/api/quiz/submit", { attemptId: 1, answers: RIGHT }, { ...options, headers: { "idempotency-key": "two" } })
    expect((await submit()).body).toEqual((await submit()).body)
  })
})

describe("a quiz's points", () => {
  const achieved = async () => {
    const [row] = await rowsOf(enrollments)
    return [row?.pointsAwarded, row?.pointsPossible]
  }

  it("are the attempt's share of the quiz's points, also after these change", async () => {
    const { begin, submit, ref } = await taking()
    const worth = (points: number) =>
      put(`/api/modules/quiz/${ref.moduleId}`, {
        questions: QUESTIONS.map((question) => ({ ...question, points })),
      })
    await begin()
    await submit({ answers: RIGHT.slice(0, 2) })
    expect(await achieved()).toEqual([7, 10])
    await worth(1)
    expect(await achieved()).toEqual([3, 4])
    const { body } = await begin()
    await worth(5)
    expect(await achieved()).toEqual([14, 20])
    const answers = body.questions.map(({ id, options }: { id: number; options: { id: number }[] }, at: number) =>
      at === 3
        ? { questionId: id, text: "Paris" }
        : { questionId: id, optionIds: [options[0]?.id, options[1]?.id].slice(0, at === 1 ? 2 : 1) },
    )
    expect((await submit({ attemptId: body.attemptId, answers })).body).toMatchObject({ score: 4, outOf: 4 })
    expect(await achieved()).toEqual([20, 20])
    await put(`/api/modules/quiz/${ref.moduleId}`, { questions: [] })
    expect(await achieved()).toEqual([20, 20])
  })

  it("are set by the first imported attempts if the quiz has no questions", async () => {
    const { ref } = await taking({ questions: [] })
    const attempt = { ...ref, submitted_on: "2020-01-01", score: 45, outOf: 50 }
    const recordAll = (...attempts: object[]) => post("/api/quiz/record", { attempts })
    expect(cost(await recordAll(attempt)).roundTrips).toBe(2)
    expect(await achieved()).toEqual([45, 50])
    expect((await rowsOf(auditLogs)).filter(({ subject }) => subject === "module").at(-1)).toMatchObject({
      action: "updated",
      details: { totalPoints: 50 },
    })
    await recordAll({ ...attempt, submitted_on: "2020-01-02", score: 96, outOf: 100 })
    expect(await achieved()).toEqual([48, 50])
    await put(`/api/modules/quiz/${ref.moduleId}`, { questions: [] })
    expect(await achieved()).toEqual([48, 50])
  })

  it("count toward the enrollment while the course contains the quiz", async () => {
    const { begin, submit, inside, ref } = await taking()
    const modulesAre = (...ids: number[]) =>
      put(`/api/course/${inside.id}`, { modules: ids.map((module_id) => ({ module_id })) })
    await begin()
    await submit({ answers: RIGHT.slice(0, 2) })
    await modulesAre((await module()).id)
    expect(await achieved()).toEqual([0, 0])
    const questions = QUESTIONS.map((question) => ({ ...question, points: 1 }))
    await put(`/api/modules/quiz/${ref.moduleId}`, { questions })
    expect(await achieved()).toEqual([0, 0])
    await modulesAre(ref.moduleId)
    expect(await achieved()).toEqual([3, 4])
    await modulesAre()
    await post("/api/course/reset", { registration_ids: [ref.registrationId] })
    expect(await achieved()).toEqual([0, 0])
  })

  it("are scaled if imported attempts are out of another number", async () => {
    const { ref } = await taking()
    await post("/api/quiz/record", { attempts: [{ ...ref, submitted_on: "2020-01-01", score: 90, outOf: 100 }] })
    expect(await achieved()).toEqual([9, 10])
  })
})

describe("POST /api/quiz/record", () => {
  it("imports up to 500 attempts in two round trips, with correct counts", async () => {
    const { body } = await post("/api/modules/quiz", { name: "CMA", content: "x", questions: [], passPercent: 40 })
    const inside = await course({}, [{ moduleId: body.id }])
    const staff = await signedIn("staff")
    const attempts: object[] = []
    for (const [i, { id: registrationId }] of (await crowd(496, inside.id)).entries()) {
      attempts.push({
        registrationId,
        moduleId: body.id,
        score: i % 101,
        outOf: 100,
        started_on: "2014-02-01 09:59",
        submitted_on: "2014-02-01 10:00",
      })
    }
    const [first] = attempts
    const odd = [
      first,
      { ...first, submitted_on: "2014-03-01", score: 99.5 },
      { ...first, registrationId: 99999 },
      { ...first, statusRowId: 12345 },
    ]
    const response = await post("/api/quiz/record", { attempts: [...odd, ...attempts] }, { token: staff.token })
    expect(response.body).toMatchObject({ recorded: 497, alreadyRecorded: 1, skipped: 2 })
    expect(cost(response).roundTrips).toBe(2)
    const rows = await rowsOf(quizAttempts)
    expect(rows).toHaveLength(497)
    expect(rows.filter((row) => row.enrollmentId === 1)).toMatchObject([
      { number: 1, score: 0, result: "failed", timeTaken: 60, startedAt: Date.UTC(2014, 1, 1, 9, 59) },
      { number: 2, score: 99.5, percent: 99, result: "passed", completedAt: Date.UTC(2014, 2, 1) },
    ])
    const statuses = await rowsOf(moduleStatuses)
    expect(statuses).toHaveLength(496)
    expect(statuses.find((row) => row.enrollmentId === 1)).toMatchObject({
      status: "Completed",
      pointsAwarded: 100,
      completedAt: Date.UTC(2014, 2, 1),
    })
    expect(statuses.find((row) => row.enrollmentId === 2)).toMatchObject({ status: "In Progress", pointsAwarded: 1 })
    const again = await post("/api/quiz/record", { attempts }, { token: staff.token })
    expect(again.body).toMatchObject({ recorded: 0, alreadyRecorded: 496, skipped: 0 })
    const counter = (await rowsOf(quizCounts)).find((row) => row.audience === "all" && row.courseId === 0)
    expect(counter).toMatchObject({ started: 496, inProgress: 0, completed: 497 })
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      subject: "quiz attempt",
      effectOn: "497 recorded attempts",
    })
  })

  it("passes an attempt with exactly the pass percentage", async () => {
    const { body } = await post("/api/modules/quiz", { name: "CMA", content: "x", questions: [], passPercent: 82 })
    const inCourse = await course({}, [{ moduleId: body.id }])
    const [{ id: registrationId } = { id: 0 }] = await crowd(1, inCourse.id)
    const attempt = { registrationId, moduleId: body.id, score: 8.2, outOf: 10, submitted_on: "2026-01-05" }
    await post("/api/quiz/record", { attempts: [attempt, { ...attempt, score: 8.19, submitted_on: "2026-01-04" }] })
    expect(await rowsOf(quizAttempts)).toMatchObject([
      { percent: 81, result: "failed" },
      { percent: 82, result: "passed" },
    ])
  })

  it("allows only staff, and explains invalid input", async () => {
    const learner = await signedIn("general")
    const row = { registrationId: 1, moduleId: 1, score: 5, outOf: 4, submitted_on: "2014-01-01" }
    expect((await post("/api/quiz/record", { attempts: [row] }, { token: learner.token })).status).toBe(403)
    const refused = await post("/api/quiz/record", { attempts: [row, { score: 1, outOf: 1 }] })
    expect(Object.keys(refused.body.errors)).toEqual(
      expect.arrayContaining(["attempts.0.score", "attempts.1.submitted_on"]),
    )
    expect((await post("/api/quiz/record", { attempts: [] })).status).toBe(422)
  })
})

describe("quiz attempt counters", () => {
  it("follow attempts and memberships", async () => {
    const { begin, submit, learner } = await taking()
    const admin = await signedIn("group_admin")
    await begin()
    await group({ admins: [admin.id], members: [learner.id] })
    const countersOf = async (audience: string) =>
      (await rowsOf(quizCounts)).find(
        (row) => row.audience === audience && row.courseId === (audience === "all" ? 0 : 1),
      )
    expect(await countersOf(`supervisor:${admin.id}`)).toMatchObject({ started: 1, inProgress: 1, completed: 0 })
    await submit()
    for (const audience of ["all", `supervisor:${admin.id}`, "group:1"])
      expect(await countersOf(audience), audience).toMatchObject({ started: 1, inProgress: 0, completed: 1 })
    await post("/api/course/unenroll", { course_ids: [1], user_ids: [learner.id] })
    expect(await countersOf("all")).toMatchObject({ started: 0, inProgress: 0, completed: 0 })
  })
})
