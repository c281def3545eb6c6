import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { users } from "../../drizzle/schema/users.ts"
import { accountClient, clientObject, userClient } from "../../src/access/clients.ts"
import type { Session } from "../../src/lib/caller.ts"
import { HOUR, MINUTE } from "../../src/lib/clock.ts"
import { PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { call, cookieOf, cost, get, objectCost, post, put } from "../helpers/client.ts"

const login = (body: object, headers: Record<string, string> = {}) => post("/login", body, { headers })
const form = (fields: Record<string, string>, headers: Record<string, string> = {}, to = "/login") =>
  call("POST", to, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  })
const credentials = { email: "ada@example.com", password: PASSWORD }

describe("POST /login with JSON", () => {
  it("returns a token for 12 hours and the user, audits the sign-in, and takes two round trips", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5, 12) })
    const ada = await user({ email: "Ada@example.com", firstName: "Ada", lastName: "Byron", userType: "staff" })
    const response = await login({ email: "ADA@EXAMPLE.COM", password: PASSWORD })
    expect(response).toMatchObject({
      status: 200,
      body: {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expiresAt: "2026-01-06T00:00:00.000Z",
        user: { id: ada.id, firstName: "Ada", lastName: "Byron", email: "Ada@example.com", userType: "staff" },
      },
    })
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.get("set-cookie")).toBeNull()
    expect(response.headers.get("server-timing")).toContain("trips=2")
    expect(await rowsOf(auditLogs)).toMatchObject([{ action: "login", performedBy: ada.id, effectOn: "Ada Byron" }])
    expect((await rowsOf(users))[0]?.lastLoginAt).toBe(Date.UTC(2026, 0, 5, 12))
    const me = await get(`/api/user/${ada.id}`, { token: response.body.token })
    expect(me.body).toMatchObject({ currentLoggedUserType: "staff", lastLoggedIn: "just now" })
  })

  it("responds the same for a wrong password and an unknown, disabled or passwordless user", async () => {
    await user({ email: credentials.email })
    await user({ email: "off@example.com", disabled: true })
    await user({ email: "new@example.com", passwordHash: null })
    const answers = [
      await login({ ...credentials, password: "wrong" }),
      await login({ email: "nobody@example.com", password: PASSWORD }),
      await login({ email: "off@example.com", password: PASSWORD }),
      await login({ email: "new@example.com", password: PASSWORD }),
    ]
    for (const response of answers) {
      expect(response.status).toBe(401)
      expect(response.body).toEqual(answers[0]?.body)
    }
    expect(await rowsOf(auditLogs)).toEqual([])
  })

  it("reports missing fields and unsupported content types", async () => {
    expect(await login({ email: "ada@example.com" })).toMatchObject({
      status: 422,
      body: { errors: { password: expect.anything() } },
    })
    expect((await post("/login", "{")).status).toBe(400)
    expect((await call("POST", "/login", { body: "hello", headers: { "content-type": "text/plain" } })).status).toBe(
      415,
    )
    expect((await login({ ...credentials, password: "x".repeat(20_000) })).status).toBe(413)
  })

  it("rejects the eleventh attempt for an account in 15 minutes, and accepts it later", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    await user({ email: credentials.email })
    const from = (n: number) => ({ "cf-connecting-ip": `198.51.100.${n}` })
    for (let i = 0; i < 10; i++) expect((await login({ ...credentials, password: "wrong" }, from(i))).status).toBe(401)
    const refused = await login(credentials, from(10))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(890)
    vi.setSystemTime(Date.now() + 15 * 60_000 + 1000)
    expect((await login(credentials, from(11))).status).toBe(200)
  })

  it("rejects a network address after a hundred failures and stores no more than a hundred", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    await user({ email: credentials.email })
    const address = clientObject(env, "ip:203.0.113.7")
    const start = Date.now()
    for (let i = 0; i < 99; i++) await address.fail(await address.attempt(100))
    vi.setSystemTime(start + MINUTE)
    expect((await login({ email: "nobody@example.com", password: "wrong" })).status).toBe(401)
    for (let i = 0; i < 3; i++) {
      const refused = await login(credentials)
      expect(refused.status).toBe(429)
      expect(refused.headers.get("retry-after")).toBe(String(14 * 60))
    }
    expect((await login(credentials, { "cf-connecting-ip": "198.51.100.1" })).status).toBe(200)
    const failures = await runInDurableObject(address, (_, { storage }) => storage.kv.get<number[]>("failures"))
    expect(failures).toHaveLength(100)
    vi.setSystemTime(start + 15 * MINUTE)
    expect((await login(credentials)).status).toBe(200)
  })

  it("counts no attempts against the network address for blocked accounts or successful sign-ins", async () => {
    await user({ email: credentials.email })
    const failures = () =>
      runInDurableObject(clientObject(env, "ip:203.0.113.7"), (_, { storage }) => storage.kv.get<number[]>("failures"))
    await login(credentials)
    expect(await failures()).toBeUndefined()
    for (let i = 0; i < 12; i++) await login({ ...credentials, password: "wrong" })
    expect(await failures()).toHaveLength(10)
  })

  it("checks at most ten of concurrent guesses", async () => {
    await user({ email: credentials.email })
    const guesses = await Promise.all(
      Array.from({ length: 25 }, (_, i) =>
        login({ ...credentials, password: `guess ${i}` }, { "cf-connecting-ip": `198.51.100.${i}` }),
      ),
    )
    expect(guesses.filter((response) => response.status === 401)).toHaveLength(10)
    expect(guesses.filter((response) => response.status === 429)).toHaveLength(15)
  })

  it("forgets the failures of an account after a success", async () => {
    await user({ email: credentials.email })
    for (let round = 0; round < 2; round++) {
      const from = { "cf-connecting-ip": `198.51.100.${round}` }
      for (let i = 0; i < 9; i++) expect((await login({ ...credentials, password: "wrong" }, from)).status).toBe(401)
      expect((await login(credentials, from)).status).toBe(200)
    }
  })
})

