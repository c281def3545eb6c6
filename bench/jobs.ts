// npm run bench -- jobs: the cost of changes that background jobs complete. A course with 50,000 enrollments loses a
// module, and an announcement is mailed to everybody. The service is killed twice while each job runs, and then all
// derived values are recounted. Linux.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { fail, flags, integer } from "../scripts/lib/cli.ts"
import { PASSWORD } from "../scripts/lib/client.ts"
import { findInconsistencies } from "../scripts/lib/consistency.ts"
import { expectSame, failures, finish } from "../scripts/lib/expect.ts"
import { RetryingClient } from "../scripts/lib/patient-client.ts"
import { freePort } from "../scripts/lib/ports.ts"
import { seedUsers } from "../scripts/lib/seeded-users.ts"
import { startService, toVarFlags } from "../scripts/lib/service.ts"
import { requireDatabaseFile } from "../scripts/lib/workerd.ts"

const values = flags(
  "npm run bench -- jobs",
  "Measures changes that background jobs complete, while the service is killed.",
  {
    learners: { type: "string", value: "n", default: "50000", about: "how many enrollments the course has" },
    only: { type: "string", value: "word", default: "", about: "only the changes whose name has this word" },
  },
)
const LEARNERS = integer("learners", values.learners)
const COURSE = 1_000_000
const MODULES = [1, 2, 3, 4].map((n) => COURSE + n)
/** How often the service is killed while a job runs. */
const KILLS = 2
/** The interval of checks of the job, so that it is killed while it runs. */
const POLL_MS = 5
const MAX_MILLISECONDS = 200
const MAX_ROWS = 5000

