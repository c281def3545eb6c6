// npm run academy -- --learners 1000: loads learners of the Open University Learning Analytics Dataset into a running
// service over its public API, then exports the users and holds the spreadsheet against what was loaded. Start the
// service with `npm start -- --var RATE_LIMIT:1000000`, or wait out the default limit of 300 calls a minute.
import { randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { parseCsv, streamXlsxRows } from "hucre"
import { type Connection, call, connect, each, json } from "./client.ts"
import { ProgressBar } from "./progress-bar.ts"

const { values } = parseArgs({
  options: {
    learners: { type: "string", default: "1000" },
    url: { type: "string", default: "http://localhost:8787" },
    data: { type: "string", default: "../shared/data/oulad" },
    email: { type: "string", default: "owner@example.com" },
    password: { type: "string", default: "lectern-demo-1" },
    concurrency: { type: "string", default: "8" },
  },
})

interface Learner {
  firstName: string
  lastName: string
  email: string
}

/** The first distinct learners, in the order of studentInfo.csv. */
function readLearners(folder: string, count: number): Learner[] {
  const file = join(folder, "studentInfo.csv")
  if (!existsSync(file)) throw new Error(`${file} is not there. Say where the data is: --data <folder>`)
  const [head = [], ...rows] = parseCsv(readFileSync(file, "utf8"))
  const column = head.indexOf("id_student")
  const ids = new Set(rows.flatMap((row) => (row[column] ? [String(row[column])] : [])))
  return [...ids].slice(0, count).map((id) => ({
    firstName: "Learner",
    lastName: id,
    email: `${id}@learners.example`,
  }))
}

/** The address and name of everybody in the service, by following the list's `next` links. */
async function everybody(connection: Connection): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let path: string | undefined = "/api/users/tabularlist?page_size=500&page_number=1"
  while (path) {
    const answer: Response = await call(connection, "GET", path)
    const { records } = await json<{ records: { email: string; first_name: string; last_name: string }[] }>(answer)
    for (const row of records) found.set(row.email, `${row.first_name} ${row.last_name}`.trim())
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
  }
  return found
}

/** Creates a learner with a password that nobody knows. One who is there already is left as it is. */
async function create(connection: Connection, learner: Learner) {
  const password = randomUUID()
  const answer = await call(connection, "POST", "/api/user/create", {
    ...learner,
    password,
    password_confirmation: password,
  })
  const text = await answer.text()
  const refusal = answer.ok ? undefined : (JSON.parse(text) as { errors?: { email?: string[] } })
  // An attempt whose answer was lost had created it.
  if (refusal && !refusal.errors?.email?.some((message) => message.includes("taken")))
    throw new Error(`${learner.email}: ${answer.status} ${text}`)
}

interface Progress {
  status: string
  progress: number
  message: string
  download_url: string | null
}

/** Exports the users and waits for the file. @throws when the export fails or its progress falls */
async function exportUsers(connection: Connection): Promise<Uint8Array> {
  const { export_id } = await json<{ export_id: string }>(await call(connection, "POST", "/api/users/export", {}))
  for (let last = 0; ; ) {
    const answer = await call(connection, "GET", `/api/users/export/progress/${export_id}`)
    const { status, progress, message, download_url } = await json<Progress>(answer)
    if (progress < last) throw new Error(`The export's progress fell from ${last} to ${progress}.`)
    last = progress
    if (status === "completed" && download_url) {
      const file = await call(connection, "GET", download_url)
      if (!file.ok) throw new Error(`The download answered ${file.status}: ${await file.text()}`)
      return new Uint8Array(await file.arrayBuffer())
    }
    if (status !== "processing") throw new Error(`The export ended ${status}: ${message}`)
    await sleep(250)
  }
}

/** The addresses and names in the spreadsheet. @throws when an address is there twice */
async function readSpreadsheet(file: Uint8Array): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let columns: { email: number; first: number; last: number } | undefined
  for await (const { values: row } of streamXlsxRows(file)) {
    const cells = row.map((cell) => String(cell ?? ""))
    const names = cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ""))
    columns ??= { email: names.indexOf("email"), first: names.indexOf("firstname"), last: names.indexOf("lastname") }
    if (names[columns.email] === "email") continue
    const email = cells[columns.email] ?? ""
    if (found.has(email)) throw new Error(`${email} is in the spreadsheet twice.`)
    found.set(email, `${cells[columns.first] ?? ""} ${cells[columns.last] ?? ""}`.trim())
  }
  return found
}

const learners = readLearners(resolve(values.data), Number(values.learners))
const connection = await connect(values.url, values.email, values.password)
const before = await everybody(connection)
const missing = learners.filter(({ email }) => !before.has(email))
console.info(`${learners.length} learners, ${learners.length - missing.length} there already.`)

const began = performance.now()
if (missing.length > 0) {
  const bar = new ProgressBar("Creating", missing.length)
  await each(missing, Number(values.concurrency), async (learner) => {
    await create(connection, learner)
    bar.step()
  })
}
const seconds = (performance.now() - began) / 1000

const sheet = await readSpreadsheet(await exportUsers(connection))
const expected = new Map(before)
for (const { firstName, lastName, email } of learners) expected.set(email, `${firstName} ${lastName}`)
const absent = [...expected].filter(([email, name]) => sheet.get(email) !== name)
const strangers = [...sheet.keys()].filter((email) => !expected.has(email))

console.info(
  `Created ${missing.length} in ${seconds.toFixed(1)} s` +
    `${missing.length > 0 ? ` (${(missing.length / seconds).toFixed(1)} a second)` : ""}.\n` +
    `The spreadsheet has ${sheet.size} users: ${learners.length} learners and ${sheet.size - learners.length} others who were there before.`,
)
if (absent.length > 0 || strangers.length > 0) {
  console.error(`Missing or different: ${absent.slice(0, 5).join("; ")} (${absent.length})`)
  console.error(`Not expected: ${strangers.slice(0, 5).join("; ")} (${strangers.length})`)
  process.exit(1)
}
console.info("It holds exactly those who should be in it.")
