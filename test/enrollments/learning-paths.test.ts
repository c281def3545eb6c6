import { eq } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { courses } from "../../drizzle/schema/courses.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { learningPathCourses, learningPathEnrollments, learningPaths } from "../../drizzle/schema/learning-paths.ts"
import { users } from "../../drizzle/schema/users.ts"
import { template } from "../factories/certificates.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { learningPath, pathEnrollment } from "../factories/learning-paths.ts"
import { call, cost, get, post, put, query } from "../helpers/client.ts"

const enroll = (body: object, options = {}) => post("/api/learningpath/enroll", body, options)
const DAY = 86_400_000

describe("learning paths", () => {
  it("can be created, read, updated, listed and deleted by staff", async () => {
    const { token } = await signedIn("staff")
    const [a, b] = [
      await course({ name: "Algebra", estimatedMinutes: 60 }),
      await course({ name: "Biology", estimatedMinutes: 30 }),
    ]
    const raters = [await user(), await user()]
    for (const rater of raters) for (const row of [a, b]) await enrollment(rater, row)
    const rate = (row: { id: number }, rater: { id: number } | undefined, rating: number) =>
      post("/api/review/create", { userId: rater?.id, courseId: row.id, rating })
    await rate(a, raters[0], 4)
    await rate(a, raters[1], 5)
    const body = { name: "Science", course_ids: [b.id, a.id], type: "private", featuredImageUrl: "/s.png" }
    const created = await post("/api/learningpath/create", body, { token })
    expect(created).toMatchObject({ status: 200, body: { id: 1, message: "Learning path created." } })
    expect(cost(created).roundTrips).toBe(2)
    const read = await get("/api/learningpath/1", { token })
    expect(read.body).toMatchObject({
      id: 1,
      name: "Science",
      slug: "science",
      type: "private",
      featuredImageUrl: "/s.png",
      totalLPCourses: 2,
      estimatedMinutes: 90,
      rating: 4.5,
      course_ids: [b.id, a.id],
      courses: [
        { id: b.id, name: "Biology" },
        { id: a.id, name: "Algebra" },
      ],
    })
    expect(cost(read).roundTrips).toBe(1)
    const review = await rate(b, raters[0], 3)
    expect((await get("/api/learningpath/1")).body.rating).toBe(4)
    await put(`/api/review/${review.body.id}`, { rating: 1 })
    expect((await get("/api/learningpath/1")).body.rating).toBe(3.33)
    await post("/api/review/delete", { delete_ids: [review.body.id] })
    expect((await get("/api/learningpath/1")).body.rating).toBe(4.5)
    const again = await post("/api/learningpath/create", { name: "Science", course_ids: [a.id] }, { token })
    expect((await get(`/api/learningpath/${again.body.id}`)).body).toMatchObject({ slug: "science-2", type: "public" })
    const c = await course({ name: "Chemistry", estimatedMinutes: 5 })
    const unchanged = await put("/api/learningpath/1", read.body, { token })
    expect(unchanged.status).toBe(200)
    expect(cost(unchanged).written).toBe(0)
    const changed = await put("/api/learningpath/1", { name: "Sciences", course_ids: [a.id, c.id] }, { token })
    expect(changed.body).toEqual({ message: "Learning path updated." })
    expect((await get("/api/learningpath/1")).body).toMatchObject({
      name: "Sciences",
      type: "private",
      totalLPCourses: 2,
      estimatedMinutes: 65,
      rating: 4.5,
      course_ids: [a.id, c.id],
    })
    await db.update(courses).set({ estimatedMinutes: 10 }).where(eq(courses.id, a.id))
    const list = async (parameters: object) =>
      (await get(`/api/learningpath/tabularlist${query({ page_size: 10, page_number: 1, ...parameters })}`, { token }))
        .body
    expect(await list({ order_by: "name" })).toMatchObject({
      recordsTotal: 2,
      recordsFiltered: 2,
      records: [
        { name: "Science", totalLPCourses: 1 },
        { name: "Sciences", estimatedMinutes: 15 },
      ],
    })
    expect(await list({ search_param: { name: "CIENCES" } })).toMatchObject({ recordsTotal: 2, recordsFiltered: 1 })
    expect(await list({ search_param: { type: "private" } })).toMatchObject({ recordsTotal: 2, recordsFiltered: 1 })
    for (const column of ["id", "slug", "type", "totalLPCourses", "estimatedMinutes", "created_at"])
      expect((await list({ order_by: column })).records, column).toHaveLength(2)
    await pathEnrollment(await user(), { id: 1 })
    const deleted = await post("/api/learningpath/delete", { delete_ids: [1, 2, 9] }, { token })
    expect(deleted.body.message).toBe(
      "1 learning path deleted. 1 not deleted: users are enrolled in them. 1 id unknown.",
    )
    expect((await rowsOf(learningPathCourses)).map((row) => row.learningPathId)).toEqual([1, 1])
    expect(await list({})).toMatchObject({ recordsTotal: 1 })
    const verbs = (await rowsOf(auditLogs))
      .filter((row) => row.subject !== "review")
      .map((row) => [row.action, row.subject, row.effectOn])
    expect(verbs).toEqual([
      ["created", "learning path", "Science"],
      ["created", "learning path", "Science"],
      ["updated", "learning path", "Sciences"],
      ["deleted", "learning path", "Science"],
    ])
    await post("/api/course/unenroll", { course_ids: [a.id, b.id], user_ids: raters.map((rater) => rater.id) })
    const kept = await post("/api/course/delete", { delete_ids: [a.id, b.id] }, { token })
    expect(kept.body.message).toContain("1 course deleted.")
  })

  it("rejects invalid input and lower roles, and changes nothing", async () => {
    const { id } = await course()
    const bad = (body: object) => post("/api/learningpath/create", body)
    expect((await bad({ course_ids: [id] })).body.errors).toHaveProperty("name")
    expect((await bad({ name: "X", course_ids: [] })).body.errors).toHaveProperty("course_ids")
    expect((await bad({ name: "X", course_ids: [id, 99] })).body.errors).toHaveProperty("course_ids")
    expect((await bad({ name: "X", course_ids: [id], type: "secret" })).body.errors).toHaveProperty("type")
    expect(await rowsOf(learningPaths)).toEqual([])
    expect((await get("/api/learningpath/9")).status).toBe(404)
    expect((await put("/api/learningpath/9", { name: "Y" })).status).toBe(404)
    const path = await learningPath({ type: "private" }, [{ id }])
    const stale = { headers: { "if-match": '"9-x"' } }
    expect((await put(`/api/learningpath/${path.id}`, { name: "Y" }, stale)).status).toBe(412)
    const supervisor = await signedIn("group_admin")
    for (const [route, body] of [
      ["/api/learningpath/create", { name: "X", course_ids: [id] }],
      ["/api/learningpath/enroll", { learning_path_ids: [path.id], user_ids: [1] }],
      ["/api/learningpath/unenroll", { learning_path_ids: [path.id], user_ids: [1] }],
    ] as const)
      expect((await post(route, body, { token: supervisor.token })).status, route).toBe(403)
    const learner = await signedIn("general")
    expect((await get(`/api/learningpath/${path.id}`, { token: learner.token })).status).toBe(404)
    await pathEnrollment(learner, path)
    expect((await get(`/api/learningpath/${path.id}`, { token: learner.token })).status).toBe(200)
    const paths = "/api/learningpath/tabularlist?page_size=9&page_number=1&order_by=id"
    const open = await learningPath({}, [{ id }])
    const seen = async (caller: object, type = "") => {
      const { body } = await get(`${paths}&search_param=${JSON.stringify({ type })}`, caller)
      expect(body.recordsFiltered).toBe(body.records.length)
      for (const row of body.records) expect((await get(`/api/learningpath/${row.id}`, caller)).status).toBe(200)
      return [body.recordsTotal, body.records.map((row: { id: number }) => row.id)]
    }
    expect(await seen(supervisor)).toEqual([1, [open.id]])
    expect(await seen(supervisor, "private")).toEqual([1, []])
    expect(await seen({})).toEqual([2, [path.id, open.id]])
    await pathEnrollment(supervisor, path)
    expect(await seen(supervisor)).toEqual([2, [path.id, open.id]])
    expect(await seen(supervisor, "private")).toEqual([2, [path.id]])
    expect(await seen(supervisor, "public")).toEqual([2, [open.id]])
    expect(
      (await call("GET", "/api/learningpath/tabularlist?page_size=1&page_number=1", { token: learner.token })).status,
    ).toBe(403)
  })
})

