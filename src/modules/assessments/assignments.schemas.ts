import { z } from "@hono/zod-openapi"
import { MODULE_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { SUBMISSION_TYPES } from "../../../drizzle/schema/modules.ts"
import { SUBMISSION_STATUSES } from "../../../drizzle/schema/submissions.ts"
import { boolean, file, id, integer, jsonObject, list, nonEmpty, optional, text, time } from "../../lib/input/input.ts"
import { html } from "../../lib/text/sanitize.ts"
import { moduleStatusRow } from "../enrollments/progress.schemas.ts"
import { moduleRef, requireRef } from "./quizzes.schemas.ts"

const whole = () => z.number().int()
const seconds = () => whole().openapi({ description: "Seconds" })

const portalId = optional(id()).openapi({ type: "integer", minimum: 1, description: "The learner must belong to it" })

export const detailsQuery = z.object({
  registrationId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
  moduleId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
  portalId,
})

const submissionRow = z
  .object({
    id: whole(),
    attempt: whole().openapi({ description: "Of the registration's attempts at this assignment, from 1" }),
    status: z.enum(SUBMISSION_STATUSES).openapi({
      description:
        "Submitted: awaits its evaluation; Closed: a later attempt, a reset or a completion came before its evaluation",
    }),
    file_path: z.union([z.string(), z.array(z.string())]).openapi({
      description: "The files' storage_urls, in order; empty text where a text was submitted",
    }),
    file_names: z.array(z.string()).openapi({ description: "As the files were called, in the order of file_path" }),
    submission: z.string().openapi({ description: "The text, as HTML; empty where files were submitted" }),
    student_message: z.string(),
    instructor_message: z.string(),
    points_awarded: whole().nullable(),
    evaluated_by: z.string().nullable().openapi({ description: "A name" }),
    submitted_on: z.string().openapi({ example: "Jan 05, 2026 03:04 PM" }),
    evaluated_on: z.string().nullable(),
  })
  .openapi("AssignmentSubmission")

export const assignmentDetails = z
  .object({
    name: z.string(),
    slug: z.string(),
    content: z.string().openapi({ description: "Empty for a learner who cannot launch it" }),
    courseName: z.string(),
    courseSlug: z.string(),
    totalPoints: whole(),
    submissionType: z.enum(SUBMISSION_TYPES),
    maxUploadSize: whole().openapi({ description: "MB a file" }),
    min_time_spent: seconds(),
    allowedFileTypes: z.array(z.string()),
    otherModules: z.array(moduleStatusRow).openapi({ description: "Every module of the registration, in order" }),
    launchCheck: z.object({
      canbeLaunched: z.boolean(),
      errTitle: z.string().openapi({ description: "Empty where it can be launched" }),
      errDesc: z.string(),
    }),
    prevSlug: z.string().nullable(),
    nextSlug: z.string().nullable(),
    status: z.enum(MODULE_STATUSES),
    display_status: z.enum(MODULE_STATUSES),
    statusRowId: whole().openapi({ description: "-1 when no status exists: it cannot be launched yet" }),
    timeSpent: seconds(),
    timeToBeSpent: whole().openapi({ description: "Seconds still to be spent before it can be submitted" }),
    prevSubmission: z.array(submissionRow).openapi({ description: "The newest first" }),
  })
  .openapi("AssignmentDetails")

export const submissionsQuery = z.object({
  statusRowId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
})

export const submissionsAnswer = z
  .object({
    courseId: whole(),
    courseName: z.string(),
    assignmentName: z.string(),
    status: z.enum(MODULE_STATUSES),
    content: z.string(),
    totalPoints: whole(),
    userFullName: z.string(),
    userEmail: z.string(),
    submissions: z.array(submissionRow).openapi({ description: "The newest first" }),
  })
  .openapi("AssignmentSubmissions")

/** `/api/module/assignment/upload/7`, in full or as a path, or `{"storage_url": …}`, or the number. */
const uploadId = z.unknown().transform((value, context) => {
  const given = typeof value === "object" && value !== null && "storage_url" in value ? value.storage_url : value
  const [, digits] = typeof given === "string" ? (/\/upload\/(\d+)\/?$/.exec(given.trim()) ?? []) : []
  const { data } = id().safeParse(digits ?? given)
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
      description: "Where files are asked for: the storage_urls of the caller's own uploads",
    }),
    submission: optional(html(200_000)).openapi({
      type: "string",
      description: "Where a text is asked for: HTML, cut down to a small allow-list",
    }),
    studentMessage: optional(text(5000)).openapi({ type: "string" }),
    portalId,
    submitted_on: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "Staff alone: of records from another system, which no lock, date or least time holds up",
    }),
  })
  .superRefine(requireRef)
  .openapi("NewAssignmentSubmission")
export type NewSubmission = z.output<typeof newSubmission>

export const assignmentSubmitted = z.object({
  message: z.string(),
  statusRowId: whole(),
  submission_id: whole(),
  attempt: whole(),
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
          description: "Up to the assignment's totalPoints; none given: not graded",
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
      description: "true where pointsAwarded is given; without either it awaits its evaluation",
    }),
    instructorMessage: optional(text(5000)).openapi({ type: "string" }),
    submitted_on: time(),
    evaluated_on: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "submitted_on unless given",
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
  recorded: whole(),
  alreadyRecorded: whole().openapi({ description: "Of the same registration, assignment and submitted_on" }),
  skipped: whole().openapi({ description: "No such registration, or no assignment of its course" }),
})

export const assignmentUpload = z
  .object({
    file: file().openapi({ description: "Up to 25 MB" }),
    statusRowId: moduleRef.statusRowId.openapi({
      type: "integer",
      description: [
        "Of the assignment, or registrationId and moduleId: its types and size are then checked here, and not",
        "only when it is submitted",
      ].join(" "),
    }),
    registrationId: moduleRef.registrationId,
    moduleId: moduleRef.moduleId,
  })
  .openapi("AssignmentUpload")

export const assignmentUploaded = z.object({
  storage_url: z.string().openapi({ example: "/api/module/assignment/upload/7" }),
  file_name: z.string(),
  mime_type: z.string().openapi({ description: "By the file's content" }),
  bytes: whole(),
})
