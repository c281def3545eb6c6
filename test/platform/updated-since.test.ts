import { env } from "cloudflare:workers"
import { describe, expect, it } from "vitest"
import { certificate, template } from "../factories/certificates.ts"
import { classOf } from "../factories/classes.ts"
import { group, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { type Answer, cost, get, post, put, query } from "../helpers/client.ts"
import { anyIsoTime, iso } from "../helpers/times.ts"

// search_param.updatedSince: the lists of users, enrollments, courses, classes, certificates and orders by changes.

const ITEMS = [{ type: "course", id: 1, name: "Algebra", quantity: 1, price: 9 }]
const ORDER = { items: ITEMS, total: 9, currency: "EUR", status: "completed" }

interface Kind {
  path: string
  table: string
  /** Adds records. */
  make: (count: number) => Promise<void>
  /** Changes a record. */
  change: (id: number) => Promise<Answer>
}

const repeat = async (count: number, make: () => Promise<unknown>) => {
  for (let i = 0; i < count; i++) await make()
}

const KINDS: Record<string, Kind> = {
  users: {
    path: "/api/users/tabularlist",
    table: "users",
    make: (count) => repeat(count, () => user()),
    change: (id) => put(`/api/user/${id}`, { firstName: "Changed" }),
  },
  enrollments: {
    path: "/api/enrollments/tabularlist",
    table: "enrollments",
    make: async (count) => {
      const algebra = await course()
      await repeat(count, async () => enrollment(await user(), algebra))
    },
    change: (id) => post("/api/course/reset", { registration_ids: [id] }),
  },
  courses: {
    path: "/api/courses/tabularlist",
    table: "courses",
    make: (count) => repeat(count, () => course()),
    change: (id) => put(`/api/course/${id}`, { name: "Changed" }),
  },
  classes: {
    path: "/api/class/tabularlist",
    table: "classes",
    make: async (count) => {
      const algebra = await course()
      const { id: instructorId } = await user({ userType: "staff" })
      await repeat(count, () => classOf(algebra, { instructorId }))
    },
    change: (id) => post("/api/class/update", { id, allowDownload: false, disabled: true }),
  },
  certificates: {
    path: "/api/certificates/tabularlist",
    table: "certificates",
    make: async (count) => {
      const { id: templateId } = await template()
      const { id } = await user()
      await repeat(count, () => certificate(id, templateId))
    },
    change: (id) => put("/api/update-certificate-dates", { rowId: id, newIssueDate: "2026-01-05" }),
  },
  orders: {
    path: "/api/order/tabularlist",
    table: "orders",
    make: async (count) => {
      const { id: userId } = await user()
      await repeat(count, () => post("/api/order/create", { ...ORDER, userId }))
    },
    change: (id) => put(`/api/order/${id}`, { status: "refunded" }),
  },
}

/** Sets the times of all records: the record `id` changed at `id` seconds. */
const setTimes = (table: string) => env.DB.prepare(`update ${table} set updated_at = id * 1000`).run()

const page = (path: string, parameters: object, token?: string) =>
  get(`${path}${query({ page_size: 20, page_number: 1, ...parameters })}`, token ? { token } : {})
const since = (updatedSince: string) => ({ search_param: { updatedSince } })
const idsOf = ({ body }: Answer): number[] => body.records.map(({ id }: { id: number }) => id)
const nextOf = ({ headers }: Answer) => /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]