describe("POST /api/learningpath/enroll", () => {
  it("enrolls 500 users in paths and their courses in two round trips, with correct counts", async () => {
    const staff = await signedIn("staff")
    const [a, b, c] = [await course(), await course(), await course()]
    const [first, second] = [await learningPath({ name: "One" }, [a, b]), await learningPath({ name: "Two" }, [b, c])]
    await manyUsers(500, 1000)
    const ids = Array.from({ length: 500 }, (_, i) => 1001 + i)
    const [one] = await db.select().from(users).where(eq(users.id, 1001))
    if (!one) throw new Error("No user")
    await enrollment(one, b)
    await enroll({ learning_path_ids: [first.id], user_ids: [1001] })
    const body = { learning_path_ids: [first.id, second.id, 99], user_ids: [...ids, 9999] }
    const response = await enroll(body, { token: staff.token })
    expect(response.body).toEqual({
      message:
        "999 path enrollments and 1498 course enrollments created. 1 already existed. " +
        "503 skipped: the user or learning path doesn't exist.",
      enrolled: 999,
      alreadyEnrolled: 1,
      skipped: 503,
      coursesEnrolled: 1498,
    })
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(learningPathEnrollments)).toHaveLength(1000)
    const rows = await rowsOf(enrollments)
    expect(rows).toHaveLength(1500)
    expect(rows.filter((row) => row.userId === 1002).map((row) => row.courseId)).toEqual([a.id, b.id, c.id])
    const audited = (await rowsOf(auditLogs)).filter((row) => row.subject === "learning path enrollment")
    expect(audited.map((row) => row.effectOn)).toEqual(["One", "One", "Two"])
    expect(audited[2]?.details).toMatchObject({ user_ids: expect.arrayContaining([1001, 1500]) })
    expect((await enroll(body)).body).toMatchObject({ enrolled: 0, alreadyEnrolled: 1000, coursesEnrolled: 0 })
    const ended = await post("/api/learningpath/unenroll", body)
    expect(ended.body).toMatchObject({ unenrolled: 1000, notEnrolled: 503 })
    expect(await rowsOf(enrollments)).toHaveLength(1500)
    expect(await rowsOf(learningPathEnrollments)).toEqual([])
  })

  it("enrolls no users if a course has too few seats, and rejects too many pairs", async () => {
    const full = await course({ name: "Full", totalSeats: 1 })
    const path = await learningPath({}, [await course(), full])
    const [a, b] = [await user(), await user()]
    const refused = await enroll({ learning_path_ids: [path.id], user_ids: [a.id, b.id] })
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining("Full") } })
    expect(await rowsOf(learningPathEnrollments)).toEqual([])
    expect(await rowsOf(enrollments)).toEqual([])
    const many = Array.from({ length: 201 }, (_, i) => i + 1)
    expect((await enroll({ learning_path_ids: many, user_ids: many })).body.errors).toHaveProperty("user_ids")
    expect((await enroll({ learning_path_ids: [], user_ids: [1] })).body.errors).toHaveProperty("learning_path_ids")
    expect((await enroll({ learning_path_ids: [99], user_ids: [a.id] })).body).toMatchObject({
      enrolled: 0,
      skipped: 1,
    })
  })

  it("replays the first response for a repeated Idempotency-Key", async () => {
    const path = await learningPath({}, [await course()])
    const body = { learning_path_ids: [path.id], user_ids: [(await user()).id] }
    const headers = { "idempotency-key": "path-1" }
    const first = await enroll(body, { headers })
    expect((await enroll(body, { headers })).body).toEqual(first.body)
    expect(first.body.enrolled).toBe(1)
  })
})

