import { env } from "cloudflare:workers"
import { inflateRawSync } from "node:zlib"
import { eq } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../drizzle/audit.ts"
import { categories, userCategories } from "../drizzle/categories.ts"
import { exportJobs } from "../drizzle/exports.ts"
import { memberships } from "../drizzle/memberships.ts"
import { users } from "../drizzle/users.ts"
import { sweep } from "../src/jobs/jobs.ts"
import { ObjectWriter } from "../src/jobs/multipart.ts"
import { DAY, MINUTE } from "../src/lib/clock.ts"
import { XLSX_TYPE } from "../src/lib/workbook.ts"
import { call, cost, download, get, post } from "./client.ts"
import { bindingsWith, deliver, exportJob, jobOf, manyUsers, storedKeys } from "./factories.exports.ts"
import { db, group, portal, rowsOf, signedIn, user } from "./factories.ts"

const USERS = "/api/users/export"
const progressPath = (id: string) => `${USERS}/progress/${id}`
const cancelPath = (id: string) => `${USERS}/cancel/${id}`
const downloadPath = (id: string) => `${USERS}/download/${id}`
const UNKNOWN = "00000000-0000-4000-8000-000000000000"

/** Waits for the real queue. */
const ended = (id: string, token: string) =>
  vi.waitUntil(
    async () => {
      const { body } = await get(progressPath(id), { token })
      return body.status === "processing" ? undefined : body
    },
    { timeout: 20_000, interval: 50 },
  )

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
  it("goes from initiate to download through the queue", async () => {
    const admin = await signedIn("admin", { firstName: "Ada", lastName: "Byron", email: "ada@example.com" })
    await user({ firstName: "Zoë", lastName: "O'Neil & Sons <x>", email: "zoe@example.com" })

    const begun = await post(USERS, { searchPortalIds: [], search_param: {} }, { token: admin.token })
    expect(begun).toMatchObject({ status: 200, body: { status: "success", message: "The export of users has begun." } })
    expect(cost(begun).trips).toBe(2)
    const id = begun.body.export_id
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "created", subject: "export", performedBy: admin.id, details: { exportId: id } },
    ])

    const done = await ended(id, admin.token)
    expect(done).toEqual({
      status: "completed",
      progress: 100,
      message: "Completed: 2 rows.",
      filename: expect.stringMatching(/^users-\d{8}-\d{6}\.xlsx$/),
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
    expect(rows.map((row) => Object.fromEntries(headers.map((name, i) => [name, row[i] ?? ""])))).toEqual(
      list.body.records,
    )
  })

  it("asks for progress and a file in one trip", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    const progress = await get(progressPath(id), { token: admin.token })
    expect(cost(progress)).toMatchObject({ trips: 1, written: 0 })
    expect(cost(await call("HEAD", downloadPath(id), { token: admin.token })).trips).toBe(1)
  })

  it("keeps text that looks like a formula text, and numbers numbers", async () => {
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

  it("takes an empty body, and one with blanks, for everyone", async () => {
    const admin = await signedIn("admin")
    const { body: first } = await post(USERS, { searchPortalIds: "", search_param: [] }, { token: admin.token })
    await ended(first.export_id, admin.token)
    const { status, body: second } = await call("POST", USERS, { token: admin.token })
    expect(status).toBe(200)
    await ended(second.export_id, admin.token)
    expect(await emailsIn(second.export_id, admin.token)).toEqual([admin.email])
  })

  it("refuses a filter that cannot be read, by its field", async () => {
    const { token } = await signedIn("admin")
    const answer = await post(USERS, { searchPortalIds: ["x"], search_param: { membershipId: "y" } }, { token })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors).sort()).toEqual(["searchPortalIds.0", "search_param.membershipId"])
    expect(await rowsOf(exportJobs)).toEqual([])
  })

  it("answers a repeated call with the export that runs already, whatever the spelling, and records it once", async () => {
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
    await ended(different.body.export_id, admin.token)
    await ended(others.body.export_id, other.token)
  })

  it("begins one export for calls at the same moment", async () => {
    const { token } = await signedIn("admin")
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => post(USERS, {}, { token })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await rowsOf(exportJobs)).toHaveLength(1)
    expect(await rowsOf(auditLogs)).toHaveLength(1)
    await ended(answers[0]?.body.export_id, token)
  })

  it("replays an Idempotency-Key", async () => {
    const { token } = await signedIn("admin")
    const options = { token, headers: { "idempotency-key": "once" } }
    const first = await post(USERS, {}, options)
    await ended(first.body.export_id, token)
    const second = await post(USERS, {}, options)
    expect(second.body).toEqual(first.body)
    expect(await rowsOf(exportJobs)).toHaveLength(1)
  })
})

