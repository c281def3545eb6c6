import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { reportDeliveries, reportSchedules } from "../../drizzle/schema/report-schedules.ts"
import { users } from "../../drizzle/schema/users.ts"
import { sweepReports } from "../../src/modules/report-schedules/report-mails.ts"
import { nextRunAt } from "../../src/modules/report-schedules/run-times.ts"
import { deliver } from "../factories/exports.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { cost, download, get, post, put } from "../helpers/client.ts"

// A Wednesday.
const NOW = Date.parse("2026-03-04T10:00:00Z")
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }))
afterEach(() => void vi.useRealTimers())

const WEEKLY = { name: "Overdue training", report: "overdue", interval: "weekly", day: 1, hour: 7 }
const MONDAY = Date.parse("2026-03-09T07:00:00Z")

/** A supervisor with an overdue learner, and an overdue learner without a supervisor. */
async function academy() {
  const staff = await signedIn("staff", { email: "staff@example.com" })
  const boss = await signedIn("group_admin", { email: "boss@example.com" })
  const [ada, eve] = [await user({ firstName: "Ada" }), await user({ firstName: "Eve" })]
  await group({ admins: [boss.id], members: [ada.id] })
  const fire = await course()
  const due = { dueAt: NOW - 1, overdueAt: NOW - 1, dueStatus: "overdue" } as const
  for (const who of [ada, eve]) await enrollment(who, fire, due)
  return { staff, boss, ada, eve }
}

const created = async (body: object, { token }: { token: string }) => {
  const response = await post("/api/report-schedule/create", body, { token })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body.id as number
}
const read = (id: number, { token }: { token: string }) => get(`/api/report-schedule/${id}`, { token })
const deliveries = () => db.select().from(reportDeliveries)
const mails = async () =>
  (await db.select().from(outbox)).map(({ recipient, variables, dedupe }) => ({ recipient, variables, dedupe }))

/** Writes the files of all exports that were started, then sends the mails. */
async function finish() {
  for (const { id } of await db.select().from(exportJobs)) await deliver(id)
  await sweepReports(env)
}

