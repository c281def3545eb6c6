// npm run bench -- profile: where the CPU of an operation goes, by part, by file and by function. The numbers are the
// share of the isolate's busy time, and milliseconds per request. workerd's own work, such as HTTP and D1, is not in
// them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fail, flags } from "../scripts/lib/cli.ts"
import { freePort } from "../scripts/lib/ports.ts"
import { toRequest } from "../scripts/lib/request.ts"
import { startService, toVarFlags } from "../scripts/lib/service.ts"
import { median } from "./lib/numbers.ts"
import { prepare } from "./ratio/operations.ts"

const values = flags("npm run bench -- profile", "Profiles the isolate while an operation is called.", {
  only: { type: "string", value: "reads|mutations|name", about: "these operations alone" },
  requests: { type: "string", value: "number", default: "1500", about: "how often each is called" },
  lines: { type: "string", value: "number", default: "40", about: "how many functions are printed" },
  save: { type: "string", value: "file", about: "writes the profile there, for Chromium's developer tools" },
})
const requests = Number(values.requests) || fail("--requests must be a number.", 2)
const WARM_UP = 300
/** Microseconds between two samples. */
const INTERVAL = 100

interface ProfileNode {
  id: number
  callFrame: { functionName: string; scriptId: string; url: string; lineNumber: number }
}
interface Profile {
  nodes: ProfileNode[]
  samples: number[]
  timeDeltas: number[]
}

