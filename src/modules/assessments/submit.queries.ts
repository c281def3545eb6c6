import { and, eq, not, sql } from "drizzle-orm"
import { assignmentUploads } from "../../../drizzle/schema/assignments.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { submissionFiles, submissions } from "../../../drizzle/schema/submissions.ts"
import { ModuleStatus, SubmissionStatus } from "../../../drizzle/statuses.ts"
import { canSeeUser } from "../../access/scope.ts"
import { firstRow } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { requireExisting } from "../../db/records.ts"
import { idList, literal, rowCount, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { isEmpty } from "../../lib/text/sanitize.ts"
import { CONSOLE } from "../../lib/web/academy.ts"
import { queueCompletionMail } from "../enrollments/completion-mail.ts"
import {
  canSubmitFor,
  type ModuleSelector,
  RETRY_ON_CONFLICT,
  requireModuleAccess,
  requireStaffForDates,
  resolveModule,
} from "../enrollments/module-progress.queries.ts"
import { missingTimeMessage, selectModuleRow } from "../enrollments/module-rows.ts"
import { isStatusOf, markSubmitted, recordEvaluation, toStatusRowId } from "../enrollments/module-statuses.queries.ts"
import { guardEnrollmentExists } from "../enrollments/registrations.queries.ts"
import { notifyStatements } from "../notifications/notify.ts"
import { selectAssignment, toEnrollmentState } from "./assignments.queries.ts"
import type { Evaluation, NewSubmission } from "./assignments.schemas.ts"
import { requireAcceptedFile } from "./uploads.queries.ts"

/** The condition that an upload is one of these and is not about to be deleted. */
const isStoredUpload = (uploadIds: number[]) =>
  sql`${assignmentUploads.id} in ${idList(uploadIds)} and ${assignmentUploads.state} <> 'expired'`

/** The condition that a submission belongs to the assignment of an enrollment. */
const submissionsOf = ({ enrollmentId, moduleId }: ModuleSelector) =>
  sql`${submissions.enrollmentId} = ${enrollmentId} and ${submissions.moduleId} = ${moduleId}`

/**
 * Submits a text or files for an assignment. A previous submission that awaits evaluation is closed.
 * @throws 404; 403 dates, if the caller is not staff; 409 if it is Completed, locked, not available yet or needs more
 * time; 413 and 415 for files that the assignment does not accept; 422
 */
export async function submitAssignment(work: UnitOfWork, input: NewSubmission) {
  const { db, caller } = work
  const { submissions: uploadIds = [], submitted_on: importedAt } = input
  requireStaffForDates(caller, importedAt)
  const moduleKey = resolveModule(input)
  const [ids, found, rows, counts, uploads] = await work.read([
    work.nextIds("submissions"),
    selectAssignment(db, moduleKey, canSubmitFor(caller), input.portalId),
    selectModuleRow(db, moduleKey),
    db
      .select({ last: sql<number>`coalesce(max(${submissions.number}), 0)`.as("last_number") })
      .from(submissions)
      .where(submissionsOf(moduleKey)),
    db
      .select({
        id: assignmentUploads.id,
        filename: assignmentUploads.filename,
        extension: assignmentUploads.extension,
        bytes: assignmentUploads.bytes,
      })
      .from(assignmentUploads)
      .where(sql`${isStoredUpload(uploadIds)} and ${assignmentUploads.userId} is ${caller.id}`),
  ])
  const { registration, row, lockError } = requireModuleAccess(found, rows[0], "assignment")
  if (lockError && importedAt === undefined) throw lockError
  if (row.status === ModuleStatus.Completed)
    throw conflict("already_completed", `${registration.name} is already completed and accepts no more submissions.`)
  const missing = missingTimeMessage(row, {})
  if (missing && importedAt === undefined) throw conflict("too_early", missing)
  const body = registration.submissionType === "file" ? "" : (input.submission ?? "")
  const files = registration.submissionType === "file" ? uploadIds : []
  if (registration.submissionType === "file") {
    if (files.length === 0) throw invalid("submissions", "submissions is required: upload at least one file.")
    requireExisting("submissions", files, uploads)
    for (const upload of uploads) requireAcceptedFile(registration, upload)
  } else if (isEmpty(body)) throw invalid("submission", "submission is required: enter your answer as text.")

  const { enrollmentId, moduleId, userId, courseId } = registration
  const id = firstRow(ids).last
  const statusRowId = toStatusRowId(registration)
  const attempt = firstRow(counts).last + 1
  const submittedAt = importedAt ?? now()
  return work.commit(
    [
      guardEnrollmentExists(work, toEnrollmentState(registration)),
      work.guard(
        not(
          rowExists(moduleStatuses, and(isStatusOf(registration), eq(moduleStatuses.status, ModuleStatus.Completed))),
        ),
      ),
      work.guard(sql`${rowCount(assignmentUploads, isStoredUpload(files))} = ${files.length}`),
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
 * Evaluates the submitted assignment, which becomes Completed or In Progress again.
 * @param base the origin of links in mails, without a trailing slash
 * @throws 404; 409 if no submission awaits evaluation; 422 for more points than the assignment has
 */
export async function evaluateSubmission(work: UnitOfWork, base: string, input: Evaluation) {
  const { db, caller } = work
  const { instructorMessage = "", pointsAwarded = null, isAccepted } = input.evaluation
  const moduleKey = resolveModule(input)
  const [found, open] = await work.read([
    selectAssignment(db, moduleKey, canSeeUser(caller, enrollments.userId), input.portalId),
    db
      .select({ id: submissions.id, number: submissions.number })
      .from(submissions)
      .where(sql`${submissionsOf(moduleKey)} and ${submissions.status} = ${literal(SubmissionStatus.Submitted)}`),
  ])
  const [assignment] = found
  if (!assignment) throw notFound("assignment status")
  const [submission] = open
  const { statusRowId, status, totalPoints, name, userId } = assignment
  if (!submission || statusRowId === null || status !== ModuleStatus.Submitted)
    throw conflict("not_submitted", `${name} is ${status} and has no submission to evaluate.`)
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
      ...evaluationNotice(work, base, { ...assignment, isAccepted, pointsAwarded }),
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

/** Notifies the learner of the evaluation of a submission. */
export const evaluationNotice = (
  work: UnitOfWork,
  base: string,
  evaluated: {
    enrollmentId: number
    name: string
    totalPoints: number
    isAccepted: boolean
    pointsAwarded: number | null
  },
): Statement[] =>
  notifyStatements(
    work,
    evaluated.isAccepted ? "submission_graded" : "submission_returned",
    sql`
      select ${enrollments.userId} as user_id,
        json_object(
          'assignment', ${evaluated.name}, 'course', ${courses.name}, 'grade', ${gradeOf(evaluated)}
        ) as variables,
        ${`${CONSOLE}/learning/`} || ${enrollments.courseId} || '/' || ${enrollments.id} as path,
        null as dedupe
      from ${enrollments}
      join ${courses} on ${courses.id} = ${enrollments.courseId}
      where ${enrollments.id} = ${evaluated.enrollmentId}`,
    { base },
  )

/** `18 / 20`; empty: no points were given. */
const gradeOf = ({ pointsAwarded, totalPoints }: { pointsAwarded: number | null; totalPoints: number }) =>
  pointsAwarded === null ? "" : `${pointsAwarded} / ${totalPoints}`
