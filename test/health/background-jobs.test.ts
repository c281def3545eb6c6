import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import {
  deliverJob,
  halfDoneCourse,
  lowerBatchLimit,
  restoreBatchLimit,
  runJobs,
} from "../factories/background-jobs.ts"
import { withFault } from "../factories/faults.ts"
import { db, rowsOf, signedIn } from "../factories/index.ts"
import { module } from "../factories/learning.ts"
import { cost, get, post, put } from "../helpers/client.ts"
import { messages } from "../helpers/queues.ts"

// Changes a course with more enrollments than the (lowered) batch limit allows.

const LEARNERS = 7
/** Allows two enrollments to complete. */
const LIMIT = 150

beforeEach(() => lowerBatchLimit(LIMIT))
afterEach(() => {
  restoreBatchLimit()
  vi.restoreAllMocks()
})

const states = async () => (await rowsOf(enrollments)).map(({ percent, status }) => `${percent} ${status}`)
const all = (state: string) => Array.from({ length: LEARNERS }, () => state)

/** Returns staff who removed the second module from the course. */
async function changedCourse() {
  await halfDoneCourse(LEARNERS)
  const staff = await signedIn("staff")
  const { status, body } = await put("/api/course/1", { modules: [{ module_id: 1 }] }, staff)
  expect(status).toBe(200)
  expect(body).toEqual({ message: "Course updated.", jobId: expect.any(String) })
  return { staff, path: `/api/job/${body.jobId}`, jobId: body.jobId as string }
}

describe("change of more rows than one batch may write", () => {
  it("responds immediately, and a job recounts every enrollment", async () => {
    const { staff, path, jobId } = await changedCourse()
    expect(await states()).toEqual(all("50 In Progress"))
    expect(messages.JOBS).toEqual([{ jobId }])
    expect((await get(path, staff)).body).toMatchObject({
      id: jobId,
      kind: "course.recount",
      status: "processing",
      progress: 0,
      message: "The change is in progress.",
      completedAt: null,
    })
    await runJobs()
    expect(await states()).toEqual(all("100 Completed"))
    expect((await get(path, staff)).body).toMatchObject({
      status: "completed",
      progress: 100,
      message: "The change is complete.",
      completedAt: expect.any(String),
    })
  })

  it("runs in the batch of the request if the rows fit", async () => {
    restoreBatchLimit()
    await halfDoneCourse(LEARNERS)
    const { body } = await put("/api/course/1", { modules: [{ module_id: 1 }] }, await signedIn("staff"))
    expect(body).toEqual({ message: "Course updated." })
    expect(await states()).toEqual(all("100 Completed"))
    expect(await rowsOf(backgroundJobs)).toEqual([])
  })

  it("costs the request two round trips and few rows", async () => {
    await halfDoneCourse(LEARNERS)
    const response = await put("/api/course/1", { modules: [{ module_id: 1 }] }, await signedIn("staff"))
    expect(response.body.jobId).toBeDefined()
    expect(cost(response).roundTrips).toBe(2)
    expect(cost(response).written).toBeLessThan(40)
  })

  it("leaves each enrollment in the old or the new state when a consumer dies between slices", async () => {
    const { staff, path, jobId } = await changedCourse()
    // The claim takes the first round trip; each slice takes two.
    vi.spyOn(console, "error").mockImplementation(() => {})
    expect(await deliverJob({ jobId }, withFault("overloaded@4+").bindings)).toBe(true)
    const between = await states()
    expect(between.filter((state) => state === "100 Completed").length).toBeGreaterThan(0)
    expect(between.filter((state) => state === "50 In Progress").length).toBeGreaterThan(0)
    expect((await get(path, staff)).body.progress).toBeGreaterThan(0)
    vi.setSystemTime(Date.now() + 2 * MINUTE)
    await deliverJob({ jobId })
    expect(await states()).toEqual(all("100 Completed"))
    expect((await get(path, staff)).body.progress).toBe(100)
  })

  it("counts modules that are completed meanwhile by the current course", async () => {
    await halfDoneCourse(LEARNERS)
    const third = await module()
    const staff = await signedIn("staff")
    const modules = [{ module_id: 2 }, { module_id: third.id }]
    expect((await put("/api/course/1", { modules }, staff)).body.jobId).toBeDefined()
    // One of two: the completed module that was removed from the course does not count.
    const progress = { registrationId: 1, moduleId: 2, status: "Completed", timeSpent: 1 }
    expect((await post("/api/module/progress", progress, staff)).status).toBe(200)
    expect((await rowsOf(enrollments))[0]).toMatchObject({ status: "In Progress", percent: 50, done: 1 })
    await runJobs()
    expect((await rowsOf(enrollments)).map(({ done }) => done)).toEqual([1, 0, 0, 0, 0, 0, 0])
  })
})

describe("background job", () => {
  it("does nothing when its message is delivered again", async () => {
    const { jobId } = await changedCourse()
    await runJobs()
    const before = await rowsOf(auditLogs)
    expect(await deliverJob({ jobId })).toBe(false)
    expect(await rowsOf(auditLogs)).toEqual(before)
  })

  it("is queued again by the cron when its message was lost", async () => {
    const { jobId } = await changedCourse()
    messages.JOBS.length = 0
    vi.setSystemTime(Date.now() + 2 * MINUTE)
    await runScheduled(env)
    expect(messages.JOBS).toEqual([{ jobId }])
    await runJobs()
    expect(await states()).toEqual(all("100 Completed"))
  })

  it("can be retrieved by its caller and staff, and returns 404 for others", async () => {
    const { path } = await changedCourse()
    expect((await get(path, await signedIn("admin"))).status).toBe(200)
    expect((await get(path, await signedIn("group_admin"))).status).toBe(404)
    expect((await get("/api/job/unknown", await signedIn("staff"))).status).toBe(404)
  })

  it("is deleted 30 days after it completed", async () => {
    const { jobId } = await changedCourse()
    await runJobs()
    vi.setSystemTime(Date.now() + 29 * DAY)
    await runScheduled(env)
    expect(await rowsOf(backgroundJobs)).toHaveLength(1)
    vi.setSystemTime(Date.now() + 2 * DAY)
    await runScheduled(env)
    expect(await db.select().from(backgroundJobs).where(eq(backgroundJobs.id, jobId))).toEqual([])
  })
})
