import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { certificates, certificateTemplateVersions } from "../../drizzle/schema/certificates.ts"
import { classEnrollments } from "../../drizzle/schema/classes.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { DAY } from "../../src/lib/clock.ts"
import { certificate, field, template } from "../factories/certificates.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { call, cookieOf, cost, download, get, post, put, query } from "../helpers/client.ts"
import { codeIn, textOf } from "../helpers/pdf.ts"
import { anyIsoTime } from "../helpers/times.ts"

const list = (id: number, parameters = {}, options = {}) =>
  get(`/api/user-certificates/${id}${query({ page_size: 10, page_number: 1, ...parameters })}`, options)

/** A learner who is enrolled in a course with one text module and a certificate. */
async function academy(overrides = {}) {
  const { id: templateId } = await template()
  const author = await user({ firstName: "Grace", lastName: "Hopper" })
  const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron" })
  const { id: moduleId } = await module()
  const inCourse = await course(
    { name: "Safety", certificateTemplateId: templateId, authorId: author.id, courseCredit: 1.5, ...overrides },
    [{ moduleId }],
  )
  const registration = await enrollment(learner, inCourse)
  const complete = () =>
    post(
      "/api/module/progress",
      { registrationId: registration.id, moduleId, status: "Completed" },
      { token: learner.token },
    )
  return { templateId, learner, inCourse, registration, moduleId, complete }
}

const enrolledCourses = async (userId: number) =>
  (await get(`/api/users/enrolled-courses${query({ user_id: userId, page_size: 10, page_number: 1 })}`)).body.records

describe("a certificate", () => {
  it("is issued in the batch that completes an enrollment, and counted in every report", async () => {
    const { templateId, learner, inCourse, registration, complete } = await academy()
    expect(await rowsOf(certificates)).toEqual([])
    const answer = await complete()
    expect(cost(answer).roundTrips).toBe(2)
    const [row] = await rowsOf(certificates)
    expect(row).toMatchObject({
      id: 1,
      code: expect.stringMatching(/^[0-9A-F]{24}$/),
      userId: learner.id,
      enrollmentId: registration.id,
      courseId: inCourse.id,
      templateId,
      courseName: "Safety",
      instructorName: "Grace Hopper",
      courseCredit: 1.5,
      expiresAt: 0,
      revokedAt: 0,
    })
    expect(row?.issuedAt).toBe((await rowsOf(enrollments))[0]?.completedAt)
    expect((await enrolledCourses(learner.id))[0]).toMatchObject({ certificate_count: 1 })
    const report = await get(
      `/api/user/reports/user-detailed${query({ user_id: learner.id, page_size: 10, page_number: 1 })}`,
    )
    expect(report.body.records).toMatchObject([{ certifcate_issued: true }])
    await complete()
    expect(await rowsOf(certificates)).toHaveLength(1)
  })

  it("is issued for imported enrollments, but not for a course without a template", async () => {
    const { inCourse } = await academy()
    const plain = await course()
    const { id } = await user()
    await post("/api/course/enroll", {
      course_ids: [inCourse.id, plain.id],
      user_ids: [id],
      completed_on: "2025-03-04",
    })
    expect(await rowsOf(certificates)).toMatchObject([
      { userId: id, courseId: inCourse.id, issuedAt: Date.UTC(2025, 2, 4) },
    ])
  })

  it("counts toward the learning path", async () => {
    const { learner, inCourse, complete } = await academy()
    const path = await post("/api/learningpath/create", { name: "First weeks", course_ids: [inCourse.id] })
    await post("/api/learningpath/enroll", { learning_path_ids: [path.body.id], user_ids: [learner.id] })
    await complete()
    const { body } = await get(
      `/api/users/enrolled-learningpaths${query({ user_id: learner.id, page_size: 10, page_number: 1 })}`,
    )
    expect(body.records).toMatchObject([{ status: "Completed", certificateCount: 1 }])
  })

  it("is issued again by a recertification, and keeps its course's name", async () => {
    const { learner, inCourse, registration, complete } = await academy({ expiresAfterDays: 30 })
    await db.update(enrollments).set({ expiresAt: Date.now() + 10_000 })
    await complete()
    await db.update(enrollments).set({ expiresAt: Date.now() - 1 })
    await db.update(certificates).set({ expiresAt: Date.now() - 1 })
    await put(`/api/course/${inCourse.id}`, { name: "Safety at sea" })
    await post("/api/course/recertify", { registrationId: registration.id }, { token: learner.token })
    await complete()
    const rows = await rowsOf(certificates)
    expect(rows.map((row) => row.courseName)).toEqual(["Safety", "Safety at sea"])
    expect(rows[1]?.expiresAt).toBeGreaterThan(Date.now() + 29 * DAY)
    expect(new Set(rows.map((row) => row.code)).size).toBe(2)
    expect((await enrolledCourses(learner.id))[0]).toMatchObject({ certificate_count: 2 })
    const ids = async (return_type?: string) =>
      (await list(learner.id, return_type ? { return_type } : {})).body.records.map((row: { id: number }) => row.id)
    expect(await ids()).toEqual([2, 1])
    expect(await ids("active")).toEqual([2])
    expect(await ids("expired")).toEqual([1])
  })

  it("is kept when its enrollment is deleted", async () => {
    const { learner, inCourse, complete } = await academy()
    await complete()
    await post("/api/course/unenroll", { course_ids: [inCourse.id], user_ids: [learner.id] })
    expect(await rowsOf(certificates)).toMatchObject([{ enrollmentId: null, courseId: inCourse.id }])
    expect((await list(learner.id)).body.recordsTotal).toBe(1)
    expect((await post("/api/certificate_template/delete", { delete_ids: [1] })).body.message).toContain(
      "1 not deleted",
    )
  })

  it("is deleted with its user", async () => {
    const { learner, complete } = await academy()
    await complete()
    const owner = await signedIn("owner")
    await post("/api/course/unenroll", { course_ids: [1], user_ids: [learner.id] })
    await post("/api/user/delete", { delete_ids: [learner.id] }, { token: owner.token })
    expect(await rowsOf(certificates)).toEqual([])
  })
})

