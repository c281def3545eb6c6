// npm run bench -- operations: compares twenty operations of the service with a bare Worker that runs the same SQL, the
// same call of a Durable Object, and Response.json. It runs the SQL in one batch, and for changes also in the round
// trips of the service. All run on copies of one state and are called in turn. The results are the ratios. Linux, for
// /proc.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { fail, flags, integer } from "../scripts/lib/cli.ts"
import { json } from "../scripts/lib/client.ts"
import { toRequest } from "../scripts/lib/request.ts"
import { startService, startWorker, toVarFlags } from "../scripts/lib/service.ts"
import { findWorkerd } from "../scripts/lib/workerd.ts"
import { adapterOf } from "./bare/adapter.ts"
import { median } from "./lib/numbers.ts"
import type { Operation } from "./ratio/hot-operations.ts"
import { type Adapter, prepare } from "./ratio/operations.ts"
import { measureParts, withPart } from "./ratio/parts.ts"
import { createReplay, type Recorded, type Replay } from "./ratio/replay.ts"
import { nextNumber, perRequest, type Run, run, type Side, summed } from "./ratio/run.ts"

const values = flags("npm run bench -- operations", "Measures operations of the service and of a bare Worker.", {
  seconds: { type: "string", value: "number", default: "0.4", about: "how long each is asked in a round" },
  rounds: { type: "string", value: "number", default: "5", about: "how many rounds at one connection" },
  warm: { type: "string", value: "number", default: "1000", about: "how many requests warm up each side before" },
  only: { type: "string", value: "reads|mutations|name", about: "these operations alone" },
  compare: { type: "string", value: "address", about: "another server, in the bare Worker's place" },
  adapter: { type: "string", value: "file", about: "how it is asked: exports adapterOf, as bench/bare/adapter.ts" },
  pid: { type: "string", value: "number", about: "its process, where it runs here: its CPU" },
  parts: {
    type: "boolean",
    default: false,
    about: "also: what the headers and the body of the request, and the headers of the response cost",
  },
  json: { type: "string", value: "file", about: "writes the figures there too" },
})
const seconds = Number(values.seconds) || fail("--seconds must be a number.", 2)
const rounds = Number(values.rounds) || fail("--rounds must be a number.", 2)
const warm = integer("warm", values.warm, 0)
const CONNECTIONS = [16, 64]
const WARM_CONNECTIONS = 8
const MINUTE = 60
/** Goals: the median of the ratios of CPU, to the bare Worker with one batch. */
const GOALS = { read: 1.15, mutation: 1.35 }

/** The bare Worker has one entry, so changes are not forwarded to a second one. */
const VARIABLES = { RATE_LIMIT: "1000000000", FORWARD_CHANGES: "off" }

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const stateOf = (name: string) => join(folder, name)
const stops: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]

/** An operation's cost in D1 and its SQL, from the service. */
interface RecordedOperation {
  trips: number
  read: number
  written: number
  /** The statements of each round trip. */
  batches: Replay[][]
  /** The headers of the response. */
  headers: Record<string, string>
}

/** Headers that the runtime sets, and the meter of development. */
const OWN_HEADERS = new Set([
  "content-type",
  "content-length",
  "transfer-encoding",
  "date",
  "connection",
  "keep-alive",
  "server-timing",
])

