import { env } from "cloudflare:workers"
import { getTableName, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { announcements } from "../../drizzle/schema/announcements.ts"
import { assignmentUploads } from "../../drizzle/schema/assignments.ts"
import { backgroundJobs } from "../../drizzle/schema/background-jobs.ts"
import { bulkUploads } from "../../drizzle/schema/bulk-uploads.ts"
import { calendarCancellations } from "../../drizzle/schema/calendars.ts"
import { classEnrollments, classMaterials } from "../../drizzle/schema/classes.ts"
import { courses } from "../../drizzle/schema/courses.ts"
import { devices } from "../../drizzle/schema/devices.ts"
import { enrollmentCounts, enrollments, overdueDigests } from "../../drizzle/schema/enrollments.ts"
import { erasures } from "../../drizzle/schema/erasures.ts"
import { events } from "../../drizzle/schema/events.ts"
import { exportJobs } from "../../drizzle/schema/exports.ts"
import { mediaUploads } from "../../drizzle/schema/media.ts"
import { notifications } from "../../drizzle/schema/notifications.ts"
import { mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { passwordLinks, temporaryPasswords } from "../../drizzle/schema/passwords.ts"
import { pendingEmails } from "../../drizzle/schema/pending-emails.ts"
import { reportDeliveries, reportRecipients, reportSchedules } from "../../drizzle/schema/report-schedules.ts"
import { signUps } from "../../drizzle/schema/sign-ups.ts"
import { ssoProviders, ssoSessions } from "../../drizzle/schema/sso.ts"
import { subscriptions } from "../../drizzle/schema/subscriptions.ts"
import { idempotencyKeys, sessionRevocations } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"
import { webhookDeliveries } from "../../drizzle/schema/webhooks.ts"
import { openDatabase } from "../../src/db/client.ts"
import { queueMail } from "../../src/db/outbox.ts"
import { DAY, MINUTE } from "../../src/lib/clock.ts"
import { sendClassReminders } from "../../src/modules/classes/class-notices.ts"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { sendDigests } from "../../src/modules/notifications/digests.ts"
import { sweepReports } from "../../src/modules/report-schedules/report-mails.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { classOf } from "../factories/classes.ts"
import { db, group, rowsOf, user } from "../factories/index.ts"
import { postOffice } from "../helpers/mailbox.ts"
import { everyCombination } from "./matrix.ts"

/** The maximum number of rows that a batch of the cron writes. */
const BOUND = 5000
const MANY = everyCombination ? 100_000 : 6000
const OLD = Date.now() - 400 * DAY

let logged: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  logged = vi.spyOn(console, "error").mockImplementation(() => {})
})
afterEach(() => logged.mockRestore())

/** The bindings with a database that records how many rows each batch writes. */
function metered<E extends { DB: D1Database }>(given: E) {
  const written: number[] = []
  const withSession = (constraint?: string) => {
    const session = given.DB.withSession(constraint)
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await session.batch(statements)
      written.push(results.reduce((sum, { meta }) => sum + meta.rows_written, 0))
      return results
    }
    return { prepare: session.prepare.bind(session), batch, getBookmark: () => session.getBookmark() }
  }
  return { env: { ...given, DB: { withSession } as unknown as D1Database }, written }
}

/** Inserts rows with one statement: `i` counts from 1. */
const planted = (count: number) =>
  sql.raw(`with recursive n (i) as (
  select 1 union all select i + 1 from n where i < ${count}
)`)

const names = (table: SQLiteTable, columns: string) => sql.raw(`${getTableName(table)} (${columns})`)

/** The number of rows that a sweep processes. */
const left = async (table: SQLiteTable, which = "1") => {
  const [row] = await db.select({ count: sql<number>`count(*)` }).from(table).where(sql.raw(which))
  return row?.count ?? 0
}

