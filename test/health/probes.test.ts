import { env } from "cloudflare:workers"
import { eq, sql } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import { bulkUploads } from "../../drizzle/schema/bulk-uploads.ts"
import { erasures } from "../../drizzle/schema/erasures.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { webhookDeliveries, webhooks } from "../../drizzle/schema/webhooks.ts"
import { jobLease } from "../../src/db/background-work.ts"
import { openDatabase } from "../../src/db/client.ts"
import { DAY, MINUTE, SECOND } from "../../src/lib/clock.ts"
import { uploadLease } from "../../src/modules/bulk/bulk-upload.queries.ts"
import { resumeExports } from "../../src/modules/exports/exports.job.ts"
import { exportLease } from "../../src/modules/exports/exports.queries.ts"
import * as schemas from "../../src/modules/health/probes.schemas.ts"
import { REQUIRED_SCHEMA, STUCK_AFTER, STUCK_BEHIND_OTHERS } from "../../src/modules/health/readiness.queries.ts"
import { dispatchMails } from "../../src/modules/mail/mail-sweeps.ts"
import { erasureLease } from "../../src/modules/privacy/erasures.queries.ts"
import { deliver, exportJob, jobOf } from "../factories/exports.ts"
import { db, nextId, signedIn } from "../factories/index.ts"
import { type Answer, call, get, post, strictly } from "../helpers/client.ts"

// An isolate caches a result for two seconds, so each test uses its own clock, hours apart from the others.
let start = Date.now()
beforeEach(() => {
  start += DAY
  vi.useFakeTimers({ toFake: ["Date"], now: start })
})
const at = (milliseconds: number) => vi.setSystemTime(start + milliseconds)

const WAITING = { mails: 0, exports: 0, bulkUploads: 0, erasures: 0, backgroundJobs: 0, webhooks: 0 }

/** The response of `/ready`, three seconds later than the previous call. */
async function readiness(): Promise<Answer> {
  vi.setSystemTime(Date.now() + 3 * SECOND)
  const response = await get("/ready")
  const checked = strictly(response.status === 200 ? schemas.ready : schemas.notReady).safeParse(response.body)
  expect(checked.error?.issues ?? []).toEqual([])
  return response
}
const isReady = async () => expect(await readiness()).toMatchObject({ status: 200, body: { status: "ready" } })
/** Expects 503 with a problem of one part. */
async function isNotReady(part: string, why: RegExp) {
  const response = await readiness()
  expect(response).toMatchObject({ status: 503, body: { status: "error", code: "unavailable" } })
  expect(response.body.errors).toEqual({ [part]: [expect.stringMatching(why)] })
  expect(response.body.message).toMatch(why)
  expect(response.headers.get("retry-after")).toBe("5")
  return response
}

type Batch = (statements: D1PreparedStatement[]) => Promise<D1Result[]>

/** Runs a function while `way` wraps the batches of the database. */
async function onDatabase(way: (real: Batch) => Batch, run: () => Promise<unknown>) {
  const { DB } = env
  const withSession = (constraint: string) => {
    const session = DB.withSession(constraint)
    const prepare = (query: string) => session.prepare(query)
    return { prepare, batch: way((queries) => session.batch(queries)), getBookmark: () => session.getBookmark() }
  }
  Object.assign(env, { DB: { withSession } })
  try {
    await run()
  } finally {
    Object.assign(env, { DB })
  }
}

