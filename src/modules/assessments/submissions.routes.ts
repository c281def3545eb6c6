import { createApp, operation } from "../../http/operation.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { courseSubmissionColumns, submissionColumns } from "./submission-columns.ts"
import { listSubmissions } from "./submissions.queries.ts"
import * as schemas from "./submissions.schemas.ts"

export const submissions = createApp()

const STATUS = [
  "search_param.status is an extension; Submitted means awaiting evaluation. The type discussion matches nothing,",
  "because there are no discussion modules.",
].join(" ")

submissions.openapi(
  operation({
    operationId: "listCourseSubmissions",
    method: "get",
    path: "/api/course/submissions",
    summary: "List a course's submissions",
    description: STATUS,
    tag: "Courses",
    access: "group_admin",
    query: schemas.courseSubmissionsQuery,
    response: schemas.courseSubmissions,
    errors: [404],
  }),
  async (c) => {
    const { course, page } = await listSubmissions(
      c.var.db,
      c.var.caller,
      c.req.valid("query"),
      courseSubmissionColumns,
    )
    const answer = { courseName: course.name, featuredImage: course.featuredImageUrl }
    return c.json({ ...answer, ...listPage(c, page, courseSubmissionColumns.toRow) }, 200)
  },
)

submissions.openapi(
  operation({
    operationId: "listAllSubmissions",
    method: "get",
    path: "/api/course/all-submissions",
    summary: "List all submissions",
    description: STATUS,
    tag: "Courses",
    access: "group_admin",
    query: schemas.allSubmissionsQuery,
    response: schemas.allSubmissions,
    errors: [404],
  }),
  async (c) => {
    const { page } = await listSubmissions(c.var.db, c.var.caller, c.req.valid("query"), submissionColumns)
    return c.json(listPage(c, page, submissionColumns.toRow), 200)
  },
)
