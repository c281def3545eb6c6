import { sql } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { describe, expect, it } from "vitest"
import { categories } from "../../drizzle/schema/categories.ts"
import { courseCategories } from "../../drizzle/schema/courses.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { certificate, template } from "../factories/certificates.ts"
import { deliver, exportJob, manyUsers } from "../factories/exports.ts"
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { applyEnrollmentEffects, course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, download, get, post, put, query } from "../helpers/client.ts"
import { ended, openQueue } from "../helpers/queues.ts"
import { anyIsoTime } from "../helpers/times.ts"

const NO_DUE_DATE = { dueAt: null, dueStatus: null, cycle: 1 }

const DAY = 86_400_000
const paging = { page_size: 10, page_number: 1 }

/** 300 learners in each of four courses, a third of them in each status. */
async function academy() {
  await manyUsers(300, 1000)
  const created = [
    await course({ name: "Algebra" }),
    await course({ name: "Biology" }),
    await course({ name: "Chemistry" }),
    await course({ name: "Drawing" }),
  ]
  for (const [index, row] of created.entries())
    await db.run(
      sql`insert into enrollments (id, user_id, course_id, status, percent, registered_at)
        select ${index * 1000} + id, id, ${row.id}, case id % 3 when 0 then 'Not Started' when 1 then 'In Progress'
          else 'Completed' end, 0, id * 1000
        from users`,
    )
  await applyEnrollmentEffects(sql`1`)
  return created
}

