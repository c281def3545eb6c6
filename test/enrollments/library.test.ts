import { eq } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { categories } from "../../drizzle/schema/categories.ts"
import { courseCategories, courses } from "../../drizzle/schema/courses.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { learningPathEnrollments } from "../../drizzle/schema/learning-paths.ts"
import { membershipCourses } from "../../drizzle/schema/membership-courses.ts"
import { users } from "../../drizzle/schema/users.ts"
import { manyUsers } from "../factories/exports.ts"
import { db, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { learningPath, pathEnrollment } from "../factories/learning-paths.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"
import { iso } from "../helpers/times.ts"

const paging = { page_size: 10, page_number: 1 }

describe("the learning paths of the library", () => {
  const list = (parameters = {}, options = {}) =>
    get(`/api/users/portalLearningPaths${query({ ...paging, ...parameters })}`, options)

  it("returns public paths and the caller's paths, with the caller's progress", async () => {
    const learner = await signedIn("general")
    const inside = await course({ estimatedMinutes: 45, ratingSum: 14, ratingCount: 3 })
    const open = await learningPath({ name: "Open", featuredImageUrl: "/o.png", slug: "open" }, [inside])
    const ownPath = await learningPath({ name: "Own", type: "private" }, [inside])
    await learningPath({ name: "Hidden", type: "private" })
    await learningPath({ name: "Another" })
    await pathEnrollment(learner, ownPath, {
      status: "In Progress",
      percent: 50,
      completedCourses: 1,
      certificateCount: 2,
    })
    const response = await list({}, { token: learner.token })
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toMatchObject({ totalRecords: 3, recordsFiltered: 3 })
    expect(response.body.learningPaths.slice(1)).toEqual([
      {
        id: open.id,
        learningPathId: open.id,
        type: "public",
        learningPathName: "Open",
        featureImage: "/o.png",
        display_status: "Not Started",
        percentComplete: 0,
        isEnrolled: false,
        certificateCount: 0,
        launchSlug: "https://lectern.test/learningpath/open",
        totalLPCourses: 1,
        completedLpCourses: 0,
        rating: 4.67,
        totalEstimatedTime: "45 minutes",
      },
      {
        id: ownPath.id,
        learningPathId: ownPath.id,
        type: "private",
        learningPathName: "Own",
        featureImage: null,
        display_status: "In Progress",
        percentComplete: 50,
        isEnrolled: true,
        certificateCount: 2,
        launchSlug: `https://lectern.test/learningpath/path-${ownPath.id}`,
        totalLPCourses: 1,
        completedLpCourses: 1,
        rating: 4.67,
        totalEstimatedTime: "45 minutes",
      },
    ])
    const names = async (overrides: object, options: object = { token: learner.token }) => {
      const { body } = await list(overrides, options)
      const found = body.learningPaths.map((row: { learningPathName: string }) => row.learningPathName)
      return [body.totalRecords, body.recordsFiltered, ...found]
    }
    expect(await names({ search_param: { status: ["In Progress"] } })).toEqual([3, 1, "Own"])
    expect(await names({ search_param: { status: ["Not Started"] } })).toEqual([3, 2, "Another", "Open"])
    expect(await names({ search_param: { name: "oth" } })).toEqual([3, 1, "Another"])
    expect(await names({ search_param: { name: "hid" } })).toEqual([3, 0])
    expect(await names({ search_param: { name: "o", status: ["Not Started", "Completed"] } })).toEqual([
      3,
      2,
      "Another",
      "Open",
    ])
    for (const order_by of ["id", "type", "totalLPCourses", "totalEstimatedTime", "learningPathId"])
      expect(await names({ order_by }), order_by).toHaveLength(5)
    expect(await names({ order_by: "learningPathName" }, {})).toEqual([4, 4, "Another", "Hidden", "Open", "Own"])
    const { id: portalId } = await portal({ members: [learner.id] })
    expect(await names({ portalId })).toHaveLength(5)
    expect((await list({ portalId: 99 }, { token: learner.token })).status).toBe(404)
    const shelf = await get("/api/users/library-learningpaths", { token: learner.token })
    expect(cost(shelf).roundTrips).toBe(1)
    expect(shelf.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 3 })
    expect(shelf.body.records[1]).toMatchObject({
      learningPathName: "Open",
      status: "Not Started",
      featuredImageUrl: "/o.png",
    })
    expect((await get("/api/users/library-learningpaths")).status).toBe(302)
  })

  it("reads a page at constant cost", async () => {
    const learner = await signedIn("general")
    for (let index = 0; index < 60; index++) await learningPath({ name: `Path ${index}` })
    for (const search_param of [{}, { status: ["Not Started"] }]) {
      const response = await list({ search_param }, { token: learner.token })
      expect(response.body.recordsFiltered).toBe(60)
      expect(cost(response).read).toBeLessThan(100)
    }
  })
})

