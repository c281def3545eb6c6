import { waitUntil } from "cloudflare:workers"
import { type Placeholder, type SQLWrapper, sql } from "drizzle-orm"
import type { RunnableQuery } from "drizzle-orm/runnable-query"
import { TEST_EVENT } from "../../drizzle/events/index.ts"
import { events } from "../../drizzle/schema/events.ts"
import { groupMembers } from "../../drizzle/schema/groups.ts"
import { portalMembers } from "../../drizzle/schema/portals.ts"
import { webhooks } from "../../drizzle/schema/webhooks.ts"
import type { Bindings } from "../env.ts"
import { now } from "../lib/clock.ts"
import { prepared } from "./prepared.ts"
import { literal, rowExists } from "./sql.ts"

// Wakes the webhooks that have new events. A change writes nothing per webhook: its batch asks which webhooks have
// not received the latest events, and the Worker wakes those.

/** The number of latest events that are checked: more than one change writes for one record. */
const EVENTS_CHECKED = 20

/** The condition that a webhook is enabled, not paused, and not leased by a consumer. */
export const idleWebhook = (at: number | Placeholder = now()) =>
  sql`${webhooks.enabled} and ${webhooks.leaseUntil} <= ${at} and ${webhooks.pausedUntil} <= ${at}`

/** The columns of a webhook that select its events, as columns or as subqueries. */
type Selection = Record<"events" | "courseIds" | "groupIds" | "portalIds", SQLWrapper>

/** The condition that an event is of one of the types and patterns in a JSON array. Only one webhook gets a test. */
const hasEventType = (patterns: SQLWrapper) => sql`(${events.type} <> ${literal(TEST_EVENT)} and exists (
  select 1 from json_each(${patterns}) as pattern
  where pattern.value in ('*', ${events.type}, substr(${events.type}, 1, instr(${events.type}, '.')) || '*')
))`

const hasId = (id: SQLWrapper, ids: SQLWrapper) => sql`${id} in (select value from json_each(${ids}))`
const isEmpty = (ids: SQLWrapper) => sql`json_array_length(${ids}) = 0`

/** The condition that an event is of a group or portal itself, or of one of its current members. */
const isOfOrganization = (kind: "group" | "portal", ids: SQLWrapper) => {
  const [table, organizationId] =
    kind === "group" ? [groupMembers, groupMembers.groupId] : [portalMembers, portalMembers.portalId]
  return sql`(
    ${events.type} glob ${literal(`${kind}.*`)} and ${hasId(events.objectId, ids)}
    or ${rowExists(table, sql`${table.userId} = ${events.userId} and ${hasId(organizationId, ids)}`)}
  )`
}

/** The condition that a webhook receives an event. */
export const isSelected = ({ events: patterns, courseIds, groupIds, portalIds }: Selection) => sql`(
  ${hasEventType(patterns)}
  and (${isEmpty(courseIds)} or ${hasId(events.courseId, courseIds)})
  and (${isEmpty(groupIds)} or ${isOfOrganization("group", groupIds)})
  and (${isEmpty(portalIds)} or ${isOfOrganization("portal", portalIds)})
)`

/** The condition that one of the latest events is for a webhook and not sent yet. @param limit how many are checked */
export const hasPendingEvents = (limit: number) => sql`exists (
  select 1 from ${events}
  where ${events.id} > max(${webhooks.position}, (select id from ${events} order by id desc limit 1) - ${limit})
    and ${isSelected(webhooks)}
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