describe("the user-detailed report", () => {
  const report = (parameters = {}, options = {}) =>
    get(`/api/user/reports/user-detailed${query({ ...paging, ...parameters })}`, options)

  it("has the progress, grade, time and certificate of an enrollment", async () => {
    const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    const [graded, other] = [
      await module({ type: "assignment", submissionType: "text", totalPoints: 30 }),
      await module({ totalPoints: 10 }),
    ]
    const row = await course({ name: "Algebra" }, [{ moduleId: graded.id }, { moduleId: other.id }])
    const { id } = await enrollment(learner, row, { registeredAt: 2 * DAY, expiresAt: 9 * DAY })
    await certificate(learner.id, (await template()).id, { courseId: row.id })
    await moduleStatus(id, graded.id, {
      status: "Completed",
      pointsAwarded: 20,
      timeSpent: 3725,
      startedAt: 3 * DAY,
      completedAt: 4 * DAY,
      lastAccessedAt: 4 * DAY,
    })
    const response = await report({}, { token: learner.token })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toEqual({
      totalNotStarted: 0,
      totalInProgress: 1,
      totalCompleted: 0,
      recordsTotal: 1,
      recordsFiltered: 1,
      records: [
        {
          id,
          user_id: learner.id,
          name: "Ada Byron",
          email: "ada@example.com",
          courseName: "Algebra",
          status: "In Progress",
          percent_complete: 50,
          access_status: "Expired",
          registered_on: "Jan 03, 1970",
          started_on: "Jan 04, 1970",
          completed_on: "Never",
          expire_on: "Jan 10, 1970",
          last_accessed_on: "Jan 05, 1970",
          registeredAt: "1970-01-03T00:00:00.000Z",
          startedAt: "1970-01-04T00:00:00.000Z",
          completedAt: null,
          expiresAt: "1970-01-10T00:00:00.000Z",
          lastAccessedAt: "1970-01-05T00:00:00.000Z",
          updatedAt: anyIsoTime,
          ...NO_DUE_DATE,
          percent_achieved: 66,
          total_time_spent: { hours: 1, minutes: 2, seconds: 5, totalSeconds: 3725 },
          certifcate_issued: true,
        },
      ],
    })
    const achieved = async () => (await report({ user_id: learner.id })).body.records[0].percent_achieved
    await moduleStatus(id, other.id, { pointsAwarded: 10 })
    expect(await achieved()).toBe(75)
    expect((await put(`/api/modules/assignment/${graded.id}`, { totalPoints: 50 })).status).toBe(200)
    expect(await achieved()).toBe(50)
    await db.run(sql`update module_statuses set points_awarded = null where module_id = ${graded.id}`)
    expect(await achieved()).toBe(100)
    await db.run(sql`delete from module_statuses`)
    expect(await achieved()).toBe(null)
  })

  it("covers everyone for staff, and supervised users for a supervisor", async () => {
    const supervisor = await signedIn("group_admin")
    const [mine, theirs] = [await user({ firstName: "Mine" }), await user({ firstName: "Theirs" })]
    const { id: groupId } = await group({ admins: [supervisor.id], members: [mine.id] })
    const [a, b] = [await course({ name: "Algebra" }), await course({ name: "Biology" })]
    await enrollment(mine, a, { status: "Completed" })
    await enrollment(theirs, a)
    await enrollment(theirs, b)
    const found = async (overrides: object, options = {}) => {
      const { body } = await report({ order_by: "id", ...overrides }, options)
      const people = body.records.map((row: { name: string; courseName: string }) => [
        row.name.split(" ")[0],
        row.courseName,
      ])
      return [body.recordsTotal, body.recordsFiltered, people]
    }
    const all = [
      ["Mine", "Algebra"],
      ["Theirs", "Algebra"],
      ["Theirs", "Biology"],
    ]
    const [firstRow, ...others] = all
    expect(await found({})).toEqual([3, 3, all])
    expect(await found({ search_param: { course: "LGEB" } })).toEqual([3, 2, all.slice(0, 2)])
    expect(await found({ search_param: { status: ["Completed"] } })).toEqual([3, 1, [firstRow]])
    expect(await found({ search_param: { status: ["Completed", "not started"] } })).toEqual([3, 3, all])
    expect(await found({ search_param: { course: "alg", status: "Not Started" } })).toEqual([3, 1, [all[1]]])
    expect(await found({ search_param: { nameOrEmail: "theirs" } })).toEqual([3, 2, others])
    expect(await found({ search_param: { nameOrEmail: "theirs", course: "bio" } })).toEqual([3, 1, [all[2]]])
    expect(await found({ group_id: groupId })).toEqual([1, 1, [firstRow]])
    expect(await found({ user_id: theirs.id })).toEqual([2, 2, others])
    expect(await found({ user_id: theirs.id, search_param: { course: "bio" } })).toEqual([2, 1, [all[2]]])
    const { id: portalId } = await portal({ members: [theirs.id, supervisor.id] })
    expect(await found({ portalId })).toEqual([2, 2, others])
    expect(await found({ search_param: { portalId } })).toEqual([2, 2, others])
    for (const searchPortalIds of [[portalId], `[${portalId},99]`, `${portalId}`]) {
      expect(await found({ searchPortalIds })).toEqual([3, 2, others])
      expect(await found({ search_param: { searchPortalIds } })).toEqual([3, 2, others])
    }
    expect(await found({ user_id: mine.id, searchPortalIds: [portalId] })).toEqual([1, 0, []])
    for (const none of ["[]", '[""]', " , ", []])
      expect(await found({ searchPortalIds: none, search_param: { searchPortalIds: none } })).toEqual([3, 3, all])
    const { token } = supervisor
    expect(await found({}, { token })).toEqual([1, 1, [firstRow]])
    expect(await found({ search_param: { nameOrEmail: "theirs" } }, { token })).toEqual([1, 0, []])
    expect(await found({ search_param: { searchPortalIds: [portalId] } }, { token })).toEqual([1, 0, []])
    const refused = async (overrides: object, options = {}) => (await report(overrides, options)).status
    expect(await refused({ user_id: theirs.id }, { token })).toBe(404)
    expect(await refused({ portalId }, { token })).toBe(404)
    expect(await refused({ group_id: 99 })).toBe(404)
    expect(await refused({ portalId: 99 })).toBe(404)
    expect(await refused({ user_id: 999 })).toBe(404)
    expect(await refused({ user_id: mine.id, group_id: groupId })).toBe(200)
    expect(await refused({ user_id: theirs.id, group_id: groupId })).toBe(404)
    expect(await refused({ portalId, group_id: groupId })).toBe(422)
    const learner = await signedIn("general")
    expect(await found({}, { token: learner.token })).toEqual([0, 0, []])
    expect(await refused({ user_id: mine.id }, { token: learner.token })).toBe(404)
    expect(await refused({ group_id: groupId }, { token: learner.token })).toBe(404)
    for (const order_by of ["courseName", "status", "percent_complete", "total_time_spent", "expire_on"])
      expect((await found({ user_id: theirs.id, order_by }))[1], order_by).toBe(2)
  })

  it("costs the same for more enrollments", async () => {
    const [algebra] = await academy()
    await enrollment(await user({ firstName: "Zelda" }), { id: algebra?.id ?? 0 })
    for (const given of [
      {},
      { order_by: "id" },
      { search_param: { status: "Completed" } },
      { search_param: { status: ["Completed", "In Progress"] } },
      { user_id: 1001 },
      { search_param: { nameOrEmail: "zelda" } },
    ]) {
      const response = await report(given)
      expect(response.body.records.length).toBeGreaterThan(0)
      expect(cost(response).roundTrips).toBe(1)
      expect(cost(response).read, JSON.stringify(given)).toBeLessThan(100)
    }
    expect((await report()).body).toMatchObject({ recordsTotal: 1201, totalCompleted: 400, totalNotStarted: 401 })
    expect((await report({ search_param: { status: "Completed", course: "biology" } })).body.recordsFiltered).toBe(100)
  })
})

