import { demandedVersion, tag } from "../../lib/etag.ts"
import { listAnswer } from "../../lib/list.ts"
import { createApp, operation } from "../../lib/operation.ts"
import { created, message } from "../../lib/records.ts"
import { createModule, getModule, listModules, updateModule } from "./modules.queries.ts"
import { type Module, OPENED, toModule, toModuleRow } from "./modules.routes.ts"
import * as schemas from "./modules.schemas.ts"

export const scormModules = createApp()

const toScorm = (module: Module) => ({
  ...toModule(module),
  scormVersion: module.scormVersion,
  packageBytes: module.packageBytes,
})

scormModules.openapi(
  operation({
    method: "post",
    path: "/api/modules/scorm",
    summary: "Create a SCORM module",
    tag: "Modules",
    access: "staff",
    extension: true,
    body: schemas.newScorm,
    answer: created,
  }),
  async (c) => c.json(await createModule(c.var.work, "scorm", c.req.valid("json")), 200),
)

scormModules.openapi(
  operation({
    method: "get",
    path: "/api/modules/scorm",
    summary: "List SCORM modules",
    tag: "Modules",
    access: "staff",
    extension: true,
    query: schemas.moduleListQuery,
    answer: schemas.moduleList,
  }),
  async (c) => c.json(listAnswer(c, await listModules(c.var.db, "scorm", c.req.valid("query")), toModuleRow), 200),
)

scormModules.openapi(
  operation({
    method: "get",
    path: "/api/modules/scorm/{id}",
    summary: "Read a SCORM module",
    description: OPENED,
    tag: "Modules",
    access: "general",
    extension: true,
    record: true,
    answer: schemas.scormModule,
  }),
  async (c) => {
    const found = await getModule(c.var.db, c.var.caller, "scorm", c.req.valid("param").id)
    const answer = toScorm(found)
    tag(c, found.version, answer)
    return c.json(answer, 200)
  },
)

scormModules.openapi(
  operation({
    method: "put",
    path: "/api/modules/scorm/{id}",
    summary: "Change a SCORM module",
    tag: "Modules",
    access: "staff",
    extension: true,
    body: schemas.scormChanges,
    answer: message,
    errors: [412],
  }),
  async (c) => {
    const input = c.req.valid("json")
    const { id } = c.req.valid("param")
    return c.json(await updateModule(c.var.work, "scorm", id, input, {}, demandedVersion(c)), 200)
  },
)
