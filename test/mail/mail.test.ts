import { createExecutionContext, createMessageBatch, getQueueResult, waitOnExecutionContext } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { eq, sql } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { mailings, mailPauses, outbox } from "../../drizzle/schema/outbox.ts"
import { portalMembers } from "../../drizzle/schema/portals.ts"
import { openDatabase } from "../../src/db/client.ts"
import { type AccountMail, type NotificationMail, queueMail, queueMailForQuery } from "../../src/db/outbox.ts"
import worker from "../../src/index.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { deleteOldMails, dispatchMails, settleInterrupted } from "../../src/modules/mail/mail-sweeps.ts"
import { db, portal, rowsOf, user } from "../factories/index.ts"
import { postOffice } from "../helpers/mailbox.ts"

const WELCOME: AccountMail = { account: "welcome" }
const to = (email: string, input = {}) => ({ userId: null, email, name: "Ada", ...input })

/** Queues emails like a mutation. */
async function write(
  office: ReturnType<typeof postOffice>,
  ...mail: Parameters<typeof queueMail> extends [unknown, ...infer R] ? R : never
) {
  const outgoing = queueMail(office.work, ...mail)
  await office.work.commit(outgoing.statements, {})
  return outgoing
}
const MESSAGE = { mails: 25 }

