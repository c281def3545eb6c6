import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { ObjectWriter } from "../../src/lib/files/multipart.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { bindingsWith, deliver, exportJob, jobOf, manyUsers, storedKeys } from "../factories/exports.ts"
import { db, rowsOf, signedIn } from "../factories/index.ts"
import { cost, get, post } from "../helpers/client.ts"
import { messages } from "../helpers/queues.ts"

const USERS = "/api/users/export"
const progressPath = (id: string) => `${USERS}/progress/${id}`
const cancelPath = (id: string) => `${USERS}/cancel/${id}`
const downloadPath = (id: string) => `${USERS}/download/${id}`
const UNKNOWN = "00000000-0000-4000-8000-000000000000"

describe("a file of several parts", () => {
  const MEGABYTE = 1_000_000
  const chunks = Array.from({ length: 12 }, (_, i) => new Uint8Array(MEGABYTE + i).fill(i))

  it("is written completely for any chunk sizes", async () => {
    const writer = new ObjectWriter(env.FILES, "exports/parts", {})
    for (const chunk of chunks) await writer.write(chunk)
    expect(await storedKeys()).toEqual([])
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    expect(await writer.finish()).toBe(size)
    const written = new Uint8Array((await (await env.FILES.get("exports/parts"))?.arrayBuffer()) ?? [])
    let position = 0
    for (const chunk of chunks) {
      expect(written.subarray(position, position + chunk.length).every((byte) => byte === chunk[0])).toBe(true)
      position += chunk.length
    }
    expect(written.length).toBe(size)
  })

  it("leaves nothing when it is discarded", async () => {
    const writer = new ObjectWriter(env.FILES, "exports/parts", {})
    for (const chunk of chunks) await writer.write(chunk)
    const upload = writer.uploadId ?? ""
    await writer.discard()
    expect(await storedKeys()).toEqual([])
    await expect(env.FILES.resumeMultipartUpload("exports/parts", upload).complete([])).rejects.toThrow()
  })
})

describe("a completed export without its file", () => {
  it("returns 410 for its progress and its download", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    await env.FILES.delete((await jobOf(id)).objectKey ?? "")
    const expiredResponse = {
      status: 410,
      body: { code: "file_gone", message: "The file of this export no longer exists. Start a new export." },
    }
    expect(await get(progressPath(id), { token: admin.token })).toMatchObject(expiredResponse)
    expect(await get(downloadPath(id), { token: admin.token })).toMatchObject(expiredResponse)
  })
})

