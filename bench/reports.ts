// npm run bench -- reports: writes 100,000 rows for each spreadsheet, fetches the files from a running server, and
// reads them back. Run it first with the server stopped, after npm run bench -- seed-users and seed-enrollments, to
// insert the rows. Run it again with the server running, to measure time, CPU, peak memory, and rows. Linux, for /proc.
import { readFileSync } from "node:fs"
import { scheduler, setTimeout as sleep } from "node:timers/promises"
import { streamXlsxRows } from "hucre/xlsx"
import { MODULE_ID_LIMIT } from "../drizzle/rules.ts"
import { flags } from "../scripts/lib/cli.ts"
import { call, connect, json, PASSWORD } from "../scripts/lib/client.ts"
import { processesOf } from "../scripts/lib/processes.ts"
import { query } from "../scripts/lib/request.ts"
import { openLocal, stateDir } from "../scripts/lib/state.ts"
import { type Cell, streamWorkbook } from "../src/lib/spreadsheet/workbook.ts"
import { toStatusRowId } from "../src/modules/enrollments/module-statuses.queries.ts"

const values = flags(
  "npm run bench -- reports",
  "Writes rows for each spreadsheet into the stopped server's database; from the running one, reads them back.",
  {
    rows: { type: "string", value: "number", default: "100000", about: "how many rows" },
    url: { type: "string", value: "address", default: "http://localhost:8787", about: "the running server" },
    only: { type: "string", value: "text", default: "", about: "measure those whose name holds it, as users/export" },
  },
)
const rows = Number(values.rows)
/** Ids from here on are this benchmark's. */
const OWN = 900_000_000
/** Its modules: the last that a status row has room for. */
const QUIZ = MODULE_ID_LIMIT - 1
const PACKAGE = MODULE_ID_LIMIT - 2
const ATTEMPTS = MODULE_ID_LIMIT - 3
const QUESTIONS = 50
const INTERACTIONS = 1000

const servers = processesOf(stateDir)
if (servers.length === 0) seed()
else await measure()

