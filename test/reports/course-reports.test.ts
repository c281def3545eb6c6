import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { learnerWithAssignment } from "../factories/assignments.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const at = (day: string) => Date.parse(`${day}T12:00:00Z`)

/** Registers the users with ids from one to another in a course, at noon of a day. */
const register = (courseId: number, firstId: number, lastId: number, day: string) =>
  db.run(sql`insert into enrollments (id, user_id, course_id, registered_at)
    select id, id, ${courseId}, ${at(day)} from users where id between ${firstId} and ${lastId}`)

describe("the report by day", () => {
  const report = (filter: object, options: object) => get(`/api/course/reports/by-day${query({ ...filter })}`, options)

  it("counts the activity of a course, and of all courses, on every day of a period in UTC", async () => {
    const staff = await signedIn("staff")
    const [algebra, biology] = [await course({}, [{}]), await course()]
    const [ada, bob] = [await user(), await user()]
    await enrollment(ada, algebra, {
      registeredAt: Date.parse("2026-01-30T23:59:59.999Z"),
      status: "Completed",
      startedAt: at("2026-01-31"),
      completedAt: at("2026-02-02"),
    })
    await enrollment(bob, algebra, { registeredAt: Date.parse("2026-01-31T00:00:00Z") })
    await enrollment(bob, biology, { registeredAt: at("2026-02-01") })
    const between = "2026-01-30,2026-02-02"
    const days = ["2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02"]
    const period = { firstDay: "2026-01-30", lastDay: "2026-02-02", days }
    const one = await report({ course_id: algebra.id, between }, staff)
    expect(one.status).toBe(200)
    expect(cost(one).roundTrips).toBe(1)
    expect(one.body).toEqual({
      courseId: algebra.id,
      ...period,
      enrolled: [1, 1, 0, 0],
      started: [0, 1, 0, 0],
      completed: [0, 0, 0, 1],
      sumEnrolled: 2,
      sumStarted: 1,
      sumCompleted: 1,
    })
    const all = await report({ between: ["2026-01-30", "2026-02-02"] }, staff)
    expect(cost(all).roundTrips).toBe(1)
    expect(all.body).toEqual({
      courseId: null,
      ...period,
      enrolled: [1, 1, 1, 0],
      started: [0, 1, 0, 0],
      completed: [0, 0, 0, 1],
      sumEnrolled: 3,
      sumStarted: 1,
      sumCompleted: 1,
    })
    const alone = { days: ["2026-02-01"], enrolled: [1], started: [0], completed: [0], sumEnrolled: 1 }
    const nothing = { firstDay: "2026-02-01", lastDay: "2026-02-01", sumStarted: 0, sumCompleted: 0 }
    expect(await report({ course_id: biology.id, between: "Feb 01, 2026" }, staff)).toMatchObject({ status: 200 })
    expect((await report({ course_id: biology.id, between: "2026-02-01" }, staff)).body).toEqual({
      courseId: biology.id,
      ...alone,
      ...nothing,
    })
  })

  it("covers the 90 days up to the last activity without a period", async () => {
    const staff = await signedIn("staff")
    const [algebra, biology] = [await course(), await course()]
    const empty = { firstDay: null, lastDay: null, days: [], enrolled: [], started: [], completed: [] }
    const sums = { sumEnrolled: 0, sumStarted: 0, sumCompleted: 0 }
    expect((await report({}, staff)).body).toEqual({ courseId: null, ...empty, ...sums })
    await enrollment(await user(), algebra, { registeredAt: at("2013-09-02") })
    await enrollment(await user(), algebra, { registeredAt: at("2014-01-02") })
    await enrollment(await user(), algebra, { registeredAt: at("2014-04-01") })
    await enrollment(await user(), biology, { registeredAt: at("2014-01-01") })
    for (const filter of [{ course_id: algebra.id }, {}]) {
      const { body } = await report(filter, staff)
      expect(body).toMatchObject({ firstDay: "2013-09-02", lastDay: "2014-04-01", sumEnrolled: 2 })
      expect(body.days).toHaveLength(90)
      expect([body.days[0], body.days.at(-1), body.enrolled[0], body.enrolled.at(-1)]).toEqual([
        "2014-01-02",
        "2014-04-01",
        1,
        1,
      ])
    }
  })

  it("does not decrease after a reset, the end of an enrollment, or the deletion of the user or course", async () => {
    const staff = await signedIn("admin")
    const learner = await signedIn("general")
    const { id: courseId } = await course({}, [{}])
    const enroll = () => post("/api/course/enroll", { course_ids: [courseId], user_ids: [learner.id] }, staff)
    const complete = (registrationId: number) =>
      post("/api/module/progress", { registrationId, moduleId: 1, status: "Completed" }, staff)
    const sums = async (filter: object = { course_id: courseId }) => {
      const { body } = await report(filter, staff)
      return [body.sumEnrolled, body.sumStarted, body.sumCompleted]
    }
    await enroll()
    await complete(1)
    expect(await sums()).toEqual([1, 1, 1])
    expect((await post("/api/course/reset", { registration_ids: [1] }, staff)).body.reset).toBe(1)
    expect(await sums()).toEqual([1, 1, 1])
    await complete(1)
    expect(await sums()).toEqual([1, 2, 2])
    await post("/api/course/unenroll", { course_ids: [courseId], user_ids: [learner.id] }, staff)
    expect(await sums()).toEqual([1, 2, 2])
    await enroll()
    expect(await sums()).toEqual([2, 2, 2])
    await post("/api/course/unenroll", { course_ids: [courseId], user_ids: [learner.id] }, staff)
    const deleted = await post("/api/user/delete", { delete_ids: [learner.id] }, staff)
    expect(deleted.body.message).toBe("1 user deleted.")
    expect(await sums()).toEqual([2, 2, 2])
    expect((await post("/api/course/delete", { delete_ids: [courseId] }, staff)).body.message).toBe("1 course deleted.")
    expect((await report({ course_id: courseId }, staff)).status).toBe(404)
    expect(await sums({})).toEqual([2, 2, 2])
  })

  it("counts imported records on their original days", async () => {
    const staff = await signedIn("staff")
    const [learner, { id: courseId }] = [await user(), await course()]
    const registration = { user_id: learner.id, course_id: courseId, registered_on: "2014-01-05" }
    const dates = { started_on: "2014-01-06", completed_on: "2014-01-08" }
    expect((await post("/api/course/record", { registrations: [{ ...registration, ...dates }] }, staff)).status).toBe(
      200,
    )
    const { body } = await report({ course_id: courseId, between: "2014-01-05,2014-01-08" }, staff)
    expect(body).toMatchObject({ enrolled: [1, 0, 0, 0], started: [0, 1, 0, 0], completed: [0, 0, 0, 1] })
  })

  it("reads as many rows for 300 enrollments as for three", async () => {
    const staff = await signedIn("staff")
    const { id } = await course()
    const reads: number[][] = []
    await manyUsers(303, 1000)
    for (const [firstId, lastId] of [
      [1001, 1003],
      [1004, 1303],
    ] as const) {
      await register(id, firstId, lastId, "2026-01-05")
      const period = [await report({ course_id: id }, staff), await report({}, staff)]
      reads.push(period.map((answer) => cost(answer).read))
    }
    expect(reads[1]).toEqual(reads[0])
    await db.run(sql`insert into course_days (course_id, day, enrolled, started, completed)
      select ${id}, date('2015-01-01', (id - 1000) || ' days'), 1, 0, 0 from users where id > 1000`)
    const days = [...(reads[0] ?? [])]
    for (const filter of [{ course_id: id }, {}]) {
      const response = await report({ ...filter, between: "2015-03-01,2015-03-10" }, staff)
      expect(response.body.sumEnrolled).toBe(10)
      expect(cost(response).read).toBeLessThanOrEqual((days.shift() ?? 0) + 30)
    }
  })

  it("accepts up to 366 days in order, for an existing course and staff only", async () => {
    const staff = await signedIn("staff")
    expect((await report({ between: "2024-01-01,2024-12-31" }, staff)).body.days).toHaveLength(366)
    const long = await report({ between: "2024-01-01,2025-01-01" }, staff)
    expect(long.status).toBe(422)
    expect(long.body.errors).toEqual({ between: ["between must be 366 days or less."] })
    for (const between of ["2026-02-01,2026-01-01", "2026-02-01,", "soon"])
      expect((await report({ between }, staff)).status).toBe(422)
    expect((await report({ course_id: 9 }, staff)).status).toBe(404)
    expect((await report({}, await signedIn("group_admin"))).status).toBe(403)
  })
})

