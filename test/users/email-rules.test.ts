import { env } from "cloudflare:workers"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { emailRules } from "../../drizzle/schema/email-rules.ts"
import { users } from "../../drizzle/schema/users.ts"
import { openDatabase } from "../../src/db/client.ts"
import { refusedAddresses } from "../../src/modules/users/email-rules.queries.ts"
import { portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, get, post, put } from "../helpers/client.ts"

const PATH = "/api/user/blockedEmailsAndDomains"
const set = (body: object, options = {}) => put(PATH, body, options)
const read = (search = "", options = {}) => get(`/api/user/getBlockedEmailsAndDomains${search}`, options)
const create = (email: string) =>
  post("/api/user/create", {
    firstName: "Ada",
    email,
    password: "analytical engine",
    password_confirmation: "analytical engine",
  })

describe("blocked and allowed emails", () => {
  it("are empty until set, and are read in one and set in two round trips, for academy and portal", async () => {
    const empty = await read()
    expect(empty.body).toEqual({ blocked: [], allowed: [] })
    expect(cost(empty).roundTrips).toBe(1)
    const { id } = await portal({ name: "North" })

    const saved = await set({
      blocked: ["Spam.example", "@mail.example", "*.junk.example", "eve@ok.example", "spam.example"],
    })
    expect(saved.body).toEqual({ message: "Blocked and allowed emails updated." })
    expect(cost(saved).roundTrips).toBe(2)
    await set({ portalId: id, allowed: "north.example, south.example" })
    expect((await read()).body).toEqual({
      blocked: ["eve@ok.example", "junk.example", "mail.example", "spam.example"],
      allowed: [],
    })
    expect((await read(`?portalId=${id}`)).body).toEqual({ blocked: [], allowed: ["north.example", "south.example"] })
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject, row.effectOn])).toEqual([
      ["updated", "blocked emails", "everywhere"],
      ["updated", "blocked emails", "North"],
    ])
  })

  it("keep an omitted list and clear a list that is sent empty", async () => {
    await set({ blocked: ["a.example"], allowed: ["b.example"] })
    await set({ allowed: ["c.example"] })
    expect((await read()).body).toEqual({ blocked: ["a.example"], allowed: ["c.example"] })
    await set({ blocked: [] })
    expect((await read()).body).toEqual({ blocked: [], allowed: ["c.example"] })
    const writes = (await rowsOf(auditLogs)).length
    await set({})
    expect(await rowsOf(auditLogs)).toHaveLength(writes)
  })

  it("reject an invalid entry, an entry in both lists and an unknown portal, and write nothing", async () => {
    for (const entry of ["nonsense", "a b.example", "a@b@c.example", "-x.example", ""]) {
      const response = await set({ blocked: ["ok.example", entry, "x"] })
      expect(response.status, entry).toBe(422)
    }
    const both = await set({ blocked: ["a.example"], allowed: ["a.example"] })
    expect(both.body.message).toBe("allowed and blocked both contain a.example. Keep each entry in one list.")
    expect(await set({ blocked: ["a.example"], portalId: 9 })).toMatchObject({ status: 404 })
    expect(await read("?portalId=9")).toMatchObject({ status: 404 })
    expect(await read("?portalId=x")).toMatchObject({ status: 422 })
    expect(await rowsOf(emailRules)).toEqual([])
    expect(await rowsOf(auditLogs)).toEqual([])
  })

  it("are not overwritten with the ETag of lists that have changed, at two levels", async () => {
    const { id: portalId } = await portal()
    for (const level of [{}, { portalId }]) {
      const search = "portalId" in level ? `?portalId=${portalId}` : ""
      const tag = async () => ({ headers: { "if-match": (await read(search)).headers.get("etag") ?? "" } })
      const empty = await tag()
      const saved = await set({ ...level, blocked: ["a.example"] }, empty)
      expect(saved.status).toBe(200)
      expect(cost(saved).roundTrips).toBe(2)
      expect((await set({ ...level, blocked: [], allowed: ["b.example"] }, empty)).body.code).toBe(
        "precondition_failed",
      )
      expect((await set({ ...level, allowed: ["b.example"] }, await tag())).status).toBe(200)
      expect((await read(search)).body).toEqual({ blocked: ["a.example"], allowed: ["b.example"] })
    }
  })

  it("are set once by parallel changes with the same ETag", async () => {
    const headers = { "if-match": (await read()).headers.get("etag") ?? "" }
    const answers = await Promise.all(
      ["a.example", "b.example", "c.example"].map((entry) => set({ blocked: [entry] }, { headers })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412])
    expect(await rowsOf(emailRules)).toHaveLength(1)
  })

  it("can be read by staff and set by admins", async () => {
    expect((await read("", await signedIn("group_admin"))).status).toBe(403)
    const staff = await signedIn("staff")
    expect((await read("", staff)).status).toBe(200)
    expect((await set({ blocked: [] }, staff)).status).toBe(403)
    expect((await set({ blocked: [] }, await signedIn("admin"))).status).toBe(200)
  })

  it("apply to new accounts, including subdomains, within the two round trips of the creation", async () => {
    await set({ blocked: ["spam.example", "eve@ok.example"] })
    for (const email of ["a@spam.example", "A@SPAM.example", "a@deep.spam.example", "Eve@ok.example"]) {
      const response = await create(email)
      expect(response, email).toMatchObject({
        status: 422,
        body: { errors: { email: [expect.stringContaining("blocked")] } },
      })
    }
    expect(await rowsOf(users)).toEqual([])
    const created = await create("a@notspam.example")
    expect(created.status).toBe(200)
    expect(cost(created).roundTrips).toBe(2)
    expect((await create("adam@ok.example")).status).toBe(200)
  })

  it("let the most specific entry decide, and accept only allowed entries if there are any", async () => {
    await set({
      blocked: ["bad@good.example", "mail.example"],
      allowed: ["good.example", "friend@mail.example", "in.mail.example"],
    })
    const addresses = {
      "a@good.example": true,
      "a@sub.good.example": true,
      "bad@good.example": false,
      "friend@mail.example": true,
      "a@mail.example": false,
      "a@in.mail.example": true,
      "a@elsewhere.example": false,
    }
    const db = openDatabase(env.DB, "first-primary")
    const [refused] = await db.batch([refusedAddresses(db, Object.keys(addresses))])
    const expected = Object.entries(addresses).flatMap(([address, passes]) => (passes ? [] : [address]))
    expect(refused.map((row) => row.address).sort()).toEqual(expected.sort())
  })

  it("check 5,000 addresses in one statement", async () => {
    await set({ blocked: ["spam.example"] })
    const addresses = Array.from({ length: 5000 }, (_, i) => `u${i}@${i % 10 === 0 ? "spam" : "ok"}.example`)
    const db = openDatabase(env.DB, "first-primary")
    const [refused] = await db.batch([refusedAddresses(db, addresses)])
    expect(refused).toHaveLength(500)
    expect(db.meter.trips).toBe(1)
  })

  it("apply to changed addresses, with the user's portals, and accept an unchanged address", async () => {
    const ada = await user({ email: "ada@spam.example" })
    const other = await user()
    const { id } = await portal({ members: [ada.id] })
    await set({ blocked: ["spam.example"] })
    await set({ portalId: id, allowed: ["north.example"] })
    const change = (userId: number, body: object) => put(`/api/user/${userId}`, body)
    expect((await change(ada.id, { firstName: "Augusta", email: "Ada@spam.example" })).status).toBe(200)
    expect((await change(ada.id, { email: "eve@spam.example" })).body.errors).toHaveProperty("email")
    expect((await change(ada.id, { email: "ada@ok.example" })).body.errors).toHaveProperty("email")
    const moved = await change(ada.id, { email: "ada@north.example" })
    expect(moved.status).toBe(200)
    expect(cost(moved).roundTrips).toBe(2)
    expect((await change(other.id, { email: "ada@ok.example" })).status).toBe(200)
  })
})