describe("POST /api/course/assignCertificate", () => {
  it("issues once to 500 Completed enrollments in two round trips, and counts skipped ones", async () => {
    const { id: templateId } = await template()
    const inCourse = await course({ name: "Safety" })
    const ids: number[] = []
    for (let i = 0; i < 20; i++) {
      const status = i < 15 ? { status: "Completed" as const, percent: 100, completedAt: 5 } : {}
      ids.push((await enrollment(await user(), inCourse, { ...status, expiresAt: i === 0 ? 4_000_000_000_000 : 0 })).id)
    }
    await put(`/api/course/${inCourse.id}`, { certificateTemplateId: templateId })
    expect(await rowsOf(certificates)).toEqual([])
    const registrationIds = [...ids, ...Array.from({ length: 480 }, (_, i) => 1000 + i)]
    const response = await post("/api/course/assignCertificate", { registrationIds })
    expect(response.body).toEqual({
      message: "15 certificates issued. 485 registrations skipped.",
      issued: 15,
      skipped: 485,
    })
    expect(cost(response).roundTrips).toBe(2)
    const rows = await rowsOf(certificates)
    expect(rows).toHaveLength(15)
    expect(rows[0]).toMatchObject({ id: 1, courseName: "Safety", enrollmentId: ids[0], expiresAt: 4_000_000_000_000 })
    expect((await rowsOf(enrollments)).filter((row) => row.certificateCount === 1)).toHaveLength(15)
    expect((await rowsOf(auditLogs)).filter((row) => row.subject === "certificate")).toHaveLength(15)
    const again = await post("/api/course/assignCertificate", { registrationIds })
    expect(again.body).toMatchObject({ issued: 0, skipped: 500 })
    expect(await rowsOf(certificates)).toHaveLength(15)
  })
})

