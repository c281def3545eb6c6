import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { activities, enrollmentCounts, enrollments, moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { groupCourseSeats, groupMembers } from "../../drizzle/schema/groups.ts"
import { users } from "../../drizzle/schema/users.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"
import { anyIsoTime } from "../helpers/times.ts"

const NO_DUE_DATE = { dueAt: null, dueStatus: null, cycle: 1 }

const DAY = 86_400_000
const enroll = (body: object, options = {}) => post("/api/course/enroll", body, options)

/** Inserts many users without passwords. */
async function crowd(count: number) {
  await manyUsers(count)
  return Array.from({ length: count }, (_, i) => 1001 + i)
}

describe("POST /api/course/enroll", () => {
  it("creates an enrollment, its audit row and its activity in two round trips", async () => {
    const staff = await signedIn("staff")
    const learner = await user()
    const { id } = await course({ name: "Algebra", expiresAfterDays: 30 })
    const response = await enroll({ course_ids: [id], user_ids: [learner.id] }, { token: staff.token })
    expect(response.body).toEqual({ message: "1 enrollment created.", enrolled: 1, alreadyEnrolled: 0, skipped: 0 })
    expect(cost(response).roundTrips).toBe(2)
    const [row] = await rowsOf(enrollments)
    expect(row).toMatchObject({ id: 1, userId: learner.id, status: "Not Started", percent: 0 })
    expect((row?.expiresAt ?? 0) - (row?.registeredAt ?? 0)).toBe(30 * DAY)
    expect(await rowsOf(activities)).toMatchObject([
      { userId: learner.id, verb: "ENROLLED", courseId: id, courseName: "", actorId: staff.id },
    ])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "enrollment", effectOn: "Algebra", details: { user_ids: [learner.id] } },
    ])
  })

  it("enrolls 500 users in 20 courses in one request, with correct counts", async () => {
    const people = await crowd(500)
    const courseIds: number[] = []
    for (let i = 0; i < 20; i++) courseIds.push((await course()).id)
    const [first = 0] = people
    const [firstCourse = 0] = courseIds
    await enroll({ course_ids: [firstCourse], user_ids: [first] })
    const response = await enroll({ course_ids: [...courseIds, 9999], user_ids: people })
    expect(response.body).toMatchObject({ enrolled: 9999, alreadyEnrolled: 1, skipped: 500 })
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(enrollments)).toHaveLength(10_000)
    const kept = await rowsOf(enrollmentCounts)
    expect(kept.find((row) => row.audience === "all" && row.courseId === 0)).toMatchObject({ notStarted: 10_000 })
    expect(kept).toHaveLength(21)
    const again = await enroll({ course_ids: courseIds, user_ids: people })
    expect(again.body).toMatchObject({ enrolled: 0, alreadyEnrolled: 10_000, skipped: 0 })
    const overview = await get("/api/course/reports/overview")
    expect(overview.body.sumNotStarted).toBe(10_000)
    const ended = await post("/api/course/unenroll", { course_ids: courseIds, user_ids: people })
    expect(ended.body).toMatchObject({ unenrolled: 10_000, notEnrolled: 0 })
    expect(cost(ended).roundTrips).toBe(2)
    expect((await get("/api/course/reports/overview")).body.sumNotStarted).toBe(0)
  })

  it("rejects the request if a course has too few seats, also for concurrent requests", async () => {
    const { id } = await course({ name: "Small", totalSeats: 2 })
    const [a, b, c] = [await user(), await user(), await user()]
    const all = { course_ids: [id], user_ids: [a.id, b.id, c.id] }
    const refused = await enroll(all)
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining("2 seats left") } })
    expect(await rowsOf(enrollments)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
    const responses = await Promise.all([a, b, c].map(({ id: one }) => enroll({ course_ids: [id], user_ids: [one] })))
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 200, 409])
    expect(responses.find((response) => response.status === 409)?.body.message).toContain("0 seats left")
    const enrolledIds = (await rowsOf(enrollments)).map((row) => row.userId)
    expect(enrolledIds).toHaveLength(2)
    expect((await enroll({ course_ids: [id], user_ids: enrolledIds })).body).toMatchObject({ alreadyEnrolled: 2 })
  })

  it("uses a group's seats only for its members", async () => {
    const admin = await signedIn("group_admin")
    const [member, outsider] = [await user(), await user()]
    const { id: groupId } = await group({ admins: [admin.id], members: [member.id] })
    const [seated, other] = [await course(), await course()]
    await db.insert(groupCourseSeats).values({ groupId, courseId: seated.id, totalSeats: 1 })
    const { token } = admin
    const body = { course_ids: [seated.id, other.id], user_ids: [member.id, outsider.id] }
    expect((await enroll(body, { token })).body.errors).toHaveProperty("group_id")
    const response = await enroll({ ...body, group_id: groupId }, { token })
    expect(response.body).toMatchObject({ enrolled: 1, alreadyEnrolled: 0, skipped: 3 })
    expect(await rowsOf(groupCourseSeats)).toMatchObject([{ usedSeats: 1, totalSeats: 1 }])
    await db.insert(groupMembers).values({ groupId, userId: outsider.id })
    const full = await enroll({ ...body, group_id: groupId }, { token })
    expect(full).toMatchObject({ status: 409, body: { message: expect.stringContaining("0 seats left") } })
    const stranger = await signedIn("group_admin")
    expect((await enroll({ ...body, group_id: groupId }, { token: stranger.token })).status).toBe(404)
    expect((await enroll({ ...body, group_id: 999 })).status).toBe(404)
    await post("/api/course/unenroll", { course_ids: [seated.id], user_ids: [member.id] })
    expect(await rowsOf(groupCourseSeats)).toMatchObject([{ usedSeats: 0 }])
  })

  it("accepts dates only from staff", async () => {
    const { id } = await course()
    const learner = await user()
    const dates = { registered_on: "2026-01-01", started_on: "2026-01-02", completed_on: "2026-01-05 10:00" }
    const body = { course_ids: [id], user_ids: [learner.id], ...dates, expire_on: "2030-01-01" }
    const admin = await signedIn("group_admin")
    const { id: groupId } = await group({ admins: [admin.id], members: [learner.id] })
    expect((await enroll({ ...body, group_id: groupId }, { token: admin.token })).status).toBe(403)
    expect((await enroll({ ...body, completed_on: "2025-01-01" })).body.errors).toHaveProperty("completed_on")
    expect((await enroll({ ...body, started_on: "soon" })).body.errors).toHaveProperty("started_on")
    expect((await enroll({ ...body, expire_on: "2025-12-31" })).body.errors).toHaveProperty("expire_on")
    const past = { course_ids: [id], user_ids: [learner.id], expire_on: "2020-01-01" }
    expect((await enroll(past)).body.errors).toHaveProperty("expire_on")
    expect((await enroll(body)).body.enrolled).toBe(1)
    expect(await rowsOf(enrollments)).toMatchObject([
      { status: "Completed", percent: 100, registeredAt: Date.UTC(2026, 0, 1), expiresAt: Date.UTC(2030, 0, 1) },
    ])
    expect((await rowsOf(activities)).map((row) => [row.verb, row.createdAt])).toEqual([
      ["ENROLLED", Date.UTC(2026, 0, 1)],
      ["STARTED", Date.UTC(2026, 0, 2)],
      ["COMPLETED", Date.UTC(2026, 0, 5, 10)],
    ])
  })

  it("rejects learners, an empty list and more than 20,000 pairs", async () => {
    const learner = await signedIn("general")
    const body = { course_ids: [1], user_ids: [learner.id] }
    expect((await enroll(body, { token: learner.token })).status).toBe(403)
    expect((await enroll({ course_ids: [], user_ids: [1] })).body.errors).toHaveProperty("course_ids")
    const many = Array.from({ length: 201 }, (_, i) => i + 1)
    expect((await enroll({ course_ids: many, user_ids: many })).status).toBe(422)
    expect((await enroll({ course_ids: [5], user_ids: [6] })).body).toMatchObject({ enrolled: 0, skipped: 1 })
  })

  it("replays the first response for a repeated Idempotency-Key", async () => {
    const body = { course_ids: [(await course()).id], user_ids: [(await user()).id] }
    const headers = { "idempotency-key": "enroll-1" }
    const first = await enroll(body, { headers })
    const second = await enroll(body, { headers })
    expect(second.body).toEqual(first.body)
    expect(second.body.enrolled).toBe(1)
  })
})

