import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm"
import { typesOf } from "../../../drizzle/events/index.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { isEventForWebhook } from "../../db/event-filters.ts"
import { retryOnce } from "../../db/lease.ts"
import { SINGLE_ROW } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { hasPendingEvents, idleWebhook, wakeWebhook } from "../../db/webhook-listeners.ts"
import type { Bindings } from "../../env.ts"
import { now, SECOND } from "../../lib/clock.ts"
import { resolvesToPublicAddress } from "../../lib/web/outbound.ts"
import {
  columnAt,
  type EventRow,
  eventsAfter,
  eventsOf,
  MAX_SCANNED_EVENTS,
  newest,
  type StoredEvent,
  storedEvent,
  toEvent,
} from "./events.queries.ts"
import { disabledNotice } from "./webhook-disabled-notice.ts"
import { Outcomes } from "./webhook-outcomes.ts"
import { failedAttempt, sendEvent, sendFromOtherObject } from "./webhook-request.ts"

/** A consumer stores results every five seconds plus one attempt, so after a longer silence it has died. */
const LEASE_DURATION = 30 * SECOND
const FLUSH_INTERVAL = 5 * SECOND
/** When a consumer stops, and another run continues. The platform allows 10,000 subrequests in a run. */
const MAX_RUN_TIME = 30 * SECOND
const MAX_RUN_EVENTS = 2000
/**
 * The number of concurrent requests from one Durable Object. The platform allows six connections; the others are for
 * the resolver. A request that waits for a connection would use up its time limit.
 */
const MAX_CONNECTIONS = 4
/** The number of events that one round trip reads. */
const BATCH_SIZE = 50
/** The number of latest events that are checked for a match; the position must not fall further behind. */
export const MAX_PENDING_LOOKUP = 200

type WebhookRow = typeof webhooks.$inferSelect
/** An event to send. @param attempts the number of earlier attempts since it was last requested */
type DueEvent = EventRow & { attempts: number; isRetry: boolean }

/**
 * One consumer's work on a webhook, from acquiring its lease to releasing it. The consumer reads the event feed from
 * the webhook's position and always has up to `concurrency` requests in flight; 1 keeps the order. A failed event is
 * retried later, while the next ones are sent. Results and position are stored together every few seconds. If the
 * consumer dies first, the events are sent again with the same ids.
 */
export class WebhookConsumer {
  private readonly env: Bindings
  private readonly db: Database
  private readonly id: number
  private readonly token = crypto.randomUUID()
  private readonly hasLease: SQL
  private readonly stopAt = now() + MAX_RUN_TIME
  private webhook: WebhookRow | undefined
  private outcomes: Outcomes | undefined
  /** Events that were read and not started. */
  private queue: DueEvent[] = []
  private readonly inFlight = new Set<DueEvent>()
  private started = 0
  /** The position up to which the feed was read. */
  private readTo: number | undefined
  private mayHaveMore = true
  private flushAt = 0
  private refilling: Promise<void> | undefined
  /** Whether the host has a public address, checked again with each batch. */
  private isPublic: Promise<boolean> | undefined

  constructor(env: Bindings, id: number) {
    this.env = env
    this.db = openDatabase(env.DB, "first-primary")
    this.id = id
    this.hasLease = sql`${webhooks.id} = ${id} and ${webhooks.lease} = ${this.token} and ${webhooks.leaseUntil} > 0`
  }

  async run(): Promise<void> {
    await this.refill(sql`(${this.hasLease} or (${eq(webhooks.id, this.id)} and ${idleWebhook()}))`)
    const { webhook, outcomes } = this
    if (!webhook || !outcomes) return
    await Promise.all(Array.from({ length: webhook.concurrency }, (_, at) => this.sendEvents(outcomes, at)))
    if (this.webhook) await this.release(webhook, outcomes)
  }

  /** Sends one event after the other. @param at its number among those that do */
  private async sendEvents(outcomes: Outcomes, at: number): Promise<void> {
    for (;;) {
      const event = await this.nextEvent(outcomes)
      // As last read: the secret may have been rotated since the start.
      const { webhook } = this
      if (!event || !webhook) return
      this.inFlight.add(event)
      this.started++
      outcomes.add(event, await this.attempt(webhook, event, at < MAX_CONNECTIONS))
      this.inFlight.delete(event)
    }
  }

  /** The next event to send; undefined: there is none, or this run must end. */
  private async nextEvent(outcomes: Outcomes): Promise<DueEvent | undefined> {
    for (;;) {
      const isOver = now() >= this.stopAt || this.started >= MAX_RUN_EVENTS
      if (!this.webhook || outcomes.isStopped || isOver) return undefined
      const isEmpty = this.queue.length === 0
      if (isEmpty && !this.mayHaveMore) return undefined
      if (!isEmpty && now() < this.flushAt) return this.queue.shift()
      this.refilling ??= this.refill(this.hasLease).finally(() => {
        this.refilling = undefined
      })
      await this.refilling
    }
  }

  private async attempt(webhook: WebhookRow, event: DueEvent, isOwnConnection: boolean) {
    try {
      this.isPublic ??= resolvesToPublicAddress(this.env, webhook.url)
      if (!(await this.isPublic)) return failedAttempt("The host has no public address.")
    } catch {
      return failedAttempt("The host could not be resolved.")
    }
    const { url, secret, previousSecret, previousUntil } = webhook
    const receiver = { url, secret, previousSecret, previousUntil }
    return isOwnConnection
      ? sendEvent(this.env, receiver, toEvent(event))
      : sendFromOtherObject(this.env, this.id, receiver, toEvent(event))
  }

