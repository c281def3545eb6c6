import { env, exports } from "cloudflare:workers"
import * as oauth from "oauth4webapi"
import { afterEach, describe, expect, it, vi } from "vitest"
import { group, portal, signedIn } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { cost, get, post } from "../helpers/client.ts"

const HOUR = 3_600_000

const basicOf = (id: number | string, secret: string) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
})

/** Asks for a token as OAuth clients do: its errors are RFC 6749's, not the service's one shape. */
async function requestToken(form: string | Record<string, string>, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch("https://lectern.test/oauth/token", {
    method: "POST",
    headers: {
      "cf-connecting-ip": "203.0.113.7",
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  })
  expect(response.headers.get("cache-control")).toBe("no-store")
  return { status: response.status, headers: response.headers, body: await response.json<Record<string, unknown>>() }
}
const exchange = ({ id, token }: { id: number; token: string }, more = {}) =>
  requestToken({ grant_type: "client_credentials", client_id: String(id), client_secret: token, ...more })
const tokenOf = async (key: { id: number; token: string }, more = {}) => ({
  token: String((await exchange(key, more)).body.access_token),
})

const users = (options: object) => get("/api/users/tabularlist?page_size=5&page_number=1", options)

afterEach(() => {
  vi.useRealTimers()
})

describe("POST /oauth/token", () => {
  it("exchanges a key for a token of one hour, by body or HTTP Basic, without a D1 round trip", async () => {
    const key = await apiKey()
    const byBody = await exchange(key)
    expect(byBody).toMatchObject({
      status: 200,
      body: { access_token: expect.any(String), token_type: "Bearer", expires_in: 3600, scope: "read write" },
    })
    expect(byBody.headers.get("pragma")).toBe("no-cache")
    expect(byBody.headers.get("server-timing")).toContain("trips=0")
    const byBasic = await requestToken({ grant_type: "client_credentials" }, basicOf(key.id, key.token))
    expect(byBasic.status).toBe(200)
    for (const { body } of [byBody, byBasic]) {
      const response = await users({ token: body.access_token })
      expect(response.status).toBe(200)
      expect(cost(response).roundTrips).toBe(1)
    }
  })

  it("can restrict a token to read access and never extends it", async () => {
    const key = await apiKey({ families: ["Users"] })
    const reading = await exchange(key, { scope: "read" })
    expect(reading.body.scope).toBe("read")
    const token = String(reading.body.access_token)
    expect((await users({ token })).status).toBe(200)
    expect(await post("/api/user/create", {}, { token })).toMatchObject({ body: { code: "key_read_only" } })
    expect(await get("/api/courses/tabularlist?page_size=5&page_number=1", { token })).toMatchObject({
      body: { code: "key_scope_insufficient" },
    })
    const reader = await apiKey({ access: "read" })
    expect((await exchange(reader)).body.scope).toBe("read")
    expect((await exchange(key, { scope: "read write" })).body.scope).toBe("read write")
    for (const [of, scope] of [
      [reader, "write"],
      [key, "admin"],
    ] as const)
      expect(await exchange(of, { scope })).toMatchObject({ status: 400, body: { error: "invalid_scope" } })
  })

  it("issues tokens that end with their key and follow its changes immediately", async () => {
    const deletedKey = await apiKey()
    const regenerated = await apiKey()
    const changed = await apiKey()
    const deletedToken = await tokenOf(deletedKey)
    const regeneratedToken = await tokenOf(regenerated)
    const ofChanged = await tokenOf(changed)
    for (const token of [deletedToken, regeneratedToken, ofChanged]) expect((await users(token)).status).toBe(200)
    await post("/api/api-key/delete", { delete_ids: [deletedKey.id] })
    await post("/api/api-key/rotate", { id: regenerated.id })
    await exports.default.fetch(`https://lectern.test/api/api-key/${changed.id}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ role: "general" }),
    })
    for (const token of [deletedToken, regeneratedToken])
      expect(await users(token)).toMatchObject({ status: 401, body: { code: "invalid_key" } })
    expect(await users(ofChanged)).toMatchObject({ status: 403, body: { code: "insufficient_role" } })
    expect(await exchange(deletedKey)).toMatchObject({ status: 401, body: { error: "invalid_client" } })
  })

  it("issues tokens that expire after an hour, or earlier with the key", async () => {
    const time = Date.now()
    const short = await apiKey({ expiresAt: time + HOUR / 2 })
    const long = await apiKey()
    const response = await exchange(short)
    expect(response.body.expires_in).toBeGreaterThan(1790)
    expect(response.body.expires_in).toBeLessThanOrEqual(1800)
    const ofShort = { token: String(response.body.access_token) }
    const ofLong = await tokenOf(long)
    vi.useFakeTimers({ now: time + HOUR / 2 + 1000, toFake: ["Date"] })
    expect((await users(ofShort)).status).toBe(401)
    expect((await users(ofLong)).status).toBe(200)
    vi.setSystemTime(time + HOUR + 1000)
    expect((await users(ofLong)).status).toBe(401)
    expect((await users({ token: long.token })).status).toBe(200)
  })

  it("returns errors in the format of RFC 6749", async () => {
    const key = await apiKey()
    const type = { grant_type: "client_credentials" }
    const credentials = { client_id: String(key.id), client_secret: key.token }
    const cases: [string, number, string | Record<string, string>, Record<string, string>?][] = [
      ["invalid_request", 400, { ...credentials }],
      ["unsupported_grant_type", 400, { ...credentials, grant_type: "password" }],
      ["invalid_client", 401, type],
      ["invalid_client", 401, { ...type, client_id: String(key.id), client_secret: "lk_1_wrong" }],
      ["invalid_client", 401, { ...type, client_id: "99", client_secret: key.token }],
      ["invalid_client", 401, type, basicOf(key.id, `${key.token.slice(0, -1)}-`)],
      ["invalid_request", 400, { ...type, ...credentials }, basicOf(key.id, key.token)],
      ["invalid_request", 400, type, { authorization: "Basic %%%" }],
      ["invalid_request", 400, "grant_type=client_credentials&grant_type=client_credentials"],
      ["invalid_request", 400, JSON.stringify({ ...type, ...credentials }), { "content-type": "application/json" }],
      ["invalid_request", 400, `grant_type=client_credentials&state=${"a".repeat(20_000)}`],
    ]
    for (const [error, status, form, headers] of cases) {
      const response = await requestToken(form, headers)
      expect(response, JSON.stringify(form).slice(0, 100)).toMatchObject({ status, body: { error } })
      expect(Object.keys(response.body).sort()).toEqual(["error", "error_description"])
      expect(response.headers.get("www-authenticate")).toBe(status === 401 ? 'Basic realm="oauth"' : null)
    }
  })

  it("counts wrong keys only against the network address", { timeout: 30_000 }, async () => {
    const key = await apiKey()
    const wrong = { grant_type: "client_credentials", client_id: "1", client_secret: "lk_1_wrong" }
    for (let i = 0; i < 100; i++) expect((await requestToken(wrong)).status).toBe(401)
    const refused = await exchange(key)
    expect(refused).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    const elsewhere = { "cf-connecting-ip": "198.51.100.9" }
    const right = { ...wrong, client_id: String(key.id), client_secret: key.token }
    expect((await requestToken(right, elsewhere)).status).toBe(200)
    expect((await users({ token: key.token })).status).toBe(200)
  })

  it("rejects session tokens as key tokens and key tokens as session tokens", async () => {
    const person = await signedIn("owner")
    const token = await tokenOf(await apiKey({ role: "owner" }))
    expect((await get("/api/me", person)).body.kind).toBe("user")
    expect((await get("/api/me", token)).body.kind).toBe("key")
    await post("/logout", { everywhere: true }, token)
    expect((await get("/api/me", token)).status).toBe(200)
  })

  it("can be discovered and called by a standard client with both authentication methods", async () => {
    type Sent = oauth.CustomFetchOptions<string, oauth.ProtectedResourceRequestBody>
    const here = {
      [oauth.customFetch]: (url: string, { method, headers, body = null }: Sent) =>
        exports.default.fetch(url, { method, headers, body }),
    }
    const issuer = new URL("https://lectern.test")
    const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...here })
    const server = await oauth.processDiscoveryResponse(issuer, found)
    const key = await apiKey({ name: "Nightly" })
    const client = { client_id: String(key.id) }
    const granted = async (auth: oauth.ClientAuth) => {
      const answer = await oauth.clientCredentialsGrantRequest(server, client, auth, { scope: "read" }, here)
      return oauth.processClientCredentialsResponse(server, client, answer)
    }
    for (const auth of [oauth.ClientSecretBasic(key.token), oauth.ClientSecretPost(key.token)]) {
      const { access_token, token_type, expires_in, scope } = await granted(auth)
      expect({ token_type, expires_in, scope }).toEqual({ token_type: "bearer", expires_in: 3600, scope: "read" })
      const me = new URL("/api/me", issuer)
      const response = await oauth.protectedResourceRequest(access_token, "GET", me, undefined, undefined, here)
      expect(await response.json()).toMatchObject({ name: "Nightly", scope: { access: "read" } })
    }
    await expect(granted(oauth.ClientSecretPost("lk_1_wrong"))).rejects.toMatchObject({ status: 401 })
  })

  it("is located where the metadata says", async () => {
    const response = await get("/.well-known/oauth-authorization-server")
    expect(response.body).toMatchObject({
      issuer: "https://lectern.test",
      token_endpoint: "https://lectern.test/oauth/token",
      grant_types_supported: ["client_credentials"],
    })
  })
})

describe("GET /api/me", () => {
  it("describes users and the users they can see, in one round trip", async () => {
    const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    const response = await get("/api/me", learner)
    expect(response.body).toEqual({
      kind: "user",
      id: learner.id,
      name: "Ada Byron",
      email: "ada@example.com",
      role: "general",
      scope: { access: "write", families: null, scopes: [], sees: "itself", groups: [], portals: [] },
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      ...{ timeZone: null, academyTimeZone: "UTC", language: null, unreadNotifications: 0 },
      ...{ academy: "Lectern", academyLogoUrl: null },
    })
    const { ACADEMY_NAME } = env
    try {
      env.ACADEMY_NAME = "Riverside College"
      expect((await get("/api/me", learner)).body.academy).toBe("Riverside College")
    } finally {
      env.ACADEMY_NAME = ACADEMY_NAME
    }
    expect(cost(response).roundTrips).toBe(1)
    const supervisor = await signedIn("group_admin")
    const supervised = await group({ admins: [supervisor.id], members: [learner.id] })
    const { id } = await portal({ name: "North", admins: [supervisor.id] })
    await portal({ members: [supervisor.id] })
    expect((await get("/api/me", supervisor)).body.scope).toEqual({
      access: "write",
      families: null,
      scopes: [],
      sees: "members",
      groups: [{ id: supervised.id, name: `Group ${supervised.id}` }],
      portals: [{ id, name: "North" }],
    })
    expect((await get("/api/me", await signedIn("staff"))).body.scope.sees).toBe("everyone")
  })

  it("describes the permissions of any key without a round trip", async () => {
    const expiresAt = Date.UTC(2099, 0, 5)
    const key = await apiKey({ name: "Nightly", access: "read", families: ["Courses"], expiresAt })
    const response = await get("/api/me", key)
    expect(response.body).toEqual({
      kind: "key",
      id: key.id,
      name: "Nightly",
      email: null,
      role: "staff",
      scope: { access: "read", families: ["Courses"], scopes: [], sees: "everyone", groups: [], portals: [] },
      expiresAt: "2099-01-05T00:00:00.000Z",
      ...{ timeZone: null, academyTimeZone: "UTC", language: null, unreadNotifications: 0 },
      ...{ academy: "Lectern", academyLogoUrl: null },
    })
    expect(cost(response).roundTrips).toBe(0)
    const forever = await apiKey({ role: "general" })
    expect((await get("/api/me", forever)).body).toMatchObject({ scope: { sees: "nobody" }, expiresAt: null })
    const token = await tokenOf(forever)
    const until = new Date((await get("/api/me", token)).body.expiresAt).getTime()
    expect(until - Date.now()).toBeLessThanOrEqual(HOUR)
  })

  it("redirects callers without credentials to the sign-in page under both policies", async () => {
    const documented = env.ACCESS_POLICY
    try {
      for (const policy of ["documented", "enforced"]) {
        env.ACCESS_POLICY = policy
        expect((await get("/api/me")).status).toBe(302)
        expect((await get("/api/me", { token: "nonsense" })).status).toBe(401)
      }
    } finally {
      env.ACCESS_POLICY = documented
    }
  })
})