describe("the course-detailed report", () => {
  const report = (parameters = {}, options = {}) =>
    get(`/api/course/reports/course-detailed${query({ page_size: 10, ...parameters })}`, options)

  it("has the user-detailed columns for each learner, at a constant cost", async () => {
    const [algebra] = await academy()
    const response = await report({ course_id: algebra?.id })
    expect(cost(response).roundTrips).toBe(1)
    expect(cost(response).read).toBeLessThan(100)
    expect(response.body).toMatchObject({
      courseName: "Algebra",
      featuredImage: null,
      totalNotStarted: 100,
      totalInProgress: 100,
      totalCompleted: 100,
      recordsTotal: 300,
      recordsFiltered: 300,
    })
    expect(response.body.records[0]).toEqual({
      id: 1300,
      user_id: 1300,
      first_name: "Learner 300",
      last_name: "",
      email: "learner300@example.com",
      avatar: "L",
      status: "In Progress",
      percent_complete: 0,
      access_status: "Allowed",
      registered_on: "Jan 01, 1970",
      started_on: "Never",
      completed_on: "Never",
      expire_on: "Never",
      last_accessed_on: "Never",
      registeredAt: "1970-01-01T00:21:40.000Z",
      startedAt: null,
      completedAt: null,
      expiresAt: null,
      lastAccessedAt: null,
      updatedAt: anyIsoTime,
      ...NO_DUE_DATE,
      percent_achieved: null,
      total_time_spent: { hours: 0, minutes: 0, seconds: 0, totalSeconds: 0 },
      certifcate_issued: false,
    })
    const completed = await report({ course_id: algebra?.id, search_param: { status: "Completed" }, page_number: 2 })
    expect(completed.body).toMatchObject({ recordsFiltered: 100 })
    expect(completed.body.records).toHaveLength(10)
    expect(cost(completed).read).toBeLessThan(100)
    for (const order_by of ["percent_complete", "total_time_spent"])
      expect((await report({ course_id: algebra?.id, order_by })).body.records, order_by).toHaveLength(10)
    const { id: groupId } = await group({ members: [1001, 1002] })
    expect((await report({ course_id: algebra?.id, group_id: groupId })).body).toMatchObject({
      recordsTotal: 2,
      totalInProgress: 0,
    })
  })

  it("returns 404 for an unknown course and 403 below supervisors", async () => {
    expect((await get("/api/course/reports/course-detailed")).body.errors).toMatchObject({
      course_id: expect.anything(),
      page_size: expect.anything(),
    })
    expect((await report({ course_id: 99 })).status).toBe(404)
    const learner = await signedIn("general")
    const { id } = await course()
    expect((await report({ course_id: id }, { token: learner.token })).status).toBe(403)
    const supervisor = await signedIn("group_admin")
    await enrollment(learner, { id })
    expect((await report({ course_id: id }, { token: supervisor.token })).body.recordsTotal).toBe(0)
  })
})

