import { type SQL, sql } from "drizzle-orm"
import { type DELIVERY_STATUSES, webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { DAY, HOUR, MINUTE, now } from "../../lib/clock.ts"
import type { AttemptOutcome } from "./webhook-request.ts"

// The outcomes of a consumer's attempts: when each event is retried, when the receiver gets a pause, and when the
// webhook is disabled.

/** The delays of the eight retries within a day. */
const RETRY_DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 10 * HOUR]
/** The random share by which a delay varies, so that retries spread out. */
const JITTER = 0.1
/** The number of failures in a row after which a receiver gets a pause, of one minute at first and ten at most. */
const BACKOFF_AFTER = 5
const MAX_BACKOFF = 10 * MINUTE
/** A webhook is disabled when every attempt has failed for this long. */
const DISABLE_AFTER = 3 * DAY

type WebhookRow = typeof webhooks.$inferSelect
type WebhookChanges = Partial<Pick<WebhookRow, "failures" | "failingSince" | "pausedUntil" | "position" | "leaseUntil">>

interface Delivery {
  eventId: number
  status: (typeof DELIVERY_STATUSES)[number]
  attempts: number
  nextAt: number
  lastAt: number
  answerStatus: number | null
  answer: string
  error: string
}

/** The outcomes of one consumer's attempts that are not stored yet, and the state of the receiver after them. */
export class Outcomes {
  private deliveries: Delivery[] = []
  private failures: number
  private failingSince: number
  private pausedUntil = 0
  /** Why the webhook must be disabled; empty: it stays enabled. */
  disableReason: "" | "gone" | "failing" = ""
  /** Whether the receiver responds again, so that waiting retries are due immediately. */
  private recovered = false

  constructor({ failures, failingSince }: WebhookRow) {
    this.failures = failures
    this.failingSince = failingSince
  }

  /** Whether the receiver must get no more events from this consumer. */
  get isStopped() {
    return this.disableReason !== "" || this.pausedUntil > 0
  }

  add(event: { id: number; attempts: number }, outcome: AttemptOutcome): void {
    this.deliveries.push(toDelivery(event, outcome))
    this.recovered ||= outcome.succeeded && this.failures >= BACKOFF_AFTER
    this.failures = outcome.succeeded ? 0 : this.failures + 1
    this.failingSince = outcome.succeeded ? 0 : this.failingSince || now()
    this.pausedUntil = this.failures < BACKOFF_AFTER ? 0 : now() + backoffAfter(this.failures)
    if (outcome.gone) this.disableReason = "gone"
    else if (hasFailedTooLong(this.failingSince)) this.disableReason ||= "failing"
  }

  /**
   * The statements that store the outcomes, and forgets them. They do nothing if the lease is lost.
   * @param hasLease the condition on a webhook that this consumer has its lease
   */
  flush(db: Database, webhookId: number, hasLease: SQL, changes: WebhookChanges): Statement[] {
    const { deliveries, recovered, failures, failingSince, disableReason, pausedUntil } = this
    this.deliveries = []
    this.recovered = false
    const isLeased = rowExists(webhooks, hasLease)
    const state = deliveries.length > 0 && {
      failures,
      failingSince,
      ...(disableReason ? { enabled: false, offReason: disableReason } : { pausedUntil }),
    }
    const row = { ...changes, ...state }
    return [
      ...(recovered
        ? [
            db
              .update(webhookDeliveries)
              .set({ nextAt: now() })
              .where(sql`${webhookDeliveries.webhookId} = ${webhookId} and ${webhookDeliveries.status} = 'waiting'
                and ${isLeased}`),
          ]
        : []),
      ...(deliveries.length > 0 ? [storeDeliveries(db, webhookId, deliveries, isLeased)] : []),
      ...(Object.keys(row).length > 0 ? [db.update(webhooks).set(row).where(hasLease)] : []),
    ]
  }
}

function storeDeliveries(db: Database, webhookId: number, deliveries: Delivery[], isLeased: SQL): Statement {
  const fields = {
    status: jsonField("status"),
    attempts: jsonField("attempts"),
    nextAt: jsonField("nextAt"),
    lastAt: jsonField("lastAt"),
    answerStatus: jsonField("answerStatus"),
    answer: jsonField("answer"),
    error: jsonField("error"),
  }
  const excluded = Object.keys(fields).map((name) => {
    const { name: column } = webhookDeliveries[name as keyof typeof fields]
    return [name, sql.raw(`excluded.${column}`)] as const
  })
  return insertFrom(
    db,
    webhookDeliveries,
    { webhookId, eventId: jsonField("eventId"), ...fields },
    sql`from ${rowList(deliveries)} where ${isLeased}`,
  ).onConflictDoUpdate({
    target: [webhookDeliveries.webhookId, webhookDeliveries.eventId],
    set: Object.fromEntries(excluded),
  })
}

/** The length of a receiver's pause after this number of failures in a row. */
const backoffAfter = (failures: number) => Math.min(MAX_BACKOFF, MINUTE * 2 ** (failures - BACKOFF_AFTER))

/** Whether every attempt has failed for too long. @param since the first failure; 0: the last attempt succeeded */
const hasFailedTooLong = (since: number) => since > 0 && since <= now() - DISABLE_AFTER

/** The delay of the retry after this attempt; undefined: no more retries. */
function retryDelay(attempts: number): number | undefined {
  const delay = RETRY_DELAYS[attempts - 1]
  return delay && Math.round(delay * (1 + JITTER * (2 * Math.random() - 1)))
}

function toDelivery(
  event: { id: number; attempts: number },
  { succeeded, answerStatus, answer, error }: AttemptOutcome,
): Delivery {
  const attempts = event.attempts + 1
  const delay = succeeded ? undefined : retryDelay(attempts)
  return {
    eventId: event.id,
    status: succeeded ? "delivered" : delay === undefined ? "failed" : "waiting",
    attempts,
    nextAt: delay === undefined ? 0 : now() + delay,
    lastAt: now(),
    answerStatus,
    answer,
    error,
  }
}