describe("a certificate after its template changed", () => {
  it("is drawn with the template version of its issue, and an update writes one version", async () => {
    const { templateId, learner, inCourse, complete } = await academy()
    const path = `/api/certificate_template/${templateId}`
    const say = (value: string) =>
      put(path, { name: "Diploma", width: 1123, height: 794, fields: [field("custom_text", { value })] })
    await say("First")
    expect(await rowsOf(certificateTemplateVersions)).toEqual([])
    await complete()
    const changed = await say("Second")
    expect(cost(changed).roundTrips).toBe(2)
    await say("Third")
    await put(path, { name: "Award", width: 1123, height: 794 })
    const other = await signedIn("general")
    await post("/api/course/enroll", { course_ids: [inCourse.id], user_ids: [other.id], completed_on: "2025-03-04" })
    await say("Fourth")
    expect(await rowsOf(certificateTemplateVersions)).toMatchObject([
      { templateId, lastCertificateId: 1, fields: [{ value: "First" }] },
      { templateId, lastCertificateId: 2, fields: [{ value: "Third" }] },
    ])
    const drawn = async (id: number) => {
      const response = await download(`/api/user-certificate/${id}/download`)
      expect(response.headers.get("server-timing")).toContain("trips=1 ")
      return textOf(response.body)
    }
    expect([await drawn(1), await drawn(2)]).toEqual(["First", "Third"])
    expect(await textOf((await download(`/api/certificate_template/preview/${templateId}`)).body)).toBe("Fourth")
    expect(learner.id).not.toBe(other.id)
  })
})

describe("a certificate with characters that no font supports", () => {
  it("is issued with a warning, and its download lists the characters", async () => {
    const { id: templateId } = await template()
    const inCourse = await course({ certificateTemplateId: templateId })
    const inClass = await classOf(inCourse)
    const learner = await user({ firstName: "Ada", lastName: "\u{13000}\u{13001}" })
    const enrolled = await classEnrollment(learner, inClass, { status: "Attended" })
    const response = await post(`/api/class/assignCertificate/${inClass.id}`, { enrollmentIds: [enrolled.id] })
    expect(response.body).toEqual({
      isSucess: true,
      message:
        "1 certificate issued. 1 certificate with characters that no certificate font has, which are drawn as " +
        "boxes: Ada \u{13000}\u{13001} (\u{13000} \u{13001}).",
    })
    expect(cost(response).roundTrips).toBe(2)
    const drawn = await download("/api/user-certificate/1/download")
    expect(drawn.headers.get("x-letters-without-font")).toBe("U+13000, U+13001")
    expect(
      (await download(`/api/certificate_template/preview/${templateId}`)).headers.has("x-letters-without-font"),
    ).toBe(false)
  })
})

describe("POST /api/class/assignCertificate/{id}", () => {
  it("issues the course's certificate to attendees once, in two round trips, counted by class", async () => {
    const inCourse = await course({ certificateTemplateId: (await template()).id })
    const inClass = await classOf(inCourse)
    const statuses = ["Attended", "Registered", "No Show", "Cancelled"] as const
    const places = []
    for (const status of statuses) places.push(await classEnrollment(await user(), inClass, { status }))
    const elsewhere = await classEnrollment(await user(), await classOf(inCourse))
    const enrollmentIds = [...places.map(({ id }) => id), elsewhere.id, 999]
    const assign = () => post(`/api/class/assignCertificate/${inClass.id}`, { enrollmentIds })
    const response = await assign()
    expect(response.body).toEqual({
      isSucess: true,
      message: "2 certificates issued. 4 skipped: unknown, not attending, or already certified.",
    })
    expect(cost(response).roundTrips).toBe(2)
    expect((await rowsOf(certificates)).map((row) => [row.userId, row.classEnrollmentId, row.enrollmentId])).toEqual(
      places.slice(0, 2).map(({ userId, id }) => [userId, id, null]),
    )
    expect((await rowsOf(classEnrollments)).map((row) => row.certificateCount)).toEqual([1, 1, 0, 0, 0])
    expect((await assign()).body.isSucess).toBe(false)
    expect(await rowsOf(certificates)).toHaveLength(2)
  })

  it("returns an error without a template, 404 for an unknown class, and 403 below staff", async () => {
    const inClass = await classOf()
    const { id } = await classEnrollment(await user(), inClass)
    const path = `/api/class/assignCertificate/${inClass.id}`
    const response = await post(path, { enrollmentIds: [id] })
    expect(response.body).toEqual({
      isSucess: false,
      message: "0 certificates issued. The course of the class has no certificate template. Assign one first.",
    })
    expect((await post("/api/class/assignCertificate/99", { enrollmentIds: [id] })).status).toBe(404)
    const { token } = await signedIn("group_admin")
    expect((await post(path, { enrollmentIds: [id] }, { token })).status).toBe(403)
  })
})

