import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest"
import { mailPauses, outbox } from "../../drizzle/schema/outbox.ts"
import { users } from "../../drizzle/schema/users.ts"
import { queueMail, queueMailForQuery } from "../../src/db/outbox.ts"
import { DAY, HOUR, MINUTE } from "../../src/lib/clock.ts"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { mailProvider } from "../../src/modules/mail/mail-provider.ts"
import { dispatchMails, settleInterrupted } from "../../src/modules/mail/mail-sweeps.ts"
import { db, portal, rowsOf, user } from "../factories/index.ts"
import type { Account } from "../helpers/mail-apis.ts"
import { postOffice } from "../helpers/mailbox.ts"

// HTTP email providers: their responses and the resulting outcome, over the network with stand-in servers.

const LETTER = { account: "welcome" } as const

let logged: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] })
  logged = vi.spyOn(console, "error").mockImplementation(() => {})
})
afterEach(() => logged.mockRestore())

/** A deployment that sends with an account at a provider. */
async function deployment(provider: "resend" | "postmark", input: Partial<Account> = {}) {
  const key = crypto.randomUUID()
  const account = `${inject("mailApis")}/accounts/${key}`
  const set = (values: Partial<Account>) => fetch(account, { method: "PUT", body: JSON.stringify(values) })
  await set(input)
  const office = postOffice()
  const bindings = {
    ...office.env,
    MAIL_PROVIDER: provider,
    MAIL_API_URL: `${inject("mailApis")}/${provider}`,
    MAIL_API_KEY: key,
  }
  return {
    ...office,
    env: bindings,
    set,
    accepted: async () => ((await (await fetch(account)).json()) as Account).accepted,
    write: async (...recipients: string[]) => {
      const mail = queueMail(
        office.work,
        "news",
        LETTER,
        recipients.map((email) => ({ userId: null, email, name: "Ada" })),
      )
      await office.work.commit(mail.statements, {})
    },
    send: (mails = 25) => sendMails(bindings, { mails }),
  }
}
type Deployment = Awaited<ReturnType<typeof deployment>>

const mails = async () =>
  (await rowsOf(outbox))
    // Mailings of one millisecond have no order.
    .toSorted((a, b) => a.recipient.localeCompare(b.recipient))
    .map(({ recipient, status, attempts, error }) => [recipient, status, attempts, error])
const pauses = () => rowsOf(mailPauses)
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
const recipients = async ({ accepted }: Deployment) => (await accepted()).map(({ to }) => to)

const PROVIDERS = ["resend", "postmark"] as const