  /** The position before the first new event that was not sent completely. */
  private get position(): number | undefined {
    const unsent = [...this.queue, ...this.inFlight].filter(({ isRetry }) => !isRetry)
    return unsent.length > 0 ? Math.min(...unsent.map(({ id }) => id)) - 1 : this.readTo
  }

  /** The statements that store the results and the position. */
  private flush(changes: { leaseUntil?: number } = {}): Statement[] {
    const { webhook, position } = this
    const isAhead = webhook && position !== undefined && position > webhook.position
    const all = { ...changes, ...(isAhead && { position }) }
    return this.outcomes?.flush(this.db, this.id, this.hasLease, all) ?? []
  }

  /**
   * Stores the results, extends or acquires the lease, and reads the next events, in one round trip. If another
   * consumer has the lease, `webhook` is undefined.
   */
  private async refill(canLease: SQL): Promise<void> {
    const flushed = this.flush()
    const from = this.readTo ?? sql<number>`(select ${webhooks.position} from ${webhooks} where ${this.hasLease})`
    const hasRoom = this.queue.length < BATCH_SIZE
    this.flushAt = now() + FLUSH_INTERVAL
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
          scannedTo: sql<number>`max(${from}, min(${from} + ${MAX_SCANNED_EVENTS}, ${newest}))`.as("scanned_to"),
          isBehind: sql<number>`${from} + ${MAX_SCANNED_EVENTS} < ${newest}`.as("is_behind"),
        })
        .from(SINGLE_ROW),
      ...(hasRoom ? [this.dueRetries(), this.newEvents(from)] : []),
    ])
    const [[webhook], [scan], retries = [], newEvents = []] = results.slice(flushed.length) as [
      WebhookRow[],
      { scannedTo: number | null; isBehind: number | null }[],
      (StoredEvent & { attempts: number; eventId: number })[] | undefined,
      StoredEvent[] | undefined,
    ]
    this.webhook = webhook
    this.isPublic = undefined
    if (!webhook) return
    this.outcomes ??= new Outcomes(webhook)
    if (!hasRoom) return
    const known = new Set([...this.queue, ...this.inFlight].map(({ id }) => id))
    const types = new Set<string>(typesOf(webhook.events))
    const position = this.readTo ?? webhook.position
    const due = [
      ...retries.flatMap(({ eventId, ...row }) =>
        eventsOf(row).flatMap((event) => (event.id === eventId ? [{ ...event, isRetry: true }] : [])),
      ),
      ...newEvents
        .flatMap(eventsOf)
        .filter(({ id, type }) => id > position && types.has(type))
        .map((event) => ({ ...event, attempts: 0, isRetry: false })),
    ]
    this.queue.push(...due.filter(({ id }) => !known.has(id)))
    const last = newEvents.length === BATCH_SIZE ? newEvents.at(-1) : undefined
    this.readTo = last?.id ?? scan?.scannedTo ?? webhook.position
    this.mayHaveMore = retries.length === BATCH_SIZE || last !== undefined || Boolean(scan?.isBehind)
  }

  private dueRetries() {
    return this.db
      .select({ ...storedEvent, attempts: webhookDeliveries.attempts, eventId: webhookDeliveries.eventId })
      .from(webhookDeliveries)
      .innerJoin(events, eq(events.id, columnAt(webhookDeliveries.eventId, "id")))
      .where(
        and(
          sql`${webhookDeliveries.webhookId} = (select ${webhooks.id} from ${webhooks} where ${this.hasLease})`,
          sql`${webhookDeliveries.status} = 'waiting'`,
          lte(webhookDeliveries.nextAt, now()),
        ),
      )
      .orderBy(asc(webhookDeliveries.nextAt))
      .limit(BATCH_SIZE)
  }

  private newEvents(from: number | SQL) {
    return eventsAfter(this.db, from, isEventForWebhook(this.id), BATCH_SIZE)
  }

  /** @throws if the database is unavailable; then no other event is started */
  private async runBatch(statements: Statement[]): Promise<unknown[]> {
    const [first, ...rest] = statements
    try {
      return first ? await retryOnce(this.db, () => this.db.batch([first, ...rest])) : []
    } catch (error) {
      this.webhook = undefined
      throw error
    }
  }

  /** Stores the last results and releases the lease; wakes the webhook again if events remain. */
  private async release(webhook: WebhookRow, outcomes: Outcomes): Promise<void> {
    const { disableReason, isStopped } = outcomes
    const { db, env, hasLease } = this
    const notice = disableReason ? disabledNotice({ db, env, hasLease }, webhook, disableReason) : undefined
    const results = await this.runBatch([
      ...(notice?.statements ?? []),
      ...this.flush({ leaseUntil: -now() }),
      this.db
        .select({ id: webhooks.id })
        .from(webhooks)
        .where(sql`${eq(webhooks.id, this.id)} and ${hasPendingEvents(MAX_PENDING_LOOKUP)}`),
    ])
    notice?.dispatch()
    // An event that was added while the webhook was leased has not woken it.
    const hasNewEvents = (results.at(-1) as unknown[]).length > 0
    const isUnfinished = this.queue.length > 0 || this.mayHaveMore
    if (!isStopped && (isUnfinished || hasNewEvents)) await wakeWebhook(env, this.id)
  }
}
