import { sql } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { leaderboardRefreshes, scoreCounts, userScores } from "../../drizzle/schema/leaderboard.ts"
import { derivedColumns, incorrectRows } from "../../drizzle/triggers/derived-data.ts"
import { limitedColumns } from "../../drizzle/triggers/limited-data.ts"
import { HOUR } from "../../src/lib/clock.ts"
import { batchesOf, deliverJob, runJobs } from "../factories/background-jobs.ts"
import { withFault } from "../factories/faults.ts"
import { db, group, PASSWORD, portal, rowsOf, signedIn, type UserRow, user } from "../factories/index.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"
import { messages } from "../helpers/queues.ts"

const board = (userId: number, parameters = {}, options = {}) =>
  get(`/api/user/leaderboard/${userId}${query(parameters)}`, options)
const award = (userId: number, points: number) =>
  db.run(
    sql`insert into gamification_awards (user_id, cause, points, awarded_at) values (${userId}, 'hand', ${points}, 1)`,
  )
const ranks = (body: { rankedUsers: { id: number; rank: number }[] }) =>
  body.rankedUsers.map((row) => [row.id, row.rank])

/** Creates one user for each number of points. */
async function people(...points: number[]) {
  const rows: UserRow[] = []
  for (const of of points) {
    const row = await user()
    if (of > 0) await award(row.id, of)
    rows.push(row)
  }
  return rows
}

