import { env, exports } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { devices } from "../../drizzle/schema/devices.ts"
import { sessionRevocations } from "../../drizzle/schema/system.ts"
import { retryRevocations } from "../../src/access/revocations.ts"
import { openDatabase } from "../../src/db/client.ts"
import { DAY, HOUR } from "../../src/lib/clock.ts"
import { db, PASSWORD, rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, get, objectCost, post } from "../helpers/client.ts"

const PEOPLE = 5000
const FIRST = 100_001

/** So many people who have not signed in lately, and their ids. */
async function people(count: number, lastLoginAt = 0) {
  await db.run(sql`
    with recursive n (i) as (select ${FIRST} union all select i + 1 from n where i < ${FIRST + count - 1})
    insert into users (id, first_name, email, user_type, search_text, last_login_at, created_at)
    select i, 'Ada', 'u' || i || '@example.com', 'general', '', ${lastLoginAt}, 1 from n`)
  return Array.from({ length: count }, (_, i) => FIRST + i)
}

const lookup = (token: string) => get("/api/userType/lookup", { token })
const cron = () => retryRevocations(env, openDatabase(env.DB, "first-primary"))

type Objects = { idFromName: (name: string) => unknown; get: (id: unknown) => Record<string, unknown> }

/**
 * Runs a function while `way` replaces the delivery of revocations to Durable Objects.
 * @returns the names of the notified objects in order
 */
async function withNotifications(
  way: (name: string, notify: () => Promise<unknown>) => Promise<unknown>,
  run: (notified: readonly string[]) => Promise<unknown>,
) {
  const { CLIENTS } = env
  const notified: string[] = []
  const real = CLIENTS as unknown as Objects
  const named = new Map<unknown, string>()
  const idFromName = (name: string) => {
    const id = real.idFromName(name)
    named.set(id, name)
    return id
  }
  const around = (id: unknown) =>
    new Proxy(real.get(id), {
      get: (stub, method) =>
        method === "revoke"
          ? (revocation: string) => {
              const name = named.get(id) ?? ""
              notified.push(name)
              return way(name, () => (stub.revoke as (word: string) => Promise<unknown>)(revocation))
            }
          : (...input: unknown[]) => (stub[method as string] as (...input: unknown[]) => unknown)(...input),
    })
  Object.assign(env, { CLIENTS: { idFromName, get: around } })
  try {
    await run(notified)
  } finally {
    Object.assign(env, { CLIENTS })
  }
  return notified
}
const normally = (_: string, notify: () => Promise<unknown>) => notify()

describe("ending the sessions of 5,000 users", () => {
  it.each(["disabled", "deleted"])(
    "notifies only the Durable Objects of signed-in users when users are %s",
    async (how) => {
      const admin = await signedIn("owner")
      const ids = await people(PEOPLE - 3)
      const signed = [await signedIn("general"), await signedIn("staff"), await signedIn("group_admin")]
      for (const { token } of signed) expect((await lookup(token)).status).toBe(200)
      const all = [...ids, ...signed.map(({ id }) => id)]
      const response =
        how === "disabled"
          ? await post("/api/user/quickEdit", { user_ids: all, disabled: true }, admin)
          : await post("/api/user/delete", { delete_ids: all }, admin)
      expect(response.status, JSON.stringify(response.body).slice(0, 200)).toBe(200)
      expect(cost(response).roundTrips).toBe(2)
      // One call for the rate limit of the caller.
      expect(objectCost(response).calls).toBe(1 + signed.length)
      for (const { token } of signed) expect((await lookup(token)).status).toBe(401)
      expect(await rowsOf(sessionRevocations)).toHaveLength(PEOPLE)
      const notified = await withNotifications(normally, cron)
      expect(notified.toSorted()).toEqual(signed.map(({ id }) => `user:${id}`).toSorted())
      expect(await withNotifications(normally, cron)).toEqual([])
    },
  )

  it("responds after half a second and notifies the remaining Durable Objects later", async () => {
    const admin = await signedIn("owner")
    const ids = await people(1000, Date.now())
    const slowly = async (_: string, notify: () => Promise<unknown>) => {
      await scheduler.wait(100)
      return notify()
    }
    const notified = await withNotifications(slowly, async (soFar) => {
      const response = await post("/api/user/quickEdit", { user_ids: ids, disabled: true }, admin)
      expect(response.status).toBe(200)
      expect(soFar.length).toBeLessThan(1000)
      await vi.waitUntil(() => soFar.length === 1000, { timeout: 30_000 })
      await scheduler.wait(300)
    })
    expect(new Set(notified).size).toBe(1000)
    await cron()
    const pending = (await rowsOf(sessionRevocations)).filter((row) => row.pending)
    expect(pending).toEqual([])
  })
})