describe("GET /api/user-certificates/{id}", () => {
  it("lists a user's certificates, newest first, in one round trip", async () => {
    const { id } = await user()
    const { id: templateId } = await template()
    const { id: courseId } = await course({ featuredImageUrl: "/a.png" })
    await certificate(id, templateId, { courseName: "Ölfarben", issuedAt: Date.UTC(2026, 0, 5), courseId })
    await certificate(id, templateId, { courseName: "Chess", issuedAt: Date.UTC(2025, 0, 5) })
    await certificate((await user()).id, templateId)
    const response = await list(id)
    expect(response.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2 })
    expect(response.body.records[0]).toEqual({
      id: 1,
      courseId,
      userId: id,
      templateId,
      courseName: "Ölfarben",
      coursefeaturedImage: "/a.png",
      issueDate: "Jan 05, 2026",
      issuedAt: "2026-01-05T00:00:00.000Z",
      expiresAt: null,
      updatedAt: anyIsoTime,
      publicUrl: expect.stringMatching(/^https:\/\/lectern\.test\/certificate\/[0-9A-F]{24}$/),
      page: { width: expect.any(Number), height: expect.any(Number), hasBackground: expect.any(Boolean) },
    })
    expect((await download(new URL(response.body.records[0].publicUrl).pathname)).status).toBe(200)
    expect(cost(response).roundTrips).toBe(1)
    const found = await list(id, { search_param: { courseName: "ÖLF" } })
    expect(found.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 1, records: [{ id: 1 }] })
    const ordered = await list(id, { order_by: { colName: "courseName", direction: "asc" } })
    expect(ordered.body.records.map((row: { courseName: string }) => row.courseName)).toEqual(["Chess", "Ölfarben"])
    const [northPortal, fieldGroup] = [await portal({ members: [id] }), await group({ members: [id] })]
    for (const within of [
      { portalId: northPortal.id },
      { search_param: { portalId: northPortal.id } },
      { portalId: northPortal.id, group_id: fieldGroup.id },
    ])
      expect((await list(id, within)).body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2 })
    for (const beyond of [
      { portalId: 9 },
      { search_param: { portalId: 9 } },
      { group_id: 9 },
      { portalId: northPortal.id, group_id: 9 },
    ])
      expect((await list(id, beyond)).status, JSON.stringify(beyond)).toBe(404)
  })

  it("is limited to the learner and the learner's supervisors, and returns 404 to others", async () => {
    const [learner, other, supervisor] = [await signedIn("general"), await user(), await signedIn("group_admin")]
    await group({ admins: [supervisor.id], members: [learner.id] })
    const { id: templateId } = await template()
    const { id } = await certificate(other.id, templateId)
    expect((await list(learner.id, {}, { token: learner.token })).status).toBe(200)
    expect((await list(learner.id, {}, { token: supervisor.token })).status).toBe(200)
    for (const { token } of [learner, supervisor]) {
      expect((await list(other.id, {}, { token })).status).toBe(404)
      expect((await get(`/api/user-certificate/${id}/download`, { token })).status).toBe(404)
    }
    expect((await list(999)).status).toBe(404)
  })
})

describe("GET /api/user-certificate/{id}/download", () => {
  it("returns the PDF with its text and a QR code of its page, in one round trip", async () => {
    const { learner, complete, templateId } = await academy()
    await put("/api/users/customUserFields", {
      fields: [{ type: "dropdown", label: "Region", optionLabel: ["North", "South"], isFieldOnCertificate: true }],
    })
    await put(`/api/user/${learner.id}`, { customUserMetas: { region: "South" } })
    const keys = ["student_full_name", "course_name", "instructor_name", "course_credit", "expiry_date", "region"]
    await put(`/api/certificate_template/${templateId}`, {
      name: "Diploma",
      width: 1123,
      height: 794,
      fields: keys.map((key, i) => field(key, { top: 50 + i * 60 })),
    })
    await complete()
    const response = await download("/api/user-certificate/1/download", { token: learner.token })
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect(response.headers.get("server-timing")).toContain("trips=1 ")
    expect(await textOf(response.body)).toBe("Ada Byron Safety Grace Hopper 1.5 Never South")
    const [row] = await rowsOf(certificates)
    expect(await codeIn(response.body)).toBe(`https://lectern.test/certificate/${row?.code}`)
  })
})

