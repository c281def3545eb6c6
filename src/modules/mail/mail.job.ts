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

/** How long, and how often, a consumer waits for a provider with a rate limit. */
const MAX_INLINE_WAIT = 5 * SECOND
const MAX_INLINE_WAITS = 10
/** The maximum pause that a delayed message covers; the cron covers longer ones. */
const MAX_MESSAGE_DELAY = MINUTE

const message = z.object({ mails: z.int().min(1).max(MAILS_PER_MESSAGE) })

/**
 * Sends as many emails as the queue message says: account emails first, then the oldest. Rows are claimed before and
 * marked after sending, so that a message that is delivered twice sends no email twice.
 */
export async function sendMails(env: Bindings, body: unknown): Promise<void> {
  const { mails } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  const provider = mailProvider(env)
  let outcomeStatements: Statement[] = []
  for (let left = mails; left > 0; left--) {
    const { mail, pause } = await claimNext(db, outcomeStatements)
    if (!mail) return pause && continueLater(env, left, pause.until)
    const outcome =
      isUncertain(mail) && !canDetectDuplicate(provider, mail) ? INTERRUPTED_OUTCOME : await send(env, provider, mail)
    if (outcome.kind === "paused") {
      const { until, statement } = pauseMails(db, outcome, pause)
      await retryOnce(db, () => db.batch([release(db, mail, outcome.error), statement]))
      return continueLater(env, left, until)
    }
    outcomeStatements = settle(env, db, provider, mail, outcome)
    if (pause && outcome.kind === "sent") outcomeStatements.push(endPause(db))
  }
  const [first, ...rest] = outcomeStatements
  if (first) await retryOnce(db, () => db.batch([first, ...rest]))
}

/** Dispatches the remaining emails after a short pause; the cron does it after a longer one. */
async function continueLater(env: Bindings, mails: number, until: number) {
  const wait = until - now()
  if (wait > 0 && wait <= MAX_MESSAGE_DELAY) await dispatch(env, mails, { delaySeconds: Math.ceil(wait / SECOND) })
}

type ClaimedMail = NonNullable<Awaited<ReturnType<typeof claimNext>>["mail"]>

/** Stores the last outcome and claims the next email in one round trip; claims none while the outbox is paused. */
async function claimNext(db: Database, outcomeStatements: Statement[]) {
  const token = crypto.randomUUID()
  const at = now()
  // A literal status: SQLite uses the partial index only if the value is not bound.
  const isClaimed = sql`${outbox.status} = 'sending' and ${outbox.claimedAt} = ${at} and ${outbox.claim} = ${token}`
  const oldestOf = (priority: number) => sql`
    select * from (
      select mailing_id, number, priority from ${outbox}
      where ${outbox.status} = 'queued' and ${outbox.priority} = ${priority} and ${outbox.notBefore} <= ${at}
      order by ${outbox.notBefore}
      limit 1
    )`
  const next = sql`(
    select mailing_id, number from (${oldestOf(MAIL_PRIORITIES.account)} union all ${oldestOf(MAIL_PRIORITIES.bulk)})
    where not ${rowExists(outbox, isClaimed)} and not ${isPaused(at)}
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
          template: mailings.template,
          site: sql<string | null>`${portals.name}`.as("portal_name"),
          senderName: portals.senderName,
          replyTo: portals.replyTo,
        })
        .from(outbox)
        .innerJoin(mailings, eq(mailings.id, outbox.mailingId))
        .leftJoin(portals, eq(portals.id, portalId))
        .where(isClaimed),
      readPause(db),
      ...outcomeStatements,
    ])
  const [, [mail], [pause]] = await retryOnce(db, claim)
  return { mail, pause }
}

/** The id of an email in logs, and its idempotency key. */
const idOf = ({ mailingId, number }: { mailingId: string; number: number }) => `${mailingId}/${number}`

/** Sends a claimed email and logs failures. */
async function send(env: Bindings, provider: MailProvider, claimed: ClaimedMail): Promise<Outcome> {
  const outcome = await trySending(env, provider, claimed)
  if (outcome.kind !== "sent")
    console.error(
      JSON.stringify({ event: "mail not sent", id: idOf(claimed), attempt: claimed.attempts, reason: outcome.error }),
    )
  return outcome
}

async function trySending(env: Bindings, provider: MailProvider, claimed: ClaimedMail): Promise<Outcome> {
  let mail: Mail
  try {
    mail = await toMail(env, claimed)
  } catch (error) {
    return { kind: "failed", error: errorCode(error) }
  }
  for (let waits = 0; ; waits++) {
    const outcome = await provider.send(mail)
    const wait = outcome.kind === "paused" && outcome.reason === "rate" ? outcome.retryAfter : undefined
    if (wait === undefined || wait > MAX_INLINE_WAIT || waits === MAX_INLINE_WAITS) return outcome
    await scheduler.wait(wait * (1 + Math.random() / 4))
  }
}

/** @throws if the secret of the email was encrypted with a missing key */
async function toMail(env: Bindings, claimed: ClaimedMail): Promise<Mail> {
  const site = siteName(env, claimed.site)
  const secret: Secret = claimed.secret ? JSON.parse(decrypt(env, claimed.secret)) : {}
  const { subject, text, html } = await render(claimed.template, claimed, site, secret)
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
