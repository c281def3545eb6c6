import { type Connection, call, connect, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"
import { get, type Json, post, put } from "../support/api.ts"
import { scormPackage } from "../support/scorm-package.ts"

const DAY = 86_400_000
const UPDATES = 200
const PROGRESS = "/api/module/progress"
const paging = { page_size: 10, page_number: 1 }

const recordsOf = (answer: Json) => answer.records as Json[]

/** Staff, and a learner that no other test uses. */
async function setUp(url: string) {
  const stamp = Date.now()
  const email = `course-${stamp}@learners.example.com`
  const owner = await connect(url, "owner@example.com", PASSWORD)
  const staff = await connect(url, "staff@example.com", PASSWORD)
  const password = { password: PASSWORD, password_confirmation: PASSWORD }
  const user = await post(owner, "/api/user/create", { firstName: "Check", lastName: "Course", email, ...password })
  const learnerId = Number(user.id)
  const learner = await connect(url, email, PASSWORD)
  const createModule = async (type: string, name: string, more: Json = {}) => {
    const body = { name: `${name} ${stamp}`, content: "<p>Look.</p>", ...more }
    return Number((await post(staff, `/api/modules/${type}`, body)).id)
  }
  /** The learner's newest registration. */
  const registration = async (): Promise<Json> => {
    const order_by = { colName: "id", direction: "desc" }
    const parameters = { user_id: learnerId, ...paging, order_by }
    return recordsOf(await get(learner, "/api/users/enrolled-courses", parameters))[0] ?? {}
  }
  return { stamp, owner, staff, learner, learnerId, createModule, registration }
}

/** Expects a call to be refused with 409 and a message that contains some words. */
async function expectConflict(what: string, user: Connection, path: string, body: object, words: string) {
  const answer = await call(user, "POST", path, body)
  const { message } = (await answer.json()) as Json
  expect(answer.status, what).toBe(409)
  expect(message, what).toContain(words)
}

/** What every report must say of the registration. */
interface Expected {
  status: "Not Started" | "In Progress" | "Completed"
  done: number
  seconds: number
}

test("every report agrees at each step of a course, from enrollment to completion", async ({ service: { url } }) => {
  test.setTimeout(600_000)
  const { stamp, staff, learner, learnerId, createModule, registration } = await setUp(url)
  const film = { videoUrl: "https://videos.example.com/check.mp4", videoSeconds: 60 }
  const questions = ["Two and two?", "Three and three?"].map((text) => ({
    text,
    type: "single",
    points: 5,
    options: [
      { text: "Right", correct: true },
      { text: "Wrong", correct: false },
    ],
  }))
  const scormForm = new FormData()
  scormForm.set("name", `Package ${stamp}`)
  scormForm.set("package", await scormPackage("1.2", "Check", "<!doctype html><title>Page</title>"))
  const moduleIds = [
    await createModule("text", "Welcome"),
    await createModule("text", "Slowly"),
    await createModule("video", "Film", film),
    await createModule("quiz", "Quiz", { passPercent: 60, maxAttempts: 2, questions }),
    await createModule("text", "After the quiz"),
    Number((await post(staff, "/api/modules/scorm", scormForm)).id),
    await createModule("text", "For the curious"),
    await createModule("video", "After the package", film),
    await createModule("text", "From the fifth day"),
    await createModule("text", "From the twentieth day"),
  ]
  const [, SLOW, , QUIZ, AFTER_QUIZ, SCORM, OPTIONAL, , , LATE] = moduleIds
  const required = moduleIds.length - 1
  const outline = (lateDays: number) =>
    moduleIds.map((module_id, at) => ({
      module_id,
      required: module_id !== OPTIONAL,
      isLocked: at === 4 || at === 7,
      dripDays: at === 8 ? 5 : module_id === LATE ? lateDays : 0,
      minTimeSpent: module_id === SLOW ? 60 : 0,
    }))
  const courseName = `Check of a course ${stamp}`
  const { id: courseId } = await post(staff, "/api/course/create", {
    name: courseName,
    slug: `check-of-a-course-${stamp}`,
    status: "publish",
    modules: outline(20),
  })

  async function expectReports(step: string, { status, done, seconds }: Expected) {
    const percent = Math.floor((100 * done) / required)
    const count = (name: string) => (name === status ? 1 : 0)
    const counts = [count("Not Started"), count("In Progress"), count("Completed")]
    const same = (report: string, actual: unknown, expected: unknown) =>
      expect(actual, `${step}: ${report}`).toEqual(expected)
    const own = { user_id: learnerId, ...paging }
    const totals = (answer: Json) => [answer.totalNotStarted, answer.totalInProgress, answer.totalCompleted]
    const course = { course_id: courseId, group_id: "", ...paging }

    const enrolled = await get(learner, "/api/users/enrolled-courses", own)
    const [row] = recordsOf(enrolled)
    same("enrolled-courses", [row?.courseName, row?.status, row?.percentComplete], [courseName, status, percent])
    const filtered = await get(learner, "/api/users/enrolled-courses", { ...own, search_param: { status: [status] } })
    same("enrolled-courses of that status", [filtered.recordsTotal, filtered.recordsFiltered], [1, 1])

    const dashboard = await get(learner, "/api/user/dashboard/statistics", { user_id: learnerId })
    const { notStartedCourses, inProgressCourses, completedCourses, totalCourses, timeSpent } = dashboard
    same("dashboard", [notStartedCourses, inProgressCourses, completedCourses, totalCourses], [...counts, 1])
    same("dashboard's time", (timeSpent as Json).totalSeconds, seconds)

    const students = await get(staff, "/api/course/enrolled-students", course)
    const [student] = recordsOf(students)
    same("enrolled-students' totals", totals(students), counts)
    same("enrolled-students", [student?.id, student?.user_id], [row?.id, learnerId])
    same("enrolled-students' progress", [student?.status, student?.percentComplete], [status, percent])

    const byCourse = await get(staff, "/api/course/reports/course-detailed", course)
    const byUser = await get(staff, "/api/user/reports/user-detailed", own)
    same("course-detailed's totals", totals(byCourse), counts)
    same("user-detailed's totals", totals(byUser), counts)
    const { name, courseName: itsName, ...standing } = recordsOf(byUser)[0] ?? {}
    const { first_name, last_name, avatar, ...theSame } = recordsOf(byCourse)[0] ?? {}
    same("both detailed reports", theSame, standing)
    same("detailed reports", [standing.status, standing.percent_complete], [status, percent])
    same("detailed reports' time", (standing.total_time_spent as Json).totalSeconds, seconds)
    same(
      "the names",
      [name, itsName, `${first_name} ${last_name}`, avatar],
      ["Check Course", courseName, "Check Course", student?.avatar],
    )
    for (const [report, of] of Object.entries({ row, student })) {
      const last = of?.last_accessed_on ?? of?.lastAccessed
      if (report === "student") same("the last access", last, standing.last_accessed_on)
      for (const date of ["registered_on", "started_on", "completed_on", "expire_on"])
        same(`${date} of ${report}`, of?.[date], standing[date])
    }
    same(
      "started and completed",
      [standing.started_on === "Never", standing.completed_on === "Never"],
      [status === "Not Started", status !== "Completed"],
    )

    const overview = await get(staff, "/api/course/reports/overview")
    const at = (overview.labels as string[]).indexOf(courseName)
    const of = (key: string) => (overview[key] as number[])[at]
    same("overview", [of("totalNotStarted"), of("totalInProgress"), of("totalCompleted")], counts)

    const did = await get(learner, "/api/user-activities", { ...own, context: "learner" })
    const verbs = [
      "ENROLLED",
      ...(status === "Not Started" ? [] : ["STARTED"]),
      ...(status === "Completed" ? ["COMPLETED"] : []),
    ]
    same(
      "user-activities",
      recordsOf(did)
        .map((one) => String(one.verb))
        .sort(),
      verbs.toSorted(),
    )

    const modules = (await get(learner, "/api/course/modules", { registrationId: row?.id })) as unknown as Json[]
    const completed = modules.filter((one) => one.status === "Completed" && one.module_id !== OPTIONAL).length
    same("the modules", [modules.length, completed], [moduleIds.length, done])
    const spent = modules.reduce((sum, { total_time_spent: one }) => sum + Number((one as Json).totalSeconds ?? 0), 0)
    same("the modules' time", spent, seconds)
    return modules
  }

  const registered_on = new Date(stamp - 10 * DAY).toISOString()
  await post(staff, "/api/course/enroll", { course_ids: [courseId], user_ids: [learnerId], registered_on })
  const registrationId = Number((await registration()).id)
  const at = (moduleId: number | undefined, more: Json = {}) => ({ registrationId, moduleId, ...more })
  const complete = (index: number, seconds = 0) =>
    post(learner, PROGRESS, at(moduleIds[index], { status: "Completed", timeSpent: seconds }))

  const first = await expectReports("enrolled", { status: "Not Started", done: 0, seconds: 0 })
  expect(
    first.map((one) => [one.is_locked, one.is_dripped, one.is_current].map(Number).join("")),
    "locked, later, current",
  ).toEqual(["001", "000", "000", "000", "100", "000", "000", "100", "000", "010"])
  await post(learner, PROGRESS, at(moduleIds[0]))
  await expectReports("opened", { status: "In Progress", done: 0, seconds: 0 })
  await complete(0, 30)
  await expectReports("1: the first text", { status: "In Progress", done: 1, seconds: 30 })

  await expectConflict(
    "2: too early",
    learner,
    PROGRESS,
    at(SLOW, { status: "Completed", timeSpent: 20 }),
    "40 more seconds",
  )
  await post(learner, PROGRESS, at(SLOW, { timeSpent: 40, percentage: 50 }))
  await expectReports("2: begun", { status: "In Progress", done: 1, seconds: 70 })
  await complete(1, 20)
  await expectReports("2: the slow text", { status: "In Progress", done: 2, seconds: 90 })
  await complete(2, 60)
  await expectReports("3: the film", { status: "In Progress", done: 3, seconds: 150 })

  await expectConflict(
    "4: no click completes a quiz",
    learner,
    PROGRESS,
    at(QUIZ, { status: "Completed" }),
    "by an attempt",
  )
  await expectConflict("5: locked", learner, PROGRESS, at(AFTER_QUIZ), "first")
  for (const right of [false, true]) {
    const attempt = await post(learner, "/api/quiz/attempt", at(QUIZ))
    const answers = (attempt.questions as { id: number; options: { id: number; text: string }[] }[]).map((asked) => ({
      questionId: asked.id,
      optionIds: asked.options.filter((option) => (option.text === "Right") === right).map((option) => option.id),
    }))
    const result = await post(learner, "/api/quiz/submit", { attemptId: attempt.attemptId, answers })
    expect([result.score, result.outOf, result.percent, result.result], "4: the result").toEqual(
      right ? [10, 10, 100, "passed"] : [0, 10, 0, "failed"],
    )
  }
  /** The service measures the time of an attempt. */
  const quizTime = async () => {
    const { timeSpent } = await get(learner, "/api/user/dashboard/statistics", { user_id: learnerId })
    return Number((timeSpent as Json).totalSeconds)
  }
  let seconds = await quizTime()
  const afterQuiz = await expectReports("4: the quiz", { status: "In Progress", done: 4, seconds })
  expect(afterQuiz[3]?.points_awarded, "4: its points").toEqual(10)
  const quizzes = await get(learner, "/api/user/reports/student-quizzes", { user_id: learnerId, ...paging })
  expect([quizzes.totalNotStarted, quizzes.totalInProgress, quizzes.totalCompleted], "4: student-quizzes").toEqual([
    0, 0, 2,
  ])
  expect((await call(learner, "POST", "/api/quiz/attempt", at(QUIZ))).status, "4: no attempt is left").toEqual(409)

  await complete(4)
  await expectReports("5: what the quiz unlocked", { status: "In Progress", done: 5, seconds })
  await expectConflict("8: locked", learner, PROGRESS, at(moduleIds[7]), "first")
  const committed = await post(learner, "/api/scorm/commit", {
    ...at(SCORM),
    cmi: { "cmi.core.lesson_status": "passed", "cmi.core.score.raw": "80", "cmi.core.session_time": "00:02:00" },
  })
  expect([committed.status, committed.success_status], "6: the package").toEqual(["Completed", "passed"])
  seconds += 120
  await expectReports("6: the package", { status: "In Progress", done: 6, seconds })
  await complete(6, 5)
  seconds += 5
  await expectReports("7: what is not required", { status: "In Progress", done: 6, seconds })
  await complete(7)
  await expectReports("8: what the package unlocked", { status: "In Progress", done: 7, seconds })
  await complete(8)
  await expectReports("9: since the fifth day", { status: "In Progress", done: 8, seconds })
  await expectConflict("10: not yet", learner, PROGRESS, at(LATE, { status: "Completed" }), "Available on")
  await put(staff, `/api/course/${courseId}`, { modules: outline(10) })
  await complete(9, 15)
  seconds += 15
  await expectReports("10: the last", { status: "Completed", done: 9, seconds })
  const detailed = await get(staff, "/api/user/reports/user-detailed", { user_id: learnerId, ...paging })
  // Ten of ten points of the quiz, and 80 of the 100 that a package is worth.
  expect(recordsOf(detailed)[0]?.percent_achieved, "percent_achieved").toEqual(Math.floor((100 * 90) / 110))
})

test("no update is lost when four clients update one registration 200 times at once", async ({ service: { url } }) => {
  test.setTimeout(600_000)
  const { stamp, owner, staff, learner, learnerId, createModule, registration } = await setUp(url)
  // 200 updates of one registration in a course of ten modules, by the learner and by staff, while others read it.
  const busyModules: number[] = []
  for (let n = 1; n <= 10; n++) busyModules.push(await createModule("text", `Busy ${n}`))
  const { id: busyCourse } = await post(staff, "/api/course/create", {
    name: `Busy course ${stamp}`,
    status: "publish",
    modules: busyModules.map((module_id) => ({ module_id, required: true })),
  })
  await post(staff, "/api/course/enroll", { course_ids: [busyCourse], user_ids: [learnerId] })
  const busy = Number((await registration()).id)
  const clients = [learner, owner, staff, await connect(url, "admin@example.com", PASSWORD)]
  const watcher = await connect(url, "tomas.herrera@example.com", PASSWORD)
  const WATCHERS = 4
  let over = false
  const watching = Array.from({ length: WATCHERS }, async () => {
    const seen: number[] = []
    while (!over) {
      const order_by = { colName: "id", direction: "desc" }
      const [row] = recordsOf(
        await get(watcher, "/api/users/enrolled-courses", { user_id: learnerId, ...paging, order_by }),
      )
      seen.push(Number(row?.percentComplete))
    }
    return seen
  })
  const outcomes = await Promise.all(
    Array.from({ length: UPDATES }, async (_, n) => {
      const client = clients[n % clients.length] ?? learner
      // Ten of the later calls complete a module each.
      const completes = n % 10 === Math.floor(n / 10) % 10 && n >= UPDATES / 2
      const body = {
        registrationId: busy,
        moduleId: busyModules[n % 10],
        timeSpent: 1,
        percentage: (n * 37) % 100,
        ...(completes && { status: "Completed" }),
      }
      // A call that is repeated because its connection broke counts once.
      const answer = await call(client, "POST", PROGRESS, body, { "idempotency-key": `check-course-${stamp}-${n}` })
      await answer.body?.cancel()
      return answer.status
    }),
  )
  over = true
  const looks = await Promise.all(watching)
  expect(
    outcomes.filter((status) => status !== 200),
    "updates refused",
  ).toEqual([])
  for (const seen of looks) expect(seen, "percent never falls").toEqual(seen.toSorted((a, b) => a - b))
  const statuses = (await get(learner, "/api/course/modules", { registrationId: busy })) as unknown as Json[]
  const times = statuses.map(({ total_time_spent }) => (total_time_spent as Json).totalSeconds)
  expect(times, "no update is lost").toEqual(busyModules.map(() => UPDATES / 10))
  expect(
    statuses.filter((one) => one.status !== "Completed" || one.completion_percentage !== 100),
    "every module",
  ).toEqual([])
  expect([(await registration()).status, (await registration()).percentComplete], "the registration").toEqual([
    "Completed",
    100,
  ])
  const did = await get(staff, "/api/user-activities", { user_id: learnerId, ...paging, context: "admin" })
  const verbs = recordsOf(did).filter((one) => one.course === `Busy course ${stamp}`)
  expect(verbs.map((one) => String(one.verb)).sort(), "each activity once").toEqual([
    "COMPLETED",
    "ENROLLED",
    "STARTED",
  ])
  const { timeSpent } = await get(staff, "/api/user/dashboard/statistics", { user_id: learnerId })
  expect((timeSpent as Json).totalSeconds, "the time in all").toEqual(UPDATES)
})