describe("POST /api/course/record", () => {
  const record = (registrations: object[], options = {}) => post("/api/course/record", { registrations }, options)

  it("imports enrollments with their dates, statuses and activities in two round trips", async () => {
    const staff = await signedIn("staff")
    const [a, b, c, d] = [await user(), await user(), await user(), await user()]
    const algebra = await course({ name: "Algebra", expiresAfterDays: 30 })
    const logic = await course({ name: "Logic" })
    const response = await record(
      [
        { user_id: a.id, course_id: algebra.id, registered_on: "2013-09-01" },
        { user_id: b.id, course_id: algebra.id, registered_on: "2013-09-02", started_on: "2013-10-01" },
        { user_id: c.id, course_id: logic.id, started_on: "2013-10-01", completed_on: "2014-06-01" },
        { user_id: d.id, course_id: logic.id, registered_on: "2013-09-03", expire_on: "2013-09-03" },
      ],
      { token: staff.token },
    )
    expect(response.body).toEqual({ message: "4 enrollments created.", enrolled: 4, alreadyEnrolled: 0, skipped: 0 })
    expect(cost(response).roundTrips).toBe(2)
    const at = (date: string) => Date.parse(`${date}T00:00:00Z`)
    expect(await rowsOf(enrollments)).toMatchObject([
      { userId: a.id, status: "Not Started", registeredAt: at("2013-09-01"), expiresAt: at("2013-10-01") },
      { userId: b.id, status: "In Progress", startedAt: at("2013-10-01"), percent: 0, expiresAt: at("2013-10-02") },
      {
        userId: c.id,
        status: "Completed",
        registeredAt: at("2013-10-01"),
        completedAt: at("2014-06-01"),
        percent: 100,
      },
      { userId: d.id, status: "Not Started", expiresAt: at("2013-09-03"), enrolledBy: staff.id },
    ])
    const byUser = (await rowsOf(activities)).toSorted((one, other) => one.userId - other.userId)
    expect(byUser.map((row) => [row.userId, row.verb, row.createdAt])).toEqual([
      [a.id, "ENROLLED", at("2013-09-01")],
      [b.id, "ENROLLED", at("2013-09-02")],
      [b.id, "STARTED", at("2013-10-01")],
      [c.id, "ENROLLED", at("2013-10-01")],
      [c.id, "STARTED", at("2013-10-01")],
      [c.id, "COMPLETED", at("2014-06-01")],
      [d.id, "ENROLLED", at("2013-09-03")],
    ])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "enrollment", effectOn: "Algebra", details: { user_ids: [a.id, b.id] } },
      { action: "created", subject: "enrollment", effectOn: "Logic", details: { user_ids: [c.id, d.id] } },
    ])
    const { body } = await get("/api/course/reports/overview")
    expect(body).toMatchObject({ sumNotStarted: 2, sumInProgress: 1, sumCompleted: 1 })
  })

  it("imports 5,000 enrollments in one request, keeps existing ones and skips unknown ones", async () => {
    const people = await crowd(1000)
    const courseIds: number[] = []
    for (let i = 0; i < 5; i++) courseIds.push((await course()).id)
    const all = courseIds.flatMap((course_id) =>
      people.map((user_id) => ({ user_id, course_id, registered_on: "2014-02-01 00:00:00", started_on: "2014-02-02" })),
    )
    await record(all.slice(0, 10))
    const strange = [
      { user_id: 99_999, course_id: courseIds[0] },
      { user_id: people[0], course_id: 9999 },
    ]
    const response = await record([...all.slice(0, -2), ...strange])
    expect(response.body).toMatchObject({ enrolled: 4988, alreadyEnrolled: 10, skipped: 2 })
    expect(cost(response).roundTrips).toBe(2)
    const again = await record(all.slice(0, -2))
    expect(again.body).toMatchObject({ enrolled: 0, alreadyEnrolled: 4998, skipped: 0 })
    expect((await get("/api/course/reports/overview")).body.sumInProgress).toBe(4998)
    expect((await record([...all, ...strange])).body.errors).toHaveProperty("registrations")
  })

  it("enrolls no users if a course has too few seats", async () => {
    const small = await course({ name: "Small", totalSeats: 2 })
    const people = [await user(), await user(), await user()]
    const wanted = people.map(({ id }) => ({ user_id: id, course_id: small.id }))
    const refused = await record(wanted)
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining("2 seats left") } })
    expect(await rowsOf(enrollments)).toEqual([])
    expect((await record(wanted.slice(0, 2))).body.enrolled).toBe(2)
    expect((await record(wanted.slice(0, 2))).body).toMatchObject({ enrolled: 0, alreadyEnrolled: 2 })
  })

  it("rejects group administrators, duplicate pairs, dates out of order and an empty list", async () => {
    const admin = await signedIn("group_admin")
    const one = { user_id: 1, course_id: 1 }
    expect((await record([one], { token: admin.token })).status).toBe(403)
    expect((await record([one, one])).body.errors).toHaveProperty("registrations")
    const dates = { registered_on: "2014-02-02", started_on: "2014-02-01" }
    expect((await record([{ ...one, ...dates }])).body.errors).toHaveProperty(["registrations.0.started_on"])
    expect((await record([])).body.errors).toHaveProperty("registrations")
  })
})

