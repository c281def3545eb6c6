import { env, exports } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { badges } from "../../drizzle/schema/badges.ts"
import { serveCrossing } from "../../src/app.ts"
import type { Bindings } from "../../src/env.ts"
import { CROSSING_VERSION, type Crossing, crossingRequest } from "../../src/lib/web/crossing.ts"
import primary from "../../src/primary.ts"
import { fileForm } from "../factories/assignments.ts"
import { PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { type CallOptions, call, cookieOf, cost, get, objectCost, post, put } from "../helpers/client.ts"

// Changes are forwarded from the edge entry to the primary entry, and clients notice no difference.

const STAR = { title: "Star", badgeIconUrl: "https://example.com/a.png" }
const { FORWARD_CHANGES } = env
const PRIMARY = env.PRIMARY as Fetcher

/** The URLs of the requests that the primary has served. */
let crossed: { method: string; path: string }[]

beforeEach(() => {
  crossed = []
  env.FORWARD_CHANGES = "on"
  const fetch = (request: Request) => {
    const [payload = ""] = (request.headers.get("x-lectern-crossing") ?? "").split(".")
    const { method, url } = JSON.parse(Buffer.from(payload, "base64url").toString()) as Crossing
    crossed.push({ method, path: new URL(url).pathname })
    return PRIMARY.fetch(request)
  }
  Object.assign(env, { PRIMARY: { fetch } })
})
afterEach(() => {
  Object.assign(env, { FORWARD_CHANGES, PRIMARY })
  vi.restoreAllMocks()
})

const create = (options?: CallOptions) => post("/api/badge/create", STAR, options)
const sameOrigin = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }

