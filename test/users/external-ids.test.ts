import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { externalIds } from "../../drizzle/schema/external-ids.ts"
import { classOf } from "../factories/classes.ts"
import { group, rowsOf, signedIn, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course } from "../factories/learning.ts"
import { call, cost, get, post, put, query } from "../helpers/client.ts"

const PAGE = { page_size: 20, page_number: 1 }
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

interface Kind {
  name: string
  object: string
  create: () => Promise<string>
  body: () => Promise<object>
  read: (id: number) => string
  /** The record within the response. */
  record: (body: { classDetails?: object }) => unknown
  change: (id: number, body: object, options: { token: string }) => ReturnType<typeof call>
  list: string
  byExternalId: string
  remove: (id: number, token: string) => ReturnType<typeof call>
}

const kinds: Kind[] = [
  {
    name: "a user",
    object: "user",
    create: async () => "/api/user/create",
    body: async () => ({ firstName: "Ada", email: `ada${Math.random()}@example.com`, sendInvitation: true }),
    read: (id) => `/api/user/${id}`,
    record: (body) => body,
    change: (id, body, options) => put(`/api/user/${id}`, body, options),
    list: "/api/users/tabularlist",
    byExternalId: "/api/user/by-external-id",
    remove: (id, token) => post("/api/user/delete", { delete_ids: [id] }, { token }),
  },
  {
    name: "a course",
    object: "course",
    create: async () => "/api/course/create",
    body: async () => ({ name: "Algebra" }),
    read: (id) => `/api/course/${id}`,
    record: (body) => body,
    change: (id, body, options) => put(`/api/course/${id}`, body, options),
    list: "/api/courses/tabularlist",
    byExternalId: "/api/course/by-external-id",
    remove: (id, token) => post("/api/course/delete", { delete_ids: [id] }, { token }),
  },
  {
    name: "a group",
    object: "group",
    create: async () => "/api/group/create",
    body: async () => ({ name: "Sales" }),
    read: (id) => `/api/group/${id}`,
    record: (body) => body,
    change: (id, body, options) => put(`/api/group/${id}`, body, options),
    list: "/api/group/tabularlist",
    byExternalId: "/api/group/by-external-id",
    remove: (id, token) => post("/api/group/delete", { delete_ids: [id] }, { token }),
  },
  {
    name: "a class",
    object: "class",
    create: async () => "/api/class/create",
    body: async () => ({
      courseId: (await course()).id,
      instructor: (await user()).id,
      starttime: day(1),
      endTime: day(2),
      allowDownload: true,
      disabled: false,
    }),
    read: (id) => `/api/class/edit?classId=${id}`,
    record: (body) => body.classDetails,
    change: (id, body, options) => post("/api/class/update", { id, ...body }, options),
    list: "/api/class/tabularlist",
    byExternalId: "/api/class/by-external-id",
    remove: (id, token) => post("/api/class/delete", { classId: id }, { token }),
  },
]

