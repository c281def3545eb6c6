import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { devices } from "../../drizzle/schema/devices.ts"
import { clientObject, userClient } from "../../src/access/clients.ts"
import { DAY, HOUR, MINUTE } from "../../src/lib/clock.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { db, PASSWORD, rowsOf, signedIn, type UserRow, user } from "../factories/index.ts"
import { type Answer, call, cost, get, objectCost, post, put, query } from "../helpers/client.ts"
import { keepsSecret } from "../helpers/secrets.ts"
import { iso } from "../helpers/times.ts"

// Ahead of the real time, by which alarms go off.
const START = Date.UTC(2036, 0, 5, 12, 20)
const ALIVE = "/api/userType/lookup"
const paging = { page_size: 10, page_number: 1 }

interface Opened {
  token: string
  refreshToken: string
}
let ada: UserRow

/** Signs in on a device. */
const signIn = async (device = "Phone", email = ada.email): Promise<Opened> =>
  (await post("/login", { email, password: PASSWORD, device })).body
const refresh = (refreshToken: string, key?: string) =>
  post("/session/refresh", { refreshToken }, key === undefined ? {} : { headers: { "idempotency-key": key } })
const lives = async (token: string) => (await get(ALIVE, { token })).status === 200
const renews = async (refreshToken: string) => (await refresh(refreshToken)).status === 200
const listed = (token: string, parameters: object = {}): Promise<Answer> =>
  get(`/api/session/tabularlist${query({ ...paging, ...parameters })}`, { token })
const names = (response: Answer) => response.body.records.map(({ device }: { device: string }) => device)
const idOf = async (name: string) => (await rowsOf(devices)).find((row) => row.name === name)?.id ?? 0

const REFUSED = {
  status: 401,
  body: {
    status: "error",
    code: "session_ended",
    message: "The refresh token is invalid or has expired. Sign in again.",
  },
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: START })
  ada = await user({ email: "ada@example.com", firstName: "Ada", lastName: "Byron" })
})

