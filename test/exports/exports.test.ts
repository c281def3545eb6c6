import { env } from "cloudflare:workers"
import { inflateRawSync } from "node:zlib"
import { eq } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { categories, userCategories } from "../../drizzle/schema/categories.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { memberships } from "../../drizzle/schema/memberships.ts"
import { users } from "../../drizzle/schema/users.ts"
import { XLSX_TYPE } from "../../src/lib/spreadsheet/workbook.ts"
import { deliver, exportJob, manyUsers } from "../factories/exports.ts"
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { call, cost, download, get, post } from "../helpers/client.ts"
import { ended, messages, openQueue } from "../helpers/queues.ts"

const USERS = "/api/users/export"
const progressPath = (id: string) => `${USERS}/progress/${id}`
const cancelPath = (id: string) => `${USERS}/cancel/${id}`
const downloadPath = (id: string) => `${USERS}/download/${id}`
const UNKNOWN = "00000000-0000-4000-8000-000000000000"

/** The rows of a job's file, the headers first. */
async function rowsIn(id: string, token: string) {
  const file = await download(downloadPath(id), { token })
  expect(file.status).toBe(200)
  const book = await readXlsx(file.body)
  return book.sheets[0]?.rows ?? []
}

const emailsIn = async (id: string, token: string) => (await rowsIn(id, token)).slice(1).map((row) => row[4])

/** Runs a job that is in no queue, and tells whose addresses its file holds. */
async function exported(caller: Awaited<ReturnType<typeof signedIn>>, filter: object) {
  const id = await exportJob(caller, { filter: JSON.stringify(filter) })
  await deliver(id)
  return (await emailsIn(id, caller.token)).sort()
}

