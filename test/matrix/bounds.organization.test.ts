import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { afterEach, describe, expect, it, vi } from "vitest"
import { announcements } from "../../drizzle/schema/announcements.ts"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import { groupMembers, groups, supervisorScope } from "../../drizzle/schema/groups.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { users } from "../../drizzle/schema/users.ts"
import { incorrectCounters } from "../../drizzle/triggers/audience-counters.ts"
import { derivedColumns, incorrectRows } from "../../drizzle/triggers/derived-data.ts"
import { audienceCounters } from "../../drizzle/triggers/index.ts"
import { MINUTE } from "../../src/lib/clock.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { batchesOf, deliverJob, lowerBatchLimit, restoreBatchLimit, runJobs } from "../factories/background-jobs.ts"
import { withFault } from "../factories/faults.ts"
import { db, group, portal, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { expectExactSupervisorScope } from "../factories/supervisor-scope.ts"
import { type Answer, cost, get, post, put } from "../helpers/client.ts"
import { messages } from "../helpers/queues.ts"

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

  it("responds immediately, and a job that fails twice mails each enabled user once", async () => {
    const staff = await signedIn("staff")
    const learners = await people(7)
    await user({ disabled: true })
    lowerBatchLimit(10)
    const made = await post("/api/announcement", NEWS, staff)
    expect(made).toMatchObject({ status: 200, body: { id: 1, message: "Announcement created." } })
    expect(cost(made).roundTrips).toBe(2)
    expect(await rowsOf(outbox)).toEqual([])
    const { jobId } = made.body
    await runWithTwoDeaths(jobId)
    expect(await mailed()).toEqual([staff.id, ...learners])
    expect((await get(`/api/job/${jobId}`, staff)).body).toMatchObject({
      kind: "announcement.mail",
      status: "completed",
      progress: 100,
    })
    expect(await rowsOf(mailings)).toMatchObject([
      { kind: "announcement", template: { variables: { heading: "Exam dates" } } },
    ])
    expect(messages.MAIL.length).toBeGreaterThan(0)
  })

  it("mails a course's users and a portal's members, but no user created after the call", async () => {
    const [ada, bob, eve] = [await user(), await user(), await user()]
    const algebra = await course()
    for (const person of [ada, bob]) await enrollment(person, algebra)
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

  it("is mailed after a change only to users who did not receive it before", async () => {
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

  it("is not mailed further once it is deleted, and a job withdraws queued mails", async () => {
    await people(7)
    lowerBatchLimit(10)
    const { id, jobId } = (await post("/api/announcement", NEWS)).body
    vi.spyOn(console, "error").mockImplementation(() => {})
    await deliverJob({ jobId }, withFault("overloaded@6+").bindings)
    expect(await rowsOf(outbox)).toHaveLength(6)
    lowerBatchLimit(1)
    const gone = await post("/api/announcement/delete", { delete_ids: [id] })
    expect(gone.body).toEqual({ message: "1 announcement deleted.", jobId: expect.any(String) })
    expect(await rowsOf(announcements)).toMatchObject([{ state: "ended" }])
    await runWithTwoDeaths(gone.body.jobId)
    vi.setSystemTime(Date.now() + 2 * MINUTE)
    await deliverJob({ jobId })
    expect(await rowsOf(outbox)).toEqual([])
    expect(await rowsOf(announcements)).toEqual([])
    expect((await rowsOf(backgroundJobs)).map(({ status }) => status)).toEqual(["completed", "completed"])
  })

  it("withdraws more than 1,000 mails in a job when its author or portals are deleted", async () => {
    const author = await signedIn("staff")
    await post("/api/announcement", NEWS, author)
    await db.run(sql`
      with recursive n(i) as (values(1) union all select i + 1 from n where i < 1100)
      insert into outbox (mailing_id, number, recipient, not_before, dispatched_at)
      select mailings.id, 1000 + i, 'a@example.com', 0, 0 from n, mailings`)
    await db.delete(users).where(sql`id = ${author.id}`)
    expect((await rowsOf(outbox)).length).toBeGreaterThan(1000)
    await runScheduled(env)
    expect(messages.JOBS).toHaveLength(1)
    await runJobs()
    expect(await rowsOf(outbox)).toEqual([])
  })
})

describe("groups and portals with more members than one batch may change", () => {
  const MEMBERS = 8
  const exact = async () => {
    await expectExactSupervisorScope()
    for (const counted of derivedColumns)
      if (["supervisor_scope", "group_course_seats"].includes(counted.table))
        expect(await db.all(sql.raw(incorrectRows(counted))), counted.table).toEqual([])
    for (const counter of audienceCounters) expect(await db.all(sql.raw(incorrectCounters(counter)))).toEqual([])
  }

  /** Members, each with an enrollment, of a group and a portal; a supervisor leads both, another neither. */
  async function organization() {
    const [lead, other] = [await signedIn("group_admin"), await signedIn("group_admin")]
    const algebra = await course()
    const members: number[] = []
    for (let at = 0; at < MEMBERS; at++) {
      const member = await user()
      await enrollment(member, algebra)
      members.push(member.id)
    }
    const team = await group({ admins: [lead.id], members })
    const north = await portal({ admins: [lead.id], members })
    await db.run(sql`update enrollments set group_id = ${team.id}`)
    await exact()
    lowerBatchLimit(30)
    return { lead, other, members, team, north }
  }
  type Organization = Awaited<ReturnType<typeof organization>>

  const reachOf = async ({ id }: { id: number }) =>
    (await rowsOf(supervisorScope)).filter((row) => row.supervisorId === id)

  const CASES: [string, string, (given: Organization) => Promise<Answer>, (given: Organization) => Promise<void>][] = [
    [
      "deletes a group",
      "groups.delete",
      ({ team }) => post("/api/group/delete", { delete_ids: [team.id] }),
      async ({ lead }) => {
        expect(await rowsOf(groups)).toEqual([])
        expect((await reachOf(lead)).map(({ linkCount }) => linkCount)).toEqual(
          Array.from({ length: MEMBERS }, () => 1),
        )
      },
    ],
    [
      "deletes a portal",
      "portals.delete",
      ({ north }) => post("/api/portal/delete", { delete_ids: [north.id] }),
      async () => expect(await rowsOf(portals)).toEqual([]),
    ],
    [
      "appoints another administrator of a group",
      "groups.people",
      ({ team, lead, other }) => put(`/api/group/${team.id}`, { admin_ids: [lead.id, other.id] }),
      async ({ other }) => expect(await reachOf(other)).toHaveLength(MEMBERS),
    ],
    [
      "removes the administrators of a group",
      "groups.people",
      ({ team }) => put(`/api/group/${team.id}`, { admin_ids: [] }),
      async ({ lead }) => expect((await reachOf(lead)).every(({ linkCount }) => linkCount === 1)).toBe(true),
    ],
    [
      "replaces the administrators of a portal",
      "portals.people",
      ({ north, other }) => put(`/api/portal/${north.id}`, { admin_ids: [other.id] }),
      async ({ other }) => expect(await reachOf(other)).toHaveLength(MEMBERS),
    ],
    [
      "replaces the members of a group",
      "groups.people",
      ({ team, members, other }) => put(`/api/group/${team.id}`, { user_ids: [members[0], other.id] }),
      async ({ members, other }) =>
        expect((await rowsOf(groupMembers)).map(({ userId }) => userId).sort()).toEqual([members[0], other.id].sort()),
    ],
    [
      "replaces the learners of a portal",
      "portals.people",
      ({ north, members }) => put(`/api/portal/${north.id}`, { member_ids: [members[1]] }),
      async ({ lead, members }) =>
        expect((await rowsOf(portalMembers)).map(({ userId }) => userId).sort()).toEqual([lead.id, members[1]].sort()),
    ],
  ]

  it.each(CASES)("%s in a job of the kind %s that may fail twice", async (_, kind, change, expectDone) => {
    const given = await organization()
    const staff = await signedIn("owner")
    let answer: Answer | undefined
    const asked = await batchesOf(async () => {
      answer = await change(given)
    })
    expect(answer?.body).toEqual({ message: expect.any(String), jobId: expect.any(String) })
    expect(Math.max(...asked)).toBeLessThan(60)
    const { jobId } = answer?.body ?? {}
    const sliced = await batchesOf(() => runWithTwoDeaths(jobId))
    expect(Math.max(...sliced)).toBeLessThan(60)
    expect((await get(`/api/job/${jobId}`, staff)).body).toMatchObject({ kind, status: "completed", progress: 100 })
    await expectDone(given)
    restoreBatchLimit()
    await exact()
  })

  it("deletes the scope of a deleted supervisor with many users in a job", async () => {
    const { lead } = await organization()
    const owner = await signedIn("owner")
    await db.run(sql`delete from portals`)
    await db.run(sql`
      with recursive n(i) as (values(1000) union all select i + 1 from n where i < 1150)
      insert into users (id, email, user_type, first_name, last_name, first_name_key, last_name_key, search_text,
        created_at)
      select i, i || '@example.com', 'general', 'A', 'B', 'a', 'b', 'a', 0 from n`)
    await db.run(sql`insert into group_members (group_id, user_id) select 1, id from users where id >= 1000`)
    const { body } = await post("/api/user/delete", { delete_ids: [lead.id] }, owner)
    expect(body).toMatchObject({ message: "1 user deleted.", jobId: expect.any(String) })
    expect((await reachOf(lead)).length).toBeGreaterThan(100)
    await runWithTwoDeaths(body.jobId)
    expect(await reachOf(lead)).toEqual([])
    restoreBatchLimit()
    await exact()
  })
})
