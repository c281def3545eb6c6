import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm"
import { Webhook } from "standardwebhooks"
import { TEST_EVENT } from "../../../drizzle/events/index.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { type DELIVERY_STATUSES, webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { retryOnce } from "../../db/lease.ts"
import { queueMailForQuery } from "../../db/outbox.ts"
import { runInSlices } from "../../db/slices.ts"
import { rowExists, rowList, SINGLE_ROW } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import { hasEventType, hasPendingEvents, idleWebhook, wakeWebhook } from "../../db/webhook-listeners.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { DAY, HOUR, MINUTE, now, SECOND } from "../../lib/clock.ts"
import { decrypted } from "../../lib/crypto/crypto.ts"
import { originOf } from "../../lib/text/urls.ts"
import { fetchOutbound, resolvesToPublicAddress } from "../../lib/web/outbound.ts"
import {
  type EventRow,
  eventsAfter,
  MAX_SCANNED_EVENTS,
  newest,
  oldest,
  storedEvent,
  toEvent,
} from "./events.queries.ts"

// A consumer leases a webhook, reads the event feed from the webhook's position, and sends the events in order, or
// several
// at once if the webhook allows it. Results and position are stored together every few seconds; if the consumer dies
// first, these events are sent again with the same ids. Failed events are retried later while the next ones are sent.
// After five failures in a row the receiver gets a pause, and the events stay in the feed.

/** The time limit for a receiver's complete response. */
const RESPONSE_TIMEOUT_MS = 15 * SECOND
/** The delays of the eight retries within a day. */
const RETRY_DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 10 * HOUR]
/** The random share by which a delay varies, so that retries spread out. */
const JITTER = 0.1
/** The number of failures in a row after which a receiver gets a pause, of one minute at first and ten at most. */
const BACKOFF_AFTER = 5
const MAX_BACKOFF = 10 * MINUTE
/** A webhook is disabled when every attempt has failed for this long. */
const DISABLE_AFTER = 3 * DAY
/** Consumers store results every five seconds plus one attempt, so a longer silence means that they died. */
const LEASE_DURATION = 30 * SECOND
const FLUSH_INTERVAL = 5 * SECOND
/** How long one alarm of the queue works before the next one continues, and how many events it reads at once. */
const MAX_RUN_TIME = 30 * SECOND
const BATCH_SIZE = 20
/** The number of bytes of a response that are stored. */
const MAX_STORED_RESPONSE_BYTES = 500
/** The number of events that the cron checks for a match; with more pending events, the position must advance. */
const MAX_PENDING_LOOKUP = 200

type WebhookRow = typeof webhooks.$inferSelect
/** An event to send. @param attempts the number of earlier attempts since it was last requested */
type DueEvent = EventRow & { attempts: number }

/** The result of an attempt. */
interface AttemptOutcome {
  succeeded: boolean
  /** Whether the receiver responded 410 and wants no more events. */
  gone: boolean
  answerStatus: number | null
  answer: string
  error: string
}

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

/** Sends the due events of a webhook for up to `MAX_RUN_TIME`; if events remain, it wakes the webhook's queue again. */
export async function runWebhook(env: Bindings, webhookId: number): Promise<void> {
  await new Sender(env, webhookId).run()
}

/** One consumer's work on a webhook, from acquiring to releasing the lease. */
class Sender {
  private readonly env: Bindings
  private readonly db: Database
  private readonly id: number
  private readonly token = crypto.randomUUID()
  /** Whether this consumer has the lease. */
  private readonly hasLease: SQL
  /** Results that are not stored yet. */
  private outcomes: Delivery[] = []
  private changes: Partial<WebhookRow> = {}
  /** Whether the receiver responds again, so that waiting retries are due immediately. */
  private recovered = false

  constructor(env: Bindings, id: number) {
    this.env = env
    this.db = openDatabase(env.DB, "first-primary")
    this.id = id
    this.hasLease = sql`${webhooks.id} = ${id} and ${webhooks.lease} = ${this.token} and ${webhooks.leaseUntil} > 0`
  }

