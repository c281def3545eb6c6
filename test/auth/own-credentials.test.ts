import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { pendingEmails } from "../../drizzle/schema/pending-emails.ts"
import { users } from "../../drizzle/schema/users.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { db, PASSWORD, rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { call, cookieOf, cost, get, post, put, query } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"

// What people change of their own account: their address, which they confirm, and their password.

const CHANGED = "a fresh secret"
const ASKED = "User updated. To change your email address, open the link that was sent to the new address."

/** A call as a page of this origin makes it. */
const asPage = (token: string) => ({ headers: { ...cookieOf(token), "sec-fetch-site": "same-origin" } })
const emailOf = async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0]?.email
const login = (email: string, password = PASSWORD) => post("/login", { email, password })

/** Sends the waiting emails. @returns their recipients and links */
async function mails() {
  return (await delivered()).map(({ to, subject, text }) => ({
    to,
    subject,
    text,
    token: /email\/confirm\?token=([\w-]+)/.exec(text)?.[1],
  }))
}
const confirm = (token = "") => post("/email/confirm", { token })

afterEach(() => {
  vi.useRealTimers()
  Object.assign(env, { EMAIL_CHANGE: "", REQUIRE_CURRENT_PASSWORD: "" })
})

describe("change of the caller's own email address", () => {
  it("takes effect after opening the emailed link, which works once and signs out everywhere", async () => {
    const ada = await signedIn("general", { email: "ada@example.com", firstName: "Ada", lastName: "Byron" })
    const path = `/api/user/${ada.id}`
    const response = await put(path, { email: "countess@example.com", firstName: "Augusta" }, ada)
    expect(response).toMatchObject({ status: 200, body: { message: ASKED } })
    expect(cost(response).roundTrips).toBe(2)
    const read = (await get(path, ada)).body
    expect(read).toMatchObject({ email: "ada@example.com", pendingEmail: "countess@example.com", firstName: "Augusta" })
    expect((await put(path, read, ada)).body.message).toBe("User updated.")
    expect((await get(path, await signedIn("staff"))).body).toMatchObject({ pendingEmail: null })

    const [link, ...others] = await mails()
    expect([link?.to, link?.subject, others]).toEqual([
      "countess@example.com",
      "Confirm your email address for Lectern",
      [],
    ])
    const page = await get(`/email/confirm?token=${link?.token}`)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'")
    expect(page.body).toContain("countess@example.com")
    expect(page.body).not.toContain("<script")
    expect(await emailOf(ada.id), "a look at the page changes nothing").toBe("ada@example.com")

    const done = await call("POST", "/email/confirm", {
      body: new URLSearchParams({ token: link?.token ?? "" }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect(done).toMatchObject({ status: 200, body: /countess@example.com/ })
    expect(cost(done).roundTrips).toBe(2)
    expect(await rowsOf(users)).toMatchObject([
      { email: "countess@example.com", emailVerifiedAt: expect.any(Number) },
      {},
    ])
    expect((await rowsOf(users))[0]?.emailVerifiedAt).toBeGreaterThan(0)
    expect(await rowsOf(pendingEmails)).toEqual([])
    expect((await get(path, ada)).status, "the session has ended").toBe(401)
    expect((await login("ada@example.com")).status).toBe(401)
    expect((await login("countess@example.com")).status).toBe(200)
    const found = await get(
      `/api/users/tabularlist${query({ page_size: 5, page_number: 1, search_param: { nameOrEmail: "countess" } })}`,
    )
    expect(found.body.recordsFiltered).toBe(1)
    expect(await mails()).toMatchObject([
      { to: "ada@example.com", subject: "Your email address for Lectern was changed" },
    ])
    expect((await confirm(link?.token)).status).toBe(410)
    const audit = await rowsOf(auditLogs)
    expect(audit.slice(0, 2)).toMatchObject([
      { action: "updated", performedBy: ada.id, details: { firstName: "Augusta", emailChange: "requested" } },
      { action: "updated", performedBy: ada.id, details: { email: "countess@example.com", by: "link" } },
    ])
  })

  it("cannot take over an address: its owner must confirm it", async () => {
    const mallory = await signedIn("general", { email: "mallory@example.com" })
    const response = await put(`/api/user/${mallory.id}`, { email: "victim@example.com" }, mallory)
    expect(response.status).toBe(200)
    expect(await emailOf(mallory.id)).toBe("mallory@example.com")
    expect((await login("victim@example.com")).status).toBe(401)
    const forgot = await post("/password/forgot", { email: "victim@example.com" })
    expect(forgot.status).toBe(200)
    expect((await mails()).map(({ to, subject }) => [to, subject])).toEqual([
      ["victim@example.com", "Confirm your email address for Lectern"],
    ])
  })

  it("responds the same whether or not the address is taken; the holder is notified instead", async () => {
    const ada = await signedIn("general", { email: "ada@example.com" })
    const other = await signedIn("general", { email: "other@example.com" })
    await user({ email: "taken@example.com" })
    const requestChange = (who: typeof ada, email: string) => put(`/api/user/${who.id}`, { email }, who)
    const [available, taken] = [
      await requestChange(ada, "free@example.com"),
      await requestChange(other, "TAKEN@example.com"),
    ]
    expect([taken.status, taken.body]).toEqual([available.status, available.body])
    expect(cost(taken).roundTrips).toBe(cost(available).roundTrips)
    expect((await get(`/api/user/${other.id}`, other)).body.pendingEmail).toBe("TAKEN@example.com")
    const sent = await mails()
    expect(sent.map(({ to, token }) => [to.toLowerCase(), token === undefined]).sort()).toEqual([
      ["free@example.com", false],
      ["taken@example.com", true],
    ])
    expect(await rowsOf(users)).toMatchObject([{ email: ada.email }, { email: other.email }, {}])
  })

  it("fails if another user has the address when the link is opened", async () => {
    const ada = await signedIn("general")
    await put(`/api/user/${ada.id}`, { email: "wanted@example.com" }, ada)
    const [link] = await mails()
    await user({ email: "wanted@example.com" })
    expect(await confirm(link?.token)).toMatchObject({ status: 410, body: { code: "link_expired" } })
    expect(await emailOf(ada.id)).toBe(ada.email)
    expect((await get(`/api/user/${ada.id}`, ada)).status, "the session goes on").toBe(200)
  })

  it("has one link, which is voided by another request, a change of password or address, and after a day", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const ada = await signedIn("general", { email: "ada@example.com" })
    const path = `/api/user/${ada.id}`
    const requestChange = async (email: string) => {
      await put(path, { email }, { token: await tokenOf(ada) })
      return (await mails()).find(({ token }) => token)?.token
    }
    const first = await requestChange("first@example.com")
    const second = await requestChange("second@example.com")
    expect((await confirm(first)).status).toBe(410)
    await put(`/api/user/updatePassword/${ada.id}`, { password: CHANGED }, { token: await tokenOf(ada) })
    expect((await confirm(second)).status).toBe(410)
    vi.setSystemTime(Date.now() + 15 * MINUTE)
    const third = await requestChange("third@example.com")
    const admin = await signedIn("admin")
    await put(path, { email: "given@example.com" }, admin)
    expect((await confirm(third)).status).toBe(410)
    expect(await emailOf(ada.id)).toBe("given@example.com")
    const fourth = await requestChange("fourth@example.com")
    vi.setSystemTime(Date.now() + DAY)
    expect((await get(`/email/confirm?token=${fourth}`)).status).toBe(410)
    expect((await confirm(fourth)).status).toBe(410)
    expect((await get(path, { token: await tokenOf(ada) })).body.pendingEmail).toBeNull()
    await runScheduled(env)
    expect(await rowsOf(pendingEmails)).toEqual([])
    const fifth = await requestChange("fifth@example.com")
    await put(path, { disabled: true }, { token: await tokenOf(admin) })
    expect((await confirm(fifth)).status).toBe(410)
  })

  it("is limited to five requests in 15 minutes, per user and per address", async () => {
    const ada = await signedIn("general")
    const requestChange = (who: typeof ada, email: string) => put(`/api/user/${who.id}`, { email }, who)
    for (let i = 0; i < 5; i++) expect((await requestChange(ada, `new${i}@example.com`)).status).toBe(200)
    expect(await requestChange(ada, "new5@example.com")).toMatchObject({
      status: 429,
      body: { code: "too_many_attempts" },
    })
    for (let i = 0; i < 5; i++)
      expect((await requestChange(await signedIn("general"), "same@example.com")).status).toBe(200)
    expect((await requestChange(await signedIn("general"), "same@example.com")).status).toBe(429)
  })

  it("applies immediately to its case, with EMAIL_CHANGE immediate, and when staff change it", async () => {
    const ada = await signedIn("general", { email: "ada@example.com", emailVerifiedAt: 1 })
    expect((await put(`/api/user/${ada.id}`, { email: "Ada@example.com" }, ada)).body.message).toBe("User updated.")
    expect(await rowsOf(users)).toMatchObject([{ email: "Ada@example.com", emailVerifiedAt: 1 }])
    expect(await mails()).toEqual([])

    const staff = await signedIn("staff")
    const changed = await put(`/api/user/${ada.id}`, { email: "countess@example.com" }, staff)
    expect([changed.body.message, cost(changed).roundTrips]).toEqual(["User updated.", 2])
    expect(await rowsOf(users)).toMatchObject([{ email: "countess@example.com", emailVerifiedAt: 0 }, {}])
    expect(await mails()).toMatchObject([{ to: "Ada@example.com", subject: /was changed$/ }])
    expect(await put(`/api/user/${ada.id}`, { email: staff.email }, staff)).toMatchObject({
      status: 422,
      body: { errors: { email: [/taken/] } },
    })

    env.EMAIL_CHANGE = "immediate"
    const session = { token: await tokenOf(ada) }
    expect(await put(`/api/user/${ada.id}`, { email: staff.email }, session)).toMatchObject({ status: 422 })
    expect((await put(`/api/user/${ada.id}`, { email: "a@example.com" }, session)).body.message).toBe("User updated.")
    expect(await emailOf(ada.id)).toBe("a@example.com")
    expect(await mails()).toMatchObject([{ to: "countess@example.com" }])
  })

  it("is rejected for addresses that the academy blocks and for invalid tokens", async () => {
    const admin = await signedIn("admin")
    await put("/api/user/blockedEmailsAndDomains", { blocked: ["spam.example"] }, admin)
    const ada = await signedIn("general")
    expect((await put(`/api/user/${ada.id}`, { email: "a@spam.example" }, ada)).status).toBe(422)
    expect(await rowsOf(pendingEmails)).toEqual([])
    for (const path of ["/email/confirm", "/email/confirm?token=unknown"]) {
      const page = await get(path)
      expect([page.status, page.headers.get("content-type")]).toEqual([410, expect.stringContaining("text/html")])
    }
    expect((await confirm("unknown")).status).toBe(410)
    expect((await post("/email/confirm", {})).body.errors).toHaveProperty("token")
    expect((await post("/email/confirm", "{")).status).toBe(400)
  })
})

describe("current password", () => {
  it("is required with a session cookie, and with a bearer token if the setting says so", async () => {
    const ada = await signedIn("general")
    const [session, password] = [`/api/user/${ada.id}`, `/api/user/updatePassword/${ada.id}`]
    const refused = { status: 403, body: { code: "current_password_required", errors: { current_password: [/./] } } }
    const before = await rowsOf(users)
    for (const credential of [asPage(ada.token), ada]) {
      if (credential === ada) env.REQUIRE_CURRENT_PASSWORD = "on"
      expect(await put(password, { password: CHANGED }, credential)).toMatchObject(refused)
      expect(await put(password, { password: CHANGED, current_password: "" }, credential)).toMatchObject(refused)
      expect(await put(session, { email: "new@example.com" }, credential)).toMatchObject(refused)
      const wrong = await put(password, { password: CHANGED, current_password: "guess" }, credential)
      expect(wrong).toMatchObject({ status: 422, body: { errors: { current_password: [/incorrect/] } } })
      expect((await put(session, (await get(session, ada)).body, credential)).status).toBe(200)
    }
    expect(await rowsOf(users)).toEqual(before)
    expect(await rowsOf(pendingEmails)).toEqual([])
    env.REQUIRE_CURRENT_PASSWORD = ""

    const input = { current_password: PASSWORD }
    expect((await put(session, { email: "new@example.com", ...input }, asPage(ada.token))).status).toBe(200)
    const spelled = { password: CHANGED, currentPassword: PASSWORD }
    expect((await put(password, spelled, asPage(ada.token))).status).toBe(200)
    const again = { token: await tokenOf(ada) }
    expect((await put(password, { password: `${CHANGED} again` }, again)).status, "a bearer client").toBe(200)
  })

  it("is not required for other users or API keys", async () => {
    const ada = await user()
    const admin = await signedIn("admin")
    const path = `/api/user/updatePassword/${ada.id}`
    expect((await put(path, { password: CHANGED }, asPage(admin.token))).status).toBe(200)
    env.REQUIRE_CURRENT_PASSWORD = "on"
    const key = await apiKey({ role: "admin", scopes: ["credentials"] })
    expect((await put(path, { password: `${CHANGED} 2` }, key)).status).toBe(200)
  })

  it("cannot be checked for accounts without one, so that a page cannot set the first password", async () => {
    const ada = await signedIn("general", { passwordHash: null })
    for (const input of [{}, { current_password: "anything" }]) {
      const response = await put(
        `/api/user/updatePassword/${ada.id}`,
        { password: CHANGED, ...input },
        asPage(ada.token),
      )
      expect(response).toMatchObject({ status: 403, body: { message: /password\/forgot/ } })
    }
    expect((await rowsOf(users))[0]?.passwordHash).toBeNull()
  })

  it("is optional otherwise and checked when provided", async () => {
    const learner = await signedIn("general")
    const wrong = { current_password: ["current_password is incorrect."] }
    const session = `/api/user/${learner.id}`
    const email = { email: "new@example.com" }
    const password = { password: "a fresh secret" }
    expect((await put(session, { ...email, current_password: "guess" }, learner)).body.errors).toEqual(wrong)
    const refused = await put(
      `/api/user/updatePassword/${learner.id}`,
      { ...password, current_password: "guess" },
      learner,
    )
    expect(refused.body.errors).toEqual(wrong)
    expect(await rowsOf(users)).toMatchObject([{ email: learner.email, version: 1 }])
    expect((await put(session, { ...email, current_password: PASSWORD }, learner)).status).toBe(200)
    const again = { ...learner, token: await tokenOf(learner) }
    const changed = await put(`/api/user/updatePassword/${learner.id}`, { ...password, current_password: null }, again)
    expect(changed.status).toBe(200)
    const admin = await signedIn("admin")
    const set = { ...password, current_password: "not theirs to know" }
    expect((await put(`/api/user/updatePassword/${learner.id}`, set, admin)).status).toBe(200)
  })

  it("counts a wrong password as a sign-in attempt of the account", async () => {
    const learner = await signedIn("general")
    const guess = () => put(`/api/user/${learner.id}`, { current_password: "guess" }, learner)
    for (let i = 0; i < 10; i++) expect((await guess()).status).toBe(422)
    expect((await guess()).status).toBe(429)
    const other = { headers: { "cf-connecting-ip": "203.0.113.99" } }
    expect((await post("/login", { email: learner.email, password: PASSWORD }, other)).status).toBe(429)
  })
})

describe("notice of a changed password", () => {
  const NOTICE = "Your password for Lectern was changed"

  it("is sent when users, other users or a link set the password", async () => {
    const ada = await signedIn("general", { email: "ada@example.com", firstName: "Ada" })
    const path = `/api/user/updatePassword/${ada.id}`
    await put(path, { password: CHANGED }, ada)
    const [session] = await mails()
    expect(session).toMatchObject({ to: "ada@example.com", subject: NOTICE, text: /\/password\/forgot/ })
    expect(session?.text).not.toContain(CHANGED)
    await put(path, { password: `${CHANGED} 2` }, await signedIn("admin"))
    expect(await mails()).toMatchObject([{ to: "ada@example.com", subject: NOTICE }])
    await post("/password/forgot", { email: "ada@example.com" })
    const token = /set-password\?token=([\w-]+)/.exec((await mails())[0]?.text ?? "")?.[1]
    expect((await post("/set-password", { token, password: `${CHANGED} 3` })).status).toBe(200)
    expect(await mails()).toMatchObject([{ to: "ada@example.com", subject: NOTICE }])
    expect((await rowsOf(users))[0]?.emailVerifiedAt).toBeGreaterThan(0)
  })
})
