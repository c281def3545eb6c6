import { env } from "cloudflare:workers"
import { eq, sql } from "drizzle-orm"
import { Webhook } from "standardwebhooks"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { events } from "../../drizzle/schema/events.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { webhookDeliveries, webhooks } from "../../drizzle/schema/webhooks.ts"
import { openDatabase } from "../../src/db/client.ts"
import { DAY, HOUR, MINUTE } from "../../src/lib/clock.ts"
import { deleteOldDeliveries, wakeIdleWebhooks } from "../../src/modules/webhooks/webhooks.job.ts"
import { deliverWebhook } from "../../src/worker/queue.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"
import { messages, openQueue } from "../helpers/queues.ts"

interface Received {
  url: string
  id: string
  headers: Headers
  body: string
}
type Receiver = (request: Received) => Response | Promise<Response>
const PUBLIC = { A: ["93.184.215.14"], AAAA: ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"] }

/**
 * Stands in for the receiver and the resolver: everything that the Worker fetches comes here.
 * @returns what the receiver got
 */
function receiver(
  answer: Receiver = () => new Response("taken"),
  { A, AAAA }: Record<"A" | "AAAA", string[]> = PUBLIC,
) {
  const received: Received[] = []
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit)
    const url = new URL(request.url)
    if (url.hostname === "cloudflare-dns.com") {
      const found = url.searchParams.get("type") === "A" ? A : AAAA
      const type = url.searchParams.get("type") === "A" ? 1 : 28
      return Response.json({ Status: 0, Answer: found.map((data) => ({ type, data })) })
    }
    expect(request.redirect).toBe("manual")
    const got = {
      url: request.url,
      id: request.headers.get("webhook-id") ?? "",
      headers: request.headers,
      body: await request.text(),
    }
    received.push(got)
    return answer(got)
  })
  return received
}

const PASSWORDS = { password: "analytical engine", password_confirmation: "analytical engine" }
const URL_OF_IT = "https://hooks.example.org/lectern"

/** A webhook of an administrator's. */
async function webhook(given: object = {}) {
  const admin = await signedIn("admin", { firstName: "Grace" })
  const { body } = await post("/api/webhook/create", { url: URL_OF_IT, events: ["user.created"], ...given }, admin)
  return { admin, id: body.id as number, secret: body.secret as string }
}

/** Runs the lane of a webhook once. */
const deliver = (webhookId = 1) => deliverWebhook(env, webhookId)

/** Delivers every message that was sent, and those sent meanwhile. */
async function drain() {
  while (messages.WEBHOOKS.length > 0) {
    const { webhookId } = messages.WEBHOOKS.shift() as { webhookId: number }
    await deliver(webhookId)
  }
}

/** Runs the cron's part, then all that it woke. */
async function tick() {
  await wakeIdleWebhooks(env)
  await drain()
}

/** Moves all that a webhook waits for into the past. */
async function later(milliseconds: number) {
  await db.update(webhookDeliveries).set({ nextAt: sql`max(0, next_at - ${milliseconds})` })
  await db.update(webhooks).set({
    restsUntil: sql`max(0, rests_until - ${milliseconds})`,
    leaseUntil: sql`max(0, lease_until - ${milliseconds})`,
    failingSince: sql`max(0, failing_since - ${milliseconds})`,
    previousUntil: sql`max(0, previous_until - ${milliseconds})`,
  })
}

const stateOf = async (id = 1) => {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id))
  if (!row) throw new Error("No webhook")
  return row
}

const made = (count: number) =>
  db.run(
    sql`insert into users (id, first_name, email, user_type, search_text, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
      select 1000 + i, 'L' || i, 'l' || i || '@example.com', 'general', '', 0 from n`,
  )

const headersOf = ({ headers }: Received) => Object.fromEntries(headers)

beforeEach(() => {
  receiver()
})
afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(env, { OUTBOUND_PRIVATE: undefined })
})

