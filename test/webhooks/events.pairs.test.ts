import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { events } from "../../drizzle/schema/events.ts"
import { webhookDeliveries, webhooks } from "../../drizzle/schema/webhooks.ts"
import { openDatabase } from "../../src/db/client.ts"
import { DAY } from "../../src/lib/clock.ts"
import { deleteOldEvents } from "../../src/modules/webhooks/events.queries.ts"
import { deliverWebhook } from "../../src/worker/queue.ts"
import { type FeedEvent, readFeed as read, typesIn } from "../factories/events.ts"
import { db, rowsOf, signedIn } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { cost, get, post } from "../helpers/client.ts"

// A completed module that changes the percent of its enrollment writes one row for two events.

const MODULES = 4
const PAIR = ["module.completed", "enrollment.updated"]

/** A learner who started a course. @returns a function that completes a module, by its number in the course from 1 */
async function learning(modules = MODULES) {
  const learner = await signedIn("general")
  const taken = await course({}, Array(modules).fill({}))
  const { id: registrationId } = await enrollment(learner, taken)
  const progress = (moduleId: number, input: object) =>
    post("/api/module/progress", { registrationId, moduleId, ...input }, { token: learner.token })
  await progress(1, {})
  const { cursor } = await read({ after: "latest" })
  return { registrationId, cursor, complete: (moduleId: number) => progress(moduleId, { status: "Completed" }) }
}

afterEach(() => void vi.restoreAllMocks())

describe("a completed module and the percent of its enrollment", () => {
  it("are one row and two events, with their own ids and previous values", async () => {
    const { registrationId, cursor, complete } = await learning()
    const before = (await rowsOf(events)).length
    await complete(1)
    await complete(2)
    expect((await rowsOf(events)).length - before).toBe(2)
    const received = (await read({ after: cursor })).events
    expect(received).toMatchObject([
      { type: PAIR[0], data: { module: { id: 1 }, status: "Completed" }, previous: { status: "In Progress" } },
      { type: PAIR[1], data: { id: registrationId, percent: 50 }, previous: { percent: 0 } },
      { type: PAIR[0], data: { module: { id: 2 } } },
      { type: PAIR[1], data: { id: registrationId, percent: 50 }, previous: { percent: 25 } },
    ])
    expect(new Set(received.map(({ id }) => id)).size).toBe(4)
  })

  it("are read one at a time, and by type", async () => {
    const { cursor, complete } = await learning()
    await complete(1)
    await complete(2)
    const all = (await read({ after: cursor })).events
    const one: FeedEvent[] = []
    let after = cursor
    for (let reads = 0; reads < 6; reads++) {
      const page = await read({ after, page_size: 1 })
      expect(page.events.length).toBeLessThanOrEqual(1)
      one.push(...page.events)
      after = page.cursor
    }
    expect(one).toEqual(all)
    for (const [at, type] of PAIR.entries()) {
      const found = await read({ after: cursor, types: [type] })
      expect(found.events).toEqual(all.filter((_, i) => i % 2 === at))
      expect((await read({ after: found.cursor, types: [type] })).events).toEqual([])
    }
    const [, second] = (await read({ after: cursor, page_size: 1 })).events
    expect(second).toBeUndefined()
  })

  it("write the event of the enrollment alone when the percent stays, or the course is completed", async () => {
    const { cursor, complete } = await learning(2)
    await complete(1)
    await complete(2)
    await complete(2)
    expect(typesIn((await read({ after: cursor })).events)).toEqual([
      ...PAIR,
      "module.completed",
      "enrollment.completed",
    ])
  })

  it("lose no change of the enrollment when one request completes several modules", async () => {
    const { registrationId, cursor } = await learning()
    const records = [2, 3, 4].map((moduleId) => ({
      registrationId,
      moduleId,
      completed_on: "2026-01-02",
    }))
    const answer = await post("/api/module/record", { records })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const received = (await read({ after: cursor })).events
    expect(received.filter(({ type }) => type === "module.completed")).toHaveLength(3)
    expect(received.filter(({ type }) => type === "enrollment.updated").at(-1)).toMatchObject({
      data: { id: registrationId, percent: 75 },
      previous: { percent: 0 },
    })
  })

  it("keep a cursor between them valid while older events are deleted", async () => {
    const { cursor, complete } = await learning()
    await complete(1)
    const between = (await read({ after: cursor, page_size: 1 })).cursor
    await db
      .update(events)
      .set({ occurredAt: sql`${events.occurredAt} - iif(id < (select max(id) from events), ${31 * DAY}, 0)` })
    await deleteOldEvents(env, openDatabase(env.DB, "first-primary"))
    expect(await rowsOf(events)).toHaveLength(1)
    expect(typesIn((await read({ after: between })).events)).toEqual(["enrollment.updated"])
    expect(typesIn((await read()).events)).toEqual(PAIR)
  })
})

describe("a webhook", () => {
  const receiver = (status: (type: string) => number) => {
    const received: { type: string; id: string }[] = []
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input as RequestInfo, init as RequestInit)
      if (new URL(request.url).hostname === "cloudflare-dns.com")
        return Response.json({ Status: 0, Answer: [{ type: 1, data: "93.184.215.14" }] })
      const event = (await request.json()) as FeedEvent
      received.push({ type: event.type, id: event.id })
      return new Response(null, { status: status(event.type) })
    })
    return received
  }

  it.each([
    ["*", PAIR],
    ["module.*", ["module.completed"]],
    ["enrollment.updated", ["enrollment.updated"]],
  ])("for %s receives each event once", async (pattern, expected) => {
    const { complete } = await learning()
    const received = receiver(() => 200)
    const admin = await signedIn("admin")
    await post("/api/webhook/create", { url: "https://hooks.example.org/", events: [pattern] }, admin)
    await db.update(webhooks).set({ position: sql`(select max(id) from events)` })
    await complete(1)
    await deliverWebhook(env, 1)
    await deliverWebhook(env, 1)
    expect(received.map(({ type }) => type)).toEqual(expected)
    const { body } = await get("/api/webhook/1/deliveries", admin)
    const listed = body.deliveries.map(({ type, eventId }: { type: string; eventId: string }) => ({
      type,
      id: eventId,
    }))
    expect(listed.reverse()).toEqual(received)
  })

  it("sends a failed one of the two again, alone", async () => {
    const { complete } = await learning()
    const admin = await signedIn("admin")
    await post("/api/webhook/create", { url: "https://hooks.example.org/", events: [...PAIR] }, admin)
    await db.update(webhooks).set({ position: sql`(select max(id) from events)` })
    await complete(1)
    const first = receiver((type) => (type === "module.completed" ? 500 : 200))
    await deliverWebhook(env, 1)
    expect(first.map(({ type }) => type)).toEqual(PAIR)
    await db.update(webhookDeliveries).set({ nextAt: sql`iif(status = 'waiting', 1, next_at)` })
    const second = receiver(() => 200)
    await deliverWebhook(env, 1)
    expect(second).toEqual(first.slice(0, 1))
    expect(cost(await get("/api/events", admin)).roundTrips).toBe(1)
  })
})
