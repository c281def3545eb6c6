import { env, exports } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { users } from "../../drizzle/schema/users.ts"
import { clientObject, userClient } from "../../src/access/clients.ts"
import { PASSWORD, rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { call, cookieOf, get, post, put, query } from "../helpers/client.ts"

const APP = "https://app.example.org"
const FOREIGN = "https://evil.example"
const PATHS = [
  ...["/api/users/tabularlist", "/login", "/logout", "/session/refresh", "/oauth/token", "/openapi.json", "/mcp"],
  ...["/password/forgot", "/set-password", "/sign-up", "/sign-up/confirm"],
]
const page = query({ page_size: 1, page_number: 1 })

/** The preflight request of a browser. */
const preflight = (path: string, origin: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://lectern.test${path}`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "PUT",
      "access-control-request-headers": "authorization,content-type",
      "cf-connecting-ip": "203.0.113.7",
      ...headers,
    },
  })

const from = (origin: string, headers: Record<string, string> = {}) => ({ headers: { origin, ...headers } })
const granted = ({ headers }: { headers: Headers }) => [
  headers.get("access-control-allow-origin"),
  headers.get("access-control-allow-credentials"),
]
const varies = ({ headers }: { headers: Headers }) => headers.get("vary")?.includes("Origin") ?? false

beforeEach(() => {
  env.ALLOWED_ORIGINS = `${APP}, capacitor://localhost`
})
afterEach(() => {
  env.ALLOWED_ORIGINS = ""
  env.RATE_LIMIT = "1000000"
})

describe("a preflight", () => {
  it("from an allowed origin gets the methods and headers, at every shared path", async () => {
    for (const path of [...PATHS, "/api/no/such/path", "/api/user/7?a=1"]) {
      const response = await preflight(path, APP)
      expect(response.status, path).toBe(204)
      expect(await response.text()).toBe("")
      expect(granted(response)).toEqual([APP, null])
      expect(varies(response)).toBe(true)
      expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, PUT, PATCH, DELETE")
      expect(response.headers.get("access-control-allow-headers")?.toLowerCase().split(", ")).toEqual([
        "authorization",
        "content-type",
        "idempotency-key",
        "if-match",
        "if-none-match",
        "mcp-protocol-version",
        "prefer",
        "range",
        "tus-resumable",
        "upload-length",
        "upload-metadata",
        "upload-offset",
        "x-client-version",
        "x-d1-bookmark",
      ])
      expect(response.headers.get("access-control-max-age")).toBe("7200")
      expect(response.headers.get("x-request-id")).toBeTruthy()
    }
  })

  it("from another origin is refused with the reason", async () => {
    for (const origin of [
      FOREIGN,
      "null",
      "http://app.example.org",
      "https://app.example.org.evil.example",
      APP.toUpperCase(),
    ]) {
      const response = await preflight("/api/users/tabularlist", origin)
      expect(response.status, origin).toBe(403)
      expect(granted(response)).toEqual([null, null])
      expect(varies(response)).toBe(true)
      expect(await response.json()).toMatchObject({
        status: "error",
        code: "origin_not_allowed",
        message: "This origin is not listed in ALLOWED_ORIGINS.",
      })
    }
  })

  it("does not count toward a rate limit", async () => {
    env.RATE_LIMIT = "2"
    for (let i = 0; i < 5; i++) expect((await preflight(PATHS[0] ?? "", APP)).status).toBe(204)
    const response = await get("/api/userType/lookup", from(APP))
    expect(response.headers.get("x-ratelimit-remaining")).toBe("1")
  })

  it("is not recognized without its headers, or at a path that is not shared", async () => {
    const options = await call("OPTIONS", "/api/userType/lookup", from(APP))
    expect(options.status).toBe(405)
    expect((await preflight("/docs", APP)).status).toBe(405)
    expect(granted(await preflight("/docs", APP))).toEqual([null, null])
  })
})

