import { sql } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { describe, expect, it } from "vitest"
import { quizAttempts } from "../../drizzle/schema/quizzes.ts"
import { XLSX_TYPE } from "../../src/lib/spreadsheet/workbook.ts"
import { REPORT_COLUMNS } from "../../src/modules/assessments/quiz-reports.schemas.ts"
import { toStatusRowId } from "../../src/modules/enrollments/module-statuses.queries.ts"
import { deliver, exportJob, jobOf, manyUsers } from "../factories/exports.ts"
import { db, group, nextId, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { cost, download, get, post, put, query } from "../helpers/client.ts"

/** The status row of the first enrollment and module. */
const FIRST = toStatusRowId({ enrollmentId: 1, moduleId: 1 })

const PATH = "/api/user/reports/student-quizzes"
const report = (parameters: object = {}, token?: string) =>
  get(`${PATH}${query({ page_size: 10, page_number: 1, ...parameters })}`, { ...(token && { token }) })

/** Creates an attempt; completed by default. */
async function attempt(
  registration: { id: number; userId: number; courseId: number },
  moduleId: number,
  overrides: Partial<typeof quizAttempts.$inferInsert> = {},
) {
  await db.insert(quizAttempts).values({
    id: await nextId("quiz_attempts"),
    enrollmentId: registration.id,
    userId: registration.userId,
    courseId: registration.courseId,
    moduleId,
    statusRowId: FIRST,
    number: 1,
    status: "Completed",
    result: "passed",
    score: 8,
    outOf: 10,
    percent: 80,
    passPercent: 50,
    moduleVersion: 1,
    startedAt: Date.UTC(2026, 0, 5, 15),
    completedAt: Date.UTC(2026, 0, 5, 15, 4),
    timeTaken: 240,
    ...overrides,
  })
}

/** Two learners in a course of two quizzes: one has two attempts, the other an open one. */
async function setup() {
  const first = await module({ type: "quiz", name: "First", totalPoints: 10 })
  const second = await module({ type: "quiz", name: "Second", totalPoints: 7 })
  const inside = await course({ name: "Algebra" }, [{ moduleId: first.id }, { moduleId: second.id }, {}])
  const ada = await signedIn("general", { firstName: "Ada", lastName: "Byron" })
  const bob = await signedIn("general", { firstName: "Bob", lastName: "Stone" })
  const ofAda = await enrollment(ada, inside)
  const ofBob = await enrollment(bob, inside)
  await attempt(ofAda, first.id, { score: 3, percent: 30, result: "failed" })
  await attempt(ofAda, first.id, { number: 2, startedAt: Date.UTC(2026, 0, 6), completedAt: Date.UTC(2026, 0, 6) })
  await attempt(ofBob, second.id, {
    status: "In Progress",
    result: "",
    score: 0,
    percent: 0,
    completedAt: 0,
    timeTaken: 0,
  })
  return { first, second, inside, ada, bob, ofAda, ofBob }
}

describe("the student quizzes report", () => {
  it("returns a user's attempts and quizzes without an attempt in one round trip", async () => {
    const { ada, first, second, inside } = await setup()
    const response = await report({ user_id: ada.id })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toMatchObject({
      totalNotStarted: 1,
      totalInProgress: 0,
      totalCompleted: 2,
      recordsTotal: 3,
      recordsFiltered: 3,
      userDetails: { id: ada.id, name: "Ada Byron", email: ada.email, userType: "general", avatar: "AB" },
    })
    expect(response.body.records[1]).toEqual({
      attemptId: 1,
      user_id: ada.id,
      name: "Ada Byron",
      email: ada.email,
      courseId: inside.id,
      courseName: "Algebra",
      moduleId: first.id,
      quizName: "First",
      status_row_id: FIRST,
      attempt: 1,
      status: "Completed",
      started_on: "Jan 05, 2026",
      completed_on: "Jan 05, 2026",
      startedAt: "2026-01-05T15:00:00.000Z",
      completedAt: "2026-01-05T15:04:00.000Z",
      time_taken: { hours: 0, minutes: 4, seconds: 0, totalSeconds: 240 },
      score: 3,
      outOf: 10,
      percent: 30,
      result: "failed",
    })
    expect(response.body.records[2]).toMatchObject({
      attemptId: null,
      moduleId: second.id,
      attempt: 0,
      status: "Not Started",
      status_row_id: -1,
      started_on: "Never",
      score: null,
      outOf: 7,
      percent: null,
      result: null,
    })
    const waiting = await report({ user_id: ada.id, search_param: { status: ["Not Started"] } })
    expect(waiting.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 1, records: [{ quizName: "Second" }] })
    expect((await report({ user_id: ada.id, search_param: { nameOrEmail: "stone" } })).body.recordsFiltered).toBe(0)
    const page = await report({ user_id: ada.id, page_size: 2 })
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? ""
    expect((await get(next)).body.records).toMatchObject([{ status: "Not Started" }])
  })

  it("returns all attempts to staff with totals, filtered by name, status and portal", async () => {
    const { ada, bob } = await setup()
    const staff = await signedIn("staff")
    const all = await report({}, staff.token)
    expect(all.body).toMatchObject({
      totalNotStarted: 2,
      totalInProgress: 1,
      totalCompleted: 2,
      recordsTotal: 5,
      recordsFiltered: 3,
      userDetails: {},
    })
    expect(cost(all).roundTrips).toBe(1)
    const found = await report({ search_param: { nameOrEmail: "STON" } }, staff.token)
    expect(found.body).toMatchObject({ recordsTotal: 5, recordsFiltered: 1, records: [{ name: "Bob Stone" }] })
    const open = await report({ search_param: { status: ["In Progress"] } }, staff.token)
    expect(open.body).toMatchObject({ recordsTotal: 5, recordsFiltered: 1, records: [{ user_id: bob.id }] })
    const here = await portal({ members: [ada.id] })
    const there = await portal({ members: [ada.id, bob.id] })
    for (const searchPortalIds of [[here.id], `[${here.id}]`])
      expect((await report({ searchPortalIds }, staff.token)).body).toMatchObject({
        totalNotStarted: 2,
        totalCompleted: 2,
        recordsTotal: 5,
        recordsFiltered: 2,
      })
    const both = await report({ searchPortalIds: [here.id, there.id] }, staff.token)
    expect(both.body).toMatchObject({ totalNotStarted: 2, totalInProgress: 1, totalCompleted: 2, recordsTotal: 5 })
    expect(both.body.records).toHaveLength(3)
    for (const given of [
      { portalId: there.id, searchPortalIds: [here.id] },
      { search_param: { portalId: there.id, searchPortalIds: [here.id, 99] } },
      { search_param: { searchPortalIds: [here.id] } },
    ]) {
      const { body } = await report(given, staff.token)
      expect(body).toMatchObject({ totalNotStarted: 2, totalInProgress: 1, recordsTotal: 5, recordsFiltered: 2 })
      expect(body.records).toHaveLength(2)
    }
    const scoped = await report({ search_param: { portalId: here.id } }, staff.token)
    expect(scoped.body).toMatchObject({ totalNotStarted: 1, totalInProgress: 0, totalCompleted: 2, recordsTotal: 3 })
    expect((await report({ searchPortalIds: [99] }, staff.token)).body).toMatchObject({
      recordsTotal: 5,
      recordsFiltered: 0,
      records: [],
    })
    expect((await report({ page_size: 0 }, staff.token)).status).toBe(422)
    expect((await report({ order_by: "email" }, staff.token)).status).toBe(422)
    expect((await report({ user_id: 999 }, staff.token)).status).toBe(404)
  })

  it("lists quizzes without an attempt for several users, matching the totals", async () => {
    const { ada, bob } = await setup()
    const staff = await signedIn("staff")
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [ada.id] })
    const waiting = { search_param: { status: ["Not Started"] } }
    const all = await report(waiting, staff.token)
    expect(cost(all).roundTrips).toBe(1)
    expect(all.body).toMatchObject({ totalNotStarted: 2, recordsTotal: 5, recordsFiltered: 2 })
    expect(all.body.records).toMatchObject([{ attempt: 0, status: "Not Started" }, { attemptId: null }])
    expect(new Set(all.body.records.map((row: { user_id: number }) => row.user_id))).toEqual(new Set([ada.id, bob.id]))
    const named = await report({ search_param: { status: ["Not Started"], nameOrEmail: "ston" } }, staff.token)
    expect(named.body).toMatchObject({ recordsTotal: 5, recordsFiltered: 1, records: [{ user_id: bob.id }] })
    const whole = ["Not Started", "In Progress", "Completed"]
    for (const colName of REPORT_COLUMNS) {
      const order_by = { colName, direction: "desc" }
      const { body } = await report({ order_by, search_param: { status: whole } }, staff.token)
      expect([body.recordsFiltered, body.records.length], colName).toEqual([5, 5])
    }
    const theirs = await report(waiting, supervisor.token)
    expect(theirs.body).toMatchObject({ totalNotStarted: 1, recordsFiltered: 1, records: [{ user_id: ada.id }] })
    const { id: portalId } = await portal({ members: [bob.id] })
    expect((await report({ ...waiting, portalId }, staff.token)).body).toMatchObject({
      recordsFiltered: 1,
      records: [{ user_id: bob.id }],
    })
    expect((await report({ ...waiting, portalId }, supervisor.token)).status).toBe(404)
  })

  it("returns each row once in every sort order", async () => {
    await setup()
    for (const colName of ["attemptId", "status", "started_on", "completed_on", "time_taken", "score", "percent"]) {
      const seen: number[] = []
      let path = `${PATH}${query({ page_size: 1, page_number: 1, order_by: { colName, direction: "asc" } })}`
      while (path) {
        const response = await get(path)
        seen.push(...response.body.records.map((row: { attemptId: number }) => row.attemptId))
        path = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? ""
      }
      expect(seen.sort(), colName).toEqual([1, 2, 3])
    }
  })

  it("reads a page at constant cost, and in other orders a few rows per attempt", async () => {
    const quiz = await module({ type: "quiz", name: "First" })
    const inside = await course({}, [{ moduleId: quiz.id }])
    const staff = await signedIn("staff")
    await manyUsers(6000)
    await db.run(
      sql`insert into enrollments (id, user_id, course_id, registered_at)
        select id - 1000, id, ${inside.id}, 1 from users where id > 1000`,
    )
    await db.run(
      sql`insert into quiz_attempts (id, enrollment_id, user_id, course_id, module_id, status_row_id, number, status,
        result, score, out_of, percent, pass_percent, module_version, started_at, completed_at, time_taken)
        select id, id, user_id, course_id, ${quiz.id}, id, 1, 'Completed', 'passed', id % 10, 10, 10 * (id % 10),
        50, 1, 1000 * (id % 50), 60000 + id % 7, id % 60 from enrollments where id % 3 > 0`,
    )
    const orders = ["started_on", "attemptId", "status", "completed_on", "time_taken", "score", "percent"]
    for (const [index, order_by] of orders.entries()) {
      const bound = 20 * 20 + 200 + (index === 0 ? 0 : 4 * 4000)
      const first = await report({ page_size: 20, order_by }, staff.token)
      expect(first.body).toMatchObject({ recordsTotal: 6000, totalNotStarted: 2000, totalCompleted: 4000 })
      expect(cost(first).read, order_by).toBeLessThan(bound)
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? ""
      expect(cost(await get(next, { token: staff.token })).read, `${order_by}, next`).toBeLessThan(bound)
    }
    const completed = await report({ page_size: 20, search_param: { status: ["Completed"] } }, staff.token)
    expect(completed.body).toMatchObject({ recordsFiltered: 4000 })
    expect(cost(completed).read).toBeLessThan(20 * 20 + 200)
  })

  it("limits learners to themselves and supervisors to their learners", async () => {
    const { ada, bob } = await setup()
    const own = await report({}, ada.token)
    expect(own.body).toMatchObject({ recordsTotal: 3, totalNotStarted: 1, userDetails: { id: ada.id } })
    expect((await report({ user_id: bob.id }, ada.token)).status).toBe(404)
    const admin = await signedIn("group_admin")
    const { id } = await group({ admins: [admin.id], members: [bob.id] })
    const reach = await report({}, admin.token)
    expect(reach.body).toMatchObject({
      totalNotStarted: 1,
      totalInProgress: 1,
      totalCompleted: 0,
      recordsTotal: 2,
      recordsFiltered: 1,
      records: [{ user_id: bob.id }],
    })
    expect((await report({ group_id: id }, admin.token)).body).toMatchObject({ totalNotStarted: 1, recordsTotal: 2 })
    expect((await report({ user_id: ada.id }, admin.token)).status).toBe(404)
    expect((await report({ user_id: bob.id }, admin.token)).body.recordsTotal).toBe(2)
  })
})