describe("POST /login with a device", () => {
  it("returns a refresh token too, audits the device, and writes three rows more", async () => {
    const plain = await post("/login", { email: ada.email, password: PASSWORD })
    const response = await post("/login", { email: ada.email, password: PASSWORD, device: "  Ada's phone " })
    expect(response).toMatchObject({
      status: 200,
      body: {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expiresAt: new Date(START + 12 * HOUR).toISOString(),
        refreshToken: expect.stringMatching(/^lr_\d+\.1\.[\w-]{43}$/),
        user: { id: ada.id, firstName: "Ada", lastName: "Byron", email: ada.email, userType: "general" },
      },
    })
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(cost(plain)).toMatchObject({ roundTrips: 2, written: 3 })
    expect(cost(response)).toMatchObject({ roundTrips: 2, written: 6 })
    expect(plain.body).not.toHaveProperty("refreshToken")
    expect((await rowsOf(auditLogs)).map(({ details }) => details)).toEqual([{}, { device: "Ada's phone" }])
    expect(await rowsOf(devices)).toMatchObject([
      { userId: ada.id, name: "Ada's phone", generation: 1, createdAt: START, refreshedAt: START },
    ])
  })

  it("is a plain sign-in with a blank device or from a form", async () => {
    for (const device of ["", " ", null]) {
      const response = await post("/login", { email: ada.email, password: PASSWORD, device })
      expect(response.status).toBe(200)
      expect(response.body).not.toHaveProperty("refreshToken")
    }
    const form = await call("POST", "/login", {
      body: new URLSearchParams({ email: ada.email, password: PASSWORD, device: "Browser" }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect(form.status).toBe(303)
    expect(await rowsOf(devices)).toEqual([])
    const long = await post("/login", { email: ada.email, password: PASSWORD, device: "x".repeat(101) })
    expect(long).toMatchObject({ status: 422, body: { errors: { device: [expect.any(String)] } } })
  })

  it("stores no token in any form", async () => {
    await keepsSecret(async (secret) => {
      const { refreshToken } = await signIn()
      secret("the first refresh token", refreshToken, "POST /login")
      secret("its signature", refreshToken.split(".")[2] ?? "", "POST /login")
      const next = (await refresh(refreshToken, "a-key-of-the-client")).body.refreshToken
      secret("the next one", next, "POST /session/refresh")
      secret("the key that it was asked for under", "a-key-of-the-client")
    })
  })
})

describe("POST /session/refresh", () => {
  it("returns a new access token and refresh token in two round trips and two rows", async () => {
    const opened = await signIn()
    vi.setSystemTime(START + 11 * HOUR)
    const response = await refresh(opened.refreshToken)
    expect(response).toMatchObject({
      status: 200,
      body: {
        expiresAt: new Date(START + 23 * HOUR).toISOString(),
        refreshToken: expect.stringMatching(/^lr_\d+\.2\.[\w-]{43}$/),
        user: { id: ada.id, firstName: "Ada", lastName: "Byron", email: ada.email, userType: "general" },
      },
    })
    expect(cost(response)).toMatchObject({ roundTrips: 2, written: 2 })
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(await lives(opened.token), "the one before goes on").toBe(true)
    vi.setSystemTime(START + 22 * HOUR)
    expect([await lives(opened.token), await lives(response.body.token)]).toEqual([false, true])
    expect((await rowsOf(auditLogs)).length, "the sign-in alone").toBe(1)
  })

  it("can be repeated as long as each call comes within thirty days of the previous one", async () => {
    let { refreshToken } = await signIn()
    for (const day of [29, 58, 87]) {
      vi.setSystemTime(START + day * DAY)
      refreshToken = (await refresh(refreshToken)).body.refreshToken
    }
    vi.setSystemTime(START + (87 + 30) * DAY - MINUTE)
    const last = await refresh(refreshToken)
    expect(last.status).toBe(200)
    vi.setSystemTime(START + (87 + 60) * DAY)
    expect(await refresh(last.body.refreshToken)).toMatchObject(REFUSED)
  })

  it("ends the device with all tokens when a refresh token is used twice", async () => {
    const first = await signIn()
    const other = await signIn("Laptop")
    const second: Opened = (await refresh(first.refreshToken)).body
    const third: Opened = (await refresh(second.refreshToken)).body
    for (const token of [first.token, second.token, third.token]) expect(await lives(token)).toBe(true)
    const deviceId = await idOf("Phone")
    const response = await refresh(first.refreshToken)
    expect(response).toMatchObject(REFUSED)
    expect(cost(response).roundTrips).toBe(2)
    for (const token of [first.token, second.token, third.token]) expect(await lives(token)).toBe(false)
    for (const { refreshToken } of [first, second, third]) expect(await refresh(refreshToken)).toMatchObject(REFUSED)
    expect([await lives(other.token), await renews(other.refreshToken)]).toEqual([true, true])
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({
      action: "deleted",
      subject: "device",
      subjectId: deviceId,
      effectOn: "Phone",
      performedBy: ada.id,
      details: { userId: ada.id, because: "A refresh token was used twice." },
    })
  })

  it("returns the same response for the same Idempotency-Key within ten minutes", async () => {
    const { refreshToken } = await signIn()
    const first = await refresh(refreshToken, "attempt-1")
    vi.setSystemTime(START + 10 * MINUTE - 1)
    const again = await refresh(refreshToken, "attempt-1")
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get("idempotency-replayed")).toBe("true")
    expect(first.headers.get("idempotency-replayed")).toBeNull()
    expect(cost(again)).toMatchObject({ roundTrips: 2, written: 0 })
    vi.setSystemTime(START + 10 * MINUTE)
    expect(await refresh(refreshToken, "attempt-1")).toMatchObject(REFUSED)
    expect(await lives(first.body.token)).toBe(false)
  })

  it("treats another key, or a token whose successor was used, as a second use", async () => {
    const one = await signIn()
    await refresh(one.refreshToken, "a")
    expect(await refresh(one.refreshToken, "b")).toMatchObject(REFUSED)
    expect(await lives(one.token)).toBe(false)

    const two = await signIn()
    const next = await refresh(two.refreshToken, "a")
    await refresh(next.body.refreshToken, "b")
    expect(await refresh(two.refreshToken, "a")).toMatchObject(REFUSED)
    expect(await lives(two.token)).toBe(false)

    const { refreshToken } = await signIn()
    expect((await refresh(refreshToken, "two words")).body.errors).toHaveProperty("Idempotency-Key")
    expect(await renews(refreshToken)).toBe(true)
  })

  it("leaves one consistent state when the same token is used concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const { refreshToken } = await signIn("Race")
      const responses = await Promise.all(Array.from({ length: 4 }, () => refresh(refreshToken)))
      const won = responses.filter(({ status }) => status === 200)
      expect(responses.every(({ status }) => status === 200 || status === 401)).toBe(true)
      expect(won.length).toBeLessThanOrEqual(1)
      for (const { body } of won) {
        expect(await lives(body.token)).toBe(false)
        expect(await renews(body.refreshToken)).toBe(false)
      }
      expect(await rowsOf(devices)).toEqual([])
    }
  })

  it("returns the same response to concurrent calls with one key", async () => {
    const { refreshToken } = await signIn()
    const responses = await Promise.all(Array.from({ length: 4 }, () => refresh(refreshToken, "one")))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(responses.map(({ body }) => body.refreshToken)).size).toBe(1)
    expect(await rowsOf(devices)).toMatchObject([{ generation: 2 }])
    expect(await renews(responses[0]?.body.refreshToken)).toBe(true)
  })

  it("ends nothing for a forged token", async () => {
    const { token, refreshToken } = await signIn()
    await refresh(refreshToken)
    const [head = "", generation = "", signature = ""] = refreshToken.split(".")
    const forged = [
      `${head}.${generation}.${"A".repeat(43)}`,
      `${head}.2.${signature}`,
      `${head}.0.${signature}`,
      `lr_1.1.${signature}`,
      `${refreshToken}x`,
      refreshToken.slice(3),
      token,
      "nonsense",
      `${head}.${generation}.${signature.slice(0, -1)}é`,
    ]
    for (const input of forged) expect(await refresh(input), input).toMatchObject(REFUSED)
    expect(await lives(token)).toBe(true)
  })

  it("reports an invalid body", async () => {
    const wrong = (body: unknown, headers = {}) => post("/session/refresh", body, { headers })
    expect((await wrong("{")).status).toBe(400)
    expect(await wrong({})).toMatchObject({ status: 422, body: { errors: { refreshToken: [expect.any(String)] } } })
    expect((await wrong("lr_", { "content-type": "text/plain" })).status).toBe(415)
    expect((await wrong({ refreshToken: "x".repeat(20_000) })).status).toBe(413)
    expect((await get("/session/refresh")).status).toBe(405)
  })

  it("ignores the Authorization header, whose token has expired by then", async () => {
    const { token, refreshToken } = await signIn()
    vi.setSystemTime(START + 13 * HOUR)
    const response = await post("/session/refresh", { refreshToken }, { token })
    expect(response.status).toBe(200)
    const basic = { authorization: "Basic YTpi" }
    const again = await post("/session/refresh", { refreshToken: response.body.refreshToken }, { headers: basic })
    expect(again.status).toBe(200)
  })
})

