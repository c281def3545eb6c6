import { waitUntil } from "cloudflare:workers"
import { getTableName, type SQL, sql } from "drizzle-orm"
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { type AccountMail, mailings, type NotificationMail, outbox } from "../../drizzle/schema/outbox.ts"
import type { Bindings } from "../env.ts"
import { DAY, now } from "../lib/clock.ts"
import { encrypt } from "../lib/crypto/crypto.ts"
import { insertFrom, jsonField } from "./insert-from.ts"
import { rowExists, rowList } from "./sql.ts"
import type { Statement } from "./statements.ts"
import type { UnitOfWork } from "./unit-of-work.ts"

export type { AccountMail, NotificationMail }

/**
 * The row that a mailed link or password depends on. Its `expires_at` is set when the mail is sent: a mail may wait
 * for days, and its validity starts with delivery.
 */
export interface Validity {
  table: string
  /** Values by column name. They identify the row. */
  key: Record<string, string | number>
  /** The validity in milliseconds from delivery. */
  lasts: number
}

/** What only one recipient may read. Encrypted at rest, deleted once sent. */
export interface Secret {
  link?: string
  password?: string
  validity?: Validity
}

/** The expiry of a row before its mail is sent. Until then only the outbox has the secret. */
export const unsentLinkExpiry = (): number => now() + 365 * DAY

/** @param key the columns that identify the row, with their values */
export const linkValidity = (
  table: SQLiteTable & { expiresAt: SQLiteColumn },
  key: (readonly [SQLiteColumn, string | number])[],
  lasts: number,
): Validity => ({
  table: getTableName(table),
  key: Object.fromEntries(key.map(([column, value]) => [column.name, value])),
  lasts,
})

export interface Recipient {
  userId: number | null
  email: string
  /** The name in the greeting; empty: no name. */
  name: string
  secret?: Secret
  /** At most one mail is ever written with this key. */
  dedupe?: string
}

/** A queued mail. Add `statements` to the change's batch, and call `dispatch` after the batch. */
export interface QueuedMail {
  statements: Statement[]
  /** Wakes the consumer in the background. If that fails, the cron sends the mail. Never throws. */
  dispatch: () => void
}

/** A mailing with its own id. */
interface Mailing extends QueuedMail {
  /** The condition that it was committed, if it has any recipient. */
  isCommitted: () => SQL
}

/**
 * The order of sending. Mails that an earlier attempt may have sent are first: providers detect a second attempt for a
 * limited time only, and after that the mail could not be sent any more.
 */
export const MAIL_PRIORITIES = { uncertainAccount: -2, uncertainBulk: -1, account: 0, bulk: 1 } as const

export const isBulkPriority = (priority: number) =>
  priority === MAIL_PRIORITIES.bulk || priority === MAIL_PRIORITIES.uncertainBulk

/** Combines a query for each priority, in the order of sending. */
export const ofEachPriority = (query: (priority: number) => SQL): SQL =>
  sql.join(Object.values(MAIL_PRIORITIES).map(query), sql` union all `)

interface MailOptions {
  /** The portal that sends it; null: a portal of the recipient, else the academy. */
  portalId?: number | null
  /** Whether it has many recipients, such as an announcement. Account mails are sent first. */
  isBulk?: boolean
}

/** How many mails one queue message sends: ten messages of a batch stay below 1,000 D1 queries per invocation. */
export const MAILS_PER_MESSAGE = 25
/** How many recipients one statement writes: with encrypted secrets well below the 2 MB of a bound parameter. */
const ROWS_PER_STATEMENT = 1000
/** The maximum number of messages in one `sendBatch`. */
const MESSAGES_PER_BATCH = 100

/** The prefix of mailing ids created at a time. Ids of earlier mailings sort before it. */
export const mailingIdPrefix = (at: number): string => at.toString(16).padStart(12, "0").replace(/^.{8}/, "$&-")

export const newMailingId = (): string => `${mailingIdPrefix(now())}-7${crypto.randomUUID().slice(15)}`

