import { exports } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { Webhook } from "standardwebhooks"
import { afterEach, describe, expect, it, vi } from "vitest"
import { users } from "../../drizzle/schema/users.ts"
import { type ClientOptions, createClient, LecternError, verifyWebhook } from "../../src/client/index.ts"
import { CHANGING_READS } from "../../src/client/send.ts"
import { QUERY_TIMEOUT_MS } from "../../src/db/timeout.ts"
import { operations } from "../../src/http/operation.ts"
import { db, PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { openQueue } from "../helpers/queues.ts"

const BASE = "https://lectern.test"

interface Sent {
  call: string
  key: string | null
  token: string | null
  bookmark: string | null
}

/** Intercepts calls: returns a response in place of the service's, or throws in place of one. */
type Between = (request: Request, through: () => Promise<Response>, at: number) => Promise<Response>

/** A client of the service, and its requests. */
function clientWith(options: Partial<ClientOptions> = {}, between: Between = (_, through) => through()) {
  const sent: Sent[] = []
  const client = createClient({
    baseUrl: BASE,
    ...options,
    fetch: async (request) => {
      const { method, headers } = request
      const header = (name: string) => headers.get(name)
      const at = sent.push({
        call: `${method} ${new URL(request.url).pathname}`,
        key: header("idempotency-key"),
        token: header("authorization"),
        bookmark: header("x-d1-bookmark"),
      })
      headers.set("cf-connecting-ip", "203.0.113.7")
      return between(request, () => exports.default.fetch(request), at - 1)
    },
  })
  return { client, sent }
}

const tokensOf = (token: string) => ({ token, expiresAt: new Date(Date.now() + 3_600_000).toISOString() })

/** A client of a signed-in user. */
async function clientOf(userType: string, between?: Between, options: Partial<ClientOptions> = {}) {
  const caller = await signedIn(userType)
  return { caller, ...clientWith({ tokens: tokensOf(caller.token), ...options }, between) }
}

const newUser = (email: string) => ({
  firstName: "Grace",
  lastName: "Hopper",
  email,
  password: "a-nice-long-one",
  password_confirmation: "a-nice-long-one",
})

const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json({ status: "error", ...body }, { status, headers })

/** Skips waiting, and records the delays. */
function hurried(): number[] {
  const waits: number[] = []
  const real = setTimeout
  vi.stubGlobal("setTimeout", (work: () => void, ms = 0) => {
    // The timeouts of a call and of the service's queries are not waits of the client.
    if (ms === 60_000 || ms === QUERY_TIMEOUT_MS) return real(work, ms)
    waits.push(ms)
    return real(work, 0)
  })
  return waits
}
afterEach(() => vi.unstubAllGlobals())

describe("calls", () => {
  it("are typed, and return the service's responses", async () => {
    const { client, caller } = await clientOf("admin")
    const { data, response } = await client.POST("/api/user/create", { body: newUser("grace@example.com") })
    expect(data).toEqual({ id: expect.any(Number), message: "User created." })
    expect(response.status).toBe(200)
    const { data: found } = await client.GET("/api/users/tabularlist", {
      params: {
        query: { page_size: 10, page_number: 1, search_param: { nameOrEmail: "hopper" } },
      },
    })
    expect(found.records.map(({ id }) => id)).toEqual([data.id])
    expect(found.recordsTotal).toBe(2)
    expect(caller.id).not.toBe(data.id)
  })

  it("throw errors with their fields", async () => {
    const { client } = await clientOf("admin")
    const failed = client.POST("/api/user/create", { body: { ...newUser("nobody"), firstName: "" } })
    const error = await failed.catch((error) => error)
    expect(error).toBeInstanceOf(LecternError)
    expect(error).toMatchObject({ status: 422, requestId: expect.any(String), retryAfter: undefined })
    expect(Object.keys(error.errors).sort()).toEqual(["email", "firstName"])
    expect(error.message).toContain(error.errors.firstName[0])
  })

  it("throw not_signed_in without a credential, and are not redirected to the sign-in page", async () => {
    const { client, sent } = clientWith()
    await expect(client.POST("/api/users/export", { body: {} })).rejects.toMatchObject({
      status: 302,
      code: "not_signed_in",
    })
    expect(sent).toHaveLength(1)
  })

  it("throw unexpected_answer for responses that are not the service's", async () => {
    const { client } = clientWith({}, async () => new Response("<h1>Forbidden</h1>", { status: 403 }))
    await expect(client.GET("/api/user/portals")).rejects.toMatchObject({
      status: 403,
      code: "unexpected_answer",
      body: "<h1>Forbidden</h1>",
    })
  })

  it("are sent to the client's own service only", async () => {
    const { client, sent } = await clientOf("admin")
    await expect(client.fetch("https://elsewhere.example/api/me")).rejects.toThrow(TypeError)
    await expect(client.fetch("elsewhere")).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
    await client.fetch("//elsewhere.example/api/me")
    expect(sent).toMatchObject([{ call: "GET //elsewhere.example/api/me" }])
  })

  it("send the newest bookmark of all responses", async () => {
    const bookmarks = ["00000002-00000000-00000000-".padEnd(59, "a"), "00000001-00000000-00000000-".padEnd(59, "b"), ""]
    const { client, sent } = clientWith({}, async (_, __, at) =>
      Response.json({}, { headers: { "x-d1-bookmark": bookmarks[at] ?? "" } }),
    )
    for (let i = 0; i < 3; i++) await client.fetch("/api/user/portals")
    expect(sent.map(({ bookmark }) => bookmark)).toEqual([null, bookmarks[0], bookmarks[0]])
  })

  it("know every GET that changes data", () => {
    const reads = operations.filter(({ method }) => method === "get")
    const changing = reads.filter(({ mutates }) => mutates)
    const path = ({ path }: { path: string }) => path.replace(/\{\w+\}/g, "1")
    const known = (operation: { path: string }) => CHANGING_READS.some((pattern) => pattern.test(path(operation)))
    expect(changing.filter((operation) => !known(operation)).map(path)).toEqual([])
    expect(reads.filter(known)).toHaveLength(changing.length)
    expect(changing.length).toBeGreaterThan(0)
  })
})

describe("a call without a response", () => {
  it("is sent again with the same key and is committed once", async () => {
    const waits = hurried()
    const { client, sent } = await clientOf("admin", async (_, through, at) => {
      const answered = await through()
      // The first two answers are lost on their way.
      if (at < 2) throw new TypeError("connection reset")
      return answered
    })
    const { data, response } = await client.POST("/api/user/create", { body: newUser("grace@example.com") })
    expect(response.headers.get("idempotency-replayed")).toBe("true")
    expect(await db.select().from(users).where(eq(users.email, "grace@example.com"))).toMatchObject([{ id: data.id }])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect(sent[0]?.key).toMatch(/^[\x21-\x7e]{16,255}$/)
    expect(sent).toHaveLength(3)
    expect(waits.every((ms) => ms >= 150 && ms <= 600)).toBe(true)
  })

  it("is repeated if the JSON breaks off", async () => {
    hurried()
    const { client } = await clientOf("admin", async (_, through, at) => {
      const answered = await through()
      if (at > 0) return answered
      const half = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"records'))
          controller.error(new TypeError("connection reset"))
        },
      })
      return new Response(half, answered)
    })
    const { data } = await client.GET("/api/user/portals")
    expect(data).toBeTruthy()
  })

  it("throws network_failed with the cause after its last attempt", async () => {
    hurried()
    const cause = new TypeError("connection refused")
    const { client, sent } = clientWith({ retry: { attempts: 3 } }, async () => {
      throw cause
    })
    await expect(client.GET("/api/user/portals")).rejects.toMatchObject({ status: 0, code: "network_failed", cause })
    expect(sent).toHaveLength(3)
  })

  it("throws timed_out if no response arrives in time", async () => {
    const { client } = clientWith({ retry: { attempts: 1, timeoutMs: 20 } }, () => new Promise(() => {}))
    await expect(client.GET("/api/user/portals")).rejects.toMatchObject({ status: 0, code: "timed_out" })
  })

  it("is not repeated if its outcome is unknown: a GET that changes data, a sign-in", async () => {
    hurried()
    const { client, sent } = clientWith({}, async () => {
      throw new TypeError("connection reset")
    })
    const preview = client.GET("/api/certificate_template/preview/{id}", { params: { path: { id: 1 } } })
    await expect(preview).rejects.toMatchObject({ code: "network_failed" })
    const signIn = client.signIn({ email: "a@example.com", password: PASSWORD })
    await expect(signIn).rejects.toMatchObject({ code: "network_failed" })
    expect(sent).toHaveLength(2)
  })

  it("ends with the caller's signal, also while waiting", async () => {
    const { client, sent } = clientWith({}, async () => answer(429, { code: "rate_limited" }, { "retry-after": "60" }))
    const controller = new AbortController()
    const called = client.GET("/api/user/portals", { signal: controller.signal })
    await vi.waitUntil(() => sent.length === 1)
    const reason = new Error("the person went on")
    controller.abort(reason)
    await expect(called).rejects.toBe(reason)
    expect(sent).toHaveLength(1)
  })
})

