import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { memberships } from "../../drizzle/schema/memberships.ts"
import { rowsOf, user } from "../factories/index.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const create = async (name: string, input = {}) =>
  (await post("/api/membership/create", { name, ...input })).body.id as number
const list = (input = {}) => get(`/api/membership/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`)

describe("memberships", () => {
  it("are created, read, updated and listed within their cost limits", async () => {
    const created = await post("/api/membership/create", { name: "Gold", expiresAfterDays: 365 })
    expect(created.body).toEqual({ id: 1, message: "Membership created." })
    expect(cost(created).roundTrips).toBe(2)

    const read = await get("/api/membership/1")
    expect(read.body).toMatchObject({ id: 1, name: "Gold", expiresAfterDays: 365 })
    expect(cost(read).roundTrips).toBe(1)

    const changed = await put("/api/membership/1", { name: "Platinum" })
    expect(changed.body).toEqual({ message: "Membership updated." })
    expect(await rowsOf(memberships)).toMatchObject([{ name: "Platinum", expiresAfterDays: 365, version: 2 }])
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.effectOn])).toEqual([
      ["created", "Gold"],
      ["updated", "Platinum"],
    ])
    expect((await list({ search_param: { name: "LATI" } })).body).toMatchObject({ recordsTotal: 1, recordsFiltered: 1 })
    expect((await list({ search_param: { name: "old" } })).body).toMatchObject({ recordsTotal: 1, recordsFiltered: 0 })
  })

  it("reject a taken name and record nothing", async () => {
    await create("Gold")
    const again = await post("/api/membership/create", { name: "gold" })
    expect(again).toMatchObject({ status: 422, body: { errors: { name: [expect.stringContaining("taken")] } } })
    expect(await rowsOf(memberships)).toHaveLength(1)
    expect(await rowsOf(auditLogs)).toHaveLength(1)
  })

  it("are deleted if no user has them, with correct counts", async () => {
    const [used, unused] = [await create("Held"), await create("Free")]
    await user({ membershipId: used })
    const response = await post("/api/membership/delete", { delete_ids: [used, unused, 999] })
    expect(response.body.message).toBe("1 membership deleted. 1 not deleted: users have them. 1 id unknown.")
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(memberships)).toMatchObject([{ id: used }])
    expect((await list()).body.recordsTotal).toBe(1)
  })

  it("honor If-Match", async () => {
    await create("Gold")
    const etag = (await get("/api/membership/1")).headers.get("etag") ?? ""
    expect((await put("/api/membership/1", { name: "A" }, { headers: { "if-match": etag } })).status).toBe(200)
    expect((await put("/api/membership/1", { name: "B" }, { headers: { "if-match": etag } })).status).toBe(412)
    expect(await rowsOf(memberships)).toMatchObject([{ name: "A" }])
  })
})