/** Queues one mail to known recipients, each with their own secret if the mail needs one. */
export function queueMail(
  work: UnitOfWork,
  kind: string,
  template: NotificationMail | AccountMail,
  recipients: Recipient[],
  { portalId = null, isBulk = false }: MailOptions = {},
): Mailing {
  if (recipients.length === 0) return { statements: [], isCommitted: () => sql`false`, dispatch: () => {} }
  const mailing = { id: newMailingId(), kind, template, portalId }
  const rows = recipients.map(({ secret, ...recipient }) => ({
    ...recipient,
    secret: secret ? encrypt(work.env, JSON.stringify(secret)) : null,
  }))
  const statements: Statement[] = [work.db.insert(mailings).values(mailing)]
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    statements.push(
      insertRows(
        work,
        mailing.id,
        sql`
          select ${jsonField("userId")} as user_id, ${jsonField("email")} as recipient, ${jsonField("name")} as name,
            ${jsonField("secret")} as secret, ${jsonField("dedupe")} as dedupe
          from ${rowList(rows.slice(start, start + ROWS_PER_STATEMENT))}`,
        { before: start, isBulk },
      ),
    )
  return { statements, isCommitted: mailingExists(mailing.id), dispatch: () => tryDispatchLater(work.env, rows.length) }
}

/**
 * Queues one mail to everyone that a query finds when the batch runs, so that the Worker never loads the list. Writes
 * nothing if the query finds nobody.
 * @param recipients a query of `user_id`, `recipient` (the email address), `name`, `secret` (null), `dedupe` (or
 * null)
 * @param expected the approximate number of recipients: this many mails are dispatched immediately, the cron dispatches
 *   the rest
 */
export function queueMailForQuery(
  work: UnitOfWork,
  kind: string,
  template: NotificationMail | AccountMail,
  recipients: SQL,
  { portalId = null, isBulk = false, expected }: MailOptions & { expected: number },
): Mailing {
  const mailing = { id: newMailingId(), kind, template, portalId }
  return {
    statements: [
      insertFrom(work.db, mailings, mailing, sql`where exists (${recipients})`),
      insertRows(work, mailing.id, recipients, { isBulk }),
    ],
    isCommitted: mailingExists(mailing.id),
    dispatch: () => tryDispatchLater(work.env, expected),
  }
}

/** What mailings with an id of their record are about. */
const MAILING_SERIES = { completion: "7000", announcement: "7001" } as const

/** The id of the mailing about a record at a time: two requests that write it write one. */
export const mailingIdOf = (series: keyof typeof MAILING_SERIES, recordId: number, at: number): string =>
  `${mailingIdPrefix(at)}-${MAILING_SERIES[series]}-8000-${recordId.toString(16).padStart(12, "0")}`

const mailingExists = (mailingId: string) => () => rowExists(mailings, sql`${mailings.id} = ${mailingId}`)

/**
 * Writes the mails of a mailing to the people that a query finds, as `queueMailForQuery` does.
 * @param before how many of the mailing's rows other statements write
 * @param number the mail's number within the mailing
 * @param variables of the recipient, for a `NotificationMail`
 */
export const insertRows = (
  work: UnitOfWork,
  mailingId: string,
  recipients: SQL,
  {
    before = 0,
    number = sql`${before} + row_number() over ()`,
    variables,
    isBulk,
  }: { before?: number; number?: SQL; variables?: SQL; isBulk: boolean },
) =>
  insertFrom(
    work.db,
    outbox,
    {
      mailingId,
      number,
      userId: sql`user_id`,
      recipient: sql`recipient`,
      name: sql`name`,
      secret: sql`secret`,
      variables,
      dedupe: sql`dedupe`,
      priority: isBulk ? MAIL_PRIORITIES.bulk : MAIL_PRIORITIES.account,
      notBefore: now(),
      dispatchedAt: now(),
    },
    sql`from (${recipients}) where true`,
    // The mailing is new, so only a dedupe key can conflict. Drizzle cannot name its partial index.
  ).onConflictDoNothing()

/** Sends the queue messages for `count` due mails. @throws the queue's errors */
export async function dispatch(env: Bindings, count: number, options?: QueueSendBatchOptions): Promise<void> {
  const messages: { body: { mails: number } }[] = []
  for (let left = count; left > 0; left -= MAILS_PER_MESSAGE)
    messages.push({ body: { mails: Math.min(left, MAILS_PER_MESSAGE) } })
  for (let start = 0; start < messages.length; start += MESSAGES_PER_BATCH)
    await env.MAIL.sendBatch(messages.slice(start, start + MESSAGES_PER_BATCH), options)
}

/** Sends the queue messages for `count` mails. If the queue is unavailable, the cron sends them. Never throws. */
export const tryDispatch = (env: Bindings, count: number): Promise<void> =>
  dispatch(env, count).catch((error: unknown) =>
    console.error(JSON.stringify({ event: "mail not dispatched", error: String(error) })),
  )

/** Dispatches `count` mails in the background after their batch. */
export const tryDispatchLater = (env: Bindings, count: number): void => {
  if (count > 0) waitUntil(tryDispatch(env, count))
}