describe("a response that is not the service's", () => {
  const page = (html: string) => async () => new Response(html, { headers: { "content-type": "text/html" } })

  it("throws unexpected_answer for a 200 that is not JSON, for every method", async () => {
    const { client } = clientWith({ apiKey: "lk_any" }, page("<h1>Accept the terms of this network</h1>"))
    const refused = { name: "LecternError", status: 200, code: "unexpected_answer" }
    await expect(client.GET("/api/user/portals")).rejects.toMatchObject(refused)
    await expect(client.POST("/api/badge/delete", { body: { id: [1] } })).rejects.toMatchObject(refused)
    await expect(client.list("/api/badges/tabularlist").pages().next()).rejects.toMatchObject(refused)
    await expect(client.events().pages().next()).rejects.toMatchObject(refused)
    await expect(client.signIn({ email: "a@example.com", password: PASSWORD })).rejects.toMatchObject(refused)
    const file = await client.GET("/api/user/portals", { parseAs: "text" })
    expect(file.data).toContain("Accept the terms")
  })

  it("throws not_signed_in if the platform follows the redirect to the sign-in page", async () => {
    const { client } = clientWith({}, async () => {
      const followed = await page("<h1>Sign in</h1>")()
      Object.defineProperties(followed, { redirected: { value: true }, url: { value: `${BASE}/login?next=%2F` } })
      return followed
    })
    await expect(client.fetch("/api/user/portals")).resolves.toBeInstanceOf(Response)
    await expect(client.events().pages().next()).rejects.toMatchObject({ status: 302, code: "not_signed_in" })
  })

  it("throws unexpected_answer if a page of a list has no Link header before the end", async () => {
    for (let i = 1; i <= 3; i++) await user()
    const { client } = await clientOf("admin", async (_, through) => {
      const answered = new Response((await through()).body, { headers: { "content-type": "application/json" } })
      return answered
    })
    const whole = client.list("/api/users/tabularlist", { pageSize: 4 }).pages()
    await expect(whole.next()).resolves.toMatchObject({ value: { recordsFiltered: 4 } })
    const part = client.list("/api/users/tabularlist", { pageSize: 2 }).pages()
    await expect(part.next()).rejects.toMatchObject({
      code: "unexpected_answer",
      message: "The list ended after 2 of 4 records: the response has no Link header.",
    })
  })
})

