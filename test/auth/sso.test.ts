import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest"
import { apiKeys } from "../../drizzle/schema/api-keys.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { customFieldValues } from "../../drizzle/schema/custom-fields.ts"
import { devices } from "../../drizzle/schema/devices.ts"
import { portalMembers } from "../../drizzle/schema/portals.ts"
import { ssoProviders, userIdentities } from "../../drizzle/schema/sso.ts"
import { twoFactor } from "../../drizzle/schema/two-factor.ts"
import { users } from "../../drizzle/schema/users.ts"
import { MINUTE } from "../../src/lib/clock.ts"
import { db, PASSWORD, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { call, cost, get, post, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { begin, CLIENT_SECRET, comeBack, connected, fakeProvider, sessionIn, signInAs } from "../helpers/provider.ts"
import { keepsSecret } from "../helpers/secrets.ts"
import { anyIsoTime } from "../helpers/times.ts"

const ADA = { sub: "ada-1", email: "ada@example.com", email_verified: true, given_name: "Ada", family_name: "Byron" }

/** A provider and its record. */
async function corp(more: Record<string, unknown> = {}, tampering: Parameters<typeof fakeProvider>[0] = {}) {
  const admin = await signedIn("admin")
  const provider = await fakeProvider(tampering)
  const id = await connected(provider, admin, more)
  return { admin, provider, id }
}

const usersByEmail = async (email: string) => (await rowsOf(users)).filter((row) => row.email === email)

/** Nobody was signed in, nothing was written, and the page shows the reason without internal details. */
async function expectRefused(response: Awaited<ReturnType<typeof comeBack>>, status: number, words: RegExp) {
  expect([response.status, String(response.body)]).toEqual([status, expect.stringMatching(words)])
  expect(response.headers.get("content-type")).toContain("text/html")
  expect(response.body).toContain(response.headers.get("x-request-id"))
  expect(response.body).not.toMatch(/internal words|oauth|jwt|nonce|undefined/i)
  expect(sessionIn(response)).toBeUndefined()
  expect((await rowsOf(auditLogs)).filter((row) => row.action === "login")).toEqual([])
  expect(await rowsOf(userIdentities)).toEqual([])
}

/** Each refusal is logged. */
let log: MockInstance<typeof console.warn>
beforeEach(() => {
  log = vi.spyOn(console, "warn").mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe("GET /sso/{provider}/start", () => {
  it("redirects to the provider with state, nonce and PKCE, and sets a cookie for ten minutes", async () => {
    const { provider } = await corp({ scopes: "email groups" })
    const { answer: response, url } = await begin(provider, "/docs#top")
    expect(response.status).toBe(302)
    expect(cost(response).roundTrips).toBe(1)
    expect(`${url.origin}${url.pathname}`).toBe(`${provider.issuer}/auth`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "lectern",
      redirect_uri: `https://lectern.test/sso/${provider.slug}/callback`,
      response_type: "code",
      scope: "openid email groups",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    })
    const [cookie] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-sso=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(cookie?.length).toBeLessThan(4096)
  })

  it("fetches the metadata of a provider once in ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { provider } = await corp()
    for (let i = 0; i < 3; i++) await begin(provider)
    expect(provider.asked.map(({ url }) => url)).toEqual([`${provider.issuer}/.well-known/openid-configuration`])
    vi.setSystemTime(Date.now() + 10 * MINUTE)
    await begin(provider)
    expect(provider.asked).toHaveLength(2)
  })

  it("shows an error page for unknown, inactive, failing and impersonating providers", async () => {
    const { provider, admin, id } = await corp()
    await put(`/api/sso-provider/${id}`, { active: false }, { token: admin.token })
    await expectRefused((await begin(provider)).answer, 404, /No such sign-in provider/)
    await expectRefused(await call("GET", "/sso/nobody/start"), 404, /No such sign-in provider/)

    const failing = { "/.well-known/openid-configuration": () => new Response("", { status: 500 }) }
    const down = await corp({}, { answers: failing })
    await expectRefused((await begin(down.provider)).answer, 502, /did not respond as expected/)
    const other = await corp({}, { metadata: { issuer: "https://elsewhere.example" } })
    await expectRefused((await begin(other.provider)).answer, 502, /did not respond as expected/)
    const inside = await corp({}, { metadata: { authorization_endpoint: "http://127.0.0.1/" } })
    await expectRefused((await begin(inside.provider)).answer, 502, /did not respond as expected/)
  })

  it("calls no provider whose host, or whose endpoint's host, resolves to a private network", async () => {
    const inside = await corp({}, { address: "10.0.0.7" })
    await expectRefused((await begin(inside.provider)).answer, 502, /did not respond as expected/)
    expect(inside.provider.asked).toEqual([])
    for (const endpoint of ["token_endpoint", "jwks_uri", "userinfo_endpoint"]) {
      const metadata = { [endpoint]: "https://192.88.99.1/" }
      const { provider } = await corp({}, { metadata })
      await expectRefused((await begin(provider)).answer, 502, /did not respond as expected/)
    }
  })

  it("stores the longest possible provider in one cookie", async () => {
    const { provider } = await corp({
      clientSecret: "s".repeat(500),
      clientId: "c".repeat(255),
      name: "ß".repeat(100),
      claims: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`claim${i}`.padEnd(100, "x"), "firstName"])),
    })
    const { answer: response } = await begin(provider, `/docs?${"n".repeat(590)}`)
    expect(response.headers.getSetCookie()[0]?.length).toBeLessThan(4096)
  })
})

