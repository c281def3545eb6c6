import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { userSources } from "../../drizzle/schema/users.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const create = (input = {}) => post("/api/user-source/create", { name: "Open day", identifier: "open_day", ...input })
const list = (input = {}) => get(`/api/user-source/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`)

describe("user sources", () => {
  it("include the built-in sources from the start, sorted by name, in one round trip", async () => {
    const response = await get("/api/user-source")
    expect(response.body).toEqual({
      records: [
        { id: 1, name: "API", identifier: "api", description: "Created over the API", logoUrl: null },
        { id: 2, name: "Bulk upload", identifier: "bulk_upload", description: expect.any(String), logoUrl: null },
        { id: 3, name: "Sample data", identifier: "sample", description: expect.any(String), logoUrl: null },
      ],
    })
    expect(cost(response).roundTrips).toBe(1)
  })

  it("are created, read, updated and listed", async () => {
    const created = await create({ logoUrl: "https://example.com/day.png" })
    expect(created.body).toEqual({ id: 4, message: "User source created." })
    expect(cost(created).roundTrips).toBe(1)
    expect((await put("/api/user-source/4", { description: "In May", logoUrl: "" })).status).toBe(200)
    const read = await get("/api/user-source/4")
    expect(read.body).toEqual({
      id: 4,
      name: "Open day",
      identifier: "open_day",
      description: "In May",
      logoUrl: null,
    })
    expect((await list({ search_param: { identifier: "OPEN_DAY" } })).body).toMatchObject({
      recordsTotal: 4,
      recordsFiltered: 1,
      records: [{ id: 4 }],
    })
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject])).toEqual([
      ["created", "user source"],
      ["updated", "user source"],
    ])
  })

  it("have a unique identifier", async () => {
    await create()
    expect((await create({ identifier: "Open_Day" })).body.errors.identifier).toBeDefined()
    expect((await create({ identifier: "open day" })).body.errors.identifier).toBeDefined()
    expect((await create({ identifier: "b", logoUrl: "javascript:alert(1)" })).body.errors.logoUrl).toBeDefined()
    expect((await put("/api/user-source/4", { identifier: "api" })).body.errors.identifier).toBeDefined()
    expect((await put("/api/user-source/1", { identifier: "rest" })).body.errors.identifier).toBeDefined()
    expect((await put("/api/user-source/1", { name: "REST" })).status).toBe(200)
    expect((await put("/api/user-source/9", { name: "X" })).status).toBe(404)
    expect(await rowsOf(userSources)).toHaveLength(4)
  })

  it("are deleted unless built in or used, with correct counts", async () => {
    const [used, unused] = [(await create()).body.id, (await create({ identifier: "fair" })).body.id]
    await user({ sourceId: used })
    const response = await post("/api/user-source/delete", { delete_ids: [1, used, unused, 99] })
    expect(response.body.message).toBe(
      "1 user source deleted. 2 not deleted: they are built in or in use. 1 id unknown.",
    )
    expect(cost(response).roundTrips).toBe(2)
    expect((await rowsOf(userSources)).map((row) => row.id)).toEqual([1, 2, 3, used])
    expect((await list()).body.recordsTotal).toBe(4)
  })

  it("can be assigned to users by staff and are shown in the list", async () => {
    const { id } = (await create()).body
    const body = { firstName: "Ada", password: "analytical engine", password_confirmation: "analytical engine" }
    const created = await post("/api/user/create", { ...body, email: "ada@example.com", user_source_id: id })
    const plain = await post("/api/user/create", { ...body, email: "eve@example.com", user_source_id: null })
    const listedSources = async () => {
      const { body } = await get("/api/users/tabularlist?page_size=9&page_number=1&order_by=id")
      return body.records.map((row: { source: string }) => row.source)
    }
    const [ownName, api] = [
      (await get(`/api/user-source/${id}`)).body.name,
      (await get("/api/user-source/1")).body.name,
    ]
    expect(await listedSources()).toEqual([ownName, api])
    await put(`/api/user/${plain.body.id}`, { user_source_id: id })
    expect(await listedSources()).toEqual([ownName, ownName])
    const read = await get(`/api/user/${created.body.id}`)
    expect(read.body.user_source_id).toBe(id)
    expect((await put(`/api/user/${created.body.id}`, { user_source_id: 99 })).body.errors).toHaveProperty(
      "user_source_id",
    )
    const userList = [{ email: "bulk@example.com", first_name: "Bo", last_name: "Li", password: "" }]
    const uploaded = (input: object) => post("/api/user/bulkUpload", { userList, ...input })
    expect((await uploaded({ user_source_id: 99 })).body.errors).toHaveProperty("user_source_id")
    expect((await uploaded({ user_source_id: id })).body).toMatchObject({ created: 1 })
    expect(await listedSources()).toEqual([ownName, ownName, ownName])
    const learner = await signedIn("general")
    const mine = `/api/user/${learner.id}`
    expect((await put(mine, (await get(mine, learner)).body, learner)).status).toBe(200)
    expect((await put(mine, { user_source_id: id }, learner)).status).toBe(403)
  })

  it("can be changed by admins and looked up by everyone", async () => {
    const learner = await signedIn("general")
    const staff = await signedIn("staff")
    expect((await get("/api/user-source", learner)).body.records).toHaveLength(3)
    expect((await get("/api/user-source/1", learner)).status).toBe(403)
    expect((await put("/api/user-source/1", { name: "X" }, staff)).status).toBe(403)
  })
})