describe("the users export", () => {
  it("has a unique file name, even when another export starts in the same second", async () => {
    const { token } = await signedIn("admin")
    const names = ["ada", "bob"].map((nameOrEmail) => post(USERS, { search_param: { nameOrEmail } }, { token }))
    for (const started of await Promise.all(names)) expect(started.status).toBe(200)
    const files = (await rowsOf(exportJobs)).map(({ filename }) => filename)
    expect(new Set(files.map((name) => name.replace(/-\d{8}-\d{6}-/, "-"))).size).toBe(2)
  })

  it("runs from the request to the download through the queue", async () => {
    const admin = await signedIn("admin", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    await user({ firstName: "Zoë", lastName: "O'Neil & Sons <x>", email: "zoe@example.com" })
    openQueue("EXPORTS")

    const started = await post(USERS, { searchPortalIds: [], search_param: {} }, { token: admin.token })
    expect(started).toMatchObject({ status: 200, body: { status: "success", message: "Export of users started." } })
    expect(cost(started).roundTrips).toBe(2)
    const id = started.body.export_id
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "export", performedBy: admin.id, details: { exportId: id } },
    ])

    const done = await ended(progressPath(id), admin.token)
    expect(done).toEqual({
      status: "completed",
      progress: 100,
      message: "Completed: 2 rows.",
      filename: expect.stringMatching(/^users-\d{8}-\d{6}-[\da-f]{8}\.xlsx$/),
      download_url: downloadPath(id),
    })
    const file = await download(done.download_url, { token: admin.token })
    expect(file.status).toBe(200)
    expect(file.headers.get("content-type")).toBe(XLSX_TYPE)
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${done.filename}"`)
    expect(file.headers.get("content-length")).toBe(String(file.body.length))

    const list = await get("/api/users/tabularlist?page_size=5&page_number=1&order_by=id", { token: admin.token })
    const [headers = [], ...rows] = (await readXlsx(file.body)).sheets[0]?.rows ?? []
    expect(headers).toEqual(Object.keys(list.body.records[0]))
    const expectedRows = rows.map((row) =>
      Object.fromEntries(headers.map((name, i) => [name, row[i] ?? (name === "lastLoginAt" ? null : "")])),
    )
    const moments = [/^\w{3} \d{2}, \d{4} /, /^Never$/].map((moment) => expect.stringMatching(moment))
    expect(expectedRows).toEqual(
      list.body.records.map((row: object, i: number) => ({ ...row, last_login: moments[i], externalId: "" })),
    )
  })

  it("has the time of the last login instead of its age", async () => {
    const admin = await signedIn("admin")
    await user()
    await db
      .update(users)
      .set({ lastLoginAt: Date.UTC(2026, 0, 5, 15, 4) })
      .where(eq(users.id, admin.id))
    const id = await exportJob(admin)
    await deliver(id)
    const [headers = [], ...rows] = await rowsIn(id, admin.token)
    const lastLogins = rows.map((row) => row[headers.indexOf("last_login")])
    expect(lastLogins).toEqual(["Jan 05, 2026 03:04 PM", "Never"])
  })

  it("reads progress and the file in one round trip each", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    const progress = await get(progressPath(id), { token: admin.token })
    expect(cost(progress)).toMatchObject({ roundTrips: 1, written: 0 })
    expect(cost(await call("HEAD", downloadPath(id), { token: admin.token })).roundTrips).toBe(1)
  })

  it("writes formula-like text as text, and numbers as numbers", async () => {
    const admin = await signedIn("admin", { id: 7, firstName: '=HYPERLINK("http://evil")', lastName: "@SUM(1)" })
    await user({ id: 9, firstName: "_x0041_", lastName: " 007 " })
    const id = await exportJob(admin)
    await deliver(id)
    const { body } = await download(downloadPath(id), { token: admin.token })
    const head = new DataView(body.buffer)
    const start = 30 + head.getUint16(26, true) + head.getUint16(28, true)
    const xml = inflateRawSync(body.subarray(start)).toString("utf8")
    expect(xml).toContain('<c r="A2"><v>7</v></c>')
    expect(xml).toContain('<c r="B2" t="inlineStr"><is><t>=HYPERLINK("http://evil")</t></is></c>')
    expect(xml).toContain('<c r="C2" t="inlineStr"><is><t>@SUM(1)</t></is></c>')
    expect(xml).not.toContain("<f>")
    const rows = await rowsIn(id, admin.token)
    expect(rows[1]?.slice(0, 3)).toEqual([7, '=HYPERLINK("http://evil")', "@SUM(1)"])
    expect(rows[2]?.slice(0, 3)).toEqual([9, "_x0041_", " 007 "])
  })

  it("accepts an empty body and blank filters for everyone", async () => {
    const admin = await signedIn("admin")
    const { body: first } = await post(USERS, { searchPortalIds: "", search_param: [] }, { token: admin.token })
    await deliver(first.export_id)
    const { status, body: second } = await call("POST", USERS, { token: admin.token })
    expect(status).toBe(200)
    await deliver(second.export_id)
    expect(await emailsIn(second.export_id, admin.token)).toEqual([admin.email])
  })

  it("returns 422 with the field of an invalid filter", async () => {
    const { token } = await signedIn("admin")
    const response = await post(USERS, { searchPortalIds: ["x"], search_param: { membershipId: "y" } }, { token })
    expect(response.status).toBe(422)
    expect(Object.keys(response.body.errors).sort()).toEqual(["searchPortalIds.0", "search_param.membershipId"])
    expect(await rowsOf(exportJobs)).toEqual([])
  })

  it("returns the running export for an equivalent request, and records it once", async () => {
    const admin = await signedIn("admin")
    const other = await signedIn("admin")
    const id = await exportJob(admin, { filter: '{"searchPortalIds":[1,2],"search_param":{"nameOrEmail":"a"}}' })
    const again = await post(
      USERS,
      { search_param: '{"nameOrEmail":" a ","userCategoryId":[]}', searchPortalIds: "2,1,2" },
      { token: admin.token },
    )
    expect(again).toMatchObject({ status: 200, body: { status: "success", export_id: id } })
    expect(await rowsOf(auditLogs)).toEqual([])
    const different = await post(USERS, { searchPortalIds: [1] }, { token: admin.token })
    const others = await post(
      USERS,
      { search_param: { nameOrEmail: "a" }, searchPortalIds: [1, 2] },
      { token: other.token },
    )
    expect(new Set([id, different.body.export_id, others.body.export_id]).size).toBe(3)
    expect(messages.EXPORTS).toEqual([different, others].map(({ body }) => ({ exportId: body.export_id })))
  })

  it("starts one export for concurrent requests", async () => {
    const { token } = await signedIn("admin")
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => post(USERS, {}, { token })))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await rowsOf(exportJobs)).toHaveLength(1)
    expect(await rowsOf(auditLogs)).toHaveLength(1)
    expect(messages.EXPORTS).toEqual([{ exportId: responses[0]?.body.export_id }])
  })

  it("replays an Idempotency-Key", async () => {
    const { token } = await signedIn("admin")
    const options = { token, headers: { "idempotency-key": "once" } }
    const first = await post(USERS, {}, options)
    const second = await post(USERS, {}, options)
    expect(second.body).toEqual(first.body)
    expect(await rowsOf(exportJobs)).toHaveLength(1)
  })
})

