import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { AUDIT_ACTIONS, auditLogs } from "../../drizzle/schema/audit.ts"
import { auditColumns } from "../../src/modules/audit/audit-columns.ts"
import { idAt } from "../../src/modules/audit/audit-counts.ts"
import { audited, db, group, PASSWORD, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const list = (input = {}, options = {}) =>
  get(`/api/audit-activities${query({ page_size: 10, page_number: 1, ...input })}`, options)
const effects = (response: Awaited<ReturnType<typeof list>>) =>
  response.body.records.map((row: { effect_on: string }) => row.effect_on)

/** Deterministic pseudo-random numbers from 0 to 1 (Park and Miller). */
function seeded(seed: number) {
  let at = seed
  return () => {
    at = (at * 48_271) % 2_147_483_647
    return at / 2_147_483_647
  }
}

/** The columns that an audit row must set. */
const NAMED = "(performed_by, action, subject, subject_id, effect_on, details, created_at)"

const NOVEMBER = Date.UTC(2026, 10, 1)
const HOUR = 3_600_000

describe("audit log", () => {
  it("returns who did what to which record, newest first, in one round trip", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOVEMBER + 15 * HOUR })
    const staff = await signedIn("staff", { firstName: "Ada", lastName: "Byron" })
    await post("/api/location/create", { name: "Main hall" }, staff)
    vi.setSystemTime(NOVEMBER + 16 * HOUR)
    await put("/api/location/1", { city: "Bath" })
    const response = await list()
    expect(response.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2, performedOnList: ["location"] })
    expect(response.body.records).toMatchObject([
      { performed_by: "Anonymous", action: "updated", details: { city: "Bath" } },
      {
        performed_by: "Ada Byron",
        effect_on: "Main hall",
        subject: "location",
        action: "created",
        created_at: "Nov 01, 2026 03:00 PM",
        details: { name: "Main hall" },
      },
    ])
    expect(cost(response).roundTrips).toBe(1)
  })

  it("records a sign-in without the password", async () => {
    const { email, id } = await user({ firstName: "Ada", lastName: "Byron" })
    expect((await post("/login", { email, password: PASSWORD })).status).toBe(200)
    const response = await list({ search_param: { activityName: "LOGIN", user_id: id } })
    expect(response.body).toMatchObject({
      recordsFiltered: 1,
      records: [{ performed_by: "Ada Byron", effect_on: "Ada Byron", subject: "user", action: "login" }],
    })
  })

  it("filters by type, action, user and time, with exact counts", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 11, 15) })
    const ada = await user({ firstName: "Ada", lastName: "Byron" })
    const bob = await user({ firstName: "Bob", lastName: "Dole" })
    await audited(
      { effectOn: "a", performedBy: ada.id, createdAt: NOVEMBER - 1 },
      { effectOn: "b", performedBy: ada.id, createdAt: NOVEMBER, action: "created" },
      { effectOn: "c", performedBy: bob.id, createdAt: NOVEMBER + 30 * 24 * HOUR - 1, subject: "group" },
      { effectOn: "d", performedBy: bob.id, createdAt: NOVEMBER + 30 * 24 * HOUR, subject: "user", subjectId: ada.id },
      { effectOn: "e", performedBy: null, createdAt: NOVEMBER + 31 * 24 * HOUR, action: "deleted" },
    )
    const cases: [object, string][] = [
      [{}, "edcba"],
      [{ selectedMonth: "November 2026" }, "cb"],
      [{ selectedMonth: "nov 2026" }, "cb"],
      [{ selectedMonth: "2026-11" }, "cb"],
      [{ search_param: { dates: ["2026-10-31", "2026-11-01"] } }, "ba"],
      [{ search_param: { dates: ["2026-10-31", "2026-12-01"] } }, "dcba"],
      [{ search_param: { dates: ["", ""] } }, "edcba"],
      [{ selectedMonth: "2026-11", search_param: { dates: ["2026-11-30", "2026-12-03"] } }, "c"],
      [{ selectedMonth: "2026-10", search_param: { dates: ["2026-11-30", "2026-12-03"] } }, ""],
      [{ search_param: { activityName: "created" } }, "b"],
      [{ search_param: { performedOn: "Course" } }, "eba"],
      [{ search_param: { performedOn: "course", activityName: "updated" } }, "a"],
      [{ search_param: { performedOn: "course", activityName: "updated" }, selectedMonth: "2026-11" }, ""],
      [{ search_param: { performedOn: "nothing" } }, ""],
      [{ search_param: { user_id: ada.id } }, "dba"],
      [{ search_param: { user_id: ada.id, activityName: "updated" } }, "da"],
      [{ search_param: { user_id: ada.id }, selectedMonth: "2026-11" }, "b"],
      [{ search_param: { performed_by: bob.id } }, "dc"],
      [{ search_param: { performed_by: String(bob.id), performedOn: "group" } }, "c"],
      [{ search_param: { performed_by: "byR" } }, "ba"],
      [{ search_param: { performed_by: "example.com" }, selectedMonth: "2026-11" }, "cb"],
      [{ search_param: { performed_by: bob.id, user_id: ada.id } }, "d"],
      [{ search_param: { user_id: 999 } }, ""],
    ]
    for (const [input, expected] of cases) {
      const response = await list(input)
      expect([JSON.stringify(input), effects(response).join("")]).toEqual([JSON.stringify(input), expected])
      expect([JSON.stringify(input), response.body.recordsFiltered, response.body.recordsTotal]).toEqual([
        JSON.stringify(input),
        expected.length,
        5,
      ])
    }
    const mine = await signedIn("admin")
    expect((await list({ context: "user" }, mine)).body.recordsFiltered).toBe(0)
    expect((await list({ context: "admin" }, mine)).body.recordsFiltered).toBe(5)
    expect((await list({ context: "everything" }, mine)).body.errors).toHaveProperty("context")
  })

  it("rejects an invalid month, date, action and sort order", async () => {
    const refused = async (input: object) => Object.keys((await list(input)).body.errors ?? {})
    expect(await refused({ selectedMonth: "Smarch 2026" })).toEqual(["selectedMonth"])
    expect(await refused({ search_param: { dates: ["2026-02-01"] } })).toEqual(["search_param.dates"])
    expect(await refused({ search_param: { dates: ["2026-02-01", "2026-01-01"] } })).toEqual(["search_param.dates"])
    expect(await refused({ search_param: { activityName: "looked" } })).toEqual(["search_param.activityName"])
    expect(await refused({ order_by: "details" })).toEqual(["order_by.colName"])
  })

  it("shows supervisors themselves and their people, and returns nothing to learners", async () => {
    const [mine, other] = [await user(), await user()]
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [mine.id] })
    await audited(
      { effectOn: "by mine", performedBy: mine.id, createdAt: 1 },
      { effectOn: "by other", performedBy: other.id, createdAt: 2 },
      { effectOn: "to mine", performedBy: null, subject: "user", subjectId: mine.id, createdAt: 3 },
      { effectOn: "to other", performedBy: supervisor.id, subject: "user", subjectId: other.id, createdAt: 4 },
      { effectOn: "by itself", performedBy: supervisor.id, createdAt: 5 },
    )
    const seen = await list({}, supervisor)
    expect(effects(seen)).toEqual(["by itself", "to mine", "by mine"])
    expect(seen.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 3 })
    const found = await list({ search_param: { performed_by: other.id } }, supervisor)
    expect(found.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 0, records: [] })
    const concerned = await list({ search_param: { user_id: mine.id, performedOn: "user" } }, supervisor)
    expect(effects(concerned)).toEqual(["to mine"])
    for (const colName of Object.keys(auditColumns.sort))
      expect(
        (await list({ order_by: { colName }, search_param: { performedOn: "course" } }, supervisor)).body,
      ).toMatchObject({ recordsTotal: 3, recordsFiltered: 2 })
    const { id: portalId } = await portal({ members: [other.id] })
    expect(effects(await list({ portalId }))).toEqual(["to other", "by other"])
    expect((await list({ portalId }, supervisor)).status).toBe(404)
    expect((await list({}, await signedIn("general"))).status).toBe(403)
  })

  it("hides what the caller could not see in the record itself", async () => {
    const learner = await user()
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [learner.id] })
    await put(`/api/user/${learner.id}`, { internal_note: "A quiet word", disabled: true })
    await audited({ subject: "order", effectOn: "Order 7", performedBy: learner.id, details: { total: 4990 } })
    const [order, note] = (await list()).body.records
    expect([order.effect_on, order.details, note.details]).toEqual([
      "Order 7",
      { total: 4990 },
      { internalNote: "A quiet word", disabled: true },
    ])
    const [staffs, notes] = (await list({}, await signedIn("staff"))).body.records
    expect([staffs.effect_on, staffs.details, notes.details]).toEqual(["order", {}, note.details])
    const [theirs, withheld] = (await list({}, supervisor)).body.records
    expect([theirs.effect_on, theirs.details, withheld.details]).toEqual(["order", {}, { disabled: true }])
  })

  it("costs the same regardless of its length, for every order and filter", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2027, 0, 1) })
    const [ada] = [await user({ firstName: "Ada", lastName: "Byron" }), await user()]
    await db.run(sql`
      insert into audit_entries (performed_by, action, subject, subject_id, effect_on, details, created_at)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < 5999)
      select 1 + i % 2, iif(i % 1000 = 7, 'deleted', 'updated'), iif(i % 3, 'course', 'user'), 1 + i % 2,
        'Thing ' || i, '{}', ${NOVEMBER} + i * 600000
      from n`)
    const most = 200 + 20 * 10
    const cases = [
      ...["asc", "desc"].map((direction) => ({ order_by: { colName: "created_at", direction } })),
      { selectedMonth: "2026-11" },
      { search_param: { dates: ["2026-11-03", "2026-12-07"] } },
      { search_param: { dates: ["2026-11-03", "2026-12-07"], performedOn: "user" } },
      { search_param: { activityName: "updated" } },
      { search_param: { activityName: "deleted" } },
      { search_param: { activityName: "deleted", performedOn: "course" } },
      { search_param: { performedOn: "user" }, selectedMonth: "2026-11" },
      { search_param: { user_id: ada.id } },
      { search_param: { performed_by: ada.id } },
      { search_param: { performed_by: ada.id }, selectedMonth: "2026-11" },
    ]
    const recount = async (where: ReturnType<typeof sql>) =>
      (await db.get<{ n: number }>(sql`select count(*) as n from audit_logs where ${where}`)).n
    for (const input of cases) {
      const response = await list(input)
      expect(response.body.records.length, JSON.stringify(input)).toBeGreaterThan(1)
      expect(cost(response).roundTrips).toBe(1)
      expect(cost(response).read, JSON.stringify(input)).toBeLessThanOrEqual(most)
      const next = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
      if (next) expect(cost(await get(next)).read, `next of ${JSON.stringify(input)}`).toBeLessThanOrEqual(most)
    }
    // A user's rows of a type are counted with the index by user.
    const month = await list({
      search_param: { user_id: ada.id, activityName: "updated" },
      selectedMonth: "2026-12",
    })
    expect(cost(month).read).toBeLessThanOrEqual(most + 2 * month.body.recordsFiltered)
    const kind = await list({ search_param: { performed_by: ada.id, performedOn: "course" } })
    expect(cost(kind).read).toBeLessThanOrEqual(most + 2 * 3000)
    const counted = async (input: object) => (await list(input)).body.recordsFiltered
    expect(await counted({})).toBe(6000)
    expect(await counted({ selectedMonth: "2026-11" })).toBe(await recount(sql`created_at < ${Date.UTC(2026, 11, 1)}`))
    expect(await counted({ search_param: { activityName: "deleted", performedOn: "course" } })).toBe(
      await recount(sql`action = 'deleted' and subject = 'course'`),
    )
    expect(await counted({ search_param: { user_id: ada.id, dates: ["2026-11-03", "2026-12-07"] } })).toBe(
      await recount(
        sql`(performed_by = ${ada.id} or subject = 'user' and subject_id = ${ada.id})
          and created_at >= ${Date.UTC(2026, 10, 3)} and created_at < ${Date.UTC(2026, 11, 8)}`,
      ),
    )
    // Rows that affect a user are counted with their index, and the page is merged.
    await db.run(sql`
      insert into audit_entries ${sql.raw(NAMED)}
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
      select 2, 'updated', 'user', ${ada.id}, 'Ada', '{}', ${Date.UTC(2026, 11, 31)} from n`)
    const concerned = await list({ search_param: { user_id: ada.id } })
    expect(concerned.body.recordsFiltered).toBe(3500)
    expect(cost(concerned).read).toBeLessThanOrEqual(most + 500)
  })

  it("reads as many rows of 2,000 as of 20", async () => {
    const ada = await user()
    const rows = (count: number) =>
      db.run(sql`
        insert into audit_entries ${sql.raw(NAMED)}
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        select ${ada.id}, iif(i % 2, 'created', 'updated'), 'course', i, 'Algebra', '{}', ${NOVEMBER} from n`)
    const cases = [
      {},
      { order_by: { colName: "created_at", direction: "asc" } },
      { search_param: { activityName: "updated" } },
      { search_param: { performedOn: "course" } },
      { search_param: { performedOn: "course", activityName: "created" } },
      { search_param: { user_id: ada.id } },
      { search_param: { performed_by: ada.id } },
    ]
    const reads = async () => {
      const read: number[] = []
      for (const input of cases) read.push(cost(await list({ page_size: 5, ...input })).read)
      return read
    }
    await rows(20)
    const baseline = await reads()
    await rows(1980)
    for (const [index, read] of (await reads()).entries())
      expect(read, JSON.stringify(cases[index])).toBeLessThanOrEqual((baseline[index] ?? 0) * 1.1)
  })

  it("finds and counts the kinds without an index entry, in both directions and within a period", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2027, 0, 1) })
    await db.run(sql`
      insert into audit_entries ${sql.raw(NAMED)}
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
      select 1, iif(i % 7 = 0, 'login', 'updated'),
        case when i % 7 = 0 then 'user' when i % 7 = 1 then 'course' when i % 7 < 4 then 'module progress'
          when i % 7 = 4 then 'submission' else 'user' end,
        i, 'Row ' || i, '{}', ${NOVEMBER} + i * 600000
      from n`)
    const all = await rowsOf(auditLogs)
    const inPeriod = ({ createdAt }: { createdAt: number }) =>
      createdAt >= Date.UTC(2026, 10, 5) && createdAt < Date.UTC(2026, 10, 9)
    const cases = [
      { activityName: "login" },
      { activityName: "updated" },
      { performedOn: "module progress" },
      { performedOn: "submission", activityName: "updated" },
      { performedOn: "user" },
      { performedOn: "module progress", activityName: "login" },
    ]
    for (const filter of cases)
      for (const dates of [undefined, ["2026-11-05", "2026-11-08"]])
        for (const direction of ["asc", "desc"]) {
          const expected = all.filter(
            (row) =>
              row.action === (filter.activityName ?? row.action) &&
              row.subject === (filter.performedOn ?? row.subject) &&
              (!dates || inPeriod(row)),
          )
          const names = expected.map(({ effectOn }) => effectOn)
          if (direction === "desc") names.reverse()
          const search_param = { ...filter, ...(dates && { dates }) }
          const first = await list({ order_by: { colName: "created_at", direction }, search_param })
          const label = JSON.stringify([search_param, direction])
          expect(effects(first), label).toEqual(names.slice(0, 10))
          expect(first.body.recordsFiltered, label).toBe(expected.length)
          expect(cost(first).read, label).toBeLessThanOrEqual(900)
          const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1]
          if (next) expect(effects(await get(next)), `next of ${label}`).toEqual(names.slice(10, 20))
          const sorted = await list({ order_by: { colName: "effect_on", direction: "asc" }, search_param })
          expect(effects(sorted), `sorted ${label}`).toEqual([...names].sort().slice(0, 10))
        }
    expect((await list()).body.performedOnList).toEqual(["course", "module progress", "submission", "user"])
  })

  it("is sorted by each column with every filter", async () => {
    const [ada, bob] = [await user({ firstName: "Ada" }), await user({ firstName: "Bob" })]
    await audited(
      { effectOn: "b", performedBy: ada.id, action: "created", createdAt: NOVEMBER },
      { effectOn: "A", performedBy: bob.id, action: "updated", subject: "group", createdAt: NOVEMBER + 1 },
      { effectOn: "c", performedBy: ada.id, action: "deleted", subject: "badge", createdAt: NOVEMBER + 2 },
    )
    const expected = { created_at: "bAc", action: "bcA", subject: "cbA", effect_on: "Abc", performed_by: "bcA" }
    for (const [colName, order] of Object.entries(expected)) {
      expect(effects(await list({ order_by: { colName, direction: "asc" } })).join(""), colName).toBe(order)
      const found = await list({
        order_by: { colName, direction: "desc" },
        search_param: { user_id: ada.id, dates: ["2026-11-01", "2026-11-01"] },
      })
      expect(effects(found).join(""), colName).toBe([...order].reverse().join("").replace("A", ""))
    }
    for (const search_param of [{ activityName: "created" }, { performedOn: "course" }, { performed_by: "Ada" }])
      expect(effects(await list({ order_by: "effect_on", search_param }))[0]).toBe("b")
  })

  it("finds a user's actions and actions on the user, also for their supervisor", async () => {
    const staff = await signedIn("staff", { firstName: "Sam" })
    const supervisor = await signedIn("group_admin")
    const [ada, bob] = [await signedIn("general", { firstName: "Ada" }), await user({ firstName: "Bob" })]
    await group({ admins: [supervisor.id], members: [ada.id] })
    const done = async (path: string, body: object, by: { token: string } = staff) => {
      const response = await post(path, body, by)
      expect(response.status, `${path} ${JSON.stringify(response.body)}`).toBeLessThan(300)
      return response.body
    }
    const user_ids = [ada.id, bob.id]
    const { id: course } = await done("/api/course/create", { name: "Algebra", slug: "algebra", status: "publish" })
    const { id: path } = await done("/api/learningpath/create", { name: "Path", course_ids: [course] })
    const { id: badge } = await done("/api/badge/create", {
      title: "Star",
      badgeIconUrl: "https://example.com/star.png",
    })
    const { id: group_id } = await done("/api/group/create", { name: "Evening", user_ids }, await signedIn("admin"))
    const before = (await list({ search_param: { user_id: ada.id } })).body.recordsFiltered
    expect(group_id).toBeGreaterThan(0)
    const admin = await signedIn("admin")
    await done("/api/course/enroll", { course_ids: [course], user_ids })
    await done("/api/learningpath/enroll", { learning_path_ids: [path], user_ids })
    await done("/api/badge/award", { id: badge, user_ids })
    const { id: review } = await done("/api/review/create", { userId: ada.id, courseId: course, rating: 4 }, ada)
    await done("/api/review/delete", { delete_ids: [review] })
    const { id: order } = await done(
      "/api/order/create",
      {
        userId: ada.id,
        items: [{ type: "course", id: course, name: "Algebra", quantity: 1, price: 5 }],
        total: 5,
        currency: "USD",
        status: "pending",
      },
      admin,
    )
    await put(`/api/order/${order}`, { status: "completed" }, admin)
    await done("/api/order/delete", { delete_ids: [order] }, admin)
    await done("/api/course/unenroll", { course_ids: [course], user_ids })
    await put(`/api/user/${ada.id}`, { lastName: "Byron" }, admin)
    const expected = [
      "updated user",
      "deleted enrollment",
      "deleted order",
      "updated order",
      "created order",
      "deleted review",
      "created review",
      "created badge award",
      "created learning path enrollment",
      "created enrollment",
    ]
    const kinds = (response: Awaited<ReturnType<typeof list>>) =>
      response.body.records.map((row: { action: string; subject: string }) => `${row.action} ${row.subject}`)
    const all = { page_size: 100, search_param: { user_id: ada.id } }
    for (const found of [await list(all), await list(all, supervisor)]) {
      expect(kinds(found).slice(0, expected.length)).toEqual(expected)
      expect(found.body.recordsFiltered).toBe(found.body.records.length)
    }
    expect((await list(all)).body.recordsFiltered).toBe(before + expected.length)
    const staffs = await list({ page_size: 100, search_param: { user_id: staff.id } })
    expect(kinds(staffs)).toContain("created badge award")
    expect(staffs.body.recordsFiltered).toBe(staffs.body.records.length)
    const awards = { user_id: ada.id, performedOn: "badge award", activityName: "created" }
    expect((await list({ search_param: awards })).body).toMatchObject({ recordsFiltered: 1, records: [{}] })
    // Bob's award does not affect the supervisor, and Sam, who created it, is outside the scope too.
    const seen = await list({ page_size: 100 }, supervisor)
    expect(effects(seen).join()).not.toContain("Bob")
  })

  it("is append-only", async () => {
    await audited({})
    await expect(db.run(sql`update audit_logs set effect_on = 'b'`)).rejects.toThrow()
    await expect(db.run(sql`delete from audit_logs`)).rejects.toThrow()
    expect((await list()).body.recordsTotal).toBe(1)
  })

  it("writes three rows per audit row, regardless of its length", async () => {
    await post("/api/badge/create", { title: "Star", badgeIconUrl: "https://example.com/a.png" })
    const change = async (color: string) =>
      cost(await put("/api/badge/1", { badgeIconUrl: `https://example.com/${color}.png` })).written
    const first = await change("red")
    await audited(...Array.from({ length: 20 }, () => ({})))
    expect(await change("blue")).toBe(first)
    const { meta } = await env.DB.prepare(
      `insert into audit_entries ${NAMED} select 1, 'updated', 'badge', 1, 'Star', '{}', 1`,
    ).run()
    expect(meta.rows_written).toBe(3)
    const others = await env.DB.prepare(
      `insert into audit_entries ${NAMED} select 1, 'created', 'badge award', 2, 'Ada', '{"user_ids":[2,3,4]}', 1`,
    ).run()
    expect(others.meta.rows_written).toBe(3 + 3)
  })

  it("numbers its rows without gaps and in ascending time", async () => {
    const { id } = await user()
    await audited({ createdAt: 5 }, { createdAt: 9, performedBy: id }, { createdAt: 7, action: "created" })
    // A failed batch leaves no gap.
    const entry = `insert into audit_entries ${NAMED} select 1, 'updated', 'course', 1, 'x', '{}', 1`
    await expect(
      env.DB.batch([env.DB.prepare(entry), env.DB.prepare("insert into guards values (0)")]),
    ).rejects.toThrow()
    await db.run(sql`
      insert into audit_entries ${sql.raw(NAMED)}
      select ${id}, 'updated', 'course', value, 'Algebra', '{}', 8 + value from json_each('[1, 2, 3]')`)
    const rows = (await rowsOf(auditLogs)).map((row) => [row.id, row.createdAt, row.performerNumber, row.kindNumber])
    expect(rows).toEqual([
      [1, 5, 1, 1],
      [2, 9, 1, 2],
      [3, 9, 2, 1],
      [4, 9, 2, 3],
      [5, 10, 3, 4],
      [6, 11, 4, 5],
    ])
    for (const [time, expected] of [
      [0, 1],
      [5, 1],
      [6, 2],
      [9, 2],
      [10, 5],
      [11, 6],
      [12, 7],
    ])
      expect((await db.get<{ id: number }>(sql`select ${idAt(time ?? 0)} as id`)).id, `${time}`).toBe(expected)
  })

  it("returns the same totals and pages as a naive count and sort", async () => {
    const random = seeded(7)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
    const people = [
      await user({ firstName: "Ada" }),
      await user({ firstName: "Bob" }),
      await user({ firstName: "Ada" }),
    ]
    const subjects = ["badge", "course", "order", "user"]
    const time = Date.UTC(2026, 0, 1)
    for (let i = 0; i < 150; i++)
      await audited({
        effectOn: `${i + 1}`,
        performedBy: pick([...people.map((person) => person.id), null]),
        action: pick(AUDIT_ACTIONS),
        subject: pick(subjects),
        subjectId: pick(people).id,
        createdAt: time + i * 12 * HOUR,
      })
    const all = (await rowsOf(auditLogs)).reverse()
    for (let i = 0; i < 120; i++) {
      const action = pick([undefined, ...AUDIT_ACTIONS])
      const subject = pick([undefined, undefined, ...subjects, "nothing"])
      const [user_id, performed_by] = pick([[], [], [], [pick(people).id], [undefined, 2], [undefined, "ada"]])
      const days = pick([undefined, [random() * 80, random() * 80].sort((a, b) => a - b).map(Math.floor)])
      const day = (n: number) => new Date(time + n * 24 * HOUR).toISOString().slice(0, 10)
      const direction = pick(["asc", "desc"])
      const wanted = all.filter(
        (row) =>
          (!action || row.action === action) &&
          (!subject || row.subject === subject) &&
          (!user_id || row.performedBy === user_id || (row.subject === "user" && row.subjectId === user_id)) &&
          (performed_by !== 2 || row.performedBy === 2) &&
          (performed_by !== "ada" || row.performedBy === 1 || row.performedBy === 3) &&
          (!days?.length ||
            (row.createdAt >= time + (days[0] ?? 0) * 24 * HOUR &&
              row.createdAt < time + ((days[1] ?? 0) + 1) * 24 * HOUR)),
      )
      if (direction === "asc") wanted.reverse()
      const input = {
        page_size: 7,
        order_by: { colName: "created_at", direction },
        search_param: { activityName: action, performedOn: subject, user_id, performed_by, dates: days?.map(day) },
      }
      const label = JSON.stringify(input)
      const first = await list(input)
      expect([label, first.body.recordsTotal, first.body.recordsFiltered]).toEqual([label, 150, wanted.length])
      expect(effects(first), label).toEqual(wanted.slice(0, 7).map((row) => row.effectOn))
      expect(effects(await list({ ...input, page_number: 3 })), label).toEqual(
        wanted.slice(14, 21).map((row) => row.effectOn),
      )
      const link = (response: typeof first, rel: string) =>
        new RegExp(`<([^>]+)>; rel="${rel}"`).exec(response.headers.get("link") ?? "")?.[1]
      const next = link(first, "next")
      if (!next) continue
      const second = await get(next)
      expect(effects(second), label).toEqual(wanted.slice(7, 14).map((row) => row.effectOn))
      const back = await get(link(second, "prev") ?? "")
      expect(effects(back), label).toEqual(effects(first))
    }
    expect((await list()).body.performedOnList).toEqual(subjects)
  })

  it("returns its actions in upper case", async () => {
    expect((await get("/api/audit-activities/verb/lookup")).body).toEqual([
      { db_value: "login", display_value: "LOGIN" },
      { db_value: "created", display_value: "CREATED" },
      { db_value: "updated", display_value: "UPDATED" },
      { db_value: "deleted", display_value: "DELETED" },
    ])
  })
})
