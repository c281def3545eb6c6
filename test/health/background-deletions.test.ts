import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { categories, userCategories } from "../../drizzle/schema/categories.ts"
import { classEnrollments, classes, classSessions } from "../../drizzle/schema/classes.ts"
import { courses } from "../../drizzle/schema/courses.ts"
import { customFields, customFieldValues } from "../../drizzle/schema/custom-fields.ts"
import { activities } from "../../drizzle/schema/enrollments.ts"
import { learningPathEnrollments } from "../../drizzle/schema/learning-paths.ts"
import { memberships } from "../../drizzle/schema/memberships.ts"
import { reviews } from "../../drizzle/schema/reviews.ts"
import { ssoProviders, userIdentities } from "../../drizzle/schema/sso.ts"
import { users } from "../../drizzle/schema/users.ts"
import { lowerBatchLimit, restoreBatchLimit, runJobs } from "../factories/background-jobs.ts"
import { category } from "../factories/categories.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { learningPath, pathEnrollment } from "../factories/learning-paths.ts"
import { type Answer, cost, get, post, put } from "../helpers/client.ts"

// Each change writes more rows than the (lowered) batch limit: the response has a job, which completes it.

const MEMBERS = 6
const LIMIT = 10

beforeEach(() => lowerBatchLimit(LIMIT))
afterEach(restoreBatchLimit)

const people = async (input: Parameters<typeof user>[0] = {}) => {
  const ids = []
  for (let n = 0; n < MEMBERS; n++) ids.push(await user(input))
  return ids
}

/** Expects a job in the response and few rows written by the request itself. */
function expectJob(response: Answer, message: string) {
  expect(response.status).toBe(200)
  expect(response.body).toEqual({ message, jobId: expect.any(String) })
  expect(cost(response)).toMatchObject({ roundTrips: 2 })
  expect(cost(response).written).toBeLessThan(40)
}

