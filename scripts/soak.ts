// Runs a service at full load with every kind of work, then compares its database with its responses: the database
// contains each acknowledged change exactly once, and no others. It takes ten minutes. Linux only.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { flags, integer } from "./lib/cli.ts"
import { each, PASSWORD } from "./lib/client.ts"
import { findInconsistencies } from "./lib/consistency.ts"
import { expectSame, failures, finish } from "./lib/expect.ts"
import { type Json, RetryingClient } from "./lib/patient-client.ts"
import { questions } from "./lib/questions.ts"
import { query } from "./lib/request.ts"
import { startService, toVarFlags } from "./lib/service.ts"
import { findWorkerd, requireDatabaseFile } from "./lib/workerd.ts"

const values = flags(
  "npm run verify -- soak",
  "Loads the service for minutes, and verifies every change that it acknowledged.",
  {
    minutes: { type: "string", value: "n", default: "10", about: "how long" },
    connections: { type: "string", value: "n", default: "16", about: "how many calls at once" },
    state: {
      type: "string",
      value: "folder",
      default: "",
      about: "keeps what it made there; a folder that is removed",
    },
  },
)
const MINUTES = integer("minutes", values.minutes)
const CONNECTIONS = integer("connections", values.connections)
const LEARNERS = 200
const COURSES = 12
const MODULES = 8
const MINUTE = 60_000

const shown = (line: string) => console.info(`${new Date().toISOString().slice(11, 19)}  ${line}`)
const folder = values.state || mkdtempSync(join(tmpdir(), "lectern-soak-"))
process.on("exit", () => {
  if (!values.state) rmSync(folder, { recursive: true, force: true })
})