describe("the users report", () => {
  const report = (parameters: Record<string, unknown> = {}, options = {}) =>
    get(`/api/users/report${query({ ...paging, ...parameters })}`, options)

  it("counts and lists users created within a period, by day, to the millisecond and over years", async () => {
    const at = (text: string) => ({ createdAt: Date.parse(text), lastName: "" })
    await user({ firstName: "A", email: "a@example.com", ...at("2023-11-30T23:59:59.999Z") })
    await user({ firstName: "B", ...at("2023-12-01T00:00:00Z") })
    await user({ firstName: "C", ...at("2024-02-29T12:00:00Z") })
    await user({ firstName: "D", ...at("2025-07-15T08:30:00Z") })
    await user({ firstName: "E", ...at("2025-07-15T09:30:00Z") })
    const createdBetween = async (between: unknown) => {
      const { body } = await report({ order_by: "created_at", registered_between: between })
      const names = body.records.map((row: { first_name: string }) => row.first_name).join("")
      expect(body.totals).toEqual({ users: body.recordsTotal, registered: body.recordsFiltered })
      expect(body.recordsFiltered, String(between)).toBe(names.length)
      return names
    }
    expect(await createdBetween("2023-12-01,2025-07-15")).toBe("BCDE")
    expect(await createdBetween(["2023-11-30", "2023-11-30"])).toBe("A")
    expect(await createdBetween("2023-11-01,2024-02-28")).toBe("AB")
    expect(await createdBetween("2024-02-10 10:00,2025-07-15 08:30")).toBe("CD")
    expect(await createdBetween("2025-07-15 09:00,2025-07-15 10:00")).toBe("E")
    expect(await createdBetween("2020-01-01,2022-01-01")).toBe("")
    expect(await createdBetween({ from: "2025-07-01", to: "2025-07-31" })).toBe("DE")
    for (const none of ["", "[]", ["", ""], { from: null, to: null }, { start: "", end: "" }])
      expect(await createdBetween(none), JSON.stringify(none)).toBe("ABCDE")
    const [first] = (await report({ order_by: "created_at" })).body.records
    expect(first).toEqual({
      first_name: "A",
      last_name: "",
      email: "a@example.com",
      user_type: "general",
      created_at: "Nov 30, 2023",
      last_login: "Never",
      createdAt: "2023-11-30T23:59:59.999Z",
      lastLoginAt: null,
    })
    for (const wrong of ["2024-01-01", "2024-02-01,2024-01-01", "soon,later", "2024-02-30,2024-03-01"])
      expect((await report({ registered_between: wrong })).body.errors, wrong).toHaveProperty("registered_between")
    await db.run(sql`delete from users where first_name = 'C'`)
    expect(await createdBetween("2023-12-01,2025-07-15")).toBe("BDE")
    await db.run(sql`update users set created_at = ${Date.parse("2022-03-04T05:06:07Z")} where first_name = 'D'`)
    expect(await createdBetween("2025-07-01,2025-07-31")).toBe("E")
    expect(await createdBetween("2022-02-01,2022-03-31")).toBe("D")
  })

  it("reads as many rows for 300 users as for 30", async () => {
    await manyUsers(300)
    const response = await report({ registered_between: "1970-01-01,2030-12-31" })
    expect(response.body).toMatchObject({ recordsTotal: 300, recordsFiltered: 300 })
    expect(cost(response).roundTrips).toBe(1)
    expect(cost(response).read).toBeLessThan(100)
  })

  it("shows supervisors only their users, and returns 403 to learners", async () => {
    const supervisor = await signedIn("portal_admin")
    const member = await user({ email: "member@example.com" })
    await portal({ admins: [supervisor.id], members: [member.id] })
    const { body } = await report({ search_param: {} }, { token: supervisor.token })
    expect(body.records.map((row: { email: string }) => row.email)).toContain("member@example.com")
    expect(body.recordsTotal).toBe(body.records.length)
    const within = await report({ registered_between: "2000-01-01,2000-12-31" }, { token: supervisor.token })
    expect(within.body).toMatchObject({ recordsTotal: body.recordsTotal, recordsFiltered: 0 })
    const learner = await signedIn("general")
    expect((await report({}, { token: learner.token })).status).toBe(403)
  })
})

