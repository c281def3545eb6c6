import { and, eq, type SQL, sql } from "drizzle-orm"
import { outbox } from "../../../drizzle/schema/outbox.ts"
import type { Database } from "../../db/client.ts"
import type { Secret } from "../../db/outbox.ts"
import { asWritten } from "../../db/select.ts"
import type { Statement } from "../../db/statements.ts"
import type { Bindings } from "../../env.ts"
import { HOUR, MINUTE, now } from "../../lib/clock.ts"
import { decrypted } from "../../lib/crypto/crypto.ts"
import type { MailProvider, Outcome } from "./mail-outcome.ts"

// What becomes of a mail's row, and of the link or password that it carries, after an attempt.

/** How often sending a mail is tried before it counts as failed. */
const MAX_ATTEMPTS = 8
/** The wait after an attempt that failed: 1, 4, 16 and 64 minutes, then some hours. */
const backoff = (attempts: number) => Math.min(4 ** (attempts - 1) * MINUTE, 8 * HOUR)
/** A mail of unknown outcome does not wait longer, so that the provider still remembers its key. */
const MAX_UNCERTAIN_BACKOFF = HOUR
/** How the `error` of a mail begins that an attempt may have sent. */
const UNCERTAIN = "UNCERTAIN"
const INTERRUPTED = "interrupted: it may have been sent"

/** The parts of a row that say where its mail stands. */
export interface Attempted {
  mailingId: string
  number: number
  /** The token of the consumer that sends it. */
  claim: string | null
  attempts: number
  notBefore: number
  error: string | null
  secret: string | null
}

/** What was read of a mail whose outcome nobody knows any more. */
export const INTERRUPTED_OUTCOME = { kind: "unknown", error: "INTERRUPTED" } as const satisfies Outcome

export const isUncertain = ({ error }: Pick<Attempted, "error">) => error?.startsWith(UNCERTAIN) === true

/** Can the provider still tell whether an attempt has sent the mail? */
export const canDetectDuplicate = (
  { keyRetention: remembersFor }: MailProvider,
  { notBefore }: Pick<Attempted, "notBefore">,
) => now() - notBefore < remembersFor

/** Changes the row of a mail, unless another consumer has taken it. */
const change = (db: Database, mail: Attempted, values: Partial<typeof outbox.$inferInsert>): Statement =>
  db
    .update(outbox)
    .set({ claim: null, ...values })
    .where(
      and(
        eq(outbox.mailingId, mail.mailingId),
        eq(outbox.number, mail.number),
        sql`${outbox.status} = 'sending' and ${outbox.claim} is ${mail.claim}`,
      ),
    )

/** Gives a mail back that the provider would not look at: the attempt does not count, and the mail keeps its turn. */
export const release = (db: Database, mail: Attempted, error: string): Statement =>
  change(db, mail, {
    status: "queued",
    dispatchedAt: 0,
    attempts: mail.attempts - 1,
    error: isUncertain(mail) ? mail.error : error,
  })

/** Writes down what became of a mail: sent, to be tried again later, or failed for good. */
export function settle(
  env: Bindings,
  db: Database,
  provider: MailProvider,
  mail: Attempted,
  outcome: Exclude<Outcome, { kind: "paused" }>,
): Statement[] {
  if (outcome.kind === "sent")
    return [
      change(db, mail, { status: "sent", sentAt: now(), secret: null, error: null }),
      ...expires(env, db, mail, (lasts) => now() + lasts),
    ]
  const { kind, error } = outcome
  const mayBeSent = kind === "unknown"
  if (kind === "refused" || mail.attempts >= MAX_ATTEMPTS || (mayBeSent && !canDetectDuplicate(provider, mail)))
    return [
      change(db, mail, { status: "failed", secret: null, error: mayBeSent ? INTERRUPTED : error }),
      // Nobody has what was surely not sent; whoever may have got the mail can use it.
      ...expires(env, db, mail, (lasts) => (mayBeSent ? now() + lasts : now())),
    ]
  const staysUncertain = mayBeSent || isUncertain(mail)
  const wait = staysUncertain ? Math.min(backoff(mail.attempts), MAX_UNCERTAIN_BACKOFF) : backoff(mail.attempts)
  return [
    change(db, mail, {
      status: "queued",
      dispatchedAt: 0,
      notBefore: now() + wait,
      error: staysUncertain ? `${UNCERTAIN}: ${error}` : error,
    }),
  ]
}

/** Sets when what a mail carries expires, unless it was used or made void meanwhile. */
function expires(env: Bindings, db: Database, mail: Attempted, until: (lasts: number) => number): Statement[] {
  const text = mail.secret === null ? undefined : decrypted(env, mail.secret)
  const { validity }: Secret = text === undefined ? {} : JSON.parse(text)
  if (!validity) return []
  const key: SQL[] = Object.entries(validity.key).map(([column, value]) => sql`${sql.identifier(column)} = ${value}`)
  return [
    asWritten(
      db,
      sql`
        update ${sql.identifier(validity.table)}
        set expires_at = ${until(validity.lasts)}
        where ${sql.join(key, sql` and `)}`,
    ),
  ]
}
