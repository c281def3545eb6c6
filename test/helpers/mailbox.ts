import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { openDatabase } from "../../src/db/client.ts"
import { UnitOfWork } from "../../src/db/unit-of-work.ts"
import { callerAs } from "../../src/lib/caller.ts"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { db } from "../factories/index.ts"

export interface Sent {
  from: { name: string; email: string }
  replyTo?: string
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/**
 * The bindings with the test's own mail provider and queue, and what these received.
 * @param refuses whether the provider refuses a mail to this address, or the code of its refusal
 */
export function postOffice({ refuses = () => false }: { refuses?: (to: string) => boolean | string } = {}) {
  const sent: Sent[] = []
  const messages: { mails: number }[] = []
  const delays: (number | undefined)[] = []
  const send = async (mail: Sent) => {
    const refusal = refuses(mail.to)
    if (refusal)
      throw Object.assign(new Error(`NonRetryableError: ${mail.text}`), {
        code: refusal === true ? "E_REFUSED" : refusal,
      })
    sent.push(mail)
    return { messageId: String(sent.length) }
  }
  const sendBatch = async (batch: Iterable<{ body: { mails: number } }>, options?: { delaySeconds?: number }) => {
    for (const { body } of batch) {
      messages.push(body)
      delays.push(options?.delaySeconds)
    }
  }
  // The stand-ins have only the method that is called.
  const bindings = { ...env, EMAIL: { send }, MAIL: { sendBatch } } as unknown as typeof env
  const database = openDatabase(env.DB, "first-primary")
  const caller = callerAs(null, "anonymous", "ip:test")
  const work = new UnitOfWork(database, caller, bindings)
  return { sent, messages, delays, env: bindings, work, database }
}

/** The mails that are due. */
const isDue = async () =>
  (
    await db
      .select({ number: outbox.number })
      .from(outbox)
      .where(sql`status = 'queued' and not_before <= ${Date.now()}`)
  ).length > 0

/** Sends every queued mail like the consumer. @returns these mails, in the order of the outbox */
export async function delivered(): Promise<Sent[]> {
  const office = postOffice()
  while (await isDue()) await sendMails(office.env, { mails: 25 })
  return office.sent
}