describe("first sign-in of a person", () => {
  it("creates an account in two round trips if the provider may create accounts", async () => {
    const { provider } = await corp({ create: true })
    const response = await signInAs(provider, ADA, "/docs?a=b")
    expect([response.status, response.headers.get("location")]).toEqual([303, "/docs?a=b"])
    expect(cost(response).roundTrips).toBe(2)
    const [ada] = await usersByEmail(ADA.email)
    expect(ada).toMatchObject({ firstName: "Ada", lastName: "Byron", userType: "general", passwordHash: null })
    expect(ada?.emailVerifiedAt).toBeGreaterThan(0)
    expect(await rowsOf(userIdentities)).toMatchObject([{ subject: "ada-1", userId: ada?.id }])
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "sso provider" },
      { action: "created", subject: "user", performedBy: ada?.id, details: { provider: "Example Corp" } },
      { action: "login", performedBy: ada?.id, details: { provider: "Example Corp", linked: true } },
    ])
    const token = sessionIn(response) ?? ""
    expect((await get(`/api/user/${ada?.id}`, { token })).body).toMatchObject({ email: ADA.email })
    expect((await rowsOf(users)).find((row) => row.id === ada?.id)?.lastLoginAt).toBeGreaterThan(0)
  })

  it("creates one account and one event for two concurrent browsers", async () => {
    const { provider, admin } = await corp({ create: true })
    const browsers = [await begin(provider), await begin(provider)]
    const responses = await Promise.all(
      browsers.map(({ url, cookie }) => comeBack(provider, provider.grant(url, ADA), cookie)),
    )
    expect(responses.map(({ status }) => status)).toEqual([303, 303])
    expect(await usersByEmail(ADA.email)).toHaveLength(1)
    expect(await rowsOf(userIdentities)).toHaveLength(1)
    const { body } = await get("/api/events?types=user.created", { token: admin.token })
    expect(body.events.map(({ data }: { data: { email: string } }) => data.email)).toEqual([admin.email, ADA.email])
  })

  it("fills mapped fields from claims and UserInfo and omits invalid values", async () => {
    const admin = await signedIn("admin")
    const fields = [
      { type: "text", label: "Department", userMetaKey: "department", isRequired: true },
      { type: "dropdown", label: "Site", userMetaKey: "site", optionLabel: ["North", "South"] },
      { type: "date", label: "Born", userMetaKey: "born" },
      { type: "date", label: "Hired", userMetaKey: "hired" },
    ]
    await put("/api/users/customUserFields", { fields }, { token: admin.token })
    const userinfo = { sub: "ada-1", dept: "Engines", place: "Moon", picture: "https://id.example.com/ada.png" }
    const provider = await fakeProvider({ userinfo })
    const claims = { nick: "firstName", dept: "department", place: "site", birthdate: "born", since: "hired" }
    await connected(provider, admin, { create: true, claims })
    const profile = { nick: "Countess", family_name: "x".repeat(300), birthdate: "Dec 10, 1815", since: "Dec 10, 18" }
    await signInAs(provider, { ...ADA, ...profile })
    const [ada] = await usersByEmail(ADA.email)
    expect(ada).toMatchObject({ firstName: "Countess", lastName: "", avatar: "https://id.example.com/ada.png" })
    expect((await rowsOf(customFieldValues)).map(({ value }) => value)).toEqual(["Engines", "1815-12-10"])
  })

  it("uses the address as name if the provider returns none", async () => {
    const { provider } = await corp({ create: true })
    await signInAs(provider, { sub: "1", email: "grace@example.com", email_verified: true })
    await signInAs(provider, { sub: "2", email: "alan@example.com", email_verified: "true", name: "Alan Turing" })
    expect((await usersByEmail("grace@example.com"))[0]).toMatchObject({ firstName: "grace", lastName: "" })
    expect((await usersByEmail("alan@example.com"))[0]).toMatchObject({ firstName: "Alan Turing", lastName: "" })
  })

  it("matches an account by the verified address in any case and creates no other", async () => {
    const { provider } = await corp({ create: true })
    const ada = await user({ email: "Ada@Example.com", userType: "admin" })
    const response = await signInAs(provider, ADA)
    expect([response.status, response.headers.get("location")]).toEqual([303, "/console"])
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(userIdentities)).toMatchObject([{ userId: ada.id }])
    expect(await rowsOf(users)).toHaveLength(2)
  })

  it("is refused if the provider may not create accounts and none matches", async () => {
    const { provider } = await corp()
    await expectRefused(await signInAs(provider, ADA), 403, /have an account here/)
    expect(await usersByEmail(ADA.email)).toEqual([])
  })

  it("is refused for unverified, unknown and missing addresses", async () => {
    const { provider } = await corp({ create: true, claims: { xms_edov: "emailVerified" } })
    await user({ email: ADA.email })
    const { email_verified: _, ...silent } = ADA
    for (const claims of [silent, { ...ADA, email_verified: false, xms_edov: true }, { ...silent, xms_edov: "0" }])
      await expectRefused(await signInAs(provider, claims), 403, /email address isn.*t verified/)
    for (const email of [undefined, 7, "nobody", ""])
      await expectRefused(await signInAs(provider, { ...ADA, email }), 403, /provide your email address/)
    expect((await signInAs(provider, { ...silent, xms_edov: "1" })).status).toBe(303)
  })

  it("is refused for a domain that is not allowed", async () => {
    const { provider } = await corp({ create: true, domains: ["@Example.org", "example.net"] })
    await user({ email: ADA.email })
    await expectRefused(await signInAs(provider, ADA), 403, /sign in addresses of example.com/)
    const below = { ...ADA, email: "ada@sub.example.org" }
    await expectRefused(await signInAs(provider, below), 403, /sign in addresses of sub.example.org/)
    expect((await signInAs(provider, { ...ADA, email: "ada@EXAMPLE.ORG" })).status).toBe(303)
  })

  it("is refused for a blocked address, a disabled account and an owner's account", async () => {
    const { provider, admin } = await corp({ create: true })
    await put("/api/user/blockedEmailsAndDomains", { blocked: ["example.net"] }, { token: admin.token })
    const blocked = { ...ADA, email: "ada@example.net" }
    await expectRefused(await signInAs(provider, blocked), 403, /have an account here/)
    await user({ email: ADA.email, disabled: true })
    await expectRefused(await signInAs(provider, ADA), 403, /account is disabled/)
    await user({ email: "owner@example.com", userType: "owner" })
    await expectRefused(
      await signInAs(provider, { ...ADA, email: "owner@example.com" }),
      403,
      /Owners must sign in with/,
    )
  })
})