describe("POST /api/course/unenroll", () => {
  it("deletes the enrollment with its progress and records an activity", async () => {
    const inside = await module()
    const row = await course({ name: "Algebra" }, [{ moduleId: inside.id }])
    const learner = await user()
    const { id } = await enrollment(learner, row)
    await moduleStatus(id, inside.id, { status: "Completed", timeSpent: 60 })
    const response = await post("/api/course/unenroll", { course_ids: [row.id, 99], user_ids: [learner.id] })
    expect(response.body).toEqual({ message: "1 enrollment ended. 1 not found.", unenrolled: 1, notEnrolled: 1 })
    expect(await rowsOf(enrollments)).toEqual([])
    expect(await rowsOf(moduleStatuses)).toEqual([])
    expect((await rowsOf(activities)).map((a) => a.verb)).toEqual(["ENROLLED", "STARTED", "COMPLETED", "UNENROLLED"])
    expect(await rowsOf(auditLogs)).toMatchObject([{ action: "deleted", subject: "enrollment", effectOn: "Algebra" }])
    for (const kept of await rowsOf(enrollmentCounts)) expect(kept).toMatchObject({ completed: 0, inProgress: 0 })
    const admin = await signedIn("group_admin")
    const refused = await post("/api/course/unenroll", { course_ids: [1], user_ids: [1] }, { token: admin.token })
    expect(refused.status).toBe(403)
  })
})

