import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { sendMessage } from "./messages.queries.ts"
import * as schemas from "./messages.schemas.ts"

export const messages = createApp()

messages.openapi(
  operation({
    operationId: "sendMessage",
    method: "post",
    path: "/api/notifications/message",
    summary: "Send a message to people",
    description: [
      "Each gets it in the list of notifications, by mail, or in the daily digest, as they chose for the kind message.",
      "Supervisors can message their people. Disabled people get nothing.",
    ].join(" "),
    tag: "Notifications",
    access: "group_admin",
    extension: true,
    body: schemas.message,
    response: schemas.messageSent,
    errors: [404, 409],
  }),
  async (c) => c.json(await sendMessage(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)