describe("account with an unverified address", () => {
  /** An account that was registered in another person's name, with every credential that this person could add. */
  async function stateParameters() {
    const { provider, admin, id } = await corp()
    const account = await signedIn("staff", { email: ADA.email, firstName: "Mallory" })
    await db.insert(twoFactor).values({ userId: account.id, secret: "sealed", active: true, createdAt: Date.now() })
    const other = await fakeProvider()
    const otherId = await connected(other, admin)
    const link = { providerId: otherId, subject: "mallory", userId: account.id, createdAt: Date.now() }
    await db.insert(userIdentities).values(link)
    const key = await apiKey({ role: "staff", createdBy: account.id })
    const device = { id: 1, userId: account.id, name: "Phone", createdAt: Date.now(), refreshedAt: Date.now() }
    await db.insert(devices).values(device)
    provider.answer()
    return { provider, id, account, key }
  }

  it("loses all other credentials at the first sign-in with a provider, and its user is notified", async () => {
    const { provider, account, key, id } = await stateParameters()
    expect((await get("/api/me", account)).status).toBe(200)
    expect((await get("/api/me", key)).status).toBe(200)
    const response = await signInAs(provider, ADA)
    expect(response.status).toBe(303)
    expect(cost(response).roundTrips).toBe(2)
    const token = sessionIn(response) ?? ""
    expect((await get("/api/me", { token })).body).toMatchObject({ id: account.id })

    expect((await get("/api/me", account)).status, "their session").toBe(401)
    expect((await get("/api/me", key)).status, "their key").toBe(401)
    const password = await post("/login", { email: ADA.email, password: PASSWORD })
    expect([password.status, password.body.code]).toEqual([401, "invalid_credentials"])
    for (const table of [twoFactor, devices, apiKeys]) expect(await rowsOf(table)).toEqual([])
    expect(await rowsOf(userIdentities)).toMatchObject([{ providerId: id, subject: ADA.sub }])
    const [row] = (await rowsOf(users)).filter(({ id }) => id === account.id)
    expect(row).toMatchObject({ passwordHash: null, email: ADA.email })
    expect(row?.emailVerifiedAt).toBeGreaterThan(0)
    expect(await delivered()).toMatchObject([
      { to: ADA.email, subject: "You now sign in to Lectern with Example Corp", text: /password, devices, API keys/ },
    ])
    expect((await rowsOf(auditLogs)).slice(-2)).toMatchObject([
      { action: "deleted", subject: "api key", performedBy: account.id },
      { action: "login", details: { linked: true, credentials: "voided" } },
    ])
    expect((await signInAs(provider, ADA)).status).toBe(303)
    expect((await get("/api/me", { token })).status, "another sign-in ends nothing").toBe(200)
    expect(await delivered()).toEqual([])
  })

  it("keeps its password and sessions if the address was verified before", async () => {
    const { provider } = await corp()
    const ada = await signedIn("general", { email: ADA.email, emailVerifiedAt: 1 })
    expect((await signInAs(provider, ADA)).status).toBe(303)
    expect((await get("/api/me", ada)).status).toBe(200)
    expect((await post("/login", { email: ADA.email, password: PASSWORD })).status).toBe(200)
    expect(await delivered()).toEqual([])
  })

  it("is signed in without a notice if it was invited and never used", async () => {
    const { provider } = await corp()
    const { id } = await user({ email: ADA.email, passwordHash: null })
    const response = await signInAs(provider, ADA)
    expect(response.status).toBe(303)
    expect(cost(response).written).toBeLessThanOrEqual(8)
    expect((await rowsOf(users)).find((row) => row.id === id)?.emailVerifiedAt).toBeGreaterThan(0)
    expect(await delivered()).toEqual([])
    expect((await rowsOf(auditLogs)).at(-1)?.details).toEqual({ provider: "Example Corp", linked: true })
  })

  it("is not handed to a learner who requested the address: its owner gets a separate account", async () => {
    const { provider } = await corp({ create: true })
    const mallory = await signedIn("general", { email: "mallory@example.com" })
    expect((await put(`/api/user/${mallory.id}`, { email: ADA.email }, mallory)).status).toBe(200)
    const response = await signInAs(provider, ADA)
    expect(response.status).toBe(303)
    const { body } = await get("/api/me", { token: sessionIn(response) ?? "" })
    expect(body).toMatchObject({ email: ADA.email, name: "Ada Byron" })
    expect(body.id).not.toBe(mallory.id)
    const link = (await delivered()).flatMap(({ text }) => /email\/confirm\?token=([\w-]+)/.exec(text)?.[1] ?? [])
    expect((await post("/email/confirm", { token: link[0] })).status).toBe(410)
  })
})

