// npm run bench -- seed-enrollments --enrollments 1000000 --courses 500: creates courses and enrolls the existing users
// in the local database of a stopped server (run npm run bench -- seed-users first).
import { fail, flags, integer } from "../scripts/lib/cli.ts"
import { processesOf } from "../scripts/lib/processes.ts"
import { openLocal, stateDir } from "../scripts/lib/state.ts"
import { searchText } from "../src/db/search.ts"

const values = flags(
  "npm run bench -- seed-enrollments",
  "Registers the users that are there (npm run bench -- seed-users) in courses that it makes, in a " +
    "stopped server's database.",
  {
    enrollments: { type: "string", value: "n", default: "1000000", about: "how many registrations" },
    courses: { type: "string", value: "n", default: "500", about: "in how many courses" },
  },
  { STATE_DIR: "which server's (.state unless set)" },
)
const wanted = integer("enrollments", values.enrollments)
const courseCount = integer("courses", values.courses)
const HOUR = 3_600_000

if (processesOf(stateDir).length > 0) fail(`The server of ${stateDir} is running. Stop it first.`)
const db = openLocal()
db.exec("pragma synchronous = off; pragma temp_store = memory; pragma cache_size = -524288; begin")
const lastOf = (name: string) =>
  Number(db.prepare("select coalesce(max(value), 0) as last from sequences where name = ?").get(name)?.last)
const keep = (name: string, last: number) =>
  db
    .prepare(
      "insert into sequences (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
    )
    .run(name, last)

const at = Date.now()
const began = performance.now()
const firstCourse = lastOf("courses") + 1
const addCourse = db.prepare(
  `insert into courses (id, name, slug, status, content, instructions, search_text, created_at)
   values (?, ?, ?, 'publish', '', '', ?, ?)`,
)
for (let n = 0; n < courseCount; n++) {
  const name = `Seeded course ${firstCourse + n}`
  addCourse.run(firstCourse + n, name, `seeded-course-${firstCourse + n}`, searchText(name), at - n * HOUR)
}
keep("courses", firstCourse + courseCount - 1)

const users = db.prepare("select id, first_name_key, last_name_key from users order by id").all()
const rounds = Math.ceil(wanted / users.length)
if (rounds > courseCount) fail("More enrollments than pairs of a user and a course.")
let id = lastOf("enrollments")
const enroll = db.prepare(
  `insert into enrollments (id, user_id, course_id, status, percent, registered_at, started_at, completed_at,
   last_accessed_at, first_name_key, last_name_key, due_at, overdue_at, due_status)
   values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
)
let made = 0
for (const [n, user] of users.entries())
  for (let round = 0; round < rounds && made < wanted; round++, made++) {
    // A user's courses are a stride apart, so that each pair is unique.
    const course = firstCourse + ((n + round * Math.floor(courseCount / rounds)) % courseCount)
    const registered = at - ((made * 7) % (2 * 365 * 24)) * HOUR - made
    const state = made % 10
    const status = state < 3 ? "Not Started" : state < 6 ? "In Progress" : "Completed"
    const started = status === "Not Started" ? 0 : registered + HOUR
    const completed = status === "Completed" ? registered + 24 * HOUR : 0
    // Half of them have a due date; one in twenty is overdue.
    const due =
      made % 2 === 0 ? 0 : status === "Completed" ? completed + 24 * HOUR : at + ((made % 400) - 40) * 24 * HOUR
    const dueStatus =
      due === 0 ? "no_due_date" : status === "Completed" ? "completed" : due <= at ? "overdue" : "on_track"
    const percent = status === "Completed" ? 100 : status === "In Progress" ? 1 + (made % 99) : 0
    enroll.run(
      ++id,
      user.id ?? null,
      course,
      status,
      percent,
      registered,
      started,
      completed,
      Math.max(started, completed),
      user.first_name_key ?? "",
      user.last_name_key ?? "",
      due,
      due,
      dueStatus,
    )
    if (made % 20_000 === 0) process.stderr.write(`\r${made} of ${wanted} `)
  }
keep("enrollments", id)
for (const [verb, at] of [
  ["ENROLLED", "registered_at"],
  ["STARTED", "started_at"],
  ["COMPLETED", "completed_at"],
])
  db.prepare(
    `insert into activities (user_id, verb, course_id, created_at)
     select user_id, ?, course_id, ${at} from enrollments where id > ? and ${at} > 0`,
  ).run(verb ?? "", id - made)
db.exec("commit; pragma wal_checkpoint(truncate)")
db.close()
console.info(`\r${made} enrollments in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
