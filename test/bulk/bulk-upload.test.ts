import { env } from "cloudflare:workers"
import { eq, like } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { bulkUploadChunks, bulkUploads } from "../../drizzle/schema/bulk-uploads.ts"
import { customFieldValues } from "../../drizzle/schema/custom-fields.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { groupCourseSeats, groupMembers } from "../../drizzle/schema/groups.ts"
import { membershipCourses } from "../../drizzle/schema/membership-courses.ts"
import { memberships } from "../../drizzle/schema/memberships.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { passwordLinks } from "../../drizzle/schema/passwords.ts"
import { sequences } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { verifyPassword } from "../../src/lib/crypto/password.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { deliverUpload, sendSheet, XLSX, xlsx } from "../factories/bulk-upload.ts"
import { bindingsWith } from "../factories/exports.ts"
import { db, group, nextId, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"
import { ended, messages, openQueue } from "../helpers/queues.ts"

const JSON_PATH = "/api/user/bulkUpload"
const progressPath = (id: number) => `${JSON_PATH}/progress/${id}`
const HEADERS = ["email", "first_name", "last_name", "password", "external_id"]

const person = (n: number, overrides: object = {}) => ({
  email: `person${n}@example.com`,
  first_name: "Person",
  last_name: `Number ${n}`,
  password: "",
  ...overrides,
})
const people = (count: number) => Array.from({ length: count }, (_, i) => person(i + 1))
const lines = (count: number) => people(count).map((one) => Object.values(one) as string[])

const membership = async (expiresAfterDays = 0) => {
  const id = await nextId("memberships")
  await db.insert(memberships).values({ id, name: `M${id}`, expiresAfterDays, searchText: "", createdAt: 0 })
  return id
}

const uploaded = () => db.select().from(users).where(eq(users.sourceId, 2)).orderBy(users.id)
const auditOf = (subject: string) => db.select().from(auditLogs).where(eq(auditLogs.subject, subject))

const fieldSet = (fields: object[]) => put("/api/users/customUserFields", { fields })

/** All text in the database. */
async function everyText(): Promise<string> {
  const { results } = await env.DB.prepare("select name from sqlite_master where type = 'table'").all<{
    name: string
  }>()
  const tables = results.map((row) => row.name).filter((name) => !/^(sqlite_|_cf_)/.test(name))
  const rows = await env.DB.batch(tables.map((name) => env.DB.prepare(`select * from "${name}"`)))
  return JSON.stringify(rows.map((result) => result.results))
}

describe("a userList of up to 20 rows", () => {
  it("creates the users and their related rows immediately, in two round trips", async () => {
    const { id: groupId } = await group()
    const membershipId = await membership(30)
    const response = await post(JSON_PATH, {
      userList: [person(1, { password: "correct horse battery" }), person(2, { last_name: undefined }), person(3)],
      groupId,
      membershipId: String(membershipId),
      selectedCourses: [],
      classIds: "[]",
    })
    expect(response).toMatchObject({ status: 200 })
    expect(response.body).toEqual({
      message: "3 users created, 0 already existed, 0 rows failed.",
      upload_id: 1,
      dryRun: false,
      status: "completed",
      progress: 100,
      created: 3,
      existing: 0,
      updated: 0,
      failed: 0,
      skippedCourses: 0,
      skippedClasses: 0,
      errors: [],
      rows: [1, 2, 3].map((row) => ({ row, id: row, result: "created" })),
    })
    expect(cost(response).roundTrips).toBe(2)

    const rows = await uploaded()
    expect(rows).toMatchObject([
      {
        id: 1,
        firstName: "Person",
        lastName: "Number 1",
        email: "person1@example.com",
        userType: "general",
        membershipId,
      },
      { id: 2, lastName: "", passwordHash: null, membershipId },
      { id: 3, lastName: "Number 3", passwordHash: null, membershipId },
    ])
    expect(await verifyPassword("correct horse battery", rows[0]?.passwordHash ?? null)).toBe(true)
    const [first] = rows
    expect(first?.membershipExpiresAt).toBe((first?.createdAt ?? 0) + 30 * DAY)
    expect(await rowsOf(groupMembers)).toEqual([1, 2, 3].map((userId) => ({ groupId, userId })))
    expect(await auditOf("user")).toMatchObject([1, 2, 3].map((subjectId) => ({ action: "created", subjectId })))
    expect(await auditOf("bulk upload")).toMatchObject([
      { action: "created", subjectId: 1, effectOn: "userList", details: { rows: 3, groupId, membershipId } },
    ])
    const links = await rowsOf(passwordLinks)
    expect(links.map((link) => link.userId).sort()).toEqual([2, 3])
    const mails = await db
      .select({ userId: outbox.userId, recipient: outbox.recipient, kind: mailings.kind })
      .from(outbox)
      .innerJoin(mailings, eq(mailings.id, outbox.mailingId))
      .orderBy(outbox.userId)
    expect(mails).toEqual([
      { userId: 1, recipient: "person1@example.com", kind: "welcome" },
      { userId: 2, recipient: "person2@example.com", kind: "invited" },
      { userId: 3, recipient: "person3@example.com", kind: "invited" },
    ])
    const list = await get(
      `/api/users/tabularlist${query({ page_size: 5, page_number: 1, search_param: { nameOrEmail: "number 3" } })}`,
    )
    expect(list.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 1, records: [{ source: "Bulk upload" }] })
    const progress = await get(progressPath(1))
    expect(progress.body).toEqual({
      message: "3 users created, 0 already existed, 0 rows failed.",
      upload_id: 1,
      status: "completed",
      progress: 100,
      created: 3,
      existing: 0,
      updated: 0,
      failed: 0,
      skippedCourses: 0,
      skippedClasses: 0,
      errors: [],
      rows: [1, 2, 3].map((row) => ({ row, id: row, result: "created" })),
    })
    expect(cost(progress)).toMatchObject({ roundTrips: 1, written: 0 })
  })

  it("imports each row completely or not at all, with a reason for each failed row", async () => {
    await user({ email: "There@Example.com", firstName: "Old", membershipId: null })
    const { id: groupId } = await group()
    const response = await post(JSON_PATH, {
      groupId,
      userList: [
        person(1),
        person(2, { email: "nobody" }),
        person(3, { first_name: " " }),
        person(4, { password: "short" }),
        person(5, { password: "PERSON5@example.com" }),
        person(1, { email: "PERSON1@example.com " }),
        person(7, { email: "there@example.COM", first_name: "New", password: "x" }),
        person(8, { first_name: { a: 1 }, last_name: "#N/A" }),
        person(9, { email: "", first_name: null }),
        person(10, { first_name: 10 }),
        person(11, { last_name: "x".repeat(40_000) }),
      ],
    })
    expect(response.body).toMatchObject({ created: 2, existing: 1, failed: 8, status: "completed" })
    expect(response.body.errors).toEqual([
      { row: 2, email: "nobody", reasons: ["email must be an email address."] },
      { row: 3, email: "person3@example.com", reasons: ["first_name is required."] },
      { row: 4, email: "person4@example.com", reasons: ["password must have 8 characters or more."] },
      {
        row: 5,
        email: "person5@example.com",
        reasons: ["password must not be the user's own name or email address."],
      },
      { row: 6, email: "PERSON1@example.com", reasons: ["email is that of row 1 too; the first one counts."] },
      { row: 8, email: "person8@example.com", reasons: ["last_name holds the error #N/A."] },
      { row: 9, email: "", reasons: ["email is required.", "first_name is required."] },
      { row: 11, email: "person11@example.com", reasons: ["last_name must have 32767 characters or fewer."] },
    ])
    expect((await uploaded()).map((row) => [row.email, row.firstName])).toEqual([
      ["person1@example.com", "Person"],
      ["person10@example.com", "10"],
    ])
    const [old] = await db.select().from(users).where(eq(users.firstName, "Old"))
    expect(old).toMatchObject({ email: "There@Example.com", version: 1 })
    expect((await rowsOf(groupMembers)).map((row) => row.userId)).toContain(old?.id)
    expect(await rowsOf(groupMembers)).toHaveLength(3)
    expect(await auditOf("user")).toHaveLength(2)
    expect((await get(progressPath(1))).body.errors).toEqual(response.body.errors)
  })

  it("creates no user twice when repeated, and removes no group members", async () => {
    const { id: groupId } = await group()
    const body = { userList: people(3), groupId }
    await post(JSON_PATH, body)
    const again = await post(JSON_PATH, body)
    expect(again.body).toMatchObject({ created: 0, existing: 3, failed: 0 })
    expect(await uploaded()).toHaveLength(3)
    expect(await rowsOf(groupMembers)).toHaveLength(3)
    await post(JSON_PATH, { userList: [person(1)] })
    expect(await rowsOf(groupMembers)).toHaveLength(3)
  })

  it("returns the first response for a repeated Idempotency-Key", async () => {
    const headers = { "idempotency-key": "k-1" }
    const first = await post(JSON_PATH, { userList: people(2) }, { headers })
    const second = await post(JSON_PATH, { userList: people(2) }, { headers })
    expect(second.body).toEqual(first.body)
    expect(await rowsOf(bulkUploads)).toHaveLength(1)
  })

  it("reports the outcome in a dry run and writes nothing", async () => {
    await user({ email: "person2@example.com" })
    const { id: groupId } = await group()
    const before = [await everyText(), await rowsOf(sequences)]
    const userList = [...people(40), person(1), person(41, { email: "x" })]
    const dry = await post(JSON_PATH, { userList, groupId, dryRun: "1" })
    expect(dry.body).toMatchObject({ created: 39, existing: 1, failed: 2, upload_id: null, dryRun: true })
    expect(dry.body).toMatchObject({ status: "completed", message: expect.stringContaining("nothing was changed") })
    expect(cost(dry)).toMatchObject({ roundTrips: 1, written: 0 })
    expect([await everyText(), await rowsOf(sequences)]).toEqual(before)
    const wet = await post(JSON_PATH, { userList: userList.slice(0, 3) })
    expect(wet.body).toMatchObject({ created: 2, existing: 1, failed: 0 })
  })

  it("creates no account for a blocked address, and keeps an existing one", async () => {
    await user({ email: "there@blocked.example" })
    await put("/api/user/blockedEmailsAndDomains", { blocked: ["blocked.example"] })
    const userList = [
      person(1, { email: "New@Blocked.Example" }),
      person(2, { email: "there@blocked.example" }),
      person(3),
    ]
    const response = await post(JSON_PATH, { userList })
    expect(response.body).toMatchObject({ created: 1, existing: 1, failed: 1 })
    expect(response.body.errors).toEqual([
      { row: 1, email: "New@Blocked.Example", reasons: [expect.stringContaining("blocked")] },
    ])
  })

  it("enrolls users in the courses, and fails rows if a course or the group has no seat left", async () => {
    const open = await course()
    const full = await course({ totalSeats: 3 })
    const { id: groupId } = await group()
    await db.insert(groupCourseSeats).values({ groupId, courseId: open.id, totalSeats: 10 })
    const there = await user({ email: "person2@example.com" })
    const body = { userList: people(5), groupId, selectedCourses: [open.id, full.id] }
    const errors = [4, 5].map((row) => ({
      row,
      email: `person${row}@example.com`,
      reasons: [`The course ${full.name} has no seat left.`],
    }))
    expect((await post(JSON_PATH, { ...body, dryRun: true })).body).toMatchObject({ created: 2, existing: 1, errors })
    const response = await post(JSON_PATH, body)
    expect(response.body).toMatchObject({ created: 2, existing: 1, failed: 2, errors })
    expect(cost(response).roundTrips).toBe(2)
    const rows = await rowsOf(enrollments)
    expect(rows).toHaveLength(6)
    expect(rows.every((row) => row.groupId === groupId && row.status === "Not Started")).toBe(true)
    expect(rows.filter((row) => row.userId === there.id)).toHaveLength(2)
    expect(await rowsOf(groupCourseSeats)).toMatchObject([{ usedSeats: 3 }])
    expect((await uploaded()).map((row) => row.email)).toEqual(["person1@example.com", "person3@example.com"])
    // Enrolled users need no further seat.
    expect((await post(JSON_PATH, body)).body).toMatchObject({ created: 0, existing: 3, failed: 2 })
    expect(await rowsOf(enrollments)).toHaveLength(6)
  })

  it("enrolls the users of a larger upload once, by the queue", async () => {
    const { id: courseId } = await course({ totalSeats: 290 })
    await post(JSON_PATH, { userList: people(300), selectedCourses: String(courseId) })
    await deliverUpload(1)
    expect((await get(progressPath(1))).body).toMatchObject({ status: "completed", created: 290, failed: 10 })
    expect(new Set((await rowsOf(enrollments)).map((row) => row.userId)).size).toBe(290)
    expect((await get(progressPath(1))).body.errors[0].row).toBe(291)
  })

  it("also enrolls new users in the membership's courses, once and while seats are left", async () => {
    const membershipId = await membership()
    const [both, membershipOnly, selected] = [
      await course(),
      await course({ totalSeats: 2, name: "Small" }),
      await course(),
    ]
    for (const { id } of [both, membershipOnly])
      await db.insert(membershipCourses).values({ membershipId, courseId: id })
    const there = await user({ email: "there@example.com" })
    const body = {
      userList: [person(1), person(2), person(3), { ...person(4), email: there.email }],
      membershipId,
      selectedCourses: [both.id, selected.id],
    }
    const dry = await post(JSON_PATH, { ...body, dryRun: true })
    expect(dry.body).toMatchObject({ created: 2, existing: 1, failed: 1 })
    const response = await post(JSON_PATH, body)
    expect(cost(response).roundTrips).toBe(2)
    expect(response.body).toMatchObject({
      created: 2,
      existing: 1,
      errors: [{ row: 3, reasons: ["The course Small has no seat left."] }],
    })
    const inCourse = async ({ id }: { id: number }) =>
      (await db.select().from(enrollments).where(eq(enrollments.courseId, id))).map((row) => row.userId).toSorted()
    const created = (await uploaded()).map((row) => row.id)
    expect(await inCourse(both)).toEqual([there.id, ...created])
    expect(await inCourse(selected)).toEqual([there.id, ...created])
    expect(await inCourse(membershipOnly)).toEqual(created)
    expect((await auditOf("enrollment")).map((row) => row.subjectId).toSorted()).toEqual([
      both.id,
      membershipOnly.id,
      selected.id,
    ])
    expect((await post(JSON_PATH, body)).body).toMatchObject({ created: 0, existing: 3, failed: 1 })
    expect(await rowsOf(enrollments)).toHaveLength(8)
  })

  it("enrolls users in the membership's courses once if a message is delivered twice", async () => {
    const membershipId = await membership()
    const { id: courseId } = await course()
    await db.insert(membershipCourses).values({ membershipId, courseId })
    const { body } = await post(JSON_PATH, { userList: people(30), membershipId })
    await deliverUpload(body.upload_id)
    await deliverUpload(body.upload_id)
    expect((await rowsOf(enrollments)).filter((row) => row.courseId === courseId)).toHaveLength(30)
    expect((await get(progressPath(body.upload_id))).body).toMatchObject({ status: "completed", created: 30 })
  })

  it("rejects unknown records and invalid lists before any change", async () => {
    const response = await post(JSON_PATH, {
      userList: people(1),
      membershipId: 99,
      selectedCourses: "[7]",
      classIds: [5],
    })
    expect(response.status).toBe(422)
    expect(Object.keys(response.body.errors)).toEqual(["membershipId"])
    expect((await post(JSON_PATH, { userList: people(1), groupId: 98 })).status).toBe(404)
    for (const userList of [undefined, [], "", "x", [7], {}])
      expect((await post(JSON_PATH, { userList })).status, JSON.stringify(userList)).toBe(422)
    expect((await post(JSON_PATH, { userList: people(5001) })).status).toBe(413)
    const heavy = JSON.stringify({ userList: [person(1, { note: "x".repeat(5_000_000) })] })
    expect((await post(JSON_PATH, heavy)).status).toBe(413)
    expect(await rowsOf(users)).toEqual([])
    expect(await rowsOf(bulkUploads)).toEqual([])
  })

  it("allows staff to upload, and only admins to assign memberships", async () => {
    const membershipId = await membership()
    const staff = await signedIn("staff")
    const body = { userList: people(1), membershipId }
    expect((await post(JSON_PATH, body, { token: staff.token })).status).toBe(403)
    expect((await post(JSON_PATH, { userList: people(1) }, { token: staff.token })).body.created).toBe(1)
    const learner = await signedIn("general")
    expect((await post(JSON_PATH, body, { token: learner.token })).status).toBe(403)
    expect((await auditOf("bulk upload")).map((row) => row.performedBy)).toEqual([staff.id])
  })

  it("reads custom fields by key or label in any case, and validates them", async () => {
    await fieldSet([
      { type: "text", label: "Region", userMetaKey: "region" },
      {
        type: "dropdown",
        label: "Age band",
        userMetaKey: "age_band",
        optionLabel: ["0-35", "35-55"],
        isRequired: true,
      },
      { type: "checkbox", label: "Interests", userMetaKey: "interests", optionLabel: ["Chess", "Go", "Cards"] },
    ])
    const response = await post(JSON_PATH, {
      userList: [
        person(1, { REGION: "North", "Age Band": "0-35", interests: ["Go", "Chess"], shoe_size: 42 }),
        person(2, { region: "", age_band: "55+" }),
        person(3, { age_band: " " }),
        person(4),
      ],
    })
    expect(response.body).toMatchObject({
      created: 2,
      failed: 2,
      message: "2 users created, 0 already existed, 2 rows failed. Unknown columns ignored: shoe_size.",
      errors: [
        { row: 2, reasons: ["age_band must be one of: 0-35, 35-55."] },
        { row: 3, reasons: ["age_band is required."] },
      ],
    })
    expect((await rowsOf(customFieldValues)).map((row) => [row.userId, row.value])).toEqual([
      [1, "North"],
      [1, "0-35"],
      [1, "Chess,Go"],
    ])
  })
})