describe("repeated sign-in", () => {
  it("matches by subject regardless of the address and writes at most six rows", async () => {
    const { provider } = await corp({ create: true })
    await signInAs(provider, ADA)
    const again = await signInAs(provider, { ...ADA, email: "countess@example.org", email_verified: false })
    expect(again.status).toBe(303)
    expect(cost(again)).toMatchObject({ roundTrips: 2 })
    expect(cost(again).written).toBeLessThanOrEqual(6)
    expect(await rowsOf(userIdentities)).toHaveLength(1)
    expect(await rowsOf(users)).toHaveLength(2)
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "login",
      details: { provider: "Example Corp" },
    })
  })

  it("is refused for disabled users and for domains that are no longer allowed", async () => {
    const { provider, admin, id } = await corp({ create: true })
    await signInAs(provider, ADA)
    await put(`/api/sso-provider/${id}`, { domains: ["example.org"] }, { token: admin.token })
    expect((await signInAs(provider, ADA)).status).toBe(403)
    await put(`/api/sso-provider/${id}`, { domains: [] }, { token: admin.token })
    expect((await signInAs(provider, ADA)).status).toBe(303)
    const [ada] = await usersByEmail(ADA.email)
    await put(`/api/user/${ada?.id}`, { disabled: true }, { token: admin.token })
    expect((await signInAs(provider, ADA)).status).toBe(403)
  })

  it("does not ask for this service's second factor", async () => {
    const { provider } = await corp()
    const ada = await user({ email: ADA.email })
    await db.insert(twoFactor).values({ userId: ada.id, secret: "sealed", active: true, createdAt: Date.now() })
    expect((await signInAs(provider, ADA)).status).toBe(303)
  })

  it("refuses another person with the same address until the user is unlinked", async () => {
    const { provider, admin, id } = await corp({ create: true })
    await signInAs(provider, ADA)
    const other = { ...ADA, sub: "ada-2" }
    const refused = await signInAs(provider, other)
    expect([refused.status, String(refused.body)]).toEqual([403, expect.stringContaining("linked to another person")])
    const [ada] = await usersByEmail(ADA.email)
    const body = { provider_id: id, user_ids: [ada?.id, 999] }
    const unlinked = await post("/api/sso-provider/unlink", body, { token: admin.token })
    expect(unlinked.body).toEqual({ message: "1 user unlinked. 1 id not linked." })
    expect(cost(unlinked).roundTrips).toBe(2)
    expect((await signInAs(provider, other)).status).toBe(303)
    expect((await rowsOf(userIdentities)).map(({ subject }) => subject)).toEqual(["ada-2"])
  })
})

