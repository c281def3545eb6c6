import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { carts } from "../../drizzle/schema/carts.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const newCart = (userId: number, input = {}) => ({
  userId,
  items: [
    { type: "course", id: 3, name: "Algebra", price: 19.99 },
    { type: "course", id: 4, name: "Geometry", quantity: 2, price: "10.00" },
  ],
  currency: "USD",
  ...input,
})
const list = (input = {}, options = {}) =>
  get(`/api/cart/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`, options)
const remind = (id: number, options = {}) => post(`/api/sendCartReminderEmail?id=${id}`, {}, options)

describe("carts", () => {
  it("are created, read, updated and listed within their cost limits", async () => {
    const { id: userId } = await user({ firstName: "Ada", lastName: "Byron" })
    const created = await post("/api/cart/create", newCart(userId, { created_at: "2026-01-05" }))
    expect(created.body).toEqual({ id: 1, message: "Cart created." })
    expect(cost(created).roundTrips).toBe(2)
    const read = await get("/api/cart/1")
    expect(read.body).toEqual({
      id: 1,
      userId,
      userName: "Ada Byron",
      items: [
        { type: "course", id: 3, name: "Algebra", quantity: 1, price: 19.99 },
        { type: "course", id: 4, name: "Geometry", quantity: 2, price: 10 },
      ],
      total: 39.99,
      display_total: "$39.99",
      currency: "USD",
      reminded_at: "Never",
      remindedAt: null,
      created_at: "Jan 05, 2026",
      createdAt: "2026-01-05T00:00:00.000Z",
    })
    expect(cost(read).roundTrips).toBe(1)
    const items = [{ type: "course", id: 3, name: "Algebra", price: 5 }]
    expect((await put("/api/cart/1", { items })).body).toEqual({ message: "Cart updated." })
    expect((await list()).body).toMatchObject({ recordsTotal: 1, records: [{ total: 5, items: [{ price: 5 }] }] })
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.effectOn])).toEqual([
      ["created", "Cart 1"],
      ["updated", "Cart 1"],
    ])
  })

  it("report errors by field and record nothing", async () => {
    const { id } = await user()
    for (const [field, value] of [
      ["userId", 99],
      ["items", []],
      ["total", "free"],
      ["currency", "???"],
    ] as const) {
      const response = await post("/api/cart/create", newCart(id, { [field]: value }))
      expect(response, field).toMatchObject({ status: 422, body: { errors: { [field]: expect.anything() } } })
    }
    expect(await rowsOf(carts)).toEqual([])
  })

  it("are visible to their user, changed by admins, and hidden from staff", async () => {
    const ada = await signedIn("general")
    const staff = await signedIn("staff")
    for (const userId of [ada.id, staff.id, (await user()).id]) await post("/api/cart/create", newCart(userId))
    expect((await list({}, ada)).body).toMatchObject({ recordsTotal: 1, records: [{ userId: ada.id }] })
    expect((await get("/api/cart/3", ada)).status).toBe(404)
    expect((await get("/api/cart/1", staff)).status).toBe(404)
    expect((await remind(1, staff)).status).toBe(403)
    expect((await list({}, await signedIn("admin"))).body.recordsTotal).toBe(3)
  })

  it("are deleted with their user and leave the counter", async () => {
    const { id } = await user()
    await post("/api/cart/create", newCart(id))
    expect((await post("/api/user/delete", { delete_ids: [id] })).status).toBe(200)
    expect(await rowsOf(carts)).toEqual([])
    expect((await list()).body.recordsTotal).toBe(0)
  })
})

describe("POST /api/sendCartReminderEmail", () => {
  it("sends an email that lists the cart, in the batch that marks the cart and audits it", async () => {
    const { id: userId } = await user({ firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    await post("/api/cart/create", newCart(userId))
    const answer = await remind(1)
    expect(answer).toMatchObject({
      status: 200,
      body: { message: "Reminder sent to ada@example.com." },
    })
    expect(cost(answer).roundTrips).toBe(2)
    expect(await rowsOf(outbox)).toMatchObject([{ userId, recipient: "ada@example.com", name: "Ada Byron" }])
    const [mailing] = await rowsOf(mailings)
    expect(mailing?.template).toEqual({
      account: "cart_reminder",
      cart: {
        items: [
          { name: "Algebra", quantity: 1, price: 1999 },
          { name: "Geometry", quantity: 2, price: 1000 },
        ],
        total: 3999,
        currency: "USD",
      },
    })
    expect((await list({ search_param: { reminded: true } })).body).toMatchObject({
      recordsFiltered: 1,
      records: [{ reminded_at: "just now" }],
    })
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      subject: "cart",
      details: { userId, reminded: true },
    })
  })

  it("returns 404 for an unknown cart, 409 for a disabled user, 422 without an id, and sends no email", async () => {
    const { id } = await user({ disabled: true })
    await post("/api/cart/create", newCart(id))
    expect((await remind(99)).status).toBe(404)
    expect((await remind(1)).status).toBe(409)
    expect((await post("/api/sendCartReminderEmail", {})).body.errors.id).toBeDefined()
    expect(await rowsOf(outbox)).toEqual([])
  })

  it("sends one email per Idempotency-Key", async () => {
    await post("/api/cart/create", newCart((await user()).id))
    const once = { headers: { "idempotency-key": "reminder" } }
    for (const response of await Promise.all([remind(1, once), remind(1, once)])) expect(response.status).toBe(200)
    expect(await rowsOf(outbox)).toHaveLength(1)
  })
})
