import { z } from "@hono/zod-openapi"
import { SUBMISSION_STATUSES } from "../../../drizzle/schema/submissions.ts"
import { choice, id, list, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { courseSubmissionColumns, submissionColumns } from "./submission-columns.ts"

export const SUBMISSION_COLUMNS = Object.keys(submissionColumns.sort)

const search = {
  nameOrEmail: optional(text(254)),
  type: optional(choice(["assignment", "discussion"])),
  status: optional(list(choice(SUBMISSION_STATUSES))),
}

export const allSubmissionsQuery = listQuery(SUBMISSION_COLUMNS, search)
export const courseSubmissionsQuery = allSubmissionsQuery.extend({
  course_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
})

export const courseSubmissions = listResponse(courseSubmissionColumns.row.openapi("CourseSubmission")).extend({
  courseName: z.string(),
  featuredImage: z.string().nullable(),
})
export const allSubmissions = listResponse(submissionColumns.row.openapi("Submission"))
