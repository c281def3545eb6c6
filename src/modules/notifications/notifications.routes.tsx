import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { ApiError } from "../../lib/errors.ts"
import { errorResponse } from "../../lib/web/answers.ts"
import { isForm, limitBody } from "../../lib/web/body.ts"
import { renderPage } from "../../pages/page.tsx"
import { PasswordNotice } from "../../pages/set-password.page.tsx"
import { UnsubscribePage } from "../../pages/unsubscribe.page.tsx"
import { listNotifications, markAllRead, markRead } from "./notifications.queries.ts"
import * as schemas from "./notifications.schemas.ts"
import { getPreferences, readUnsubscription, unsubscribe, updatePreferences } from "./preferences.queries.ts"

export const notifications = createApp()

const own = { tag: "Notifications", access: "general", signedIn: true, keys: "none", extension: true } as const

notifications.openapi(
  operation({
    ...own,
    operationId: "listNotifications",
    method: "get",
    path: "/api/notifications",
    summary: "List the caller's notifications",
    description: "Unread first, then the latest. They are deleted after 90 days.",
    query: schemas.listQuery,
    response: schemas.notificationList,
  }),
  async (c) => c.json(await listNotifications(c.var.work, c.req.valid("query")), 200),
)

notifications.openapi(
  operation({
    ...own,
    operationId: "markNotificationsRead",
    method: "post",
    path: "/api/notifications/read",
    summary: "Mark notifications of the caller as read",
    description: "Those of other people, and those that were read before, stay as they are.",
    body: schemas.readBody,
    response: messageResponse,
  }),
  async (c) => c.json(await markRead(c.var.work, c.req.valid("json").ids), 200),
)

notifications.openapi(
  operation({
    ...own,
    operationId: "markAllNotificationsRead",
    method: "post",
    path: "/api/notifications/read-all",
    summary: "Mark all notifications of the caller as read",
    description: "At most the latest 1,000 at a time.",
    response: messageResponse,
  }),
  async (c) => c.json(await markAllRead(c.var.work), 200),
)

notifications.openapi(
  operation({
    ...own,
    operationId: "getNotificationPreferences",
    method: "get",
    path: "/api/notification-preferences",
    summary: "Read how the caller is notified",
    description: "One entry for each kind. Emails about the account and its security are always sent.",
    response: schemas.preferenceList,
  }),
  async (c) => c.json(await getPreferences(c.var.work), 200),
)

notifications.openapi(
  operation({
    ...own,
    operationId: "updateNotificationPreferences",
    method: "put",
    path: "/api/notification-preferences",
    summary: "Change how the caller is notified",
    description: "Kinds and fields that are not given stay as they are.",
    body: schemas.preferenceChanges,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await updatePreferences(c.var.work, c.req.valid("json")), 200),
)

const PATH = "/unsubscribe"
const limit = limitBody(16_384, "The request body is too large.")

/** Opening the link shows a form and changes nothing: mail scanners open links too. */
notifications.get(PATH, (c) => {
  const token = c.req.query("token") ?? ""
  const { kind } = readUnsubscription(c.var.work, token)
  return renderPage(c, <UnsubscribePage token={token} kind={kind} />)
})

/** One click of a mail client (RFC 8058), or the form. The token is in the URL. */
notifications.post(PATH, limit, async (c) => {
  const { academy } = await unsubscribe(c.var.work, c.req.query("token") ?? "")
  return renderPage(c, <PasswordNotice title="unsubscribe.done" text="unsubscribe.done-text" />, 200, { academy })
})

notifications.onError((error, c) => {
  const isAtPage = c.req.path === PATH && (c.req.method === "GET" || isForm(c))
  if (!(error instanceof ApiError) || !isAtPage) return errorResponse(c, error)
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  return renderPage(c, <PasswordNotice title="error" text={error} />, error.status)
})
