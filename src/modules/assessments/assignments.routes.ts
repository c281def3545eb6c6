import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { createApp, operation } from "../../http/operation.ts"
import { MEDIA_TYPES } from "../../lib/files/file-kinds.ts"
import { displayDateTime } from "../../lib/text/dates.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { serveFile } from "../../lib/web/files.ts"
import { toModuleStatusRows } from "../enrollments/module-rows.ts"
import { getSubmissions, openAssignment, type Submission } from "./assignments.queries.ts"
import * as schemas from "./assignments.schemas.ts"
import { recordSubmissions } from "./submission-records.queries.ts"
import { evaluateSubmission, submitAssignment } from "./submit.queries.ts"
import { findUpload, LARGEST, saveUpload, storageUrl } from "./uploads.queries.ts"

/** The file, and what a form adds to it. */
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
    maxUploadSize: registration.maxUploadSize || LARGEST,
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
    prevSubmission: found.attempts.map(toSubmission),
  }
}

assignments.openapi(
  operation({
    operationId: "openAssignment",
    method: "get",
    path: "/api/module/assignment/details",
    summary: "Open an assignment of a registration",
    description:
      "Opens the module (In Progress) and counts the access, where launchCheck allows it. For the learner, or staff.",
    tag: "Assignment modules",
    access: "general",
    mutates: true,
    query: schemas.detailsQuery,
    answer: schemas.assignmentDetails,
    errors: [404, 409],
  }),
  async (c) => c.json(toDetails(await openAssignment(c.var.work, c.req.valid("query"))), 200),
)

assignments.openapi(
  operation({
    operationId: "getSubmission",
    method: "get",
    path: "/api/module/assignment/submissions",
    summary: "Read what a learner submitted for an assignment",
    description: "For the learner, their supervisors and staff.",
    tag: "Assignment modules",
    access: "general",
    query: schemas.submissionsQuery,
    answer: schemas.submissionsAnswer,
    errors: [404],
  }),
  async (c) => {
    const { statusRowId } = c.req.valid("query")
    const { assignment, attempts } = await getSubmissions(c.var.db, c.var.caller, statusRowId)
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
        submissions: attempts.map(toSubmission),
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
      "The assignment becomes Submitted. Submitted again before it is evaluated, it has another attempt, and the",
      "one before is Closed. Once Completed, or while it is locked, not open yet or wants more time: 409.",
    ].join(" "),
    tag: "Assignment modules",
    access: "general",
    keys: "none",
    body: schemas.newSubmission,
    answer: schemas.assignmentSubmitted,
    errors: [404, 409],
  }),
  async (c) => c.json(await submitAssignment(c.var.work, c.req.valid("json")), 200),
)

assignments.openapi(
  operation({
    operationId: "uploadAssignmentFile",
    method: "post",
    path: "/api/module/assignment/upload",
    summary: "Upload a file to be submitted",
    description: "Its type is judged by its content. A file that no submission refers to is removed after seven days.",
    tag: "Assignment modules",
    access: "general",
    keys: "none",
    upload: schemas.assignmentUpload,
    maxBytes: UPLOAD_BYTES,
    answer: schemas.assignmentUploaded,
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
      "For whoever uploaded it, the learner who submitted it, their supervisors, and staff. Takes Range, If-Range",
      "and If-None-Match.",
    ].join(" "),
    tag: "Assignment modules",
    access: "general",
    extension: true,
    answer: MEDIA_TYPES,
    errors: [410],
  }),
  async (c) => serveFile(c, await findUpload(c.var.db, c.var.caller, c.req.valid("param").id)),
)

assignments.openapi(
  operation({
    operationId: "evaluateAssignment",
    method: "post",
    path: "/api/module/assignment/evaluate",
    summary: "Evaluate a submitted assignment",
    description: [
      "Accepted, the assignment is Completed and has its points; else it is In Progress again, with the message",
      "kept. Before it is Submitted: 409.",
    ].join(" "),
    tag: "Assignment modules",
    access: "staff",
    body: schemas.evaluation,
    answer: schemas.submissionEvaluated,
    errors: [404, 409],
  }),
  async (c) => c.json(await evaluateSubmission(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

assignments.openapi(
  operation({
    operationId: "recordSubmissions",
    method: "post",
    path: "/api/module/assignment/record",
    summary: "Record submissions that were made in another system",
    description: [
      "Their points and dates without the work itself, up to 500 in a call. Accepted ones complete their",
      "assignments as of evaluated_on. One of the same registration, assignment and submitted_on is not recorded",
      "twice, so that an import can be repeated.",
    ].join(" "),
    tag: "Assignment modules",
    access: "staff",
    extension: true,
    body: schemas.submissionRecords,
    answer: schemas.submissionsRecorded,
    errors: [409],
  }),
  async (c) => c.json(await recordSubmissions(c.var.work, c.req.valid("json")), 200),
)