/** Enrolls a user in as many courses. @param columns further columns, with their values as SQL */
async function plantEnrollments(count: number, userId: number, columns: string, values: (number | string)[]) {
  const columnsOfCourses = "id, name, slug, status, content, instructions, search_text, created_at"
  await db.run(sql`insert into ${names(courses, columnsOfCourses)}
    ${planted(count)} select i, 'Course ' || i, 'course-' || i, 'publish', '', '', '', 1 from n`)
  await db.run(sql`insert into ${names(enrollments, `id, user_id, course_id, registered_at, ${columns}`)}
    ${planted(count)} select i, ${userId}, i, 1, ${sql.raw(values.join(", "))} from n`)
}

interface Kind {
  /** The name of the sweep in src/worker/scheduled.ts. */
  sweep: string
  table: SQLiteTable
  /** Inserts this many due rows. */
  plant: (count: number) => Promise<unknown>
  /** The condition of a row that is still due. */
  due?: string
  /** The number of rows, if a hundred thousand take too long. */
  count?: number
  /** The sweep writes a log line for each row. */
  logs?: true
  /** The sweep sends mail. */
  mails?: true
}

/** The sweeps that have tests elsewhere, or write nothing. */
const OTHERS: Record<string, string> = {
  dispatchMails: "writes no row: the tests below see its messages",
  wakeIdleWebhooks: "writes no row, of 50 webhooks at most",
  reencrypt: "test/platform/secret-rotation.test.ts",
  sendDigests: "the tests below",
  sendClassReminders: "the tests below",
  runBackfills: "test/platform/backfills.test.ts",
  evaluateQueue: "starts one job: test/assignment-rules/rules.test.ts",
  sweepReports: "the tests below",
  startDailyRuns: "starts 20 jobs at most: test/assignment-rules/daily-run.test.ts",
}

