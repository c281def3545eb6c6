import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { toModuleStatusRows } from "./module-rows.ts"
import { listCourseModules, recordProgress } from "./progress.queries.ts"
import * as schemas from "./progress.schemas.ts"
import { importProgress } from "./progress-records.queries.ts"
import { toQuizTerms } from "./quiz-availability.ts"

export const progress = createApp()

progress.openapi(
  operation({
    operationId: "listRegistrationModules",
    method: "get",
    path: "/api/course/modules",
    summary: "List an enrollment's modules with their progress",
    description:
      "Returns every module of the course in its order. `status_row_id` is -1 until the learner opens the module.",
    tag: "Learning data",
    access: "general",
    extension: true,
    query: schemas.courseModulesQuery,
    response: schemas.moduleStatusRows,
    errors: [404],
  }),
  async (c) => {
    const { registrationId } = c.req.valid("query")
    const { registration, rows } = await listCourseModules(c.var.db, c.var.caller, registrationId)
    const answer = toModuleStatusRows(rows, registration).map((row, index) => {
      const terms = rows[index]?.terms
      return { ...row, quiz: terms ? toQuizTerms(terms) : null }
    })
    return c.json(answer, 200)
  },
)

progress.openapi(
  operation({
    operationId: "recordProgress",
    method: "post",
    path: "/api/module/progress",
    summary: "Record progress in a module",
    description: [
      "The first request opens the module. If the module is locked, opens later or needs more time, or the enrollment",
      "has expired, the response is 409.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    extension: true,
    body: schemas.newProgress,
    response: schemas.progressAnswer,
    errors: [404, 409],
  }),
  async (c) => c.json(await recordProgress(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

progress.openapi(
  operation({
    operationId: "recordModuleStatuses",
    method: "post",
    path: "/api/module/record",
    summary: "Import progress from another system",
    description: [
      "Up to 5,000 records, each with its own dates. Modules that were opened already are not changed, so an import",
      "can be repeated.",
    ].join(" "),
    tag: "Learning data",
    access: "staff",
    extension: true,
    body: schemas.progressRecords,
    maxBytes: schemas.PROGRESS_RECORDS_BYTES,
    response: schemas.progressRecorded,
    errors: [409],
  }),
  async (c) => c.json(await importProgress(c.var.work, c.req.valid("json")), 200),
)