describe("GET /sso/{provider}/callback", () => {
  it("accepts a response once, in the browser that requested it, within ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { provider } = await corp({ create: true })
    const { url, cookie } = await begin(provider)
    const parameters = provider.grant(url, ADA)
    await expectRefused(await comeBack(provider, parameters, ""), 400, /was started in another browser/)
    await expectRefused(await comeBack(provider, parameters, "__Host-sso=made-up"), 400, /was started in another/)
    const foreign = await begin(provider)
    await expectRefused(await comeBack(provider, parameters, foreign.cookie), 400, /was started in another browser/)
    const wrong = new URLSearchParams({ ...Object.fromEntries(parameters), state: "wrong" })
    await expectRefused(await comeBack(provider, wrong, cookie), 400, /was started in another browser/)
    vi.setSystemTime(Date.now() + 10 * MINUTE)
    await expectRefused(await comeBack(provider, parameters, cookie), 400, /took more than ten minutes/)
  })

  it("rejects a used code and a code of another sign-in", async () => {
    const { provider } = await corp({ create: true })
    const first = await begin(provider)
    const second = await begin(provider)
    const swapped = provider.grant(first.url, ADA)
    swapped.set("state", second.url.searchParams.get("state") ?? "")
    // PKCE: the code was requested with the challenge of the first sign-in.
    await expectRefused(await comeBack(provider, swapped, second.cookie), 401, /could not be verified/)
    const parameters = provider.grant(second.url, ADA)
    expect((await comeBack(provider, parameters, second.cookie)).status).toBe(303)
    expect((await comeBack(provider, parameters, second.cookie)).status).toBe(401)
  })

  it("rejects an ID token with another nonce, issuer, audience, key or time, and unsigned ones", async () => {
    const hour = 3600
    const tamperings: Parameters<typeof fakeProvider>[0][] = [
      { claims: (claims) => ({ ...claims, nonce: "another" }) },
      { claims: ({ nonce: _, ...claims }) => claims },
      { claims: (claims) => ({ ...claims, iss: "https://elsewhere.example" }) },
      { claims: (claims) => ({ ...claims, aud: "another-client" }) },
      { claims: (claims) => ({ ...claims, aud: ["lectern", "another"], azp: "another" }) },
      { claims: (claims) => ({ ...claims, azp: "another" }) },
      { claims: (claims) => ({ ...claims, exp: Number(claims.iat) - hour }) },
      { claims: (claims) => ({ ...claims, nbf: Number(claims.iat) + hour }) },
      { claims: (claims) => ({ ...claims, iat: Date.UTC(2096, 0) / 1000, exp: Date.UTC(2096, 1) / 1000 }) },
      { claims: ({ sub: _, ...claims }) => claims },
      { claims: (claims) => ({ ...claims, sub: "" }) },
      { foreignKey: true },
      { header: { kid: "unknown" } },
    ]
    for (const tampering of tamperings) {
      const { provider } = await corp({ create: true }, tampering)
      await expectRefused(await signInAs(provider, ADA), 401, /could not be verified/)
    }
    for (const header of [{ alg: "none" }, { alg: "HS256" }]) {
      const { provider } = await corp({ create: true }, { header })
      const response = await signInAs(provider, ADA)
      expect([401, 502]).toContain(response.status)
      expect(sessionIn(response)).toBeUndefined()
    }
    expect(await usersByEmail(ADA.email)).toEqual([])
  })

  it("rejects a response at another provider's callback and does not forward its code", async () => {
    const first = await corp({ create: true })
    const { url, cookie } = await begin(first.provider)
    const second = await corp({ create: true })
    const mixedUp = second.provider.grant(url, ADA)
    await expectRefused(await comeBack(second.provider, mixedUp, cookie), 400, /was started in another browser/)
    mixedUp.delete("iss")
    await expectRefused(await comeBack(second.provider, mixedUp, cookie), 400, /was started in another browser/)
    expect([...first.provider.asked, ...second.provider.asked].filter(({ method }) => method === "POST")).toEqual([])
  })

  it("fetches the provider's keys again if the signing key is not cached", async () => {
    const { provider } = await corp({ create: true })
    expect((await signInAs(provider, ADA)).status).toBe(303)
    await provider.rotateKey()
    expect((await signInAs(provider, ADA)).status).toBe(303)
    expect((await signInAs(provider, ADA)).status).toBe(303)
    expect(provider.asked.filter(({ url }) => url.endsWith("/keys"))).toHaveLength(2)
  })

  it("rejects responses of another issuer or without issuer, and UserInfo of another person", async () => {
    const { provider } = await corp({ create: true })
    for (const iss of ["https://elsewhere.example", ""]) {
      const { url, cookie } = await begin(provider)
      const parameters = provider.grant(url, ADA)
      parameters.set("iss", iss)
      await expectRefused(await comeBack(provider, parameters, cookie), 401, /could not be verified/)
    }
    const userinfo = { sub: "somebody-else", email: "grace@example.com", email_verified: true }
    const other = await corp({ create: true }, { userinfo })
    await expectRefused(await signInAs(other.provider, { sub: "ada-1" }), 401, /could not be verified/)
  })

  it("reports that the person declined, or that the provider failed or rejected this client", async () => {
    const { provider } = await corp()
    const errorPage = async (error: string) => {
      const { url, cookie } = await begin(provider)
      const state = url.searchParams.get("state") ?? ""
      const parameters = new URLSearchParams({
        error,
        error_description: "internal words",
        state,
        iss: provider.issuer,
      })
      return comeBack(provider, parameters, cookie)
    }
    await expectRefused(await errorPage("access_denied"), 403, /you declined/)
    await expectRefused(await errorPage("server_error"), 502, /did not respond as expected/)
    const answers = {
      "/token": () => Response.json({ error: "invalid_client", error_description: "internal words" }, { status: 401 }),
    }
    provider.state.tampering = { answers }
    const refused = await signInAs(provider, ADA)
    await expectRefused(refused, 502, /rejected this academy.*s configuration/)
    expect(JSON.parse(String(log.mock.lastCall?.[0]))).toMatchObject({
      event: "sign-in by a provider refused",
      requestId: refused.headers.get("x-request-id"),
      status: 502,
      providerError: "invalid_client",
    })
    for (const response of [
      () => new Response("internal words", { status: 500 }),
      () => new Response("<html>internal words"),
      () => new Response("", { status: 302, headers: { location: "https://elsewhere.example" } }),
      () => Promise.reject(new TypeError("internal words")),
    ]) {
      provider.state.tampering = { answers: { "/token": response } }
      await expectRefused(await signInAs(provider, ADA), 502, /did not respond as expected/)
    }
  })

  it("rejects a sign-in if the provider was changed or deactivated meanwhile", async () => {
    const { provider, admin, id } = await corp({ create: true })
    const first = await begin(provider)
    await put(`/api/sso-provider/${id}`, { create: false }, { token: admin.token })
    await expectRefused(
      await comeBack(provider, provider.grant(first.url, ADA), first.cookie),
      409,
      /changed in the meantime/,
    )
    const second = await begin(provider)
    await put(`/api/sso-provider/${id}`, { active: false }, { token: admin.token })
    await expectRefused(await comeBack(provider, provider.grant(second.url, ADA), second.cookie), 404, /No such/)
  })

  it("redirects only to this origin", async () => {
    const { provider } = await corp({ create: true })
    for (const next of [
      "https://elsewhere.example/",
      "//elsewhere.example",
      "/.//elsewhere.example",
      `/${"n".repeat(700)}`,
    ])
      expect((await signInAs(provider, ADA, next)).headers.get("location")).toBe("/console")
  })
})

