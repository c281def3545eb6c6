// npm run bench -- heartbeats --beside <checkout>: compares how many heartbeats per second one database can write in
// this version and in another. Each version's service records the SQL of a heartbeat. SQLite then runs it on that
// service's database, with one transaction for each round trip, like D1.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { fail, flags } from "../scripts/lib/cli.ts"
import { call, json } from "../scripts/lib/client.ts"
import { startService } from "../scripts/lib/service.ts"
import { root } from "../scripts/lib/state.ts"
import { requireDatabaseFile } from "../scripts/lib/workerd.ts"
import { median } from "./lib/numbers.ts"
import { prepare } from "./ratio/operations.ts"

const values = flags("npm run bench -- heartbeats", "Measures the heartbeats per second that a database can write.", {
  beside: { type: "string", value: "folder", about: "a checkout of another version" },
  seconds: { type: "string", value: "number", default: "1", about: "how long each is measured in a round" },
  rounds: { type: "string", value: "number", default: "7", about: "how many rounds" },
})
const seconds = Number(values.seconds) || fail("--seconds must be a number.", 2)
const rounds = Number(values.rounds) || fail("--rounds must be a number.", 2)

interface Statement {
  sql: string
  params: SQLInputValue[]
}

const folder = mkdtempSync(join(tmpdir(), "lectern-heartbeats-"))

/** A version's database after its first heartbeat, and the statements of the next one, by round trip. */
async function recorded(name: string, checkout: string) {
  const state = join(folder, name)
  console.info(`Recording a heartbeat of ${checkout} …`)
  const flags = ["--var", "METER:statements", "--var", "RATE_LIMIT:1000000000"]
  const server = await startService(state, flags, { checkout })
  const { owner, operations } = await prepare(server.url)
  const { method, path, body } = operations.find((one) => one.name === "heartbeat")?.ask(1) ?? fail("No heartbeat.")
  await json(await call(owner, method, path, body))
  const line = server.line(`{"event":"served","method":"${method}"`)
  await json(await call(owner, method, path, body))
  const { statements } = JSON.parse(await line) as { statements: Statement[][] }
  await server.stop()
  const db = new DatabaseSync(requireDatabaseFile(state))
  db.exec("pragma journal_mode = wal; pragma foreign_keys = on")
  const trips = statements.map((trip) => trip.map(({ sql, params }) => ({ prepared: db.prepare(sql), params })))
  return () => {
    for (const trip of trips) {
      db.exec("begin immediate")
      for (const { prepared, params } of trip) prepared.all(...params)
      db.exec("commit")
    }
  }
}

/** How often a function can run per second. */
function rate(act: () => void): number {
  const began = performance.now()
  let done = 0
  while (performance.now() - began < seconds * 1000) {
    act()
    done++
  }
  return (done * 1000) / (performance.now() - began)
}

const now = await recorded("now", root)
const then = values.beside ? await recorded("then", values.beside) : undefined
const [nows, thens, ratios]: number[][] = [[], [], []]
for (let round = 0; round < rounds; round++) {
  const here = rate(now)
  nows?.push(here)
  if (!then) continue
  const there = rate(then)
  thens?.push(there)
  ratios?.push(here / there)
}
const shown = (figures: number[] | undefined, digits = 0) => median(figures ?? []).toFixed(digits)
console.info(`Heartbeats per second of one database: ${shown(nows)}`)
if (then) console.info(`Then: ${shown(thens)}. The median of ${rounds} ratios is ${shown(ratios, 1)}.`)
rmSync(folder, { recursive: true, force: true })
process.exit(0)