describe("the courses of the library", () => {
  it("returns published courses with the caller's enrollment to signed-in users only", async () => {
    const learner = await signedIn("general")
    const author = await user({ firstName: "Emmy", lastName: "Noether" })
    const inside = await module()
    const algebra = await course(
      {
        name: "Algebra",
        slug: "algebra",
        authorId: author.id,
        estimatedMinutes: 60,
        enableCourseRating: true,
        createdAt: 0,
      },
      [{ moduleId: inside.id }],
    )
    await course({ name: "Biology" })
    await course({ name: "Draft", status: "draft" })
    const registration = await enrollment(learner, algebra, { status: "In Progress", percent: 40 })
    await db.insert(categories).values({
      id: 7,
      name: "Maths",
      type: "course",
      createdAt: 0,
      updatedAt: 0,
    } as typeof categories.$inferInsert)
    await db.insert(courseCategories).values({ courseId: algebra.id, categoryId: 7 })
    const list = (parameters = {}) => get(`/api/users/library-courses${query(parameters)}`, { token: learner.token })
    const response = await list()
    expect(cost(response).roundTrips).toBe(1)
    expect(response.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2 })
    expect(response.body.records[0]).toEqual({
      id: algebra.id,
      courseName: "Algebra",
      courseSlug: "https://lectern.test/course/algebra",
      featuredImageUrl: null,
      selfEnroll: false,
      enrollmentKeyRequired: false,
      categories: "Maths",
      author: "Emmy Noether",
      totalModules: 1,
      estimatedCompletionTime: "1 hour",
      enableCourseRating: true,
      rating: 0,
      prerequisites: [],
      isEnrolled: true,
      registrationId: registration.id,
      status: "In Progress",
      percentComplete: 40,
      created_at: "Jan 01, 1970",
      createdAt: iso(0),
    })
    expect(response.body.records[1]).toMatchObject({ isEnrolled: false, registrationId: null, status: null })
    expect((await list({ search_param: { courseName: "bio" } })).body).toMatchObject({
      recordsTotal: 2,
      recordsFiltered: 1,
    })
    expect((await list({ search_param: { courseCategoryIds: [7] } })).body.recordsFiltered).toBe(1)
    for (const order_by of ["id", "courseSlug", "created_at"])
      expect((await list({ order_by })).body.records).toHaveLength(2)
    expect((await list({ portalId: 9 })).status).toBe(404)
    const stranger = await get("/api/users/library-courses")
    expect(stranger.status).toBe(302)
    expect(stranger.headers.get("location")).toContain("/login")
  })
})

