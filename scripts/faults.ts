// Kills a service again and again while it exports, imports users, sends mails, grades quizzes and erases people. Each
// of these must end with one result or one clear failure, leave nothing behind, and send no mail twice. Linux only.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from "@zip.js/zip.js"
import { readBucket } from "./lib/bucket.ts"
import { fail, flags, integer } from "./lib/cli.ts"
import { each, PASSWORD } from "./lib/client.ts"
import { findInconsistencies } from "./lib/consistency.ts"
import { expectSame, failures, finish } from "./lib/expect.ts"
import { type Json, RetryingClient } from "./lib/patient-client.ts"
import { freePort } from "./lib/ports.ts"
import { questions } from "./lib/questions.ts"
import { seedUsers } from "./lib/seeded-users.ts"
import { startService, toVarFlags } from "./lib/service.ts"
import { root } from "./lib/state.ts"
import { requireDatabaseFile } from "./lib/workerd.ts"

const values = flags("npm run verify -- faults", "Kills the service while it works, and checks the results.", {
  kills: { type: "string", value: "n", default: "20", about: "how often it is killed; 5 at least" },
  users: { type: "string", value: "n", default: "60000", about: "how many users an export has" },
  port: { type: "string", default: "0", about: "where the service listens; 0: any port that is free" },
  state: {
    type: "string",
    value: "folder",
    default: "",
    about: "keeps what it made there; a folder that is removed",
  },
})
// With fewer kills, some activities would not run.
const KILLS = integer("kills", values.kills, 5)
const USERS = integer("users", values.users)
const MINUTE = 60_000
/** After this time, a mail whose consumer died counts as possibly sent. */
const CLAIM_LASTS = 6 * MINUTE
const ROWS = 150
const READERS = 60
const LEARNERS = 40
const LANES = 8
const ERASED = 10
/** The last name of the erased people only. */
const GONE = "Gonegone"
const VARS = toVarFlags({ RATE_LIMIT: "1000000" })

const shown = (line: string) => console.info(`${new Date().toISOString().slice(11, 19)}  ${line}`)
const folder = values.state || mkdtempSync(join(tmpdir(), "lectern-faults-"))
process.on("exit", () => {
  if (!values.state) rmSync(folder, { recursive: true, force: true })
})
const port = Number(values.port) || (await freePort())
const client = new RetryingClient(`http://localhost:${port}`)
const begin = () => startService(folder, VARS, { port })

/** Queries the database of the service. */
function query<T = Json>(sql: string): T[] {
  const db = new DatabaseSync(requireDatabaseFile(folder), { readOnly: true, timeout: 30_000 })
  try {
    return db.prepare(sql).all() as T[]
  } finally {
    db.close()
  }
}

// wrangler writes each mail to a file, and deletes it when the Worker restarts. Some are deleted before they are read
// here; the outbox counts all attempts.

