import { z } from "@hono/zod-openapi"
import { EVENT_TYPES } from "../../../drizzle/schema/event-definitions.ts"
import { DELIVERY_STATUSES } from "../../../drizzle/schema/webhooks.ts"
import { createdResponse } from "../../http/crud.ts"
import {
  boolean,
  choice,
  id,
  integer,
  keepIfNone,
  keepIfNull,
  list,
  nonEmpty,
  optional,
  requiredText,
  text,
  time,
  withDefault,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { webhookColumns } from "./webhook-columns.ts"

const url = () =>
  requiredText(2000).openapi({
    type: "string",
    format: "uri",
    maxLength: 2000,
    example: "https://hooks.example.org/lectern",
    description: "HTTPS, at a public host",
  })

const types = () =>
  nonEmpty(list(choice(EVENT_TYPES), EVENT_TYPES.length).transform((given) => [...new Set(given)])).openapi({
    type: "array",
    items: { type: "string", enum: [...EVENT_TYPES] },
    minItems: 1,
    description: "The types of events that it is sent",
  })

/** How many deliveries of a webhook may be under way at once. */
const MAX_CONCURRENCY = 8

const concurrency = () =>
  integer(1, MAX_CONCURRENCY).openapi({
    type: "integer",
    minimum: 1,
    maximum: MAX_CONCURRENCY,
    description: "How many events are sent at once. Above 1, events may arrive out of order",
  })

export const newWebhook = z
  .object({
    url: url(),
    events: types(),
    description: optional(text(500)),
    concurrency: withDefault(concurrency(), 1),
  })
  .openapi("NewWebhook")
export type NewWebhook = z.output<typeof newWebhook>

export const webhookChanges = z
  .object({
    url: keepIfNull(url()),
    events: keepIfNone(types()),
    description: keepIfNull(text(500)),
    concurrency: keepIfNone(concurrency()),
    enabled: keepIfNone(boolean()).openapi({ description: "true: it goes on where it stopped" }),
  })
  .openapi("WebhookChanges")
export type WebhookChanges = z.output<typeof webhookChanges>

const secret = z.string().openapi({
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  description: "Verifies what is sent. It is told once",
})
export const createdWebhook = createdResponse.extend({ secret }).openapi("CreatedWebhook")

export const webhook = webhookColumns.row.openapi("Webhook")
export const webhookListQuery = listQuery(Object.keys(webhookColumns.sort), {})
export const webhookList = listResponse(webhookColumns.row.openapi("WebhookRow"))

export const webhookRef = z.object({ id: id() })

/** The most deliveries of an answer, and of a call that asks for them again. */
const MOST = 500

const eventId = () => text(60).openapi({ type: "string", example: "evt_42_mie3k7xq" })

export const redelivery = z
  .object({
    id: id(),
    event_ids: optional(list(eventId(), MOST)).openapi({
      type: "array",
      items: { type: "string" },
      maxItems: MOST,
      description: "Events whose deliveries the webhook's list has",
    }),
    since: optional(time()).openapi({ type: "string", format: "date-time", description: "Every event since then" }),
  })
  .refine(({ event_ids, since }) => (event_ids === undefined) !== (since === undefined), {
    path: ["event_ids"],
    error: "event_ids or since is required, and not both",
  })
  .openapi("Redelivery", { example: { id: 1, since: "2026-01-05T12:00:00.000Z" } })
export type Redelivery = z.output<typeof redelivery>

export const deliveryQuery = z.object({
  before: optional(text(100)).openapi({
    type: "string",
    description: "The cursor of the answer before; without it the newest come first",
    param: { required: false },
  }),
  status: optional(choice(DELIVERY_STATUSES)).openapi({
    type: "string",
    enum: [...DELIVERY_STATUSES],
    param: { required: false },
  }),
  page_size: withDefault(integer(1, MOST), 100).openapi({
    type: "integer",
    minimum: 1,
    maximum: MOST,
    default: 100,
    param: { required: false },
  }),
})
export type DeliveryQuery = z.output<typeof deliveryQuery>

const moment = () => z.string().nullable().openapi({ format: "date-time" })

export const deliveries = z.object({
  deliveries: z.array(
    z
      .object({
        eventId: z.string(),
        type: z.string(),
        occurredAt: z.string().openapi({ format: "date-time" }),
        status: z.enum(DELIVERY_STATUSES).openapi({
          description: "waiting: its next attempt is to come; failed: it has had all of them",
        }),
        attempts: z.number().int(),
        lastAttemptAt: moment(),
        nextAttemptAt: moment(),
        answerStatus: z.number().int().nullable().openapi({ description: "null: there was no answer" }),
        answer: z.string().openapi({ description: "Its first 500 bytes" }),
        error: z.string().openapi({ description: "Why there was no answer; else empty" }),
      })
      .openapi("WebhookDelivery"),
  ),
  cursor: z.string().nullable().openapi({ description: "What to send as `before` next; null: these are the last" }),
})