describe("who may export what", () => {
  it("sends an anonymous caller to the login page", async () => {
    const calls = [
      ["POST", USERS],
      ["GET", progressPath(UNKNOWN)],
      ["POST", cancelPath(UNKNOWN)],
      ["GET", downloadPath(UNKNOWN)],
    ] as const
    for (const [method, path] of calls) {
      const answer = await call(method, path, { headers: { accept: "application/json" } })
      expect(answer.status).toBe(302)
      expect(answer.headers.get("location")).toBe("https://lectern.test/login")
      expect(answer.headers.get("content-type")).toMatch(/^text\/html/)
    }
  })

  it("refuses a learner", async () => {
    const { token } = await signedIn("general")
    expect((await post(USERS, {}, { token })).status).toBe(403)
    expect((await get(downloadPath(UNKNOWN), { token })).status).toBe(403)
  })

  it("knows nobody else's export, no unknown one, and no id that is none", async () => {
    const owner = await signedIn("owner")
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    for (const path of [progressPath(id), downloadPath(id), progressPath(UNKNOWN), progressPath("7")])
      expect((await get(path, { token: owner.token })).status, path).toBe(404)
    expect((await post(cancelPath(id), {}, { token: owner.token })).status).toBe(404)
    expect((await get(progressPath(id), { token: admin.token })).status).toBe(200)
  })

  it("keeps an export from a caller who has lost the role that it was made under", async () => {
    const staff = await signedIn("staff")
    const id = await exportJob({ ...staff, userType: "admin" })
    await deliver(id)
    expect((await get(downloadPath(id), { token: staff.token })).status).toBe(404)
  })

  it("gives a supervisor the members of its groups and portals alone", async () => {
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
  it("narrows by name or address, portals, categories and membership, alone and together", async () => {
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

  it("passes every user once, over several pages, by each way in", async () => {
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

describe("the file", () => {
  async function file() {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    const whole = await download(downloadPath(id), { token: admin.token })
    const part = (headers: Record<string, string>) => download(downloadPath(id), { token: admin.token, headers })
    return { id, token: admin.token, whole, part, size: whole.body.length, etag: whole.headers.get("etag") ?? "" }
  }

  it("comes in ranges", async () => {
    const { whole, part, size } = await file()
    expect(whole.headers.get("accept-ranges")).toBe("bytes")
    for (const [range, from, to] of [
      ["bytes=0-9", 0, 9],
      ["bytes=10-", 10, size - 1],
      ["bytes=-20", size - 20, size - 1],
      [`bytes=5-${size * 2}`, 5, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
    ] as const) {
      const answer = await part({ range })
      expect(answer.status, range).toBe(206)
      expect(answer.headers.get("content-range")).toBe(`bytes ${from}-${to}/${size}`)
      expect(answer.headers.get("content-length")).toBe(String(to - from + 1))
      expect(answer.body).toEqual(whole.body.slice(from, to + 1))
    }
  })

  it("answers 416 to a range outside it, and the whole to one that it does not know", async () => {
    const { part, size } = await file()
    for (const range of [`bytes=${size}-`, "bytes=-0"]) {
      const answer = await part({ range })
      expect(answer.status, range).toBe(416)
      expect(answer.headers.get("content-range")).toBe(`bytes */${size}`)
    }
    for (const range of ["bytes=0-1,4-5", "bytes=9-2", "rows=1-2", "bytes=-"]) {
      const answer = await part({ range })
      expect([answer.status, answer.body.length], range).toEqual([200, size])
    }
  })

  it("honours If-Range and If-None-Match", async () => {
    const { part, size, etag, whole } = await file()
    expect((await part({ range: "bytes=0-9", "if-range": etag })).status).toBe(206)
    expect((await part({ range: "bytes=0-9", "if-range": whole.headers.get("last-modified") ?? "" })).status).toBe(206)
    const other = await part({ range: "bytes=0-9", "if-range": '"other"' })
    expect([other.status, other.body.length]).toEqual([200, size])
    const known = await part({ "if-none-match": `"other", W/${etag}` })
    expect([known.status, known.body.length, known.headers.get("etag")]).toEqual([304, 0, etag])
  })

  it("tells its size to HEAD", async () => {
    const { id, token, size, etag } = await file()
    const answer = await call("HEAD", downloadPath(id), { token })
    expect(answer.status).toBe(200)
    expect(answer.headers.get("etag")).toBe(etag)
    expect(answer.headers.get("content-length")).toBe(String(size))
    expect(answer.body).toBe("")
  })

  it("answers 409 before it is there", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    expect((await get(downloadPath(id), { token: admin.token })).status).toBe(409)
  })
})

describe("a file of several parts", () => {
  const MEGABYTE = 1_000_000
  const chunks = Array.from({ length: 12 }, (_, i) => new Uint8Array(MEGABYTE + i).fill(i))

  it("is written whole, whatever the sizes of its pieces", async () => {
    const writer = new ObjectWriter(env.FILES, "exports/parts", {})
    for (const chunk of chunks) await writer.write(chunk)
    expect(await storedKeys()).toEqual([])
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    expect(await writer.finish()).toBe(size)
    const written = new Uint8Array((await (await env.FILES.get("exports/parts"))?.arrayBuffer()) ?? [])
    let at = 0
    for (const chunk of chunks) {
      expect(written.subarray(at, at + chunk.length).every((byte) => byte === chunk[0])).toBe(true)
      at += chunk.length
    }
    expect(written.length).toBe(size)
  })

  it("leaves nothing when it is given up on the way", async () => {
    const writer = new ObjectWriter(env.FILES, "exports/parts", {})
    for (const chunk of chunks) await writer.write(chunk)
    const upload = writer.uploadId ?? ""
    await writer.discard()
    expect(await storedKeys()).toEqual([])
    await expect(env.FILES.resumeMultipartUpload("exports/parts", upload).complete([])).rejects.toThrow()
  })
})

describe("a delivery", () => {
  it("after the end changes nothing", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    const before = [await jobOf(id), await storedKeys()]
    expect(await deliver(id, env, 2)).toEqual({ retried: false })
    expect([await jobOf(id), await storedKeys()]).toEqual(before)
  })

  it("during the work of another leaves it alone", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(
      id,
      bindingsWith(async (trip) => {
        if (trip === 3) expect(await deliver(id)).toEqual({ retried: false })
      }),
    )
    expect(await jobOf(id)).toMatchObject({ status: "completed", attempts: 1 })
    expect(await storedKeys()).toHaveLength(1)
  })

  it("of an unknown job is let go", async () => {
    expect(await deliver(UNKNOWN)).toEqual({ retried: false })
  })

  it("takes over from an attempt that died, whose upload it aborts", async () => {
    const admin = await signedIn("admin")
    const lease = crypto.randomUUID()
    const id = await exportJob(admin, { lease, leaseUntil: Date.now() - 1, attempts: 1, progress: 40 })
    const key = `exports/${id}/${lease}.xlsx`
    const upload = await env.FILES.createMultipartUpload(key)
    await db.update(exportJobs).set({ upload: upload.uploadId }).where(eq(exportJobs.id, id))
    const seen: number[] = []
    await deliver(
      id,
      bindingsWith(async () => {
        seen.push((await jobOf(id)).progress)
      }),
    )
    expect(seen.every((progress) => progress >= 40)).toBe(true)
    expect(await jobOf(id)).toMatchObject({ status: "completed", attempts: 2, progress: 100 })
    expect(await storedKeys()).toEqual([(await jobOf(id)).objectKey])
    await expect(upload.uploadPart(1, "late")).rejects.toThrow()
  })

  it("that lost its job while it worked leaves nothing, and the other's file stays", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    let stolen = false
    const slow = bindingsWith(async (trip) => {
      if (trip !== 4 || stolen) return
      stolen = true
      await db.update(exportJobs).set({ leaseUntil: 1 }).where(eq(exportJobs.id, id))
      await deliver(id)
    })
    expect(await deliver(id, slow)).toEqual({ retried: false })
    const job = await jobOf(id)
    expect(job).toMatchObject({ status: "completed", attempts: 2 })
    expect(await storedKeys()).toEqual([job.objectKey])
  })

  it("raises progress page by page, and never lowers it", async () => {
    const admin = await signedIn("admin")
    await manyUsers(12_500)
    const id = await exportJob(admin)
    const seen: number[] = []
    await deliver(
      id,
      bindingsWith(async () => {
        seen.push((await jobOf(id)).progress)
      }),
    )
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(new Set(seen).size).toBeGreaterThan(3)
    expect(seen.at(-1)).toBeLessThan(100)
    expect((await jobOf(id)).progress).toBe(100)
  })
})

describe("cancel", () => {
  it("stops the work within a page and leaves nothing in R2", async () => {
    const admin = await signedIn("admin")
    await manyUsers(12_500)
    const id = await exportJob(admin)
    const trips: string[] = []
    await deliver(
      id,
      bindingsWith(async (trip) => {
        trips.push((await jobOf(id)).status)
        if (trip !== 4) return
        const answer = await post(cancelPath(id), {}, { token: admin.token })
        expect(answer).toMatchObject({ status: 200, body: { status: "success", message: "Export cancelled." } })
        expect(cost(answer).trips).toBe(2)
      }),
    )
    // The page that was under way saw it; then the row was settled.
    expect(trips.filter((status) => status === "cancelled").length).toBeLessThanOrEqual(2)
    expect(await storedKeys()).toEqual([])
    expect(await jobOf(id)).toMatchObject({ status: "cancelled", lease: null, dueAt: null, objectKey: null })
    expect((await get(progressPath(id), { token: admin.token })).body).toMatchObject({
      status: "cancelled",
      filename: null,
      download_url: null,
    })
    expect((await get(downloadPath(id), { token: admin.token })).status).toBe(410)
    expect(await rowsOf(auditLogs)).toMatchObject([
      { action: "updated", subject: "export", details: { exportId: id, status: "cancelled" } },
    ])
  })

  it("of a job that waits keeps it from ever beginning", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await post(cancelPath(id), {}, { token: admin.token })
    await deliver(id)
    expect(await jobOf(id)).toMatchObject({ status: "cancelled", attempts: 0, dueAt: null })
    expect(await storedKeys()).toEqual([])
  })

  it("after the end is refused, and records nothing", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    expect((await post(cancelPath(id), {}, { token: admin.token })).status).toBe(409)
    expect(await rowsOf(auditLogs)).toEqual([])
    expect((await jobOf(id)).status).toBe("completed")
  })

  it("of a job whose consumer died is cleaned up by the sweep", async () => {
    const admin = await signedIn("admin")
    const lease = crypto.randomUUID()
    const id = await exportJob(admin, { lease, leaseUntil: Date.now() - 1, dueAt: Date.now() - 1, attempts: 1 })
    await env.FILES.put(`exports/${id}/${lease}.xlsx`, "half")
    await post(cancelPath(id), {}, { token: admin.token })
    await sweep(env)
    expect(await storedKeys()).toEqual([])
    expect(await jobOf(id)).toMatchObject({ status: "cancelled", lease: null, dueAt: null })
  })
})

describe("a failing attempt", () => {
  const broken = () =>
    bindingsWith((trip) => {
      if (trip === 3) throw new Error("D1 is away")
    })

  it("is tried again, and after three the job has failed with a message", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    for (const attempt of [1, 2]) {
      expect(await deliver(id, broken(), attempt)).toEqual({ retried: true })
      expect(await jobOf(id)).toMatchObject({ status: "processing", attempts: attempt, leaseUntil: 0 })
    }
    expect(await deliver(id, broken(), 3)).toEqual({ retried: true })
    const { body } = await get(progressPath(id), { token: admin.token })
    expect(body).toMatchObject({ status: "failed", filename: null, download_url: null })
    expect(body.message).toMatch(/Begin it again/)
    expect(await storedKeys()).toEqual([])
    const file = await get(downloadPath(id), { token: admin.token })
    expect(file).toMatchObject({ status: 409, body: { message: body.message } })
    expect((await post(cancelPath(id), {}, { token: admin.token })).status).toBe(409)
    // Delivered once more, it goes on towards the dead-letter queue.
    expect(await deliver(id, env, 4)).toEqual({ retried: true })
    expect((await jobOf(id)).attempts).toBe(3)
  })

  it("leaves nothing of its file behind when R2 fails at the end", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    const FILES = new Proxy(env.FILES, {
      get(bucket, member: keyof R2Bucket) {
        if (member !== "put") return typeof bucket[member] === "function" ? bucket[member].bind(bucket) : bucket[member]
        return async (...given: Parameters<R2Bucket["put"]>) => {
          await bucket.put(...given)
          throw new Error("R2 is away")
        }
      },
    })
    expect(await deliver(id, { ...env, FILES })).toEqual({ retried: true })
    expect(await storedKeys()).toEqual([])
    await deliver(id, env, 2)
    expect((await jobOf(id)).status).toBe("completed")
  })

  it("that only lost the answer to its completion has completed", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    let lost = false
    const losing = bindingsWith(() => {})
    const real = losing.DB.withSession("first-primary")
    const session = {
      ...real,
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await real.batch(statements)
        if (lost || (await jobOf(id)).status !== "completed") return results
        lost = true
        throw new Error("The connection broke")
      },
    }
    const DB = { withSession: () => session } as unknown as D1Database
    expect(await deliver(id, { ...env, DB })).toEqual({ retried: false })
    expect(lost).toBe(true)
    expect(await storedKeys()).toEqual([(await jobOf(id)).objectKey])
  })

  it("that died three times without a word has failed, by the sweep", async () => {
    const admin = await signedIn("admin")
    const lease = crypto.randomUUID()
    const past = Date.now() - 1
    const id = await exportJob(admin, { lease, attempts: 3, leaseUntil: past, dueAt: past })
    await env.FILES.put(`exports/${id}/${lease}.xlsx`, "half")
    await sweep(env)
    expect(await jobOf(id)).toMatchObject({ status: "failed", lease: null, dueAt: null })
    expect(await storedKeys()).toEqual([])
  })
})

