// npm run first-requests: what the first request to each family waits for its loading, next to the same request again.
// Beside a server that has just been started, whose gate sends every call on to the sign-in page before any work:
//   npm start -- --var ACCESS_POLICY:enforced --var RATE_LIMIT:1000000
import { parseArgs } from "node:util"
import { routes } from "../src/routes.generated.ts"

const { values } = parseArgs({ options: { url: { type: "string", default: "http://localhost:8787" } } })
const AGAIN = 15

/** A request that no operation is carried out for, as HEAD where it can be one. */
async function milliseconds(method: string, path: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(new URL(path, values.url), {
    method: method === "GET" ? "HEAD" : method,
    redirect: "manual",
  })
  const taken = performance.now() - began
  await answer.body?.cancel()
  if (answer.status !== 302)
    throw new Error(`${method} ${path} answered ${answer.status}: start the server as this file says.`)
  return taken
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const measured: { family: string; first: number; again: number }[] = []
for (const [family, list] of Object.entries(routes)) {
  const [method = "", pattern = ""] = list.find((route) => route.includes(" /api/"))?.split(" ") ?? []
  if (!pattern) continue
  const path = pattern.replace(/:\w+(\{[^}]+\})?/g, "7")
  const first = await milliseconds(method, path)
  const again: number[] = []
  for (let i = 0; i < AGAIN; i++) again.push(await milliseconds(method, path))
  measured.push({ family, first, again: median(again) })
}

for (const { family, first, again } of measured)
  console.info(`${family.padEnd(18)} ${first.toFixed(1).padStart(6)} ms, again ${again.toFixed(1).padStart(5)} ms`)
const loading = measured.map(({ first, again }) => Math.max(0, first - again))
console.info(
  `Loading, over ${measured.length} families in this order: median ${median(loading).toFixed(1)} ms, most ${Math.max(...loading).toFixed(1)} ms, all ${loading.reduce((sum, taken) => sum + taken, 0).toFixed(0)} ms.`,
)
