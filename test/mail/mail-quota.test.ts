import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { mailPauses, outbox } from "../../drizzle/schema/outbox.ts"
import { passwordLinks } from "../../drizzle/schema/passwords.ts"
import { queueMail } from "../../src/db/outbox.ts"
import { DAY, HOUR, MINUTE, SECOND } from "../../src/lib/clock.ts"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { dispatchMails } from "../../src/modules/mail/mail-sweeps.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { get, post } from "../helpers/client.ts"
import { postOffice } from "../helpers/mailbox.ts"

const NOON = Date.UTC(2031, 4, 5, 12)
const CHOSEN = "analytical engine"

let logged: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON })
  logged = vi.spyOn(console, "error").mockImplementation(() => {})
})
afterEach(() => logged.mockRestore())

const LETTER = { account: "welcome" } as const
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
const linkIn = (text: string) => new URL(/https:\S+\/set-password\S+/.exec(text)?.[0] ?? "https://none.test")
const choose = (link: URL) => post("/set-password", { token: link.searchParams.get("token"), password: CHOSEN })
const login = (email: string) => post("/login", { email, password: CHOSEN })

/** A provider with a daily quota (UTC) and a record of the accepted emails. */
function provider(perDay: number) {
  const accepted: { day: number; at: number; to: string }[] = []
  const today = () => Math.floor(Date.now() / DAY)
  const office = postOffice({
    refuses: (to) => {
      if (accepted.filter(({ day }) => day === today()).length >= perDay) return "E_DAILY_LIMIT_EXCEEDED"
      accepted.push({ day: today(), at: Date.now(), to })
      return false
    },
  })
  return { ...office, taken: accepted }
}
type Provider = ReturnType<typeof provider>

/** Delivers the messages of the cron and the consumer until there are none. */
async function deliver({ env, messages }: Provider) {
  for (let message = messages.shift(); message; message = messages.shift()) await sendMails(env, message)
}

/** Advances the time: each step runs the cron and the resulting messages. */
async function pass(office: Provider, milliseconds: number, step = 15 * MINUTE) {
  for (const end = Date.now() + milliseconds; Date.now() < end; later(step)) {
    await runScheduled(office.env)
    await deliver(office)
  }
}

