// Holds the console against a large academy, in headless Chromium: every view stands within a second of its answers and
// asks for no more than lists may read, and every number of every figure is the report's: in the picture, in its table
// and in its CSV. Run `npm start` and `npm run academy` beside it.
// Not part of the tests, which need npm alone: it needs Debian's package chromium.
import { existsSync, readFileSync } from "node:fs"
import { type Browser, chromium, type Page, type Response } from "playwright-core"
import { createClient, type LecternClient } from "../src/client/index.ts"
import { PASSWORD } from "./lib/client.ts"
import { conclude, expectSame, failures } from "./lib/expect.ts"
import { flags, notRun } from "./lib/flags.ts"
import { requireService } from "./tools.ts"

flags(
  "npm run check:console-data",
  "Holds the console's views to their bounds and its figures to their reports, in Chromium, beside a large academy.",
  {},
  {
    BASE_URL: "where the service is (http://localhost:8787 unless set)",
    CHROMIUM: "the browser (/usr/bin/chromium unless set)",
  },
)
const BASE = process.env.BASE_URL || "http://localhost:8787"
const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium"
if (!existsSync(CHROMIUM)) notRun(`no Chromium at ${CHROMIUM}. Install it (Debian package chromium), or set CHROMIUM.`)
await requireService(BASE)

/** Milliseconds from a view's last answer until it stands. */
const STANDS_WITHIN = 1000
/** What a list may read: so many rows, and so many for each that it answers. */
const BOUND = { rows: 200, each: 20 }
const OWNER = "owner@example.com"

const client = createClient({ baseUrl: BASE })
await client.signIn({ email: OWNER, password: PASSWORD })

/** How many records, or places of a figure, an answer has: its longest list. */
function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return Math.max(value.length, ...value.map(sizeOf))
  if (typeof value !== "object" || value === null) return 0
  return Math.max(0, ...Object.values(value).map(sizeOf))
}

const read = async (response: Response): Promise<unknown> => {
  if (!response.headers()["content-type"]?.startsWith("application/json")) return undefined
  return response.json().catch(() => undefined)
}

/** Holds an answer to the bounds of lists. */
async function withinBounds(view: string, response: Response) {
  const { pathname, search } = new URL(response.url())
  const [, trips, rows] = /trips=(\d+) read=(\d+)/.exec(response.headers()["server-timing"] ?? "") ?? []
  const most = BOUND.rows + BOUND.each * sizeOf(await read(response))
  if (Number(trips) > 1) failures.push(`${view}: ${pathname} takes ${trips} trips`)
  if (Number(rows) > most) failures.push(`${view}: ${pathname}${search} reads ${rows} rows of ${most}`)
}

/**
 * Waits until the view stands, and nothing has come for half a second. Answers how many milliseconds after its last
 * answer it stood: its heading is there, and nothing is loading.
 */
const STANDS = `new Promise((stands) => {
  const answered = () => Math.max(0, ...performance.getEntriesByType("resource")
    .filter(({ name }) => new URL(name).pathname.startsWith("/api/")).map(({ responseEnd }) => responseEnd))
  let since = 0
  const look = () => {
    const busy = document.querySelector("main .loading, main [aria-busy=true], figure[data-figure] .canvas:empty")
    if (busy || !document.querySelector("main h1")) since = 0
    else since ||= performance.now()
    if (since && performance.now() - Math.max(since, answered()) > 500) stands(since - answered())
    else requestAnimationFrame(look)
  }
  look()
})`

/** Opens a view. @returns milliseconds from its last answer until it stood */
async function opened(page: Page, path: string): Promise<number> {
  const held: Promise<void>[] = []
  const hold = (response: Response) => {
    if (new URL(response.url()).pathname.startsWith("/api/")) held.push(withinBounds(path, response))
  }
  page.on("response", hold)
  await page.goto(`${BASE}/console${path}`, { waitUntil: "commit" })
  const late = Number(await page.evaluate(STANDS))
  page.off("response", hold)
  await Promise.all(held)
  return Math.max(0, late)
}

async function signedIn(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB" })
  const page = await context.newPage()
  await page.goto(`${BASE}/login`)
  await page.getByLabel("Email address").fill(OWNER)
  await page.getByLabel("Password").fill(PASSWORD)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(`${BASE}/console`)
  return page
}

/** A figure's numbers by place and series, as a report has them. */
type Numbers = Record<string, Record<string, number>>

const numbersOf = (places: readonly string[], series: Record<string, readonly number[]>): Numbers =>
  Object.fromEntries(
    places.map((place, at) => [
      place,
      Object.fromEntries(Object.entries(series).map(([name, counts]) => [name, counts[at] ?? 0])),
    ]),
  )

/** What a figure of the page says: in its table, in its picture and in its CSV. */
async function saidBy(page: Page, name: string): Promise<{ table: Numbers; picture: Numbers; file: Numbers }> {
  const figure = page.locator(`figure[data-figure="${name}"]`)
  const within = `document.querySelector('figure[data-figure="${name}"]')`
  const rows = (await page.evaluate(
    `[...${within}.querySelectorAll("table tr")].map((row) => [...row.children].map((cell) => cell.textContent))`,
  )) as string[][]
  const labels = (await page.evaluate(
    `[...${within}.querySelectorAll("svg [aria-label]")].map((mark) => mark.getAttribute("aria-label"))`,
  )) as string[]
  const download = page.waitForEvent("download")
  await figure.getByRole("button", { name: "Download as CSV" }).click()
  const text = readFileSync(await (await download).path(), "utf8").replace(/^\uFEFF/, "")
  return { table: fromRows(rows), picture: fromLabels(labels), file: fromRows(fromCsv(text)) }
}

