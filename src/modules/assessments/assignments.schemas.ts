import { z } from "@hono/zod-openapi"
import { MODULE_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { SUBMISSION_TYPES } from "../../../drizzle/schema/modules.ts"
import { SUBMISSION_STATUSES } from "../../../drizzle/schema/submissions.ts"
import { boolean, file, id, integer, jsonObject, list, nonEmpty, optional, text, time } from "../../lib/input/input.ts"
import { isoSchema, isoSchemaOrNull } from "../../lib/spreadsheet/columns.ts"
import { html } from "../../lib/text/sanitize.ts"
import { moduleStatusRow } from "../enrollments/progress.schemas.ts"
import { moduleRef, requireRef } from "./quizzes.schemas.ts"

const integerAnswer = () => z.number().int()
const seconds = () => integerAnswer().openapi({ description: "Seconds" })

const portalId = optional(id()).openapi({
  type: "integer",
  minimum: 1,
  description: "The learner must belong to this portal",
})

export const detailsQuery = z.object({
  registrationId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
  moduleId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
  portalId,
})

const submissionRow = z
  .object({
    id: integerAnswer(),
    attempt: integerAnswer().openapi({ description: "The number of the attempt, starting at 1" }),
    status: z.enum(SUBMISSION_STATUSES).openapi({
      description: "Submitted: awaits evaluation. Closed: superseded by a later attempt, a reset or a completion",
    }),
    file_path: z.union([z.string(), z.array(z.string())]).openapi({
      description: "The files' storage URLs, in order; an empty string if a text was submitted",
    }),
    file_names: z.array(z.string()).openapi({ description: "The file names, in the order of file_path" }),
    submission: z.string().openapi({ description: "The text as HTML; empty if files were submitted" }),
    student_message: z.string(),
    instructor_message: z.string(),
    points_awarded: integerAnswer().nullable(),
    evaluated_by: z.string().nullable().openapi({ description: "The evaluator's name" }),
    submitted_on: z.string().openapi({ example: "Jan 05, 2026 03:04 PM" }),
    evaluated_on: z.string().nullable(),
    submittedAt: isoSchema(),
    evaluatedAt: isoSchemaOrNull(),
  })
  .openapi("AssignmentSubmission")

export const assignmentDetails = z
  .object({
    name: z.string(),
    slug: z.string(),
    content: z.string().openapi({ description: "Empty if the learner can't open the assignment" }),
    courseName: z.string(),
    courseSlug: z.string(),
    totalPoints: integerAnswer(),
    submissionType: z.enum(SUBMISSION_TYPES),
    maxUploadSize: integerAnswer().openapi({ description: "Per file, in MB" }),
    min_time_spent: seconds(),
    allowedFileTypes: z.array(z.string()),
    otherModules: z.array(moduleStatusRow).openapi({ description: "All modules of the course, in order" }),
    launchCheck: z.object({
      canbeLaunched: z.boolean(),
      errTitle: z.string().openapi({ description: "Empty if the assignment can be opened" }),
      errDesc: z.string(),
    }),
    prevSlug: z.string().nullable(),
    nextSlug: z.string().nullable(),
    status: z.enum(MODULE_STATUSES),
    display_status: z.enum(MODULE_STATUSES),
    statusRowId: integerAnswer().openapi({ description: "-1 if it was never opened" }),
    timeSpent: seconds(),
    timeToBeSpent: integerAnswer().openapi({ description: "Seconds remaining until it can be submitted" }),
    prevSubmission: z.array(submissionRow).openapi({ description: "Newest first" }),
  })
  .openapi("AssignmentDetails")

export const submissionsQuery = z.object({
  statusRowId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
})

export const submissionsAnswer = z
  .object({
    courseId: integerAnswer(),
    courseName: z.string(),
    assignmentName: z.string(),
    status: z.enum(MODULE_STATUSES),
    content: z.string(),
    totalPoints: integerAnswer(),
    userFullName: z.string(),
    userEmail: z.string(),
    submissions: z.array(submissionRow).openapi({ description: "Newest first" }),
  })
  .openapi("AssignmentSubmissions")

/** Accepts a storage URL (absolute or a path), `{"storage_url": …}`, or the id. */
const uploadId = z.unknown().transform((value, context) => {
  const storageUrl = typeof value === "object" && value !== null && "storage_url" in value ? value.storage_url : value
  const [, digits] = typeof storageUrl === "string" ? (/\/upload\/(\d+)\/?$/.exec(storageUrl.trim()) ?? []) : []
  const { data } = id().safeParse(digits ?? storageUrl)
  if (data !== undefined) return data
  context.addIssue({
    code: "custom",
    message: "must be the storage_url of an upload, such as /api/module/assignment/upload/7",
  })
  return z.NEVER
})

export const newSubmission = z
  .object({
    ...moduleRef,
    submissions: optional(list(uploadId, 20).transform((ids) => [...new Set(ids)])).openapi({
      type: "array",
      items: { type: "string", example: "/api/module/assignment/upload/7" },
      maxItems: 20,
      description: "For file submissions: the storage URLs of the caller's uploads",
    }),
    submission: optional(html(200_000)).openapi({
      type: "string",
      description: "For text submissions: HTML, sanitized with an allow-list",
    }),
    studentMessage: optional(text(5000)).openapi({ type: "string" }),
    portalId,
    submitted_on: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "Staff only: for records from another system. Locks, dates and minimum times are not checked",
    }),
  })
  .superRefine(requireRef)
  .openapi("NewAssignmentSubmission")
