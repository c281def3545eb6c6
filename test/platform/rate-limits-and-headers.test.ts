import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { users } from "../../drizzle/schema/users.ts"
import { addressClient, clientObject } from "../../src/access/clients.ts"
import { HOUR } from "../../src/lib/clock.ts"
import { PNG } from "../factories/certificates.ts"
import { PASSWORD, rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { type Answer, CONTENT_ORIGIN, call, cookieOf, get, objectCost, post, put } from "../helpers/client.ts"

const once = { headers: { "idempotency-key": "once" } }
const remaining = (response: { headers: Headers }) => Number(response.headers.get("x-ratelimit-remaining"))

describe("the rate limit", () => {
  const { RATE_LIMIT, RATE_WINDOW_SECONDS } = env
  beforeEach(() => {
    env.RATE_LIMIT = "300"
  })
  afterEach(() => {
    Object.assign(env, { RATE_LIMIT, RATE_WINDOW_SECONDS })
  })

  it("counts one per request on every response, including 302, 404 and 405", async () => {
    const first = await get("/api/userType/lookup")
    expect(first.headers.get("x-ratelimit-limit")).toBe("300")
    expect(remaining(first)).toBe(299)
    expect(remaining(await get("/api/no/such/path"))).toBe(298)
    expect(remaining(await call("PUT", "/api/userType/lookup", { body: {} }))).toBe(297)
    expect(remaining(await get("/login"))).toBe(296)
    const last = await get("/openapi.json")
    expect(remaining(last)).toBe(295)
    expect(last.headers.get("ratelimit-policy")).toBe('"default";q=300;w=60')
    expect(last.headers.get("ratelimit")).toMatch(/^"default";r=295;t=\d+$/)
    expect(Number(last.headers.get("x-ratelimit-reset")) * 1000).toBeGreaterThan(Date.now())
  })

  it("rejects the 301st request of a window, read or change, until the window resets", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    for (let i = 0; i < 300; i++) await get("/api/userType/lookup")
    const refused = await get("/api/userType/lookup")
    expect(refused).toMatchObject({ status: 429, body: { status: "error" } })
    expect(refused.headers.get("retry-after")).toBe("60")
    expect(remaining(refused)).toBe(0)
    const change = await post("/api/user/create", {})
    expect(change.status).toBe(429)
    vi.setSystemTime(Date.now() + 59_000)
    const late = await get("/api/userType/lookup")
    expect(late.status).toBe(429)
    expect(late.headers.get("retry-after")).toBe("1")
    vi.setSystemTime(Date.now() + 1_000)
    expect(remaining(await get("/api/userType/lookup"))).toBe(299)
  })

  it("counts 1,000 parallel requests exactly", async () => {
    env.RATE_LIMIT = "100000"
    const before = remaining(await get("/api/userType/lookup"))
    const responses = await Promise.all(Array.from({ length: 1000 }, () => get("/api/userType/lookup")))
    const counts = responses.map(remaining)
    expect(new Set(counts).size).toBe(1000)
    expect(Math.min(...counts)).toBe(before - 1000)
  })

  const address = () => clientObject(env, "ip:203.0.113.7")
  /** Makes calls one after another, and answers how many rows the Durable Object wrote meanwhile. */
  const burst = async (calls: number) => {
    let written = 0
    for (let i = 0; i < calls; i++) written += objectCost(await get("/api/userType/lookup")).written
    return written
  }

  it("stores its window once per tenth of the limit with one alarm, and an eviction loses less than that", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    expect(await burst(29)).toBe(0)
    expect(await burst(31), "twice the window, once the alarm").toBe(3)
    expect(await burst(29)).toBe(0)
    expect(remaining(await get("/api/no/such/path")), "the ninetieth").toBe(300 - 90)
    expect(await burst(29)).toBe(0)
    await evictDurableObject(address())
    expect(remaining(await get("/api/userType/lookup")), "of 119 it knew 90").toBe(300 - 91)
    expect(await burst(28)).toBe(0)
    expect(await burst(1), "the window alone: its alarm is set").toBe(1)
  })

  it("writes nothing for a client that calls occasionally", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    expect(await burst(30)).toBe(2)
    for (let i = 0; i < 40; i++) {
      vi.setSystemTime(Date.now() + 20_000)
      expect(await burst(1)).toBe(0)
    }
    await evictDurableObject(address())
    expect(await burst(1)).toBe(0)
    const elsewhere = { headers: { "cf-connecting-ip": "198.51.100.1" } }
    expect(objectCost(await get("/api/userType/lookup", elsewhere))).toEqual({ calls: 1, written: 0 })
    expect(objectCost(await get("/api/userType/lookup", await signedIn("staff")))).toEqual({ calls: 1, written: 0 })
  })

  it("loses no call of a small limit to an eviction", async () => {
    env.RATE_LIMIT = "5"
    await burst(3)
    await evictDurableObject(address())
    expect(remaining(await get("/api/userType/lookup"))).toBe(1)
    await burst(1)
    await evictDurableObject(address())
    expect((await get("/api/userType/lookup")).status).toBe(429)
  })

  it("deletes its data once its windows have passed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const left = () =>
      runInDurableObject(address(), async (_, { storage }) => ({
        keys: [...storage.kv.list()].map(([key]) => key),
        alarm: await storage.getAlarm(),
      }))
    const start = Date.now()
    await burst(30)
    expect(await left()).toEqual({ keys: ["window"], alarm: start + HOUR })
    vi.setSystemTime(start + HOUR)
    await burst(30)
    await runDurableObjectAlarm(address())
    expect(await left(), "a later window").toEqual({ keys: ["window"], alarm: start + 2 * HOUR })
    vi.setSystemTime(start + 2 * HOUR)
    await burst(1)
    await runDurableObjectAlarm(address())
    expect(await left(), "a window that is not stored").toEqual({ keys: [], alarm: null })
    expect(await burst(29), "the window, and an alarm again").toBe(2)
  })

  it("counts an ended token neither for its user nor for the network address", async () => {
    const ada = await signedIn("staff")
    await get("/api/userType/lookup", ada)
    await post("/logout", {}, ada)
    const again = await tokenOf(ada)
    const before = remaining(await get("/api/userType/lookup", { token: again }))
    const ofAddress = remaining(await get("/api/userType/lookup"))
    for (let i = 1; i <= 3; i++) {
      const response = await get("/api/userType/lookup", ada)
      expect([response.status, remaining(response)]).toEqual([401, 300 - i])
    }
    expect(remaining(await post("/api/user/create", {}, ada))).toBe(300 - 4)
    expect(remaining(await get("/api/userType/lookup", { token: again }))).toBe(before - 1)
    expect(remaining(await get("/api/userType/lookup"))).toBe(ofAddress - 1)
  })

  it("returns 429 for many invalid tokens and keys, and still lets the address sign in", async () => {
    env.RATE_LIMIT = "3"
    const ada = await signedIn("staff")
    await post("/logout", {}, ada)
    const bad = [
      { token: "eyJhbGciOiJIUzI1NiJ9.e30.AAAA" },
      { token: "lk_1" },
      { token: `lk_7_${"A".repeat(43)}` },
      ada,
      { headers: { authorization: "Basic YTpi" } },
      { headers: { "x-api-key": "lk_1" } },
    ]
    const flood = async () => {
      const answers = [
        ...(await Promise.all(bad.map((credential) => get("/api/userType/lookup", credential)))),
        ...(await Promise.all(bad.map((credential) => post("/api/user/create", {}, credential)))),
      ]
      return answers.map(({ status }) => status).sort()
    }
    expect(await flood()).toEqual([401, 401, 401, ...Array(9).fill(429)])
    const refused = await get("/api/userType/lookup", { token: "lk_1" })
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    const signedInAgain = await post("/login", { email: ada.email, password: PASSWORD }, bad[2])
    expect([signedInAgain.status, remaining(signedInAgain)]).toEqual([200, 2])
    expect((await get("/login")).status).toBe(200)
  })

  it("counts users and addresses separately", async () => {
    const ada = await signedIn("staff")
    expect(remaining(await get("/api/userType/lookup", ada))).toBe(299)
    expect(remaining(await get("/api/userType/lookup"))).toBe(299)
    const elsewhere = { headers: { "cf-connecting-ip": "198.51.100.1" } }
    expect(remaining(await get("/api/userType/lookup", elsewhere))).toBe(299)
  })

  it("treats a customer's IPv6 network as one client", () => {
    expect(addressClient("2001:db8:1:2:3:4:5:6")).toBe("ip:2001:db8:1:2::/64")
    expect(addressClient("2001:db8:1:2::9")).toBe("ip:2001:db8:1:2::/64")
    expect(addressClient("2001:db8::1")).toBe("ip:2001:db8:0:0::/64")
    expect(addressClient("203.0.113.7")).toBe("ip:203.0.113.7")
  })

  it("uses only the Durable Objects of the deployment's jurisdiction", async () => {
    const { CLIENTS } = env
    const addresses: string[] = []
    // workerd knows no jurisdictions.
    const jurisdiction = (name: string) => {
      addresses.push(name)
      return CLIENTS
    }
    Object.assign(env, { CLIENTS: { jurisdiction }, JURISDICTION: "eu" })
    try {
      expect(await get("/api/userType/lookup", { headers: { "cf-connecting-ip": "203.0.113.99" } })).toMatchObject({
        status: 200,
      })
      expect(addresses).toEqual(["eu"])
    } finally {
      Object.assign(env, { CLIENTS, JURISDICTION: "" })
    }
  })

  it("serves the request if the rate limiter is unreachable, and refuses to sign in", async () => {
    const { CLIENTS } = env
    const log = vi.spyOn(console, "error").mockImplementation(() => {})
    await user({ email: "ada@example.com" })
    Object.assign(env, {
      CLIENTS: {
        idFromName: () => {
          throw new Error("out of reach")
        },
      },
    })
    try {
      const { exports } = await import("cloudflare:workers")
      const served = await exports.default.fetch("https://lectern.test/api/userType/lookup")
      expect(served.status).toBe(200)
      expect(log).toHaveBeenCalledWith(expect.stringContaining("limiter unreachable"))
      const login = await exports.default.fetch("https://lectern.test/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "ada@example.com", password: PASSWORD }),
      })
      expect(login.status).toBe(503)
    } finally {
      Object.assign(env, { CLIENTS })
      log.mockRestore()
    }
  })
})