describe.each(kinds)("the external id of $name", (kind) => {
  const created = async (token: string, fields: object = {}) => {
    const answer = await post(await kind.create(), { ...(await kind.body()), ...fields }, { token })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.id as number
  }
  const details = async (id: number, token: string) => kind.record((await get(kind.read(id), { token })).body)

  it("is set by a create request and read by details, lists and by-external-id", async () => {
    const { token } = await signedIn("admin")
    const id = await created(token, { externalId: "E-1" })
    await created(token)
    expect(await rowsOf(externalIds)).toEqual([
      { object: kind.object, source: "manual", externalId: "E-1", objectId: id },
    ])
    expect(await details(id, token)).toMatchObject({
      externalId: "E-1",
      externalIds: [{ source: "manual", externalId: "E-1" }],
    })

    const list = await get(kind.list + query({ ...PAGE, externalId: "E-1" }), { token })
    expect(list.body).toMatchObject({ recordsFiltered: 1, records: [{ id, externalId: "E-1" }] })
    expect(cost(list).roundTrips).toBe(1)
    const found = await get(kind.byExternalId + query({ externalId: "E-1" }), { token })
    expect(found.body).toEqual((await get(kind.read(id), { token })).body)
    expect(cost(found).roundTrips).toBe(1)
    expect((await get(kind.byExternalId + query({ externalId: "e-1" }), { token })).status).toBe(404)
  })

  it("is changed, and removed by null, with an audit row and a new version", async () => {
    const { token } = await signedIn("admin")
    const id = await created(token, { externalId: "E-1" })
    const before = await get(kind.read(id), { token })
    expect((await kind.change(id, { externalId: "E-2" }, { token })).status).toBe(200)
    expect(await details(id, token)).toMatchObject({ externalId: "E-2" })
    const stale = await call(
      kind.object === "class" ? "POST" : "PUT",
      kind.object === "class" ? "/api/class/update" : kind.read(id),
      {
        token,
        body: { ...(kind.object === "class" && { id }), externalId: "E-3" },
        headers: { "if-match": before.headers.get("etag") ?? "" },
      },
    )
    expect(stale.status).toBe(412)
    expect((await kind.change(id, { externalId: null }, { token })).status).toBe(200)
    expect(await rowsOf(externalIds)).toEqual([])
    expect((await rowsOf(auditLogs)).map(({ details }) => details)).toMatchObject([
      { externalId: "E-1" },
      { externalId: "E-2", externalIdSource: "manual" },
      { externalId: null, externalIdSource: "manual" },
    ])
  })

  it("is unique for each source: a collision is 422 and changes nothing", async () => {
    const { token } = await signedIn("admin")
    const first = await created(token, { externalId: "E-1" })
    const second = await created(token, { externalId: "E-2" })
    for (const answer of [
      await post(await kind.create(), { ...(await kind.body()), externalId: "E-1" }, { token }),
      await kind.change(second, { externalId: "E-1" }, { token }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toEqual({
        externalId: ["externalId is already used by another record of this source."],
      })
    }
    expect(await details(first, token)).toMatchObject({ externalId: "E-1" })
    expect(await details(second, token)).toMatchObject({ externalId: "E-2" })
  })

  it("belongs to the API key that wrote it, or to the source that the request names", async () => {
    const person = await signedIn("admin")
    const key = await apiKey({ role: "admin" })
    const id = await created(key.token, { externalId: "E-1" })
    await created(person.token, { externalId: "E-1" })
    await kind.change(id, { externalId: "M-1" }, person)
    await kind.change(id, { externalId: "W-1", externalIdSource: "workday" }, person)
    const all = [
      { source: `key:${key.id}`, externalId: "E-1" },
      { source: "manual", externalId: "M-1" },
      { source: "workday", externalId: "W-1" },
    ]
    expect(await details(id, key.token)).toMatchObject({ externalId: "E-1", externalIds: all })
    expect(await details(id, person.token)).toMatchObject({ externalId: "M-1", externalIds: all })
    const named = { externalId: "W-1", externalIdSource: "workday" }
    expect((await get(kind.byExternalId + query(named), key)).status).toBe(200)
    expect((await get(kind.list + query({ ...PAGE, ...named }), key)).body.records).toMatchObject([
      { id, externalId: "E-1" },
    ])
    expect((await get(kind.byExternalId + query({ externalId: "W-1" }), key)).status).toBe(404)
  })

  it("comes back in a PUT of what was read without a change, and is deleted with its record", async () => {
    const { token } = await signedIn("admin")
    const id = await created(token, { externalId: "E-1" })
    const logs = (await rowsOf(auditLogs)).length
    const read = (await details(id, token)) as object
    expect((await kind.change(id, read, { token })).status).toBe(200)
    expect(await rowsOf(auditLogs)).toHaveLength(logs)
    expect(await rowsOf(externalIds)).toHaveLength(1)
    expect((await kind.remove(id, token)).status).toBe(200)
    expect(await rowsOf(externalIds)).toEqual([])
  })

  it("is not visible below staff", async () => {
    const { token } = await signedIn("admin")
    const id = await created(token, { externalId: "E-1" })
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [id] })
    const list = await get(kind.list + query(PAGE), supervisor)
    for (const record of list.body.records) expect(record.externalId).toBeNull()
    expect((await get(kind.list + query({ ...PAGE, externalId: "E-1" }), supervisor)).body.records).toEqual([])
    expect((await get(kind.byExternalId + query({ externalId: "E-1" }), supervisor)).status).toBe(403)
  })
})

describe("external ids", () => {
  it("have at most 255 characters", async () => {
    const { token } = await signedIn("admin")
    const send = (externalId: string) => post("/api/course/create", { name: "Algebra", externalId }, { token })
    expect((await send("x".repeat(255))).status).toBe(200)
    expect((await send("x".repeat(256))).status).toBe(422)
  })

  it("of a person's own account are not changed by the person", async () => {
    const admin = await signedIn("admin")
    const learner = await signedIn("general")
    await put(`/api/user/${learner.id}`, { externalId: "E-1" }, admin)
    const read = await get(`/api/user/${learner.id}`, learner)
    expect(read.body).toMatchObject({ externalId: null, externalIds: [] })
    expect((await put(`/api/user/${learner.id}`, { ...read.body, externalId: "E-2" }, learner)).status).toBe(200)
    expect(await rowsOf(externalIds)).toMatchObject([{ externalId: "E-1" }])
  })

  it("cost a record without one no row", async () => {
    const { token } = await signedIn("admin")
    const inClass = await classOf(await course())
    expect((await get(`/api/class/edit?classId=${inClass.id}`, { token })).body.classDetails.externalIds).toEqual([])
    expect(await rowsOf(externalIds)).toEqual([])
  })
})