describe("a webhook", () => {
  it("is created, read, listed, changed and deleted, in as many trips as a record", async () => {
    const admin = await signedIn("admin")
    const given = { url: URL_OF_IT, events: ["order.failed", "user.created", "order.failed"], description: "CRM" }
    const created = await post("/api/webhook/create", given, admin)
    expect(created.body).toEqual({ id: 1, secret: expect.stringMatching(/^whsec_/), message: "Webhook created." })
    expect(cost(created).trips).toBe(2)
    expect((await stateOf()).secret).not.toContain(created.body.secret.slice(6))
    const read = await get("/api/webhook/1", admin)
    expect(cost(read).trips).toBe(1)
    expect(read.body).toMatchObject({
      id: 1,
      url: URL_OF_IT,
      events: ["order.failed", "user.created"],
      description: "CRM",
      enabled: true,
      offReason: "",
      failingSince: null,
      createdBy: admin.id,
    })
    expect(JSON.stringify(read.body)).not.toContain("secret")
    const changed = await put("/api/webhook/1", { events: ["class.enrolled"], enabled: false }, admin)
    expect(cost(changed).trips).toBe(2)
    const list = await get(`/api/webhook/tabularlist${query({ page_size: 10, page_number: 1 })}`, admin)
    expect(cost(list).trips).toBe(1)
    expect(list.body).toMatchObject({
      recordsTotal: 1,
      records: [{ events: ["class.enrolled"], enabled: false, url: URL_OF_IT, description: "CRM" }],
    })
    const gone = await post("/api/webhook/delete", { delete_ids: [1, 9] }, admin)
    expect(gone.body.message).toBe("1 webhook deleted. 1 id unknown.")
    expect((await get("/api/webhook/1", admin)).status).toBe(404)
    const audit = (await rowsOf(auditLogs)).filter(({ subject }) => subject === "webhook")
    expect(audit.map(({ action }) => action)).toEqual(["created", "updated", "deleted"])
    expect(JSON.stringify(audit)).not.toContain("whsec")
  })

  it("shows in the audit log and the feed where it leads, and nothing else of its address", async () => {
    const admin = await signedIn("admin")
    const secrets = ["pa55-in-the-path", "pa55-in-the-query", "pa55-of-another"]
    const url = `https://hooks.example.com/T1/${secrets[0]}?key=${secrets[1]}`
    await post("/api/webhook/create", { url, events: ["user.created"] }, admin)
    await put("/api/webhook/1", { url: `https://hooks.example.com/${secrets[2]}` }, admin)
    await post("/api/webhook/rotate", { id: 1 }, admin)
    await post("/api/webhook/test", { id: 1 }, admin)
    await post("/api/webhook/redeliver", { id: 1, since: "2026-01-01" }, admin)
    receiver(() => new Response("", { status: 410 }))
    await tick()
    await post("/api/webhook/delete", { delete_ids: [1] }, admin)
    const audit = (await rowsOf(auditLogs)).filter(({ subject }) => subject === "webhook")
    const named = audit.map(({ action, effectOn }) => `${action} ${effectOn}`)
    const origin = "https://hooks.example.com"
    expect(named).toEqual([`created ${origin}`, ...Array(5).fill(`updated ${origin}`), `deleted ${origin}`])
    expect(audit[1]?.details).toMatchObject({ url: origin, address: "changed" })
    const { body } = await get("/api/events?types=webhook.test", admin)
    const shown = JSON.stringify([await rowsOf(auditLogs), await rowsOf(events), body])
    for (const secret of secrets) expect(shown).not.toContain(secret)
  })

  it("is for administrators", async () => {
    const staff = await signedIn("staff")
    expect((await post("/api/webhook/create", { url: URL_OF_IT, events: ["user.created"] }, staff)).status).toBe(403)
  })

  it("is refused without a public https address, and without a type", async () => {
    const admin = await signedIn("admin")
    for (const url of [
      "http://hooks.example.org/",
      "https://localhost/",
      "https://127.0.0.1/",
      "https://2130706433/",
      "https://0x7f.1/",
      "https://0300.0250.0.1/",
      "https://[::1]/",
      "https://[::ffff:10.0.0.1]/",
      "https://[fd00::1]/",
      "https://169.254.169.254/latest/meta-data",
      "https://router.internal/",
      "https://me:secret@hooks.example.org/",
      "ftp://hooks.example.org/",
      "hooks.example.org",
    ]) {
      const answer = await post("/api/webhook/create", { url, events: ["user.created"] }, admin)
      expect(answer.body.errors, url).toHaveProperty("url")
    }
    for (const types of [[], ["user.vanished"], undefined])
      expect((await post("/api/webhook/create", { url: URL_OF_IT, events: types }, admin)).status).toBe(422)
  })

  it("may have a private address on a developer's machine that allows it", async () => {
    const admin = await signedIn("admin")
    Object.assign(env, { OUTBOUND_PRIVATE: "allow" })
    const local = { url: "http://localhost:9999/hook", events: ["user.created"] }
    expect((await post("/api/webhook/create", local, admin)).status).toBe(200)
  })

  it("is one of fifty at the most", async () => {
    const { admin } = await webhook()
    await db.run(
      sql`insert into webhooks (id, url, events, secret, position, created_at)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 49)
        select 100 + i, '', '[]', '', 0, 0 from n`,
    )
    const answer = await post("/api/webhook/create", { url: URL_OF_IT, events: ["user.created"] }, admin)
    expect(answer).toMatchObject({ status: 409, body: { code: "too_many_webhooks" } })
  })
})

