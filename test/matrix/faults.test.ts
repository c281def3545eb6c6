import { env } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { badges } from "../../drizzle/schema/badges.ts"
import { idempotencyKeys } from "../../drizzle/schema/system.ts"
import { serve } from "../../src/app.ts"
import { type DatabaseErrorKind, databaseErrorKind } from "../../src/db/database-errors.ts"
import { FAULTS, parseFault } from "../../src/db/fault-injection.ts"
import { QUERY_TIMEOUT_MS } from "../../src/db/timeout.ts"
import type { Bindings } from "../../src/env.ts"
import { consumeQueue } from "../../src/worker/queue.ts"
import { rowsOf } from "../factories/index.ts"
import { cost, get, post, query } from "../helpers/client.ts"

const STAR = { title: "Star", badgeIconUrl: "https://example.com/a.png" }
const LIST = `/api/badges/tabularlist${query({ page_size: 5, page_number: 1 })}`

let logged: string[]
beforeEach(() => {
  logged = []
  vi.spyOn(console, "error").mockImplementation((...given) => void logged.push(given.join(" ")))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** D1's documented error messages, and their classification. */
const WORDS: Record<string, DatabaseErrorKind | undefined> = {
  "D1_ERROR: D1 DB reset because its code was updated.": "lost",
  "D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.": "unreached",
  "D1_ERROR: Network connection lost.": "lost",
  "Network connection lost.": "lost",
  "D1_ERROR: Internal error in D1 DB storage caused object to be reset.": "lost",
  "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.": "unreached",
  "D1_ERROR: Can't read from request stream because client disconnected.": "lost",
  "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.": "lost",
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.": "refused",
  "D1_ERROR: D1 DB is overloaded. Too many requests queued.": "refused",
  "D1_ERROR: Currently processing a long-running import.": "refused",
  "D1_ERROR: Currently processing a long-running export.": "refused",
  "D1_ERROR: database is locked: SQLITE_BUSY": "refused",
  "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.": "exhausted",
  "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.": "exhausted",
  "D1_ERROR: internal error; reference = 7h2k": "lost",
  "D1_ERROR: no such table: erasures: SQLITE_ERROR": "behind",
  "D1_ERROR: no such column: users.born: SQLITE_ERROR": "behind",
  "D1_ERROR: UNIQUE constraint failed: users.email: SQLITE_CONSTRAINT": undefined,
  "D1_ERROR: CHECK constraint failed: guard: SQLITE_CONSTRAINT": undefined,
  "D1_ERROR: FOREIGN KEY constraint failed: SQLITE_CONSTRAINT": undefined,
  'D1_ERROR: near "selec": syntax error: SQLITE_ERROR': undefined,
}

it("D1's error messages are classified", () => {
  for (const [words, kind] of Object.entries(WORDS)) {
    expect(databaseErrorKind(new Error(words)), words).toBe(kind)
    expect(databaseErrorKind(new Error("Failed query", { cause: new Error(words) })), words).toBe(kind)
  }
})

describe("a requested fault", () => {
  it("affects the given round trip and is logged", async () => {
    const lost = await post("/api/badge/create", STAR, { headers: { "x-fault": "lost-after-landing" } })
    expect(lost).toMatchObject({ status: 200, body: { id: 1 } })
    expect(await rowsOf(badges)).toHaveLength(1)
    expect(await rowsOf(auditLogs)).toHaveLength(1)
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { event: "database fault", kind: "lost", read: false, error: "Error: D1_ERROR: Network connection lost." },
    ])
    const refused = await get(LIST, { headers: { "x-fault": "overloaded" } })
    expect(refused.body).toEqual({
      status: "error",
      code: "unavailable",
      message:
        "The database is overloaded right now. Nothing was changed. " +
        "Retry after the number of seconds in Retry-After.",
    })
    expect(cost(refused).roundTrips).toBe(0)
    expect((await get(LIST)).body.recordsTotal).toBe(1)
  })

  it("can target a queue's next batch, which is retried, and no later one", async () => {
    expect((await get(LIST, { headers: { "x-fault": "overloaded@1+; of=lectern-mail" } })).status).toBe(200)
    const retry = vi.fn()
    const message = { body: { mails: 1 }, attempts: 1, ack: vi.fn(), retry }
    const batch = { queue: "lectern-mail", messages: [message] } as unknown as MessageBatch
    await consumeQueue(batch, env)
    expect(retry).toHaveBeenCalledTimes(1)
    await consumeQueue(batch, env)
    expect(retry).toHaveBeenCalledTimes(1)
    expect(message.ack).toHaveBeenCalledTimes(1)
  })

  it("is validated by name", () => {
    for (const fault of Object.keys(FAULTS)) expect(parseFault(fault)).toEqual({ fault, trip: 1, on: false })
    expect(parseFault("silent@3+")).toEqual({ fault: "silent", trip: 3, on: true })
    expect(() => parseFault("earthquake")).toThrow("Use one of replica-behind, lost-before-landing")
  })

  it("is ignored in production", async () => {
    const request = new Request(`https://lectern.test${LIST}`, { headers: { "x-fault": "overloaded@1+" } })
    const deployed = { ...env, ENVIRONMENT: "production" } as unknown as Bindings
    const ctx = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext
    expect((await serve(request, deployed, ctx)).status).toBe(200)
  })
})

it("a table that is missing on the primary too is an internal error", async () => {
  await env.DB.exec("alter table badges rename to medals")
  const response = await serve(
    new Request(`https://lectern.test${LIST}`),
    env as unknown as Bindings,
    { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext,
  )
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ code: "internal_error" })
})

it("a batch committed after a timeout has no effect if the call was repeated with its key", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const { DB } = env
  let late: (() => Promise<unknown>) | undefined
  const withSession = (constraint: string) => {
    const session = DB.withSession(constraint)
    let trips = 0
    return {
      prepare: (text: string) => session.prepare(text),
      getBookmark: () => session.getBookmark(),
      batch: (statements: D1PreparedStatement[]) => {
        if (++trips < 2) return session.batch(statements)
        late = () => session.batch(statements)
        queueMicrotask(() => vi.advanceTimersByTime(QUERY_TIMEOUT_MS + 1))
        return new Promise(() => {})
      },
    }
  }
  const headers = { "idempotency-key": "star" }
  Object.assign(env, { DB: { withSession } })
  const first = await post("/api/badge/create", STAR, { headers }).finally(() => Object.assign(env, { DB }))
  expect(first).toMatchObject({ status: 503, body: { code: "outcome_unknown" } })
  expect(first.body.message).toMatch(/same Idempotency-Key/)
  const second = await post("/api/badge/create", STAR, { headers })
  expect(second.status).toBe(200)
  await expect(late?.()).rejects.toThrow("idempotency_keys")
  expect(await rowsOf(badges)).toHaveLength(1)
  expect(await rowsOf(auditLogs)).toHaveLength(1)
  expect(await rowsOf(idempotencyKeys)).toHaveLength(1)
})
