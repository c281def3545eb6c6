import { randomBytes } from "node:crypto"
import { desc, eq, lt, type SQL, sql } from "drizzle-orm"
import { events, TEST_EVENT } from "../../../drizzle/schema/events.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { deleteRecords, readOne, requireVersion, updateRecord } from "../../db/records.ts"
import { idList, rowCount, SINGLE_ROW } from "../../db/sql.ts"
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
import { eventName, eventPlace, newest, oldest, WALKED } from "./events.queries.ts"
import { webhookColumns } from "./webhook-columns.ts"
import type { DeliveryQuery, NewWebhook, Redelivery, WebhookChanges } from "./webhooks.schemas.ts"

/** How many there may be: each is looked at by every change. */
const MOST_WEBHOOKS = 50
/** How long the secret before signs as well. */
const BOTH_SIGN_FOR = DAY

/** A secret as Standard Webhooks has it: 32 random bytes. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`

const tooMany = () =>
  conflict("too_many_webhooks", `There may be ${MOST_WEBHOOKS} webhooks, and there are. Delete one first.`)

/** @throws 422 for an address that may not be called */
function callable(env: Bindings, url: string): string {
  const found = outboundUrl(env, url)
  if (!found) throw invalid("url", "url must be an https address of a public host, without a user or a password.")
  return found.href
}

/** Nothing of an earlier failure holds it up, and no consumer that is at work writes what it did. */
const startedAnew = () => ({ failures: 0, failingSince: 0, restsUntil: 0, lease: null, leaseUntil: -now() })

/** It is told what happens from now on. The secret is in this answer and in no other. @throws 409, 422 */
export async function createWebhook(
  work: UnitOfWork,
  { url: given, events: types, description = "", concurrency }: NewWebhook,
) {
  const { db, env } = work
  const url = callable(env, given)
  const [ids, [found]] = await work.read([
    work.nextIds("webhooks"),
    db.select({ count: rowCount(webhooks, sql`1`).as("count") }).from(SINGLE_ROW),
  ])
  if ((found?.count ?? 0) >= MOST_WEBHOOKS) throw tooMany()
  const id = firstRow(ids).last
  const secret = newSecret()
  return work.commit(
    [
      work.guard(lt(rowCount(webhooks, sql`1`), MOST_WEBHOOKS)),
      insertFrom(
        db,
        webhooks,
        {
          id,
          url,
          events: types,
          description,
          concurrency,
          secret: encrypt(env, secret),
          position: sql`coalesce(${newest}, 0)`,
          createdBy: userIdOf(work.caller),
          createdAt: now(),
        },
        sql`from ${SINGLE_ROW} where true`,
      ),
      work.audit(
        "created",
        "webhook",
        { id, name: originOf(url) },
        { url: originOf(url), events: types, description, concurrency },
      ),
    ],
    { id, secret, message: "Webhook created." },
  )
}

/** @throws 404 */
export const getWebhook = (db: Database, id: number) =>
  readOne(db, { table: webhooks, fields: webhookColumns.fields, subject: "webhook" }, id)

/** One page of webhooks. */
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

/** A webhook as the mutation's first trip found it. @throws 404, 412 */
async function found(work: UnitOfWork, id: number, demanded?: number) {
  const [rows] = await work.read([work.db.select().from(webhooks).where(eq(webhooks.id, id))])
  return requireVersion(rows, "webhook", demanded)
}

