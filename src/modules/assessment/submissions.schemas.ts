import { z } from "@hono/zod-openapi"
import { MODULE_TYPES } from "../../../drizzle/modules.ts"
import { SUBMISSION_STATUSES } from "../../../drizzle/submissions.ts"
import { choice, id, list, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"

const whole = () => z.number().int()

export const SUBMISSION_COLUMNS = [
  "submission_id",
  "submitted_on",
  "status",
  "attempt",
  "module_id",
  "status_row_id",
  "first_name",
  "last_name",
  "email",
  "module_name",
  "module_type",
  "course_name",
] as const

const search = {
  nameOrEmail: optional(text(254)),
  type: optional(choice(["assignment", "discussion"])),
  status: optional(list(choice(SUBMISSION_STATUSES))),
}

export const allSubmissionsQuery = listQuery(SUBMISSION_COLUMNS, search)
export const courseSubmissionsQuery = allSubmissionsQuery.extend({
  course_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
})

const row = {
  status_row_id: whole(),
  module_id: whole(),
  module_name: z.string(),
  module_type: z.enum(MODULE_TYPES),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  avatar: z.string(),
  submission_id: whole(),
  submitted_on: z.string().openapi({ example: "Jan 05, 2026 03:04 PM" }),
  attempt: whole(),
  status: z.enum(SUBMISSION_STATUSES).openapi({ description: "Submitted: awaits its evaluation" }),
}

export const courseSubmissions = envelope(z.object(row).openapi("CourseSubmission")).extend({
  courseName: z.string(),
  featuredImage: z.string().nullable(),
})
export const allSubmissions = envelope(z.object({ ...row, course_name: z.string() }).openapi("Submission"))
