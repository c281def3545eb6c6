import { deletionBody, messageResponse } from "../../http/crud.ts"
import { errorAnswer } from "../../http/error-responses.ts"
import { createApp, operation } from "../../http/operation.ts"
import { readPageInput } from "../../http/page-input.ts"
import { limitBody } from "../../lib/web/body.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { forward, nearDatabase, primaryFor } from "../../middleware/forward.ts"
import { idempotencyKeyOf } from "../../middleware/idempotency.ts"
import { deviceColumns } from "./device-columns.ts"
import { listDevices, nearEpochOfDevice, refreshSession, signOutDevices } from "./devices.queries.ts"
import * as schemas from "./devices.schemas.ts"

export const devices = createApp()

const limit = limitBody(16_384, "The request body is too large.")

devices.post("/session/refresh", limit, async (c) => {
  const key = idempotencyKeyOf(c)
  const { refreshToken } = await readPageInput(c, schemas.refreshRequest, "the refresh token")
  if (primaryFor(c)) {
    const epoch = await nearEpochOfDevice(c.env, nearDatabase(c), refreshToken).catch(() => undefined)
    const forwarded = await forward(c, { epoch })
    if (forwarded) return forwarded.response
  }
  const { answer, replayed } = await refreshSession(c.var.work, refreshToken, key)
  return c.json(answer, 200, replayed ? { "idempotency-replayed": "true" } : {})
})

devices.openAPIRegistry.registerPath({
  method: "post",
  path: "/session/refresh",
  operationId: "refreshSession",
  summary: "Refresh a device's session",
  description: [
    "Returns an access token and a refresh token that replaces the one in the request.",
    "A refresh token is valid for 30 days and works once. Using it again ends the device with all its tokens.",
    "With an `Idempotency-Key`, a call whose response was lost can be repeated within ten minutes.",
    "The `Authorization` header is ignored.",
  ].join(" "),
  tags: ["Sessions"],
  security: [],
  request: { body: { required: true, content: { "application/json": { schema: schemas.refreshRequest } } } },
  responses: {
    200: { description: "The session", content: { "application/json": { schema: schemas.refreshedSession } } },
    ...Object.fromEntries(([400, 401, 413, 415, 422, 429] as const).map((status) => [status, errorAnswer(status)])),
  },
})

devices.openapi(
  operation({
    operationId: "listDevices",
    method: "get",
    path: "/api/session/tabularlist",
    summary: "List signed-in devices",
    description: "Sessions of twelve hours, which were opened without a `device`, are not listed.",
    tag: "Sessions",
    access: "general",
    signedIn: true,
    extension: true,
    query: schemas.devicesQuery,
    response: schemas.deviceList,
  }),
  async (c) => {
    const { work } = c.var
    const { found, uses } = await listDevices(work, c.req.valid("query"))
    const current = work.caller.kind === "user" ? work.caller.session?.id : undefined
    return c.json(
      listPage(c, found, (row) => deviceColumns.toRow(row, { uses, current })),
      200,
    )
  },
)

devices.openapi(
  operation({
    operationId: "signOutDevices",
    method: "post",
    path: "/api/session/delete",
    summary: "Sign out devices",
    description: "Administrators can also sign out devices of users that they can change.",
    tag: "Sessions",
    access: "general",
    signedIn: true,
    extension: true,
    body: deletionBody,
    response: messageResponse,
  }),
  async (c) => c.json(await signOutDevices(c.var.work, c.req.valid("json").delete_ids), 200),
)