describe("provider of a portal", () => {
  it("creates learners of the portal while it has seats", async () => {
    const { id: portalId } = await portal({ totalSeat: 1 })
    const { provider } = await corp({ create: true, portalId })
    expect((await signInAs(provider, ADA)).status).toBe(303)
    const [ada] = await usersByEmail(ADA.email)
    expect(await rowsOf(portalMembers)).toEqual([{ portalId, userId: ada?.id, role: "learner" }])
    const second = await signInAs(provider, { ...ADA, sub: "2", email: "grace@example.com" })
    expect([second.status, String(second.body)]).toEqual([409, expect.stringContaining("no seats left")])
    expect((await signInAs(provider, ADA)).status).toBe(303)
  })

  it("assigns the last seat to one of two concurrent people", async () => {
    const { id: portalId } = await portal({ totalSeat: 1 })
    const { provider } = await corp({ create: true, portalId })
    const people = [ADA, { ...ADA, sub: "2", email: "grace@example.com" }]
    const responses = await Promise.all(people.map((person) => signInAs(provider, person)))
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(await rowsOf(portalMembers)).toHaveLength(1)
  })

  it("creates no users while the portal is closed", async () => {
    const { id: portalId } = await portal({ expiresAt: 1, expiryMessage: "Closed for the winter." })
    const { provider } = await corp({ create: true, portalId })
    await expectRefused(await signInAs(provider, ADA), 409, /Closed for the winter/)
  })

  it("matches only members of the portal below staff", async () => {
    const member = await user({ email: "member@example.com" })
    const staff = await user({ email: "staff@example.com", userType: "staff" })
    const { id: portalId } = await portal({ members: [member.id, staff.id] })
    await user({ email: "outside@example.com" })
    const { provider, admin } = await corp({ create: true, portalId })
    for (const email of ["outside@example.com", "staff@example.com", admin.email])
      await expectRefused(await signInAs(provider, { ...ADA, email }), 403, /members of its portal/)
    expect((await signInAs(provider, { ...ADA, email: "member@example.com" })).status).toBe(303)
  })
})

