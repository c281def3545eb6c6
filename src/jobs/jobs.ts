import type { Bindings } from "../env.ts"
import { repeatRevocations } from "../gate/clients.ts"
import { openDatabase } from "../lib/db.ts"
import { forgetExpired } from "../modules/passwords/passwords.queries.ts"
import { runUpload, sweepUploads } from "./bulk-upload.ts"
import { expireExports, resumeExports, runExport } from "./exports.ts"
import { sendMails, sweepMails } from "./mail.ts"

/** One message's work. It may run more than once and must then do no harm. @throws to be tried again */
export type Consumer = (env: Bindings, body: unknown, attempt: number) => Promise<void>

/** The consumer of each queue. */
const consumers: Record<string, Consumer> = {
  "lectern-exports": runExport,
  "lectern-mail": sendMails,
  "lectern-uploads": runUpload,
}

/** Consumes a batch: each message is acknowledged, or tried again later, by itself. */
export async function consume(batch: MessageBatch, env: Bindings): Promise<void> {
  const consumer = consumers[batch.queue]
  if (!consumer) throw new Error(`No consumer for the queue ${batch.queue}.`)
  for (const message of batch.messages) {
    try {
      await consumer(env, message.body, message.attempts)
      message.ack()
    } catch (error) {
      console.error(
        JSON.stringify({ event: "job failed", queue: batch.queue, attempt: message.attempts, error: String(error) }),
      )
      message.retry({ delaySeconds: Math.min(60, 5 * 2 ** (message.attempts - 1)) })
    }
  }
}

/** What the cron does every minute: each sweep by itself, so that one that fails stops no other. */
const sweeps: ((env: Bindings) => Promise<void>)[] = [
  (env) => repeatRevocations(env, openDatabase(env.DB, "first-primary")),
  resumeExports,
  expireExports,
  (env) => forgetExpired(openDatabase(env.DB, "first-primary")),
  (env) => sweepMails(env, openDatabase(env.DB, "first-primary")),
  sweepUploads,
]

export async function sweep(env: Bindings): Promise<void> {
  const outcomes = await Promise.allSettled(sweeps.map((run) => run(env)))
  for (const outcome of outcomes)
    if (outcome.status === "rejected")
      console.error(JSON.stringify({ event: "sweep failed", error: String(outcome.reason) }))
}