describe("permissions of exports", () => {
  it("redirects an anonymous caller to the sign-in page", async () => {
    const calls = [
      ["POST", USERS],
      ["GET", progressPath(UNKNOWN)],
      ["POST", cancelPath(UNKNOWN)],
      ["GET", downloadPath(UNKNOWN)],
    ] as const
    for (const [method, path] of calls) {
      const response = await call(method, path, { headers: { accept: "application/json" } })
      expect(response.status).toBe(302)
      expect(response.headers.get("location")).toBe("https://lectern.test/login")
      expect(response.headers.get("content-type")).toMatch(/^text\/html/)
    }
  })

  it("returns 403 to a learner", async () => {
    const { token } = await signedIn("general")
    expect((await post(USERS, {}, { token })).status).toBe(403)
    expect((await get(downloadPath(UNKNOWN), { token })).status).toBe(403)
  })

  it("returns 404 for exports of others, unknown ids and invalid ids", async () => {
    const owner = await signedIn("owner")
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    for (const path of [progressPath(id), downloadPath(id), progressPath(UNKNOWN), progressPath("7")])
      expect((await get(path, { token: owner.token })).status, path).toBe(404)
    expect((await post(cancelPath(id), {}, { token: owner.token })).status).toBe(404)
    expect((await get(progressPath(id), { token: admin.token })).status).toBe(200)
  })

  it("hides an export from a caller who lost the role it was created under", async () => {
    const staff = await signedIn("staff")
    const id = await exportJob({ ...staff, userType: "admin" })
    await deliver(id)
    expect((await get(downloadPath(id), { token: staff.token })).status).toBe(404)
  })

  it("gives supervisors only the members of their groups and portals", async () => {
    const supervisor = await signedIn("group_admin")
    const [member, learner, stranger] = [await user(), await user(), await user()]
    await group({ admins: [supervisor.id], members: [member.id] })
    const mine = await portal({ admins: [supervisor.id], members: [learner.id, member.id] })
    const foreign = await portal({ members: [stranger.id, member.id] })
    expect(await exported(supervisor, { search_param: {} })).toEqual([member.email, learner.email].sort())
    expect(await exported(supervisor, { searchPortalIds: [foreign.id], search_param: {} })).toEqual([member.email])
    const names = { nameOrEmail: "example.com" }
    expect(await exported(supervisor, { searchPortalIds: [mine.id], search_param: names })).toEqual(
      [member.email, learner.email].sort(),
    )
  })
})

