import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test"
import { env, tracing } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import monitoring from "../../docs/operations/monitoring.md?raw"
import worker from "../../src/index.ts"
import { BLOBS, DOUBLES } from "../../src/lib/web/metrics.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { deliver, exportJob, manyUsers } from "../factories/exports.ts"
import { signedIn } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { call, get, post } from "../helpers/client.ts"

interface Point {
  indexes: string[]
  blobs: string[]
  doubles: number[]
}

let points: Point[]
let lines: Record<string, unknown>[]
/** Configured as in production; the log is captured and not printed. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() })
  points = []
  lines = []
  Object.assign(env, { LOG: "requests", METRICS: { writeDataPoint: (point: Point) => points.push(point) } })
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(JSON.parse(line)))
})
afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(env, { LOG: "", METRICS: undefined, ENVIRONMENT: "development" })
})

/** A data point by column name. */
function byColumn({ indexes, blobs, doubles }: Point): Record<string, unknown> {
  expect(blobs).toHaveLength(BLOBS.length)
  expect(doubles).toHaveLength(DOUBLES.length)
  return {
    index: indexes,
    ...Object.fromEntries(BLOBS.map((name, i) => [name, blobs[i]])),
    ...Object.fromEntries(DOUBLES.map((name, i) => [name, doubles[i]])),
  }
}

const PAGE = "page_size=10&page_number=1"

describe("metrics of a request", () => {
  for (const ENVIRONMENT of ["development", "production"])
    it(`are one line and one data point per operation in ${ENVIRONMENT}`, async () => {
      const admin = await signedIn("admin")
      Object.assign(env, { ENVIRONMENT })
      const response = await get(`/api/users/tabularlist?${PAGE}`, admin)
      const requestId = response.headers.get("x-request-id")
      expect(response.headers.has("server-timing")).toBe(ENVIRONMENT === "development")
      const cost = { operation: "listUsers", method: "GET", status: 200, caller: "user", role: "admin", trips: 1 }
      expect(lines).toEqual([{ event: "request", requestId, ...cost, read: expect.any(Number), written: 0, ms: 0 }])
      expect(points.map(byColumn)).toEqual([
        {
          ...{ index: ["listUsers"], kind: "request", ...cost, marks: "", failed: 0, written: 0 },
          ...{ ms: 0, d1_ms: expect.any(Number), read: lines[0]?.read },
        },
      ])
      expect(lines[0]?.read).toBeGreaterThan(0)
    })

  it("include the written rows of a change", async () => {
    const admin = await signedIn("admin")
    await post("/api/location/create", { name: "Berlin" }, admin)
    expect(lines).toMatchObject([{ operation: "createLocation", trips: 1, status: 200 }])
    expect(lines[0]?.written).toBeGreaterThan(2)
  })

  it("use the route if it is no operation, and never the path", async () => {
    const key = "a-key-that-is-in-the-path"
    await get("/login")
    await get("/ready")
    await get(`/nowhere/${key}`)
    await call("POST", "/api/me")
    await get(`/${"a".repeat(9000)}${key}`)
    const { token } = await signedIn("admin")
    await get(`/api/credential/validate-key/${key}`, { token })
    expect(lines.map(({ operation, status }) => [operation, status])).toEqual([
      ["/login", 200],
      ["/ready", 200],
      ["/*", 404],
      ["/*", 405],
      ["/*", 413],
      ["validateCredentialKey", expect.any(Number)],
    ])
    expect(JSON.stringify([lines, points])).not.toContain(key)
  })

  it("are not written for /health", async () => {
    await get("/health")
    expect([lines, points]).toEqual([[], []])
  })

  it("include the type and role of the caller, whether or not access was granted", async () => {
    const key = await apiKey({ role: "staff" })
    const learner = await signedIn("general")
    lines = []
    await get("/api/me", { token: key.token })
    await get("/api/me", learner)
    await get(`/api/users/tabularlist?${PAGE}`, learner)
    await get("/api/me", { token: "nonsense" })
    expect(lines.map(({ caller, role, status }) => [caller, role, status])).toEqual([
      ["key", "staff", 200],
      ["user", "general", 200],
      ["user", "general", 403],
      ["anonymous", "anonymous", 401],
    ])
  })

  it("mark slow and expensive requests", async () => {
    const admin = await signedIn("admin")
    const { DB } = env
    const withSession = (constraint?: string) => {
      vi.setSystemTime(Date.now() + 1001)
      return DB.withSession(constraint)
    }
    Object.assign(env, { DB: { withSession } })
    await get(`/api/users/tabularlist?${PAGE}`, admin)
    Object.assign(env, { DB })
    await manyUsers(100)
    const delete_ids = Array.from({ length: 100 }, (_, i) => 1001 + i)
    expect(await post("/api/user/delete", { delete_ids }, admin)).toMatchObject({ status: 200 })
    const [slow, expensive] = lines.filter(({ event }) => event === "request")
    expect(slow).toMatchObject({ slow: true })
    expect(slow).not.toHaveProperty("expensive")
    expect(expensive).toMatchObject({ expensive: true })
    expect(points.map(byColumn).map(({ marks }) => marks)).toEqual(["slow", "expensive"])
  })

  it("have no line without LOG and no data point without METRICS", async () => {
    Object.assign(env, { LOG: "" })
    await get("/login")
    expect([lines.length, points.length]).toEqual([0, 1])
    Object.assign(env, { LOG: "requests", METRICS: undefined })
    await get("/login")
    expect([lines.length, points.length]).toEqual([1, 1])
  })
})

