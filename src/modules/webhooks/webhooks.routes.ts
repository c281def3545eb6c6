import { createdResponse, deletionBody, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { webhookColumns } from "./webhook-columns.ts"
import {
  createWebhook,
  deleteWebhooks,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateSecret,
  testWebhook,
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
      "It is sent the events of its types from now on, as Standard Webhooks has it: `webhook-id`, `webhook-timestamp`,",
      "`webhook-signature`, and as body the event that the feed has.",
      "The answer tells its secret, once.",
    ].join(" "),
    body: schemas.newWebhook,
    answer: schemas.createdWebhook,
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
    answer: schemas.webhookList,
  }),
  async (c) => c.json(listPage(c, await listWebhooks(c.var.db, c.req.valid("query")), webhookColumns.toRow), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "getWebhook",
    method: "get",
    path: "/api/webhook/{id}",
    summary: "Read a webhook",
    record: true,
    answer: schemas.webhook,
  }),
  async (c) => c.json(withEtag(c, await getWebhook(c.var.db, c.req.valid("param").id), webhookColumns.toRow), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "updateWebhook",
    method: "put",
    path: "/api/webhook/{id}",
    summary: "Change a webhook, or switch it off or on",
    description: "Switched on, it goes on where it stopped, as far as events are kept.",
    body: schemas.webhookChanges,
    answer: createdResponse,
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
    answer: messageResponse,
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
    description: "An event `webhook.test`, which the feed has too.",
    body: schemas.webhookRef,
    answer: messageResponse,
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
    summary: "Give a webhook another secret",
    description:
      "For a day both secrets sign, so that the receiver can change over. The answer tells the new one, once.",
    body: schemas.webhookRef,
    answer: schemas.createdWebhook,
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
    summary: "List what became of the events that a webhook was sent",
    description: "The newest event first, for as long as events are kept.",
    query: schemas.deliveryQuery,
    answer: schemas.deliveries,
  }),
  async (c) => c.json(await listDeliveries(c.var.db, c.req.valid("param").id, c.req.valid("query")), 200),
)

webhooks.openapi(
  operation({
    ...common,
    operationId: "redeliverEvents",
    method: "post",
    path: "/api/webhook/redeliver",
    summary: "Send a webhook events again",
    description: "Some that it was sent, or every event since a time, each with the id that it had.",
    body: schemas.redelivery,
    answer: messageResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await redeliver(c.var.work, c.req.valid("json")), 200),
)
