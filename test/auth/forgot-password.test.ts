import { env } from "cloudflare:workers"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { passwordLinks } from "../../drizzle/schema/passwords.ts"
import { ssoProviders } from "../../drizzle/schema/sso.ts"
import { sequences } from "../../drizzle/schema/system.ts"
import { HOUR, MINUTE } from "../../src/lib/clock.ts"
import { db, PASSWORD, portal, rowsOf, tokenOf, user } from "../factories/index.ts"
import { call, cost, get, objectCost, post } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { keepsSecret } from "../helpers/secrets.ts"

const CHOSEN = "analytical engine"
const requestLink = (email: string, headers: Record<string, string> = {}) =>
  post("/password/forgot", { email }, { headers })
const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  call("POST", "/password/forgot", {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  })
/** The paths of the links in the mails that wait, each once. */
async function mailedLinks() {
  const mails = await delivered()
  return mails.map(({ text }) =>
    (/https:\S+\/set-password\S+/.exec(text)?.[0] ?? "").replace("https://lectern.test", ""),
  )
}
const tokenIn = (path = "") => new URL(path, "https://lectern.test").searchParams.get("token") ?? ""
const choose = (path: string | undefined) => post("/set-password", { token: tokenIn(path), password: CHOSEN })

describe("POST /password/forgot", () => {
  it("emails a link that sets a password once and ends sessions and other links, in two round trips", async () => {
    const ada = await user({ email: "Ada@example.com", firstName: "Ada", lastName: "Byron" })
    const session = await tokenOf(ada)
    const response = await requestLink("ada@EXAMPLE.com")
    expect(response).toMatchObject({
      status: 200,
      body: { message: "If an account with this address exists, we've emailed a link to it." },
    })
    expect(cost(response).roundTrips).toBe(2)
    expect(cost(response).written).toBeLessThanOrEqual(13)
    await requestLink("ada@example.com")
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "updated", subjectId: ada.id, performedBy: null, details: { password: "link requested" } },
      { action: "updated", subjectId: ada.id },
    ])
    const [first, second] = await mailedLinks()
    expect((await get(first ?? "")).body).toContain("For Ada@example.com")
    expect((await choose(first)).status).toBe(200)
    expect((await choose(first)).status).toBe(410)
    expect((await choose(second)).status).toBe(410)
    expect((await get(`/api/user/${ada.id}`, { token: session })).status).toBe(401)
    expect((await post("/login", { email: ada.email, password: PASSWORD })).status).toBe(401)
    expect((await post("/login", { email: ada.email, password: CHOSEN })).status).toBe(200)
  })

  it("responds the same, with the same round trips, for unknown addresses and disabled accounts", async () => {
    await user({ email: "ada@example.com" })
    await user({ email: "off@example.com", disabled: true })
    const known = await requestLink("ada@example.com")
    const before = await rowsOf(sequences)
    for (const email of ["nobody@example.com", "off@example.com"]) {
      const response = await requestLink(email)
      expect([response.status, response.body]).toEqual([known.status, known.body])
      expect(cost(response)).toMatchObject({ roundTrips: cost(known).roundTrips, written: 1 })
      expect(objectCost(response).calls).toBe(objectCost(known).calls)
    }
    expect(await rowsOf(sequences)).toEqual(before)
    expect([(await rowsOf(passwordLinks)).length, (await rowsOf(outbox)).length]).toEqual([1, 1])
    expect(await rowsOf(mailings)).toHaveLength(1)
  })

  it("sends a link that expires in an hour and says where to get another one", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const ada = await user({ email: "ada@example.com" })
    await requestLink(ada.email)
    const [link] = await mailedLinks()
    vi.setSystemTime(Date.now() + HOUR - MINUTE)
    expect((await get(link ?? "")).status).toBe(200)
    vi.setSystemTime(Date.now() + MINUTE)
    const late = await get(link ?? "")
    expect(late.status).toBe(410)
    expect(late.body).toContain('<a href="/password/forgot">Request a new link</a>')
    expect((await choose(link)).status).toBe(410)
  })

  it("accepts five calls per address in 15 minutes, known or unknown, separate from sign-in attempts", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    await user({ email: "ada@example.com" })
    for (const email of ["ada@example.com", "nobody@example.com"]) {
      for (let i = 0; i < 5; i++)
        expect((await requestLink(email, { "cf-connecting-ip": `198.51.100.${i}` })).status).toBe(200)
      const refused = await requestLink(email.toUpperCase())
      expect(refused).toMatchObject({ status: 429, body: { message: "Too many calls of this kind. Try again later." } })
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(890)
    }
    expect((await post("/login", { email: "ada@example.com", password: PASSWORD })).status).toBe(200)
    vi.setSystemTime(Date.now() + 15 * MINUTE + 1000)
    expect((await requestLink("ada@example.com")).status).toBe(200)
  })

  it("accepts fifty calls per network address, and then counts no more attempts against accounts", async () => {
    await user({ email: "ada@example.com" })
    for (let i = 0; i < 50; i++) expect((await requestLink(`a${i}@example.com`)).status).toBe(200)
    for (let i = 0; i < 6; i++) expect((await requestLink("ada@example.com")).status).toBe(429)
    expect((await requestLink("ada@example.com", { "cf-connecting-ip": "198.51.100.1" })).status).toBe(200)
  })

  it("stores the link only in the email", async () => {
    await user({ email: "ada@example.com" })
    await keepsSecret(async (secret) => {
      await requestLink("ada@example.com")
      secret("the link's token", tokenIn((await mailedLinks())[0]))
    })
  })

  it("sends the email on behalf of a portal and greets by name", async () => {
    const ada = await user({ email: "ada@example.com", firstName: "Ada" })
    await portal({ name: "North", members: [ada.id] })
    await requestLink(ada.email)
    const [mail] = await delivered()
    expect(mail).toMatchObject({ to: "ada@example.com", subject: "Reset your password for North" })
    expect(mail?.text).toContain("Hello Ada,\n\nSomeone, most likely you, requested a password reset")
  })

  it("refers users of a forced login provider to it, except owners, who reset their password", async () => {
    await db.insert(ssoProviders).values({
      ...{ id: 1, name: "Example Corp", slug: "corp", issuer: "https://login.corp.example", clientId: "lectern" },
      ...{
        domains: ["corp.example"],
        forced: true,
        active: true,
        claims: {},
        creates: false,
        scopes: "openid",
        createdAt: Date.now(),
      },
    })
    await user({ email: "ada@corp.example" })
    await user({ email: "boss@corp.example", userType: "owner" })
    const response = await requestLink("ada@corp.example")
    expect((await requestLink("nobody@corp.example")).body).toEqual(response.body)
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(passwordLinks)).toEqual([])
    const [mail] = await delivered()
    expect(mail?.text).toContain("Sign in with Example Corp:\nhttps://lectern.test/sso/corp/start")
    await requestLink("boss@corp.example")
    expect(await rowsOf(passwordLinks)).toHaveLength(1)
  })

  it("reports invalid input", async () => {
    expect(await requestLink("")).toMatchObject({ status: 422, body: { errors: { email: expect.anything() } } })
    expect((await post("/password/forgot", "{")).status).toBe(400)
    const text = { body: "x", headers: { "content-type": "text/plain" } }
    expect((await call("POST", "/password/forgot", text)).status).toBe(415)
    expect((await requestLink("x".repeat(20_000))).status).toBe(413)
  })
})

