import { env, exports } from "cloudflare:workers"
import { afterEach, describe, expect, it, vi } from "vitest"
import { apiKeyNames, apiKeys } from "../../drizzle/schema/api-keys.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { categories } from "../../drizzle/schema/categories.ts"
import { sessionRevocations } from "../../drizzle/schema/system.ts"
import { retryRevocations } from "../../src/access/revocations.ts"
import { openDatabase } from "../../src/db/client.ts"
import { db, PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, get, objectCost, post, put, query } from "../helpers/client.ts"
import { anyIsoTime } from "../helpers/times.ts"

const FORM = /^lk_[1-9]\d*_[\w-]{43}$/
const HOUR = 3_600_000

const create = (input = {}, options = {}) =>
  post("/api/api-key/create", { name: "Nightly", role: "staff", access: "write", ...input }, options)
/** A key that holds, as the options of a call. */
async function keyOf(input = {}) {
  const { id, key } = (await create(input)).body
  return { id, token: key as string }
}
const list = (input = {}, options = {}) =>
  get(`/api/api-key/tabularlist${query({ page_size: 10, page_number: 1, ...input })}`, options)
const remove = (ids: number[], options = {}) => post("/api/api-key/delete", { delete_ids: ids }, options)
const rotate = (id: number, options = {}) => post("/api/api-key/rotate", { id }, options)
const change = (id: number, changes: object, options = {}) => put(`/api/api-key/${id}`, changes, options)

const audit = (search_param = {}, options = {}) =>
  get(`/api/audit-activities${query({ page_size: 10, page_number: 1, search_param })}`, options)

const refused = { status: 401, body: { code: "invalid_key" } }

afterEach(() => {
  vi.restoreAllMocks()
})

