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
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
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
 * Stands in for the receiver and the resolver: handles every request of the Worker.
 * @returns the requests to the receiver
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
    const requestData = {
      url: request.url,
      id: request.headers.get("webhook-id") ?? "",
      headers: request.headers,
      body: await request.text(),
    }
    received.push(requestData)
    return answer(requestData)
  })
  return received
}

const PASSWORDS = { password: "analytical engine", password_confirmation: "analytical engine" }
const URL_OF_IT = "https://hooks.example.org/lectern"

/** Creates a webhook as an administrator. */
async function webhook(input: object = {}) {
  const admin = await signedIn("admin", { firstName: "Grace" })
  const { body } = await post("/api/webhook/create", { url: URL_OF_IT, events: ["user.created"], ...input }, admin)
  return { admin, id: body.id as number, secret: body.secret as string }
}

/** Runs the queue of a webhook once. */
const deliver = (webhookId = 1) => deliverWebhook(env, webhookId)

/** Delivers all sent messages, including those sent meanwhile. */
async function drain() {
  while (messages.WEBHOOKS.length > 0) {
    const { webhookId } = messages.WEBHOOKS.shift() as { webhookId: number }
    await deliver(webhookId)
  }
}

/** Runs the cron and everything that it wakes. */
async function tick() {
  await wakeIdleWebhooks(env)
  await drain()
}