describe("GET /api/course/enrolled-students", () => {
  const list = (courseId: number, parameters = {}, options = {}) =>
    get(
      `/api/course/enrolled-students${query({
        course_id: courseId,
        group_id: "",
        page_size: 10,
        page_number: 1,
        ...parameters,
      })}`,
      options,
    )

  it("lists learners with totals, and can be searched and sorted by every column", async () => {
    const row = await course({ name: "Algebra" })
    const [ada, bob, cleo] = [
      await user({ firstName: "Ada", lastName: "Zorn", email: "z@example.com" }),
      await user({ firstName: "bob", lastName: "Young", email: "y@example.com" }),
      await user({ firstName: "Cleo", lastName: "Xu", email: "x@example.com" }),
    ]
    await enrollment(ada, row, { status: "Completed", percent: 100, registeredAt: 3 * DAY, completedAt: 9 * DAY })
    await enrollment(bob, row, { status: "In Progress", percent: 50, registeredAt: 2 * DAY, startedAt: 4 * DAY })
    await enrollment(cleo, row, { registeredAt: DAY, expiresAt: 5 * DAY })
    const response = await list(row.id)
    expect(cost(response).roundTrips).toBe(1)
    for (const group_id of ["null", "0", "[]", " "])
      expect((await list(row.id, { group_id })).body.recordsTotal, group_id).toBe(3)
    expect(response.body).toMatchObject({
      courseName: "Algebra",
      recordsTotal: 3,
      recordsFiltered: 3,
      totalNotStarted: 1,
      totalInProgress: 1,
      totalCompleted: 1,
    })
    expect(response.body.records[0]).toEqual({
      id: 1,
      user_id: ada.id,
      first_name: "Ada",
      last_name: "Zorn",
      email: "z@example.com",
      avatar: "AZ",
      status: "Completed",
      percentComplete: 100,
      access_status: "Allowed",
      registered_on: "Jan 04, 1970",
      started_on: "Never",
      completed_on: "Jan 10, 1970",
      expire_on: "Never",
      last_accessed_on: "Never",
      registeredAt: "1970-01-04T00:00:00.000Z",
      startedAt: null,
      completedAt: "1970-01-10T00:00:00.000Z",
      expiresAt: null,
      lastAccessedAt: null,
      updatedAt: anyIsoTime,
      ...NO_DUE_DATE,
    })
    expect(response.body.records[2]).toMatchObject({ access_status: "Expired", expire_on: "Jan 06, 1970" })
    const first = async (colName: string, direction = "asc") =>
      (await list(row.id, { order_by: { colName, direction } })).body.records[0].first_name
    expect(await first("first_name")).toBe("Ada")
    expect(await first("last_name")).toBe("Cleo")
    expect(await first("email", "desc")).toBe("Ada")
    expect(await first("percentComplete", "desc")).toBe("Ada")
    expect(await first("registered_on")).toBe("Cleo")
    for (const column of ["id", "user_id", "status", "started_on", "completed_on", "expire_on", "last_accessed_on"])
      expect((await list(row.id, { order_by: column })).body.records, column).toHaveLength(3)
    const found = async (search_param: object) => {
      const { body } = await list(row.id, { search_param })
      return [body.recordsTotal, body.recordsFiltered, body.records.map((r: { first_name: string }) => r.first_name)]
    }
    expect(await found({ nameOrEmail: "you" })).toEqual([3, 1, ["bob"]])
    expect(await found({ status: "Completed" })).toEqual([3, 1, ["Ada"]])
    expect(await found({ status: ["not_started", "In Progress"] })).toEqual([3, 2, ["bob", "Cleo"]])
    expect(await found({ status: "Completed", nameOrEmail: "you" })).toEqual([3, 0, []])
  })

  it("sorts by a learner's changed name", async () => {
    const row = await course()
    const learner = await user()
    await enrollment(learner, row)
    await put(`/api/user/${learner.id}`, { firstName: "Renamed" })
    expect((await list(row.id)).body.records).toMatchObject([{ first_name: "Renamed" }])
  })

  it("lists a supervisor's learners, or one group's members", async () => {
    const supervisor = await signedIn("group_admin")
    const [mine, theirs] = [await user(), await user()]
    const { id: groupId } = await group({ admins: [supervisor.id] })
    const row = await course()
    await enrollment(mine, row, { status: "In Progress" })
    await enrollment(theirs, row)
    await db.insert(groupMembers).values({ groupId, userId: mine.id })
    const { token } = supervisor
    for (const response of [
      await list(row.id, {}, { token }),
      await list(row.id, { group_id: groupId }, { token }),
      await list(row.id, { group_id: groupId }),
    ]) {
      expect(response.body).toMatchObject({ recordsTotal: 1, totalInProgress: 1, totalNotStarted: 0 })
      expect(response.body.records.map((r: { user_id: number }) => r.user_id)).toEqual([mine.id])
    }
    expect((await list(row.id, { search_param: { nameOrEmail: theirs.email } }, { token })).body.recordsFiltered).toBe(
      0,
    )
    const { id: foreign } = await group({ members: [theirs.id] })
    expect((await list(row.id, { group_id: foreign }, { token })).status).toBe(404)
    expect((await list(999)).status).toBe(404)
    const learner = await signedIn("general")
    expect((await list(row.id, {}, { token: learner.token })).status).toBe(403)
    const bare = await get(`/api/course/enrolled-students${query({ page_size: 1, page_number: 1 })}`)
    expect(Object.keys(bare.body.errors).sort()).toEqual(["course_id", "group_id"])
    await db.delete(groupMembers)
    expect((await list(row.id, {}, { token })).body).toMatchObject({ recordsTotal: 0, totalInProgress: 0 })
  })

  it("lists a portal's members, for supervisors only their own, with matching totals", async () => {
    const supervisor = await signedIn("group_admin")
    const [both, portalOnly, groupOnly] = [await user({ firstName: "Both" }), await user(), await user()]
    const { id: groupId } = await group({ admins: [supervisor.id], members: [both.id, groupOnly.id] })
    const { id: portalId } = await portal({ members: [both.id, portalOnly.id] })
    const row = await course()
    await enrollment(both, row, { status: "Completed", percent: 100 })
    await enrollment(portalOnly, row, { status: "In Progress" })
    await enrollment(groupOnly, row)
    await enrollment(both, await course())
    const names = async (parameters: object, options = {}) => {
      const answers = [
        await list(row.id, parameters, options),
        await get(
          `/api/course/reports/course-detailed${query({ course_id: row.id, page_size: 10, ...parameters })}`,
          options,
        ),
      ]
      const [first, second] = answers.map(({ body }) => [
        [body.totalNotStarted, body.totalInProgress, body.totalCompleted],
        [body.recordsTotal, body.recordsFiltered],
        body.records.map((learner: { user_id: number }) => learner.user_id),
      ])
      expect(second).toEqual(first)
      for (const answer of answers) expect(cost(answer).roundTrips).toBe(1)
      return first
    }
    const { token } = supervisor
    const order_by = "user_id"
    expect(await names({ portalId, order_by })).toEqual([
      [0, 1, 1],
      [2, 2],
      [both.id, portalOnly.id],
    ])
    expect((await list(row.id, { portalId, order_by }, { token })).status).toBe(404)
    expect(await names({ portalId, group_id: groupId })).toEqual([[0, 0, 1], [1, 1], [both.id]])
    expect(await names({ portalId, search_param: { status: "Completed" } })).toEqual([[0, 1, 1], [2, 1], [both.id]])
    const named = { portalId, search_param: { nameOrEmail: "both", status: ["Completed"] } }
    expect(await names(named)).toEqual([[0, 1, 1], [2, 1], [both.id]])
    for (const options of [{}, { token }]) expect((await list(row.id, { portalId: 99 }, options)).status).toBe(404)
  })

  it("reads a page at a cost that does not grow with the course", async () => {
    const { id } = await course()
    await enroll({ course_ids: [id], user_ids: await crowd(400) })
    for (const order_by of ["registered_on", "first_name", "last_name"]) {
      const page = await list(id, { order_by })
      expect(cost(page).read, order_by).toBeLessThan(120)
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? ""
      const second = await get(next.replace("https://lectern.test", ""))
      expect(cost(second).read, order_by).toBeLessThan(120)
      expect(second.body.records).toHaveLength(10)
      expect(second.body.records[0].id).not.toBe(page.body.records[9].id)
    }
    await db.run(sql`update enrollments set status = 'In Progress' where id % 20 = 0`)
    for (const [status, found, read] of [
      ["Not Started", 380, 120],
      ["In Progress", 20, 300],
    ] as const)
      for (const order_by of ["registered_on", "first_name"]) {
        const filtered = await list(id, { search_param: { status }, order_by })
        expect(filtered.body.recordsFiltered).toBe(found)
        expect(filtered.body.records).toHaveLength(10)
        expect(cost(filtered).read, `${status} by ${order_by}`).toBeLessThan(read)
      }
  })

  it("can be sorted by columns without an index", async () => {
    const { id } = await course()
    await enroll({ course_ids: [id], user_ids: await crowd(30) })
    await db.run(sql`update enrollments set percent = user_id % 7, expires_at = -user_id`)
    for (const order_by of ["percentComplete", "status", "id", "user_id", "email", "expire_on", "started_on"]) {
      const page = await list(id, { order_by })
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? ""
      const second = await get(next.replace("https://lectern.test", ""))
      const all = (await list(id, { order_by, page_size: 30 })).body.records
      expect([...page.body.records, ...second.body.records]).toEqual(all.slice(0, 20))
      expect(cost(second).roundTrips).toBe(1)
    }
    const percents = (await list(id, { order_by: "percentComplete", page_size: 30 })).body.records
    expect(percents.map((row: { percentComplete: number }) => row.percentComplete)).toEqual(
      (await rowsOf(enrollments)).map((row) => row.percent).sort((a, b) => a - b),
    )
  })
})