  async run(): Promise<void> {
    const until = now() + MAX_RUN_TIME
    let { webhook, due, scannedTo, mayHaveMore } = await this.next(
      sql`(${this.hasLease} or (${eq(webhooks.id, this.id)} and ${idleWebhook()}))`,
    )
    while (webhook) {
      const progress = await this.send(webhook, due)
      const isUnfinished = mayHaveMore || !progress.isComplete
      const position = isUnfinished && due.length > 0 ? progress.position : scannedTo
      if (position > webhook.position) this.changes.position = position
      const { enabled = true, pausedUntil = 0 } = this.changes
      if (!isUnfinished || !enabled || pausedUntil > 0 || now() >= until) return this.release(webhook, isUnfinished)
      ;({ webhook, due, scannedTo, mayHaveMore } = await this.next(this.hasLease))
    }
  }

  /**
   * Stores the last results, extends or acquires the lease, and reads the next events, in one round trip.
   * @returns no webhook if the lease is not this consumer's; otherwise the due events, how far the feed was scanned,
   * and
   *   whether there may be more
   */
  private async next(canLease: SQL) {
    const flushed = this.flush()
    const position = sql`(select ${webhooks.position} from ${webhooks} where ${this.hasLease})`
    const results = await this.runBatch([
      // Must be first: the other statements read what it writes.
      ...flushed,
      this.db
        .update(webhooks)
        .set({ lease: this.token, leaseUntil: now() + LEASE_DURATION })
        .where(canLease)
        .returning(),
      this.db
        .select({
          scannedTo: sql<number>`max(${position}, min(${position} + ${MAX_SCANNED_EVENTS}, ${newest}))`.as(
            "scanned_to",
          ),
          isBehind: sql<number>`${position} + ${MAX_SCANNED_EVENTS} < ${newest}`.as("is_behind"),
        })
        .from(SINGLE_ROW),
      this.db
        .select({ ...storedEvent, attempts: webhookDeliveries.attempts })
        .from(webhookDeliveries)
        .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
        .where(
          and(
            sql`${webhookDeliveries.webhookId} = (select ${webhooks.id} from ${webhooks} where ${this.hasLease})`,
            sql`${webhookDeliveries.status} = 'waiting'`,
            lte(webhookDeliveries.nextAt, now()),
          ),
        )
        .orderBy(asc(webhookDeliveries.nextAt))
        .limit(BATCH_SIZE),
      eventsAfter(
        this.db,
        position,
        hasEventType(sql`(select ${webhooks.events} from ${webhooks} where ${webhooks.id} = ${this.id})`),
        BATCH_SIZE,
      ),
    ])
    const [[webhook], [scan], retries, newEvents] = results.slice(flushed.length) as [
      WebhookRow[],
      { scannedTo: number | null; isBehind: number | null }[],
      DueEvent[],
      EventRow[],
    ]
    const due: DueEvent[] = [...retries, ...newEvents.map((event) => ({ ...event, attempts: 0 }))]
    const mayHaveMore = retries.length === BATCH_SIZE || newEvents.length === BATCH_SIZE || Boolean(scan?.isBehind)
    return { webhook, due, scannedTo: scan?.scannedTo ?? 0, mayHaveMore }
  }

  /**
   * Sends events with the webhook's concurrency until results must be stored. All events before the last started one
   * have
   * been sent.
   * @returns whether all were sent, and the position of the last new event
   */
  private async send(webhook: WebhookRow, due: DueEvent[]): Promise<{ position: number; isComplete: boolean }> {
    const startedAt = now()
    const waiting = due.values()
    let { position, failures, failingSince } = webhook
    let isStopped = false
    const sendNext = async () => {
      while (!isStopped) {
        const { value: event } = waiting.next()
        if (!event) return
        if (event.id > position && event.type !== TEST_EVENT) position = event.id
        const outcome = await sendEvent(this.env, webhook, event)
        this.outcomes.push(toDelivery(event, outcome))
        this.recovered ||= outcome.succeeded && failures >= BACKOFF_AFTER
        failures = outcome.succeeded ? 0 : failures + 1
        failingSince = outcome.succeeded ? 0 : failingSince || now()
        const pausedUntil = failures < BACKOFF_AFTER ? 0 : now() + backoffAfter(failures)
        const offReason = outcome.gone ? "gone" : hasFailedTooLong(failingSince) ? "failing" : this.changes.offReason
        this.changes = { failures, failingSince, ...(offReason ? { enabled: false, offReason } : { pausedUntil }) }
        isStopped ||= Boolean(offReason) || pausedUntil > 0 || now() >= startedAt + FLUSH_INTERVAL
      }
    }
    await Promise.all(Array.from({ length: webhook.concurrency }, sendNext))
    return { position, isComplete: this.outcomes.length === due.length }
  }

