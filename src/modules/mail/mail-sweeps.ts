import { type SQL, sql } from "drizzle-orm"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { dispatch, MAILS_PER_MESSAGE, mailingIdPrefix, ofEachPriority } from "../../db/outbox.ts"
import { rawStatement } from "../../db/select.ts"
import { runInSlices } from "../../db/slices.ts"
import { inFirstIds, rowExists } from "../../db/sql.ts"
import type { Bindings } from "../../env.ts"
import { DAY, MINUTE, now } from "../../lib/clock.ts"
import { readPause } from "./mail-pauses.ts"
import { mailProvider } from "./mail-provider.ts"
import { INTERRUPTED_OUTCOME, settle } from "./mail-settling.ts"

// The tasks of the cron for emails.

/** How long the cron waits for a dispatched message to be processed. */
const DISPATCH_TIMEOUT = 5 * MINUTE
/** The number of emails per priority for which one run dispatches messages. */
const MAX_DISPATCHED = 500
/**
 * Older claims belong to consumers that died: an email is claimed for at most four minutes of attempts and waits. A
 * longer time would let the others use up a daily quota, and the provider would forget the key before the next day.
 */
const CLAIM_LIFETIME = 6 * MINUTE
/** The number of interrupted emails that one run settles. */
const MAX_INTERRUPTED = 100
/** How many of the oldest emails of a priority are searched: few are being sent, and they are the oldest. */
const MAX_SEARCHED = 1000
/** How long sent emails are stored. */
const RETENTION_PERIOD = 30 * DAY

/**
 * Dispatches messages for due emails without one: their message was lost, their next attempt is due, or a pause ended.
 * After a pause, one message is tried first.
 */
export async function dispatchMails(env: Bindings, db: Database): Promise<void> {
  const at = now()
  const due = (priority: number): SQL => sql`
    select * from (
      select dispatched_at from ${outbox}
      where ${outbox.notBefore} > 0 and ${outbox.priority} = ${priority} and ${outbox.notBefore} <= ${at}
        and ${outbox.status} = 'queued'
      order by ${outbox.notBefore}
      limit ${MAX_DISPATCHED}
    )`
  const [[pause], rows] = await db.batch([
    readPause(db),
    rawStatement<{ count: number }>(
      db,
      sql`select count(*) as count from (${ofEachPriority(due)}) where dispatched_at <= ${at - DISPATCH_TIMEOUT}`,
    ),
  ])
  if (pause && pause.until > at) return
  const { count } = firstRow(rows)
  await dispatch(env, pause ? Math.min(count, MAILS_PER_MESSAGE) : count)
}

/**
 * Settles the emails of consumers that died: retried if the provider detects duplicates, otherwise reported as
 * failed.
 */
export async function settleInterrupted(env: Bindings, db: Database): Promise<void> {
  const before = now() - CLAIM_LIFETIME
  const oldest = (priority: number) => sql`
    select * from (
      select mailing_id, number, status from ${outbox}
      where ${outbox.notBefore} > 0 and ${outbox.priority} = ${priority} and ${outbox.notBefore} <= ${before}
      order by ${outbox.notBefore}
      limit ${MAX_SEARCHED}
    )`
  const [interrupted] = await db.batch([
    db
      .select()
      .from(outbox)
      .where(
        sql`(${outbox.mailingId}, ${outbox.number}) in (
            select mailing_id, number
            from (${ofEachPriority(oldest)})
            where status = 'sending'
          )
          and ${outbox.status} = 'sending' and ${outbox.claimedAt} <= ${before}`,
      )
      .limit(MAX_INTERRUPTED),
  ])
  const provider = mailProvider(env)
  const [first, ...rest] = interrupted.flatMap((mail) => settle(env, db, provider, mail, INTERRUPTED_OUTCOME))
  if (!first) return
  await db.batch([first, ...rest])
  for (const { mailingId, number } of interrupted)
    console.error(JSON.stringify({ event: "mail interrupted", id: `${mailingId}/${number}` }))
}

/** Deletes emails that were settled 30 days ago with their content. Queued emails are never deleted. */
export async function deleteOldMails(db: Database): Promise<void> {
  const until = now() - RETENTION_PERIOD
  const before = mailingIdPrefix(until + 1)
  await runInSlices(db, 2, (limit) =>
    db
      .delete(outbox)
      .where(
        sql`(${outbox.mailingId}, ${outbox.number}) in (
          select mailing_id, number from ${outbox}
          where ${outbox.mailingId} < ${before} and ${outbox.status} in ('sent', 'failed')
            and max(${outbox.sentAt}, ${outbox.claimedAt}) <= ${until}
          order by mailing_id, number
          limit ${limit}
        )`,
      )
      .returning({ number: outbox.number }),
  )
  const unused = sql`${mailings.id} < ${before} and not ${rowExists(outbox, sql`${outbox.mailingId} = ${mailings.id}`)}`
  await runInSlices(db, 1, (limit) =>
    db
      .delete(mailings)
      .where(inFirstIds(mailings.id, sql`${unused} order by ${mailings.id}`, limit))
      .returning({ id: mailings.id }),
  )
}