describe("sign-in attempts", () => {
  const account = () => clientObject(env, accountClient(credentials.email))
  const address = () => clientObject(env, "ip:203.0.113.7")
  const wrong = () => login({ ...credentials, password: "wrong" })

  it("write one row per failure and none per success, except to clear failures", async () => {
    await user({ email: credentials.email })
    expect(objectCost(await login(credentials))).toEqual({ calls: 6, written: 0 })
    expect(objectCost(await wrong()).written, "with their alarms").toBe(4)
    expect(objectCost(await wrong()).written).toBe(2)
    expect(objectCost(await login(credentials)).written, "the account's, forgotten").toBe(1)
    expect(objectCost(await login(credentials)).written).toBe(0)
  })

  it("survive eviction of the Durable Object, even if their result arrives after it", async () => {
    await user({ email: credentials.email })
    for (let i = 0; i < 9; i++) {
      await wrong()
      await evictDurableObject(account())
      await evictDurableObject(address())
    }
    const response = await account().attempt(10)
    await evictDurableObject(account())
    await account().fail(response)
    expect((await login(credentials)).status).toBe(429)
    const failures = await runInDurableObject(address(), (_, { storage }) => storage.kv.get<number[]>("failures"))
    expect(failures).toHaveLength(9)
  })

  it("count as failures for 15 minutes if their result never arrives", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    await user({ email: credentials.email })
    const begin = async () => {
      for (let i = 0; i < 10; i++) await account().attempt(10)
      expect((await login(credentials)).status).toBe(429)
    }
    await begin()
    vi.setSystemTime(Date.now() + 15 * MINUTE)
    expect((await login(credentials)).status).toBe(200)
    await begin()
    await evictDurableObject(account())
    expect((await login(credentials)).status).toBe(200)
  })

  it("expire in the order in which they were made", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    await user({ email: credentials.email })
    const first = await account().attempt(10)
    vi.setSystemTime(Date.now() + 5 * MINUTE)
    for (let i = 0; i < 9; i++) await account().fail(await account().attempt(10))
    await account().fail(first)
    expect((await login(credentials)).headers.get("retry-after")).toBe(String(10 * 60))
    vi.setSystemTime(Date.now() + 10 * MINUTE)
    expect((await wrong()).status).toBe(401)
    expect((await login(credentials)).headers.get("retry-after")).toBe(String(5 * 60))
  })

  it("delete all stored data after they expire", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const left = () =>
      runInDurableObject(account(), async (_, { storage }) => [
        storage.kv.get<number[]>("failures")?.length,
        await storage.getAlarm(),
      ])
    const start = Date.now()
    await wrong()
    expect(await left()).toEqual([1, start + HOUR])
    vi.setSystemTime(start + HOUR)
    await wrong()
    await runDurableObjectAlarm(account())
    expect(await left()).toEqual([1, start + 2 * HOUR])
    vi.setSystemTime(start + 2 * HOUR)
    await runDurableObjectAlarm(account())
    expect(await left()).toEqual([undefined, null])
  })
})