describe("a change", () => {
  it("crosses once, and costs and returns what it does without the primary", async () => {
    const admin = await signedIn("admin")
    const forwarded = await create(admin)
    expect(crossed).toEqual([{ method: "POST", path: "/api/badge/create" }])
    env.FORWARD_CHANGES = ""
    const here = await create(admin)
    expect(crossed).toHaveLength(1)
    expect(forwarded).toMatchObject({ status: 200, body: { ...here.body, id: 1 } })
    const { roundTrips, written } = cost(here)
    expect(cost(forwarded)).toMatchObject({ roundTrips, written })
    expect(objectCost(forwarded).calls).toBe(objectCost(here).calls)
    const names = ({ headers }: { headers: Headers }) => [...headers.keys()].sort()
    expect(names(forwarded)).toEqual(names(here))
    for (const name of ["cache-control", "content-security-policy", "ratelimit-policy", "x-content-type-options"])
      expect(forwarded.headers.get(name), name).toBe(here.headers.get(name))
    expect(Number(forwarded.headers.get("x-ratelimit-remaining"))).toBe(
      Number(here.headers.get("x-ratelimit-remaining")) + 1,
    )
    expect(await rowsOf(badges)).toHaveLength(2)
  })

  it("is made by the caller: a user, a cookie, an API key or none", async () => {
    const admin = await signedIn("admin")
    await create(admin)
    await create({ headers: { ...cookieOf(admin.token), ...sameOrigin } })
    env.FORWARD_CHANGES = ""
    const { key } = (await post("/api/api-key/create", { name: "Nightly", role: "staff", access: "write" })).body
    env.FORWARD_CHANGES = "on"
    await create({ token: key })
    await create()
    expect(crossed).toHaveLength(4)
    const made = (await rowsOf(auditLogs)).filter(({ subject }) => subject === "badge")
    expect(made.map(({ performedBy }) => performedBy)).toEqual([admin.id, admin.id, -1, null])
  })

  it("is refused at the edge without the role, a valid body, the page's origin or a valid token", async () => {
    const learner = await signedIn("general")
    const admin = await signedIn("admin")
    expect((await create(learner)).status).toBe(403)
    expect((await post("/api/badge/create", { title: 5 }, admin)).status).toBe(422)
    expect((await post("/api/badge/create", "{", admin)).status).toBe(400)
    expect((await create({ headers: { ...cookieOf(admin.token), "sec-fetch-site": "cross-site" } })).status).toBe(403)
    expect((await create({ token: "invented" })).status).toBe(401)
    expect((await post("/api/no/such/path", {}, admin)).status).toBe(404)
    expect(crossed).toEqual([])
  })

  it("returns the primary's errors with their headers", async () => {
    const admin = await signedIn("admin")
    const missing = await put("/api/badge/9", STAR, admin)
    expect(missing).toMatchObject({ status: 404, body: { code: "not_found" } })
    await create(admin)
    const stale = await put("/api/badge/1", STAR, { ...admin, headers: { "if-match": '"0"' } })
    expect(stale.status).toBe(412)
    expect(missing.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(crossed).toHaveLength(3)
  })

  it("keeps the request ID, the bookmark, and other origins' access", async () => {
    env.ALLOWED_ORIGINS = "https://app.example.org"
    try {
      const headers = { "x-request-id": "trace-1", origin: "https://app.example.org" }
      const made = await create({ headers })
      expect(made.headers.get("x-request-id")).toBe("trace-1")
      expect(made.headers.get("access-control-allow-origin")).toBe("https://app.example.org")
      const bookmark = made.headers.get("x-d1-bookmark") ?? ""
      expect(bookmark).toMatch(/\.[\w-]{22}$/)
      expect((await get("/api/badge/1", { headers: { "x-d1-bookmark": bookmark } })).body.title).toBe("Star")
    } finally {
      env.ALLOWED_ORIGINS = ""
    }
  })

  it("is made once under an Idempotency-Key", async () => {
    const options = { headers: { "idempotency-key": "once" } }
    const first = await create(options)
    const second = await create(options)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get("idempotency-replayed")).toBe("true")
    expect((await post("/api/badge/create", { ...STAR, title: "Moon" }, options)).status).toBe(422)
    expect(await rowsOf(badges)).toHaveLength(1)
  })

  it.each([10, 1_200_000])("carries a form with a file of %i bytes", async (size) => {
    const learner = await signedIn("general")
    const content = new Uint8Array(size).fill(97)
    const { body } = await post("/api/module/assignment/upload", fileForm(content, "wörk.txt"), learner)
    expect(crossed).toEqual([{ method: "POST", path: "/api/module/assignment/upload" }])
    const response = await exports.default.fetch(`https://lectern.test${body.storage_url}`, {
      headers: { authorization: `Bearer ${learner.token}` },
    })
    expect((await response.arrayBuffer()).byteLength).toBe(size)
  })

  it("crosses too if a GET makes it, with its protection", async () => {
    const { id, token } = await signedIn("general")
    const path = `/api/users/saveViewType?userId=${id}&type=grid`
    expect((await get(path, { headers: { ...cookieOf(token), "sec-fetch-site": "cross-site" } })).status).toBe(403)
    expect((await get(path, { token, headers: { "sec-purpose": "prefetch" } })).status).toBe(403)
    expect(crossed).toEqual([])
    const saved = await get(path, { token })
    expect(saved.status).toBe(200)
    expect(saved.headers.get("cache-control")).toBe("no-store")
    expect(crossed).toEqual([{ method: "GET", path: "/api/users/saveViewType" }])
  })

  it("counts once against the rate limit, and one over the limit does not cross", async () => {
    const { RATE_LIMIT } = env
    env.RATE_LIMIT = "2"
    try {
      const admin = await signedIn("admin")
      expect((await create(admin)).headers.get("x-ratelimit-remaining")).toBe("1")
      expect((await create(admin)).headers.get("x-ratelimit-remaining")).toBe("0")
      expect((await create(admin)).status).toBe(429)
      expect(crossed).toHaveLength(2)
    } finally {
      env.RATE_LIMIT = RATE_LIMIT
    }
  })
})

it("a read does not cross", async () => {
  const admin = await signedIn("admin")
  expect((await get("/api/userType/lookup", admin)).status).toBe(200)
  expect((await get("/login")).status).toBe(200)
  expect(crossed).toEqual([])
})

