import { env } from "cloudflare:workers"
import { asc, eq, sql } from "drizzle-orm"
import { afterEach, describe, expect, it } from "vitest"
import { events, restores } from "../../drizzle/schema/events.ts"
import { openDatabase } from "../../src/db/client.ts"
import type { Bindings } from "../../src/env.ts"
import { DAY } from "../../src/lib/clock.ts"
import { deleteOldEvents, retentionDays } from "../../src/modules/webhooks/events.queries.ts"
import { type FeedEvent, listening, readFeed as read, typesIn } from "../factories/events.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post, query } from "../helpers/client.ts"

/** Inserts events without a change. */
const many = (count: number, { type = "user.created", occurredAt = Date.now() } = {}) =>
  db.run(
    sql`insert into events (type, occurred_at, object_id, user_id)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
      select ${type}, ${occurredAt}, i, i from n`,
  )

describe("GET /api/events", () => {
  it("requires an admin", async () => {
    for (const [type, status] of [
      ["staff", 403],
      ["admin", 200],
    ] as const)
      expect((await get("/api/events", await signedIn(type))).status).toBe(status)
  })

  it("returns each event once and in order, one round trip per page", async () => {
    await many(1234)
    const all: string[] = []
    let after: string | undefined
    for (let pages = 0; pages < 4; pages++) {
      const response = await get(`/api/events${query({ page_size: 500, ...(after && { after }) })}`)
      expect(cost(response).roundTrips).toBe(1)
      // An event and its object.
      expect(cost(response).read).toBeLessThanOrEqual(1020)
      all.push(...response.body.events.map(({ data }: FeedEvent) => data.id))
      after = response.body.cursor
    }
    expect(all).toEqual(Array.from({ length: 1234 }, (_, i) => i + 1))
    await many(1)
    expect((await read({ after })).events).toHaveLength(1)
  })

  it("returns a cursor for an empty feed", async () => {
    const { events: none, cursor } = await read()
    expect(none).toEqual([])
    await many(2)
    expect((await read({ after: cursor })).events).toHaveLength(2)
  })

  it("filters by type and scans at most 5,000 events per request", async () => {
    await many(6000)
    await many(1, { type: "user.created" })
    await db.update(events).set({ type: "order.failed" }).where(eq(events.id, 6001))
    const first = await get(`/api/events${query({ types: "order.failed,order.refunded" })}`)
    expect(first.body.events).toEqual([])
    expect(cost(first).read).toBeLessThanOrEqual(5020)
    const second = await read({ types: ["order.failed"], after: first.body.cursor })
    expect(second.events).toMatchObject([{ type: "order.failed", data: { id: 1, deleted: true } }])
    expect((await read({ after: second.cursor })).events).toEqual([])
  })

  it("filters by the types of an object, and includes all with *", async () => {
    const events = await listening()
    const { id } = await user()
    await post("/api/course/create", { name: "Algebra" })
    const { cursor } = await read()
    await post("/api/user/quickEdit", { user_ids: [id], disabled: true })
    expect(typesIn(await events())).toEqual(["user.created", "course.created", "user.disabled"])
    expect(typesIn((await read({ types: "user.*" })).events)).toEqual(["user.created", "user.disabled"])
    expect(typesIn((await read({ types: "course.*,user.created" })).events)).toEqual(["user.created", "course.created"])
    expect(typesIn((await read({ types: "*", after: cursor })).events)).toEqual(["user.disabled"])
  })

  it("filters by course, and by the members of a group or portal", async () => {
    const [ada, bob] = [await user(), await user()]
    const [algebra, logic] = [await course(), await course()]
    const { id: groupId } = await group({ members: [ada.id] })
    await post("/api/course/enroll", { course_ids: [algebra.id, logic.id], user_ids: [ada.id, bob.id] })
    const ids = async (parameters: object) =>
      (await read(parameters)).events.map(({ type, data }) => `${type} ${(data.user as { id: number })?.id ?? data.id}`)
    expect(await ids({ courseId: algebra.id })).toEqual([
      `course.created ${algebra.id}`,
      `enrollment.created ${ada.id}`,
      `enrollment.created ${bob.id}`,
    ])
    expect(await ids({ groupId, types: "group.*,enrollment.*" })).toEqual([
      "group.created 1",
      `group.member_added ${ada.id}`,
      `enrollment.created ${ada.id}`,
      `enrollment.created ${ada.id}`,
    ])
    for (const unknown of ["groupId", "portalId"]) expect((await get(`/api/events?${unknown}=99`)).status).toBe(404)
  })

  it("starts after the newest event with latest", async () => {
    await many(3)
    const { events: none, cursor } = await read({ after: "latest" })
    expect(none).toEqual([])
    await many(2)
    expect((await read({ after: cursor })).events).toHaveLength(2)
  })

  it("rejects invalid cursors, unknown types and too large pages", async () => {
    for (const [parameters, field] of [
      [{ after: "x" }, "after"],
      [{ types: "user.vanished" }, "types.0"],
      [{ page_size: 501 }, "page_size"],
    ] as const)
      expect((await get(`/api/events${query(parameters)}`)).body.errors).toHaveProperty([field])
  })

  it("returns 410 for a cursor before the oldest stored event", async () => {
    await many(3, { occurredAt: Date.now() - 31 * DAY })
    const { cursor } = await read({ page_size: 1 })
    const at = async (place: number) => (await read({ page_size: place })).cursor
    const [third] = [await at(3)]
    await many(2)
    await deleteOldEvents(env as Bindings, openDatabase(env.DB, "first-primary"))
    expect(await get(`/api/events${query({ after: cursor })}`)).toMatchObject({
      status: 410,
      body: { code: "cursor_expired" },
    })
    expect((await read({ after: third })).events).toHaveLength(2)
    expect((await read()).events).toHaveLength(2)
  })
})

