import { createdResponse, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { moduleColumns, moduleDetailColumns } from "./module-columns.ts"
import { videoFields } from "./module-fields.ts"
import { createModule, getModule, listModules, type StoredModule, updateModule } from "./modules.queries.ts"
import * as schemas from "./modules.schemas.ts"

export const modules = createApp()

export type Module = Awaited<ReturnType<typeof getModule>>

/** @param columns the columns of the module's type */
export const toModule =
  <Row>(columns: { toRow: (module: Module) => Row }) =>
  (module: Module) => ({
    ...columns.toRow(module),
    // Below staff, only published courses.
    course_count: module.courses.length,
    showMappedCourses: module.courses.length > 0,
    categoryIds: module.categoryIds,
    courses: module.courses.map((course) => ({ course_id: course.id, course_name: course.name })),
  })

const toText = toModule(moduleDetailColumns.text)
const toVideo = toModule(moduleDetailColumns.video)

export const MODULE_ACCESS_NOTE =
  "Learners can read a module after opening it in a course with module/progress, which checks its locks and dates."

modules.openapi(
  operation({
    operationId: "createTextModule",
    method: "post",
    path: "/api/modules/text",
    summary: "Create a text module",
    tag: "Modules",
    access: "staff",
    extension: true,
    body: schemas.newText,
    response: createdResponse,
  }),
  async (c) => c.json(await createModule(c.var.work, "text", c.req.valid("json")), 200),
)

modules.openapi(
  operation({
    operationId: "listTextModules",
    method: "get",
    path: "/api/modules/text",
    summary: "List text modules",
    tag: "Modules",
    access: "staff",
    extension: true,
    query: schemas.moduleListQuery,
    response: schemas.moduleList,
  }),
  async (c) => c.json(listPage(c, await listModules(c.var.db, "text", c.req.valid("query")), moduleColumns.toRow), 200),
)

modules.openapi(
  operation({
    operationId: "getTextModule",
    method: "get",
    path: "/api/modules/text/{id}",
    summary: "Get a text module",
    description: MODULE_ACCESS_NOTE,
    tag: "Modules",
    access: "general",
    extension: true,
    record: true,
    response: schemas.textModule,
  }),
  async (c) =>
    c.json(withEtag(c, await getModule(c.var.db, c.var.caller, "text", c.req.valid("param").id), toText), 200),
)

modules.openapi(
  operation({
    operationId: "updateTextModule",
    method: "put",
    path: "/api/modules/text/{id}",
    summary: "Update a text module",
    tag: "Modules",
    access: "staff",
    extension: true,
    body: schemas.textChanges,
    response: messageResponse,
    errors: [412],
  }),
  async (c) => {
    const input = c.req.valid("json")
    const { id } = c.req.valid("param")
    return c.json(await updateModule(c.var.work, "text", id, input, {}, expectedVersion(c)), 200)
  },
)

modules.openapi(
  operation({
    operationId: "createVideoModule",
    method: "post",
    path: "/api/modules/video",
    summary: "Create a video module",
    tag: "Modules",
    access: "staff",
    extension: true,
    body: schemas.newVideo,
    response: createdResponse,
  }),
  async (c) => {
    const input = c.req.valid("json")
    return c.json(await createModule(c.var.work, "video", input, videoFields.toInsert(input)), 200)
  },
)

modules.openapi(
  operation({
    operationId: "listVideoModules",
    method: "get",
    path: "/api/modules/video",
    summary: "List video modules",
    tag: "Modules",
    access: "staff",
    extension: true,
    query: schemas.moduleListQuery,
    response: schemas.moduleList,
  }),
  async (c) =>
    c.json(listPage(c, await listModules(c.var.db, "video", c.req.valid("query")), moduleColumns.toRow), 200),
)

modules.openapi(
  operation({
    operationId: "getVideoModule",
    method: "get",
    path: "/api/modules/video/{id}",
    summary: "Get a video module",
    description: MODULE_ACCESS_NOTE,
    tag: "Modules",
    access: "general",
    extension: true,
    record: true,
    response: schemas.videoModule,
  }),
  async (c) =>
    c.json(withEtag(c, await getModule(c.var.db, c.var.caller, "video", c.req.valid("param").id), toVideo), 200),
)

modules.openapi(
  operation({
    operationId: "updateVideoModule",
    method: "put",
    path: "/api/modules/video/{id}",
    summary: "Update a video module",
    tag: "Modules",
    access: "staff",
    extension: true,
    body: schemas.videoChanges,
    response: messageResponse,
    errors: [412],
  }),
  async (c) => {
    const input = c.req.valid("json")
    const { id } = c.req.valid("param")
    const columns = (module: StoredModule) => videoFields.toUpdate(module, input)
    return c.json(await updateModule(c.var.work, "video", id, input, columns, expectedVersion(c)), 200)
  },
)
