import { createdResponse, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { moduleColumns, moduleDetailColumns } from "./module-columns.ts"
import { getModule, listModules, updateModule } from "./modules.queries.ts"
import { MODULE_ACCESS_NOTE, toModule } from "./modules.routes.ts"
import * as schemas from "./modules.schemas.ts"
import { createScormModule, replacePackage } from "./scorm-packages.queries.ts"

/** The package plus the overhead of the form. */
const UPLOAD_BYTES = 27_000_000
const PACKAGE = [
  "A multipart form with a SCORM 1.2 or 2004 package as a zip file: up to 25 MB, 900 files and 250 MB unpacked. The",
  "first launchable item is launched.",
].join(" ")

export const scormModules = createApp()

const toScorm = toModule(moduleDetailColumns.scorm)

scormModules.openapi(
  operation({
    operationId: "createScormModule",
    method: "post",
    path: "/api/modules/scorm",
    summary: "Create a SCORM module",
    tag: "Modules",
    access: "staff",
    extension: true,
    description: PACKAGE,
    upload: schemas.newScorm,
    maxBytes: UPLOAD_BYTES,
    response: createdResponse,
  }),
  async (c) => c.json(await createScormModule(c.var.work, c.req.valid("form")), 200),
)

scormModules.openapi(
  operation({
    operationId: "replaceScormPackage",
    method: "post",
    path: "/api/modules/scorm/{id}/package",
    summary: "Replace a SCORM module's package",
    description: `${PACKAGE} Attempts keep their data. Learners who have opened the previous package can continue.`,
    tag: "Modules",
    access: "staff",
    extension: true,
    upload: schemas.scormUpload,
    maxBytes: UPLOAD_BYTES,
    response: messageResponse,
    errors: [412],
  }),
  async (c) => {
    const { id } = c.req.valid("param")
    return c.json(await replacePackage(c.var.work, id, c.req.valid("form").package, expectedVersion(c)), 200)
  },
)

scormModules.openapi(
  operation({
    operationId: "listScormModules",
    method: "get",
    path: "/api/modules/scorm",
    summary: "List SCORM modules",
    tag: "Modules",
    access: "staff",
    extension: true,
    query: schemas.moduleListQuery,
    response: schemas.moduleList,
  }),
  async (c) =>
    c.json(listPage(c, await listModules(c.var.db, "scorm", c.req.valid("query")), moduleColumns.toRow), 200),
)

scormModules.openapi(
  operation({
    operationId: "getScormModule",
    method: "get",
    path: "/api/modules/scorm/{id}",
    summary: "Get a SCORM module",
    description: MODULE_ACCESS_NOTE,
    tag: "Modules",
    access: "general",
    extension: true,
    record: true,
    response: schemas.scormModule,
  }),
  async (c) =>
    c.json(withEtag(c, await getModule(c.var.db, c.var.caller, "scorm", c.req.valid("param").id), toScorm), 200),
)

scormModules.openapi(
  operation({
    operationId: "updateScormModule",
    method: "put",
    path: "/api/modules/scorm/{id}",
    summary: "Update a SCORM module",
    tag: "Modules",
    access: "staff",
    extension: true,
    body: schemas.scormChanges,
    response: messageResponse,
    errors: [412],
  }),
  async (c) => {
    const input = c.req.valid("json")
    const { id } = c.req.valid("param")
    return c.json(await updateModule(c.var.work, "scorm", id, input, {}, expectedVersion(c)), 200)
  },
)