describe("GET /api/users/enrolled-courses", () => {
  const list = (userId: number, parameters = {}, options = {}) =>
    get(
      `/api/users/enrolled-courses${query({ user_id: userId, page_size: 10, page_number: 1, ...parameters })}`,
      options,
    )

  it("lists a user's courses for the user and those who may see the user", async () => {
    const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    const algebra = await course({
      name: "Algebra",
      slug: "algebra",
      estimatedMinutes: 90,
      featuredImageUrl: "/a.png",
    })
    const biology = await course({ name: "Biology", enableCourseRating: true, expiresAfterDays: 30 })
    await enrollment(learner, algebra, { registeredAt: 2 * DAY })
    await enrollment(learner, biology, { status: "Completed", percent: 100, registeredAt: DAY, expiresAt: 5 * DAY })
    for (const rating of [4, 5]) {
      const reviewer = await user()
      await enrollment(reviewer, algebra)
      await post("/api/review/create", { userId: reviewer.id, courseId: algebra.id, rating })
    }
    const response = await list(learner.id, {}, { token: learner.token })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toMatchObject({
      name: "Ada Byron",
      email: "ada@example.com",
      userType: "general",
      avatar: "AB",
      isLearner: true,
      recordsTotal: 2,
      recordsFiltered: 2,
    })
    expect(response.body.records[0]).toEqual({
      id: 1,
      courseId: algebra.id,
      featuredImageUrl: "/a.png",
      courseSlug: "https://lectern.test/course/algebra",
      courseName: "Algebra",
      lastAccessed: "Never",
      status: "Not Started",
      display_status: "Not Started",
      accessStatus: "Allowed",
      percentComplete: 0,
      courseStatus: "publish",
      registered_on: "Jan 03, 1970",
      started_on: "Never",
      completed_on: "Never",
      expire_on: "Never",
      isExpired: false,
      canRecertify: false,
      estimatedCompletionTime: "1 hour 30 minutes",
      certificate_count: 0,
      enableCourseRating: false,
      rating: 4.5,
      registeredAt: "1970-01-03T00:00:00.000Z",
      startedAt: null,
      completedAt: null,
      expiresAt: null,
      lastAccessedAt: null,
      updatedAt: anyIsoTime,
      ...NO_DUE_DATE,
    })
    expect(response.body.records[1]).toMatchObject({
      accessStatus: "Expired",
      isExpired: true,
      canRecertify: true,
      enableCourseRating: true,
      rating: 0,
    })
    const names = async (overrides: object) =>
      (await list(learner.id, overrides)).body.records.map((row: { courseName: string }) => row.courseName)
    expect(await names({ order_by: "courseName" })).toEqual(["Algebra", "Biology"])
    expect(await names({ order_by: `{"colName":"courseName","direction":"desc"}}` })).toEqual(["Biology", "Algebra"])
    expect(await names({ search_param: { status: ["Completed"] } })).toEqual(["Biology"])
    expect(await names({ search_param: { nameOrEmail: "LGEB" } })).toEqual(["Algebra"])
    expect(await names({ search_param: { nameOrEmail: "ada@" } })).toEqual(["Algebra", "Biology"])
    for (const column of [
      "id",
      "lastAccessed",
      "percentComplete",
      "estimatedCompletionTime",
      "courseSlug",
      "expire_on",
    ])
      expect(await names({ order_by: column }), column).toHaveLength(2)

    const other = await signedIn("general")
    expect((await list(learner.id, {}, { token: other.token })).status).toBe(404)
    expect((await list(999)).status).toBe(404)
    const supervisor = await signedIn("portal_admin")
    expect((await list(learner.id, {}, { token: supervisor.token })).status).toBe(404)
    const { id: portalId } = await portal({ admins: [supervisor.id], members: [learner.id] })
    expect((await list(learner.id, { portalId }, { token: supervisor.token })).body.recordsTotal).toBe(2)
    expect((await list(learner.id, { portalId: 99 })).status).toBe(404)
    expect((await list(learner.id, { search_param: { portalId } })).body.recordsTotal).toBe(2)
    expect((await list(learner.id, { search_param: { portalId: 99 } })).status).toBe(404)
  })

  it("includes drafts for managers, but not on the learner's page", async () => {
    const learner = await signedIn("general")
    await enrollment(learner, await course({ name: "Out" }))
    await enrollment(learner, await course({ name: "Draft", status: "draft" }))
    const found = async (overrides: object) => {
      const { recordsTotal, recordsFiltered, records } = (await list(learner.id, overrides)).body
      return [recordsTotal, recordsFiltered, records.map((row: { courseName: string }) => row.courseName).sort()]
    }
    for (const given of [{}, { manage_course: "" }, { manage_course: true }, { search_param: { manage_course: "1" } }])
      expect(await found(given)).toEqual([2, 2, ["Draft", "Out"]])
    for (const given of [{ manage_course: false }, { search_param: { manage_course: "0" } }])
      expect(await found(given)).toEqual([1, 1, ["Out"]])
    expect((await list(learner.id, { manage_course: "perhaps" })).status).toBe(422)
  })

  it("counts a user's courses under old and new names, with the time spent", async () => {
    const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron" })
    const inside = await module()
    const { id } = await enrollment(learner, await course({}, [{ moduleId: inside.id }, {}]))
    await enrollment(learner, await course())
    await moduleStatus(id, inside.id, { status: "Completed", timeSpent: 3725 })
    const response = await get("/api/user/dashboard/statistics", { token: learner.token })
    expect(response.body).toEqual({
      totalCourses: 2,
      completedCourses: 0,
      inProgressCourses: 1,
      notStartedCourses: 1,
      total: 2,
      completed: 0,
      inProgress: 1,
      notStarted: 1,
      studentName: "Ada Byron",
      timeSpent: { hours: 1, minutes: 2, seconds: 5, totalSeconds: 3725 },
    })
    expect(cost(response)).toMatchObject({ roundTrips: 1 })
    expect(cost(response).read).toBeLessThan(12)
    expect((await get(`/api/user/dashboard/statistics?user_id=${learner.id}`)).body.total).toBe(2)
    expect((await get("/api/user/dashboard/statistics")).body.errors).toHaveProperty("user_id")
    const other = await signedIn("general")
    const statistics = await get(`/api/user/dashboard/statistics?user_id=${learner.id}`, { token: other.token })
    expect(statistics.status).toBe(404)
    const outside = await get(`/api/user/dashboard/statistics?user_id=${learner.id}&portalId=5`)
    expect(outside.status).toBe(404)
  })
})