/** The memory of the Worker's process in MiB. */
function memory(): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${findWorkerd(folder)}/status`, "utf8")) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

shown("Starting a service with the sample academy …")
const service = await startService(folder, toVarFlags({ RATE_LIMIT: "1000000000" }))
const client = await new RetryingClient(service.url).signIn("owner@example.com", PASSWORD)
const made = async (path: string, body: Json) => (await client.send<{ id: number }>("POST", path, body)).id

// Records to work on.

interface Course {
  id: number
  texts: number[]
  quiz: number
}
const courses: Course[] = []
for (let at = 0; at < COURSES; at++) {
  const texts: number[] = []
  for (let page = 0; page < MODULES; page++)
    texts.push(await made("/api/modules/text", { name: `Soak ${at}, page ${page}`, content: "<p>Read me.</p>" }))
  const rules = { passPercent: 50, maxAttempts: 0 }
  const quiz = await made("/api/modules/quiz", { name: `Soak ${at}`, content: "<p>Look.</p>", ...rules, questions })
  const modules = [...texts, quiz].map((module_id) => ({ module_id }))
  const id = await made("/api/course/create", { name: `Soak ${at}`, slug: `soak-${at}`, status: "publish", modules })
  courses.push({ id, texts, quiz })
}
const [first, ...further] = courses
if (!first) throw new Error("There is no course.")
const learners: number[] = []
await each(Array.from({ length: LEARNERS }), 4, async (_, at) => {
  const person = { firstName: `Soaked${at}`, lastName: "Learner", email: `learner-${at}@soak.example` }
  const secret = { password: "a-nice-long-password", password_confirmation: "a-nice-long-password" }
  learners.push(await made("/api/user/create", { ...person, ...secret }))
})
await client.send("POST", "/api/course/enroll", { course_ids: [first.id], user_ids: learners })
const read = () => new DatabaseSync(requireDatabaseFile(folder), { readOnly: true, timeout: 30_000 })
const registrations = (() => {
  const db = read()
  const found = db.prepare("select id, user_id as userId from enrollments where course_id = ?").all(first.id)
  db.close()
  return found as unknown as { id: number; userId: number }[]
})()
const auditedBefore = numberOf("select count(*) as number from audit_logs")
function numberOf(sql: string, ...given: (string | number)[]): number {
  const db = read()
  const { number } = db.prepare(sql).get(...given) as { number: number }
  db.close()
  return number
}

// Acknowledged changes.

const users: string[] = []
const places: string[] = []
const enrolled: string[] = []
const heartbeats = new Map<string, number>()
const completed = new Set<string>()
const names = new Map<number, string>()
const announced: string[] = []
const uploaded: string[] = []
const quizAttempts: number[] = []
const exported: string[] = []

const pick = <T>(from: readonly T[]): T => {
  const found = from[Math.floor(Math.random() * from.length)]
  if (found === undefined) throw new Error("The list to pick from is empty.")
  return found
}
const pairs = further.flatMap(({ id }) => learners.map((user) => ({ course: id, user })))
/** Users that only one lane at a time changes. */
const free = [...learners]

interface Act {
  name: string
  weight: number
  run: (n: number) => Promise<unknown>
}
const page = { page_size: 20, page_number: 1 }
const reading = (name: string, weight: number, path: () => string): Act => ({
  name,
  weight,
  run: () => client.send("GET", path()),
})

const acts: Act[] = [
  reading("read a user", 6, () => `/api/user/${pick(learners)}`),
  reading("list users", 6, () => `/api/users/tabularlist${query(page)}`),
  reading(
    "search users",
    4,
    () => `/api/users/tabularlist${query({ ...page, search_param: { nameOrEmail: "soak" } })}`,
  ),
  reading("list courses", 4, () => `/api/courses/tabularlist${query(page)}`),
  reading("read a dashboard", 6, () => `/api/user/dashboard/statistics${query({ user_id: pick(learners) })}`),
  reading("read modules", 8, () => `/api/course/modules${query({ registrationId: pick(registrations).id })}`),
  reading("list learners", 4, () => {
    return `/api/course/enrolled-students${query({ course_id: pick(courses).id, group_id: "", ...page })}`
  }),
  reading("list the audit log", 3, () => `/api/audit-activities${query(page)}`),
  reading("follow the feed", 2, () => `/api/events${query({ page_size: 50 })}`),
  {
    name: "heartbeat",
    weight: 24,
    run: async () => {
      const { id } = pick(registrations)
      const moduleId = pick(first.texts)
      const timeSpent = 1 + Math.floor(Math.random() * 60)
      await client.send("POST", "/api/module/progress", { registrationId: id, moduleId, timeSpent })
      heartbeats.set(`${id} ${moduleId}`, (heartbeats.get(`${id} ${moduleId}`) ?? 0) + timeSpent)
    },
  },
  {
    name: "complete a module",
    weight: 6,
    run: async () => {
      const { id } = pick(registrations)
      const moduleId = pick(first.texts)
      await client.send("POST", "/api/module/progress", { registrationId: id, moduleId, status: "Completed" })
      completed.add(`${id} ${moduleId}`)
    },
  },
  {
    name: "enroll",
    weight: 6,
    run: async () => {
      const pair = pairs.splice(Math.floor(Math.random() * pairs.length), 1)[0]
      if (!pair) return
      const { course, user } = pair
      const answer = await client.send("POST", "/api/course/enroll", { course_ids: [course], user_ids: [user] })
      expectSame(`what the enrollment of ${user} in ${course} returns`, answer.enrolled, 1)
      enrolled.push(`${user} ${course}`)
    },
  },
  {
    name: "take a quiz",
    weight: 3,
    run: async () => {
      const { id } = pick(registrations)
      const taken = await client.request<{ attemptId: number; questions: { id: number; options: { id: number }[] }[] }>(
        "POST",
        "/api/quiz/attempt",
        { registrationId: id, moduleId: first.quiz },
      )
      if (taken.status !== 200) return
      const { attemptId, questions } = taken.body
      const answers = questions.map(({ id, options }) => ({ questionId: id, optionIds: [options[0]?.id] }))
      // Two lanes may have continued the same attempt: the second gets an error.
      const { status } = await client.request("POST", "/api/quiz/submit", { attemptId, answers })
      if (status === 200) quizAttempts.push(attemptId)
    },
  },
  {
    name: "create a user",
    weight: 1,
    run: async (n) => {
      const email = `made-${n}@soak.example`
      const secret = { password: "a-nice-long-password", password_confirmation: "a-nice-long-password" }
      await made("/api/user/create", { firstName: "Made", lastName: `No ${n}`, email, ...secret })
      users.push(email)
    },
  },
  {
    name: "change a user",
    weight: 4,
    run: async (n) => {
      const id = free.shift()
      if (id === undefined) return
      await client.send("PUT", `/api/user/${id}`, { firstName: `Changed ${n}` })
      names.set(id, `Changed ${n}`)
      free.push(id)
    },
  },
  {
    name: "create a location",
    weight: 4,
    run: async (n) => {
      await made("/api/location/create", { name: `Soak hall ${n}`, city: "Bath", capacity: 30 })
      places.push(`Soak hall ${n}`)
    },
  },
  {
    name: "announce by mail",
    weight: 1,
    run: async (n) => {
      const heading = `Soak ${n}`
      const to = { sending_rules: "specific_users", user_ids: [pick(learners)] }
      await made("/api/announcement", { heading, content: "<p>Hello.</p>", ...to })
      announced.push(heading)
    },
  },
  {
    name: "upload 30 users",
    weight: 0.2,
    run: async (n) => {
      const emails = Array.from({ length: 30 }, (_, row) => `upload-${n}-${row}@soak.example`)
      const userList = emails.map((email) => ({ first_name: "Uploaded", last_name: `No ${n}`, email }))
      await client.send("POST", "/api/user/bulkUpload", { userList, selectedCourses: [first.id] })
      uploaded.push(...emails)
    },
  },
  {
    name: "export users",
    weight: 0.2,
    run: async () => {
      const { export_id } = await client.send<{ export_id: string }>("POST", "/api/users/export", {})
      exported.push(export_id)
    },
  },
]
/** Each activity with its cumulative probability. */
const upTo = acts.map((_, at) => acts.slice(0, at + 1).reduce((sum, { weight }) => sum + weight, 0))
function drawn(): Act {
  const at = Math.random() * (upTo.at(-1) ?? 0)
  return acts[upTo.findIndex((end) => at < end)] ?? pick(acts)
}

// The load.

const times = new Map<string, number[]>()
const memories = [memory()]
const began = Date.now()
const sampling = setInterval(() => memories.push(memory()), MINUTE / 2)
let calls = 0
shown(`${MINUTES} minutes with ${CONNECTIONS} concurrent calls …`)
await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    while (Date.now() - began < MINUTES * MINUTE) {
      const act = drawn()
      const from = performance.now()
      await act.run(++calls)
      const taken = times.get(act.name) ?? []
      times.set(act.name, [...taken.slice(-4999), performance.now() - from])
    }
  }),
)
const seconds = (Date.now() - began) / 1000
clearInterval(sampling)
shown("Waiting for pending work …")
const WAITING =
  "select (select count(*) from outbox where status in ('queued', 'sending')) " +
  "+ (select count(*) from bulk_uploads where status = 'processing') " +
  "+ (select count(*) from export_jobs where status = 'processing') as number"
for (const from = Date.now(); numberOf(WAITING) > 0 && Date.now() - from < 10 * MINUTE; await sleep(1000))
  await service.cron()
expectSame("what is left to be done", numberOf(WAITING), 0)
memories.push(memory())
await service.stop()

// Results.

const db = read()
const list = (sql: string, ...given: (string | number)[]) =>
  db
    .prepare(sql)
    .all(...given)
    .map((row) => Object.values(row).join(" "))
const sorted = (found: Iterable<string | number>) => [...found].map(String).toSorted()
const same = (what: string, found: string[], expected: Iterable<string | number>) => {
  const wanted = sorted(expected)
  const [once, twice] = [new Set(found), found.filter((one, at) => found.indexOf(one) !== at)]
  expectSame(`${what} that are there twice`, twice.slice(0, 5), [])
  expectSame(`${what} that were acknowledged and are missing`, wanted.filter((one) => !once.has(one)).slice(0, 5), [])
  const known = new Set(wanted)
  expectSame(`${what} that nobody asked for`, found.filter((one) => !known.has(one)).slice(0, 5), [])
}
same("users", list("select email from users where email like 'made-%@soak.example'"), users)
same("users of uploads", list("select email from users where email like 'upload-%@soak.example'"), uploaded)
same("locations", list("select name from locations where name like 'Soak hall %'"), places)
const others = further.map(({ id }) => id).join(", ")
same("registrations", list(`select user_id, course_id from enrollments where course_id in (${others})`), enrolled)
same("announcements", list("select heading from announcements where heading like 'Soak %'"), announced)
const quiz = `module_id = ${first.quiz} and status = 'Completed'`
same("quizzes", list(`select id from quiz_attempts where ${quiz}`), quizAttempts)
same("exports", list("select id from export_jobs where status = 'completed'"), new Set(exported))
const texts = first.texts.join(", ")
const statuses = `from module_statuses where module_id in (${texts})`
same("seconds", list(`select enrollment_id, module_id, time_spent ${statuses} and time_spent > 0`), [
  ...[...heartbeats].map(([key, spent]) => `${key} ${spent}`),
])
same("completions", list(`select enrollment_id, module_id ${statuses} and status = 'Completed'`), completed)
const changed = list("select id, first_name from users where first_name like 'Changed %'")
same(
  "names",
  changed,
  [...names].map(([id, name]) => `${id} ${name}`),
)
const mailed = "from outbox join mailings on mailings.id = outbox.mailing_id"
same(
  "mails",
  list(`select json_extract(template, '$.variables.heading') ${mailed} where kind = 'announcement'
  and json_extract(template, '$.variables.heading') like 'Soak %' and status = 'sent'`),
  announced,
)
for (const [subject, action, most] of [
  ["location", "created", places.length],
  ["announcement", "created", announced.length],
  ["bulk upload", "created", uploaded.length / 30],
] as const)
  expectSame(
    `audit rows of ${subject} ${action}`,
    list("select id from audit_logs where id > ? and subject = ? and action = ?", auditedBefore, subject, action)
      .length,
    most,
  )
failures.push(...findInconsistencies(db))
db.close()

const share = (from: number[], part: number) => {
  const inOrder = from.toSorted((a, b) => a - b)
  return (inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * part))] ?? 0).toFixed(0)
}
for (const [name, taken] of times)
  console.info(
    `  ${name.padEnd(20)} ${share(taken, 0.5).padStart(6)} ms median, ${share(taken, 0.99)} ms at the 99th percentile`,
  )
const sum = [...heartbeats.values()].reduce((all, one) => all + one, 0)
finish(
  [
    `${calls} acts in ${seconds.toFixed(0)} s, ${(calls / seconds).toFixed(0)} a second by ${CONNECTIONS} ` +
      `connections; ${client.repeated.calls} calls were repeated, ${client.repeated.replays} were already committed.`,
    `Each acknowledged change was stored once: ${users.length} users and ${uploaded.length} of uploads, ` +
      `${enrolled.length} enrollments, ${sum} seconds of ${heartbeats.size} modules, ` +
      `${completed.size} completions, ${quizAttempts.length} quizzes, ${names.size} names, ` +
      `${places.length} locations, ${announced.length} announcements and their mails, ` +
      `${new Set(exported).size} exports.`,
    `The Worker's process used ${memories[0]} MiB at the beginning, ${Math.max(...memories)} at most and ` +
      `${memories.at(-1)} at the end. The database is consistent.`,
  ].join("\n"),
)
process.exit(0)
