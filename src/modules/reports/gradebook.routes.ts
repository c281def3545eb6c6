import { createApp, operation } from "../../http/operation.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { readGradebook } from "./gradebook.queries.ts"
import { gradebookQuery, gradebook as gradebookResponse } from "./gradebook.schemas.ts"

export const gradebook = createApp()

gradebook.openapi(
  operation({
    operationId: "getGradebook",
    method: "get",
    path: "/api/reports/gradebook",
    summary: "Read the gradebook of a course",
    description: [
      "A row for each learner, and a grade for each graded module: quizzes, assignments and SCORM packages.",
      "Supervisors see their people.",
    ].join(" "),
    tag: "Reports",
    access: "group_admin",
    signedIn: true,
    extension: true,
    query: gradebookQuery,
    response: gradebookResponse,
    errors: [404],
  }),
  async (c) => {
    const { page, toRow, ...course } = await readGradebook(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json({ ...listPage(c, page, toRow), ...course }, 200)
  },
)