describe("users", () => {
  it("are enrolled by a quick edit in two round trips", async () => {
    const staff = await signedIn("staff")
    const [a, b, admin] = [await user(), await user(), await user({ userType: "admin" })]
    const { id } = await course()
    const body = { user_ids: [a.id, b.id, admin.id, 999], disabled: false, course_ids: [id, 998] }
    const response = await post("/api/user/quickEdit", body, { token: staff.token })
    expect(response.body.message).toBe(
      [
        "0 users enabled. 2 were enabled already. 2 skipped: unknown, or not yours to change.",
        "2 enrollments made. 1 unknown course skipped.",
      ].join(" "),
    )
    expect(cost(response).roundTrips).toBe(2)
    expect((await rowsOf(enrollments)).map((row) => row.userId)).toEqual([a.id, b.id])
  })

  it("can't be deleted if they have enrollments or authored content, and the response says why", async () => {
    const [learner, author, writer, unused] = [
      await user({ firstName: "Ada", lastName: "Byron" }),
      await user({ firstName: "Bo", lastName: "Li" }),
      await user({ firstName: "Cy", lastName: "Om" }),
      await user(),
    ]
    const row = await course({ name: "Algebra", authorId: author.id })
    const text = await module({ authorId: writer.id, name: "Limits" })
    await enrollment(learner, row)
    const all = [learner, author, writer, unused].map(({ id }) => id)
    const response = await post("/api/user/delete", { delete_ids: all })
    expect(response.body).toMatchObject({
      message:
        "1 user deleted. 1 user with enrollments not deleted. 2 users not deleted: " +
        "authors, instructors, users with portal access, or users you don't have permission to delete.",
      usedInCourses: { "Ada Byron": [{ id: row.id, name: "Algebra" }] },
      usedAsCourseAuthors: { "Bo Li": [{ id: row.id, name: "Algebra" }] },
      usedAsModuleAuthors: { "Cy Om": [{ id: text.id, name: "Limits" }] },
    })
    expect((await rowsOf(users)).map(({ id }) => id)).toEqual(all.slice(0, 3))
  })
})