describe("one request", () => {
  it("notifies at most 2,000 Durable Objects; the cron notifies the rest", async () => {
    const admin = await signedIn("owner")
    const ids = await people(PEOPLE, Date.now())
    const unreachable = async () => undefined
    const notified = await withNotifications(unreachable, async (soFar) => {
      const response = await post("/api/user/quickEdit", { user_ids: ids, disabled: true }, admin)
      expect(response.status).toBe(200)
      await vi.waitUntil(() => soFar.length >= 2000, { timeout: 30_000 })
      await scheduler.wait(300)
    })
    expect(notified).toHaveLength(2000)
    const later = await withNotifications(unreachable, cron)
    expect(later).toHaveLength(PEOPLE)
    expect((await rowsOf(sessionRevocations)).filter((row) => row.pending)).toEqual([])
  })
})

describe("a Durable Object is notified of an ended session", () => {
  it.each([
    ["if the user signed in within the lifetime of a token", -12 * HOUR, true],
    ["not if the user signed in earlier", -14 * HOUR, false],
  ])("%s", async (_, ago, isNotified) => {
    const admin = await signedIn("owner")
    const ada = await user({ lastLoginAt: Date.now() + ago })
    const notified = await withNotifications(normally, () =>
      post("/api/user/quickEdit", { user_ids: [ada.id], disabled: true }, admin),
    )
    expect(notified).toEqual(isNotified ? [`user:${ada.id}`] : [])
  })

  it("if a device was refreshed within the lifetime of a token, even when the change deletes the device", async () => {
    const admin = await signedIn("owner")
    const ada = await user({ lastLoginAt: Date.now() - 5 * DAY })
    const row = { id: 1, userId: ada.id, name: "Phone", createdAt: 1, refreshedAt: Date.now() - HOUR }
    await db.insert(devices).values(row)
    const notified = await withNotifications(normally, () => post("/api/user/delete", { delete_ids: [ada.id] }, admin))
    expect(notified).toEqual([`user:${ada.id}`])
    expect(await rowsOf(devices)).toEqual([])
  })

  it("if the user signed in on the sign-in page or refreshed a device", async () => {
    const admin = await signedIn("owner")
    const ada = await user()
    const opened = await post("/login", { email: ada.email, password: PASSWORD, device: "Phone" })
    const refreshed = await post("/session/refresh", { refreshToken: opened.body.refreshToken })
    expect([opened.status, refreshed.status]).toEqual([200, 200])
    await post("/api/user/quickEdit", { user_ids: [ada.id], disabled: true }, admin)
    for (const { token } of [opened.body, refreshed.body]) expect((await lookup(token)).status).toBe(401)
  })
})

describe("Durable Object that cannot be reached", () => {
  it("is notified by the cron until it confirms, without notifying others again", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {})
    const admin = await signedIn("owner")
    const [ada, bob] = [await signedIn("general"), await signedIn("general")]
    const adasIsAway = (name: string, notify: () => Promise<unknown>) =>
      name === `user:${ada.id}` ? Promise.reject(new Error("out of reach")) : notify()
    await withNotifications(adasIsAway, async () => {
      const ids = [ada.id, bob.id]
      expect((await post("/api/user/quickEdit", { user_ids: ids, disabled: true }, admin)).status).toBe(200)
    })
    expect((await lookup(bob.token)).status).toBe(401)
    expect(await withNotifications(adasIsAway, cron)).toEqual([`user:${ada.id}`, `user:${bob.id}`])
    for (let minutes = 1; minutes <= 10; minutes++)
      expect(await withNotifications(adasIsAway, cron), `${minutes}`).toEqual([`user:${ada.id}`])
    expect(await withNotifications(normally, cron)).toEqual([`user:${ada.id}`])
    expect(await withNotifications(normally, cron)).toEqual([])
    expect((await lookup(ada.token)).status).toBe(401)
    logged.mockRestore()
  })

  it("admits no ended session, because the database is checked instead", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {})
    const admin = await signedIn("owner")
    const [ada, bob] = [await signedIn("general"), await signedIn("general")]
    await withNotifications(
      () => Promise.reject(new Error("out of reach")),
      async () => {
        await post("/api/user/quickEdit", { user_ids: [ada.id], disabled: true }, admin)
      },
    )
    const { CLIENTS } = env
    const erased = () => {
      throw new Error("out of reach")
    }
    Object.assign(env, { CLIENTS: { idFromName: erased } })
    try {
      const statusFor = async (token: string, path: string) => {
        const headers = { authorization: `Bearer ${token}` }
        return (await exports.default.fetch(`https://lectern.test${path}`, { headers })).status
      }
      expect(await statusFor(ada.token, "/api/userType/lookup")).toBe(401)
      expect(await statusFor(ada.token, `/api/user/${ada.id}`)).toBe(401)
      expect(await statusFor(bob.token, "/api/userType/lookup")).toBe(200)
    } finally {
      Object.assign(env, { CLIENTS })
      logged.mockRestore()
    }
  })
})
