import { eq, lte, type SQL, sql } from "drizzle-orm"
import { mailPauses } from "../../../drizzle/schema/outbox.ts"
import type { Database } from "../../db/client.ts"
import { rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { DAY, HOUR, MINUTE, now, SECOND } from "../../lib/clock.ts"
import type { Outcome, PauseReason } from "./mail-outcome.ts"

// While the provider accepts no email, nothing is sent: no attempt counts, and no email is lost. After the pause one
// email is tried: its success ends the pause, its failure starts the next one, which is twice as long.

const OUTBOX_ID = 1

export type MailPause = typeof mailPauses.$inferSelect

/** The first and the maximum wait for each reason. */
const WAITS: Record<PauseReason, { first: number; max: number }> = {
  rate: { first: 5 * SECOND, max: 15 * MINUTE },
  quota: { first: 5 * MINUTE, max: HOUR },
  configuration: { first: MINUTE, max: 15 * MINUTE },
}
/** The random share that is added to a wait, so that consumers do not return at the same moment. */
const JITTER = 0.1

/** Reads the pause together with what is claimed or dispatched. */
export const readPause = (db: Database) => db.select().from(mailPauses).where(eq(mailPauses.id, OUTBOX_ID))

/** Whether the outbox is paused. */
export const isPaused = (at: number): SQL =>
  rowExists(mailPauses, sql`${mailPauses.id} = ${OUTBOX_ID} and ${mailPauses.until} > ${at}`)

/**
 * The wait in milliseconds: as requested by the provider, or else twice as long each time. Quotas are tried again at
 * the next midnight UTC at the latest, when daily quotas reset.
 * @param count the number of previous pauses
 */
function waitFor({ reason, retryAfter }: Extract<Outcome, { kind: "paused" }>, count: number, at: number): number {
  const { first, max } = WAITS[reason]
  const requested = retryAfter === undefined ? Math.min(first * 2 ** count, max) : Math.min(retryAfter, DAY)
  const wait = Math.max(requested, SECOND) * (1 + JITTER * Math.random())
  return Math.ceil(reason === "quota" ? Math.min(wait, DAY - (at % DAY) + MINUTE * Math.random()) : wait)
}

/**
 * Pauses the outbox. Concurrent refusals result in one pause.
 * @param before the previous pause, which had ended when the email was tried
 */
export function pauseMails(
  db: Database,
  refusal: Extract<Outcome, { kind: "paused" }>,
  before: MailPause | undefined,
): { until: number; statement: Statement } {
  const at = now()
  const { reason, error } = refusal
  const count = before?.count ?? 0
  const until = at + waitFor(refusal, count, at)
  const pause = { reason, error, until, count: count + 1 }
  return {
    until,
    statement: db
      .insert(mailPauses)
      .values({ id: OUTBOX_ID, since: at, ...pause })
      .onConflictDoUpdate({
        target: mailPauses.id,
        set: { ...pause, until: sql`max(${mailPauses.until}, excluded.until)` },
      }),
  }
}

/** Deletes the pause after an email was accepted. */
export const endPause = (db: Database) => db.delete(mailPauses).where(lte(mailPauses.until, now()))