/** Runs the service on a new academy and records each operation three times. @returns the SQL to replay */
async function record() {
  console.info("Recording …")
  const server = await startService(stateOf("service"), toVarFlags({ ...VARIABLES, METER: "statements" }))
  const { owner, operations } = await prepare(server.url)
  const recorded = new Map<Operation, RecordedOperation>()
  for (const operation of operations) {
    const recordings: Recorded[][][] = []
    let d1 = { trips: 0, read: 0, written: 0 }
    let headers: Record<string, string> = {}
    for (const n of [1, 2, 3]) {
      const { method, path, body } = operation.ask(n)
      const line = server.line(`{"event":"served","method":"${method}"`)
      const answer = await fetch(server.url + path, toRequest(method, { token: owner.token, body }))
      if (!answer.ok) fail(`${operation.name}: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
      const served = JSON.parse(await line) as { statements: Recorded[][]; d1: typeof d1 }
      d1 = served.d1
      headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)))
      recordings.push(served.statements)
    }
    recorded.set(operation, { ...d1, headers, batches: createReplay(operation.name, recordings) })
  }
  await server.stop()
  return { owner, operations, recorded }
}

const { owner, operations, recorded } = await record()

async function service(): Promise<Side> {
  const server = await startService(stateOf("service"), toVarFlags({ ...VARIABLES, ENVIRONMENT: "production" }))
  stops.unshift(server.stop)
  return { url: server.url, token: owner.token, pid: findWorkerd(stateOf("service")), ask: ({ ask }, n) => ask(n) }
}

async function bare(): Promise<Side> {
  const server = await startWorker(resolve(import.meta.dirname, "bare/wrangler.toml"), stateOf("bare"))
  stops.unshift(server.stop)
  const body = operations.map((operation) => ({
    mutates: operation.kind === "mutation",
    batches: recorded.get(operation)?.batches,
    headers: recorded.get(operation)?.headers,
    done: 0,
  }))
  await json(await fetch(`${server.url}/operations`, toRequest("PUT", { body })))
  return { url: server.url, token: "", pid: findWorkerd(stateOf("bare")), ask: adapterOf(operations) }
}

async function other(url: string): Promise<Side> {
  const file = values.adapter ?? fail("--compare needs --adapter <file>.", 2)
  const { adapterOf } = (await import(pathToFileURL(resolve(file)).href)) as {
    adapterOf: (operations: Operation[]) => Adapter
  }
  return { url, token: "", pid: values.pid ? Number(values.pid) : undefined, ask: adapterOf(operations) }
}

cpSync(stateOf("service"), stateOf("bare"), { recursive: true })
const ours = await service()
const theirs = values.compare ? await other(values.compare) : await bare()
/** The bare Worker in the round trips of the service: a change reads what it depends on before it writes. */
const inTrips = values.compare ? undefined : withPart(theirs, "trips")

const wanted = operations.filter(({ name, kind }) => !values.only || [name, `${kind}s`].includes(values.only))
if (wanted.length === 0)
  fail(`--only: reads, mutations, or one of ${operations.map(({ name }) => name).join(", ")}.`, 2)

/**
 * The other server's D1 time and rows written, which must equal the service's. Undefined if it does not report them.
 */
async function d1Of(side: Side, operation: Operation): Promise<{ duration: number; written: number } | undefined> {
  const all: { duration: number; written: number }[] = []
  for (let i = 0; i < 20; i++) {
    const what = side.ask(operation, nextNumber())
    if (!what) return undefined
    const answer = await fetch(side.url + what.path, toRequest(what.method, { token: side.token, body: what.body }))
    await answer.arrayBuffer()
    const found = /written=(\d+)";dur=([\d.]+)/.exec(answer.headers.get("server-timing") ?? "")
    if (!found) return undefined
    all.push({ written: Number(found[1]), duration: Number(found[2]) })
  }
  const duration = all.reduce((sum, one) => sum + one.duration, 0) / all.length
  return { duration, written: median(all.map(({ written }) => written)) }
}

const rows = []
const cell = (figure: number | undefined, digits = 2) =>
  (figure === undefined ? "–" : figure.toFixed(digits)).padStart(8)
console.info(
  `${"operation".padEnd(30)}${"trips".padStart(6)}${"read".padStart(7)}${"written".padStart(8)}` +
    ["D1 ms", "CPU ms", "beside", "ratio", "in trips"]
      .concat(["req/s 1", "p50", "p99", "req/s 16", "p50", "p99", "req/s 64", "p50", "p99"])
      .map((head) => head.padStart(8))
      .join(" "),
)
for (const operation of wanted) {
  const { trips, read, written } = recorded.get(operation) ?? { trips: 0, read: 0, written: 0 }
  const sides = [ours, theirs, ...(inTrips && trips > 1 ? [inTrips] : [])]
  const runs = new Map<Side, Run[]>(sides.map((side) => [side, []]))
  // The bare Worker runs the same code for all operations. All sides get the same requests before they are measured.
  for (const side of sides) await run(side, operation, operation.alone ? 1 : WARM_CONNECTIONS, MINUTE, warm)
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      runs.get(side)?.push(await run(side, operation, 1, seconds))
  const runsOf = (side: Side) => runs.get(side) ?? []
  const [one, beside] = [summed(runsOf(ours)), summed(runsOf(theirs))]
  const ratioTo = (side: Side) =>
    median(runsOf(ours).map((own, round) => perRequest(own) / perRequest(runsOf(side)[round] ?? own)))
  const ratio = ratioTo(theirs)
  // With one round trip, both are the same.
  const tripsRatio = inTrips && sides.includes(inTrips) ? ratioTo(inTrips) : ratio
  const widths = []
  for (const connections of operation.alone ? [] : CONNECTIONS) {
    const [a, b] = [
      await run(ours, operation, connections, 2 * seconds),
      await run(theirs, operation, connections, 2 * seconds),
    ]
    widths.push({ connections, ours: summed([a]), theirs: summed([b]) })
  }
  const d1 = await d1Of(theirs, operation)
  const parts =
    values.parts && !values.compare ? await measureParts(theirs, ours, operation, { rounds, seconds }) : undefined
  const { name, kind } = operation
  rows.push({ name, kind, trips, read, written, d1, ratio, tripsRatio, one, beside, widths, parts })
  const speeds = [one, ...widths.map(({ ours }) => ours)].flatMap(({ aSecond, p50, p99 }) => [
    cell(aSecond, 0),
    cell(p50, 1),
    cell(p99, 1),
  ])
  const known = theirs.pid === undefined ? undefined : ratio
  const figures = [
    cell(d1?.duration),
    cell(one.cpu),
    cell(known && beside.cpu),
    cell(known),
    cell(known && tripsRatio),
    ...speeds,
  ]
  const failed = [one, beside, ...widths.flatMap(({ ours, theirs }) => [ours, theirs])]
    .map((speed) => speed.failed)
    .reduce((sum, n) => sum + n, 0)
  console.info(
    operation.name.padEnd(30) +
      [`${trips}`.padStart(6), `${read}`.padStart(7), `${written}`.padStart(8)].join("") +
      figures.join(" ") +
      (failed > 0 ? `  ${failed} failed` : "") +
      (parts ? `  request ${parts.request.toFixed(2)} ms, headers ${parts.headers.toFixed(2)} ms` : "") +
      (d1 && d1.written !== written ? `  ${d1.written} written beside` : ""),
  )
}

for (const kind of ["read", "mutation"] as const) {
  const ofKind = rows.filter((row) => row.kind === kind)
  if (ofKind.length === 0 || theirs.pid === undefined) continue
  const ratio = median(ofKind.map(({ ratio }) => ratio)).toFixed(2)
  const tripsRatio = median(ofKind.map(({ tripsRatio }) => tripsRatio)).toFixed(2)
  console.info(
    `CPU of ${ofKind.length} ${kind}s over the other's: ${ratio} (at most ${GOALS[kind]})` +
      (inTrips ? `; in the same round trips: ${tripsRatio}` : ""),
  )
}
if (values.json) writeFileSync(values.json, `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`)
for (const stop of stops) await stop()
process.exit(0)
