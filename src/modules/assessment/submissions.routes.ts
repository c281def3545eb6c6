import { createApp, operation } from "../../http/operation.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { displayDateTime } from "../../lib/text/dates.ts"
import { listAnswer } from "../../lib/web/list-answer.ts"
import { listSubmissions } from "./submissions.queries.ts"
import * as schemas from "./submissions.schemas.ts"

export const submissions = createApp()

type Row = Awaited<ReturnType<typeof listSubmissions>>["page"]["rows"][number]

const toSubmission = (row: Row) => ({
  status_row_id: row.statusRowId,
  module_id: row.moduleId,
  module_name: row.module,
  module_type: row.moduleType,
  first_name: row.firstName,
  last_name: row.lastName,
  email: row.email,
  avatar: avatarOf(row),
  submission_id: row.id,
  submitted_on: displayDateTime(row.submittedAt),
  attempt: row.number,
  status: row.status,
})

const STATUS = [
  "search_param.status is an extension: Submitted is what awaits its evaluation. There are no discussions: that",
  "type finds nothing.",
].join(" ")

submissions.openapi(
  operation({
    method: "get",
    path: "/api/course/submissions",
    summary: "List what was submitted in a course",
    description: STATUS,
    tag: "Courses",
    access: "group_admin",
    query: schemas.courseSubmissionsQuery,
    answer: schemas.courseSubmissions,
    errors: [404],
  }),
  async (c) => {
    const { course, page } = await listSubmissions(c.var.db, c.var.caller, c.req.valid("query"))
    const answer = { courseName: course.name, featuredImage: course.featuredImageUrl }
    return c.json({ ...answer, ...listAnswer(c, page, toSubmission) }, 200)
  },
)

submissions.openapi(
  operation({
    method: "get",
    path: "/api/course/all-submissions",
    summary: "List what was submitted in any course",
    description: STATUS,
    tag: "Courses",
    access: "group_admin",
    query: schemas.allSubmissionsQuery,
    answer: schemas.allSubmissions,
    errors: [404],
  }),
  async (c) => {
    const { page } = await listSubmissions(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json(
      listAnswer(c, page, (row) => ({ ...toSubmission(row), course_name: row.course })),
      200,
    )
  },
)
