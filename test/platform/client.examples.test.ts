/// <reference types="vite/client" />
import { exports } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { orders } from "../../drizzle/schema/orders.ts"
import { type ClientOptions, createClient } from "../../src/client/index.ts"
import { hashPassword } from "../../src/lib/crypto/password.ts"
import { rowsOf, tokenOf, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { openQueue } from "../helpers/queues.ts"

// Runs the examples of the client, which the documentation shows.

const OWNER = { firstName: "Amara", email: "owner@example.com", userType: "owner" } as const
/** Hashes the sample accounts' password, at the cost that tests have. */
const hashed = () => hashPassword("lectern-demo-1")

const sources = import.meta.glob<string>("../../src/client/examples/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
})
const modules = import.meta.glob("../../src/client/examples/*.ts")
const documents = import.meta.glob<string>(
  ["../../README.md", "../../src/client/README.md", "../../docs/api/mobile.md"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
)
const sourceOf = (name: string) => sources[`../../src/client/examples/${name}.ts`]

const DAY = 86_400_000

let printed: string[] = []
const ran = new Set<string>()

/** Runs an example. @returns what it printed */
async function run(name: string): Promise<string[]> {
  ran.add(name)
  await modules[`../../src/client/examples/${name}.ts`]?.()
  return printed
}

beforeEach(async () => {
  printed = []
  vi.stubGlobal("fetch", (request: Request) => exports.default.fetch(request))
  vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words.join(" ")))
  await user({ ...OWNER, passwordHash: await hashed() })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A client for somebody who is signed in, as an app on a phone has it. */
const phoneOf = (token: string, fetch: ClientOptions["fetch"]) =>
  createClient({
    baseUrl: "http://localhost:8787",
    tokens: { token, expiresAt: new Date(Date.now() + 100 * DAY).toISOString() },
    retry: { attempts: 1 },
    ...(fetch && { fetch }),
  })

/** A learner with two text modules, and the queue of the example, whose program has run. */
async function importQueue() {
  const learner = await user({ email: "learner@example.com", passwordHash: await hashed() })
  const first = await module({ type: "text", name: "Knots" })
  const second = await module({ type: "text", name: "Ropes" })
  const texts = await course({}, [{ moduleId: first.id }, { moduleId: second.id }])
  const { id: registrationId } = await enrollment(learner, texts)
  const { OfflineQueue } = await import("../../src/client/examples/offline.ts")
  const at = (moduleId: number) => ({ registrationId, moduleId })
  return { OfflineQueue, learner, first: at(first.id), second: at(second.id) }
}

const statusOf = async (moduleId: number) =>
  (await rowsOf(moduleStatuses)).find((status) => status.moduleId === moduleId)

describe("the offline queue of the example", () => {
  // The first test that imports the example runs its program.
  it("sends what was stored without a connection", async () => {
    const learner = await user({ email: "learner@example.com", passwordHash: await hashed() })
    const text = await module({ type: "text", name: "Knots" })
    await enrollment(learner, await course({}, [{ moduleId: text.id }]))
    expect(await run("offline")).toEqual(["Knots: completed"])
    expect(await rowsOf(moduleStatuses)).toMatchObject([{ timeSpent: 60, percent: 100, status: "Completed" }])
  })

  it("sends a day of heartbeats and completions once, although responses are lost", async () => {
    const { OfflineQueue, learner, first, second } = await importQueue()
    // Of the example's own run.
    const before = (await statusOf(first.moduleId))?.timeSpent ?? 0
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() })

    let stored: string | undefined
    const write = (text: string) => {
      stored = text
    }
    const storage = { read: () => stored, write }
    let isOnline = false
    const keys: string[] = []
    let lost = 0
    const startApp = async () => {
      const client = phoneOf(await tokenOf(learner), async (request) => {
        if (!isOnline) throw new TypeError("no network")
        keys.push(request.headers.get("idempotency-key") ?? "")
        const response = await exports.default.fetch(request)
        // The service has counted it, but the phone does not know.
        if (lost++ % 2 === 0) throw new TypeError("connection lost")
        return response
      })
      return new OfflineQueue(client, storage)
    }
    const queue = await startApp()
    for (let n = 0; n < 100; n++) queue.add({ ...second, timeSpent: 30, percentage: Math.min(n, 90) })
    await expect(queue.flush()).rejects.toMatchObject({ code: "network_failed" })
    // It was sent, so later heartbeats are another report.
    queue.add({ ...second, timeSpent: 7, status: "Completed" })
    queue.add({ ...first, timeSpent: 5 })

    vi.setSystemTime(Date.now() + DAY)
    isOnline = true
    // The app was restarted: only what is stored is left.
    const restarted = await startApp()
    for (let tries = 0; JSON.parse(stored ?? "[]").length > 0 && tries < 10; tries++)
      await restarted.flush().catch((error: { code: string }) => expect(error.code).toBe("network_failed"))

    expect(JSON.parse(stored ?? "")).toEqual([])
    expect(new Set(keys).size).toBe(3)
    expect(keys).toHaveLength(6)
    expect(await statusOf(second.moduleId)).toMatchObject({ timeSpent: 3007, status: "Completed", percent: 100 })
    expect(await statusOf(first.moduleId)).toMatchObject({ timeSpent: before + 5 })
  })

  it("returns what the service refuses, and goes on", async () => {
    const { OfflineQueue, learner, first, second } = await importQueue()
    const memory = new Map<string, string>()
    const storage = { read: () => memory.get("q"), write: (text: string) => void memory.set("q", text) }
    const queue = new OfflineQueue(phoneOf(await tokenOf(learner), undefined), storage)
    queue.add({ registrationId: 999_999, moduleId: first.moduleId, timeSpent: 1 })
    queue.add({ ...second, timeSpent: 9 })
    const [refused, same] = await Promise.all([queue.flush(), queue.flush()])
    expect(refused).toBe(same)
    expect(refused).toMatchObject([{ status: 404, code: "not_found" }])
    expect(await statusOf(second.moduleId)).toMatchObject({ timeSpent: 9 })
  })
})

