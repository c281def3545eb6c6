// npm run bench -- latency: how long operations take for clients in five regions, with the database in Frankfurt. The
// service runs here; its bindings take as long as Cloudflare's network does (latency/round-trips.ts).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { flags, integer } from "../scripts/lib/cli.ts"
import { call } from "../scripts/lib/client.ts"
import { startService } from "../scripts/lib/service.ts"
import type { Hop } from "./latency/bindings.ts"
import { type Learner, type Operation, prepare } from "./latency/operations.ts"
import { ACCESS, CLIENT_REGIONS, PRIMARY_REGION, type Region, roundTrip } from "./latency/round-trips.ts"
import { quantile } from "./lib/numbers.ts"

const values = flags("npm run bench -- latency", "Measures operations for clients in five regions.", {
  rounds: { type: "string", value: "n", default: "7", about: "how often each region calls each operation" },
  only: { type: "string", value: "text", default: "", about: "only operations whose name contains this" },
  json: { type: "string", value: "file", about: "writes the results there too" },
  compare: { type: "string", value: "file", about: "the results of another run, to compare with" },
})
const rounds = integer("rounds", values.rounds)

interface Result {
  name: string
  kind: Operation["kind"]
  region: Region
  p50: number
  p95: number
  /** The time on the network alone, without the CPU of this machine. */
  network: number
  chain: string
  /** How many round trips of more than 30 ms follow each other. */
  longHops: number
}

const LONG = 30
/** The goal for a change: this many round trips to the primary, plus milliseconds. */
const GOAL = { trips: 1.15, more: 30 }
/** The forward itself: round trips within the primary's region. */
const NOISE = 10

/** Hops in the order of a request: those that overlap are one step. */
function steps(hops: Hop[]): Hop[][] {
  const found: Hop[][] = []
  let end = 0
  for (const hop of hops.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    // Timestamps of a Worker are whole milliseconds.
    if (last && hop.start < end - 1) last.push(hop)
    else found.push([hop])
    end = Math.max(end, hop.end)
  }
  return found
}

const showHop = ({ what, from, to }: Hop) => `${what} ${roundTrip(from, to)}`
const timeOf = ({ from, to }: Hop) => roundTrip(from, to)
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
const isWithin = (hop: Hop, outer: Hop) => hop !== outer && hop.start >= outer.start && hop.end <= outer.end

/** The chain of a request. The hops of the primary's own steps are within the call of the primary. */
function chainOf(hops: Hop[]): Pick<Result, "chain" | "longHops" | "network"> {
  const outer = hops.find(({ what }) => what.startsWith("primary"))
  const inner = outer ? hops.filter((hop) => hop.from === PRIMARY_REGION && isWithin(hop, outer)) : []
  const all = [...steps(hops.filter((hop) => !inner.includes(hop))), ...steps(inner)]
  const show = (of: Hop[][]) => of.map((step) => step.map(showHop).join(" + ")).join(" → ")
  const own = show(all.slice(0, all.length - steps(inner).length))
  return {
    chain: inner.length > 0 ? `${own}, there ${show(steps(inner))}` : own,
    longHops: all.filter((step) => step.some((hop) => timeOf(hop) > LONG)).length,
    network: ACCESS + sum(all.map((step) => Math.max(...step.map(timeOf)))),
  }
}

const folder = mkdtempSync(join(tmpdir(), "lectern-latency-"))
console.info("Starting the service …")
const server = await startService(folder, ["bench/latency/worker.ts", "--var", "RATE_LIMIT:1000000000"])
const { owner, learners, operations } = await prepare(server.url, rounds + 1)

async function measure(operation: Operation, learner: Learner, n: number) {
  await operation.before?.(learner, n)
  const { method, path, body, headers, as } = operation.ask(learner, n)
  const who = as === "owner" ? owner : as === "anonymous" ? { url: server.url, token: "" } : learner
  const began = performance.now()
  const answer = await call(who, method, path, body, { ...headers, "x-client-region": learner.region })
  const text = await answer.text()
  const ms = performance.now() - began
  const isExpected = answer.ok || (answer.status === 401 && operation.name.includes("wrong"))
  if (!isExpected) throw new Error(`${operation.name} from ${learner.region}: ${answer.status} ${text.slice(0, 300)}`)
  if (operation.name === "refresh a session") learner.refreshToken = JSON.parse(text).refreshToken
  return { ms, hops: JSON.parse(answer.headers.get("x-hops") ?? "[]") as Hop[] }
}

