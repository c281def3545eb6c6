import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { activities, enrollmentCounts, enrollments, moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { toStatusRowId } from "../../src/modules/enrollments/module-statuses.queries.ts"
import { group, portal, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, get, post } from "../helpers/client.ts"

/** The status row of the first enrollment and module. */
const FIRST = toStatusRowId({ enrollmentId: 1, moduleId: 1 })

const DAY = 86_400_000
const record = (body: object, options = {}) => post("/api/module/progress", body, options)
const modulesOf = (registrationId: number, options = {}) =>
  get(`/api/course/modules?registrationId=${registrationId}`, options)

/** Enrolls a learner in a course of these modules. */
async function registered(links: Parameters<typeof course>[1] = [{}, {}, {}], overrides = {}) {
  const learner = await signedIn("general")
  const inCourse = await course({ name: "Algebra" }, links)
  const registration = await enrollment(learner, inCourse, overrides)
  const rows = (await modulesOf(registration.id)).body as { module_id: number }[]
  const ids = rows.map((row) => row.module_id)
  const step = (at: number, body: object = {}, options: object = { token: learner.token }) =>
    record({ registrationId: registration.id, moduleId: ids[at], ...body }, options)
  const state = async () => {
    const row = (await rowsOf(enrollments)).find((candidate) => candidate.id === registration.id)
    return [row?.status, row?.percent]
  }
  return { learner, inCourse, registration, ids, step, state }
}

describe("GET /api/course/modules", () => {
  it("lists the modules in order with their progress", async () => {
    const { learner, registration, ids } = await registered([{}, { isLocked: true }, { dripDays: 3 }])
    const response = await modulesOf(registration.id, { token: learner.token })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body[0]).toEqual({
      module_id: ids[0],
      name: `Module ${ids[0]}`,
      slug: `module-${ids[0]}`,
      type: "text",
      icon: "text",
      is_locked: false,
      lock_reason: "",
      is_dripped: false,
      drip_message: "",
      is_current: true,
      status_row_id: -1,
      status: "Not Started",
      started_on: null,
      completed_on: null,
      last_accessed_on: null,
      total_time_spent: "",
      points_awarded: null,
      completion_percentage: 0,
      no_of_times_accessed: 0,
      quiz: null,
    })
    expect(response.body[1]).toMatchObject({ is_locked: true, lock_reason: `Complete Module ${ids[0]} first.` })
    expect(response.body[2]).toMatchObject({ is_locked: false, is_dripped: true })
    expect(response.body[2].drip_message).toMatch(/^Available on \w{3} \d\d, \d{4}\.$/)
  })

  it("allows the learner, the learner's supervisors and staff", async () => {
    const { learner, registration } = await registered()
    const other = await signedIn("general")
    const supervisor = await signedIn("portal_admin")
    expect((await modulesOf(registration.id, { token: other.token })).status).toBe(404)
    expect((await modulesOf(registration.id, { token: supervisor.token })).status).toBe(404)
    await portal({ admins: [supervisor.id], members: [learner.id] })
    expect((await modulesOf(registration.id, { token: supervisor.token })).status).toBe(200)
    expect((await modulesOf(999)).status).toBe(404)
    expect((await get("/api/course/modules")).body.errors).toHaveProperty("registrationId")
  })
})

