import { z } from "@hono/zod-openapi"
import { createApp, operation, operationId } from "../../http/operation.ts"
import { readFeed } from "./events.queries.ts"
import * as schemas from "./events.schemas.ts"

export const events = createApp()

const header = (description: string) => z.string().openapi({ description })

for (const { type, summary, schema } of schemas.webhookEvents)
  events.openAPIRegistry.registerWebhook({
    method: "post",
    path: type,
    operationId: operationId(`receive ${type.replace(/[._]/g, " ")}`),
    summary,
    tags: ["Webhooks"],
    request: {
      headers: z.object({
        "webhook-id": header("The event's id: the same at each attempt"),
        "webhook-timestamp": header("Unix seconds of this attempt"),
        "webhook-signature": header("One or two signatures, as Standard Webhooks has them"),
      }),
      body: { content: { "application/json": { schema } }, required: true },
    },
    responses: {
      "2XX": { description: "The receiver has the event" },
      410: { description: "The receiver wants no more: the webhook is switched off" },
      default: { description: "The event is sent again later, up to eight times over a day" },
    },
  })

events.openapi(
  operation({
    operationId: "listEvents",
    method: "get",
    path: "/api/events",
    summary: "Read what happened",
    description: [
      "Every event in order, each once: ask again with the answer's `cursor` as `after`.",
      "An answer without events may still have a new cursor: of few types, it tells how far was looked.",
      "Events are kept for 30 days; a cursor from before that is answered with 410.",
    ].join(" "),
    tag: "Events",
    access: "admin",
    extension: true,
    query: schemas.eventQuery,
    answer: schemas.eventFeed,
    errors: [410],
  }),
  async (c) => c.json(await readFeed(c.var.db, c.req.valid("query")), 200),
)
