import { and, eq, sql } from "drizzle-orm"
import { z } from "zod"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { primaryPortalId } from "../../access/accounts.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { retryOnce } from "../../db/lease.ts"
import { dispatch, MAIL_PRIORITIES, MAILS_PER_MESSAGE, type Secret } from "../../db/outbox.ts"
import { rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { Bindings } from "../../env.ts"
import { MINUTE, now, SECOND } from "../../lib/clock.ts"
import { decrypt } from "../../lib/crypto/crypto.ts"
import { siteName } from "../../lib/web/academy.ts"
import { render } from "./email-template.tsx"
import { errorCode, type Mail, type MailProvider, type Outcome } from "./mail-outcome.ts"
import { endPause, isPaused, pauseMails, readPause } from "./mail-pauses.ts"
import { mailProvider } from "./mail-provider.ts"
import { canDetectDuplicate, INTERRUPTED_OUTCOME, isUncertain, release, settle } from "./mail-settling.ts"

/** How long, and how often, a consumer waits in place for a provider that takes so many mails a second. */
const MAX_WAIT_IN_PLACE = 5 * SECOND
const MAX_WAITS_IN_PLACE = 10
/** A pause of this length is waited for by the messages, a longer one by the cron. */
const MAX_MESSAGE_DELAY = MINUTE

const message = z.object({ mails: z.int().min(1).max(MAILS_PER_MESSAGE) })

/**
 * Sends as many mails as a queue message says: account mails first, then the oldest. A row is claimed before it is sent
 * and marked after, so a message that is delivered twice sends no mail twice.
 */
export async function sendMails(env: Bindings, body: unknown): Promise<void> {
  const { mails } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  const provider = mailProvider(env)
  let settled: Statement[] = []
  for (let left = mails; left > 0; left--) {
    const { mail, pause } = await claimNext(db, settled)
    if (!mail) return pause && continueLater(env, left, pause.until)
    const outcome =
      isUncertain(mail) && !canDetectDuplicate(provider, mail) ? INTERRUPTED_OUTCOME : await send(env, provider, mail)
    if (outcome.kind === "paused") {
      const { until, statement } = pauseMails(db, outcome, pause)
      await retryOnce(db, () => db.batch([release(db, mail, outcome.error), statement]))
      return continueLater(env, left, until)
    }
    settled = settle(env, db, provider, mail, outcome)
    if (pause && outcome.kind === "sent") settled.push(endPause(db))
  }
  const [first, ...rest] = settled
  if (first) await retryOnce(db, () => db.batch([first, ...rest]))
}

/** Sends the rest of a message's mails after a short pause; the cron goes on after a longer one. */
async function continueLater(env: Bindings, mails: number, until: number) {
  const wait = until - now()
  if (wait > 0 && wait <= MAX_MESSAGE_DELAY) await dispatch(env, mails, { delaySeconds: Math.ceil(wait / SECOND) })
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimNext>>["mail"]>

/** Writes down what became of the last mail and takes the next, in one trip; none while the outbox is paused. */
async function claimNext(db: Database, settled: Statement[]) {
  const token = crypto.randomUUID()
  const at = now()
  // A status is written out, not bound: only then does SQLite take the index of the rows that have it.
  const claimed = sql`${outbox.status} = 'sending' and ${outbox.claimedAt} = ${at} and ${outbox.claim} = ${token}`
  const oldestOf = (priority: number) => sql`
    select * from (
      select mailing_id, number, priority from ${outbox}
      where ${outbox.status} = 'queued' and ${outbox.priority} = ${priority} and ${outbox.notBefore} <= ${at}
      order by ${outbox.notBefore}
      limit 1
    )`
  const next = sql`(
    select mailing_id, number from (${oldestOf(MAIL_PRIORITIES.account)} union all ${oldestOf(MAIL_PRIORITIES.bulk)})
    where not ${rowExists(outbox, claimed)} and not ${isPaused(at)}
    order by priority
    limit 1
  )`
  const portalId = sql`coalesce(
    (select id from ${portals} where id = ${mailings.portalId}),
    ${primaryPortalId(outbox.userId)}
  )`
  const claim = () =>
    db.batch([
      db
        .update(outbox)
        .set({ status: "sending", claim: token, claimedAt: at, attempts: sql`${outbox.attempts} + 1` })
        .where(and(sql`(${outbox.mailingId}, ${outbox.number}) in ${next}`, eq(outbox.status, "queued"))),
      db
        .select({
          mailingId: outbox.mailingId,
          number: outbox.number,
          recipient: outbox.recipient,
          name: outbox.name,
          secret: outbox.secret,
          claim: outbox.claim,
          attempts: outbox.attempts,
          priority: outbox.priority,
          notBefore: outbox.notBefore,
          error: outbox.error,
          letter: mailings.letter,
          site: sql<string | null>`${portals.name}`.as("portal_name"),
          senderName: portals.senderName,
          replyTo: portals.replyTo,
        })
        .from(outbox)
        .innerJoin(mailings, eq(mailings.id, outbox.mailingId))
        .leftJoin(portals, eq(portals.id, portalId))
        .where(claimed),
      readPause(db),
      ...settled,
    ])
  const [, [mail], [pause]] = await retryOnce(db, claim)
  return { mail, pause }
}

/** How a log line names a mail, and a provider that remembers what it has sent. */
const idOf = ({ mailingId, number }: { mailingId: string; number: number }) => `${mailingId}/${number}`

/** Sends a claimed mail. A provider that takes so many mails a second is waited for in place. */
async function send(env: Bindings, provider: MailProvider, claimed: Claimed): Promise<Outcome> {
  const outcome = await attempt(env, provider, claimed)
  if (outcome.kind !== "sent")
    console.error(
      JSON.stringify({ event: "mail not sent", id: idOf(claimed), attempt: claimed.attempts, reason: outcome.error }),
    )
  return outcome
}

async function attempt(env: Bindings, provider: MailProvider, claimed: Claimed): Promise<Outcome> {
  let mail: Mail
  try {
    mail = await written(env, claimed)
  } catch (error) {
    return { kind: "failed", error: errorCode(error) }
  }
  for (let waits = 0; ; waits++) {
    const outcome = await provider.send(mail)
    const wait = outcome.kind === "paused" && outcome.reason === "rate" ? outcome.retryAfter : undefined
    if (wait === undefined || wait > MAX_WAIT_IN_PLACE || waits === MAX_WAITS_IN_PLACE) return outcome
    await scheduler.wait(wait * (1 + Math.random() / 4))
  }
}

/** @throws where the mail's secret was sealed under a secret that is not here */
async function written(env: Bindings, claimed: Claimed): Promise<Mail> {
  const site = siteName(env, claimed.site)
  const secret: Secret = claimed.secret ? JSON.parse(decrypt(env, claimed.secret)) : {}
  const { subject, text, html } = await render(claimed.letter, claimed, site, secret)
  return {
    key: idOf(claimed),
    from: { name: claimed.senderName ?? site, email: env.MAIL_FROM },
    replyTo: claimed.replyTo,
    to: claimed.recipient,
    subject,
    text,
    html,
    isBulk: claimed.priority === MAIL_PRIORITIES.bulk,
    isUncertain: isUncertain(claimed),
  }
}