/** Moves everything that a webhook waits for into the past. */
async function later(milliseconds: number) {
  await db.update(webhookDeliveries).set({ nextAt: sql`max(0, next_at - ${milliseconds})` })
  await db.update(webhooks).set({
    pausedUntil: sql`max(0, paused_until - ${milliseconds})`,
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

const createUsers = (count: number) =>
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

describe("the filters of a webhook", () => {
  const received = async (input: object, act: () => Promise<unknown>) => {
    const requests = receiver()
    const { id } = await webhook({ events: ["*"], ...input })
    await act()
    await tick()
    const state = await stateOf(id)
    expect(state.position).toBe((await rowsOf(events)).length)
    return requests.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data.user?.id ?? data.id])
  }

  it("send only the events of a course", async () => {
    const [algebra, logic] = [await course(), await course()]
    const ada = await user()
    const enroll = () => post("/api/course/enroll", { course_ids: [algebra.id, logic.id], user_ids: [ada.id] })
    expect(await received({ courseId: algebra.id }, enroll)).toEqual([["enrollment.created", ada.id]])
  })

  it.each(["group", "portal"] as const)("send only the events of a %s and of its current members", async (kind) => {
    const [ada, bob] = [await user(), await user()]
    const make = { group: () => group({ members: [ada.id] }), portal: () => portal({ members: [ada.id] }) }
    const [mine, other] = [await make[kind](), await group()]
    const rename = async () => {
      for (const { id } of [ada, bob]) await put(`/api/user/${id}`, { firstName: "New" })
      await put(`/api/${kind}/${mine.id}`, { name: "New" })
      await put(`/api/group/${other.id}`, { name: "Other" })
    }
    expect(await received({ [`${kind}Id`]: mine.id }, rename)).toEqual([
      ["user.updated", ada.id],
      [`${kind}.updated`, mine.id],
    ])
  })

  it("are read, changed, and removed, and must exist", async () => {
    const { admin } = await webhook({ courseId: (await course()).id, groupId: (await group()).id })
    const filters = async () => {
      const { courseId, groupId, portalId } = (await get("/api/webhook/1", admin)).body
      return [courseId, groupId, portalId]
    }
    expect(await filters()).toEqual([1, 1, null])
    await put("/api/webhook/1", { courseId: null, groupId: 1, description: "x" }, admin)
    expect(await filters()).toEqual([null, 1, null])
    const statuses = async (input: object) => [
      (await put("/api/webhook/1", input, admin)).status,
      (await post("/api/webhook/create", { url: URL_OF_IT, events: ["*"], ...input }, admin)).status,
    ]
    expect(await statuses({ courseId: 99 })).toEqual([422, 422])
    expect(await statuses({ groupId: 99 })).toEqual([422, 422])
    expect(await statuses({ portalId: 99 })).toEqual([422, 422])
  })
})

describe("webhooks", () => {
  it("are created, read, listed, updated and deleted within the round trips of any record", async () => {
    const admin = await signedIn("admin")
    const input = { url: URL_OF_IT, events: ["order.failed", "user.created", "order.failed"], description: "CRM" }
    const created = await post("/api/webhook/create", input, admin)
    expect(created.body).toEqual({ id: 1, secret: expect.stringMatching(/^whsec_/), message: "Webhook created." })
    expect(cost(created).roundTrips).toBe(2)
    expect((await stateOf()).secret).not.toContain(created.body.secret.slice(6))
    const read = await get("/api/webhook/1", admin)
    expect(cost(read).roundTrips).toBe(1)
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
    const changed = await put("/api/webhook/1", { events: ["class_enrollment.created"], enabled: false }, admin)
    expect(cost(changed).roundTrips).toBe(2)
    const list = await get(`/api/webhook/tabularlist${query({ page_size: 10, page_number: 1 })}`, admin)
    expect(cost(list).roundTrips).toBe(1)
    expect(list.body).toMatchObject({
      recordsTotal: 1,
      records: [{ events: ["class_enrollment.created"], enabled: false, url: URL_OF_IT, description: "CRM" }],
    })
    const deleted = await post("/api/webhook/delete", { delete_ids: [1, 9] }, admin)
    expect(deleted.body.message).toBe("1 webhook deleted. 1 id unknown.")
    expect((await get("/api/webhook/1", admin)).status).toBe(404)
    const audit = (await rowsOf(auditLogs)).filter(({ subject }) => subject === "webhook")
    expect(audit.map(({ action }) => action)).toEqual(["created", "updated", "deleted"])
    expect(JSON.stringify(audit)).not.toContain("whsec")
  })

  it("show only the origin of their URL in the audit log and the feed", async () => {
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
    const entries = audit.map(({ action, effectOn }) => `${action} ${effectOn}`)
    const origin = "https://hooks.example.com"
    expect(entries).toEqual([`created ${origin}`, ...Array(5).fill(`updated ${origin}`), `deleted ${origin}`])
    expect(audit[1]?.details).toMatchObject({ url: origin, address: "changed" })
    const { body } = await get("/api/events?types=webhook.test", admin)
    const stored = JSON.stringify([await rowsOf(auditLogs), await rowsOf(events), body])
    for (const secret of secrets) expect(stored).not.toContain(secret)
  })

  it("require an admin", async () => {
    const staff = await signedIn("staff")
    expect((await post("/api/webhook/create", { url: URL_OF_IT, events: ["user.created"] }, staff)).status).toBe(403)
  })

  it("are rejected without a public https URL or without an event type", async () => {
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
      const response = await post("/api/webhook/create", { url, events: ["user.created"] }, admin)
      expect(response.body.errors, url).toHaveProperty("url")
    }
    for (const types of [[], ["user.vanished"], undefined])
      expect((await post("/api/webhook/create", { url: URL_OF_IT, events: types }, admin)).status).toBe(422)
  })

  it("can have a private URL on a developer's machine that allows it", async () => {
    const admin = await signedIn("admin")
    Object.assign(env, { OUTBOUND_PRIVATE: "allow" })
    const local = { url: "http://localhost:9999/hook", events: ["user.created"] }
    expect((await post("/api/webhook/create", local, admin)).status).toBe(200)
  })

  it("are limited to fifty", async () => {
    const { admin } = await webhook()
    await db.run(
      sql`insert into webhooks (id, url, events, secret, position, created_at)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 49)
        select 100 + i, '', '[]', '', 0, 0 from n`,
    )
    const response = await post("/api/webhook/create", { url: URL_OF_IT, events: ["user.created"] }, admin)
    expect(response).toMatchObject({ status: 409, body: { code: "too_many_webhooks" } })
  })
})