  /** The statements that store the results; they do nothing if the lease is lost. */
  private flush(): Statement[] {
    const { db, outcomes, changes, recovered } = this
    this.outcomes = []
    this.changes = {}
    this.recovered = false
    if (Object.keys(changes).length === 0) return []
    const hasLease = rowExists(webhooks, this.hasLease)
    const row = {
      status: jsonField("status"),
      attempts: jsonField("attempts"),
      nextAt: jsonField("nextAt"),
      lastAt: jsonField("lastAt"),
    }
    const response = { answerStatus: jsonField("answerStatus"), answer: jsonField("answer"), error: jsonField("error") }
    const names = ["status", "attempts", "next_at", "last_at", "answer_status", "answer", "error"]
    const excluded = Object.fromEntries(
      Object.keys({ ...row, ...response }).map((key, i) => [key, sql.raw(`excluded.${names[i]}`)]),
    )
    return [
      ...(recovered
        ? [
            db
              .update(webhookDeliveries)
              .set({ nextAt: now() })
              .where(sql`${webhookDeliveries.webhookId} = ${this.id} and ${webhookDeliveries.status} = 'waiting'
                and ${hasLease}`),
          ]
        : []),
      ...(outcomes.length > 0
        ? [
            insertFrom(
              db,
              webhookDeliveries,
              { webhookId: this.id, eventId: jsonField("eventId"), ...row, ...response },
              sql`from ${rowList(outcomes)} where ${hasLease}`,
            ).onConflictDoUpdate({ target: [webhookDeliveries.webhookId, webhookDeliveries.eventId], set: excluded }),
          ]
        : []),
      db.update(webhooks).set(changes).where(this.hasLease),
    ]
  }

  private async runBatch(statements: Statement[]): Promise<unknown[]> {
    const [first, ...rest] = statements
    return first ? retryOnce(this.db, () => this.db.batch([first, ...rest])) : []
  }

  /** Releases the lease. @param isUnfinished whether events remain for another run */
  private async release(webhook: WebhookRow, isUnfinished: boolean): Promise<void> {
    const { enabled = true, offReason = "", pausedUntil = 0 } = this.changes
    const notice = enabled ? undefined : this.disabledNotice(webhook, offReason)
    this.changes.leaseUntil = -now()
    const results = await this.runBatch([
      ...(notice?.statements ?? []),
      ...this.flush(),
      this.db
        .select({ id: webhooks.id })
        .from(webhooks)
        .where(sql`${eq(webhooks.id, this.id)} and ${hasPendingEvents(MAX_PENDING_LOOKUP)}`),
    ])
    notice?.dispatch()
    // An event that was added while the webhook was leased has not woken it.
    const hasNewEvents = (results.at(-1) as unknown[]).length > 0
    if (enabled && pausedUntil === 0 && (isUnfinished || hasNewEvents)) await wakeWebhook(this.env, this.id)
  }