describe("API keys", () => {
  it("are created in two round trips and shown once; the stored data does not contain the key", async () => {
    const admin = await signedIn("admin", { firstName: "Ada", lastName: "Byron" })
    const input = { families: ["users", "Courses"], expires_at: "2099-01-05 15:04" }
    const created = await create(input, admin)
    expect(created).toMatchObject({ status: 200, body: { id: 1, key: expect.stringMatching(FORM) } })
    expect(created.headers.get("cache-control")).toBe("no-store")
    expect(cost(created)).toMatchObject({ roundTrips: 2, written: 8 })

    const read = await get("/api/api-key/1", admin)
    expect(read.body).toEqual({
      id: 1,
      name: "Nightly",
      role: "staff",
      access: "write",
      families: ["Courses", "Users"],
      scopes: [],
      expires_at: "Jan 05, 2099 03:04 PM",
      last_used_at: "Never",
      created_by: "Ada Byron",
      created_at: expect.any(String),
      createdAt: anyIsoTime,
      expiresAt: "2099-01-05T15:04:00.000Z",
      lastUsedAt: null,
    })
    expect(cost(read).roundTrips).toBe(1)
    expect(read.headers.get("etag")).toBeTruthy()
    const listed = await list({}, admin)
    expect(listed.body).toEqual({ recordsTotal: 1, recordsFiltered: 1, records: [read.body] })
    expect(cost(listed).roundTrips).toBe(1)

    const secret: string = created.body.key.split("_").slice(2).join("_")
    const stored = [...(await rowsOf(apiKeys)), ...(await rowsOf(auditLogs))]
    expect(JSON.stringify(stored)).not.toContain(secret.slice(0, 16))
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "api key", subjectId: 1, effectOn: "Nightly", performedBy: admin.id },
    ])
  })

  it("report invalid fields by name when they are created", async () => {
    for (const [field, value] of Object.entries({
      name: "",
      role: "janitor",
      access: "none",
      families: ["Users", "Wizards"],
      expires_at: "2020-01-01",
    })) {
      const response = await create({ [field]: value })
      expect(response, field).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(Array) } } })
    }
    expect((await create({ families: ["Wizards"] })).body.message).toContain("Wizards")
    expect((await create({ families: [] })).status).toBe(422)
    expect(await rowsOf(apiKeys)).toEqual([])
  })

  it("cannot have a role above their creator's", async () => {
    const admin = await signedIn("admin")
    const owner = await signedIn("owner")
    expect((await create({ role: "owner" }, admin)).status).toBe(403)
    expect((await create({ role: "admin" }, admin)).status).toBe(200)
    expect((await create({ role: "owner" }, owner)).status).toBe(200)
    expect((await create({}, await signedIn("staff"))).status).toBe(403)
    // Of a key with a role above theirs, an admin changes nothing.
    expect((await change(2, { name: "Mine" }, admin)).status).toBe(403)
    expect((await rotate(2, admin)).status).toBe(403)
    expect((await change(1, { role: "owner" }, admin)).status).toBe(403)
    expect((await remove([1, 2], admin)).body.message).toBe(
      "1 api key deleted. 1 not deleted: they have the role owner.",
    )
    expect((await remove([2], owner)).body.message).toBe("1 api key deleted.")
  })

  it("have the permissions of their role, and keep their name in the audit log after deletion", async () => {
    const admin = await signedIn("admin")
    const key = await keyOf({ name: "Nightly" })
    const eve = { firstName: "Eve", email: "eve@example.com", password: PASSWORD, password_confirmation: PASSWORD }
    const created = await post("/api/user/create", eve, key)
    expect(created.status).toBe(200)
    expect(cost(created).roundTrips).toBe(2)
    expect(objectCost(created).calls).toBe(1)
    expect((await get("/api/users/tabularlist?page_size=5&page_number=1", key)).status).toBe(200)
    expect((await post("/api/user/delete", { delete_ids: [created.body.id] }, key)).status).toBe(403)

    const rows = async () => (await audit({ performedOn: "user" }, admin)).body.records
    expect((await rows())[0]).toMatchObject({ performed_by: "Nightly", effect_on: "Eve", action: "created" })
    await change(key.id, { name: "Hourly" })
    expect((await rows())[0]).toMatchObject({ performed_by: "Hourly" })
    await remove([key.id])
    expect((await rows())[0]).toMatchObject({ performed_by: "Hourly" })
    expect((await audit({ performed_by: "hourly" }, admin)).body).toMatchObject({ recordsFiltered: 1 })
    expect(await rowsOf(apiKeyNames)).toEqual([{ id: key.id, name: "Hourly" }])
  })

  it("can only read when their access is read", async () => {
    const key = await keyOf({ role: "admin", access: "read" })
    expect((await get("/api/users/tabularlist?page_size=5&page_number=1", key)).status).toBe(200)
    const refusal = { status: 403, body: { code: "key_read_only" } }
    expect(await post("/api/user/create", { firstName: "Eve", email: "eve@example.com" }, key)).toMatchObject(refusal)
    expect(await get("/api/users/saveViewType?userId=1&type=list", key)).toMatchObject(refusal)
  })

  it("can only call the operations of their scopes", async () => {
    const key = await keyOf({ families: "courses" })
    expect((await get("/api/courses/tabularlist?page_size=5&page_number=1", key)).status).toBe(200)
    expect(await get("/api/users/tabularlist?page_size=5&page_number=1", key)).toMatchObject({
      status: 403,
      body: { code: "key_scope_insufficient", message: /Users/ },
    })
  })

  it("apply changes to the next call, and an unchanged body writes nothing", async () => {
    const key = await keyOf({ role: "admin", families: ["Users"], expires_at: "2099-01-05 15:04:05" })
    const users = () => get("/api/users/tabularlist?page_size=5&page_number=1", key)
    expect((await users()).status).toBe(200)
    const response = await get(`/api/api-key/${key.id}`)
    const stored = await rowsOf(apiKeys)
    expect((await change(key.id, response.body)).status).toBe(200)
    expect(await rowsOf(apiKeys)).toEqual(stored)

    const changed = await change(key.id, { families: ["Courses"] })
    expect(changed.body).toEqual({ message: "API key updated." })
    expect(cost(changed).roundTrips).toBe(2)
    expect((await users()).status).toBe(403)
    await change(key.id, { families: null, role: "general" })
    expect((await users()).status).toBe(403)
    await change(key.id, { role: "staff", expires_at: "Never" })
    expect((await users()).status).toBe(200)
    expect((await rowsOf(apiKeys))[0]).toMatchObject({
      families: null,
      expiresAt: 0,
      role: "staff",
      access: "write",
    })
    expect((await change(key.id, { expires_at: "2020-01-01" })).status).toBe(422)
    expect((await change(key.id, { families: [] })).status).toBe(422)
    expect((await change(9, { name: "Nobody's" })).status).toBe(404)
    const stale = { headers: { "if-match": response.headers.get("etag") ?? "" } }
    expect((await change(key.id, { name: "Late" }, stale)).status).toBe(412)
  })

  it("stop working immediately when they are deleted, regenerated or expired", async () => {
    const deletedKey = await keyOf()
    const regenerated = await keyOf()
    const short = await keyOf({ expires_at: new Date(Date.now() + HOUR / 2).toISOString() })
    const status = async (key: { token: string }) => (await get("/api/userType/lookup", key)).status
    for (const key of [deletedKey, regenerated, short]) expect(await status(key)).toBe(200)

    const deleted = await remove([deletedKey.id, 99])
    expect(deleted.body).toEqual({ message: "1 api key deleted. 1 id unknown." })
    expect(cost(deleted).roundTrips).toBe(2)
    expect(await get("/api/userType/lookup", deletedKey)).toMatchObject(refused)

    const rotated = await rotate(regenerated.id)
    expect(rotated.body).toMatchObject({ id: regenerated.id, key: expect.stringMatching(FORM) })
    expect(cost(rotated).roundTrips).toBe(2)
    expect(await get("/api/userType/lookup", regenerated)).toMatchObject(refused)
    expect(await status({ token: rotated.body.key })).toBe(200)
    expect((await rotate(99)).status).toBe(404)

    vi.useFakeTimers({ now: Date.now() + HOUR, toFake: ["Date"] })
    expect(await get("/api/userType/lookup", short)).toMatchObject(refused)
  })

  it("are rejected under both policies when they are invalid, and count against the network address", async () => {
    const key = await keyOf()
    const { remaining } = await spent(key)
    const documented = env.ACCESS_POLICY
    try {
      for (const policy of ["documented", "enforced"]) {
        env.ACCESS_POLICY = policy
        const tail = key.token.endsWith("A") ? "B" : "A"
        for (const [token, calls] of [
          // The address's, and the key's: it could be of a secret that is gone.
          [`${key.token.slice(0, -1)}${tail}`, 2],
          [`lk_7_${"A".repeat(43)}`, 2],
          // The address's alone.
          [`${key.token}A`, 1],
          ["lk_1", 1],
          ["lk_", 1],
        ] as const) {
          const response = await get("/api/userType/lookup", { token })
          expect(response, token).toMatchObject(refused)
          expect(response.headers.get("www-authenticate")).toBe("Bearer")
          expect(objectCost(response).calls, token).toBe(calls)
        }
      }
    } finally {
      env.ACCESS_POLICY = documented
    }
    expect((await spent(key)).remaining).toBe(remaining - 1)
  })

  it("return a helpful error when they are truncated or sent in another header", async () => {
    const key = await keyOf()
    const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` })
    const documented = env.ACCESS_POLICY
    try {
      for (const policy of ["documented", "enforced"]) {
        env.ACCESS_POLICY = policy
        const cut = await get("/api/me", { token: key.token.slice(0, -5) })
        expect(cut).toMatchObject({ status: 401, body: { code: "invalid_key", message: /API key is malformed/ } })
        for (const headers of [{ "x-api-key": key.token }, basic(`${key.token}:`), basic(`1:${key.token}`)]) {
          const response = await get("/api/me", { headers })
          expect(response).toMatchObject({
            status: 401,
            body: { code: "invalid_key", message: /Authorization: Bearer/ },
          })
          expect(response.headers.get("www-authenticate")).toBe("Bearer")
        }
        expect((await get("/api/me", { headers: { "x-api-key": "a proxy's own" } })).status).toBe(302)
        expect((await get("/api/me", { ...key, headers: { "x-api-key": "lk_1" } })).status).toBe(200)
      }
    } finally {
      env.ACCESS_POLICY = documented
    }
  })

  it("wake at most as many Durable Objects as the network address may make calls when they are forged", async () => {
    env.RATE_LIMIT = "2"
    try {
      const calls: [number, number][] = []
      for (const id of [71, 72, 73]) {
        const response = await get("/api/userType/lookup", { token: `lk_${id}_${"A".repeat(43)}` })
        calls.push([response.status, objectCost(response).calls])
      }
      expect(calls).toEqual([
        [401, 2],
        [401, 2],
        [429, 1],
      ])
    } finally {
      env.RATE_LIMIT = "1000000"
    }
  })

  it("have their own rate limit and Idempotency-Keys", async () => {
    const one = await keyOf()
    const other = await keyOf()
    const first = await spent(one)
    expect((await spent(other)).remaining).toBe(first.remaining)
    expect((await spent(one)).remaining).toBe(first.remaining - 1)
    const body = { category_name: "Physics", categoryType: "course" }
    const headers = { "idempotency-key": "the-same" }
    const make = (key: { token: string }) => post("/api/category/create", body, { ...key, headers })
    const created = await make(one)
    expect((await make(one)).headers.get("idempotency-replayed")).toBe("true")
    expect(created.status).toBe(200)
    expect(await make(other), "the name is taken, by a call that is not its own").toMatchObject({ status: 422 })
    expect(await rowsOf(categories)).toMatchObject([{ createdBy: null }])
  })

  it("record their last use once an hour", async () => {
    const key = await keyOf()
    const lastUse = async () => (await rowsOf(apiKeys))[0]?.lastUsedAt
    await get("/api/userType/lookup", key)
    const hour = Math.floor(Date.now() / HOUR) * HOUR
    await vi.waitFor(async () => expect(await lastUse()).toBe(hour))
    await db.update(apiKeys).set({ lastUsedAt: 1 })
    await get("/api/userType/lookup", key)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await lastUse(), "the object knows that it is noted").toBe(1)
    vi.useFakeTimers({ now: hour + HOUR, toFake: ["Date"] })
    await get("/api/userType/lookup", key)
    await vi.waitFor(async () => expect(await lastUse()).toBe(hour + HOUR))
  })

  it("are rejected while their Durable Object cannot be reached", async () => {
    const key = await keyOf()
    const { CLIENTS } = env
    vi.spyOn(console, "error").mockImplementation(() => {})
    const idFromName = () => {
      throw new Error("out of reach")
    }
    Object.assign(env, { CLIENTS: { idFromName } })
    const headers = { authorization: `Bearer ${key.token}` }
    const response = await exports.default
      .fetch("https://lectern.test/api/userType/lookup", { headers })
      .finally(() => Object.assign(env, { CLIENTS }))
    expect(response.status).toBe(503)
    expect(response.headers.get("retry-after")).toBe("5")
  })

  it("are revoked again by the cron and rechecked after a minute if a revocation was lost", async () => {
    const notifiedKey = await keyOf()
    const unnotifiedKey = await keyOf()
    for (const key of [notifiedKey, unnotifiedKey]) await get("/api/userType/lookup", key)
    await db.delete(apiKeys)
    expect((await get("/api/userType/lookup", notifiedKey)).status, "not notified").toBe(200)
    await db.insert(sessionRevocations).values({ userId: -notifiedKey.id, revocation: "lost", createdAt: Date.now() })
    await retryRevocations(env, openDatabase(env.DB, "first-primary"))
    expect((await get("/api/userType/lookup", notifiedKey)).status).toBe(401)
    expect((await get("/api/userType/lookup", unnotifiedKey)).status).toBe(200)
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] })
    expect((await get("/api/userType/lookup", unnotifiedKey)).status).toBe(401)
  })

  it("cannot create, update, regenerate or delete keys; only users can", async () => {
    const key = await keyOf({ role: "owner" })
    expect((await list({}, key)).status).toBe(200)
    const needsPerson = { status: 403, body: { code: "user_session_required" } }
    expect(await create({ role: "general" }, key)).toMatchObject(needsPerson)
    expect(await change(key.id, { name: "Me" }, key)).toMatchObject(needsPerson)
    expect(await rotate(key.id, key)).toMatchObject(needsPerson)
    expect(await remove([key.id], key)).toMatchObject(needsPerson)
  })

  it("own no records, regardless of their role", async () => {
    const person = await user()
    const key = await keyOf({ role: "general" })
    expect((await get(`/api/user/${person.id}`, key)).status).toBe(404)
    expect((await get("/api/users/lookup", key)).body).not.toMatchObject({ records: [expect.anything()] })
    const supervisor = await keyOf({ role: "group_admin" })
    expect((await get("/api/users/tabularlist?page_size=5&page_number=1", supervisor)).body).toMatchObject({
      recordsTotal: 0,
      records: [],
    })
  })
})

/** What a call leaves of a key's window. */
async function spent(key: { token: string }) {
  const response = await get("/api/userType/lookup", key)
  expect(response.status).toBe(200)
  return { remaining: Number(response.headers.get("x-ratelimit-remaining")) }
}
