import { eq } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { bulkUploads } from "../../drizzle/schema/bulk-uploads.ts"
import { classEnrollments, classes } from "../../drizzle/schema/classes.ts"
import { locations } from "../../drizzle/schema/locations.ts"
import { users } from "../../drizzle/schema/users.ts"
import { deliverUpload, sendSheet } from "../factories/bulk-upload.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, group, nextId, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post } from "../helpers/client.ts"

const upload = (body: object) => post("/api/user/bulkUpload", body)
const progress = async (id: number) => (await get(`/api/user/bulkUpload/progress/${id}`)).body

const person = (n: number, overrides: object = {}) => ({
  email: `person${n}@example.com`,
  first_name: `P${n}`,
  ...overrides,
})
const people = (count: number) => Array.from({ length: count }, (_, i) => person(i + 1))

const roomFor = async (capacity: number) => {
  const id = await nextId("locations")
  await db.insert(locations).values({ id, name: `Room ${id}`, capacity, searchText: "", createdAt: 1 })
  return id
}
const activeEnrollmentsIn = async ({ id }: { id: number }) =>
  (await rowsOf(classEnrollments)).filter((row) => row.classId === id && row.status !== "Cancelled")
const sizeOf = async ({ id }: { id: number }) =>
  (await db.select().from(classes).where(eq(classes.id, id))).map((row) => row.size)
const auditOf = async (subject: string) => (await rowsOf(auditLogs)).filter((row) => row.subject === subject)

