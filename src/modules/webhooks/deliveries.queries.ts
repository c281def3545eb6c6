import { desc, eq, type SQL, sql } from "drizzle-orm"
import type { EventType } from "../../../drizzle/events/index.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { ALSO_UPDATED, TEST_EVENT } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { requireVersion } from "../../db/records.ts"
import { idList, literal, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { wakeWebhook } from "../../db/webhook-listeners.ts"
import { now } from "../../lib/clock.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { originOf } from "../../lib/text/urls.ts"
import { pluralize } from "../../lib/text/words.ts"
import { columnAt, eventName, eventPosition, MAX_SCANNED_EVENTS, newest, oldest } from "./events.queries.ts"
import { readWebhook, resetState } from "./webhooks.queries.ts"
import type { DeliveryQuery, Redelivery } from "./webhooks.schemas.ts"

/** The state of a delivery that is due immediately. */
const dueNow = () => ({ status: "waiting" as const, attempts: 0, nextAt: now() })

/** @throws 409 for a disabled webhook */
function requireEnabled({ enabled }: { enabled: boolean }) {
  if (!enabled) throw conflict("webhook_disabled", "This webhook is disabled. Enable it first.")
}

/** Sends a test event to this webhook only. @throws 404, 409 */
export async function testWebhook(work: UnitOfWork, id: number) {
  const { db } = work
  const webhook = await readWebhook(work, id)
  requireEnabled(webhook)
  const answer = await work.commit(
    [
      insertFrom(
        db,
        events,
        {
          type: TEST_EVENT,
          occurredAt: sql`max(${now()}, coalesce((select occurred_at from ${events} order by id desc limit 1), 0))`,
          objectId: id,
        },
        sql`from ${SINGLE_ROW} where true`,
      ),
      insertFrom(
        db,
        webhookDeliveries,
        { webhookId: id, eventId: newest, ...dueNow() },
        sql`from ${SINGLE_ROW} where true`,
      ),
      // Ends a pause of the receiver.
      db.update(webhooks).set({ pausedUntil: 0 }).where(eq(webhooks.id, id)),
      work.audit("updated", "webhook", { id, name: originOf(webhook.url) }, { sent: "test" }),
    ],
    { message: "Test event sent. See the webhook's deliveries for the result." },
  )
  await wakeWebhook(work.env, id)
  return answer
}

/** The position before the first event since a time, by binary search: events are sorted by time. */
const positionBefore = (since: number): SQL => {
  const middle = sql`((low + high) / 2)`
  const isBefore = sql`${columnAt(middle, "occurred_at")} < ${since}`
  return sql`(
    with recursive search(low, high) as (
      select coalesce(${oldest}, 1), coalesce(${newest}, 0) + 1
      union all
      select iif(${isBefore}, ${middle} + 1, low), iif(${isBefore}, high, ${middle}) from search where low < high
    )
    select low - 1 from search where low >= high
  )`
}

/** Sends events again: selected ones, or all since a time. @throws 404, 409 */
export async function redeliver(work: UnitOfWork, { id, event_ids: names = [], since }: Redelivery) {
  const { db } = work
  const wanted = new Set(names)
  const isOneOf = (eventIds: number[]) =>
    sql`${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.eventId} in ${idList(eventIds)}`
  const [rows, deliveries] = await work.read([
    db.select().from(webhooks).where(eq(webhooks.id, id)),
    db
      .select({
        eventId: webhookDeliveries.eventId,
        occurredAt: columnAt(webhookDeliveries.eventId, "occurred_at").as("occurred_at"),
      })
      .from(webhookDeliveries)
      .where(isOneOf(names.flatMap((name) => eventPosition(name) ?? []))),
  ])
  const webhook = requireVersion(rows, "webhook")
  requireEnabled(webhook)
  // After a restore of the database, an id can have the position of another event.
  const eventIds = deliveries.flatMap(({ eventId, occurredAt }) =>
    occurredAt !== null && wanted.has(eventName({ id: eventId, occurredAt })) ? [eventId] : [],
  )
  const unknown = wanted.size - eventIds.length
  const resent = `${pluralize(eventIds.length, "event")} resent.`
  const answer = await work.commit(
    [
      since === undefined
        ? db.update(webhookDeliveries).set(dueNow()).where(isOneOf(eventIds))
        : db
            .update(webhooks)
            .set({ position: sql`min(${webhooks.position}, ${positionBefore(since)})` })
            .where(eq(webhooks.id, id)),
      db.update(webhooks).set(resetState()).where(eq(webhooks.id, id)),
      work.audit(
        "updated",
        "webhook",
        { id, name: originOf(webhook.url) },
        since === undefined ? { sent: eventIds } : { since },
      ),
    ],
    {
      message:
        since === undefined
          ? `${resent}${unknown > 0 ? ` ${pluralize(unknown, "id")} unknown.` : ""}`
          : `Every event since ${new Date(since).toISOString()} will be resent.`,
    },
  )
  await wakeWebhook(work.env, id)
  return answer
}

const toCursor = (eventId: number) => Buffer.from(`before ${eventId}`).toString("base64url")

function parseCursor(cursor: string): number {
  const [, eventId] = /^before (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  if (eventId === undefined) throw invalid("before", "before must be a cursor from an earlier response.")
  return Number(eventId)
}

const toIsoOrNull = (at: number) => (at > 0 ? new Date(at).toISOString() : null)

/** The deliveries of a webhook, newest event first. Scans at most 5,000 deliveries. @throws 404 */
export async function listDeliveries(db: Database, id: number, { before, status, page_size: size }: DeliveryQuery) {
  const from = before === undefined ? Number.MAX_SAFE_INTEGER : parseCursor(before)
  const scanned = sql`(
    select ${webhookDeliveries.eventId} as event_id from ${webhookDeliveries}
    where ${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.eventId} < ${from}
    order by ${webhookDeliveries.eventId} desc
    limit ${status ? MAX_SCANNED_EVENTS : size}
  )`
  const [known, rows, [last]] = await db.batch([
    db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, id)),
    db
      .select({
        delivery: webhookDeliveries,
        type: sql<EventType>`iif(
          ${events.previousPercent} is not null and ${events.id} = ${webhookDeliveries.eventId},
          ${literal(ALSO_UPDATED)},
          ${events.type}
        )`.as("type"),
        occurredAt: events.occurredAt,
      })
      .from(webhookDeliveries)
      .innerJoin(events, eq(events.id, columnAt(webhookDeliveries.eventId, "id")))
      .where(
        sql`${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.eventId} < ${from}
          and ${webhookDeliveries.eventId} >= (select min(event_id) from ${scanned})
          and ${status ? eq(webhookDeliveries.status, status) : sql`1`}`,
      )
      .orderBy(desc(webhookDeliveries.eventId))
      .limit(size),
    db
      .select({ lastId: sql<number>`min(event_id)`.as("last_id"), scanned: sql<number>`count(*)`.as("scanned") })
      .from(scanned),
  ])
  if (known.length === 0) throw notFound("webhook")
  const isFull = rows.length === size
  const hasMore = isFull || (last?.scanned ?? 0) === (status ? MAX_SCANNED_EVENTS : size)
  const lastId = isFull ? (rows.at(-1)?.delivery.eventId ?? 0) : (last?.lastId ?? 0)
  return {
    deliveries: rows.map(({ delivery, type, occurredAt }) => ({
      eventId: eventName({ id: delivery.eventId, occurredAt }),
      type,
      occurredAt: new Date(occurredAt).toISOString(),
      status: delivery.status,
      attempts: delivery.attempts,
      lastAttemptAt: toIsoOrNull(delivery.lastAt),
      nextAttemptAt: delivery.status === "waiting" ? toIsoOrNull(delivery.nextAt) : null,
      answerStatus: delivery.answerStatus,
      answer: delivery.answer,
      error: delivery.error,
    })),
    cursor: hasMore ? toCursor(lastId) : null,
  }
}
