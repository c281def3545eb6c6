// Whether a slow or failing receiver of webhooks delays another one. A service as `npm start` runs it gets three
// receivers and then events; the program measures when the fast receiver has all of them, and how many requests the
// slow one has in flight.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { flags, integer } from "./lib/cli.ts"
import { PASSWORD } from "./lib/client.ts"
import { expectSame, failures, finish } from "./lib/expect.ts"
import { RetryingClient } from "./lib/patient-client.ts"
import { startService, toVarFlags } from "./lib/service.ts"

const values = flags(
  "npm run verify -- lanes",
  "Sends events to a fast, a slow and a failing receiver, and measures how long the fast one waits.",
  {
    events: { type: "string", value: "n", default: "2000", about: "how many events" },
    delay: { type: "string", value: "seconds", default: "10", about: "how long the slow receiver takes" },
    within: { type: "string", value: "seconds", default: "30", about: "when the fast receiver must have all" },
  },
)
const EVENTS = integer("events", values.events)
const DELAY_MS = integer("delay", values.delay) * 1000
const WITHIN_MS = integer("within", values.within) * 1000
const CONCURRENCY = 8
/** The most people that one import creates. */
const BATCH = 500
/** How many events are sent one by one, and when the fast receiver must have each. */
const SINGLE_EVENTS = 10
const MAX_LATENCY_MS = 3000
const SECRET = { password: "a-nice-long-password", password_confirmation: "a-nice-long-password" }

/** A local receiver. It counts its requests, the distinct events, and the requests in flight. */
async function receiver(status: number, delayMs: number) {
  const seen = new Map<string, number>()
  const counts = { requests: 0, inFlight: 0, maxInFlight: 0 }
  const server = createServer(async (request, response) => {
    counts.requests++
    counts.maxInFlight = Math.max(counts.maxInFlight, ++counts.inFlight)
    request.resume()
    const id = String(request.headers["webhook-id"])
    if (!seen.has(id)) seen.set(id, Date.now())
    await sleep(delayMs)
    counts.inFlight--
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.")
  return { url: `http://127.0.0.1:${address.port}/`, seen, counts, server }
}

const folder = mkdtempSync(join(tmpdir(), "lectern-lanes-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
console.info("Starting a service …")
const service = await startService(folder, toVarFlags({ RATE_LIMIT: "1000000000", OUTBOUND_PRIVATE: "allow" }))
const client = await new RetryingClient(service.url).signIn("owner@example.com", PASSWORD)
const fast = await receiver(200, 0)
const slow = await receiver(200, DELAY_MS)
const failing = await receiver(500, 0)
const webhookIds: number[] = []
for (const [{ url }, concurrency] of [
  [slow, CONCURRENCY],
  [failing, 1],
  [fast, 1],
] as const) {
  const input = { url, events: ["user.created"], concurrency }
  webhookIds.push((await client.send<{ id: number }>("POST", "/api/webhook/create", input)).id)
}
const setEnabled = async (enabled: boolean) => {
  for (const id of webhookIds) await client.send("PUT", `/api/webhook/${id}`, { enabled })
}

/** Imports people from a CSV file. */
async function importPeople(from: number, count: number) {
  const rows = Array.from({ length: count }, (_, at) => `Lane${from + at},Learner,lane-${from + at}@lanes.example`)
  const form = new FormData()
  form.append("file", new File([["firstName,lastName,email", ...rows].join("\n")], "people.csv"))
  type Upload = { status: string; upload_id: string | null }
  const upload = await client.send<Upload>("POST", "/api/user/userBulkUploadSpreadsheet", form)
  for (let { status } = upload; status !== "completed"; await sleep(100)) {
    if (status === "failed") throw new Error("The import failed.")
    const progress = await client.send<Upload>("GET", `/api/user/bulkUpload/progress/${upload.upload_id}`)
    status = progress.status
  }
}

// All events are due at once when the webhooks are enabled again.
await setEnabled(false)
console.info(`Creating ${EVENTS} people …`)
for (let from = 0; from < EVENTS; from += BATCH) await importPeople(from, Math.min(BATCH, EVENTS - from))
const startedAt = Date.now()
await setEnabled(true)
while (fast.seen.size < EVENTS && Date.now() < startedAt + 2 * WITHIN_MS) await sleep(100)
const duration = Math.max(...fast.seen.values()) - startedAt
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
console.info(`The fast receiver had ${fast.seen.size} events within ${seconds(duration)}.`)

// The slow receiver is busy now. A single event must reach the fast one.
const latencies: number[] = []
for (let at = 0; at < SINGLE_EVENTS; at++) {
  const createdAt = Date.now()
  await client.send("POST", "/api/user/create", { firstName: "Single", email: `single-${at}@lanes.example`, ...SECRET })
  while (fast.seen.size <= EVENTS + at && Date.now() < createdAt + DELAY_MS) await sleep(10)
  latencies.push(Date.now() - createdAt)
}
const latency = Math.max(...latencies)
console.info(`A single event reached it within ${seconds(latency)}, the slowest of ${SINGLE_EVENTS}.`)
// The slow receiver needs two more rounds to show how many requests it has at once.
await sleep(Math.max(0, startedAt + 2.5 * DELAY_MS - Date.now()))
console.info(`The slow receiver had ${slow.counts.requests} requests, at most ${slow.counts.maxInFlight} at once.`)
console.info(`The failing receiver had ${failing.counts.requests} requests.`)

expectSame("Events at the fast receiver", fast.seen.size, EVENTS + SINGLE_EVENTS)
expectSame("Requests to the fast receiver", fast.counts.requests, EVENTS + SINGLE_EVENTS)
expectSame("Requests in flight to the fast receiver", fast.counts.maxInFlight, 1)
expectSame("Requests in flight to the slow receiver", slow.counts.maxInFlight, CONCURRENCY)
if (duration > WITHIN_MS) failures.push(`The fast receiver waited ${seconds(duration)} for the events.`)
if (latency > MAX_LATENCY_MS) failures.push(`The fast receiver waited ${seconds(latency)} for a single event.`)
for (const { server } of [fast, slow, failing]) {
  server.closeAllConnections()
  server.close()
}
await service.stop()
finish("A slow and a failing receiver delay no other.")