describe("daily email quota", () => {
  it("sends each of 250 emails once within two days, account emails first", async () => {
    const admin = await signedIn("admin", { email: "admin@example.com" })
    for (let number = 1; number <= 149; number++) await user({ email: `reader${number}@example.com` })
    const news = { heading: "News", content: "<p>Something happened.</p>", sending_rules: "all" }
    expect((await post("/api/announcement", news, { token: admin.token })).status).toBe(200)
    const office = provider(100)
    await sendMails(office.env, { mails: 25 })
    const userList = Array.from({ length: 100 }, (_, i) => ({ email: `new${i}@example.com`, first_name: `New ${i}` }))
    for (let start = 0; start < 100; start += 20) {
      const uploaded = await post(
        "/api/user/bulkUpload",
        { userList: userList.slice(start, start + 20) },
        { token: admin.token },
      )
      expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(200)
    }
    expect(await rowsOf(outbox)).toHaveLength(250)

    await pass(office, 12 * HOUR, 3 * HOUR)
    expect(office.taken).toHaveLength(100)
    expect(office.taken.slice(25).every(({ to }) => to.startsWith("new"))).toBe(true)
    expect(await rowsOf(mailPauses)).toMatchObject([{ reason: "quota", error: "E_DAILY_LIMIT_EXCEEDED" }])
    await pass(office, HOUR)
    await pass(office, 36 * HOUR, 3 * HOUR)
    expect(office.taken).toHaveLength(250)
    expect(new Set(office.taken.map(({ to }) => to)).size).toBe(250)
    expect((await rowsOf(outbox)).every(({ status, attempts }) => status === "sent" && attempts === 1)).toBe(true)
    expect(await rowsOf(mailPauses)).toEqual([])
    // The last email that waited for the first midnight; it was sent within minutes of it.
    const waited = office.taken.filter(({ to, day }) => to.startsWith("new") && day > NOON / DAY)
    expect(waited).toHaveLength(25)
    expect(waited.every(({ at }) => at % DAY < 30 * MINUTE)).toBe(true)
    for (const [i, { to, text }] of office.sent.filter(({ to }) => to.startsWith("new")).entries()) {
      if (i % 20 > 0) continue
      vi.setSystemTime((office.taken.find((one) => one.to === to)?.at ?? 0) + 2 * DAY - MINUTE)
      expect((await choose(linkIn(text))).status, to).toBe(200)
      expect((await login(to)).status, to).toBe(200)
    }
  })

  it("keeps a link valid for one hour from sending, even if it was requested two days earlier", async () => {
    const [ada, bob] = [await user({ email: "ada@example.com" }), await user({ email: "bob@example.com" })]
    const office = provider(0)
    for (const { email } of [ada, bob]) await post("/password/forgot", { email })
    await pass(office, 2 * DAY, 6 * HOUR)
    expect(office.sent).toEqual([])
    const mended = postOffice()
    later(HOUR)
    await sendMails(mended.env, { mails: 25 })
    const [toAda, toBob] = mended.sent.toSorted((a, b) => a.to.localeCompare(b.to))
    later(HOUR - MINUTE)
    expect((await choose(linkIn(toAda?.text ?? ""))).status).toBe(200)
    expect((await login("ada@example.com")).status).toBe(200)
    later(MINUTE)
    expect((await choose(linkIn(toBob?.text ?? ""))).status).toBe(410)
  })

  it("keeps an emailed password valid for two days from sending", async () => {
    const admin = await signedIn("admin")
    const ada = await user({ email: "ada@example.com" })
    const office = provider(0)
    await post("/api/email/resendNewAccountEmail", { user_id: ada.id }, { token: admin.token })
    await pass(office, 3 * DAY, 6 * HOUR)
    const mended = postOffice()
    later(HOUR)
    await sendMails(mended.env, { mails: 25 })
    const password = /^\w{4}-\w{4}-\w{4}-\w{4}$/m.exec(mended.sent[0]?.text ?? "")?.[0]
    later(2 * DAY - MINUTE)
    const response = await post("/login", { email: "ada@example.com", password })
    expect(response).toMatchObject({ status: 401, body: { passwordChangeRequired: true } })
  })

  it("expires the link of an email that failed permanently", async () => {
    const admin = await signedIn("admin")
    const office = postOffice({ refuses: () => "E_RECIPIENT_SUPPRESSED" })
    const userList = [{ email: "gone@example.com", first_name: "Gone" }]
    await post("/api/user/bulkUpload", { userList }, { token: admin.token })
    await sendMails(office.env, { mails: 1 })
    expect(await rowsOf(outbox)).toMatchObject([{ status: "failed", attempts: 1, secret: null }])
    later(MINUTE)
    await runScheduled(office.env)
    expect(await rowsOf(passwordLinks)).toEqual([])
  })
})

