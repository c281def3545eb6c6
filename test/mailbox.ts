import { env } from "cloudflare:workers"
import { mailings } from "../drizzle/outbox.ts"
import { callerAs } from "../src/lib/access.ts"
import { openDatabase } from "../src/lib/sql/db.ts"
import { UnitOfWork } from "../src/lib/sql/work.ts"
import { sendMails } from "../src/modules/telling/mail.job.ts"
import { rowsOf } from "./factories.ts"

export interface Sent {
  from: { name: string; email: string }
  replyTo?: string
  to: string
  subject: string
  text: string
  html: string
}

/** The bindings with a mail provider and a queue of the test's own, and what went through them. */
export function postOffice({ refuses = () => false }: { refuses?: (to: string) => boolean } = {}) {
  const sent: Sent[] = []
  const messages: { mailingId: string }[] = []
  const send = async (mail: Sent) => {
    if (refuses(mail.to)) throw Object.assign(new Error(`Refused: ${mail.text}`), { code: "E_REFUSED" })
    sent.push(mail)
    return { messageId: String(sent.length) }
  }
  const sendBatch = async (batch: Iterable<{ body: { mailingId: string } }>) => {
    messages.push(...[...batch].map(({ body }) => body))
  }
  // The stand-ins have the one method of each binding that is called.
  const bindings = { ...env, EMAIL: { send }, MAIL: { sendBatch } } as unknown as typeof env
  const database = openDatabase(env.DB, "first-primary")
  const caller = callerAs(null, "anonymous", "ip:test")
  const work = new UnitOfWork(database, caller, bindings)
  return { sent, messages, env: bindings, work, database }
}

/** Sends every mail that waits, as the consumer does. @returns those mails, in the order of the outbox */
export async function delivered(): Promise<Sent[]> {
  const office = postOffice()
  for (const { id } of await rowsOf(mailings)) await sendMails(office.env, { mailingId: id })
  return office.sent
}
