import { and, lte, type SQL, sql } from "drizzle-orm"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { dispatch, MAIL_PRIORITIES, MAILS_PER_MESSAGE, mailingIdPrefix } from "../../db/outbox.ts"
import { asWritten } from "../../db/select.ts"
import { runInSlices } from "../../db/slices.ts"
import { inFirstIds, rowExists } from "../../db/sql.ts"
import type { Bindings } from "../../env.ts"
import { DAY, MINUTE, now } from "../../lib/clock.ts"
import { readPause } from "./mail-pauses.ts"
import { mailProvider } from "./mail-provider.ts"
import { INTERRUPTED_OUTCOME, settle } from "./mail-settling.ts"

// What the cron does for mails, each by itself.

/** How long the cron leaves a mail to the message that was sent for it. */
const DISPATCHED_FOR = 5 * MINUTE
/** How many mails of each priority one run of the cron sends messages for. */
const MAX_DISPATCHED = 500
/** A claim older than this belongs to a consumer that died: one invocation lasts 15 minutes at most. */
const CLAIM_LASTS = 20 * MINUTE
/** How many mails of dead consumers one run settles. */
const MAX_INTERRUPTED = 100
/** How long mails are kept for a look at what was sent. */
const KEPT_FOR = 30 * DAY

/**
 * Sends messages for the mails that are due and have none: whose message was lost, whose next attempt has come, or that
 * waited for the end of a pause. After a pause one mail is tried before the others.
 */
export async function dispatchMails(env: Bindings, db: Database): Promise<void> {
  const at = now()
  const due = (priority: number): SQL => sql`(
    select count(*)
    from (
      select dispatched_at from ${outbox}
      where ${outbox.status} = 'queued' and ${outbox.priority} = ${priority} and ${outbox.notBefore} <= ${at}
      order by ${outbox.notBefore}
      limit ${MAX_DISPATCHED}
    )
    where dispatched_at <= ${at - DISPATCHED_FOR}
  )`
  const [[pause], rows] = await db.batch([
    readPause(db),
    asWritten<{ count: number }>(
      db,
      sql`select ${due(MAIL_PRIORITIES.account)} + ${due(MAIL_PRIORITIES.bulk)} as count`,
    ),
  ])
  if (pause && pause.until > at) return
  const { count } = firstRow(rows)
  await dispatch(env, pause ? Math.min(count, MAILS_PER_MESSAGE) : count)
}

/**
 * Settles the mails of consumers that died: tried again where the provider can tell a second attempt from the first,
 * else reported, and not sent again.
 */
export async function settleInterrupted(env: Bindings, db: Database): Promise<void> {
  const [lost] = await db.batch([
    db
      .select()
      .from(outbox)
      .where(and(sql`${outbox.status} = 'sending'`, lte(outbox.claimedAt, now() - CLAIM_LASTS)))
      .limit(MAX_INTERRUPTED),
  ])
  const provider = mailProvider(env)
  const [first, ...rest] = lost.flatMap((mail) =>
    settle(env, db, provider, { ...mail, notBefore: mail.claimedAt }, INTERRUPTED_OUTCOME),
  )
  if (!first) return
  await db.batch([first, ...rest])
  for (const { mailingId, number } of lost)
    console.error(JSON.stringify({ event: "mail interrupted", id: `${mailingId}/${number}` }))
}

/** Deletes the mails that were settled 30 days ago, and what they said. Those that wait stay, however old. */
export async function deleteOldMails(db: Database): Promise<void> {
  const before = mailingIdPrefix(now() - KEPT_FOR + 1)
  await runInSlices(db, 2, (limit) =>
    db
      .delete(outbox)
      .where(
        sql`(${outbox.mailingId}, ${outbox.number}) in (
          select mailing_id, number from ${outbox}
          where ${outbox.mailingId} < ${before} and ${outbox.status} in ('sent', 'failed')
          order by mailing_id, number
          limit ${limit}
        )`,
      )
      .returning({ number: outbox.number }),
  )
  const silent = sql`${mailings.id} < ${before} and not ${rowExists(outbox, sql`${outbox.mailingId} = ${mailings.id}`)}`
  await runInSlices(db, 1, (limit) =>
    db
      .delete(mailings)
      .where(inFirstIds(mailings.id, sql`${silent} order by ${mailings.id}`, limit))
      .returning({ id: mailings.id }),
  )
}