describe("the examples of the client", () => {
  it("start: signs in, reads and lists", async () => {
    const learner = await user({ email: "learner@example.com" })
    const lines = await run("start")
    expect(lines[0]).toBe("Signed in as Amara")
    expect(lines.slice(1)).toEqual([
      OWNER.email,
      `${learner.id} ${learner.email}`,
      expect.stringMatching(/^\d+ owner@/),
    ])
  })

  it("order: creates an order", async () => {
    const learner = await user({ email: "learner@example.com" })
    const lines = await run("order")
    expect(lines).toEqual([expect.stringMatching(/^Order \d+: Order created\.$/)])
    expect(await rowsOf(orders)).toMatchObject([{ userId: learner.id, currency: "EUR" }])
  })

  it("errors: shows error messages", async () => {
    expect(await run("errors")).toEqual([expect.stringMatching(/^401 invalid_credentials \w+/)])
  })

  it("files: exports and uploads", async () => {
    openQueue("EXPORTS")
    const lines = await run("files")
    expect(lines.at(-3)).toBe("100 %")
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^users-[\da-f-]+\.xlsx true$/),
      "1 would be created, 0 would fail ",
    ])
  })

  it("changes: acts once, and on the version that was read", async () => {
    expect(await run("changes")).toEqual(["412 precondition_failed"])
  })

  it("device: stays signed in on a phone", async () => {
    expect(await run("device")).toEqual(["Amara's phone true"])
  })

  it("feed: follows events", async () => {
    expect(await run("feed")).toEqual(["owner@example.com has an account"])
  })

  it("are all run, and shown unchanged in the documents", () => {
    const names = Object.keys(sources).map((path) => path.replace(/.*\/(\w+)\.ts$/, "$1"))
    expect([...ran].sort()).toEqual(names.sort())
    const snippets = Object.values(documents).flatMap((text) =>
      [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block),
    )
    expect(names.filter((name) => !snippets.includes(sourceOf(name)))).toEqual([])
    const known = new Set(names.map(sourceOf))
    expect(snippets.filter((block) => !known.has(block))).toEqual([])
  })
})
