import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { enrollments, moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { groupMembers } from "../../drizzle/schema/groups.ts"
import { submissions } from "../../drizzle/schema/submissions.ts"
import { SUBMISSION_COLUMNS } from "../../src/modules/assessments/submissions.schemas.ts"
import { learnerWithAssignment } from "../factories/assignments.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, group, portal, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { cost, get, post, query } from "../helpers/client.ts"

const paging = { page_size: 10, page_number: 1 }
const all = (parameters: object = {}, token?: string) =>
  get(`/api/course/all-submissions${query({ ...paging, ...parameters })}`, { ...(token && { token }) })
const inCourse = (course_id: number, parameters: object = {}, token?: string) =>
  get(`/api/course/submissions${query({ ...paging, course_id, ...parameters })}`, { ...(token && { token }) })
const nextOf = (response: { headers: Headers }) =>
  /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? ""

/** Ada has submitted twice in Algebra, once awaiting evaluation; Bob once in each of two courses. */
async function setup() {
  const { learner: ada, essay, inside: algebra, ref, mine } = await learnerWithAssignment()
  const bob = await signedIn("general", { firstName: "Bob", lastName: "Stone" })
  const botany = await course({ name: "Botany", featuredImageUrl: "/b.png" }, [{ moduleId: essay.id }])
  const submit = (body: object, options: object) =>
    post("/api/module/assignment/submit", { submission: "x", ...body }, options)
  await submit({ ...ref, submitted_on: "2026-01-05 15:04" }, {})
  await submit(ref, mine)
  for (const inside of [algebra, botany]) {
    const { id: registrationId } = await enrollment(bob, inside)
    const { body } = await submit({ registrationId, moduleId: essay.id }, { token: bob.token })
    if (inside === botany)
      await post("/api/module/assignment/evaluate", { statusRowId: body.statusRowId, evaluation: { isAccepted: true } })
  }
  return { ada, bob, algebra, botany, essay }
}

/** Ada is enrolled in Algebra without submissions. */
async function recordScene() {
  const { learner: ada, essay, inside: algebra, ref, mine } = await learnerWithAssignment()
  return { ada, essay, algebra, ref, mine }
}

describe("submissions", () => {
  it("write 29 rows when opening the course, and 20 when evaluated, with the notification", async () => {
    const { ref, mine } = await learnerWithAssignment()
    const submitted = await post("/api/module/assignment/submit", { submission: "x", ...ref }, mine)
    expect(submitted.status).toBe(200)
    expect(cost(submitted).written).toBeLessThanOrEqual(29)
    const { statusRowId } = submitted.body
    const evaluated = await post("/api/module/assignment/evaluate", { statusRowId, evaluation: { isAccepted: true } })
    expect(evaluated.status).toBe(200)
    expect(cost(evaluated).written).toBeLessThanOrEqual(20)
  })

  it("of a course can be listed and filtered by name, type and status in one round trip", async () => {
    const { algebra, botany, ada, essay } = await setup()
    const staff = await signedIn("staff")
    const response = await inCourse(algebra.id, { order_by: "submission_id" }, staff.token)
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toMatchObject({
      courseName: "Algebra",
      featuredImage: null,
      recordsTotal: 3,
      recordsFiltered: 3,
    })
    expect(response.body.records[0]).toEqual({
      status_row_id: expect.any(Number),
      module_id: essay.id,
      module_name: "Essay",
      module_type: "assignment",
      first_name: "Ada",
      last_name: "Byron",
      email: ada.email,
      avatar: "AB",
      submission_id: 1,
      submitted_on: "Jan 05, 2026 03:04 PM",
      submittedAt: "2026-01-05T15:04:00.000Z",
      attempt: 1,
      status: "Closed",
    })
    const found = async (search_param: object) => {
      const { recordsTotal, recordsFiltered, records } = (await inCourse(algebra.id, { search_param }, staff.token))
        .body
      expect([recordsTotal, records.length]).toEqual([3, recordsFiltered])
      return recordsFiltered
    }
    expect(await found({ nameOrEmail: "BYR" })).toBe(2)
    expect(await found({ type: "assignment" })).toBe(3)
    expect(await found({ type: "discussion" })).toBe(0)
    expect(await found({ status: ["submitted"] })).toBe(2)
    expect(await found({ status: ["Submitted", "Closed"], nameOrEmail: "" })).toBe(3)
    expect(await found({ status: "Submitted", nameOrEmail: "ada" })).toBe(1)
    expect((await inCourse(botany.id)).body).toMatchObject({
      featuredImage: "/b.png",
      records: [{ status: "Accepted" }],
    })
    expect((await inCourse(99)).status).toBe(404)
    expect((await get(`/api/course/submissions${query(paging)}`)).body.errors).toHaveProperty("course_id")
    expect((await inCourse(algebra.id, { search_param: { type: "essay" } })).status).toBe(422)
    expect((await inCourse(algebra.id, { order_by: "avatar" })).status).toBe(422)
  })

  it("of all courses are listed with the course's name", async () => {
    const { bob } = await setup()
    const response = await all({ order_by: { colName: "submission_id", direction: "desc" } })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toMatchObject({
      recordsTotal: 4,
      recordsFiltered: 4,
      records: [{ course_name: "Botany", email: bob.email }, {}, {}, {}],
    })
    // Accepted, Closed, then Submitted twice; Ada's second attempt comes last.
    const orders: Record<string, number[]> = { status: [4, 1, 2, 3], attempt: [1, 3, 4, 2] }
    for (const colName of SUBMISSION_COLUMNS) {
      const seen: number[] = []
      const order_by = { colName, direction: "asc" }
      let path = `/api/course/all-submissions${query({ page_size: 1, page_number: 1, order_by })}`
      while (path) {
        const page = await get(path)
        seen.push(...page.body.records.map((row: { submission_id: number }) => row.submission_id))
        path = nextOf(page)
      }
      expect(seen, colName).toEqual(orders[colName] ?? [1, 2, 3, 4])
    }
  })

  it("are limited to a supervisor's learners, a group or a portal", async () => {
    const { ada, bob, algebra } = await setup()
    const admin = await signedIn("group_admin")
    const { id: mine } = await group({ admins: [admin.id], members: [bob.id] })
    const { id: theirs } = await group({ members: [ada.id] })
    const own = await all({}, admin.token)
    expect(own.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2, records: [{ first_name: "Bob" }, {}] })
    expect((await inCourse(algebra.id, {}, admin.token)).body).toMatchObject({ recordsTotal: 1 })
    expect((await inCourse(algebra.id, { group_id: mine }, admin.token)).body).toMatchObject({ recordsTotal: 1 })
    expect((await all({ group_id: theirs }, admin.token)).status).toBe(404)
    expect((await all({ search_param: { nameOrEmail: "Ada" } }, admin.token)).body.recordsFiltered).toBe(0)
    expect((await all({ group_id: theirs })).body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2 })
    const { id: portalId } = await portal({ members: [ada.id, bob.id] })
    expect((await all({ portalId })).body.recordsTotal).toBe(4)
    expect((await all({ portalId, search_param: { status: ["Accepted"] } })).body).toMatchObject({
      recordsTotal: 4,
      recordsFiltered: 1,
    })
    expect((await all({ portalId }, admin.token)).status).toBe(404)
    expect((await all({ portalId, group_id: theirs })).body.recordsTotal).toBe(2)
    expect((await all({}, ada.token)).status).toBe(403)
    await db.delete(groupMembers)
    expect((await all({}, admin.token)).body).toMatchObject({ recordsTotal: 0, records: [] })
  })

  it("are imported with points and dates in two round trips, once", async () => {
    const { ada, essay, algebra, ref, mine } = await recordScene()
    const record = (submissions: unknown, options = {}) =>
      post("/api/module/assignment/record", { submissions }, options)
    const given = [
      { ...ref, pointsAwarded: 12, submitted_on: "2020-03-02", evaluated_on: "2020-03-09" },
      { ...ref, isAccepted: false, instructorMessage: "Again", submitted_on: "2020-03-01" },
      { ...ref, submitted_on: "2020-03-03" },
      { registrationId: 99, moduleId: essay.id, submitted_on: "2020-03-01" },
      { registrationId: ref.registrationId, moduleId: essay.id + 1, submitted_on: "2020-03-01" },
    ]
    expect((await record(given, mine)).status).toBe(403)
    const response = await record(given)
    expect(cost(response).roundTrips).toBe(2)
    expect(response.body).toEqual({
      message:
        "3 submissions recorded. 2 skipped: the registration doesn't exist, or the assignment isn't in its course.",
      recorded: 3,
      alreadyRecorded: 0,
      skipped: 2,
    })
    expect((await rowsOf(submissions)).map((row) => [row.number, row.status, row.pointsAwarded])).toEqual([
      [1, "Returned", null],
      [2, "Accepted", 12],
      [3, "Closed", null],
    ])
    expect(await rowsOf(moduleStatuses)).toMatchObject([
      { status: "Completed", pointsAwarded: 12, completedAt: Date.UTC(2020, 2, 9), startedAt: Date.UTC(2020, 2, 1) },
    ])
    expect(await rowsOf(enrollments)).toMatchObject([{ status: "In Progress", percent: 50, pointsAwarded: 12 }])
    expect((await record(given)).body).toMatchObject({ recorded: 0, alreadyRecorded: 3, skipped: 2 })
    expect((await inCourse(algebra.id)).body).toMatchObject({
      recordsTotal: 3,
      records: [{ email: ada.email }, {}, {}],
    })

    const bob = await signedIn("general")
    const { id: registrationId } = await enrollment(bob, algebra)
    const his = { registrationId, moduleId: essay.id }
    expect((await record([{ ...his, submitted_on: "2020-03-01" }])).body.recorded).toBe(1)
    const { body } = await record([{ ...his, submitted_on: "2020-03-02" }])
    expect(body.recorded).toBe(1)
    const statusRowId = (await rowsOf(moduleStatuses)).at(-1)?.id
    const evaluated = await post("/api/module/assignment/evaluate", { statusRowId, evaluation: { isAccepted: true } })
    expect(evaluated.status).toBe(200)
    expect((await rowsOf(submissions)).slice(3).map((row) => row.status)).toEqual(["Accepted", "Closed"])
    const wrong = await record([
      { statusRowId, pointsAwarded: 21, submitted_on: "2020-03-05", evaluated_on: "2020-03-05" },
    ])
    expect(wrong.body.errors).toEqual({
      "submissions.0.pointsAwarded": ["submissions.0.pointsAwarded must be 20 or less."],
    })
    for (const bad of [[], [{ ...his }], [{ ...his, submitted_on: "2020-03-05", evaluated_on: "2020-03-04" }]])
      expect((await record(bad)).status).toBe(422)
  })

  it("can be imported in batches of hundreds", async () => {
    const { essay, algebra } = await recordScene()
    await manyUsers(500)
    await db.run(
      sql`insert into enrollments (id, user_id, course_id, registered_at)
        select id, id, ${algebra.id}, 1 from users where id > 1000`,
    )
    const given = Array.from({ length: 500 }, (_, i) => ({
      registrationId: 1001 + i,
      moduleId: essay.id,
      pointsAwarded: i % 21,
      submitted_on: "2020-03-01",
    }))
    const response = await post("/api/module/assignment/record", { submissions: given })
    expect(response.body).toMatchObject({ recorded: 500, skipped: 0 })
    expect(cost(response).roundTrips).toBe(2)
    expect((await all()).body).toMatchObject({ recordsTotal: 500, records: Array(10).fill({ status: "Accepted" }) })
  })

  it("are read at constant cost, and in other orders at a few rows per match", async () => {
    const essay = await module({ type: "assignment", name: "Essay" })
    const inside = await course({}, [{ moduleId: essay.id }])
    const staff = await signedIn("staff")
    await manyUsers(6000)
    await db.run(
      sql`insert into enrollments (id, user_id, course_id, registered_at)
        select id - 1000, id, ${inside.id}, 1 from users where id > 1000`,
    )
    await db.run(
      sql`insert into submissions (id, enrollment_id, user_id, course_id, module_id, status_row_id, number, status,
        submitted_at) select id, id, user_id, course_id, ${essay.id}, id, 1,
        iif(id % 3 = 0, 'Submitted', 'Accepted'), 1000 * (id % 50) from enrollments`,
    )
    const boundOf = (order_by: string, filtered: number) =>
      20 * 20 + 200 + (order_by === "submitted_on" ? 0 : 4 * filtered)
    for (const order_by of SUBMISSION_COLUMNS.filter((column) => !/name|email|type/.test(column)))
      for (const status of [[], ["Submitted"]])
        for (const list of [all, (overrides: object, token: string) => inCourse(inside.id, overrides, token)]) {
          const first = await list({ page_size: 20, order_by, search_param: { status } }, staff.token)
          const filtered = status.length > 0 ? 2000 : 6000
          const bound = boundOf(order_by, filtered)
          expect(first.body).toMatchObject({ recordsTotal: 6000, recordsFiltered: filtered })
          expect(first.body.records).toHaveLength(20)
          expect(cost(first).read, `${order_by} ${status}`).toBeLessThan(bound)
          const next = await get(nextOf(first), { token: staff.token })
          expect(next.body.records).toHaveLength(20)
          expect(cost(next).read, `${order_by} ${status}, next`).toBeLessThan(bound)
        }
    const none = await all({ search_param: { type: "discussion" } }, staff.token)
    expect(none.body).toMatchObject({ recordsTotal: 6000, recordsFiltered: 0, records: [] })
    expect(cost(none).read).toBeLessThan(200)
  })
})