describe("a call that is temporarily refused", () => {
  it("waits for Retry-After, and repeats a POST with the same key", async () => {
    const waits = hurried()
    const { client, sent } = await clientOf("admin", (_, through, at) =>
      at < 2 ? Promise.resolve(answer(at === 0 ? 429 : 503, { message: "Later." }, { "retry-after": "7" })) : through(),
    )
    await client.POST("/api/user/create", { body: newUser("grace@example.com") })
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect(waits).toEqual([expect.any(Number), expect.any(Number)])
    for (const ms of waits) expect(ms >= 7000 && ms <= 7250).toBe(true)
  })

  it("throws immediately if waiting would exceed the call's timeout", async () => {
    const { client, sent } = clientWith({}, async () =>
      answer(429, { code: "too_many_attempts", message: "Later." }, { "retry-after": "900" }),
    )
    const signIn = client.signIn({ email: "a@example.com", password: "wrong" })
    await expect(signIn).rejects.toMatchObject({ status: 429, code: "too_many_attempts", retryAfter: 900 })
    expect(sent).toHaveLength(1)
  })

  it("is committed once for each of many parallel calls over an unreliable network", async () => {
    hurried()
    let count = 0
    const { client } = await clientOf(
      "admin",
      async (_, through) => {
        const at = count++ % 5
        if (at === 0) return answer(429, { message: "Later." }, { "retry-after": "1" })
        if (at === 1) throw new TypeError("connection refused")
        const answered = await through()
        if (at === 2) throw new TypeError("connection reset")
        return at === 3 ? new Response("Bad gateway", { status: 502 }) : answered
      },
      { retry: { attempts: 50 } },
    )
    const emails = Array.from({ length: 8 }, (_, i) => `storm${i}@example.com`)
    const created = await Promise.all(emails.map((email) => client.POST("/api/user/create", { body: newUser(email) })))
    const rows = (await rowsOf(users)).filter(({ email }) => email.startsWith("storm"))
    expect(rows.map(({ id }) => id).sort()).toEqual(created.map(({ data }) => data.id).sort())
    expect(new Set(rows.map(({ email }) => email)).size).toBe(8)
  })
})

