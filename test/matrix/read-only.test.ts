import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { badges } from "../../drizzle/schema/badges.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { SECOND } from "../../src/lib/clock.ts"
import { consumeQueue } from "../../src/worker/queue.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { exportJob } from "../factories/exports.ts"
import { rowsOf, signedIn } from "../factories/index.ts"
import { get, post } from "../helpers/client.ts"
import { messages } from "../helpers/queues.ts"

afterEach(() => {
  Object.assign(env, { READ_ONLY: "", SESSIONS_AFTER: "" })
})
const BADGE = { title: "Explorer", badgeIconUrl: "https://cdn.example.com/star.svg" }

describe("a read-only academy", () => {
  it("answers reads, and 503 to changes", async () => {
    await post("/api/badge/create", BADGE)
    const before = await rowsOf(auditLogs)
    Object.assign(env, { READ_ONLY: "on" })
    expect((await get("/api/badge/1")).body).toMatchObject({ title: "Explorer" })
    const refused = await post("/api/badge/create", { ...BADGE, title: "Pathfinder" })
    expect([refused.status, refused.headers.get("retry-after"), refused.body]).toEqual([
      503,
      "60",
      {
        status: "error",
        code: "unavailable",
        message: "The academy is read-only for maintenance. Nothing was changed. Try again later.",
      },
    ])
    expect(await rowsOf(auditLogs)).toEqual(before)
    expect(await rowsOf(badges)).toHaveLength(1)
  })

  it("runs no queues and no cron, and queues its jobs again when it ends", async () => {
    await exportJob(await signedIn("admin"), { dueAt: Date.now() - 1 })
    const before = await rowsOf(exportJobs)
    Object.assign(env, { READ_ONLY: "on" })
    let acknowledged = 0
    const batch = { queue: "lectern-exports", messages: [{ body: {} }], ackAll: () => acknowledged++ }
    await consumeQueue(batch as unknown as MessageBatch, env)
    await runScheduled(env)
    expect(acknowledged).toBe(1)
    expect(await rowsOf(exportJobs)).toEqual(before)
    expect(messages.EXPORTS).toEqual([])
    Object.assign(env, { READ_ONLY: "" })
    await runScheduled(env)
    expect(messages.EXPORTS).toHaveLength(1)
  })
})

describe("SESSIONS_AFTER", () => {
  it("ends every older session and no newer one", async () => {
    const { token } = await signedIn("general")
    expect((await get("/api/badges/lookup", { token })).status).not.toBe(401)
    Object.assign(env, { SESSIONS_AFTER: new Date(Date.now() + 2 * SECOND).toISOString() })
    expect((await get("/api/badges/lookup", { token })).status).toBe(401)
    Object.assign(env, { SESSIONS_AFTER: new Date(Date.now() - 60 * SECOND).toISOString() })
    expect((await get("/api/badges/lookup", { token })).status).not.toBe(401)
    Object.assign(env, { SESSIONS_AFTER: "yesterday" })
    expect((await get("/api/badges/lookup", { token })).status).toBe(401)
  })
})
