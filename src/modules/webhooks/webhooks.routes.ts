import { createdResponse, deletionBody, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { listDeliveries, redeliver, testWebhook } from "./deliveries.queries.ts"
import { webhookColumns } from "./webhook-fields.ts"
import {
  createWebhook,
  deleteWebhooks,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from "./webhooks.queries.ts"
import * as schemas from "./webhooks.schemas.ts"

export const webhooks = createApp()

const common = { tag: "Webhooks", access: "admin", extension: true } as const

webhooks.openapi(
  operation({
    ...common,
    operationId: "createWebhook",
    method: "post",
    path: "/api/webhook/create",
    summary: "Create a webhook",
    description: [
      "It receives the events of its types from now on, in the format of Standard Webhooks: " +
        "`webhook-id`, `webhook-timestamp`,",
      "`webhook-signature`, and the event as in the feed as body.",
      "The response contains the secret, which is shown only once.",
    ].join(" "),
    deletedScope: true,
    body: schemas.newWebhook,
    response: schemas.createdWebhook,
    errors: [409],
  }),
  async (c) => c.json(await createWebhook(c.var.work, c.req.valid("json")), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "listWebhooks",
    method: "get",
    path: "/api/webhook/tabularlist",
    summary: "List webhooks",
    query: schemas.webhookListQuery,
    response: schemas.webhookList,
  }),
  async (c) => c.json(listPage(c, await listWebhooks(c.var.db, c.req.valid("query")), webhookColumns.toRow), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "getWebhook",
    method: "get",
    path: "/api/webhook/{id}",
    summary: "Retrieve a webhook",
    record: true,
    response: schemas.webhook,
  }),
  async (c) => c.json(withEtag(c, await getWebhook(c.var.db, c.req.valid("param").id), webhookColumns.toRow), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "updateWebhook",
    method: "put",
    path: "/api/webhook/{id}",
    summary: "Update a webhook, or enable or disable it",
    description: "An enabled webhook continues where it stopped, as far as events are stored.",
    deletedScope: true,
    body: schemas.webhookChanges,
    response: createdResponse,
    errors: [409, 412],
  }),
  async (c) => {
    const { id } = c.req.valid("param")
    return c.json(await updateWebhook(c.var.work, id, c.req.valid("json"), expectedVersion(c)), 200)
  },
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "deleteWebhooks",
    method: "post",
    path: "/api/webhook/delete",
    summary: "Delete webhooks",
    body: deletionBody,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await deleteWebhooks(c.var.work, c.req.valid("json").delete_ids), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "testWebhook",
    method: "post",
    path: "/api/webhook/test",
    summary: "Send a webhook a test event",
    description: "Sends an event `webhook.test`, which is also added to the feed.",
    body: schemas.webhookRef,
    response: messageResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await testWebhook(c.var.work, c.req.valid("json").id), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "rotateWebhookSecret",
    method: "post",
    path: "/api/webhook/rotate",
    summary: "Rotate the secret of a webhook",
    description: "Both secrets are valid for 24 hours. The response contains the new secret, which is shown only once.",
    body: schemas.webhookRef,
    response: schemas.createdWebhook,
    errors: [404, 409],
  }),
  async (c) => c.json(await rotateSecret(c.var.work, c.req.valid("json").id), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "listWebhookDeliveries",
    method: "get",
    path: "/api/webhook/{id}/deliveries",
    summary: "List the deliveries of a webhook",
    description: "Newest event first, for as long as events are stored.",
    query: schemas.deliveryQuery,
    response: schemas.deliveries,
  }),
  async (c) => c.json(await listDeliveries(c.var.db, c.req.valid("param").id, c.req.valid("query")), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "redeliverEvents",
    method: "post",
    path: "/api/webhook/redeliver",
    summary: "Resend events to a webhook",
    description: "Resends selected events, or every event since a time, with their original ids.",
    body: schemas.redelivery,
    response: messageResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await redeliver(c.var.work, c.req.valid("json")), 200),
)