describe("an event's way", () => {
  it("is woken by the change alone that has one for a webhook, in the change's own trips", async () => {
    const { admin } = await webhook()
    await course()
    const enrolled = await post("/api/course/enroll", { course_ids: [1], user_ids: [admin.id] }, admin)
    expect(cost(enrolled).trips).toBe(2)
    expect(messages.WEBHOOKS).toEqual([])
    const password = "analytical engine"
    const ada = { firstName: "Ada", lastName: "B", email: "ada@example.com" }
    const made = await post("/api/user/create", { ...ada, password, password_confirmation: password }, admin)
    expect(made.status).toBe(200)
    expect(cost(made).trips).toBe(2)
    expect(messages.WEBHOOKS).toEqual([{ webhookId: 1 }])
  })

  it("ends at the receiver, signed, with the body that the feed has, and is listed", async () => {
    const { admin, secret } = await webhook()
    await user({ firstName: "Ada", lastName: "Byron" })
    const received = receiver()
    await tick()
    expect(received).toHaveLength(1)
    const [got] = received
    if (!got) throw new Error("Nothing was received")
    const { body: feed } = await get(`/api/events${query({ page_size: 500 })}`, admin)
    const event = feed.events.at(-1)
    expect(new Webhook(secret).verify(got.body, headersOf(got))).toEqual(event)
    expect(got.id).toBe(event.id)
    expect(() => new Webhook(`whsec_${btoa("another")}`).verify(got.body, headersOf(got))).toThrow()
    const listed = await get("/api/webhook/1/deliveries", admin)
    expect(cost(listed).trips).toBe(1)
    expect(listed.body).toEqual({
      deliveries: [
        {
          eventId: event.id,
          type: "user.created",
          occurredAt: event.occurredAt,
          status: "delivered",
          attempts: 1,
          lastAttemptAt: expect.any(String),
          nextAttemptAt: null,
          answerStatus: 200,
          answer: "taken",
          error: "",
        },
      ],
      cursor: null,
    })
    await tick()
    expect(received).toHaveLength(1)
  })

  it("is one of several at once where the webhook takes them, each sent once", async () => {
    const { admin } = await webhook({ concurrency: 3 })
    expect((await get("/api/webhook/1", admin)).body).toMatchObject({ concurrency: 3 })
    let [underWay, most] = [0, 0]
    const received = receiver(async () => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 2))
      underWay--
      return new Response("taken")
    })
    await made(50)
    await tick()
    expect(most).toBe(3)
    const users = received.map(({ body }) => JSON.parse(body).data.user.id).sort((a, b) => a - b)
    expect(users).toEqual(Array.from({ length: 50 }, (_, i) => 1001 + i))
    expect((await stateOf()).position).toBe(51)
    const refused = await put("/api/webhook/1", { concurrency: 9 }, admin)
    expect(refused).toMatchObject({ status: 422, body: { errors: { concurrency: [expect.any(String)] } } })
  })

  it("that is slow delays no other webhook's", async () => {
    const { admin } = await webhook()
    await post("/api/webhook/create", { url: "https://slow.example.org/", events: ["user.created"] }, admin)
    let answeredSlowly = 0
    const received = receiver(async ({ url }) => {
      if (!url.includes("slow")) return new Response("taken")
      await new Promise((resolve) => setTimeout(resolve, 1000))
      answeredSlowly++
      return new Response("taken")
    })
    openQueue("WEBHOOKS")
    const others = () => received.filter(({ url }) => url === URL_OF_IT)
    const create = (name: string) =>
      post("/api/user/create", { firstName: name, email: `${name}@example.com`, ...PASSWORDS }, admin)
    await create("ada")
    await vi.waitUntil(() => received.length === 2)
    await create("bob")
    await vi.waitUntil(() => others().length === 2)
    expect(answeredSlowly).toBe(0)
    await vi.waitUntil(() => answeredSlowly === 2, { timeout: 10_000 })
    await vi.waitUntil(async () => (await rowsOf(webhooks)).every(({ leaseUntil }) => leaseUntil <= 0))
    expect(received).toHaveLength(4)
  })

  it("is the feed's order, however many there are, past what others are told", async () => {
    await webhook()
    await course()
    const received = receiver()
    await made(130)
    await tick()
    const order = received.map(({ body }) => JSON.parse(body).data.user.id)
    expect(order).toEqual(Array.from({ length: 130 }, (_, i) => 1001 + i))
    expect((await stateOf()).position).toBe((await rowsOf(events)).at(-1)?.id)
  })

  it("costs four rows and two trips at the webhook's own, and none in the change", async () => {
    await webhook()
    const before = await rowsOf(webhookDeliveries)
    await user()
    expect(await rowsOf(webhookDeliveries)).toEqual(before)
    const told = vi.spyOn(console, "info").mockImplementation(() => {})
    Object.assign(env, { METER: "log" })
    await deliver()
    Object.assign(env, { METER: undefined })
    const meter = JSON.parse(String(told.mock.calls.at(-1)?.[0]))
    expect(meter.d1).toMatchObject({ trips: 2 })
    expect(meter.d1.written).toBeLessThanOrEqual(4)
  })

  it("begins with the webhook: what happened before is not sent", async () => {
    await user()
    const received = receiver()
    await webhook()
    await tick()
    expect(received).toEqual([])
  })

  it("is taken by one consumer of several", async () => {
    await webhook()
    const received = receiver(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return new Response()
    })
    await made(10)
    await Promise.all([deliver(), deliver(), deliver()])
    expect(received).toHaveLength(10)
  })

  it("goes on where a consumer died, once its lease has run out", async () => {
    await webhook()
    await made(3)
    await db.update(webhooks).set({ lease: "dead", leaseUntil: Date.now() + 30_000 })
    const received = receiver()
    await tick()
    expect(received).toEqual([])
    await later(MINUTE)
    await tick()
    expect(received).toHaveLength(3)
  })
})

