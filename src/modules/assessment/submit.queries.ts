import { eq, sql } from "drizzle-orm"
import { assignmentUploads } from "../../../drizzle/assignments.ts"
import { enrolments, moduleStatuses } from "../../../drizzle/enrolments.ts"
import { submissionFiles, submissions } from "../../../drizzle/submissions.ts"
import { mayKnow } from "../../gate/scope.ts"
import { now } from "../../lib/clock.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { one } from "../../lib/sql/db.ts"
import { requireAll } from "../../lib/sql/records.ts"
import { idList, rowList } from "../../lib/sql/sql.ts"
import type { UnitOfWork } from "../../lib/sql/work.ts"
import { isEmpty } from "../../lib/text/sanitize.ts"
import { missingTime, moduleRowsOf } from "../learning/module-rows.ts"
import { named, placed, requireStaffForDates } from "../learning/standing.queries.ts"
import { assignmentOf, ownWork, registered, twice, UNIQUE } from "./assignments.queries.ts"
import type { Evaluation, NewSubmission } from "./assignments.schemas.ts"
import { requireFits } from "./uploads.queries.ts"

/**
 * Submits a text or files for an assignment: an attempt, which takes the place of one that awaits its evaluation.
 * @throws 404; 403 for dates below staff; 409 once it is Completed, or as its locks, dates and least time say; 413 and
 * 415 for files that the assignment does not take; 422
 */
export const submitAssignment = (work: UnitOfWork, input: NewSubmission) => twice(() => submitOnce(work, input))

async function submitOnce(work: UnitOfWork, input: NewSubmission) {
  const { db, caller } = work
  const { submissions: uploadIds = [], submitted_on: imported } = input
  requireStaffForDates(caller, imported)
  const which = named(input)
  const [ids, statusIds, found, rows, counts, uploads] = await work.read([
    work.nextIds("submissions"),
    work.nextIds("module_statuses"),
    assignmentOf(db, which, ownWork(caller), input.portalId),
    moduleRowsOf(db, which.enrolmentId),
    db
      .select({ last: sql<number>`coalesce(max(${submissions.number}), 0)`.as("last_number") })
      .from(submissions)
      .where(sql`${submissions.enrolmentId} = ${which.enrolmentId} and ${submissions.moduleId} = ${which.moduleId}`),
    db
      .select({
        id: assignmentUploads.id,
        filename: assignmentUploads.filename,
        extension: assignmentUploads.extension,
        bytes: assignmentUploads.bytes,
      })
      .from(assignmentUploads)
      .where(
        sql`${assignmentUploads.id} in ${idList(uploadIds)} and ${assignmentUploads.userId} is ${caller.id} and ${assignmentUploads.state} <> 'expired'`,
      ),
  ])
  const { registration, row, held } = placed(found, rows, "assignment")
  if (held && imported === undefined) throw conflict(held)
  if (row.status === "Completed") throw conflict(`${registration.name} is Completed: it takes no more submissions.`)
  const missing = missingTime(row, {})
  if (missing && imported === undefined) throw conflict(missing)
  const body = registration.submissionType === "file" ? "" : (input.submission ?? "")
  const files = registration.submissionType === "file" ? uploadIds : []
  if (registration.submissionType === "file") {
    if (files.length === 0) throw invalid("submissions", "submissions is required: the assignment asks for files.")
    requireAll("submissions", files, uploads)
    for (const upload of uploads) requireFits(registration, upload)
  } else if (isEmpty(body)) throw invalid("submission", "submission is required: the assignment asks for a text.")

  const { enrolmentId, moduleId, userId, courseId } = registration
  const id = one(ids).last
  const statusRowId = row.statusRowId ?? one(statusIds).last
  const attempt = one(counts).last + 1
  const submittedAt = imported ?? now()
  return work.commit(
    [
      registered(work, enrolmentId),
      work.guard(
        sql`not exists (select 1 from ${moduleStatuses} where ${moduleStatuses.id} = ${statusRowId} and ${moduleStatuses.status} = 'Completed')`,
      ),
      work.guard(
        sql`(select count(*) from ${assignmentUploads} where ${assignmentUploads.id} in ${idList(files)} and ${assignmentUploads.state} <> 'expired') = ${files.length}`,
      ),
      db
        .update(submissions)
        .set({ status: "Closed" })
        .where(sql`${submissions.statusRowId} = ${statusRowId} and ${submissions.status} = 'Submitted'`),
      row.statusRowId === null
        ? db.insert(moduleStatuses).values({
            id: statusRowId,
            enrolmentId,
            moduleId,
            status: "Submitted",
            timesAccessed: 1,
            startedAt: submittedAt,
            lastAccessedAt: submittedAt,
          })
        : db
            .update(moduleStatuses)
            .set({
              status: "Submitted",
              startedAt: sql`iif(${moduleStatuses.startedAt} = 0, ${submittedAt}, ${moduleStatuses.startedAt})`,
              lastAccessedAt: sql`max(${moduleStatuses.lastAccessedAt}, ${submittedAt})`,
            })
            .where(eq(moduleStatuses.id, statusRowId)),
      db.insert(submissions).values({
        id,
        enrolmentId,
        moduleId,
        statusRowId,
        userId,
        courseId,
        number: attempt,
        status: "Submitted",
        body,
        studentMessage: input.studentMessage ?? "",
        submittedAt,
      }),
      db
        .insert(submissionFiles)
        .select(
          sql`select ${id} as submission_id, value ->> '$.uploadId' as upload_id, value ->> '$.position' as position from ${rowList(files.map((uploadId, at) => ({ uploadId, position: at + 1 })))} where true`,
        ),
      work.audit("created", "submission", { id, name: registration.name }, { userId, attempt, files: files.length }),
    ],
    {
      message: "Assignment submitted.",
      statusRowId,
      submission_id: id,
      attempt,
      status: "Submitted" as const,
    },
    { unique: UNIQUE },
  )
}

