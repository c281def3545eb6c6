import { logQueryMetrics } from "../db/meter.ts"
import { withMeter } from "../db/metering.ts"
import type { Bindings } from "../env.ts"
import { now } from "../lib/clock.ts"
import { onDemand } from "../lib/on-demand.ts"
import { isLeaderboardRefresh } from "../modules/gamification/leaderboard-refresh.ts"

import { EXPORT_KINDS } from "./export-kinds.ts"
import { recordInvocation, withFault } from "./invocation.ts"

// Each is loaded by the first message that needs it.
const backgroundJob = onDemand(() => import("./background-jobs.ts"))
const bulkUploadJob = onDemand(() => import("../modules/bulk/bulk-upload.job.ts"))
const erasuresJob = onDemand(() => import("../modules/privacy/erasures.job.ts"))
const exportsJob = onDemand(() => import("../modules/exports/exports.job.ts"))
const leaderboardJob = onDemand(() => import("../modules/gamification/leaderboard.job.ts"))
const mailJob = onDemand(() => import("../modules/mail/mail.job.ts"))
const webhooksJob = onDemand(() => import("../modules/webhooks/webhooks.job.ts"))

/** Handles one message. It may run more than once. @throws to retry */
type Consumer = (env: Bindings, body: unknown, attempt: number) => Promise<void>

/** The consumer of each queue, loaded by its first message. A deployment may have another prefix than `lectern`. */
const consumers: Record<string, () => Promise<Consumer>> = {
  "lectern-exports": async () => {
    const { runExport } = await exportsJob()
    return (env, body) => runExport(EXPORT_KINDS, env, body)
  },
  "lectern-mail": async () => (await mailJob()).sendMails,
  "lectern-erasures": async () => (await erasuresJob()).runErasure,
  "lectern-jobs": async () => async (env, body) =>
    isLeaderboardRefresh(body)
      ? (await leaderboardJob()).refreshLeaderboard(env)
      : (await backgroundJob()).runBackgroundJob(env, body),
  "lectern-uploads": async () => (await bulkUploadJob()).runUpload,
}

/** Consumes a batch. Each message is acknowledged or retried individually. */
export async function consumeQueue(batch: MessageBatch, bindings: Bindings): Promise<void> {
  // The rows remain: when the academy is writable again, the cron sends a message for each.
  if (bindings.READ_ONLY) return batch.ackAll()
  const startedAt = now()
  const env = await withMeter(await withFault(bindings, batch.queue))
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
  logQueryMetrics(env, "consumed", { queue, messages: messages.length })
  recordInvocation(queue, env, { kind: "queue", messages: messages.length, failed, ms: now() - startedAt })
}

/** Sends a webhook the deliveries that are due. It may run more than once. @throws to retry */
export async function deliverWebhook(bindings: Bindings, webhookId: number): Promise<void> {
  // When the academy is writable again, the cron wakes the webhook.
  if (bindings.READ_ONLY) return
  const startedAt = now()
  const env = await withMeter(await withFault(bindings, "webhooks"))
  let failed = 1
  try {
    await (await webhooksJob()).runWebhook(env, webhookId)
    failed = 0
  } finally {
    logQueryMetrics(env, "delivered", { webhookId })
    recordInvocation("webhooks", env, { kind: "queue", messages: 1, failed, ms: now() - startedAt })
  }
}
