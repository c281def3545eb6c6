import { and, eq, lte, type SQL, sql } from "drizzle-orm"
import { z } from "zod"
import { mailings, outbox } from "../../../drizzle/outbox.ts"
import { portals } from "../../../drizzle/portals.ts"
import type { Bindings } from "../../bindings.ts"
import { ownPortal } from "../../gate/accounts.ts"
import { DAY, MINUTE, now } from "../../lib/clock.ts"
import { unseal } from "../../lib/secrets/crypto.ts"
import { type Database, openDatabase } from "../../lib/sql/db.ts"
import { onceMore } from "../../lib/sql/lease.ts"
import { dispatch, MAILS_PER_MESSAGE, mailingsFrom, type Secret } from "../../lib/sql/outbox.ts"
import { existsIn, oneOfFirst } from "../../lib/sql/sql.ts"
import type { Statement } from "../../lib/sql/work.ts"
import { siteName } from "../../lib/web/academy.ts"
import { render } from "./letter.tsx"

/** How often sending a mail begins before it counts as failed. */
const ATTEMPTS = 5
/** A claim older than this belongs to a consumer that died: one invocation lasts 15 minutes at most. */
const CLAIM_LASTS = 20 * MINUTE
/** How long the cron leaves a dispatched row to the consumer before it dispatches it again. */
const DISPATCHED_FOR = 5 * MINUTE
/** How long mails are kept for a look at what was sent. */
const KEPT_FOR = 30 * DAY
const SWEPT_ROWS = 5000
const FORGOTTEN_MAILINGS = 20

const message = z.object({ mailingId: z.string() })

/**
 * Sends up to 25 mails of the mailing that a queue message names. A row is claimed before it is sent and marked after:
 * a delivery that comes twice finds nothing to claim, and a row whose consumer dies in between is never sent again.
 */
