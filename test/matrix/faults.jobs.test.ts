import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { announcements } from "../../drizzle/schema/announcements.ts"
import { assignmentUploads } from "../../drizzle/schema/assignments.ts"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import { bulkUploads } from "../../drizzle/schema/bulk-uploads.ts"
import { certificates } from "../../drizzle/schema/certificates.ts"
import { devices } from "../../drizzle/schema/devices.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { erasures } from "../../drizzle/schema/erasures.ts"
import { events } from "../../drizzle/schema/events.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { passwordLinks } from "../../drizzle/schema/passwords.ts"
import { signUps } from "../../drizzle/schema/sign-ups.ts"
import { idempotencyKeys } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Bindings } from "../../src/env.ts"
import worker from "../../src/index.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { deliverWebhook } from "../../src/worker/queue.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { manyAnnouncements } from "../factories/announcements.ts"
import { halfDoneCourse, inSmallBatches } from "../factories/background-jobs.ts"
import { template } from "../factories/certificates.ts"
import { exportJob, storedKeys } from "../factories/exports.ts"
import { added, shortenBackoff, stateNow, TIME, withFault } from "../factories/faults.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { subscription } from "../factories/people.ts"
import { post, put } from "../helpers/client.ts"
import { holdQueues, messages } from "../helpers/queues.ts"
import { freshStorage } from "../helpers/storage.ts"
import { ROWS } from "./faults-table.ts"
import { everyCombination, sampled } from "./matrix.ts"

// Each D1 fault at each round trip of each consumer and of the cron: the work is done once, and queues continue.

const START = Date.UTC(2036, 0, 5, 12)

let sent: { to: string }[]
let received: string[]
/** The Worker's bindings with the test's mail provider. */
const bindings = (): Bindings =>
  ({ ...env, EMAIL: { send: async (mail: { to: string }) => void sent.push(mail) } }) as unknown as Bindings

beforeEach(() => {
  sent = []
  received = []
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: START })
  vi.spyOn(console, "error").mockImplementation(() => {})
  shortenBackoff()
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit)
    if (new URL(request.url).hostname === "cloudflare-dns.com")
      return Response.json({ Status: 0, Answer: [{ type: 1, data: "93.184.215.14" }] })
    received.push(request.headers.get("webhook-id") ?? "")
    return new Response("taken")
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Empties the storage, like before each test. */
async function emptied() {
  vi.setSystemTime(START)
  await freshStorage()
  holdQueues()
  sent = []
  received = []
}

/** The queue of each binding's messages. */
const QUEUES = {
  ERASURES: "lectern-erasures",
  JOBS: "lectern-jobs",
  EXPORTS: "lectern-exports",
  UPLOADS: "lectern-uploads",
  MAIL: "lectern-mail",
  WEBHOOKS: "webhooks",
} as const
type Name = keyof typeof QUEUES

/** @returns whether the work failed and is retried */
const isRejected = async (work: Promise<unknown>) => (await Promise.allSettled([work]))[0].status === "rejected"

/** Delivers a message once. @returns whether it is retried */
async function deliver(name: Name, body: unknown, given: Bindings): Promise<boolean> {
  if (name === "WEBHOOKS") return isRejected(deliverWebhook(given, (body as { webhookId: number }).webhookId))
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }
  const batch = createMessageBatch(QUEUES[name], [message])
  const ctx = createExecutionContext()
  await worker.queue(batch, given)
  return (await getQueueResult(batch, ctx)).retryMessages.length > 0
}

/** Delivers all messages, including those that are sent meanwhile. */
async function drain() {
  for (const name of Object.keys(QUEUES) as Name[])
    for (let next = messages[name].shift(); next !== undefined; next = messages[name].shift())
      if (await deliver(name, next, bindings())) messages[name].push(next)
}

/** The automatic recovery: the queue retries the message, then the cron requeues jobs without one. */
async function recover(name: Name, body: unknown, retried: boolean) {
  if (retried && (await deliver(name, body, bindings()))) messages[name].push(body)
  await drain()
  // Leases end after a minute, lost dispatches are found after 5 minutes, and unresolved mails after 20.
  for (const minutes of [6, 20]) {
    vi.setSystemTime(Date.now() + minutes * MINUTE)
    await runScheduled(bindings())
    await drain()
  }
}

interface Job {
  queue: Name
  /** Its round trips are similar: the fault affects each n-th. */
  each?: number
  /** Creates the work. @returns the message */
  make: () => Promise<unknown>
  /** Compares the result with the expected one. @param fault the fault that occurred */
  holds: (fault: string) => Promise<void>
}