describe("every response", () => {
  it("has a request id, security headers, and its cost in development", async () => {
    const response = await get("/api/userType/lookup")
    expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{10,}$/)
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    expect(response.headers.get("strict-transport-security")).toBeTruthy()
    const timing = String(response.headers.get("server-timing")).split(", ")
    expect(timing[0]).toBe('d1;desc="trips=0 read=0 written=0";dur=0')
    expect(timing.slice(1)).toEqual(['do;desc="calls=1 written=0"', 'queue;desc="messages=0"', 'r2;desc="a=0 b=0"'])
    expect(response.headers.get("cache-control")).toBe("private, no-cache")
  })

  it("has its use of Durable Objects, queues and the bucket in development", async () => {
    const owner = await signedIn("owner")
    const timing = (response: Answer) => String(response.headers.get("server-timing")).split(", ").slice(1)
    const [objects] = timing(await post("/logout", {}, await signedIn("general")))
    expect(objects, "that the session ended, and the alarm that forgets it").toBe('do;desc="calls=2 written=2"')
    const chosen = { password: PASSWORD, password_confirmation: PASSWORD }
    const created = await post("/api/user/create", { firstName: "Ada", email: "ada@example.com", ...chosen }, owner)
    expect(created.status).toBe(200)
    expect(timing(created).slice(1)).toEqual(['queue;desc="messages=1"', 'r2;desc="a=0 b=0"'])
    const background = new FormData()
    background.set("file", new File([PNG], "background.png"))
    const stored = await post("/api/certificate_template/upload", background, owner)
    expect(stored.status).toBe(200)
    expect(timing(stored).slice(1)).toEqual(['queue;desc="messages=0"', 'r2;desc="a=1 b=0"'])
  })

  it("is not cached if it may contain a secret that is shown once", async () => {
    const bookmarks = [
      await post("/login", { email: "ada@example.com", password: "wrong" }),
      await post("/logout", {}),
      await get("/set-password?token=unknown"),
      await post("/api/user/create", {}),
      await post("/api/user/prepareTwoFactorAuth", { user_id: (await user()).id }, once),
      await post("/api/user/prepareTwoFactorAuth", { user_id: 1 }, once),
      await get("/api/user-meta/2fa?user_id=1"),
      await get(`${CONTENT_ORIGIN}/scorm/unknown/index.html`),
      await get("/nothing"),
    ]
    expect(bookmarks[5]?.headers.get("idempotency-replayed")).toBe("true")
    for (const [i, response] of bookmarks.entries())
      expect(response.headers.get("cache-control"), String(i)).toBe("no-store")
  })

  it("has its security headers as a static file too, which is served without the Worker", async () => {
    for (const path of ["/assets/pages.css", "/assets/logo.svg", "/assets/reference.js"]) {
      const { status, headers } = await env.ASSETS.fetch(`https://lectern.test${path}`, { method: "HEAD" })
      expect(status, path).toBe(200)
      expect(headers.get("x-content-type-options"), path).toBe("nosniff")
      expect(headers.get("strict-transport-security")).toBe("max-age=15552000; includeSubDomains")
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'")
    }
  })

  it("lets the service worker of the console call this origin only, for the console only", async () => {
    const { headers } = await env.ASSETS.fetch("https://lectern.test/assets/service-worker.js", { method: "HEAD" })
    expect(headers.get("service-worker-allowed")).toBe("/console")
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; connect-src 'self'")
    expect(headers.get("cache-control")).toBe("no-cache")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  })

  it("hides its cost in production", async () => {
    const { ENVIRONMENT } = env
    env.ENVIRONMENT = "production"
    const response = await get("/api/userType/lookup")
    env.ENVIRONMENT = ENVIRONMENT
    expect(response.headers.get("server-timing")).toBeNull()
  })

  it("has a bookmark that the next call reads by; invalid ones are ignored", async () => {
    const created = await post("/api/user/create", { ...ada, password_confirmation: ada.password })
    const bookmark = created.headers.get("x-d1-bookmark") ?? ""
    expect(bookmark).toBeTruthy()
    expect((await get("/api/user/1", { headers: { "x-d1-bookmark": bookmark } })).status).toBe(200)
    expect((await get("/api/user/1", { headers: { "x-d1-bookmark": "'; drop table users" } })).status).toBe(200)
  })

  it("accepts only bookmarks that it signed, with the current or the previous secret", async () => {
    const bookmark = (await get("/api/users/tabularlist?page_size=1&page_number=1")).headers.get("x-d1-bookmark") ?? ""
    const constraints: unknown[] = []
    const { DB, APP_SECRET } = env
    const withSession = (constraint?: string) => {
      constraints.push(constraint)
      return DB.withSession(constraint)
    }
    const readBy = async (given: string) => {
      await get("/api/user/1", { headers: { "x-d1-bookmark": given } })
      return constraints.at(-1)
    }
    Object.assign(env, { DB: { withSession } })
    try {
      const [timestamp = ""] = bookmark.split(".")
      expect(bookmark).toMatch(/^[0-9a-f-]{59}\.[\w-]{22}$/)
      expect(await readBy(bookmark)).toBe(timestamp)
      const later = `ffffffff${timestamp.slice(8)}`
      for (const made of [
        timestamp,
        later,
        `${timestamp}.${"A".repeat(22)}`,
        bookmark.replace(timestamp, later),
        `${bookmark}A`,
      ])
        expect(await readBy(made), made).toBe("first-unconstrained")
      Object.assign(env, {
        APP_SECRET: "another secret of the tests, as long as is asked",
        APP_SECRET_PREVIOUS: APP_SECRET,
      })
      expect(await readBy(bookmark)).toBe(timestamp)
      Object.assign(env, { APP_SECRET_PREVIOUS: undefined })
      expect(await readBy(bookmark)).toBe("first-unconstrained")
    } finally {
      Object.assign(env, { DB, APP_SECRET, APP_SECRET_PREVIOUS: undefined })
    }
  })
})