describe("PUT /api/user/{id}/delete-certificate", () => {
  it("removes a certificate from every list and count, and its page says so", async () => {
    const { learner, complete } = await academy()
    await complete()
    const [row] = await rowsOf(certificates)
    const response = await put(`/api/user/${learner.id}/delete-certificate`, { id: 1 })
    expect(response.body).toEqual({ message: "Certificate deleted." })
    expect(cost(response).roundTrips).toBe(2)
    expect((await list(learner.id)).body).toMatchObject({ recordsTotal: 0, records: [] })
    expect((await enrolledCourses(learner.id))[0]).toMatchObject({ certificate_count: 0 })
    expect((await get("/api/user-certificate/1/download")).status).toBe(404)
    expect((await get(`/certificate/${row?.code}`)).body).toContain("Revoked")
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "deleted",
      subject: "certificate",
      subjectId: 1,
    })
    expect((await put(`/api/user/${learner.id}/delete-certificate`, { id: 1 })).status).toBe(404)
  })

  it("accepts the certificate's id in the path, and rejects another user's certificate", async () => {
    const [owner, other] = [await user(), await user()]
    const { id: templateId } = await template()
    await certificate(owner.id, templateId, { id: 70 })
    expect((await put(`/api/user/${other.id}/delete-certificate`, { id: 70 })).status).toBe(404)
    expect((await put("/api/user/70/delete-certificate", {})).status).toBe(422)
    expect((await put("/api/user/70/delete-certificate", { id: 70 })).status).toBe(200)
  })

  it("is allowed for staff, for users they may change", async () => {
    const [learner, colleague, staff] = [
      await signedIn("general"),
      await user({ userType: "staff" }),
      await signedIn("staff"),
    ]
    const { id: templateId } = await template()
    const mine = await certificate(learner.id, templateId)
    const theirs = await certificate(colleague.id, templateId)
    const ownCertificate = await certificate(staff.id, templateId)
    const remove = (userId: number, id: number, token: string) =>
      put(`/api/user/${userId}/delete-certificate`, { id }, { token })
    expect((await remove(learner.id, mine.id, learner.token)).status).toBe(403)
    expect((await remove(colleague.id, theirs.id, staff.token)).status).toBe(403)
    expect((await remove(staff.id, ownCertificate.id, staff.token)).status).toBe(403)
    expect((await remove(learner.id, mine.id, staff.token)).status).toBe(200)
  })
})

describe("the dates of a certificate", () => {
  it("can be changed by both endpoints, and the older one links to its successor", async () => {
    const { id: templateId } = await template()
    const { id: rowId } = await certificate((await user()).id, templateId, { expiresAt: Date.UTC(2030, 0, 1) })
    const older = await put("/api/update-certificate-issue-date", { rowId, newIssueDate: "2026-01-05" })
    expect(older.body).toEqual({ message: "Certificate dates updated." })
    expect(older.headers.get("deprecation")).toBe(`@${Date.UTC(2026, 10, 22) / 1000}`)
    expect(older.headers.get("link")).toBe('</api/update-certificate-dates>; rel="successor-version"')
    expect(cost(older).roundTrips).toBe(2)
    expect(await rowsOf(certificates)).toMatchObject([
      { issuedAt: Date.UTC(2026, 0, 5), expiresAt: Date.UTC(2030, 0, 1) },
    ])
    const newer = (overrides: object) =>
      put("/api/update-certificate-dates", { rowId, newIssueDate: "2026-02-01 10:00", ...overrides })
    await newer({ newExpiryDate: "2028-02-01" })
    expect(await rowsOf(certificates)).toMatchObject([
      { issuedAt: Date.UTC(2026, 1, 1, 10), expiresAt: Date.UTC(2028, 1, 1), version: 3 },
    ])
    await newer({ newExpiryDate: "" })
    expect(await rowsOf(certificates)).toMatchObject([{ expiresAt: 0 }])
    expect((await rowsOf(auditLogs)).filter((row) => row.subject === "certificate")).toHaveLength(3)
  })

  it("are rejected if the expiry is not after the issue, without a date, and for an unknown certificate", async () => {
    const { id: templateId } = await template()
    const { id: rowId } = await certificate((await user()).id, templateId, { expiresAt: Date.UTC(2030, 0, 1) })
    const errorsOf = async (path: string, body: object) => {
      const response = await put(path, body)
      return [response.status, ...Object.keys(response.body.errors ?? {})]
    }
    const newer = "/api/update-certificate-dates"
    expect(await errorsOf(newer, { rowId, newIssueDate: "2031-01-01" })).toEqual([422, "newIssueDate"])
    expect(await errorsOf(newer, { rowId, newIssueDate: "2026-01-01", newExpiryDate: "2025-01-01" })).toEqual([
      422,
      "newExpiryDate",
    ])
    expect(await errorsOf(newer, { rowId, newIssueDate: "soon" })).toEqual([422, "newIssueDate"])
    expect(await errorsOf(newer, {})).toEqual([422, "rowId", "newIssueDate"])
    expect(await errorsOf(newer, { rowId: 99, newIssueDate: "2026-01-01" })).toEqual([404])
    expect(await rowsOf(auditLogs)).toEqual([])
  })
})