describe("a path's certificates", () => {
  it("counts the certificates of its course enrollments, even after these are reset or expire", async () => {
    const { id: certificateTemplateId } = await template()
    const a = await course({ certificateTemplateId })
    const path = await learningPath({}, [a])
    const learner = await user()
    await enroll({ learning_path_ids: [path.id], user_ids: [learner.id] })
    await post("/api/course/unenroll", { course_ids: [a.id], user_ids: [learner.id] })
    const { id } = await enrollment(learner, a, { status: "Completed", percent: 100, completedAt: Date.now() })
    const counts = async () => (await rowsOf(learningPathEnrollments)).map((row) => row.certificateCount)
    expect(await counts()).toEqual([1])
    await post("/api/course/reset", { registration_ids: [id] })
    expect(await counts()).toEqual([1])
    await post("/api/course/unenroll", { course_ids: [a.id], user_ids: [learner.id] })
    expect(await counts()).toEqual([0])
  })
})

describe("a path's progress", () => {
  const ownPaths = async () => {
    const [row] = await rowsOf(learningPathEnrollments)
    return row
  }

  it("follows its courses from Not Started to Completed, and back after a reset", async () => {
    const [m1, m2] = [await module(), await module()]
    const [a, b] = [await course({}, [{ moduleId: m1.id }]), await course({}, [{ moduleId: m2.id }])]
    const path = await learningPath({}, [a, b])
    const learner = await user()
    await enroll({ learning_path_ids: [path.id], user_ids: [learner.id] })
    expect(await ownPaths()).toMatchObject({ status: "Not Started", percent: 0, startedAt: 0, completedAt: 0 })
    const [inA, inB] = await rowsOf(enrollments)
    if (!inA || !inB) throw new Error("No registrations")
    await moduleStatus(inA.id, m1.id)
    expect(await ownPaths()).toMatchObject({ status: "In Progress", percent: 0, completedCourses: 0 })
    expect((await ownPaths())?.startedAt).toBeGreaterThan(0)
    await moduleStatus(inB.id, m2.id, { status: "Completed", completedAt: Date.now() })
    expect(await ownPaths()).toMatchObject({ status: "In Progress", percent: 50, completedCourses: 1, completedAt: 0 })
    await post("/api/module/progress", { registrationId: inA.id, moduleId: m1.id, status: "Completed" })
    expect(await ownPaths()).toMatchObject({ status: "Completed", percent: 100, completedCourses: 2 })
    expect((await ownPaths())?.completedAt).toBeGreaterThan(0)

    const c = await course()
    await put(`/api/learningpath/${path.id}`, { course_ids: [a.id, b.id, c.id] })
    expect(await ownPaths()).toMatchObject({ status: "Completed", percent: 100, completedCourses: 2 })
    expect((await enroll({ learning_path_ids: [path.id], user_ids: [learner.id] })).body.coursesEnrolled).toBe(1)
    await db.update(enrollments).set({ certificateCount: 2 }).where(eq(enrollments.id, inA.id))
    expect(await ownPaths()).toMatchObject({ certificateCount: 2, status: "Completed" })
    expect((await post("/api/course/reset", { registration_ids: [inA.id] })).status).toBe(200)
    expect(await ownPaths()).toMatchObject({ status: "In Progress", percent: 33, completedCourses: 1, completedAt: 0 })
    await post("/api/course/unenroll", { course_ids: [a.id, b.id, c.id], user_ids: [learner.id] })
    expect(await ownPaths()).toMatchObject({ status: "Not Started", percent: 0, startedAt: 0, certificateCount: 0 })
  })

  it("includes earlier progress in its courses, and updates when a course is removed", async () => {
    const [a, b] = [await course(), await course()]
    const path = await learningPath({}, [a, b])
    const learner = await user()
    await enrollment(learner, a, { status: "Completed", percent: 100, startedAt: DAY, completedAt: 2 * DAY })
    await enroll({ learning_path_ids: [path.id], user_ids: [learner.id] })
    const row = await ownPaths()
    expect(row).toMatchObject({ status: "In Progress", percent: 50, completedCourses: 1 })
    expect(row?.startedAt).toBe(row?.registeredAt)
    await put(`/api/learningpath/${path.id}`, { course_ids: [a.id] })
    expect(await ownPaths()).toMatchObject({ status: "Completed", percent: 100 })
  })

  it("does not decrease when a started course is removed, until another course is reset", async () => {
    const [a, b, c] = [await course(), await course(), await course()]
    const path = await learningPath({}, [a, b])
    const learner = await user()
    await enrollment(learner, a, { status: "Completed", percent: 100, startedAt: DAY, completedAt: 2 * DAY })
    await enroll({ learning_path_ids: [path.id], user_ids: [learner.id] })
    const { startedAt } = (await ownPaths()) ?? {}
    await put(`/api/learningpath/${path.id}`, { course_ids: [b.id, c.id] })
    expect(await ownPaths()).toMatchObject({ status: "In Progress", percent: 50, completedCourses: 0, startedAt })
    const inB = (await rowsOf(enrollments)).find(({ courseId }) => courseId === b.id)
    await db
      .update(enrollments)
      .set({ status: "In Progress", startedAt: DAY })
      .where(eq(enrollments.id, inB?.id ?? 0))
    expect(await ownPaths()).toMatchObject({ status: "In Progress", percent: 50, startedAt })
    await post("/api/course/reset", { registration_ids: [inB?.id] })
    expect(await ownPaths()).toMatchObject({ status: "Not Started", percent: 0, startedAt: 0 })
  })

  it("keeps its start date once it is Completed, even if its courses change", async () => {
    const [a, b] = [await course(), await course()]
    const path = await learningPath({}, [a])
    const learner = await user()
    await enrollment(learner, a, { status: "Completed", percent: 100, startedAt: DAY, completedAt: 2 * DAY })
    await enroll({ learning_path_ids: [path.id], user_ids: [learner.id] })
    const completed = await ownPaths()
    await put(`/api/learningpath/${path.id}`, { course_ids: [b.id] })
    const { id } = await enrollment(learner, b, { status: "In Progress", startedAt: DAY })
    await post("/api/course/reset", { registration_ids: [id] })
    expect(await ownPaths()).toEqual({ ...completed, completedCourses: 0 })
  })
})

