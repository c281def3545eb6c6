import { sql } from "drizzle-orm"
import { cronRuns } from "../../drizzle/operating.ts"
import type { Bindings } from "../bindings.ts"
import { forgetRevocations, repeatRevocations } from "../gate/clients.ts"
import { now } from "../lib/clock.ts"
import { onDemand } from "../lib/on-demand.ts"
import { BACKFILLS, runBackfills } from "../lib/sql/backfills.ts"
import { openDatabase } from "../lib/sql/db.ts"
import { meterOf, tellMeter } from "../lib/sql/meter.ts"
import { metered } from "../lib/sql/metering.ts"
import { forgetAnswers } from "../lib/sql/work.ts"
import { tellCost } from "../lib/web/metrics.ts"

// Each loaded by the first message, or run of the cron, that needs it.
const faultInjection = onDemand(() => import("../lib/sql/fault-injection.ts"))
const sealAgain = onDemand(() => import("../lib/sql/seal-again.ts"))
const devicesQueries = onDemand(() => import("../modules/access/devices.queries.ts"))
const passwordsQueries = onDemand(() => import("../modules/access/passwords.queries.ts"))
const uploadsQueries = onDemand(() => import("../modules/assessment/uploads.queries.ts"))
const subscriptionsQueries = onDemand(() => import("../modules/commerce/subscriptions.queries.ts"))
const backgroundJob = onDemand(() => import("./background.job.ts"))
const bulkUploadJob = onDemand(() => import("../modules/data/bulk-upload.job.ts"))
const erasuresJob = onDemand(() => import("../modules/data/erasures.job.ts"))
const exportsJob = onDemand(() => import("../modules/data/exports.job.ts"))
const classMaterialQueries = onDemand(() => import("../modules/live/class-material.queries.ts"))
const emailChangeQueries = onDemand(() => import("../modules/people/email-change.queries.ts"))
const signUpQueries = onDemand(() => import("../modules/people/sign-up.queries.ts"))
const announcementListsQueries = onDemand(() => import("../modules/telling/announcement-lists.queries.ts"))
const eventsQueries = onDemand(() => import("../modules/telling/events.queries.ts"))
const mailSweeps = onDemand(() => import("../modules/telling/mail-sweeps.ts"))
const mailJob = onDemand(() => import("../modules/telling/mail.job.ts"))
const webhooksJob = onDemand(() => import("../modules/telling/webhooks.job.ts"))

/** One message's work. It may run more than once and must then do no harm. @throws to be tried again */
type Consumer = (env: Bindings, body: unknown, attempt: number) => Promise<void>

/** The consumer of each queue, loaded by the first message in it. A deployment has its own name before the hyphen. */
const consumers: Record<string, () => Promise<Consumer>> = {
  "lectern-exports": async () => (await exportsJob()).runExport,
  "lectern-mail": async () => (await mailJob()).sendMails,
  "lectern-erasures": async () => (await erasuresJob()).runErasure,
  "lectern-jobs": async () => (await backgroundJob()).runJob,
  "lectern-uploads": async () => (await bulkUploadJob()).runUpload,
}

/** On a developer's machine a request may have asked for the next batch, or run, to fail (docs/reliability.md). */
const withFault = async (env: Bindings, of: string) =>
  env.ENVIRONMENT === "development" ? (await faultInjection()).faultyOnce(env, of) : env

/** Consumes a batch: each message is acknowledged, or tried again later, by itself. */
export async function consume(batch: MessageBatch, given: Bindings): Promise<void> {
  // The rows stay: once the academy may be written again, the cron sends a message for each.
  if (given.READ_ONLY) return batch.ackAll()
  const began = now()
  const env = await metered(await withFault(given, batch.queue))
  const [, load] = Object.entries(consumers).find(([queue]) => batch.queue.endsWith(queue.replace("lectern", ""))) ?? []
  if (!load) throw new Error(`No consumer for the queue ${batch.queue}.`)
  const consumer = await load()
  let failed = 0
  for (const message of batch.messages) {
    try {
      await consumer(env, message.body, message.attempts)
      message.ack()
    } catch (error) {
      failed++
      console.error(
        JSON.stringify({ event: "job failed", queue: batch.queue, attempt: message.attempts, error: String(error) }),
      )
      message.retry({ delaySeconds: Math.min(60, 5 * 2 ** (message.attempts - 1)) })
    }
  }
  const { queue, messages } = batch
  tellMeter(env, "consumed", { queue, messages: messages.length })
  tellAs(queue, env, { kind: "queue", messages: messages.length, failed, ms: now() - began })
}

/**
 * Sends a webhook what is due, as its lane asks. It may run more than once and then does no harm.
 * @throws to be tried again
 */
