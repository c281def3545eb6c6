import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { passwordLinks, temporaryPasswords } from "../../drizzle/schema/passwords.ts"
import { ssoProviders } from "../../drizzle/schema/sso.ts"
import { users } from "../../drizzle/schema/users.ts"
import { DAY } from "../../src/lib/clock.ts"
import { inviteUsers, newPasswordLinks } from "../../src/modules/users/invitations.queries.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { db, PASSWORD, portal, rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { call, cost, get, post, put } from "../helpers/client.ts"
import { delivered, postOffice } from "../helpers/mailbox.ts"
import { keepsSecret } from "../helpers/secrets.ts"

const BASE = "https://lectern.test"
const RESEND = "/api/email/resendNewAccountEmail"
const CHOSEN = "analytical engine"

/** A user's fresh link: its path and its token. */
async function linkFor(userId: number) {
  const { work } = postOffice()
  const { statements, links } = newPasswordLinks(work, BASE, [userId])
  await work.commit(statements, {})
  const link = links.get(userId)?.link ?? ""
  return { path: link.replace(BASE, ""), token: new URL(link).searchParams.get("token") ?? "" }
}
const choose = (token: string, password = CHOSEN, more = {}) => post("/set-password", { token, password, ...more })
const form = (fields: Record<string, string>, headers = {}) =>
  call("POST", "/set-password", {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  })
const login = (email: string, password: string) => post("/login", { email, password })
/** The temporary password of the mail that waits. */
const mailedPassword = async () =>
  (await delivered()).flatMap(({ text }) => /^\w{4}-\w{4}-\w{4}-\w{4}$/m.exec(text)?.[0] ?? [])[0] ?? ""

