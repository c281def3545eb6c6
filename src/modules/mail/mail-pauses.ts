import { eq, lte, type SQL, sql } from "drizzle-orm"
import { mailPauses } from "../../../drizzle/schema/outbox.ts"
import type { Database } from "../../db/client.ts"
import { rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { DAY, HOUR, MINUTE, now, SECOND } from "../../lib/clock.ts"
import type { Outcome, PauseReason } from "./mail-outcome.ts"

// While the provider takes no mail at all, nothing is tried: no attempt is counted, and no mail is lost. Once the pause
// is over one mail is tried, and either ends it or begins the next, which is twice as long.

const THE_OUTBOX = 1

export type MailPause = typeof mailPauses.$inferSelect

/** The first wait for each reason, and the longest: so late the outbox goes on at most once the provider takes mail. */
const WAITS: Record<PauseReason, { first: number; longest: number }> = {
  rate: { first: 5 * SECOND, longest: 15 * MINUTE },
  quota: { first: 5 * MINUTE, longest: HOUR },
  configuration: { first: MINUTE, longest: 15 * MINUTE },
}
/** By what share a wait is lengthened at random, so that consumers do not come back at once. */
const JITTER = 0.1

/** Reads the pause, beside what is claimed or dispatched. */
export const readPause = (db: Database) => db.select().from(mailPauses).where(eq(mailPauses.id, THE_OUTBOX))

/** The condition that the outbox is paused. */
export const isPaused = (at: number): SQL =>
  rowExists(mailPauses, sql`${mailPauses.id} = ${THE_OUTBOX} and ${mailPauses.until} > ${at}`)

/**
 * How long to wait, in milliseconds: as long as the provider says, else twice as long each time. A quota is tried at
 * the next midnight UTC at the latest, when a day's quota returns.
 * @param count how many pauses came before
 */
function waitOf({ reason, retryAfter }: Extract<Outcome, { kind: "paused" }>, count: number, at: number): number {
  const { first, longest } = WAITS[reason]
  const asked = retryAfter === undefined ? Math.min(first * 2 ** count, longest) : Math.min(retryAfter, DAY)
  const wait = Math.max(asked, SECOND) * (1 + JITTER * Math.random())
  return Math.ceil(reason === "quota" ? Math.min(wait, DAY - (at % DAY) + MINUTE * Math.random()) : wait)
}

/**
 * Pauses the outbox. Consumers that are refused at once make one pause of it.
 * @param before the pause that was over when the mail was tried
 */
export function pauseMails(
  db: Database,
  refusal: Extract<Outcome, { kind: "paused" }>,
  before: MailPause | undefined,
): { until: number; statement: Statement } {
  const at = now()
  const { reason, error } = refusal
  const count = before?.count ?? 0
  const until = at + waitOf(refusal, count, at)
  const pause = { reason, error, until, count: count + 1 }
  return {
    until,
    statement: db
      .insert(mailPauses)
      .values({ id: THE_OUTBOX, since: at, ...pause })
      .onConflictDoUpdate({
        target: mailPauses.id,
        set: { ...pause, until: sql`max(${mailPauses.until}, excluded.until)` },
      }),
  }
}

/** Ends the pause that was over: a mail was taken. */
export const endPause = (db: Database) => db.delete(mailPauses).where(lte(mailPauses.until, now()))