describe("report schedules", () => {
  it("are created, read, changed, paused and deleted", async () => {
    const { staff, boss } = await academy()
    const id = await created({ ...WEEKLY, recipientIds: [boss.id] }, staff)
    const response = await read(id, staff)
    expect(response.body).toEqual({
      ...{ id, ...WEEKLY, active: true, recipientIds: [boss.id], ownerId: staff.id },
      filter: { search_param: { dueStatus: ["overdue"] } },
      ...{ nextRunAt: new Date(MONDAY).toISOString(), lastRunAt: null },
    })
    expect(cost(response).roundTrips).toBe(1)
    expect((await put(`/api/report-schedule/${id}`, response.body, staff)).status).toBe(200)
    const monthly = { interval: "monthly", day: 31, recipientIds: [] }
    expect((await put(`/api/report-schedule/${id}`, monthly, staff)).status).toBe(200)
    expect((await read(id, staff)).body).toMatchObject({ ...monthly, nextRunAt: "2026-03-31T07:00:00.000Z" })
    await put(`/api/report-schedule/${id}`, { active: false }, staff)
    expect((await read(id, staff)).body).toMatchObject({ active: false, nextRunAt: null })
    const removed = await post("/api/report-schedule/delete", { delete_ids: [id, 999] }, staff)
    expect(removed.body.message).toContain("1 report schedule deleted.")
    expect((await read(id, staff)).status).toBe(404)
  })

  it("refuse unknown recipients, learners, days that do not exist and filters of other reports", async () => {
    const { staff, boss, ada, eve } = await academy()
    const errorsOf = async (body: object, who = staff) => {
      const { status, body: refused } = await post("/api/report-schedule/create", { ...WEEKLY, ...body }, who)
      return [status, Object.keys(refused.errors ?? {})]
    }
    expect(await errorsOf({ recipientIds: [ada.id] })).toEqual([422, ["recipientIds"]])
    expect(await errorsOf({ recipientIds: [eve.id] }, boss)).toEqual([422, ["recipientIds"]])
    expect(await errorsOf({ day: 8 })).toEqual([422, ["day"]])
    expect(await errorsOf({ filter: { search_param: { courseId: "x" } } })).toEqual([
      422,
      ["filter.search_param.courseId"],
    ])
    expect(await errorsOf({ filter: { group_id: 999 } })).toEqual([404, []])
  })

  it("refuse a changed filter that the export refuses, and keep one whose group was deleted", async () => {
    const { staff, boss, ada } = await academy()
    const { id: groupId } = await group()
    const id = await created({ ...WEEKLY, filter: { group_id: groupId } }, staff)
    const change = (body: object, { token } = staff) => put(`/api/report-schedule/${id}`, body, { token })
    expect((await change({ filter: { group_id: 999 } })).status).toBe(404)
    const both = await change({ filter: { supervisor_id: boss.id, user_id: ada.id } })
    expect([both.status, Object.keys(both.body.errors)]).toEqual([422, ["supervisor_id"]])
    expect((await read(id, staff)).body.filter).toMatchObject({ group_id: groupId })
    await post("/api/group/delete", { delete_ids: [groupId] }, staff)
    const { body } = await read(id, staff)
    const changed = await change({ ...body, hour: 9 })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect(cost(changed).roundTrips).toBe(2)
    expect((await change({ filter: { supervisor_id: boss.id } })).status).toBe(200)
  })

  it("check the changed filter of a compliance matrix as its export does", async () => {
    const { staff } = await academy()
    const { id: courseId } = await course()
    const { id: groupId } = await group()
    const given = { search_param: { courseIds: [courseId], audience: { group: [groupId] } } }
    const id = await created({ ...WEEKLY, report: "compliance_matrix", filter: given }, staff)
    const changed = async (filter: object) => {
      const { status, body } = await put(`/api/report-schedule/${id}`, { filter }, staff)
      return [status, body.errors]
    }
    const started = async (filter: object) => {
      const { status, body } = await post("/api/reports/compliance-matrix/export", filter, staff)
      return [status, body.errors]
    }
    for (const filter of [
      { search_param: { courseIds: [courseId, 999] } },
      { search_param: { courseIds: [courseId], audience: { group: [999] } } },
      { group_id: 999 },
    ]) {
      const refused = await started(filter)
      expect(refused[0]).toBeGreaterThanOrEqual(400)
      expect(await changed(filter)).toEqual(refused)
    }
    expect((await read(id, staff)).body.filter).toMatchObject(given)
    await post("/api/group/delete", { delete_ids: [groupId] }, staff)
    const { body } = await read(id, staff)
    expect((await put(`/api/report-schedule/${id}`, { ...body, hour: 9 }, staff)).status).toBe(200)
  })

  it("are seen by their owner and staff", async () => {
    const { staff, boss } = await academy()
    const other = await signedIn("group_admin")
    const id = await created(WEEKLY, boss)
    expect((await read(id, staff)).status).toBe(200)
    expect((await read(id, other)).status).toBe(404)
    const list = async ({ token }: { token: string }) =>
      (await get("/api/report-schedule/tabularlist?page_size=10&page_number=1", { token })).body.recordsTotal
    expect([await list(boss), await list(other), await list(staff)]).toEqual([1, 0, 1])
    expect((await post(`/api/report-schedule/${id}/run`, {}, other)).status).toBe(404)
  })
})