describe("POST /api/module/progress", () => {
  it("completes a course of ten modules, with matching reports at each step", async () => {
    const { learner, inCourse, step, state } = await registered(Array.from({ length: 10 }, () => ({})))
    const agree = async (status: string, percent: number) => {
      expect(await state()).toEqual([status, percent])
      const students = await get(
        `/api/course/enrolled-students?course_id=${inCourse.id}&group_id=&page_size=5&page_number=1`,
      )
      const courses = await get(`/api/users/enrolled-courses?user_id=${learner.id}&page_size=5&page_number=1`)
      const statistics = await get(`/api/user/dashboard/statistics?user_id=${learner.id}`)
      const overview = await get("/api/course/reports/overview")
      for (const [name, key] of [
        ["Not Started", "NotStarted"],
        ["In Progress", "InProgress"],
        ["Completed", "Completed"],
      ] as const) {
        const expected = status === name ? 1 : 0
        expect(students.body[`total${key}`]).toBe(expected)
        expect(overview.body[`sum${key}`]).toBe(expected)
        expect(statistics.body[`${key[0]?.toLowerCase()}${key.slice(1)}`]).toBe(expected)
      }
      expect(students.body.records).toMatchObject([{ status, percentComplete: percent }])
      expect(courses.body.records).toMatchObject([{ status, percentComplete: percent }])
    }
    await agree("Not Started", 0)
    const opened = await step(0)
    expect(opened.body).toEqual({ message: "Progress recorded.", statusRowId: FIRST })
    expect(cost(opened).roundTrips).toBe(2)
    await agree("In Progress", 0)
    for (let index = 0; index < 10; index++) {
      const done = await step(index, { status: "Completed", timeSpent: 60 })
      expect(cost(done).roundTrips).toBe(2)
      await agree(index === 9 ? "Completed" : "In Progress", (index + 1) * 10)
    }
    expect((await rowsOf(activities)).map((row) => row.verb)).toEqual(["ENROLLED", "STARTED", "COMPLETED"])
    const statistics = await get(`/api/user/dashboard/statistics?user_id=${learner.id}`)
    expect(statistics.body.timeSpent).toEqual({ hours: 0, minutes: 10, seconds: 0, totalSeconds: 600 })
    const audit = (await rowsOf(auditLogs)).filter((row) => row.subject === "module progress")
    expect(audit.map((row) => row.details)).toEqual(Array(10).fill({ userId: learner.id, status: "Completed" }))
  })

  it("accepts the status row; percentages and statuses only increase, and time is added", async () => {
    const { learner, registration, step } = await registered()
    await step(0, { percentage: 60, timeSpent: 10 })
    const by = (body: object) => record({ statusRowId: FIRST, ...body }, { token: learner.token })
    await by({ percentage: 30, timeSpent: 5 })
    await by({})
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ percent: 60, timeSpent: 15, timesAccessed: 2 }])
    await by({ status: "Completed" })
    await by({ status: "In Progress", percentage: 10 })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ status: "Completed", percent: 100 }])
    const [row] = (await modulesOf(registration.id)).body
    expect(row).toMatchObject({
      status_row_id: FIRST,
      status: "Completed",
      completion_percentage: 100,
      is_current: false,
    })
    expect(row.total_time_spent).toEqual({ hours: 0, minutes: 0, seconds: 15, totalSeconds: 15 })
    expect(row.started_on).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it("counts only required modules if there are any", async () => {
    const { step, state } = await registered([{}, { required: false }, {}])
    await step(1, { status: "Completed" })
    expect(await state()).toEqual(["In Progress", 0])
    await step(0, { status: "Completed" })
    expect(await state()).toEqual(["In Progress", 50])
    await step(2, { status: "Completed" })
    expect(await state()).toEqual(["Completed", 100])
  })

  it("rejects modules that are locked, open later or need more time, and writes nothing", async () => {
    const { step, state, learner, registration, ids } = await registered([
      { minTimeSpent: 60 },
      { isLocked: true },
      { dripDays: 2 },
    ])
    const refused = async (at: number, body: object, words: string) => {
      const answer = await step(at, body)
      expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining(words) } })
    }
    await refused(0, { status: "Completed" }, `Spend 60 more seconds in Module ${ids[0]} first.`)
    await refused(0, { status: "Completed", timeSpent: 20 }, "40 more seconds")
    await refused(
      0,
      { status: "Completed", timeSpent: 20 },
      "then report all 60 seconds: this request was not recorded.",
    )
    await refused(1, {}, `Complete Module ${ids[0]} first.`)
    await refused(2, {}, "Available on")
    expect(await state()).toEqual(["Not Started", 0])
    expect(await rowsOf(moduleStatuses)).toEqual([])
    await step(0, { timeSpent: 30 })
    expect((await step(0, { status: "Completed", timeSpent: 30 })).status).toBe(200)
    expect((await step(1)).status).toBe(200)
    vi.setSystemTime(Date.now() + 2 * DAY + 1000)
    expect((await step(2, { status: "Completed" }, {})).status).toBe(200)
    vi.useRealTimers()
    expect((await modulesOf(registration.id, { token: learner.token })).body[1].is_current).toBe(true)
  })

  it("returns 409 if the enrollment has expired", async () => {
    const { step, registration, learner } = await registered([{}], { expiresAt: 5 * DAY })
    const answer = await step(0)
    expect(answer).toMatchObject({
      status: 409,
      body: { message: "The enrollment expired on Jan 06, 1970." },
    })
    const [row] = (await modulesOf(registration.id, { token: learner.token })).body
    expect(row).toMatchObject({ is_locked: true, is_current: false })
  })

  it("returns 409 when completing quizzes and assignments", async () => {
    const quiz = await module({ type: "quiz" })
    const { step } = await registered([{ moduleId: quiz.id }])
    expect((await step(0)).status).toBe(200)
    expect((await step(0, { status: "Completed" })).status).toBe(409)
    expect((await step(0, { completed_on: "2026-01-05" }, {})).status).toBe(200)
    expect(await rowsOf(enrollments)).toMatchObject([{ status: "Completed", completedAt: Date.UTC(2026, 0, 5) }])
  })

  it("allows only the learner and staff", async () => {
    const { learner, step, registration, ids } = await registered()
    const [other, supervisor, staff] = [
      await signedIn("general"),
      await signedIn("group_admin"),
      await signedIn("staff"),
    ]
    await group({ admins: [supervisor.id], members: [learner.id] })
    expect((await step(0, {}, { token: other.token })).status).toBe(404)
    expect((await step(0, {}, { token: supervisor.token })).status).toBe(403)
    expect((await step(0, { completed_on: "2026-01-05" })).status).toBe(403)
    expect((await step(0, {}, { token: staff.token })).status).toBe(200)
    expect((await record({ statusRowId: 99 })).status).toBe(404)
    expect((await record({ registrationId: registration.id, moduleId: 999 })).status).toBe(404)
    expect(Object.keys((await record({ statusRowId: -1 })).body.errors)).toEqual(["registrationId", "moduleId"])
    const wrong = await record({ registrationId: registration.id, moduleId: ids[0], percentage: 101, status: "Done" })
    expect(Object.keys(wrong.body.errors).sort()).toEqual(["percentage", "status"])
    const dates = { started_on: "2026-01-06", completed_on: "2026-01-05" }
    expect(Object.keys((await step(0, dates, { token: staff.token })).body.errors)).toEqual(["completed_on"])
  })

  it("loses nothing of 200 concurrent requests, and completes the module once", async () => {
    const { learner, step, state } = await registered([{}, {}])
    const clients = await Promise.all([1, 2, 3, 4].map(() => signedIn("staff")))
    const calls = Array.from({ length: 200 }, (_, i) => {
      const body = { percentage: i % 100, timeSpent: 1, ...(i % 10 === 9 && { status: "Completed" }) }
      return step(i % 2, body, { token: clients[i % 4]?.token ?? learner.token })
    })
    const percents: number[] = []
    const watch = (async () => {
      for (let i = 0; i < 20; i++) percents.push((await state())[1] as number)
    })()
    const responses = await Promise.all(calls)
    await watch
    expect(responses.map((response) => response.status)).toEqual(responses.map(() => 200))
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    await step(0, { status: "Completed" })
    expect(await state()).toEqual(["Completed", 100])
    const statuses = await rowsOf(moduleStatuses)
    expect(statuses).toHaveLength(2)
    expect(statuses.reduce((sum, row) => sum + row.timeSpent, 0)).toBe(200)
    expect((await rowsOf(activities)).map((row) => row.verb).sort()).toEqual(["COMPLETED", "ENROLLED", "STARTED"])
    const all = (await rowsOf(enrollmentCounts)).find((row) => row.audience === "all" && row.courseId === 0)
    expect(all).toMatchObject({ notStarted: 0, inProgress: 0, completed: 1 })
    expect(await rowsOf(enrollments)).toMatchObject([{ timeSpent: 200, done: 2 }])
  })
})