const MAILS = join(root, ".wrangler/tmp/email")
const mails = new Map<string, string>()
function readMails() {
  let found: string[] = []
  try {
    found = readdirSync(MAILS, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"))
  } catch {
    // No mail was sent yet.
  }
  for (const name of found)
    try {
      if (!mails.has(name)) mails.set(name, readFileSync(join(MAILS, name), "utf8"))
    } catch {
      // It was deleted meanwhile.
    }
}

setInterval(readMails, 100).unref()

// Each activity starts work, and then verifies the result.

interface Act {
  /** The approximate duration in ms, within which the kill happens. */
  lasts: number
  /** Resolves when the service has responded to every call. */
  begin: (round: number) => Promise<void>
  isPending: () => boolean
  /** Compares the results with the expected ones. @returns a summary */
  verify: () => Promise<string>
}

const EXPORT = "/api/users/export"
/** A part of the address of all exported users. Each export filters by another part of it. */
const ALIKE = "seeded.example"
const exportsBegun: string[] = []
const exportAct: Act = {
  lasts: 4000,
  begin: async (round) => {
    for (const length of [0, 1]) {
      const nameOrEmail = ALIKE.slice(0, ALIKE.length - ((2 * round + length) % 8))
      const { export_id } = await client.send<{ export_id: string }>("POST", EXPORT, { search_param: { nameOrEmail } })
      exportsBegun.push(export_id)
    }
  },
  isPending: () =>
    query("select 1 from export_jobs where status = 'processing' or due_at is not null limit 1").length > 0,
  verify: async () => {
    const became: Record<string, number> = {}
    for (const id of exportsBegun) {
      const path = `${EXPORT}/progress/${id}`
      const { status, message } = await client.send<{ status: string; message: string }>("GET", path)
      became[status] = (became[status] ?? 0) + 1
      if (status === "failed")
        expectSame(`the export ${id}`, message.startsWith("The export failed three times."), true)
      else expectSame(`the rows of the export ${id}`, await rowsOf(`${EXPORT}/download/${id}`), USERS)
    }
    expectSame("the exports in the database", query("select 1 from export_jobs").length, exportsBegun.length)
    return `${exportsBegun.length} exports of ${USERS} users: ${countsOf(became)}.`
  },
}

/** The rows of a spreadsheet below its header. */
async function rowsOf(path: string): Promise<number> {
  const answer = await fetch(client.url + path, { headers: { authorization: `Bearer ${client.token}` } })
  if (!answer.ok) return fail(`${path} returned ${answer.status}.`)
  const zip = new ZipReader(new Uint8ArrayReader(new Uint8Array(await answer.arrayBuffer())))
  const sheet = (await zip.getEntries()).find(({ filename }) => filename === "xl/worksheets/sheet1.xml")
  if (!sheet || sheet.directory) return fail(`${path} has no sheet.`)
  const xml = new TextDecoder().decode(await sheet.getData(new Uint8ArrayWriter()))
  return xml.split("<row ").length - 2
}

const uploads: { id: number; emails: string[] }[] = []
const uploadAct: Act = {
  lasts: 1500,
  begin: async (round) => {
    const userList = Array.from({ length: ROWS }, (_, row) => ({
      first_name: `Uploaded${round}x${row}`,
      last_name: "Once",
      email: `upload-${round}-${row}@faults.example`,
    }))
    const { upload_id } = await client.send<{ upload_id: number }>("POST", "/api/user/bulkUpload", {
      userList,
      selectedCourses: [courseId],
    })
    uploads.push({ id: upload_id, emails: userList.map(({ email }) => email) })
  },
  isPending: () => query("select 1 from bulk_uploads where status = 'processing' limit 1").length > 0,
  verify: async () => {
    for (const { id, emails } of uploads) {
      const state = await client.send("GET", `/api/user/bulkUpload/progress/${id}`)
      const { status, created, existing, failed } = state
      const all = { status: "completed", created: emails.length, existing: 0, failed: 0 }
      expectSame(`the upload ${id}`, { status, created, existing, failed }, all)
    }
    const those = "email like 'upload-%@faults.example'"
    expectSame("the users uploaded", query(`select 1 from users where ${those}`).length, uploads.length * ROWS)
    const registered = query(`select 1 from enrollments where user_id in (select id from users where ${those})`)
    expectSame("their registrations", registered.length, uploads.length * ROWS)
    const stored = query("select 1 from bulk_upload_chunks where encrypted_rows is not null")
    expectSame("rows that are still stored", stored.length, 0)
    return `${uploads.length} bulk uploads of ${ROWS} rows: one user and one enrollment for each row.`
  },
}

const announcements: number[] = []
const mailAct: Act = {
  lasts: 1500,
  begin: async (round) => {
    const { id } = await client.send<{ id: number }>("POST", "/api/announcement", {
      heading: `Announced ${round}`,
      content: `<p>Announcement number ${round}.</p>`,
      sending_rules: "specific_users",
      user_ids: learners.slice(0, READERS).map(({ userId }) => userId),
    })
    announcements.push(id)
  },
  isPending: () => query("select 1 from outbox where status = 'queued' limit 1").length > 0,
  verify: async () => {
    readMails()
    const seen = new Map<string, number>()
    for (const [file, text] of mails) {
      if (ofOthers.has(file)) continue
      if (!/^Hello (Uploaded|Reader)/m.test(text)) continue
      seen.set(text, (seen.get(text) ?? 0) + 1)
    }
    const twice = [...seen].filter(([, times]) => times > 1)
    expectSame("mails that were sent twice", twice, [])
    const ours = `email like '%@faults.example'`
    const became = Object.fromEntries(
      query<{ status: string; mails: number }>(
        `select status, count(*) as mails from outbox join users on users.id = outbox.user_id where ${ours} group by 1`,
      ).map(({ status, mails }) => [status, mails]),
    )
    // Each learner is welcomed and enrolled once.
    const others = 2 * learners.length
    expectSame("mails in the outbox", sum(became), announcements.length * READERS + uploads.length * ROWS + others)
    const again = query(`select recipient from outbox where attempts <> 1 and recipient like '%@faults.example'`)
    expectSame("mails that were begun to be sent more than once", again, [])
    const reasons = query("select distinct error from outbox where status = 'failed'")
    if (became.failed) expectSame("why mails failed", reasons, [{ error: "interrupted: it may have been sent" }])
    expectSame("whether a kill loses more than the mails in its hands", (became.failed ?? 0) <= KILLS, true)
    return `${sum(became)} mails: ${countsOf(became)}; ${seen.size} seen, none twice.`
  },
}

interface Learner {
  userId: number
  registrationId: number
}
const learners: Learner[] = []
const attempts: { attemptId: number; result: Json }[] = []
const quizAct: Act = {
  lasts: 700,
  begin: async (round) => {
    const quiz = quizzes[round % quizzes.length]
    const taking = learners.slice(0, LEARNERS)
    await each(taking, LANES, async ({ registrationId }) => {
      const { attemptId, questions } = await client.send<{ attemptId: number; questions: Question[] }>(
        "POST",
        "/api/quiz/attempt",
        { registrationId, moduleId: quiz },
      )
      const answers = questions.map(({ id, options }) => ({ questionId: id, optionIds: [options[0]?.id] }))
      const result = await client.send("POST", "/api/quiz/submit", { attemptId, answers })
      attempts.push({ attemptId, result })
    })
  },
  isPending: () => false,
  verify: async () => {
    const ids = attempts.map(({ attemptId }) => attemptId)
    expectSame("attempts that were answered for twice", new Set(ids).size, ids.length)
    const ours = `course_id = ${courseId}`
    const marked = query<{ id: number }>(`select id from quiz_attempts where status = 'Completed' and ${ours}`)
    expectSame(
      "the attempts that were marked",
      marked.map(({ id }) => id).toSorted((a, b) => a - b),
      ids.toSorted((a, b) => a - b),
    )
    expectSame("attempts that are open", query(`select 1 from quiz_attempts where ${ours}`).length, ids.length)
    const unlike = attempts.filter(({ result }) => result.score !== result.outOf)
    expectSame("answers of a quiz that were not all right", unlike, [])
    return `${attempts.length} quizzes submitted: each graded once.`
  },
}
interface Question {
  id: number
  options: { id: number }[]
}

interface Erased {
  userId: number
  email: string
}
const toErase: Erased[] = []
const erased: Erased[] = []
const erasureAct: Act = {
  lasts: 2000,
  begin: async () => {
    await each(toErase.splice(0, ERASED), LANES, async (person) => {
      await client.send("POST", "/api/user/erase", { ...person })
      erased.push(person)
    })
  },
  isPending: () => query("select 1 from erasures where status = 'processing' limit 1").length > 0,
  verify: async () => {
    for (const { userId } of erased) {
      const { status } = await client.send("GET", `/api/user/erase/progress/${userId}`)
      expectSame(`the erasure of ${userId}`, status, "completed")
    }
    const rows = query("select 1 from audit_logs where action = 'deleted' and details ->> '$.erased'")
    expectSame("the audit rows of erasures", rows.length, erased.length)
    expectSame("where they can still be found", whereabouts(GONE), [])
    return `${erased.length} users erased once; the database does not contain their names.`
  },
}

/** The columns of the database that contain a text. */
function whereabouts(text: string): string[] {
  const columns = query<{ table: string; column: string }>(
    `select tables.name as "table", columns.name as "column"
    from sqlite_master as tables join pragma_table_info(tables.name) as columns
    where tables.type = 'table' and tables.sql not like 'create virtual%'`,
  )
  return columns
    .filter(({ table, column }) => query(`select 1 from "${table}" where "${column}" like '%${text}%' limit 1`).length)
    .map(({ table, column }) => `${table}.${column}`)
}

const acts: Act[] = [exportAct, uploadAct, mailAct, quizAct, erasureAct]
const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((all, one) => all + one, 0)
const countsOf = (numbers: Record<string, number>) =>
  Object.entries(numbers)
    .map(([name, number]) => `${number} ${name}`)
    .join(", ")

// The academy.

readMails()
const ofOthers = new Set(mails.keys())
shown("Starting a service with the sample academy …")
let service = await begin()
await service.stop()
const seeded = new DatabaseSync(requireDatabaseFile(folder))
seedUsers(seeded, USERS)
seeded.close()
service = await begin()
await client.signIn("owner@example.com", PASSWORD)
const quizzes: number[] = []
for (let at = 0; at < KILLS; at++) {
  const body = { name: `Killed quiz ${at}`, content: "<p>Look.</p>", passPercent: 50, maxAttempts: 1, questions }
  quizzes.push((await client.send<{ id: number }>("POST", "/api/modules/quiz", body)).id)
}
const { id: courseId } = await client.send<{ id: number }>("POST", "/api/course/create", {
  name: "Killed again and again",
  slug: "killed-again-and-again",
  status: "publish",
  modules: quizzes.map((module_id) => ({ module_id })),
})
for (let at = 0; at < Math.max(READERS, LEARNERS); at++) {
  const person = { firstName: `Reader${at}`, lastName: "Once", email: `reader-${at}@faults.example` }
  const password = "a-nice-long-password"
  const { id } = await client.send<{ id: number }>("POST", "/api/user/create", {
    ...person,
    password,
    password_confirmation: password,
  })
  learners.push({ userId: id, registrationId: 0 })
}
for (let at = 0; at < ERASED * Math.ceil(KILLS / acts.length); at++) {
  const email = `${GONE}-${at}@faults.example`.toLowerCase()
  const password = "a-nice-long-password"
  const secret = { password, password_confirmation: password }
  const person = { firstName: `${GONE}${at}`, lastName: "Once", email, ...secret }
  toErase.push({ userId: (await client.send<{ id: number }>("POST", "/api/user/create", person)).id, email })
}
await client.send("POST", "/api/course/enroll", {
  course_ids: [courseId],
  user_ids: learners.map(({ userId }) => userId),
})
const registrations = query<Learner>(
  `select user_id as userId, id as registrationId from enrollments where course_id = ${courseId}`,
)
learners.splice(0, learners.length, ...registrations)
while (acts.some((act) => act.isPending())) await sleep(200)
readMails()
await service.stop()
const before = readBucket(folder)
service = await begin()

// The kills.

/** Waits until the activities have no pending work. @returns the seconds that it took */
async function settled(which: Act[]): Promise<string> {
  const from = Date.now()
  while (which.some((act) => act.isPending())) {
    if (Date.now() - from > 15 * MINUTE) fail("Work is still pending after 15 minutes.")
    await service.cron()
    readMails()
    await sleep(2000)
  }
  return ((Date.now() - from) / 1000).toFixed(0)
}

const words: string[] = []
for (let round = 0; round < KILLS; round++) {
  const act = acts[Math.floor((round * acts.length) / KILLS)] ?? exportAct
  if (act === erasureAct && erased.length === 0) {
    // An erasure ends every export that may contain the person.
    await settled([exportAct])
    words.push(await exportAct.verify())
  }
  const everything = round % 2 === 1
  const working = act.begin(round)
  await sleep(Math.random() * act.lasts)
  if (everything) {
    client.up = service.kill().then(async () => {
      readMails()
      service = await begin()
    })
  } else {
    client.up = service.killWorkerd()
    readMails()
  }
  await client.up
  await working
  readMails()
  shown(`Kill ${round + 1} of ${KILLS}, of ${everything ? "all processes" : "the Worker's process"}.`)
}

shown("Waiting for pending work …")
const drained = await settled(acts)

// A mail whose consumer died waits for 6 minutes. Its claim is made older, so that it expires now.
await service.stop()
const db = new DatabaseSync(requireDatabaseFile(folder))
db.exec(
  `update outbox set claimed_at = claimed_at - ${CLAIM_LASTS}, not_before = not_before - ${CLAIM_LASTS}
  where status = 'sending'`,
)
db.close()
service = await begin()
await service.cron()
while (query("select 1 from outbox where status = 'sending'").length > 0) await sleep(200)

for (const act of acts.slice(1)) words.push(await act.verify())
await service.stop()
const after = readBucket(folder)
const files = query<{ key: string }>("select object_key as key from export_jobs where object_key is not null")
const left = after.keys.filter((key) => !before.keys.includes(key) && !files.some((file) => file.key === key))
expectSame("files in R2 that nothing refers to", left, [])
expectSame("uploads to R2 that were left unfinished", after.unfinishedUploads, [])
const database = new DatabaseSync(requireDatabaseFile(folder), { readOnly: true })
failures.push(...findInconsistencies(database))
database.close()
finish(
  [
    `${KILLS} kills. ${client.repeated.calls} calls were repeated, ${client.repeated.replays} were already committed.`,
    ...words,
    `All work completed ${drained} s after the last kill. R2 has no leftover files. The database is consistent.`,
  ].join("\n"),
)
process.exit(0)
