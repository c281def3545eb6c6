import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { customFieldValues } from "../../drizzle/schema/custom-fields.ts"
import { signUps } from "../../drizzle/schema/sign-ups.ts"
import { users } from "../../drizzle/schema/users.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { db, PASSWORD, rowsOf, user } from "../factories/index.ts"
import { call, cost, get, objectCost, post, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"
import { keepsSecret } from "../helpers/secrets.ts"

beforeEach(() => {
  env.SIGN_UP = "open"
})
afterEach(() => {
  env.SIGN_UP = ""
})

const BASE = "https://lectern.test"
const CHOSEN = "analytical engine"
const ADA = { firstName: "Ada", lastName: "Byron", email: "Ada@example.com" }
const requestSignUp = (input: object = {}, headers: Record<string, string> = {}) =>
  post("/sign-up", { ...ADA, ...input }, { headers })
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  call("POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  })
const linkIn = ({ text }: { text: string }) =>
  (/https:\S+\/sign-up\/confirm\S+/.exec(text)?.[0] ?? "").replace(BASE, "")
const tokenIn = (path: string) => new URL(path, BASE).searchParams.get("token") ?? ""
/** The paths of the links in the emails that were sent. */
const mailedLinks = async () => (await delivered()).map(linkIn)
const confirm = (path = "", password = CHOSEN) => post("/sign-up/confirm", { token: tokenIn(path), password })
const login = (password = CHOSEN) => post("/login", { email: "ada@example.com", password })

describe("sign-up", () => {
  it("creates an account only after the address is confirmed, in two round trips each", async () => {
    const response = await requestSignUp({ password: CHOSEN, userType: "owner" })
    expect(response).toMatchObject({ status: 200, body: { message: "Check your email to continue." } })
    expect(cost(response).roundTrips).toBe(2)
    expect(cost(response).written).toBeLessThanOrEqual(10)
    expect(await rowsOf(users)).toEqual([])
    expect((await login()).status).toBe(401)

    const [mail] = await delivered()
    expect(mail).toMatchObject({ to: "Ada@example.com", subject: "Confirm your email address for Lectern" })
    expect(mail?.text).toMatch(/^Hello,\n/)
    const link = mail ? linkIn(mail) : ""
    const page = await get(link)
    expect(page.body).toContain("For Ada@example.com")
    expect(page.body).toContain('action="/sign-up/confirm"')
    expect(await rowsOf(users)).toEqual([])

    const done = await confirm(link)
    expect([done.status, cost(done).roundTrips]).toEqual([200, 2])
    expect(cost(done).written).toBeLessThanOrEqual(20)
    const [row] = await rowsOf(users)
    expect(row).toMatchObject({ firstName: "Ada", lastName: "Byron", email: "Ada@example.com", userType: "general" })
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "user", subjectId: row?.id, performedBy: row?.id, effectOn: "Ada Byron" },
    ])
    expect(await rowsOf(signUps)).toEqual([])
    expect((await confirm(link)).status).toBe(410)
    expect((await get(link)).status).toBe(410)
    expect((await login()).status).toBe(200)
  })

  it("responds the same for existing users, who are notified, and for disabled users, who are not", async () => {
    const fresh = await requestSignUp()
    await user({ email: "grace@example.com" })
    await user({ email: "off@example.com", disabled: true })
    for (const email of ["GRACE@example.com", "off@example.com"]) {
      const response = await requestSignUp({ email })
      expect([response.status, response.body]).toEqual([fresh.status, fresh.body])
      expect(cost(response).roundTrips).toBe(cost(fresh).roundTrips)
      expect(cost(response).written).toBeGreaterThan(0)
      expect(objectCost(response).calls).toBe(objectCost(fresh).calls)
    }
    const mails = (await delivered()).toSorted((a, b) => a.to.localeCompare(b.to))
    expect(mails.map(({ to }) => to)).toEqual(["Ada@example.com", "grace@example.com"])
    expect(mails[1]?.text).toContain("An account with it already exists")
    expect(mails[1]?.text).toContain(`Reset password:\n${BASE}/password/forgot`)
    expect(await rowsOf(signUps)).toHaveLength(1)
  })

  it("creates one account for several sign-ups and for a link that is used twice concurrently", async () => {
    await requestSignUp()
    await requestSignUp({ firstName: "Eve" })
    const [first, second] = await mailedLinks()
    const responses = await Promise.all([confirm(first), confirm(first), confirm(second)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 410, 410])
    expect(await rowsOf(users)).toHaveLength(1)
    expect((await rowsOf(auditLogs)).filter(({ action }) => action === "created")).toHaveLength(1)
  })

  it("expires after two days and is deleted by the cron", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    await requestSignUp()
    const [link] = await mailedLinks()
    vi.setSystemTime(Date.now() + 2 * DAY - MINUTE)
    await runScheduled(env)
    expect((await get(link ?? "")).status).toBe(200)
    vi.setSystemTime(Date.now() + MINUTE)
    expect((await confirm(link)).status).toBe(410)
    await runScheduled(env)
    expect(await rowsOf(signUps)).toEqual([])
  })

  it("stores the custom fields of the registration page and requires the required ones", async () => {
    await put("/api/users/customUserFields", {
      fields: [
        { type: "text", label: "Company", isRequired: true, isFieldOnRegistrationPage: true },
        { type: "checkbox", label: "Interests", optionLabel: ["Chess", "Go"], isFieldOnRegistrationPage: true },
        { type: "text", label: "Badge", isRequired: true },
        { type: "date", label: "Born", isFieldOnRegistrationPage: true },
      ],
    })
    const missing = await requestSignUp()
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ["customUserMetas.company"]])
    expect((await requestSignUp({ customUserMetas: { company: "Acme", badge: "7" } })).status).toBe(422)
    expect((await requestSignUp({ customUserMetas: { company: "Acme", interests: ["Chess", "Golf"] } })).status).toBe(
      422,
    )
    expect((await requestSignUp({ customUserMetas: { company: "Acme", born: "Jan 05, 20" } })).status).toBe(422)
    const input = { company: "Acme", interests: ["Go", "Chess"], born: "Jan 05, 2001" }
    expect((await requestSignUp({ customUserMetas: input })).status).toBe(200)
    const [link] = await mailedLinks()
    await confirm(link)
    expect((await rowsOf(customFieldValues)).map(({ value }) => value)).toEqual(["Acme", "Chess,Go", "2001-01-05"])
  })

  it("rejects blocked addresses and weak passwords", async () => {
    await put("/api/user/blockedEmailsAndDomains", { blocked: ["evil.example"] })
    const refused = await requestSignUp({ email: "ada@evil.example" })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["email"]])
    await requestSignUp()
    const [link] = await mailedLinks()
    for (const password of ["short", "password1", "ada@example.com"])
      expect((await confirm(link, password)).status, password).toBe(422)
    expect(await rowsOf(users)).toEqual([])
    expect((await confirm(link)).status).toBe(200)
  })

  it("accepts five calls per address and fifty per network address in 15 minutes", async () => {
    for (let i = 0; i < 5; i++)
      expect((await requestSignUp({}, { "cf-connecting-ip": `198.51.100.${i}` })).status).toBe(200)
    expect((await requestSignUp()).status).toBe(429)
    for (let i = 0; i < 49; i++) await requestSignUp({ email: `a${i}@example.com` })
    expect((await requestSignUp({ email: "z@example.com" })).status).toBe(429)
    expect((await requestSignUp({ email: "z@example.com" }, { "cf-connecting-ip": "198.51.100.9" })).status).toBe(200)
  })

  it("stores the link only in the email, and the person encrypted", async () => {
    await keepsSecret(async (secret) => {
      await requestSignUp({ lastName: "Unheard-Of" })
      secret("the link's token", tokenIn((await mailedLinks())[0] ?? ""))
      secret("the name", "Unheard-Of")
    })
  })

  it("returns 404 unless sign-up is open", async () => {
    await requestSignUp()
    const [link] = await mailedLinks()
    for (const value of ["", "closed", "OPEN"]) {
      env.SIGN_UP = value
      expect((await get("/sign-up")).status).toBe(404)
      expect((await requestSignUp()).status).toBe(404)
      expect((await form("/sign-up", ADA)).status).toBe(404)
      expect((await get(link ?? "")).status).toBe(404)
      expect((await confirm(link)).status).toBe(404)
      expect((await get("/login")).body).not.toContain("Sign up")
    }
  })
})

