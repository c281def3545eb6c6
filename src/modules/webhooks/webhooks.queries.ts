import { randomBytes } from "node:crypto"
import { desc, eq, lt, type SQL, sql } from "drizzle-orm"
import type { EventType } from "../../../drizzle/events/index.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { groups } from "../../../drizzle/schema/groups.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { ALSO_UPDATED, TEST_EVENT } from "../../../drizzle/statuses.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  deleteRecords,
  existingRecords,
  readRecord,
  requireExisting,
  requireVersion,
  updateRecord,
} from "../../db/records.ts"
import { idList, literal, rowCount, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { wakeWebhook } from "../../db/webhook-listeners.ts"
import type { Bindings } from "../../env.ts"
import { userIdOf } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { encrypt } from "../../lib/crypto/crypto.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { originOf } from "../../lib/text/urls.ts"
import { pluralize } from "../../lib/text/words.ts"
import { outboundUrl } from "../../lib/web/outbound.ts"
import { columnAt, eventName, eventPosition, MAX_SCANNED_EVENTS, newest, oldest } from "./events.queries.ts"
import { webhookColumns, webhookFields } from "./webhook-fields.ts"
import type { DeliveryQuery, NewWebhook, Redelivery, WebhookChanges } from "./webhooks.schemas.ts"

/** The maximum number of webhooks: every change checks each of them. */
const MAX_WEBHOOKS = 50
/** How long the previous secret remains valid after a rotation. */
const PREVIOUS_SECRET_LIFETIME = DAY

/** A secret in the format of Standard Webhooks: 32 random bytes. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`

const tooMany = () =>
  conflict("too_many_webhooks", `The limit of ${MAX_WEBHOOKS} webhooks is reached. Delete one first.`)

/** @throws 422 for a URL that cannot be called */
function requireCallableUrl(env: Bindings, url: string): string {
  const found = outboundUrl(env, url)
  if (!found) throw invalid("url", "url must be an https URL of a public host, without user and password.")
  return found.href
}

/** Clears earlier failures, and takes the lease from a running consumer so that it stores nothing. */
const resetState = () => ({ failures: 0, failingSince: 0, pausedUntil: 0, lease: null, leaseUntil: -now() })

/** The records that limit a webhook, by the field that names them. */
const LIMITS = { courseId: courses, groupId: groups, portalId: portals } as const
type Limits = Partial<Record<keyof typeof LIMITS, number | null | undefined>>
const LIMIT_FIELDS = Object.keys(LIMITS) as (keyof typeof LIMITS)[]

/** The ids that differ from those that a webhook has: it keeps the id of a deleted record. */
const newLimits = (limits: Limits, before: Limits = {}) =>
  LIMIT_FIELDS.map((field) => {
    const id = limits[field]
    return { field, ids: id && id !== before[field] ? [id] : [] }
  })

type FoundIds = { id: number }[]

const selectLimits = (db: Database, limits: Limits) =>
  newLimits(limits).map(({ field, ids }) => existingRecords(db, LIMITS[field], ids))

/** @throws 422 for a course, group or portal that does not exist */
function requireLimits(found: FoundIds[], limits: Limits, before?: Limits) {
  for (const [at, { field, ids }] of newLimits(limits, before).entries()) requireExisting(field, ids, found[at] ?? [])
}

/** Creates a webhook for events from now on. The secret is returned only here. @throws 409, 422 */
export async function createWebhook(work: UnitOfWork, input: NewWebhook) {
  const { db, env } = work
  const row = { ...webhookFields.toInsert(input), url: requireCallableUrl(env, input.url) }
  const [ids, [found], ...foundLimits] = await work.read([
    work.nextIds("webhooks"),
    db.select({ count: rowCount(webhooks, sql`1`).as("count") }).from(SINGLE_ROW),
    ...selectLimits(db, row),
  ])
  requireLimits(foundLimits, row)
  if ((found?.count ?? 0) >= MAX_WEBHOOKS) throw tooMany()
  const id = firstRow(ids).last
  const secret = newSecret()
  const name = originOf(row.url)
  return work.commit(
    [
      work.guard(lt(rowCount(webhooks, sql`1`), MAX_WEBHOOKS)),
      insertFrom(
        db,
        webhooks,
        {
          ...row,
          id,
          secret: encrypt(env, secret),
          position: sql`coalesce(${newest}, 0)`,
          createdBy: userIdOf(work.caller),
          createdAt: now(),
        },
        sql`from ${SINGLE_ROW} where true`,
      ),
      work.audit("created", "webhook", { id, name }, { ...row, url: name }),
    ],
    { id, secret, message: "Webhook created." },
  )
}

/** @throws 404 */
export const getWebhook = (db: Database, id: number) =>
  readRecord(db, { table: webhooks, fields: webhookColumns.fields, subject: "webhook" }, id)

export const listWebhooks = (db: Database, query: PageQuery) =>
  readPage(
    db,
    {
      table: webhooks,
      key: webhooks.id,
      fields: webhookColumns.fields,
      sort: webhookColumns.sort,
      defaultSort: { colName: "id", direction: "asc" },
      scope: [],
      search: [],
    },
    query,
  )

/** A webhook, read by the first round trip of a change. @throws 404 */
async function readWebhook(work: UnitOfWork, id: number) {
  const [rows] = await work.read([work.db.select().from(webhooks).where(eq(webhooks.id, id))])
  return requireVersion(rows, "webhook")
}

/** Updates the provided fields. An enabled webhook continues where it stopped. @throws 404, 412, 422 */
export async function updateWebhook(work: UnitOfWork, id: number, changes: WebhookChanges, expectedVersion?: number) {
  const [rows, ...foundLimits] = await work.read([
    work.db.select().from(webhooks).where(eq(webhooks.id, id)),
    ...selectLimits(work.db, changes),
  ])
  const webhook = requireVersion(rows, "webhook", expectedVersion)
  requireLimits(foundLimits, changes, webhook)
  const url = changes.url === undefined ? webhook.url : requireCallableUrl(work.env, changes.url)
  const next = { ...webhookFields.toUpdate(webhook, changes), url }
  const { enabled } = next
  const isReset = enabled !== webhook.enabled || url !== webhook.url
  const answer = await updateRecord(work, {
    table: webhooks,
    record: webhook,
    next: { ...next, ...(isReset && { ...resetState(), offReason: "" }) },
    subject: "webhook",
    name: originOf(url),
    answer: { id, message: "Webhook updated." },
    details: { ...next, url: originOf(url), ...(url !== webhook.url && { address: "changed" }) },
  })
  if (enabled && isReset) await wakeWebhook(work.env, id)
  return answer
}

/** `originOf` as SQL: the URL starts with `http://` or `https://` and its path with a slash. */
const ORIGIN = sql`substr(${webhooks.url}, 1, 7 + instr(substr(${webhooks.url}, 9), '/'))`

/** Deletes webhooks; the cron deletes their deliveries. */
export const deleteWebhooks = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: webhooks, subject: "webhook", name: ORIGIN, ids })

