import { createApp, operation } from "../../http/operation.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { listAtRisk, readTaughtCourses } from "./at-risk.queries.ts"
import * as schemas from "./at-risk.schemas.ts"
import { atRiskColumns } from "./at-risk-columns.ts"

export const atRisk = createApp()

atRisk.openapi(
  operation({
    operationId: "listLearnersAtRisk",
    method: "get",
    path: "/api/reports/at-risk",
    summary: "List learners at risk",
    description: [
      "Learners of a course who may not complete it, with the reasons, most reasons first. Without course_id, of the",
      "courses that the caller wrote or teaches a class of. Supervisors see their people. A list considers up to 2,000",
      "enrollments that are not completed.",
    ].join(" "),
    tag: "Reports",
    access: "group_admin",
    signedIn: true,
    extension: true,
    query: schemas.atRiskQuery,
    response: schemas.atRiskList,
    errors: [404],
  }),
  async (c) => {
    const { page, cutoff } = await listAtRisk(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json(
      listPage(c, page, (row) => atRiskColumns.toRow(row, { cutoff })),
      200,
    )
  },
)

atRisk.openapi(
  operation({
    operationId: "listTaughtCourses",
    method: "get",
    path: "/api/reports/taught-courses",
    summary: "List the courses that the caller teaches",
    description: [
      "The first 100 courses by name that the caller wrote or teaches a class of, with the number of learners, of",
      "submissions to grade, and of learners who are overdue or at risk. Supervisors see counts of their people.",
    ].join(" "),
    tag: "Reports",
    access: "group_admin",
    signedIn: true,
    extension: true,
    query: schemas.taughtCoursesQuery,
    response: schemas.taughtCourses,
  }),
  async (c) => c.json(await readTaughtCourses(c.var.db, c.var.caller, c.req.valid("query")), 200),
)
