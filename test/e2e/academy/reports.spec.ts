import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Page, Response } from "@playwright/test"
import { PASSWORD } from "../../../scripts/lib/client.ts"
import { root } from "../../../scripts/lib/state.ts"
import { createClient, type LecternClient } from "../../../src/client/index.ts"
import { expect, test } from "../fixtures.ts"
import { writeAcademyData } from "../support/academy-data.ts"

/** From the last answer of a view until it is complete. */
const MAX_RENDER_MS = 1000
/** The rows that a list may read: a base, and so many for each record of its answer. */
const READ_LIMIT = { base: 200, perRecord: 20 }
/** Lists in an order that depends on the time read all matches, so their limit counts all of them. */
const READS_ALL_MATCHES = new Set(["/api/reports/at-risk"])
const OWNER = "owner@example.com"

/** The length of the longest list of an answer. */
function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return Math.max(value.length, ...value.map(sizeOf))
  if (typeof value !== "object" || value === null) return 0
  return Math.max(0, ...Object.values(value).map(sizeOf))
}

/** @returns null without JSON; undefined if the page was left before the body arrived */
const parse = async (response: Response): Promise<unknown> => {
  if (!response.headers()["content-type"]?.startsWith("application/json")) return null
  return response.json().catch(() => undefined)
}

async function expectWithinBounds(view: string, response: Response) {
  const { pathname, search } = new URL(response.url())
  const body = await parse(response)
  if (body === undefined) return
  const size = READS_ALL_MATCHES.has(pathname) ? (body as { recordsTotal: number }).recordsTotal : sizeOf(body)
  const [, roundTrips, rows] = /(?:round_)?trips=(\d+) read=(\d+)/.exec(response.headers()["server-timing"] ?? "") ?? []
  const limit = READ_LIMIT.base + READ_LIMIT.perRecord * size
  expect.soft(Number(roundTrips), `${view}: round trips of ${pathname}`).toBeLessThanOrEqual(1)
  expect.soft(Number(rows), `${view}: rows read by ${pathname}${search}`).toBeLessThanOrEqual(limit)
}

/** Waits until the view is complete and idle for half a second. Resolves with the ms from its last answer. */
const COMPLETE = `new Promise((resolve) => {
  const answered = () => Math.max(0, ...performance.getEntriesByType("resource")
    .filter(({ name }) => new URL(name).pathname.startsWith("/api/")).map(({ responseEnd }) => responseEnd))
  let since = 0
  const check = () => {
    const busy = document.querySelector("main .loading, main [aria-busy=true], figure[data-figure] .canvas:empty")
    if (busy || !document.querySelector("main h1")) since = 0
    else since ||= performance.now()
    if (since && performance.now() - Math.max(since, answered()) > 500) resolve(since - answered())
    else requestAnimationFrame(check)
  }
  check()
})`

/** Opens a view. @returns the ms from its last answer until it was complete */
async function load(page: Page, url: string, path: string): Promise<number> {
  const checks: Promise<void>[] = []
  const check = (response: Response) => {
    if (new URL(response.url()).pathname.startsWith("/api/")) checks.push(expectWithinBounds(path, response))
  }
  page.on("response", check)
  await page.goto(`${url}/console${path}`, { waitUntil: "commit" })
  const elapsed = Number(await page.evaluate(COMPLETE))
  page.off("response", check)
  await Promise.all(checks)
  return Math.max(0, elapsed)
}

/** The numbers of a figure by category and series. */
type Numbers = Record<string, Record<string, number>>

const numbersOf = (places: readonly string[], series: Record<string, readonly number[]>): Numbers =>
  Object.fromEntries(
    places.map((place, at) => [
      place,
      Object.fromEntries(Object.entries(series).map(([name, counts]) => [name, counts[at] ?? 0])),
    ]),
  )

