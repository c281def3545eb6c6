import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it, type MockInstance, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { ssoLogoutTokens, ssoSessions } from "../../drizzle/schema/sso.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { call, cost, get, post, put } from "../helpers/client.ts"
import { connected, type FakeProvider, fakeProvider, sessionIn, signInAs } from "../helpers/provider.ts"

const ADA = { sub: "ada", email: "ada@example.com", email_verified: true, given_name: "Ada" }
const HOUR = 3_600_000

let log: MockInstance<typeof console.warn>
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function setup(settings: Record<string, unknown> = {}) {
  log = vi.spyOn(console, "warn").mockImplementation(() => {})
  const admin = await signedIn("admin")
  const provider = await fakeProvider()
  provider.state.tampering.metadata = { end_session_endpoint: `${provider.issuer}/logout` }
  const providerId = await connected(provider, admin, { create: true, ...settings })
  return { admin, provider, providerId }
}

const signIn = async (provider: FakeProvider, claims: Record<string, unknown> = {}) => {
  const answer = await signInAs(provider, { ...ADA, ...claims })
  const cookies = answer.headers
    .getSetCookie()
    .filter((cookie) => !/max-age=0/i.test(cookie))
    .map((cookie) => cookie.split(";")[0])
    .join("; ")
  return { token: sessionIn(answer) ?? "", cookies, answer }
}
const works = async (token: string) => (await get("/api/me", { token })).status === 200

const report = (provider: FakeProvider, token: string) =>
  call("POST", `/sso/${provider.slug}/backchannel-logout`, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })

describe("signing out at the provider", () => {
  const signOut = (cookie: string) =>
    call("POST", "/logout", { headers: { cookie, origin: "https://lectern.test", "sec-fetch-site": "same-origin" } })

  it("leads to the provider with its ID token, and back to the sign-in page", async () => {
    const { provider } = await setup({ endSession: true })
    const { token, cookies } = await signIn(provider)
    expect(cookies).toContain("__Host-sso-session=")
    expect(cookies).not.toContain(provider.issuer)
    const out = await signOut(cookies)
    expect([out.status, out.headers.get("location")]).toEqual([303, "/sso/signed-out"])
    expect(await works(token)).toBe(false)
    const page = await call("GET", "/sso/signed-out", { headers: { cookie: cookies } })
    expect(page.status).toBe(200)
    expect(page.body).toContain("sign out at Example Corp")
    const [, href = ""] = /<a href="([^"]+)">Continue/.exec(page.body) ?? []
    const url = new URL(href.replaceAll("&amp;", "&"))
    expect(`${url.origin}${url.pathname}`).toBe(`${provider.issuer}/logout`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "lectern",
      post_logout_redirect_uri: "https://lectern.test/login",
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    })
    expect(page.body).toContain(`http-equiv="refresh" content="0; url=${provider.issuer}/logout`)
    expect(page.headers.getSetCookie().join()).toMatch(/__Host-sso-session=;/)
  })

  it("does not happen unless the provider says so, and ends here if the provider has no such address", async () => {
    const { admin, provider, providerId } = await setup()
    const first = await signIn(provider)
    expect(first.cookies).not.toContain("sso-session")
    expect((await signOut(first.cookies)).headers.get("location")).toBe("/login")
    await put(`/api/sso-provider/${providerId}`, { endSession: true }, admin)
    const second = await signIn(provider)
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR })
    provider.state.tampering.metadata = {}
    const page = await call("GET", "/sso/signed-out", { headers: { cookie: second.cookies } })
    expect([page.status, page.headers.get("location")]).toEqual([303, "/login"])
    expect((await call("GET", "/sso/signed-out", {})).headers.get("location")).toBe("/login")
  })

  it("does not happen after a sign-in with a password in the same browser", async () => {
    const { provider } = await setup({ endSession: true })
    const { cookies } = await signIn(provider)
    const bob = await user({ email: "bob@example.com" })
    const form = await call("POST", "/login", {
      headers: {
        cookie: cookies,
        origin: "https://lectern.test",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ email: bob.email, password: PASSWORD }).toString(),
    })
    expect(form.status).toBe(303)
    expect(form.headers.getSetCookie().join("\n")).toMatch(/__Host-sso-session=;.*Max-Age=0/)
  })
})

