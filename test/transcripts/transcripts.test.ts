import { eq } from "drizzle-orm"
import { PDFDocument } from "pdf-lib"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { dueDateChanges, enrollmentCycles } from "../../drizzle/schema/enrollments.ts"
import { transcripts } from "../../drizzle/schema/transcripts.ts"
import { users } from "../../drizzle/schema/users.ts"
import { certificate, template } from "../factories/certificates.ts"
import { db, group, nextId, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { cost, download, get, post } from "../helpers/client.ts"
import { codeIn, textOf } from "../helpers/pdf.ts"

const DAY = 86_400_000
const at = (day: number) => Date.UTC(2026, 0, day)
const iso = (day: number) => new Date(at(day)).toISOString()

/** Ada in her second cycle of a course, with an exemption before and an extension now. */
async function academy() {
  const owner = await signedIn("owner", { firstName: "Olive", lastName: "Owner" })
  const ada = await signedIn("general", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
  await db.update(users).set({ timeZone: "America/New_York" }).where(eq(users.id, ada.id))
  const fire = await course({ name: "Fire safety" })
  const { id: templateId } = await template()
  const first = await certificate(ada.id, templateId, { courseId: fire.id, courseName: "Fire safety", issuedAt: at(5) })
  const { id: enrollmentId } = await enrollment(ada, fire, {
    cycle: 2,
    status: "Completed",
    percent: 100,
    registeredAt: at(1),
    startedAt: at(31),
    completedAt: at(40),
    // The end of February 5 in New York.
    dueAt: Date.UTC(2026, 1, 6, 5) - 1,
    dueStatus: "completed_late",
    pointsAwarded: 8,
    pointsPossible: 10,
  })
  const current = { enrollmentId, courseId: fire.id, courseName: "Fire safety" }
  const now = await certificate(ada.id, templateId, { ...current, issuedAt: at(40) })
  const other = await certificate(ada.id, templateId, { courseName: "Old course", issuedAt: at(1) })
  const past = { userId: ada.id, cycle: 1, pointsAwarded: 0, pointsPossible: 0, overdueAt: 0 }
  await db.insert(enrollmentCycles).values([
    {
      ...past,
      courseId: fire.id,
      courseName: "Fire safety",
      beganAt: at(1),
      endedAt: at(30),
      status: "Completed",
      percent: 100,
      startedAt: at(2),
      completedAt: at(5),
      dueAt: at(9),
      dueStatus: "completed",
      certificateId: first.id,
    },
    {
      ...past,
      courseId: 999,
      courseName: "Removed course",
      beganAt: at(1),
      endedAt: at(3),
      status: "Not Started",
      percent: 0,
      startedAt: 0,
      completedAt: 0,
      dueAt: 0,
      dueStatus: "no_due_date",
    },
  ])
  const change = { userId: ada.id, courseId: fire.id, createdBy: owner.id, createdAt: at(4) }
  await db.insert(dueDateChanges).values([
    {
      ...change,
      id: await nextId("due_date_changes"),
      cycle: 1,
      kind: "exemption",
      until: at(8),
      previousDueAt: 0,
      reason: "On leave",
    },
    {
      ...change,
      id: await nextId("due_date_changes"),
      cycle: 2,
      kind: "extension",
      until: at(37),
      previousDueAt: at(35),
      reason: "Sick",
    },
  ])
  return { owner, ada, fire, first, now, other }
}

const read = (id: number, { token }: { token: string }) => get(`/api/transcript/user/${id}`, { token })
const issue = (id: number, { token }: { token: string }) => post(`/api/transcript/user/${id}/issue`, {}, { token })

describe("a transcript", () => {
  it("has all courses with all cycles, results, certificates, exemptions and extensions", async () => {
    const { ada, fire, first, now, other } = await academy()
    const response = await read(ada.id, ada)
    expect(cost(response).roundTrips).toBe(1)
    const toCertificate = (row: typeof first) => ({
      id: row.id,
      code: row.code,
      courseName: row.courseName,
      issuedAt: new Date(row.issuedAt).toISOString(),
      expiresAt: null,
      revokedAt: null,
    })
    expect(response.body).toEqual({
      userId: ada.id,
      email: "ada@example.com",
      name: "Ada Byron",
      academy: "Lectern",
      timeZone: "America/New_York",
      courses: [
        {
          courseId: fire.id,
          courseName: "Fire safety",
          cycles: [
            {
              cycle: 2,
              isCurrent: true,
              status: "Completed",
              percentComplete: 100,
              percentAchieved: 80,
              beganAt: iso(30),
              startedAt: iso(31),
              completedAt: iso(40),
              endedAt: null,
              dueAt: "2026-02-06T04:59:59.999Z",
              dueStatus: "completed_late",
              certificate: toCertificate(now),
              exemptions: [],
              extensions: [{ reason: "Sick", by: "Olive Owner", at: iso(4), dueAt: iso(37), previousDueAt: iso(35) }],
            },
            {
              cycle: 1,
              isCurrent: false,
              status: "Completed",
              percentComplete: 100,
              percentAchieved: null,
              beganAt: iso(1),
              startedAt: iso(2),
              completedAt: iso(5),
              endedAt: iso(30),
              dueAt: iso(9),
              dueStatus: "completed",
              certificate: toCertificate(first),
              exemptions: [{ reason: "On leave", by: "Olive Owner", at: iso(4), until: iso(8), endedAt: null }],
              extensions: [],
            },
          ],
        },
        {
          courseId: 999,
          courseName: "Removed course",
          cycles: [expect.objectContaining({ cycle: 1, status: "Not Started", dueAt: null, dueStatus: null })],
        },
      ],
      otherCertificates: [toCertificate(other)],
      issued: [],
    })
  })

  it("shows a certificate only in the cycle, and the enrollment, in which it was earned", async () => {
    const ada = await signedIn("general")
    const { id: templateId } = await template()
    const [reset, left] = [await course(), await course()]
    const { id: enrollmentId } = await enrollment(ada, reset, { cycle: 2, registeredAt: at(1) })
    // The training was reset and completed again in the first cycle.
    const ofReset = { courseId: reset.id, enrollmentId }
    const earlier = await certificate(ada.id, templateId, { ...ofReset, issuedAt: at(5) })
    const last = await certificate(ada.id, templateId, { ...ofReset, issuedAt: at(8) })
    // Ada was unenrolled, and enrolled again.
    const former = await certificate(ada.id, templateId, { courseId: left.id, issuedAt: at(6) })
    await enrollment(ada, left, { cycle: 2, registeredAt: at(20) })
    const points = { pointsAwarded: 0, pointsPossible: 0 }
    const done = { status: "Completed", percent: 100, startedAt: at(2), completedAt: at(8) } as const
    for (const [courseId, certificateId] of [
      [reset.id, last.id],
      [left.id, null],
    ] as const)
      await db.insert(enrollmentCycles).values({
        ...{ userId: ada.id, courseId, courseName: "Course", cycle: 1, ...points, ...done, certificateId },
        ...{ beganAt: at(1), endedAt: at(10), dueAt: 0, overdueAt: 0, dueStatus: "no_due_date" },
      })
    const { body } = await read(ada.id, ada)
    const cyclesOf = (courseId: number) =>
      body.courses
        .find((row: { courseId: number }) => row.courseId === courseId)
        .cycles.map(({ beganAt, certificate }: { beganAt: string; certificate: { id: number } | null }) => [
          beganAt,
          certificate?.id,
        ])
    expect(cyclesOf(reset.id)).toEqual([
      [iso(10), undefined],
      [iso(1), last.id],
    ])
    expect(cyclesOf(left.id)).toEqual([
      [iso(20), undefined],
      [iso(1), undefined],
    ])
    expect(body.otherCertificates.map(({ id }: { id: number }) => id)).toEqual([earlier.id, former.id])
  })

  it("is shown and issued to learners for themselves and to supervisors for their people", async () => {
    const { ada } = await academy()
    const bob = await signedIn("general")
    const boss = await signedIn("group_admin")
    expect((await read(ada.id, bob)).status).toBe(404)
    expect((await issue(ada.id, bob)).status).toBe(404)
    expect((await read(ada.id, boss)).status).toBe(404)
    await group({ admins: [boss.id], members: [ada.id] })
    expect((await read(ada.id, boss)).status).toBe(200)
    const { body } = await issue(ada.id, boss)
    const pdf = `/api/transcript/${body.id}/pdf`
    expect((await download(pdf, { token: boss.token })).status).toBe(200)
    expect((await download(pdf, { token: ada.token })).status).toBe(200)
    expect((await download(pdf, { token: bob.token })).status).toBe(404)
  })

  it("is stored with a code and the digest of its content, once a day while nothing changes", async () => {
    const { ada, owner } = await academy()
    const first = await issue(ada.id, owner)
    expect(cost(first).roundTrips).toBe(2)
    expect(first.body).toEqual({
      id: 1,
      code: expect.stringMatching(/^[2-9A-Z]{24}$/),
      verifyUrl: `https://lectern.test/transcript/${first.body.code}`,
      issuedAt: expect.any(String),
      digest: expect.stringMatching(/^[\w-]{43}$/),
      message: "Transcript issued.",
    })
    expect(await rowsOf(auditLogs)).toContainEqual(
      expect.objectContaining({ action: "created", subject: "transcript", subjectId: 1 }),
    )
    const again = await issue(ada.id, owner)
    expect(again.body).toEqual({ ...first.body, message: "This transcript was issued before." })
    await enrollment(ada, await course({ name: "First aid" }))
    const changed = await issue(ada.id, owner)
    expect(changed.body.digest).not.toBe(first.body.digest)
    await db.update(transcripts).set({ issuedAt: Date.now() - 2 * DAY })
    const later = await issue(ada.id, owner)
    expect(later.body.digest).toBe(changed.body.digest)
    expect(new Set([first, changed, later].map(({ body }) => body.code)).size).toBe(3)
    const { message: _, ...issued } = first.body
    expect((await read(ada.id, owner)).body.issued[0]).toMatchObject({ ...issued, issuedAt: expect.any(String) })
  })
})

describe("a transcript's PDF", () => {
  it("shows the records in the person's time zone, with a QR code that leads to the public page", async () => {
    const { ada } = await academy()
    const { body } = await issue(ada.id, ada)
    const file = await download(`/api/transcript/${body.id}/pdf`, { token: ada.token })
    expect(file.headers.get("content-disposition")).toContain('filename="Transcript Ada Byron.pdf"')
    const bytes = new Uint8Array(file.body)
    expect(await codeIn(bytes)).toBe(body.verifyUrl)
    const text = await textOf(bytes)
    for (const words of [
      "Ada Byron",
      "Fire safety 2 Completed late Feb 08, 2026 Feb 05, 2026 80 % Issued",
      "Extended from Feb 03, 2026 to Feb 05, 2026: Sick (Olive Owner)",
      "Exempt until Jan 07, 2026: On leave (Olive Owner)",
      "Old course Certificate Dec 31, 2025",
      `SHA-256 ${body.digest} Page 1 of 1`,
    ])
      expect(text).toContain(words)
  })

  it("has several pages and every script", async () => {
    const { ada } = await academy()
    await db.update(users).set({ firstName: "محمد", lastName: "王" }).where(eq(users.id, ada.id))
    for (let i = 0; i < 60; i++) await enrollment(ada, await course({ name: `Курс 安全 ${i}` }))
    const { body } = await issue(ada.id, ada)
    const bytes = new Uint8Array((await download(`/api/transcript/${body.id}/pdf`, { token: ada.token })).body)
    expect((await PDFDocument.load(bytes)).getPageCount()).toBe(2)
    const text = await textOf(bytes)
    for (const words of ["محمد", "王", "Курс 安全 59", "Курс 安全 0", "Page 2 of 2"]) expect(text).toContain(words)
  })
})

describe("the public page of a transcript", () => {
  it("shows what was issued, and whether it is genuine", async () => {
    const { ada, now } = await academy()
    const { body } = await issue(ada.id, ada)
    const page = await get(`/transcript/${body.code.toLowerCase()}`)
    expect(page.status).toBe(200)
    for (const words of ["Transcript: Genuine", "Ada Byron", "Fire safety", "Removed course", body.digest, now.code])
      expect(page.body).toContain(words)
    const [row] = await rowsOf(transcripts)
    await db.update(transcripts).set({ content: row?.content.replace("Ada Byron", "Eve Byron") ?? "" })
    expect((await get(`/transcript/${body.code}`)).body).toContain("Transcript: Not genuine")
    const unknown = await get(`/transcript/${"A".repeat(24)}`)
    expect(unknown.status).toBe(404)
    expect(unknown.body).toContain("No transcript has this code.")
  })
})
