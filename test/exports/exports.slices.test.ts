import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Bindings } from "../../src/env.ts"
import worker from "../../src/index.ts"
import { INVOCATION_LIMIT } from "../../src/modules/exports/export-attempt.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { uploadFile } from "../factories/assignments.ts"
import { deliverErasure } from "../factories/erasures.ts"
import { exportJob, jobOf, manyUsers, storedKeys } from "../factories/exports.ts"
import { db, signedIn, user } from "../factories/index.ts"
import { unzipped } from "../factories/personal-data.ts"
import { download, post, put } from "../helpers/client.ts"
import { messages } from "../helpers/queues.ts"

// D1 takes 1,000 queries of an invocation. Here it takes fewer, so that an export needs several.
const LIMIT = 21
const CALLS = INVOCATION_LIMIT.calls
beforeEach(() => {
  INVOCATION_LIMIT.calls = LIMIT - 15
})
afterEach(() => {
  INVOCATION_LIMIT.calls = CALLS
})

interface Planted {
  bindings: Bindings
  spent: () => number
}

/** Bindings whose database and bucket refuse what is beyond an invocation's limit. */
function limited(limit = LIMIT): Planted {
  let spent = 0
  const spend = (count: number) => {
    spent += count
    if (spent > limit) throw new Error("D1_ERROR: too many queries in one invocation")
  }
  const withSession = (constraint: string) => {
    const real = env.DB.withSession(constraint)
    return {
      prepare: (query: string) => real.prepare(query),
      getBookmark: () => real.getBookmark(),
      batch: async (statements: D1PreparedStatement[]) => {
        spend(statements.length)
        return real.batch(statements)
      },
    }
  }
  const FILES = new Proxy(env.FILES, {
    get(bucket, member: keyof R2Bucket) {
      if (typeof bucket[member] !== "function") return bucket[member]
      return (...args: never[]) => {
        spend(1)
        return (bucket[member] as (...all: never[]) => unknown).apply(bucket, args)
      }
    },
  })
  return { bindings: { ...env, FILES, DB: { withSession } as unknown as D1Database }, spent: () => spent }
}

async function deliverBody(body: unknown, bindings: Bindings, attempts = 1) {
  const batch = createMessageBatch("lectern-exports", [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts, body },
  ])
  const ctx = createExecutionContext()
  await worker.queue(batch, bindings)
  return (await getQueueResult(batch, ctx)).retryMessages.length > 0
}

/** Delivers a job's messages until it ends, each to an invocation of its own. @returns how many there were */
async function deliverAll(id: string): Promise<number> {
  messages.EXPORTS.splice(0, Infinity, { exportId: id })
  for (let invocations = 0; ; invocations++) {
    const body = messages.EXPORTS.shift()
    if (!body || invocations > 200) return invocations
    const { bindings, spent } = limited()
    expect(await deliverBody(body, bindings)).toBe(false)
    expect(spent()).toBeLessThanOrEqual(LIMIT)
  }
}

async function fileOf(id: string) {
  const { objectKey } = await jobOf(id)
  const object = await env.FILES.get(objectKey ?? "")
  return unzipped(new Uint8Array((await object?.arrayBuffer()) ?? []))
}

const learnersIn = (text: string) => [...text.matchAll(/<t>(learner\d+@example\.com)<\/t>/g)].map(([, email]) => email)

