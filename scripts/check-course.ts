// Takes a course of ten modules as a learner would, over the API of a running service (npm start; BASE_URL says where):
// texts, films, a quiz and a SCORM package, with locks, a least time and a later opening. After each step every report
// must tell the same. Then 200 updates of one registration at once, from four clients: none may be lost.
import { type Connection, call, connect, json, PASSWORD } from "./lib/client.ts"
import { conclude, expectSame } from "./lib/expect.ts"
import { flags } from "./lib/flags.ts"
import { query } from "./lib/request.ts"
import { zipped } from "./lib/zip.ts"
import { requireService } from "./tools.ts"

flags(
  "npm run check:course",
  "Takes a course of ten modules over the API and holds every report against the others at each step.",
  {},
  { BASE_URL: "where the service is (http://localhost:8787 unless set)" },
)
const BASE = process.env.BASE_URL || "http://localhost:8787"
await requireService(BASE)
const DAY = 86_400_000
const UPDATES = 200

type Json = Record<string, unknown>

const signIn = (email: string) => connect(BASE, email, PASSWORD)
const owner = await signIn("owner@example.com")
const staff = await signIn("staff@example.com")
const get = async (who: Connection, path: string, parameters: Json = {}) =>
  json<Json>(await call(who, "GET", `${path}${query(parameters)}`))
const send = async (who: Connection, method: "POST" | "PUT", path: string, body: object | FormData) =>
  json<Json>(await call(who, method, path, body))
/** A call that must be refused for the state of things. */
async function refused(what: string, who: Connection, path: string, body: object, words: string) {
  const answer = await call(who, "POST", path, body)
  const { message } = (await answer.json()) as Json
  expectSame(what, [answer.status, String(message).includes(words) || message], [409, true])
}
const paging = { page_size: 10, page_number: 1 }
const rowsOf = (answer: Json) => answer.records as Json[]

const stamp = Date.now()
const email = `check-course-${stamp}@learners.example.com`
const { id: learnerId } = await send(owner, "POST", "/api/user/create", {
  firstName: "Check",
  lastName: "Course",
  email,
  password: PASSWORD,
  password_confirmation: PASSWORD,
})
const learner = await signIn(email)

const moduleOf = async (type: string, name: string, more: Json = {}) =>
  Number(
    (await send(staff, "POST", `/api/modules/${type}`, { name: `${name} ${stamp}`, content: "<p>Look.</p>", ...more }))
      .id,
  )
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
scormForm.set(
  "package",
  await zipped({
    "imsmanifest.xml": `<?xml version="1.0"?>
<manifest identifier="M"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
<organizations default="O"><organization identifier="O"><title>Check</title>
<item identifier="I" identifierref="R"><title>Page</title></item></organization></organizations>
<resources><resource identifier="R" type="webcontent" adlcp:scormtype="sco" href="index.html"/></resources>
</manifest>`,
    "index.html": "<!doctype html><title>Page</title>",
  }),
)
const moduleIds = [
  await moduleOf("text", "Welcome"),
  await moduleOf("text", "Slowly"),
  await moduleOf("video", "Film", film),
  await moduleOf("quiz", "Quiz", { passPercent: 60, maxAttempts: 2, questions }),
  await moduleOf("text", "Behind the quiz"),
  Number((await send(staff, "POST", "/api/modules/scorm", scormForm)).id),
  await moduleOf("text", "For the curious"),
  await moduleOf("video", "Behind the package", film),
  await moduleOf("text", "From the fifth day"),
  await moduleOf("text", "From the twentieth day"),
]
const [, SLOW, , QUIZ, BEHIND_QUIZ, SCORM, OPTIONAL, , , LATE] = moduleIds
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
const { id: courseId } = await send(staff, "POST", "/api/course/create", {
  name: courseName,
  slug: `check-of-a-course-${stamp}`,
  status: "publish",
  modules: outline(20),
})

/** How the registration is to stand. */
interface Standing {
  status: "Not Started" | "In Progress" | "Completed"
  done: number
  seconds: number
}

/** The newest registration of the learner, as the learner sees it. */
async function registration(): Promise<Json> {
  const order_by = { colName: "id", direction: "desc" }
  const [row] = rowsOf(await get(learner, "/api/users/enrolled-courses", { user_id: learnerId, ...paging, order_by }))
  return row ?? {}
}

