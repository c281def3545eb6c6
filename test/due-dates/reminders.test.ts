import { env } from "cloudflare:workers"
import { eq, inArray } from "drizzle-orm"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { assignmentRules } from "../../drizzle/schema/assignment-rules.ts"
import { enrollments, reminders } from "../../drizzle/schema/enrollments.ts"
import { notificationPreferences, notifications } from "../../drizzle/schema/notifications.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { users } from "../../drizzle/schema/users.ts"
import { DueStatus } from "../../drizzle/statuses.ts"
import type { Bindings } from "../../src/env.ts"
import { sweepDueDates } from "../../src/modules/due-dates/due-sweep.ts"
import { sendOverdueDigests } from "../../src/modules/due-dates/overdue-digests.ts"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { assignmentRule, claim } from "../factories/due-dates.ts"
import { db, group, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { post } from "../helpers/client.ts"
import { many } from "../matrix/repeatable.ts"

const at = (iso: string) => Date.parse(iso)

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: at("2026-03-02T10:00:00Z") }))
afterEach(() => void vi.useRealTimers())

async function sweepAt(iso: string) {
  vi.setSystemTime(at(iso))
  await sweepDueDates(env)
}
const sent = async () =>
  (await db.select().from(reminders).orderBy(reminders.day)).map(({ day }) =>
    new Date(day * 86_400_000).toISOString().slice(0, 10),
  )
const kinds = async (userId: number) =>
  (await db.select().from(notifications).where(eq(notifications.userId, userId)).orderBy(notifications.id)).map(
    ({ kind }) => kind,
  )

async function assigned(zone: string | null = null, reminder = {}) {
  const learner = await user()
  await db.update(users).set({ timeZone: zone }).where(eq(users.id, learner.id))
  const one = await enrollment(learner, await course())
  const rule = { daysBefore: [7, 1, 0], overdueEveryDays: 7, copySupervisors: false, ...reminder }
  await claim(one, await assignmentRule({ reminders: rule }), at("2026-03-20T23:59:59.999Z"))
  return { learner, one }
}

/** Sends the mails that are due. */
async function deliveredMails() {
  const mails: { to: string; text: string }[] = []
  const send = async (mail: { to: string; text: string }) => void mails.push(mail)
  await sendMails({ ...env, EMAIL: { send } } as unknown as Bindings, { mails: 10 })
  return mails
}