describe("an export with more queries than an invocation may run", () => {
  it("continues in further messages that each write a sheet, without losing a row", async () => {
    const admin = await signedIn("admin")
    await manyUsers(8_000)
    const id = await exportJob(admin)
    expect(await deliverAll(id)).toBeGreaterThan(2)
    expect(await jobOf(id)).toMatchObject({
      status: "completed",
      progress: 100,
      attempts: 1,
      lease: null,
      upload: null,
    })
    const files = await fileOf(id)
    const sheets = Object.keys(files).filter((path) => path.startsWith("xl/worksheets/sheet"))
    expect(sheets.length).toBeGreaterThan(2)
    const found = sheets.flatMap((path) => learnersIn(files[path] ?? ""))
    expect(found).toHaveLength(8_000)
    expect(new Set(found).size).toBe(8_000)
    expect(files["xl/workbook.xml"]?.match(/<sheet /g)).toHaveLength(sheets.length)
    for (const path of sheets) expect(files[path]).toContain('<row r="1"><c r="A1" s="1" ')
    // Only the file remains.
    expect(await storedKeys()).toEqual([(await jobOf(id)).objectKey])
  })

  it.each(["csv", "ndjson"])("continues a %s file without losing or repeating a line", async (format) => {
    const admin = await signedIn("admin")
    await manyUsers(8_000)
    const filter = JSON.stringify({ format, search_param: {} })
    const id = await exportJob(admin, { filter, filename: `users.${format}` })
    expect(await deliverAll(id)).toBeGreaterThan(2)
    const { objectKey } = await jobOf(id)
    const lines = (await (await env.FILES.get(objectKey ?? ""))?.text())?.split("\n") ?? []
    expect(lines.filter((line) => line.startsWith("id,"))).toHaveLength(format === "csv" ? 1 : 0)
    const found = lines.flatMap((line) => /learner\d+@example\.com/.exec(line) ?? [])
    expect(found).toHaveLength(8_000)
    expect(new Set(found).size).toBe(8_000)
    expect(await storedKeys()).toEqual([objectKey])
  })

  it("would fail at the limit without them", async () => {
    INVOCATION_LIMIT.calls = CALLS
    const admin = await signedIn("admin")
    await manyUsers(24_000)
    const id = await exportJob(admin)
    expect(await deliverBody({ exportId: id }, limited().bindings)).toBe(true)
    expect(await jobOf(id)).toMatchObject({ status: "processing", objectKey: null })
  })

  it("writes a complete personal archive: large tables in several files, and uploads", async () => {
    const ada = await signedIn("staff")
    await db.run(
      `insert into audit_entries (performed_by, action, subject, subject_id, effect_on, details, created_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 6000)
       select ${ada.id}, 'updated', 'user', ${ada.id}, 'Ada', '{}', i from n`,
    )
    for (let n = 0; n < 12; n++) await uploadFile(ada.token, `%PDF-1.4\nwork ${n}\n%%EOF\n`, `work ${n}.pdf`)
    const rows = (await db.select().from(auditLogs)).filter(({ performedBy }) => performedBy === ada.id).length
    const id = await exportJob(ada, { kind: "personal data", filter: "{}", filename: "personal-data.zip" })
    expect(await deliverAll(id)).toBeGreaterThan(10)
    const files = await fileOf(id)
    const parts = Object.entries(files).filter(([path]) => /^audit\/by-them(\.\d+)?\.json$/.test(path))
    expect(parts.length).toBeGreaterThan(2)
    const ids = parts.flatMap(([, text]) => JSON.parse(text).map((row: { id: number }) => row.id))
    expect(ids).toHaveLength(rows)
    expect(new Set(ids).size).toBe(rows)
    const manifest = JSON.parse(files["manifest.json"] ?? "")
    expect(manifest).toMatchObject({ userId: ada.id, leftOut: [], records: { "audit/by-them": rows } })
    expect(Object.keys(files).filter((path) => path.startsWith("files/"))).toHaveLength(12)
    expect((await storedKeys()).filter((key) => key.startsWith("exports/"))).toEqual([(await jobOf(id)).objectKey])
  })

  it("continues a multipart upload", { timeout: 120_000 }, async () => {
    const admin = await signedIn("admin")
    await manyUsers(3_500)
    // Names that cannot be compressed: a part of R2 has 5 MiB.
    await db.update(users).set({ internalNote: null, lastName: "x" })
    await db.run("update users set last_name = hex(randomblob(2000)) where id > 1000")
    const id = await exportJob(admin)
    let parts = 0
    messages.EXPORTS.splice(0, Infinity, { exportId: id })
    for (let body = messages.EXPORTS.shift(); body; body = messages.EXPORTS.shift()) {
      expect(await deliverBody(body, limited(LIMIT + 10).bindings)).toBe(false)
      const job = await jobOf(id)
      if (job.status === "processing" && job.upload) parts++
    }
    expect(parts).toBeGreaterThan(0)
    const files = await fileOf(id)
    expect(Object.values(files).flatMap(learnersIn)).toHaveLength(3_500)
  })
})