async function resultOf(operation: Operation, learner: Learner): Promise<Result> {
  const times: number[] = []
  let hops: Hop[] = []
  // The first call loads the module.
  for (let n = 0; n <= rounds; n++) {
    const measured = await measure(operation, learner, n)
    if (n > 0) times.push(measured.ms)
    hops = measured.hops
  }
  const { name, kind } = operation
  const round = (ms: number) => Math.round(ms)
  const percentiles = { p50: round(quantile(times, 0.5)), p95: round(quantile(times, 0.95)) }
  return { name, kind, region: learner.region, ...percentiles, ...chainOf(hops) }
}

const results: Result[] = []
const cell = (text: string | number) => String(text).padStart(12)
console.info(
  `Milliseconds from the client, p50/p95; ${ACCESS} ms are the way to the edge.\n` +
    `${"".padEnd(31)}${CLIENT_REGIONS.map(cell).join("")}`,
)
for (const operation of operations.filter(({ name }) => name.includes(values.only))) {
  const own: Result[] = []
  for (const learner of learners) own.push(await resultOf(operation, learner))
  results.push(...own)
  console.info(operation.name.padEnd(31) + own.map(({ p50, p95 }) => cell(`${p50}/${p95}`)).join(""))
  console.info(`${"    the network alone".padEnd(31)}${own.map(({ network }) => cell(network)).join("")}`)
  for (const { region, chain, longHops } of own.filter(({ region }) => ["Sao Paulo", "Sydney"].includes(region)))
    console.info(`    ${region}, ${longHops} long: ${chain}`)
}
await server.stop()
rmSync(folder, { recursive: true, force: true })
if (values.json) writeFileSync(values.json, `${JSON.stringify({ at: new Date().toISOString(), results }, null, 2)}\n`)

const farthest = CLIENT_REGIONS.toSorted((a, b) => roundTrip(b, PRIMARY_REGION) - roundTrip(a, PRIMARY_REGION))[0]
if (farthest) {
  const goal = GOAL.trips * roundTrip(farthest, PRIMARY_REGION) + GOAL.more
  const far = results.filter(({ kind, region }) => kind === "change" && region === farthest)
  const above = (figure: "p50" | "network") =>
    far.flatMap((result) => (result[figure] > goal ? result.name : [])).join(", ") || "none"
  console.info(`\nChanges from ${farthest} above ${goal} ms on the network: ${above("network")}.`)
  console.info(`With the CPU of this machine, in the median: ${above("p50")}.`)
  const reads = results.filter(({ kind, longHops }) => kind === "read" && longHops > 1)
  console.info(`Reads with more than one long hop: ${reads.map(({ name }) => name).join(", ") || "none"}.`)
}
if (values.compare) {
  const { results: earlier } = JSON.parse(readFileSync(values.compare, "utf8")) as { results: Result[] }
  console.info(`\n${"p50, before → now".padEnd(31)}${CLIENT_REGIONS.map(cell).join("")}`)
  const slower: string[] = []
  for (const { name } of operations.filter(({ name }) => name.includes(values.only))) {
    for (const figure of ["p50", "network"] as const) {
      const pairs = CLIENT_REGIONS.map((region) => {
        const of = (all: Result[]) => all.find((one) => one.name === name && one.region === region)?.[figure] ?? 0
        return { region, before: of(earlier), now: of(results) }
      })
      if (figure === "network")
        for (const { region, before, now } of pairs) if (now > before + NOISE) slower.push(`${name} from ${region}`)
      const title = figure === "p50" ? name : "    the network alone"
      console.info(title.padEnd(31) + pairs.map(({ before, now }) => cell(`${before} → ${now}`)).join(""))
    }
  }
  console.info(`Slower on the network by more than ${NOISE} ms: ${slower.join(", ") || "none"}.`)
  if (slower.length > 0) process.exitCode = 1
}
process.exit()
