import { waitUntil } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { events } from "../../drizzle/schema/events.ts"
import { webhooks } from "../../drizzle/schema/webhooks.ts"
import type { Bindings } from "../env.ts"
import { now } from "../lib/clock.ts"
import type { Database } from "./client.ts"

// Whom a change has something to tell. The change writes nothing for a receiver: it asks, in the batch that wrote its
// events, which webhooks have any of the last ones before them, and wakes those.

/** How many of the last events are looked at: more than one change writes for one record. */
const LOOKED_AT = 20

/** The condition that a webhook is switched on, rests from nothing, and is in nobody's hands. */
export const idleWebhook = () =>
  sql`${webhooks.enabled} and ${webhooks.leaseUntil} <= ${now()} and ${webhooks.restsUntil} <= ${now()}`

/** The condition that one of the last events is for a webhook, and before it. @param most how many are looked at */
export const hasPendingEvents = (most: number) => sql`exists (
  select 1 from ${events}
  where ${events.id} > max(${webhooks.position}, (select id from ${events} order by id desc limit 1) - ${most})
    and ${events.type} in (select value from json_each(${webhooks.events}))
)`

/** The webhooks that have one of the last events to be sent, as a statement of the batch that wrote them. */
export const listeningWebhooks = (db: Database) =>
  db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(sql`${idleWebhook()} and ${hasPendingEvents(LOOKED_AT)}`)

/** Wakes the consumer of each, beside the answer. Should it be lost, the cron wakes it. Never throws. */
export const wakeWebhooks = (env: Bindings, found: readonly { id: number }[]) => {
  if (found.length > 0) waitUntil(Promise.all(found.map(({ id }) => wakeWebhook(env, id))))
}

/** Wakes the lane of a webhook. Should it be out of reach, the cron wakes it. Never throws. */
export async function wakeWebhook(env: Bindings, webhookId: number): Promise<void> {
  try {
    await env.WEBHOOKS.get(env.WEBHOOKS.idFromName(String(webhookId))).wake(webhookId)
  } catch (error) {
    console.error(JSON.stringify({ event: "webhook not woken", webhookId, error: String(error) }))
  }
}