describe("the leaderboard", () => {
  it("ranks by points with shared ranks, and returns a user's rank and tier", async () => {
    const [a, b, c, d, e] = await people(300, 700, 300, 20, 0)
    if (!a || !b || !c || !d || !e) throw new Error("No people")
    const response = await board(c.id)
    expect(response.body).toEqual({
      rankedUsers: [
        { id: b.id, rank: 1, firstName: "Learner", lastName: b.lastName, points: 700, badgeCount: 0 },
        { id: a.id, rank: 2, firstName: "Learner", lastName: a.lastName, points: 300, badgeCount: 0 },
        { id: c.id, rank: 2, firstName: "Learner", lastName: c.lastName, points: 300, badgeCount: 0 },
        { id: d.id, rank: 4, firstName: "Learner", lastName: d.lastName, points: 20, badgeCount: 0 },
      ],
      userTier: "Bronze",
      userRank: 2,
    })
    expect(cost(response).roundTrips).toBe(1)
    const last = (await board(e.id)).body
    expect(last).toMatchObject({ userTier: "Newcomer", userRank: 5 })
    expect(last.rankedUsers.at(-1)).toMatchObject({ id: e.id, rank: 5, points: 0 })
    expect((await board(b.id)).body).toMatchObject({ userTier: "Silver", userRank: 1 })
  })

  it("starts each tier at its points", async () => {
    const expected = [
      [99, "Newcomer"],
      [100, "Bronze"],
      [499, "Bronze"],
      [500, "Silver"],
      [1500, "Gold"],
      [4999, "Gold"],
      [5000, "Platinum"],
    ] as const
    const all = await people(...expected.map(([points]) => points))
    for (const [index, { id }] of all.entries()) expect((await board(id)).body.userTier).toBe(expected[index]?.[1])
  })

  it("returns the requested number of users, and the user with the exact rank", async () => {
    const all = await people(50, 40, 30, 30, 10)
    const [first, second, , , last] = all
    expect(ranks((await board(last?.id ?? 0, { page_size: 2 })).body)).toEqual([
      [first?.id, 1],
      [second?.id, 2],
      [last?.id, 5],
    ])
    expect(ranks((await board(first?.id ?? 0, { page_size: 2 })).body)).toHaveLength(2)
    for (const size of [-1, 501, "x"]) expect((await board(1, { page_size: size })).status).toBe(422)
  })

  it("excludes disabled and deleted users, and includes users who are enabled again", async () => {
    const [a, b, c] = await people(30, 20, 10)
    if (!a || !b || !c) throw new Error("No people")
    await put(`/api/user/${a.id}`, { disabled: true })
    expect(ranks((await board(c.id)).body)).toEqual([
      [b.id, 1],
      [c.id, 2],
    ])
    await award(a.id, 5)
    await put(`/api/user/${a.id}`, { disabled: false })
    expect((await board(c.id)).body).toMatchObject({ userRank: 3, rankedUsers: [{ id: a.id, points: 35 }, {}, {}] })
    await post("/api/user/delete", { delete_ids: [a.id, b.id] })
    expect(ranks((await board(c.id)).body)).toEqual([[c.id, 1]])
    expect((await rowsOf(scoreCounts)).filter((row) => row.level === 0 && row.users !== 0)).toMatchObject([
      { bucket: 10, users: 1 },
    ])
  })

  it("shows the names of members of the caller's groups and portals, and initials of others", async () => {
    const me = await signedIn("general")
    const boss = await signedIn("group_admin")
    const names = { firstName: "Ängela", lastName: "Quist" }
    const [mate, member, stranger, bossOnly] = [
      await user(names),
      await user(names),
      await user(names),
      await user(names),
    ]
    await group({ members: [me.id, mate.id] })
    await portal({ members: [me.id, member.id] })
    await group({ admins: [boss.id], members: [me.id, bossOnly.id] }).then(({ id }) =>
      db.run(`delete from group_members where group_id = ${id} and user_id = ${me.id}`),
    )
    for (const [index, { id }] of [me, mate, member, stranger, bossOnly].entries()) await award(id, 50 - index)
    const visibleNames = async (options = {}) =>
      Object.fromEntries(
        (await board(me.id, {}, options)).body.rankedUsers.map(
          (row: { id: number; firstName: string; lastName: string }) => [row.id, `${row.firstName} ${row.lastName}`],
        ),
      )
    expect(await visibleNames(me)).toEqual({
      [me.id]: `Learner ${me.lastName}`,
      [mate.id]: "Ängela Quist",
      [member.id]: "Ängela Quist",
      [stranger.id]: "Ä. Q.",
      [bossOnly.id]: "Ä. Q.",
    })
    expect(Object.values(await visibleNames(await signedIn("staff")))).not.toContain("Ä. Q.")
    const ranked = (await board(bossOnly.id, {}, boss)).body.rankedUsers
    expect(ranked.map((row: { firstName: string }) => row.firstName)).toEqual(["L.", "Ä.", "Ä.", "Ä.", "Ängela"])
    expect((await board(stranger.id, {}, me)).status).toBe(404)
    expect((await board(stranger.id, {}, boss)).status).toBe(404)
    expect((await board(9999)).status).toBe(404)
  })

  it("reads no more rows for 20,000 users, half of them with equal points, and ranks them exactly", async () => {
    await db.run(sql`insert into users (id, first_name, email, user_type, search_text, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
      select 100000 + i, 'Ada', 'ada' || i || '@example.com', 'general', 'ada', i from n`)
    await db.run(sql`insert into user_scores (user_id, points, badge_count, ranked)
      select id, iif(id % 2, 5000, (id * 7919) % 2500000), 0, 1 from users`)
    for (const id of [100_001, 100_002, 105_000, 120_000]) {
      const response = await board(id, { page_size: 10 })
      const [row] = await db.all<{ rank: number }>(
        sql`
          select 1 + count(*) as rank
          from user_scores
          where points > (select points from user_scores where user_id = ${id})`,
      )
      expect(response.body.userRank).toBe(row?.rank)
      expect(cost(response).read).toBeLessThan(400)
    }
    await db.run(sql`update user_scores set points = 5000000 where user_id % 2`)
    const tied = await board(100_002, { page_size: 10 })
    expect(cost(tied).read).toBeLessThan(400)
    expect(tied.body.rankedUsers.slice(0, 10).map((one: { rank: number }) => one.rank)).toEqual(Array(10).fill(1))
    expect(await rowsOf(userScores)).toHaveLength(20_000)
  })
})

