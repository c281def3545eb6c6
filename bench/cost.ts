// npm run cost: what a learner-year of an academy costs on Cloudflare. Does each act of bench/cost/mix.ts so often
// against a running development server, meters it, and sums the acts in their proportions by bench/cost/prices.ts.
import { readFileSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { PASSWORD } from "../scripts/lib/client.ts"
import { count, fail, flags } from "../scripts/lib/flags.ts"
import { type Academy, type Act, academyAt } from "./cost/acts.ts"
import { derive } from "./cost/derive.ts"
import { addTiming, bytesOf, type Figures, Log, METERS, type Meter, none, plus, quiet } from "./cost/meters.ts"
import { FACTS, type Mix, mixOf } from "./cost/mix.ts"
import { plotOf } from "./cost/plot.ts"
import { type Cost, capacityOf, costOf, print } from "./cost/report.ts"
import { cpuOf, workerdOf } from "./lib/workerd.ts"

const values = flags("npm run cost", "Prints what a learner-year of an academy costs, act by act.", {
  url: { type: "string", value: "address", default: "http://localhost:8787", about: "where the service is" },
  email: { type: "string", value: "address", default: "owner@example.com", about: "its owner" },
  password: { type: "string", default: PASSWORD, about: "their password" },
  state: {
    type: "string",
    value: "folder",
    default: ".state",
    about: "the service's STATE_DIR: its process, its bytes",
  },
  pid: { type: "string", value: "number", about: "the workerd process, where it is not found by --state" },
  log: { type: "string", value: "file", about: "what npm start -- --var METER:log prints: work behind the answers" },
  learners: { type: "string", value: "number", default: "40", about: "how many learners do each act" },
  assume: { type: "string", multiple: true, value: "meter=n", about: "a figure that an older service does not tell" },
  data: { type: "string", value: "folder", about: "the dataset, to count the proportions anew" },
  derive: { type: "boolean", default: false, about: "prints what the dataset says, for bench/cost/mix.ts" },
  json: { type: "string", value: "file", about: "writes the figures there too" },
  compare: { type: "string", value: "file", about: "such a file of another run, to be told beside" },
  plot: { type: "string", value: "file", about: "draws --json, and --compare beside it, as an SVG; runs nothing" },
})
/** A client's calls stand alone, as those of people do: so far apart that its Durable Object writes each. */
const APART = 1100
const WARM_UP = 2
const CONNECTIONS = 16
const SECONDS = 8

const readCost = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Cost

if (values.derive) {
  console.info(await derive(values.data ?? fail("--derive needs --data <folder>.", 2)))
  process.exit(0)
}
if (values.plot) {
  const shown = readCost(values.json ?? fail("--plot draws what --json names.", 2))
  writeFileSync(values.plot, plotOf(shown, values.compare ? readCost(values.compare) : undefined))
  process.exit(0)
}

const facts = values.data ? await derive(values.data) : FACTS
const mix: Mix = mixOf(facts)
const pid = values.pid ? count("pid", values.pid) : workerdOf(values.state)
const log = values.log ? new Log(values.log) : undefined
const assumed = new Map(
  (values.assume ?? []).map((text) => {
    const [meter = "", figure = ""] = text.split("=")
    if (!METERS.includes(meter as Meter) || !/^[\d.]+$/.test(figure))
      fail(`--assume takes <meter>=<number>, of ${METERS.join(", ")}; not ${text}.`, 2)
    return [meter as Meter, Number(figure)] as const
  }),
)
const told = new Set<Meter>(["requests", "cpu", "bytes"])

/** Does the act, and says what one of it cost. */
async function metered(academy: Academy, act: Act): Promise<{ times: number; one: Figures; behind: Figures }> {
  if (act.prepare) for (const person of act.people) await act.prepare(person)
  await quiet(pid)
  log?.since("consumed")
  let sum = none()
  academy.listener = (answer) => addTiming(sum, told, answer.headers.get("server-timing"))
  const [bytes, cpu] = [bytesOf(values.state), cpuOf(pid)]
  for (let round = 0; round < act.rounds; round++) {
    const began = performance.now()
    for (const [index, person] of act.people.entries()) await act.run(person, { round, index })
    await sleep(Math.max(0, APART - (performance.now() - began)))
  }
  academy.listener = undefined
  await quiet(pid)
  sum.cpu = cpuOf(pid) - cpu
  sum.bytes = Math.max(0, bytesOf(values.state) - bytes)
  for (const [meter, figure] of assumed) if (!told.has(meter)) sum[meter] = figure * sum.requests
  const behind = log?.since(act.name === "the cron's minute" ? "swept" : "consumed") ?? none()
  const times = act.people.length * act.rounds * (act.each ?? 1)
  sum = plus(sum, behind)
  return { times, one: plus(none(), sum, 1 / times), behind: plus(none(), behind, 1 / times) }
}

const academy = await academyAt(values.url, values.email, values.password)
console.info("Making a course …")
await academy.build(facts.modules)
for (const act of academy.acts("w", WARM_UP)) {
  if (act.prepare) for (const person of act.people) await act.prepare(person)
  for (let round = 0; round < act.rounds; round++)
    for (const [index, person] of act.people.entries()) await act.run(person, { round, index })
}
const measured: Cost["acts"] = []
const acts = academy.acts("l", count("learners", values.learners, WARM_UP))
for (const act of acts) {
  const { times, one, behind } = await metered(academy, act)
  measured.push({ name: act.name, ...mix[act.name], times, one, behind })
  process.stderr.write(".")
}
const heartbeats = await academy.heartbeats(acts[0]?.people ?? [], CONNECTIONS, SECONDS)
process.stderr.write("\n")

const cost = costOf({
  at: new Date().toISOString(),
  url: values.url,
  facts,
  acts: measured,
  heartbeats,
  notMetered: METERS.filter((meter) => !told.has(meter) && !assumed.has(meter)),
  assumed: [...assumed.keys()].filter((meter) => !told.has(meter)),
  behind: log !== undefined,
})
print(cost, values.compare ? readCost(values.compare) : undefined)
if (values.json) writeFileSync(values.json, `${JSON.stringify({ ...cost, capacity: capacityOf(cost) }, null, 2)}\n`)
