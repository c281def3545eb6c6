import { env } from "cloudflare:workers"
import { describe, expect, it, vi } from "vitest"
import { assignmentUploads } from "../../drizzle/schema/assignments.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { activities, enrollments, moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { modules } from "../../drizzle/schema/modules.ts"
import { submissionCounts, submissionFiles, submissions } from "../../drizzle/schema/submissions.ts"
import worker from "../../src/index.ts"
import { DAY } from "../../src/lib/clock.ts"
import { detectContent, isAllowed } from "../../src/lib/files/file-kinds.ts"
import { toStatusRowId } from "../../src/modules/enrollments/module-statuses.queries.ts"
import { fileForm, learnerWithAssignment, PDF, PNG, uploadFile } from "../factories/assignments.ts"
import { storedKeys } from "../factories/exports.ts"
import { db, group, portal, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { zip } from "../factories/scorm.ts"
import { cost, download, get, post, put, query } from "../helpers/client.ts"
import { anyIsoTime } from "../helpers/times.ts"

/** The status row of the first enrollment and module. */
const FIRST = toStatusRowId({ enrollmentId: 1, moduleId: 1 })

const details = (ref: object, options = {}) => get(`/api/module/assignment/details${query({ ...ref })}`, options)
const submit = (body: object, options = {}) => post("/api/module/assignment/submit", body, options)
const evaluate = (body: object, options = {}) => post("/api/module/assignment/evaluate", body, options)
const attemptsOf = (statusRowId: number, options = {}) =>
  get(`/api/module/assignment/submissions?statusRowId=${statusRowId}`, options)
const NEW = { name: "Essay", content: "<p>Write</p>", submission_type: "text" }

describe("assignment modules", () => {
  it("can be created, read, updated and listed", async () => {
    const created = await post("/api/modules/assignment", {
      name: "Poster",
      content: "<p>Draw</p><script>x</script>",
      submission_type: "file",
      totalPoints: "20",
      allowed_filetypes: '["Image", ".PDF", "pdf"]',
      maxUploadSize: 5,
      isLocked: true,
      estimatedCompletion: 2,
      estimationCompletedUnit: "hour",
    })
    expect(created.body).toEqual({ id: 1, message: "Module created." })
    expect(cost(created).roundTrips).toBe(1)
    const read = await get("/api/modules/assignment/1")
    expect(cost(read).roundTrips).toBe(1)
    expect(read.body).toEqual({
      id: 1,
      name: "Poster",
      slug: "poster",
      type: "assignment",
      icon: "assignment",
      isLocked: true,
      estimatedCompletion: 2,
      estimationCompletedUnit: "hour",
      author: "",
      created_at: expect.stringMatching(/^\w{3} \d\d, \d{4}$/),
      createdAt: anyIsoTime,
      course_count: 0,
      content: "<p>Draw</p>&lt;script&gt;x&lt;/script&gt;",
      categoryIds: [],
      showMappedCourses: false,
      courses: [],
      submission_type: "file",
      totalPoints: 20,
      allowed_filetypes: ["image", "pdf"],
      maxUploadSize: 5,
    })
    const changed = await put("/api/modules/assignment/1", { name: "Poster two", allowed_filetypes: "pdf,docx" })
    expect(changed.body).toEqual({ message: "Module updated." })
    expect(cost(changed).roundTrips).toBe(2)
    expect(await rowsOf(modules)).toMatchObject([{ allowedFiletypes: ["pdf", "docx"], totalPoints: 20 }])
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject, row.details])).toEqual([
      ["created", "module", { type: "assignment" }],
      ["updated", "module", { name: "Poster two", allowedFiletypes: ["pdf", "docx"] }],
    ])
    const { id } = await course({ name: "Algebra" }, [{ moduleId: 1 }])
    await post("/api/modules/assignment", NEW)
    const list = (parameters: object) =>
      get(`/api/modules/assignment${query({ page_size: 5, page_number: 1, ...parameters })}`)
    const listed = await list({ search_param: { moduleName: "POSTER", associatedCourse: "alge" } })
    expect(cost(listed).roundTrips).toBe(1)
    expect(listed.body).toMatchObject({
      recordsTotal: 2,
      recordsFiltered: 1,
      records: [
        {
          id: 1,
          submissionType: "file",
          display_type: "File",
          totalPoints: 20,
          course_count: 1,
          showMappedCourses: true,
          content: read.body.content,
          courses: [{ course_id: id, course_name: "Algebra" }],
        },
      ],
    })
    expect((await get("/api/modules/assignment/1")).body).toMatchObject({
      showMappedCourses: true,
      courses: [{ course_id: id, course_name: "Algebra" }],
    })
    for (const colName of ["submissionType", "totalPoints", "name"])
      expect((await list({ order_by: { colName, direction: "asc" } })).body.records).toHaveLength(2)
  })

  it("require known file types for file submissions, on creation and update", async () => {
    const file = { ...NEW, submission_type: "file" }
    for (const allowed_filetypes of [undefined, [], "[]"])
      expect((await post("/api/modules/assignment", { ...file, allowed_filetypes })).body.errors).toEqual({
        allowed_filetypes: ["allowed_filetypes is required when submission_type is file."],
      })
    const unknown = await post("/api/modules/assignment", { ...file, allowed_filetypes: ["exe"] })
    expect(unknown).toMatchObject({ status: 422, body: { message: /image, pdf/ } })
    for (const field of ["name", "content", "submission_type"]) {
      const { [field as "name"]: _, ...rest } = NEW
      expect((await post("/api/modules/assignment", rest)).body.errors).toHaveProperty(field)
    }
    expect((await post("/api/modules/assignment", { ...NEW, maxUploadSize: 26 })).status).toBe(422)
    for (const content of ["", "<p></p>", "<div><br>&nbsp;</div>"])
      expect((await post("/api/modules/assignment", { ...NEW, content })).body.errors).toHaveProperty("content")
    expect(await rowsOf(modules)).toEqual([])
    await post("/api/modules/assignment", { ...NEW, content: '<img src="/a.png">' })
    expect((await put("/api/modules/assignment/1", { content: "<p> </p>" })).body.errors).toHaveProperty("content")
    const turned = await put("/api/modules/assignment/1", { submission_type: "file" })
    expect(turned.body.errors).toHaveProperty("allowed_filetypes")
    expect(
      (await put("/api/modules/assignment/1", { submission_type: "file", allowed_filetypes: ["pdf"] })).status,
    ).toBe(200)
    expect((await put("/api/modules/assignment/1", { allowed_filetypes: [], name: "Kept" })).status).toBe(200)
    expect(await rowsOf(modules)).toMatchObject([{ name: "Kept", allowedFiletypes: ["pdf"] }])
    expect((await put("/api/modules/assignment/9", { name: "X" })).status).toBe(404)
    const learner = await signedIn("general")
    expect((await post("/api/modules/assignment", NEW, { token: learner.token })).status).toBe(403)
    expect((await get("/api/modules/assignment/1", { token: learner.token })).status).toBe(404)
  })
})