describe("the filter of the users export", () => {
  it("filters by name or email, portals, categories and membership, alone and combined", async () => {
    const admin = await signedIn("admin", { email: "admin@lectern.test" })
    const [a, b, c] = [await user({ firstName: "Ann" }), await user({ firstName: "Anna" }), await user()]
    const [one, two] = [await portal({ members: [a.id, b.id] }), await portal({ members: [b.id, c.id] })]
    await db.insert(memberships).values({ id: 5, name: "Gold", createdAt: 0, searchText: "gold" })
    await db.update(users).set({ membershipId: 5 }).where(eq(users.id, b.id))
    for (const id of [1, 2])
      await db.insert(categories).values({ id, name: `C${id}`, type: "user", createdAt: 0, updatedAt: 0 })
    await db.insert(userCategories).values([
      { userId: a.id, categoryId: 1 },
      { userId: b.id, categoryId: 1 },
      { userId: b.id, categoryId: 2 },
      { userId: c.id, categoryId: 2 },
    ])
    const found = (search_param: object, searchPortalIds?: number[]) =>
      exported(admin, { search_param, ...(searchPortalIds && { searchPortalIds }) })
    expect(await found({ nameOrEmail: "ANN" })).toEqual([a.email, b.email])
    expect(await found({ membershipId: 5 })).toEqual([b.email])
    expect(await found({ userCategoryId: [1, 2] })).toEqual([a.email, b.email, c.email])
    expect(await found({ userCategoryId: [2] })).toEqual([b.email, c.email])
    expect(await found({}, [one.id, two.id])).toEqual([a.email, b.email, c.email])
    expect(await found({ nameOrEmail: "ann", membershipId: 5, userCategoryId: [1, 2] }, [two.id])).toEqual([b.email])
    expect(await found({ nameOrEmail: "nobody" })).toEqual([])
  })

  it("exports every user once over several pages, with every filter strategy", async () => {
    const admin = await signedIn("admin", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    await manyUsers(9000)
    const [one, two] = [await portal(), await portal()]
    await env.DB.batch([
      env.DB.prepare("insert into portal_members select ?, id, 'learner' from users where id % 2 = 0").bind(one.id),
      env.DB.prepare("insert into portal_members select ?, id, 'learner' from users where id % 3 = 0").bind(two.id),
    ])
    const ids = (from: (i: number) => boolean) => Array.from({ length: 9000 }, (_, i) => 1001 + i).filter(from)
    const exportedIds = async (filter: object) => {
      const id = await exportJob(admin, { filter: JSON.stringify(filter) })
      await deliver(id)
      return (await rowsIn(id, admin.token)).slice(1).map((row) => Number(row[0]))
    }
    expect(await exportedIds({ search_param: {} })).toEqual([admin.id, ...ids(() => true)])
    expect(await exportedIds({ search_param: { nameOrEmail: "arner" } })).toEqual(ids(() => true))
    const member = (i: number) => i % 2 === 0 || i % 3 === 0
    expect(await exportedIds({ searchPortalIds: [two.id, one.id], search_param: {} })).toEqual(ids(member))
  })
})

describe("the download of an export", () => {
  async function file() {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    const whole = await download(downloadPath(id), { token: admin.token })
    const part = (headers: Record<string, string>) => download(downloadPath(id), { token: admin.token, headers })
    return { id, token: admin.token, whole, part, size: whole.body.length, etag: whole.headers.get("etag") ?? "" }
  }

  it("supports ranges", async () => {
    const { whole, part, size } = await file()
    expect(whole.headers.get("accept-ranges")).toBe("bytes")
    for (const [range, from, to] of [
      ["bytes=0-9", 0, 9],
      ["bytes=10-", 10, size - 1],
      ["bytes=-20", size - 20, size - 1],
      [`bytes=5-${size * 2}`, 5, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
    ] as const) {
      const response = await part({ range })
      expect(response.status, range).toBe(206)
      expect(response.headers.get("content-range")).toBe(`bytes ${from}-${to}/${size}`)
      expect(response.headers.get("content-length")).toBe(String(to - from + 1))
      expect(response.body).toEqual(whole.body.slice(from, to + 1))
    }
  })

  it("returns 416 for a range outside the file, and the whole file for an unknown range unit", async () => {
    const { part, size } = await file()
    for (const range of [`bytes=${size}-`, "bytes=-0"]) {
      const response = await part({ range })
      expect(response.status, range).toBe(416)
      expect(response.headers.get("content-range")).toBe(`bytes */${size}`)
    }
    for (const range of ["bytes=0-1,4-5", "bytes=9-2", "rows=1-2", "bytes=-"]) {
      const response = await part({ range })
      expect([response.status, response.body.length], range).toEqual([200, size])
    }
  })

  it("honors If-Range and If-None-Match", async () => {
    const { part, size, etag, whole } = await file()
    expect((await part({ range: "bytes=0-9", "if-range": etag })).status).toBe(206)
    expect((await part({ range: "bytes=0-9", "if-range": whole.headers.get("last-modified") ?? "" })).status).toBe(206)
    const other = await part({ range: "bytes=0-9", "if-range": '"other"' })
    expect([other.status, other.body.length]).toEqual([200, size])
    const known = await part({ "if-none-match": `"other", W/${etag}` })
    expect([known.status, known.body.length, known.headers.get("etag")]).toEqual([304, 0, etag])
  })

  it("returns its size for HEAD", async () => {
    const { id, token, size, etag } = await file()
    const response = await call("HEAD", downloadPath(id), { token })
    expect(response.status).toBe(200)
    expect(response.headers.get("etag")).toBe(etag)
    expect(response.headers.get("content-length")).toBe(String(size))
    expect(response.body).toBe("")
  })

  it("returns 409 before the file exists", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    expect((await get(downloadPath(id), { token: admin.token })).status).toBe(409)
  })
})