describe("the report of a course's modules", () => {
  const report = (courseId: unknown, options: object) =>
    get(`/api/course/reports/modules${query({ course_id: courseId })}`, options)

  it("counts the enrollments by status in each module, in the course's order", async () => {
    const staff = await signedIn("staff")
    const essay = await module({ type: "assignment", name: "Essay" })
    const intro = await module({ name: "Introduction" })
    const algebra = await course({ name: "Algebra" }, [{ moduleId: intro.id }, { moduleId: essay.id, required: false }])
    const other = await course({}, [{ moduleId: intro.id }])
    const rows = []
    for (let i = 0; i < 4; i++) rows.push(await enrollment(await user(), algebra))
    const [first, second, third] = rows.map(({ id }) => id)
    await moduleStatus(first ?? 0, intro.id, { status: "Completed", percent: 100 })
    await moduleStatus(first ?? 0, essay.id, { status: "Submitted" })
    await moduleStatus(second ?? 0, intro.id)
    await moduleStatus(third ?? 0, intro.id, { status: "Not Started" })
    await moduleStatus((await enrollment(await user(), other)).id, intro.id)
    const response = await report(algebra.id, staff)
    expect(response.status).toBe(200)
    expect(cost(response).roundTrips).toBe(1)
    const none = { notStarted: 0, inProgress: 0, submitted: 0, completed: 0 }
    const introduction = { moduleId: intro.id, name: "Introduction", type: "text", required: true }
    const written = { moduleId: essay.id, name: "Essay", type: "assignment", required: false }
    expect(response.body).toEqual({
      courseId: algebra.id,
      courseName: "Algebra",
      learners: 4,
      modules: [
        { ...introduction, ...none, notStarted: 2, inProgress: 1, completed: 1 },
        { ...written, ...none, notStarted: 3, submitted: 1 },
      ],
    })
  })

  it("follows progress, resets, and the end of the enrollment and of the user", async () => {
    const staff = await signedIn("admin")
    const learners = [await signedIn("general"), await signedIn("general")]
    const { id: courseId } = await course({}, [{}, {}])
    const user_ids = learners.map(({ id }) => id)
    await post("/api/course/enroll", { course_ids: [courseId], user_ids }, staff)
    const step = (registrationId: number, moduleId: number, filter: object = {}) =>
      post("/api/module/progress", { registrationId, moduleId, ...filter }, staff)
    const states = async () =>
      (await report(courseId, staff)).body.modules.map(
        (period: { notStarted: number; inProgress: number; submitted: number; completed: number }) => [
          period.notStarted,
          period.inProgress,
          period.submitted,
          period.completed,
        ],
      )
    expect(await states()).toEqual([
      [2, 0, 0, 0],
      [2, 0, 0, 0],
    ])
    await step(1, 1)
    await step(1, 2, { status: "Completed" })
    await step(2, 1, { status: "Completed" })
    await step(2, 1, { timeSpent: 30 })
    const midway = [
      [0, 1, 0, 1],
      [1, 0, 0, 1],
    ]
    expect(await states()).toEqual(midway)
    await put(`/api/course/${courseId}`, { modules: [{ module_id: 2 }] }, staff)
    expect(await states()).toEqual([midway[1]])
    await put(`/api/course/${courseId}`, { modules: [{ module_id: 1 }, { module_id: 2 }] }, staff)
    expect(await states()).toEqual(midway)
    await post("/api/course/reset", { registration_ids: [2] }, staff)
    expect(await states()).toEqual([
      [1, 1, 0, 0],
      [1, 0, 0, 1],
    ])
    await step(2, 1)
    await post("/api/course/unenroll", { course_ids: [courseId], user_ids: [user_ids[1]] }, staff)
    expect(await states()).toEqual([
      [0, 1, 0, 0],
      [0, 0, 0, 1],
    ])
    // No call deletes a user with registrations: this is what would take them along.
    await db.run(sql`delete from users where id = ${user_ids[0]}`)
    expect(await states()).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ])
  })

  it("follows imported records, and an assignment that is submitted, returned and accepted", async () => {
    const staff = await signedIn("staff")
    const { inside, after, ref, mine } = await learnerWithAssignment()
    const at = async (noon: number) => {
      const { notStarted, inProgress, submitted, completed } = (await report(inside.id, staff)).body.modules[noon]
      return [notStarted, inProgress, submitted, completed]
    }
    const records = [{ registrationId: ref.registrationId, moduleId: after.id, completed_on: "2014-01-05" }]
    expect((await post("/api/module/record", { records }, staff)).body.recorded).toBe(1)
    expect(await at(1)).toEqual([0, 0, 0, 1])
    expect(await at(0)).toEqual([1, 0, 0, 0])
    const submit = () => post("/api/module/assignment/submit", { ...ref, submission: "Mine" }, mine)
    const evaluate = (evaluation: object) => post("/api/module/assignment/evaluate", { ...ref, evaluation }, staff)
    expect((await submit()).status).toBe(200)
    expect(await at(0)).toEqual([0, 0, 1, 0])
    expect((await evaluate({ isAccepted: false, instructorMessage: "More" })).status).toBe(200)
    expect(await at(0)).toEqual([0, 1, 0, 0])
    await submit()
    expect((await evaluate({ isAccepted: true, pointsAwarded: 18 })).status).toBe(200)
    expect(await at(0)).toEqual([0, 0, 0, 1])
    // No call deletes a state by itself.
    await db.run(sql`delete from module_statuses where module_id = ${ref.moduleId}`)
    expect(await at(0)).toEqual([1, 0, 0, 0])
  })

  it("reads as many rows for 300 enrollments as for three", async () => {
    const staff = await signedIn("staff")
    const { id } = await course({}, [{}, {}])
    const reads: number[] = []
    await manyUsers(303, 1000)
    for (const [firstId, lastId] of [
      [1001, 1003],
      [1004, 1303],
    ] as const) {
      await register(id, firstId, lastId, "2026-01-05")
      await db.run(sql`insert into module_statuses (enrollment_id, module_id, status, last_accessed_at)
        select id, 1, 'In Progress', ${at("2026-01-06")} from enrollments where id >= ${firstId}`)
      const response = await report(id, staff)
      expect(response.body.modules[0].notStarted).toBe(0)
      reads.push(cost(response).read)
    }
    expect(reads[1]).toBe(reads[0])
  })

  it("returns 404 for an unknown course and 403 below staff", async () => {
    const staff = await signedIn("staff")
    expect((await report(9, staff)).status).toBe(404)
    expect((await report("", staff)).status).toBe(422)
    expect((await report((await course()).id, await signedIn("group_admin"))).status).toBe(403)
  })
})