describe("a sign-in", () => {
  const signIn = (email: string, password = PASSWORD) => post("/login", { email, password })

  it("crosses once; the edge counts its attempts, and the primary asks no Durable Object", async () => {
    await user({ email: "ada@example.com", password: PASSWORD } as object)
    const opened = await signIn("ada@example.com")
    expect(opened.status).toBe(200)
    expect(crossed).toEqual([{ method: "POST", path: "/login" }])
    // admit, two attempts, the epoch, two settlements
    expect(objectCost(opened).calls).toBe(6)
    expect((await get("/api/me", { token: opened.body.token })).status).toBe(200)
  })

  it("sets the cookie of a form, and shows the page after a wrong password", async () => {
    await user({ email: "ada@example.com" })
    const form = (password: string) => new URLSearchParams({ email: "ada@example.com", password }).toString()
    const headers = { "content-type": "application/x-www-form-urlencoded", ...sameOrigin }
    const opened = await call("POST", "/login", { body: form(PASSWORD), headers })
    expect(opened.status).toBe(303)
    expect(opened.headers.get("set-cookie")).toContain("__Host-session=")
    const refused = await call("POST", "/login", { body: form("wrong"), headers })
    expect(refused.status).toBe(401)
    expect(refused.body).toContain("Incorrect email or password.")
    expect(crossed).toHaveLength(2)
  })

  it("is refused after ten wrong passwords, and allowed after a success in between", async () => {
    await user({ email: "ada@example.com" })
    for (let n = 0; n < 9; n++) expect((await signIn("ada@example.com", "wrong")).status).toBe(401)
    expect((await signIn("ada@example.com")).status).toBe(200)
    for (let n = 0; n < 10; n++) expect((await signIn("ada@example.com", "wrong")).status).toBe(401)
    const before = crossed.length
    expect((await signIn("ada@example.com")).status).toBe(429)
    expect(crossed).toHaveLength(before)
  })

  it("after all sessions were ended opens a session that is valid", async () => {
    const ada = await signedIn("general", { email: "ada@example.com" })
    expect((await post("/logout", { everywhere: true }, ada)).status).toBe(200)
    const { token } = (await signIn("ada@example.com")).body
    expect((await get("/api/me", { token })).status).toBe(200)
    expect((await get("/api/me", ada)).status).toBe(401)
  })
})

describe("the primary entry", () => {
  const ctx = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext
  const bindings = env as unknown as Bindings
  const crossing = (more: Partial<Crossing> = {}): Crossing => ({
    version: CROSSING_VERSION,
    until: Date.now() + 60_000,
    method: "POST",
    url: "https://lectern.test/api/badge/create",
    requestId: "request-1",
    caller: { kind: "user", id: 1, userType: "owner", client: "user:1", via: "bearer" },
    ...more,
  })
  const signed = (more: Partial<Crossing> = {}, secrets: Partial<Bindings> = {}) =>
    crossingRequest(
      { ...bindings, ...secrets },
      crossing(more),
      new Headers({ "content-type": "application/json" }),
      JSON.stringify(STAR),
    )

  it("serves what the edge has signed, also with the previous secret", async () => {
    await user({ userType: "owner" })
    expect((await primary.fetch(signed(), bindings, ctx)).status).toBe(200)
    const rotated = {
      ...bindings,
      APP_SECRET_PREVIOUS: bindings.APP_SECRET,
      APP_SECRET: "another secret of 32 characters!!",
    }
    expect((await primary.fetch(signed(), rotated, ctx)).status).toBe(200)
    expect(await rowsOf(badges)).toHaveLength(2)
  })

  it("serves a crossing that lacks optional members or has unknown ones, as another version sends it", async () => {
    await user({ userType: "owner" })
    const { decision: _, ...known } = crossing()
    const other = { ...known, invented: { later: true } } as Crossing
    const headers = new Headers({ "content-type": "application/json" })
    const request = crossingRequest(bindings, other, headers, JSON.stringify(STAR))
    const response = await serveCrossing(request, bindings, ctx)
    expect(response.status).toBe(200)
    expect(response.headers.get("x-request-id")).toBe("request-1")
    expect(JSON.parse(response.headers.get("x-lectern-answer") ?? "{}").meter.operation).toBe("createBadge")
  })

  it("serves nothing else", async () => {
    const requests = {
      "a public request": new Request("https://lectern.test/api/badge/create", { method: "POST", body: "{}" }),
      "another secret": signed({}, { APP_SECRET: "a secret that an attacker invented" }),
      "a newer version": signed({ version: CROSSING_VERSION + 1 }),
      "a version that is too old": signed({ version: CROSSING_VERSION - 2 }),
      "a request past its deadline": signed({ until: Date.now() - 1 }),
    }
    for (const [what, request] of Object.entries(requests)) {
      const response = await serveCrossing(request, bindings, ctx)
      expect(response.status, what).toBe(421)
      expect(response.headers.get("x-lectern-answer"), what).toBeNull()
    }
    const forged = signed()
    forged.headers.set("x-lectern-crossing", `${(forged.headers.get("x-lectern-crossing") ?? "").slice(0, -4)}AAAA`)
    expect((await serveCrossing(forged, bindings, ctx)).status).toBe(421)
    expect(await rowsOf(badges)).toEqual([])
  })

  it("cannot be reached through the public entry: a signed crossing is ignored there", async () => {
    env.ACCESS_POLICY = "enforced"
    try {
      const header = signed().headers.get("x-lectern-crossing") ?? ""
      const answer = await create({ headers: { "x-lectern-crossing": header } })
      expect(answer.status).toBe(302)
      expect(await rowsOf(badges)).toEqual([])
    } finally {
      env.ACCESS_POLICY = "documented"
    }
  })
})