describe("event delivery", () => {
  it("is started only by a change with an event for a webhook, within the round trips of the change", async () => {
    const { admin } = await webhook()
    await course()
    const enrolled = await post("/api/course/enroll", { course_ids: [1], user_ids: [admin.id] }, admin)
    expect(cost(enrolled).roundTrips).toBe(2)
    expect(messages.WEBHOOKS).toEqual([])
    const password = "analytical engine"
    const ada = { firstName: "Ada", lastName: "B", email: "ada@example.com" }
    const created = await post("/api/user/create", { ...ada, password, password_confirmation: password }, admin)
    expect(created.status).toBe(200)
    expect(cost(created).roundTrips).toBe(2)
    expect(messages.WEBHOOKS).toEqual([{ webhookId: 1 }])
  })

  it("sends the event with a signature and the body from the feed, and is listed", async () => {
    const { admin, secret } = await webhook()
    await user({ firstName: "Ada", lastName: "Byron" })
    const received = receiver()
    await tick()
    expect(received).toHaveLength(1)
    const [requestData] = received
    if (!requestData) throw new Error("Nothing was received")
    const { body: feed } = await get(`/api/events${query({ page_size: 500 })}`, admin)
    const event = feed.events.at(-1)
    expect(new Webhook(secret).verify(requestData.body, headersOf(requestData))).toEqual(event)
    expect(requestData.id).toBe(event.id)
    expect(() => new Webhook(`whsec_${btoa("another")}`).verify(requestData.body, headersOf(requestData))).toThrow()
    const listed = await get("/api/webhook/1/deliveries", admin)
    expect(cost(listed).roundTrips).toBe(1)
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

  it("sends events concurrently if the webhook allows it, each once", async () => {
    const { admin } = await webhook({ concurrency: 3 })
    expect((await get("/api/webhook/1", admin)).body).toMatchObject({ concurrency: 3 })
    let [underWay, most] = [0, 0]
    const received = receiver(async () => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 2))
      underWay--
      return new Response("taken")
    })
    await createUsers(50)
    await tick()
    expect(most).toBe(3)
    const users = received.map(({ body }) => JSON.parse(body).data.id).sort((a, b) => a - b)
    expect(users).toEqual(Array.from({ length: 50 }, (_, i) => 1001 + i))
    expect((await stateOf()).position).toBe(52)
    const refused = await put("/api/webhook/1", { concurrency: 9 }, admin)
    expect(refused).toMatchObject({ status: 422, body: { errors: { concurrency: [expect.any(String)] } } })
  })

  it("has eight requests in flight, four of them from another Durable Object", async () => {
    await webhook({ concurrency: 8 })
    let [underWay, most] = [0, 0]
    const received = receiver(async () => {
      most = Math.max(most, ++underWay)
      await vi.waitUntil(() => received.length >= 8, { timeout: 10_000 })
      underWay--
      return new Response("taken")
    })
    openQueue("WEBHOOKS")
    await createUsers(40)
    await tick()
    await vi.waitUntil(async () => (await rowsOf(webhookDeliveries)).length === 40, { timeout: 10_000 })
    await vi.waitUntil(async () => (await rowsOf(webhooks)).every(({ leaseUntil }) => leaseUntil <= 0))
    expect(most).toBe(8)
    expect(received).toHaveLength(40)
    expect((await rowsOf(webhookDeliveries)).every(({ status }) => status === "delivered")).toBe(true)
  })

  it("has other requests in flight during a slow one", async () => {
    await webhook({ concurrency: 2 })
    let hasSlowResponse = false
    const received = receiver(async ({ body }) => {
      if (body.includes('"L1"')) {
        await vi.waitUntil(() => received.length === 120)
        hasSlowResponse = true
      }
      return new Response("taken")
    })
    await createUsers(120)
    await tick()
    expect(hasSlowResponse).toBe(true)
    expect(new Set(received.map(({ id }) => id)).size).toBe(120)
    expect((await stateOf()).position).toBe((await rowsOf(events)).at(-1)?.id)
    expect(await rowsOf(webhookDeliveries)).toHaveLength(120)
  })

  it.each([
    [["*"], ["user.created", "enrollment.created", "announcement.created"]],
    [["enrollment.*"], ["enrollment.created"]],
    [
      ["user.*", "announcement.created"],
      ["user.created", "announcement.created"],
    ],
    [["user.erased", "quiz.*"], []],
  ])("subscribed to %j sends %j", async (subscriptions, types) => {
    const { admin } = await webhook({ events: subscriptions })
    expect((await get("/api/webhook/1", admin)).body.events).toEqual(subscriptions)
    await course()
    const received = receiver()
    const ada = await user()
    await post("/api/course/enroll", { course_ids: [1], user_ids: [ada.id] }, admin)
    await post("/api/announcement", { heading: "Hello", content: "<p>All</p>", sending_rules: "all" }, admin)
    const woken = messages.WEBHOOKS.length
    await post("/api/webhook/create", { url: "https://other.example.org/", events: ["user.erased"] }, admin)
    await post("/api/webhook/test", { id: 2 }, admin)
    await tick()
    const own = received.filter(({ url }) => url === URL_OF_IT)
    const sent = own.map(({ body }) => JSON.parse(body).type)
    expect(sent.filter((type) => /^(user|enrollment|announcement)\./.test(type))).toEqual(types)
    expect(sent).not.toContain("webhook.test")
    expect(woken > 0).toBe(types.some((type) => type !== "user.created"))
  })

  it("of a slow receiver delays no other webhook", async () => {
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

  it("follows the order of the feed, across events for other webhooks", async () => {
    await webhook()
    await course()
    const received = receiver()
    await createUsers(130)
    await tick()
    const order = received.map(({ body }) => JSON.parse(body).data.id)
    expect(order).toEqual(Array.from({ length: 130 }, (_, i) => 1001 + i))
    expect((await stateOf()).position).toBe((await rowsOf(events)).at(-1)?.id)
  })

  it("writes four rows in two round trips for the webhook, and none in the change", async () => {
    await webhook()
    const before = await rowsOf(webhookDeliveries)
    await user()
    expect(await rowsOf(webhookDeliveries)).toEqual(before)
    const log = vi.spyOn(console, "info").mockImplementation(() => {})
    Object.assign(env, { METER: "log" })
    await deliver()
    Object.assign(env, { METER: undefined })
    const meter = JSON.parse(String(log.mock.calls.at(-1)?.[0]))
    expect(meter.d1).toMatchObject({ trips: 2 })
    expect(meter.d1.written).toBeLessThanOrEqual(4)
  })

  it("starts with the creation of the webhook; earlier events are not sent", async () => {
    await user()
    const received = receiver()
    await webhook()
    await tick()
    expect(received).toEqual([])
  })

  it("is done by one of several consumers", async () => {
    await webhook()
    const received = receiver(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return new Response()
    })
    await createUsers(10)
    await Promise.all([deliver(), deliver(), deliver()])
    expect(received).toHaveLength(10)
  })

  it("continues after the lease of a consumer that died has expired", async () => {
    await webhook()
    await createUsers(3)
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

  it.each(answers)("retries with the same id after %s", async (_, answer, log) => {
    const { admin } = await webhook()
    await user()
    const first = receiver(answer)
    await tick()
    const { body } = await get("/api/webhook/1/deliveries", admin)
    expect(body.deliveries).toMatchObject([{ status: "waiting", attempts: 1, ...log }])
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

  it("retries eight times within a day, then stops", async () => {
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

  it("continues with the next events after a failed one", async () => {
    await webhook()
    await createUsers(4)
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

  it("pauses after five failures in a row, then sends all waiting events in order", async () => {
    await webhook()
    await createUsers(40)
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
    expect(await stateOf()).toMatchObject({ failures: 0, failingSince: 0, pausedUntil: 0 })
  })

  it("continues for other webhooks", async () => {
    await webhook()
    await post("/api/webhook/create", { url: "https://other.example.org/", events: ["user.created"] })
    await createUsers(3)
    const received = receiver(({ url }) => new Response("", { status: url === URL_OF_IT ? 500 : 200 }))
    await tick()
    expect(received.filter(({ url }) => url !== URL_OF_IT)).toHaveLength(3)
    expect(await stateOf(2)).toMatchObject({ failures: 0 })
  })

  it("is disabled after three days of failures, and the creator is notified", async () => {
    const { admin } = await webhook()
    await createUsers(10)
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

  it("is disabled immediately by a 410 response", async () => {
    await webhook()
    await createUsers(3)
    const received = receiver(() => new Response("", { status: 410 }))
    await tick()
    expect(received).toHaveLength(1)
    expect(await stateOf()).toMatchObject({ enabled: false, offReason: "gone" })
    expect(await rowsOf(outbox)).toHaveLength(1)
  })
})

describe("private address", () => {
  it.each([
    [{ A: ["10.0.0.7"], AAAA: [] }],
    [{ A: ["93.184.215.14", "127.0.0.1"], AAAA: [] }],
    [{ A: [], AAAA: ["fd00::7"] }],
    [{ A: [], AAAA: ["::ffff:169.254.169.254"] }],
    [{ A: [], AAAA: [] }],
  ])("is never called by a host name that resolves to it: %j", async (addresses) => {
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

describe("webhook secret", () => {
  it("can be rotated; both secrets are valid for a day, then only the new one", async () => {
    const { admin, secret: before } = await webhook()
    const rotated = await post("/api/webhook/rotate", { id: 1 }, admin)
    expect(cost(rotated).roundTrips).toBe(2)
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

describe("a webhook secret that is rotated during a delivery", () => {
  it("signs the events of the next batch", async () => {
    const { admin } = await webhook()
    await createUsers(60)
    let after = ""
    const received = receiver(async () => {
      after ||= (await post("/api/webhook/rotate", { id: 1 }, admin)).body.secret
      return new Response("taken")
    })
    await deliver()
    expect(received).toHaveLength(60)
    const last = received.at(-1)
    if (last) new Webhook(after).verify(last.body, headersOf(last))
  })
})

describe("redelivery", () => {
  it("resends events by id, with their original ids", async () => {
    const { admin } = await webhook()
    await createUsers(3)
    const first = receiver()
    await tick()
    const again = receiver()
    const event_ids = [first[0]?.id, first[2]?.id, "evt_9999_abc", "nonsense"]
    const response = await post("/api/webhook/redeliver", { id: 1, event_ids }, admin)
    expect(response.body.message).toBe("2 events resent. 2 ids unknown.")
    expect(cost(response).roundTrips).toBe(2)
    await drain()
    expect(again.map(({ id }) => id).sort()).toEqual([first[0]?.id, first[2]?.id].sort())
  })

  it("counts an id once, and one with the time of another event as unknown", async () => {
    const { admin } = await webhook()
    await createUsers(2)
    const first = receiver()
    await tick()
    const again = receiver()
    const event_ids = [first[0]?.id, first[0]?.id, first[1]?.id.replace(/_[^_]+$/, "_abc")]
    const response = await post("/api/webhook/redeliver", { id: 1, event_ids }, admin)
    expect(response.body.message).toBe("1 event resent. 1 id unknown.")
    await drain()
    expect(again.map(({ id }) => id)).toEqual([first[0]?.id])
  })

  it("resends all events since a time, in order", async () => {
    const { admin } = await webhook()
    await createUsers(300)
    await db.run(sql`update events set occurred_at = ${Date.UTC(2026, 0, 1)} + id`)
    await tick()
    const all = await rowsOf(events)
    const again = receiver()
    const since = new Date(all[200]?.occurredAt ?? 0).toISOString()
    const response = await post("/api/webhook/redeliver", { id: 1, since }, admin)
    expect(response.status).toBe(200)
    expect(cost(response).read).toBeLessThan(200)
    await drain()
    expect(again).toHaveLength(all.length - 200)
    expect(again[0]?.id).toMatch(new RegExp(`^evt_${all[200]?.id}_`))
    for (const input of [{}, { since, event_ids: ["evt_1_1"] }])
      expect((await post("/api/webhook/redeliver", { id: 1, ...input }, admin)).status).toBe(422)
  })

  it("sends a test event to this webhook only, and adds it to the feed", async () => {
    const { admin } = await webhook()
    await post("/api/webhook/create", { url: "https://other.example.org/", events: ["user.created"] }, admin)
    const received = receiver()
    const response = await post("/api/webhook/test", { id: 1 }, admin)
    expect(response.status).toBe(200)
    expect(cost(response).roundTrips).toBe(2)
    await drain()
    await tick()
    expect(received.map(({ url }) => url)).toEqual([URL_OF_IT])
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
      type: "webhook.test",
      data: { id: 1, url: new URL(URL_OF_IT).origin },
    })
    const { body } = await get(`/api/events${query({ page_size: 500 })}`, admin)
    expect(body.events.at(-1).type).toBe("webhook.test")
  })
})

describe("list of deliveries", () => {
  it("is sorted by newest first and paged", async () => {
    const { admin } = await webhook()
    await createUsers(25)
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

  it("loses deliveries of deleted events and deleted webhooks", async () => {
    const { admin } = await webhook()
    await createUsers(5)
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
