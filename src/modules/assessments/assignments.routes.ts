import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { createApp, operation } from "../../http/operation.ts"
import { MEDIA_TYPES } from "../../lib/files/file-kinds.ts"
import { displayDateTime, isoTime, isoTimeOrNull } from "../../lib/text/dates.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { allowPdfFrame, serveFile } from "../../lib/web/files.ts"
import { MAX_UPLOAD_MB } from "../courses/module-fields.ts"
import { toModuleStatusRows } from "../enrollments/module-rows.ts"
import { getSubmissions, openAssignment, type Submission } from "./assignments.queries.ts"
import * as schemas from "./assignments.schemas.ts"
import { recordSubmissions } from "./submission-records.queries.ts"
import { evaluateSubmission, submitAssignment } from "./submit.queries.ts"
import { findUpload, saveUpload, storageUrl } from "./uploads.queries.ts"

/** The file plus the overhead of the form. */
const UPLOAD_BYTES = 27_000_000

export const assignments = createApp()

const toSubmission = (attempt: Submission) => ({
  id: attempt.id,
  attempt: attempt.number,
  status: attempt.status,
  file_path: attempt.files.length > 0 ? attempt.files.map(({ id }) => storageUrl(id)) : "",
  file_names: attempt.files.map(({ name }) => name),
  submission: attempt.body,
  student_message: attempt.studentMessage,
  instructor_message: attempt.instructorMessage,
  points_awarded: attempt.pointsAwarded,
  evaluated_by: attempt.evaluatedBy,
  submitted_on: displayDateTime(attempt.submittedAt),
  evaluated_on: attempt.evaluatedAt ? displayDateTime(attempt.evaluatedAt) : null,
  submittedAt: isoTime(attempt.submittedAt),
  evaluatedAt: isoTimeOrNull(attempt.evaluatedAt),
})

function toDetails(found: Awaited<ReturnType<typeof openAssignment>>) {
  const { registration, row } = found
  const timeSpent = row.timeSpent ?? 0
  const status = row.status ?? ModuleStatus.NotStarted
  return {
    name: registration.name,
    slug: registration.slug,
    content: registration.content,
    courseName: registration.courseName,
    courseSlug: registration.courseSlug,
    totalPoints: registration.totalPoints,
    submissionType: registration.submissionType === "file" ? ("file" as const) : ("text" as const),
    maxUploadSize: registration.maxUploadSize || MAX_UPLOAD_MB,
    min_time_spent: row.minTimeSpent,
    allowedFileTypes: registration.allowedFiletypes,
    otherModules: toModuleStatusRows(found.rows, registration),
    launchCheck: found.check,
    prevSlug: found.previous,
    nextSlug: found.next,
    status,
    display_status: status,
    statusRowId: row.statusRowId ?? -1,
    timeSpent,
    timeToBeSpent: Math.max(0, row.minTimeSpent - timeSpent),
    prevSubmission: found.submissionRows.map(toSubmission),
  }
}

assignments.openapi(
  operation({
    operationId: "openAssignment",
    method: "get",
    path: "/api/module/assignment/details",
    summary: "Open an assignment",
    description:
      "Sets the module In Progress and counts an access, if launchCheck allows it. For the learner and staff.",
    tag: "Assignment modules",
    access: "general",
    mutates: true,
    query: schemas.detailsQuery,
    response: schemas.assignmentDetails,
    errors: [404, 409],
  }),
  async (c) => c.json(toDetails(await openAssignment(c.var.work, c.req.valid("query"))), 200),
)