describe("sign-up form", () => {
  const fields = [
    { type: "text", label: "Company", isRequired: true, isFieldOnRegistrationPage: true },
    { type: "dropdown", label: "Region", optionLabel: ["North", "South"], isFieldOnRegistrationPage: true },
    { type: "checkbox", label: "Interests", optionLabel: ["Chess", "Go"], isFieldOnRegistrationPage: true },
  ]

  it("is linked from the sign-in page, asks for the registration fields and leads to a password form", async () => {
    await put("/api/users/customUserFields", { fields })
    expect((await get("/login")).body).toContain('<a href="/sign-up">Sign up</a>')
    const page = await get("/sign-up")
    expect(page.status).toBe(200)
    expect(cost(page).roundTrips).toBe(1)
    for (const text of ['name="meta:company"', '<option value="North">', 'type="checkbox" name="meta:interests"'])
      expect(page.body).toContain(text)
    expect(page.body).not.toContain("<script")

    const response = await form("/sign-up", { ...ADA, "meta:company": "Acme", "meta:region": "South" })
    expect(response.status).toBe(200)
    expect(response.body).toContain("Check your email")
    const [link] = await mailedLinks()
    const token = tokenIn(link ?? "")
    const wrong = { token, username: ADA.email, password: CHOSEN, password_confirmation: "another one" }
    const different = await form("/sign-up/confirm", wrong)
    expect(different.status).toBe(422)
    expect(different.body).toContain(`value="${ADA.email}"`)
    expect(different.body).toContain('action="/sign-up/confirm"')
    const done = await form("/sign-up/confirm", { token, password: CHOSEN, password_confirmation: CHOSEN })
    expect(done.body).toContain('<a href="/login">Sign in</a>')
    expect(await db.select().from(users).where(eq(users.email, ADA.email))).toHaveLength(1)
    expect((await login()).status).toBe(200)
    expect(await form("/sign-up/confirm", { token, password: CHOSEN, password_confirmation: CHOSEN })).toMatchObject({
      status: 410,
    })
  })

  it("keeps the input after an error and accepts requests only from pages of this origin", async () => {
    await put("/api/users/customUserFields", { fields })
    const response = await form("/sign-up", {
      ...ADA,
      firstName: '"><script>',
      email: "nothing",
      "meta:region": "South",
    })
    expect(response.status).toBe(422)
    expect(response.body).toContain('role="alert"')
    expect(response.body).toContain("&quot;&gt;&lt;script&gt;")
    const missing = await form("/sign-up", { ...ADA, "meta:region": "South" })
    expect(missing.body).toContain('<option value="South" selected="">')
    expect(missing.body).toContain("customUserMetas.company is required.")
    expect((await form("/sign-up", ADA, { "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect(await delivered()).toEqual([])
    expect(JSON.stringify(missing.body)).not.toContain(PASSWORD)
  })
})