describe("the user report's export", () => {
  const EXPORT = "/api/learner-insight/report/export"

  /** The rows of an export, the headers first. */
  async function exported(caller: Awaited<ReturnType<typeof signedIn>>, filter: object) {
    const id = await exportJob(caller, { kind: "user report", filter: JSON.stringify(filter) })
    await deliver(id)
    const file = await download(`${EXPORT}/download/${id}`, { token: caller.token })
    expect(file.status).toBe(200)
    return (await readXlsx(file.body)).sheets[0]?.rows ?? []
  }

  it("has a row for each enrollment, with the custom fields of the report", async () => {
    const admin = await signedIn("admin")
    const field = { type: "text", label: "Region", isRequired: false, includeInReportExports: ["course-insight"] }
    await put("/api/users/customUserFields", { fields: [field] })
    const ada = await user({ firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    const bob = await user({ firstName: "Bob", lastName: "", email: "bob@example.com" })
    await put(`/api/user/${ada.id}`, { customUserMetas: { region: "South" } })
    const row = await course({ name: "Algebra" })
    await enrollment(ada, row, {
      status: "Completed",
      percent: 100,
      registeredAt: DAY,
      completedAt: 2 * DAY,
      timeSpent: 60,
    })
    await enrollment(bob, row, { registeredAt: DAY })
    const headers = [
      ...["id", "user_id", "course_id", "name", "email", "course", "status", "percent"],
      ...["registered_on", "registeredAt", "started_on", "startedAt", "completed_on", "completedAt"],
      ...["expire_on", "expiresAt", "last_accessed_on", "lastAccessedAt", "updatedAt"],
      ...["dueAt", "dueStatus", "cycle"],
      "time_spent_seconds",
      "Region",
    ]
    const [first, adas, bobs, ...more] = await exported(admin, { search_param: {} })
    expect(first).toEqual(headers)
    const dates = [
      ...["Jan 02, 1970", "1970-01-02T00:00:00.000Z", "Never", null, "Jan 03, 1970", "1970-01-03T00:00:00.000Z"],
      ...["Never", null, "Never", null, anyIsoTime],
    ]
    const adasIds = [expect.any(Number), ada.id, row.id]
    expect(adas).toEqual([
      ...adasIds,
      "Ada Byron",
      "ada@example.com",
      "Algebra",
      "Completed",
      100,
      ...dates,
      ...[null, null, 1],
      60,
      "South",
    ])
    expect(bobs?.slice(1, 8)).toEqual([bob.id, row.id, "Bob", "bob@example.com", "Algebra", "Not Started", 0])
    expect(more).toEqual([])
    const people = async (caller: typeof admin, filter: object) =>
      (await exported(caller, filter)).slice(1).map((cells) => cells[3])
    expect(await people(admin, { search_param: { nameOrEmail: "bob@" } })).toEqual(["Bob"])
    expect(await people(admin, { search_param: { status: ["Completed"] } })).toEqual(["Ada Byron"])
    expect(await people(admin, { search_param: { status: "Not Started", nameOrEmail: "ada" } })).toEqual([])
    const supervisor = await signedIn("portal_admin")
    const { id: portalId } = await portal({ admins: [supervisor.id], members: [bob.id] })
    expect(await people(admin, { searchPortalIds: [portalId], search_param: {} })).toEqual(["Bob"])
    expect(await people(supervisor, { search_param: {} })).toEqual(["Bob"])
    expect(await people(supervisor, { search_param: { nameOrEmail: "ada" } })).toEqual([])
  })

  it("requires a session and a supervisor, and returns 422 for an unknown status", async () => {
    expect((await post(EXPORT, { search_param: {} })).status).toBe(302)
    const learner = await signedIn("general")
    expect((await post(EXPORT, {}, { token: learner.token })).status).toBe(403)
    const { token } = await signedIn("staff")
    openQueue("EXPORTS")
    const started = await post(EXPORT, { searchPortalIds: [], search_param: {} }, { token })
    expect(started.body).toMatchObject({ status: "success", message: "Export of the user report started." })
    const finished = await ended(`${EXPORT}/progress/${started.body.export_id}`, token)
    expect(finished).toMatchObject({ status: "completed", progress: 100, filename: expect.stringMatching(/\.xlsx$/) })
    const wrong = await post(EXPORT, { search_param: { status: "Lost" } }, { token })
    expect(wrong.status).toBe(422)
  })
})

describe("activities", () => {
  it("are found and sorted by the current course name, or the name at deletion", async () => {
    const ada = await signedIn("general", { firstName: "Ada" })
    const [algebra, logic] = [await course({ name: "Algebra" }), await course({ name: "Logic" })]
    for (const { id } of [algebra, logic]) await post("/api/course/enroll", { course_ids: [id], user_ids: [ada.id] })
    await put(`/api/course/${algebra.id}`, { name: "Calculus" })
    await post("/api/course/unenroll", { course_ids: [logic.id], user_ids: [ada.id] })
    await post("/api/course/delete", { delete_ids: [logic.id] })
    for (const given of [{ context: "admin" }, { context: "admin", user_id: ada.id }]) {
      const found = async (courseName: string, more = {}) =>
        (await get(`/api/user-activities${query({ ...paging, ...given, ...more, search_param: { courseName } })}`)).body
      expect(await found("calc")).toMatchObject({ recordsFiltered: 1, records: [{ course: "Calculus" }] })
      expect(await found("algebra")).toMatchObject({ recordsFiltered: 0, records: [] })
      expect(await found("LOGI")).toMatchObject({ recordsFiltered: 2, records: [{ course: "Logic" }, {}] })
      const { records } = await found("", { order_by: { colName: "course", direction: "asc" } })
      expect(records.map((row: { course: string }) => row.course)).toEqual(["Calculus", "Logic", "Logic"])
    }
  })

  const list = (parameters = {}, options = {}) =>
    get(`/api/user-activities${query({ ...paging, context: "admin", ...parameters })}`, options)

  it("list who did what in which course, for one user and for everyone", async () => {
    const staff = await signedIn("staff", { firstName: "Sam", lastName: "Staff" })
    const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    const other = await signedIn("general", { firstName: "Bob", lastName: "" })
    const inside = await module()
    const [a, b] = [await course({ name: "Algebra" }, [{ moduleId: inside.id }]), await course({ name: "Biology" })]
    await post("/api/course/enroll", { course_ids: [a.id], user_ids: [learner.id] }, { token: staff.token })
    await enrollment(other, b, { registeredAt: DAY })
    const [row] = await rowsOf(enrollments)
    await moduleStatus(row?.id ?? 0, inside.id, { status: "Completed" })
    const response = await list({ user_id: learner.id })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 3, name: "Ada Byron", avatar: "AB" })
    const { created_at: when, ...newest } = response.body.records[0]
    expect(when).toMatch(/^\w{3} \d\d, \d{4} \d\d:\d\d [AP]M$/)
    expect(newest).toEqual({
      id: 4,
      verb: "COMPLETED",
      message: "Ada Byron completed Algebra",
      course: "Algebra",
      avatar: "AB",
      name: "Ada Byron",
      email: "ada@example.com",
      createdAt: anyIsoTime,
    })
    const messages = async (overrides: object, options = {}) => {
      const { body } = await list({ order_by: "id", ...overrides }, options)
      return [
        body.recordsTotal,
        body.recordsFiltered,
        ...body.records.map((found: { message: string }) => found.message),
      ]
    }
    const all = [
      "Ada Byron was enrolled in Algebra by Sam Staff",
      "Bob was enrolled in Biology",
      "Ada Byron started Algebra",
      "Ada Byron completed Algebra",
    ]
    expect(await messages({})).toEqual([4, 4, ...all])
    expect(await messages({ context: "user" }, { token: other.token })).toEqual([1, 1, all[1]])
    expect(await messages({}, { token: other.token })).toEqual([1, 1, all[1]])
    expect(await messages({ search_param: { courseName: "bio" } })).toEqual([4, 1, all[1]])
    expect(await messages({ search_param: { status: ["In Progress"] } })).toEqual([4, 1, all[2]])
    expect(await messages({ search_param: { status: "started,completed" } })).toEqual([4, 2, all[2], all[3]])
    expect(await messages({ user_id: learner.id, search_param: { status: "Completed" } })).toEqual([3, 1, all[3]])
    const categoryId = 7
    await db.insert(categories).values({
      id: categoryId,
      name: "Maths",
      type: "course",
      createdAt: 0,
      updatedAt: 0,
    } as typeof categories.$inferInsert)
    await db.insert(courseCategories).values({ courseId: b.id, categoryId })
    expect(await messages({ search_param: { courseCategoryIds: [categoryId] } })).toEqual([4, 1, all[1]])
    expect((await list({ user_id: learner.id }, { token: other.token })).status).toBe(404)
    expect((await list({ user_id: 999 })).status).toBe(404)
    expect(await messages({ context: "", search_param: { context: "user" } }, { token: other.token })).toEqual([
      1,
      1,
      all[1],
    ])
    expect((await get(`/api/user-activities${query(paging)}`)).body.errors).toHaveProperty("context")
    expect((await list({ context: "everything" })).body.errors).toHaveProperty("context")
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [other.id] })
    expect(await messages({}, { token: supervisor.token })).toEqual([1, 1, all[1]])
    const { id: portalId } = await portal({ members: [other.id] })
    expect(await messages({ portalId })).toEqual([1, 1, all[1]])
    expect(await messages({ search_param: { portalId } })).toEqual([1, 1, all[1]])
  })

  it("cost the same for any number of activities", async () => {
    await academy()
    for (const given of [{}, { search_param: { status: "ENROLLED" } }, { order_by: "id" }, { user_id: 1001 }]) {
      const response = await list(given)
      expect(cost(response).read, JSON.stringify(given)).toBeLessThan(120)
    }
    expect((await list({ search_param: { status: "ENROLLED" } })).body.recordsFiltered).toBe(1200)
  })
})
