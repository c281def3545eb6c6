import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { classEnrollments } from "../../drizzle/schema/classes.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../drizzle/schema/groups.ts"
import type { users } from "../../drizzle/schema/users.ts"
import { learnerWithAssignment } from "../factories/assignments.ts"
import { deliverUpload, sendSheet, xlsx } from "../factories/bulk-upload.ts"
import { template } from "../factories/certificates.ts"
import { classOf } from "../factories/classes.ts"
import { listening, readFeed, typesIn } from "../factories/events.ts"
import { deliver, exportJob } from "../factories/exports.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { learningPath } from "../factories/learning-paths.ts"
import { PACKAGE_12, uploadPackage } from "../factories/scorm.ts"
import { post, put } from "../helpers/client.ts"

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
          id: body.id,
          firstName: "Ada",
          lastName: "Byron",
          email: "ada@example.com",
          userType: "general",
          disabled: false,
          sourceId: 1,
          membershipId: null,
          membership: null,
          membershipExpiresAt: null,
          externalIds: [],
          createdAt: ISO,
          updatedAt: ISO,
        },
      },
    ])
    await put(`/api/user/${body.id}`, ada({ firstName: "Augusta", password: "", password_confirmation: "" }))
    expect(await payloads()).toMatchObject([
      { type: "user.updated", data: { firstName: "Augusta" }, previous: { firstName: "Ada" } },
    ])
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
    expect(typesIn(await payloads()).sort()).toEqual([
      ...Array(3).fill("enrollment.created"),
      "import.completed",
      ...Array(3).fill("user.created"),
    ])
    const { body } = await sendSheet(await xlsx(lines(10, 30)), token)
    expect(await payloads()).toEqual([])
    await deliverUpload(body.upload_id)
    await deliverUpload(body.upload_id)
    expect(typesIn(await payloads())).toEqual([...Array(30).fill("user.created"), "import.completed"])
  })

  it("end with import.failed if every row failed, and with import.completed if some did", async () => {
    const { token } = await signedIn("staff")
    const payloads = await listening()
    const header = ["email", "first_name", "last_name"]
    const [bad, good] = [
      ["not an address", "P", "1"],
      ["p2@example.com", "P", "2"],
    ]
    await sendSheet(await xlsx([header, bad]), token)
    expect(await payloads()).toMatchObject([{ type: "import.failed", data: { rows: 1, failed: 1 } }])
    await sendSheet(await xlsx([header, bad, good]), token)
    expect(typesIn(await payloads()).sort()).toEqual(["import.completed", "user.created"])
    const { body } = await sendSheet(await xlsx([header, ...Array.from({ length: 30 }, () => bad)]), token)
    await deliverUpload(body.upload_id)
    await deliverUpload(body.upload_id)
    expect(typesIn(await payloads())).toEqual(["import.failed"])
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
          id: 1,
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
    expect(typesIn(await payloads())).toEqual(["enrollment.created", "enrollment.created", "learning_path.enrolled"])
    await post("/api/course/enroll", { course_ids: [courses[2]?.id], user_ids: [learner.id], group_id: groupId }, staff)
    expect(typesIn(await payloads())).toEqual(["enrollment.created"])
    await post("/api/user/quickEdit", { user_ids: [learner.id], disabled: false, course_ids: [courses[3]?.id] }, staff)
    expect(typesIn(await payloads())).toEqual(["enrollment.created"])
    const record = { user_id: learner.id, course_id: courses[4]?.id, completed_on: "2014-06-01" }
    await post("/api/course/record", { registrations: [record] }, staff)
    const received = await payloads()
    expect(typesIn(received)).toEqual(["enrollment.created", "enrollment.completed"])
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
    expect(await payloads()).toMatchObject([
      {
        type: "enrollment.started",
        data: { status: "In Progress", startedAt: ISO },
        previous: { status: "Not Started", startedAt: null },
      },
    ])
    await step(1, { timeSpent: 30 })
    expect(await payloads()).toEqual([])
    await step(1, { status: "Completed" })
    expect(await payloads()).toMatchObject([
      { type: "module.completed", data: { registrationId, module: { id: 1 }, status: "Completed", completedAt: ISO } },
      { type: "enrollment.updated", data: { percent: 50 }, previous: { percent: 0 } },
    ])
    await step(2, { status: "Completed" })
    const received = await payloads()
    expect(typesIn(received)).toEqual(["module.completed", "certificate.issued", "enrollment.completed"])
    const subject = { user: named(learner), course: { id: inside.id, name: "Algebra" } }
    expect(received[2]).toMatchObject({
      type: "enrollment.completed",
      data: { ...subject, id: registrationId, status: "Completed", percent: 100, completedAt: ISO },
      previous: { status: "In Progress", percent: 50, completedAt: null },
    })
    expect(received).toContainEqual(
      expect.objectContaining({
        type: "certificate.issued",
        data: {
          ...subject,
          id: 1,
          code: expect.any(String),
          registrationId,
          classRegistrationId: null,
          issuedAt: ISO,
          expiresAt: null,
          revokedAt: null,
          updatedAt: ISO,
        },
      }),
    )
    await step(2, { timeSpent: 5 })
    expect(await payloads()).toEqual([])
  })

  it("contain the current state of the object, or its ids once it is deleted", async () => {
    const staff = await signedIn("staff")
    const learner = await user()
    const { id: courseId } = await course({ name: "Algebra" })
    const payloads = await listening()
    await post("/api/course/enroll", { course_ids: [courseId], user_ids: [learner.id] }, staff)
    const { cursor } = await readFeed({ after: "latest" })
    await put(`/api/course/${courseId}`, { name: "Analysis" }, staff)
    expect((await payloads())[0]?.data).toMatchObject({ course: { id: courseId, name: "Analysis" } })
    await post("/api/course/unenroll", { course_ids: [courseId], user_ids: [learner.id] }, staff)
    await post("/api/course/delete", { delete_ids: [courseId] }, staff)
    await post("/api/user/delete", { delete_ids: [learner.id] })
    const enrollmentIds = { id: 1, user: { id: learner.id }, course: { id: courseId }, deleted: true }
    expect((await readFeed({ types: "enrollment.created" })).events).toMatchObject([{ data: enrollmentIds }])
    const { events: received } = await readFeed({ after: cursor })
    expect(received.map(({ type, data, previous }) => ({ type, data, previous }))).toEqual([
      { type: "course.updated", data: { id: courseId, deleted: true }, previous: { name: "Algebra" } },
      { type: "enrollment.removed", data: enrollmentIds, previous: undefined },
      { type: "course.deleted", data: { id: courseId, deleted: true }, previous: undefined },
      { type: "user.deleted", data: { id: learner.id, deleted: true }, previous: undefined },
    ])
  })

  it("contain completions by SCORM packages and from another system", async () => {
    const learner = await signedIn("general")
    const { body } = await uploadPackage(PACKAGE_12)
    const played = await enrollment(learner, await course({}, [{ moduleId: body.id }]))
    const done = await enrollment(learner, await course({}, [{ moduleId: (await module({ name: "Text" })).id }]))
    const payloads = await listening()
    const cmi = { core: { lesson_status: "completed" } }
    await post("/api/scorm/commit", { registrationId: played.id, moduleId: body.id, cmi }, { token: learner.token })
    expect(typesIn(await payloads())).toEqual(["module.completed", "enrollment.completed"])
    const record = { registrationId: done.id, moduleId: 2, completed_on: "2020-01-01" }
    expect((await post("/api/module/record", { records: [record] })).status).toBe(200)
    expect(typesIn(await payloads())).toEqual(["module.completed", "enrollment.completed"])
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
    expect(typesIn(await payloads())).toEqual(["enrollment.started"])
    await post("/api/quiz/submit", { attemptId: 1, answers: [] }, { token: learner.token })
    expect(await payloads()).toMatchObject([
      {
        type: "quiz.submitted",
        data: {
          id: 1,
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
    expect(typesIn(received).sort()).toEqual(["enrollment.completed", "module.completed", "quiz.submitted"])
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
      id: 1,
      registrationId: ref.registrationId,
      user: named(learner),
      course: { id: inside.id, name: "Algebra" },
      assignment: { id: essay.id, name: "Essay" },
      number: 1,
      submittedAt: ISO,
    }
    expect(await payloads()).toMatchObject([
      { type: "enrollment.started" },
      { type: "assignment.submitted", data: { ...common, status: "Submitted" } },
    ])
    const evaluate = (evaluation: object) =>
      post("/api/module/assignment/evaluate", { statusRowId: first.body.statusRowId, evaluation }, staff)
    expect((await evaluate({ isAccepted: false })).status).toBe(200)
    expect(await payloads()).toMatchObject([
      { type: "assignment.returned", data: { ...common, pointsAwarded: null, evaluatedAt: ISO } },
    ])
    await post("/api/module/assignment/submit", { submission: "y", ...ref }, mine)
    await evaluate({ isAccepted: true, pointsAwarded: 15 })
    const received = await payloads()
    expect(typesIn(received).slice(0, 2)).toEqual(["assignment.submitted", "assignment.accepted"])
    expect(received[1]?.data).toMatchObject({ id: 2, number: 2, pointsAwarded: 15 })
  })

  it("contain both the submission and the acceptance of work from another system", async () => {
    const { ref } = await learnerWithAssignment()
    const payloads = await listening()
    await post("/api/module/assignment/record", {
      submissions: [{ ...ref, pointsAwarded: 3, submitted_on: "2020-03-01" }],
    })
    expect(typesIn(await payloads())).toEqual([
      ...["module.completed", "enrollment.started", "assignment.submitted", "assignment.accepted"],
    ])
  })
})

describe("events of orders", () => {
  const items = [{ type: "course", id: 7, name: "Algebra", quantity: 2, price: 24.95 }]

  it("contain each created order and each status that requires action", async () => {
    const buyer = await user()
    const payloads = await listening()
    await post("/api/order/create", { userId: buyer.id, items })
    const received = await payloads()
    expect(typesIn(received)).toEqual(["order.created", "order.pending"])
    expect(received[0]?.data).toEqual({
      id: 1,
      createdAt: ISO,
      updatedAt: ISO,
      user: named(buyer),
      status: "pending",
      total: 49.9,
      currency: "USD",
      items: [{ type: "course", id: 7, name: "Algebra", quantity: 2 }],
    })
    for (const [status, type] of [
      ["failed", "order.failed"],
      ["pending", "order.pending"],
      ["refunded", "order.refunded"],
    ]) {
      await put("/api/order/1", { status })
      expect(await payloads()).toMatchObject([{ type, data: { status } }])
    }
    await put("/api/order/1", { total: 10 })
    await put("/api/order/1", { status: "completed" })
    await post("/api/order/create", { userId: buyer.id, items, status: "completed" })
    await post("/api/order/delete", { delete_ids: [1] })
    const later = await payloads()
    expect(typesIn(later)).toEqual([
      ...["order.updated", "order.completed", "order.created", "order.completed", "order.deleted"],
    ])
    expect(later[1]?.previous).toEqual({ status: "refunded" })
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
          id: 1,
          heading: "News",
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
        type: "class_enrollment.created",
        data: {
          id: 1,
          user: named(learner),
          course: { name: "Safety" },
          class: { id: trainingClass.id, startAt: new Date(trainingClass.startAt).toISOString(), endAt: ISO },
        },
      },
    ])
    await db.update(classEnrollments).set({ status: "Cancelled" })
    await enroll()
    expect(await payloads()).toMatchObject([
      { type: "class_enrollment.canceled" },
      { type: "class_enrollment.created", data: { id: 1 }, previous: { status: "Cancelled" } },
    ])
    await db.update(classEnrollments).set({ status: "Attended" })
    await post(`/api/class/assignCertificate/${trainingClass.id}`, { enrollmentIds: [1] }, staff)
    expect(await payloads()).toMatchObject([
      { type: "class_enrollment.attended", previous: { status: "Registered" } },
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
      { type: "export.completed", data: { id: exportId, kind: "users", user: named(staff), expiresAt: ISO } },
    ])
  })
})