const firstOf = (name: Name) => {
  const body = messages[name].shift()
  expect(body, `a message for ${name}`).toBeDefined()
  return body
}

const JOBS: Record<string, Job> = {
  "an export": {
    queue: "EXPORTS",
    make: async () => {
      const { token } = await signedIn("admin")
      expect((await post("/api/users/export", {}, { token })).status).toBe(200)
      return firstOf("EXPORTS")
    },
    holds: async () => {
      const [job, ...others] = await rowsOf(exportJobs)
      expect(others).toEqual([])
      expect(job).toMatchObject({ status: "completed", progress: 100, message: "Completed: 1 row." })
      expect(await storedKeys()).toEqual([job?.objectKey])
    },
  },
  "mails of one mailing": {
    queue: "MAIL",
    make: async () => {
      const { token } = await signedIn("admin")
      const userList = ["ada", "bob", "cyd"].map((name) => ({
        email: `${name}@example.com`,
        first_name: name,
        last_name: "Byron",
        password: "",
      }))
      expect((await post("/api/user/bulkUpload", { userList }, { token })).status).toBe(200)
      return firstOf("MAIL")
    },
    holds: async () => {
      const to = sent.map((mail) => mail.to).sort()
      expect(to).toEqual(["ada@example.com", "bob@example.com", "cyd@example.com"])
      // The database may not have stored that a mail was sent.
      for (const { status, error } of await rowsOf(outbox))
        expect([status, error]).toEqual(
          status === "sent" ? ["sent", null] : ["failed", "interrupted: it may have been sent"],
        )
    },
  },
  "a webhook's events": {
    queue: "WEBHOOKS",
    make: async () => {
      const { token } = await signedIn("admin")
      const hook = { url: "https://hooks.example.org/lectern", events: ["user.created"] }
      expect((await post("/api/webhook/create", hook, { token })).status).toBe(200)
      await user()
      await user()
      messages.WEBHOOKS.length = 0
      return { webhookId: 1 }
    },
    holds: async (fault) => {
      // A receiver ignores repeated ids. An event is sent again only if its result could not be stored.
      if (fault.startsWith("lost") && !fault.endsWith("+")) expect(received).toHaveLength(2)
      expect(new Set(received).size).toBe(2)
    },
  },
  "an upload of users": {
    queue: "UPLOADS",
    make: async () => {
      const { token } = await signedIn("admin")
      const userList = Array.from({ length: 21 }, (_, n) => ({
        email: `person${n}@example.com`,
        first_name: "Person",
        last_name: `Number ${n}`,
        password: "",
      }))
      expect((await post("/api/user/bulkUpload", { userList }, { token })).status).toBe(200)
      return firstOf("UPLOADS")
    },
    holds: async () => {
      expect(await rowsOf(bulkUploads)).toMatchObject([{ status: "completed", created: 21, existing: 0, failed: 0 }])
      expect(await rowsOf(users)).toHaveLength(1 + 21)
      expect(sent).toHaveLength(21)
      expect(new Set(sent.map(({ to }) => to)).size).toBe(21)
    },
  },
}

JOBS["an erasure"] = {
  queue: "ERASURES",
  each: 7,
  make: async () => {
    const [owner, ada] = [await signedIn("owner"), await user({ firstName: "Ada", lastName: "Byron" })]
    const asked = { userId: ada.id, email: ada.email }
    expect((await post("/api/user/erase", asked, { token: owner.token })).status).toBe(200)
    return firstOf("ERASURES")
  },
  holds: async () => {
    expect(await rowsOf(erasures)).toMatchObject([{ status: "completed", subject: null }])
    expect(JSON.stringify([...(await stateNow()).values()])).not.toContain("Byron")
  },
}

/** The number of learners that a background job recounts. */
const LEARNERS = 3

JOBS["a change in slices"] = {
  queue: "JOBS",
  make: async () => {
    const { id } = await template()
    await halfDoneCourse(LEARNERS, { certificateTemplateId: id })
    const { token } = await signedIn("staff")
    const change = () => put("/api/course/1", { modules: [{ module_id: 1 }] }, { token })
    expect((await inSmallBatches(change, 1)).body).toMatchObject({ jobId: expect.any(String) })
    return firstOf("JOBS")
  },
  holds: async () => {
    expect(await rowsOf(backgroundJobs)).toMatchObject([{ status: "completed" }])
    expect((await rowsOf(enrollments)).map(({ percent, status }) => `${percent} ${status}`)).toEqual(
      Array.from({ length: LEARNERS }, () => "100 Completed"),
    )
    expect(await rowsOf(certificates)).toHaveLength(LEARNERS)
  },
}

