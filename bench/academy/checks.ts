// Compares the reports of the service with the dataset. Each check returns the differences as text.
import { each } from "../../scripts/lib/client.ts"
import type { LecternClient } from "../../src/client/index.ts"
import type { Catalog } from "./courses.ts"
import type { Attempt, Registration, Status } from "./dataset.ts"
import type { Student } from "./registrations.ts"
import { exportedRows, type User } from "./service.ts"

const STATUSES: Status[] = ["Not Started", "In Progress", "Completed"]
const count = (registrations: Registration[]) =>
  STATUSES.map((status) => registrations.filter((row) => row.status === status).length)
const differs = (what: string, shown: unknown, expected: unknown) =>
  JSON.stringify(shown) === JSON.stringify(expected)
    ? []
    : [`${what}: ${JSON.stringify(shown)}, and the data has ${JSON.stringify(expected)}`]

const byCourse = (registrations: Registration[]) => Map.groupBy(registrations, (row) => row.course)

/**
 * The course overview report, course by course.
 * @returns the sums over the data's courses too, as the report has them
 */
export async function checkOverview(client: LecternClient, registrations: Registration[]) {
  const { data: report } = await client.GET("/api/course/reports/overview")
  const columns = [report.totalNotStarted, report.totalInProgress, report.totalCompleted]
  const sums = [0, 0, 0]
  const differences = [...byCourse(registrations)].flatMap(([course, rows]) => {
    const shown = columns.map((column) => column[report.labels.indexOf(course)] ?? 0)
    shown.forEach((number, i) => {
      sums[i] = (sums[i] ?? 0) + number
    })
    return differs(`Overview of ${course}`, shown, count(rows))
  })
  return { sums, differences: [...differences, ...differs("Sums of the overview", sums, count(registrations))] }
}

const shownDate = (date: string | undefined) =>
  date
    ? new Date(date).toLocaleDateString("en-US", { timeZone: "UTC", month: "short", day: "2-digit", year: "numeric" })
    : "Never"

/** Each course's learners, with their status and dates, and the list's own totals. */
export async function checkStudents(
  client: LecternClient,
  registrations: Registration[],
  students: Map<string, Map<string, Student>>,
  courses: Map<string, number>,
): Promise<string[]> {
  const differences: string[] = []
  for (const [course, rows] of byCourse(registrations)) {
    const query = { course_id: courses.get(course) ?? 0, group_id: "", page_size: 1, page_number: 1 }
    const { data } = await client.GET("/api/course/enrolled-students", { params: { query } })
    const { recordsTotal, totalNotStarted, totalInProgress, totalCompleted } = data
    const shown = [recordsTotal, totalNotStarted, totalInProgress, totalCompleted]
    differences.push(...differs(`Learners of ${course}`, shown, [rows.length, ...count(rows)]))
    const listed = students.get(course)
    differences.push(...differs(`Learners listed in ${course}`, listed?.size, rows.length))
    for (const row of rows) {
      const student = listed?.get(row.email)
      differences.push(
        ...differs(
          `${row.email} in ${course}`,
          [student?.status, student?.registered_on, student?.started_on, student?.completed_on, student?.expire_on],
          [row.status, ...[row.registeredOn, row.startedOn, row.completedOn, row.expiresOn].map(shownDate)],
        ),
      )
    }
  }
  return differences
}

/** The attempts of the learners' quizzes report. */
export async function checkAttempts(client: LecternClient, attempts: Attempt[]): Promise<string[]> {
  const key = (email: string, course: string, quiz: string) => `${email} in ${quiz} of ${course}`
  const expected = new Map(attempts.map((row) => [key(row.email, row.course, row.of), row]))
  const reported = new Map<string, unknown[]>()
  const query = { search_param: { status: ["Completed" as const] } }
  for await (const row of client.list("/api/user/reports/student-quizzes", { query }))
    if (row.email.endsWith("@learners.example"))
      reported.set(key(row.email, row.courseName, row.quizName), [row.score, row.completed_on])
  const wrong = [...expected].flatMap(([who, { score, submittedOn }]) =>
    differs(who, reported.get(who), [score, shownDate(submittedOn)]),
  )
  const strangers = [...reported.keys()].filter((who) => !expected.has(who))
  return [...wrong, ...strangers.map((who) => `${who} should not be in the report`)]
}

/** The points of the gradebook, and how many submissions the list of all of them has of the academy's learners. */
export async function checkSubmissions(
  client: LecternClient,
  registrations: Registration[],
  submissions: Attempt[],
): Promise<string[]> {
  const keyOf = (email: string, course: string) => `${email} in ${course}`
  const scores = Map.groupBy(submissions, ({ email, course }) => keyOf(email, course))
  const missing = new Set(registrations.map(({ email, course }) => keyOf(email, course)))
  const differences: string[] = []
  for await (const { email = "", course = "", ...cells } of exportedRows(client, "/api/user/gradebook/export")) {
    const key = keyOf(email, course)
    if (!email.endsWith("@learners.example")) continue
    missing.delete(key)
    const points = Object.entries(cells).flatMap(([header, cell]) =>
      header.startsWith("TMA ") && cell !== "" ? [`${header.replace(/ \(\d+\)$/, "")}: ${cell}`] : [],
    )
    const expected = (scores.get(key) ?? []).flatMap(({ of, score }) =>
      score === undefined ? [] : [`${of}: ${score}`],
    )
    differences.push(...differs(key, points.sort(), expected.sort()))
  }
  const listed = { submitted: 0, awaiting: 0 }
  for await (const { email, status } of client.list("/api/course/all-submissions")) {
    if (!email.endsWith("@learners.example")) continue
    listed.submitted++
    if (status === "Submitted") listed.awaiting++
  }
  const unmarked = submissions.filter(({ score }) => score === undefined).length
  return [
    ...differences,
    ...[...missing].map((key) => `${key} is not in the gradebook`),
    ...differs("Submissions listed", listed, { submitted: submissions.length, awaiting: unmarked }),
  ]
}