const KINDS: Record<string, Kind> = {
  "old notifications": {
    sweep: "deleteOldNotifications",
    table: notifications,
    due: `created_at = ${OLD}`,
    plant: async (count) => {
      const { id } = await user()
      await db.run(sql`insert into ${names(notifications, "user_id, kind, variables, path, created_at")}
        ${planted(count)} select ${id}, 'enrolled', '{}', '/console', ${OLD} from n`)
    },
  },
  "kept answers": {
    sweep: "deleteExpiredAnswers",
    table: idempotencyKeys,
    due: "key like 'key %'",
    plant: (count) =>
      db.run(sql`insert into ${names(idempotencyKeys, "client, key, request, status, answer, created_at")}
        ${planted(count)} select 'ip:test', 'key ' || i, '', 200, '', ${OLD} from n`),
  },
  devices: {
    sweep: "deleteExpiredDevices",
    table: devices,
    plant: async (count) => {
      const { id } = await user()
      await db.run(sql`insert into ${names(devices, "id, user_id, name, created_at, refreshed_at")}
        ${planted(count)} select i, ${id}, 'Phone', ${OLD}, ${OLD} from n`)
    },
  },
  "links to choose a password": {
    sweep: "deleteExpiredLinks",
    table: passwordLinks,
    plant: async (count) => {
      const { id } = await user()
      await db.run(sql`insert into ${names(passwordLinks, "token_hash, user_id, expires_at, created_at")}
        ${planted(count)} select 'hash ' || i, ${id}, ${OLD}, ${OLD} from n`)
    },
  },
  "temporary passwords": {
    sweep: "deleteExpiredTemporaryPasswords",
    table: temporaryPasswords,
    count: 20_000,
    plant: async (count) => {
      await manyUsers(count)
      await db.run(sql`insert into ${names(temporaryPasswords, "user_id, hash, expires_at")}
        select id, 'hash', ${OLD} from users where id > 1000`)
    },
  },
  "revocations that a day has passed": {
    sweep: "deleteExpiredRevocations",
    table: sessionRevocations,
    plant: (count) =>
      db.run(sql`insert into ${names(sessionRevocations, "user_id, revocation, pending, created_at")}
        ${planted(count)} select i, 'revocation', 0, ${OLD} from n`),
  },
  "sign-ups": {
    sweep: "deleteExpiredSignUps",
    table: signUps,
    plant: (count) =>
      db.run(sql`insert into ${names(signUps, "token_hash, person, expires_at")}
        ${planted(count)} select 'hash ' || i, '', ${OLD} from n`),
  },
  "subscriptions that have ended": {
    sweep: "expireSubscriptions",
    table: subscriptions,
    due: "status = 'Active'",
    count: 20_000,
    plant: async (count) => {
      const { id } = await user()
      await db.run(sql`insert into ${names(
        subscriptions,
        "id, user_id, subscription_name, total, currency, status, start_at, end_at, created_at",
      )}
        ${planted(count)} select i, ${id}, 'Plan ' || i, 1, 'USD', 'Active', 1, ${OLD}, ${OLD} from n`)
    },
  },
  "enrollments that become overdue": {
    sweep: "sweepDueDates",
    mails: true,
    table: enrollments,
    due: "due_status = 'on_track'",
    count: 3000,
    plant: async (count) => {
      const learner = await user()
      const supervisor = await user({ userType: "group_admin" })
      await group({ admins: [supervisor.id], members: [learner.id] })
      await plantEnrollments(count, learner.id, "due_at, due_soon_at, overdue_at, due_status, due_check_at", [
        ...[OLD, OLD, OLD, "'on_track'", OLD],
      ])
    },
  },
  "enrollments that have expired": {
    sweep: "sweepExpiries",
    mails: true,
    table: enrollments,
    due: "expired_at = 0",
    count: 4000,
    plant: async (count) => plantEnrollments(count, (await user()).id, "expires_at", [OLD]),
  },
  // test/due-dates/bounds.test.ts counts the rows of their mails.
  "supervisors of overdue people": {
    sweep: "sendOverdueDigests",
    mails: true,
    table: overdueDigests,
    due: `send_at < ${OLD + DAY}`,
    count: 1000,
    plant: async (count) => {
      await db.run(sql`insert into ${names(
        users,
        "id, first_name, last_name, email, user_type, search_text, created_at, disabled",
      )}
        ${planted(count)} select 5000 + i, 'A', 'B', i || '@example.org', 'group_admin', '', 1, 1 from n`)
      await db.run(sql`insert into ${names(
        enrollmentCounts,
        "audience, course_id, not_started, in_progress, completed, overdue",
      )}
        ${planted(count)} select 'supervisor:' || (5000 + i), 1, 0, 0, 0, 2 from n`)
      await db.run(sql`insert into ${names(overdueDigests, "supervisor_id, send_at")}
        ${planted(count)} select 5000 + i, ${OLD} from n`)
    },
  },
  "announcements that have expired": {
    sweep: "markExpiredAnnouncements",
    table: announcements,
    due: "state <> 'ended'",
    count: 20_000,
    plant: (count) =>
      db.run(sql`insert into ${names(
        announcements,
        "id, heading, content, sending_rules, limited_to_portals, state, expires_at, search_text, created_at",
      )}
        ${planted(count)} select i, 'News ' || i, '<p>News</p>', 'all', 0, 'everyone', ${OLD}, 'news', ${OLD} from n`),
  },
  "sent mails of one mailing": {
    sweep: "deleteOldMails",
    table: outbox,
    due: "mailing_id = '00000000-0001'",
    plant: async (count) => {
      await db.insert(mailings).values({ id: "00000000-0001", kind: "old", template: { account: "welcome" } })
      await db.run(sql`insert into ${names(
        outbox,
        "mailing_id, number, recipient, dedupe, status, not_before, dispatched_at, sent_at",
      )}
        ${planted(count)} select '00000000-0001', i, 'a@example.com', 'old:' || i, 'sent', 1, 1, 1 from n`)
    },
  },
  "sent mails of their own mailings": {
    sweep: "deleteOldMails",
    table: mailings,
    due: "kind = 'old'",
    plant: async (count) => {
      await db.run(sql`insert into ${names(mailings, "id, kind, template")}
        ${planted(count)} select printf('00000000-%08d', i), 'old', '{}' from n`)
      await db.run(
        sql`insert into ${names(
          outbox,
          "mailing_id, number, recipient, status, not_before, dispatched_at, sent_at",
        )} select id, 1, 'a@example.com', 'failed', 1, 1, 1 from mailings`,
      )
    },
  },
  events: {
    sweep: "deleteOldEvents",
    table: events,
    // The newest stays.
    due: "id < (select max(id) from events)",
    plant: async (count) => {
      await db.run(sql`insert into ${names(events, "id, type, occurred_at, object_id")}
        ${planted(count)} select i, 'user.created', ${OLD}, i from n`)
    },
  },
  "deliveries of a webhook that is gone": {
    sweep: "deleteOldDeliveries",
    table: webhookDeliveries,
    plant: (count) =>
      db.run(sql`insert into ${names(webhookDeliveries, "webhook_id, event_id, status, attempts, next_at")}
        ${planted(count)} select 1 + i % 3, i, iif(i % 2, 'waiting', 'delivered'), 1, 1 from n`),
  },
  "completed uploads with the most chunks": {
    sweep: "deleteExpiredUploads",
    table: bulkUploads,
    count: 200,
    plant: async (count) => {
      await db.run(
        sql`insert into ${names(
          bulkUploads,
          "id, client, caller_type, name, base_url, course_ids, rows, status, created_at, expires_at",
        )} ${planted(count)} select i, 'ip', 'admin', '', '', '[]', 5000, 'completed', ${OLD}, ${OLD} from n`,
      )
      await db.run(sql`insert into bulk_upload_chunks (upload_id, number, rows, errors)
        ${planted(200)} select id, i, '[]', '[]' from bulk_uploads, n`)
    },
  },
  "export jobs": {
    sweep: "deleteOldExports",
    table: exportJobs,
    plant: (count) =>
      db.run(sql`insert into ${names(
        exportJobs,
        "id, kind, caller_id, caller_type, filter, status, message, filename, created_at, expires_at",
      )} ${planted(count)}
        select 'job ' || i, 'users', 1, 'admin', '', 'expired', '', '', ${OLD}, ${OLD} from n`),
  },
  "uploaded files that nobody used": {
    sweep: "deleteUnusedFiles",
    table: assignmentUploads,
    count: 20_000,
    plant: (count) =>
      db.run(
        sql`insert into ${names(
          assignmentUploads,
          "id, object_key, filename, extension, mime, bytes, created_at",
        )} ${planted(count)} select i, 'assignments/' || i, 'a', 'txt', 'text/plain', 1, ${OLD} from n`,
      ),
  },
  "unfinished uploads of media": {
    sweep: "deleteExpiredMediaUploads",
    table: mediaUploads,
    count: 2_000,
    plant: (count) =>
      db.run(
        sql`insert into ${names(
          mediaUploads,
          "id, name, metadata, bytes, offset, key, parts, created_at, expires_at",
        )} ${planted(count)} select i, 'a', '', 1, 0, 'media/' || i, '[]', ${OLD}, ${OLD} from n`,
      ),
  },
  "class material that nobody used": {
    sweep: "deleteUnusedMaterial",
    table: classMaterials,
    count: 20_000,
    plant: (count) =>
      db.run(
        sql`insert into ${names(
          classMaterials,
          "id, name, extension, mime_type, size, key, created_at",
        )} ${planted(count)} select i, 'a', 'txt', 'text/plain', 1, 'classes/' || i, ${OLD} from n`,
      ),
  },
}