describe("provider records", () => {
  it("accept what they return and never return the secret", async () => {
    const admin = await signedIn("admin")
    const provider = await fakeProvider()
    const { id: portalId } = await portal()
    await keepsSecret(async (secret) => {
      secret("the client's secret", CLIENT_SECRET)
      const id = await connected(provider, admin, { portalId, domains: "Example.com, example.org" })
      const read = await get(`/api/sso-provider/${id}`, { token: admin.token })
      expect(cost(read).roundTrips).toBe(1)
      expect(read.body).toEqual({
        id,
        name: "Example Corp",
        slug: provider.slug,
        issuer: provider.issuer,
        clientId: "lectern",
        hasClientSecret: true,
        scopes: "openid email profile",
        portalId,
        domains: ["example.com", "example.org"],
        claims: {},
        roleClaim: "",
        roles: {},
        groupClaim: "",
        groups: {},
        update: false,
        endSession: false,
        create: false,
        force: false,
        active: true,
        startUrl: `https://lectern.test/sso/${provider.slug}/start`,
        callbackUrl: `https://lectern.test/sso/${provider.slug}/callback`,
        logoutUrl: `https://lectern.test/sso/${provider.slug}/backchannel-logout`,
        created_at: expect.any(String),
        createdAt: anyIsoTime,
      })
      const before = await rowsOf(ssoProviders)
      const saved = await put(`/api/sso-provider/${id}`, read.body, { token: admin.token })
      expect(saved.body).toEqual({ message: "Provider updated." })
      expect(await rowsOf(ssoProviders)).toEqual(before)
      expect(before[0]?.clientSecret).not.toContain(CLIENT_SECRET)
      const list = await get("/api/sso-provider/tabularlist?page_size=10&page_number=1", { token: admin.token })
      expect([cost(list).roundTrips, list.body.recordsTotal, list.body.records]).toEqual([1, 1, [read.body]])
    })
  })

  it("are updated in two round trips, with an audit row without the secret", async () => {
    const { provider, admin, id } = await corp({ create: true })
    await signInAs(provider, ADA)
    const changes = { name: "Corp", clientSecret: "another-secret", domains: ["example.com"], slug: "Corp-New" }
    const changed = await put(`/api/sso-provider/${id}`, changes, { token: admin.token })
    expect([changed.status, cost(changed).roundTrips]).toEqual([200, 2])
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "updated",
      subject: "sso provider",
      details: { name: "Corp", clientSecret: "changed", domains: ["example.com"], slug: "corp-new" },
    })
    expect(await rowsOf(userIdentities)).toHaveLength(1)
    await put(`/api/sso-provider/${id}`, { clientSecret: null }, { token: admin.token })
    const read = await get(`/api/sso-provider/${id}`, { token: admin.token })
    expect(read.body).toMatchObject({ hasClientSecret: false, slug: "corp-new" })
  })

  it("delete their links when the issuer or client changes, and when they are deleted", async () => {
    const { provider, admin, id } = await corp({ create: true })
    await signInAs(provider, ADA)
    await put(`/api/sso-provider/${id}`, { clientId: "another" }, { token: admin.token })
    expect(await rowsOf(userIdentities)).toEqual([])
    const deleted = await post("/api/sso-provider/delete", { delete_ids: [id, 999] }, { token: admin.token })
    expect(deleted.body).toEqual({ message: "1 sso provider deleted. 1 id unknown." })
    expect(await usersByEmail(ADA.email)).toHaveLength(1)
  })

  it("are rejected with invalid values", async () => {
    const admin = await signedIn("admin")
    const { fields } = await fakeProvider()
    const create = (more: object) => post("/api/sso-provider/create", { ...fields, ...more }, { token: admin.token })
    for (const [more, field] of [
      [{ issuer: "http://id.example.com" }, "issuer"],
      [{ issuer: "https://localhost/realm" }, "issuer"],
      [{ issuer: "https://id.example.com/?a=b" }, "issuer"],
      [{ issuer: "" }, "issuer"],
      [{ clientId: "" }, "clientId"],
      [{ clientSecret: "with space" }, "clientSecret"],
      [{ slug: "a/b" }, "slug"],
      [{ domains: ["nowhere"] }, "domains"],
      [{ claims: { department: "nothing" } }, "claims"],
    ] as const) {
      const response = await create(more)
      expect([more, response.status, Object.keys(response.body.errors ?? {})[0]?.split(".")[0]]).toEqual([
        more,
        422,
        field,
      ])
    }
    expect((await create({ portalId: 999 })).status).toBe(404)
    await create({})
    expect((await create({})).body.errors).toEqual({ slug: [/taken/] })
    expect((await create({ slug: "" })).status).toBe(200)
    expect((await create({ slug: "" })).status).toBe(200)
    expect((await rowsOf(ssoProviders)).map(({ slug }) => slug)).toEqual([
      fields.slug,
      "example-corp",
      expect.stringMatching(/^example-corp-\d+$/),
    ])
  })
})

