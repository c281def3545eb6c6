/// <reference types="vite/client" />
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { badges, gamificationAwards, userBadges } from "../../drizzle/schema/badges.ts"
import { userScores } from "../../drizzle/schema/leaderboard.ts"
import { badgeColumns } from "../../src/modules/gamification/badge-fields.ts"
import { DEFAULT_ICONS } from "../../src/modules/gamification/badges.schemas.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const ICON = "https://cdn.example.com/star.svg"
const create = (overrides: object = {}, options = {}) =>
  post("/api/badge/create", { title: "Explorer", badgeIconUrl: ICON, ...overrides }, options)
const list = (parameters = {}) =>
  get(`/api/badges/tabularlist${query({ page_size: 10, page_number: 1, ...parameters })}`)
const award = (id: unknown, userIds: unknown, options = {}) =>
  post("/api/badge/award", { id, user_ids: userIds }, options)
const badgesOf = (userId: number, options = {}) => get(`/api/user/badges/${userId}`, options)

describe("badges", () => {
  it("are created, read and updated with every field", async () => {
    const created = await create({ points: 25, defaultIconUrl: "/assets/badge-star.svg", organizationId: "org-7" })
    expect(created.body).toEqual({ id: 1, message: "Badge created." })
    expect(cost(created).roundTrips).toBe(1)
    const read = await get("/api/badge/1")
    expect(read.body).toEqual({
      id: 1,
      title: "Explorer",
      badgeIconUrl: ICON,
      defaultIconUrl: "https://lectern.test/assets/badge-star.svg",
      points: 25,
      organizationId: "org-7",
    })
    expect(cost(read).roundTrips).toBe(1)
    const changed = await put("/api/badge/1", { title: "Pathfinder", badgeIconUrl: ICON, organizationId: 12 })
    expect(changed.body).toEqual({ id: 1, message: "Badge updated." })
    expect((await get("/api/badge/1")).body).toMatchObject({ title: "Pathfinder", points: 25, organizationId: 12 })
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject, row.effectOn])).toEqual([
      ["created", "badge", "Explorer"],
      ["updated", "badge", "Pathfinder"],
    ])
    await put("/api/badge/1", { title: "Pathfinder", badgeIconUrl: ICON, organizationId: "", points: 0 })
    expect((await get("/api/badge/1")).body).toMatchObject({ points: 0, organizationId: null })
    await create()
    expect((await get("/api/badge/2")).body).toMatchObject({ points: 0, defaultIconUrl: null, organizationId: null })
  })

  it("require a title, an icon URL and points of at least 0", async () => {
    for (const [wrong, field] of [
      [{ title: "" }, "title"],
      [{ title: "x".repeat(101) }, "title"],
      [{ badgeIconUrl: undefined }, "badgeIconUrl"],
      [{ badgeIconUrl: "javascript:alert(1)" }, "badgeIconUrl"],
      [{ badgeIconUrl: "//evil.example/a.svg" }, "badgeIconUrl"],
      [{ points: -1 }, "points"],
      [{ points: 1.5 }, "points"],
      [{ points: 1_000_001 }, "points"],
      [{ organizationId: {} }, "organizationId"],
    ] as const) {
      const { status, body } = await create(wrong)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]])
    }
    await create()
    expect((await put("/api/badge/1", { title: "A" })).body.errors).toHaveProperty("badgeIconUrl")
    expect((await put("/api/badge/9", { title: "A", badgeIconUrl: ICON })).status).toBe(404)
    expect((await get("/api/badge/9")).status).toBe(404)
  })

  it("are sorted by every column and found by a part of the title, in one round trip", async () => {
    for (const [title, points] of [
      ["beta", 5],
      ["Alpha", 10],
      ["Gamma", 0],
    ])
      await create({ title, points })
    expect((await list()).body).toEqual({
      recordsTotal: 3,
      recordsFiltered: 3,
      records: [
        { id: 2, title: "Alpha", badgeIconUrl: ICON, points: 10 },
        { id: 1, title: "beta", badgeIconUrl: ICON, points: 5 },
        { id: 3, title: "Gamma", badgeIconUrl: ICON, points: 0 },
      ],
    })
    for (const colName of Object.keys(badgeColumns.sort)) {
      const response = await list({ order_by: { colName, direction: "desc" } })
      expect(response.body.records).toHaveLength(3)
      expect(cost(response).roundTrips).toBe(1)
    }
    expect((await list({ search_param: { title: "PH" } })).body).toMatchObject({
      recordsTotal: 3,
      recordsFiltered: 1,
      records: [{ title: "Alpha" }],
    })
  })

  it("have default icons, which all exist as static files", async () => {
    const drawn = import.meta.glob<string>("../../src/modules/gamification/icons/*.svg", {
      query: "?raw",
      import: "default",
    })
    expect(
      Object.keys(drawn)
        .map((path) => /(\w+)\.svg$/.exec(path)?.[1])
        .sort(),
    ).toEqual([...DEFAULT_ICONS].sort())
    const { token } = await signedIn("general")
    const { body } = await get("/api/badges/defaultBadgeLookUp", { token })
    expect(body).toHaveLength(DEFAULT_ICONS.length)
    expect(body[0]).toEqual({ value: "star", url: "https://lectern.test/assets/badge-star.svg" })
    for (const load of Object.values(drawn)) expect(await load()).toMatch(/^<svg xmlns=.*<\/svg>\n$/s)
    for (const badgeIconUrl of [body[0].url, "/assets/badge-star.svg"]) {
      const created = await create({ badgeIconUrl })
      const read = await get(`/api/badge/${created.body.id}`)
      expect(read.body.badgeIconUrl).toBe(body[0].url)
      expect((await list()).body.records).toContainEqual(expect.objectContaining({ badgeIconUrl: body[0].url }))
      expect(cost(await put(`/api/badge/${created.body.id}`, read.body)).written).toBe(0)
    }
    expect((await rowsOf(badges)).map((row) => row.badgeIconUrl)).toEqual(Array(2).fill("/assets/badge-star.svg"))
  })

  it("are deleted unless a user or an event uses them, with exact counts", async () => {
    for (let i = 0; i < 4; i++) await create({ title: `Badge ${i + 1}` })
    const person = await user()
    await award(1, [person.id])
    await post("/api/gamification-event/create", { name: "Login", type: "login", badgeId: 2 })
    await post("/api/gamification-event/create", { name: "Login", type: "login", badgeId: 1 })
    const response = await post("/api/badge/delete", { id: [1, 2, 3, 4, 99] })
    expect(response.body).toEqual({
      message:
        "2 badges deleted. 1 not deleted: assigned to users. 1 not deleted: gamification events use them. 1 " +
        "id unknown.",
    })
    expect(cost(response).roundTrips).toBe(2)
    expect((await rowsOf(badges)).map((row) => row.id)).toEqual([1, 2])
    expect((await list()).body.recordsTotal).toBe(2)
    expect((await rowsOf(auditLogs)).filter((row) => row.action === "deleted").map((row) => row.effectOn)).toEqual([
      "Badge 3",
      "Badge 4",
    ])
    await post("/api/user/delete", { delete_ids: [person.id] })
    await post("/api/gamification-event/delete", { delete_ids: [1, 2] })
    expect((await post("/api/badge/delete", { id: "1,2" })).body.message).toMatch(/^2 badges deleted\. 0 not.* 0 not/)
    expect((await post("/api/badge/delete", {})).body.errors).toHaveProperty("id")
  })

  it("are awarded manually with their points and one audit row per user, and counted each time", async () => {
    const { token, id: staffId } = await signedIn("staff")
    const one = await user({ firstName: "Ada", lastName: "Byron" })
    const two = await user()
    await create({ points: 40 })
    await create({ title: "Helper", points: 5 })
    const response = await award(1, [one.id, two.id, 999, one.id], { token })
    expect(response.body).toEqual({ message: "Explorer awarded to 2 users. 1 id unknown.", awarded: 2, skipped: 1 })
    expect(cost(response).roundTrips).toBe(2)
    await award(2, [one.id], { token })
    await put("/api/badge/1", { title: "Explorer", badgeIconUrl: ICON, points: 100 })
    await award(1, [one.id], { token })
    const mine = await badgesOf(one.id)
    expect(mine.body).toMatchObject([
      { id: 1, title: "Explorer", badgeIconUrl: ICON, points: 100, count: 2 },
      { id: 2, title: "Helper", count: 1 },
    ])
    expect(cost(mine).roundTrips).toBe(1)
    expect(await rowsOf(userScores)).toMatchObject([
      { userId: one.id, points: 145, badgeCount: 3 },
      { userId: two.id, points: 40, badgeCount: 1 },
    ])
    expect((await rowsOf(gamificationAwards))[0]).toMatchObject({
      cause: "hand",
      awardedBy: staffId,
      eventId: null,
      points: 40,
    })
    const audited = (await rowsOf(auditLogs)).filter((row) => row.subject === "badge award")
    expect(audited.map((row) => [row.subjectId, row.effectOn, row.details])).toEqual([
      [one.id, "Ada Byron", { badgeId: 1, title: "Explorer" }],
      [two.id, expect.any(String), { badgeId: 1, title: "Explorer" }],
      [one.id, "Ada Byron", { badgeId: 2, title: "Helper" }],
      [one.id, "Ada Byron", { badgeId: 1, title: "Explorer" }],
    ])
  })

  it("are awarded once per Idempotency-Key, and not if the badge is unknown", async () => {
    const { id } = await user()
    await create({ points: 10 })
    const headers = { "idempotency-key": "again" }
    const [first, second] = [await award(1, [id], { headers }), await award(1, [id], { headers })]
    expect(second.body).toEqual(first.body)
    expect((await badgesOf(id)).body).toMatchObject([{ count: 1 }])
    expect((await award(7, [id])).status).toBe(404)
    expect((await award(1, "x")).body.errors).toHaveProperty("user_ids.0")
    expect((await award(1, [999])).body).toEqual({
      message: "Explorer awarded to 0 users. 1 id unknown.",
      awarded: 0,
      skipped: 1,
    })
    expect(await rowsOf(gamificationAwards)).toHaveLength(1)
  })

  it("are awarded to 500 users in two round trips, and deleted with their user", async () => {
    await create({ points: 1 })
    const people = []
    for (let i = 0; i < 500; i++) people.push((await user({ passwordHash: null })).id)
    const response = await award(1, people)
    expect(response.body).toMatchObject({ awarded: 500, skipped: 0 })
    expect(cost(response).roundTrips).toBe(2)
    expect(await rowsOf(userBadges)).toHaveLength(500)
    await post("/api/user/delete", { delete_ids: people.slice(0, 400) })
    expect(await rowsOf(userBadges)).toHaveLength(100)
    expect(await rowsOf(gamificationAwards)).toHaveLength(100)
    expect(await rowsOf(userScores)).toHaveLength(100)
  })

  it("are visible only to their user, the user's supervisors and staff", async () => {
    const me = await signedIn("general")
    const other = await signedIn("general")
    const boss = await signedIn("group_admin")
    await group({ admins: [boss.id], members: [me.id] })
    await create()
    await award(1, [me.id, other.id])
    for (const { token } of [me, boss, await signedIn("staff")])
      expect((await badgesOf(me.id, { token })).body).toHaveLength(1)
    expect((await badgesOf(other.id, me)).status).toBe(404)
    expect((await badgesOf(other.id, boss)).status).toBe(404)
    expect((await badgesOf(999)).status).toBe(404)
    expect((await badgesOf((await user()).id)).body).toEqual([])
    for (const { token } of [me, boss]) {
      expect((await award(1, [me.id], { token })).status).toBe(403)
      expect((await create({}, { token })).status).toBe(403)
      expect((await get("/api/badge/1", { token })).status).toBe(403)
    }
    expect(await db.select().from(gamificationAwards)).toHaveLength(2)
  })
})