describe("set-password link", () => {
  it("opens a form that needs no script, contacts no other origin and changes nothing", async () => {
    const ada = await user({ email: "ada@example.com", passwordHash: null })
    const { path, token } = await linkFor(ada.id)
    for (let i = 0; i < 2; i++) {
      const page = await get(path)
      expect(page.status).toBe(200)
      expect(page.body).toContain('<label for="password">New password</label>')
      expect(page.body).toContain(`name="token" value="${token}"`)
      expect(page.body).toContain("For ada@example.com")
      expect(page.body).not.toMatch(/<script|https?:\/\//)
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(page.headers.get("referrer-policy")).toBe("same-origin")
      expect(page.headers.get("cache-control")).toBe("no-store")
    }
    expect(await rowsOf(passwordLinks)).toHaveLength(1)
  })

  it("sets the password once in two round trips, ends sessions and is audited as the user's change", async () => {
    const ada = await user({ email: "ada@example.com" })
    const session = await tokenOf(ada)
    const { token, path } = await linkFor(ada.id)
    const answer = await choose(token, CHOSEN, { password_confirmation: CHOSEN })
    expect(answer).toMatchObject({ status: 200, body: { message: "Your password has been set. You can now sign in." } })
    expect(cost(answer).roundTrips).toBe(2)
    expect((await get("/api/userType/lookup", { token: session })).status).toBe(401)
    expect((await login("ada@example.com", PASSWORD)).status).toBe(401)
    expect((await login("ada@example.com", CHOSEN)).status).toBe(200)
    expect(await rowsOf(passwordLinks)).toEqual([])
    expect((await rowsOf(auditLogs))[0]).toMatchObject({
      performedBy: ada.id,
      action: "updated",
      details: { password: "changed", by: "link" },
    })
    expect(await choose(token, "another password")).toMatchObject({ status: 410 })
    expect(await get(path)).toMatchObject({ status: 410, body: expect.stringContaining("This link was already used") })
    expect((await login("ada@example.com", CHOSEN)).status).toBe(200)
  })

  it("works as a form: errors show the form again, success shows a page", async () => {
    const ada = await user()
    const { token } = await linkFor(ada.id)
    const unlike = await form({ token, username: ada.email, password: CHOSEN, password_confirmation: "other words" })
    expect(unlike.status).toBe(422)
    expect(unlike.body).toContain(`name="username" autocomplete="username" value="${ada.email}"`)
    expect(unlike.body).toContain('role="alert"')
    expect(unlike.body).toContain(`value="${token}"`)
    expect(unlike.body).not.toContain(CHOSEN)
    expect((await form({ token, password: "password1", password_confirmation: "password1" })).status).toBe(422)
    const done = await form({ token, password: CHOSEN, password_confirmation: CHOSEN })
    expect(done).toMatchObject({ status: 200, body: expect.stringContaining('<a href="/login">Sign in</a>') })
    expect((await form({ token, password: CHOSEN, password_confirmation: CHOSEN })).status).toBe(410)
  })

  it("signs in an invited person who sets their first password with the form", async () => {
    const ada = await user({ email: "ada@example.com", passwordHash: null })
    const { token } = await linkFor(ada.id)
    const done = await form({ token, password: CHOSEN, password_confirmation: CHOSEN })
    expect(done.status).toBe(303)
    expect(done.headers.get("location")).toBe("/console")
    const cookie = /session=([^;]+); .*HttpOnly/.exec(done.headers.get("set-cookie") ?? "")?.[1] ?? ""
    expect((await get("/api/me", { token: cookie })).body).toMatchObject({ id: ada.id, email: "ada@example.com" })
    const audited = await rowsOf(auditLogs)
    expect(audited.map(({ action, performedBy }) => ({ action, performedBy }))).toEqual([
      { action: "updated", performedBy: ada.id },
      { action: "login", performedBy: ada.id },
    ])
  })

  it("does not sign in an invited person who must use a provider", async () => {
    await db.insert(ssoProviders).values({
      ...{ id: 1, name: "Example Corp", slug: "corp", issuer: "https://login.corp.example", clientId: "lectern" },
      ...{ domains: ["example.com"], forced: true, active: true, claims: {}, creates: false, scopes: "openid" },
      createdAt: Date.now(),
    })
    const ada = await user({ email: "ada@example.com", passwordHash: null })
    const { token } = await linkFor(ada.id)
    const done = await form({ token, password: CHOSEN, password_confirmation: CHOSEN })
    expect(done).toMatchObject({ status: 200, body: expect.stringContaining("You can now sign in.") })
    expect(done.headers.get("set-cookie")).toBeNull()
  })

  it("refuses a form of another site, which could sign in somebody as another person", async () => {
    const ada = await user({ passwordHash: null })
    const { token } = await linkFor(ada.id)
    const fields = { token, password: CHOSEN, password_confirmation: CHOSEN }
    const refused = await form(fields, { origin: "https://evil.example", "sec-fetch-site": "cross-site" })
    expect(refused.status).toBe(403)
    expect(refused.headers.get("set-cookie")).toBeNull()
    expect((await form(fields)).status).toBe(303)
  })

  it("is used by only one of two concurrent calls", async () => {
    const ada = await user({ passwordHash: null })
    const { token } = await linkFor(ada.id)
    const responses = await Promise.all([choose(token, "first password"), choose(token, "second password")])
    expect(responses.map((response) => response.status).sort()).toEqual([200, expect.toBeOneOf([409, 410])])
    expect(await rowsOf(auditLogs)).toHaveLength(1)
  })

  it("is void after two days, after a newer link, and after changes of password, address or account", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const ada = await user({ email: "ada@example.com" })
    const first = await linkFor(ada.id)
    const second = await linkFor(ada.id)
    expect((await get(first.path)).status).toBe(410)
    expect((await get(second.path)).status).toBe(200)

    await put(`/api/user/updatePassword/${ada.id}`, { password: "something else" })
    expect((await get(second.path)).status).toBe(410)

    const third = await linkFor(ada.id)
    await put(`/api/user/${ada.id}`, { firstName: "Augusta" })
    expect((await get(third.path)).status).toBe(200)
    await put(`/api/user/${ada.id}`, { email: "augusta@example.com" })
    expect((await get(third.path)).status).toBe(410)

    const fourth = await linkFor(ada.id)
    await put(`/api/user/${ada.id}`, { disabled: true })
    await put(`/api/user/${ada.id}`, { disabled: false })
    expect((await get(fourth.path)).status).toBe(410)

    const fifth = await linkFor(ada.id)
    vi.setSystemTime(Date.now() + 2 * DAY)
    expect((await get(fifth.path)).status).toBe(410)
    await runScheduled(env)
    expect(await rowsOf(passwordLinks)).toEqual([])
  })

  it("rejects a missing, unknown or malformed token and an unreadable body", async () => {
    expect((await get("/set-password")).status).toBe(410)
    expect((await get("/set-password?token=unknown")).status).toBe(410)
    expect((await choose("unknown")).status).toBe(410)
    expect(await post("/set-password", { password: CHOSEN })).toMatchObject({
      status: 422,
      body: { errors: { token: expect.anything() } },
    })
    expect(await choose("unknown", "short")).toMatchObject({
      status: 422,
      body: { errors: { password: expect.anything() } },
    })
    expect((await post("/set-password", "{")).status).toBe(400)
    expect((await call("POST", "/set-password", { body: "x", headers: { "content-type": "text/plain" } })).status).toBe(
      415,
    )
  })

  it("is created for 5,000 users by eight statements and emailed to each user separately", async () => {
    const office = postOffice()
    const people = [await user({ passwordHash: null, email: "a@example.com" }), await user({ passwordHash: null })]
    const many = Array.from({ length: 5000 }, (_, i) => ({ id: i + 1, firstName: "A", email: `a${i}@example.com` }))
    expect(inviteUsers(office.work, BASE, many).statements).toHaveLength(8)
    await office.work.commit(inviteUsers(office.work, BASE, people).statements, {})
    const [first, second] = await delivered()
    const link = /https:\S+/.exec(first?.text ?? "")?.[0] ?? ""
    expect(first).toMatchObject({ to: "a@example.com", subject: "You're invited to Lectern" })
    expect(second?.text).not.toContain(link)
    expect((await get(link.replace(BASE, ""))).body).toContain("For a@example.com")
  })
})

