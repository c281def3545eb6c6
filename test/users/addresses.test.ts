import { describe, expect, it } from "vitest"
import { addresses } from "../../drizzle/schema/addresses.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { group, rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { cost, get, post } from "../helpers/client.ts"

const address = (input = {}) => ({
  fullName: "Ada Byron",
  addressLine1: "12 St James's Square",
  zipcode: "SW1Y 4JH",
  city: "London",
  country: "United Kingdom",
  isDefault: false,
  ...input,
})

const add = (userId: number, input = {}, token?: string) =>
  post(`/api/user/${userId}/addAddress`, address(input), { ...(token && { token }) })
const defaults = async () => (await rowsOf(addresses)).filter((row) => row.isDefault).map((row) => row.id)

describe("addresses", () => {
  it("returns 201 in two round trips, and a read returns exactly the fields of the interface", async () => {
    const { id } = await user()
    const added = await add(id, { isDefault: true, orgName: "Analytical Ltd", state: "" })
    expect(added).toMatchObject({ status: 201, body: { message: "Address added." } })
    expect(cost(added).roundTrips).toBe(2)
    const read = await get("/api/getaddress/1")
    expect(read.body).toEqual({
      id: 1,
      isDefault: true,
      fullName: "Ada Byron",
      orgName: "Analytical Ltd",
      orgVatId: "",
      addressLine1: "12 St James's Square",
      addressLine2: "",
      zipcode: "SW1Y 4JH",
      city: "London",
      state: "",
      country: "United Kingdom",
      addresstype: "billing_address",
      type: "billing",
      billing_address_id: null,
      userId: id,
    })
    expect(cost(read).roundTrips).toBe(1)
    expect(await rowsOf(auditLogs)).toMatchObject([
      {
        action: "created",
        subject: "address",
        subjectId: 1,
        details: { userId: id, type: "billing", isDefault: true },
      },
    ])
  })

  it("make the last address set as default the only default of its type", async () => {
    const { id } = await user()
    await add(id, { isDefault: true })
    await add(id, { isDefault: true, type: "shipping" })
    await add(id, { isDefault: true })
    expect(await defaults()).toEqual([2, 3])
    expect((await get(`/api/default-address/${id}?type=billing_address`)).body.id).toBe(3)
    expect((await get(`/api/default-address/${id}?type=shipping_address`)).body.id).toBe(2)

    await post("/api/user/updateAddress/1", { isDefault: true })
    expect(await defaults()).toEqual([1, 2])
    expect((await get(`/api/user/userAddress/${id}`)).body.map((row: { id: number }) => row.id)).toEqual([1, 3])
  })

  it("end with one default per type when several are added concurrently", async () => {
    const { id } = await user()
    const responses = await Promise.all([1, 2, 3, 4].map(() => add(id, { isDefault: true })))
    expect(responses.map((response) => response.status)).toEqual([201, 201, 201, 201])
    expect(await defaults()).toHaveLength(1)
    expect(await rowsOf(addresses)).toHaveLength(4)
  })

  it("become the default only when requested; a user without a default gets 404", async () => {
    const { id } = await user()
    await add(id)
    expect((await get("/api/getaddress/1")).body.isDefault).toBe(false)
    const response = await get(`/api/default-address/${id}?type=billing_address`)
    expect(response).toMatchObject({ status: 404, body: { message: "No such default billing address." } })
    expect((await get(`/api/default-address/${id}?type=home`)).body.errors.type).toBeDefined()
  })

  it("are listed by type", async () => {
    const { id } = await user()
    await add(id)
    await add(id, { type: "shipping", billing_address_id: 1 })
    const shipping = await get(`/api/user/userShippingAddress/${id}`)
    expect(shipping.body).toMatchObject([{ id: 2, addresstype: "shipping_address", billing_address_id: 1 }])
    expect(cost(shipping).roundTrips).toBe(1)
    expect((await get("/api/user/userAddress/999")).status).toBe(404)
  })

  it("accept only a billing address of the same user as billing_address_id", async () => {
    const [one, other] = [await user(), await user()]
    await add(other.id)
    for (const input of [
      { type: "shipping", billing_address_id: 1 },
      { type: "shipping", billing_address_id: 99 },
    ]) {
      const answer = await add(one.id, input)
      expect(answer).toMatchObject({ status: 422, body: { errors: { billing_address_id: [expect.any(String)] } } })
    }
    await add(one.id, { type: "shipping" })
    const response = await post("/api/user/updateAddress/4", { billing_address_id: 1 })
    expect(response.status).toBe(422)
    expect(await rowsOf(addresses)).toHaveLength(2)
  })

  it("accept null, or a billing address's own id, as billing_address_id", async () => {
    const { id } = await user()
    await add(id, { billing_address_id: 0 })
    await add(id, { type: "shipping", billing_address_id: "" })
    for (const [address, input] of [
      [1, 1],
      [1, "0"],
      [2, 1],
      [2, null],
    ])
      expect((await post(`/api/user/updateAddress/${address}`, { billing_address_id: input })).status).toBe(200)
    expect((await rowsOf(addresses)).map((row) => row.billingAddressId)).toEqual([null, null])
    const refused = [
      await add(id, { billing_address_id: 1 }),
      await post("/api/user/updateAddress/1", { billing_address_id: 2 }),
    ]
    for (const { body } of refused)
      expect(body.errors.billing_address_id).toEqual([
        "billing_address_id applies to shipping addresses only. Remove it.",
      ])
  })

  it("report the missing required field and record nothing", async () => {
    const { id } = await user()
    for (const field of ["fullName", "addressLine1", "zipcode", "city", "country", "isDefault"]) {
      const answer = await add(id, { [field]: undefined })
      expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [`${field} is required.`] } } })
    }
    expect((await add(id, { userId: id + 1 })).body.errors.userId).toBeDefined()
    expect((await add(999)).status).toBe(404)
    expect(await rowsOf(addresses)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
  })

  it("update only the provided fields and audit field names without values", async () => {
    const { id } = await user()
    await add(id, { state: "London", zipcode: 90210 })
    const response = await post("/api/user/updateAddress/1", { city: "Ockham", state: "" })
    expect(response.body).toEqual({ message: "Address updated." })
    expect(cost(response).roundTrips).toBe(2)
    expect((await get("/api/getaddress/1")).body).toMatchObject({ city: "Ockham", state: "", zipcode: "90210" })
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "updated",
      details: { userId: id, fields: ["city", "state"] },
    })
    expect((await post("/api/user/updateAddress/1", { type: "shipping" })).body.errors.type).toBeDefined()
    expect((await post("/api/user/updateAddress/9", {})).status).toBe(404)
  })

  it("can be managed by the learner, read by a supervisor and changed by staff", async () => {
    const ada = await user()
    const learnerToken = await tokenOf(ada)
    const stranger = await signedIn("general")
    const staff = await signedIn("staff")
    const admin = await signedIn("group_admin")
    await group({ admins: [admin.id], members: [ada.id] })
    expect((await add(ada.id, {}, learnerToken)).status).toBe(201)
    expect((await get("/api/getaddress/1", { token: learnerToken })).status).toBe(200)
    expect((await get("/api/getaddress/1", stranger)).status).toBe(404)
    expect((await post("/api/user/updateAddress/1", { city: "X" }, stranger)).status).toBe(404)
    expect((await add(ada.id, {}, stranger.token)).status).toBe(404)
    expect((await get(`/api/user/userAddress/${ada.id}`, admin)).body).toHaveLength(1)
    expect((await post("/api/user/updateAddress/1", { city: "X" }, admin)).status).toBe(403)
    expect((await post("/api/user/updateAddress/1", { city: "X" }, staff)).status).toBe(200)
    const owner = await user({ userType: "owner" })
    expect((await add(owner.id, {}, staff.token)).status).toBe(403)
  })

  it("create one address when the same Idempotency-Key is repeated", async () => {
    const { id } = await user()
    const once = { headers: { "idempotency-key": "a" } }
    const answers = [1, 2].map(() => post(`/api/user/${id}/addAddress`, address(), once))
    for (const response of await Promise.all(answers)) expect(response.status).toBe(201)
    expect(await rowsOf(addresses)).toHaveLength(1)
  })
})