/** The numbers of a figure in its table, its chart and its CSV file. */
async function readFigure(page: Page, name: string): Promise<{ table: Numbers; chart: Numbers; file: Numbers }> {
  const figure = page.locator(`figure[data-figure="${name}"]`)
  const within = `document.querySelector('figure[data-figure="${name}"]')`
  const rows = (await page.evaluate(
    `[...${within}.querySelectorAll("table tr")].map((row) => [...row.children].map((cell) => cell.textContent))`,
  )) as string[][]
  const labels = (await page.evaluate(
    `[...${within}.querySelectorAll("svg [aria-label]")].map((mark) => mark.getAttribute("aria-label"))`,
  )) as string[]
  const download = page.waitForEvent("download")
  await figure.getByRole("button", { name: "Export CSV" }).click()
  const text = readFileSync(await (await download).path(), "utf8").replace(/^\uFEFF/, "")
  return { table: fromRows(rows), chart: fromLabels(labels), file: fromRows(fromCsv(text)) }
}

/** The first row has the names of the series. */
function fromRows([titles = [], ...rows]: string[][]): Numbers {
  const series = titles.slice(1)
  const counts = (cells: string[]) => Object.fromEntries(series.map((name, at) => [name, Number(cells[at])]))
  return Object.fromEntries(rows.map(([place = "", ...cells]) => [place, counts(cells)]))
}

/** Labels of marks: `2014-01-01, Started: 7`. */
function fromLabels(labels: string[]): Numbers {
  const numbers: Numbers = {}
  for (const label of labels) {
    const [, place, series, value] = /^(.*), ([^,]*): (\d+)$/s.exec(label) ?? []
    if (place === undefined || series === undefined) continue
    numbers[place] = { ...numbers[place], [series]: Number(value) }
  }
  return numbers
}

const fromCsv = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)]
        .slice(0, -1)
        .map(([, cell = ""]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)),
    )

/** Without zeros, which a chart need not draw. */
const withoutZeros = (numbers: Numbers): Numbers =>
  Object.fromEntries(
    Object.entries(numbers)
      .map(([place, of]) => [place, Object.fromEntries(Object.entries(of).filter(([, value]) => value !== 0))] as const)
      .filter(([, of]) => Object.keys(of).length > 0),
  )

const sorted = (numbers: Numbers) =>
  Object.fromEntries(
    Object.entries(numbers)
      .map(([place, of]) => [place, Object.fromEntries(Object.entries(of).sort())] as const)
      .sort(([a], [b]) => a.localeCompare(b)),
  )

async function expectFigure(page: Page, what: string, name: string, report: Numbers) {
  const shown = await readFigure(page, name)
  expect(sorted(shown.table), `${what}: the table`).toEqual(sorted(report))
  expect(sorted(shown.file), `${what}: the file`).toEqual(sorted(report))
  expect(sorted(withoutZeros(shown.chart)), `${what}: the chart`).toEqual(sorted(withoutZeros(report)))
}

const DAY = 86_400_000
const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
/** The longest period of the report. */
const MAX_DAYS = 366