describe("a session", () => {
  const refreshes = (sent: Sent[]) => sent.filter(({ call }) => call === "POST /session/refresh").length

  it("is created, stored, used and signed out", async () => {
    const ada = await user({ email: "ada@example.com", userType: "admin" })
    const kept: unknown[] = []
    const { client } = clientWith({ onTokens: (tokens) => void kept.push(tokens) })
    const who = await client.signIn({ email: "ada@example.com", password: PASSWORD })
    expect(who).toMatchObject({ id: ada.id, email: "ada@example.com", userType: "admin" })
    const { tokens } = client
    expect(tokens).toEqual({ token: expect.any(String), expiresAt: expect.any(String) })
    await client.POST("/api/user/create", { body: newUser("grace@example.com") })

    const other = clientWith({ tokens }).client
    await other.GET("/api/users/tabularlist", { params: { query: { page_size: 1, page_number: 1 } } })
    await client.signOut()
    expect(client.tokens).toBeUndefined()
    expect(kept).toEqual([tokens, undefined])
    const after = other.GET("/api/users/tabularlist", { params: { query: { page_size: 1, page_number: 1 } } })
    await expect(after).rejects.toMatchObject({ status: 401 })
  })

  it("throws the error of a wrong password", async () => {
    await user({ email: "ada@example.com" })
    const { client } = clientWith()
    const wrong = client.signIn({ email: "ada@example.com", password: "wrong" })
    await expect(wrong).rejects.toMatchObject({ name: "LecternError", status: 401 })
    expect(client.tokens).toBeUndefined()
  })

  it("of a device is renewed once for many calls, and is listed and ended by the service", async () => {
    await user({ email: "ada@example.com", userType: "admin" })
    const { client } = clientWith()
    await client.signIn({ email: "ada@example.com", password: PASSWORD, device: "A phone" })
    const refreshToken = client.tokens?.refreshToken
    expect(refreshToken).toBeTruthy()
    const page = { params: { query: { page_size: 1, page_number: 1 } } }
    const kept: unknown[] = []
    const options = {
      tokens: { ...tokensOf("not one"), refreshToken },
      onTokens: (tokens: unknown) => void kept.push(tokens),
    }
    const { client: later, sent } = clientWith(options)
    await Promise.all(Array.from({ length: 4 }, () => later.GET("/api/users/tabularlist", page)))
    expect(refreshes(sent)).toBe(1)
    expect(kept).toEqual([later.tokens])
    expect(later.tokens?.refreshToken).not.toBe(refreshToken)
    const devices = await later.GET("/api/session/tabularlist", page)
    expect(devices.data.records).toMatchObject([{ device: "A phone", current: true }])
    await later.signOut()
    const { client: after } = clientWith({ tokens: { ...tokensOf("not one"), refreshToken } })
    await expect(after.GET("/api/users/tabularlist", page)).rejects.toMatchObject({ status: 401 })
    expect(after.tokens).toBeUndefined()
  })

  /** A service whose access tokens are `a1`, `a2` …, each got by the refresh token before it, once. */
  function devices({ valid = 1 } = {}) {
    let current = valid
    const used = new Set<string>()
    const refresh = async (request: Request) => {
      const { refreshToken } = (await request.json()) as { refreshToken: string }
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (used.has(refreshToken) || refreshToken !== `r${current}`)
        return answer(401, { code: "session_ended", message: "Sign in again." })
      used.add(refreshToken)
      current++
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
      return Response.json({ token: `a${current}`, expiresAt, refreshToken: `r${current}`, user: { id: 1 } })
    }
    return async (request: Request) => {
      if (request.url.endsWith("/session/refresh")) return refresh(request)
      return request.headers.get("authorization") === `Bearer a${current}`
        ? Response.json({ ok: true })
        : answer(401, { code: "invalid_token", message: "The token has expired." })
    }
  }
  it("of a device is renewed once for many calls that were refused together", async () => {
    const kept: unknown[] = []
    const tokens = { ...tokensOf("a0"), refreshToken: "r1" }
    const { client, sent } = clientWith({ tokens, onTokens: (changed) => void kept.push(changed) }, devices())
    const responses = await Promise.all(Array.from({ length: 10 }, () => client.fetch("/api/user/portals")))
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(refreshes(sent)).toBe(1)
    expect(kept).toEqual([{ token: "a2", expiresAt: expect.any(String), refreshToken: "r2" }])
    expect(sent.find(({ call }) => call.endsWith("/refresh"))?.token).toBeNull()
  })

  it("of a device repeats the same refresh if its response was lost, in a later call too", async () => {
    hurried()
    let lost = 6
    const service = devices()
    const tokens = { ...tokensOf("a0"), refreshToken: "r1" }
    const { client, sent } = clientWith({ tokens }, async (request) => {
      if (!request.url.endsWith("/refresh") || lost-- <= 0) return service(request)
      throw new TypeError("connection reset")
    })
    await expect(client.fetch("/api/user/portals")).rejects.toMatchObject({ code: "network_failed" })
    expect((await client.fetch("/api/user/portals")).status).toBe(200)
    const keys = sent.flatMap(({ call, key }) => (call.endsWith("/refresh") ? [key] : []))
    expect(keys).toEqual(Array(7).fill(expect.stringMatching(/^[\x21-\x7e]{16,}$/)))
    expect(new Set(keys).size).toBe(1)
  })

  it("of a device is renewed before it expires, and calls wait for it", async () => {
    const tokens = { token: "a1", expiresAt: new Date(Date.now() + 30_000).toISOString(), refreshToken: "r1" }
    const { client, sent } = clientWith({ tokens }, devices())
    await Promise.all(Array.from({ length: 5 }, () => client.fetch("/api/user/portals")))
    expect(refreshes(sent)).toBe(1)
    expect(sent.slice(1).map(({ token }) => token)).toEqual(Array(5).fill("Bearer a2"))
  })

  it("of a device with a wrong clock is not renewed for each call", async () => {
    const tokens = { token: "a1", expiresAt: "2020-01-01T00:00:00.000Z", refreshToken: "r1" }
    const service = devices()
    const { client, sent } = clientWith({ tokens }, async (request) => {
      const answered = await service(request)
      if (!request.url.endsWith("/refresh")) return answered
      return Response.json({ ...(await answered.json<object>()), expiresAt: "2020-01-01T00:00:00.000Z" })
    })
    for (let i = 0; i < 5; i++) await client.fetch("/api/user/portals")
    expect(refreshes(sent)).toBe(1)
  })

  it("of a device that was ended deletes its tokens and notifies the app", async () => {
    const kept: unknown[] = []
    const tokens = { ...tokensOf("a0"), refreshToken: "r0" }
    const { client } = clientWith({ tokens, onTokens: (changed) => void kept.push(changed) }, devices())
    await expect(client.GET("/api/user/portals")).rejects.toMatchObject({ status: 401, code: "session_ended" })
    expect([client.tokens, kept]).toEqual([undefined, [undefined]])
  })

  it("without a refresh token is refused", async () => {
    const { client, sent } = clientWith({ tokens: tokensOf("a0") }, devices())
    await expect(client.GET("/api/user/portals")).rejects.toMatchObject({ code: "invalid_token" })
    expect(sent).toHaveLength(1)
  })
})

