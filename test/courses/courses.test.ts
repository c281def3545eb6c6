import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { type CategoryType, categories } from "../../drizzle/schema/categories.ts"
import { courseCategories, courseModules, courses } from "../../drizzle/schema/courses.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../drizzle/schema/groups.ts"
import { db, group, nextId, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const list = (parameters = {}, options = {}) =>
  get(`/api/courses/tabularlist${query({ page_size: 10, page_number: 1, ...parameters })}`, options)

async function category(name: string, type: CategoryType = "course") {
  const id = await nextId("categories")
  await db.insert(categories).values({ id, name, type, createdAt: 1, updatedAt: 1 })
  return id
}

describe("courses", () => {
  it("can be created, read, updated and listed with the expected number of round trips", async () => {
    const author = await user({ firstName: "Ada", lastName: "Byron" })
    const [first, second] = [await module({ name: "One" }), await module({ name: "Two", type: "video" })]
    const science = await category("Science")
    const created = await post("/api/course/create", {
      name: "Linear Algebra",
      status: "publish",
      content: "<p>Vectors<script>x</script></p>",
      authorId: author.id,
      categoryIds: [science],
      estimatedMinutes: 90,
      modules: [
        { module_id: second.id, isLocked: true, dripDays: 2, minTimeSpent: 60 },
        { module_id: first.id, required: false },
      ],
    })
    expect(created.body).toEqual({ id: 1, message: "Course created." })
    expect(cost(created).roundTrips).toBe(2)

    const read = await get("/api/course/1")
    expect(read.body).toMatchObject({
      slug: "linear-algebra",
      status: "publish",
      content: "<p>Vectors&lt;script&gt;x&lt;/script&gt;</p>",
      author: "Ada Byron",
      categories: "Science",
      categoryIds: [science],
      usedSeats: 0,
      modules: [
        { module_id: second.id, type: "video", required: true, isLocked: true, dripDays: 2, minTimeSpent: 60 },
        { module_id: first.id, type: "text", required: false, isLocked: false },
      ],
    })
    expect(cost(read).roundTrips).toBe(1)
    expect(await rowsOf(courses)).toMatchObject([{ moduleCount: 2, goal: 1 }])

    const changed = await put("/api/course/1", { name: "Algebra", modules: `[{"module_id":${first.id}}]` })
    expect(changed.body).toEqual({ message: "Course updated." })
    expect(cost(changed).roundTrips).toBe(2)
    expect(await rowsOf(courseModules)).toMatchObject([
      { moduleId: first.id, position: 1, required: true, counts: true },
    ])
    expect(await rowsOf(courses)).toMatchObject([{ name: "Algebra", slug: "linear-algebra", moduleCount: 1, goal: 1 }])

    const listed = await list({
      search_param: { courseName: "GEBRA", courseCategoryIds: [science], status: "publish" },
    })
    expect(listed.body).toMatchObject({
      recordsTotal: 1,
      recordsFiltered: 1,
      records: [{ id: 1, name: "Algebra", categories: "Science", author: "Ada Byron", status: "publish" }],
    })
    expect(cost(listed).roundTrips).toBe(1)
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.effectOn])).toEqual([
      ["created", "Linear Algebra"],
      ["updated", "Algebra"],
    ])
  })

  it("writes nothing when a response is sent back, even after one of its categories was deleted", async () => {
    const [science, history] = [await category("Science"), await category("History")]
    const links = [
      { module_id: (await module()).id, dripDays: 2 },
      { module_id: (await module()).id, required: false },
    ]
    const made = {
      name: "Algebra",
      categoryIds: [science, history],
      modules: links,
      estimatedMinutes: 5,
      totalSeats: 3,
    }
    await post("/api/course/create", made)
    await post("/api/category/delete", { delete_ids: [history] })
    const { body } = await get("/api/course/1")
    expect(body.categoryIds).toEqual([science])
    for (const changes of [body, { ...body, categoryIds: `${science}` }, { categoryIds: null, modules: "" }]) {
      const response = await put("/api/course/1", changes)
      expect(response.status).toBe(200)
      expect(cost(response).written).toBe(0)
    }
    await put("/api/course/1", { estimatedMinutes: null, totalSeats: "", certificateTemplateId: 0, categoryIds: [] })
    expect((await get("/api/course/1")).body).toMatchObject({ estimatedMinutes: 0, totalSeats: 0, categoryIds: [] })
    await put("/api/course/1", { modules: body.modules.reverse() })
    expect((await get("/api/course/1")).body.modules).toMatchObject([{ required: false }, { dripDays: 2 }])
  })

  it("rejects a slug in use, unknown references and a duplicate module, and writes nothing", async () => {
    await course({ slug: "taken" })
    const { id } = await module()
    const cases: [object, string][] = [
      [{ slug: "taken" }, "slug"],
      [{ slug: "two words" }, "slug"],
      [{ categoryIds: [99] }, "categoryIds"],
      [{ categoryIds: [await category("People", "user")] }, "categoryIds"],
      [{ modules: [{ module_id: 99 }] }, "modules"],
      [{ modules: [{ module_id: id }, { module_id: id }] }, "modules"],
      [{ authorId: 99 }, "authorId"],
      [{ status: "open" }, "status"],
      [{ featuredImageUrl: "javascript:alert(1)" }, "featuredImageUrl"],
      [{ name: "" }, "name"],
    ]
    for (const [input, field] of cases) {
      const response = await post("/api/course/create", { name: "New", ...input })
      expect([response.status, Object.keys(response.body.errors)], field).toEqual([422, [field]])
    }
    expect(await rowsOf(courses)).toHaveLength(1)
    expect(await rowsOf(auditLogs)).toEqual([])
  })

  it("generates unique slugs for courses created concurrently with the same name", async () => {
    const { id } = await course({ name: "Botany" })
    const created = await Promise.all(
      [1, 2, 3, 4].flatMap(() => [
        post("/api/course/create", { name: "Algebra" }),
        post("/api/modules/text", { name: "Algebra", content: "x" }),
        post("/api/learningpath/create", { name: "Algebra", course_ids: [id] }),
      ]),
    )
    expect(created.map((response) => response.status)).toEqual(Array(12).fill(200))
    const slugs = (await rowsOf(courses)).map((row) => row.slug)
    expect(slugs).toContain("algebra")
    expect(new Set(slugs).size).toBe(5)
  })

  it("deletes courses without enrollments and counts the others", async () => {
    const [used, unused] = [await course(), await course({}, [{}])]
    await enrollment(await user(), used)
    const response = await post("/api/course/delete", { delete_ids: [used.id, unused.id, 999] })
    expect(response.body.message).toBe(
      "1 course deleted. 1 not deleted: they have enrollments or classes, or are part of a learning " +
        "path. 1 id unknown.",
    )
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(courses)).toMatchObject([{ id: used.id }])
    expect(await rowsOf(courseModules)).toEqual([])
    expect((await list()).body.recordsTotal).toBe(1)
  })

  it("hides drafts from learners and supervisors", async () => {
    const draft = await course({ status: "draft" })
    const open = await course()
    const [learner, supervisor] = [await signedIn("general"), await signedIn("group_admin")]
    for (const { token } of [learner, supervisor]) {
      expect((await get(`/api/course/${draft.id}`, { token })).status).toBe(404)
      expect((await get(`/api/course/${open.id}`, { token })).status).toBe(200)
    }
    expect((await list({}, { token: supervisor.token })).body).toMatchObject({
      recordsTotal: 1,
      records: [{ id: open.id }],
    })
    expect((await list({ search_param: { status: "draft" } }, { token: supervisor.token })).body.recordsFiltered).toBe(
      0,
    )
    expect((await list({ search_param: { status: "draft" } })).body).toMatchObject({
      recordsTotal: 2,
      recordsFiltered: 1,
    })
    expect((await list({}, { token: learner.token })).status).toBe(403)
    expect((await post("/api/course/create", { name: "X" }, { token: supervisor.token })).status).toBe(403)
  })

  it("filters by categories in every list format, and ignores an empty list", async () => {
    const science = await category("Science")
    const inside = await course({ name: "Algebra" })
    await course({ name: "Botany" })
    await db.insert(courseCategories).values({ courseId: inside.id, categoryId: science })
    const filtered = async (search: string) =>
      (await get(`/api/courses/tabularlist?page_size=5&page_number=1&${search}`)).body.recordsFiltered
    for (const ids of [[science], [`${science}`], `[${science}]`, `${science},99`, science])
      expect(await filtered(query({ search_param: { courseCategoryIds: ids } }).slice(1)), JSON.stringify(ids)).toBe(1)
    for (const key of ["search_param[courseCategoryIds][]", "search_param[courseCategoryIds][0]"])
      expect(await filtered(`${encodeURIComponent(key)}=${science}`), key).toBe(1)
    for (const none of [[], "[]", " [ ] ", [""], "", null])
      expect(await filtered(query({ search_param: { courseCategoryIds: none } }).slice(1)), JSON.stringify(none)).toBe(
        2,
      )
    for (const none of ["null", "[]", "", "{}"]) expect(await filtered(`search_param=${none}`), none).toBe(2)
    const broken = await get("/api/courses/tabularlist?page_size=5&page_number=1&search_param=%7Bbad")
    expect(broken.body.errors).toEqual({ search_param: ["search_param must be an object."] })
  })

  it("limits the list of a group or portal to its administrators", async () => {
    const [admin, other] = [await signedIn("group_admin"), await signedIn("group_admin")]
    const { id: groupId } = await group({ admins: [admin.id] })
    const learner = await user()
    const { id: portalId } = await portal({ admins: [admin.id], members: [learner.id] })
    const [seated, enrolledCourse] = [await course(), await course()]
    await db.insert(groupCourseSeats).values({ groupId, courseId: seated.id, totalSeats: 5 })
    await enrollment(learner, enrolledCourse)
    const ids = async (overrides: object, options = {}) => {
      const { body } = await list(overrides, options)
      expect(body.recordsTotal).toBe(body.records.length)
      return body.records.map((row: { id: number }) => row.id)
    }
    for (const options of [{}, { token: admin.token }]) {
      expect(await ids({ group_id: groupId }, options)).toEqual([seated.id])
      expect(await ids({ portalId }, options)).toEqual([enrolledCourse.id])
    }
    expect((await list({ group_id: groupId }, { token: other.token })).status).toBe(404)
    expect((await list({ portalId }, { token: other.token })).status).toBe(404)
    expect((await list({ group_id: 99 })).status).toBe(404)
  })

  it("hides drafts from supervisors without learners or seats in them", async () => {
    const draft = await course({ status: "draft", name: "Secret plans" })
    const [supervisor, learner] = [await signedIn("group_admin"), await signedIn("general")]
    const { id: groupId } = await group({ admins: [supervisor.id], members: [learner.id] })
    const paths = [
      `/api/course/enrolled-students${query({ course_id: draft.id, group_id: "", page_size: 5, page_number: 1 })}`,
      `/api/course/reports/course-detailed${query({ course_id: draft.id, page_size: 5 })}`,
      `/api/course/submissions${query({ course_id: draft.id, page_size: 5, page_number: 1 })}`,
      `/api/courses/locations/lookup${query({ course_id: draft.id })}`,
    ]
    const statuses = (token: string) => Promise.all(paths.map(async (path) => (await get(path, { token })).status))
    expect(await statuses(supervisor.token)).toEqual([404, 404, 404, 404])
    expect(await statuses((await signedIn("staff")).token)).toEqual([200, 200, 200, 200])
    await db.insert(groupCourseSeats).values({ groupId, courseId: draft.id, totalSeats: 5 })
    expect(await statuses(supervisor.token)).toEqual([200, 200, 200, 200])
    await db.delete(groupCourseSeats)
    expect(await statuses(learner.token)).toEqual([403, 403, 403, 404])
    await enrollment(learner, draft)
    expect(await statuses(supervisor.token)).toEqual([200, 200, 200, 200])
    expect(await statuses(learner.token)).toEqual([403, 403, 403, 200])
  })

  it("never decreases a percentage or undoes Completed when modules change", async () => {
    const [a, b, c] = [await module(), await module(), await module()]
    const row = await course({}, [{ moduleId: a.id }, { moduleId: b.id }])
    const [done, half] = [await enrollment(await user(), row), await enrollment(await user(), row)]
    for (const moduleId of [a.id, b.id]) await moduleStatus(done.id, moduleId, { status: "Completed" })
    await moduleStatus(half.id, a.id, { status: "Completed" })
    const states = async () => (await rowsOf(enrollments)).map((e) => [e.status, e.percent, e.done])
    const set = (...ids: number[]) => put(`/api/course/${row.id}`, { modules: ids.map((id) => ({ module_id: id })) })
    await set(a.id, b.id, c.id)
    expect(await states()).toEqual([
      ["Completed", 100, 2],
      ["In Progress", 50, 1],
    ])
    await set(b.id, c.id)
    expect(await states()).toEqual([
      ["Completed", 100, 1],
      ["In Progress", 50, 0],
    ])
    await set(a.id)
    expect(await states()).toEqual([
      ["Completed", 100, 1],
      ["Completed", 100, 1],
    ])
    const overview = await get("/api/course/reports/overview")
    expect(overview.body).toMatchObject({ totalCompleted: [2], totalInProgress: [0], sumCompleted: 2 })
  })
})