describe.each(Object.entries(KINDS))("the list of changed %s", (_, { path, table, make, change }) => {
  it("has the records that changed at the time or later, in order, at a constant cost", async () => {
    const owner = await signedIn("owner")
    await make(60)
    await setTimes(table)
    const { token } = owner
    const results = await env.DB.prepare(`select id from ${table} order by id`).all<{ id: number }>()
    const ids = results.results.map(({ id }) => id)
    const last = ids.at(-1) ?? 0
    const response = await page(path, since(iso((last - 4) * 1000)), token)
    expect(idsOf(response)).toEqual(ids.slice(-5))
    expect(response.body).toMatchObject({ recordsTotal: ids.length, recordsFiltered: 5 })
    expect(response.body.records[0].updatedAt).toBe(iso((last - 4) * 1000))
    expect(cost(response)).toMatchObject({ roundTrips: 1, written: 0 })
    expect(cost(response).read).toBeLessThanOrEqual(20 * 5 + 40)

    const none = await page(path, since(iso(last * 1000 + 1)), token)
    expect(none.body).toMatchObject({ recordsFiltered: 0, records: [] })
    expect(cost(none).read).toBeLessThanOrEqual(10)

    const [first = 0] = ids
    expect((await change(first)).status).toBe(200)
    const changed = await page(path, since(iso(last * 1000 + 1)), token)
    expect(idsOf(changed)).toEqual([first])
    expect(changed.body.records[0].updatedAt).toEqual(anyIsoTime)
    expect(Date.parse(changed.body.records[0].updatedAt)).toBeGreaterThan(Date.now() - 60_000)
  })

  it("is paged by cursors in both directions without reading the pages before", async () => {
    const { token } = await signedIn("owner")
    await make(45)
    await env.DB.prepare(`update ${table} set updated_at = 1000 * (id % 2)`).run()
    const results = await env.DB.prepare(`select id from ${table} order by updated_at, id`).all<{ id: number }>()
    const all = results.results.map(({ id }) => id)
    const found: number[] = []
    let previousPage: string | undefined
    for (
      let next: string | undefined = `${path}${query({ page_size: 10, page_number: 1, ...since(iso(0)) })}`;
      next;
    ) {
      const response: Answer = await get(next.replace("https://lectern.test", ""), { token })
      expect(response.status).toBe(200)
      found.push(...idsOf(response))
      // A count of the rest of the range, and the rows of the page.
      expect(cost(response).read).toBeLessThanOrEqual(all.length + 10 * 20 + 40)
      previousPage = /<([^>]+)>; rel="prev"/.exec(response.headers.get("link") ?? "")?.[1]
      next = nextOf(response)
    }
    expect(found).toEqual(all)
    const before = await get(previousPage?.replace("https://lectern.test", "") ?? "", { token })
    const start = 10 * Math.floor((all.length - 1) / 10)
    expect(idsOf(before)).toEqual(all.slice(start - 10, start))
    const down = { order_by: { colName: "updatedAt", direction: "desc" }, page_size: 100 }
    expect(idsOf(await page(path, { ...since(iso(1000)), ...down }, token))).toEqual(
      all.filter((id) => id % 2 === 1).toReversed(),
    )
    expect(idsOf(await page(path, { ...since(iso(0)), order_by: "id", page_size: 100 }, token))).toEqual(
      all.toSorted((a, b) => a - b),
    )
  })

  it("returns 422 for what is not a time", async () => {
    const { token } = await signedIn("owner")
    for (const wrong of ["yesterday", "2026-13-01", "17"])
      expect((await page(path, since(wrong), token)).body.errors, wrong).toHaveProperty("search_param.updatedSince")
    expect((await page(path, since(""), token)).status).toBe(200)
  })
})