/** The dashboards of a random sample of learners. */
export async function checkDashboards(
  client: LecternClient,
  registrations: Registration[],
  users: Map<string, User>,
  howMany: number,
): Promise<string[]> {
  const left = [...Map.groupBy(registrations, (row) => row.email)]
  const drawn = Array.from({ length: howMany }, () => left.splice(Math.floor(Math.random() * left.length), 1)).flat()
  const differences: string[] = []
  await each(drawn, 4, async ([email, rows]) => {
    const query = { user_id: users.get(email)?.id ?? 0 }
    const { data: shown } = await client.GET("/api/user/dashboard/statistics", { params: { query } })
    differences.push(
      ...differs(
        `Dashboard of ${email}`,
        [shown.totalCourses, shown.notStartedCourses, shown.inProgressCourses, shown.completedCourses],
        [rows.length, ...count(rows)],
      ),
    )
  })
  return differences
}

const YEAR = 365 * 86_400_000
const tallied = (days: (string | undefined)[]) =>
  new Map(
    [
      ...Map.groupBy(
        days.filter((day) => day !== undefined),
        (day) => day,
      ),
    ].map(([day, { length }]) => [day, length]),
  )
const inOrder = (counts: Map<string, number>) => [...counts].filter(([, count]) => count > 0).sort()

/** The activity on each day of the dataset, of one course or all: the numbers of charts. */
async function checkDays(client: LecternClient, what: string, rows: Registration[], courseId?: number) {
  const expected = {
    enrolled: tallied(rows.map((row) => row.registeredOn)),
    started: tallied(rows.map((row) => row.startedOn)),
    completed: tallied(rows.map((row) => row.completedOn)),
  }
  const days = Object.values(expected)
    .flatMap((counts) => [...counts.keys()])
    .sort()
  const [first = "", last = ""] = [days[0], days.at(-1)]
  const shown = { enrolled: new Map(), started: new Map(), completed: new Map() }
  const wrong: string[] = []
  for (let from = Date.parse(first); from <= Date.parse(last); from += YEAR + 86_400_000) {
    const between = [from, Math.min(from + YEAR, Date.parse(last))].map((at) => new Date(at).toISOString().slice(0, 10))
    const query = { between, ...(courseId && { course_id: courseId }) }
    const { data } = await client.GET("/api/course/reports/by-day", { params: { query } })
    for (const verb of ["enrolled", "started", "completed"] as const)
      for (const [at, day] of data.days.entries()) shown[verb].set(day, data[verb][at])
    if (courseId) wrong.push(...differs(`First and last day of ${what}`, [data.firstDay, data.lastDay], [first, last]))
  }
  for (const verb of ["enrolled", "started", "completed"] as const)
    wrong.push(...differs(`${verb} by day in ${what}`, inOrder(shown[verb]), inOrder(expected[verb])))
  return wrong
}

/** The numbers of charts of each course: by day, by module and by score. */
export async function checkReports(
  client: LecternClient,
  {
    registrations,
    attempts,
    submissions,
  }: { registrations: Registration[]; attempts: Attempt[]; submissions: Attempt[] },
  catalog: Catalog,
): Promise<string[]> {
  const differences = await checkDays(client, "all courses", registrations)
  for (const [course, rows] of byCourse(registrations)) {
    const courseId = catalog.courses.get(course) ?? 0
    differences.push(...(await checkDays(client, course, rows, courseId)))
    const here = (results: Attempt[]) => results.filter((row) => row.course === course)
    const tried = Map.groupBy([...here(attempts), ...here(submissions)], (row) => row.of)
    const query = { course_id: courseId }
    const { data: report } = await client.GET("/api/course/reports/modules", { params: { query } })
    differences.push(...differs(`Learners of ${course} by module`, report.learners, rows.length))
    for (const { name, notStarted, inProgress, submitted, completed } of report.modules) {
      const opened = new Set(tried.get(name)?.map(({ email }) => email)).size
      differences.push(
        ...differs(
          `${name} of ${course}`,
          [notStarted, inProgress + submitted + completed],
          [rows.length - opened, opened],
        ),
      )
    }
    for (const [quiz, made] of Map.groupBy(here(attempts), (row) => row.of)) {
      const params = { query: { course_id: courseId, module_id: catalog.modules.get(quiz) ?? 0 } }
      const { data: scored } = await client.GET("/api/quiz-report/scores", { params })
      const shown = scored.scores.map(({ percent, attempts }) => [percent, attempts])
      const expected = [...Map.groupBy(made, ({ score = 0 }) => score)]
        .map(([percent, { length }]) => [percent, length])
        .sort(([a = 0], [b = 0]) => a - b)
      differences.push(...differs(`Scores of ${quiz} of ${course}`, shown, expected))
    }
  }
  return differences
}