describe("GET /api/courses/dropdownlist", () => {
  it("lists a group's courses with their seats for the group's administrators", async () => {
    const admin = await signedIn("group_admin")
    const member = await user()
    const { id: groupId } = await group({ admins: [admin.id], members: [member.id] })
    const [with1, without] = [await course({ name: "Seated" }), await course()]
    await enrollment(member, with1, { groupId })
    await db.insert(groupCourseSeats).values({ groupId, courseId: with1.id, totalSeats: 5 })
    const path = `/api/courses/dropdownlist?group_id=${groupId}`
    const response = await get(path, { token: admin.token })
    expect(response.body).toEqual([{ id: with1.id, name: "Seated", used_seats: 1, total_seats: 5 }])
    expect(cost(response).roundTrips).toBe(1)
    await enrollment(await user(), without, { groupId })
    expect((await get(path)).body).toHaveLength(1)
    expect((await get("/api/courses/dropdownlist")).body.errors).toHaveProperty("group_id")
    expect((await get("/api/courses/dropdownlist?group_id=99")).status).toBe(404)
    const other = await signedIn("group_admin")
    expect((await get(path, { token: other.token })).status).toBe(404)
  })
})

describe("GET /api/course/reports/overview", () => {
  it("counts all learners for staff, a group's members, and a supervisor's learners", async () => {
    const supervisor = await signedIn("group_admin")
    const [mine, theirs] = [await user(), await user()]
    const { id: groupId } = await group({ admins: [supervisor.id], members: [mine.id] })
    await course({ name: "B" })
    const a = await course({ name: "a" })
    await enrollment(mine, a, { status: "Completed", completedAt: 5 })
    await enrollment(theirs, a)
    const path = "/api/course/reports/overview"
    const all = await get(path)
    expect(all.body).toEqual({
      labels: ["a", "B"],
      totalNotStarted: [1, 0],
      totalInProgress: [0, 0],
      totalCompleted: [1, 0],
      sumNotStarted: 1,
      sumInProgress: 0,
      sumCompleted: 1,
    })
    expect(cost(all).roundTrips).toBe(1)
    const expectedStatistics = { labels: ["a"], totalCompleted: [1], totalNotStarted: [0], sumNotStarted: 0 }
    expect((await get(path, { token: supervisor.token })).body).toMatchObject(expectedStatistics)
    expect((await get(`${path}?group_id=${groupId}`)).body).toMatchObject(expectedStatistics)
    expect((await get(`${path}?group_id=${groupId}`, { token: supervisor.token })).body).toMatchObject(
      expectedStatistics,
    )
    expect((await get(`${path}?group_id=99`)).status).toBe(404)
    const { id: foreign } = await group({ members: [theirs.id] })
    expect((await get(`${path}?group_id=${foreign}`, { token: supervisor.token })).status).toBe(404)
  })
})
