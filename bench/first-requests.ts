// npm run bench -- first-requests: the loading time of the first request to each module, compared with a second one.
// It starts its own server, which redirects every call to the sign-in page before any work; --url calls
// another, just started with `npm start -- --var ACCESS_POLICY:enforced --var RATE_LIMIT:1000000`.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { flags } from "../scripts/lib/cli.ts"
import { startService } from "../scripts/lib/service.ts"
import { routes } from "../src/routes.generated.ts"
import { median, quantile } from "./lib/numbers.ts"

const values = flags(
  "npm run bench -- first-requests",
  "Measures the loading time of the first request to each module.",
  {
    url: {
      type: "string",
      value: "address",
      about: "a server that has just been started; by default its own",
    },
  },
)
const AGAIN = 15
/** Milliseconds until a server that has become ready has nothing else to do. */
const STARTED = 3000

/** A request that no operation is carried out for, as HEAD where it can be one. */
async function milliseconds(method: string, path: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(new URL(path, url), {
    method: method === "GET" ? "HEAD" : method,
    redirect: "manual",
  })
  const taken = performance.now() - began
  await answer.body?.cancel()
  if (answer.status !== 302)
    throw new Error(
      `${method} ${path} answered ${answer.status}, not 302: the server at ${url} does not run with ` +
        "--var ACCESS_POLICY:enforced --var RATE_LIMIT:1000000.",
    )
  return taken
}

/** An empty academy in its own folder. @returns its address once it is ready */
async function ownServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "lectern-first-requests-"))
  const server = await startService(folder, [
    ...["--empty", "--var", "ACCESS_POLICY:enforced", "--var", "RATE_LIMIT:1000000"],
  ])
  stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return server.url
}

let stop = async () => {}
console.info(values.url ? `Asking ${values.url} …` : "Starting a server …")
const url = values.url ?? (await ownServer())

// The work of a start, such as the first cron run, would count for the first module.
await sleep(STARTED)
await fetch(new URL("/health", url))

const measured: { module: string; first: number; again: number }[] = []
for (const [module, list] of Object.entries(routes)) {
  const [method = "", pattern = ""] = list.find((route) => /^(?!OPTIONS).* \/api\//.test(route))?.split(" ") ?? []
  if (!pattern) continue
  const path = pattern.replace(/:\w+(\{[^}]+\})?/g, "7")
  const first = await milliseconds(method, path)
  const again: number[] = []
  for (let i = 0; i < AGAIN; i++) again.push(await milliseconds(method, path))
  measured.push({ module, first, again: median(again) })
}

for (const { module, first, again } of measured)
  console.info(`${module.padEnd(18)} ${first.toFixed(1).padStart(6)} ms, again ${again.toFixed(1).padStart(5)} ms`)
const firsts = measured.map(({ first }) => first)
console.info(
  `The first request of a module takes ${median(firsts).toFixed(1)} ms in the median, ` +
    `${quantile(firsts, 0.99).toFixed(1)} ms at p99.`,
)
const loading = measured.map(({ first, again }) => Math.max(0, first - again))
console.info(
  `Loading, over ${measured.length} modules in this order: median ${median(loading).toFixed(1)} ms, ` +
    `most ${Math.max(...loading).toFixed(1)} ms, all ${loading.reduce((sum, taken) => sum + taken, 0).toFixed(0)} ms.`,
)
await stop()