describe("GET /certificate/{code}", () => {
  it("shows the owner and the validity publicly, without an inline script, in one round trip", async () => {
    const { complete } = await academy()
    await complete()
    const [row] = await rowsOf(certificates)
    const response = await get(`/certificate/${row?.code}`)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toContain("text/html")
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
    for (const text of ["Valid", "Ada Byron", "Safety", "Grace Hopper", "Never"]) expect(response.body).toContain(text)
    expect(response.body.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/assets/pages.js">'])
    expect(cost(response).roundTrips).toBe(1)
    const typed = (row?.code ?? "").toLowerCase().match(/.{6}/g)?.join("-")
    expect((await get(`/certificate/${typed}`)).status).toBe(200)
  })

  it("shows that it has expired, and escapes names", async () => {
    const { id } = await user({ firstName: "<b>Ada</b>", lastName: "" })
    await certificate(id, (await template()).id, { code: "A".repeat(24), expiresAt: Date.now() - 1 })
    const { body } = await get(`/certificate/${"A".repeat(24)}`)
    expect(body).toContain("Expired")
    expect(body).toContain("&lt;b&gt;Ada&lt;/b&gt;")
  })

  it("shows the picture, the PDF and links to share it, and none of them when it is revoked", async () => {
    const { learner, complete } = await academy()
    await complete()
    const [row] = await rowsOf(certificates)
    const path = `/certificate/${row?.code}`
    const stranger = await get(path)
    expect(stranger.body).toContain(`<img src="${path}/picture" alt="Certificate of Ada Byron for Safety"`)
    expect(stranger.body).toContain(`<a class="button" href="${path}/download" download="">`)
    expect(stranger.body).toContain(`data-copy="https://lectern.test${path}"`)
    expect(stranger.body).toContain(`share-offsite/?url=${encodeURIComponent(`https://lectern.test${path}`)}`)
    const own = await get(path, { headers: cookieOf(learner.token) })
    expect(own.body).toMatch(/linkedin\.com\/profile\/add\?startTask=CERTIFICATION_NAME&amp;name=Safety/)

    const picture = await call("GET", `${path}/picture`)
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml"])
    expect(picture.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(cost(picture).roundTrips).toBe(1)
    const pdf = await download(`${path}/download`)
    expect(pdf.status).toBe(200)
    expect(await codeIn(pdf.body)).toBe(`https://lectern.test${path}`)
    expect(await textOf(pdf.body)).toContain("Ada Byron")

    await put(`/api/user/${learner.id}/delete-certificate`, { id: row?.id })
    const revoked = await get(path)
    expect(revoked.body).toContain("Revoked")
    for (const part of ["/picture", "/download", "linkedin"]) expect(revoked.body).not.toContain(part)
    for (const part of ["picture", "background", "download"]) {
      const { status, body } = await call("GET", `${path}/${part}`)
      expect([status, body.code], part).toEqual([404, "not_found"])
    }
  })

  it("returns a 404 page for an unknown code", async () => {
    for (const code of ["B".repeat(24), "%00", "'", "x".repeat(500)]) {
      const response = await call("GET", `/certificate/${code}`)
      expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"])
      expect(response.body).toContain("Unknown certificate")
    }
  })
})