describe("a cursor after a restore", () => {
  const expired = { status: 410, body: { code: "cursor_expired" } }
  const readAfter = (after: string) => get(`/api/events${query({ after })}`)

  it("returns 410 when it lies beyond the newest event", async () => {
    await many(3)
    const { cursor } = await read()
    await db.delete(events).where(eq(events.id, 3))
    expect(await readAfter(cursor)).toMatchObject(expired)
    await many(1, { occurredAt: Date.now() + 1 })
    expect(await readAfter(cursor)).toMatchObject(expired)
    await db.delete(events)
    expect(await readAfter(cursor)).toMatchObject(expired)
  })

  it("returns 410 when the event at its place has another time", async () => {
    await many(3)
    const { cursor } = await read({ page_size: 2 })
    expect((await readAfter(cursor)).body.events).toHaveLength(1)
    await db
      .update(events)
      .set({ occurredAt: Date.now() + 5 })
      .where(eq(events.id, 2))
    expect(await readAfter(cursor)).toMatchObject(expired)
  })

  it("returns 410 when the database was restored since, also if its event is the same", async () => {
    await many(3)
    const { cursor } = await read({ page_size: 2 })
    await db.insert(restores).values({ restoredAt: Date.now() })
    expect(await readAfter(cursor)).toMatchObject(expired)
    const { cursor: next } = await read({ page_size: 2 })
    expect((await readAfter(next)).body.events).toHaveLength(1)
  })

  it("continues when only the event at its place was deleted for its age", async () => {
    await many(2, { occurredAt: Date.now() - 31 * DAY })
    const { cursor } = await read()
    await many(2)
    await deleteOldEvents(env as Bindings, openDatabase(env.DB, "first-primary"))
    expect((await read({ after: cursor })).events).toHaveLength(2)
  })

  it("of an empty feed continues in the same feed alone", async () => {
    const { cursor } = await read()
    await many(2)
    expect((await read({ after: cursor })).events).toHaveLength(2)
  })
})

describe("a cursor that the nearest replica does not have yet", () => {
  const { DB } = env
  afterEach(() => {
    Object.assign(env, { DB })
  })

  it("continues at the primary", async () => {
    const { token } = await signedIn("admin")
    await many(2)
    const { cursor } = await read()
    const [newest] = (await rowsOf(events)).slice(-1)
    await many(1)
    const { cursor: last } = await read()
    // A read without constraints sees the database before the last event.
    const withSession = (constraint: string) => {
      const session = DB.withSession(constraint)
      const before = `from (select * from events where id <= ${newest?.id}) as`
      const prepare = (text: string) =>
        session.prepare(
          constraint === "first-primary"
            ? text
            : text.replaceAll(/from "events" as/g, before).replaceAll(/from "events"/g, `${before} "events"`),
        )
      return {
        prepare,
        getBookmark: () => session.getBookmark(),
        batch: (statements: D1PreparedStatement[]) => session.batch(statements),
      }
    }
    Object.assign(env, { DB: { withSession } })
    const readAfter = (after: string) => get(`/api/events${query({ after })}`, { token })
    expect(await readAfter(cursor)).toMatchObject({ status: 200, body: { events: [], cursor } })
    expect(await readAfter(last)).toMatchObject({ status: 200, body: { events: [], cursor: last } })
  })
})

describe("deletion of old events", () => {
  const deleteOld = () => deleteOldEvents(env as Bindings, openDatabase(env.DB, "first-primary"))

  it("keeps events of the last 30 days, and the newest event regardless of its age", async () => {
    await many(2, { occurredAt: Date.now() - 31 * DAY })
    await many(1, { occurredAt: Date.now() - 29 * DAY })
    await deleteOld()
    expect((await rowsOf(events)).map(({ id }) => id)).toEqual([3])
    await db.update(events).set({ occurredAt: 0 })
    await deleteOld()
    await many(1)
    expect((await rowsOf(events)).map(({ id }) => id)).toEqual([3, 4])
  })

  it("deletes 60,000 events in two runs and keeps the newest", async () => {
    await many(60_000, { occurredAt: 0 })
    await deleteOld()
    const [first] = await db.select().from(events).orderBy(asc(events.id)).limit(1)
    expect(first?.id).toBe(50_001)
    await deleteOld()
    expect((await rowsOf(events)).map(({ id }) => id)).toEqual([60_000])
  })
})

describe("the retention of events", () => {
  it("is a setting of 30 to 400 days", () => {
    const daysOf = (setting: string) => retentionDays({ EVENT_RETENTION_DAYS: setting })
    expect(["", "29", "30", "90.5", "400", "401", "many"].map(daysOf)).toEqual([30, 30, 30, 30, 400, 30, 30])
  })

  it("decides which events are deleted", async () => {
    await many(2, { occurredAt: Date.now() - 31 * DAY })
    await many(1)
    const database = openDatabase(env.DB, "first-primary")
    await deleteOldEvents({ ...env, EVENT_RETENTION_DAYS: "90" } as Bindings, database)
    expect(await rowsOf(events)).toHaveLength(3)
    await deleteOldEvents({ ...env, EVENT_RETENTION_DAYS: "30" } as Bindings, database)
    expect(await rowsOf(events)).toHaveLength(1)
  })
})

describe("order of events", () => {
  it("matches the order of their times", async () => {
    await many(1, { occurredAt: Date.now() + DAY })
    await user()
    const [first, second] = await rowsOf(events)
    expect(second?.occurredAt).toBe(first?.occurredAt)
  })
})
