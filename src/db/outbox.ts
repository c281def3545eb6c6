import { waitUntil } from "cloudflare:workers"
import { getTableName, type SQL, sql } from "drizzle-orm"
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { type EmailTemplate, mailings, outbox } from "../../drizzle/schema/outbox.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Bindings } from "../env.ts"
import { DAY, now } from "../lib/clock.ts"
import { encrypt } from "../lib/crypto/crypto.ts"
import { insertFrom, jsonField } from "./insert-from.ts"
import { rowExists, rowList } from "./sql.ts"
import { type Statement, type UnitOfWork, whenCommitted } from "./unit-of-work.ts"

export type { EmailTemplate }

/** Stands in a letter's texts for the portal's name, or the academy's for those who belong to none. */
export const SITE_PLACEHOLDER = "{{site}}"

/**
 * What a mailed link or password rests on: a row whose `expires_at` is set when the mail is sent. A mail may wait for
 * days; the time that it names begins when the addressee gets it.
 */
export interface Validity {
  table: string
  /** Values by the names of columns; they are the row's alone. */
  key: Record<string, string | number>
  /** For how long it holds from then on, in milliseconds. */
  lasts: number
}

/** What one addressee alone may read. Sealed at rest, wiped once sent. */
export interface Secret {
  link?: string
  password?: string
  validity?: Validity
}

/** The time at which a row expires that a mail makes valid: until then, only the outbox knows the secret. */
export const unsentLinkExpiry = (): number => now() + 365 * DAY

/** @param key the columns that tell the row, with their values */
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
  /** How to greet; empty: without a name. */
  name: string
  secret?: Secret
  /** At most one mail is ever written under this key. */
  dedupe?: string
}

/** A mail on its way: the statements join the batch of the change, `dispatch` is called after that batch. */
export interface QueuedMail {
  statements: Statement[]
  /** Wakes the consumer, beside the answer. Should it be lost, the cron wakes it. Never throws. */
  dispatch: () => void
}

/** A mailing of its own. */
interface Mailing extends QueuedMail {
  /** The condition that it has landed, where it has any addressee. */
  landed: () => SQL
}

/** Account mails go first; what is said to many waits for them. */
export const MAIL_PRIORITIES = { account: 0, bulk: 1 } as const

interface MailOptions {
  /** In whose name; null: a portal that the addressee belongs to, else the service. */
  portalId?: number | null
  /** Is it said to many, such as an announcement? Account mails go before. */
  isBulk?: boolean
}

/** How many mails one queue message sends: ten messages of a batch stay under D1's 1,000 queries an invocation. */
export const MAILS_PER_MESSAGE = 25
/** How many addressees one statement writes; sealed secrets included, well under the 2 MB of a bound parameter. */
const ROWS_PER_STATEMENT = 1000
/** As many messages as one `sendBatch` takes. */
const MESSAGES_PER_BATCH = 100

/** The beginning that the ids of mailings of a moment have: those made before it are less. */
export const mailingIdPrefix = (at: number): string => at.toString(16).padStart(12, "0").replace(/^.{8}/, "$&-")

export const newMailingId = (): string => `${mailingIdPrefix(now())}-7${crypto.randomUUID().slice(15)}`