/** Calls the inspector's methods, one after the other. */
async function connectInspector(port: number) {
  const [target] = (await (await fetch(`http://localhost:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[]
  // wrangler accepts local origins only; Node's WebSocket takes headers, which its type omits.
  const options = { headers: { origin: "http://localhost" } } as unknown as string[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "", options)
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true })
    socket.addEventListener("error", reject, { once: true })
  })
  let last = 0
  const call = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      const id = ++last
      const listen = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: unknown }
        if (answer.id !== id) return
        socket.removeEventListener("message", listen)
        resolve(answer.result)
      }
      socket.addEventListener("message", listen)
      socket.send(JSON.stringify({ id, method, params }))
    })
  return { call, scripts: scriptsOf(socket), close: () => socket.close() }
}

/** The ids of the scripts that the inspector reports. */
function scriptsOf(socket: WebSocket): Set<string> {
  const found = new Set<string>()
  socket.addEventListener("message", ({ data }) => {
    const { method, params } = JSON.parse(String(data))
    if (method === "Debugger.scriptParsed") found.add(params.scriptId)
  })
  return found
}

/** The source file of each line of the bundle, by esbuild's comments. */
function filesOf(source: string): string[] {
  let file = ""
  return source.split("\n").map((line) => {
    const [, named] = /^\s*\/\/ ((?:\.\.\/)*(?:src|drizzle|node_modules)\/\S+)$/.exec(line) ?? []
    if (named) file = named.replace(/^(\.\.\/)*/, "").replace(/^node_modules\/(@[^/]+\/[^/]+|[^/]+)\/.*/, "$1")
    return file
  })
}

/** As `npm run bench -- operations`: changes run in one entry. */
const VARIABLES = { RATE_LIMIT: "1000000000", ENVIRONMENT: "production", FORWARD_CHANGES: "off" }
const folder = mkdtempSync(join(tmpdir(), "lectern-profile-"))
const inspectorPort = await freePort()
const server = await startService(folder, toVarFlags(VARIABLES), {
  inspectorPort,
})
const { owner, operations } = await prepare(server.url)
const wanted = operations.filter(({ name, kind }) => !values.only || [name, `${kind}s`].includes(values.only))
if (wanted.length === 0)
  fail(`--only: reads, mutations, or one of ${operations.map(({ name }) => name).join(", ")}.`, 2)
let n = 3
const ask = async (times: number, which: typeof wanted) => {
  for (let i = 0; i < times; i++)
    for (const operation of which) {
      const { method, path, body } = operation.ask(++n)
      const answer = await fetch(server.url + path, toRequest(method, { token: owner.token, body }))
      await answer.arrayBuffer()
      if (!answer.ok) fail(`${operation.name}: ${answer.status}`)
    }
}
const each = Math.ceil(requests / wanted.length)
await ask(Math.ceil(WARM_UP / wanted.length), wanted)
const inspector = await connectInspector(inspectorPort)
await inspector.call("Debugger.enable")
const sources = new Map<string, string[]>()
for (const scriptId of inspector.scripts) {
  const { scriptSource } = (await inspector.call("Debugger.getScriptSource", { scriptId })) as { scriptSource: string }
  sources.set(scriptId, filesOf(scriptSource))
}
await inspector.call("Debugger.disable")
await inspector.call("Profiler.enable")
await inspector.call("Profiler.setSamplingInterval", { interval: INTERVAL })
await inspector.call("Profiler.start")
await ask(each, wanted)
const { profile } = (await inspector.call("Profiler.stop")) as { profile: Profile }
inspector.close()
if (values.save) writeFileSync(values.save, JSON.stringify(profile))
await server.stop()
rmSync(folder, { recursive: true, force: true })

// Samples are taken only while the isolate runs: the first one after a pause counts like the others.
const most = 1.5 * median(profile.timeDeltas)
const self = new Map<number, number>()
for (const [at, id] of profile.samples.entries())
  self.set(id, (self.get(id) ?? 0) + Math.min(most, profile.timeDeltas[at] ?? 0) / 1000)
/** The parts of a request, by the file or the native function. The last one takes the rest. */
const PARTS: [part: string, files: RegExp][] = [
  ["the D1 client of the runtime", /^cloudflare-internal:(d1|tracing)|^(fetch|text|read|decodeString)$/],
  ["garbage collection", /garbage collector/],
  ["building SQL", /^drizzle-orm|^src\/db\/(dialect|select|insert-from|prepared|sql|list)|^drizzle\//],
  ["validating input", /^zod|^@hono\/zod/],
  ["identifying the caller, and the rate limiter", /identify|src\/access|^src\/durable-objects|idFromName/],
  [
    "routing, middleware, and the response",
    /^hono|^src\/(app|http|middleware)|^src\/lib\/web|^(Response|Headers|URL)$/,
  ],
  ["routing, middleware, and the response", /^(set|get|has|delete|enterSpan|getActiveSpan|run|wrangler|index\.js)$/],
  ["the module and its rows", /^src\/(modules|lib)/],
  ["the unit of work, timeouts, and the meter", /^src\/db|(set|clear)Timeout|internal_timers/],
  ["the engine, and everything else", /^/],
]
const byPart = new Map<string, number>()
const byFile = new Map<string, number>()
const byFunction = new Map<string, number>()
const add = (to: Map<string, number>, key: string, ms: number) => to.set(key, (to.get(key) ?? 0) + ms)
let busy = 0
for (const { id, callFrame } of profile.nodes) {
  const { functionName, scriptId, url, lineNumber } = callFrame
  const ms = self.get(id) ?? 0
  if (["(idle)", "(root)"].includes(functionName)) continue
  busy += ms
  const file = sources.get(scriptId)?.[lineNumber] || url || functionName
  add(byPart, PARTS.find(([, files]) => files.test(file))?.[0] ?? "", ms)
  add(byFile, file, ms)
  add(byFunction, `${functionName || "(anonymous)"}  ${file}:${lineNumber + 1}`, ms)
}
const done = each * wanted.length
const print = (title: string, times: Map<string, number>) => {
  console.info(`\n${title}`)
  for (const [name, ms] of [...times].sort(([, a], [, b]) => b - a).slice(0, Number(values.lines)))
    console.info(`${((100 * ms) / busy).toFixed(1).padStart(6)} % ${(ms / done).toFixed(4).padStart(8)} ms  ${name}`)
}
console.info(`${done} requests, ${(busy / done).toFixed(3)} ms of the isolate each`)
print("By part", byPart)
print("By file", byFile)
print("By function", byFunction)
process.exit(0)