/** Replaces the secret; the previous one remains valid for a day. @throws 404 */
export async function rotateSecret(work: UnitOfWork, id: number) {
  const webhook = await readWebhook(work, id)
  const secret = newSecret()
  return updateRecord(work, {
    table: webhooks,
    record: webhook,
    next: {
      secret: encrypt(work.env, secret),
      previousSecret: webhook.secret,
      previousUntil: now() + PREVIOUS_SECRET_LIFETIME,
    },
    subject: "webhook",
    name: originOf(webhook.url),
    answer: { id, secret, message: "Secret rotated. The previous secret remains valid for 24 hours." },
    details: { rotated: "secret" },
  })
}

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
  const eventIds = names.flatMap((name) => eventPosition(name) ?? [])
  const isSelected = sql`${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.eventId} in ${idList(eventIds)}`
  const [rows, deliveries] = await work.read([
    db.select().from(webhooks).where(eq(webhooks.id, id)),
    db.select({ eventId: webhookDeliveries.eventId }).from(webhookDeliveries).where(isSelected),
  ])
  const webhook = requireVersion(rows, "webhook")
  requireEnabled(webhook)
  const unknown = names.length - deliveries.length
  const resent = `${pluralize(deliveries.length, "event")} resent.`
  const answer = await work.commit(
    [
      since === undefined
        ? db.update(webhookDeliveries).set(dueNow()).where(isSelected)
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