/** Changes the given fields and leaves the others. Switched on, it goes on where it stopped. @throws 404, 412, 422 */
export async function updateWebhook(work: UnitOfWork, id: number, changes: WebhookChanges, demanded?: number) {
  const webhook = await found(work, id, demanded)
  const url = changes.url === undefined ? webhook.url : callable(work.env, changes.url)
  const { events: types = webhook.events, description = webhook.description } = changes
  const { concurrency = webhook.concurrency, enabled = webhook.enabled } = changes
  const told = { url, events: types, description, concurrency, enabled }
  const anew = enabled !== webhook.enabled || url !== webhook.url
  const answer = await updateRecord(work, {
    table: webhooks,
    record: webhook,
    next: { ...told, ...(anew && { ...startedAnew(), offReason: "" }) },
    subject: "webhook",
    name: originOf(url),
    answer: { id, message: "Webhook updated." },
    details: { ...told, url: originOf(url), ...(url !== webhook.url && { address: "changed" }) },
  })
  if (enabled && anew) await wakeWebhook(work.env, id)
  return answer
}

/** `originOf` a webhook's address: it begins with `http://` or `https://`, and its path with a slash. */
const ORIGIN = sql`substr(${webhooks.url}, 1, 7 + instr(substr(${webhooks.url}, 9), '/'))`

/** Their deliveries are forgotten by the cron. */
export const deleteWebhooks = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: webhooks, subject: "webhook", name: ORIGIN, ids })

/** Gives it another secret; for a day the one before signs too. @throws 404 */
export async function rotateSecret(work: UnitOfWork, id: number) {
  const webhook = await found(work, id)
  const secret = newSecret()
  return updateRecord(work, {
    table: webhooks,
    record: webhook,
    next: {
      secret: encrypt(work.env, secret),
      previousSecret: webhook.secret,
      previousUntil: now() + BOTH_SIGN_FOR,
    },
    subject: "webhook",
    name: originOf(webhook.url),
    answer: { id, secret, message: "Secret rotated. For a day, the one before signs too." },
    details: { rotated: "secret" },
  })
}

/** A delivery that is due at once. */
const due = () => ({ status: "waiting" as const, attempts: 0, nextAt: now() })

/** @throws 409 for one that is switched off */
function requireOn({ enabled }: { enabled: boolean }) {
  if (!enabled) throw conflict("webhook_disabled", "This webhook is switched off. Switch it on first.")
}

/** Sends it an event that is for nobody else. @throws 404, 409 */
export async function testWebhook(work: UnitOfWork, id: number) {
  const { db } = work
  const webhook = await found(work, id)
  requireOn(webhook)
  const answer = await work.commit(
    [
      insertFrom(
        db,
        events,
        {
          type: TEST_EVENT,
          occurredAt: sql`max(${now()}, coalesce((select occurred_at from ${events} order by id desc limit 1), 0))`,
          data: { webhook: { id, url: originOf(webhook.url) } },
        },
        sql`from ${SINGLE_ROW} where true`,
      ),
      insertFrom(
        db,
        webhookDeliveries,
        { webhookId: id, eventId: newest, ...due() },
        sql`from ${SINGLE_ROW} where true`,
      ),
      // Whatever it rests from.
      db.update(webhooks).set({ restsUntil: 0 }).where(eq(webhooks.id, id)),
      work.audit("updated", "webhook", { id, name: originOf(webhook.url) }, { sent: "test" }),
    ],
    { message: "A test event is on its way. The webhook's deliveries tell what became of it." },
  )
  await wakeWebhook(work.env, id)
  return answer
}

/**
 * The place before the first event since a time. Events are in the order of their times, so that halving the feed finds
 * it: as many reads as a number of events has binary digits.
 */
const placeBefore = (since: number): SQL => {
  const middle = sql`(low + high) / 2`
  const isBefore = sql`(select ${events.occurredAt} from ${events} where ${events.id} = ${middle}) < ${since}`
  return sql`(
    with recursive halved(low, high) as (
      select coalesce(${oldest}, 1), coalesce(${newest}, 0) + 1
      union all
      select iif(${isBefore}, ${middle} + 1, low), iif(${isBefore}, high, ${middle}) from halved where low < high
    )
    select low - 1 from halved where low >= high
  )`
}

