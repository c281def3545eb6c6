import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { locations } from "../../drizzle/schema/locations.ts"
import { locationColumns } from "../../src/modules/organizations/location-fields.ts"
import { rowsOf, signedIn } from "../factories/index.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const create = (body: object, options = {}) => post("/api/location/create", body, options)
const list = (input = {}) => get(`/api/location/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`)
const HALL = {
  name: "Main hall",
  addressLine1: "1 Quay Street",
  addressLine2: "Floor 2",
  city: "Bristol",
  state: "Avon",
  zipcode: "BS1 1AA",
  country: "United Kingdom",
  capacity: 40,
}

describe("locations", () => {
  it("are created with every field in one round trip, and read in one", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5) })
    const created = await create(HALL)
    expect(created.body).toEqual({ id: 1, message: "Location created." })
    expect(cost(created).roundTrips).toBe(1)
    const read = await get("/api/location/1")
    expect(read.body).toEqual({ id: 1, ...HALL, created_at: "Jan 05, 2026", createdAt: "2026-01-05T00:00:00.000Z" })
    expect(cost(read).roundTrips).toBe(1)
    await create({ name: "Room" })
    expect((await get("/api/location/2")).body).toMatchObject({ name: "Room", city: "", capacity: null })
  })

  it("update only the provided fields, and are found by name and address immediately", async () => {
    await create(HALL)
    expect((await put("/api/location/1", { city: "Bath", addressLine2: 3, capacity: "" })).status).toBe(422)
    const changed = await put("/api/location/1", { name: null, city: "Bath", addressLine2: null, capacity: "" })
    expect(changed.body).toEqual({ message: "Location updated." })
    expect(await rowsOf(locations)).toMatchObject([
      { ...HALL, city: "Bath", addressLine2: "", capacity: 0, version: 2 },
    ])
    expect((await list({ search_param: { name: "bath" } })).body).toMatchObject({ recordsTotal: 1, recordsFiltered: 1 })
    expect((await list({ search_param: { name: "bristol" } })).body).toMatchObject({
      recordsTotal: 1,
      recordsFiltered: 0,
    })
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject, row.effectOn])).toEqual([
      ["created", "location", "Main hall"],
      ["updated", "location", "Main hall"],
    ])
    expect((await put("/api/location/9", { name: "A" })).status).toBe(404)
  })

  it("are sorted by every column in one round trip, and deleted with correct counts", async () => {
    for (const name of ["b", "A", "c"]) await create({ name })
    expect((await list()).body.records.map((row: { name: string }) => row.name)).toEqual(["A", "b", "c"])
    for (const colName of Object.keys(locationColumns.sort)) {
      const response = await list({ order_by: { colName, direction: "desc" } })
      expect(response.body.records).toHaveLength(3)
      expect(cost(response).roundTrips).toBe(1)
    }
    const response = await post("/api/location/delete", { delete_ids: [1, 3, 99] })
    expect(response.body.message).toBe("2 locations deleted. 1 id unknown.")
    expect((await list()).body).toMatchObject({ recordsTotal: 1, records: [{ name: "A" }] })
  })

  it("can be read and changed only by staff", async () => {
    const staff = await signedIn("staff")
    expect((await create({ name: "Room" }, staff)).status).toBe(200)
    expect((await create({ name: "" }, staff)).body.errors).toHaveProperty("name")
    expect((await get("/api/location/1", await signedIn("group_admin"))).status).toBe(403)
  })
})
