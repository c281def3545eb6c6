import { changedResponse, createdResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { invalid } from "../../lib/errors.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { assignmentColumns, moduleDetailColumns } from "./module-columns.ts"
import { assignmentFields, MAX_UPLOAD_MB } from "./module-fields.ts"
import { createModule, getModule, listModules, type StoredModule, updateModule } from "./modules.queries.ts"
import { MODULE_ACCESS_NOTE, toModule } from "./modules.routes.ts"
import * as schemas from "./modules.schemas.ts"

export const assignmentModules = createApp()

const toAssignment = toModule(moduleDetailColumns.assignment)

assignmentModules.openapi(
  operation({
    operationId: "listAssignmentModules",
    method: "get",
    path: "/api/modules/assignment",
    summary: "List assignment modules",
    tag: "Assignment modules",
    access: "staff",
    query: schemas.assignmentListQuery,
    response: schemas.assignmentList,
  }),
  async (c) =>
    c.json(
      listPage(
        c,
        await listModules(c.var.db, "assignment", c.req.valid("query"), assignmentColumns),
        assignmentColumns.toRow,
      ),
      200,
    ),
)

assignmentModules.openapi(
  operation({
    operationId: "createAssignmentModule",
    method: "post",
    path: "/api/modules/assignment",
    summary: "Create an assignment module",
    tag: "Assignment modules",
    access: "staff",
    body: schemas.newAssignment,
    response: createdResponse,
  }),
  async (c) => {
    const input = c.req.valid("json")
    return c.json(await createModule(c.var.work, "assignment", input, assignmentFields.toInsert(input)), 200)
  },
)

assignmentModules.openapi(
  operation({
    operationId: "getAssignmentModule",
    method: "get",
    path: "/api/modules/assignment/{id}",
    summary: "Get an assignment module",
    description: MODULE_ACCESS_NOTE,
    tag: "Assignment modules",
    access: "general",
    record: true,
    response: schemas.assignmentModule,
  }),
  async (c) =>
    c.json(
      withEtag(c, await getModule(c.var.db, c.var.caller, "assignment", c.req.valid("param").id), toAssignment),
      200,
    ),
)

assignmentModules.openapi(
  operation({
    operationId: "updateAssignmentModule",
    method: "put",
    path: "/api/modules/assignment/{id}",
    summary: "Update an assignment module",
    tag: "Assignment modules",
    access: "staff",
    body: schemas.assignmentChanges,
    response: changedResponse,
    errors: [412],
  }),
  async (c) => {
    const input = c.req.valid("json")
    const { id } = c.req.valid("param")
    const columns = (module: StoredModule) => {
      // Responses show the default limit; sending it back does not set it.
      const isDefault = module.maxUploadSize === 0 && input.maxUploadSize === MAX_UPLOAD_MB
      const next = assignmentFields.toUpdate(module, isDefault ? { ...input, maxUploadSize: 0 } : input)
      if (next.submissionType === "file" && next.allowedFiletypes.length === 0)
        throw invalid("allowed_filetypes", `allowed_filetypes ${schemas.FILETYPES_REQUIRED}.`)
      return next
    }
    return c.json(await updateModule(c.var.work, "assignment", id, input, columns, expectedVersion(c)), 200)
  },
)
