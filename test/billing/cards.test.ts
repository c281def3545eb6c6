import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { cards } from "../../drizzle/schema/cards.ts"
import { group, rowsOf, signedIn, user } from "../factories/index.ts"
import { card, subscription } from "../factories/people.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const newCard = (userId: number, input = {}) => ({
  userId,
  last4: "4242",
  payment_gateway_name: "stripe",
  card_type: "visa",
  ...input,
})
const list = (input = {}, options = {}) =>
  get(`/api/card/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`, options)

describe("cards", () => {
  it("are created, read, updated and listed within their cost limits", async () => {
    const { id: userId } = await user()
    const created = await post("/api/card/create", newCard(userId))
    expect(created.body).toEqual({ id: 1, message: "Card created." })
    expect(cost(created).roundTrips).toBe(2)
    const read = await get("/api/card/1")
    expect(read.body).toMatchObject({ id: 1, userId, last4: "4242", payment_gateway_name: "stripe", card_type: "visa" })
    expect(cost(read).roundTrips).toBe(1)
    expect((await put("/api/card/1", { card_type: "amex" })).body).toEqual({ message: "Card updated." })
    const listed = await list({ search_param: { last4: "4242" } })
    expect(listed.body).toMatchObject({ recordsTotal: 1, recordsFiltered: 1, records: [{ card_type: "amex" }] })
    expect(cost(listed).roundTrips).toBe(1)
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.effectOn])).toEqual([
      ["created", "visa ending in 4242"],
      ["updated", "amex ending in 4242"],
    ])
  })

  it("store only the last four digits of the number, in every field that may contain it", async () => {
    const { id } = await user()
    const number = "4242 4242 4242 4242"
    for (const [field, value] of [
      ["last4", "4242424242424242"],
      ["last4", "42425"],
      ["last4", "424"],
      ["last4", 4242424242424242],
      ["card_type", `visa ${number}`],
      ["payment_gateway_name", "4242-4242-4242-4242"],
    ] as const) {
      const response = await post("/api/card/create", newCard(id, { [field]: value }))
      expect(response, `${field} ${value}`).toMatchObject({
        status: 422,
        body: { errors: { [field]: expect.anything() } },
      })
    }
    await post("/api/card/create", newCard(id, { number, cvc: "123" }))
    expect(JSON.stringify([await rowsOf(cards), await rowsOf(auditLogs)])).not.toContain(number)
    expect(await rowsOf(cards)).toHaveLength(1)
    expect((await post("/api/card/create", newCard(99))).body.errors).toEqual({
      userId: ["userId does not match any user."],
    })
  })

  it("are listed for a user with exactly the fields of the interface", async () => {
    const { id } = await user()
    const mine = await card(id)
    await card((await user()).id)
    const response = await get(`/api/user/saved-cards?userId=${id}`)
    expect(response.body).toEqual([{ id: mine, last4: "4242", payment_gateway_name: "stripe", card_type: "visa" }])
    expect(cost(response).roundTrips).toBe(1)
    expect((await get("/api/user/saved-cards?userId=99")).status).toBe(404)
    expect((await get("/api/user/saved-cards")).body.errors.userId).toBeDefined()
  })

  it("are deleted one at a time unless an active subscription uses them", async () => {
    const { id } = await user()
    const [unused, paying, ended, canceled] = [await card(id), await card(id), await card(id), await card(id)]
    await subscription(id, { cardId: paying })
    await subscription(id, { cardId: ended, endAt: Date.now() - 1 })
    await subscription(id, { cardId: canceled, status: "Cancelled" })
    const refused = await post("/api/user/delete-card", { paymentTokenId: paying })
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({
      status: "error",
      code: "card_in_use",
      message: "The card cannot be deleted because it is linked to an active subscription.",
    })
    for (const paymentTokenId of [unused, ended, canceled]) {
      const response = await post("/api/user/delete-card", { paymentTokenId })
      expect(response).toMatchObject({ status: 200, body: { status: "success", message: "Card deleted." } })
      expect(cost(response).roundTrips).toBe(2)
    }
    expect(await rowsOf(cards)).toMatchObject([{ id: paying }])
    expect((await post("/api/user/delete-card", { paymentTokenId: 99 })).status).toBe(404)
    expect((await post("/api/user/delete-card", {})).body.errors.paymentTokenId).toBeDefined()
  })

  it("are deleted once by two concurrent requests", async () => {
    const id = await card((await user()).id)
    const responses = await Promise.all([1, 2, 3].map(() => post("/api/user/delete-card", { paymentTokenId: id })))
    const done = responses.filter((response) => response.status === 200)
    expect(done).toHaveLength(1)
    for (const { status, body } of responses.filter((response) => response.status === 400)) {
      expect(status).toBe(400)
      expect(body.message).toBe("The card could not be deleted. Please try again later.")
    }
    expect((await rowsOf(auditLogs)).filter((row) => row.action === "deleted")).toHaveLength(1)
  })

  it("are deleted in bulk in two round trips with correct counts", async () => {
    const { id } = await user()
    const ids = []
    for (let i = 0; i < 120; i++) ids.push(await card(id))
    await subscription(id, { cardId: ids[0] ?? 0 })
    const response = await post("/api/card/delete", {
      delete_ids: [...ids, ...Array.from({ length: 380 }, (_, i) => 900 + i)],
    })
    expect(response.body.message).toBe(
      "119 cards deleted. 1 not deleted: active subscriptions use them. 380 ids unknown.",
    )
    expect(cost(response).roundTrips).toBe(2)
    expect((await list()).body.recordsTotal).toBe(1)
  })

  it("can be viewed and deleted by their learner, and by nobody else below admin", async () => {
    const ada = await signedIn("general")
    const id = await card(ada.id)
    const other = await card((await user()).id)
    expect((await get("/api/user/saved-cards", ada)).body).toMatchObject([{ id }])
    expect((await list({}, ada)).body).toMatchObject({ recordsTotal: 1, records: [{ id }] })
    expect((await get(`/api/card/${other}`, ada)).status).toBe(404)
    expect((await post("/api/user/delete-card", { paymentTokenId: other }, ada)).status).toBe(404)
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [ada.id] })
    const its = await card(supervisor.id)
    expect((await list({}, supervisor)).body).toMatchObject({ recordsTotal: 1, records: [{ id: its }] })
    expect((await get(`/api/user/saved-cards?userId=${ada.id}`, supervisor)).status).toBe(404)
    const staff = await signedIn("staff")
    expect((await get(`/api/card/${id}`, staff)).status).toBe(404)
    expect((await get(`/api/user/saved-cards?userId=${ada.id}`, staff)).status).toBe(404)
    expect((await post("/api/card/create", newCard(ada.id), staff)).status).toBe(403)
    expect((await get(`/api/user/saved-cards?userId=${ada.id}`, await signedIn("admin"))).body).toHaveLength(1)
    expect((await post("/api/user/delete-card", { paymentTokenId: id }, ada)).status).toBe(200)
  })

  it("are never created for a user who is deleted concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await user()
      const [created, deleted] = await Promise.all([
        post("/api/card/create", newCard(id)),
        post("/api/user/delete", { delete_ids: [id] }),
      ])
      expect([200, 409, 422]).toContain(created.status)
      expect(deleted.status).toBe(200)
    }
    expect(await rowsOf(cards)).toEqual([])
  })

  it("are deleted with their user", async () => {
    const { id } = await user()
    await subscription(id, { cardId: await card(id) })
    expect((await post("/api/user/delete", { delete_ids: [id] })).status).toBe(200)
    expect(await rowsOf(cards)).toEqual([])
    expect((await list()).body.recordsTotal).toBe(0)
  })
})