describe("a back-channel logout", () => {
  it("ends the sessions of the sid, and no other", async () => {
    const { provider } = await setup()
    const [one, two] = [await signIn(provider, { sid: "s-1" }), await signIn(provider, { sid: "s-2" })]
    expect(await rowsOf(ssoSessions)).toMatchObject([{ sid: "s-1" }, { sid: "s-2" }])
    const answer = await report(provider, await provider.logoutToken({ sid: "s-1", sub: "ada" }))
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"])
    expect(cost(answer).roundTrips).toBe(2)
    expect([await works(one.token), await works(two.token)]).toEqual([false, true])
    const [audit] = (await rowsOf(auditLogs)).slice(-1)
    expect(audit).toMatchObject({ action: "updated", subject: "user", details: { signedOutBy: "Example Corp" } })
    expect(await rowsOf(ssoSessions)).toMatchObject([{ sid: "s-2" }])
  })

  it("ends nothing for a sid that has no session, such as one that ended before", async () => {
    const { provider } = await setup()
    const [one, two] = [await signIn(provider, { sid: "s-1" }), await signIn(provider, { sid: "s-2" })]
    for (let times = 0; times < 2; times++)
      expect((await report(provider, await provider.logoutToken({ sid: "s-1", sub: "ada" }))).status).toBe(200)
    expect([await works(one.token), await works(two.token)]).toEqual([false, true])
  })

  it("ends all sessions of the sub if the provider's ID tokens have no sid", async () => {
    const { provider } = await setup()
    const { token } = await signIn(provider)
    expect((await report(provider, await provider.logoutToken({ sid: "s-1", sub: "ada" }))).status).toBe(200)
    expect(await works(token)).toBe(false)
  })

  it("ends all sessions of the sub", async () => {
    const { provider } = await setup()
    const [one, two] = [await signIn(provider, { sid: "s-1" }), await signIn(provider)]
    const other = await signIn(provider, { sub: "bob", email: "bob@example.com" })
    expect((await report(provider, await provider.logoutToken({ sub: "ada" }))).status).toBe(200)
    expect([await works(one.token), await works(two.token), await works(other.token)]).toEqual([false, false, true])
  })

  it("accepts a token once, and unknown people, and keys that the provider rotated", async () => {
    const { provider } = await setup()
    const { token } = await signIn(provider)
    const logout = await provider.logoutToken({ sub: "ada" })
    expect((await report(provider, logout)).status).toBe(200)
    const again = await signIn(provider)
    expect(await report(provider, logout)).toMatchObject({
      status: 400,
      body: { code: "malformed_body", message: "The token was used before." },
    })
    expect([await works(token), await works(again.token)]).toEqual([false, true])
    expect((await report(provider, await provider.logoutToken({ sub: "nobody" }))).status).toBe(200)
    await provider.rotateKey()
    expect((await report(provider, await provider.logoutToken({ sub: "ada" }))).status).toBe(200)
    expect(await works(again.token)).toBe(false)
  })

  it("refuses every token that the specification forbids", async () => {
    const { admin, provider, providerId } = await setup()
    const { token } = await signIn(provider, { sid: "s-1" })
    const seconds = Math.floor(Date.now() / 1000)
    const sub = "ada"
    const forged: [string, Promise<string>][] = [
      ["another issuer", provider.logoutToken({ sub, iss: "https://evil.example" })],
      ["another audience", provider.logoutToken({ sub, aud: ["someone"] })],
      ["a nonce", provider.logoutToken({ sub, nonce: "n" })],
      ["no event", provider.logoutToken({ sub, events: {} })],
      ["an event that is no object", provider.logoutToken({ sub, events: { [EVENT]: true } })],
      ["no jti", provider.logoutToken({ sub, jti: undefined })],
      ["neither sid nor sub", provider.logoutToken({})],
      ["no iat", provider.logoutToken({ sub, iat: undefined })],
      ["an old iat", provider.logoutToken({ sub, iat: seconds - 400 })],
      ["a future iat", provider.logoutToken({ sub, iat: seconds + 400 })],
      ["an expired token", provider.logoutToken({ sub, exp: seconds - 10 })],
      ["a foreign key", provider.logoutToken({ sub }, {}, true)],
      ["no signature", provider.logoutToken({ sub }, { alg: "none" })],
      ["a symmetric signature", provider.logoutToken({ sub }, { alg: "HS256" })],
      ["another type", provider.logoutToken({ sub }, { typ: "at+jwt" })],
      ["no token", Promise.resolve("")],
      ["something else", Promise.resolve("a.b.c")],
    ]
    for (const [what, made] of forged) {
      const answer = await report(provider, await made)
      expect(answer, what).toMatchObject({ status: 400, body: { code: "malformed_body" } })
    }
    expect(log).toHaveBeenCalledTimes(forged.length)
    expect(await works(token)).toBe(true)
    expect(await rowsOf(ssoLogoutTokens)).toEqual([])
    const valid = await provider.logoutToken({ sub })
    await put(`/api/sso-provider/${providerId}`, { active: false }, admin)
    expect((await report(provider, valid)).status).toBe(400)
    expect((await post("/sso/unknown/backchannel-logout", {})).status).toBe(400)
  })

  it("leaves nothing behind when sessions and tokens have expired", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() })
    const { provider } = await setup()
    await signIn(provider, { sid: "s-1" })
    await report(provider, await provider.logoutToken({ sub: "nobody" }))
    expect([(await rowsOf(ssoSessions)).length, (await rowsOf(ssoLogoutTokens)).length]).toEqual([1, 1])
    vi.setSystemTime(Date.now() + 13 * HOUR)
    await runScheduled(env)
    expect([await rowsOf(ssoSessions), await rowsOf(ssoLogoutTokens)]).toEqual([[], []])
  })
})

const EVENT = "http://schemas.openid.net/event/backchannel-logout"