const ada = { firstName: "Ada", email: "ada@example.com", password: "analytical engine" }

describe("a call that cannot be parsed", () => {
  it("returns 404 for unknown paths and invalid ids", async () => {
    for (const path of [
      "/api/nothing",
      "/nothing",
      "/api/user/abc",
      "/api/user/0x1",
      "/api/user/0",
      "/api/user/99999999999999999999",
    ])
      expect((await get(path)).status, path).toBe(404)
  })

  it("returns 405 with the allowed methods", async () => {
    const response = await call("PUT", "/api/userType/lookup", { body: {} })
    expect(response.status).toBe(405)
    expect(response.headers.get("allow")).toBe("GET, HEAD")
    expect((await call("DELETE", "/api/user/1")).headers.get("allow")?.split(", ").sort()).toEqual([
      "GET",
      "HEAD",
      "PUT",
    ])
  })

  it("handles HEAD like GET, without the body", async () => {
    const response = await call("HEAD", "/api/userType/lookup")
    expect(response).toMatchObject({ status: 200, body: "" })
  })

  it("returns 400 if the body is not a JSON object", async () => {
    for (const body of ["{", "nonsense", "[1]", '"text"', "null", "3", ""])
      expect((await post("/api/user/create", body)).status, body).toBe(400)
  })

  it("returns 415 for another content type, and for none", async () => {
    const headers = { "content-type": "text/plain" }
    expect((await call("POST", "/api/user/create", { body: "{}", headers })).status).toBe(415)
    const form = { "content-type": "application/x-www-form-urlencoded" }
    expect((await call("POST", "/api/user/create", { body: "a=b", headers: form })).status).toBe(415)
  })

  it("returns 413 over 1 MB, with the limit", async () => {
    const response = await post("/api/user/create", { firstName: "x".repeat(1_000_001) })
    expect(response).toMatchObject({ status: 413, body: { message: expect.stringContaining("1 MB") } })
  })
})