describe("the learner quizzes export", () => {
  it("exports the filtered attempts that the caller may see", async () => {
    const { ada, bob, inside, first, second } = await setup()
    const admin = await signedIn("admin")
    const rows = async (caller: typeof admin, filter: object = { search_param: {} }) => {
      const id = await exportJob(caller, {
        kind: "learner-quizzes",
        filter: JSON.stringify(filter),
        filename: "learner-quizzes.xlsx",
      })
      await deliver(id)
      expect((await jobOf(id)).status).toBe("completed")
      const file = await download(`/api/user/learner-quizzes/export/download/${id}`, { token: caller.token })
      return (await readXlsx(file.body)).sheets[0]?.rows ?? []
    }
    const [headers, ...all] = await rows(admin)
    const names = [
      ..."attempt_id,user_id,course_id,module_id,name,email,course,quiz,attempt,status".split(","),
      ..."started,startedAt,completed,completedAt,time taken,score,out of,percent,result".split(","),
    ]
    expect(headers).toEqual(names)
    expect(all[0]).toEqual([
      ...[1, ada.id, inside.id, first.id],
      "Ada Byron",
      ada.email,
      "Algebra",
      "First",
      1,
      "Completed",
      "Jan 05, 2026 03:00 PM",
      "2026-01-05T15:00:00.000Z",
      "Jan 05, 2026 03:04 PM",
      "2026-01-05T15:04:00.000Z",
      240,
      3,
      10,
      30,
      "failed",
    ])
    expect(all).toHaveLength(3)
    expect(await rows(admin, { search_param: { nameOrEmail: "stone", courseId: inside.id } })).toHaveLength(2)
    expect(await rows(admin, { search_param: { status: ["Completed"] } })).toHaveLength(3)
    const supervisor = await signedIn("portal_admin")
    const { id } = await portal({ admins: [supervisor.id], members: [bob.id] })
    expect((await rows(supervisor)).map((row) => row[4])).toEqual(["name", "Bob Stone"])
    const untried = [
      [null, ada.id, inside.id, second.id, "Ada Byron", ada.email, "Algebra", "Second", 0, "Not Started", 7],
      [null, bob.id, inside.id, first.id, "Bob Stone", bob.email, "Algebra", "First", 0, "Not Started", 10],
    ]
    const withoutTimes = (row: unknown[]) => [...row.slice(0, 10), row[names.indexOf("out of")]]
    const notStarted = (await rows(admin, { search_param: { status: ["Not Started"] } })).slice(1)
    expect(notStarted.map(withoutTimes)).toEqual(untried)
    const every = { search_param: { status: ["Not Started", "In Progress", "Completed"] } }
    expect((await rows(admin, every)).slice(1).map((row) => row[9])).toEqual([
      ...all.map((row) => row[9]),
      "Not Started",
      "Not Started",
    ])
    expect((await rows(supervisor, every)).slice(1).map(withoutTimes)).toEqual([withoutTimes(all[2] ?? []), untried[1]])
    expect(await rows(admin, { searchPortalIds: [id], search_param: {} })).toHaveLength(2)
    const started = await post("/api/user/learner-quizzes/export", {}, { token: admin.token })
    expect(started.body).toMatchObject({ status: "success", message: "Export of learner quizzes started." })
  })
})

