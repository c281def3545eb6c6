import { env } from "cloudflare:workers"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { subscriptions } from "../../drizzle/schema/subscriptions.ts"
import { openDatabase } from "../../src/db/client.ts"
import { DAY } from "../../src/lib/clock.ts"
import { expireSubscriptions } from "../../src/modules/billing/subscriptions.queries.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { card, subscription } from "../factories/people.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"
import { anyIsoTime } from "../helpers/times.ts"

const userList = (input = {}, options = {}) =>
  get(`/api/user-subscriptions${query({ page_size: 10, page_number: 1, ...input })}`, options)
const list = (input = {}) => get(`/api/subscription/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`)

const newSubscription = (userId: number, input = {}) => ({
  userId,
  subscription_name: "Yearly",
  total: 499.5,
  currency: "USD",
  status: "Active",
  start_date: "2026-01-05",
  end_date: "2199-01-05",
  ...input,
})

describe("subscriptions", () => {
  it("are created, and listed for a user with exactly the fields of the interface", async () => {
    const { id } = await user()
    const created = await post("/api/subscription/create", newSubscription(id))
    expect(created.body).toEqual({ id: 1, message: "Subscription created." })
    expect(cost(created).roundTrips).toBe(2)
    const response = await userList({ user_id: id })
    expect(response.body.records).toEqual([
      {
        id: 1,
        item: "Yearly",
        subscription_name: "Yearly",
        status: "Active",
        total: 499.5,
        created_at: expect.stringMatching(/^\w{3} \d\d, \d{4}$/),
        start_date: "Jan 05, 2026",
        startsAt: "2026-01-05T00:00:00.000Z",
        createdAt: anyIsoTime,
        end_date: "Jan 05, 2199",
        endsAt: "2199-01-05T00:00:00.000Z",
      },
    ])
    expect(cost(response).roundTrips).toBe(1)
    expect(await rowsOf(subscriptions)).toMatchObject([{ total: 49950, currency: "USD" }])
    expect(await rowsOf(auditLogs)).toMatchObject([{ action: "created", subject: "subscription", effectOn: "Yearly" }])
  })

  it("are read and updated; without an end date they return Never", async () => {
    const { id } = await user()
    await post("/api/subscription/create", newSubscription(id))
    expect((await put("/api/subscription/1", { end_date: null, currency: "EUR" })).status).toBe(200)
    expect((await get("/api/subscription/1")).body).toMatchObject({
      userId: id,
      end_date: "Never",
      currency: "EUR",
      total: 499.5,
      cardId: null,
    })
    expect((await put("/api/subscription/1", { end_date: "2025-01-01" })).body.errors.end_date).toBeDefined()
    expect((await put("/api/subscription/1", { currency: "JPY" })).body.errors.total).toBeDefined()
    expect((await put("/api/subscription/9", {})).status).toBe(404)
  })

  it("accept the dates and the status that they return, and are renewed only by a later end", async () => {
    const { id } = await user()
    const time = Date.UTC(2026, 0, 5, 15, 4, 33)
    await subscription(id, { status: "Active", startAt: time, endAt: time + DAY })
    const [before] = await rowsOf(subscriptions)
    const { body } = await get("/api/subscription/1")
    expect(body).toMatchObject({ status: "Expired", start_date: "Jan 05, 2026", end_date: "Jan 06, 2026" })
    expect((await put("/api/subscription/1", body)).status).toBe(200)
    expect(await rowsOf(subscriptions)).toEqual([before])
    expect((await put("/api/subscription/1", { ...body, end_date: "Dec 31, 2199" })).status).toBe(200)
    expect(await rowsOf(subscriptions)).toMatchObject([
      { status: "Active", startAt: time, endAt: Date.UTC(2199, 11, 31) },
    ])
    expect((await put("/api/subscription/1", { ...body, end_date: "Never", start_date: "" })).status).toBe(200)
    expect((await get("/api/subscription/1")).body).toMatchObject({ start_date: "Jan 05, 2026", end_date: "Never" })
  })

  it("expire at their end in every list and counter", async () => {
    const { id } = await user()
    await subscription(id, { endAt: Date.now() + DAY })
    await subscription(id, { status: "Cancelled" })
    const idsOf = async (status: string) => (await userList({ user_id: id, search_param: { status } })).body
    expect(await idsOf("Active")).toMatchObject({
      recordsTotal: 2,
      recordsFiltered: 1,
      records: [{ status: "Active" }],
    })
    expect((await idsOf("Expired")).recordsFiltered).toBe(0)
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * DAY })
    expect((await idsOf("Active")).recordsFiltered).toBe(0)
    expect(await idsOf("Expired")).toMatchObject({ recordsFiltered: 1, records: [{ id: 1, status: "Expired" }] })
    expect((await idsOf("Cancelled")).recordsFiltered).toBe(1)
    expect((await get("/api/subscription/1")).body.status).toBe("Expired")
  })

  it("accept only a card of the same user", async () => {
    const [ada, bob] = [await user(), await user()]
    const other = await card(bob.id)
    const refused = await post("/api/subscription/create", newSubscription(ada.id, { cardId: other }))
    expect(refused).toMatchObject({ status: 422, body: { errors: { cardId: [expect.any(String)] } } })
    const ownCard = await card(ada.id)
    const created = await post("/api/subscription/create", newSubscription(ada.id, { cardId: ownCard }))
    expect(created.status).toBe(200)
    expect((await put(`/api/subscription/${created.body.id}`, { cardId: other })).status).toBe(422)
    expect((await put(`/api/subscription/${created.body.id}`, { cardId: null })).status).toBe(200)
  })

  it("are marked as expired by the cron without any visible change", async () => {
    const { id } = await user()
    const [lapsed, open] = [await subscription(id, { endAt: Date.now() - 1 }), await subscription(id)]
    const read = async (status: string | string[]) => (await list({ search_param: { status } })).body
    const canceled = await subscription(id, { status: "Cancelled" })
    const any = async () => {
      for (const [statuses, ids] of [
        [
          ["Active", "Expired", "Expired"],
          [lapsed, open],
        ],
        ["Expired,Cancelled", [lapsed, canceled]],
        [
          ["Active", "Cancelled", "Expired"],
          [lapsed, open, canceled],
        ],
        [[], [lapsed, open, canceled]],
      ] as [string | string[], number[]][])
        for (const input of [{}, { user_id: id }]) {
          const { body } = await userList({ ...input, search_param: { status: statuses } })
          expect(body.records.map((row: { id: number }) => row.id).sort(), String(statuses)).toEqual(ids)
          expect(body).toMatchObject({ recordsTotal: 3, recordsFiltered: ids.length })
        }
    }
    await any()
    const before = [await read("Active"), await read("Expired")]
    expect(before).toMatchObject([
      { recordsFiltered: 1, records: [{ id: open }] },
      { recordsFiltered: 1, records: [{ id: lapsed }] },
    ])
    const { headers } = await get(`/api/subscription/${lapsed}`)
    await expireSubscriptions(openDatabase(env.DB, "first-primary"))
    expect((await rowsOf(subscriptions)).map((row) => row.status)).toEqual(["Expired", "Active", "Cancelled"])
    await any()
    expect([await read("Active"), await read("Expired")]).toEqual(before)
    expect((await get(`/api/subscription/${lapsed}`)).headers.get("etag")).toBe(headers.get("etag"))
    await put(`/api/subscription/${lapsed}`, { end_date: "2199-01-05" })
    expect((await read("Active")).recordsFiltered).toBe(2)
  })

  it("report errors by field", async () => {
    const { id } = await user()
    for (const [field, value] of [
      ["userId", 99],
      ["subscription_name", ""],
      ["total", "a lot"],
      ["total", -1],
      ["total", 1.999],
      ["currency", "XYZ"],
      ["status", "Paused"],
      ["start_date", "soon"],
      ["end_date", "2025-01-01"],
    ] as const) {
      const response = await post("/api/subscription/create", newSubscription(id, { [field]: value }))
      expect(response, `${field} ${value}`).toMatchObject({
        status: 422,
        body: { errors: { [field]: expect.anything() } },
      })
    }
    expect(await rowsOf(subscriptions)).toEqual([])
  })

  it("are paged without repeats and sorted by every column", async () => {
    const { id } = await user()
    for (let i = 0; i < 5; i++) await subscription(id, { total: 100 * (i % 2), endAt: i === 0 ? 0 : Date.now() + i })
    for (const colName of [
      "id",
      "item",
      "subscription_name",
      "total",
      "created_at",
      "start_date",
      "end_date",
      "status",
      "cardId",
    ]) {
      const seen: number[] = []
      for (const page_number of [1, 2, 3])
        seen.push(
          ...(await list({ page_size: 2, page_number, order_by: { colName } })).body.records.map(
            (row: { id: number }) => row.id,
          ),
        )
      expect(seen.toSorted(), colName).toEqual([1, 2, 3, 4, 5])
    }
    expect((await list({ order_by: "display_status" })).status).toBe(422)
  })

  it("are visible to their learner and hidden from staff", async () => {
    const ada = await signedIn("general")
    const staff = await signedIn("staff")
    const mine = await subscription(ada.id)
    const other = await subscription((await user()).id)
    expect((await userList({}, ada)).body).toMatchObject({ recordsTotal: 1, records: [{ id: mine }] })
    expect((await userList({ user_id: ada.id }, ada)).body.recordsTotal).toBe(1)
    expect((await userList({ user_id: staff.id }, ada)).status).toBe(404)
    expect((await get(`/api/subscription/${other}`, ada)).status).toBe(404)
    expect((await userList({ user_id: ada.id }, staff)).status).toBe(404)
    expect((await userList({}, staff)).body.recordsTotal).toBe(0)
    expect((await userList({}, await signedIn("admin"))).body.recordsTotal).toBe(2)
    expect((await post("/api/subscription/delete", { delete_ids: [mine] }, staff)).status).toBe(403)
  })
})
