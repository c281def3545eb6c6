import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { getModuleAccess, setModuleAccess } from "./module-access.queries.ts"
import * as schemas from "./module-access.schemas.ts"

export const moduleAccess = createApp()

const shared = {
  path: "/api/enrollment/module-access/{id}",
  tag: "Courses",
  access: "group_admin",
  extension: true,
} as const

moduleAccess.openapi(
  operation({
    ...shared,
    operationId: "getModuleAccess",
    method: "get",
    summary: "Get when the modules of an enrollment open",
    record: true,
    response: schemas.moduleAccess,
  }),
  async (c) => c.json(await getModuleAccess(c.var.db, c.var.caller, c.req.valid("param").id), 200),
)

moduleAccess.openapi(
  operation({
    ...shared,
    operationId: "updateModuleAccess",
    method: "put",
    summary: "Set when the modules of an enrollment open",
    description: "Replaces the dates of the course for this learner. Modules that are not named keep their date.",
    body: schemas.moduleAccessChanges,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await setModuleAccess(c.var.work, c.req.valid("param").id, c.req.valid("json")), 200),
)