describe("the points of sign-ins", () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const start = Date.UTC(2026, 0, 5, 10)
  const REFRESH = { task: "refresh leaderboard" }
  const login = async ({ email }: UserRow) =>
    expect((await post("/login", { email, password: PASSWORD })).status).toBe(200)
  const scores = async () => (await rowsOf(userScores)).map((row) => [row.userId, row.points, row.loginPoints])

  async function expectSound() {
    for (const table of ["user_scores", "score_counts"])
      for (const columns of derivedColumns.filter((derived) => derived.table === table))
        expect(await db.all(sql.raw(incorrectRows(columns)))).toEqual([])
    for (const { table, broken } of limitedColumns)
      if (table === "user_scores") expect(await db.all(sql.raw(broken))).toEqual([])
  }

  it("count for a user at once, and for the ranks after a refresh that a reader asks for", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: start })
    const [a, b] = await people(10, 12)
    if (!a || !b) throw new Error("No people")
    await post("/api/gamification-event/create", { name: "Daily", type: "login", points: 5 })
    await login(a)
    expect((await board(a.id)).body).toMatchObject({
      userRank: 1,
      rankedUsers: [
        { id: a.id, points: 15, rank: 1 },
        { id: b.id, points: 12, rank: 2 },
      ],
    })
    // The others do not know of it yet.
    expect((await board(b.id)).body.userRank).toBe(1)
    expect(await scores()).toEqual([
      [a.id, 10, 0],
      [b.id, 12, 0],
    ])
    expect(messages.JOBS).toEqual([REFRESH, REFRESH])
    await runJobs()
    expect(await scores()).toEqual([
      [a.id, 15, 5],
      [b.id, 12, 0],
    ])
    expect((await board(b.id)).body.userRank).toBe(2)
    await expectSound()
  })

  it("are refreshed while someone reads, ten minutes apart, and not without a sign-in", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: start })
    const [a] = await people(10)
    if (!a) throw new Error("No people")
    await board(a.id)
    expect(messages.JOBS).toEqual([])
    await login(a)
    await board(a.id)
    await runJobs()
    vi.setSystemTime(start + HOUR / 12)
    await login(a)
    await board(a.id)
    expect(messages.JOBS).toEqual([])
    vi.setSystemTime(start + HOUR / 4)
    await board(a.id)
    expect(messages.JOBS).toEqual([REFRESH])
    await runJobs()
    vi.setSystemTime(start + HOUR)
    await board(a.id)
    expect(messages.JOBS).toEqual([])
  })

  it("are added once, however often a refresh runs or fails, and beside other awards", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: start })
    const [a, b, disabled] = await people(0, 7, 3)
    if (!a || !b || !disabled) throw new Error("No people")
    await post("/api/gamification-event/create", { name: "Daily", type: "login", points: 5 })
    for (let day = 0; day < 3; day++) {
      vi.setSystemTime(start + day * 24 * HOUR)
      await login(a)
      await login(b)
      if (day === 0) await login(disabled)
    }
    await put(`/api/user/${disabled.id}`, { disabled: true })
    vi.spyOn(console, "error").mockImplementation(() => {})
    expect(await deliverJob(REFRESH, withFault("lost-after-landing@2+").bindings)).toBe(true)
    await Promise.all([deliverJob(REFRESH), deliverJob(REFRESH)])
    await award(a.id, 100)
    await deliverJob(REFRESH)
    const expected = [
      [a.id, 115, 15],
      [b.id, 22, 15],
      [disabled.id, 8, 5],
    ]
    expect(await scores()).toEqual(expected)
    expect((await rowsOf(leaderboardRefreshes)).length).toBe(1)
    expect(ranks((await board(b.id)).body)).toEqual([
      [a.id, 1],
      [b.id, 2],
    ])
    await expectSound()
  })

  it("are added in batches of at most 5,000 rows", { timeout: 60_000 }, async () => {
    await db.run(sql`insert into users (id, first_name, email, user_type, search_text, created_at, login_awards)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)
      select 100000 + i, 'Ada', 'ada' || i || '@example.com', 'general', 'ada', i,
        json_object('7', json_array(20000, 3, 1000000 + 10101 * i)) from n`)
    await db.run(sql`insert into gamification_awards (user_id, cause, points, awarded_at)
      select id, 'hand', 5, 1 from users where id > 100000`)
    await db.run(sql`insert into audit_entries
      (performed_by, action, subject, subject_id, effect_on, details, created_at)
      select id, 'login', 'user', id, 'Ada', '{}', 1 from users where id > 100000`)
    const written = await batchesOf(() => deliverJob(REFRESH))
    expect(Math.max(...written)).toBeLessThanOrEqual(5000)
    expect((await rowsOf(userScores)).every((row) => row.points === 5 + row.loginPoints && row.loginPoints > 0)).toBe(
      true,
    )
    expect((await board(101_000)).body.userRank).toBe(1)
    await expectSound()
  })
})