describe("a job that nobody works on", () => {
  it("is queued again by the sweep, once for a while", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin, { dueAt: Date.now() - 1 })
    await sweep(env)
    expect((await jobOf(id)).dueAt ?? 0).toBeGreaterThan(Date.now())
    expect(await ended(id, admin.token)).toMatchObject({ status: "completed" })
  })

  it("is queued again by a progress poll, which costs one trip", async () => {
    const admin = await signedIn("admin")
    const past = Date.now() - 1
    const id = await exportJob(admin, { lease: crypto.randomUUID(), attempts: 1, leaseUntil: past, dueAt: past })
    const poll = await get(progressPath(id), { token: admin.token })
    expect(poll.body.status).toBe("processing")
    expect(cost(poll).trips).toBe(1)
    expect(await ended(id, admin.token)).toMatchObject({ status: "completed" })
  })

  it("is left alone while its attempt renews the lease", async () => {
    const admin = await signedIn("admin")
    const later = Date.now() + MINUTE
    const id = await exportJob(admin, { lease: crypto.randomUUID(), attempts: 1, leaseUntil: later, dueAt: later })
    await sweep(env)
    await get(progressPath(id), { token: admin.token })
    await deliver(id)
    expect(await jobOf(id)).toMatchObject({ status: "processing", attempts: 1, dueAt: later })
  })
})

describe("seven days later", () => {
  it("the file is deleted and the job has expired; its row goes a month after", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    await db
      .update(exportJobs)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(exportJobs.id, id))
    // Even before the sweep has come by.
    expect((await get(downloadPath(id), { token: admin.token })).status).toBe(410)
    await sweep(env)
    expect(await storedKeys()).toEqual([])
    expect(await jobOf(id)).toMatchObject({ status: "expired", objectKey: null })
    expect((await get(progressPath(id), { token: admin.token })).status).toBe(410)
    expect((await get(downloadPath(id), { token: admin.token })).status).toBe(410)

    await db
      .update(exportJobs)
      .set({ expiresAt: Date.now() - 31 * DAY })
      .where(eq(exportJobs.id, id))
    await sweep(env)
    expect(await rowsOf(exportJobs)).toEqual([])
    expect((await get(progressPath(id), { token: admin.token })).status).toBe(404)
  })
})