describe("reminders", () => {
  it("are sent at 07:00, each once", async () => {
    const { learner } = await assigned()
    await sweepAt("2026-03-13T06:59:00Z")
    expect(await sent()).toEqual([])
    for (const time of ["2026-03-13T07:00:00Z", "2026-03-13T07:01:00Z"]) await sweepAt(time)
    expect(await sent()).toEqual(["2026-03-13"])
    const days = ["2026-03-19", "2026-03-20", "2026-03-21", "2026-03-28"]
    for (const day of days) for (const time of ["00:00", "07:00", "12:00"]) await sweepAt(`${day}T${time}:00Z`)
    expect(await sent()).toEqual(["2026-03-13", ...days])
    expect(await kinds(learner.id)).toEqual(["due_soon", "due_soon", "due_soon", "overdue", "overdue"])
    expect(await db.select().from(outbox).where(eq(outbox.userId, learner.id))).toHaveLength(5)
  })

  it("are sent once when sweeps run at the same time", async () => {
    const { learner } = await assigned()
    vi.setSystemTime(at("2026-03-13T07:00:00Z"))
    await Promise.all([1, 2, 3, 4].map(() => sweepDueDates(env)))
    await sweepDueDates(env)
    expect(await kinds(learner.id)).toEqual(["due_soon"])
  })

  it("after an outage are only the most urgent one", async () => {
    const { learner } = await assigned()
    await sweepAt("2026-03-22T21:00:00Z")
    expect(await sent()).toEqual([])
    await sweepAt("2026-03-23T07:00:00Z")
    expect(await sent()).toEqual(["2026-03-21"])
    expect(await kinds(learner.id)).toEqual(["overdue"])
  })

  it("that wait in the outbox are withdrawn when the training is completed or due later", async () => {
    const people = await many(3, () => assigned())
    await sweepAt("2026-03-20T07:00:00Z")
    const [completed, extended, open] = people.map(({ one }) => one.id)
    await db
      .update(enrollments)
      .set({ status: "Completed", dueStatus: "completed" })
      .where(eq(enrollments.id, completed ?? 0))
    await post("/api/enrollment/extend", { registrationIds: [extended], dueAt: "2026-04-20", reason: "Ill" })
    const mails: { to: string }[] = []
    const sending = {
      ...env,
      EMAIL: { send: async (mail: { to: string }) => void mails.push(mail) },
    } as unknown as Bindings
    await sendMails(sending, { mails: 10 })
    const reminded = (await db.select().from(outbox)).filter(({ variables }) => variables?.registration)
    expect(reminded.map(({ variables, status, error }) => [variables?.registration, status, error])).toEqual([
      [completed, "failed", "NO_LONGER_DUE"],
      [extended, "failed", "NO_LONGER_DUE"],
      [open, "sent", null],
    ])
    expect(mails.map(({ to }) => to)).toContain(people[2]?.learner.email)
    expect(mails.map(({ to }) => to)).not.toContain(people[0]?.learner.email)
  })

  it("that wait in the outbox or a digest are sent after the time zone of their learner changed", async () => {
    const [mailed, digested] = [await assigned(), await assigned()]
    await db
      .insert(notificationPreferences)
      .values({ userId: digested.learner.id, kind: "due_soon", mail: "daily", inApp: true })
    await sweepAt("2026-03-20T07:00:00Z")
    const ids = [mailed, digested].map(({ learner }) => learner.id)
    await db.update(users).set({ timeZone: "Asia/Kolkata" }).where(inArray(users.id, ids))
    await db
      .update(enrollments)
      .set({ dueAt: at("2026-03-20T18:29:59.999Z") })
      .where(inArray(enrollments.userId, ids))
    const mails = await deliveredMails()
    vi.setSystemTime(at("2026-03-21T01:31:00Z"))
    await runScheduled(env)
    mails.push(...(await deliveredMails()))
    const reminded = mails.filter(({ text }) => /(by|is due on) March 20, 2026/.test(text)).map(({ to }) => to)
    expect(reminded).toEqual([mailed.learner.email, digested.learner.email])
  })

  it("are not sent to disabled people, or after the completion", async () => {
    const { learner } = await assigned()
    const { learner: other, one } = await assigned()
    await db.update(users).set({ disabled: true }).where(eq(users.id, learner.id))
    await db.update(enrollments).set({ status: "Completed", completedAt: Date.now() }).where(eq(enrollments.id, one.id))
    await sweepAt("2026-03-20T08:00:00Z")
    expect([await sent(), await kinds(learner.id), await kinds(other.id)]).toEqual([[], [], []])
  })

  it("reach supervisors when a person becomes overdue, and on Mondays", async () => {
    const { learner } = await assigned(null, { copySupervisors: true })
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [learner.id] })
    await sweepAt("2026-03-21T07:00:00Z")
    expect(await kinds(supervisor.id)).toEqual(["team_overdue"])
    for (const time of ["2026-03-21T07:01:00Z", "2026-03-23T07:59:00Z"]) {
      vi.setSystemTime(at(time))
      await sendOverdueDigests(env)
    }
    expect(await kinds(supervisor.id)).toHaveLength(1)
    vi.setSystemTime(at("2026-03-23T08:00:00Z"))
    await Promise.allSettled([1, 2, 3].map(() => sendOverdueDigests(env)))
    expect(await kinds(supervisor.id)).toEqual(["team_overdue", "team_overdue"])
  })

  it("can be sent by hand, once a day, by supervisors only for their people", async () => {
    const { learner, one } = await assigned()
    const { one: stranger } = await assigned()
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [learner.id] })
    const { token } = supervisor
    const body = { registrationIds: [one.id, stranger.id] }
    const first = await post("/api/enrollment/remind", body, { token })
    expect([first.status, first.body.reminded, first.body.skipped]).toEqual([200, 1, 1])
    const second = await post("/api/enrollment/remind", body, { token })
    expect([second.body.reminded, second.body.skipped]).toEqual([0, 2])
    expect(await kinds(learner.id)).toEqual(["due_soon"])
  })

  it("cannot be sent by hand on the day on which a late one was sent", async () => {
    const { one } = await assigned()
    // The reminder of March 13.
    await sweepAt("2026-03-14T09:00:00Z")
    expect(await sent()).toEqual(["2026-03-13"])
    const byHand = async () => (await post("/api/enrollment/remind", { registrationIds: [one.id] })).body
    expect(await byHand()).toMatchObject({ reminded: 0, skipped: 1 })
    vi.setSystemTime(at("2026-03-15T09:00:00Z"))
    expect(await byHand()).toMatchObject({ reminded: 1, skipped: 0 })
  })

  it("do not reach a supervisor after the learner completed the training", async () => {
    const { learner, one } = await assigned(null, { copySupervisors: true })
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [learner.id] })
    await sweepAt("2026-03-21T07:00:00Z")
    await db.update(enrollments).set({ status: "Completed", dueStatus: "completed" }).where(eq(enrollments.id, one.id))
    const send = async () => expect.fail("A mail was sent.")
    await sendMails({ ...env, EMAIL: { send } } as unknown as Bindings, { mails: 10 })
    const mails = await db.select().from(outbox).where(eq(outbox.userId, supervisor.id))
    expect(mails.map(({ status, error }) => [status, error])).toEqual([["failed", "NO_LONGER_DUE"]])
  })

  it("reach supervisors on Mondays when the training was due before it was assigned", async () => {
    const { learner, one } = await assigned(null, { overdueEveryDays: 0 })
    const supervisor = await signedIn("group_admin")
    await group({ admins: [supervisor.id], members: [learner.id] })
    const [{ id: ruleId } = { id: 0 }] = await db.select().from(assignmentRules)
    await claim(one, { id: ruleId }, at("2026-03-01T23:59:59.999Z"))
    await sweepAt("2026-03-02T10:01:00Z")
    await sendOverdueDigests(env)
    vi.setSystemTime(at("2026-03-09T08:00:00Z"))
    await sendOverdueDigests(env)
    expect(await kinds(supervisor.id)).toEqual(["team_overdue"])
  })

  it("are in the digest of the same day", async () => {
    const { learner } = await assigned("Asia/Kolkata")
    await db
      .insert(notificationPreferences)
      .values({ userId: learner.id, kind: "due_soon", mail: "daily", inApp: true })
    // 07:00 in Kolkata, on the day on which the training is due.
    for (const time of ["2026-03-20T01:30:05Z", "2026-03-20T01:31:05Z", "2026-03-20T01:45:05Z"]) {
      vi.setSystemTime(at(time))
      await runScheduled(env)
    }
    const mails = await db.select().from(outbox).where(eq(outbox.userId, learner.id))
    expect(mails.map(({ variables }) => JSON.stringify(variables))).toEqual([expect.stringContaining("due_soon")])
  })

  it("of training that is completed while the digest waits are not in it", async () => {
    const waiting = [await assigned("Asia/Kolkata"), await assigned("Asia/Kolkata")]
    const completed = waiting.map(({ one }) => one.id)
    const people = waiting.map(({ learner }) => learner)
    for (const [n, learner] of people.entries()) {
      await db
        .insert(notificationPreferences)
        .values({ userId: learner.id, kind: "due_soon", mail: "daily", inApp: true })
      if (n > 0) continue
      const other = await enrollment(learner, await course({ name: "Fire safety" }))
      await claim(other, await assignmentRule(), at("2026-03-20T23:59:59.999Z"))
    }
    for (const time of ["2026-03-20T01:30:05Z", "2026-03-20T01:31:05Z"]) {
      vi.setSystemTime(at(time))
      await runScheduled(env)
    }
    await db.update(enrollments).set({ dueStatus: DueStatus.Completed }).where(inArray(enrollments.id, completed))
    const mails = (await deliveredMails()).map(({ to, text }) => [to, text.match(/^.* is due on .*$/gm)])
    expect(mails).toEqual([[people[0]?.email, [expect.stringContaining("Fire safety is due on March 21, 2026")]]])
  })
})
