import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { courses } from "../../drizzle/schema/courses.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { MINUTE } from "../../src/lib/clock.ts"
import { rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { call, cookieOf, cost, get, post, put, query } from "../helpers/client.ts"
import { keepsSecret } from "../helpers/secrets.ts"

const PATH = "/api/course/self-enroll"
const KEY = "Überraschung 7"

/** Creates a published course through the API. */
async function offered(overrides: object) {
  const { token } = await signedIn("staff")
  const { body } = await post(
    "/api/course/create",
    { name: "Algebra", slug: "algebra", status: "publish", ...overrides },
    { token },
  )
  return { id: body.id as number, token }
}

describe("POST /api/course/self-enroll", () => {
  it("enrolls the caller in two round trips, and reports an existing enrollment", async () => {
    const { id } = await offered({ selfEnroll: true, expiresAfterDays: 10 })
    const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron" })
    const response = await post(PATH, { course_id: id }, learner)
    const [row] = await rowsOf(enrollments)
    expect(response).toMatchObject({
      status: 200,
      body: { message: "You are enrolled in Algebra.", registrationId: row?.id, alreadyEnrolled: false },
    })
    expect(cost(response).roundTrips).toBe(2)
    expect(cost(response).written).toBeLessThanOrEqual(21)
    expect(row).toMatchObject({ userId: learner.id, courseId: id, status: "Not Started", enrolledBy: learner.id })
    expect(row?.expiresAt).toBe((row?.registeredAt ?? 0) + 10 * 24 * 60 * MINUTE)
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      performedBy: learner.id,
      action: "created",
      subject: "enrollment",
      effectOn: "Algebra",
      details: { user_ids: [learner.id] },
    })
    const again = await post(PATH, { course_id: id }, learner)
    expect(again).toMatchObject({ status: 200, body: { registrationId: row?.id, alreadyEnrolled: true } })
    expect(again.body.message).toBe("You are already enrolled in Algebra.")
    expect(await rowsOf(enrollments)).toHaveLength(1)
  })

  it("enrolls once for two concurrent requests", async () => {
    const { id } = await offered({ selfEnroll: true })
    const learner = await signedIn("general")
    const responses = await Promise.all([1, 2, 3].map(() => post(PATH, { course_id: id }, learner)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(responses.map(({ body }) => body.registrationId)).size).toBe(1)
    expect(await rowsOf(enrollments)).toHaveLength(1)
  })

  it("returns 404 for a draft, an unknown course, and a course without self-enrollment", async () => {
    const learner = await signedIn("general")
    const [unmarked, draft] = [await course(), await course({ status: "draft", selfEnroll: true })]
    for (const id of [unmarked.id, draft.id, 99])
      expect((await post(PATH, { course_id: id }, learner)).status, String(id)).toBe(404)
    expect(await rowsOf(enrollments)).toEqual([])
  })

  it("returns 409 if no seat is left, and gives the last seat to one of many requests", async () => {
    const { id } = await offered({ selfEnroll: true, totalSeats: 1 })
    const learners = await Promise.all([1, 2, 3].map(() => signedIn("general")))
    const responses = await Promise.all(learners.map((learner) => post(PATH, { course_id: id }, learner)))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const refused = responses.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ code: "no_seats_left" })
    expect(await rowsOf(enrollments)).toHaveLength(1)
  })

  it("returns 409 if the caller's enrollment has expired", async () => {
    const { id } = await offered({ selfEnroll: true })
    const learner = await signedIn("general")
    await enrollment(learner, { id }, { expiresAt: Date.now() - 1 })
    expect(await post(PATH, { course_id: id }, learner)).toMatchObject({
      status: 409,
      body: { code: "registration_expired" },
    })
  })

  it("returns 403 for API keys", async () => {
    const { id } = await offered({ selfEnroll: true })
    const stranger = await post(PATH, { course_id: id })
    expect([stranger.status, stranger.headers.get("location")]).toEqual([302, "https://lectern.test/login"])
    expect((await post(PATH, {}, await signedIn("general"))).status).toBe(422)
  })
})