  /** The audit row of a disabled webhook, and the email to its creator. */
  private disabledNotice({ url, createdBy }: WebhookRow, offReason: string) {
    const work = new UnitOfWork(this.db, callerAs(null, "anonymous", "job:webhooks"), this.env)
    const because =
      offReason === "gone" ? "The receiver responded with 410 (Gone)." : "No event could be delivered for 3 days."
    const mail = queueMailForQuery(
      work,
      "webhook switched off",
      {
        subject: "A webhook was disabled",
        paragraphs: [
          `The webhook at ${new URL(url).host} was disabled.`,
          because,
          "When you enable it again, it receives the events of up to the last 30 days that it missed.",
        ],
      },
      sql`
        select ${users.id} as user_id, ${users.email} as recipient, ${users.firstName} as name, null as secret,
          null as dedupe
        from ${users}
        where ${users.id} = ${createdBy} and not ${users.disabled} and ${rowExists(webhooks, this.hasLease)}`,
      { expected: 1 },
    )
    const details = JSON.stringify({ enabled: false, offReason })
    const audit = work.auditMany(
      "updated",
      "webhook",
      sql`
        select ${webhooks.id} as id, ${originOf(url)} as name, ${details} as details
        from ${webhooks}
        where ${this.hasLease}`,
    )
    return { statements: [...mail.statements, audit], dispatch: mail.dispatch }
  }
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

function toDelivery(event: DueEvent, { succeeded, answerStatus, answer, error }: AttemptOutcome): Delivery {
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

const failedAttempt = (error: string): AttemptOutcome => ({
  succeeded: false,
  gone: false,
  answerStatus: null,
  answer: "",
  error,
})

/** Sends an event once, in the format of Standard Webhooks. Never throws. */
async function sendEvent(env: Bindings, webhook: WebhookRow, event: EventRow): Promise<AttemptOutcome> {
  try {
    if (!(await resolvesToPublicAddress(env, webhook.url))) return failedAttempt("The host has no public address.")
  } catch {
    return failedAttempt("The host could not be resolved.")
  }
  const payload = toEvent(event)
  const body = JSON.stringify(payload)
  const at = new Date(now())
  const secrets = [webhook.secret, ...(webhook.previousUntil > now() ? [webhook.previousSecret ?? ""] : [])]
  const signatures = secrets
    .filter(Boolean)
    .flatMap((secret) => decrypted(env, secret) ?? [])
    .map((secret) => new Webhook(secret).sign(payload.id, at, body))
  if (signatures.length === 0) return failedAttempt("The webhook's secret cannot be read. Rotate it.")
  const headers = {
    "content-type": "application/json",
    "user-agent": "Lectern-Webhooks",
    "webhook-id": payload.id,
    "webhook-timestamp": String(Math.floor(at.getTime() / SECOND)),
    "webhook-signature": signatures.join(" "),
  }
  try {
    const response = await fetchOutbound(env, webhook.url, { method: "POST", headers, body }, RESPONSE_TIMEOUT_MS)
    const { status } = response
    const answer = await readBeginning(response)
    return { succeeded: response.ok, gone: status === 410, answerStatus: status, answer, error: "" }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError"
    return failedAttempt(isTimeout ? "No response within 15 seconds." : "The receiver could not be reached.")
  }
}

/** The first bytes of a response as text; the rest is not read. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ""
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < MAX_STORED_RESPONSE_BYTES) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  await reader.cancel()
  return Buffer.concat(chunks).subarray(0, MAX_STORED_RESPONSE_BYTES).toString("utf8")
}

/** Wakes idle webhooks with due events: their wake-up was lost, their consumer died, or a retry or pause is over. */
export async function wakeIdleWebhooks(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const hasDueRetry = rowExists(
    webhookDeliveries,
    sql`${webhookDeliveries.webhookId} = ${webhooks.id} and ${webhookDeliveries.status} = 'waiting'
      and ${webhookDeliveries.nextAt} <= ${now()}`,
  )
  const [waiting] = await db.batch([
    db
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(
        sql`${idleWebhook()} and (
          ${webhooks.position} < ${newest} - ${MAX_PENDING_LOOKUP}
          or ${hasPendingEvents(MAX_PENDING_LOOKUP)}
          or ${hasDueRetry}
        )`,
      ),
  ])
  await Promise.all(waiting.map(({ id }) => wakeWebhook(env, id)))
}

/** Deletes deliveries of deleted events and webhooks. Run by the cron. */
export async function deleteOldDeliveries(db: Database): Promise<void> {
  const nextWebhookId = (after: SQL) => sql`(
    select min(${webhookDeliveries.webhookId}) from ${webhookDeliveries}
    where ${webhookDeliveries.webhookId} > ${after}
  )`
  const isObsolete = (limit: number) => sql`(${webhookDeliveries.webhookId}, ${webhookDeliveries.eventId}) in (
    with recursive webhook_ids(id) as (
      select ${nextWebhookId(sql`0`)} union all select ${nextWebhookId(sql`id`)} from webhook_ids where id is not null
    )
    select past.webhook_id, past.event_id
    from webhook_ids cross join ${webhookDeliveries} as past
    where past.webhook_id = webhook_ids.id
      and past.event_id < iif(
        exists (select 1 from ${webhooks} where ${webhooks.id} = webhook_ids.id), ${oldest}, ${Number.MAX_SAFE_INTEGER}
      )
    limit ${limit}
  )`
  await runInSlices(db, 2, (limit) =>
    db.delete(webhookDeliveries).where(isObsolete(limit)).returning({ eventId: webhookDeliveries.eventId }),
  )
}