describe("GET /api/users/enrolled-learningpaths", () => {
  const list = (parameters = {}, options = {}) =>
    get(`/api/users/enrolled-learningpaths${query({ page_size: 10, page_number: 1, ...parameters })}`, options)

  it("lists a user's paths, and can be sorted by every column and searched", async () => {
    const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    const inside = await course({ estimatedMinutes: 90 })
    const science = await learningPath({ name: "Science", slug: "science", featuredImageUrl: "/s.png" }, [inside])
    const arts = await learningPath({ name: "Arts", type: "private" }, [inside, await course()])
    await pathEnrollment(learner, science, { registeredAt: 2 * DAY })
    await pathEnrollment(learner, arts, {
      status: "Completed",
      percent: 100,
      completedCourses: 2,
      certificateCount: 1,
      registeredAt: DAY,
      startedAt: 3 * DAY,
      completedAt: 4 * DAY,
    })
    const response = await list({}, { token: learner.token })
    expect(cost(response).roundTrips).toBe(1)
    expect(cost(response).read).toBeLessThan(60)
    expect(response.body).toEqual({
      name: "Ada Byron",
      email: "ada@example.com",
      userType: "general",
      avatar: "AB",
      recordsTotal: 2,
      recordsFiltered: 2,
      records: [
        {
          id: 1,
          learningPathId: science.id,
          featuredImageUrl: "/s.png",
          launchSlug: "https://lectern.test/learningpath/science",
          learningPathName: "Science",
          status: "Not Started",
          display_status: "Not Started",
          percentComplete: 0,
          registered_on: "Jan 03, 1970",
          started_on: "Never",
          completed_on: "Never",
          certificateCount: 0,
          totalLPCourses: 1,
          completedLpCourses: 0,
          rating: 0,
          totalEstimatedTime: "1 hour 30 minutes",
          registeredAt: "1970-01-03T00:00:00.000Z",
          startedAt: null,
          completedAt: null,
        },
        {
          id: 2,
          learningPathId: arts.id,
          featuredImageUrl: null,
          launchSlug: `https://lectern.test/learningpath/path-${arts.id}`,
          learningPathName: "Arts",
          status: "Completed",
          display_status: "Completed",
          percentComplete: 100,
          registered_on: "Jan 02, 1970",
          started_on: "Jan 04, 1970",
          completed_on: "Jan 05, 1970",
          certificateCount: 1,
          totalLPCourses: 2,
          completedLpCourses: 2,
          rating: 0,
          totalEstimatedTime: "1 hour 30 minutes",
          registeredAt: "1970-01-02T00:00:00.000Z",
          startedAt: "1970-01-04T00:00:00.000Z",
          completedAt: "1970-01-05T00:00:00.000Z",
        },
      ],
    })
    const names = async (overrides: object) => {
      const { body } = await list({ user_id: learner.id, ...overrides })
      return [body.recordsFiltered, ...body.records.map((row: { learningPathName: string }) => row.learningPathName)]
    }
    expect(await names({ order_by: "learningPathName" })).toEqual([2, "Arts", "Science"])
    for (const column of ["id", "status", "percentComplete", "totalLPCourses", "totalEstimatedTime", "started_on"])
      expect((await names({ order_by: column }))[0], column).toBe(2)
    expect(await names({ search_param: { status: ["Completed"] } })).toEqual([1, "Arts"])
    expect(await names({ search_param: { nameOrEmail: "cien" } })).toEqual([1, "Science"])
    expect(await names({ search_param: { nameOrEmail: "ada@" }, order_by: "id" })).toEqual([2, "Science", "Arts"])
    const { id: portalId } = await portal({ members: [learner.id] })
    expect((await names({ portalId }))[0]).toBe(2)
    expect((await list({ user_id: learner.id, portalId: 99 })).status).toBe(404)
  })

  it("hides them from other users, and requires a user", async () => {
    const learner = await user()
    const other = await signedIn("general")
    expect((await list({ user_id: learner.id }, { token: other.token })).status).toBe(404)
    expect((await list({ user_id: 999 })).status).toBe(404)
    expect((await list()).body.errors).toHaveProperty("user_id")
    const supervisor = await signedIn("group_admin")
    expect((await list({ user_id: learner.id }, { token: supervisor.token })).status).toBe(404)
    await group({ admins: [supervisor.id], members: [learner.id] })
    expect((await list({ user_id: learner.id }, { token: supervisor.token })).status).toBe(200)
  })
})