describe("forced provider", () => {
  const login = (email: string, password = PASSWORD) => post("/login", { email, password })
  const required = { status: 403, body: { code: "sso_required", message: /Sign in with Example Corp/ } }

  it("requires an owner with a password, who can deactivate it", async () => {
    const admin = await signedIn("admin")
    const { fields } = await fakeProvider()
    const forced = { ...fields, force: true }
    await user({ userType: "owner", passwordHash: null })
    const refused = await post("/api/sso-provider/create", forced, { token: admin.token })
    expect(refused).toMatchObject({ status: 409, body: { code: "login_method_required" } })
    await post("/api/sso-provider/create", fields, { token: admin.token })
    const [{ id } = { id: 0 }] = await rowsOf(ssoProviders)
    const change = () => put(`/api/sso-provider/${id}`, { force: true }, { token: admin.token })
    expect(await change()).toMatchObject({ status: 409, body: { code: "login_method_required" } })
    await user({ userType: "owner" })
    expect((await change()).status).toBe(200)
  })

  it("is named to users with an address of its domains, without revealing passwords", async () => {
    const owner = await user({ email: "owner@example.com", userType: "owner" })
    const { provider } = await corp({ force: true, domains: ["example.com"] })
    await user({ email: "ada@example.com" })
    const answers = [
      await login("ada@example.com"),
      await login("ada@example.com", "wrong"),
      await login("nobody@example.com"),
      await login(owner.email, "wrong"),
    ]
    for (const response of answers) {
      expect(response).toMatchObject(required)
      expect(response.body).toEqual(answers[0]?.body)
    }
    expect(answers[0]?.body.signInUrl).toBe(`/sso/${provider.slug}/start`)
    const way = await login(owner.email)
    expect([way.status, cost(way).roundTrips]).toEqual([200, 2])
    await user({ email: "ada@elsewhere.example" })
    expect((await login("ada@elsewhere.example")).status).toBe(200)
  })

  it("applies to everyone if it has no domains, until it is deactivated", async () => {
    await user({ email: "owner@example.com", userType: "owner" })
    const { admin, id } = await corp({ force: true })
    const staff = await user({ userType: "staff", email: "staff@example.com" })
    expect(await login(staff.email)).toMatchObject(required)
    expect(await login(admin.email)).toMatchObject(required)
    await put(`/api/sso-provider/${id}`, { active: false }, { token: admin.token })
    expect((await login(staff.email)).status).toBe(200)
  })

  it("of a portal applies to its members after their password was verified", async () => {
    const owner = await user({ email: "owner@example.com", userType: "owner" })
    const member = await user({ email: "member@example.com" })
    await user({ email: "outside@example.com" })
    const { id: portalId } = await portal({ members: [member.id, owner.id] })
    await corp({ force: true, portalId })
    expect(await login(member.email)).toMatchObject(required)
    expect(await login(member.email, "wrong")).toMatchObject({ status: 401, body: { code: "invalid_credentials" } })
    expect((await login("outside@example.com")).status).toBe(200)
    expect((await login(owner.email)).status).toBe(200)
  })
})

describe("GET /login", () => {
  const page = async (path: string) => String((await get(path)).body)

  it("shows the active providers of the academy and the requested portal in one round trip", async () => {
    const { id: portalId } = await portal({ slug: "north" })
    const { provider, admin } = await corp({ name: "Academy <b>" })
    const other = await fakeProvider()
    await connected(other, admin, { name: "North Corp", portalId })
    const inactive = await fakeProvider()
    await connected(inactive, admin, { name: "Switched off", active: false })

    const plain = await get("/login?next=/docs?a=b")
    expect(cost(plain).roundTrips).toBe(1)
    expect(plain.body).toContain(`href="/sso/${provider.slug}/start?next=%2Fdocs%3Fa%3Db"`)
    expect(plain.body).toContain("Sign in with Academy &lt;b&gt;")
    expect(plain.body).not.toMatch(/North Corp|Switched off/)
    for (const name of [portalId, "north", "NORTH"]) {
      const withPortal = await page(`/login?portal=${name}`)
      expect(withPortal.indexOf("North Corp")).toBeGreaterThan(0)
      expect(withPortal.indexOf("Academy")).toBeGreaterThan(withPortal.indexOf("North Corp"))
      expect(withPortal).toContain(`action="/login?portal=${name}"`)
    }
    expect(await page("/login?portal=nowhere")).not.toContain("North Corp")
  })

  it("hides the password form behind a provider that is forced for all, and shows it with an error", async () => {
    await user({ email: "owner@example.com", userType: "owner" })
    const { provider } = await corp({ force: true })
    expect(await page("/login")).toContain("<details><summary>Sign in with a password (owners only)</summary>")
    const response = await call("POST", "/login", {
      body: new URLSearchParams({ email: "ada@example.com", password: "wrong", next: "/docs" }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect(response.status).toBe(403)
    expect(response.body).toContain("<details open")
    expect(response.body).toContain(`href="/sso/${provider.slug}/start?next=%2Fdocs"`)
  })
})