describe("POST /api/module/record", () => {
  const records = (rows: object[], options = {}) => post("/api/module/record", { records: rows }, options)

  it("imports progress with its dates in two round trips, once", async () => {
    const staff = await signedIn("staff")
    const [ada, bob] = [await signedIn("general"), await signedIn("general")]
    const [first, quiz] = [await module(), await module({ type: "quiz" })]
    const inside = await course({ name: "Algebra" }, [
      { moduleId: first.id },
      { moduleId: quiz.id, isLocked: true, dripDays: 9_999, minTimeSpent: 60 },
    ])
    const [ofAda, ofBob] = [await enrollment(ada, inside), await enrollment(bob, inside)]
    const elsewhere = await module()
    const imported = [
      // The latest record completes the enrollment, even if it comes first.
      { registrationId: ofAda.id, moduleId: quiz.id, completed_on: "2020-02-02" },
      {
        registrationId: ofAda.id,
        moduleId: first.id,
        started_on: "2020-01-01",
        completed_on: "2020-01-02",
        timeSpent: 90,
      },
      { registrationId: ofBob.id, moduleId: first.id, started_on: "2020-03-03", percentage: 40 },
      { registrationId: ofBob.id, moduleId: elsewhere.id, completed_on: "2020-01-01" },
      { registrationId: 999, moduleId: first.id, completed_on: "2020-01-01" },
    ]
    const response = await records(imported, { token: staff.token })
    expect(response.body).toEqual({
      message:
        "3 module statuses recorded. 2 skipped: the registration doesn't exist, or the module isn't in its course.",
      recorded: 3,
      alreadyRecorded: 0,
      skipped: 2,
    })
    expect(cost(response).roundTrips).toBe(2)
    const at = (date: string) => Date.parse(`${date}T00:00:00Z`)
    expect((await rowsOf(enrollments)).toSorted((a, b) => a.id - b.id)).toMatchObject([
      {
        status: "Completed",
        percent: 100,
        timeSpent: 90,
        startedAt: at("2020-01-01"),
        completedAt: at("2020-02-02"),
        lastAccessedAt: at("2020-02-02"),
      },
      { status: "In Progress", percent: 0, startedAt: at("2020-03-03"), completedAt: 0 },
    ])
    expect((await rowsOf(activities)).filter((row) => row.verb !== "ENROLLED").map((row) => row.verb)).toEqual([
      "STARTED",
      "STARTED",
      "COMPLETED",
    ])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { effectOn: "3 recorded module statuses", details: { registration_ids: [ofAda.id, ofBob.id] } },
    ])
    const before = await rowsOf(moduleStatuses)
    expect((await records(imported)).body).toMatchObject({ recorded: 0, alreadyRecorded: 3, skipped: 2 })
    expect(await rowsOf(moduleStatuses)).toEqual(before)
  })

  it("records the modules of an enrollment that was reset, which keep their time", async () => {
    const { registration, ids, step, state } = await registered([{}])
    await step(0, { status: "Completed", timeSpent: 30 })
    await post("/api/course/reset", { registration_ids: [registration.id] })
    const row = { registrationId: registration.id, moduleId: ids[0], completed_on: "2030-02-03", timeSpent: 60 }
    expect((await records([row])).body).toMatchObject({ recorded: 1, alreadyRecorded: 0 })
    expect(await state()).toEqual(["Completed", 100])
    expect(await rowsOf(enrollments)).toMatchObject([{ timeSpent: 90, completedAt: Date.parse("2030-02-03") }])
    expect((await records([row])).body).toMatchObject({ recorded: 0, alreadyRecorded: 1 })
  })

  it("allows only staff, and explains invalid input", async () => {
    const row = { registrationId: 1, moduleId: 1, completed_on: "2020-01-01" }
    const { token } = await signedIn("general")
    expect((await records([row], { token })).status).toBe(403)
    for (const rows of [[], [row, row], [{ registrationId: 1, moduleId: 1 }], [{ ...row, started_on: "2021-01-01" }]])
      expect(Object.keys((await records(rows)).body.errors)[0], JSON.stringify(rows)).toMatch(/^records/)
  })
})