describe("the content of a membership", () => {
  const list = (parameters = {}, options = {}) =>
    get(`/api/membership/user-contents${query({ ...paging, ...parameters })}`, options)

  it("returns the published courses and their modules while the membership is active", async () => {
    const inside = await module({ name: "Limits", content: "<p>Cauchy</p>" })
    const algebra = await course({ name: "Algebra", content: "<p>Rings</p>", createdAt: 0 }, [{ moduleId: inside.id }])
    const biology = await course({ name: "Biology" }, [{ moduleId: inside.id }, {}])
    const draft = await course({ status: "draft" }, [{}])
    const created = await post("/api/membership/create", { name: "Gold", course_ids: [algebra.id, draft.id] })
    expect((await get(`/api/membership/${created.body.id}`)).body.course_ids).toEqual([algebra.id, draft.id])
    const learner = await signedIn("general", { membershipId: created.body.id })
    const { token } = learner
    const response = await list({}, { token })
    expect(cost(response).roundTrips).toBe(1)
    // The total counts courses and modules.
    expect(response.body).toEqual({
      recordsTotal: 2,
      recordsFiltered: 1,
      records: [
        {
          id: algebra.id,
          name: "Algebra",
          slug: algebra.slug,
          type: "course",
          description: "<p>Rings</p>",
          featuredImageUrl: null,
          created_at: "Jan 01, 1970",
          createdAt: iso(0),
        },
      ],
    })
    const names = async (overrides: object, options: object = { token }) =>
      (await list(overrides, options)).body.records.map((row: { name: string }) => row.name)
    expect(await names({ search_param: { type: "modules" } })).toEqual(["Limits"])
    expect(await names({ search_param: { nameOrDescription: "RINGS" } })).toEqual(["Algebra"])
    expect(await names({ search_param: { nameOrDescription: "geb" } })).toEqual(["Algebra"])
    expect(await names({ search_param: { nameOrDescription: "fields" } })).toEqual([])
    expect(await names({ search_param: { type: "modules", nameOrDescription: "cauchy" } })).toEqual(["Limits"])
    await put(`/api/membership/${created.body.id}`, { course_ids: [biology.id] })
    expect(await names({})).toEqual(["Biology"])
    expect((await names({ search_param: { type: "modules" } })).length).toBe(2)
    expect(await names({ user_id: learner.id }, {})).toEqual(["Biology"])
    const { id: portalId } = await portal({ members: [learner.id] })
    expect(await names({ portalId })).toEqual(["Biology"])
    expect((await list({ portalId: 99 }, { token })).status).toBe(404)
    expect((await list({ group_id: 99, search_param: { type: "modules" } }, { token })).status).toBe(404)
    expect(await names({}, {})).toEqual(["Biology"])
    await db.update(users).set({ membershipExpiresAt: 1 }).where(eq(users.id, learner.id))
    expect(await names({})).toEqual([])
    const other = await signedIn("general")
    expect((await list({ user_id: learner.id }, { token: other.token })).status).toBe(404)
    expect((await list({ search_param: { type: "quizzes" } })).status).toBe(422)
    expect((await list({ search_param: { type: "modules" }, user_id: 999 })).status).toBe(404)
    expect((await post("/api/membership/create", { name: "X", course_ids: [99] })).body.errors).toHaveProperty(
      "course_ids",
    )
    expect((await put(`/api/membership/${created.body.id}`, { course_ids: [99] })).body.errors).toHaveProperty(
      "course_ids",
    )
    await put(`/api/membership/${created.body.id}`, { course_ids: [] })
    expect(await rowsOf(membershipCourses)).toEqual([])
  })

  it("searches the text of descriptions in any case and script, but not the markup", async () => {
    const created = await post("/api/course/create", {
      name: "Medicine",
      status: "publish",
      content: "<p>Für <b>Ä</b>rzte &amp; Pflege</p><p>Заочно</p>",
    })
    const { body } = await post("/api/membership/create", { name: "Care", course_ids: [created.body.id] })
    const { token } = await signedIn("general", { membershipId: body.id })
    const found = async (nameOrDescription: string) =>
      (await list({ search_param: { nameOrDescription } }, { token })).body.recordsFiltered
    for (const term of ["ärzte", "ÄRZTE & pf", "заочно", "pflege заочно", "medi"])
      expect(await found(term), term).toBe(1)
    for (const markup of ["<b>", "amp;", "/p", "pflegeза"]) expect(await found(markup), markup).toBe(0)
    await put(`/api/course/${created.body.id}`, { content: "<p>Nurses</p>" })
    expect([await found("ärzte"), await found("nurses")]).toEqual([0, 1])
  })

  it("enrolls users in its courses in two round trips when it is assigned", async () => {
    const [a, b] = [await course(), await course()]
    const { body } = await post("/api/membership/create", { name: "Gold", course_ids: [a.id, b.id] })
    const learner = await user()
    await enrollment(learner, a)
    const given = await put(`/api/user/${learner.id}/update-membership`, { id: body.id })
    expect(given.status).toBe(200)
    expect(cost(given).roundTrips).toBe(2)
    expect((await rowsOf(enrollments)).map((row) => row.courseId)).toEqual([a.id, b.id])
    await post("/api/course/unenroll", { course_ids: [b.id], user_ids: [learner.id] })
    await put(`/api/user/${learner.id}/update-membership`, { id: body.id })
    expect(await rowsOf(enrollments)).toHaveLength(2)
    await post("/api/course/unenroll", { course_ids: [b.id], user_ids: [learner.id] })
    const revoked = await put(`/api/user/${learner.id}/update-membership`, { id: body.id, expired_at: "2001-01-01" })
    expect(revoked.body.message).toBe("Membership Gold revoked.")
    expect(await rowsOf(enrollments)).toHaveLength(1)
    await db.update(courses).set({ totalSeats: 1 }).where(eq(courses.id, a.id))
    const full = await put(`/api/user/${(await user()).id}/update-membership`, { id: body.id })
    expect(full.status).toBe(409)
  })
})