/** The log, which contains why the service is not ready. */
let logged: string[]
beforeEach(() => {
  logged = []
  vi.spyOn(console, "error").mockImplementation((line: string) => void logged.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe("GET /health", () => {
  it("responds without a database, a rate limit or a session", async () => {
    const { DB, CLIENTS } = env
    const away = new Proxy({}, { get: () => expect.unreachable("nothing is asked of a binding") })
    Object.assign(env, { DB: away, CLIENTS: away })
    try {
      for (const headers of [{}, { authorization: "Bearer nonsense" }] as Record<string, string>[]) {
        const response = await get("/health", { headers })
        expect(response).toMatchObject({ status: 200, body: { status: "alive" } })
        expect(response.headers.get("cache-control")).toBe("no-store")
        expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
        expect(response.headers.get("x-content-type-options")).toBe("nosniff")
        for (const name of ["x-d1-bookmark", "x-ratelimit-limit", "ratelimit"])
          expect(response.headers.get(name), name).toBeNull()
        expect(strictly(schemas.alive).safeParse(response.body).success).toBe(true)
      }
      expect(await call("HEAD", "/health")).toMatchObject({ status: 200, body: "" })
    } finally {
      Object.assign(env, { DB, CLIENTS })
    }
    expect((await post("/health", {})).status).toBe(405)
  })

  it("is public under every access policy", async () => {
    env.ACCESS_POLICY = "enforced"
    try {
      expect((await get("/health")).status).toBe(200)
      expect((await get("/ready")).status).toBe(200)
    } finally {
      env.ACCESS_POLICY = "documented"
    }
  })
})

describe("GET /ready", () => {
  it("returns the schema and the due items without a rate limit or a session", async () => {
    const { CLIENTS } = env
    Object.assign(env, { CLIENTS: new Proxy({}, { get: () => expect.unreachable("no object is asked") }) })
    try {
      const response = await readiness()
      expect(response).toMatchObject({
        status: 200,
        body: { status: "ready", schema: REQUIRED_SCHEMA, waiting: WAITING },
      })
      expect(response.headers.get("x-ratelimit-limit")).toBeNull()
      expect(response.headers.get("cache-control")).toBe("no-store")
      vi.setSystemTime(Date.now() + 3 * SECOND)
      expect(await call("HEAD", "/ready")).toMatchObject({ status: 200, body: "" })
    } finally {
      Object.assign(env, { CLIENTS })
    }
  })

  it("queries the database once in two seconds, however often it is called", async () => {
    let trips = 0
    const counted =
      (real: Batch): Batch =>
      (queries) => {
        trips++
        return real(queries)
      }
    await onDatabase(counted, async () => {
      await readiness()
      for (const later of [500, 1000, 1999]) {
        at(3 * SECOND + later)
        expect((await get("/ready")).status).toBe(200)
      }
      // The primary and the nearest instance concurrently.
      expect(trips).toBe(2)
      at(5 * SECOND)
      await get("/ready")
      expect(trips).toBe(4)
    })
  })
})

describe("database readiness", () => {
  it("is 503 within seconds while the database does not respond, and 200 when it responds again", async () => {
    const silent = () => new Promise<never>(() => {})
    await onDatabase(
      () => silent,
      () => isNotReady("database", /^The database has not responded for 3 seconds\.$/),
    )
    await isReady()
  })

  it("is 503 with a generic message if the database fails, and the log has the error", async () => {
    const failing = () => Promise.reject(new Error("D1_ERROR: inside of Cloudflare"))
    await onDatabase(
      () => failing,
      async () => {
        const { body } = await isNotReady("database", /^The database cannot be read\.$/)
        expect(JSON.stringify(body)).not.toContain("D1_ERROR")
      },
    )
    expect(logged.join()).toContain("inside of Cloudflare")
    await isReady()
  })
})

describe("schema readiness", () => {
  it("requires the last migration of the folder", () => {
    expect(REQUIRED_SCHEMA).toBe(
      env.TEST_MIGRATIONS.map(({ name }) => name)
        .toSorted()
        .at(-1),
    )
  })

  it("is 503 with an older schema, and 200 after the migration", async () => {
    await db.run(sql`delete from d1_migrations where name = ${REQUIRED_SCHEMA}`)
    await isNotReady("schema", new RegExp(`^The schema is older than the code, which needs ${REQUIRED_SCHEMA}\\.$`))
    await db.run(sql`insert into d1_migrations (name) values (${REQUIRED_SCHEMA})`)
    await isReady()
  })

  it("accepts a newer schema, of a coming or a rolled back version", async () => {
    await db.run(sql`insert into d1_migrations (name) values ('9999_of_the_next_version.sql')`)
    expect(await readiness()).toMatchObject({ status: 200, body: { schema: "9999_of_the_next_version.sql" } })
  })

  it("is 503 without a schema", async () => {
    await db.run(sql`alter table d1_migrations rename to elsewhere`)
    await isNotReady("schema", /^The schema is older than the code/)
    await db.run(sql`alter table elsewhere rename to d1_migrations`)
    await isReady()
  })
})

/** Inserts a queued email that is due at a given time. */
async function mail(due: number, more: Partial<typeof outbox.$inferInsert> = {}) {
  const mailingId = `${due.toString(16).padStart(12, "0").replace(/^.{8}/, "$&-")}-7${crypto.randomUUID().slice(15)}`
  await db.insert(mailings).values({ id: mailingId, kind: "note", template: { account: "welcome" } })
  await db
    .insert(outbox)
    .values({ mailingId, number: 1, recipient: "ada@example.com", notBefore: due, dispatchedAt: due, ...more })
  return mailingId
}

describe("outbox readiness", () => {
  it("is 503 when the oldest email is due for longer than the cron needs, and 200 after it was sent", async () => {
    const mailingId = await mail(start)
    at(STUCK_AFTER - 4 * SECOND)
    expect((await readiness()).body.waiting).toEqual({ ...WAITING, mails: 44 })
    await isNotReady("outbox", /^The oldest mail has been due for 47 seconds\.$/)
    // Dispatching it again by the cron is not sufficient.
    at(6 * MINUTE)
    await dispatchMails(env, openDatabase(env.DB, "first-primary"))
    await isNotReady("outbox", /has been due for 363 seconds/)
    await db.update(outbox).set({ status: "sent" }).where(eq(outbox.mailingId, mailingId))
    await isReady()
  })

  it("detects an email that is stuck behind later retries", async () => {
    for (let older = 30; older > 0; older--)
      await mail(start - older * SECOND, { notBefore: start + DAY, dispatchedAt: 0, attempts: 1 })
    await mail(start)
    at(STUCK_AFTER + SECOND)
    await isNotReady("outbox", /oldest mail/)
  })

  it("is 200 before the next attempt of an email and for 45 seconds after", async () => {
    await mail(start - DAY, { notBefore: start + 16 * MINUTE, dispatchedAt: 0, attempts: 3 })
    await isReady()
    at(16 * MINUTE + 40 * SECOND)
    await isReady()
    at(16 * MINUTE + STUCK_AFTER)
    await isNotReady("outbox", /oldest mail/)
  })

  it("is 200 for half an hour while emails are being sent", async () => {
    await mail(start)
    const claim = { status: "sending" as const, claim: "a consumer" }
    const other = await mail(start + 1, { ...claim, claimedAt: start })
    for (const minutes of [5, 29]) {
      at(minutes * MINUTE)
      await db.update(outbox).set({ claimedAt: Date.now() }).where(eq(outbox.mailingId, other))
      await isReady()
    }
    at(STUCK_BEHIND_OTHERS)
    await db.update(outbox).set({ claimedAt: Date.now() }).where(eq(outbox.mailingId, other))
    await isNotReady("outbox", /oldest mail/)
  })

  it("does not count a consumer that died as sending", async () => {
    await mail(start)
    await mail(start + 1, { status: "sending", claim: "a consumer", claimedAt: start })
    at(STUCK_AFTER)
    await isNotReady("outbox", /oldest mail/)
  })

  it("reads few rows of an outbox of any size", async () => {
    await db.run(sql`insert into ${mailings} (id, kind, template) with recursive n (i) as (
      select 1 union all select i + 1 from n where i < 2000
    ) select printf('%04d', i), 'note', '{}' from n`)
    await db.run(sql`insert into ${outbox} (mailing_id, number, recipient, not_before, dispatched_at)
      select id, 1, 'ada@example.com', ${start}, ${start} from ${mailings}`)
    at(STUCK_AFTER)
    expect(await rowsRead()).toBeLessThan(100)
  })
})

/** The number of rows that D1 reads for `/ready`. */
async function rowsRead(): Promise<number> {
  let read = 0
  const counted =
    (real: Batch): Batch =>
    async (queries) => {
      const results = await real(queries)
      for (const { meta } of results) read += meta.rows_read
      return results
    }
  await onDatabase(counted, readiness)
  return read
}

describe("job readiness", () => {
  it("is 503 while a job is due and no export is processed, and 200 after a consumer started", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin, { createdAt: start, dueAt: start + MINUTE })
    at(STUCK_AFTER - 4 * SECOND)
    expect((await readiness()).body.waiting).toEqual({ ...WAITING, exports: 44 })
    await isNotReady("jobs", /^The oldest export has been due for 47 seconds\.$/)
    // The cron queues it again, but no consumer starts.
    at(10 * MINUTE)
    await resumeExports(env)
    await isNotReady("jobs", /has been due for 603 seconds/)
    await deliver(id)
    await isReady()
    expect(await jobOf(id)).toMatchObject({ status: "completed" })
  })

  it("is 200 while a job is processed, and for 45 seconds after a failed attempt", async () => {
    const admin = await signedIn("admin")
    const id = await exportJob(admin, { createdAt: start, attempts: 1, lease: "a consumer" })
    const hold = (until: number) =>
      db.update(exportJobs).set({ leaseUntil: until, dueAt: until }).where(eq(exportJobs.id, id))
    for (const minutes of [1, 20, 90]) {
      at(minutes * MINUTE)
      await hold(Date.now() + 30 * SECOND)
      await isReady()
    }
    const released = Date.now()
    await db
      .update(exportJobs)
      .set(exportLease.released(released, released + MINUTE))
      .where(eq(exportJobs.id, id))
    vi.setSystemTime(released + 40 * SECOND)
    await isReady()
    vi.setSystemTime(released + STUCK_AFTER)
    await isNotReady("jobs", /oldest export/)
  })

  it("counts a job as due from the end of the lease if its consumer died", async () => {
    const admin = await signedIn("admin")
    const end = start + 20 * MINUTE
    await exportJob(admin, { createdAt: start, attempts: 1, lease: "the dead", leaseUntil: end, dueAt: end })
    vi.setSystemTime(end + STUCK_AFTER - 4 * SECOND)
    await isReady()
    await isNotReady("jobs", /has been due for 47 seconds/)
  })

  it("is 200 for half an hour while a job waits behind others", async () => {
    const admin = await signedIn("admin")
    for (let i = 0; i < 30; i++) await exportJob(admin, { createdAt: start, dueAt: start + MINUTE, filter: String(i) })
    const id = await exportJob(admin, { createdAt: start, filter: "held", lease: "a consumer" })
    const hold = (until: number) =>
      db.update(exportJobs).set({ leaseUntil: until, dueAt: until }).where(eq(exportJobs.id, id))
    at(STUCK_BEHIND_OTHERS - 10 * SECOND)
    await hold(Date.now() + 30 * SECOND)
    await isReady()
    at(STUCK_BEHIND_OTHERS)
    await isNotReady("jobs", /oldest export/)
  })

  it("counts ended exports until their files are removed from R2", async () => {
    const admin = await signedIn("admin")
    await exportJob(admin, { createdAt: start - DAY, status: "cancelled", lease: "a consumer", dueAt: start })
    at(STUCK_AFTER)
    await isNotReady("jobs", /oldest export/)
    await resumeExports(env)
    await isReady()
  })

  it("is 503 for a bulk upload that no consumer starts, and 200 after it ended", async () => {
    await db.insert(bulkUploads).values({
      id: await nextId("bulk_uploads"),
      client: "user:1",
      callerId: 1,
      callerType: "admin",
      name: "people.xlsx",
      baseUrl: "https://lectern.test",
      courseIds: [],
      rows: 200,
      status: "processing",
      dueAt: start + MINUTE,
      createdAt: start,
      expiresAt: start + DAY,
    })
    await isReady()
    at(STUCK_AFTER + SECOND)
    await isNotReady("jobs", /^The oldest bulk upload has been due for 49 seconds\.$/)
    // Like the batch that writes the last rows.
    await db.update(bulkUploads).set({ status: "completed", ...uploadLease.over })
    await isReady()
  })
})

describe("tables of jobs", () => {
  it("are all checked by /ready (readiness.queries.ts)", async () => {
    const tables = await db.all<{ name: string }>(sql`
      select name from sqlite_master
      where type = 'table' and sql like '%due_at%' and sql like '%lease_until%' order by name`)
    expect(tables.map(({ name }) => name)).toEqual(["background_jobs", "bulk_uploads", "erasures", "export_jobs"])
  })
})

describe("erasure readiness", () => {
  it("is 503 while no consumer starts, and 200 after it ended", async () => {
    await db
      .insert(erasures)
      .values({ userId: 7, reason: "requested", dueAt: start + MINUTE, createdAt: start, attempts: 0 })
    await isReady()
    at(STUCK_AFTER + SECOND)
    await isNotReady("jobs", /^The oldest erasure has been due for 49 seconds\.$/)
    await db.update(erasures).set({ status: "completed", ...erasureLease.over })
    await isReady()
  })
})

describe("background job readiness", () => {
  it("is 503 while no consumer starts, and 200 after it completed", async () => {
    const job = { id: crypto.randomUUID(), kind: "course.recount", params: { courseId: 1 }, total: 1 }
    await db.insert(backgroundJobs).values({ ...job, dueAt: start + MINUTE, createdAt: start })
    await isReady()
    at(STUCK_AFTER + SECOND)
    await isNotReady("jobs", /^The oldest background job has been due for 49 seconds\.$/)
    await db.update(backgroundJobs).set({ status: "completed", ...jobLease.over })
    await isReady()
  })
})

describe("webhook readiness", () => {
  /** A webhook of an administrator; sets a clock at which the sign-in is valid. */
  async function webhook() {
    const admin = await signedIn("admin")
    const url = "https://hooks.example.org/lectern"
    const { body } = await post("/api/webhook/create", { url, events: ["user.created"] }, admin)
    return { admin, id: body.id as number }
  }
  const happened = (type: "user.created" | "order.created", occurredAt = Date.now()) =>
    db.run(sql`insert into events (id, type, occurred_at, object_id)
      select coalesce(max(id), 0) + 1, ${type}, ${occurredAt}, 1 from events`)
  const caughtUp = (id: number) =>
    db.update(webhooks).set({ position: sql`(select max(id) from events)` }).where(eq(webhooks.id, id))

  it("is 503 while no consumer sends a due event, and 200 after it was sent", async () => {
    const { id } = await webhook()
    await happened("user.created")
    await isReady()
    at(STUCK_AFTER + SECOND)
    await isNotReady("jobs", /^The oldest webhook has been due for 49 seconds\.$/)
    await caughtUp(id)
    await isReady()
  })

  it("is 200 for paused, disabled, leased and idle webhooks", async () => {
    const { id } = await webhook()
    await happened("order.created")
    at(DAY / 2)
    await isReady()
    await happened("user.created", start)
    for (const state of [
      { enabled: false },
      { enabled: true, pausedUntil: start + 2 * DAY },
      { pausedUntil: 0, lease: "a consumer", leaseUntil: start + 2 * DAY },
      { leaseUntil: -Date.now() },
      { leaseUntil: 0, pausedUntil: Date.now() - SECOND },
    ]) {
      await db.update(webhooks).set(state).where(eq(webhooks.id, id))
      await isReady()
    }
    vi.setSystemTime(Date.now() + STUCK_AFTER)
    await isNotReady("jobs", /oldest webhook/)
  })

  it("is 200 until the retry of a failed event is due", async () => {
    const { id } = await webhook()
    await happened("user.created")
    await caughtUp(id)
    const nextAt = start + 5 * MINUTE
    await db.insert(webhookDeliveries).values({ webhookId: id, eventId: 1, status: "waiting", attempts: 2, nextAt })
    await isReady()
    vi.setSystemTime(nextAt + STUCK_AFTER - 4 * SECOND)
    await isReady()
    await isNotReady("jobs", /has been due for 47 seconds/)
  })
})

describe("secrets and addresses", () => {
  it("appear neither in /ready nor in the log of stuck items", async () => {
    await mail(start, { recipient: "somebody@example.com", name: "Somebody", secret: "sealed" })
    await exportJob(await signedIn("admin"), { createdAt: start })
    at(STUCK_AFTER)
    const { body } = await readiness()
    expect(Object.keys(body.errors)).toEqual(["outbox", "jobs"])
    const output = JSON.stringify(body) + logged.join()
    for (const private_ of ["somebody", "Somebody", "sealed", "@"]) expect(output).not.toContain(private_)
  })
})
