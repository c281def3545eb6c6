/// <reference types="vite/client" />
import { runInDurableObject } from "cloudflare:test"
import { env, exports } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { orders } from "../../drizzle/schema/orders.ts"
import { type ClientOptions, createClient } from "../../src/client/index.ts"
import { hashPassword } from "../../src/lib/crypto/password.ts"
import { rowsOf, tokenOf, user } from "../factories/index.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { post, put } from "../helpers/client.ts"
import { openQueue } from "../helpers/queues.ts"
import { anyIsoTime } from "../helpers/times.ts"

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
  ["../../README.md", "../../src/client/README.md", "../../docs/api/mobile.md", "../../docs/api/copies.md"],
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

/** The part of `node:sqlite` that the examples use, on the storage of a Durable Object. */
class Sqlite {
  static storage: SqlStorage
  exec(text: string) {
    Sqlite.storage.exec(text)
  }
  prepare(text: string) {
    const run = (...values: SqlStorageValue[]) => Sqlite.storage.exec(text, ...values).toArray()
    return { run, get: (...values: SqlStorageValue[]) => run(...values)[0] }
  }
}
vi.mock("node:sqlite", () => ({ DatabaseSync: Sqlite }))

/** A client of a signed-in user, as in an app on a phone. */
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

  it("nightly: copies what changed, and nothing on a day without changes", { timeout: 60_000 }, async () => {
    const [ada, eve] = [
      await user({ firstName: "Ada", lastName: "Byron" }),
      await user({ firstName: "Eve", lastName: "" }),
    ]
    const algebra = await course({}, [{}])
    const mine = await enrollment(ada, algebra)
    await enrollment(eve, algebra)
    const stub = env.CLIENTS.get(env.CLIENTS.idFromName("a copy in SQLite"))
    await runInDurableObject(stub, async (_, { storage }) => {
      Sqlite.storage = storage.sql
      const all = (text: string) => storage.sql.exec(text).toArray()
      const began = Date.now()
      vi.useFakeTimers({ toFake: ["Date"], now: began })
      /** The database's clock does not move with the test's: what changed since, changed an hour before now. */
      const settle = () =>
        env.DB.batch(
          ["users", "enrollments"].map((table) =>
            env.DB.prepare(`update ${table} set updated_at = ? where updated_at between ? and ?`).bind(
              Date.now() - 3_600_000,
              began - 600_000,
              began + 600_000,
            ),
          ),
        )
      const night = async () => {
        await settle()
        printed = []
        const isFirst = !ran.has("nightly")
        await run("nightly")
        if (!isFirst) await (await import("../../src/client/examples/nightly.ts")).copy()
        const lines = [...printed]
        vi.setSystemTime(Date.now() + DAY)
        return lines
      }
      expect(await night()).toEqual(["users: 3, enrollments: 2, deletions: 0"])
      expect(all("select id, name from users where id > 1")).toEqual([
        { id: ada.id, name: "Ada Byron" },
        { id: eve.id, name: "Eve" },
      ])
      expect(await night()).toEqual(["users: 0, enrollments: 0, deletions: 0"])

      const owner = async () => ({ token: await tokenOf({ id: 1, userType: "owner" } as typeof ada) })
      expect((await put(`/api/user/${ada.id}`, { firstName: "Augusta" }, await owner())).status).toBe(200)
      const completed = { registrationId: mine.id, moduleId: 1, status: "Completed" }
      expect((await post("/api/module/progress", completed, await owner())).status).toBe(200)
      const ended = { course_ids: [algebra.id], user_ids: [eve.id] }
      expect((await post("/api/course/unenroll", ended, await owner())).status).toBe(200)
      const bob = await user({ firstName: "Bob", lastName: "" })
      expect(await night()).toEqual(["users: 2, enrollments: 1, deletions: 1"])
      expect(all("select id, name from users where id > 1 order by id")).toEqual([
        { id: ada.id, name: "Augusta Byron" },
        { id: eve.id, name: "Eve" },
        { id: bob.id, name: "Bob" },
      ])
      expect(all("select * from completions")).toEqual([
        { user_id: ada.id, course_id: algebra.id, completed_at: anyIsoTime },
      ])
      expect(all("select id from enrollments")).toEqual([{ id: mine.id }])

      expect((await post("/api/user/delete", { delete_ids: [eve.id] }, await owner())).status).toBe(200)
      expect(await night()).toEqual(["users: 0, enrollments: 0, deletions: 1"])
      expect(all("select count(*) as count from users")).toEqual([{ count: 3 }])
      expect(await night()).toEqual(["users: 0, enrollments: 0, deletions: 0"])

      // As after a restore of the service from a backup.
      const beyond = Buffer.from("after 999999 1 0").toString("base64url")
      storage.sql.exec("update state set value = ? where name = 'cursor'", beyond)
      storage.sql.exec("delete from users")
      expect(await night()).toEqual(["users: 3, enrollments: 1, deletions: 0"])
      expect(all("select count(*) as count from users")).toEqual([{ count: 3 }])
    })
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