Object.assign(KINDS, {
  "addresses that nobody confirmed": {
    sweep: "deleteExpiredEmailRequests",
    table: pendingEmails,
    count: 20_000,
    plant: async (count) => {
      await manyUsers(count)
      await db.run(sql`insert into ${names(pendingEmails, "user_id, email, token_hash, expires_at, created_at")}
        select id, 'a@example.com', 'hash ' || id, ${OLD}, ${OLD} from users where id > 1000`)
    },
  },
  "sessions of providers that have expired": {
    sweep: "deleteExpiredProviderSessions",
    table: ssoSessions,
    count: 20_000,
    plant: async (count) => {
      await manyUsers(count)
      const fields = "id, name, slug, issuer, client_id, scopes, domains, claims, creates, forced, active, created_at"
      await db.run(sql`insert into ${names(ssoProviders, fields)}
        values (1, 'Corp', 'corp', 'https://id.example', 'a', 'openid', '[]', '{}', 0, 0, 1, ${OLD})`)
      await db.run(sql`insert into ${names(ssoSessions, "provider_id, sid, user_id, session_id, expires_at")}
        select 1, 's-' || id, id, 'x', ${OLD} from users where id > 1000`)
    },
  },
  "canceled classes that calendars have read": {
    sweep: "deleteOldCancellations",
    table: calendarCancellations,
    count: 20_000,
    plant: async (count) => {
      await manyUsers(count)
      const columns = "user_id, class_id, count, version, course_name, time_zone, start_at, end_at, canceled_at"
      await db.run(sql`insert into ${names(calendarCancellations, columns)}
        select id, 1, 1, 1, 'Knots', 'UTC', ${OLD}, ${OLD}, ${OLD} from users where id > 1000`)
    },
  },
  "exports that are past their seven days": {
    sweep: "expireExports",
    table: exportJobs,
    due: "status = 'completed'",
    count: 300,
    plant: (count) => jobsOf(count, "completed", "null"),
  },
  "exports whose message was lost": {
    sweep: "resumeExports",
    table: exportJobs,
    due: "due_at = 1",
    count: 300,
    plant: (count) => jobsOf(count, "processing", "1"),
  },
  "uploads whose message was lost": {
    sweep: "sweepUploads",
    table: bulkUploads,
    due: "due_at = 1",
    count: 300,
    plant: (count) =>
      db.run(
        sql`insert into ${names(
          bulkUploads,
          "id, client, caller_type, name, base_url, course_ids, rows, status, due_at, created_at, expires_at",
        )} ${planted(count)}
        select i, 'ip', 'admin', '', '', '[]', 1, 'processing', 1, ${OLD}, ${Date.now() + 400 * DAY} from n`,
      ),
  },
  "erasures whose message was lost": {
    sweep: "resumeErasures",
    table: erasures,
    due: "due_at = 1",
    count: 300,
    plant: (count) =>
      db.run(sql`insert into ${names(erasures, "user_id, reason, status, due_at, created_at")}
        ${planted(count)} select i, 'requested', 'processing', 1, ${OLD} from n`),
  },
  "background jobs whose message was lost": {
    sweep: "resumeBackgroundJobs",
    table: backgroundJobs,
    due: "due_at = 1",
    count: 300,
    plant: (count) => backgroundJobsOf(count, "processing", "1", 0),
  },
  "background jobs that were completed": {
    sweep: "deleteOldJobs",
    table: backgroundJobs,
    plant: (count) => backgroundJobsOf(count, "completed", "null", OLD),
  },
  "mails of consumers that died": {
    sweep: "settleInterrupted",
    table: outbox,
    due: "status = 'sending'",
    count: 1000,
    logs: true,
    plant: async (count) => {
      await db.insert(mailings).values({ id: "00000000-0001", kind: "old", template: { account: "welcome" } })
      await db.run(sql`insert into ${names(
        outbox,
        "mailing_id, number, recipient, status, not_before, dispatched_at, claim, claimed_at",
      )}
        ${planted(count)} select '00000000-0001', i, 'a@example.com', 'sending', 1, 1, 'dead', 1 from n`)
    },
  },
  "revocations that no Durable Object has heard of": {
    sweep: "retryRevocations",
    table: sessionRevocations,
    due: "pending",
    count: 300,
    plant: (count) =>
      db.run(sql`insert into ${names(sessionRevocations, "user_id, revocation, pending, created_at")}
        ${planted(count)} select i, 'revocation', 1, ${Date.now() + DAY} from n`),
  },
} satisfies typeof KINDS)