describe("a quick edit", () => {
  const edit = (body: object, options = {}) => post("/api/user/quickEdit", { disabled: false, ...body }, options)

  it("assigns a membership, paths and courses to 500 users in two round trips, with correct counts", async () => {
    const admin = await signedIn("admin")
    await manyUsers(500, 1000)
    const ids = Array.from({ length: 500 }, (_, i) => 1001 + i)
    const [a, b, c] = [await course(), await course(), await course()]
    const path = await learningPath({}, [a, b])
    const membership = await post("/api/membership/create", {
      name: "Gold",
      expiresAfterDays: 30,
      course_ids: [b.id, c.id],
    })
    const body = {
      user_ids: [...ids, 9999],
      course_ids: [a.id],
      learning_path_ids: [path.id, 99],
      enrollMembershipId: membership.body.id,
    }
    const response = await edit(body, { token: admin.token })
    expect(response.body.message).toBe(
      [
        "0 users enabled. 500 were enabled already. 1 skipped: unknown, or not yours to change.",
        "Membership Gold given to 500 users.",
        "500 path enrollments made. 1500 enrollments made. 1 unknown learning path skipped.",
      ].join(" "),
    )
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(enrollments)).toHaveLength(1500)
    expect(await rowsOf(learningPathEnrollments)).toHaveLength(500)
    const first = (await rowsOf(users)).find((row) => row.id === 1001)
    expect(first?.membershipId).toBe(membership.body.id)
    expect(first?.membershipExpiresAt).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    const given = (await rowsOf(auditLogs)).filter((row) => row.subject === "user" && "membershipId" in row.details)
    expect(given).toHaveLength(500)
    expect((await edit(body)).body.message).toContain("0 path enrollments made. 0 enrollments made.")
  })

  it("changes only the portal's members, and only administrators assign memberships", async () => {
    const staff = await signedIn("staff")
    const [inside, outside] = [await user(), await user()]
    const { id: portalId } = await portal({ members: [inside.id] })
    const row = await course()
    const body = { user_ids: [inside.id, outside.id], course_ids: [row.id], disabled: true, portalId }
    const response = await edit(body, { token: staff.token })
    expect(response.body.message).toBe(
      "1 user disabled. 1 skipped: unknown, or not yours to change. 1 enrollment made.",
    )
    expect((await rowsOf(enrollments)).map((found) => found.userId)).toEqual([inside.id])
    const membership = await post("/api/membership/create", { name: "Gold" })
    const giving = { user_ids: [inside.id], enrollMembershipId: membership.body.id }
    expect((await edit(giving, { token: staff.token })).status).toBe(403)
    expect((await edit({ ...giving, enrollMembershipId: 99 })).body.errors).toHaveProperty("enrollMembershipId")
  })
})