describe("end of a device", () => {
  const ended = async (opened: Opened) => [await lives(opened.token), await renews(opened.refreshToken)]

  it("revokes every token of the device when it signs out, and keeps other devices", async () => {
    const phone = await signIn("Phone")
    const laptop = await signIn("Laptop")
    const plain = (await post("/login", { email: ada.email, password: PASSWORD })).body.token
    vi.setSystemTime(START + 6 * HOUR)
    const renewed: Opened = (await refresh(phone.refreshToken)).body
    const response = await call("POST", "/logout", { token: phone.token })
    expect(response).toMatchObject({ status: 200, body: { message: "Signed out." } })
    expect(cost(response)).toMatchObject({ roundTrips: 1, written: 1 })
    expect([await lives(phone.token), await lives(renewed.token)]).toEqual([false, false])
    expect(await refresh(renewed.refreshToken)).toMatchObject(REFUSED)
    expect([await lives(laptop.token), await lives(plain), await renews(laptop.refreshToken)]).toEqual([
      true,
      true,
      true,
    ])
    await evictDurableObject(clientObject(env, userClient(ada.id)))
    vi.setSystemTime(START + 17 * HOUR)
    expect(await lives(renewed.token), "while it would have held").toBe(false)
  })

  it("happens to all devices when the user signs out everywhere", async () => {
    const [phone, laptop] = [await signIn("Phone"), await signIn("Laptop")]
    await post("/logout", { everywhere: true }, { token: phone.token })
    for (const opened of [phone, laptop]) expect(await ended(opened)).toEqual([false, false])
    expect(await rowsOf(devices)).toEqual([])
  })

  it("happens when the user is disabled or deleted, or their password, address, role or factor changes", async () => {
    const { token } = await signedIn("owner")
    const factor = async (id: number) => {
      await db.run(`insert into two_factor (user_id, secret, active, created_at) values (${id}, 'sealed', 1, 0)`)
      return post("/api/user/disableTwoFactorAuth", { user_id: id }, { token })
    }
    const changes: Record<string, (id: number) => Promise<Answer>> = {
      disabled: (id) => put(`/api/user/${id}`, { disabled: true }, { token }),
      deleted: (id) => post("/api/user/delete", { delete_ids: [id] }, { token }),
      password: (id) => put(`/api/user/updatePassword/${id}`, { password: "something else" }, { token }),
      address: (id) => put(`/api/user/${id}`, { email: "another@example.com" }, { token }),
      role: (id) => put(`/api/user/${id}`, { userType: "staff" }, { token }),
      "two-factor": factor,
    }
    for (const [what, change] of Object.entries(changes)) {
      const eve = await user()
      const opened = await signIn("Phone", eve.email)
      expect((await change(eve.id)).status, what).toBe(200)
      expect(await ended(opened), what).toEqual([false, false])
      expect(await rowsOf(devices), what).toEqual([])
    }
  })

  it("happens by the cron after it has expired, together with its last use", async () => {
    await signIn("Old")
    const stub = clientObject(env, userClient(ada.id))
    vi.setSystemTime(START + 29 * DAY)
    const fresh = await signIn("Fresh")
    await lives(fresh.token)
    vi.setSystemTime(START + 30 * DAY)
    await runScheduled(env)
    expect((await rowsOf(devices)).map(({ name }) => name)).toEqual(["Fresh"])
    vi.setSystemTime(START + 60 * DAY)
    await runDurableObjectAlarm(stub)
    const left = await runInDurableObject(stub, async (_, { storage }) => [
      storage.kv.get("used"),
      await storage.getAlarm(),
    ])
    expect(left).toEqual([undefined, null])
  })

  it("is not reported if it failed", async () => {
    const { token, refreshToken } = await signIn()
    const id = await idOf("Phone")
    const { CLIENTS } = env
    const get = (objectId: DurableObjectId) => {
      const stub = CLIENTS.get(objectId)
      return new Proxy(stub, {
        get: (target, name) =>
          name === "endDevices"
            ? () => Promise.reject(new Error("out of reach"))
            : (...input: unknown[]) =>
                (target as unknown as Record<string, (...g: unknown[]) => unknown>)[String(name)]?.(...input),
      })
    }
    Object.assign(env, { CLIENTS: { idFromName: (name: string) => CLIENTS.idFromName(name), get } })
    try {
      expect((await call("POST", "/logout", { token })).status).toBe(503)
      expect((await post("/api/session/delete", { delete_ids: [id] }, { token })).status).toBe(503)
    } finally {
      Object.assign(env, { CLIENTS })
    }
    expect([await lives(token), await renews(refreshToken)]).toEqual([true, true])
  })
})