describe("the quiz report's spreadsheet", () => {
  it("contains each attempt's questions, responses, correct answers and points", async () => {
    const { body } = await post("/api/modules/quiz", {
      name: "Sums",
      content: "x",
      passPercent: 100,
      questions: [
        { text: "2 + 2?", type: "single", points: 3, options: [{ text: "=4", correct: true }, { text: "5" }] },
        { text: "Capital?", type: "short", points: 2, answers: ["Paris", "Paname"] },
      ],
    })
    const learner = await signedIn("general", { firstName: "Zoë", lastName: "" })
    const admin = await signedIn("admin")
    const { id } = await enrollment(learner, await course({}, [{ moduleId: body.id }]))
    const options = { token: learner.token }
    const started = await post("/api/quiz/attempt", { registrationId: id, moduleId: body.id }, options)
    const { attemptId, statusRowId } = started.body
    const answers = [
      { questionId: 1, optionIds: [1] },
      { questionId: 2, text: "Rome" },
    ]
    await post("/api/quiz/submit", { attemptId, answers }, options)
    const record = { statusRowId, score: 5, outOf: 5, submitted_on: "2020-01-01" }
    const path = `/api/quiz-report/spreadsheet/${statusRowId}`
    const rows = async (token: string) => (await readXlsx((await download(path, { token })).body)).sheets[0]?.rows ?? []
    expect((await rows(learner.token))[1]?.[10] ?? null).toBe(null)
    await post("/api/quiz/record", { attempts: [record] }, { token: admin.token })

    const file = await download(`${path}?studentId=${learner.id}&portalId=`, { token: admin.token })
    expect(file.status).toBe(200)
    expect(file.headers.get("content-type")).toBe(XLSX_TYPE)
    expect(file.headers.get("content-disposition")).toContain("quiz-report-sums-zoe.xlsx")
    const [headers, first, second, third] = await rows(admin.token)
    expect(headers).toHaveLength(13)
    expect(first?.slice(4)).toEqual([3, 5, 60, "failed", "2 + 2?", "=4", "=4", 3, 3])
    expect(second?.slice(4)).toEqual([3, 5, 60, "failed", "Capital?", "Rome", "Paris; Paname", 0, 2])
    expect(third?.slice(0, 8)).toEqual([
      2,
      "Completed",
      "Jan 01, 2020 12:00 AM",
      "Jan 01, 2020 12:00 AM",
      5,
      5,
      100,
      "passed",
    ])
    expect((await rows(learner.token))[1]?.[10]).toBe("=4")
  })

  it("contains all attempts of several pages, with a frozen bold header", async () => {
    const questions = Array.from({ length: 12 }, (_, i) => ({
      text: `Question ${i + 1}: which of these is right?`,
      type: "short",
      points: 1,
      answers: ["none"],
    }))
    const { body } = await post("/api/modules/quiz", { name: "Long", content: "x", questions })
    const learner = await signedIn("general")
    const { id } = await enrollment(learner, await course({}, [{ moduleId: body.id }]))
    const options = { token: learner.token }
    const started = await post("/api/quiz/attempt", { registrationId: id, moduleId: body.id }, options)
    const { attemptId, statusRowId } = started.body
    await post("/api/quiz/submit", { attemptId, answers: [{ questionId: 2, text: "none" }] }, options)
    await put(`/api/modules/quiz/${body.id}`, { questions: [{ ...questions[0], text: "The only one?" }] })
    const again = await post("/api/quiz/attempt", { registrationId: id, moduleId: body.id }, options)
    await post("/api/quiz/submit", { attemptId: again.body.attemptId, answers: [] }, options)
    // Some attempts are at an earlier version of the quiz.
    await db.run(sql`with recursive n(i) as (select 3 union all select i + 1 from n where i < 251)
      insert into quiz_attempts (id, enrollment_id, user_id, course_id, module_id, status_row_id, number, status,
        result,
        score, out_of, percent, pass_percent, module_version, responses, started_at, completed_at, time_taken)
      select i, enrollment_id, user_id, course_id, module_id, status_row_id, i, status, result, score, out_of, percent,
        pass_percent, module_version, responses, started_at, completed_at, time_taken
      from n, quiz_attempts where id = iif(i < 127, 1, 2)`)
    const file = await download(`/api/quiz-report/spreadsheet/${statusRowId}`, options)
    expect([file.status, cost(file).roundTrips]).toEqual([200, 1])
    const { sheets } = await readXlsx(file.body, { readStyles: true })
    const [sheet] = sheets
    const [, ...rows] = sheet?.rows ?? []
    const numbers = Array.from({ length: 251 }, (_, i) => i + 1)
    expect(rows.map(([number, , , , , , , , question]) => [number, question])).toEqual(
      numbers.flatMap((number) =>
        (number < 127 && number !== 2 ? questions.map(({ text }) => text) : ["The only one?"]).map((text) => [
          number,
          text,
        ]),
      ),
    )
    expect(rows[1]?.slice(9, 12)).toEqual(["none", "none", 1])
    expect(sheet?.freezePane).toMatchObject({ rows: 1 })
    expect([0, 1].map((row) => sheet?.cells?.get(`${row},0`)?.style?.font?.bold ?? false)).toEqual([true, false])
  })

  it("requires access to the learner, and checks studentId and portalId", async () => {
    const learner = await signedIn("general")
    const quiz = await module({ type: "quiz" })
    const registered = await enrollment(learner, await course({}, [{ moduleId: quiz.id }]))
    await post("/api/quiz/attempt", { registrationId: registered.id, moduleId: quiz.id }, { token: learner.token })
    const { id } = (await rowsOf(quizAttempts))[0] ?? { id: 0 }
    expect(id).toBe(1)
    const path = `/api/quiz-report/spreadsheet/${FIRST}`
    const other = await signedIn("general")
    const staff = await signedIn("staff")
    const { id: portalId } = await portal({ members: [(await user()).id] })
    expect((await get(path)).status).toBe(302)
    expect((await get(path, { token: other.token })).status).toBe(404)
    expect((await get(`${path}?studentId=${other.id}`, { token: staff.token })).status).toBe(404)
    expect((await get(`${path}?portalId=${portalId}`, { token: staff.token })).status).toBe(404)
    expect((await get("/api/quiz-report/spreadsheet/99", { token: staff.token })).status).toBe(404)
    expect((await download(path, { token: learner.token })).status).toBe(200)
  })
})