describe("sign-in form", () => {
  it("needs no script and loads nothing from other origins", async () => {
    const page = await get("/login?next=/docs%3Fa%3D1")
    expect(page.status).toBe(200)
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(page.headers.get("content-security-policy")).not.toContain("unsafe-inline")
    expect(page.body).toContain('<label for="email">')
    expect(page.body).toContain('name="next" value="/docs?a=1"')
    expect(page.body).not.toMatch(/<script|https?:\/\//)
  })

  it("sets the cookie and redirects to a path of this origin or to the start page", async () => {
    await user({ email: credentials.email })
    const cases = {
      "/docs?x=1": "/docs?x=1",
      "": "/console",
      "https://evil.test/": "/console",
      "//evil.test/": "/console",
      "/\\evil.test/": "/console",
      "/.//evil.test/": "/console",
      "/docs/..//evil.test/": "/console",
      "/%2e/%2F/../..//evil.test/": "/console",
      "/\t/evil.test/": "/console",
      "javascript:alert(1)": "/console",
    }
    for (const [next, location] of Object.entries(cases)) {
      const response = await form({ ...credentials, next })
      expect(response.status).toBe(303)
      expect(response.headers.get("location"), next).toBe(location)
      expect(response.headers.get("set-cookie")).toMatch(
        /^__Host-session=[^;]+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
    }
  })

  it("sets a cookie without prefix over HTTP, where browsers reject prefixes", async () => {
    await user({ email: credentials.email })
    const response = await form({ ...credentials, next: "/" }, {}, "http://localhost:8787/login")
    expect(response.headers.get("set-cookie")).toMatch(
      /^session=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  it("shows the error and the address on the page, but never the password", async () => {
    await user({ email: credentials.email })
    const response = await form({ ...credentials, password: "my wrong secret", next: "/docs" })
    expect(response.status).toBe(401)
    expect(response.body).toContain('role="alert"')
    expect(response.body).toContain('value="ada@example.com"')
    expect(response.body).not.toContain("my wrong secret")
    const hostile = await form({ email: '"><script>alert(1)</script>', password: "x" })
    expect(hostile.body).not.toContain("<script>")
  })

  it("focuses the first field to fill in and links the error to its fields", async () => {
    await user({ email: credentials.email })
    const field = (page: string, id: string) => new RegExp(`<input id="${id}"[^>]*>`).exec(page)?.[0] ?? ""
    const fresh = (await get("/login")).body
    expect(field(fresh, "email")).toContain("autofocus")
    expect(field(fresh, "password")).not.toContain("autofocus")
    expect(fresh).not.toContain("aria-invalid")

    const refused = (await form({ ...credentials, password: "wrong" })).body
    expect(refused).toMatch(/<p id="error" class="error" role="alert">/)
    expect(field(refused, "email")).not.toContain("autofocus")
    expect(field(refused, "password")).toContain("autofocus")
    for (const id of ["email", "password"]) {
      expect(field(refused, id)).toContain('aria-invalid="true"')
      expect(field(refused, id)).toContain('aria-describedby="error"')
    }
    const incomplete = (await form({ email: "", password: "x" })).body
    expect(field(incomplete, "email")).toMatch(/autofocus.*aria-invalid="true"/)
    expect(field(incomplete, "password")).not.toMatch(/autofocus|aria-invalid/)
  })

  it("accepts requests from pages of this origin and from programs only", async () => {
    await user({ email: credentials.email })
    const foreign = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "same-site", origin: "https://lectern.test" },
      { origin: "https://evil.test" },
      { origin: "https://sub.lectern.test" },
      { origin: "http://lectern.test" },
      { origin: "null" },
    ]
    for (const headers of foreign) {
      const response = await form(credentials, headers)
      expect(response.status, JSON.stringify(headers)).toBe(403)
      expect(response.headers.get("set-cookie")).toBeNull()
    }
    for (const headers of [{ "sec-fetch-site": "same-origin" }, { origin: "https://lectern.test" }, {}])
      expect((await form(credentials, headers)).status, JSON.stringify(headers)).toBe(303)
  })
})

describe("access token", () => {
  it("is valid for 12 hours, and a modified one is not", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { token } = await signedIn("general")
    const statusOf = async (token: string) => (await get("/api/userType/lookup", { token })).status
    expect([await statusOf(token), await statusOf(token)]).toEqual([200, 200])
    expect(await statusOf(`${token.slice(0, -2)}AA`), "another signature").toBe(401)
    vi.setSystemTime(Date.now() + 12 * HOUR - 1000)
    expect(await statusOf(token)).toBe(200)
    vi.setSystemTime(Date.now() + 2000)
    expect(await statusOf(token), "expired").toBe(401)
    expect(await statusOf(token), "forgotten").toBe(401)
  })
})

describe("POST /logout", () => {
  const open = async () => (await login(credentials)).body.token as string
  const lives = async (token: string) => (await get("/api/userType/lookup", { token })).status === 200

  it("ends only the current session, without a D1 round trip", async () => {
    await user({ email: credentials.email })
    const [here, there] = [await open(), await open()]
    const response = await call("POST", "/logout", { token: here })
    expect(response).toMatchObject({ status: 200, body: { message: "Signed out." } })
    expect(cost(response).roundTrips).toBe(0)
    expect([await lives(here), await lives(there)]).toEqual([false, true])
    await evictDurableObject(clientObject(env, "user:1"))
    expect([await lives(here), await lives(there), await lives(await open())]).toEqual([false, true, true])
  })

  it("deletes what the console stored on the device, if the session is that of a browser", async () => {
    await user({ email: credentials.email })
    const browser = await call("POST", "/logout", {
      headers: { ...cookieOf(await open()), origin: "https://lectern.test" },
    })
    expect(browser.status).toBe(303)
    expect(browser.headers.get("clear-site-data")).toBe('"storage"')
    const app = await call("POST", "/logout", { token: await open() })
    expect(app.headers.get("clear-site-data")).toBeNull()
  })

  it("ends all sessions of the caller on request, by JSON and by form, and no other user's", async () => {
    await user({ email: credentials.email })
    const other = await signedIn("general")
    const asForm = { "content-type": "application/x-www-form-urlencoded" }
    const requests = [
      (token: string) => post("/logout", { everywhere: true }, { token }),
      (token: string) => call("POST", "/logout", { token, body: "everywhere=1", headers: asForm }),
    ]
    for (const everywhere of requests) {
      const [here, there] = [await open(), await open()]
      expect((await everywhere(here)).body).toEqual({ message: "Signed out." })
      expect([await lives(here), await lives(there)]).toEqual([false, false])
    }
    expect(await lives(other.token)).toBe(true)
    const [here, there] = [await open(), await open()]
    for (const body of [{}, { everywhere: false }, { everywhere: null }]) await post("/logout", body, { token: here })
    expect([await lives(here), await lives(there)]).toEqual([false, true])
  })

  it("reports an invalid body and then ends nothing", async () => {
    await user({ email: credentials.email })
    const token = await open()
    expect((await post("/logout", "{", { token })).status).toBe(400)
    expect(await post("/logout", { everywhere: "perhaps" }, { token })).toMatchObject({
      status: 422,
      body: { errors: { everywhere: ["everywhere must be true or false."] } },
    })
    expect((await post("/logout", { everywhere: "x".repeat(20_000) }, { token })).status).toBe(413)
    expect(await lives(token)).toBe(true)
  })

  it("ends no other sessions when the session has already ended", async () => {
    await user({ email: credentials.email })
    for (const body of [{}, { everywhere: true }]) {
      const [first, later] = [await open(), await open()]
      await post("/logout", {}, { token: first })
      expect((await post("/logout", body, { token: first })).status).toBe(200)
      expect(await lives(later)).toBe(true)
    }
  })

  it("stores an ended session until it would expire, and ends all sessions if there are too many", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const ada = await user({ email: credentials.email })
    const stub = clientObject(env, userClient(ada.id))
    const remembered = () =>
      runInDurableObject(stub, (_, { storage }) => storage.kv.get<Map<string, number>>("ended")?.size ?? 0)
    const first = await open()
    await post("/logout", {}, { token: first })
    expect(await remembered()).toBe(1)
    vi.setSystemTime(Date.now() + 11 * HOUR)
    expect(await lives(first)).toBe(false)
    await runDurableObjectAlarm(stub)
    expect(await remembered()).toBe(1)
    vi.setSystemTime(Date.now() + HOUR)
    await runDurableObjectAlarm(stub)
    expect(await remembered()).toBe(0)

    const going = await open()
    const session = { userId: ada.id, userType: "general", epoch: 0, expiresAt: Date.now() + HOUR }
    for (let i = 0; i < 500; i++) await stub.end({ ...session, id: `session ${i}` })
    expect([await remembered(), await lives(going)]).toEqual([500, true])
    await stub.end({ ...session, id: "one more" })
    expect([await remembered(), await lives(going)]).toEqual([0, false])
    expect(await lives(await open())).toBe(true)
  })

  it("returns an error when the session could not be ended", async () => {
    await user({ email: credentials.email })
    const token = await open()
    const { CLIENTS } = env
    const get = (id: DurableObjectId) => {
      const stub = CLIENTS.get(id)
      const end = () => Promise.reject(new Error("out of reach"))
      return { admit: (session: Session) => clientObject({ ...env, CLIENTS }, userClient(1)).admit(session), end, stub }
    }
    Object.assign(env, { CLIENTS: { idFromName: (name: string) => CLIENTS.idFromName(name), get } })
    try {
      expect((await post("/logout", {}, { token })).status).toBe(503)
    } finally {
      Object.assign(env, { CLIENTS })
    }
    expect(await lives(token)).toBe(true)
  })

  it("clears the cookie only for pages of this origin", async () => {
    const ada = await user({ email: credentials.email })
    const cookie = cookieOf(await open())
    expect((await call("POST", "/logout", { headers: cookie })).status).toBe(403)
    const response = await call("POST", "/logout", { headers: { ...cookie, "sec-fetch-site": "same-origin" } })
    expect(response.status).toBe(303)
    expect(response.headers.get("set-cookie")).toMatch(/^__Host-session=; Max-Age=0; Path=\/; Secure$/)
    const ended = await get(`/api/user/${ada.id}`, { headers: cookie })
    expect(ended.status).toBe(302)
  })
})

describe("changed password", () => {
  it("opens sessions immediately, and the previous password no longer does", async () => {
    const ada = await user({ email: credentials.email })
    await put(`/api/user/updatePassword/${ada.id}`, { password: "something else" })
    expect((await login(credentials)).status).toBe(401)
    expect((await login({ ...credentials, password: "something else" })).status).toBe(200)
  })
})