describe("a response to a page of another origin", () => {
  it("allows an allowed origin to read every status and its headers", async () => {
    const ada = await signedIn("admin")
    const disabledUser = await signedIn("admin")
    await clientObject(env, userClient(disabledUser.id)).revoke("changed")
    const { token } = ada
    const answers = {
      200: await get(`/api/users/tabularlist${page}`, { token, ...from(APP) }),
      400: await post("/api/user/create", "{", { token, ...from(APP) }),
      401: await get("/api/userType/lookup", { token: disabledUser.token, ...from(APP) }),
      403: await get(`/api/users/tabularlist${page}`, { token: (await signedIn("general")).token, ...from(APP) }),
      404: await get("/api/no/such/path", { token, ...from(APP) }),
      405: await put("/api/userType/lookup", {}, { token, ...from(APP) }),
      413: await post("/login", { email: "a@example.com", password: "x".repeat(20_000) }, from(APP)),
      415: await call("POST", "/login", { body: "x", ...from(APP, { "content-type": "text/plain" }) }),
      422: await get("/api/users/tabularlist", { token, ...from(APP) }),
    }
    for (const [status, response] of Object.entries(answers)) {
      expect(response.status).toBe(Number(status))
      expect(granted(response), status).toEqual([APP, null])
      expect(varies(response), status).toBe(true)
      const exposed = response.headers.get("access-control-expose-headers")?.toLowerCase().split(", ") ?? []
      for (const name of [
        ...["link", "etag", "x-request-id", "x-d1-bookmark", "retry-after", "idempotency-replayed"],
        ...["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "ratelimit-policy"],
        ...["content-disposition", "deprecation", "location"],
      ])
        expect(exposed, status).toContain(name)
    }
    expect(answers[200].headers.get("link")).toContain('rel="next"')
  })

  it("can be read if the call is over the rate limit or its URL is too long", async () => {
    env.RATE_LIMIT = "1"
    await get("/api/userType/lookup", from(APP))
    const over = await get("/api/userType/lookup", from(APP))
    expect([over.status, ...granted(over)]).toEqual([429, APP, null])
    env.RATE_LIMIT = "1000000"
    const long = await get(`/api/userType/lookup?a=${"x".repeat(9000)}`, from(APP))
    expect([long.status, ...granted(long)]).toEqual([413, APP, null])
  })

  it("can be read after an error outside of all middleware", async () => {
    const { CLIENTS } = env
    Object.assign(env, { CLIENTS: undefined })
    try {
      const response = await exports.default.fetch("https://lectern.test/api/userType/lookup", from(APP))
      expect([response.status, ...granted(response)]).toEqual([500, APP, null])
    } finally {
      Object.assign(env, { CLIENTS })
    }
  })

  it("allows no other origin on any path, and varies by origin in caches", async () => {
    const { token } = await signedIn("admin")
    for (const origin of [FOREIGN, "null", `${APP}.evil.example`])
      for (const path of PATHS) {
        const response = await get(path, { token, ...from(origin) })
        expect(granted(response), `${origin} ${path}`).toEqual([null, null])
        expect(varies(response), path).toBe(true)
      }
    const response = await get("/openapi.json")
    expect([varies(response), ...granted(response)]).toEqual([true, null, null])
  })

  it("can be read by origins of packaged apps, and never on a page's own path", async () => {
    expect(granted(await get("/api/userType/lookup", from("capacitor://localhost")))).toEqual([
      "capacitor://localhost",
      null,
    ])
    for (const path of ["/docs", "/learn", "/"]) {
      const response = await get(path, from(APP))
      expect([varies(response), ...granted(response)], path).toEqual([false, null, null])
    }
  })

  it("has no CORS headers if no origin is listed", async () => {
    for (const none of ["", " , "]) {
      env.ALLOWED_ORIGINS = none
      const response = await get("/api/userType/lookup", from(APP))
      expect([varies(response), ...granted(response)]).toEqual([false, null, null])
      expect((await preflight("/api/userType/lookup", APP)).status).toBe(403)
    }
  })

  it("can be read by any origin if the list is a star, without credentials", async () => {
    env.ALLOWED_ORIGINS = "*"
    for (const origin of [APP, FOREIGN, "null"]) {
      expect(granted(await get("/api/userType/lookup", from(origin)))).toEqual(["*", null])
      expect(granted(await preflight("/login", origin))).toEqual(["*", null])
    }
  })

  it("accepts an origin in any spelling of the operator", async () => {
    env.ALLOWED_ORIGINS = " HTTPS://App.Example.org/ ,, https://b.example"
    expect(granted(await get("/api/userType/lookup", from(APP)))).toEqual([APP, null])
    expect(granted(await get("/api/userType/lookup", from("https://b.example")))).toEqual(["https://b.example", null])
  })
})

describe("a call from a page of another origin", () => {
  it("signs in, lists and changes with a bearer token", async () => {
    const ada = await user({ email: "ada@example.com", userType: "admin" })
    const opened = await post("/login", { email: ada.email, password: PASSWORD }, from(APP))
    expect([opened.status, ...granted(opened), opened.headers.get("set-cookie")]).toEqual([200, APP, null, null])
    const { token } = opened.body
    expect((await get(`/api/users/tabularlist${page}`, { token, ...from(APP) })).body.recordsTotal).toBe(1)
    const changed = await put(`/api/user/${ada.id}`, { firstName: "Augusta" }, { token, ...from(APP) })
    expect(changed.status).toBe(200)
    expect((await rowsOf(users))[0]?.firstName).toBe("Augusta")
  })

  it("is refused with a session cookie, allowed or not, for reads and changes", async () => {
    const ada = await signedIn("admin")
    for (const origin of [APP, FOREIGN, "null"]) {
      const read = await get(`/api/user/${ada.id}`, from(origin, cookieOf(ada.token)))
      expect(read, origin).toMatchObject({
        status: 403,
        body: {
          code: "cross_origin_forbidden",
          message: "A session cookie is accepted from pages of this origin only. Use a bearer token.",
        },
      })
      const change = await put(`/api/user/${ada.id}`, { firstName: "Eve" }, from(origin, cookieOf(ada.token)))
      expect(change.status).toBe(403)
    }
    expect((await rowsOf(users))[0]?.firstName).toBe(ada.firstName)
    const response = await get(`/api/user/${ada.id}`, from("https://lectern.test", cookieOf(ada.token)))
    expect(response.status).toBe(200)
  })

  it("cannot sign in a browser with the form", async () => {
    await user({ email: "ada@example.com" })
    const response = await call("POST", "/login", {
      body: new URLSearchParams({ email: "ada@example.com", password: PASSWORD }).toString(),
      ...from(APP, { "content-type": "application/x-www-form-urlencoded" }),
    })
    expect([response.status, response.headers.get("set-cookie")]).toEqual([403, null])
  })
})

describe("an invalid Authorization header", () => {
  const { ACCESS_POLICY } = env
  afterEach(() => {
    env.ACCESS_POLICY = ACCESS_POLICY
  })

  it("returns 401 as JSON under both policies, at operations, pages and unknown paths", async () => {
    const ended = await signedIn("admin")
    await clientObject(env, userClient(ended.id)).revoke("changed")
    const expired = await tokenOf(await user({ userType: "admin" }))
    const cookie = cookieOf((await signedIn("admin")).token)
    const headers = [
      "Bearer",
      "Bearer ",
      "Bearer nonsense",
      `Bearer ${expired.slice(0, -4)}AAAA`,
      `Bearer ${ended.token}`,
      `Basic ${btoa("ada:secret")}`,
      "Token abc",
      "Bearer a b",
    ]
    for (const policy of ["documented", "enforced"]) {
      env.ACCESS_POLICY = policy
      for (const authorization of headers)
        for (const beside of [{}, { ...cookie, "sec-fetch-site": "same-origin" }])
          for (const path of ["/api/userType/lookup", "/api/users/export", "/api/no/such/path", "/learning"]) {
            const response = await get(path, { headers: { authorization, ...beside } })
            expect(response.status, `${policy} ${authorization} ${path}`).toBe(401)
            expect(response.headers.get("content-type")).toContain("application/json")
            expect(response.headers.get("www-authenticate")).toContain("Bearer")
          }
    }
  })

  it("is ignored if another credential is given", async () => {
    const ada = await user({ email: "ada@example.com" })
    const ended = await tokenOf(ada)
    await clientObject(env, userClient(ada.id)).revoke("changed")
    for (const token of ["nonsense", ended]) {
      const response = await post("/login", { email: ada.email, password: PASSWORD }, { token })
      expect(response.status).toBe(200)
    }
  })
})