describe("an export between two of its invocations", () => {
  /** An export that has written a part and waits for its next message. */
  async function suspended() {
    const admin = await signedIn("admin")
    await manyUsers(8_000)
    const id = await exportJob(admin)
    messages.EXPORTS.length = 0
    expect(await deliverBody({ exportId: id }, limited().bindings)).toBe(false)
    const [next] = messages.EXPORTS.splice(0)
    expect(next).toEqual({ exportId: id, from: (await jobOf(id)).lease })
    expect(await storedKeys()).toHaveLength(2)
    return { admin, id, next }
  }

  it("starts a csv file over when its columns changed, so that each line has those of the header", async () => {
    const admin = await signedIn("admin")
    await manyUsers(8_000)
    const filter = JSON.stringify({ format: "csv", search_param: {} })
    const id = await exportJob(admin, { filter, filename: "users.csv" })
    messages.EXPORTS.length = 0
    expect(await deliverBody({ exportId: id }, limited().bindings)).toBe(false)
    const field = { type: "text", label: "Desk", userMetaKey: "desk", includeInReportExports: ["export-users"] }
    expect((await put("/api/users/customUserFields", { fields: [field] }, { token: admin.token })).status).toBe(200)
    for (let body = messages.EXPORTS.shift(); body; body = messages.EXPORTS.shift())
      if (await deliverBody(body, limited().bindings)) messages.EXPORTS.push({ exportId: id })
    const text = await (await env.FILES.get((await jobOf(id)).objectKey ?? ""))?.text()
    const [header, ...lines] = text?.trim().split("\n") ?? []
    expect(header).toContain("Desk")
    expect(lines).toHaveLength(8_001)
    const widths = new Set([header, ...lines].map((line) => line?.replace(/"[^"]*"/g, "").split(",").length))
    expect(widths.size).toBe(1)
  })

  it("continues once for a duplicate message", async () => {
    const { id, next } = await suspended()
    await Promise.all([deliverBody(next, env), deliverBody(next, env)])
    while (messages.EXPORTS.length > 0) await deliverBody(messages.EXPORTS.shift(), env)
    expect(await jobOf(id)).toMatchObject({ status: "completed", attempts: 1 })
    expect(await storedKeys()).toEqual([(await jobOf(id)).objectKey])
  })

  it("starts over when its next message or its state is lost", async () => {
    const { id, next } = await suspended()
    await db.update(exportJobs).set({ dueAt: 1 }).where(eq(exportJobs.id, id))
    await runScheduled(env)
    expect(messages.EXPORTS).toEqual([{ exportId: id }])
    expect(await deliverAll(id)).toBeGreaterThan(1)
    expect(await jobOf(id)).toMatchObject({ status: "completed" })
    expect(await storedKeys()).toEqual([(await jobOf(id)).objectKey])
    const before = await jobOf(id)
    expect(await deliverBody(next, env)).toBe(false)
    expect(await jobOf(id)).toEqual(before)
  })

  it("starts over, and fails after three attempts, when its next invocation is interrupted", async () => {
    const { id, next } = await suspended()
    for (const key of await storedKeys()) if (key.endsWith(".rest")) await env.FILES.delete(key)
    const deaths: string[] = []
    for (let body: unknown = next, attempt = 1; attempt <= 3; attempt++) {
      if (attempt > 1) {
        messages.EXPORTS.length = 0
        await db.update(exportJobs).set({ dueAt: 1 }).where(eq(exportJobs.id, id))
        await deliverBody({ exportId: id }, limited().bindings)
        ;[body] = messages.EXPORTS.splice(0)
        for (const key of await storedKeys()) if (key.endsWith(".rest")) await env.FILES.delete(key)
      }
      expect(await deliverBody(body, env)).toBe(true)
      deaths.push((await jobOf(id)).status)
    }
    expect(deaths).toEqual(["processing", "processing", "failed"])
    await runScheduled(env)
    expect(await storedKeys()).toEqual([])
  })

  it("leaves nothing in R2 when it is canceled", async () => {
    const { admin, id, next } = await suspended()
    await post(`/api/users/export/cancel/${id}`, {}, { token: admin.token })
    expect(await deliverBody(next, env)).toBe(false)
    await db.update(exportJobs).set({ dueAt: 1 }).where(eq(exportJobs.id, id))
    await runScheduled(env)
    expect(await storedKeys()).toEqual([])
  })

  it("starts over without a user who is erased in between", async () => {
    const { admin, id, next } = await suspended()
    const ada = await user({ email: "learner-ada@example.com" })
    await post("/api/user/erase", { userId: ada.id, email: ada.email }, { token: admin.token })
    await deliverErasure(ada.id)
    expect(await deliverBody(next, limited().bindings)).toBe(false)
    while (messages.EXPORTS.length > 0) await deliverBody(messages.EXPORTS.shift(), env)
    expect(await jobOf(id)).toMatchObject({ status: "completed" })
    const file = await download(`/api/users/export/download/${id}`, { token: admin.token })
    expect(JSON.stringify(await unzipped(file.body))).not.toContain("learner-ada")
    expect(await storedKeys()).toEqual([(await jobOf(id)).objectKey])
  })
})
