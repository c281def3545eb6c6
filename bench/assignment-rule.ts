// npm run bench -- assignment-rule: a rule over 100,000 people. The preview must take less than two seconds and equal
// what then happens; the evaluation runs in slices, and other calls are answered meanwhile. Linux.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { flags, integer } from "../scripts/lib/cli.ts"
import { PASSWORD } from "../scripts/lib/client.ts"
import { expectSame, failures, finish } from "../scripts/lib/expect.ts"
import { RetryingClient } from "../scripts/lib/patient-client.ts"
import { seedUsers } from "../scripts/lib/seeded-users.ts"
import { startService, toVarFlags } from "../scripts/lib/service.ts"
import { requireDatabaseFile } from "../scripts/lib/workerd.ts"
import { quantile } from "./lib/numbers.ts"

const values = flags("npm run bench -- assignment-rule", "Measures a rule that assigns a course to many people.", {
  people: { type: "string", value: "n", default: "100000", about: "how many people there are" },
})
const PEOPLE = integer("people", values.people)
const MAX_PREVIEW_MS = 2000
const MAX_ROWS = 5000
const CALLS = 100
/** What other people ask meanwhile. */
const OTHER_CALL = "/api/users/tabularlist?page_size=20&page_number=1"

const folder = mkdtempSync(join(tmpdir(), "lectern-assignment-rule-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const log = join(folder, "output.txt")
const begin = () => startService(folder, toVarFlags({ RATE_LIMIT: "1000000", METER: "log" }), { log })
const connect = async (url: string) => new RetryingClient(url).signIn("owner@example.com", PASSWORD)

let service = await begin()
await service.stop()
const db = new DatabaseSync(requireDatabaseFile(folder), { timeout: 30_000 })
seedUsers(db, PEOPLE)
db.close()
service = await begin()
const client = await connect(service.url)

const timed = async <T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> => {
  const began = performance.now()
  const result = await work()
  return { ms: performance.now() - began, result }
}
const otherCall = async () => (await timed(() => client.send("GET", OTHER_CALL))).ms
const p95 = (times: number[]) => quantile(times, 0.95)

/** The most rows that one round trip of a queue's consumer wrote. */
const mostWritten = () =>
  Math.max(
    0,
    ...readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes('"event":"consumed"'))
      .map((line) => Number(JSON.parse(line.slice(line.indexOf("{"))).d1.mostWritten)),
  )

interface Preview {
  people: { assigned: number; notified: number }
  enrollments: { created: number; existing: number; waiting: number }
}

const { id: courseId } = await client.send<{ id: number }>("POST", "/api/course/create", {
  ...{ name: "Fire safety for all", slug: "fire-safety-for-all", status: "publish" },
})
const rule = {
  ...{ name: "Everyone", audience: { role: ["general"] }, courseIds: [courseId] },
  due: { type: "days", days: 30, from: "assignment" },
}
const preview = () => client.send<Preview>("POST", "/api/assignment-rule/preview", rule)
// The first call loads the code.
await preview()
const previews: number[] = []
let planned = await preview()
for (let times = 0; times < 5; times++) {
  const { ms, result } = await timed(preview)
  previews.push(ms)
  planned = result
}
const previewMs = quantile(previews, 0.5)
console.info(`The preview of ${planned.people.assigned} people takes ${previewMs.toFixed(0)} ms in the median.`)
if (previewMs > MAX_PREVIEW_MS) failures.push(`The preview takes ${previewMs.toFixed(0)} ms.`)

const idle: number[] = []
for (let times = 0; times < CALLS; times++) idle.push(await otherCall())

const began = Date.now()
const { id: ruleId, jobId } = await client.send<{ id: number; jobId: string }>(
  "POST",
  "/api/assignment-rule/create",
  rule,
)
const busy: number[] = []
for (;;) {
  busy.push(await otherCall())
  const { status } = await client.send("GET", `/api/job/${jobId}`)
  if (status === "completed") break
  if (status === "failed") {
    failures.push("The evaluation failed.")
    break
  }
  await sleep(20)
}
const seconds = (Date.now() - began) / 1000
console.info(
  `The evaluation takes ${seconds.toFixed(1)} s: at most ${mostWritten()} rows in a round trip. ` +
    `${busy.length} other calls: p95 ${p95(busy).toFixed(0)} ms, idle ${p95(idle).toFixed(0)} ms, ` +
    `ratio ${(p95(busy) / p95(idle)).toFixed(1)}.`,
)
if (mostWritten() > MAX_ROWS) failures.push(`A batch of the evaluation writes ${mostWritten()} rows.`)

const { userCount, pendingCount } = await client.send("GET", `/api/assignment-rule/${ruleId}`)
await service.stop()
const after = new DatabaseSync(requireDatabaseFile(folder), { readOnly: true })
const count = (sql: string) => Number(after.prepare(sql).get(courseId)?.count)
const happened = {
  assigned: userCount,
  waiting: pendingCount,
  created: count("select count(*) as count from enrollments where course_id = ?"),
  notified: count(
    "select count(distinct user_id) as count from notifications where kind = 'enrolled' and variables ->> '$.course' " +
      "= (select name from courses where id = ?)",
  ),
}
after.close()
const { people, enrollments } = planned
expectSame("What happened, beside the preview", happened, {
  ...{ assigned: people.assigned, waiting: enrollments.waiting },
  ...{ created: enrollments.created, notified: people.notified },
})
finish("What happened equals the preview.")
