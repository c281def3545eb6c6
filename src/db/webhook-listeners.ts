import { waitUntil } from "cloudflare:workers"
import { type Placeholder, sql } from "drizzle-orm"
import type { RunnableQuery } from "drizzle-orm/runnable-query"
import { events } from "../../drizzle/schema/events.ts"
import { webhooks } from "../../drizzle/schema/webhooks.ts"
import type { Bindings } from "../env.ts"
import { now } from "../lib/clock.ts"
import { isEventFor } from "./event-filters.ts"
import { prepared } from "./prepared.ts"

// Wakes the webhooks that have new events. A change writes nothing per webhook: its batch asks which webhooks have
// not received the latest events, and the Worker wakes those.

/** The number of latest events that are checked: more than one change writes for one record. */
const EVENTS_CHECKED = 20

/** The condition that a webhook is enabled, not paused, and not leased by a consumer. */
export const idleWebhook = (at: number | Placeholder = now()) =>
  sql`${webhooks.enabled} and ${webhooks.leaseUntil} <= ${at} and ${webhooks.pausedUntil} <= ${at}`

/** The condition that one of the latest events is for a webhook and not sent yet. @param limit how many are checked */
export const hasPendingEvents = (limit: number) => sql`exists (
  select 1 from ${events}
  where ${events.id} > max(${webhooks.position}, (select id from ${events} order by id desc limit 1) - ${limit})
    and ${isEventFor(webhooks)}
)`

const selectListening = prepared<"now", RunnableQuery<{ id: number }[], "sqlite">>((db) =>
  db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(sql`${idleWebhook(sql.placeholder("now"))} and ${hasPendingEvents(EVENTS_CHECKED)}`),
)

/** The webhooks with pending events, as a statement for the batch that wrote the events. */
export const listeningWebhooks = () => selectListening({ now: now() })

/** Wakes the webhooks in the background. If that fails, the cron wakes them. Never throws. */
export const wakeWebhooks = (env: Bindings, webhookRows: readonly { id: number }[]) => {
  if (webhookRows.length > 0) waitUntil(Promise.all(webhookRows.map(({ id }) => wakeWebhook(env, id))))
}

/** Wakes a webhook's Durable Object. If it is unreachable, the cron wakes the webhook later. Never throws. */
export async function wakeWebhook(env: Bindings, webhookId: number): Promise<void> {
  try {
    await env.WEBHOOKS.get(env.WEBHOOKS.idFromName(String(webhookId))).wake(webhookId)
  } catch (error) {
    console.error(JSON.stringify({ event: "webhook not woken", webhookId, error: String(error) }))
  }
}
