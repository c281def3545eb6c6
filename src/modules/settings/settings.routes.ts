import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { readSettings, toSettings, updateSettings } from "./settings.queries.ts"
import * as schemas from "./settings.schemas.ts"

export const settings = createApp()

settings.openapi(
  operation({
    operationId: "getSettings",
    method: "get",
    path: "/api/settings",
    summary: "Read the settings of the academy",
    description: "null: the environment variable or the default applies; `effective` has its value.",
    tag: "Settings",
    access: "staff",
    extension: true,
    record: true,
    response: schemas.settingsResponse,
  }),
  async (c) =>
    c.json(
      withEtag(c, await readSettings(c.var.db), (row) => toSettings(c.env, row)),
      200,
    ),
)

settings.openapi(
  operation({
    operationId: "updateSettings",
    method: "put",
    path: "/api/settings",
    summary: "Change the settings of the academy",
    description: "Settings that are not given stay as they are; null clears one. Mails use them at once.",
    tag: "Settings",
    access: "admin",
    extension: true,
    body: schemas.settingsChanges,
    response: messageResponse,
    errors: [409, 412],
  }),
  async (c) => c.json(await updateSettings(c.var.work, c.req.valid("json"), expectedVersion(c)), 200),
)