describe("changes completed by background jobs", () => {
  it("delete the classes of a course with their enrollments", async () => {
    const { id: courseId } = await course()
    const learners = await people()
    for (let n = 0; n < 2; n++) {
      const trainingClass = await classOf({ id: courseId })
      for (const learner of learners) await classEnrollment(learner, trainingClass)
    }
    const otherClass = await classOf()
    await classEnrollment(learners[0] as (typeof learners)[0], otherClass)
    expectJob(
      await post("/api/class/delete-course-classes", { courseId }, await signedIn("staff")),
      "2 classes deleted and 12 enrollments removed.",
    )
    await runJobs()
    expect(await rowsOf(classes)).toMatchObject([{ id: otherClass.id, size: 1 }])
    expect(await rowsOf(classSessions)).toMatchObject([{ classId: otherClass.id }])
    expect(await rowsOf(classEnrollments)).toMatchObject([{ classId: otherClass.id }])
    expect((await rowsOf(auditLogs)).map(({ subject, details }) => [subject, details])).toEqual([
      ["class", { enrollments: MEMBERS }],
      ["class", { enrollments: MEMBERS }],
    ])
  })

  it("delete a class with its enrollments", async () => {
    const trainingClass = await classOf()
    for (const learner of await people()) await classEnrollment(learner, trainingClass)
    const staff = await signedIn("staff")
    expectJob(
      await post("/api/class/delete", { classId: trainingClass.id }, staff),
      "Class deleted, with 6 enrollments.",
    )
    await runJobs()
    expect(await rowsOf(classes)).toEqual([])
  })

  it("delete an expired membership unless a user was assigned it meanwhile", async () => {
    for (const id of [1, 2]) {
      await db.insert(memberships).values({ id, name: `Pass ${id}`, searchText: "pass", createdAt: 1 })
      await people({ membershipId: id, membershipExpiresAt: 1 })
    }
    const admin = await signedIn("admin")
    expectJob(await post("/api/membership/delete", { delete_ids: [1, 2] }, admin), "2 memberships deleted.")
    const holder = await user({ membershipId: 2 })
    await runJobs()
    expect(await rowsOf(memberships)).toMatchObject([{ id: 2 }])
    const members = (await rowsOf(users)).filter(({ membershipId }) => membershipId !== null)
    expect(members.map(({ id }) => id)).toEqual([holder.id])
  })

  it("remove users from a deleted category, which is hidden immediately", async () => {
    const { id } = await category({ type: "user" })
    const members = await people()
    for (const { id: userId } of members) await db.insert(userCategories).values({ userId, categoryId: id })
    const staff = await signedIn("staff")
    expectJob(await post("/api/category/delete", { delete_ids: [id] }, staff), "1 category deleted.")
    expect((await get(`/api/category/${id}`, staff)).status).toBe(404)
    expect(await rowsOf(userCategories)).toHaveLength(MEMBERS)
    await runJobs()
    expect(await rowsOf(userCategories)).toEqual([])
    expect(await rowsOf(categories)).toMatchObject([{ id, deletedAt: expect.any(Number) }])
  })

  it("delete the values of a custom field, which is hidden immediately", async () => {
    const admin = await signedIn("admin")
    const fields = ["Town", "Team"].map((label) => ({ type: "text", label }))
    expect((await put("/api/users/customUserFields", { fields }, admin)).status).toBe(200)
    const [town, team] = await rowsOf(customFields)
    for (const { id: userId } of await people())
      for (const field of [town, team])
        await db.insert(customFieldValues).values({ userId, fieldId: field?.id ?? 0, value: "x" })
    expectJob(
      await put("/api/users/customUserFields", { fields: fields.slice(1) }, admin),
      "Custom fields saved: 0 added, 1 changed, 1 deleted.",
    )
    expect((await get("/api/users/customUserFields", admin)).body.fields).toMatchObject([{ label: "Team" }])
    await runJobs()
    const values = await rowsOf(customFieldValues)
    expect(values).toHaveLength(MEMBERS)
    expect(new Set(values.map(({ fieldId }) => fieldId))).toEqual(new Set([team?.id]))
  })

  it("recount the enrollments of a learning path that lost a course", async () => {
    const [one, two] = [await course(), await course()]
    const path = await learningPath({}, [one, two])
    for (const learner of await people()) {
      await pathEnrollment(learner, path)
      await enrollment(learner, one, { status: "Completed", percent: 100, startedAt: 1, completedAt: 2 })
    }
    const staff = await signedIn("staff")
    const response = await put(`/api/learningpath/${path.id}`, { course_ids: [one.id] }, staff)
    expectJob(response, "Learning path updated.")
    expect((await rowsOf(learningPathEnrollments)).map(({ percent }) => percent)).toEqual(Array(MEMBERS).fill(50))
    await runJobs()
    expect((await rowsOf(learningPathEnrollments)).map(({ status, percent }) => `${percent} ${status}`)).toEqual(
      Array(MEMBERS).fill("100 Completed"),
    )
  })

  it("delete a course with its reviews and keep its name in the history", async () => {
    const { id: courseId } = await course({ name: "Algebra" })
    for (const { id: userId } of await people()) {
      await db.insert(reviews).values({ id: userId, userId, courseId, rating: 4, createdAt: 1 })
      await db.insert(activities).values({ userId, verb: "ENROLLED", courseId, createdAt: 1 })
    }
    expectJob(
      await post("/api/course/delete", { delete_ids: [courseId] }, await signedIn("staff")),
      "1 course deleted.",
    )
    await runJobs()
    expect(await rowsOf(courses)).toEqual([])
    expect(await rowsOf(reviews)).toEqual([])
    expect(new Set((await rowsOf(activities)).map(({ courseId, courseName }) => `${courseId} ${courseName}`))).toEqual(
      new Set(["null Algebra"]),
    )
  })

  it("delete the links of a login provider, which is inactive meanwhile", async () => {
    const admin = await signedIn("admin")
    const input = { name: "Corp", issuer: "https://a.example.com", clientId: "c", domains: [], create: true }
    const { body } = await post("/api/sso-provider/create", input, admin)
    for (const { id: userId } of await people())
      await db.insert(userIdentities).values({ providerId: body.id, subject: `s${userId}`, userId, createdAt: 1 })
    const path = `/api/sso-provider/${body.id}`
    expectJob(await put(path, { issuer: "https://b.example.com" }, admin), "Provider updated.")
    expect((await get(path, admin)).body.active).toBe(false)
    await runJobs()
    expect(await rowsOf(userIdentities)).toEqual([])
    expect((await get(path, admin)).body.active).toBe(true)
  })

  it("delete a login provider, which signs nobody in anymore", async () => {
    const admin = await signedIn("admin")
    const input = { name: "Corp", issuer: "https://a.example.com", clientId: "c", domains: [], create: true }
    const { body } = await post("/api/sso-provider/create", input, admin)
    for (const { id: userId } of await people())
      await db.insert(userIdentities).values({ providerId: body.id, subject: `s${userId}`, userId, createdAt: 1 })
    expectJob(await post("/api/sso-provider/delete", { delete_ids: [body.id] }, admin), "1 sso provider deleted.")
    expect(await rowsOf(ssoProviders)).toMatchObject([{ active: false }])
    await runJobs()
    expect(await rowsOf(ssoProviders)).toEqual([])
  })
})