/** Inserts a registration with this many rows of each report, and attempts for the export. */
function seed() {
  const db = openLocal()
  db.exec("pragma synchronous = off; pragma temp_store = memory; pragma cache_size = -524288; begin")
  const at = Date.now()
  const [one] = db.prepare("select id, user_id, course_id from enrollments order by id limit 1").all()
  if (!one)
    throw new Error(
      "There is no enrollment. Run npm start once, npm run bench -- seed-users and npm run bench -- " +
        "seed-enrollments first.",
    )
  const questions = Array.from({ length: QUESTIONS }, (_, i) => ({
    id: OWN + i,
    text: `Question ${i + 1}: which of these is right, and why?`,
    type: "single",
    points: 1,
    answers: [],
    options: [0, 1, 2, 3].map((n) => ({ id: OWN + 4 * i + n, text: `Option ${n + 1} of ${i + 1}`, correct: n === 0 })),
  }))
  const responses = questions.map(({ id, options }, i) => ({
    questionId: id,
    optionIds: [options[i % 4]?.id],
    text: "",
    correct: i % 4 === 0,
    points: i % 4 === 0 ? 1 : 0,
  }))
  const addModule = db.prepare(
    `insert into modules (id, type, name, slug, content, icon, total_points, search_text, created_at)
    values (?, ?, ?, ?, '', ?, ?, '', ?)`,
  )
  addModule.run(QUIZ, "quiz", "Benchmark quiz", "benchmark-quiz", "quiz", QUESTIONS, at)
  addModule.run(PACKAGE, "scorm", "Benchmark package", "benchmark-package", "scorm", 100, at)
  addModule.run(ATTEMPTS, "scorm", "Benchmark attempts", "benchmark-attempts", "scorm", 100, at)
  db.prepare("insert into quiz_versions (module_id, module_version, questions) values (?, 1, ?)").run(
    QUIZ,
    JSON.stringify(questions),
  )
  const addStatus = db.prepare(
    `insert into module_statuses (enrollment_id, module_id, status, last_accessed_at)
    values (?, ?, 'In Progress', 1)`,
  )
  const enrollmentId = Number(one.id)
  for (const module of [QUIZ, PACKAGE, ATTEMPTS]) addStatus.run(enrollmentId, module)
  db.prepare(
    `update enrollments set status = 'In Progress', started_at = max(started_at, 1)
    where id = ? and status = 'Not Started'`,
  ).run(enrollmentId)
  const statusOf = (moduleId: number) => toStatusRowId({ enrollmentId, moduleId })
  const addAttempt = db.prepare(
    `insert into quiz_attempts (id, enrollment_id, user_id, course_id, module_id, status_row_id, number, status, result,
     score, out_of, percent, pass_percent, module_version, responses, started_at, completed_at, time_taken)
     values (?, ?, ?, ?, ?, ?, ?, 'Completed', 'failed', 13, 50, 26, 50, 1, ?, ?, ?, 60)`,
  )
  const attempts = Math.ceil(rows / QUESTIONS)
  const summary = JSON.stringify(responses)
  for (let n = 1; n <= attempts; n++)
    addAttempt.run(
      OWN + n,
      enrollmentId,
      Number(one.user_id),
      Number(one.course_id),
      QUIZ,
      statusOf(QUIZ),
      n,
      summary,
      at,
      at,
    )
  // The export of attempts has one attempt of each further registration.
  const others = db.prepare("select id, user_id, course_id from enrollments where id <> ? order by id limit ?")
  let n = attempts
  for (const other of others.all(Number(one.id), Math.max(0, rows - attempts)))
    addAttempt.run(
      OWN + ++n,
      Number(other.id),
      Number(other.user_id),
      Number(other.course_id),
      QUIZ,
      -1,
      1,
      "[]",
      at,
      at,
    )
  const addRun = db.prepare(
    `insert into scorm_attempts (id, enrollment_id, module_id, status_row_id, number, scorm_version, completion_status,
     success_status, score_raw, cmi, started_at, last_accessed_at)
    values (?, ?, ?, ?, ?, '2004', 'completed', 'passed', 80, '{}', ?, ?)`,
  )
  for (let n = 1; n <= rows; n++) addRun.run(OWN + n, enrollmentId, ATTEMPTS, statusOf(ATTEMPTS), n, at, at)
  const runs = Math.ceil(rows / INTERACTIONS)
  const addInteraction = db.prepare(
    `insert into scorm_interactions values
    (?, ?, ?, 'choice', 'objective', '2026-01-05T15:04:00', 'a[,]b', '1', ?, 'correct', 'PT5S', ?)`,
  )
  for (let n = 1; n <= runs; n++) {
    addRun.run(OWN + rows + n, enrollmentId, PACKAGE, statusOf(PACKAGE), n, at, at)
    for (let i = 0; i < INTERACTIONS; i++)
      addInteraction.run(OWN + rows + n, i, `question-${i}`, `answer ${n} ${i}`, `What was asked as number ${i}?`)
  }
  db.exec("commit; pragma wal_checkpoint(truncate)")
  db.close()
  console.info(`Put in. Start the server, then run this again with --url.`)
}

/** CPU seconds and resident bytes of the server's processes that run the Worker. */
function usage(): { cpu: number; memory: number } {
  const all = servers.flatMap(({ pid }) => {
    try {
      if (!readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("workerd")) return []
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
      return [{ cpu: (Number(stat[11]) + Number(stat[12])) / 100, memory: Number(stat[21]) * 4096 }]
    } catch {
      return []
    }
  })
  return all.reduce((sum, { cpu, memory }) => ({ cpu: sum.cpu + cpu, memory: sum.memory + memory }), {
    cpu: 0,
    memory: 0,
  })
}