/** Rows of a table, the first of which has the series' names. */
function fromRows([titles = [], ...rows]: string[][]): Numbers {
  const series = titles.slice(1)
  const counts = (cells: string[]) => Object.fromEntries(series.map((name, at) => [name, Number(cells[at])]))
  return Object.fromEntries(rows.map(([place = "", ...cells]) => [place, counts(cells)]))
}

/** Marks of a picture: `2014-01-01, Starts: 7`. */
function fromLabels(labels: string[]): Numbers {
  const numbers: Numbers = {}
  for (const label of labels) {
    const [, place, series, value] = /^(.*), ([^,]*): (\d+)$/s.exec(label) ?? []
    if (place === undefined || series === undefined) continue
    numbers[place] = { ...numbers[place], [series]: Number(value) }
  }
  return numbers
}

/** The cells of a CSV as the console writes them. */
const fromCsv = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)]
        .slice(0, -1)
        .map(([, cell = ""]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)),
    )

/** Without numbers that are zero: a picture need not draw those. */
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

let compared = 0
/** Holds a figure to its report: all three that it says. */
async function held(page: Page, what: string, name: string, report: Numbers) {
  const said = await saidBy(page, name)
  expectSame(`${what}: the table`, sorted(said.table), sorted(report))
  expectSame(`${what}: the file`, sorted(said.file), sorted(report))
  expectSame(`${what}: the picture`, sorted(withoutZeros(said.picture)), sorted(withoutZeros(report)))
  compared += Object.values(report).reduce((sum, of) => sum + Object.keys(of).length, 0)
}

const DAY = 86_400_000
const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
/** A period as long as the report takes. */
const MOST_DAYS = 366

/** The figures by day, by module and by score of one course. */
async function figuresOf(page: Page, api: LecternClient, course: { id: number; name: string }) {
  const whole = await api.GET("/api/course/reports/by-day", { params: { query: { course_id: course.id } } })
  const { firstDay, lastDay } = whole.data
  const to = firstDay && lastDay ? [dayAfter(firstDay, MOST_DAYS - 1), lastDay].sort()[0] : undefined
  const period = firstDay && to ? `&from=${firstDay}&to=${to}` : ""
  const between = firstDay && to ? { between: [firstDay, to] } : {}
  await opened(page, `/figures?course=${course.id}${period}`)
  const { data: days } = await api.GET("/api/course/reports/by-day", {
    params: { query: { course_id: course.id, ...between } },
  })
  const { enrolled: Enrollments, started: Starts, completed: Completions } = days
  await held(
    page,
    `${course.name} by day`,
    "enrollments-by-day",
    numbersOf(days.days, { Enrollments, Starts, Completions }),
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
  await held(
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
    await opened(page, `/figures?course=${course.id}&quiz=${quiz.moduleId}`)
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
    await held(page, `${course.name}, ${quiz.name}`, "quiz-scores", numbersOf(names, { Attempts }))
  }
}

/** The figures of the whole academy. */
async function figuresOfAll(page: Page, api: LecternClient) {
  await opened(page, "/figures")
  const { data } = await api.GET("/api/course/reports/overview")
  await held(
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
  await held(
    page,
    `attendance in ${year}`,
    "attendance-by-month",
    numbersOf(
      months.map((month) => long.format(Date.UTC(year, month))),
      {
        Attended: reports.map(({ sumAttended }) => sumAttended),
        Registered: reports.map(({ sumRegistered }) => sumRegistered),
        "Did not come": reports.map(({ sumNoShow }) => sumNoShow),
        Cancelled: reports.map(({ sumCancelled }) => sumCancelled),
      },
    ),
  )
}

/** Addresses of views: all of the navigation, and those of single records that lists lead to. */
async function addresses(page: Page): Promise<string[]> {
  const linksIn = async (selector: string) =>
    (await page.evaluate(
      `[...document.querySelectorAll("${selector}")].map((link) => link.getAttribute("href"))`,
    )) as string[]
  const found = await linksIn("#navigation a[href^='/console']")
  const all = new Set(found.map((href) => href.replace("/console", "") || "/"))
  for (const list of [...all]) {
    await opened(page, list)
    const [first] = await linksIn("main table a[href^='/console/']")
    if (first) all.add(first.replace("/console", ""))
  }
  return [...all]
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] })
try {
  const page = await signedIn(browser)
  page.setDefaultTimeout(60_000)
  page.on("pageerror", (error) => failures.push(`the page failed: ${error}`))
  await page.locator("#navigation").waitFor()
  const views = await addresses(page)
  for (const path of views) {
    const late = await opened(page, path)
    console.info(`${path}: stands ${Math.round(late)} ms after its last answer`)
    if (late > STANDS_WITHIN) failures.push(`${path} stands ${Math.round(late)} ms after its last answer`)
  }
  await figuresOfAll(page, client)
  let courses = 0
  for await (const course of client.list("/api/courses/tabularlist")) {
    await figuresOf(page, client, course)
    courses++
    console.info(`${course.name}: its figures are the reports'`)
  }
  conclude(
    `${views.length} views stand within ${STANDS_WITHIN} ms of their answers and keep to the lists' bounds; ` +
      `${compared} numbers of ${courses} courses' figures are those of the reports.`,
  )
} finally {
  await browser.close()
}