describe("an assignment's details", () => {
  it("open the assignment for the learner and return its details", async () => {
    const { ref, mine, essay, inside } = await learnerWithAssignment()
    const response = await details(ref, mine)
    expect(cost(response).roundTrips).toBe(2)
    expect(response.headers.get("cache-control")).toBe("no-store")
    const { otherModules, ...rest } = response.body
    expect(rest).toEqual({
      name: "Essay",
      slug: essay.slug,
      content: "<p>Read this.</p>",
      courseName: "Algebra",
      courseSlug: inside.slug,
      totalPoints: 20,
      submissionType: "text",
      maxUploadSize: 25,
      min_time_spent: 0,
      allowedFileTypes: [],
      launchCheck: { canbeLaunched: true, errTitle: "", errDesc: "" },
      prevSlug: null,
      nextSlug: "module-2",
      status: "In Progress",
      display_status: "In Progress",
      statusRowId: FIRST,
      timeSpent: 0,
      timeToBeSpent: 0,
      prevSubmission: [],
    })
    const rows = await get(`/api/course/modules?registrationId=${ref.registrationId}`, mine)
    expect(rows.body).toMatchObject(otherModules)
    expect(rows.body).toMatchObject([{ status: "In Progress", no_of_times_accessed: 1, is_current: true }, {}])
    expect(await rowsOf(enrollments)).toMatchObject([{ status: "In Progress", percent: 0 }])
    const again = await details(ref, mine)
    expect(again.body.statusRowId).toBe(FIRST)
    expect(cost(again).written).toBe(2)
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ timesAccessed: 2 }])
    expect(await rowsOf(auditLogs)).toEqual([])
    expect((await rowsOf(activities)).map((row) => row.verb)).toEqual(["ENROLLED", "STARTED"])
  })

  it("don't open assignments that are locked, open later or have expired", async () => {
    const { ref, mine, learner, essay, registered } = await learnerWithAssignment()
    const first = await module({ name: "First" })
    const later = await course({}, [{ moduleId: first.id }, { moduleId: essay.id, isLocked: true }])
    const submittedIn = async (inside: { id: number }, overrides = {}) => {
      const { id: registrationId } = await enrollment(learner, inside, overrides)
      return (await details({ registrationId, moduleId: essay.id }, mine)).body
    }
    expect(await submittedIn(later)).toMatchObject({
      launchCheck: { canbeLaunched: false, errTitle: "Module locked", errDesc: "Complete First first." },
      content: "",
      status: "Not Started",
      statusRowId: -1,
      prevSlug: first.slug,
      nextSlug: null,
    })
    const dripped = await course({}, [{ moduleId: essay.id, dripDays: 3 }])
    expect((await submittedIn(dripped)).launchCheck).toMatchObject({
      canbeLaunched: false,
      errTitle: "Not available yet",
    })
    const over = await course({}, [{ moduleId: essay.id }])
    expect((await submittedIn(over, { expiresAt: Date.now() - 1 })).launchCheck).toMatchObject({
      canbeLaunched: false,
      errTitle: "Enrollment expired",
    })
    expect(await rowsOf(moduleStatuses)).toEqual([])
    const staff = await signedIn("staff")
    expect((await details({ registrationId: 2, moduleId: essay.id }, { token: staff.token })).body).toMatchObject({
      content: "<p>Read this.</p>",
    })
    expect((await submit({ registrationId: 2, moduleId: essay.id, submission: "x" }, mine)).status).toBe(409)
    expect((await details({ ...ref, moduleId: first.id }, mine)).status).toBe(404)
    expect((await details({ registrationId: registered.id }, mine)).body.errors).toHaveProperty("moduleId")
    expect((await details({ ...ref, registrationId: 99 }, mine)).status).toBe(404)
  })

  it("allow the learner and staff, within the given portal", async () => {
    const { ref, mine, learner } = await learnerWithAssignment()
    const other = await signedIn("general")
    const admin = await signedIn("group_admin")
    await group({ admins: [admin.id], members: [learner.id] })
    for (const { token } of [other, admin]) expect((await details(ref, { token })).status).toBe(404)
    const { id: portalId } = await portal({ members: [learner.id] })
    const { id: elsewhere } = await portal({ members: [other.id] })
    expect((await details({ ...ref, portalId: elsewhere }, mine)).status).toBe(404)
    expect(await rowsOf(moduleStatuses)).toEqual([])
    expect((await details({ ...ref, portalId }, mine)).status).toBe(200)
    expect((await details(ref)).status).toBe(200)
  })

  it("open the assignment once for concurrent requests", async () => {
    const { ref, mine } = await learnerWithAssignment()
    const all = await Promise.all(Array.from({ length: 5 }, () => details(ref, mine)))
    expect(all.map((response) => [response.status, response.body.statusRowId])).toEqual(
      Array(5).fill([200, all[0]?.body.statusRowId]),
    )
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ timesAccessed: 5 }])
    expect((await rowsOf(activities)).map((row) => row.verb)).toEqual(["ENROLLED", "STARTED"])
    expect(await rowsOf(auditLogs)).toEqual([])
  })
})