describe.each(PROVIDERS)("%s", (provider) => {
  it("sends an email with the portal's name and reply address", async () => {
    const lectern = await deployment(provider)
    const ada = await user()
    await portal({ name: 'The "North" \\ desk', replyTo: "help@north.example", members: [ada.id] })
    const mail = queueMail(lectern.work, "news", LETTER, [{ userId: ada.id, email: "ada@example.com", name: "Ada" }])
    await lectern.work.commit(mail.statements, {})
    await lectern.send()
    expect(await mails()).toEqual([["ada@example.com", "sent", 1, null]])
    expect(await lectern.accepted()).toMatchObject([
      { to: "ada@example.com", subject: `Welcome to The "North" \\ desk` },
    ])
  })

  it("pauses all emails when the quota is exhausted, without counting an attempt", async () => {
    const lectern = await deployment(provider, { quota: 1 })
    await lectern.write("a@example.com", "b@example.com", "c@example.com")
    await lectern.send()
    const error = provider === "resend" ? "daily_quota_exceeded" : "POSTMARK_405"
    expect(await mails()).toEqual([
      ["a@example.com", "sent", 1, null],
      ["b@example.com", "queued", 0, error],
      ["c@example.com", "queued", 0, null],
    ])
    expect(await pauses()).toMatchObject([{ reason: "quota", error, count: 1 }])
    await lectern.set({ quota: 9 })
    await lectern.send()
    expect(await lectern.accepted()).toHaveLength(1)
    later(6 * MINUTE)
    await lectern.send()
    expect(await recipients(lectern)).toEqual(["a@example.com", "b@example.com", "c@example.com"])
    expect(await pauses()).toEqual([])
  })

  it("waits inline for a rate limit", async () => {
    const lectern = await deployment(provider, { perSecond: 2 })
    vi.useRealTimers()
    await lectern.write("a@example.com", "b@example.com", "c@example.com", "d@example.com")
    await lectern.send()
    expect(await mails()).toMatchObject([..."abcd"].map((name) => [`${name}@example.com`, "sent", 1, null]))
    expect(await pauses()).toEqual([])
  })

  it("fails an email whose recipient it refuses, and no other", async () => {
    const lectern = await deployment(provider, { suppressed: ["gone@example.com"] })
    await lectern.write(provider === "resend" ? "nowhere" : "gone@example.com", "not an address", "b@example.com")
    await lectern.send()
    expect((await rowsOf(outbox)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ["failed", 1],
      ["failed", 1],
      ["sent", 1],
    ])
    expect(await pauses()).toEqual([])
  })

  it.each(["MAIL_API_KEY", "MAIL_FROM", "MAIL_PROVIDER"] as const)(
    "pauses every email while %s is invalid",
    async (name) => {
      const lectern = await deployment(provider)
      await lectern.write("a@example.com")
      await sendMails(
        { ...lectern.env, [name]: name === "MAIL_FROM" ? "no-reply@elsewhere.example" : "wrong" },
        { mails: 1 },
      )
      await sendMails({ ...lectern.env, [name]: "" }, { mails: 1 })
      expect(await pauses()).toMatchObject([{ reason: "configuration", count: 1 }])
      expect(await mails()).toMatchObject([["a@example.com", "queued", 0, /./]])
      later(2 * MINUTE)
      await lectern.send()
      expect(await mails()).toEqual([["a@example.com", "sent", 1, null]])
    },
  )

  it.each(["500", "503", "html 403", "lost before", "lost after", "silent"] as const)(
    "sends an email once although a call fails (%s)",
    async (fault) => {
      const lectern = await deployment(provider, { faults: fault.startsWith("lost") ? [fault, fault] : [fault] })
      const { timeout } = AbortSignal
      // Only a silent provider has to wait for the timeout.
      const limit = fault === "silent" ? 200 : 10_000
      const impatient = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout.call(AbortSignal, limit))
      await lectern.write("a@example.com")
      await lectern.send()
      impatient.mockRestore()
      const isConfiguration = fault === "html 403" && provider === "resend"
      expect(await mails()).toMatchObject([["a@example.com", "queued", isConfiguration ? 0 : 1, /./]])
      await lectern.set({ faults: [] })
      later(2 * MINUTE)
      await lectern.send()
      expect(await mails()).toMatchObject([["a@example.com", "sent", isConfiguration ? 1 : 2, null]])
      expect(await recipients(lectern)).toEqual(["a@example.com"])
    },
  )

  it("sends an email of a consumer that died again, exactly once", async () => {
    const lectern = await deployment(provider)
    await lectern.write("a@example.com", "b@example.com")
    await db.update(outbox).set({ status: "sending", claim: "gone", claimedAt: Date.now(), attempts: 1 })
    later(6 * MINUTE)
    await settleInterrupted(lectern.env, lectern.database)
    later(MINUTE)
    await dispatchMails(lectern.env, lectern.database)
    expect(lectern.messages).toEqual([{ mails: 2 }])
    await lectern.send()
    expect(await recipients(lectern)).toEqual(["a@example.com", "b@example.com"])
  })

  it("retries an email that waited for days before the response to its first attempt was lost", async () => {
    const lectern = await deployment(provider, { faults: ["lost after", "lost after"] })
    await lectern.write("a@example.com")
    later(40 * DAY)
    await lectern.send()
    expect(await mails()).toMatchObject([["a@example.com", "queued", 1, /./]])
    later(2 * MINUTE)
    await lectern.send()
    expect(await mails()).toEqual([["a@example.com", "sent", 2, null]])
    expect(await recipients(lectern)).toEqual(["a@example.com"])
  })

  it("is not called again for a person who was disabled after an attempt with an unknown outcome", async () => {
    const lectern = await deployment(provider, { faults: ["lost before", "lost before"] })
    const { id: userId, email } = await user()
    const mail = queueMail(lectern.work, "news", LETTER, [{ userId, email, name: "Ada" }])
    await lectern.work.commit(mail.statements, {})
    await lectern.send()
    expect(await mails()).toMatchObject([[email, "queued", 1, /./]])
    await db.update(users).set({ disabled: true }).where(eq(users.id, userId))
    later(2 * MINUTE)
    await lectern.send()
    expect(await mails()).toMatchObject([[email, "failed", 2, "RECIPIENT_DISABLED"]])
    expect(await lectern.accepted()).toEqual([])
  })
})