/** Holds every report against where the registration is to stand. */
async function agree(step: string, { status, done, seconds }: Standing) {
  const percent = Math.floor((100 * done) / required)
  const count = (name: string) => (name === status ? 1 : 0)
  const counts = [count("Not Started"), count("In Progress"), count("Completed")]
  const same = (report: string, actual: unknown, expected: unknown) =>
    expectSame(`${step}: ${report}`, actual, expected)
  const own = { user_id: learnerId, ...paging }
  const totals = (answer: Json) => [answer.totalNotStarted, answer.totalInProgress, answer.totalCompleted]
  const course = { course_id: courseId, group_id: "", ...paging }

  const enrolled = await get(learner, "/api/users/enrolled-courses", own)
  const [row] = rowsOf(enrolled)
  same("enrolled-courses", [row?.courseName, row?.status, row?.percentComplete], [courseName, status, percent])
  const filtered = await get(learner, "/api/users/enrolled-courses", { ...own, search_param: { status: [status] } })
  same("enrolled-courses of that status", [filtered.recordsTotal, filtered.recordsFiltered], [1, 1])

  const dashboard = await get(learner, "/api/user/dashboard/statistics", { user_id: learnerId })
  const { notStartedCourses, inProgressCourses, completedCourses, totalCourses, timeSpent } = dashboard
  same("dashboard", [notStartedCourses, inProgressCourses, completedCourses, totalCourses], [...counts, 1])
  same("dashboard's time", (timeSpent as Json).totalSeconds, seconds)

  const students = await get(staff, "/api/course/enrolled-students", course)
  const [student] = rowsOf(students)
  same("enrolled-students' totals", totals(students), counts)
  same("enrolled-students", [student?.id, student?.user_id], [row?.id, learnerId])
  same("enrolled-students' progress", [student?.status, student?.percentComplete], [status, percent])

  const byCourse = await get(staff, "/api/course/reports/course-detailed", course)
  const byUser = await get(staff, "/api/user/reports/user-detailed", own)
  same("course-detailed's totals", totals(byCourse), counts)
  same("user-detailed's totals", totals(byUser), counts)
  const { name, courseName: itsName, ...standing } = rowsOf(byUser)[0] ?? {}
  const { first_name, last_name, avatar, ...theSame } = rowsOf(byCourse)[0] ?? {}
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
    rowsOf(did)
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
await send(staff, "POST", "/api/course/enroll", { course_ids: [courseId], user_ids: [learnerId], registered_on })
const registrationId = Number((await registration()).id)
const PROGRESS = "/api/module/progress"
const at = (moduleId: number | undefined, more: Json = {}) => ({ registrationId, moduleId, ...more })
const complete = (index: number, seconds = 0) =>
  send(learner, "POST", PROGRESS, at(moduleIds[index], { status: "Completed", timeSpent: seconds }))

const first = await agree("enrolled", { status: "Not Started", done: 0, seconds: 0 })
expectSame(
  "locked, later, current",
  first.map((one) => [one.is_locked, one.is_dripped, one.is_current].map(Number).join("")),
  ["001", "000", "000", "000", "100", "000", "000", "100", "000", "010"],
)
await send(learner, "POST", PROGRESS, at(moduleIds[0]))
await agree("opened", { status: "In Progress", done: 0, seconds: 0 })
await complete(0, 30)
await agree("1: the first text", { status: "In Progress", done: 1, seconds: 30 })

await refused("2: too early", learner, PROGRESS, at(SLOW, { status: "Completed", timeSpent: 20 }), "40 more seconds")
await send(learner, "POST", PROGRESS, at(SLOW, { timeSpent: 40, percentage: 50 }))
await agree("2: begun", { status: "In Progress", done: 1, seconds: 70 })
await complete(1, 20)
await agree("2: the slow text", { status: "In Progress", done: 2, seconds: 90 })
await complete(2, 60)
await agree("3: the film", { status: "In Progress", done: 3, seconds: 150 })

await refused("4: no click completes a quiz", learner, PROGRESS, at(QUIZ, { status: "Completed" }), "its attempt")
await refused("5: locked", learner, PROGRESS, at(BEHIND_QUIZ), "first")
for (const right of [false, true]) {
  const attempt = await send(learner, "POST", "/api/quiz/attempt", at(QUIZ))
  const answers = (attempt.questions as { id: number; options: { id: number; text: string }[] }[]).map((asked) => ({
    questionId: asked.id,
    optionIds: asked.options.filter((option) => (option.text === "Right") === right).map((option) => option.id),
  }))
  const result = await send(learner, "POST", "/api/quiz/submit", { attemptId: attempt.attemptId, answers })
  expectSame(
    "4: the result",
    [result.score, result.outOf, result.percent, result.result],
    right ? [10, 10, 100, "passed"] : [0, 10, 0, "failed"],
  )
}
/** What an attempt took is measured, not told. */
const quizTime = async () => {
  const { timeSpent } = await get(learner, "/api/user/dashboard/statistics", { user_id: learnerId })
  return Number((timeSpent as Json).totalSeconds)
}
let seconds = await quizTime()
const afterQuiz = await agree("4: the quiz", { status: "In Progress", done: 4, seconds })
expectSame("4: its points", afterQuiz[3]?.points_awarded, 10)
const quizzes = await get(learner, "/api/user/reports/student-quizzes", { user_id: learnerId, ...paging })
expectSame("4: student-quizzes", [quizzes.totalNotStarted, quizzes.totalInProgress, quizzes.totalCompleted], [0, 0, 2])
expectSame("4: no attempt is left", (await call(learner, "POST", "/api/quiz/attempt", at(QUIZ))).status, 409)

await complete(4)
await agree("5: what the quiz unlocked", { status: "In Progress", done: 5, seconds })
await refused("8: locked", learner, PROGRESS, at(moduleIds[7]), "first")
const committed = await send(learner, "POST", "/api/scorm/commit", {
  ...at(SCORM),
  cmi: { "cmi.core.lesson_status": "passed", "cmi.core.score.raw": "80", "cmi.core.session_time": "00:02:00" },
})
expectSame("6: the package", [committed.status, committed.success_status], ["Completed", "passed"])
seconds += 120
await agree("6: the package", { status: "In Progress", done: 6, seconds })
await complete(6, 5)
seconds += 5
await agree("7: what is not required", { status: "In Progress", done: 6, seconds })
await complete(7)
await agree("8: what the package unlocked", { status: "In Progress", done: 7, seconds })
await complete(8)
await agree("9: since the fifth day", { status: "In Progress", done: 8, seconds })
await refused("10: not yet", learner, PROGRESS, at(LATE, { status: "Completed" }), "Opens on")
await send(staff, "PUT", `/api/course/${courseId}`, { modules: outline(10) })
await complete(9, 15)
seconds += 15
await agree("10: the last", { status: "Completed", done: 9, seconds })
const detailed = await get(staff, "/api/user/reports/user-detailed", { user_id: learnerId, ...paging })
// Ten of ten points of the quiz, and 80 of the 100 that a package is worth.
expectSame("percent_achieved", rowsOf(detailed)[0]?.percent_achieved, Math.floor((100 * 90) / 110))

// 200 updates at once, of one registration in a course of ten modules: by the learner and by staff, while others look.
const busyModules: number[] = []
for (let n = 1; n <= 10; n++) busyModules.push(await moduleOf("text", `Busy ${n}`))
const { id: busyCourse } = await send(staff, "POST", "/api/course/create", {
  name: `Busy course ${stamp}`,
  status: "publish",
  modules: busyModules.map((module_id) => ({ module_id, required: true })),
})
await send(staff, "POST", "/api/course/enroll", { course_ids: [busyCourse], user_ids: [learnerId] })
const busy = Number((await registration()).id)
const clients = [learner, owner, staff, await signIn("admin@example.com")]
const watcher = await signIn("tomas.herrera@example.com")
const WATCHERS = 4
let over = false
const watching = Array.from({ length: WATCHERS }, async () => {
  const seen: number[] = []
  while (!over) {
    const order_by = { colName: "id", direction: "desc" }
    const [row] = rowsOf(await get(watcher, "/api/users/enrolled-courses", { user_id: learnerId, ...paging, order_by }))
    seen.push(Number(row?.percentComplete))
  }
  return seen
})
const began = performance.now()
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
const took = (performance.now() - began) / 1000
over = true
const looks = await Promise.all(watching)
expectSame(
  "updates refused",
  outcomes.filter((status) => status !== 200),
  [],
)
for (const seen of looks)
  expectSame(
    "percent never falls",
    seen,
    seen.toSorted((a, b) => a - b),
  )
const statuses = (await get(learner, "/api/course/modules", { registrationId: busy })) as unknown as Json[]
const times = statuses.map(({ total_time_spent }) => (total_time_spent as Json).totalSeconds)
expectSame(
  "no update is lost",
  times,
  busyModules.map(() => UPDATES / 10),
)
expectSame(
  "every module",
  statuses.filter((one) => one.status !== "Completed" || one.completion_percentage !== 100),
  [],
)
expectSame(
  "the registration",
  [(await registration()).status, (await registration()).percentComplete],
  ["Completed", 100],
)
const did = await get(staff, "/api/user-activities", { user_id: learnerId, ...paging, context: "admin" })
const verbs = rowsOf(did).filter((one) => one.course === `Busy course ${stamp}`)
expectSame("each activity once", verbs.map((one) => String(one.verb)).sort(), ["COMPLETED", "ENROLLED", "STARTED"])
const { timeSpent } = await get(staff, "/api/user/dashboard/statistics", { user_id: learnerId })
expectSame("the time in all", (timeSpent as Json).totalSeconds, seconds + UPDATES)

conclude(
  "A course of ten modules was taken from enrollment to Completed, and every report agreed at each step. " +
    `${UPDATES} updates at once from ${clients.length} clients took ${took.toFixed(1)} s: none was lost, and percent ` +
    `never fell (${looks.flat().length} looks, at ${new Set(looks.flat()).size} percents).`,
)