describe("pause of the outbox", () => {
  const write = async (office: ReturnType<typeof postOffice>, count: number) => {
    const to = Array.from({ length: count }, (_, i) => ({ userId: null, email: `u${i}@example.com`, name: "" }))
    await office.work.commit(queueMail(office.work, "news", LETTER, to).statements, {})
  }

  it("grows from five minutes to an hour while a quota is exhausted, and ends by the next midnight", async () => {
    const office = postOffice({ refuses: () => "E_DAILY_LIMIT_EXCEEDED" })
    await write(office, 1)
    const waits: number[] = []
    for (let tries = 0; tries < 14; tries++) {
      await sendMails(office.env, { mails: 1 })
      const [pause] = await rowsOf(mailPauses)
      const wait = (pause?.until ?? 0) - Date.now()
      waits.push(Math.floor(wait / MINUTE))
      later(wait)
    }
    const [first = 0, second = 0, third = 0, fourth = 0, ...rest] = waits
    expect([first >= 5, second >= 10, third >= 20, fourth >= 40]).toEqual([true, true, true, true])
    expect(Math.max(...rest)).toBeLessThanOrEqual(66)
    const [pause] = await rowsOf(mailPauses)
    expect(pause).toMatchObject({ since: NOON, count: 14 })
    expect(await rowsOf(outbox)).toMatchObject([{ status: "queued", attempts: 0 }])
  })

  it("is shared by concurrent consumers, and ends with a single test message", async () => {
    const office = postOffice({ refuses: () => "E_SENDER_NOT_VERIFIED" })
    await write(office, 200)
    await Promise.all(Array.from({ length: 4 }, () => sendMails(office.env, { mails: 25 })))
    expect(await rowsOf(mailPauses)).toMatchObject([{ reason: "configuration", count: 1 }])
    await sendMails(office.env, { mails: 25 })
    expect(logged.mock.calls.length).toBeLessThanOrEqual(4)
    later(2 * MINUTE)
    await dispatchMails(office.env, office.database)
    expect(office.messages.at(-1)).toEqual({ mails: 4 })
    const mended = postOffice()
    await sendMails(mended.env, { mails: 25 })
    expect(await rowsOf(mailPauses)).toEqual([])
    later(10 * MINUTE)
    await dispatchMails(mended.env, mended.database)
    expect(mended.messages).toHaveLength(7)
  })

  it("is covered by a delayed message if it lasts seconds", async () => {
    const office = postOffice({ refuses: () => "E_RATE_LIMIT_EXCEEDED" })
    await write(office, 3)
    await sendMails(office.env, { mails: 3 })
    expect(office.messages).toEqual([{ mails: 3 }])
    expect(office.delays[0]).toBeGreaterThanOrEqual(5)
    await sendMails(office.env, { mails: 2 })
    expect(office.messages).toEqual([{ mails: 3 }, { mails: 2 }])
    later((office.delays[0] ?? 0) * SECOND)
    const mended = postOffice()
    await sendMails(mended.env, { mails: 3 })
    expect(mended.sent).toHaveLength(3)
  })

  it("keeps /ready at 200 for a quota, and at 503 after 25 hours or for a configuration error", async () => {
    const mail = async () => {
      later(3 * SECOND)
      const { status, body } = await get("/ready")
      return { status, paused: body.mail.paused, errors: body.errors }
    }
    expect(await mail()).toEqual({ status: 200, paused: null, errors: undefined })
    const office = postOffice({ refuses: () => "E_DAILY_LIMIT_EXCEEDED" })
    await write(office, 2)
    await sendMails(office.env, { mails: 2 })
    const since = new Date().toISOString()
    expect(await mail()).toEqual({
      status: 200,
      paused: { reason: "quota", error: "E_DAILY_LIMIT_EXCEEDED", since, until: expect.stringMatching(/T12:0[56]/) },
      errors: undefined,
    })
    later(25 * HOUR)
    await db.update(mailPauses).set({ until: Date.now() + HOUR })
    expect(await mail()).toMatchObject({
      status: 503,
      errors: { outbox: ["The mail provider has accepted no email for 25 hours: E_DAILY_LIMIT_EXCEEDED."] },
    })
    await db.update(mailPauses).set({ reason: "configuration", error: "MAIL_API_KEY_MISSING", since: Date.now() })
    expect(await mail()).toMatchObject({
      status: 503,
      errors: { outbox: ["The mail provider rejects this deployment: MAIL_API_KEY_MISSING."] },
    })
    // No email was sent after the pause ended.
    await db.update(mailPauses).set({ reason: "quota", until: Date.now() - 3 * MINUTE })
    expect((await mail()).errors.outbox).toMatchObject([/^The oldest mail has been due for \d+ seconds/])
  })
})