describe("GET /api/session/tabularlist", () => {
  it("never shows a last use before the sign-in, although uses are rounded to hours", async () => {
    const phone = await signIn("Phone")
    await lives(phone.token)
    expect((await listed(phone.token)).body.records).toMatchObject([
      { created_at: "Jan 05, 2036 12:20 PM", last_used_at: "Jan 05, 2036 12:20 PM" },
    ])
  })

  it("lists the caller's devices, newest first, in one round trip, without plain sign-ins", async () => {
    const phone = await signIn("Phone")
    vi.setSystemTime(START + HOUR)
    const laptop = await signIn("Laptop")
    await post("/login", { email: ada.email, password: PASSWORD })
    await signIn("Another's", (await user()).email)
    vi.setSystemTime(START + 3 * HOUR)
    await lives(phone.token)
    vi.setSystemTime(START + 5 * HOUR)
    const response = await listed(laptop.token)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      recordsTotal: 2,
      recordsFiltered: 2,
      records: [
        {
          id: await idOf("Laptop"),
          device: "Laptop",
          created_at: "Jan 05, 2036 01:20 PM",
          last_used_at: "Jan 05, 2036 05:00 PM",
          expires_at: "Feb 04, 2036 01:20 PM",
          createdAt: iso(START + HOUR),
          lastUsedAt: "2036-01-05T17:00:00.000Z",
          expiresAt: iso(START + HOUR + 30 * DAY),
          current: true,
        },
        {
          id: await idOf("Phone"),
          device: "Phone",
          created_at: "Jan 05, 2036 12:20 PM",
          last_used_at: "Jan 05, 2036 03:00 PM",
          expires_at: "Feb 04, 2036 12:20 PM",
          createdAt: iso(START),
          lastUsedAt: "2036-01-05T15:00:00.000Z",
          expiresAt: iso(START + 30 * DAY),
          current: false,
        },
      ],
    })
    expect(cost(response)).toMatchObject({ roundTrips: 1, written: 0 })
    const byName = await listed(phone.token, { order_by: { colName: "device", direction: "desc" } })
    expect(names(byName)).toEqual(["Phone", "Laptop"])
    expect(names(await listed(phone.token, { page_size: 1, page_number: 2 }))).toEqual(["Phone"])
  })

  it("shows administrators the devices of one user, and other callers only their own", async () => {
    const opened = await signIn("Phone")
    for (const [userType, seen] of [
      ["owner", ["Phone"]],
      ["admin", ["Phone"]],
      ["staff", []],
      ["group_admin", []],
      ["general", []],
    ] as const) {
      const { token } = await signedIn(userType)
      expect(names(await listed(token, { user_id: ada.id })), userType).toEqual(seen)
      expect(names(await listed(token)), userType).toEqual([])
    }
    expect(names(await listed(opened.token, { user_id: ada.id }))).toEqual(["Phone"])
  })

  it("keeps the last use through evictions, with one row per hour", async () => {
    const { token } = await signIn()
    expect(objectCost(await get(ALIVE, { token })).written, "with its alarm").toBe(2)
    for (let i = 0; i < 5; i++) expect(objectCost(await get(ALIVE, { token })).written).toBe(0)
    vi.setSystemTime(START + HOUR)
    expect(objectCost(await get(ALIVE, { token })).written).toBe(1)
    await evictDurableObject(clientObject(env, userClient(ada.id)))
    expect((await listed(token)).body.records[0].last_used_at).toBe("Jan 05, 2036 01:00 PM")
  })

  it("requires a session under every policy", async () => {
    expect((await get(`/api/session/tabularlist${query(paging)}`)).status).toBe(302)
    expect((await post("/api/session/delete", { delete_ids: [1] })).status).toBe(302)
  })
})