async function measure() {
  const owner = await connect(values.url, "owner@example.com", PASSWORD)
  const titles = [
    "spreadsheet",
    "rows",
    "MB",
    "seconds",
    "CPU seconds",
    "CPU seconds of the writer",
    "peak MB above idle",
  ]
  console.info([...titles, "longest other call, ms"].join(" | "))
  const first = { page_size: 1, page_number: 1, order_by: { colName: "id", direction: "asc" } }
  const { records } = await json<{ records: { id: number }[] }>(
    await call(owner, "GET", `/api/user/reports/user-detailed${query(first)}`),
  )
  const enrollmentId = records[0]?.id ?? 0
  for (const [kind, moduleId] of Object.entries({
    "quiz-report": QUIZ,
    "scorm-report": ATTEMPTS,
    "scorm-activity-report": PACKAGE,
  }))
    await observed(kind, async () => {
      const answer = await call(owner, "GET", `/api/${kind}/spreadsheet/${toStatusRowId({ enrollmentId, moduleId })}`)
      if (!answer.ok) throw new Error(`${kind}: ${answer.status} ${await answer.text()}`)
      return new Uint8Array(await answer.arrayBuffer())
    })
  for (const base of ["/api/users", "/api/learner-insight/report", "/api/user/learner-quizzes", "/api/user/gradebook"])
    await observed(`${base}/export`, async () => {
      // One sheet of all courses' modules would have a column for each of thousands.
      const body = base.endsWith("gradebook") ? { search_param: { courseId: largestCourse() } } : {}
      const begun = await json<{ export_id: string }>(await call(owner, "POST", `${base}/export`, body))
      for (;;) {
        const state = await json<{ status: string }>(
          await call(owner, "GET", `${base}/export/progress/${begun.export_id}`),
        )
        if (state.status === "completed") break
        if (state.status !== "processing") throw new Error(JSON.stringify(state))
        await sleep(250)
      }
      return new Uint8Array(
        await (await call(owner, "GET", `${base}/export/download/${begun.export_id}`)).arrayBuffer(),
      )
    })

  async function observed(name: string, fetched: () => Promise<Uint8Array>) {
    if (!name.includes(values.only)) return
    const idle = usage()
    let [peak, slowest, running] = [0, 0, true]
    const watch = (async () => {
      for (; running; await sleep(100)) peak = Math.max(peak, usage().memory)
    })()
    const others = (async () => {
      for (; running; await sleep(300)) {
        const began = performance.now()
        await (await call(owner, "GET", "/api/user/1")).arrayBuffer()
        slowest = Math.max(slowest, performance.now() - began)
      }
    })()
    const began = performance.now()
    const bytes = await fetched()
    const seconds = (performance.now() - began) / 1000
    running = false
    await Promise.all([watch, others])
    const cpu = usage().cpu - idle.cpu
    const { count, alone } = await rewritten(bytes)
    const cells = [
      name,
      count,
      (bytes.length / 1e6).toFixed(1),
      seconds.toFixed(1),
      cpu.toFixed(1),
      alone.toFixed(1),
      ((peak - idle.memory) / 1e6).toFixed(0),
      slowest.toFixed(0),
    ]
    console.info(cells.join(" | "))
  }
}

async function* each<T>(rows: T[]) {
  yield* rows
}

/** Reads a spreadsheet, and writes its rows again in this process. @returns how many, and the writer's CPU seconds */
async function rewritten(file: Uint8Array): Promise<{ count: number; alone: number }> {
  Object.assign(globalThis, { scheduler })
  let [count, alone] = [-1, 0]
  let page: Cell[][] = []
  const write = async () => {
    const [headers = [], ...rest] = page
    const before = process.cpuUsage()
    const columns = headers.map((header) => ({ header: String(header) }))
    for await (const _ of streamWorkbook("Sheet", columns, each(rest)));
    const { user, system } = process.cpuUsage(before)
    alone += (user + system) / 1e6
    page = []
  }
  for await (const row of streamXlsxRows(file)) {
    count++
    if (page.push(row.values.map((value) => (value instanceof Date ? value.toISOString() : value))) === 100_000)
      await write()
  }
  await write()
  return { count, alone }
}

/** The course that most registrations are in. */
function largestCourse(): number {
  const db = openLocal({ readOnly: true })
  const found = db.prepare("select course_id from enrollments group by course_id order by count(*) desc limit 1").get()
  db.close()
  return Number(found?.course_id ?? 1)
}