describe("the report of a quiz's scores", () => {
  const scores = (courseId: unknown, moduleId: unknown, options: object) =>
    get(`/api/quiz-report/scores${query({ course_id: courseId, module_id: moduleId })}`, options)

  it("counts Completed attempts by percentage, separately per course", async () => {
    const { first, second, inside, ada, ofAda, ofBob } = await setup()
    const staff = await signedIn("staff")
    await attempt(ofBob, first.id, { number: 1, score: 3, percent: 30, result: "failed" })
    const other = await course({}, [{ moduleId: first.id }])
    await attempt(await enrollment(ada, other), first.id, { percent: 100, score: 10 })
    const response = await scores(inside.id, first.id, staff)
    expect(response.status).toBe(200)
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toEqual({
      courseId: inside.id,
      moduleId: first.id,
      name: "First",
      attempts: 3,
      passed: 1,
      scores: [
        { percent: 30, attempts: 2 },
        { percent: 80, attempts: 1 },
      ],
    })
    expect((await scores(other.id, first.id, staff)).body.scores).toEqual([{ percent: 100, attempts: 1 }])
    const open = { attempts: 0, passed: 0, scores: [] }
    expect((await scores(inside.id, second.id, staff)).body).toMatchObject({ name: "Second", ...open })
    await post("/api/course/reset", { registration_ids: [ofBob.id] }, staff)
    expect((await scores(inside.id, second.id, staff)).body).toMatchObject({
      attempts: 1,
      passed: 0,
      scores: [{ percent: 0, attempts: 1 }],
    })
    await put(`/api/course/${inside.id}`, { modules: [{ module_id: second.id }] }, staff)
    expect((await scores(inside.id, first.id, staff)).body.attempts).toBe(3)
    await post("/api/course/unenroll", { course_ids: [inside.id], user_ids: [ofAda.userId, ofBob.userId] }, staff)
    expect((await scores(inside.id, second.id, staff)).body).toMatchObject(open)
    expect((await scores(inside.id, first.id, staff)).status).toBe(404)
  })

  it("includes submitted and imported attempts, matching the list of attempts", async () => {
    const staff = await signedIn("staff")
    const learner = await signedIn("general")
    const question = (text: string) => ({
      text,
      type: "single",
      points: 1,
      options: [{ text: "yes", correct: true }, { text: "no" }],
    })
    const questions = ["a", "b", "c"].map(question)
    const quiz = await post("/api/modules/quiz", { name: "Quiz", content: "x", questions, passPercent: 50 }, staff)
    const moduleId = quiz.body.id
    const inside = await course({}, [{ moduleId }])
    const { id: registrationId } = await enrollment(learner, inside)
    const token = { token: learner.token }
    const started = await post("/api/quiz/attempt", { registrationId, moduleId }, token)
    const answers = started.body.questions.slice(0, 2).map((asked: { id: number; options: { id: number }[] }) => ({
      questionId: asked.id,
      optionIds: [asked.options[0]?.id],
    }))
    const submitted = await post("/api/quiz/submit", { attemptId: started.body.attemptId, answers }, token)
    expect(submitted.body).toMatchObject({ percent: 66, result: "passed" })
    const attempts = [{ registrationId, moduleId, score: 1, outOf: 8, submitted_on: "2014-01-05" }]
    expect((await post("/api/quiz/record", { attempts }, staff)).body.recorded).toBe(1)
    expect((await scores(inside.id, moduleId, staff)).body).toMatchObject({
      attempts: 2,
      passed: 1,
      scores: [
        { percent: 12, attempts: 1 },
        { percent: 66, attempts: 1 },
      ],
    })
    const listed = (await report({}, staff.token)).body.records.map((row: { percent: number }) => row.percent)
    expect(listed.sort()).toEqual([12, 66])
  })

  it("reads the same number of rows for 300 attempts as for 3", async () => {
    const staff = await signedIn("staff")
    const quiz = await module({ type: "quiz", totalPoints: 10 })
    const inside = await course({}, [{ moduleId: quiz.id }])
    await manyUsers(303, 1000)
    const reads: number[] = []
    for (const [firstId, lastId] of [
      [1001, 1003],
      [1004, 1303],
    ] as const) {
      await db.run(sql`insert into enrollments (id, user_id, course_id, registered_at)
        select id, id, ${inside.id}, 0 from users where id between ${firstId} and ${lastId}`)
      await db.run(sql`insert into quiz_attempts (id, enrollment_id, module_id, status_row_id, user_id, course_id,
          number, status, result, score, out_of, percent, pass_percent, module_version, started_at, completed_at)
        select id, id, ${quiz.id}, 0, id, ${inside.id}, 1, 'Completed', 'failed', id % 3, 10, id % 3 * 10, 50, 0, 0, 1
        from users where id between ${firstId} and ${lastId}`)
      const response = await scores(inside.id, quiz.id, staff)
      expect(response.body.scores).toHaveLength(3)
      reads.push(cost(response).read)
    }
    expect(reads[1]).toBe(reads[0])
  })

  it("requires staff, a course, and a quiz that is or was part of it", async () => {
    const { first, inside } = await setup()
    const staff = await signedIn("staff")
    const [text] = [await module({ name: "Text" })]
    const elsewhere = await course({}, [{ moduleId: text.id }])
    for (const [courseId, moduleId] of [
      [99, first.id],
      [inside.id, 99],
      [elsewhere.id, text.id],
      [elsewhere.id, first.id],
    ])
      expect((await scores(courseId, moduleId, staff)).status).toBe(404)
    expect((await scores(inside.id, "", staff)).body.errors).toHaveProperty("module_id")
    expect((await scores(inside.id, first.id, await signedIn("group_admin"))).status).toBe(403)
  })
})
