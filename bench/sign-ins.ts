// npm run bench -- sign-ins: many people sign in at the same moment. It prints how long they wait, how long another
// request waits meanwhile, and how much memory the process takes. Linux, for /proc.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { flags, integer } from "../scripts/lib/cli.ts"
import { call, connect, each, json, PASSWORD } from "../scripts/lib/client.ts"
import { residentMiB } from "../scripts/lib/process-memory.ts"
import { toRequest } from "../scripts/lib/request.ts"
import { startService, toVarFlags } from "../scripts/lib/service.ts"
import { findWorkerd } from "../scripts/lib/workerd.ts"
import { quantile } from "./lib/numbers.ts"

const values = flags("npm run bench -- sign-ins", "Measures many people who sign in at the same moment.", {
  people: { type: "string", value: "n", default: "200", about: "how many" },
  checkout: { type: "string", value: "folder", default: "", about: "another version, with its packages installed" },
})
const PEOPLE = integer("people", values.people)
const PROBE_EVERY_MS = 50
const MEMORY_EVERY_MS = 20

const folder = mkdtempSync(join(tmpdir(), "lectern-sign-ins-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
console.info("Starting a service with the sample academy …")
const vars = toVarFlags({ RATE_LIMIT: "1000000000", ENVIRONMENT: "production" })
const service = await startService(folder, vars, values.checkout ? { checkout: values.checkout } : {})
const owner = await connect(service.url, "owner@example.com", PASSWORD)
const emails = Array.from({ length: PEOPLE }, (_, at) => `person-${at}@sign-ins.example`)
const password = "a-nice-long-password"
await each(emails, 2, async (email, at) => {
  const person = { firstName: `Person ${at}`, lastName: "Example", email, password, password_confirmation: password }
  await json(await call(owner, "POST", "/api/user/create", person))
})

interface SignIn {
  milliseconds: number
  refusals: number
}

/** Signs in, again after Retry-After if the service refuses with 503. */
async function signIn(email: string, at: number): Promise<SignIn> {
  const began = performance.now()
  // One network address may have a hundred attempts in progress.
  const headers = { "cf-connecting-ip": `203.0.113.${1 + (at % 250)}` }
  for (let refusals = 0; ; refusals++) {
    const answer = await fetch(`${service.url}/login`, toRequest("POST", { body: { email, password }, headers }))
    await answer.arrayBuffer()
    if (answer.ok) return { milliseconds: performance.now() - began, refusals }
    if (answer.status !== 503) throw new Error(`${email}: ${answer.status}`)
    await sleep(Number(answer.headers.get("retry-after")) * 1000 * (1 + Math.random()))
  }
}

async function probe(): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${service.url}/api/me`, toRequest("GET", { token: owner.token }))
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`/api/me: ${answer.status}`)
  return performance.now() - began
}

/** Calls again and again until it is stopped. */
function repeat(everyMs: number, work: () => Promise<number> | number) {
  const results: number[] = []
  let isStopped = false
  const done = (async () => {
    while (!isStopped) {
      results.push(await work())
      await sleep(everyMs)
    }
  })()
  return async () => {
    isStopped = true
    await done
    return results
  }
}

await signIn(emails[0] ?? "", 0)
const pid = findWorkerd(folder)
const idleProbes = repeat(PROBE_EVERY_MS, probe)
await sleep(3000)
const idle = await idleProbes()
const before = residentMiB(pid)
const [probes, memory] = [repeat(PROBE_EVERY_MS, probe), repeat(MEMORY_EVERY_MS, () => residentMiB(pid))]
const signIns = await Promise.all(emails.map(signIn))
const [during, resident] = [await probes(), await memory()]
await service.stop()

const row = (label: string, times: number[]) =>
  console.info(
    `${label.padEnd(32)} ${String(times.length).padStart(5)} times, ms: ` +
      [0.5, 0.9, 0.99].map((share) => `p${share * 100} ${quantile(times, share).toFixed(0)}, `).join("") +
      `longest ${Math.max(...times).toFixed(0)}`,
  )
row(
  "sign-in",
  signIns.map(({ milliseconds }) => milliseconds),
)
row("another request, alone", idle)
row("another request, meanwhile", during)
console.info(
  `${signIns.filter(({ refusals }) => refusals > 0).length} of ${PEOPLE} people were asked to retry (503). ` +
    `The process had ${before.toFixed(0)} MiB before and at most ${Math.max(...resident).toFixed(0)} MiB meanwhile.`,
)