describe("a delivery", () => {
  it("changes nothing after the job has ended", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    const before = [await jobOf(id), await storedKeys()]
    expect(await deliver(id, env, 2)).toEqual({ retried: false })
    expect([await jobOf(id), await storedKeys()]).toEqual(before)
  })

  it("changes nothing while another delivery owns the job", async () => {
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

  it("is ignored for an unknown job", async () => {
    expect(await deliver(UNKNOWN)).toEqual({ retried: false })
  })

  it("takes over from an interrupted attempt and aborts its upload", async () => {
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

  it("leaves nothing after it lost its lease, and does not touch the other's file", async () => {
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
  it("stops the export within a page and leaves nothing in R2", async () => {
    const admin = await signedIn("admin")
    await manyUsers(12_500)
    const id = await exportJob(admin)
    const roundTrips: string[] = []
    await deliver(
      id,
      bindingsWith(async (trip) => {
        roundTrips.push((await jobOf(id)).status)
        if (trip !== 4) return
        const response = await post(cancelPath(id), {}, { token: admin.token })
        expect(response).toMatchObject({ status: 200, body: { status: "success", message: "Export canceled." } })
        expect(cost(response).roundTrips).toBe(2)
      }),
    )
    // The page that was under way saw it; then the row was settled.
    expect(roundTrips.filter((status) => status === "cancelled").length).toBeLessThanOrEqual(2)
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

  it("prevents a waiting job from starting", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await post(cancelPath(id), {}, { token: admin.token })
    await deliver(id)
    expect(await jobOf(id)).toMatchObject({ status: "cancelled", attempts: 0, dueAt: null })
    expect(await storedKeys()).toEqual([])
  })

  it("returns 409 after the job has ended, and records nothing", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    expect((await post(cancelPath(id), {}, { token: admin.token })).status).toBe(409)
    expect(await rowsOf(auditLogs)).toEqual([])
    expect((await jobOf(id)).status).toBe("completed")
  })

  it("lets the cron clean up after an interrupted consumer", async () => {
    const admin = await signedIn("admin")
    const lease = crypto.randomUUID()
    const id = await exportJob(admin, { lease, leaseUntil: Date.now() - 1, dueAt: Date.now() - 1, attempts: 1 })
    await env.FILES.put(`exports/${id}/${lease}.xlsx`, "half")
    await post(cancelPath(id), {}, { token: admin.token })
    await runScheduled(env)
    expect(await storedKeys()).toEqual([])
    expect(await jobOf(id)).toMatchObject({ status: "cancelled", lease: null, dueAt: null })
  })
})

describe("a failing attempt", () => {
  const broken = () =>
    bindingsWith((trip) => {
      if (trip === 3) throw new Error("D1 is away")
    })

  it("is retried, and fails the job with a message after three attempts", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    for (const attempt of [1, 2]) {
      expect(await deliver(id, broken(), attempt)).toEqual({ retried: true })
      expect(await jobOf(id)).toMatchObject({ status: "processing", attempts: attempt })
      expect((await jobOf(id))?.leaseUntil).toBeLessThan(0)
    }
    expect(await deliver(id, broken(), 3)).toEqual({ retried: true })
    const { body } = await get(progressPath(id), { token: admin.token })
    expect(body).toMatchObject({ status: "failed", filename: null, download_url: null })
    expect(body.message).toMatch(/Start it again/)
    expect(await storedKeys()).toEqual([])
    const file = await get(downloadPath(id), { token: admin.token })
    expect(file).toMatchObject({ status: 409, body: { message: body.message } })
    expect((await post(cancelPath(id), {}, { token: admin.token })).status).toBe(409)
    // Delivered once more, it goes on toward the dead-letter queue.
    expect(await deliver(id, env, 4)).toEqual({ retried: true })
    expect((await jobOf(id)).attempts).toBe(3)
  })

  it("leaves nothing of its file when R2 fails at the end", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    const FILES = new Proxy(env.FILES, {
      get(bucket, member: keyof R2Bucket) {
        if (member !== "put") return typeof bucket[member] === "function" ? bucket[member].bind(bucket) : bucket[member]
        return async (...args: Parameters<R2Bucket["put"]>) => {
          await bucket.put(...args)
          throw new Error("R2 is away")
        }
      },
    })
    expect(await deliver(id, { ...env, FILES })).toEqual({ retried: true })
    expect(await storedKeys()).toEqual([])
    await deliver(id, env, 2)
    expect((await jobOf(id)).status).toBe("completed")
  })

  it("completes the job when only the response to its completion was lost", async () => {
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

  it("fails the job after three interruptions, by the cron", async () => {
    const admin = await signedIn("admin")
    const lease = crypto.randomUUID()
    const past = Date.now() - 1
    const id = await exportJob(admin, { lease, attempts: 3, leaseUntil: past, dueAt: past })
    await env.FILES.put(`exports/${id}/${lease}.xlsx`, "half")
    await runScheduled(env)
    expect(await jobOf(id)).toMatchObject({ status: "failed", lease: null, dueAt: null })
    expect(await storedKeys()).toEqual([])
  })
})

describe("a job without an owner", () => {
  it("is enqueued again by the cron, once per period", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin, { dueAt: Date.now() - 1 })
    await runScheduled(env)
    expect((await jobOf(id)).dueAt ?? 0).toBeGreaterThan(Date.now())
    expect(messages.EXPORTS).toEqual([{ exportId: id }])
  })

  it("is enqueued again by a progress request in one round trip", async () => {
    const admin = await signedIn("admin")
    const past = Date.now() - 1
    const id = await exportJob(admin, { lease: crypto.randomUUID(), attempts: 1, leaseUntil: past, dueAt: past })
    const poll = await get(progressPath(id), { token: admin.token })
    expect(poll.body.status).toBe("processing")
    expect(cost(poll).roundTrips).toBe(1)
    expect(messages.EXPORTS).toEqual([{ exportId: id }])
  })

  it("is not touched while its attempt renews the lease", async () => {
    const admin = await signedIn("admin")
    const later = Date.now() + MINUTE
    const id = await exportJob(admin, { lease: crypto.randomUUID(), attempts: 1, leaseUntil: later, dueAt: later })
    await runScheduled(env)
    await get(progressPath(id), { token: admin.token })
    await deliver(id)
    expect(await jobOf(id)).toMatchObject({ status: "processing", attempts: 1, dueAt: later })
  })
})

describe("after seven days", () => {
  it("the file is deleted and the job expires; its row is deleted a month later", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin)
    await deliver(id)
    await db
      .update(exportJobs)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(exportJobs.id, id))
    // Even before the sweep has come by.
    expect((await get(downloadPath(id), { token: admin.token })).status).toBe(410)
    await runScheduled(env)
    expect(await storedKeys()).toEqual([])
    expect(await jobOf(id)).toMatchObject({ status: "expired", objectKey: null })
    expect((await get(progressPath(id), { token: admin.token })).status).toBe(410)
    expect((await get(downloadPath(id), { token: admin.token })).status).toBe(410)

    await db
      .update(exportJobs)
      .set({ expiresAt: Date.now() - 31 * DAY })
      .where(eq(exportJobs.id, id))
    await runScheduled(env)
    expect(await rowsOf(exportJobs)).toEqual([])
    expect((await get(progressPath(id), { token: admin.token })).status).toBe(404)
  })
})
