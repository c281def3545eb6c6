import { beforeEach, describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { courses } from "../../drizzle/schema/courses.ts"
import { reviews } from "../../drizzle/schema/reviews.ts"
import { rowsOf, signedIn, type UserRow, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"
import { anyIsoTime } from "../helpers/times.ts"

const create = (input = {}, options = {}) =>
  post("/api/review/create", { courseId: 5, rating: 4, text: "Clear.", ...input }, options)
const list = (input = {}, options = {}) =>
  get(`/api/review/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`, options)
const rated = async () => (await rowsOf(courses)).find((row) => row.id === 5)

beforeEach(async () => {
  for (const id of [5, 6]) await course({ id })
})

/** Enrolls a user in the courses. */
async function enrolled<U extends UserRow>(who: U | Promise<U>): Promise<U> {
  const row = await who
  for (const id of [5, 6]) await enrollment(row, { id })
  return row
}
const learner = (input = {}) => enrolled(user(input))

describe("reviews", () => {
  it("are created, read and updated within their cost limits", async () => {
    const { id: userId } = await learner({ firstName: "Ada", lastName: "Byron" })
    const created = await create({ userId })
    expect(created.body).toEqual({ id: 1, message: "Review created." })
    expect(cost(created).roundTrips).toBe(2)
    const read = await get("/api/review/1")
    expect(read.body).toEqual({
      id: 1,
      userId,
      userName: "Ada Byron",
      courseId: 5,
      rating: 4,
      text: "Clear.",
      created_at: expect.any(String),
      createdAt: anyIsoTime,
    })
    expect(cost(read).roundTrips).toBe(1)
    expect((await put("/api/review/1", { rating: 5, text: "" })).body.message).toBe("Review updated.")
    expect(await rowsOf(reviews)).toMatchObject([{ rating: 5, text: "", version: 2 }])
    expect((await rowsOf(auditLogs)).map((row) => row.action)).toEqual(["created", "updated"])
  })

  it("are limited to one per user and course", async () => {
    const { id: userId } = await learner()
    await create({ userId })
    expect((await create({ userId })).body.errors.courseId).toBeDefined()
    expect((await create({ userId, courseId: 6 })).status).toBe(200)
    expect(await rowsOf(reviews)).toHaveLength(2)
  })

  it("maintain the number and the sum of ratings of a course", async () => {
    for (const rating of [5, 2]) await create({ userId: (await learner()).id, rating })
    expect(await rated()).toMatchObject({ ratingCount: 2, ratingSum: 7 })
    await put("/api/review/2", { rating: 4 })
    expect(await rated()).toMatchObject({ ratingCount: 2, ratingSum: 9 })
    await post("/api/review/delete", { delete_ids: [1] })
    expect(await rated()).toMatchObject({ ratingCount: 1, ratingSum: 4 })
  })

  it("require a rating from 1 to 5 and a user", async () => {
    const { id: userId } = await user()
    for (const rating of [0, 6, 4.5, "good", undefined])
      expect((await create({ userId, rating })).body.errors.rating, String(rating)).toBeDefined()
    expect((await create({ userId: 99 })).body.errors.userId).toBeDefined()
    expect((await create()).body.errors.userId).toBeDefined()
    expect((await create({ userId, courseId: 7 })).body.errors).toEqual({
      courseId: ["courseId does not match any course."],
    })
    expect(await rowsOf(reviews)).toEqual([])
  })

  it("are filtered by course, user and rating, with exact totals", async () => {
    for (const courseId of [5, 5, 6]) await create({ userId: (await learner()).id, courseId, rating: courseId - 2 })
    const found = await list({ search_param: { courseId: 5, rating: 3 }, order_by: "id" })
    expect(found.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 2, records: [{ id: 1 }, { id: 2 }] })
    expect(cost(found).roundTrips).toBe(1)
  })

  it("can be written, changed and deleted by their learner, and by staff for users they may change", async () => {
    const ada = await enrolled(signedIn("general"))
    const staff = await enrolled(signedIn("staff"))
    const admin = await learner({ userType: "admin" })
    await create({}, ada)
    await create({ userId: (await learner()).id })
    await create({ userId: admin.id })
    expect((await create({ userId: admin.id, courseId: 6 }, ada)).status).toBe(403)
    expect((await list({}, ada)).body).toMatchObject({ recordsTotal: 1, records: [{ userId: ada.id }] })
    expect((await put("/api/review/2", { rating: 1 }, ada)).status).toBe(404)
    expect((await put("/api/review/3", { rating: 1 }, staff)).status).toBe(403)
    expect((await put("/api/review/2", { rating: 1 }, staff)).status).toBe(200)
    expect((await post("/api/review/delete", { delete_ids: [1, 2, 3] }, ada)).body.message).toBe(
      "1 review deleted. 2 ids unknown.",
    )
    expect((await post("/api/review/delete", { delete_ids: [2, 3] }, staff)).body.message).toBe(
      "1 review deleted. 1 id unknown.",
    )
    expect(await rowsOf(reviews)).toMatchObject([{ id: 3 }])
  })

  it("are written by staff only for users they may change, and by admins for everyone except owners", async () => {
    const [staff, admin] = [await signedIn("staff"), await signedIn("admin")]
    const userOfType = async (userType: string) => ({ userId: (await learner({ userType })).id })
    for (const [caller, userType, status] of [
      [staff, "general", 200],
      [staff, "group_admin", 200],
      [staff, "staff", 403],
      [staff, "owner", 403],
      [admin, "staff", 200],
      [admin, "owner", 403],
    ] as const)
      expect((await create(await userOfType(userType), caller)).status, `${caller.userType} of ${userType}`).toBe(
        status,
      )
    expect(await rowsOf(reviews)).toHaveLength(3)
  })

  it("require an enrollment in the course, including draft courses", async () => {
    const ada = await signedIn("general")
    await course({ id: 8, status: "draft" })
    const notEnrolled = { courseId: ["The user is not enrolled in this course."] }
    expect((await create({}, ada)).body.errors).toEqual(notEnrolled)
    expect((await create({ courseId: 8 }, ada)).body.errors).toEqual({
      courseId: ["courseId does not match any course."],
    })
    expect((await create({ courseId: 8, userId: ada.id }, await signedIn("staff"))).body.errors).toEqual(notEnrolled)
    expect(await rowsOf(reviews)).toEqual([])
    await enrollment(ada, { id: 8 })
    expect((await create({ courseId: 8 }, ada)).status).toBe(200)
    const { body } = await get("/api/review/1", ada)
    expect(cost(await put("/api/review/1", body, ada)).written).toBe(0)
  })

  it("are deleted with their user and leave the counters", async () => {
    const { id: userId } = await learner()
    await create({ userId })
    await post("/api/course/unenroll", { course_ids: [5, 6], user_ids: [userId] })
    expect((await post("/api/user/delete", { delete_ids: [userId] })).status).toBe(200)
    expect(await rowsOf(reviews)).toEqual([])
    expect((await list()).body.recordsTotal).toBe(0)
    expect(await rated()).toMatchObject({ ratingCount: 0, ratingSum: 0 })
  })
})