describe("a submission", () => {
  it("can be returned with a message, then accepted with points", async () => {
    const { ref, mine, learner, registered } = await learnerWithAssignment()
    const staff = await signedIn("staff", { firstName: "Grace", lastName: "Hopper" })
    const tutor = { token: staff.token }
    const { statusRowId } = (await details(ref, mine)).body
    const verdict = { instructorMessage: "Once more", pointsAwarded: 5, isAccepted: false }
    expect((await evaluate({ statusRowId, evaluation: verdict }, tutor)).status).toBe(409)
    const sent = await submit({ statusRowId, submission: "<p>One<script>x</script></p>", studentMessage: "Hi" }, mine)
    expect(cost(sent).roundTrips).toBe(2)
    expect(sent.body).toEqual({
      message: "Assignment submitted.",
      statusRowId,
      submission_id: 1,
      attempt: 1,
      status: "Submitted",
    })
    expect((await details(ref, mine)).body).toMatchObject({ status: "Submitted", prevSubmission: [{ id: 1 }] })
    expect((await get(`/api/course/modules?registrationId=${registered.id}`, mine)).body).toMatchObject([
      { status: "Submitted", is_current: false },
      { is_current: true },
    ])
    expect(await rowsOf(enrollments)).toMatchObject([{ status: "In Progress", percent: 0, done: 0 }])

    const returned = await evaluate({ statusRowId, evaluation: JSON.stringify(verdict) }, tutor)
    expect(returned.body).toEqual({ message: "Submission returned to the learner.", status: "In Progress" })
    expect(cost(returned).roundTrips).toBe(2)
    expect((await details(ref, mine)).body).toMatchObject({
      status: "In Progress",
      prevSubmission: [{ status: "Returned", instructor_message: "Once more", points_awarded: 5 }],
    })
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ pointsAwarded: null, percent: 0 }])
    await submit({ statusRowId, submission: "Two" }, mine)
    const wrong = await evaluate({ statusRowId, evaluation: { isAccepted: true, pointsAwarded: 21 } }, tutor)
    expect(wrong.body.errors).toEqual({ "evaluation.pointsAwarded": ["evaluation.pointsAwarded must be 20 or less."] })
    const accepted = await evaluate({ statusRowId, evaluation: { isAccepted: true, pointsAwarded: "18" } }, tutor)
    expect(accepted.body).toEqual({ message: "Submission accepted.", status: "Completed" })
    expect((await attemptsOf(statusRowId, mine)).body).toEqual({
      courseId: 1,
      courseName: "Algebra",
      assignmentName: "Essay",
      status: "Completed",
      content: "<p>Read this.</p>",
      totalPoints: 20,
      userFullName: "Ada Byron",
      userEmail: learner.email,
      submissions: [
        {
          id: 2,
          attempt: 2,
          status: "Accepted",
          file_path: "",
          file_names: [],
          submission: "Two",
          student_message: "",
          instructor_message: "",
          points_awarded: 18,
          evaluated_by: "Grace Hopper",
          submitted_on: expect.stringMatching(/[AP]M$/),
          evaluated_on: expect.stringMatching(/[AP]M$/),
          submittedAt: anyIsoTime,
          evaluatedAt: anyIsoTime,
        },
        expect.objectContaining({
          id: 1,
          attempt: 1,
          status: "Returned",
          submission: "<p>One&lt;script&gt;x&lt;/script&gt;</p>",
          student_message: "Hi",
          instructor_message: "Once more",
          points_awarded: 5,
        }),
      ],
    })
    expect(await rowsOf(enrollments)).toMatchObject([
      { status: "In Progress", percent: 50, done: 1, pointsAwarded: 18, pointsPossible: 20 },
    ])
    expect((await submit({ statusRowId, submission: "Three" }, mine)).status).toBe(409)
    expect((await evaluate({ statusRowId, evaluation: { isAccepted: false } }, tutor)).status).toBe(409)
    expect((await rowsOf(auditLogs)).map((row) => `${row.action} ${row.subject}`)).toEqual([
      "created submission",
      "updated submission",
      "created submission",
      "updated submission",
    ])
    expect(await rowsOf(submissionCounts)).toEqual(
      [0, 1].map((courseId) => ({ audience: "all", courseId, submitted: 0, accepted: 1, returned: 1, closed: 0 })),
    )
  })

  it("closes the previous one that awaits evaluation", async () => {
    const { ref, mine } = await learnerWithAssignment()
    await submit({ ...ref, submission: "One" }, mine)
    expect((await submit({ statusRowId: FIRST, submission: "Two" }, mine)).body.attempt).toBe(2)
    expect((await rowsOf(submissions)).map((row) => row.status)).toEqual(["Closed", "Submitted"])
    await post("/api/module/progress", { statusRowId: FIRST, timeSpent: 5 }, mine)
    expect((await details(ref, mine)).body).toMatchObject({ status: "Submitted", timeSpent: 5 })
    await post("/api/course/reset", { registration_ids: [ref.registrationId] })
    expect((await rowsOf(submissions)).map((row) => row.status)).toEqual(["Closed", "Closed"])
    expect((await evaluate({ statusRowId: FIRST, evaluation: { isAccepted: true } })).status).toBe(409)
    expect((await submit({ statusRowId: FIRST, submission: "Three" }, mine)).body.attempt).toBe(3)
    const completed = await post("/api/module/progress", { statusRowId: FIRST, completed_on: "2026-01-05" })
    expect(completed.status).toBe(200)
    expect((await rowsOf(submissions)).at(-1)?.status).toBe("Closed")
    await post("/api/course/unenroll", { registration_ids: [ref.registrationId], course_ids: [1], user_ids: [1] })
    expect(await rowsOf(submissions)).toEqual([])
    expect((await rowsOf(submissionCounts)).every((row) => row.closed === 0 && row.submitted === 0)).toBe(true)
  })

  it("requires the assignment's submission type and minimum time", async () => {
    const { ref, mine } = await learnerWithAssignment({}, { minTimeSpent: 60 })
    const early = await submit({ ...ref, submission: "One" }, mine)
    expect(early).toMatchObject({ status: 409, body: { message: "Spend 60 more seconds in Essay first." } })
    await post("/api/module/progress", { ...ref, timeSpent: 60 }, mine)
    expect((await details(ref, mine)).body).toMatchObject({ min_time_spent: 60, timeSpent: 60, timeToBeSpent: 0 })
    for (const submission of [
      "",
      " ",
      "<p> </p><br>",
      "<div><p>&nbsp;</p></div>",
      "\u200b",
      "<p>\u200d&#8203;\u3164</p>",
      undefined,
    ])
      expect((await submit({ ...ref, submission }, mine)).body.errors).toHaveProperty("submission")
    expect((await submit({ submission: "One" }, mine)).body.errors).toHaveProperty("registrationId")
    expect((await submit({ statusRowId: 99, submission: "One" }, mine)).status).toBe(404)
    expect(await rowsOf(submissions)).toEqual([])
    expect((await submit({ ...ref, submission: "One" }, mine)).status).toBe(200)
  })

  it("can't be submitted, read or evaluated by other learners", async () => {
    const { ref, mine, learner } = await learnerWithAssignment()
    const other = await signedIn("general")
    const admin = await signedIn("group_admin")
    const stranger = await signedIn("portal_admin")
    await group({ admins: [admin.id], members: [learner.id] })
    await portal({ admins: [stranger.id], members: [other.id] })
    for (const { token } of [other, admin, stranger])
      expect((await submit({ ...ref, submission: "x" }, { token })).status).toBe(404)
    const { statusRowId } = (await submit({ ...ref, submission: "Mine" }, mine)).body
    expect((await attemptsOf(statusRowId, { token: admin.token })).body.submissions).toHaveLength(1)
    for (const { token } of [other, stranger]) expect((await attemptsOf(statusRowId, { token })).status).toBe(404)
    for (const { token } of [learner, admin])
      expect((await evaluate({ statusRowId, evaluation: { isAccepted: true } }, { token })).status).toBe(403)
    expect((await evaluate({ statusRowId, evaluation: {} })).body.errors).toHaveProperty("evaluation.isAccepted")
    expect((await evaluate({ statusRowId: 99, evaluation: { isAccepted: true } })).status).toBe(404)
    const { id: portalId } = await portal({ members: [other.id] })
    expect((await evaluate({ statusRowId, portalId, evaluation: { isAccepted: true } })).status).toBe(404)
    expect((await rowsOf(submissions)).map((row) => row.status)).toEqual(["Submitted"])
  })

  it("accepts a date only from staff", async () => {
    const { ref, mine } = await learnerWithAssignment({}, { minTimeSpent: 60, dripDays: 3 })
    const staff = await signedIn("staff")
    const given = { ...ref, submission: "Old", submitted_on: "2020-03-01 10:00" }
    expect((await submit(given, mine)).status).toBe(403)
    expect((await submit(given, { token: staff.token })).status).toBe(200)
    expect(await rowsOf(submissions)).toMatchObject([{ submittedAt: Date.UTC(2020, 2, 1, 10) }])
    expect(await rowsOf(enrollments)).toMatchObject([{ startedAt: Date.UTC(2020, 2, 1, 10) }])
  })

  it("is created once per Idempotency-Key, and evaluated once for concurrent requests", async () => {
    const { ref, mine } = await learnerWithAssignment()
    const headers = { "idempotency-key": "one" }
    for (let i = 0; i < 2; i++)
      expect((await submit({ ...ref, submission: "One" }, { ...mine, headers })).body.attempt).toBe(1)
    expect(await rowsOf(submissions)).toHaveLength(1)
    const both = await Promise.all(
      [true, false].map((isAccepted) => evaluate({ statusRowId: FIRST, evaluation: { isAccepted } })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe("uploaded files", () => {
  const FILES = { submissionType: "file" as const, allowedFiletypes: ["image", "pdf"], maxUploadSize: 1 }

  it("can be submitted, and downloaded by authorized users", async () => {
    const { ref, mine, learner } = await learnerWithAssignment(FILES)
    const first = await post("/api/module/assignment/upload", fileForm(PNG, "a/ü 1.png"), mine)
    expect(first.body).toEqual({
      storage_url: "/api/module/assignment/upload/1",
      file_name: "a ü 1.png",
      mime_type: "image/png",
      bytes: PNG.length,
    })
    expect(cost(first).roundTrips).toBe(2)
    expect((await rowsOf(assignmentUploads))[0]?.objectKey).toMatch(/^assignments\/[\w-]{43}$/)
    const second = await uploadFile(learner.token, PDF, "b.exe")
    const sent = await submit({ ...ref, submissions: [`https://lectern.test${second}`, first.body.storage_url] }, mine)
    expect(sent.status).toBe(200)
    expect((await attemptsOf(FIRST, mine)).body.submissions).toMatchObject([
      { file_path: [second, first.body.storage_url], file_names: ["b.exe", "a ü 1.png"], submission: "" },
    ])
    const file = await download(second, mine)
    expect(file.status).toBe(200)
    expect(new TextDecoder().decode(file.body)).toBe(PDF)
    expect(file.headers.get("content-type")).toBe("application/pdf")
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="b.exe.pdf"')
    expect(file.headers.get("x-content-type-options")).toBe("nosniff")
    const part = await download(second, { ...mine, headers: { range: "bytes=0-3" } })
    expect([part.status, new TextDecoder().decode(part.body)]).toEqual([206, "%PDF"])
    const other = await signedIn("general")
    const admin = await signedIn("group_admin")
    const staff = await signedIn("staff")
    expect((await get(second, { token: other.token })).status).toBe(404)
    expect((await get(second, { token: admin.token })).status).toBe(404)
    await group({ admins: [admin.id], members: [learner.id] })
    for (const { token } of [admin, staff]) expect((await download(second, { token })).status).toBe(200)
    expect((await get("/api/module/assignment/upload/9")).status).toBe(404)
  })

  it("are rejected if they belong to others, have other types or are too large", async () => {
    const { ref, mine, learner } = await learnerWithAssignment(FILES)
    const other = await signedIn("general")
    const theirs = await uploadFile(other.token, PDF)
    const text = await uploadFile(learner.token, "plain text", "looks.png")
    const large = new Uint8Array(1_000_001)
    large.set(PNG)
    const big = await uploadFile(learner.token, large)
    const send = (submissions: unknown) => submit({ ...ref, submissions }, mine)
    expect(await send([theirs])).toMatchObject({ status: 422, body: { errors: { submissions: [/1/] } } })
    expect(await send([text])).toMatchObject({ status: 415, body: { message: /looks.png is a txt file/ } })
    expect((await send([big])).status).toBe(413)
    for (const nothing of [[], undefined, "[]"]) expect((await send(nothing)).body.errors).toHaveProperty("submissions")
    expect((await send(["/etc/passwd"])).status).toBe(422)
    expect(await rowsOf(submissions)).toEqual([])
    const checked = await post(
      "/api/module/assignment/upload",
      fileForm("plain", "x.png", { registrationId: String(ref.registrationId), moduleId: String(ref.moduleId) }),
      mine,
    )
    expect(checked.status).toBe(415)
    const foreign = fileForm(PNG, "x.png", { registrationId: "1", moduleId: String(ref.moduleId) })
    expect((await post("/api/module/assignment/upload", foreign, { token: other.token })).status).toBe(404)
    expect(await storedKeys()).toHaveLength(3)
    const kept = await uploadFile(learner.token, PNG)
    expect((await send(JSON.stringify([kept]))).status).toBe(200)
    expect((await send([{ storage_url: kept }])).body.attempt).toBe(2)
  })

  it("have their type detected from the content", async () => {
    const office = await zip({
      "[Content_Types].xml": [
        '<Types><Override PartName="/word/document.xml"',
        'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      ].join(" "),
      "word/document.xml": "<w/>",
    })
    expect(await detectContent(office)).toMatchObject({ extension: "docx" })
    expect(await detectContent(await zip({ "a.txt": "x" }))).toMatchObject({ extension: "zip" })
    expect(await detectContent(new TextEncoder().encode("plain, with ümlauts\r\n"))).toMatchObject({ extension: "txt" })
    expect(await detectContent(Uint8Array.of(0, 1, 2, 255))).toBeUndefined()
    expect(isAllowed("docx", ["document"])).toBe(true)
    expect(isAllowed("doc", ["xls"])).toBe(true)
    expect(isAllowed("txt", ["csv"])).toBe(true)
    expect(isAllowed("png", ["pdf", "jpg"])).toBe(false)
    const refused = await post("/api/module/assignment/upload", fileForm(Uint8Array.of(0, 1, 2, 255)))
    expect(refused.status).toBe(415)
    const none = await post("/api/module/assignment/upload", new FormData())
    expect(none.body.errors).toEqual({ file: ["file is required, as a file."] })
    expect((await post("/api/module/assignment/upload", fileForm(new Uint8Array(25_000_001)))).status).toBe(413)
    expect((await post("/api/module/assignment/upload", fileForm(new Uint8Array(27_000_001)))).status).toBe(413)
    expect(await storedKeys()).toEqual([])
  })

  it("accept text in any encoding, store it unchanged, and download it as text", async () => {
    const learner = await signedIn("general")
    const mine = { token: learner.token }
    const units = (text: string, swap: boolean) =>
      Uint8Array.from(
        [...text].flatMap((unit) => {
          const code = unit.charCodeAt(0)
          return swap ? [code >> 8, code & 255] : [code & 255, code >> 8]
        }),
      )
    const latin = Uint8Array.from("R\u00e9sum\u00e9 \u0096 na\u00efve", (unit) => unit.charCodeAt(0))
    const files: [string | Uint8Array, string, string, string][] = [
      ["BMW or MZ, a text", "essay.md", "essay.md", "text/plain; charset=utf-8"],
      [latin, "r.txt", "r.txt", "text/plain"],
      [units("\ufeffPrüfung 1\r\n", false), "le.TXT", "le.TXT", "text/plain; charset=utf-16le"],
      [units("\ufeffexam", true), "be", "be.txt", "text/plain; charset=utf-16be"],
      [units("no mark, Ελλάδα", false), "le.log", "le.log", "text/plain; charset=utf-16le"],
      ["<svg onload=alert(1)>", "a.svg", "a.svg.txt", "text/plain; charset=utf-8"],
      ["<?xml version='1.0'?><svg/>", "b.svg", "b.svg.txt", "text/plain; charset=utf-8"],
      ["<html><script>1</script>", "a.html", "a.html.txt", "text/plain; charset=utf-8"],
      ["@echo off", "a.bat", "a.bat.txt", "text/plain; charset=utf-8"],
      ["alert(1)", "a.JS", "a.JS.txt", "text/plain; charset=utf-8"],
    ]
    for (const [content, name, saved, type] of files) {
      const path = await uploadFile(learner.token, content, name)
      const file = await download(path, mine)
      expect([file.status, file.headers.get("content-type"), file.headers.get("content-disposition")], name).toEqual([
        200,
        type,
        `attachment; filename="${saved}"`,
      ])
      expect(file.headers.get("x-content-type-options")).toBe("nosniff")
      expect(file.body).toEqual(typeof content === "string" ? new TextEncoder().encode(content) : content)
    }
    for (const [name, saved] of [
      ["photo.jpeg", "photo.jpeg.png"],
      ["photo.PNG", "photo.PNG"],
    ] as const) {
      const file = await download(await uploadFile(learner.token, PNG, name), mine)
      expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${saved}"`)
    }
  })

  it("are deleted after seven days if they were not submitted", async () => {
    const { ref, mine, learner } = await learnerWithAssignment(FILES)
    const used = await uploadFile(learner.token, PNG)
    const unused = await uploadFile(learner.token, PDF)
    await submit({ ...ref, submissions: [used] }, mine)
    const sweep = () => worker.scheduled({} as ScheduledController, env)
    await sweep()
    expect(await storedKeys()).toHaveLength(2)
    vi.setSystemTime(Date.now() + 7 * DAY + 1000)
    await sweep()
    expect(await storedKeys()).toHaveLength(1)
    expect((await rowsOf(assignmentUploads)).map((row) => [row.id, row.state])).toEqual([[1, "used"]])
    const again = await signedIn("owner")
    expect((await get(unused, { token: again.token })).status).toBe(404)
    await db.delete(enrollments)
    expect(await rowsOf(submissionFiles)).toEqual([])
    await sweep()
    expect(await storedKeys()).toEqual([])
  })
})

describe("a submitted assignment", () => {
  it("keeps the following modules locked until it is Completed", async () => {
    const { learner, mine } = await learnerWithAssignment()
    const essay = await module({ type: "assignment", name: "Gate" })
    const next = await module({ name: "Next" })
    const inside = await course({}, [{ moduleId: essay.id }, { moduleId: next.id, isLocked: true }])
    const { id: registrationId } = await enrollment(learner, inside)
    const state = await moduleStatus(registrationId, essay.id, { status: "Not Started", lastAccessedAt: 1 })
    await submit({ statusRowId: state.id, submission: "x" }, mine)
    const open = () => post("/api/module/progress", { registrationId, moduleId: next.id }, mine)
    expect((await open()).status).toBe(409)
    await evaluate({ statusRowId: state.id, evaluation: { isAccepted: true } })
    expect((await open()).status).toBe(200)
  })
})