describe("a larger upload", () => {
  it("is accepted immediately, processed by the queue, and visible only to its caller", async () => {
    const admin = await signedIn("admin")
    const other = await signedIn("admin")
    const userList = [...people(30), person(31, { password: "correct horse battery" }), person(32, { email: "x" })]
    openQueue("UPLOADS")
    const accepted = await post(JSON_PATH, { userList }, { token: admin.token })
    expect(accepted.body).toEqual({
      message: "32 rows queued. Request the progress with the upload_id.",
      upload_id: 1,
      dryRun: false,
      status: "processing",
      progress: 0,
      created: 0,
      existing: 0,
      updated: 0,
      failed: 0,
      skippedCourses: 0,
      skippedClasses: 0,
      errors: [],
      rows: [],
    })
    expect(cost(accepted).roundTrips).toBe(2)
    const done = await ended(progressPath(1), admin.token)
    expect(done).toMatchObject({
      progress: 100,
      created: 31,
      existing: 0,
      failed: 1,
      errors: [{ row: 32, email: "x" }],
    })
    expect(await uploaded()).toHaveLength(31)
    expect((await auditOf("user")).every((row) => row.performedBy === admin.id)).toBe(true)
    for (const token of [other.token, undefined])
      expect((await get(progressPath(1), token ? { token } : {})).status).toBe(404)
    expect((await get(progressPath(2), { token: admin.token })).status).toBe(404)
  })

  it("imports 4,700 of 5,000 rows and reports 300 invalid ones, also if interrupted or repeated", async () => {
    const { token } = await signedIn("staff")
    const { id: groupId } = await group()
    const rows = lines(5000)
    const bad = (n: number) => n % 50 < 3
    rows.forEach((row, i) => {
      if (bad(i)) row[i % 50 === 0 ? 0 : 1] = i % 50 === 0 ? "no address" : ""
    })
    const accepted = await sendSheet(await xlsx([HEADERS, ...rows]), token, { groupId: String(groupId) })
    expect(accepted.body).toMatchObject({ status: "processing", upload_id: 1 })
    expect(messages.UPLOADS).toEqual([{ uploadId: 1 }])

    // One attempt hangs forever, one fails in a round trip, then two run concurrently.
    let hangs = false
    const dead = bindingsWith((trip) => {
      if (trip <= 14) return
      hangs = true
      return new Promise<void>(() => {})
    })
    await Promise.race([deliverUpload(1, dead), vi.waitUntil(() => hangs, { timeout: 10_000 })])
    const { created } = (await get(progressPath(1), { token })).body
    expect(created).toBeGreaterThan(0)
    expect(await uploaded()).toHaveLength(created)
    expect(await deliverUpload(1)).toEqual({ retried: false })
    expect((await get(progressPath(1), { token })).body.created).toBe(created)
    await db.update(bulkUploads).set({ leaseUntil: Date.now() - 1 })
    const broken = bindingsWith((trip) => {
      if (trip === 10) throw new Error("D1 is out of reach")
    })
    expect(await deliverUpload(1, broken)).toEqual({ retried: true })
    expect((await get(progressPath(1), { token })).body.progress).toBeGreaterThan(0)
    await Promise.all([deliverUpload(1), deliverUpload(1)])
    await deliverUpload(1)

    const { body } = await get(progressPath(1), { token })
    expect(body).toMatchObject({ status: "completed", progress: 100, created: 4700, existing: 0, failed: 300 })
    expect(body.errors).toHaveLength(300)
    expect(body.errors.slice(0, 3)).toEqual([
      { row: 2, email: "no address", reasons: ["email must be an email address."] },
      { row: 3, email: "person2@example.com", reasons: ["first_name is required."] },
      { row: 4, email: "person3@example.com", reasons: ["first_name is required."] },
    ])
    expect(body.errors.at(-1).row).toBe(4954)
    expect(await uploaded()).toHaveLength(4700)
    expect(await db.select().from(groupMembers)).toHaveLength(4700)
    expect(await auditOf("user")).toHaveLength(4700)
    expect(await rowsOf(passwordLinks)).toHaveLength(4700)
    expect(new Set((await rowsOf(outbox)).map((mail) => mail.userId)).size).toBe(4700)
    expect(await rowsOf(outbox)).toHaveLength(4700)
    expect((await rowsOf(bulkUploadChunks)).every((chunk) => chunk.encryptedRows === null)).toBe(true)

    const again = await sendSheet(await xlsx([HEADERS, ...rows]), token, { groupId: String(groupId) })
    await deliverUpload(again.body.upload_id)
    expect((await get(progressPath(again.body.upload_id), { token })).body).toMatchObject({
      created: 0,
      existing: 4700,
      failed: 300,
    })
    expect(await uploaded()).toHaveLength(4700)
  })

  it("validates rows again when an address is taken meanwhile", async () => {
    await post(JSON_PATH, { userList: people(25) })
    let accepted = false
    const racing = bindingsWith(async (trip) => {
      if (trip === 4 && !accepted) await user({ email: "PERSON7@example.com" })
      accepted ||= trip === 4
    })
    expect(await deliverUpload(1, racing)).toEqual({ retried: false })
    expect((await get(progressPath(1))).body).toMatchObject({ created: 24, existing: 1, failed: 0 })
    expect(await db.select().from(users).where(like(users.email, "person7@%"))).toHaveLength(1)
  })

  it("reports rows that cannot be written and imports the others", async () => {
    await post(JSON_PATH, { userList: people(300) })
    await db
      .update(bulkUploadChunks)
      .set({ encryptedRows: "not encrypted by the service" })
      .where(eq(bulkUploadChunks.number, 0))
    for (let attempt = 0; attempt < 3; attempt++) expect((await deliverUpload(1)).retried).toBe(true)
    expect(await deliverUpload(1)).toEqual({ retried: false })
    const { body } = await get(progressPath(1))
    expect(body).toMatchObject({ status: "completed", created: 50, existing: 0, failed: 250 })
    expect(body.errors[0]).toEqual({ row: 1, email: "", reasons: [expect.stringContaining("a fault of ours")] })
  })

  it("is queued again by the cron when its message was lost, and deleted after seven days", async () => {
    await post(JSON_PATH, { userList: people(21) })
    await runScheduled(env)
    expect(messages.UPLOADS).toHaveLength(1)
    vi.setSystemTime(Date.now() + 2 * MINUTE)
    await runScheduled(env)
    expect(messages.UPLOADS).toHaveLength(2)
    await deliverUpload(1)
    await runScheduled(env)
    expect(messages.UPLOADS).toHaveLength(2)
    vi.setSystemTime(Date.now() + 7 * DAY)
    await runScheduled(env)
    expect(await rowsOf(bulkUploads)).toEqual([])
    expect(await rowsOf(bulkUploadChunks)).toEqual([])
    expect(await uploaded()).toHaveLength(21)
  })

  it("stores no plain-text password in the database, R2, queue messages or responses", async () => {
    const secret = "Tr0ub4dor and three"
    const userList = [...people(21), person(22, { password: secret }), person(23, { password: secret, email: "x" })]
    const accepted = await post(JSON_PATH, { userList })
    const waiting = await everyText()
    expect(waiting).not.toContain(secret)
    expect(waiting).not.toContain(Buffer.from(secret).toString("base64url").slice(2, -4))
    await deliverUpload(1)
    const progress = await get(progressPath(1))
    expect(JSON.stringify([await everyText(), messages, accepted.body, progress.body])).not.toContain(secret)
    expect((await env.FILES.list()).objects).toEqual([])
    const [row] = await db.select().from(users).where(eq(users.email, "person22@example.com"))
    expect(await verifyPassword(secret, row?.passwordHash ?? null)).toBe(true)
  })
})

