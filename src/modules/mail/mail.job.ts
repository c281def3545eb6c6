import { z } from "zod"
import { openDatabase } from "../../db/client.ts"
import { retryOnce } from "../../db/lease.ts"
import { dispatch, MAILS_PER_MESSAGE } from "../../db/outbox.ts"
import type { Statement } from "../../db/statements.ts"
import type { Bindings } from "../../env.ts"
import { MINUTE, now, SECOND } from "../../lib/clock.ts"
import { type ClaimedMail, claimNext } from "./claimed-mail.ts"
import { holdOf, mailKeyOf, toMail } from "./mail-content.ts"
import { errorCode, type Mail, type MailProvider, type Outcome } from "./mail-outcome.ts"
import { endPause, pauseMails } from "./mail-pauses.ts"
import { mailProvider } from "./mail-provider.ts"
import { canDetectDuplicate, INTERRUPTED_OUTCOME, isUncertain, postpone, release, settle } from "./mail-settling.ts"

/** How long, and how often, a consumer waits for a provider with a rate limit. */
const MAX_INLINE_WAIT = 5 * SECOND
const MAX_INLINE_WAITS = 10
/** The maximum pause that a delayed message covers; the cron covers longer ones. */
const MAX_MESSAGE_DELAY = MINUTE

/** Notifications whose recipient was disabled or deleted, or that are no longer true, after they were written. */
const WITHDRAWN = {
  disabled: { kind: "refused", error: "RECIPIENT_DISABLED" },
  outdated: { kind: "refused", error: "NO_LONGER_DUE" },
} as const satisfies Record<string, Outcome>

const message = z.object({ mails: z.int().min(1).max(MAILS_PER_MESSAGE) })

/**
 * Sends as many emails as the queue message says: account emails first, then the oldest. Rows are claimed before and
 * marked after sending, so that a message that is delivered twice sends no email twice.
 */
export async function sendMails(env: Bindings, body: unknown): Promise<void> {
  const { mails } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  const provider = mailProvider(env)
  let outcomeStatements: Statement[] = []
  for (let left = mails; left > 0; left--) {
    const { mail, pause } = await claimNext(db, outcomeStatements)
    if (!mail) return pause && continueLater(env, left, pause.until)
    const hold = holdOf(env, mail)
    if (typeof hold === "string") {
      outcomeStatements = settle(env, db, provider, mail, WITHDRAWN[hold])
      continue
    }
    // An email that may have been sent does not wait: the provider would forget its key.
    if (hold && !isUncertain(mail)) {
      outcomeStatements = [postpone(db, mail, hold.until)]
      continue
    }
    const outcome =
      isUncertain(mail) && !canDetectDuplicate(provider, mail.uncertainSince)
        ? INTERRUPTED_OUTCOME
        : await send(env, provider, mail)
    if (outcome.kind === "paused") {
      const { until, statement } = pauseMails(db, outcome, pause)
      await retryOnce(db, () => db.batch([release(db, mail, outcome.error), statement]))
      return continueLater(env, left, until)
    }
    outcomeStatements = settle(env, db, provider, mail, outcome)
    if (pause && outcome.kind === "sent") outcomeStatements.push(endPause(db))
  }
  const [first, ...rest] = outcomeStatements
  if (first) await retryOnce(db, () => db.batch([first, ...rest]))
}

/** Dispatches the remaining emails after a short pause; the cron does it after a longer one. */
async function continueLater(env: Bindings, mails: number, until: number) {
  const wait = until - now()
  if (wait > 0 && wait <= MAX_MESSAGE_DELAY) await dispatch(env, mails, { delaySeconds: Math.ceil(wait / SECOND) })
}

/** Sends a claimed email and logs failures. */
async function send(env: Bindings, provider: MailProvider, claimed: ClaimedMail): Promise<Outcome> {
  const outcome = await trySending(env, provider, claimed)
  if (outcome.kind !== "sent")
    console.error(
      JSON.stringify({
        event: "mail not sent",
        id: mailKeyOf(claimed),
        attempt: claimed.attempts,
        reason: outcome.error,
      }),
    )
  return outcome
}

async function trySending(env: Bindings, provider: MailProvider, claimed: ClaimedMail): Promise<Outcome> {
  let mail: Mail
  try {
    mail = await toMail(env, claimed)
  } catch (error) {
    return { kind: "failed", error: errorCode(error) }
  }
  for (let waits = 0; ; waits++) {
    const outcome = await provider.send(mail)
    const wait = outcome.kind === "paused" && outcome.reason === "rate" ? outcome.retryAfter : undefined
    if (wait === undefined || wait > MAX_INLINE_WAIT || waits === MAX_INLINE_WAITS) return outcome
    await scheduler.wait(wait * (1 + Math.random() / 4))
  }
}