describe("POST /api/user/create", () => {
  it("emails a sign-in link without the password", async () => {
    const response = await post("/api/user/create", {
      firstName: "Ada",
      email: "ada@example.com",
      password: CHOSEN,
      password_confirmation: CHOSEN,
    })
    expect(cost(response).roundTrips).toBe(2)
    const mails = await delivered()
    expect(mails).toMatchObject([{ to: "ada@example.com", subject: "Welcome to Lectern" }])
    expect(mails[0]?.text).toContain("Sign in:\nhttps://lectern.test/login")
    expect(JSON.stringify(mails)).not.toContain(CHOSEN)
  })

  it("emails nothing when no user is created", async () => {
    await user({ email: "ada@example.com" })
    const body = { firstName: "Ada", email: "ada@example.com", password: CHOSEN, password_confirmation: CHOSEN }
    expect((await post("/api/user/create", body)).status).toBe(422)
    expect(await rowsOf(outbox)).toEqual([])
  })
})

describe("POST /api/email/resendNewAccountEmail", () => {
  it("emails a temporary password on behalf of the portal, ends all sessions and stores no plain text", async () => {
    const ada = await user({ email: "ada@example.com" })
    const { id: portalId } = await portal({ name: "Summer School" })
    const session = await tokenOf(ada)
    await keepsSecret(async (secret) => {
      const response = await post(RESEND, { user_id: ada.id, portalId })
      expect(response).toMatchObject({
        status: 200,
        body: { status: "success", message: "A temporary password has been emailed to the user." },
      })
      expect(cost(response).roundTrips).toBe(2)
      const [mail] = await delivered()
      expect(mail).toMatchObject({ to: "ada@example.com", subject: "Your temporary password for Summer School" })
      secret("the temporary password", /^\w{4}-\w{4}-\w{4}-\w{4}$/m.exec(mail?.text ?? "")?.[0] ?? "")
      secret("the former password", PASSWORD)
    })
    expect((await get("/api/userType/lookup", { token: session })).status).toBe(401)
    expect((await login("ada@example.com", PASSWORD)).status).toBe(401)
    expect(await rowsOf(outbox)).toMatchObject([{ status: "sent", secret: null }])
    expect((await rowsOf(auditLogs))[0]).toMatchObject({
      subjectId: ada.id,
      details: { password: "temporary" },
    })
  })

  it("creates a password that opens no session and is exchanged once for a link", async () => {
    const ada = await user({ email: "ada@example.com" })
    await post(RESEND, { user_id: ada.id })
    const temporary = await mailedPassword()
    const exchanged = await login("ada@example.com", temporary)
    expect(exchanged).toMatchObject({
      status: 401,
      body: { passwordChangeRequired: true, setPasswordUrl: expect.stringContaining(`${BASE}/set-password?token=`) },
    })
    expect(exchanged.body.token).toBeUndefined()
    expect(exchanged.headers.get("server-timing")).toContain("trips=2")
    expect((await login("ada@example.com", temporary)).body.setPasswordUrl).toBeUndefined()

    const token = new URL(exchanged.body.setPasswordUrl).searchParams.get("token") ?? ""
    expect((await choose(token)).status).toBe(200)
    expect((await login("ada@example.com", temporary)).status).toBe(401)
    expect((await login("ada@example.com", CHOSEN)).status).toBe(200)
  })

  it("exchanges the password for one link when it is used five times concurrently", async () => {
    const ada = await user({ email: "ada@example.com" })
    await post(RESEND, { user_id: ada.id })
    const temporary = await mailedPassword()
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => login("ada@example.com", temporary)))
    expect(responses.map((response) => response.status)).toEqual([401, 401, 401, 401, 401])
    expect(responses.filter((response) => response.body.setPasswordUrl)).toHaveLength(1)
    expect(await rowsOf(passwordLinks)).toHaveLength(1)
  })

  it("redirects a browser that signs in with it to the page of the link", async () => {
    const ada = await user({ email: "ada@example.com" })
    await post(RESEND, { user_id: ada.id })
    const response = await call("POST", "/login", {
      body: new URLSearchParams({ email: "ada@example.com", password: await mailedPassword() }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect(response.status).toBe(303)
    expect(response.headers.get("set-cookie")).toBeNull()
    const page = await get(response.headers.get("location")?.replace(BASE, "") ?? "")
    expect(page.status).toBe(200)
  })

  it("creates a password that is void after two days, another resend or a password change", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const ada = await user({ email: "ada@example.com" })
    await post(RESEND, { user_id: ada.id })
    const first = await mailedPassword()
    await post(RESEND, { user_id: ada.id })
    const second = await mailedPassword()
    expect((await login("ada@example.com", first)).body.passwordChangeRequired).toBeUndefined()
    vi.setSystemTime(Date.now() + 2 * DAY)
    expect((await login("ada@example.com", second)).body.passwordChangeRequired).toBeUndefined()
    await runScheduled(env)
    expect(await rowsOf(temporaryPasswords)).toEqual([])

    await post(RESEND, { user_id: ada.id })
    await put(`/api/user/updatePassword/${ada.id}`, { password: "something else" })
    expect(await rowsOf(temporaryPasswords)).toEqual([])
    expect((await login("ada@example.com", await mailedPassword())).status).toBe(401)
    expect((await login("ada@example.com", "something else")).status).toBe(200)
  })

  it("ignores unknown users and rejects disabled users", async () => {
    const unknown = await post(RESEND, { user_id: 999 })
    expect(unknown).toMatchObject({ status: 200, body: { status: "success" } })
    const disabled = await user({ disabled: true })
    expect((await post(RESEND, { user_id: disabled.id })).status).toBe(409)
    expect(await rowsOf(outbox)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
    expect(await post(RESEND, {})).toMatchObject({ status: 422, body: { errors: { user_id: expect.anything() } } })
  })

  it("lets staff reset learners, and admins everyone except owners", async () => {
    const [learner, staff, owner] = [await signedIn("general"), await signedIn("staff"), await signedIn("owner")]
    const admin = await signedIn("admin")
    const status = async (caller: { token: string }, target: { id: number }) =>
      (await post(RESEND, { user_id: target.id }, { token: caller.token })).status
    expect(await status(learner, learner)).toBe(403)
    expect(await status(staff, await user({ userType: "staff" }))).toBe(403)
    expect(await status(staff, learner)).toBe(200)
    expect(await status(admin, owner)).toBe(403)
    expect(await status(admin, staff)).toBe(200)
    expect(await status(owner, owner)).toBe(200)
  })

  it("creates one password per Idempotency-Key", async () => {
    const ada = await user()
    const headers = { "idempotency-key": "once" }
    const first = await post(RESEND, { user_id: ada.id }, { headers })
    const again = await post(RESEND, { user_id: ada.id }, { headers })
    expect(again.body).toEqual(first.body)
    expect(await rowsOf(outbox)).toHaveLength(1)
    expect(await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, ada.id))).toEqual([
      { hash: null },
    ])
  })
})