describe("POST /api/session/delete", () => {
  it("ends the selected devices immediately, counts unknown ids and writes audit rows", async () => {
    const [phone, tablet, laptop] = [await signIn("Phone"), await signIn("Tablet"), await signIn("Laptop")]
    const ids = [await idOf("Phone"), await idOf("Tablet")]
    const response = await post("/api/session/delete", { delete_ids: [...ids, 7] }, { token: laptop.token })
    expect(response).toMatchObject({ status: 200, body: { message: "2 sessions ended. 1 id unknown." } })
    expect(cost(response).roundTrips).toBe(2)
    for (const { token } of [phone, tablet]) expect(await lives(token)).toBe(false)
    for (const { refreshToken } of [phone, tablet]) expect(await refresh(refreshToken)).toMatchObject(REFUSED)
    expect([await lives(laptop.token), await renews(laptop.refreshToken)]).toEqual([true, true])
    expect((await rowsOf(auditLogs)).slice(-2)).toMatchObject([
      { action: "deleted", subject: "device", performedBy: ada.id, details: { userId: ada.id } },
      { action: "deleted", subject: "device", performedBy: ada.id, details: { userId: ada.id } },
    ])
    const again = await post("/api/session/delete", { delete_ids: ids }, { token: laptop.token })
    expect(again.body).toEqual({ message: "0 sessions ended. 2 ids unknown." })
  })

  it("ends the caller's own devices, and those of users they may change as administrators", async () => {
    const owner = await user({ userType: "owner" })
    for (const [userType, of, ends] of [
      ["general", ada, false],
      ["group_admin", ada, false],
      ["staff", ada, false],
      ["admin", ada, true],
      ["admin", owner, false],
      ["owner", owner, true],
    ] as const) {
      const opened = await signIn("Theirs", of.email)
      const { token } = await signedIn(userType)
      const response = await post("/api/session/delete", { delete_ids: [await idOf("Theirs")] }, { token })
      expect(response.body.message, userType).toBe(ends ? "1 session ended." : "0 sessions ended. 1 id unknown.")
      expect(await lives(opened.token), userType).toBe(!ends)
      await db.delete(devices)
    }
    const own = await signIn("Own")
    await post("/api/session/delete", { delete_ids: [await idOf("Own")] }, { token: own.token })
    expect(await lives(own.token)).toBe(false)
  })
})
