import { env } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { badges } from "../../drizzle/schema/badges.ts"
import { serve, serveCrossing } from "../../src/app.ts"
import type { Bindings } from "../../src/env.ts"
import { MINUTE } from "../../src/lib/clock.ts"
import { CROSSING_VERSION, type Crossing, crossingRequest } from "../../src/lib/web/crossing.ts"
import { fileForm } from "../factories/assignments.ts"
import { PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { type Answer, post } from "../helpers/client.ts"

// Faults between the edge entry and the primary entry, with and without an Idempotency-Key: a change is made once, or
// the response says that the outcome is unknown.

const { FORWARD_CHANGES } = env
const PRIMARY = env.PRIMARY as Fetcher
const STAR = { title: "Star", badgeIconUrl: "https://example.com/a.png" }
const ctx = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext

let calls: number
beforeEach(() => {
  calls = 0
  env.FORWARD_CHANGES = "on"
  vi.spyOn(console, "error").mockImplementation(() => {})
})
afterEach(() => {
  Object.assign(env, { FORWARD_CHANGES, PRIMARY })
  vi.useRealTimers()
  vi.restoreAllMocks()
})

type Fetch = (request: Request, call: number) => Promise<Response>

/** Installs a primary that fails in the given way. */
const bind = (fetch: Fetch) => Object.assign(env, { PRIMARY: { fetch: (request: Request) => fetch(request, ++calls) } })

const lost = (): never => {
  throw new Error("Network connection lost.")
}
const silent = () => {
  queueMicrotask(() => vi.advanceTimersByTime(MINUTE + 1))
  return new Promise<never>(() => {})
}
/** A primary of another version, which refuses requests of this version. */
const otherVersion = (request: Request, version: number) => {
  const [payload = ""] = (request.headers.get("x-lectern-crossing") ?? "").split(".")
  const crossing = JSON.parse(Buffer.from(payload, "base64url").toString()) as Crossing
  const bindings = env as unknown as Bindings
  const next = crossingRequest(bindings, { ...crossing, version }, request.headers, request.body)
  return serveCrossing(next, bindings, ctx)
}
const plainFetch: Fetch = (request) => PRIMARY.fetch(request)

interface Row {
  what: string
  fetch: Fetch
  /** Without an Idempotency-Key, then with one. */
  plain: [status: number, badges: number]
  keyed: [status: number, badges: number]
}

const ROWS: Row[] = [
  {
    what: "the request is lost",
    fetch: async (request, n) => (n === 1 ? lost() : plainFetch(request, n)),
    plain: [503, 0],
    keyed: [200, 1],
  },
  {
    what: "the answer is lost",
    fetch: async (request, n) => {
      const answer = await plainFetch(request, n)
      return n === 1 ? lost() : answer
    },
    plain: [503, 1],
    keyed: [200, 1],
  },
  {
    what: "the answer is lost twice",
    fetch: async (request, n) => {
      await plainFetch(request, n)
      return lost()
    },
    plain: [503, 1],
    keyed: [503, 1],
  },
  {
    what: "the primary never answers",
    fetch: (request, n) => (n === 1 ? silent() : plainFetch(request, n)),
    plain: [503, 0],
    keyed: [200, 1],
  },
  {
    what: "the primary is older and does not know this version",
    fetch: (request) => otherVersion(request, CROSSING_VERSION + 1),
    plain: [200, 1],
    keyed: [200, 1],
  },
  {
    what: "another Worker is bound, such as an edge entry",
    fetch: (request) => serve(request, env as unknown as Bindings, ctx),
    plain: [200, 1],
    keyed: [200, 1],
  },
  {
    what: "nothing is deployed there",
    fetch: async () => new Response("Couldn't find a local dev session", { status: 503 }),
    plain: [200, 1],
    keyed: [200, 1],
  },
]

const expectOutcome = (answer: Answer, status: number) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  if (status !== 503) return
  expect(answer.body.code).toBe("outcome_unknown")
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
}

const CELLS = ROWS.flatMap(({ what, fetch, plain, keyed }) => [
  { what, fetch, key: undefined, cell: plain },
  { what: `${what}, under an Idempotency-Key`, fetch, key: "once", cell: keyed },
])

it.each(CELLS)("a change is never made twice: $what", async ({ fetch, key, cell: [status, count] }) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const options = { headers: { ...(key && { "idempotency-key": key }) } }
  bind(fetch)
  const answer = await post("/api/badge/create", STAR, options)
  expectOutcome(answer, status)
  expect(calls).toBeGreaterThan(0)
  expect(await rowsOf(badges)).toHaveLength(count)
  expect(await rowsOf(auditLogs)).toHaveLength(count)
  bind(plainFetch)
  const again = await post("/api/badge/create", STAR, options)
  expect(again.status).toBe(200)
  expect(await rowsOf(badges)).toHaveLength(key ? 1 : count + 1)
  if (key && status === 200) expect(again.body).toEqual(answer.body)
})

describe("without a primary that serves", () => {
  it("changes run at the edge for half a minute, then the primary is asked again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    bind(async () => new Response(null, { status: 421 }))
    for (let n = 1; n <= 3; n++) expect((await post("/api/badge/create", STAR)).status).toBe(200)
    expect(calls).toBe(1)
    vi.setSystemTime(Date.now() + 31_000)
    expect((await post("/api/badge/create", STAR)).status).toBe(200)
    expect(calls).toBe(2)
    expect(await rowsOf(badges)).toHaveLength(4)
  })

  it("and without the binding, changes run at the edge", async () => {
    Object.assign(env, { PRIMARY: undefined })
    expect((await post("/api/badge/create", STAR)).status).toBe(200)
  })

  it("a large form is refused once, unchanged, and then runs at the edge", async () => {
    const { token } = await signedIn("general")
    bind(async () => new Response(null, { status: 421 }))
    const upload = () => post("/api/module/assignment/upload", fileForm(new Uint8Array(1_200_000).fill(97)), { token })
    expect(await upload()).toMatchObject({ status: 503, body: { code: "unavailable" } })
    expect((await env.FILES.list()).objects).toEqual([])
    expect((await upload()).status).toBe(200)
    expect((await env.FILES.list()).objects).toHaveLength(1)
  })

  it("people sign in at the edge, with the same limit of attempts", async () => {
    await user({ email: "ada@example.com" })
    bind(async () => new Response(null, { status: 421 }))
    const signIn = (password: string) => post("/login", { email: "ada@example.com", password })
    for (let n = 0; n < 10; n++) expect((await signIn("wrong")).status).toBe(401)
    expect((await signIn(PASSWORD)).status).toBe(429)
  })
})

it("a lost answer of a sign-in counts as no failure", async () => {
  await user({ email: "ada@example.com" })
  bind(async () => lost())
  const signIn = () => post("/login", { email: "ada@example.com", password: PASSWORD })
  for (let n = 0; n < 12; n++) expectOutcome(await signIn(), 503)
  bind(plainFetch)
  expect((await signIn()).status).toBe(200)
})
