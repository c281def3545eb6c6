// npm run bench -- cost: the cost of a learner-year of an academy on Cloudflare. Runs and meters each act of
// bench/cost/mix.ts against its own development server (or --url), and sums them in their proportions with
// bench/cost/prices.ts. Linux, for /proc.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { backup, DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { fail, flags, integer } from "../scripts/lib/cli.ts"
import { PASSWORD } from "../scripts/lib/client.ts"
import { startService } from "../scripts/lib/service.ts"
import { cpuMilliseconds, findWorkerd, requireDatabaseFile } from "../scripts/lib/workerd.ts"
import { type Academy, type Act, connectAcademy } from "./cost/acts.ts"
import { derive } from "./cost/derive.ts"
import { countWrittenEntries, printEntries, printIndexes, toIndexCosts } from "./cost/indexes.ts"
import {
  addTiming,
  addUsage,
  databaseBytes,
  Log,
  METERS,
  type Meter,
  noUsage,
  type Usage,
  waitUntilIdle,
} from "./cost/meters.ts"
import { createMix, FACTS, type Mix } from "./cost/mix.ts"
import { renderTables, replaceTables } from "./cost/page.ts"
import { renderPlot } from "./cost/plot.ts"
import { type Cost, printCost, toCapacity, toCost } from "./cost/report.ts"

const values = flags("npm run bench -- cost", "Prints what a learner-year of an academy costs, act by act.", {
  url: { type: "string", value: "address", about: "a running service; by default a new one" },
  checkout: { type: "string", value: "folder", about: "whose service is started: another version's, installed" },
  email: { type: "string", value: "address", default: "owner@example.com", about: "its owner" },
  password: { type: "string", default: PASSWORD, about: "their password" },
  state: {
    type: "string",
    value: "folder",
    default: ".state",
    about: "the service's STATE_DIR: its process, its bytes",
  },
  pid: { type: "string", value: "number", about: "of --url, its workerd process, where --state does not find it" },
  log: {
    type: "string",
    value: "file",
    about: "of --url, what npm start -- --var METER:log prints: work behind the answers",
  },
  learners: { type: "string", value: "number", default: "24", about: "how many learners do each act" },
  assume: { type: "string", multiple: true, value: "meter=n", about: "a value that an older service does not report" },
  data: { type: "string", value: "folder", about: "the dataset, to count the proportions again" },
  derive: { type: "boolean", default: false, about: "prints what the dataset says, for bench/cost/mix.ts" },
  json: { type: "string", value: "file", about: "writes the figures there too" },
  compare: { type: "string", value: "file", about: "the --json file of another run, for comparison" },
  indexes: { type: "boolean", default: false, about: "instead: what each index costs, and which acts read by it" },
  plot: { type: "string", value: "file", about: "draws --json and --compare as an SVG; runs nothing" },
  page: { type: "string", value: "file", about: "writes their tables into docs/operations/scaling.md; runs nothing" },
})
/** The pause between the calls of a client: versions that store windows per second write one each time. */
const APART = 1100
const WARM_UP = 2
const CONNECTIONS = 16
/** How full a page of a large index is, in the mean: assumed, since a small database says little of it. */
const FILLED = 0.75
/** Learners of --indexes: an announcement's own rows are shared by them. */
const COMPARED = 10
/** What an index costs does not depend on how long a course is. */
const FEW_MODULES = 40
const SECONDS = 8

const readCost = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Cost

if (values.derive) {
  console.info(await derive(values.data ?? fail("--derive needs --data <folder>.", 2)))
  process.exit(0)
}
if (values.plot || values.page) {
  const shown = readCost(values.json ?? fail("--plot and --page show what --json names.", 2))
  const then = values.compare ? readCost(values.compare) : undefined
  if (values.plot) writeFileSync(values.plot, renderPlot(shown, then))
  if (values.page)
    writeFileSync(values.page, replaceTables(readFileSync(values.page, "utf8"), renderTables(shown, then)))
  process.exit(0)
}

const facts = values.data ? await derive(values.data) : FACTS
const mix: Mix = createMix(facts)

/** The measured service. */
interface MeasuredService {
  url: string
  state: string
  log: string | undefined
  stop: () => Promise<void>
}

async function startOwnService(): Promise<MeasuredService> {
  const state = mkdtempSync(join(tmpdir(), "lectern-cost-"))
  const log = join(state, "log")
  const meter = values.indexes ? "statements" : "log"
  console.info("Starting a service …")
  const flags = ["--var", "RATE_LIMIT:1000000000", "--var", `METER:${meter}`]
  const { url, stop } = await startService(state, flags, { log, ...(values.checkout && { checkout: values.checkout }) })
  const end = async () => {
    await stop()
    rmSync(state, { recursive: true, force: true })
  }
  return { url, state, log, stop: end }
}
const runningService = (url: string): MeasuredService => {
  const state = values.state ?? fail("--url needs --state <folder>, the service's STATE_DIR.", 2)
  return { url, state, log: values.log, stop: async () => {} }
}