const backgroundJobsOf = (count: number, status: string, dueAt: string, completedAt: number) =>
  db.run(sql`insert into ${names(
    backgroundJobs,
    "id, kind, params, status, total, due_at, created_at, completed_at",
  )} ${planted(count)}
    select 'job ' || i, 'course.recount', '{}', ${status}, 1, ${sql.raw(dueAt)}, ${OLD}, ${completedAt} from n`)

/** Old export jobs of this many callers. */
const jobsOf = (count: number, status: string, dueAt: string) =>
  db.run(sql`insert into ${names(
    exportJobs,
    "id, kind, caller_id, caller_type, filter, status, message, filename, due_at, created_at, expires_at",
  )} ${planted(count)}
    select 'job ' || i, 'users', i, 'admin', '{}', ${status}, '', 'a.xlsx', ${sql.raw(dueAt)}, ${OLD},
      ${status === "processing" ? Date.now() + 400 * DAY : OLD} from n`)

const manyUsers = (count: number) =>
  db.run(sql`insert into users (id, first_name, email, user_type, search_text, created_at)
    ${planted(count)} select 1000 + i, '', 'u' || i || '@example.com', 'general', '', 1 from n`)

describe("the cron", () => {
  it.each(Object.entries(KINDS))(
    "ends with any number of %s in batches of 5,000 rows, while mail goes out",
    async (_, { table, plant, due = "1", count: rows = MANY, logs = false, mails = false }) => {
      const count = Math.min(rows, MANY)
      vi.useFakeTimers({ toFake: ["Date"] })
      await plant(count)
      expect(await left(table, due)).toBeGreaterThanOrEqual(count - 1)
      const office = postOffice()
      const { env: bindings, written } = metered(office.env)
      for (let runs = 1; (await left(table, due)) > 0; runs++) {
        expect(runs).toBeLessThanOrEqual(40)
        const recipient = { userId: null, email: `run${runs}@example.com`, name: "" }
        const mail = queueMail(office.work, "note", { account: "welcome" }, [recipient])
        await office.work.commit(mail.statements, {})
        vi.setSystemTime(Date.now() + 5 * MINUTE)
        await runScheduled(bindings)
        const [message = { mails: 0 }] = office.messages.splice(0) as { mails: number }[]
        if (!mails) expect(message).toEqual({ mails: 1 })
        await sendMails(office.env, message)
        if (!mails) expect(office.sent).toHaveLength(runs)
        expect(office.sent.length).toBeGreaterThanOrEqual(runs)
      }
      expect(Math.max(...written)).toBeLessThanOrEqual(BOUND)
      if (!logs) expect(logged.mock.calls).toEqual([])
    },
    120_000,
  )

  it("sends the digests of any number of people in batches of 5,000 rows", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 25, 7, 1) })
    const { env: bindings, written } = metered(postOffice().env)
    await manyUsers(700)
    const waiting = (person: string, count: number) =>
      db.run(sql`insert into ${names(notifications, "user_id, kind, variables, path, in_digest, created_at")}
        ${planted(count)} select ${sql.raw(person)}, 'enrolled', '{}', '/console', 1, ${Date.now() - DAY} from n`)
    await waiting("1001 + i / 20", 12_000)
    await waiting("1650", 1500)
    await waiting("1651", 1500)
    await sendDigests(bindings, openDatabase(bindings.DB, "first-primary"))
    expect(await left(notifications, "in_digest")).toBe(0)
    expect(await left(outbox)).toBe(603)
    expect(Math.max(...written)).toBeLessThanOrEqual(BOUND)
  })

  it("reminds any number of people of a class in batches of 5,000 rows", async () => {
    const { env: bindings, written } = metered(postOffice().env)
    const { id } = await classOf()
    await manyUsers(1500)
    await db.run(
      sql`insert into ${names(
        classEnrollments,
        "id, class_id, user_id, registered_at, first_name, last_name, email",
      )} select id, ${id}, id, ${OLD}, 'A', 'B', 'c' from users where id > 1000`,
    )
    await sendClassReminders(bindings)
    expect(await left(notifications)).toBe(1500)
    expect(await left(outbox)).toBe(1500)
    expect(Math.max(...written)).toBeLessThanOrEqual(BOUND)
  })

  it("starts and mails any number of scheduled reports in batches of 5,000 rows", async () => {
    const { env: bindings, written } = metered(postOffice().env)
    const [schedules, recipients] = [40, 21]
    await manyUsers(60)
    await db.run(sql`update users set user_type = 'staff'`)
    await db.run(sql`insert into ${names(
      reportSchedules,
      "id, name, report, filter, interval, day, hour, owner_id, active, next_run_at, created_at",
    )} ${planted(schedules)} select i, 'Report ' || i, 'overdue', json_object('group_id', null, 'n', i), 'weekly', 1, 7,
      1000 + i, 1, ${Date.now() - DAY}, 1 from n`)
    await db.run(sql`insert into ${names(reportRecipients, "schedule_id, user_id")}
      ${planted(recipients)} select id, owner_id + i - 1 from n, report_schedules`)
    await sweepReports(bindings)
    expect(await left(reportDeliveries, "status = 'waiting'")).toBe(schedules * recipients)
    await db.run(sql`update export_jobs set status = 'completed', message = 'Completed: 1 row.'`)
    for (let runs = 0; runs < 5; runs++) await sweepReports(bindings)
    expect(await left(reportDeliveries, "status = 'sent'")).toBe(schedules * recipients)
    expect(await left(outbox)).toBe(schedules * recipients)
    expect(Math.max(...written)).toBeLessThanOrEqual(BOUND)
  })

  it("has a test with many rows for every sweep", async () => {
    const files = import.meta.glob<string>("../../src/worker/scheduled.ts", { query: "?raw", import: "default" })
    const source = (await files["../../src/worker/scheduled.ts"]?.()) ?? ""
    const [, startWork = "", cleanup = ""] = source.split(/const (?:startWork|cleanup): Sweep\[\] = /)
    const lists = `${startWork.split("\n]")[0]}${cleanup.split("\n]")[0]}`
    const sweeps = [...lists.matchAll(/\b(\w+)\((?:env|primary\(env\))/g)].map(([, name]) => name)
    const tried = new Set([...Object.values(KINDS).map(({ sweep }) => sweep), ...Object.keys(OTHERS)])
    expect(sweeps.filter((name) => name !== "primary" && !tried.has(name ?? ""))).toEqual([])
    expect([...tried].filter((name) => !sweeps.includes(name))).toEqual([])
  })

  it("continues with every other sweep if some fail", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    for (const { plant } of Object.values(KINDS).slice(0, 3)) await plant(3)
    const office = postOffice()
    const broken = /idempotency_keys|mail_pauses/
    const withSession = (constraint?: string) => {
      const session = office.env.DB.withSession(constraint)
      const texts = new WeakMap<object, string>()
      const prepare = (text: string) => {
        const bound = (statement: D1PreparedStatement): D1PreparedStatement => {
          texts.set(statement, text)
          const { bind } = statement
          return Object.assign(statement, { bind: (...given: unknown[]) => bound(bind.apply(statement, given)) })
        }
        return bound(session.prepare(text))
      }
      const batch = (statements: D1PreparedStatement[]) =>
        statements.some((statement) => broken.test(texts.get(statement) ?? ""))
          ? Promise.reject(new Error("D1_ERROR: out of order"))
          : session.batch(statements)
      return { prepare, batch, getBookmark: () => session.getBookmark() }
    }
    await runScheduled({ ...office.env, DB: { withSession } as unknown as D1Database })
    expect(await left(idempotencyKeys)).toBe(3)
    expect([await left(devices), await left(passwordLinks)]).toEqual([0, 0])
    expect(logged.mock.calls.map(String)).toContainEqual(expect.stringContaining("sweep failed"))
  })

  it("deletes unused class material from the bucket before its row", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    await KINDS["class material that nobody used"]?.plant(1)
    await env.FILES.put("classes/1", "x")
    const failing = { ...env.FILES, delete: () => Promise.reject(new Error("R2 is out of reach")) }
    await runScheduled({ ...env, FILES: failing } as unknown as typeof env)
    expect(await rowsOf(classMaterials)).toHaveLength(1)
    await runScheduled(env)
    expect(await rowsOf(classMaterials)).toEqual([])
    expect(await env.FILES.head("classes/1")).toBeNull()
  })
})