describe("a session", () => {
  const lookup = (token: string) => get("/api/userType/lookup", { token })

  it("ends when the user is disabled, changes the password or is deleted, without a round trip", async () => {
    const admin = await signedIn("admin")
    const ends = {
      disabled: (id: number) => post("/api/user/quickEdit", { user_ids: [id], disabled: true }, admin),
      "disabled by PUT": (id: number) => put(`/api/user/${id}`, { disabled: true }, admin),
      "a new password": (id: number) => put(`/api/user/updatePassword/${id}`, { password: "another secret" }, admin),
      deleted: (id: number) => post("/api/user/delete", { delete_ids: [id] }, admin),
      "another type": (id: number) => put(`/api/user/${id}`, { userType: "staff" }, admin),
    }
    for (const [name, end] of Object.entries(ends)) {
      const ada = await signedIn("general")
      const before = await lookup(ada.token)
      expect(before.status, name).toBe(200)
      expect(before.headers.get("server-timing")).toContain("trips=0")
      expect((await end(ada.id)).status, name).toBe(200)
      expect((await lookup(ada.token)).status, name).toBe(401)
      expect((await put(`/api/user/${ada.id}`, { firstName: "Eve" }, ada)).status, name).toBe(401)
    }
  })

  it("continues after unrelated changes of the user", async () => {
    const ada = await signedIn("general")
    expect((await put(`/api/user/${ada.id}`, { firstName: "Ada" }, ada)).status).toBe(200)
    expect((await lookup(ada.token)).status).toBe(200)
  })

  it("expires after 12 hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const ada = await signedIn("general")
    vi.setSystemTime(Date.now() + 12 * 3600_000 - 5_000)
    expect((await lookup(ada.token)).status).toBe(200)
    vi.setSystemTime(Date.now() + 10_000)
    expect((await lookup(ada.token)).status).toBe(401)
  })
})

