import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../drizzle/audit.ts"
import { users } from "../drizzle/users.ts"
import { call, get, post, put } from "./client.ts"
import { PASSWORD, rowsOf, user } from "./factories.ts"

const login = (body: object, headers: Record<string, string> = {}) => post("/login", body, { headers })
const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  call("POST", "/login", {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  })
const credentials = { email: "ada@example.com", password: PASSWORD }

describe("POST /login with JSON", () => {
  it("answers a token for 12 hours and the user, records the login, and costs two trips", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5, 12) })
    const ada = await user({ email: "Ada@example.com", firstName: "Ada", lastName: "Byron", userType: "staff" })
    const answer = await login({ email: "ADA@EXAMPLE.COM", password: PASSWORD })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expiresAt: "2026-01-06T00:00:00.000Z",
        user: { id: ada.id, firstName: "Ada", lastName: "Byron", email: "Ada@example.com", userType: "staff" },
      },
    })
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(answer.headers.get("set-cookie")).toBeNull()
    expect(answer.headers.get("server-timing")).toContain("trips=2")
    expect(await rowsOf(auditLogs)).toMatchObject([{ action: "login", performedBy: ada.id, effectOn: "Ada Byron" }])
    expect((await rowsOf(users))[0]?.lastLoginAt).toBe(Date.UTC(2026, 0, 5, 12))
    const me = await get(`/api/user/${ada.id}`, { token: answer.body.token })
    expect(me.body).toMatchObject({ currentLoggedUserType: "staff", lastLoggedIn: "just now" })
  })

  it("answers alike for a wrong password, an unknown user, a disabled one and one without a password", async () => {
    await user({ email: credentials.email })
    await user({ email: "off@example.com", disabled: true })
    await user({ email: "new@example.com", passwordHash: null })
    const answers = [
      await login({ ...credentials, password: "wrong" }),
      await login({ email: "nobody@example.com", password: PASSWORD }),
      await login({ email: "off@example.com", password: PASSWORD }),
      await login({ email: "new@example.com", password: PASSWORD }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual(answers[0]?.body)
    }
    expect(await rowsOf(auditLogs)).toEqual([])
  })

  it("says which field is missing, and what type of body it takes", async () => {
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

  it("refuses the eleventh attempt of an account within 15 minutes, from wherever, and takes it afterwards", async () => {
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

  it("refuses the eleventh attempt of an address, for whatever account", async () => {
    await user({ email: credentials.email })
    for (let i = 0; i < 10; i++)
      expect((await login({ email: `n${i}@example.com`, password: "wrong" })).status).toBe(401)
    expect((await login(credentials)).status).toBe(429)
    expect((await login(credentials, { "cf-connecting-ip": "198.51.100.1" })).status).toBe(200)
  })

  it("looks at no more than ten of the guesses that come at once", async () => {
    await user({ email: credentials.email })
    const guesses = await Promise.all(
      Array.from({ length: 25 }, (_, i) =>
        login({ ...credentials, password: `guess ${i}` }, { "cf-connecting-ip": `198.51.100.${i}` }),
      ),
    )
    expect(guesses.filter((answer) => answer.status === 401)).toHaveLength(10)
    expect(guesses.filter((answer) => answer.status === 429)).toHaveLength(15)
  })

  it("forgets an account's failures once it succeeds", async () => {
    await user({ email: credentials.email })
    for (let round = 0; round < 2; round++) {
      const from = { "cf-connecting-ip": `198.51.100.${round}` }
      for (let i = 0; i < 9; i++) expect((await login({ ...credentials, password: "wrong" }, from)).status).toBe(401)
      expect((await login(credentials, from)).status).toBe(200)
    }
  })
})

describe("the login form", () => {
  it("is a page that needs no script and reaches nothing else", async () => {
    const page = await get("/login?next=/docs%3Fa%3D1")
    expect(page.status).toBe(200)
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(page.headers.get("content-security-policy")).not.toContain("unsafe-inline")
    expect(page.body).toContain('<label for="email">')
    expect(page.body).toContain('name="next" value="/docs?a=1"')
    expect(page.body).not.toMatch(/<script|https?:\/\//)
  })

  it("sets the cookie and goes on to a path of this origin, or to the API reference", async () => {
    await user({ email: credentials.email })
    const cases = {
      "/docs?x=1": "/docs?x=1",
      "": "/docs",
      "https://evil.test/": "/docs",
      "//evil.test/": "/docs",
      "/\\evil.test/": "/docs",
      "/.//evil.test/": "/docs",
      "/docs/..//evil.test/": "/docs",
      "/%2e/%2F/../..//evil.test/": "/docs",
      "/\t/evil.test/": "/docs",
      "javascript:alert(1)": "/docs",
    }
    for (const [next, location] of Object.entries(cases)) {
      const answer = await form({ ...credentials, next })
      expect(answer.status).toBe(303)
      expect(answer.headers.get("location"), next).toBe(location)
      expect(answer.headers.get("set-cookie")).toMatch(
        /^session=[^;]+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
    }
  })

  it("says what went wrong on the page, keeps the address and never the password", async () => {
    await user({ email: credentials.email })
    const answer = await form({ ...credentials, password: "my wrong secret", next: "/docs" })
    expect(answer.status).toBe(401)
    expect(answer.body).toContain('role="alert"')
    expect(answer.body).toContain('value="ada@example.com"')
    expect(answer.body).not.toContain("my wrong secret")
    const hostile = await form({ email: '"><script>alert(1)</script>', password: "x" })
    expect(hostile.body).not.toContain("<script>")
  })

  it("does not let another site sign a browser in", async () => {
    await user({ email: credentials.email })
    expect((await form(credentials, { "sec-fetch-site": "cross-site" })).status).toBe(403)
  })
})

describe("POST /logout", () => {
  it("ends the caller's sessions", async () => {
    await user({ email: credentials.email })
    const { token } = (await login(credentials)).body
    expect((await call("POST", "/logout", { token })).body).toEqual({ message: "Signed out." })
    expect((await get("/api/userType/lookup", { token })).status).toBe(401)
    const again = (await login(credentials)).body.token
    expect((await get("/api/userType/lookup", { token: again })).status).toBe(200)
  })

  it("ends nothing for a session that has ended itself", async () => {
    await user({ email: credentials.email })
    const { token } = (await login(credentials)).body
    await call("POST", "/logout", { token })
    const later = (await login(credentials)).body.token
    await call("POST", "/logout", { token })
    expect((await get("/api/userType/lookup", { token: later })).status).toBe(200)
  })

  it("clears the cookie, for a page of this origin only", async () => {
    const ada = await user({ email: credentials.email })
    const { token } = (await login(credentials)).body
    const cookie = { cookie: `session=${token}` }
    expect((await call("POST", "/logout", { headers: cookie })).status).toBe(403)
    const answer = await call("POST", "/logout", { headers: { ...cookie, "sec-fetch-site": "same-origin" } })
    expect(answer.status).toBe(303)
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0")
    const ended = await get(`/api/user/${ada.id}`, { headers: cookie })
    expect(ended.status).toBe(302)
  })
})

describe("a new password", () => {
  it("opens sessions at once, and the old one no more", async () => {
    const ada = await user({ email: credentials.email })
    await put(`/api/user/updatePassword/${ada.id}`, { password: "something else" })
    expect((await login(credentials)).status).toBe(401)
    expect((await login({ ...credentials, password: "something else" })).status).toBe(200)
  })
})
