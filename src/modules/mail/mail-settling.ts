import { and, eq, type SQL, sql } from "drizzle-orm"
import { outbox } from "../../../drizzle/schema/outbox.ts"
import type { Database } from "../../db/client.ts"
import { isBulkPriority, MAIL_PRIORITIES, type Secret } from "../../db/outbox.ts"
import { rawStatement } from "../../db/select.ts"
import type { Statement } from "../../db/statements.ts"
import type { Bindings } from "../../env.ts"
import { HOUR, MINUTE, now } from "../../lib/clock.ts"
import { decrypted } from "../../lib/crypto/crypto.ts"
import type { MailProvider, Outcome } from "./mail-outcome.ts"

// Updates the row of an email, and the link or password that it contains, after an attempt.

/** The number of attempts before an email counts as failed. */
const MAX_ATTEMPTS = 8
/** The wait after a failed attempt: 1, 4, 16 and 64 minutes, then several hours. */
const backoff = (attempts: number) => Math.min(4 ** (attempts - 1) * MINUTE, 8 * HOUR)
/** The maximum wait of an email with unknown outcome, so that the provider still detects its key. */
const MAX_UNCERTAIN_BACKOFF = HOUR
const INTERRUPTED = "interrupted: it may have been sent"

/** The columns that describe the state of an email. */
export interface ClaimedRow {
  mailingId: string
  number: number
  /** The token of the consumer that sends it. */
  claim: string | null
  claimedAt: number
  attempts: number
  priority: number
  uncertainSince: number
  secret: string | null
}

/** The outcome of an attempt that was interrupted. */
export const INTERRUPTED_OUTCOME = { kind: "unknown", error: "INTERRUPTED" } as const satisfies Outcome

export const isUncertain = ({ uncertainSince }: Pick<ClaimedRow, "uncertainSince">) => uncertainSince > 0

/** Whether the provider can still detect a duplicate of an attempt that began at `since`, epoch ms. */
export const canDetectDuplicate = ({ keyRetention }: MailProvider, since: number) => now() - since < keyRetention

/** Updates the row of an email unless another consumer has claimed it. */
const change = (db: Database, mail: ClaimedRow, values: Partial<typeof outbox.$inferInsert>): Statement =>
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

/** Returns an email to the queue without counting the attempt, because the provider did not process it. */
export const release = (db: Database, mail: ClaimedRow, error: string): Statement =>
  change(db, mail, {
    status: "queued",
    dispatchedAt: 0,
    attempts: mail.attempts - 1,
    error,
  })

/** Returns an email to the queue until a time, without counting the attempt. */
export const postpone = (db: Database, mail: ClaimedRow, until: number): Statement =>
  change(db, mail, { status: "queued", dispatchedAt: 0, attempts: mail.attempts - 1, notBefore: until })

/** Stores the outcome of an attempt: sent, to be retried later, or failed. */
export function settle(
  env: Bindings,
  db: Database,
  provider: MailProvider,
  mail: ClaimedRow,
  outcome: Exclude<Outcome, { kind: "paused" }>,
): Statement[] {
  if (outcome.kind === "sent")
    return [
      change(db, mail, { status: "sent", sentAt: now(), notBefore: 0, secret: null, error: null }),
      ...setSecretExpiry(env, db, mail, (lifetime) => now() + lifetime),
    ]
  const { kind, error } = outcome
  const mayBeSent = kind === "unknown"
  // The first attempt that may have sent it counts: a provider does not keep a key longer because it is repeated.
  const uncertainSince = mail.uncertainSince || (mayBeSent ? mail.claimedAt : 0)
  const isForgotten = mayBeSent && !canDetectDuplicate(provider, uncertainSince)
  if (kind === "refused" || mail.attempts >= MAX_ATTEMPTS || isForgotten)
    return [
      change(db, mail, { status: "failed", notBefore: 0, secret: null, error: mayBeSent ? INTERRUPTED : error }),
      // The secret of an email that was certainly not sent expires now; otherwise the recipient may still use it.
      ...setSecretExpiry(env, db, mail, (lifetime) => (mayBeSent ? now() + lifetime : now())),
    ]
  const { uncertainAccount, uncertainBulk } = MAIL_PRIORITIES
  const wait = uncertainSince > 0 ? Math.min(backoff(mail.attempts), MAX_UNCERTAIN_BACKOFF) : backoff(mail.attempts)
  return [
    change(db, mail, {
      status: "queued",
      dispatchedAt: 0,
      notBefore: now() + wait,
      error,
      uncertainSince,
      ...(uncertainSince > 0 && { priority: isBulkPriority(mail.priority) ? uncertainBulk : uncertainAccount }),
    }),
  ]
}

/** Sets when the secret of an email expires, unless it was used or revoked meanwhile. */
function setSecretExpiry(
  env: Bindings,
  db: Database,
  mail: ClaimedRow,
  until: (lifetime: number) => number,
): Statement[] {
  const text = mail.secret === null ? undefined : decrypted(env, mail.secret)
  const { validity }: Secret = text === undefined ? {} : JSON.parse(text)
  if (!validity) return []
  const key: SQL[] = Object.entries(validity.key).map(([column, value]) => sql`${sql.identifier(column)} = ${value}`)
  return [
    rawStatement(
      db,
      sql`
        update ${sql.identifier(validity.table)}
        set expires_at = ${until(validity.lasts)}
        where ${sql.join(key, sql` and `)}`,
    ),
  ]
}