describe("an enrollment key", () => {
  it("allows self-enrollment with the key, even if selfEnroll is false", async () => {
    const { id } = await offered({ enrollmentKey: KEY })
    const learner = await signedIn("general")
    const missing = await post(PATH, { course_id: id }, learner)
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ["enrollment_key"]])
    expect((await post(PATH, { course_id: id, enrollment_key: "überraschung 7" }, learner)).status).toBe(422)
    expect(await rowsOf(enrollments)).toEqual([])
    const response = await post(PATH, { course_id: id, enrollment_key: KEY }, learner)
    expect([response.status, cost(response).roundTrips]).toEqual([200, 2])
  })

  it("limits wrong keys to ten in 15 minutes across courses, and a correct key does not reset the limit", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { id, token } = await offered({ enrollmentKey: KEY, selfEnroll: true })
    const { body } = await post(
      "/api/course/create",
      { name: "Own", status: "publish", enrollmentKey: "known" },
      { token },
    )
    const learner = await signedIn("general")
    const guess = (key: string, courseId = id) => post(PATH, { course_id: courseId, enrollment_key: key }, learner)
    for (let i = 0; i < 9; i++) expect((await guess(`guess ${i}`)).status).toBe(422)
    expect((await guess("known", body.id)).status).toBe(200)
    expect((await guess("guess 9")).status).toBe(422)
    const refused = await guess(KEY)
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_attempts" } })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800)
    const other = await signedIn("general")
    expect((await post(PATH, { course_id: id, enrollment_key: KEY }, other)).status).toBe(200)
    vi.setSystemTime(Date.now() + 15 * MINUTE + 1000)
    expect((await guess(KEY)).status).toBe(200)
  })

  it("is visible only to staff, and is never stored or logged in plain text", async () => {
    await keepsSecret(async (secret) => {
      const { id, token } = await offered({ enrollmentKey: KEY })
      secret("the key", KEY, `GET /api/course/${id}`)
      const read = await get(`/api/course/${id}`, { token })
      expect(read.body).toMatchObject({ enrollmentKey: KEY, enrollmentKeyRequired: true, selfEnroll: false })
      const before = await rowsOf(courses)
      const { body } = read
      const same = { ...body, modules: [] }
      expect((await put(`/api/course/${id}`, same, { token })).status).toBe(200)
      expect(await rowsOf(courses)).toEqual(before)

      const learner = await signedIn("general")
      const { body: seen } = await get(`/api/course/${id}`, learner)
      expect(seen).toMatchObject({ enrollmentKey: null, enrollmentKeyRequired: true })
      const page = query({ page_size: 5, page_number: 1 })
      const library = await get(`/api/users/library-courses${page}`, learner)
      expect(library.body.records).toMatchObject([{ selfEnroll: true, enrollmentKeyRequired: true }])

      await put(`/api/course/${id}`, { enrollmentKey: "another" }, { token })
      expect((await rowsOf(auditLogs)).at(-1)?.details).toEqual({ enrollmentKey: "set" })
      await put(`/api/course/${id}`, { enrollmentKey: null, selfEnroll: true }, { token })
      expect((await rowsOf(auditLogs)).at(-1)?.details).toEqual({ enrollmentKey: "removed", selfEnroll: true })
      expect((await post(PATH, { course_id: id }, learner)).status).toBe(200)
    })
  })
})

describe("the course page's form", () => {
  const enrollByForm = (slug: string, fields: Record<string, string>, headers: Record<string, string>) =>
    call("POST", `/course/${slug}/enroll`, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "sec-fetch-site": "same-origin",
        ...headers,
      },
    })

  it("enrolls signed-in users, and redirects others to the sign-in page", async () => {
    await offered({ selfEnroll: true })
    const learner = await signedIn("general")
    const headers = cookieOf(learner.token)
    const before = await get("/course/algebra", { headers })
    expect(before.body).toContain('<form method="post" action="/course/algebra/enroll">')
    expect(before.body).not.toContain("Enrollment key")
    expect(cost(before).roundTrips).toBe(1)
    const response = await enrollByForm("algebra", {}, headers)
    expect([response.status, response.headers.get("location")]).toEqual([303, "/course/algebra"])
    const after = await get("/course/algebra", { headers })
    expect(after.body).toContain("Not Started, 0% complete")
    expect(after.body).not.toContain("Enroll me")
    const stranger = await enrollByForm("algebra", {}, {})
    expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/login?next=%2Fcourse%2Falgebra"])
    expect((await enrollByForm("algebra", {}, { ...headers, "sec-fetch-site": "cross-site" })).status).toBe(403)
  })

  it("asks for the key and explains why it was rejected", async () => {
    await offered({ enrollmentKey: KEY })
    const learner = await signedIn("general")
    const headers = cookieOf(learner.token)
    expect((await get("/course/algebra", { headers })).body).toContain('<label for="enrollment_key">')
    const wrong = await enrollByForm("algebra", { enrollment_key: "guess" }, headers)
    expect(wrong.status).toBe(422)
    expect(wrong.body).toContain('role="alert"')
    expect(wrong.body).toContain('<button type="submit">Enroll</button>')
    expect((await enrollByForm("algebra", { enrollment_key: ` ${KEY} ` }, headers)).status).toBe(303)
    expect(await rowsOf(enrollments)).toHaveLength(1)
  })

  it("is not shown for courses without self-enrollment", async () => {
    await course({ slug: "closed" })
    const headers = cookieOf((await signedIn("general")).token)
    expect((await get("/course/closed", { headers })).body).not.toContain("Enroll me")
    expect((await enrollByForm("closed", {}, headers)).status).toBe(404)
    expect((await enrollByForm("nothing", {}, headers)).status).toBe(404)
  })
})
