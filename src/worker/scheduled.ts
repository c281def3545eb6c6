import { sql } from "drizzle-orm"
import { cronRuns } from "../../drizzle/schema/cron-runs.ts"
import { deleteExpiredRevocations, retryRevocations } from "../access/revocations.ts"
import { BACKFILLS, runBackfills } from "../db/backfills.ts"
import { openDatabase } from "../db/client.ts"
import { deleteExpiredAnswers } from "../db/idempotency.ts"
import { logQueryMetrics } from "../db/meter.ts"
import { withMeter } from "../db/metering.ts"
import type { Bindings } from "../env.ts"
import { MINUTE, now } from "../lib/clock.ts"
import { onDemand } from "../lib/on-demand.ts"

import { recordInvocation, withFault } from "./invocation.ts"

// Each is loaded by the first run that needs it.
const reencrypt = onDemand(() => import("../db/reencrypt.ts"))
const devicesQueries = onDemand(() => import("../modules/auth/devices.queries.ts"))
const passwordsQueries = onDemand(() => import("../modules/auth/passwords.queries.ts"))
const uploadsQueries = onDemand(() => import("../modules/assessments/uploads.queries.ts"))
const subscriptionsQueries = onDemand(() => import("../modules/billing/subscriptions.queries.ts"))
const backgroundJob = onDemand(() => import("./background-jobs.ts"))
const bulkUploadJob = onDemand(() => import("../modules/bulk/bulk-upload.job.ts"))
const erasuresJob = onDemand(() => import("../modules/privacy/erasures.job.ts"))
const exportsJob = onDemand(() => import("../modules/exports/exports.job.ts"))
const classMaterialQueries = onDemand(() => import("../modules/classes/class-material.queries.ts"))
const mediaUploads = onDemand(() => import("../modules/media/media-uploads.queries.ts"))
const calendarsQueries = onDemand(() => import("../modules/calendars/calendars.queries.ts"))
const ssoLogoutQueries = onDemand(() => import("../modules/auth/sso-logout.queries.ts"))
const emailChangeQueries = onDemand(() => import("../modules/users/email-change.queries.ts"))
const signUpQueries = onDemand(() => import("../modules/auth/sign-up.queries.ts"))
const announcementListsQueries = onDemand(() => import("../modules/announcements/announcement-lists.queries.ts"))
const eventsQueries = onDemand(() => import("../modules/webhooks/events.queries.ts"))
const mailSweeps = onDemand(() => import("../modules/mail/mail-sweeps.ts"))
const dueSweep = onDemand(() => import("../modules/due-dates/due-sweep.ts"))
const overdueDigests = onDemand(() => import("../modules/due-dates/overdue-digests.ts"))
const reportMails = onDemand(() => import("../modules/report-schedules/report-mails.ts"))
const expirySweep = onDemand(() => import("../modules/due-dates/expiry-sweep.ts"))
const assignmentQueue = onDemand(() => import("../modules/assignment-rules/assignment-queue.ts"))
const webhooksJob = onDemand(() => import("../modules/webhooks/webhooks.job.ts"))

const digests = onDemand(() => import("../modules/notifications/digests.ts"))
const classNotices = onDemand(() => import("../modules/classes/class-notices.ts"))
const notificationsQueries = onDemand(() => import("../modules/notifications/notifications.queries.ts"))

type Sweep = (env: Bindings) => Promise<void>
const primary = (env: Bindings) => openDatabase(env.DB, "first-primary")

/** First, the cron starts work that is due. */
const startWork: Sweep[] = [
  (env) => retryRevocations(env, primary(env)),
  async (env) => (await exportsJob()).resumeExports(env),
  async (env) => (await classNotices()).sendClassReminders(env),
  async (env) => (await digests()).sendDigests(env, primary(env)),
  async (env) => (await mailSweeps()).dispatchMails(env, primary(env)),
  async (env) => (await mailSweeps()).settleInterrupted(env, primary(env)),
  async (env) => (await webhooksJob()).wakeIdleWebhooks(env),
  async (env) => (await bulkUploadJob()).sweepUploads(env),
  async (env) => (await erasuresJob()).resumeErasures(env),
  async (env) => (await backgroundJob()).resumeBackgroundJobs(env),
  async (env) => (await dueSweep()).sweepDueDates(env),
  async (env) => (await expirySweep()).sweepExpiries(env),
  async (env) => (await overdueDigests()).sendOverdueDigests(env),
  async (env) => (await reportMails()).sweepReports(env),
  async (env) => (await assignmentQueue()).evaluateQueue(env),
  async (env) => (await assignmentQueue()).startDailyRuns(env),
]