describe("a receiver that fails", () => {
  const answers: [string, Receiver, object][] = [
    ["an error", () => new Response("no", { status: 500 }), { answerStatus: 500, answer: "no", error: "" }],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "https://127.0.0.1/" } }),
      { answerStatus: 302 },
    ],
    ["nothing", () => Promise.reject(new TypeError("refused")), { answerStatus: null, error: /could not be reached/ }],
    [
      "nothing in time",
      () => Promise.reject(new DOMException("late", "TimeoutError")),
      { answerStatus: null, error: /15 seconds/ },
    ],
    ["a long answer", () => new Response("x".repeat(5000), { status: 400 }), { answer: "x".repeat(500) }],
  ]

  it.each(answers)("by %s is tried again, under the same id", async (_, answer, told) => {
    const { admin } = await webhook()
    await user()
    const first = receiver(answer)
    await tick()
    const { body } = await get("/api/webhook/1/deliveries", admin)
    expect(body.deliveries).toMatchObject([{ status: "waiting", attempts: 1, ...told }])
    await tick()
    expect(first).toHaveLength(1)
    const second = receiver()
    await later(2 * MINUTE)
    await tick()
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id))
    expect((await get("/api/webhook/1/deliveries", admin)).body.deliveries).toMatchObject([
      { status: "delivered", attempts: 2, answerStatus: 200 },
    ])
  })

  it("is tried eight times more over a day, and then no more", async () => {
    const { admin } = await webhook()
    await user()
    const received = receiver(() => new Response("", { status: 500 }))
    await tick()
    let waited = 0
    for (let retry = 1; retry <= 8; retry++) {
      const [delivery] = await rowsOf(webhookDeliveries)
      waited += (delivery?.nextAt ?? 0) - (delivery?.lastAt ?? 0)
      await later(12 * HOUR)
      await db.update(webhooks).set({ failingSince: Date.now() })
      await tick()
      expect(received).toHaveLength(1 + retry)
    }
    expect(waited).toBeGreaterThan(20 * HOUR)
    expect(waited).toBeLessThan(27 * HOUR)
    await later(12 * HOUR)
    await tick()
    expect(received).toHaveLength(9)
    const failed = await get(`/api/webhook/1/deliveries${query({ status: "failed" })}`, admin)
    expect(failed.body.deliveries).toMatchObject([{ status: "failed", attempts: 9, nextAttemptAt: null }])
  })

  it("by one event goes on with the next ones", async () => {
    await webhook()
    await made(4)
    const received = receiver(({ body }) => new Response("", { status: body.includes('"L2"') ? 500 : 200 }))
    await tick()
    expect(received).toHaveLength(4)
    expect((await rowsOf(webhookDeliveries)).map(({ status }) => status)).toEqual([
      "delivered",
      "waiting",
      "delivered",
      "delivered",
    ])
  })

  it("five times in a row is left alone, and then sent all that waited, in order", async () => {
    await webhook()
    await made(40)
    const down = receiver(() => new Response("", { status: 503 }))
    await tick()
    expect(down).toHaveLength(5)
    await tick()
    expect(down).toHaveLength(5)
    expect(await rowsOf(webhookDeliveries)).toHaveLength(5)
    await later(2 * MINUTE)
    await tick()
    expect(down).toHaveLength(6)
    await later(11 * MINUTE)
    const up = receiver()
    await tick()
    await tick()
    const ids = new Set(up.map(({ id }) => id))
    expect(ids.size).toBe(40)
    expect(await rowsOf(webhookDeliveries)).toHaveLength(40)
    expect(await stateOf()).toMatchObject({ failures: 0, failingSince: 0, restsUntil: 0 })
  })

  it("does not hold up another", async () => {
    await webhook()
    await post("/api/webhook/create", { url: "https://other.example.org/", events: ["user.created"] })
    await made(3)
    const received = receiver(({ url }) => new Response("", { status: url === URL_OF_IT ? 500 : 200 }))
    await tick()
    expect(received.filter(({ url }) => url !== URL_OF_IT)).toHaveLength(3)
    expect(await stateOf(2)).toMatchObject({ failures: 0 })
  })

  it("for three days is switched off, and its maker is told", async () => {
    const { admin } = await webhook()
    await made(10)
    receiver(() => new Response("", { status: 500 }))
    await tick()
    await later(3 * DAY)
    await tick()
    expect(await stateOf()).toMatchObject({ enabled: false, offReason: "failing" })
    expect((await stateOf())?.leaseUntil).toBeLessThan(0)
    const [mail] = await rowsOf(outbox)
    expect(mail).toMatchObject({ recipient: admin.email, userId: admin.id, name: "Grace" })
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      subject: "webhook",
      action: "updated",
      performedBy: null,
      details: { enabled: false, offReason: "failing" },
    })
    expect((await post("/api/webhook/test", { id: 1 }, admin)).body).toMatchObject({ code: "webhook_disabled" })
    const received = receiver()
    await tick()
    expect(received).toEqual([])
    await put("/api/webhook/1", { enabled: true }, admin)
    await drain()
    await later(DAY)
    await tick()
    expect(new Set(received.map(({ id }) => id)).size).toBe(10)
    expect(await stateOf()).toMatchObject({ enabled: true, offReason: "", failures: 0 })
  })

  it("by 410 is switched off at once", async () => {
    await webhook()
    await made(3)
    const received = receiver(() => new Response("", { status: 410 }))
    await tick()
    expect(received).toHaveLength(1)
    expect(await stateOf()).toMatchObject({ enabled: false, offReason: "gone" })
    expect(await rowsOf(outbox)).toHaveLength(1)
  })
})