async function expectCourseFigures(page: Page, url: string, api: LecternClient, course: { id: number; name: string }) {
  const whole = await api.GET("/api/course/reports/by-day", { params: { query: { course_id: course.id } } })
  const { firstDay, lastDay } = whole.data
  const to = firstDay && lastDay ? [dayAfter(firstDay, MAX_DAYS - 1), lastDay].sort()[0] : undefined
  const period = firstDay && to ? `&from=${firstDay}&to=${to}` : ""
  const between = firstDay && to ? { between: [firstDay, to] } : {}
  await load(page, url, `/reports?course=${course.id}${period}`)
  const { data: days } = await api.GET("/api/course/reports/by-day", {
    params: { query: { course_id: course.id, ...between } },
  })
  const { enrolled: Enrolled, started: Started, completed: Completed } = days
  await expectFigure(
    page,
    `${course.name} by day`,
    "enrollments-by-day",
    numbersOf(days.days, { Enrolled, Started, Completed }),
  )
  const { data: modules } = await api.GET("/api/course/reports/modules", {
    params: { query: { course_id: course.id } },
  })
  const seen = new Map<string, number>()
  const places = modules.modules.map(({ name }) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
  const of = (pick: (module: (typeof modules.modules)[number]) => number) => modules.modules.map(pick)
  await expectFigure(
    page,
    `${course.name} by module`,
    "progress-by-module",
    numbersOf(places, {
      Completed: of(({ completed }) => completed),
      Submitted: of(({ submitted }) => submitted),
      "In progress": of(({ inProgress }) => inProgress),
      "Not started": of(({ notStarted }) => notStarted),
    }),
  )
  for (const quiz of modules.modules.filter(({ type }) => type === "quiz")) {
    await load(page, url, `/reports?course=${course.id}&quiz=${quiz.moduleId}`)
    const { data: report } = await api.GET("/api/quiz-report/scores", {
      params: { query: { course_id: course.id, module_id: quiz.moduleId } },
    })
    const bins = Array.from({ length: 10 }, (_, at) => ({ from: at * 10, to: at === 9 ? 100 : at * 10 + 9 }))
    const Attempts = bins.map((bin) =>
      report.scores
        .filter(({ percent }) => percent >= bin.from && percent <= bin.to)
        .reduce((sum, { attempts }) => sum + attempts, 0),
    )
    const names = bins.map(({ from, to }) => `${from}–${to}`)
    await expectFigure(page, `${course.name}, ${quiz.name}`, "quiz-scores", numbersOf(names, { Attempts }))
  }
}

async function expectAcademyFigures(page: Page, url: string, api: LecternClient) {
  await load(page, url, "/reports")
  const { data } = await api.GET("/api/course/reports/overview")
  await expectFigure(
    page,
    "all courses",
    "progress-by-course",
    numbersOf(data.labels, {
      Completed: data.totalCompleted,
      "In progress": data.totalInProgress,
      "Not started": data.totalNotStarted,
    }),
  )
  const months = Array.from({ length: 12 }, (_, at) => at)
  const year = new Date().getFullYear()
  const reports = await Promise.all(
    months.map(async (month) => {
      const selectedMonth = `${year}-${String(month + 1).padStart(2, "0")}`
      return (await api.GET("/api/class/reports/overview", { params: { query: { selectedMonth } } })).data
    }),
  )
  const long = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" })
  await expectFigure(
    page,
    `attendance in ${year}`,
    "attendance-by-month",
    numbersOf(
      months.map((month) => long.format(Date.UTC(year, month))),
      {
        Attended: reports.map(({ sumAttended }) => sumAttended),
        Registered: reports.map(({ sumRegistered }) => sumRegistered),
        "No-show": reports.map(({ sumNoShow }) => sumNoShow),
        Canceled: reports.map(({ sumCancelled }) => sumCancelled),
      },
    ),
  )
}

/** The paths of all views of the navigation, and of the first record of each list. */
async function allPaths(page: Page, url: string): Promise<string[]> {
  const linksIn = async (selector: string) =>
    (await page.evaluate(
      `[...document.querySelectorAll("${selector}")].map((link) => link.getAttribute("href"))`,
    )) as string[]
  const found = await linksIn("#navigation a[href^='/console']")
  const all = new Set(found.map((href) => href.replace("/console", "") || "/"))
  for (const list of [...all]) {
    await load(page, url, list)
    const [first] = await linksIn("main table a[href^='/console/']")
    if (first) all.add(first.replace("/console", ""))
  }
  return [...all]
}

test.beforeAll(({ service }) => {
  test.setTimeout(3_600_000)
  const data = process.env.ACADEMY_DATA ? resolve(process.env.ACADEMY_DATA) : join(service.stateDir, "academy-data")
  if (!process.env.ACADEMY_DATA) writeAcademyData(data)
  const args = ["--disable-warning=ExperimentalWarning", join(root, "bench/academy.ts"), "--data", data]
  const env = { ...process.env, BASE_URL: service.url, STATE_DIR: service.stateDir }
  execFileSync(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] })
})

test("every view of a large academy loads within a second of its answers, and keeps to the bounds of lists", async ({
  signIn,
}) => {
  test.setTimeout(1_200_000)
  const { page, url } = await signIn(OWNER)
  for (const path of await allPaths(page, url))
    expect.soft(await load(page, url, path), `${path}: ms after its last answer`).toBeLessThanOrEqual(MAX_RENDER_MS)
})

test("every figure shows the numbers of its report, in its chart, its table and its file", async ({ signIn }) => {
  test.setTimeout(1_200_000)
  const { page, url } = await signIn(OWNER)
  const api = createClient({ baseUrl: url })
  await api.signIn({ email: OWNER, password: PASSWORD })
  await expectAcademyFigures(page, url, api)
  let courses = 0
  for await (const course of api.list("/api/courses/tabularlist")) {
    await expectCourseFigures(page, url, api, course)
    courses++
  }
  expect(courses).toBeGreaterThan(0)
})