export type NewSubmission = z.output<typeof newSubmission>

export const assignmentSubmitted = z.object({
  message: z.string(),
  statusRowId: integerAnswer(),
  submission_id: integerAnswer(),
  attempt: integerAnswer(),
  status: z.enum(MODULE_STATUSES),
})

export const evaluation = z
  .object({
    ...moduleRef,
    evaluation: jsonObject(
      z.object({
        instructorMessage: optional(text(5000)).openapi({ type: "string" }),
        pointsAwarded: optional(integer(0, 1_000_000)).openapi({
          type: "integer",
          description: "At most the assignment's totalPoints. Leave out to accept without grading",
        }),
        isAccepted: boolean(),
      }),
    ),
    portalId,
  })
  .superRefine(requireRef)
  .openapi("AssignmentEvaluation", {
    example: {
      registrationId: 1,
      moduleId: 1,
      evaluation: { isAccepted: true, pointsAwarded: 9, instructorMessage: "Well argued." },
    },
  })
export type Evaluation = z.output<typeof evaluation>

export const submissionEvaluated = z.object({ message: z.string(), status: z.enum(MODULE_STATUSES) })

const record = z
  .object({
    ...moduleRef,
    pointsAwarded: optional(integer(0, 1_000_000)).openapi({ type: "integer" }),
    isAccepted: optional(boolean()).openapi({
      type: "boolean",
      description: "Defaults to true if pointsAwarded is given; otherwise the submission awaits evaluation",
    }),
    instructorMessage: optional(text(5000)).openapi({ type: "string" }),
    submitted_on: time(),
    evaluated_on: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "Defaults to submitted_on",
    }),
  })
  .superRefine((input, context) => {
    requireRef(input, context)
    if (input.evaluated_on !== undefined && input.evaluated_on < input.submitted_on)
      context.addIssue({ code: "custom", path: ["evaluated_on"], message: "must not be before submitted_on" })
  })

export const submissionRecords = z
  .object({ submissions: nonEmpty(list(record, 500)) })
  .openapi("RecordedAssignmentSubmissions")
export type SubmissionRecords = z.output<typeof submissionRecords>

export const submissionsRecorded = z.object({
  message: z.string(),
  recorded: integerAnswer(),
  alreadyRecorded: integerAnswer().openapi({
    description: "Submissions with the same registration, assignment and submitted_on",
  }),
  skipped: integerAnswer().openapi({
    description: "The registration doesn't exist, or the assignment isn't in its course",
  }),
})

export const assignmentUpload = z
  .object({
    file: file().openapi({ description: "Up to 25 MB" }),
    statusRowId: moduleRef.statusRowId.openapi({
      type: "integer",
      description: [
        "The assignment's status row; alternatively registrationId and moduleId. If given, the file's type and size",
        "are checked on upload, not only on submission",
      ].join(" "),
    }),
    registrationId: moduleRef.registrationId,
    moduleId: moduleRef.moduleId,
  })
  .openapi("AssignmentUpload")

export const uploadQuery = z.object({
  inline: optional(boolean()).openapi({
    type: "boolean",
    description: "Shows a PDF in the browser. Other files are always downloads",
  }),
})

export const assignmentUploaded = z.object({
  storage_url: z.string().openapi({ example: "/api/module/assignment/upload/7" }),
  file_name: z.string(),
  mime_type: z.string().openapi({ description: "Detected from the content" }),
  bytes: integerAnswer(),
})
