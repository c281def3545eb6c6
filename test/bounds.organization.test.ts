import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { announcements } from "../drizzle/announcements.ts"
import { backgroundJobs } from "../drizzle/background-jobs.ts"
import { mailings, outbox } from "../drizzle/outbox.ts"
import { users } from "../drizzle/users.ts"
import { sweep } from "../src/jobs/jobs.ts"
import { MINUTE } from "../src/lib/clock.ts"
import { cost, get, post, put } from "./client.ts"
import { deliverJob, lowerBatchLimit, restoreBatchLimit, runJobs } from "./factories.background-jobs.ts"
import { withFault } from "./factories.faults.ts"
import { course, enrolment } from "./factories.learning.ts"
import { db, portal, rowsOf, signedIn, user } from "./factories.ts"
import { messages } from "./queues.ts"

// Changes to the organization and its announcements that write more rows than one (lowered) batch may.

afterEach(() => {
  restoreBatchLimit()
  vi.restoreAllMocks()
})

const NEWS = { heading: "Exam dates", content: "<p>They are out.</p>", sending_rules: "all" }
const mailed = async () => (await rowsOf(outbox)).map((row) => row.userId).sort((a, b) => Number(a) - Number(b))

/** Runs a job whose consumer dies after the first slice, twice, and then until it completes. */
async function runWithTwoDeaths(jobId: string) {
  vi.spyOn(console, "error").mockImplementation(() => {})
  for (let deaths = 0; deaths < 2; deaths++) {
    // The claim is the first round trip; a slice takes two.
    expect(await deliverJob({ jobId }, withFault("overloaded@4+").bindings)).toBe(true)
    vi.setSystemTime(Date.now() + 2 * MINUTE)
  }
  messages.JOBS.length = 0
  messages.JOBS.push({ jobId })
  await runJobs()
}

describe("an announcement to more users than one batch may mail", () => {
  const people = async (count: number) => {
    const all = []
    for (let at = 0; at < count; at++) all.push((await user()).id)
    return all
  }

  it("is answered at once, and a job that dies twice mails each enabled user once", async () => {
    const staff = await signedIn("staff")
    const learners = await people(7)
    await user({ disabled: true })
    lowerBatchLimit(10)
    const made = await post("/api/announcement", NEWS, staff)
    expect(made).toMatchObject({ status: 200, body: { id: 1, message: "Announcement created." } })
    expect(cost(made).trips).toBe(2)
    expect(await rowsOf(outbox)).toEqual([])
    const { jobId } = made.body
    await runWithTwoDeaths(jobId)
    expect(await mailed()).toEqual([staff.id, ...learners])
    expect((await get(`/api/job/${jobId}`, staff)).body).toMatchObject({
      kind: "announcement.mail",
      status: "completed",
      progress: 100,
    })
    expect(await rowsOf(mailings)).toMatchObject([{ kind: "announcement", letter: { subject: "Exam dates" } }])
    expect(messages.MAIL.length).toBeGreaterThan(0)
  })

  it("mails a course's users and the members of a portal, but no user who was created after the call", async () => {
    const [ada, bob, eve] = [await user(), await user(), await user()]
    const algebra = await course()
    for (const person of [ada, bob]) await enrolment(person, algebra)
    const north = await portal({ members: [bob.id, eve.id] })
    lowerBatchLimit(1)
    const both = { sending_rules: "specific_course_users", course_ids: [algebra.id], portal_ids: [north.id] }
    await post("/api/announcement", { ...NEWS, ...both })
    await runJobs()
    expect(await mailed()).toEqual([bob.id])
    await db.delete(mailings)
    await post("/api/announcement", { ...NEWS, portal_ids: [north.id] })
    await db
      .update(users)
      .set({ createdAt: Date.now() + MINUTE })
      .where(sql`id = ${bob.id}`)
    await runJobs()
    expect(await mailed()).toEqual([eve.id])
  })

  it("is mailed by a change to those only whom it was not for before", async () => {
    const [ada, bob, eve] = [await user(), await user(), await user()]
    lowerBatchLimit(1)
    const ofTwo = { sending_rules: "specific_users", user_ids: [ada.id, bob.id] }
    const { id } = (await post("/api/announcement", { ...NEWS, ...ofTwo })).body
    await runJobs()
    await db.delete(mailings)
    const changed = await put(`/api/announcement/${id}`, { user_ids: [ada.id, bob.id, eve.id] })
    expect(changed.body.jobId).toBeDefined()
    await runJobs()
    expect(await mailed()).toEqual([eve.id])
  })

  it("is mailed no further once it is deleted, and what waits is withdrawn by a job", async () => {
    await people(7)
    lowerBatchLimit(10)
    const { id, jobId } = (await post("/api/announcement", NEWS)).body
    vi.spyOn(console, "error").mockImplementation(() => {})
    await deliverJob({ jobId }, withFault("overloaded@6+").bindings)
    expect(await rowsOf(outbox)).toHaveLength(4)
    lowerBatchLimit(1)
    const gone = await post("/api/announcement/delete", { delete_ids: [id] })
    expect(gone.body).toEqual({ message: "1 announcement deleted.", jobId: expect.any(String) })
    expect(await rowsOf(announcements)).toEqual([])
    await runWithTwoDeaths(gone.body.jobId)
    vi.setSystemTime(Date.now() + 2 * MINUTE)
    await deliverJob({ jobId })
    expect(await rowsOf(outbox)).toEqual([])
    expect((await rowsOf(backgroundJobs)).map(({ status }) => status)).toEqual(["completed", "completed"])
  })

  it("takes back more than 1,000 mails by a job of its own when its author or portals are deleted", async () => {
    const author = await signedIn("staff")
    await post("/api/announcement", NEWS, author)
    await db.run(sql`
      with recursive n(i) as (values(1) union all select i + 1 from n where i < 1100)
      insert into outbox (mailing_id, number, recipient, dedupe, not_before, dispatched_at)
      select mailings.id, 1000 + i, 'a@example.com', 'announcement:1:' || (1000 + i), 0, 0 from n, mailings`)
    await db.delete(users).where(sql`id = ${author.id}`)
    expect((await rowsOf(outbox)).length).toBeGreaterThan(1000)
    await sweep(env)
    expect(messages.JOBS).toHaveLength(1)
    await runJobs()
    expect(await rowsOf(outbox)).toEqual([])
  })
})