/** Runs a job while the database fails. @returns whether its message is retried, and how often the fault occurred */
async function meeting(plan: string, run: (given: Bindings) => Promise<boolean>) {
  const { bindings: failing, times } = withFault(plan, bindings())
  return { retried: await run(failing), times: times() }
}

const FAULTS = ROWS.filter(({ fault }) => fault !== "replica-behind")

describe.each(Object.entries(JOBS))("%s", (_, { queue, each = 1, make, holds }) => {
  it.each(FAULTS)("runs once when any round trip fails: $what", async ({ fault, on }) => {
    // After a lost response each round trip recovers in its own way; other faults just throw.
    const most = fault.startsWith("lost") ? (on ? 2 : Number.POSITIVE_INFINITY) : 1
    const step = everyCombination ? each : 5 * each
    for (let trip = 1; trip <= most * step; trip += step) {
      if (trip > 1) await emptied()
      const plan = `${fault}@${trip}${on ? "+" : ""}`
      const body = await make()
      const { retried, times } = await meeting(plan, (given) => deliver(queue, body, given))
      if (times > 0) await recover(queue, body, retried)
      else await drain()
      await holds(plan)
      // The job has fewer round trips, so the fault did not occur.
      if (times === 0) {
        expect(trip).toBeGreaterThan(1)
        return
      }
    }
  })
})

/** Work for each sweep of the cron. */
async function aMinuteOfWork() {
  const old = START - 40 * DAY
  const admin = await signedIn("admin")
  await subscription(admin.id, { startAt: old, endAt: START - DAY })
  await manyAnnouncements(1, 2)
  await db.update(announcements).set({ expiresAt: START - DAY })
  await db
    .insert(idempotencyKeys)
    .values({ client: "a", key: "b", request: "", status: 200, answer: "", createdAt: old })
  await db.insert(devices).values({ id: 1, userId: admin.id, name: "Phone", createdAt: old, refreshedAt: old })
  await db.insert(passwordLinks).values({ tokenHash: "a", userId: admin.id, expiresAt: old, createdAt: old })
  await db.insert(signUps).values({ tokenHash: "a", person: "", expiresAt: old })
  await db.update(events).set({ occurredAt: old })
  await user()
  await exportJob(admin, { dueAt: START - DAY })
  await exportJob(admin, { status: "completed", dueAt: null, createdAt: old, expiresAt: START - DAY })
  await post("/password/forgot", { email: admin.email })
  await db.update(outbox).set({ dispatchedAt: old, notBefore: old })
  await env.FILES.put("assignments/a", "x")
  const file = { filename: "a", extension: "txt", mime: "text/plain", bytes: 1, createdAt: old }
  await db.insert(assignmentUploads).values({ id: 1, userId: admin.id, objectKey: "assignments/a", ...file })
  for (const name of Object.keys(QUEUES) as Name[]) messages[name].length = 0
}

describe("the cron", () => {
  /** The result of a run of the cron: without faults first, then with faults. */
  const change = async (plan?: string) => {
    await aMinuteOfWork()
    const before = await stateNow()
    const { bindings: failing, times } = withFault(plan ?? "silent@1000", bindings())
    await runScheduled(failing)
    for (let minutes = 1; minutes <= 2; minutes++) {
      vi.setSystemTime(START + 6 * minutes * MINUTE)
      await runScheduled(bindings())
    }
    const queued = Object.values(messages).map((of) => new Set(of.map((body) => JSON.stringify(body))).size)
    const sums = [...added(before, await stateNow())].filter(([name]) => !TIME.test(name))
    return { change: Object.fromEntries(sums), queued, times: times() }
  }

  it.each(FAULTS)("does its work a minute later: $what", async ({ fault, on }) => {
    const clean = await change()
    expect(clean.change).toMatchObject({ devices: -1, idempotency_keys: -1, sign_ups: -1, files: -1 })
    expect(clean.queued.filter((count) => count > 0)).toHaveLength(2)
    // The sweeps run concurrently: if one meets the fault, the others continue.
    for (const trip of sampled(fault.startsWith("lost") && !on ? [1, 10, 4, 7, 13, 16] : [1, 10], 2)) {
      await emptied()
      const met = await change(`${fault}@${trip}${on ? "+" : ""}`)
      expect(met.times, `trip ${trip}`).toBeGreaterThan(0)
      expect([met.change, met.queued], `trip ${trip}`).toEqual([clean.change, clean.queued])
    }
  })
})