describe("resend", () => {
  it.each(["lost before", "lost after"] as const)(
    "is called again at once when the connection is %s",
    async (fault) => {
      const lectern = await deployment("resend", { faults: [fault] })
      await lectern.write("a@example.com")
      await lectern.send()
      expect(await mails()).toEqual([["a@example.com", "sent", 1, null]])
      expect(await recipients(lectern)).toEqual(["a@example.com"])
    },
  )

  it("is not called again after it has forgotten the key of an email that it may have sent", async () => {
    const lectern = await deployment("resend", { faults: ["lost after", "lost after"] })
    await lectern.write("a@example.com")
    await lectern.send()
    later(12 * HOUR)
    await lectern.set({ faults: ["lost before", "lost before"] })
    await lectern.send()
    expect(await mails()).toMatchObject([["a@example.com", "queued", 2, /./]])
    later(12 * HOUR - 10 * MINUTE)
    await lectern.send()
    expect(await mails()).toEqual([["a@example.com", "failed", 3, "interrupted: it may have been sent"]])
    expect(await lectern.accepted()).toHaveLength(1)
  })

  it("gets an email that it may have received before all others, while it knows the key", async () => {
    const lectern = await deployment("resend", { faults: ["lost after", "lost after"] })
    await lectern.write("a@example.com")
    await lectern.send()
    await lectern.write("b@example.com")
    later(2 * MINUTE)
    await sendMails(lectern.env, { mails: 1 })
    expect((await mails()).map(([to, status]) => [to, status])).toEqual([
      ["a@example.com", "sent"],
      ["b@example.com", "queued"],
    ])
  })

  it("counts an email as sent if its key is known with other content", async () => {
    const lectern = await deployment("resend", { faults: ["lost after", "lost after"] })
    await lectern.write("a@example.com")
    await lectern.send()
    later(2 * MINUTE)
    await sendMails({ ...lectern.env, ACADEMY_NAME: "Another name" }, { mails: 1 })
    expect(await mails()).toEqual([["a@example.com", "sent", 2, null]])
    expect(await lectern.accepted()).toHaveLength(1)
  })
})

describe("postmark", () => {
  it("sends announcements with the broadcast stream", async () => {
    const lectern = await deployment("postmark")
    await lectern.write("a@example.com")
    const everyone = queueMailForQuery(
      lectern.work,
      "announcement",
      LETTER,
      (await import("drizzle-orm")).sql`
        select null as user_id, 'b@example.com' as recipient, '' as name, null as secret, null as dedupe`,
      { expected: 1, isBulk: true },
    )
    await lectern.work.commit(everyone.statements, {})
    await lectern.send()
    expect((await lectern.accepted()).map(({ stream }) => stream)).toEqual(["outbound", "broadcast"])
  })
})

describe("the send_email binding", () => {
  const errorResponse = async (code: string) => {
    const EMAIL = { send: async () => Promise.reject(Object.assign(new Error("Words of the mail"), { code })) }
    const provider = mailProvider({ ...env, EMAIL } as unknown as typeof env)
    const mail = { key: "1", from: { name: "", email: "" }, replyTo: null, to: "", subject: "", text: "", html: "" }
    return provider.send({ ...mail, headers: {}, isBulk: false, isUncertain: false })
  }

  it.each([
    ["E_DAILY_LIMIT_EXCEEDED", { kind: "paused", reason: "quota" }],
    ["E_RATE_LIMIT_EXCEEDED", { kind: "paused", reason: "rate" }],
    ["E_SENDER_NOT_VERIFIED", { kind: "paused", reason: "configuration" }],
    ["E_SENDER_DOMAIN_NOT_AVAILABLE", { kind: "paused", reason: "configuration" }],
    ["E_RECIPIENT_SUPPRESSED", { kind: "refused" }],
    ["E_RECIPIENT_NOT_ALLOWED", { kind: "refused" }],
    ["E_VALIDATION_ERROR", { kind: "refused" }],
    ["E_CONTENT_TOO_LARGE", { kind: "refused" }],
    ["E_DELIVERY_FAILED", { kind: "failed" }],
    ["E_INTERNAL_SERVER_ERROR", { kind: "failed" }],
    ["E_SOMETHING_NEW", { kind: "failed" }],
  ])("that throws %s", async (code, outcome) => {
    expect(await errorResponse(code)).toEqual({ ...outcome, error: code })
  })
})
