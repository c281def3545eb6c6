import { env } from "cloudflare:workers"
import { expect, it } from "vitest"
import { runJobs } from "../factories/background-jobs.ts"
import { PASSWORD, signedIn, user } from "../factories/index.ts"
import { largeAcademy } from "../factories/large-academy.ts"
import { course, enrollment } from "../factories/learning.ts"
import { post } from "../helpers/client.ts"
import { MUTATIONS, mutate } from "./mutations.ts"

// Every mutation that changes a visible column of a row moves the row's updated_at. Nothing else does.

const COUNTED_MODULES = ["module_count", "goal"]
const NAME_KEYS = ["first_name_key", "last_name_key"]

/** The columns that lists do not show, by table, or that sign-ins and heartbeats change. */
const INVISIBLE: Record<string, string[]> = {
  users: ["search_text", "password_hash", "email_verified_at", "last_login_at", "login_awards", ...NAME_KEYS],
  enrollments: ["time_spent", "last_accessed_at", ...NAME_KEYS],
  courses: ["search_text", "description_text", ...COUNTED_MODULES],
  classes: [],
  certificates: ["search_text"],
  orders: [],
  groups: ["search_text"],
  portals: ["search_text"],
}
const TABLES = Object.keys(INVISIBLE)

type Row = Record<string, unknown> & { id: number; updated_at: number }

async function snapshot() {
  const results = await env.DB.batch<Row>(TABLES.map((table) => env.DB.prepare(`select * from ${table}`)))
  return new Map(TABLES.map((table, at) => [table, new Map(results[at]?.results.map((row) => [row.id, row]))]))
}
type Snapshot = Awaited<ReturnType<typeof snapshot>>

/** The rows that changed visibly without their time, and those whose time changed without them. */
function faultsBetween(before: Snapshot, after: Snapshot): string[] {
  return TABLES.flatMap((table) =>
    [...(after.get(table)?.values() ?? [])].flatMap((row) => {
      const old = before.get(table)?.get(row.id)
      if (!old) return row.updated_at > 0 ? [] : [`${table} ${row.id} has no updated_at`]
      const invisible = ["updated_at", ...(INVISIBLE[table] ?? [])]
      const changed = Object.keys(row).filter((name) => !invisible.includes(name) && row[name] !== old[name])
      const hasMoved = row.updated_at > old.updated_at
      if (row.updated_at < old.updated_at) return [`${table} ${row.id} went back`]
      return hasMoved === changed.length > 0 ? [] : [`${table} ${row.id} ${hasMoved} with ${changed.join(", ")}`]
    }),
  )
}

it("moves updated_at with every visible change of a row, and with nothing else", { timeout: 300_000 }, async () => {
  const academy = await largeAcademy(6)
  const made = new Map<string, number>()
  const faults: string[] = []
  let before = await snapshot()
  let moved = 0
  for (const name of Object.keys(MUTATIONS)) {
    const fault = await mutate(name, academy, made)
    if (fault) faults.push(fault)
    await runJobs()
    const after = await snapshot()
    faults.push(...faultsBetween(before, after).map((what) => `${name}: ${what}`))
    moved +=
      JSON.stringify([...after].map(([, rows]) => [...rows])) ===
      JSON.stringify([...before].map(([, rows]) => [...rows]))
        ? 0
        : 1
    before = after
  }
  expect(faults).toEqual([])
  expect(moved).toBeGreaterThan(40)
})

it("leaves updated_at with a sign-in and a heartbeat", async () => {
  const learner = await signedIn("general")
  const { email } = await user()
  const taken = await course({}, [{}, {}])
  const { id: registrationId } = await enrollment(learner, taken)
  const progress = (body: object) =>
    post("/api/module/progress", { registrationId, moduleId: 1, ...body }, { token: learner.token })
  await progress({ status: "Completed", timeSpent: 5 })
  const before = await snapshot()
  expect((await post("/login", { email, password: PASSWORD })).status).toBe(200)
  for (const body of [{ timeSpent: 30 }, { status: "Completed", timeSpent: 30 }])
    expect((await progress(body)).status).toBe(200)
  const after = await snapshot()
  expect(after.get("enrollments")?.get(registrationId)?.time_spent).toBe(65)
  expect(faultsBetween(before, after)).toEqual([])
})
