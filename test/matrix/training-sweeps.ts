import { env } from "cloudflare:workers"
import { eq } from "drizzle-orm"
import { expect, vi } from "vitest"
import { assignmentMembers, assignmentRules } from "../../drizzle/schema/assignment-rules.ts"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import { certificates } from "../../drizzle/schema/certificates.ts"
import { enrollmentCycles, enrollments, overdueDigests, reminders } from "../../drizzle/schema/enrollments.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { notificationPreferences, notifications } from "../../drizzle/schema/notifications.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { reportDeliveries, reportSchedules } from "../../drizzle/schema/report-schedules.ts"
import { users } from "../../drizzle/schema/users.ts"
import { openDatabase } from "../../src/db/client.ts"
import type { Bindings } from "../../src/env.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { evaluateQueue, startDailyRuns } from "../../src/modules/assignment-rules/assignment-queue.ts"
import { sendClassReminders } from "../../src/modules/classes/class-notices.ts"
import { sweepDueDates } from "../../src/modules/due-dates/due-sweep.ts"
import { sweepExpiries } from "../../src/modules/due-dates/expiry-sweep.ts"
import { sendOverdueDigests } from "../../src/modules/due-dates/overdue-digests.ts"
import { sendDigests } from "../../src/modules/notifications/digests.ts"
import { sweepReports } from "../../src/modules/report-schedules/report-mails.ts"
import { runJobs } from "../factories/background-jobs.ts"
import { certificate, template } from "../factories/certificates.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { assignmentRule, claim } from "../factories/due-dates.ts"
import { deliver } from "../factories/exports.ts"
import { db, group, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { notify } from "../factories/notifications.ts"
import { post } from "../helpers/client.ts"
import { messages } from "../helpers/queues.ts"
import { many } from "./repeatable.ts"

// The work of assigned training that the cron does.

/** When it runs. */
export const START = Date.UTC(2036, 0, 7, 12)
export const PEOPLE = 3

export interface Work {
  /** Creates what is due. */
  make: () => Promise<unknown>
  run: (bindings: Bindings) => Promise<void>
  /** Compares the result with the expected one. */
  holds: () => Promise<void>
}

const RECURRENCE = { type: "months", months: 12, opensDaysBefore: 30 } as const

/** People of a group with an administrator, enrolled in a course that a rule requires by a time. */
async function assigned(dueAt: number, rule = {}, enrolled = {}) {
  const people = await many(PEOPLE, () => user())
  const supervisor = await user({ userType: "group_admin" })
  await group({ admins: [supervisor.id], members: people.map(({ id }) => id) })
  const [inside, made] = [await course(), await assignmentRule(rule)]
  for (const person of people) await claim(await enrollment(person, inside, enrolled), made, dueAt)
  return { people, supervisor }
}

/** A report for its owner and another recipient that is due now. @returns the id of the owner */
async function scheduledReports() {
  const [owner, boss] = [await signedIn("staff"), await user({ userType: "staff" })]
  const body = { name: "Overdue", report: "overdue", interval: "weekly", recipientIds: [boss.id] }
  expect((await post("/api/report-schedule/create", body, { token: owner.token })).status).toBe(200)
  await db.update(reportSchedules).set({ nextRunAt: START })
  return owner.id
}

/** A rule for all learners. Its first evaluation waits in the queue. */
async function ruleForEveryone() {
  const { id } = await course()
  const body = { name: "Fire safety", audience: { role: ["general"] }, courseIds: [id] }
  expect((await post("/api/assignment-rule/create", { ...body, due: { type: "none" } })).status).toBe(200)
}

export const SWEEPS: Record<string, Work> = {
  "reminders of overdue training": {
    make: () => assigned(START - DAY, { reminders: { daysBefore: [7], overdueEveryDays: 7, copySupervisors: true } }),
    run: sweepDueDates,
    holds: async () => {
      expect((await rowsOf(enrollments)).map(({ dueStatus }) => dueStatus)).toEqual(Array(PEOPLE).fill("overdue"))
      expect(await rowsOf(reminders)).toHaveLength(PEOPLE)
      expect(await rowsOf(overdueDigests)).toHaveLength(1)
    },
  },
  "the next cycles": {
    make: () =>
      assigned(
        START - 350 * DAY,
        { recurrence: RECURRENCE },
        { status: "Completed", percent: 100, startedAt: START - 360 * DAY, completedAt: START - 355 * DAY },
      ),
    run: sweepDueDates,
    holds: async () => {
      expect((await rowsOf(enrollments)).map(({ cycle, status }) => [cycle, status])).toEqual(
        Array(PEOPLE).fill([2, "Not Started"]),
      )
      expect(await rowsOf(enrollmentCycles)).toHaveLength(PEOPLE)
    },
  },
  "the end of access": {
    make: async () => {
      const inside = await course()
      await many(PEOPLE, async () => enrollment(await user(), inside, { expiresAt: START - DAY }))
    },
    run: sweepExpiries,
    holds: async () => {
      expect((await rowsOf(enrollments)).every(({ expiredAt }) => expiredAt > 0)).toBe(true)
    },
  },
  "the digests of supervisors": {
    make: async () => {
      const { supervisor } = await assigned(START - DAY)
      await sweepDueDates(env)
      await db.update(overdueDigests).set({ supervisorId: supervisor.id, sendAt: START - MINUTE })
    },
    run: sendOverdueDigests,
    holds: async () => {
      expect((await rowsOf(overdueDigests)).map(({ sendAt }) => sendAt > START)).toEqual([true])
    },
  },
  "the daily digests of notifications": {
    make: async () => {
      const people = await many(PEOPLE, () => user())
      for (const { id: userId } of people)
        await db.insert(notificationPreferences).values({ userId, kind: "enrolled", mail: "daily", inApp: true })
      vi.setSystemTime(START - DAY)
      await notify(people)
      vi.setSystemTime(START + MINUTE)
    },
    run: (bindings) => sendDigests(bindings, openDatabase(bindings.DB, "first-primary")),
    holds: async () => {},
  },
  "the notices of certificates": {
    make: async () => {
      const { id: templateId } = await template()
      const ends = [START - DAY, START + 10 * DAY]
      for (const expiresAt of ends)
        await certificate((await user()).id, templateId, { expiresAt, issuedAt: START - 300 * DAY })
    },
    run: sweepExpiries,
    holds: async () => {
      expect((await rowsOf(certificates)).map(({ expiryState }) => expiryState)).toEqual([2, 1])
      expect((await rowsOf(outbox)).length).toBe(2)
    },
  },
  "the reminders of classes": {
    make: async () => {
      const held = await classOf(await course(), { startAt: START + DAY / 2 })
      await many(PEOPLE, async () => classEnrollment(await user(), held))
    },
    run: sendClassReminders,
    holds: async () => {
      expect((await rowsOf(notifications)).map(({ kind }) => kind)).toEqual(Array(PEOPLE).fill("class_reminder"))
    },
  },
  "the start of scheduled reports": {
    make: scheduledReports,
    run: sweepReports,
    holds: async () => {
      expect((await rowsOf(reportDeliveries)).map(({ runAt, status }) => [runAt, status])).toEqual(
        Array(2).fill([START, "waiting"]),
      )
      expect(await rowsOf(exportJobs)).toHaveLength(2)
      expect((await rowsOf(reportSchedules)).map(({ lastRunAt, nextRunAt }) => [lastRunAt, nextRunAt > START])).toEqual(
        [[START, true]],
      )
    },
  },
  "the end of a schedule whose owner may not receive it": {
    make: async () => {
      const ownerId = await scheduledReports()
      await db.update(users).set({ userType: "general" }).where(eq(users.id, ownerId))
    },
    run: sweepReports,
    holds: async () => {
      expect(await rowsOf(reportDeliveries)).toEqual([])
      expect(await rowsOf(reportSchedules)).toMatchObject([{ active: false, nextRunAt: 0, version: 2 }])
    },
  },
  "the mails of scheduled reports": {
    make: async () => {
      await scheduledReports()
      await sweepReports(env)
      for (const { id } of await rowsOf(exportJobs)) await deliver(id)
    },
    run: sweepReports,
    holds: async () => {
      expect((await rowsOf(reportDeliveries)).map(({ status }) => status)).toEqual(["sent", "sent"])
      expect((await rowsOf(outbox)).map(({ dedupe }) => dedupe?.split(":")[0])).toEqual(["report", "report"])
    },
  },
  "the evaluation of people who changed": {
    make: async () => {
      await ruleForEveryone()
      await runJobs()
      await many(PEOPLE, () => user())
    },
    run: async (bindings) => {
      await evaluateQueue(bindings)
      await runJobs()
    },
    holds: async () => {
      expect(await rowsOf(assignmentMembers)).toHaveLength(PEOPLE)
      expect(await rowsOf(enrollments)).toHaveLength(PEOPLE)
    },
  },
  "the daily evaluation of a rule": {
    make: async () => {
      await many(PEOPLE, () => user())
      await ruleForEveryone()
      messages.JOBS.length = 0
      await db.delete(backgroundJobs)
      await db.update(assignmentRules).set({ nextRunAt: START - MINUTE })
    },
    run: async (bindings) => {
      await startDailyRuns(bindings)
      await runJobs()
    },
    holds: async () => {
      expect((await rowsOf(assignmentRules)).map(({ nextRunAt }) => nextRunAt)).toEqual([START - MINUTE + DAY])
      expect(await rowsOf(backgroundJobs)).toMatchObject([{ status: "completed" }])
      expect(await rowsOf(assignmentMembers)).toHaveLength(PEOPLE)
      expect(await rowsOf(enrollments)).toHaveLength(PEOPLE)
    },
  },
}