describe("outbox", () => {
  it("is written with the change, or not at all", async () => {
    const office = postOffice()
    const outgoing = queueMail(office.work, "welcome", WELCOME, [to("ada@example.com")])
    await expect(office.work.commit([...outgoing.statements, office.work.guard(sql`0`)], {})).rejects.toThrow()
    expect(await rowsOf(outbox)).toEqual([])
    expect(await rowsOf(mailings)).toEqual([])
  })

  it("uses the sender and the reply address of a portal that has them", async () => {
    const office = postOffice()
    const ada = await user()
    await portal({ name: "Plain", members: [ada.id] })
    const { id } = await portal({ name: "North", senderName: "The North desk", replyTo: "help@north.example" })
    await write(office, "note", WELCOME, [to("ada@example.com", { userId: ada.id })])
    await db.insert(portalMembers).values({ portalId: id, userId: ada.id, role: "learner" })
    await write(office, "note", WELCOME, [to("ada@example.com", { userId: ada.id })])
    await write(office, "note", WELCOME, [to("bob@example.com")], { portalId: id })
    await write(office, "note", WELCOME, [to("eve@example.com")])
    await sendMails(office.env, MESSAGE)
    const sent = office.sent.map(({ to, from, replyTo, subject }) => [to, from.name, replyTo, subject]).toSorted()
    expect(sent).toEqual([
      ["ada@example.com", "The North desk", "help@north.example", "Welcome to North"],
      ["ada@example.com", "The North desk", "help@north.example", "Welcome to North"],
      ["bob@example.com", "The North desk", "help@north.example", "Welcome to North"],
      ["eve@example.com", "Lectern", undefined, "Welcome to Lectern"],
    ])
  })

  it("sends escaped text and HTML on behalf of the portal or the academy, and deletes the secret", async () => {
    const office = postOffice()
    const ada = await user()
    await portal({ name: "Tom & <Sons>", members: [ada.id] })
    await write(office, "link", WELCOME, [
      to("ada@example.com", { userId: ada.id, secret: { link: "https://lectern.test/set-password?token=abc" } }),
      to("bob@example.com", { name: "" }),
    ])
    const [sealed] = await rowsOf(outbox)
    expect(sealed?.secret).toBeTruthy()
    expect(JSON.stringify(sealed)).not.toContain("token=abc")

    await sendMails(office.env, MESSAGE)
    const [first, second] = office.sent
    expect(first).toMatchObject({
      to: "ada@example.com",
      from: { name: "Tom & <Sons>", email: env.MAIL_FROM },
      subject: "Welcome to Tom & <Sons>",
    })
    expect(first?.text).toContain("Hello Ada,\n\nAn account was created for you at Tom & <Sons>. Sign in")
    expect(first?.text).toContain("Sign in:\nhttps://lectern.test/set-password?token=abc")
    expect(first?.html).toContain("for you at <bdi>Tom &amp; &lt;Sons&gt;</bdi>. Sign in")
    expect(first?.html).toMatch(/<a href="https:..lectern.test.set-password.token=abc" style="[^"]+">Sign in<.a>/)
    expect(first?.html).not.toMatch(/<img|src=/)
    expect(second).toMatchObject({ subject: "Welcome to Lectern", from: { name: "Lectern" } })
    expect(second?.text).toMatch(/^Hello,\n/)
    expect(await rowsOf(outbox)).toMatchObject([
      { status: "sent", secret: null, attempts: 1 },
      { status: "sent", secret: null },
    ])
  })

  it("removes remote content from sanitized HTML", async () => {
    const office = postOffice()
    const html = '<p style="background:url(https://x.test)">News <img src="https://x.test/pixel"><b>today</b></p>'
    const ada = await user({ email: "ada@example.com" })
    const mail: NotificationMail = { notification: "announcement", base: "", body: { html, text: "News today" } }
    await write(office, "announcement", mail, [to("ada@example.com", { userId: ada.id })])
    await sendMails(office.env, MESSAGE)
    expect(office.sent[0]?.html).toContain("<p>News <b>today</b></p>")
    expect(office.sent[0]?.html).not.toContain("x.test")
    expect(office.sent[0]?.text).toContain("News today")
  })

  it("sends each row once if a message is delivered twice, sequentially or concurrently", async () => {
    const office = postOffice()
    await write(office, "news", WELCOME, [to("a@example.com"), to("b@example.com"), to("c@example.com")])
    await Promise.all([sendMails(office.env, MESSAGE), sendMails(office.env, MESSAGE)])
    await sendMails(office.env, MESSAGE)
    expect(office.sent.map((mail) => mail.to).sort()).toEqual(["a@example.com", "b@example.com", "c@example.com"])
  })

  it("queues one email per dedupe key", async () => {
    const office = postOffice()
    await write(office, "reminder", WELCOME, [to("a@example.com", { dedupe: "cart:7" })])
    await write(office, "reminder", WELCOME, [to("a@example.com", { dedupe: "cart:7" })])
    expect(await rowsOf(outbox)).toHaveLength(1)
  })

  it("retries a failed email later, up to eight times, and logs none of its content", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const logged = vi.spyOn(console, "error").mockImplementation(() => {})
    let refusing = true
    const office = postOffice({ refuses: (recipient) => refusing && recipient === "bad@example.com" })
    await write(office, "news", WELCOME, [
      to("bad@example.com", { secret: { password: "hidden words" } }),
      to("good@example.com"),
    ])
    await sendMails(office.env, MESSAGE)
    expect(office.sent.map((mail) => mail.to)).toEqual(["good@example.com"])
    const bad = async () => (await rowsOf(outbox)).find((row) => row.recipient === "bad@example.com")
    expect(await bad()).toMatchObject({ status: "queued", attempts: 1, error: "E_REFUSED" })

    for (const [before, minutes] of [1, 4, 16, 64, 256, 480, 480].entries()) {
      vi.setSystemTime(Date.now() + minutes * MINUTE - 1)
      await sendMails(office.env, MESSAGE)
      expect(await bad()).toMatchObject({ attempts: before + 1 })
      vi.setSystemTime(Date.now() + 1)
      await dispatchMails(office.env, office.database)
      expect(office.messages).toHaveLength(before + 1)
      await sendMails(office.env, MESSAGE)
    }
    expect(await bad()).toMatchObject({ status: "failed", attempts: 8, secret: null })
    refusing = false
    vi.setSystemTime(Date.now() + DAY)
    await dispatchMails(office.env, office.database)
    await sendMails(office.env, MESSAGE)
    expect(office.sent).toHaveLength(1)
    expect(JSON.stringify(logged.mock.calls)).not.toContain("hidden words")
    logged.mockRestore()
  })

  it("reports emails of a consumer that died as failed and does not send them again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const logged = vi.spyOn(console, "error").mockImplementation(() => {})
    const office = postOffice()
    await write(office, "news", WELCOME, [to("a@example.com", { secret: { password: "hidden words" } })])
    await db.update(outbox).set({ status: "sending", claim: "gone", claimedAt: Date.now(), attempts: 1 })
    vi.setSystemTime(Date.now() + 5 * MINUTE)
    await sendMails(office.env, MESSAGE)
    await settleInterrupted(office.env, office.database)
    expect(await rowsOf(outbox)).toMatchObject([{ status: "sending" }])
    vi.setSystemTime(Date.now() + MINUTE)
    await settleInterrupted(office.env, office.database)
    await sendMails(office.env, MESSAGE)
    expect(office.sent).toEqual([])
    expect(await rowsOf(outbox)).toMatchObject([
      { status: "failed", secret: null, error: expect.stringMatching(/^interrupted/) },
    ])
    expect(logged.mock.calls).toEqual([[expect.stringContaining('"event":"mail interrupted"')]])
    logged.mockRestore()
  })

  it("dispatches emails by the cron after five minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const office = postOffice()
    await write(office, "news", WELCOME, [to("a@example.com"), to("b@example.com")])
    await dispatchMails(office.env, office.database)
    expect(office.messages).toEqual([])
    vi.setSystemTime(Date.now() + 5 * MINUTE)
    await dispatchMails(office.env, office.database)
    expect(office.messages).toEqual([{ mails: 2 }])
    await sendMails(office.env, { mails: 2 })
    await dispatchMails(office.env, office.database)
    expect(office.messages).toEqual([{ mails: 2 }])
  })

  it("reads few rows to claim an email of an outbox of any size, also during a pause", async () => {
    const office = postOffice()
    await db.run(sql`insert into ${mailings} (id, kind, template) with recursive n (i) as (
      select 1 union all select i + 1 from n where i < 2000
    ) select printf('%04d', i), 'note', '{"account":"welcome"}' from n`)
    const start = Date.now() - DAY
    await db.run(sql`
      insert into ${outbox} (mailing_id, number, recipient, not_before, dispatched_at, status, priority)
      select id, 1, 'ada@example.com', iif(id % 2, ${start}, 0), ${start}, iif(id % 2, 'queued', 'sent'), 1
      from ${mailings}`)
    let read = 0
    const withSession = (constraint?: string) => {
      const session = env.DB.withSession(constraint)
      const batch = async (statements: D1PreparedStatement[]) => {
        const results = await session.batch(statements)
        for (const { meta } of results) read += meta.rows_read
        return results
      }
      return { prepare: session.prepare.bind(session), getBookmark: session.getBookmark.bind(session), batch }
    }
    const counted = { ...office.env, DB: { withSession } as unknown as D1Database }
    await sendMails(counted, { mails: 2 })
    expect(office.sent).toHaveLength(2)
    expect(read).toBeLessThan(150)
    read = 0
    const until = Date.now() + DAY
    await db.insert(mailPauses).values({ id: 1, reason: "quota", error: "x", since: 1, until, count: 1 })
    await sendMails(counted, { mails: 2 })
    await settleInterrupted(counted, openDatabase(counted.DB, "first-primary"))
    expect(read).toBeLessThan(2100)
  })

  it("deletes emails after 30 days, except queued ones", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const office = postOffice()
    await write(office, "news", WELCOME, [to("a@example.com")])
    await sendMails(office.env, MESSAGE)
    await write(office, "note", WELCOME, [to("b@example.com")])
    vi.setSystemTime(Date.now() + 30 * DAY)
    await deleteOldMails(office.database)
    expect(await rowsOf(outbox)).toMatchObject([{ recipient: "b@example.com", status: "queued" }])
    expect(await rowsOf(mailings)).toMatchObject([{ kind: "note" }])
    await sendMails(office.env, MESSAGE)
    vi.setSystemTime(Date.now() + 30 * DAY)
    await deleteOldMails(office.database)
    expect(await rowsOf(outbox)).toEqual([])
    expect(await rowsOf(mailings)).toEqual([])
  })

  it("queues 5,000 emails with six statements and wakes the consumer with 200 messages", async () => {
    const office = postOffice()
    const addressees = Array.from({ length: 5000 }, (_, i) =>
      to(`u${i}@example.com`, { secret: { link: `https://lectern.test/${i}` } }),
    )
    const outgoing = queueMail(office.work, "welcome", WELCOME, addressees)
    expect(outgoing.statements).toHaveLength(6)
    await office.work.commit(outgoing.statements, {})
    expect(office.database.meter.trips).toBe(1)
    outgoing.dispatch()
    await vi.waitUntil(() => office.messages.length === 200)
    await sendMails(office.env, MESSAGE)
    expect(office.sent).toHaveLength(25)
    expect(
      await db
        .select({ count: sql`count(*)`.as("count") })
        .from(outbox)
        .where(eq(outbox.status, "queued")),
    ).toEqual([{ count: 4975 }])
  })

  it("selects recipients by a query in the batch itself", async () => {
    const office = postOffice()
    const ada = await user({ firstName: "Ada", email: "ada@example.com" })
    await user({ disabled: true })
    const outgoing = queueMailForQuery(
      office.work,
      "news",
      WELCOME,
      sql`
        select id as user_id, email as recipient, first_name as name, null as secret, null as dedupe
        from users
        where not disabled`,
      { expected: 1 },
    )
    await office.work.commit(outgoing.statements, {})
    expect(await rowsOf(outbox)).toMatchObject([{ userId: ada.id, recipient: "ada@example.com", name: "Ada" }])
  })
})

describe("email queue", () => {
  it("acknowledges messages with refused emails, because the outbox retries them", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {})
    const office = postOffice({ refuses: () => true })
    await write(office, "news", WELCOME, [to("a@example.com")])
    const batch = createMessageBatch<unknown>("lectern-mail", [
      { id: "1", timestamp: new Date(), attempts: 1, body: MESSAGE },
      { id: "2", timestamp: new Date(), attempts: 1, body: { unreadable: true } },
    ])
    const context = createExecutionContext()
    await worker.queue(batch, office.env)
    await waitOnExecutionContext(context)
    const result = await getQueueResult(batch, context)
    expect(result.explicitAcks).toEqual(["1"])
    expect(result.retryMessages).toMatchObject([{ msgId: "2" }])
    logged.mockRestore()
  })
})