describe("the list of all enrollments", () => {
  it("has the ids, status and times of each enrollment, and is limited to the caller's scope", async () => {
    const [ada, eve] = [await user(), await user()]
    const [algebra, botany] = [await course(), await course()]
    const times = { registeredAt: Date.UTC(2026, 0, 5), startedAt: Date.UTC(2026, 0, 6) }
    const { id } = await enrollment(ada, algebra, { ...times, status: "In Progress", percent: 50 })
    await enrollment(eve, botany)
    const staff = await signedIn("staff")
    const list = (parameters: object, token: string) => page("/api/enrollments/tabularlist", parameters, token)
    const response = await list({}, staff.token)
    expect(response.body).toMatchObject({ recordsTotal: 2, recordsFiltered: 2 })
    expect(response.body.records[0]).toEqual({
      ...{ id, userId: ada.id, courseId: algebra.id, groupId: null, status: "In Progress", percentComplete: 50 },
      ...{ certificateCount: 0, registeredAt: iso(times.registeredAt), startedAt: iso(times.startedAt) },
      ...{ completedAt: null, expiresAt: null, lastAccessedAt: null, updatedAt: anyIsoTime },
      ...{ dueAt: null, dueStatus: null, cycle: 1 },
    })
    expect(cost(response).roundTrips).toBe(1)
    const courseId = { search_param: { courseId: botany.id } }
    expect((await list(courseId, staff.token)).body).toMatchObject({
      recordsFiltered: 1,
      records: [{ userId: eve.id }],
    })
    expect((await list({ user_id: ada.id }, staff.token)).body).toMatchObject({ recordsTotal: 1, records: [{ id }] })
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [ada.id] })
    for (const search_param of [{}, { updatedSince: iso(0) }])
      expect((await list({ search_param }, supervisor.token)).body).toMatchObject({
        recordsFiltered: 1,
        records: [{ id }],
      })
    const learner = await signedIn("general")
    expect((await list({}, learner.token)).body).toMatchObject({ recordsTotal: 0, records: [] })
    expect((await list({ user_id: ada.id }, learner.token)).body).toMatchObject({ recordsTotal: 0, records: [] })
    expect((await get(`/api/enrollments/tabularlist${query({ page_size: 1, page_number: 1 })}`)).status).toBe(302)
  })

  it("reads only what changed in a supervisor's scope", async () => {
    const supervisor = await signedIn("group_admin")
    const algebra = await course()
    const members = []
    for (let i = 0; i < 100; i++) members.push(await user())
    await group({ admins: [supervisor.id], members: members.map(({ id }) => id) })
    for (const member of members) await enrollment(member, algebra)
    const response = await page("/api/enrollments/tabularlist", since("2199-01-05T00:00:00Z"), supervisor.token)
    expect(response.body).toMatchObject({ recordsFiltered: 0, records: [] })
    // The total counts the scope.
    expect(cost(response).read).toBeLessThanOrEqual(6 * 100 + 40)
  })
})

describe("the list of all certificates", () => {
  it("has ids and times, also of revoked certificates, and counts issued ones", async () => {
    const owner = await signedIn("owner")
    const { id: templateId } = await template()
    const ada = await user()
    const algebra = await course({ name: "Algebra", certificateTemplateId: templateId }, [{}])
    const { id: enrollmentId } = await enrollment(ada, algebra)
    const body = { registrationId: enrollmentId, moduleId: 1, status: "Completed" }
    expect((await post("/api/module/progress", body, { token: owner.token })).status).toBe(200)
    const list = () => page("/api/certificates/tabularlist", {}, owner.token)
    const response = await list()
    expect(response.body).toEqual({
      ...{ recordsTotal: 1, recordsFiltered: 1 },
      records: [
        {
          ...{ id: 1, userId: ada.id, courseId: algebra.id, enrollmentId, templateId, courseName: "Algebra" },
          ...{ code: expect.stringMatching(/^[0-9A-F]{24}$/), issuedAt: anyIsoTime, expiresAt: null, revokedAt: null },
          updatedAt: anyIsoTime,
        },
      ],
    })
    const enrolled = await page("/api/enrollments/tabularlist", {}, owner.token)
    expect(enrolled.body.records).toMatchObject([{ status: "Completed", certificateCount: 1 }])
    await put(`/api/user/${ada.id}/delete-certificate`, { id: 1 }, { token: owner.token })
    expect((await list()).body).toMatchObject({ recordsTotal: 1, records: [{ revokedAt: anyIsoTime }] })
    const after = await page("/api/enrollments/tabularlist", {}, owner.token)
    expect(after.body.records).toMatchObject([{ certificateCount: 0 }])
    expect(after.body.records[0].updatedAt > enrolled.body.records[0].updatedAt).toBe(true)
  })
})
