import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, setEtag } from "../../lib/web/etag.ts"
import {
  getNotificationTemplate,
  listNotificationTemplates,
  previewNotification,
  resetNotificationTemplate,
  sendTestMail,
  updateNotificationTemplate,
} from "./templates.queries.ts"
import * as schemas from "./templates.schemas.ts"

export const notificationTemplates = createApp()

const common = { tag: "Notifications", extension: true } as const

notificationTemplates.openapi(
  operation({
    ...common,
    operationId: "listNotificationTemplates",
    method: "get",
    path: "/api/notification-template/list",
    summary: "List the kinds of notifications with their variables and own texts",
    description: "`custom` names the academy's own texts. Where a kind has none, the built-in text applies.",
    access: "staff",
    response: schemas.templateList,
  }),
  async (c) => c.json(await listNotificationTemplates(c.var.db), 200),
)

notificationTemplates.openapi(
  operation({
    ...common,
    operationId: "getNotificationTemplate",
    method: "get",
    path: "/api/notification-template/{kind}",
    summary: "Read the text of a kind of notifications",
    description: "For a portal and a language. Without a text of its own, it is the one that applies.",
    access: "staff",
    record: true,
    params: schemas.kindParams,
    query: schemas.templateQuery,
    response: schemas.templateResponse,
  }),
  async (c) => {
    const { kind } = c.req.valid("param")
    const { version, ...answer } = await getNotificationTemplate(c.var.db, kind, c.req.valid("query"))
    setEtag(c, version, answer)
    return c.json(answer, 200)
  },
)

notificationTemplates.openapi(
  operation({
    ...common,
    operationId: "updateNotificationTemplate",
    method: "put",
    path: "/api/notification-template/{kind}",
    summary: "Change the text of a kind of notifications",
    description: "For a portal and a language. An unknown variable returns 422, which names the allowed ones.",
    access: "admin",
    params: schemas.kindParams,
    body: schemas.templateChanges,
    response: messageResponse,
    errors: [409, 412],
  }),
  async (c) => {
    const { kind } = c.req.valid("param")
    return c.json(await updateNotificationTemplate(c.var.work, kind, c.req.valid("json"), expectedVersion(c)), 200)
  },
)

notificationTemplates.openapi(
  operation({
    ...common,
    operationId: "resetNotificationTemplate",
    method: "post",
    path: "/api/notification-template/{kind}/reset",
    summary: "Delete the own text of a kind of notifications",
    description: "The text that applies without it is sent again.",
    access: "admin",
    params: schemas.kindParams,
    body: schemas.templateReset,
    response: messageResponse,
  }),
  async (c) => c.json(await resetNotificationTemplate(c.var.work, c.req.valid("param").kind, c.req.valid("json")), 200),
)

notificationTemplates.openapi(
  operation({
    ...common,
    operationId: "previewNotificationTemplate",
    method: "post",
    path: "/api/notification-template/{kind}/preview",
    summary: "Render the text of a kind of notifications for a person",
    description: "With sample values. It sends nothing. `subject` and `body` show a text before it is stored.",
    access: "staff",
    params: schemas.kindParams,
    body: schemas.templatePreview,
    response: schemas.previewResponse,
  }),
  async (c) => {
    const { kind } = c.req.valid("param")
    return c.json(await previewNotification(c.var.work, baseUrl(c), kind, c.req.valid("json")), 200)
  },
)

notificationTemplates.openapi(
  operation({
    ...common,
    operationId: "sendTestNotification",
    method: "post",
    path: "/api/notification-template/{kind}/test",
    summary: "Mail the text of a kind of notifications to the caller",
    description: "With sample values, at once, whatever the caller's preferences.",
    access: "staff",
    keys: "none",
    params: schemas.kindParams,
    body: schemas.templatePreview.omit({ userId: true }),
    response: messageResponse,
  }),
  async (c) => {
    const { kind } = c.req.valid("param")
    return c.json(await sendTestMail(c.var.work, baseUrl(c), kind, c.req.valid("json")), 200)
  },
)
