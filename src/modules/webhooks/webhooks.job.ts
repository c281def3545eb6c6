import { type SQL, sql } from "drizzle-orm"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { runInSlices } from "../../db/slices.ts"
import { rowExists } from "../../db/sql.ts"
import { hasPendingEvents, idleWebhook, wakeWebhook } from "../../db/webhook-listeners.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import { newest, oldest } from "./events.queries.ts"
import { MAX_PENDING_LOOKUP, WebhookConsumer } from "./webhook-consumer.ts"

/** Sends the due events of a webhook for a limited time; if events remain, it wakes the webhook's queue again. */
export async function runWebhook(env: Bindings, webhookId: number): Promise<void> {
  await new WebhookConsumer(env, webhookId).run()
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
