import { createApp, operation, operationId } from "../../http/operation.ts"
import { readFeed } from "./events.queries.ts"
import * as schemas from "./events.schemas.ts"

export const events = createApp()

/** Registers a part that every webhook shares. @returns a reference to it */
const shared = (kind: "parameters" | "responses", name: string, part: object) => {
  events.openAPIRegistry.registerComponent(kind, name, part as never)
  return { $ref: `#/components/${kind}/${name}` }
}

const header = (component: string, name: string, description: string) =>
  shared("parameters", component, { name, in: "header", required: true, description, schema: { type: "string" } })

const parameters = [
  header("WebhookId", "webhook-id", "The event's id: the same at each attempt"),
  header("WebhookTimestamp", "webhook-timestamp", "Unix seconds of this attempt"),
  header("WebhookSignature", "webhook-signature", "One or two signatures, as Standard Webhooks specifies"),
]
const responses = {
  "2XX": shared("responses", "WebhookReceived", { description: "The receiver has the event" }),
  410: shared("responses", "WebhookGone", { description: "The receiver wants no more: the webhook is disabled" }),
  default: shared("responses", "WebhookFailed", {
    description: "The event is sent again later, up to eight times over a day",
  }),
}

for (const { type, summary, schema } of schemas.webhookEvents)
  events.openAPIRegistry.registerWebhook({
    method: "post",
    path: type,
    operationId: operationId(`receive ${type.replace(/[._]/g, " ")}`),
    summary,
    tags: ["Webhooks"],
    parameters,
    request: { body: { content: { "application/json": { schema } }, required: true } },
    responses,
  })

events.openapi(
  operation({
    operationId: "listEvents",
    method: "get",
    path: "/api/events",
    summary: "List events",
    description:
      "Returns every event once, in order. Send the `cursor` of a response as `after` to continue, also if it has " +
      "no events: a filtered request scans a limited number of events. A cursor that is older than the stored " +
      "events, or from before a restore, returns 410.",
    tag: "Events",
    access: "admin",
    extension: true,
    deletedScope: true,
    query: schemas.eventQuery,
    response: schemas.eventFeed,
    errors: [410],
  }),
  async (c) => c.json(await readFeed(c.var.db, c.req.valid("query")), 200),
)