describe("an API key", () => {
  it("is sent unchanged, and its refusal is thrown", async () => {
    const { client, sent } = clientWith({ apiKey: "lk_1_nonsense" })
    await expect(client.GET("/api/user/portals")).rejects.toMatchObject({ status: 401 })
    expect(sent).toMatchObject([{ token: "Bearer lk_1_nonsense" }])
  })

  it("as client credentials is exchanged once for many calls, and again when its token has expired", async () => {
    let refreshCount = 0
    const forms: object[] = []
    const { client, sent } = clientWith(
      { clientCredentials: { clientId: 7, clientSecret: "lk_7_secret", scope: "read" } },
      async (request) => {
        if (request.url.endsWith("/oauth/token")) {
          forms.push(Object.fromEntries(await request.formData()))
          refreshCount++
          return Response.json({ access_token: `t${refreshCount}`, token_type: "Bearer", expires_in: 3600 })
        }
        const holds = request.headers.get("authorization") === `Bearer t${refreshCount}`
        return holds ? Response.json({}) : answer(401, { code: "invalid_token", message: "Ended." })
      },
    )
    await Promise.all(Array.from({ length: 5 }, () => client.fetch("/api/user/portals")))
    expect(refreshCount).toBe(1)
    refreshCount++
    expect((await client.fetch("/api/user/portals")).status).toBe(200)
    expect(forms[0]).toEqual({
      grant_type: "client_credentials",
      client_id: "7",
      client_secret: "lk_7_secret",
      scope: "read",
    })
    expect(sent.filter(({ call }) => call === "POST /oauth/token")).toHaveLength(2)
  })

  it("grants access according to its permissions, sent directly or exchanged", async () => {
    const { id, token } = await apiKey({ role: "admin", name: "Nightly" })
    const { client: direct } = clientWith({ apiKey: token })
    expect((await direct.GET("/api/me")).data).toMatchObject({ kind: "key", id, name: "Nightly" })
    const { client: reader } = clientWith({ clientCredentials: { clientId: id, clientSecret: token, scope: "read" } })
    expect((await reader.GET("/api/me")).data).toMatchObject({ kind: "key", id, scope: { access: "read" } })
    const change = reader.POST("/api/group/create", { body: { name: "Readers" } })
    await expect(change).rejects.toMatchObject({ status: 403, code: "key_read_only" })
  })

  it("that is invalid throws the OAuth error", async () => {
    const { client } = clientWith({ clientCredentials: { clientId: 7, clientSecret: "wrong" } })
    await expect(client.GET("/api/user/portals")).rejects.toMatchObject({ status: 401, code: "invalid_client" })
  })
})

