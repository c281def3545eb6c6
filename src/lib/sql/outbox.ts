import { waitUntil } from "cloudflare:workers"
import { type SQL, sql } from "drizzle-orm"
import { type Letter, mailings, outbox } from "../../../drizzle/outbox.ts"
import type { Bindings } from "../../bindings.ts"
import { now } from "../clock.ts"
import { seal } from "../secrets/crypto.ts"
import { field, insertFrom } from "./insert-from.ts"
import { existsIn, rowList } from "./sql.ts"
import type { Statement, UnitOfWork } from "./work.ts"

export type { Letter }

/** Stands in a letter's texts for the portal's name, or the academy's for those who belong to none. */
export const SITE = "{{site}}"

/** What one addressee alone may read. Sealed at rest, wiped once sent. */
export interface Secret {
  link?: string
  password?: string
}

export interface Addressee {
  userId: number | null
  email: string
  /** How to greet; empty: without a name. */
  name: string
  secret?: Secret
  /** At most one mail is ever written under this key. */
  dedupe?: string
}

/** A mail on its way: the statements join the batch of the change, `dispatch` is called after that batch. */
export interface Outgoing {
  statements: Statement[]
  /** Wakes the consumer, beside the answer. Should it be lost, the cron dispatches the rows. Never throws. */
  dispatch: () => void
}

/** A mailing of its own. */
interface Mailing extends Outgoing {
  /** The condition that it has landed, where it has any addressee. */
  landed: () => SQL
}

/** How many mails one queue message sends: ten messages of a batch stay under D1's 1,000 queries an invocation. */
export const MAILS_PER_MESSAGE = 25
/** How many addressees one statement writes; sealed secrets included, well under the 2 MB of a bound parameter. */
const ROWS_PER_STATEMENT = 1000
/** As many messages as one `sendBatch` takes. */
const MESSAGES_PER_BATCH = 100

/** The beginning that the ids of mailings of a moment have: those made before it are less. */
export const mailingsFrom = (at: number): string => at.toString(16).padStart(12, "0").replace(/^.{8}/, "$&-")

const newMailingId = (): string => `${mailingsFrom(now())}-7${crypto.randomUUID().slice(15)}`

/** One letter to people who are known here, each with a secret of its own where the letter needs one. */
export function mailTo(
  work: UnitOfWork,
  kind: string,
  letter: Letter,
  addressees: Addressee[],
  { portalId = null }: { portalId?: number | null } = {},
): Mailing {
  if (addressees.length === 0) return { statements: [], landed: () => sql`false`, dispatch: () => {} }
  const mailing = { id: newMailingId(), kind, letter, portalId }
  const rows = addressees.map(({ secret, ...addressee }) => ({
    ...addressee,
    secret: secret ? seal(work.env, JSON.stringify(secret)) : null,
  }))
  const statements: Statement[] = [work.db.insert(mailings).values(mailing)]
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    statements.push(
      insertRows(
        work,
        mailing.id,
        sql`
          select ${field("userId")} as user_id, ${field("email")} as recipient, ${field("name")} as name,
            ${field("secret")} as secret, ${field("dedupe")} as dedupe
          from ${rowList(rows.slice(start, start + ROWS_PER_STATEMENT))}`,
        start,
      ),
    )
  return { statements, landed: isThere(mailing.id), dispatch: () => dispatchLater(work.env, mailing.id, rows.length) }
}

/**
 * One letter to everyone that a query finds when the batch runs: no list of people passes through the Worker.
 * @param addressees a query of `user_id`, `recipient` (the e-mail address), `name`, `secret` (null), `dedupe` (or null)
 * @param expected about how many it finds: so many mails are dispatched at once, the cron sees to the others
 */
export function mailEach(
  work: UnitOfWork,
  kind: string,
  letter: Letter,
  addressees: SQL,
  { portalId = null, expected }: { portalId?: number | null; expected: number },
): Mailing {
  const mailing = { id: newMailingId(), kind, letter, portalId }
  return {
    statements: [work.db.insert(mailings).values(mailing), insertRows(work, mailing.id, addressees)],
    landed: isThere(mailing.id),
    dispatch: () => dispatchLater(work.env, mailing.id, expected),
  }
}

const isThere = (mailingId: string) => () => existsIn(mailings, sql`${mailings.id} = ${mailingId}`)

/** @param before how many of the mailing's rows other statements write */
const insertRows = (work: UnitOfWork, mailingId: string, addressees: SQL, before = 0) =>
  insertFrom(
    work.db,
    outbox,
    {
      mailingId,
      number: sql`${before} + row_number() over ()`,
      userId: sql`user_id`,
      recipient: sql`recipient`,
      name: sql`name`,
      secret: sql`secret`,
      dedupe: sql`dedupe`,
      notBefore: now(),
      dispatchedAt: now(),
    },
    sql`from (${addressees}) where true`,
    // The mailing and its numbers are new: only a dedupe key can be there. Drizzle cannot name its partial index.
  ).onConflictDoNothing()

/** Sends the queue messages for `count` mails of a mailing. @throws what the queue throws */
export async function dispatch(env: Bindings, mailingId: string, count: number): Promise<void> {
  let left = Math.ceil(count / MAILS_PER_MESSAGE)
  while (left > 0) {
    const size = Math.min(left, MESSAGES_PER_BATCH)
    await env.MAIL.sendBatch(Array.from({ length: size }, () => ({ body: { mailingId } })))
    left -= size
  }
}

const dispatchLater = (env: Bindings, mailingId: string, count: number) =>
  waitUntil(
    dispatch(env, mailingId, count).catch((error: unknown) =>
      console.error(JSON.stringify({ event: "mail not dispatched", mailingId, error: String(error) })),
    ),
  )
