import { env } from "cloudflare:workers"
import { asc, eq, sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { classEnrollments } from "../../drizzle/schema/classes.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { events } from "../../drizzle/schema/events.ts"
import { groupCourseSeats } from "../../drizzle/schema/groups.ts"
import type { users } from "../../drizzle/schema/users.ts"
import { openDatabase } from "../../src/db/client.ts"
import { DAY } from "../../src/lib/clock.ts"
import { forgetEvents } from "../../src/modules/webhooks/events.queries.ts"
import { learnerWithAssignment } from "../factories/assignments.ts"
import { deliverUpload, sendSheet, xlsx } from "../factories/bulk-upload.ts"
import { template } from "../factories/certificates.ts"
import { classOf } from "../factories/classes.ts"
import { deliver, exportJob } from "../factories/exports.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { learningPath } from "../factories/learning-paths.ts"
import { PACKAGE_12, uploadPackage } from "../factories/scorm.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

type FeedEvent = { id: string; type: string; occurredAt: string; data: Record<string, unknown> }

/** Reads the feed from the beginning or from a cursor. */
const read = async (parameters: object = {}) => {
  const response = await get(`/api/events${query({ page_size: 500, ...parameters })}`)
  expect(response.status).toBe(200)
  return response.body as { events: FeedEvent[]; cursor: string }
}

/** Returns a function that reads the events added from now on. */
async function listening() {
  let { cursor } = await read()
  return async () => {
    const found = await read({ after: cursor })
    cursor = found.cursor
    return found.events
  }
}

const typesOf = (received: FeedEvent[]) => received.map(({ type }) => type)
const named = ({ id, firstName, lastName, email }: typeof users.$inferSelect) => ({
  id,
  name: `${firstName} ${lastName}`,
  email,
})
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const ada = (input: object = {}) => ({
  firstName: "Ada",
  lastName: "Byron",
  email: "ada@example.com",
  password: "analytical engine",
  password_confirmation: "analytical engine",
  ...input,
})

describe("events of users", () => {
  it("contain the name and address of a created user", async () => {
    const payloads = await listening()
    const { body } = await post("/api/user/create", ada())
    expect(await payloads()).toEqual([
      {
        id: expect.stringMatching(/^evt_\d+_[0-9a-z]+$/),
        type: "user.created",
        occurredAt: ISO,
        data: {
          user: {
            id: body.id,
            name: "Ada Byron",
            email: "ada@example.com",
            firstName: "Ada",
            lastName: "Byron",
            userType: "general",
          },
        },
      },
    ])
    await put(`/api/user/${body.id}`, ada({ firstName: "Augusta", password: "", password_confirmation: "" }))
    expect(await payloads()).toEqual([])
  })

  it("are the same for a bulk upload, processed immediately or by the queue", async () => {
    const { token } = await signedIn("staff")
    await course({ name: "Algebra" })
    const payloads = await listening()
    const lines = (from: number, count: number) => [
      ["email", "first_name", "last_name"],
      ...Array.from({ length: count }, (_, i) => [`p${from + i}@example.com`, "P", String(from + i)]),
    ]
    await sendSheet(await xlsx(lines(0, 3)), token, { "selectedCourses[]": "1" })
    expect(typesOf(await payloads()).sort()).toEqual([
      ...Array(3).fill("enrollment.created"),
      ...Array(3).fill("user.created"),
    ])
    const { body } = await sendSheet(await xlsx(lines(10, 30)), token)
    expect(await payloads()).toEqual([])
    await deliverUpload(body.upload_id)
    await deliverUpload(body.upload_id)
    expect(typesOf(await payloads())).toEqual(Array(30).fill("user.created"))
  })
})

describe("events of enrollments", () => {
  it("contain the user, the course and the actor of each new enrollment", async () => {
    const staff = await signedIn("staff")
    const [first, second] = [await user(), await user()]
    await course({ name: "Algebra" })
    const payloads = await listening()
    await post("/api/course/enroll", { course_ids: [1], user_ids: [first.id] }, staff)
    expect(await payloads()).toMatchObject([
      {
        type: "enrollment.created",
        data: {
          registrationId: 1,
          user: named(first),
          course: { id: 1, name: "Algebra" },
          groupId: null,
          enrolledBy: staff.id,
          registeredAt: ISO,
        },
      },
    ])
    await post("/api/course/enroll", { course_ids: [1], user_ids: [first.id, second.id] }, staff)
    expect((await payloads()).map(({ data }) => data.user)).toEqual([named(second)])
  })

  it("are the same for learning paths, groups, quick edits and enrollments from another system", async () => {
    const staff = await signedIn("staff")
    const learner = await user()
    const courses = [await course(), await course(), await course(), await course(), await course()]
    const path = await learningPath({}, courses.slice(0, 2))
    const { id: groupId } = await group({ members: [learner.id] })
    await db.insert(groupCourseSeats).values({ groupId, courseId: courses[2]?.id ?? 0, totalSeats: 5 })
    const payloads = await listening()
    await post("/api/learningpath/enroll", { learning_path_ids: [path.id], user_ids: [learner.id] }, staff)
    expect(typesOf(await payloads())).toEqual(["enrollment.created", "enrollment.created"])
    await post("/api/course/enroll", { course_ids: [courses[2]?.id], user_ids: [learner.id], group_id: groupId }, staff)
    expect(typesOf(await payloads())).toEqual(["enrollment.created"])
    await post("/api/user/quickEdit", { user_ids: [learner.id], disabled: false, course_ids: [courses[3]?.id] }, staff)
    expect(typesOf(await payloads())).toEqual(["enrollment.created"])
    const record = { user_id: learner.id, course_id: courses[4]?.id, completed_on: "2014-06-01" }
    await post("/api/course/record", { registrations: [record] }, staff)
    const received = await payloads()
    expect(typesOf(received)).toEqual(["enrollment.created", "enrollment.completed"])
    expect(received[1]?.data.completedAt).toBe("2014-06-01T00:00:00.000Z")
  })

  it("contain a completion and its certificate once", async () => {
    const { id: certificateTemplateId } = await template()
    const learner = await signedIn("general")
    const inside = await course({ name: "Algebra", certificateTemplateId }, [{}, {}])
    const { id: registrationId } = await enrollment(learner, inside)
    const payloads = await listening()
    const step = (moduleId: number, input = {}) =>
      post("/api/module/progress", { registrationId, moduleId, ...input }, { token: learner.token })
    await step(1)
    await step(1, { timeSpent: 30 })
    await step(1, { status: "Completed" })
    expect(await payloads()).toEqual([])
    await step(2, { status: "Completed" })
    const received = await payloads()
    expect(typesOf(received).sort()).toEqual(["certificate.issued", "enrollment.completed"])
    const subject = { user: named(learner), registrationId, course: { id: inside.id, name: "Algebra" } }
    expect(received).toContainEqual(
      expect.objectContaining({ type: "enrollment.completed", data: { ...subject, completedAt: ISO } }),
    )
    expect(received).toContainEqual(
      expect.objectContaining({
        type: "certificate.issued",
        data: {
          ...subject,
          certificate: { id: 1, code: expect.any(String) },
          classRegistrationId: null,
          issuedAt: ISO,
          expiresAt: null,
        },
      }),
    )
    await step(2, { timeSpent: 5 })
    expect(await payloads()).toEqual([])
  })

  it("keep what they said when the user, the course or the enrollment changes or is deleted", async () => {
    const staff = await signedIn("staff")
    const learner = await user()
    const { id: courseId } = await course({ name: "Algebra" })
    const heard = await listening()
    await post("/api/course/enroll", { course_ids: [courseId], user_ids: [learner.id] }, staff)
    const [before] = await heard()
    await put(`/api/user/${learner.id}`, { firstName: "Augusta", lastName: "King", email: "king@example.com" }, staff)
    await put(`/api/course/${courseId}`, { name: "Analysis" }, staff)
    await post("/api/course/unenroll", { course_ids: [courseId], user_ids: [learner.id] }, staff)
    await post("/api/course/delete", { delete_ids: [courseId] }, staff)
    await post("/api/user/delete", { delete_ids: [learner.id] })
    expect((await read()).events.filter(({ id }) => id === before?.id)).toEqual([before])
    expect(before?.data).toMatchObject({ user: named(learner), course: { id: courseId, name: "Algebra" } })
    // The names of the fields are not stored.
    const [stored] = await db.select().from(events).where(eq(events.type, "enrollment.created"))
    expect(JSON.stringify(stored?.data).length).toBeLessThan(JSON.stringify(before?.data).length / 2)
  })

  it("contain completions by SCORM packages and from another system", async () => {
    const learner = await signedIn("general")
    const { body } = await uploadPackage(PACKAGE_12)
    const played = await enrollment(learner, await course({}, [{ moduleId: body.id }]))
    const done = await enrollment(learner, await course({}, [{ moduleId: (await module({ name: "Text" })).id }]))
    const payloads = await listening()
    const cmi = { core: { lesson_status: "completed" } }
    await post("/api/scorm/commit", { registrationId: played.id, moduleId: body.id, cmi }, { token: learner.token })
    expect(typesOf(await payloads())).toEqual(["enrollment.completed"])
    const record = { registrationId: done.id, moduleId: 2, completed_on: "2020-01-01" }
    expect((await post("/api/module/record", { records: [record] })).status).toBe(200)
    expect(typesOf(await payloads())).toEqual(["enrollment.completed"])
  })

  it("are not written for a failed change", async () => {
    const learner = await user()
    await course()
    const payloads = await listening()
    await db.run(sql`create trigger refused before insert on audit_logs begin select raise(abort, 'refused'); end`)
    const answer = post("/api/course/enroll", { course_ids: [1], user_ids: [learner.id] })
    await expect(answer).rejects.toThrow("500")
    expect(await rowsOf(enrollments)).toEqual([])
    expect(await payloads()).toEqual([])
  })
})

describe("events of quizzes", () => {
  const QUESTION = { text: "2 + 2?", type: "single", points: 4, options: [{ text: "4", correct: true }, { text: "5" }] }

  it("contain each submitted attempt with its result", async () => {
    const learner = await signedIn("general")
    const quiz = { name: "Sums", content: "x", questions: [QUESTION], passPercent: 60 }
    const { body } = await post("/api/modules/quiz", quiz)
    const inside = await course({ name: "Algebra" }, [{ moduleId: body.id }])
    const { id: registrationId } = await enrollment(learner, inside)
    const ref = { registrationId, moduleId: body.id }
    const payloads = await listening()
    await post("/api/quiz/attempt", ref, { token: learner.token })
    expect(await payloads()).toEqual([])
    await post("/api/quiz/submit", { attemptId: 1, answers: [] }, { token: learner.token })
    expect(await payloads()).toMatchObject([
      {
        type: "quiz.submitted",
        data: {
          attemptId: 1,
          registrationId,
          user: named(learner),
          course: { id: inside.id, name: "Algebra" },
          quiz: { id: body.id, name: "Sums" },
          number: 1,
          result: "failed",
          score: 0,
          outOf: 4,
          percent: 0,
          submittedAt: ISO,
        },
      },
    ])
    const attempt = { ...ref, submitted_on: "2020-01-01", score: 4, outOf: 4 }
    await post("/api/quiz/record", { attempts: [attempt] })
    const received = await payloads()
    expect(typesOf(received).sort()).toEqual(["enrollment.completed", "quiz.submitted"])
    expect(received.find(({ type }) => type === "quiz.submitted")?.data).toMatchObject({
      result: "passed",
      submittedAt: "2020-01-01T00:00:00.000Z",
    })
  })
})

describe("events of assignments", () => {
  it("contain a submission, its return and its acceptance", async () => {
    const { learner, essay, inside, ref, mine } = await learnerWithAssignment()
    const staff = await signedIn("staff")
    const payloads = await listening()
    const first = await post("/api/module/assignment/submit", { submission: "x", ...ref }, mine)
    const common = {
      submissionId: 1,
      registrationId: ref.registrationId,
      user: named(learner),
      course: { id: inside.id, name: "Algebra" },
      assignment: { id: essay.id, name: "Essay" },
      number: 1,
      submittedAt: ISO,
    }
    expect(await payloads()).toMatchObject([{ type: "assignment.submitted", data: common }])
    const evaluate = (evaluation: object) =>
      post("/api/module/assignment/evaluate", { statusRowId: first.body.statusRowId, evaluation }, staff)
    expect((await evaluate({ isAccepted: false })).status).toBe(200)
    expect(await payloads()).toMatchObject([
      { type: "assignment.rejected", data: { ...common, pointsAwarded: null, evaluatedAt: ISO } },
    ])
    await post("/api/module/assignment/submit", { submission: "y", ...ref }, mine)
    await evaluate({ isAccepted: true, pointsAwarded: 15 })
    const received = await payloads()
    expect(typesOf(received)).toEqual(["assignment.submitted", "assignment.evaluated"])
    expect(received[1]?.data).toMatchObject({ submissionId: 2, number: 2, pointsAwarded: 15 })
  })

  it("contain both the submission and the acceptance of work from another system", async () => {
    const { ref } = await learnerWithAssignment()
    const payloads = await listening()
    await post("/api/module/assignment/record", {
      submissions: [{ ...ref, pointsAwarded: 3, submitted_on: "2020-03-01" }],
    })
    expect(typesOf(await payloads())).toEqual(["assignment.submitted", "assignment.evaluated"])
  })
})

describe("events of orders", () => {
  const items = [{ type: "course", id: 7, name: "Algebra", quantity: 2, price: 24.95 }]

  it("contain each created order and each status that requires action", async () => {
    const buyer = await user()
    const payloads = await listening()
    await post("/api/order/create", { userId: buyer.id, items })
    const received = await payloads()
    expect(typesOf(received)).toEqual(["order.created", "order.pending"])
    expect(received[0]?.data).toEqual({
      orderId: 1,
      user: named(buyer),
      status: "pending",
      total: 49.9,
      currency: "USD",
      items: [{ type: "course", id: 7, name: "Algebra", quantity: 2 }],
    })
    for (const [status, type] of [
      ["failed", "order.failed"],
      ["pending", "order.pending"],
      ["refunded", "order.refused"],
    ]) {
      await put("/api/order/1", { status })
      expect(await payloads()).toMatchObject([{ type, data: { status } }])
    }
    await put("/api/order/1", { status: "refunded", total: 10 })
    await put("/api/order/1", { status: "completed" })
    expect(await payloads()).toEqual([])
    await post("/api/order/create", { userId: buyer.id, items, status: "completed" })
    expect(typesOf(await payloads())).toEqual(["order.created"])
  })
})

describe("other events", () => {
  it("contain an announcement", async () => {
    const staff = await signedIn("staff")
    const payloads = await listening()
    await post("/api/announcement", { heading: "News", content: "x", sending_rules: "all" }, staff)
    expect(await payloads()).toMatchObject([
      {
        type: "announcement.created",
        data: {
          announcement: { id: 1, heading: "News" },
          sendingRules: "all",
          author: named(staff),
          expiresAt: null,
        },
      },
    ])
  })

  it("contain a class registration, also after a cancellation, and its certificate", async () => {
    const staff = await signedIn("staff")
    const learner = await user()
    const { id: certificateTemplateId } = await template()
    const trainingClass = await classOf(await course({ name: "Safety", certificateTemplateId }))
    const payloads = await listening()
    const enroll = () => post(`/api/class/enroll/${trainingClass.id}`, { studentIds: [learner.id] }, staff)
    await enroll()
    const first = await payloads()
    expect(first).toMatchObject([
      {
        type: "class.enrolled",
        data: {
          registrationId: 1,
          user: named(learner),
          course: { name: "Safety" },
          class: { id: trainingClass.id, startAt: new Date(trainingClass.startAt).toISOString(), endAt: ISO },
        },
      },
    ])
    await db.update(classEnrollments).set({ status: "Cancelled" })
    await enroll()
    expect(await payloads()).toMatchObject([{ type: "class.enrolled", data: { registrationId: 1 } }])
    await db.update(classEnrollments).set({ status: "Attended" })
    await post(`/api/class/assignCertificate/${trainingClass.id}`, { enrollmentIds: [1] }, staff)
    expect(await payloads()).toMatchObject([
      { type: "certificate.issued", data: { registrationId: null, classRegistrationId: 1 } },
    ])
  })

  it("contain an export when its file can be downloaded", async () => {
    const staff = await signedIn("staff")
    const payloads = await listening()
    const exportId = await exportJob(staff)
    expect(await payloads()).toEqual([])
    await deliver(exportId)
    await deliver(exportId)
    expect(await payloads()).toMatchObject([
      { type: "export.completed", data: { exportId, kind: "users", user: named(staff), expiresAt: ISO } },
    ])
  })
})

/** Inserts events without a change. */
const many = (count: number, { type = "user.created", occurredAt = Date.now() } = {}) =>
  db.run(
    sql`insert into events (type, occurred_at, data)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
      select ${type}, ${occurredAt}, json_array(json_array(i, '', '', '', '', 'general')) from n`,
  )

describe("GET /api/events", () => {
  it("requires an admin", async () => {
    for (const [type, status] of [
      ["staff", 403],
      ["admin", 200],
    ] as const)
      expect((await get("/api/events", await signedIn(type))).status).toBe(status)
  })

  it("returns each event once and in order, one round trip per page", async () => {
    await many(1234)
    const all: string[] = []
    let after: string | undefined
    for (let pages = 0; pages < 4; pages++) {
      const response = await get(`/api/events${query({ page_size: 500, ...(after && { after }) })}`)
      expect(cost(response).trips).toBe(1)
      expect(cost(response).read).toBeLessThanOrEqual(520)
      all.push(...response.body.events.map(({ data }: FeedEvent) => (data.user as { id: number }).id))
      after = response.body.cursor
    }
    expect(all).toEqual(Array.from({ length: 1234 }, (_, i) => i + 1))
    await many(1)
    expect((await read({ after })).events).toHaveLength(1)
  })

  it("returns a cursor for an empty feed", async () => {
    const { events: none, cursor } = await read()
    expect(none).toEqual([])
    await many(2)
    expect((await read({ after: cursor })).events).toHaveLength(2)
  })

  it("filters by type and scans at most 5,000 events per request", async () => {
    await many(6000)
    await many(1, { type: "user.created" })
    await db.update(events).set({ type: "order.failed" }).where(eq(events.id, 6001))
    await db
      .update(events)
      .set({
        data: [null, 1, "failed", 100, "JPY", []],
      })
      .where(eq(events.id, 6001))
    const first = await get(`/api/events${query({ types: "order.failed,order.refused" })}`)
    expect(first.body.events).toEqual([])
    expect(cost(first).read).toBeLessThanOrEqual(5020)
    const second = await read({ types: ["order.failed"], after: first.body.cursor })
    expect(second.events).toMatchObject([{ type: "order.failed", data: { total: 100 } }])
    expect((await read({ after: second.cursor })).events).toEqual([])
  })

  it("rejects invalid cursors, unknown types and too large pages", async () => {
    for (const [parameters, field] of [
      [{ after: "x" }, "after"],
      [{ types: "user.vanished" }, "types.0"],
      [{ page_size: 501 }, "page_size"],
    ] as const)
      expect((await get(`/api/events${query(parameters)}`)).body.errors).toHaveProperty([field])
  })

  it("returns 410 for a cursor before the oldest stored event", async () => {
    await many(3, { occurredAt: Date.now() - 31 * DAY })
    const { cursor } = await read({ page_size: 1 })
    const at = async (place: number) => (await read({ page_size: place })).cursor
    const [third] = [await at(3)]
    await many(2)
    await forgetEvents(openDatabase(env.DB, "first-primary"))
    expect(await get(`/api/events${query({ after: cursor })}`)).toMatchObject({
      status: 410,
      body: { code: "cursor_expired" },
    })
    expect((await read({ after: third })).events).toHaveLength(2)
    expect((await read()).events).toHaveLength(2)
  })
})

describe("a cursor after a restore", () => {
  const expired = { status: 410, body: { code: "cursor_expired" } }
  const readAfter = (after: string) => get(`/api/events${query({ after })}`)

  it("returns 410 when it lies beyond the newest event", async () => {
    await many(3)
    const { cursor } = await read()
    await db.delete(events).where(eq(events.id, 3))
    expect(await readAfter(cursor)).toMatchObject(expired)
    await many(1, { occurredAt: Date.now() + 1 })
    expect(await readAfter(cursor)).toMatchObject(expired)
    await db.delete(events)
    expect(await readAfter(cursor)).toMatchObject(expired)
  })

  it("returns 410 when the event at its place has another time", async () => {
    await many(3)
    const { cursor } = await read({ page_size: 2 })
    expect((await readAfter(cursor)).body.events).toHaveLength(1)
    await db
      .update(events)
      .set({ occurredAt: Date.now() + 5 })
      .where(eq(events.id, 2))
    expect(await readAfter(cursor)).toMatchObject(expired)
  })

  it("continues when only the event at its place was deleted for its age", async () => {
    await many(2, { occurredAt: Date.now() - 31 * DAY })
    const { cursor } = await read()
    await many(2)
    await forgetEvents(openDatabase(env.DB, "first-primary"))
    expect((await read({ after: cursor })).events).toHaveLength(2)
  })

  it("of an empty feed continues in the same feed alone", async () => {
    const { cursor } = await read()
    await many(2)
    expect((await read({ after: cursor })).events).toHaveLength(2)
  })
})

describe("deletion of old events", () => {
  const forget = () => forgetEvents(openDatabase(env.DB, "first-primary"))

  it("keeps events of the last 30 days, and the newest event regardless of its age", async () => {
    await many(2, { occurredAt: Date.now() - 31 * DAY })
    await many(1, { occurredAt: Date.now() - 29 * DAY })
    await forget()
    expect((await rowsOf(events)).map(({ id }) => id)).toEqual([3])
    await db.update(events).set({ occurredAt: 0 })
    await forget()
    await many(1)
    expect((await rowsOf(events)).map(({ id }) => id)).toEqual([3, 4])
  })

  it("deletes 60,000 events in two runs and keeps the newest", async () => {
    await many(60_000, { occurredAt: 0 })
    await forget()
    const [first] = await db.select().from(events).orderBy(asc(events.id)).limit(1)
    expect(first?.id).toBe(50_001)
    await forget()
    expect((await rowsOf(events)).map(({ id }) => id)).toEqual([60_000])
  })
})

describe("order of events", () => {
  it("matches the order of their times", async () => {
    await many(1, { occurredAt: Date.now() + DAY })
    await user()
    const [first, second] = await rowsOf(events)
    expect(second?.occurredAt).toBe(first?.occurredAt)
  })
})