describe("POST /api/user/userBulkUploadSpreadsheet", () => {
  it("redirects an anonymous call to the sign-in page", async () => {
    const form = new FormData()
    form.set("file", new File(["email,first_name\na@example.com,A"], "a.csv"))
    const response = await post(XLSX, form)
    expect(response.status).toBe(302)
    expect(response.headers.get("location")).toBe("https://lectern.test/login")
    expect(await rowsOf(users)).toEqual([])
  })

  it("reads an xlsx with dates, numbers, formulas, blank rows and headers in any case", async () => {
    const { token } = await signedIn("staff")
    await fieldSet([
      { type: "date", label: "Date of birth", userMetaKey: "born" },
      { type: "text", label: "Badge", userMetaKey: "badge" },
    ])
    const sheet = await xlsx(
      [
        ["Email", "First Name", "LAST NAME", "Password", "date of BIRTH", "badge", "shoe size"],
        ["one@example.com", "One", "Eins", null, new Date(Date.UTC(1990, 0, 5)), 7, 42],
        [],
        [null, " ", null],
        ["two@example.com", "=1+1", true, null, null, "007", null],
        ["bad", "", null, null, "never", null, null],
        ["three@example.com", "a formula", "another", null, null, null, null],
      ],
      {
        "6,1": { formula: 'CONCATENATE("Thr","ee")', formulaResult: "Three", value: "Three" },
        "6,2": { formula: "1/0", type: "error", value: "#DIV/0!", formulaResult: "#DIV/0!" },
      },
    )
    const response = await sendSheet(sheet, token, { "selectedCourses[]": "", dryRun: "false" }, "no name.bin")
    expect(response.body).toMatchObject({
      created: 2,
      failed: 2,
      message: expect.stringContaining("shoe size"),
      errors: [
        {
          row: 6,
          email: "bad",
          reasons: [
            "email must be an email address.",
            "first_name is required.",
            "born must be a date such as 2026-01-05.",
          ],
        },
        { row: 7, email: "three@example.com", reasons: ["last_name holds the error #DIV/0!."] },
      ],
    })
    expect((await uploaded()).map((row) => [row.firstName, row.lastName])).toEqual([
      ["One", "Eins"],
      ["=1+1", "true"],
    ])
    expect((await rowsOf(customFieldValues)).map((row) => row.value)).toEqual(["1990-01-05", "7", "007"])
    expect(await auditOf("bulk upload")).toMatchObject([{ effectOn: "no name.bin" }])
  })

  it("accepts dates as responses return them, and fails rows with incomplete dates", async () => {
    const { token } = await signedIn("staff")
    await fieldSet([{ type: "date", label: "Born", userMetaKey: "born" }])
    const csv = 'email,first_name,born\na@example.com,A,"Jan 05, 2001"\nb@example.com,B,"Jan 05, 20"\n'
    const rows = [
      ["email", "first_name", "born"],
      ["c@example.com", "C", "Jan 06, 2001"],
      ["d@example.com", "D", "Jan 06, 20"],
    ]
    const userList = [
      { email: "e@example.com", first_name: "E", born: "Jan 07, 2001 03:04 PM" },
      { email: "f@example.com", first_name: "F", born: "Jan 07, 20" },
    ]
    for (const response of [
      await sendSheet(csv, token, {}, "a.csv"),
      await sendSheet(await xlsx(rows), token),
      await post(JSON_PATH, { userList }, { token }),
    ])
      expect(response.body).toMatchObject({
        created: 1,
        failed: 1,
        errors: [{ reasons: ["born must be a date such as 2026-01-05."] }],
      })
    const days = (await rowsOf(customFieldValues)).map(({ value }) => value)
    expect(days).toEqual(["2001-01-05", "2001-01-06", "2001-01-07"])
  })

  it("reads a csv with a byte order mark, quotes, semicolons or in UTF-16", async () => {
    const { token } = await signedIn("staff")
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(
        Uint16Array.from([..."email\tfirst_name\ng@example.com\tGé"].map((c) => c.charCodeAt(0))).buffer,
      ),
    ])
    const files: [string | Uint8Array, string[]][] = [
      ['\ufeffemail,first_name,last_name\r\na@example.com,"Ann, ""A""","line\nbreak"\r\n', ['Ann, "A"', "line\nbreak"]],
      ["email;first_name;last_name\nb@example.com;Bo;Ö", ["Bo", "Ö"]],
      ["sep=;\nfirst_name;email\nCy;c@example.com\n", ["Cy", ""]],
      [utf16, ["Gé", ""]],
    ]
    for (const [content, names] of files) {
      const response = await sendSheet(content, token, {}, "people.csv")
      expect(response.body, String(content)).toMatchObject({ created: 1, failed: 0 })
      const row = (await uploaded()).at(-1)
      expect([row?.firstName, row?.lastName]).toEqual(names)
    }
    const numbered = await sendSheet('email,first_name\n"h@example.com","two\nlines"\n\nbad,X\n', token, {}, "x.csv")
    expect(numbered.body).toMatchObject({ created: 1, errors: [{ row: 4, email: "bad" }] })
  })

  it("rejects a csv in another encoding or with invalid bytes, instead of guessing the names", async () => {
    const { token } = await signedIn("staff")
    const csv = "email,first_name\na@example.com,José\nb@example.com,Zoë\n"
    const half = Buffer.concat([Buffer.from(csv), Buffer.from([0xe9])])
    const marked = Buffer.from(`\ufeff${csv}`)
    const cut = Buffer.from(`\ufeff${csv}`, "utf16le").subarray(0, -1)
    // Łódź in Windows-1250, Иван in Windows-1251 and Müller in Windows-1252.
    const older = [
      [0xa3, 0xf3, 0x64, 0x9f],
      [0xc8, 0xe2, 0xe0, 0xed],
      [0x4d, 0xfc],
    ].map((name) => Buffer.concat([Buffer.from("email,first_name\na@example.com,"), Buffer.from(name)]))
    const broken = [...older, half, Buffer.concat([marked, Buffer.from([0xff])]), cut]
    for (const bytes of broken)
      expect(await sendSheet(new Uint8Array(bytes), token, {}, "people.csv")).toMatchObject({
        status: 422,
        body: { errors: { file: ["file is not UTF-8. Save it as CSV UTF-8, or as xlsx, and send it again."] } },
      })
    expect(await uploaded()).toEqual([])
  })

  it("rejects files that are no spreadsheet, are too large, or lack a column", async () => {
    const { token } = await signedIn("staff")
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13])
    const zip = Uint8Array.from([0x50, 0x4b, 3, 4, ...new Uint8Array(100)])
    for (const [content, status] of [
      [png, 415],
      [zip, 415],
      ["%PDF-1.7 text", 415],
      ["<html><body>email</body></html>", 415],
      ["", 422],
      ["email,first_name\n", 422],
      ["email,surname\na@example.com,A", 422],
      ["email,first_name,E-Mail\na@example.com,A,b@example.com", 422],
      [`email,first_name\n${"a@example.com,A\n".repeat(5001)}`, 413],
      ["x".repeat(5_000_001), 413],
    ] as const) {
      const response = await sendSheet(content, token, {}, "people.xlsx")
      expect(response.status, String(content).slice(0, 40)).toBe(status)
      if (status === 422) expect(Object.keys(response.body.errors)).toEqual(["file"])
    }
    expect((await post(XLSX, { file: "x" }, { token })).status).toBe(415)
    const noFile = new FormData()
    noFile.set("file", "text")
    expect((await post(XLSX, noFile, { token })).body.errors).toEqual({ file: ["file is required, as a file."] })
    expect(await rowsOf(users)).toHaveLength(1)
    expect(await rowsOf(bulkUploads)).toEqual([])
  })

  it("returns the first response for a repeated Idempotency-Key, although the form's boundary differs", async () => {
    const { token } = await signedIn("staff")
    const send = (text: string) => {
      const form = new FormData()
      form.set("file", new File([text], "a.csv"))
      return post(XLSX, form, { token, headers: { "idempotency-key": "k" } })
    }
    const text = "email,first_name\na@example.com,A"
    const first = await send(text)
    expect((await send(text)).body).toEqual(first.body)
    expect((await send(`${text}b`)).status).toBe(422)
    expect(await rowsOf(bulkUploads)).toHaveLength(1)
  })
})