describe("resetting and renewing enrollments", () => {
  it("resets enrollments to Not Started, keeps the time spent, and counts unknown ids", async () => {
    const { registration, step, state } = await registered([{}])
    await step(0, { status: "Completed", timeSpent: 30 })
    const response = await post("/api/course/reset", { registration_ids: [registration.id, 99] })
    expect(response.body).toEqual({ message: "1 registration reset. 1 id not found.", reset: 1, skipped: 1 })
    expect(cost(response).roundTrips).toBe(2)
    expect(await state()).toEqual(["Not Started", 0])
    expect(await rowsOf(enrollments)).toMatchObject([{ done: 0, timeSpent: 30, startedAt: 0, completedAt: 0 }])
    await step(0, { status: "Completed" })
    expect(await state()).toEqual(["Completed", 100])
    expect((await rowsOf(activities)).map((row) => row.verb)).toEqual([
      "ENROLLED",
      "STARTED",
      "COMPLETED",
      "RESET",
      "STARTED",
      "COMPLETED",
    ])
    const learner = await signedIn("general")
    const refused = await post("/api/course/reset", { registration_ids: [1] }, { token: learner.token })
    expect(refused.status).toBe(403)
  })

  it("is the learner's own once it is Completed and has expired", async () => {
    const learner = await signedIn("general")
    const inside = await module()
    const row = await course({ expiresAfterDays: 10 }, [{ moduleId: inside.id }])
    const { id } = await enrollment(learner, row, { expiresAt: 5 * DAY })
    const again = (token = learner.token) => post("/api/course/recertify", { registrationId: id }, { token })
    expect((await again()).status).toBe(409)
    await moduleStatus(id, inside.id, { status: "Completed" })
    expect((await again((await signedIn("general")).token)).status).toBe(404)
    expect((await again()).status).toBe(200)
    const [now] = await rowsOf(enrollments)
    expect(now).toMatchObject({ status: "Not Started", percent: 0 })
    expect(now?.expiresAt).toBeGreaterThan(Date.now() + 9 * DAY)
    expect((await again()).status).toBe(409)
  })

  it("only staff can change an expiry that staff set, with a new term or a given date", async () => {
    const learner = await signedIn("general")
    const past = Date.now() - DAY
    const [open, termed] = [await course(), await course({ expiresAfterDays: 10 })]
    const given = { status: "Completed" as const, completedAt: 5, expiresAt: past }
    const [ownEnrollment, other] = [await enrollment(learner, open, given), await enrollment(learner, termed, given)]
    const refused = await post("/api/course/recertify", { registrationId: ownEnrollment.id }, { token: learner.token })
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining("no access duration") } })
    const rows = await get(`/api/users/enrolled-courses?user_id=${learner.id}&page_size=5&page_number=1&order_by=id`)
    expect(rows.body.records.map((row: { canRecertify: boolean }) => row.canRecertify)).toEqual([false, true])
    const ends = async () => (await rowsOf(enrollments)).map((row) => row.expiresAt)
    const ids = [ownEnrollment.id, other.id]
    await post("/api/course/reset", { registration_ids: ids })
    const [none, renewed = 0] = await ends()
    expect(none).toBe(0)
    expect(renewed).toBeGreaterThan(Date.now() + 9 * DAY)
    await post("/api/course/reset", { registration_ids: ids })
    expect(await ends()).toEqual([0, renewed])
    await post("/api/course/reset", { registration_ids: ids, expire_on: "2199-01-05" })
    expect(await ends()).toEqual([Date.UTC(2199, 0, 5), Date.UTC(2199, 0, 5)])
  })
})
