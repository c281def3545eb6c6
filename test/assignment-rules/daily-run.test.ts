import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, expect, it, vi } from "vitest"
import { assignmentRules } from "../../drizzle/schema/assignment-rules.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { groupMembers } from "../../drizzle/schema/groups.ts"
import { DAY, HOUR, MINUTE } from "../../src/lib/clock.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { runJobs } from "../factories/background-jobs.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { post, put } from "../helpers/client.ts"

afterEach(() => vi.restoreAllMocks())

it("evaluates each active rule once a day, at the same time after a late run", async () => {
  const start = Date.parse("2026-03-02T10:00:00Z")
  vi.useFakeTimers({ toFake: ["Date"], now: start })
  const { token } = await signedIn("owner")
  const [{ id: courseId }, { id: groupId }] = [await course(), await group()]
  const due = { type: "days", days: 30, from: "assignment" }
  const ids = []
  for (const active of [true, false]) {
    const body = { name: "Fire safety", audience: { group: [groupId] }, courseIds: [courseId], due, active }
    ids.push((await post("/api/assignment-rule/create", body, { token })).body.id)
  }
  await runJobs()
  const nextRunOf = async (id: number) =>
    (await rowsOf(assignmentRules)).find((rule) => rule.id === id)?.nextRunAt ?? Number.NaN
  /** Runs the cron. @returns the number of enrollments */
  const runAt = async (time: number) => {
    vi.setSystemTime(time)
    await runScheduled(env)
    await runJobs()
    return (await db.select().from(enrollments).where(eq(enrollments.courseId, courseId))).length
  }
  const [active, inactive] = ids
  expect(await nextRunOf(active)).toBe(start + DAY)
  // A member that no trigger queued, as for a rule by date.
  await db.insert(groupMembers).values({ groupId, userId: (await user()).id })
  await env.DB.exec("delete from assignment_queue")
  expect(await runAt(start + DAY - MINUTE)).toBe(0)
  expect(await runAt(start + 3 * DAY + 5 * HOUR)).toBe(1)
  expect(await nextRunOf(active)).toBe(start + 4 * DAY)
  expect(await nextRunOf(inactive)).toBe(start + DAY)
})

it("moves due dates after the academy's time zone has changed", async () => {
  const start = Date.parse("2026-03-02T10:00:00Z")
  vi.useFakeTimers({ toFake: ["Date"], now: start })
  const { token } = await signedIn("owner")
  const [{ id: courseId }, learner] = [await course(), await user()]
  const { id: groupId } = await group({ members: [learner.id] })
  const due = { type: "date", date: "2026-06-01" }
  const body = { name: "Fire safety", audience: { group: [groupId] }, courseIds: [courseId], due }
  await post("/api/assignment-rule/create", body, { token })
  await runJobs()
  const dueAt = async () => (await rowsOf(enrollments)).map((row) => new Date(row.dueAt).toISOString())
  expect(await dueAt()).toEqual(["2026-06-01T23:59:59.999Z"])
  expect((await put("/api/settings", { timeZone: "America/New_York" }, { token })).status).toBe(200)
  vi.setSystemTime(start + DAY)
  await runScheduled(env)
  await runJobs()
  expect(await dueAt()).toEqual(["2026-06-02T03:59:59.999Z"])
})