assignments.openapi(
  operation({
    operationId: "getSubmission",
    method: "get",
    path: "/api/module/assignment/submissions",
    summary: "List a learner's submissions for an assignment",
    description: "For the learner, their supervisors and staff.",
    tag: "Assignment modules",
    access: "general",
    query: schemas.submissionsQuery,
    response: schemas.submissionsAnswer,
    errors: [404],
  }),
  async (c) => {
    const { statusRowId } = c.req.valid("query")
    const { assignment, submissionRows } = await getSubmissions(c.var.db, c.var.caller, statusRowId)
    return c.json(
      {
        courseId: assignment.courseId,
        courseName: assignment.courseName,
        assignmentName: assignment.name,
        status: assignment.status,
        content: assignment.content,
        totalPoints: assignment.totalPoints,
        userFullName: assignment.learner,
        userEmail: assignment.email,
        submissions: submissionRows.map(toSubmission),
      },
      200,
    )
  },
)

assignments.openapi(
  operation({
    operationId: "submitAssignment",
    method: "post",
    path: "/api/module/assignment/submit",
    summary: "Submit an assignment",
    description: [
      "Sets the assignment Submitted. Submitting again before the evaluation creates another attempt and closes the",
      "previous one. If the assignment is Completed, locked, not available yet or needs more time, " +
        "the response is 409.",
    ].join(" "),
    tag: "Assignment modules",
    access: "general",
    keys: "none",
    body: schemas.newSubmission,
    response: schemas.assignmentSubmitted,
    errors: [404, 409],
  }),
  async (c) => c.json(await submitAssignment(c.var.work, c.req.valid("json")), 200),
)

assignments.openapi(
  operation({
    operationId: "uploadAssignmentFile",
    method: "post",
    path: "/api/module/assignment/upload",
    summary: "Upload a file for a submission",
    description:
      "The file type is detected from the content. Files that are not part of a submission are " +
      "deleted after seven days.",
    tag: "Assignment modules",
    access: "general",
    keys: "none",
    upload: schemas.assignmentUpload,
    maxBytes: UPLOAD_BYTES,
    response: schemas.assignmentUploaded,
    errors: [404],
  }),
  async (c) => {
    const { file, ...ref } = c.req.valid("form")
    return c.json(await saveUpload(c.var.work, file, ref), 200)
  },
)

assignments.openapi(
  operation({
    operationId: "downloadAssignmentFile",
    method: "get",
    path: "/api/module/assignment/upload/{id}",
    summary: "Download an uploaded file",
    description: [
      "For the uploader, the learner who submitted it, the learner's supervisors, and staff. Supports Range, If-Range",
      "and If-None-Match.",
    ].join(" "),
    tag: "Assignment modules",
    access: "general",
    extension: true,
    query: schemas.uploadQuery,
    response: MEDIA_TYPES,
    errors: [410],
  }),
  async (c) => {
    const file = await findUpload(c.var.db, c.var.caller, c.req.valid("param").id)
    const inline = c.req.valid("query").inline === true && file.type === "application/pdf"
    if (inline) allowPdfFrame(c, file.type)
    return serveFile(c, { ...file, inline })
  },
)

assignments.openapi(
  operation({
    operationId: "evaluateAssignment",
    method: "post",
    path: "/api/module/assignment/evaluate",
    summary: "Evaluate an assignment",
    description: [
      "If accepted, the assignment becomes Completed with its points; otherwise it is In Progress again. If it isn't",
      "Submitted, the response is 409.",
    ].join(" "),
    tag: "Assignment modules",
    access: "staff",
    body: schemas.evaluation,
    response: schemas.submissionEvaluated,
    errors: [404, 409],
  }),
  async (c) => c.json(await evaluateSubmission(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

assignments.openapi(
  operation({
    operationId: "recordSubmissions",
    method: "post",
    path: "/api/module/assignment/record",
    summary: "Import submissions from another system",
    description: [
      "Up to 500 submissions: points and dates, without the work itself. Accepted submissions complete their",
      "assignments as of evaluated_on. A submission with the same registration, assignment and submitted_on is not",
      "recorded twice, so an import can be repeated.",
    ].join(" "),
    tag: "Assignment modules",
    access: "staff",
    extension: true,
    body: schemas.submissionRecords,
    response: schemas.submissionsRecorded,
    errors: [409],
  }),
  async (c) => c.json(await recordSubmissions(c.var.work, c.req.valid("json")), 200),
)