describe("a list", () => {
  it("is read page by page, each record once even if others change", async () => {
    for (let i = 1; i <= 7; i++) await user({ email: `user${i}@example.com`, firstName: "Member" })
    const { client, sent } = await clientOf("admin")
    const seen: string[] = []
    const query = { order_by: { colName: "email" } } as const
    for await (const { email } of client.list("/api/users/tabularlist", { pageSize: 3, query })) {
      seen.push(email)
      // A listed record is deleted, one is added before the page and one after it.
      if (seen.length === 3) {
        await db.delete(users).where(eq(users.email, "user1@example.com"))
        await user({ email: "aaa@example.com" })
        await user({ email: "user9@example.com" })
      }
    }
    const expected = [1, 2, 3, 4, 5, 6, 7].map((i) => `user${i}@example.com`)
    expect(seen.filter((email) => expected.includes(email))).toEqual(expected)
    expect(seen).toContain("user9@example.com")
    expect(seen).not.toContain("aaa@example.com")
    expect(new Set(seen).size).toBe(seen.length)
    expect(sent.filter(({ call }) => call === "GET /api/users/tabularlist").length).toBeGreaterThan(2)
  })

  it("returns its totals, and stops when the caller stops", async () => {
    for (let i = 1; i <= 4; i++) await user()
    const { client, sent } = await clientOf("admin")
    for await (const page of client.list("/api/users/tabularlist", { pageSize: 2 }).pages()) {
      expect(page).toMatchObject({ recordsTotal: 5, recordsFiltered: 5, records: [{}, {}] })
      break
    }
    expect(sent).toHaveLength(1)
  })

  it("returns only the named fields, on every page", async () => {
    for (let i = 1; i <= 4; i++) await user({ email: `listed${i}@example.com` })
    const { client } = await clientOf("admin")
    const query = { fields: "email", search_param: { nameOrEmail: "listed" }, order_by: { colName: "email" } } as const
    const found = await client.list("/api/users/tabularlist", { pageSize: 3, query }).toArray(10)
    const emails: (string | undefined)[] = found.map(({ email }) => email)
    expect(found).toEqual(emails.map((email) => ({ email })))
    expect(emails).toEqual([1, 2, 3, 4].map((i) => `listed${i}@example.com`))
  })

  it("throws if it is refused", async () => {
    const { client } = await clientOf("general")
    const read = client.list("/api/users/tabularlist")[Symbol.asyncIterator]().next()
    await expect(read).rejects.toMatchObject({ status: 403 })
  })
})