describe("classes in a bulk upload", () => {
  it("enroll new and existing users, re-enroll canceled ones and keep others, in two round trips", async () => {
    const [algebra, biology] = [await classOf(await course({ name: "Algebra" })), await classOf()]
    const { id: groupId } = await group()
    const [ada, bob, eve] = [await user(), await user(), await user({ disabled: true })]
    await classEnrollment(ada, algebra, { status: "Attended" })
    const canceled = await classEnrollment(bob, algebra, { status: "Cancelled" })
    const userList = [person(1), ...[ada, bob, eve].map(({ email }, index) => person(index + 2, { email }))]
    const body = { userList, groupId, classIds: [algebra.id, biology.id, algebra.id] }
    const outcome = {
      created: 1,
      existing: 2,
      errors: [{ row: 4, email: eve.email, reasons: ["The user is disabled: a class takes no disabled users."] }],
    }
    expect((await upload({ ...body, dryRun: true })).body).toMatchObject(outcome)
    expect(await rowsOf(classEnrollments)).toHaveLength(2)
    const response = await upload(body)
    expect(response.body).toMatchObject(outcome)
    expect(cost(response).roundTrips).toBe(2)

    const [created] = await db.select().from(users).where(eq(users.email, "person1@example.com"))
    const everyone = [ada.id, bob.id, created?.id]
    expect((await activeEnrollmentsIn(algebra)).map((row) => row.userId).toSorted()).toEqual(everyone)
    expect((await activeEnrollmentsIn(biology)).map((row) => row.userId).toSorted()).toEqual(everyone)
    const rows = await rowsOf(classEnrollments)
    expect(rows.find((row) => row.userId === ada.id && row.classId === algebra.id)?.status).toBe("Attended")
    expect(rows.find((row) => row.id === canceled.id)).toMatchObject({ status: "Registered", groupId })
    expect(rows.find((row) => row.userId === created?.id)).toMatchObject({ firstName: "P1", groupId, notes: "" })
    expect([await sizeOf(algebra), await sizeOf(biology)]).toEqual([[3], [3]])
    expect((await auditOf("class enrollment")).map((row) => [row.subjectId, row.effectOn, row.details])).toEqual([
      [algebra.id, "Algebra", { user_ids: [bob.id, created?.id] }],
      [biology.id, expect.any(String), { user_ids: everyone }],
    ])
    expect((await upload(body)).body).toMatchObject({ created: 0, existing: 3, failed: 1 })
    expect(await rowsOf(classEnrollments)).toHaveLength(6)
    expect(await auditOf("class enrollment")).toHaveLength(2)
  })

  it("fail a complete row without a seat; earlier rows are imported, and enrolled users need no seat", async () => {
    const small = await classOf(await course({ name: "Pottery" }), { locationId: await roomFor(3) })
    const ada = await user()
    await classEnrollment(ada, small)
    const { id: courseId } = await course({ totalSeats: 3 })
    const userList = [person(1), person(2), person(3), person(4, { email: ada.email })]
    const { body } = await upload({ userList, classIds: [small.id], selectedCourses: [courseId] })
    expect(body).toMatchObject({
      created: 2,
      existing: 1,
      errors: [{ row: 3, reasons: [`Class ${small.id}, Pottery, has no seat left.`] }],
    })
    expect(await sizeOf(small)).toEqual([3])
    expect(await db.select().from(users).where(eq(users.email, "person3@example.com"))).toEqual([])
  })

  it("are skipped and counted if unknown, like courses, also if they are created later", async () => {
    const { id } = await classOf()
    const wanted = { classIds: [77, id, 99], selectedCourses: [88] }
    const few = await upload({ userList: people(2), ...wanted })
    expect(few.body).toMatchObject({
      created: 2,
      skippedClasses: 2,
      skippedCourses: 1,
      message:
        "2 users created, 0 already existed, 0 rows failed. 1 unknown course skipped. 2 unknown classes skipped.",
    })
    expect(await sizeOf({ id })).toEqual([2])
    const many = await upload({ userList: people(30), ...wanted, classIds: [77] })
    expect(many.body).toMatchObject({ status: "processing", skippedClasses: 1, skippedCourses: 1 })
    for (const { body, classes } of [
      { body: few.body, classes: "2 unknown classes" },
      { body: many.body, classes: "1 unknown class" },
    ]) {
      const progress = await get(`/api/user/bulkUpload/progress/${body.upload_id}`)
      expect(progress.body).toMatchObject({
        skippedClasses: body.skippedClasses,
        skippedCourses: 1,
        message: expect.stringContaining(` 1 unknown course skipped. ${classes} skipped.`),
      })
    }
    expect((await db.select().from(bulkUploads).where(eq(bulkUploads.status, "processing")))[0]).toMatchObject({
      classIds: [],
      courseIds: [],
    })
    const dry = await upload({ userList: people(1), ...wanted, dryRun: true })
    expect(dry.body).toMatchObject({ dryRun: true, skippedClasses: 2, skippedCourses: 1 })
  })

  it("return 409 before any change if one has ended or is disabled", async () => {
    const past = await classOf(undefined, { startAt: Date.now() - 9e6, endAt: Date.now() - 1000 })
    const disabled = await classOf(undefined, { disabled: true })
    for (const rows of [1, 30]) {
      const closed = await upload({ userList: people(rows), classIds: [past.id, disabled.id] })
      expect(closed.status).toBe(409)
      expect(closed.body.message).toBe(
        `Class ${past.id} has ended. Class ${disabled.id} is disabled. Users cannot be enrolled in such classes. ` +
          "Nothing was uploaded.",
      )
    }
    expect(await db.select().from(users).where(eq(users.sourceId, 2))).toEqual([])
    const many = await upload({ userList: people(1), classIds: Array.from({ length: 51 }, (_, index) => index + 1) })
    expect(many.status).toBe(422)
  })

  it("enroll queued rows once per message and while seats are left", async () => {
    const [small, open] = [await classOf(undefined, { locationId: await roomFor(25) }), await classOf()]
    const { body } = await upload({ userList: people(30), classIds: [small.id, open.id] })
    await deliverUpload(body.upload_id)
    await deliverUpload(body.upload_id)
    expect(await progress(body.upload_id)).toMatchObject({ status: "completed", created: 25, failed: 5 })
    expect([await sizeOf(small), await sizeOf(open)]).toEqual([[25], [25]])
    expect(await auditOf("class enrollment")).toHaveLength(2)
    const { token } = await signedIn("staff")
    const seen = await get(`/api/class/enrolled-students?class_id=${small.id}&page_size=1&page_number=1`, { token })
    expect(seen.body).toMatchObject({ recordsTotal: 25 })
  })

  it("fail rows if disabled meanwhile, and are skipped if deleted meanwhile", async () => {
    const [closing, going] = [await classOf(await course({ name: "Ink" })), await classOf()]
    const [first, second] = [
      await upload({ userList: people(21), classIds: [closing.id] }),
      await upload({ userList: people(42).slice(21), classIds: [going.id] }),
    ]
    await db.update(classes).set({ disabled: true }).where(eq(classes.id, closing.id))
    await db.delete(classes).where(eq(classes.id, going.id))
    for (const { body } of [first, second]) await deliverUpload(body.upload_id)
    const failed = await progress(first.body.upload_id)
    expect(failed).toMatchObject({ created: 0, failed: 21 })
    expect(failed.errors[0].reasons).toEqual([`Class ${closing.id}, Ink, is disabled.`])
    expect(await progress(second.body.upload_id)).toMatchObject({ created: 21, failed: 0 })
    expect(await rowsOf(classEnrollments)).toEqual([])
  })

  it("can be selected with a spreadsheet", async () => {
    const { token } = await signedIn("staff")
    const trainingClass = await classOf()
    const response = await sendSheet(
      "email,first_name\nada@example.com,Ada\n",
      token,
      { classIds: `[${trainingClass.id}]` },
      "p.csv",
    )
    expect(response.body).toMatchObject({ created: 1, failed: 0 })
    expect(await activeEnrollmentsIn(trainingClass)).toHaveLength(1)
  })
})
