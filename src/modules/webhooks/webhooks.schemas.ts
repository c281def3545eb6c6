import { z } from "@hono/zod-openapi"
import { DELIVERY_STATUSES } from "../../../drizzle/schema/webhooks.ts"
import { createdResponse } from "../../http/crud.ts"
import { choice, id, integer, list, optional, text, time, withDefault } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { webhookColumns, webhookFields } from "./webhook-fields.ts"

export const newWebhook = z.object(webhookFields.create).openapi("NewWebhook")
export type NewWebhook = z.output<typeof newWebhook>

export const webhookChanges = z.object(webhookFields.change).openapi("WebhookChanges")
export type WebhookChanges = z.output<typeof webhookChanges>

const secret = z.string().openapi({
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  description: "Verifies the signature of events. Shown only once",
})
export const createdWebhook = createdResponse.extend({ secret }).openapi("CreatedWebhook")

export const webhook = webhookColumns.row.openapi("Webhook")
export const webhookListQuery = listQuery(Object.keys(webhookColumns.sort), {})
export const webhookList = listResponse(webhookColumns.row.openapi("WebhookRow"))

export const webhookRef = z.object({ id: id() })

/** The maximum number of deliveries in a response, and in a request to resend. */
const MAX_DELIVERIES = 500

const eventId = () => text(60).openapi({ type: "string", example: "evt_42_mie3k7xq" })

export const redelivery = z
  .object({
    id: id(),
    event_ids: optional(list(eventId(), MAX_DELIVERIES)).openapi({
      type: "array",
      items: { type: "string" },
      maxItems: MAX_DELIVERIES,
      description: "The ids of events from the list of deliveries",
    }),
    since: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "Resends every event since then",
    }),
  })
  .refine(({ event_ids, since }) => (event_ids === undefined) !== (since === undefined), {
    path: ["event_ids"],
    error: "Send either event_ids or since",
  })
  .openapi("Redelivery", { example: { id: 1, since: "2026-01-05T12:00:00.000Z" } })
export type Redelivery = z.output<typeof redelivery>

export const deliveryQuery = z.object({
  before: optional(text(100)).openapi({
    type: "string",
    description: "The cursor of the previous response; defaults to the newest deliveries",
    param: { required: false },
  }),
  status: optional(choice(DELIVERY_STATUSES)).openapi({
    type: "string",
    enum: [...DELIVERY_STATUSES],
    param: { required: false },
  }),
  page_size: withDefault(integer(1, MAX_DELIVERIES), 100).openapi({
    type: "integer",
    minimum: 1,
    maximum: MAX_DELIVERIES,
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
          description: "waiting: the next attempt is pending; failed: all attempts failed",
        }),
        attempts: z.number().int(),
        lastAttemptAt: moment(),
        nextAttemptAt: moment(),
        answerStatus: z.number().int().nullable().openapi({ description: "null: there was no response" }),
        answer: z.string().openapi({ description: "The first 500 bytes of the response" }),
        error: z.string().openapi({ description: "Why there was no response; otherwise empty" }),
      })
      .openapi("WebhookDelivery"),
  ),
  cursor: z
    .string()
    .nullable()
    .openapi({ description: "The value of `before` for the next page; null on the last page" }),
})