describe("GET /api/user/getBulkUploadSampleFile", () => {
  it("has a column for each custom field, and a first record that can be uploaded unchanged", async () => {
    await fieldSet([
      { type: "date", label: "Born", userMetaKey: "born" },
      {
        type: "dropdown",
        label: "Age band",
        userMetaKey: "age_band",
        optionLabel: ["0-35", "35-55"],
        isRequired: true,
      },
      { type: "checkbox", label: "Interests", userMetaKey: "interests", optionLabel: ["Chess, fast", "Go"] },
      { type: "text", label: "Region", userMetaKey: "region", defaultValue: "North" },
    ])
    const response = await get("/api/user/getBulkUploadSampleFile")
    expect(response.body.headers).toEqual([...HEADERS, "born", "age_band", "interests", "region"])
    expect(cost(response)).toMatchObject({ roundTrips: 1, written: 0 })
    const [filled, ...blanks] = response.body.records
    expect(Object.keys(filled)).toEqual(response.body.headers)
    expect(Object.values(filled)).not.toContain("")
    expect(blanks.length).toBeGreaterThan(0)
    for (const blank of blanks) expect(new Set(Object.values(blank))).toEqual(new Set([""]))
    expect((await post(JSON_PATH, { userList: [filled] })).body).toMatchObject({ created: 1, failed: 0 })
  })

  it("can be uploaded unchanged: blank records are skipped, like blank rows of a sheet", async () => {
    await fieldSet([{ type: "checkbox", label: "Interests", userMetaKey: "interests", optionLabel: ["Chess", "Go"] }])
    const { records } = (await get("/api/user/getBulkUploadSampleFile")).body
    const blanks = [{}, { email: null, first_name: " ", interests: [] }, { shoe_size: "" }]
    const response = await post(JSON_PATH, { userList: [...blanks, ...records, { ...person(2), email: "bad" }] })
    const row = blanks.length + records.length + 1
    expect(response.body).toMatchObject({ created: 1, failed: 1, errors: [{ row, email: "bad" }] })
    expect((await get(progressPath(1))).body).toMatchObject({ progress: 100, created: 1, failed: 1 })
    for (const userList of [records.slice(1), blanks, [{}]])
      expect((await post(JSON_PATH, { userList })).body.errors).toEqual({
        userList: ["userList must have a row that is not blank."],
      })
    expect(await uploaded()).toHaveLength(1)
  })
})