export async function sendMails(env: Bindings, body: unknown): Promise<void> {
  const { mailingId } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  let settled: Statement[] = []
  for (let count = 0; count < MAILS_PER_MESSAGE; count++) {
    const mail = await claimNext(db, mailingId, settled)
    if (!mail) return
    settled = [settle(db, mail, await send(env, mail))]
  }
  const [last, ...rest] = settled
  if (last) await onceMore(db, () => db.batch([last, ...rest]))
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimNext>>>

/** Writes down what became of the last mail and takes the next, in one trip. */
async function claimNext(db: Database, mailingId: string, settled: Statement[]) {
  const token = crypto.randomUUID()
  const at = now()
  // A status is written out, not bound: only then does SQLite take the index of the rows that have it.
  const claimed = sql`${outbox.status} = 'sending' and ${outbox.claimedAt} = ${at} and ${outbox.claim} = ${token}`
  const next = sql`(
    select number from ${outbox}
    where ${outbox.mailingId} = ${mailingId} and ${outbox.status} = 'queued' and ${outbox.notBefore} <= ${at}
      and not ${existsIn(outbox, claimed)}
    order by ${outbox.notBefore}
    limit 1
  )`
  const portalId = sql`coalesce(
    (select id from ${portals} where id = ${mailings.portalId}),
    ${ownPortal(outbox.userId)}
  )`
  const claim = () =>
    db.batch([
      db
        .update(outbox)
        .set({ status: "sending", claim: token, claimedAt: at, attempts: sql`${outbox.attempts} + 1` })
        .where(and(eq(outbox.mailingId, mailingId), sql`${outbox.number} = ${next}`, eq(outbox.status, "queued"))),
      db
        .select({
          mailingId: outbox.mailingId,
          number: outbox.number,
          recipient: outbox.recipient,
          name: outbox.name,
          secret: outbox.secret,
          attempts: outbox.attempts,
          letter: mailings.letter,
          site: sql<string | null>`${portals.name}`.as("portal_name"),
          senderName: portals.senderName,
          replyTo: portals.replyTo,
        })
        .from(outbox)
        .innerJoin(mailings, eq(mailings.id, outbox.mailingId))
        .leftJoin(portals, eq(portals.id, portalId))
        .where(claimed),
      ...settled,
    ])
  const [, [mail]] = await onceMore(db, claim)
  return mail && { ...mail, token }
}

/** How a log line names a mail. */
const idOf = ({ mailingId, number }: { mailingId: string; number: number }) => `${mailingId}/${number}`

/** Sends a claimed mail. @returns undefined when it went out, else the provider's or our own word for why not */
async function send(env: Bindings, mail: Claimed): Promise<string | undefined> {
  try {
    const site = siteName(env, mail.site)
    const secret: Secret = mail.secret ? JSON.parse(unseal(env, mail.secret)) : {}
    const { subject, text, html } = await render(mail.letter, mail, site, secret)
    await env.EMAIL.send({
      from: { name: mail.senderName ?? site, email: env.MAIL_FROM },
      ...(mail.replyTo && { replyTo: mail.replyTo }),
      to: mail.recipient,
      subject,
      text,
      html,
    })
    return undefined
  } catch (error) {
    // An error's message may quote the mail: only its code or name is kept.
    const reason = error instanceof Error ? String((error as { code?: unknown }).code ?? error.name) : "unknown"
    console.error(JSON.stringify({ event: "mail not sent", id: idOf(mail), attempt: mail.attempts, reason }))
    return reason
  }
}

/** Writes down what became of a mail: sent, to be tried again later, or failed for good. */
function settle(db: Database, mail: Claimed, error: string | undefined): Statement {
  const over = mail.attempts >= ATTEMPTS
  const failed = {
    status: over ? ("failed" as const) : ("queued" as const),
    error,
    dispatchedAt: 0,
    notBefore: now() + 4 ** (mail.attempts - 1) * MINUTE,
    ...(over && { secret: null }),
  }
  const sent = { status: "sent" as const, sentAt: now(), secret: null, error: null }
  return db
    .update(outbox)
    .set({ claim: null, ...(error === undefined ? sent : failed) })
    .where(and(eq(outbox.mailingId, mail.mailingId), eq(outbox.number, mail.number), eq(outbox.claim, mail.token)))
}

/**
 * Dispatches what waits: rows whose dispatch was lost, and rows whose next attempt is due. Reports rows that a dying
 * consumer left behind, which are not sent again, and forgets old mails.
 */
export async function sweepMails(env: Bindings, db: Database): Promise<void> {
  const at = now()
  const some = (condition: SQL | undefined) => sql`(${outbox.mailingId}, ${outbox.number}) in (
    select mailing_id, number from ${outbox} where ${condition} limit ${SWEPT_ROWS}
  )`
  const old = sql`${mailings.id} < ${mailingsFrom(at - KEPT_FOR + 1)} order by ${mailings.id}`
  const [lost, waiting] = await db.batch([
    db
      .update(outbox)
      .set({ status: "failed", secret: null, error: "interrupted: it may have been sent" })
      .where(some(and(sql`${outbox.status} = 'sending'`, lte(outbox.claimedAt, at - CLAIM_LASTS))))
      .returning({ mailingId: outbox.mailingId, number: outbox.number }),
    db
      .update(outbox)
      .set({ dispatchedAt: at })
      .where(
        some(
          and(
            sql`${outbox.status} = 'queued'`,
            lte(outbox.dispatchedAt, at - DISPATCHED_FOR),
            lte(outbox.notBefore, at),
          ),
        ),
      )
      .returning({ mailingId: outbox.mailingId }),
    db.delete(mailings).where(oneOfFirst(mailings.id, old, FORGOTTEN_MAILINGS)),
  ])
  for (const mail of lost) console.error(JSON.stringify({ event: "mail interrupted", id: idOf(mail) }))
  const counts = Map.groupBy(waiting, (row) => row.mailingId)
  for (const [mailingId, rows] of counts) await dispatch(env, mailingId, rows.length)
}
