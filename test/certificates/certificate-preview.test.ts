import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { enrollments, moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { DAY } from "../../src/lib/clock.ts"
import { field, template } from "../factories/certificates.ts"
import { rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { cost, download, get } from "../helpers/client.ts"
import { codeIn, textOf } from "../helpers/pdf.ts"

const pathOf = (id: number) => `/api/certificate_template/preview/${id}`

/** A learner who is enrolled in a course with two text modules, a quiz and a certificate template. */
async function academy() {
  const { id } = await template({
    name: "Diploma",
    fields: [field("student_full_name"), field("course_name", { top: 300 })],
  })
  const learner = await signedIn("general")
  const [first, second, quiz] = [await module(), await module(), await module({ type: "quiz" })]
  const inCourse = await course(
    { certificateTemplateId: id },
    [first, second, quiz].map((one) => ({ moduleId: one.id })),
  )
  const registration = await enrollment(learner, inCourse)
  return { id, learner, inCourse, registration, first, second, quiz }
}

describe("GET /api/certificate_template/preview/{id}", () => {
  it("returns a PDF attachment with sample data that is not cached", async () => {
    const { id } = await academy()
    const { status, headers, body } = await download(pathOf(id))
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("application/pdf")
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="Diploma preview.pdf"/)
    expect(headers.get("cache-control")).toBe("no-store")
    expect(await textOf(body)).toBe("Jane Doe Sample course")
    expect(await codeIn(body)).toMatch(/^https:\/\/lectern\.test\/certificate\/SAMPLE/)
  })

  it("changes no progress for an anonymous call", async () => {
    const { id } = await academy()
    expect((await get(pathOf(id))).status).toBe(200)
    expect(await rowsOf(moduleStatuses)).toEqual([])
    expect(await rowsOf(enrollments)).toMatchObject([{ status: "Not Started", percent: 0 }])
  })

  it("completes only the caller's text modules, in two round trips", async () => {
    const { id, learner, inCourse, first, second, registration } = await academy()
    const other = await signedIn("general")
    await enrollment(other, inCourse)
    await moduleStatus(registration.id, first.id, { status: "In Progress", startedAt: 5 })
    const response = await get(pathOf(id), { token: learner.token })
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(moduleStatuses)).toMatchObject([
      { enrollmentId: registration.id, moduleId: first.id, status: "Completed", percent: 100, startedAt: 5 },
      { enrollmentId: registration.id, moduleId: second.id, status: "Completed", percent: 100 },
    ])
    expect(await rowsOf(enrollments)).toMatchObject([
      { userId: learner.id, status: "In Progress", percent: 66 },
      { userId: other.id, status: "Not Started", percent: 0 },
    ])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "updated", subject: "enrollment", subjectId: registration.id },
    ])

    expect((await get(pathOf(id), { token: learner.token })).status).toBe(200)
    expect(await rowsOf(auditLogs)).toHaveLength(1)
  })

  it("does not change an expired enrollment", async () => {
    const { id, inCourse } = await academy()
    const late = await signedIn("general")
    await enrollment(late, inCourse, { expiresAt: Date.now() - DAY })
    expect((await get(pathOf(id), { token: late.token })).status).toBe(200)
    expect(await rowsOf(moduleStatuses)).toEqual([])
  })

  it("returns 404 to learners outside the course, and to everyone for an unknown id", async () => {
    const { id, learner } = await academy()
    const stranger = await signedIn("general")
    expect((await get(pathOf(id), { token: stranger.token })).status).toBe(404)
    expect((await get(pathOf(99), { token: learner.token })).status).toBe(404)
    expect((await get(pathOf(99))).status).toBe(404)
  })
})