describe("forgot password page", () => {
  it("is linked from the sign-in page, needs no script and responds with a page", async () => {
    expect((await get("/login")).body).toContain('<a href="/password/forgot">Forgot password?</a>')
    const page = await get("/password/forgot")
    expect(page.status).toBe(200)
    expect(page.body).toContain('<label for="email">Email address</label>')
    expect(page.body).not.toContain("<script")
    await user({ email: "ada@example.com" })
    const known = await form({ email: "ada@example.com" })
    expect(known.status).toBe(200)
    expect(known.body).toContain("If an account with this address exists")
    expect((await form({ email: "nobody@example.com" })).body).toBe(known.body)
    expect(await delivered()).toHaveLength(1)
  })

  it("shows the form again after an error, and accepts requests only from pages of this origin", async () => {
    const empty = await form({ email: "" })
    expect(empty.status).toBe(422)
    expect(empty.body).toContain('role="alert"')
    expect(empty.body).toContain('action="/password/forgot"')
    const long = `${"a".repeat(255)}@example.com`
    expect(await form({ email: long })).toMatchObject({
      status: 422,
      body: expect.stringContaining(`value="${long}"`),
    })
    expect((await form({ email: "ada@example.com" }, { "sec-fetch-site": "cross-site" })).status).toBe(403)
    env.APP_URL = "https://app.example.org"
    expect((await get("/password/forgot")).body).toContain('<a href="https://app.example.org">Sign in</a>')
    env.APP_URL = ""
  })
})