describe("the event feed", () => {
  it("is read in order from a cursor, each event once, filtered by type", async () => {
    for (let i = 1; i <= 5; i++) await user({ email: `user${i}@example.com` })
    const { client, sent } = await clientOf("admin")
    const feed = client.events({ pageSize: 2 })
    const seen: string[] = []
    for await (const { type, data } of feed) if (type === "user.created" && "email" in data) seen.push(data.email)
    expect(seen.slice(0, 5)).toEqual([1, 2, 3, 4, 5].map((i) => `user${i}@example.com`))
    expect(sent.length).toBeGreaterThan(2)

    await user({ email: "later@example.com" })
    const later = client.events({ after: feed.cursor, types: ["user.created", "order.created"] })
    const pages = []
    for await (const page of later.pages()) pages.push(page)
    expect(pages).toMatchObject([{ events: [{ data: { email: "later@example.com" } }] }])
    expect(later.cursor).toBe(pages[0]?.cursor)
  })

  it("is followed until the signal ends it", async () => {
    const { client } = await clientOf("admin")
    const controller = new AbortController()
    const seen: string[] = []
    const following = (async () => {
      for await (const { type } of client.events({ follow: 20, signal: controller.signal })) seen.push(type)
    })()
    await vi.waitUntil(() => seen.length === 1)
    await user()
    await vi.waitUntil(() => seen.length === 2)
    const reason = new Error("enough")
    controller.abort(reason)
    await expect(following).rejects.toBe(reason)
  })
})

describe("jobs", () => {
  it("export: starts, reports progress and downloads", async () => {
    await user({ email: "zoe@example.com" })
    openQueue("EXPORTS")
    const { client } = await clientOf("admin")
    const progressValues: number[] = []
    const { filename, response } = await client.exportFile("/api/users/export", undefined, {
      onProgress: ({ progress }) => progressValues.push(progress),
    })
    expect(filename).toMatch(/^users-\d{8}-\d{6}-[\da-f]{8}\.xlsx$/)
    const book = await readXlsx(new Uint8Array(await response.arrayBuffer()))
    expect(book.sheets[0]?.rows.map((row) => row[4])).toContain("zoe@example.com")
    expect(progressValues.at(-1)).toBe(100)
    expect(progressValues).toEqual([...progressValues].sort((a, b) => a - b))
  })

  it("export: throws job_failed if it fails", async () => {
    const state = { status: "failed", progress: 40, message: "It failed three times." }
    const { client } = clientWith({}, async (request) =>
      Response.json(request.method === "POST" ? { export_id: "x", status: "success", message: "" } : state),
    )
    await expect(client.exportFile("/api/users/export")).rejects.toMatchObject({
      code: "job_failed",
      message: "It failed three times.",
      body: state,
    })
  })

  const sheet = (count: number) => {
    const rows = Array.from({ length: count }, (_, i) => `Grace,Hopper ${i},bulk${i}@example.com,`)
    return new File([["first_name,last_name,email,password", ...rows].join("\n")], "users.csv", { type: "text/csv" })
  }

  it("bulk upload: returns immediately for a few rows and for a dry run", async () => {
    const { client } = await clientOf("admin")
    const tried = await client.bulkUpload(sheet(3), { dryRun: true })
    expect(tried).toMatchObject({ upload_id: null, dryRun: true, created: 3, failed: 0 })
    expect(await rowsOf(users)).toHaveLength(1)
    expect(await client.bulkUpload(sheet(3))).toMatchObject({ status: "completed", created: 3 })
    expect(await rowsOf(users)).toHaveLength(4)
  })

  it("bulk upload: reports progress for many rows", async () => {
    openQueue("UPLOADS")
    const { client } = await clientOf("admin")
    const progressValues: number[] = []
    const done = await client.bulkUpload(sheet(30), { onProgress: ({ progress }) => progressValues.push(progress) })
    expect(done).toMatchObject({ status: "completed", progress: 100, created: 30, failed: 0 })
    expect(await rowsOf(users)).toHaveLength(31)
    expect(progressValues.at(-1)).toBe(100)
  })
})