describe("passwords and links", () => {
  it("never appear in rows, logs or responses, except in the response of the link itself", async () => {
    await keepsSecret(async (secret) => {
      const first = "the first secret words"
      const body = { firstName: "Ada", email: "ada@example.com", password: first, password_confirmation: first }
      const headers = { "idempotency-key": "create" }
      const { id } = (await post("/api/user/create", body, { headers })).body
      await post("/api/user/create", body, { headers })
      secret("the first password", first)
      await login("ada@example.com", first)
      await login("ada@example.com", "a wrong guess of hers")
      secret("a wrong guess", "a wrong guess of hers")

      await put(`/api/user/updatePassword/${id}`, { password: "the second secret words" })
      secret("the second password", "the second secret words")
      await put(`/api/user/updatePassword/${id}`, { password: "short", confirmPassword: "unlike it" })
      secret("a refused password's repetition", "unlike it")

      const { token } = await linkFor(id)
      secret("an invitation's token", token)
      await choose(token, "the third secret words")
      await choose(token, "the fourth secret words")
      secret("the third password", "the third secret words")
      secret("the fourth password", "the fourth secret words")

      await post(RESEND, { user_id: id }, { headers: { "idempotency-key": "resend" } })
      const temporary = /^\w{4}-\w{4}-\w{4}-\w{4}$/m.exec((await delivered()).at(-1)?.text ?? "")?.[0] ?? ""
      secret("the temporary password", temporary)
      const exchanged = (await login("ada@example.com", temporary)).body
      secret("the link's token", new URL(exchanged.setPasswordUrl).searchParams.get("token") ?? "", "POST /login")
    })
  })
})