describe("a call with a session cookie", () => {
  it("changes data only from a page of this origin", async () => {
    const ada = await signedIn("general")
    const cookie = cookieOf(ada.token)
    const change = (headers: Record<string, string>) =>
      put(`/api/user/${ada.id}`, { firstName: "Ada" }, { headers: { ...cookie, ...headers } })
    expect((await change({})).status).toBe(403)
    expect((await change({ "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect((await change({ "sec-fetch-site": "same-site" })).status).toBe(403)
    expect((await change({ "sec-fetch-site": "none" })).status).toBe(403)
    expect((await change({ origin: "https://evil.test" })).status).toBe(403)
    expect((await rowsOf(users))[0]?.firstName).toBe("Learner")
    expect((await change({ origin: "https://lectern.test" })).status).toBe(200)
    expect((await change({ "sec-fetch-site": "same-origin" })).status).toBe(200)
    expect((await get(`/api/user/${ada.id}`, { headers: cookie })).status).toBe(200)
  })

  it("is refused with a cookie name that another path could have set, or with two cookies of a name", async () => {
    const [ada, eve] = [await signedIn("general"), await signedIn("general")]
    const status = async (cookie: string, origin = "https://lectern.test") =>
      (await get(`${origin}/api/user/${ada.id}`, { headers: { cookie } })).status
    env.ACCESS_POLICY = "enforced"
    expect(await status(`session=${ada.token}`)).toBe(302)
    expect(await status(`session=${eve.token}; __Host-session=${ada.token}`)).toBe(200)
    const local = "http://localhost:8787"
    expect(await status(`session=${ada.token}`, local)).toBe(200)
    expect(await status(`a=b; session=${eve.token}; session=${ada.token}`, local)).toBe(302)
    expect(await status(`session=${ada.token}; session=${eve.token}`, local)).toBe(302)
    env.ACCESS_POLICY = "documented"
  })
})