/** Sends events again: some that were sent, or all since a time. @throws 404, 409 */
export async function redeliver(work: UnitOfWork, { id, event_ids: names = [], since }: Redelivery) {
  const { db } = work
  const places = names.flatMap((name) => eventPlace(name) ?? [])
  const these = sql`${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.eventId} in ${idList(places)}`
  const [rows, there] = await work.read([
    db.select().from(webhooks).where(eq(webhooks.id, id)),
    db.select({ eventId: webhookDeliveries.eventId }).from(webhookDeliveries).where(these),
  ])
  const webhook = requireVersion(rows, "webhook")
  requireOn(webhook)
  const unknown = names.length - there.length
  const again = `${pluralize(there.length, "event")} sent again.`
  const answer = await work.commit(
    [
      since === undefined
        ? db.update(webhookDeliveries).set(due()).where(these)
        : db
            .update(webhooks)
            .set({ position: sql`min(${webhooks.position}, ${placeBefore(since)})` })
            .where(eq(webhooks.id, id)),
      db.update(webhooks).set(startedAnew()).where(eq(webhooks.id, id)),
      work.audit(
        "updated",
        "webhook",
        { id, name: originOf(webhook.url) },
        since === undefined ? { sent: places } : { since },
      ),
    ],
    {
      message:
        since === undefined
          ? `${again}${unknown > 0 ? ` ${pluralize(unknown, "id")} unknown.` : ""}`
          : `Every event since ${new Date(since).toISOString()} is sent again.`,
    },
  )
  await wakeWebhook(work.env, id)
  return answer
}

const toCursor = (place: number) => Buffer.from(`before ${place}`).toString("base64url")

function placeOf(cursor: string): number {
  const [, place] = /^before (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  if (place === undefined) throw invalid("before", "before is not a cursor that this list gave out.")
  return Number(place)
}

const momentOf = (at: number) => (at > 0 ? new Date(at).toISOString() : null)

/** What became of a webhook's events, the newest first. No more than 5,000 are looked at. @throws 404 */
export async function listDeliveries(db: Database, id: number, { before, status, page_size: size }: DeliveryQuery) {
  const from = before === undefined ? Number.MAX_SAFE_INTEGER : placeOf(before)
  const walked = sql`(
    select ${webhookDeliveries.eventId} as event_id from ${webhookDeliveries}
    where ${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.eventId} < ${from}
    order by ${webhookDeliveries.eventId} desc
    limit ${status ? WALKED : size}
  )`
  const [known, rows, [last]] = await db.batch([
    db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, id)),
    db
      .select({ delivery: webhookDeliveries, type: events.type, occurredAt: events.occurredAt })
      .from(webhookDeliveries)
      .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
      .where(
        sql`${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.eventId} < ${from}
          and ${webhookDeliveries.eventId} >= (select min(event_id) from ${walked})
          and ${status ? eq(webhookDeliveries.status, status) : sql`1`}`,
      )
      .orderBy(desc(webhookDeliveries.eventId))
      .limit(size),
    db
      .select({ place: sql<number>`min(event_id)`.as("place"), walked: sql<number>`count(*)`.as("walked") })
      .from(walked),
  ])
  if (known.length === 0) throw notFound("webhook")
  const full = rows.length === size
  const more = full || (last?.walked ?? 0) === (status ? WALKED : size)
  const place = full ? (rows.at(-1)?.delivery.eventId ?? 0) : (last?.place ?? 0)
  return {
    deliveries: rows.map(({ delivery, type, occurredAt }) => ({
      eventId: eventName({ id: delivery.eventId, occurredAt }),
      type,
      occurredAt: new Date(occurredAt).toISOString(),
      status: delivery.status,
      attempts: delivery.attempts,
      lastAttemptAt: momentOf(delivery.lastAt),
      nextAttemptAt: delivery.status === "waiting" ? momentOf(delivery.nextAt) : null,
      answerStatus: delivery.answerStatus,
      answer: delivery.answer,
      error: delivery.error,
    })),
    cursor: more ? toCursor(place) : null,
  }
}