export async function deliverWebhook(given: Bindings, webhookId: number): Promise<void> {
  // Once the academy may be written again, the cron wakes the webhook.
  if (given.READ_ONLY) return
  const began = now()
  const env = await metered(await withFault(given, "webhooks"))
  let failed = 1
  try {
    await (await webhooksJob()).runWebhook(env, webhookId)
    failed = 0
  } finally {
    tellMeter(env, "delivered", { webhookId })
    tellAs("webhooks", env, { kind: "queue", messages: 1, failed, ms: now() - began })
  }
}

/** Tells what a batch or a run of the cron cost, under its name. */
function tellAs(operation: string, env: Bindings, act: Parameters<typeof tellCost>[1]) {
  const meter = meterOf(env)
  if (meter) meter.operation = operation
  tellCost(env, act)
}

type Sweep = (env: Bindings) => Promise<void>
const primary = (env: Bindings) => openDatabase(env.DB, "first-primary")

/** What the cron does every minute, first: it wakes whoever has work to do. */
const wakers: Sweep[] = [
  (env) => repeatRevocations(env, primary(env)),
  async (env) => (await exportsJob()).resumeExports(env),
  async (env) => (await mailSweeps()).dispatchMails(env, primary(env)),
  async (env) => (await mailSweeps()).settleInterrupted(env, primary(env)),
  async (env) => (await webhooksJob()).sweepWebhooks(env),
  async (env) => (await bulkUploadJob()).sweepUploads(env),
  async (env) => (await erasuresJob()).resumeErasures(env),
  async (env) => (await backgroundJob()).resumeJobs(env),
]

/** Then it does what was left for later, in slices: however much there is, nobody waits for it. */
const cleaners: Sweep[] = [
  (env) => forgetAnswers(primary(env)),
  (env) => forgetRevocations(primary(env)),
  async (env) => {
    // Asked before the code is loaded: mostly, no secret is being rotated.
    if (env.APP_SECRET_PREVIOUS) await (await sealAgain()).sealAgain(env, primary(env))
  },
  async (env) => (await exportsJob()).expireExports(env),
  async (env) => (await exportsJob()).forgetExports(primary(env)),
  async (env) => (await passwordsQueries()).forgetLinks(primary(env)),
  async (env) => (await passwordsQueries()).forgetTemporaryPasswords(primary(env)),
  async (env) => (await devicesQueries()).forgetDevices(primary(env)),
  async (env) => (await emailChangeQueries()).forgetEmailRequests(primary(env)),
  async (env) => (await signUpQueries()).forgetSignUps(primary(env)),
  async (env) => (await subscriptionsQueries()).expireSubscriptions(primary(env)),
  async (env) => (await announcementListsQueries()).endAnnouncements(primary(env)),
  async (env) => (await mailSweeps()).forgetMails(primary(env)),
  async (env) => (await eventsQueries()).forgetEvents(primary(env)),
  async (env) => (await webhooksJob()).forgetDeliveries(primary(env)),
  async (env) => (await bulkUploadJob()).forgetUploads(primary(env)),
  async (env) => (await backgroundJob()).deleteOldJobs(primary(env)),
  async (env) => (await uploadsQueries()).sweepUnusedFiles(env),
  async (env) => (await classMaterialQueries()).sweepUnusedMaterial(env),
  async (env) => {
    if (BACKFILLS.length > 0) await runBackfills(primary(env))
  },
]

/** Runs each by itself, so that one that fails stops no other. @returns how many failed */
async function runAll(sweeps: Sweep[], env: Bindings): Promise<number> {
  const outcomes = await Promise.allSettled(sweeps.map((run) => run(env)))
  const failed = outcomes.filter((outcome) => outcome.status === "rejected")
  for (const { reason } of failed) console.error(JSON.stringify({ event: "sweep failed", error: String(reason) }))
  return failed.length
}

/** Notes that the cron runs, for whoever asks. */
async function noteRun(env: Bindings, failed: number) {
  const db = openDatabase(env.DB, "first-primary")
  await db.batch([
    db
      .insert(cronRuns)
      .values({ name: "sweep", ranAt: now(), failed })
      .onConflictDoUpdate({
        target: cronRuns.name,
        set: { ranAt: sql`excluded.ran_at`, failed: sql`excluded.failed` },
      }),
  ])
}

export async function sweep(given: Bindings): Promise<void> {
  if (given.READ_ONLY) return
  const began = now()
  const env = await metered(await withFault(given, "cron"))
  const failed = (await runAll(wakers, env)) + (await runAll(cleaners, env))
  await noteRun(env, failed).catch((error: unknown) => {
    console.error(JSON.stringify({ event: "run of the cron not noted", error: String(error) }))
  })
  tellMeter(env, "swept", {})
  tellAs("sweep", env, { kind: "cron", failed, ms: now() - began })
}