/** One letter to people who are known here, each with a secret of its own where the letter needs one. */
export function queueMail(
  work: UnitOfWork,
  kind: string,
  letter: EmailTemplate,
  addressees: Recipient[],
  { portalId = null, isBulk = false }: MailOptions = {},
): Mailing {
  if (addressees.length === 0) return { statements: [], landed: () => sql`false`, dispatch: () => {} }
  const mailing = { id: newMailingId(), kind, letter, portalId }
  const rows = addressees.map(({ secret, ...addressee }) => ({
    ...addressee,
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
  return { statements, landed: isThere(mailing.id), dispatch: () => dispatchLater(work.env, rows.length) }
}

/**
 * One letter to everyone that a query finds when the batch runs: no list of people passes through the Worker. Nothing
 * is written where it finds nobody.
 * @param addressees a query of `user_id`, `recipient` (the email address), `name`, `secret` (null), `dedupe` (or null)
 * @param expected about how many it finds: so many mails are dispatched at once, the cron sees to the others
 */
export function queueMailForQuery(
  work: UnitOfWork,
  kind: string,
  letter: EmailTemplate,
  addressees: SQL,
  { portalId = null, isBulk = false, expected }: MailOptions & { expected: number },
): Mailing {
  const mailing = { id: newMailingId(), kind, letter, portalId }
  return {
    statements: [
      insertFrom(work.db, mailings, mailing, sql`where exists (${addressees})`),
      insertRows(work, mailing.id, addressees, { isBulk }),
    ],
    landed: isThere(mailing.id),
    dispatch: () => dispatchLater(work.env, expected),
  }
}

/**
 * One letter to one person, both read from the database when the batch runs, so that the letter can name what the batch
 * itself writes. Nothing is written where the query finds nobody, or where this was mailed before.
 * @param of what the mail is about, and when it happened: together they name the mailing
 * @param letter an expression over the source: a `EmailTemplate` as JSON
 * @param source a query of the columns of `users`, from `from` on
 */
export function queueMailFromRow(
  work: UnitOfWork,
  kind: string,
  of: { id: number; at: number },
  { letter, source }: { letter: SQL; source: SQL },
): Statement[] {
  const id = `${mailingIdPrefix(of.at)}-7000-8000-${of.id.toString(16).padStart(12, "0")}`
  return [
    insertFrom(work.db, mailings, { id, kind, letter, portalId: null }, source).onConflictDoNothing(),
    whenCommitted(
      insertFrom(
        work.db,
        outbox,
        {
          mailingId: id,
          number: 1,
          userId: users.id,
          recipient: users.email,
          name: users.firstName,
          priority: MAIL_PRIORITIES.account,
          notBefore: now(),
          dispatchedAt: now(),
        },
        source,
      )
        .onConflictDoNothing()
        .returning({ number: outbox.number }),
      (rows) => void (rows.length > 0 && dispatchLater(work.env, rows.length)),
    ),
  ]
}

const isThere = (mailingId: string) => () => rowExists(mailings, sql`${mailings.id} = ${mailingId}`)

/**
 * Writes the mails of a mailing to the people that a query finds, as `queueMailForQuery` does.
 * @param before how many of the mailing's rows other statements write
 * @param number the mail's number within the mailing
 */
export const insertRows = (
  work: UnitOfWork,
  mailingId: string,
  addressees: SQL,
  {
    before = 0,
    number = sql`${before} + row_number() over ()`,
    isBulk,
  }: { before?: number; number?: SQL; isBulk: boolean },
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
      dedupe: sql`dedupe`,
      priority: isBulk ? MAIL_PRIORITIES.bulk : MAIL_PRIORITIES.account,
      notBefore: now(),
      dispatchedAt: now(),
    },
    sql`from (${addressees}) where true`,
    // The mailing and its numbers are new: only a dedupe key can be there. Drizzle cannot name its partial index.
  ).onConflictDoNothing()

/** Sends the queue messages for `count` mails, whichever are due then. @throws what the queue throws */
export async function dispatch(env: Bindings, count: number, options?: QueueSendBatchOptions): Promise<void> {
  const messages: { body: { mails: number } }[] = []
  for (let left = count; left > 0; left -= MAILS_PER_MESSAGE)
    messages.push({ body: { mails: Math.min(left, MAILS_PER_MESSAGE) } })
  for (let start = 0; start < messages.length; start += MESSAGES_PER_BATCH)
    await env.MAIL.sendBatch(messages.slice(start, start + MESSAGES_PER_BATCH), options)
}

/** Sends the queue messages for `count` mails. Should the queue be out of reach, the cron sends them. Never throws. */
export const tryDispatch = (env: Bindings, count: number): Promise<void> =>
  dispatch(env, count).catch((error: unknown) =>
    console.error(JSON.stringify({ event: "mail not dispatched", error: String(error) })),
  )

const dispatchLater = (env: Bindings, count: number) => waitUntil(tryDispatch(env, count))