describe("verifying a webhook", () => {
  const SECRET = `whsec_${btoa("a secret of twenty-four by")}`
  const OTHER = `whsec_${btoa("another secret of 24 bytes")}`
  const BODY = JSON.stringify({ id: "evt_1", type: "user.created", occurredAt: "2026-01-05T15:04:05.678Z", data: {} })
  const sign = (secret: string, seconds: number, body = BODY) =>
    new Webhook(secret).sign("evt_1", new Date(seconds * 1000), body)
  const headers = (signature: string, seconds: number) => ({
    "webhook-id": "evt_1",
    "Webhook-Timestamp": String(seconds),
    "webhook-signature": signature,
  })
  const now = () => Math.floor(Date.now() / 1000)

  it("returns the event if the signature is valid", async () => {
    const at = now()
    const event = await verifyWebhook(BODY, headers(sign(SECRET, at), at), SECRET)
    expect(event).toEqual(JSON.parse(BODY))
    const bytes = new TextEncoder().encode(BODY)
    const signedHeaders = new Headers(headers(sign(SECRET, at), at))
    expect(await verifyWebhook(bytes, signedHeaders, [OTHER, SECRET])).toEqual(event)
  })

  it("accepts any of its signatures while the secret is rotated", async () => {
    const at = now()
    const both = headers(`${sign(OTHER, at)} v2,AAAA ${sign(SECRET, at)}`, at)
    expect(await verifyWebhook(BODY, both, SECRET)).toMatchObject({ id: "evt_1" })
  })

  it("refuses another secret, body, time or id", async () => {
    const at = now()
    const right = headers(sign(SECRET, at), at)
    for (const [body, sent, secret] of [
      [BODY, right, OTHER],
      [`${BODY} `, right, SECRET],
      [BODY, { ...right, "Webhook-Timestamp": String(at + 1) }, SECRET],
      [BODY, { ...right, "webhook-id": "evt_2" }, SECRET],
      [BODY, { ...right, "webhook-signature": "v1,%%%" }, SECRET],
      [BODY, { ...right, "webhook-signature": "" }, SECRET],
    ] as const)
      await expect(verifyWebhook(body, sent, secret)).rejects.toMatchObject({ name: "WebhookError" })
  })

  it("refuses a time more than five minutes in the past or future", async () => {
    for (const [ago, holds] of [
      [295, true],
      [-295, true],
      [305, false],
      [-305, false],
    ] as const) {
      const at = now() - ago
      const verified = verifyWebhook(BODY, headers(sign(SECRET, at), at), SECRET)
      if (holds) await expect(verified).resolves.toBeTruthy()
      else await expect(verified).rejects.toMatchObject({ name: "WebhookError" })
    }
  })
})

describe("a call that is aborted before it is sent", () => {
  it("rejects once, and leaves no unhandled rejection", async () => {
    const unhandled = vi.fn()
    const note = (event: PromiseRejectionEvent) => {
      event.preventDefault()
      unhandled(event.reason)
    }
    addEventListener("unhandledrejection", note)
    const controller = new AbortController()
    const { client } = clientWith({}, async (request) => {
      request.signal.throwIfAborted()
      throw new Error("sent although it was aborted")
    })
    controller.abort()
    await expect(client.GET("/api/me", { signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" })
    await new Promise((resolve) => setTimeout(resolve, 20))
    removeEventListener("unhandledrejection", note)
    expect(unhandled).not.toHaveBeenCalled()
  })
})