describe("trace", () => {
  it("has a span named by the operation, with its route instead of the address", async () => {
    const attributes: Record<string, unknown> = { "url.full": "https://lectern.test/…" }
    const span = { isTraced: true, setAttributes: (values: object) => Object.assign(attributes, values) }
    vi.spyOn(tracing, "getActiveSpan").mockReturnValue(span as unknown as ReturnType<typeof tracing.getActiveSpan>)
    const entered = vi.spyOn(tracing, "enterSpan")
    const { token } = await signedIn("admin")
    expect(await get("/api/credential/validate-key/a-key-of-somebody", { token })).toMatchObject({ status: 200 })
    const ownSpans = entered.mock.calls.map(([name]) => name).filter((name) => !name.startsWith("d1_"))
    expect(ownSpans).toEqual(["validateCredentialKey"])
    const route = "validateCredentialKey"
    expect(attributes).toEqual({ "url.full": "", "url.path": route, "url.query": "", "http.route": route })
  })
})

describe("metrics of queue messages and cron runs", () => {
  it("are one line and one data point each, with failures", async () => {
    const admin = await signedIn("admin")
    await deliver(await exportJob(admin))
    const error = vi.spyOn(console, "error").mockImplementation(() => {})
    const broken = createMessageBatch("lectern-mail", [
      { id: "1", timestamp: new Date(), attempts: 1, body: { nonsense: true } },
    ])
    await worker.queue(broken, env)
    await getQueueResult(broken, createExecutionContext())
    expect(error).toHaveBeenCalledTimes(1)
    await runScheduled(env)
    const counts = { trips: expect.any(Number), read: expect.any(Number), written: expect.any(Number) }
    const ms = expect.any(Number)
    expect(lines).toEqual([
      { event: "queue", operation: "lectern-exports", messages: 1, ms, ...counts },
      { event: "queue", operation: "lectern-mail", messages: 1, failed: 1, ms, trips: 0, read: 0, written: 0 },
      { event: "cron", operation: "sweep", ms, ...counts },
    ])
    expect(lines[0]?.written).toBeGreaterThan(0)
    expect(points.map(byColumn)).toMatchObject([
      { kind: "queue", operation: "lectern-exports", failed: 0 },
      { kind: "queue", operation: "lectern-mail", failed: 1 },
      { kind: "cron", operation: "sweep", failed: 0 },
    ])
  })
})

describe("docs/operations/monitoring.md", () => {
  const columns = new Map<string, string>([
    ...BLOBS.map((name, i) => [`blob${i + 1}`, name] as const),
    ...DOUBLES.map((name, i) => [`double${i + 1}`, name] as const),
  ])

  it("documents the columns as they are written", () => {
    const rows = [...monitoring.matchAll(/^\| `((?:blob|double)\d+)` +\| `(\w+)` +\|/gm)]
    expect(rows.map(([, column, name]) => [column, name])).toEqual([...columns])
  })

  it("uses existing columns in its queries", () => {
    const queries = [...monitoring.matchAll(/```sql\n(.*?)```/gs)].map(([, text = ""]) => text)
    expect(queries).toHaveLength(3)
    const wrong: string[] = []
    for (const line of queries.flatMap((text) => text.split("\n"))) {
      const [, alias] = / AS (\w+),?$/.exec(line) ?? []
      for (const [column] of line.matchAll(/\b(?:blob|double)\d+\b/g)) {
        const name = columns.get(column)
        // Lines with a select list the columns; conditions use the kind or the status.
        const isRight = alias ? alias.replace(/_(median|95|each)$/, "") === name : /^(kind|status)$/.test(name ?? "")
        if (!isRight) wrong.push(`${column} is ${name}: ${line.trim()}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