describe("a private address", () => {
  it.each([
    [{ A: ["10.0.0.7"], AAAA: [] }],
    [{ A: ["93.184.215.14", "127.0.0.1"], AAAA: [] }],
    [{ A: [], AAAA: ["fd00::7"] }],
    [{ A: [], AAAA: ["::ffff:169.254.169.254"] }],
    [{ A: [], AAAA: [] }],
  ])("is not called, whatever name leads to it: %j", async (addresses) => {
    const { admin } = await webhook()
    await user()
    const received = receiver(undefined, addresses)
    await tick()
    expect(received).toEqual([])
    expect((await get("/api/webhook/1/deliveries", admin)).body.deliveries).toMatchObject([
      { status: "waiting", answerStatus: null, error: "The host has no public address." },
    ])
  })
})

describe("a secret", () => {
  it("is changed for another; for a day both sign, then the new one alone", async () => {
    const { admin, secret: before } = await webhook()
    const rotated = await post("/api/webhook/rotate", { id: 1 }, admin)
    expect(cost(rotated).trips).toBe(2)
    const { secret: after } = rotated.body
    expect(after).not.toBe(before)
    await user()
    const received = receiver()
    await tick()
    const [both] = received
    if (!both) throw new Error("Nothing was received")
    for (const secret of [before, after]) new Webhook(secret).verify(both.body, headersOf(both))
    await later(DAY)
    await user()
    await tick()
    const alone = received[1]
    if (!alone) throw new Error("Nothing was received")
    new Webhook(after).verify(alone.body, headersOf(alone))
    expect(() => new Webhook(before).verify(alone.body, headersOf(alone))).toThrow()
    expect(JSON.stringify(await rowsOf(auditLogs))).not.toContain("whsec")
  })
})

