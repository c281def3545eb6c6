// npm run bench -- memory: the heap of the service's isolate during mixed requests. It exits with 1 if more than the
// limit is in use after them. The process also has the isolates of the local D1 and of wrangler, and SQLite's caches:
// docs/operations/scaling.md explains whose the memory is. Linux, for /proc.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { flags, integer } from "../scripts/lib/cli.ts"
import { freePort } from "../scripts/lib/ports.ts"
import { type Heap, heapsOf, residentMiB } from "../scripts/lib/process-memory.ts"
import { toRequest } from "../scripts/lib/request.ts"
import { startService, toVarFlags } from "../scripts/lib/service.ts"
import { findWorkerd } from "../scripts/lib/workerd.ts"
import type { Operation } from "./ratio/hot-operations.ts"
import { prepare } from "./ratio/operations.ts"

const values = flags("npm run bench -- memory", "Measures the memory of the service during mixed requests.", {
  requests: { type: "string", value: "n", default: "100000", about: "how many" },
  connections: { type: "string", value: "n", default: "64", about: "how many at once" },
  limit: { type: "string", value: "MiB", default: "64", about: "the maximum heap of the isolate after them" },
})
const REQUESTS = integer("requests", values.requests)
const CONNECTIONS = integer("connections", values.connections)
const LIMIT = integer("limit", values.limit)
const REPORT_EVERY_MS = 10_000
/** Of this many requests one changes data. */
const READS_PER_CHANGE = 5

const folder = mkdtempSync(join(tmpdir(), "lectern-memory-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
console.info("Starting a service with the sample academy …")
const inspectorPort = await freePort()
const vars = toVarFlags({ RATE_LIMIT: "1000000000", ENVIRONMENT: "production" })
const service = await startService(folder, vars, { inspectorPort })
const { owner, operations } = await prepare(service.url)
const pid = findWorkerd(folder)
const ofKind = (kind: Operation["kind"]) => operations.filter((one) => one.kind === kind && !one.alone)
const [reads, changes] = [ofKind("read"), ofKind("mutation")]

const failures = new Map<string, number>()
let sent = 0

/** The n-th request: operations in turn, every sixth a change. */
function requestOf(n: number) {
  const isChange = n % (READS_PER_CHANGE + 1) === 0
  const list = isChange ? changes : reads
  const operation = list[Math.floor(isChange ? n / (READS_PER_CHANGE + 1) : n) % list.length]
  if (!operation) throw new Error("There is no operation.")
  return { name: operation.name, ...operation.ask(n + 1000) }
}

async function lane() {
  while (sent < REQUESTS) {
    const { name, method, path, body } = requestOf(++sent)
    const answer = await fetch(service.url + path, toRequest(method, { token: owner.token, body }))
    await answer.arrayBuffer()
    if (!answer.ok) failures.set(`${name}: ${answer.status}`, (failures.get(`${name}: ${answer.status}`) ?? 0) + 1)
  }
}

let peak = 0
const inMiB = (value: number) => `${value.toFixed(0)} MiB`
const describe = ({ isolate, used, total, external }: Heap) =>
  `${isolate} ${inMiB(used)} of ${inMiB(total)}${external >= 1 ? ` and ${inMiB(external)} outside` : ""}`

/** Prints the memory of the process and of its largest isolates. @returns the memory of the service's isolate */
async function report(label: string, collect = false): Promise<number> {
  const { service, runtime } = await heapsOf(pid, inspectorPort, collect)
  const largest = [{ ...service, isolate: "service" }, ...runtime.filter(({ total }) => total >= 4)]
  console.info(
    `${label.padEnd(16)} process ${inMiB(residentMiB(pid))}; ${largest.map(describe).join("; ")}; ` +
      `all heaps ${inMiB([service, ...runtime].reduce((sum, { total }) => sum + total, 0))}`,
  )
  const inUse = service.used + service.external
  peak = Math.max(peak, inUse)
  return inUse
}

await report("idle", true)
const began = performance.now()
let isDone = false
const lanes = Promise.all(Array.from({ length: CONNECTIONS }, lane)).then(() => {
  isDone = true
})
while (!isDone) {
  await Promise.race([lanes, sleep(REPORT_EVERY_MS)])
  await report(`${sent} requests`)
}
await lanes
const seconds = (performance.now() - began) / 1000
const inUse = await report("collected", true)
await service.stop()

for (const [name, count] of failures) console.error(`${count} times ${name}`)
console.info(
  `${REQUESTS} requests in ${seconds.toFixed(0)} s: the isolate used at most ${inMiB(peak)}, ` +
    `and ${inMiB(inUse)} after them (limit ${LIMIT} MiB).`,
)
process.exit(inUse > LIMIT || failures.size > 0 ? 1 : 0)