const { url, state, log: logFile, stop } = values.url ? runningService(values.url) : await startOwnService()
const pid = values.pid ? integer("pid", values.pid) : findWorkerd(state)
const log = logFile ? new Log(logFile) : undefined
const assumed = new Map(
  (values.assume ?? []).map((text) => {
    const [meter = "", figure = ""] = text.split("=")
    if (!METERS.includes(meter as Meter) || !/^[\d.]+$/.test(figure))
      fail(`--assume takes <meter>=<number>, of ${METERS.join(", ")}; not ${text}.`, 2)
    return [meter as Meter, Number(figure)] as const
  }),
)
const reported = new Set<Meter>(["requests", "cpu", "bytes"])

/** Runs the act. @returns the cost of one */
async function metered(academy: Academy, act: Act): Promise<{ times: number; one: Usage; behind: Usage }> {
  await waitUntilIdle(pid)
  log?.since("consumed")
  let sum = noUsage()
  academy.listener = (answer) => addTiming(sum, reported, answer.headers.get("server-timing"))
  const [bytes, cpu] = [databaseBytes(state), cpuMilliseconds(pid)]
  for (let round = 0; round < act.rounds; round++) {
    const began = performance.now()
    for (const [index, person] of act.people.entries()) await act.run(person, { round, index })
    await sleep(Math.max(0, APART - (performance.now() - began)))
  }
  academy.listener = undefined
  await waitUntilIdle(pid)
  sum.cpu = cpuMilliseconds(pid) - cpu
  sum.bytes = Math.max(0, databaseBytes(state) - bytes) / FILLED
  for (const [meter, figure] of assumed) if (!reported.has(meter)) sum[meter] = figure * sum.requests
  const behind = log?.since(act.name === "the cron's minute" ? "swept" : "consumed") ?? noUsage()
  const times = act.people.length * act.rounds * (act.each ?? 1)
  sum = addUsage(sum, behind)
  return { times, one: addUsage(noUsage(), sum, 1 / times), behind: addUsage(noUsage(), behind, 1 / times) }
}

const academy = await connectAcademy(url, values.email, values.password)
console.info("Making a course …")
if (!values.url) await academy.pauseRules()
await academy.build(values.indexes ? FEW_MODULES : facts.modules)
for (const act of academy.acts("w", WARM_UP)) {
  for (let round = 0; round < act.rounds; round++)
    for (const [index, person] of act.people.entries()) await act.run(person, { round, index })
}
if (values.indexes) await indexes()
else await everything()
await stop()
process.exit(0)

/** One of each act, between two copies of the database. */
async function indexes() {
  const events = log ?? fail("--indexes reads the log of the service: --log <file>.", 2)
  const [before, after] = [join(state, "before.sqlite"), join(state, "after.sqlite")]
  const copy = async (to: string) => {
    await waitUntilIdle(pid)
    const db = new DatabaseSync(requireDatabaseFile(state), { readOnly: true })
    rmSync(to, { force: true })
    await backup(db, to)
    db.close()
  }
  const found: Parameters<typeof toIndexCosts>[1] = []
  let [compared, written] = [0, 0]
  for (const act of academy.acts("i", COMPARED)) {
    for (const [index, person] of act.people.entries()) {
      if (index === 0) {
        await copy(before)
        events.statements()
      }
      await act.run(person, { round: 0, index })
      if (index > 0) continue
      await copy(after)
      const done = events.statements()
      const differences = countWrittenEntries(before, after)
      for (const entries of differences.values()) compared += entries
      written += done.written
      const each = new Map([...differences].map(([name, entries]) => [name, entries / (act.each ?? 1)]))
      found.push({ name: act.name, count: mix[act.name].count, written: each, statements: done.sql })
    }
  }
  printEntries(found)
  const costs = toIndexCosts(after, found)
  printIndexes(costs)
  console.info(
    `Comparing finds ${compared} of the ${written} rows written: one that is written twice in an act is found once.`,
  )
  if (values.json) writeFileSync(values.json, `${JSON.stringify(costs, null, 2)}\n`)
}

/** Measures every act, and prints the cost of a learner-year. */
async function everything() {
  const measured: Cost["acts"] = []
  const acts = academy.acts("l", integer("learners", values.learners, WARM_UP))
  for (const act of acts) {
    const { times, one, behind } = await metered(academy, act)
    measured.push({ name: act.name, ...mix[act.name], times, one, includesBackgroundWork: behind })
    process.stderr.write(".")
  }
  const heartbeats = await academy.heartbeats(acts[0]?.people ?? [], CONNECTIONS, SECONDS)
  process.stderr.write("\n")

  const cost = toCost({
    at: new Date().toISOString(),
    facts,
    acts: measured,
    heartbeats,
    notMetered: METERS.filter((meter) => !reported.has(meter) && !assumed.has(meter)),
    assumed: [...assumed.keys()].filter((meter) => !reported.has(meter)),
    behind: log !== undefined,
  })
  printCost(cost, values.compare ? readCost(values.compare) : undefined)
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ ...cost, capacity: toCapacity(cost) }, null, 2)}\n`)
}