describe("a scheduled report", () => {
  it("is written for each recipient and mailed once with a summary and the download", async () => {
    const { staff, boss } = await academy()
    const id = await created({ ...WEEKLY, recipientIds: [boss.id] }, staff)
    await sweepReports(env)
    expect(await deliveries()).toEqual([])
    vi.setSystemTime(MONDAY + 60_000)
    await Promise.allSettled([sweepReports(env), sweepReports(env)])
    await sweepReports(env)
    expect((await deliveries()).map(({ userId, runAt, status }) => [userId, runAt, status])).toEqual([
      [staff.id, MONDAY, "waiting"],
      [boss.id, MONDAY, "waiting"],
    ])
    expect(await mails()).toEqual([])
    await finish()
    await Promise.allSettled([sweepReports(env), sweepReports(env)])
    const jobs = await db.select().from(exportJobs)
    const linkOf = (userId: number) =>
      `/api/due/export/download/${jobs.find(({ callerId }) => callerId === userId)?.id}`
    const sent = await mails()
    expect(sent).toHaveLength(2)
    const counts = { due_soon: "0", on_track: "0", completed: "0" }
    expect(sent).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          recipient: "staff@example.com",
          variables: { report: WEEKLY.name, rows: "2", overdue: "2", ...counts, path: linkOf(staff.id) },
        }),
        expect.objectContaining({
          recipient: "boss@example.com",
          variables: { report: WEEKLY.name, rows: "1", overdue: "1", ...counts, path: linkOf(boss.id) },
        }),
      ]),
    )
    // The sessions of the test have ended by then.
    vi.setSystemTime(NOW)
    expect((await download(linkOf(boss.id), boss)).status).toBe(200)
    expect((await get(linkOf(staff.id), boss)).status).toBe(404)
    expect((await read(id, staff)).body).toMatchObject({
      ...{ lastRunAt: new Date(MONDAY).toISOString(), nextRunAt: "2026-03-16T07:00:00.000Z" },
    })
  })

  it("is sent now on request, and keeps its next time", async () => {
    const { staff } = await academy()
    const id = await created({ ...WEEKLY, report: "compliance_matrix", active: false }, staff)
    expect((await post(`/api/report-schedule/${id}/run`, {}, staff)).status).toBe(200)
    await finish()
    expect(await mails()).toHaveLength(1)
    expect((await read(id, staff)).body.nextRunAt).toBeNull()
  })

  it("is paused on a request to send it when its owner is disabled, and the response says so", async () => {
    const { staff, boss } = await academy()
    const id = await created(WEEKLY, boss)
    await db.update(users).set({ disabled: true }).where(eq(users.id, boss.id))
    for (const run of ["first", "second"]) {
      const { body } = await post(`/api/report-schedule/${id}/run`, {}, staff)
      expect(body.message, run).toMatch(/^Nothing is sent, and the schedule is paused: its owner is disabled/)
    }
    expect((await read(id, staff)).body).toMatchObject({ active: false, lastRunAt: null })
    expect(await deliveries()).toEqual([])
  })

  it("is sent once after an outage of weeks", async () => {
    const { staff } = await academy()
    await created({ ...WEEKLY, report: "due_summary" }, staff)
    vi.setSystemTime(MONDAY + 23 * 86_400_000)
    await sweepReports(env)
    await finish()
    expect(await mails()).toHaveLength(1)
  })

  it("deletes its deliveries of more than 400 days ago with the next run", async () => {
    const { staff } = await academy()
    const scheduleId = await created(WEEKLY, staff)
    const DAY = 86_400_000
    const old = { scheduleId, userId: staff.id, exportId: "none", status: "sent" as const }
    const ages = [401, 399]
    await db.insert(reportDeliveries).values(ages.map((days) => ({ ...old, runAt: MONDAY - days * DAY })))
    vi.setSystemTime(MONDAY)
    await sweepReports(env)
    expect((await deliveries()).map(({ runAt }) => runAt)).toEqual([MONDAY - 399 * DAY, MONDAY])
  })

  it("stops when its owner is disabled or lost the role, and skips such recipients", async () => {
    const { staff, boss } = await academy()
    const own = await created({ ...WEEKLY, report: "enrollments" }, boss)
    const shared = await created({ ...WEEKLY, recipientIds: [boss.id] }, staff)
    await db.update(users).set({ userType: "general" }).where(eq(users.id, boss.id))
    vi.setSystemTime(MONDAY)
    await sweepReports(env)
    expect((await deliveries()).map(({ scheduleId, userId }) => [scheduleId, userId])).toEqual([[shared, staff.id]])
    const [stopped] = await db.select().from(reportSchedules).where(eq(reportSchedules.id, own))
    expect(stopped).toMatchObject({ active: false, nextRunAt: 0 })
    await db.update(users).set({ disabled: true }).where(eq(users.id, staff.id))
    await finish()
    expect(await mails()).toEqual([])
    expect((await deliveries()).map(({ status }) => status)).toEqual(["failed"])
  })

  it("writes events of its schedule, and one for each recipient of a run", async () => {
    const { staff, boss } = await academy()
    const id = await created({ ...WEEKLY, recipientIds: [boss.id] }, staff)
    await put(`/api/report-schedule/${id}`, { hour: 6 }, staff)
    await put(`/api/report-schedule/${id}`, { hour: 7 }, staff)
    vi.setSystemTime(MONDAY)
    await sweepReports(env)
    await db.update(users).set({ disabled: true }).where(eq(users.id, boss.id))
    await finish()
    vi.setSystemTime(NOW)
    const { token } = await signedIn("admin")
    const feed = async () => (await get("/api/events?types=report_schedule.*&page_size=50", { token })).body.events
    const run = {
      id: `${id}:${MONDAY}`,
      reportSchedule: { id, name: WEEKLY.name },
      runAt: new Date(MONDAY).toISOString(),
    }
    expect(await feed()).toMatchObject([
      { type: "report_schedule.created", data: { id, report: "overdue", active: true, user: { id: staff.id } } },
      { type: "report_schedule.updated", data: { hour: 7 }, previous: { hour: 7 } },
      { type: "report_schedule.updated", data: { hour: 7 }, previous: { hour: 6 } },
      { type: "report_schedule.delivered", data: { ...run, user: { id: staff.id } } },
      { type: "report_schedule.failed", data: { ...run, user: { id: boss.id } } },
    ])
    await post("/api/report-schedule/delete", { delete_ids: [id] }, staff)
    expect((await feed()).slice(3)).toMatchObject([
      { data: { id: run.id, user: { id: staff.id }, deleted: true } },
      { data: { id: run.id, user: { id: boss.id }, deleted: true } },
      { type: "report_schedule.deleted", data: { id, user: { id: staff.id }, deleted: true } },
    ])
  })

  it("disappears with its owner", async () => {
    const { staff, boss } = await academy()
    await created({ ...WEEKLY, recipientIds: [boss.id] }, staff)
    await db.delete(users).where(eq(users.id, staff.id))
    expect(await db.select().from(reportSchedules)).toEqual([])
    expect(await rowsOf(reportDeliveries)).toEqual([])
  })
})

describe("the time of the next report", () => {
  const next = (times: Parameters<typeof nextRunAt>[0], zone: string, after: string) =>
    new Date(nextRunAt(times, zone, Date.parse(after))).toISOString()

  it("is in the zone of the owner, across changes of the clock", () => {
    const sunday = { interval: "weekly", day: 7, hour: 8 } as const
    expect(next(sunday, "Europe/Berlin", "2026-03-28T12:00:00Z")).toBe("2026-03-29T06:00:00.000Z")
    expect(next(sunday, "Europe/Berlin", "2026-03-29T06:00:00Z")).toBe("2026-04-05T06:00:00.000Z")
    expect(next(sunday, "America/New_York", "2026-03-29T06:00:00Z")).toBe("2026-03-29T12:00:00.000Z")
  })

  it("is the last day of a shorter month", () => {
    const last = { interval: "monthly", day: 31, hour: 0 } as const
    expect(next(last, "UTC", "2027-01-31T00:00:00Z")).toBe("2027-02-28T00:00:00.000Z")
    expect(next(last, "UTC", "2027-12-31T00:00:00Z")).toBe("2028-01-31T00:00:00.000Z")
  })
})