describe("what is sent again", () => {
  it("are events by their ids, with the ids that they had", async () => {
    const { admin } = await webhook()
    await made(3)
    const first = receiver()
    await tick()
    const again = receiver()
    const event_ids = [first[0]?.id, first[2]?.id, "evt_9999_abc", "nonsense"]
    const answer = await post("/api/webhook/redeliver", { id: 1, event_ids }, admin)
    expect(answer.body.message).toBe("2 events sent again. 2 ids unknown.")
    expect(cost(answer).trips).toBe(2)
    await drain()
    expect(again.map(({ id }) => id).sort()).toEqual([first[0]?.id, first[2]?.id].sort())
  })

  it("is all since a time, in order", async () => {
    const { admin } = await webhook()
    await made(300)
    await db.run(sql`update events set occurred_at = ${Date.UTC(2026, 0, 1)} + id`)
    await tick()
    const all = await rowsOf(events)
    const again = receiver()
    const since = new Date(all[200]?.occurredAt ?? 0).toISOString()
    const answer = await post("/api/webhook/redeliver", { id: 1, since }, admin)
    expect(answer.status).toBe(200)
    expect(cost(answer).read).toBeLessThan(200)
    await drain()
    expect(again).toHaveLength(all.length - 200)
    expect(again[0]?.id).toMatch(new RegExp(`^evt_${all[200]?.id}_`))
    for (const given of [{}, { since, event_ids: ["evt_1_1"] }])
      expect((await post("/api/webhook/redeliver", { id: 1, ...given }, admin)).status).toBe(422)
  })

  it("is a test event, for this webhook alone, and in the feed", async () => {
    const { admin } = await webhook()
    await post("/api/webhook/create", { url: "https://other.example.org/", events: ["user.created"] }, admin)
    const received = receiver()
    const answer = await post("/api/webhook/test", { id: 1 }, admin)
    expect(answer.status).toBe(200)
    expect(cost(answer).trips).toBe(2)
    await drain()
    await tick()
    expect(received.map(({ url }) => url)).toEqual([URL_OF_IT])
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
      type: "webhook.test",
      data: { webhook: { id: 1, url: new URL(URL_OF_IT).origin } },
    })
    const { body } = await get(`/api/events${query({ page_size: 500 })}`, admin)
    expect(body.events.at(-1).type).toBe("webhook.test")
  })
})

describe("the list of deliveries", () => {
  it("is the newest first, page after page", async () => {
    const { admin } = await webhook()
    await made(25)
    await tick()
    const first = await get(`/api/webhook/1/deliveries${query({ page_size: 10 })}`, admin)
    const second = await get(`/api/webhook/1/deliveries${query({ page_size: 20, before: first.body.cursor })}`, admin)
    const ids = [...first.body.deliveries, ...second.body.deliveries].map(({ eventId }) => eventId)
    expect(new Set(ids).size).toBe(25)
    expect(second.body.cursor).toBeNull()
    const none = await get(`/api/webhook/1/deliveries${query({ status: "failed" })}`, admin)
    expect(none.body).toEqual({ deliveries: [], cursor: null })
    expect((await get(`/api/webhook/1/deliveries${query({ before: "x" })}`, admin)).status).toBe(422)
    expect((await get("/api/webhook/9/deliveries", admin)).status).toBe(404)
  })

  it("forgets what the feed forgot, and what was a deleted webhook's", async () => {
    const { admin } = await webhook()
    await made(5)
    await tick()
    const places = (await rowsOf(events)).map(({ id }) => id)
    await db.delete(events).where(sql`id < ${places[3]}`)
    await deleteOldDeliveries(openDatabase(env.DB, "first-primary"))
    expect((await rowsOf(webhookDeliveries)).every(({ eventId }) => eventId >= (places[3] ?? 0))).toBe(true)
    await post("/api/webhook/delete", { delete_ids: [1] }, admin)
    await deleteOldDeliveries(openDatabase(env.DB, "first-primary"))
    expect(await rowsOf(webhookDeliveries)).toEqual([])
  })
})
