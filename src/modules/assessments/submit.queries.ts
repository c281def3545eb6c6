import { and, eq, not, sql } from "drizzle-orm"
import { assignmentUploads } from "../../../drizzle/schema/assignments.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { submissionFiles, submissions } from "../../../drizzle/schema/submissions.ts"
import { ModuleStatus, SubmissionStatus } from "../../../drizzle/statuses.ts"
import { canSeeUser } from "../../access/scope.ts"
import { firstRow } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { requireExisting } from "../../db/records.ts"
import { idList, literal, rowCount, rowExists, rowList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { isEmpty } from "../../lib/text/sanitize.ts"
import { queueCompletionMail } from "../enrollments/completion-mail.ts"
import {
  type ModuleSelector,
  RETRY_ON_CONFLICT,
  requireModuleAccess,
  requireStaffForDates,
  resolveModule,
} from "../enrollments/module-progress.queries.ts"
import { missingTimeMessage, selectModuleRow } from "../enrollments/module-rows.ts"
import { isStatusOf, markSubmitted, recordEvaluation, toStatusRowId } from "../enrollments/module-statuses.queries.ts"
import { guardEnrollmentExists } from "../enrollments/registrations.queries.ts"
import { canSubmitFor, selectAssignment, toEnrollmentState } from "./assignments.queries.ts"
import type { Evaluation, NewSubmission } from "./assignments.schemas.ts"
import { requireAcceptedFile } from "./uploads.queries.ts"

/** These files, but those that are about to be removed. */
const isKept = (uploadIds: number[]) =>
  sql`${assignmentUploads.id} in ${idList(uploadIds)} and ${assignmentUploads.state} <> 'expired'`

/** What was submitted for the assignment of a registration. */
const ofPlace = ({ enrollmentId, moduleId }: ModuleSelector) =>
  sql`${submissions.enrollmentId} = ${enrollmentId} and ${submissions.moduleId} = ${moduleId}`

/**
 * Submits a text or files for an assignment: an attempt, which takes the place of one that awaits its evaluation.
 * @throws 404; 403 for dates below staff; 409 once it is Completed, or as its locks, dates and least time say; 413 and
 * 415 for files that the assignment does not take; 422
 */
export async function submitAssignment(work: UnitOfWork, input: NewSubmission) {
  const { db, caller } = work
  const { submissions: uploadIds = [], submitted_on: imported } = input
  requireStaffForDates(caller, imported)
  const which = resolveModule(input)
  const [ids, found, rows, counts, uploads] = await work.read([
    work.nextIds("submissions"),
    selectAssignment(db, which, canSubmitFor(caller), input.portalId),
    selectModuleRow(db, which),
    db
      .select({ last: sql<number>`coalesce(max(${submissions.number}), 0)`.as("last_number") })
      .from(submissions)
      .where(ofPlace(which)),
    db
      .select({
        id: assignmentUploads.id,
        filename: assignmentUploads.filename,
        extension: assignmentUploads.extension,
        bytes: assignmentUploads.bytes,
      })
      .from(assignmentUploads)
      .where(sql`${isKept(uploadIds)} and ${assignmentUploads.userId} is ${caller.id}`),
  ])
  const { registration, row, held } = requireModuleAccess(found, rows[0], "assignment")
  if (held && imported === undefined) throw held
  if (row.status === ModuleStatus.Completed)
    throw conflict("already_completed", `${registration.name} is Completed: it takes no more submissions.`)
  const missing = missingTimeMessage(row, {})
  if (missing && imported === undefined) throw conflict("too_early", missing)
  const body = registration.submissionType === "file" ? "" : (input.submission ?? "")
  const files = registration.submissionType === "file" ? uploadIds : []
  if (registration.submissionType === "file") {
    if (files.length === 0) throw invalid("submissions", "submissions is required: the assignment asks for files.")
    requireExisting("submissions", files, uploads)
    for (const upload of uploads) requireAcceptedFile(registration, upload)
  } else if (isEmpty(body)) throw invalid("submission", "submission is required: the assignment asks for a text.")

  const { enrollmentId, moduleId, userId, courseId } = registration
  const id = firstRow(ids).last
  const statusRowId = toStatusRowId(registration)
  const attempt = firstRow(counts).last + 1
  const submittedAt = imported ?? now()
  return work.commit(
    [
      guardEnrollmentExists(work, toEnrollmentState(registration)),
      work.guard(
        not(
          rowExists(moduleStatuses, and(isStatusOf(registration), eq(moduleStatuses.status, ModuleStatus.Completed))),
        ),
      ),
      work.guard(sql`${rowCount(assignmentUploads, isKept(files))} = ${files.length}`),
      db
        .update(submissions)
        .set({ status: SubmissionStatus.Closed })
        .where(
          sql`${submissions.statusRowId} = ${statusRowId}
            and ${submissions.status} = ${literal(SubmissionStatus.Submitted)}`,
        ),
      ...markSubmitted(
        work,
        toEnrollmentState(registration),
        { moduleId, isNew: row.statusRowId === null },
        submittedAt,
      ),
      db.insert(submissions).values({
        id,
        enrollmentId,
        moduleId,
        statusRowId,
        userId,
        courseId,
        number: attempt,
        status: SubmissionStatus.Submitted,
        body,
        studentMessage: input.studentMessage ?? "",
        submittedAt,
      }),
      insertFrom(
        db,
        submissionFiles,
        { submissionId: id, uploadId: jsonField("uploadId"), position: jsonField("position") },
        sql`from ${rowList(files.map((uploadId, at) => ({ uploadId, position: at + 1 })))} where true`,
      ),
      work.audit("created", "submission", { id, name: registration.name }, { userId, attempt, files: files.length }),
    ],
    {
      message: "Assignment submitted.",
      statusRowId,
      submission_id: id,
      attempt,
      status: ModuleStatus.Submitted,
    },
    RETRY_ON_CONFLICT,
  )
}

/**
 * Evaluates the submission that awaits it: the assignment becomes Completed, or In Progress again.
 * @param base the origin that links in mails lead to, without a slash at the end
 * @throws 404; 409 where nothing awaits an evaluation; 422 for more points than there are
 */
export async function evaluateSubmission(work: UnitOfWork, base: string, input: Evaluation) {
  const { db, caller } = work
  const { instructorMessage = "", pointsAwarded = null, isAccepted } = input.evaluation
  const which = resolveModule(input)
  const [found, open] = await work.read([
    selectAssignment(db, which, canSeeUser(caller, enrollments.userId), input.portalId),
    db
      .select({ id: submissions.id, number: submissions.number })
      .from(submissions)
      .where(sql`${ofPlace(which)} and ${submissions.status} = ${literal(SubmissionStatus.Submitted)}`),
  ])
  const [assignment] = found
  if (!assignment) throw notFound("assignment status")
  const [submission] = open
  const { statusRowId, status, totalPoints, name, userId } = assignment
  if (!submission || statusRowId === null || status !== ModuleStatus.Submitted)
    throw conflict("not_submitted", `${name} is ${status}: nothing of it awaits an evaluation.`)
  if (pointsAwarded !== null && pointsAwarded > totalPoints)
    throw invalid("evaluation.pointsAwarded", `evaluation.pointsAwarded must be ${totalPoints} or less.`)
  const at = now()
  const next = isAccepted ? ModuleStatus.Completed : ModuleStatus.InProgress
  return work.commit(
    [
      work.guard(
        rowExists(
          submissions,
          and(eq(submissions.id, submission.id), eq(submissions.status, SubmissionStatus.Submitted)),
        ),
      ),
      db
        .update(submissions)
        .set({
          status: isAccepted ? SubmissionStatus.Accepted : SubmissionStatus.Returned,
          instructorMessage,
          pointsAwarded,
          evaluatedBy: caller.id,
          evaluatedAt: at,
        })
        .where(eq(submissions.id, submission.id)),
      ...recordEvaluation(work, assignment, { isAccepted, pointsAwarded, at }),
      ...(isAccepted ? queueCompletionMail(work, base, assignment.enrollmentId, at) : []),
      work.audit(
        "updated",
        "submission",
        { id: submission.id, name },
        { userId, attempt: submission.number, isAccepted, pointsAwarded },
      ),
    ],
    { message: isAccepted ? "Submission accepted." : "Submission returned to the learner.", status: next },
  )
}