const folder = mkdtempSync(join(tmpdir(), "lectern-jobs-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const log = join(folder, "output.txt")
const port = await freePort()
const client = new RetryingClient(`http://localhost:${port}`)
const begin = () => startService(folder, toVarFlags({ RATE_LIMIT: "1000000", METER: "log" }), { port, log })
const database = (readOnly = true) => new DatabaseSync(requireDatabaseFile(folder), { readOnly, timeout: 30_000 })

/** Enrolls the learners in a course of four modules. Each learner has completed one to three of them. */
function seed() {
  const db = database(false)
  seedUsers(db, LEARNERS)
  db.exec(`begin;
    insert into courses (id, name, slug, status, content, instructions, search_text, created_at)
    values (${COURSE}, 'Large', 'large', 'publish', '', '', 'large', 1);`)
  for (const [at, id] of MODULES.entries())
    db.exec(`
      insert into modules (id, type, name, slug, content, icon, search_text, created_at)
      values (${id}, 'text', 'Module ${id}', 'module-${id}', '', 'text', 'module', 1);
      insert into course_modules (course_id, module_id, position, required, counts, is_locked, drip_days,
        min_time_spent)
      values (${COURSE}, ${id}, ${at + 1}, 1, 1, 0, 0, 0);`)
  db.exec(`
    insert into enrollments (id, user_id, course_id, status, percent, registered_at, started_at, completed_at,
      last_accessed_at, first_name_key, last_name_key)
    select ${COURSE} + id, id, ${COURSE}, 'Not Started', 0, id, 0, 0, 0, first_name_key, last_name_key
    from users where email like 'seed%' limit ${LEARNERS};
    insert into module_statuses (enrollment_id, module_id, status, started_at, completed_at, last_accessed_at)
    select own.id, part.module_id, 'Completed', 1, 1, 1
    from enrollments as own join course_modules as part on part.course_id = own.course_id
    where own.course_id = ${COURSE} and part.position <= 1 + own.id % 3;
    update enrollments set status = 'In Progress', done = 1 + id % 3, percent = (1 + id % 3) * 100 / ${MODULES.length},
      started_at = 1, last_accessed_at = 1
    where course_id = ${COURSE};
    insert into activities (user_id, verb, course_id, created_at)
    select user_id, 'STARTED', course_id, 1 from enrollments where course_id = ${COURSE};
    insert into sequences (name, value)
    select 'enrollments', max(id) from enrollments
    union all select 'courses', max(id) from courses
    union all select 'modules', max(id) from modules
    where true on conflict (name) do update set value = excluded.value;
    commit; pragma wal_checkpoint(truncate)`)
  db.close()
}

interface Change {
  name: string
  method: "POST" | "PUT"
  path: string
  body: Record<string, unknown>
  /** The same change of few rows: a Worker's first call of an operation loads its code. */
  warmUp: Record<string, unknown>
}
const CHANGES: Change[] = [
  {
    name: "one module fewer",
    method: "PUT",
    path: `/api/course/${COURSE}`,
    body: { modules: MODULES.slice(0, 3).map((module_id) => ({ module_id })) },
    warmUp: { estimatedMinutes: 1 },
  },
  {
    name: "an announcement to all",
    method: "POST",
    path: "/api/announcement",
    body: { heading: "News", content: "<p>News.</p>", sending_rules: "all" },
    warmUp: { heading: "News", content: "<p>News.</p>", sending_rules: "specific_users", user_ids: [1] },
  },
]

const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`

/** The most rows that one round trip of a queue's consumer wrote, so far. */
const mostWritten = () =>
  Math.max(
    0,
    ...readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes('"event":"consumed"'))
      .map((line) => JSON.parse(line.slice(line.indexOf("{"))).d1.mostWritten),
  )

let service = await begin()

/** Kills the service and everything that belongs to it, and starts it again. */
async function restart() {
  client.up = service
    .kill()
    .then(begin)
    .then((next) => {
      service = next
    })
  await client.up
}

async function measure({ name, method, path, body, warmUp }: Change) {
  await client.send(method, path, warmUp)
  const began = Date.now()
  const answer = await fetch(client.url + path, {
    method,
    headers: { authorization: `Bearer ${client.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  const { jobId, ...rest } = (await answer.json()) as { jobId?: string }
  const took = Date.now() - began
  const timing = answer.headers.get("server-timing") ?? ""
  const of = (pattern: RegExp) => Number(pattern.exec(timing)?.[1])
  const [read, written, inDatabase] = [of(/read=(\d+)/), of(/written=(\d+)/), of(/d1;[^,]*dur=([\d.]+)/)]
  console.info(
    `${name}: answered ${answer.status} in ${took} ms, ${inDatabase} ms of them in the database; ` +
      `${read} rows read, ${written} written`,
  )
  if (!jobId) return failures.push(`${name}: no job, but ${JSON.stringify(rest).slice(0, 200)}`)
  if (took >= MAX_MILLISECONDS) failures.push(`${name}: answered in ${took} ms`)
  if (written > MAX_ROWS) failures.push(`${name}: the call writes ${written} rows`)
  let last = 0
  const progressOf = async () => {
    const { progress, status } = await client.send<{ progress: number; status: string }>("GET", `/api/job/${jobId}`)
    if (progress < last) failures.push(`${name}: the progress falls from ${last} to ${progress}`)
    last = progress
    return { progress, status }
  }
  // Reads the progress from the database: a request would wait for the consumer on the same thread.
  let kills = 0
  let done = 0
  while (kills < KILLS) {
    const db = database()
    const find = db.prepare("select done, status from background_jobs where id = ?")
    let job = find.get(jobId) as { done: number; status: string }
    for (; job.status === "processing" && job.done <= done; job = find.get(jobId) as typeof job) await sleep(POLL_MS)
    db.close()
    if (job.status !== "processing") break
    done = job.done
    kills++
    await restart()
    console.info(`  killed after ${seconds(began)}, at ${(await progressOf()).progress} %`)
  }
  while ((await progressOf()).status !== "completed") await sleep(500)
  expectSame(`${name}: kills`, kills, KILLS)
  console.info(`  completed after ${seconds(began)}, at most ${mostWritten()} rows in a round trip`)
  if (mostWritten() > MAX_ROWS) failures.push(`${name}: a slice writes ${mostWritten()} rows`)
}

await client.signIn("owner@example.com", PASSWORD)
await service.stop()
let since = Date.now()
seed()
console.info(`${LEARNERS} enrollments made in ${seconds(since)}`)
service = await begin()
await client.signIn("owner@example.com", PASSWORD)
const wanted = CHANGES.filter(({ name }) => name.includes(values.only))
if (wanted.length === 0) fail("No change has this in its name.")
for (const change of wanted) await measure(change)
await service.stop()
since = Date.now()
const db = database()
for (const offense of findInconsistencies(db)) failures.push(offense)
const states = db.prepare(`select status, count(*) as n from enrollments where course_id = ${COURSE} group by 1`).all()
db.close()
console.info(`Recounted in ${seconds(since)}: ${states.map(({ status, n }) => `${n} ${status}`).join(", ")}`)
finish("Every maintained value equals its recount.")