/** Then it deletes expired data and does other maintenance, in slices. */
const cleanup: Sweep[] = [
  (env) => deleteExpiredAnswers(primary(env)),
  (env) => deleteExpiredRevocations(primary(env)),
  async (env) => {
    // Checked before the code is loaded: usually no secret is being rotated.
    if (env.APP_SECRET_PREVIOUS) await (await reencrypt()).reencrypt(env, primary(env))
  },
  async (env) => (await exportsJob()).expireExports(env),
  async (env) => (await exportsJob()).deleteOldExports(primary(env)),
  async (env) => (await passwordsQueries()).deleteExpiredLinks(primary(env)),
  async (env) => (await passwordsQueries()).deleteExpiredTemporaryPasswords(primary(env)),
  async (env) => (await devicesQueries()).deleteExpiredDevices(primary(env)),
  async (env) => (await emailChangeQueries()).deleteExpiredEmailRequests(primary(env)),
  async (env) => (await signUpQueries()).deleteExpiredSignUps(primary(env)),
  async (env) => (await subscriptionsQueries()).expireSubscriptions(primary(env)),
  async (env) => (await announcementListsQueries()).markExpiredAnnouncements(primary(env)),
  async (env) => (await notificationsQueries()).deleteOldNotifications(primary(env)),
  async (env) => (await mailSweeps()).deleteOldMails(primary(env)),
  async (env) => (await eventsQueries()).deleteOldEvents(env, primary(env)),
  async (env) => (await webhooksJob()).deleteOldDeliveries(primary(env)),
  async (env) => (await bulkUploadJob()).deleteExpiredUploads(primary(env)),
  async (env) => (await backgroundJob()).deleteOldJobs(primary(env)),
  async (env) => (await uploadsQueries()).deleteUnusedFiles(env),
  async (env) => (await classMaterialQueries()).deleteUnusedMaterial(env),
  async (env) => (await mediaUploads()).deleteExpiredMediaUploads(env),
  async (env) => (await calendarsQueries()).deleteOldCancellations(primary(env)),
  async (env) => (await ssoLogoutQueries()).deleteExpiredProviderSessions(primary(env)),
  async (env) => {
    if (BACKFILLS.length > 0) await runBackfills(primary(env))
  },
]

/** Runs all sweeps. A sweep that fails does not stop the others. @returns how many failed */
async function runAll(sweeps: Sweep[], env: Bindings): Promise<number> {
  const outcomes = await Promise.allSettled(sweeps.map((run) => run(env)))
  const failed = outcomes.filter((outcome) => outcome.status === "rejected")
  for (const { reason } of failed) console.error(JSON.stringify({ event: "sweep failed", error: String(reason) }))
  return failed.length
}

/** Records every third run unless the result changes: `npm run doctor` reports a cron that is five minutes late. */
const RECORD_INTERVAL = 2.5 * MINUTE

/** Records the run, for the health check. */
async function recordRun(env: Bindings, failed: number) {
  const db = openDatabase(env.DB, "first-primary")
  await db.batch([
    db
      .insert(cronRuns)
      .values({ name: "sweep", ranAt: now(), failed })
      .onConflictDoUpdate({
        target: cronRuns.name,
        set: { ranAt: sql`excluded.ran_at`, failed: sql`excluded.failed` },
        setWhere: sql`${cronRuns.failed} <> excluded.failed
          or ${cronRuns.ranAt} <= excluded.ran_at - ${RECORD_INTERVAL}`,
      }),
  ])
}

export async function runScheduled(bindings: Bindings): Promise<void> {
  if (bindings.READ_ONLY) return
  const startedAt = now()
  const env = await withMeter(await withFault(bindings, "cron"))
  const failed = (await runAll(startWork, env)) + (await runAll(cleanup, env))
  await recordRun(env, failed).catch((error: unknown) => {
    console.error(JSON.stringify({ event: "cron run not recorded", error: String(error) }))
  })
  logQueryMetrics(env, "swept", {})
  recordInvocation("sweep", env, { kind: "cron", failed, ms: now() - startedAt })
}