/**
 * Evaluates the submission that awaits it: the assignment becomes Completed, or In Progress again.
 * @throws 404; 409 where nothing awaits an evaluation; 422 for more points than there are
 */
export async function evaluateSubmission(work: UnitOfWork, input: Evaluation) {
  const { db, caller } = work
  const { instructorMessage = "", pointsAwarded = null, isAccepted } = input.evaluation
  const which = named(input)
  const [found, open] = await work.read([
    assignmentOf(db, which, mayKnow(caller, enrolments.userId), input.portalId),
    db
      .select({ id: submissions.id, number: submissions.number })
      .from(submissions)
      .where(
        sql`${submissions.enrolmentId} = ${which.enrolmentId} and ${submissions.moduleId} = ${which.moduleId} and ${submissions.status} = 'Submitted'`,
      ),
  ])
  const [assignment] = found
  if (!assignment) throw notFound("assignment status")
  const [submission] = open
  const { statusRowId, status, totalPoints, name, userId } = assignment
  if (!submission || statusRowId === null || status !== "Submitted")
    throw conflict(`${name} is ${status}: nothing of it awaits an evaluation.`)
  if (pointsAwarded !== null && pointsAwarded > totalPoints)
    throw invalid("evaluation.pointsAwarded", `evaluation.pointsAwarded must be ${totalPoints} or less.`)
  const at = now()
  const next = isAccepted ? ("Completed" as const) : ("In Progress" as const)
  return work.commit(
    [
      work.guard(
        sql`exists (select 1 from ${submissions} where ${submissions.id} = ${submission.id} and ${submissions.status} = 'Submitted')`,
      ),
      db
        .update(submissions)
        .set({
          status: isAccepted ? "Accepted" : "Returned",
          instructorMessage,
          pointsAwarded,
          evaluatedBy: caller.id,
          evaluatedAt: at,
        })
        .where(eq(submissions.id, submission.id)),
      db
        .update(moduleStatuses)
        .set(isAccepted ? { status: next, percent: 100, pointsAwarded, completedAt: at } : { status: next })
        .where(eq(moduleStatuses.id, statusRowId)),
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
