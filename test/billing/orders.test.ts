import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { orders } from "../../drizzle/schema/orders.ts"
import { portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { order } from "../factories/people.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"
import { anyIsoTime } from "../helpers/times.ts"

const userList = (input = {}, options = {}) =>
  get(`/api/user-orders${query({ page_size: 10, page_number: 1, ...input })}`, options)
const list = (input = {}, options = {}) =>
  get(`/api/order/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`, options)

const items = [
  { type: "course", id: 3, name: "Algebra", quantity: 1, price: 19.99 },
  { type: "course", id: 4, name: "Geometry", quantity: 2, price: "10.005" },
]
const newOrder = (userId: number, input = {}) => ({
  userId,
  items: [items[0], { ...items[1], price: "10.00" }],
  total: 35.5,
  currency: "USD",
  status: "completed",
  ...input,
})

describe("orders", () => {
  it("are created with exact amounts and returned unchanged", async () => {
    const { id } = await user({ firstName: "Ada", lastName: "Byron" })
    const created = await post("/api/order/create", newOrder(id))
    expect(created.body).toEqual({ id: 1, message: "Order created." })
    expect(cost(created).roundTrips).toBe(2)
    const read = await get("/api/order/1")
    expect(read.body).toEqual({
      id: 1,
      userId: id,
      userName: "Ada Byron",
      items: [items[0], { ...items[1], price: 10 }],
      total: 35.5,
      display_total: "$35.50",
      currency: "USD",
      status: "completed",
      display_status: "Completed",
      created_at: expect.stringMatching(/^\w{3} \d\d, \d{4}$/),
      createdAt: anyIsoTime,
      updatedAt: anyIsoTime,
    })
    expect(cost(read).roundTrips).toBe(1)
    expect(await rowsOf(orders)).toMatchObject([{ total: 3550, items: [{ price: 1999 }, { price: 1000 }] }])
    expect(await rowsOf(auditLogs)).toMatchObject([{ action: "created", subject: "order", effectOn: "Order 1" }])
  })

  it("default their total to the sum of the items, in currencies with any number of decimals", async () => {
    const { id } = await user()
    const of = async (price: unknown, currency: string) =>
      post("/api/order/create", newOrder(id, { total: "", currency, items: [{ ...items[0], price, quantity: 3 }] }))
    await of("19.99", "usd")
    await of(1999, "JPY")
    await of(1.999, "KWD")
    expect((await rowsOf(orders)).map((row) => row.total)).toEqual([5997, 5997, 5997])
    expect((await userList({ user_id: id, order_by: "id" })).body).toMatchObject({
      records: [
        { total: 59.97, currency: "USD", display_total: "$59.97" },
        { total: 5997, currency: "JPY", display_total: "¥5,997" },
        { total: 5.997, currency: "KWD" },
      ],
    })
    expect((await of("0.5", "JPY")).body.errors["items.0.price"]).toBeDefined()
    expect((await of("99999999999999", "USD")).body.errors["items.0.price"]).toBeDefined()
  })

  it("are listed for a user with the currency symbol and the avatar", async () => {
    const { id } = await user({ avatar: "https://example.com/ada.png" })
    await post("/api/order/create", newOrder(id))
    await post("/api/order/create", newOrder(id, { currency: "EUR" }))
    const response = await userList({ user_id: id, context: "admin" })
    expect(response.body).toMatchObject({
      recordsTotal: 2,
      recordsFiltered: 2,
      currencySymbol: "€",
      avatar: "https://example.com/ada.png",
      records: [
        { id: 2, items: "Algebra, Geometry × 2", display_total: "€35.50" },
        { id: 1, items: "Algebra, Geometry × 2", display_status: "Completed" },
      ],
    })
    expect(cost(response).roundTrips).toBe(1)
    expect((await userList()).body).toMatchObject({ recordsTotal: 2, avatar: "" })
    expect((await userList({ user_id: 99 })).status).toBe(404)
    const admin = await signedIn("admin")
    for (const context of ["user", "Learner", ["student"]])
      expect((await userList({ context }, admin)).body).toMatchObject({ recordsTotal: 0 })
    for (const context of ["", "admin", "Group Admin", "portal_admin"])
      expect((await userList({ context }, admin)).body).toMatchObject({ recordsTotal: 2 })
    for (const context of ["everything", "admin,user", "x".repeat(60)])
      expect((await userList({ context }, admin)).body.errors).toEqual({
        context: ["context must be a user type, user or student."],
      })
    expect((await userList({ user_id: (await user()).id })).body).toMatchObject({
      recordsTotal: 0,
      currencySymbol: "$",
    })
  })

  it("are filtered by status, user and portal", async () => {
    const [ada, bob] = [await user({ firstName: "Ada" }), await user({ firstName: "Bob" })]
    const [first, second] = [await order(ada.id), await order(bob.id, { status: "refunded" })]
    const { id: portalId } = await portal({ members: [bob.id] })
    for (const [input, found] of [
      [{ search_param: { status: "refunded" } }, [second]],
      [{ search_param: { status: ["refunded"] } }, [second]],
      [{ search_param: { status: "pending,failed" } }, []],
      [{ search_param: { status: ["completed", "refunded", "refunded"] } }, [first, second]],
      [{ search_param: { nameOrEmail: "o", status: ["failed", "completed"] } }, [first]],
      [{ search_param: { userId: ada.id } }, [first]],
      [{ search_param: { nameOrEmail: "BOB" } }, [second]],
      [{ search_param: { nameOrEmail: "o", status: "completed" } }, [first]],
    ] as const) {
      const { body } = await list(input)
      expect(body.records.map((row: { id: number }) => row.id).sort()).toEqual(found)
      expect(body).toMatchObject({ recordsTotal: 2, recordsFiltered: found.length })
    }
    expect((await userList({ portalId })).body).toMatchObject({ recordsTotal: 1, records: [{ id: second }] })
  })

  it("update only the provided fields, and reject concurrent changes", async () => {
    const { id } = await user()
    const created = await order(id)
    const etag = (await get(`/api/order/${created}`)).headers.get("etag") ?? ""
    const match = { headers: { "if-match": etag } }
    expect((await put(`/api/order/${created}`, { status: "refunded" }, match)).body.message).toBe("Order updated.")
    expect((await put(`/api/order/${created}`, { status: "failed" }, match)).status).toBe(412)
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "updated",
      details: { status: "refunded" },
    })
    expect((await put(`/api/order/${created}`, { items: [] })).body.errors.items).toBeDefined()
    expect((await put("/api/order/99", {})).status).toBe(404)
  })

  it("report errors by field and record nothing", async () => {
    const { id } = await user()
    for (const [field, value, at] of [
      ["userId", 99, "userId"],
      ["items", undefined, "items"],
      ["items", [{ ...items[0], quantity: 0 }], "items.0.quantity"],
      ["items", items, "items.1.price"],
      ["total", "-5", "total"],
      ["currency", "dollars", "currency"],
      ["status", "paid", "status"],
    ] as const) {
      const response = await post("/api/order/create", newOrder(id, { [field]: value }))
      expect(response, `${field} ${value}`).toMatchObject({
        status: 422,
        body: { errors: { [at]: expect.anything() } },
      })
    }
    expect(await rowsOf(orders)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
  })

  it("are visible to their learner and hidden from staff", async () => {
    const ada = await signedIn("general")
    const staff = await signedIn("staff")
    const [mine, other] = [await order(ada.id), await order((await user()).id)]
    expect((await userList({}, ada)).body).toMatchObject({ recordsTotal: 1, records: [{ id: mine }] })
    expect((await list({ search_param: { userId: 3 } }, ada)).body).toMatchObject({
      recordsTotal: 1,
      recordsFiltered: 0,
    })
    expect((await get(`/api/order/${other}`, ada)).status).toBe(404)
    expect((await get(`/api/order/${mine}`, staff)).status).toBe(404)
    expect((await userList({ user_id: ada.id }, staff)).status).toBe(404)
    expect((await put(`/api/order/${mine}`, { total: 0 }, ada)).status).toBe(403)
    expect((await userList({ user_id: ada.id }, await signedIn("admin"))).body.recordsTotal).toBe(1)
  })

  it("are kept when their user is deleted", async () => {
    const { id } = await user()
    const created = await order(id)
    await post("/api/user/delete", { delete_ids: [id] })
    expect((await get(`/api/order/${created}`)).body).toMatchObject({ userId: null, userName: "", total: 49.9 })
    const deleted = await post("/api/order/delete", { delete_ids: [created, 99] })
    expect(deleted.body.message).toBe("1 order deleted. 1 id unknown.")
    expect(cost(deleted).roundTrips).toBe(2)
    expect((await list()).body.recordsTotal).toBe(0)
  })
})
