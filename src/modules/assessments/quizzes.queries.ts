import { and, eq, sql } from "drizzle-orm"
import { quizAttempts, quizVersions } from "../../../drizzle/schema/quizzes.ts"
import { AttemptStatus, QuizResult } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { MINUTE, now, SECOND } from "../../lib/clock.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { selectQuestions } from "../courses/quiz-questions.queries.ts"
import { queueCompletionMail } from "../enrollments/completion-mail.ts"
import {
  RETRY_ON_CONFLICT,
  requireModuleAccess,
  requireStaffForDates,
  resolveModule,
  selectModuleProgress,
} from "../enrollments/module-progress.queries.ts"
import { missingTimeMessage } from "../enrollments/module-rows.ts"
import { advanceModule, toStatusRowId } from "../enrollments/module-statuses.queries.ts"
import { attemptsUsed } from "../enrollments/quiz-availability.ts"
import { guardEnrollmentExists } from "../enrollments/registrations.queries.ts"
import {
  ATTEMPT_QUESTIONS,
  type AttemptQuestion,
  layOut,
  selectDrawnQuestions,
  toAttemptQuestions,
  toLearnerQuestion,
} from "./attempt-questions.ts"
import { allocateSubmissionId, queueForGrading } from "./quiz-essays.queries.ts"
import { GRACE_PERIOD_MS, gradeAnswers, percentEarned, pointsEarned, toQuizResult } from "./quiz-grading.ts"
import { onQuizPassed } from "./quiz-passed.ts"
import type { NewAttempt, QuizSubmission } from "./quizzes.schemas.ts"

const toAttempt = (
  attempt: { id: number; statusRowId: number; number: number; startedAt: number; timeLimitMinutes: number },
  questions: AttemptQuestion[],
) => ({
  attemptId: attempt.id,
  statusRowId: attempt.statusRowId,
  attempt: attempt.number,
  started_on: new Date(attempt.startedAt).toISOString(),
  due_on:
    attempt.timeLimitMinutes > 0 ? new Date(attempt.startedAt + attempt.timeLimitMinutes * MINUTE).toISOString() : null,
  questions: questions.map(toLearnerQuestion),
})

/**
 * Starts an attempt, or returns the open one, and opens the module.
 * @throws 404; 403 dates, if the caller is not staff; 409 if the module is not open or no attempt is left
 */
export async function startAttempt(work: UnitOfWork, input: NewAttempt) {
  const { db, caller } = work
  requireStaffForDates(caller, input.started_on)
  const moduleKey = resolveModule(input)
  const isOwnAttempt = sql`${quizAttempts.enrollmentId} = ${moduleKey.enrollmentId}
    and ${quizAttempts.moduleId} = ${moduleKey.moduleId}`
  const [attemptIds, found, rows, open, counts, pending, drawn, questions, options] = await work.read([
    work.nextIds("quiz_attempts"),
    ...selectModuleProgress(db, caller, "quiz", moduleKey),
    db
      .select({
        id: quizAttempts.id,
        statusRowId: quizAttempts.statusRowId,
        number: quizAttempts.number,
        startedAt: quizAttempts.startedAt,
        timeLimitMinutes: quizAttempts.timeLimitMinutes,
        ...ATTEMPT_QUESTIONS,
      })
      .from(quizAttempts)
      .where(and(isOwnAttempt, eq(quizAttempts.status, AttemptStatus.InProgress))),
    db
      .select({
        last: sql<number>`coalesce(max(${quizAttempts.number}), 0)`.as("last_number"),
        used: attemptsUsed.as("used_attempts"),
      })
      .from(quizAttempts)
      .where(isOwnAttempt),
    db
      .select({ id: quizAttempts.id })
      .from(quizAttempts)
      .where(and(isOwnAttempt, eq(quizAttempts.result, QuizResult.Pending)))
      .limit(1),
    selectDrawnQuestions(db, moduleKey.moduleId),
    ...selectQuestions(db, moduleKey.moduleId),
  ])
  const { registration, lockError } = requireModuleAccess(found, rows[0], "quiz")
  if (lockError && input.started_on === undefined) throw lockError
  const [openAttempt] = open
  if (openAttempt) return work.commit([], toAttempt(openAttempt, toAttemptQuestions(openAttempt)))
  const { last, used } = firstRow(counts)
  if (registration.maxAttempts > 0 && used >= registration.maxAttempts)
    throw conflict(
      "no_attempts_left",
      `No attempts left: this quiz allows ${pluralize(registration.maxAttempts, "attempt")}.`,
    )

  if (pending.length > 0)
    throw conflict("awaiting_grading", "Your last attempt waits to be graded. Try again after that.")

  const versionedQuestions = questions.map(({ moduleId: _, position: __, categoryId: ___, ...question }) => ({
    ...question,
    options: options
      .filter((option) => option.questionId === question.id)
      .map(({ questionId: _, ...option }) => option),
  }))
  const { layout, questions: placed } = layOut(versionedQuestions, drawn, registration)
  const startedAt = input.started_on ?? now()
  const { enrollmentId, moduleId, userId, courseId, version, passPercent, timeLimitMinutes } = registration
  const attempt = {
    id: firstRow(attemptIds).last,
    enrollmentId,
    moduleId,
    statusRowId: toStatusRowId(registration),
    userId,
    courseId,
    number: last + 1,
    status: AttemptStatus.InProgress,
    outOf: placed.reduce((sum, question) => sum + question.points, 0),
    passPercent,
    timeLimitMinutes,
    moduleVersion: version,
    layout,
    startedAt,
  }
  return work.commit(
    [
      guardEnrollmentExists(work, registration),
      ...advanceModule(work, registration, {
        moduleId,
        completed: false,
        points: null,
        opened: true,
        seconds: 0,
        startedAt,
        at: startedAt,
      }),
      db
        .insert(quizVersions)
        .values({
          moduleId,
          moduleVersion: version,
          questions: versionedQuestions,
          partialCredit: registration.partialCredit,
        })
        .onConflictDoNothing(),
      db.insert(quizAttempts).values(attempt),
      work.audit("created", "quiz attempt", { id: attempt.id, name: registration.name }, { userId, attempt: last + 1 }),
    ],
    toAttempt(attempt, placed),
    RETRY_ON_CONFLICT,
  )
}

/**
 * Grades and ends an attempt. A passed attempt completes the module.
 * @param base the origin of links in mails, without a trailing slash
 * @throws 404; 403 dates, if the caller is not staff; 409 if it was submitted before, the enrollment has expired, or
 *   the minimum time was not spent; 422
 */
export async function submitAttempt(work: UnitOfWork, base: string, input: QuizSubmission) {
  const { db, caller } = work
  requireStaffForDates(caller, input.submitted_on)
  const { attemptId } = input
  const moduleKey = {
    enrollmentId: sql`(select enrollment_id from quiz_attempts where id = ${attemptId})`,
    moduleId: sql`(select module_id from quiz_attempts where id = ${attemptId})`,
  }
  const [submissionIds, found, rows, attempts] = await work.read([
    allocateSubmissionId(work, attemptId, input.answers),
    ...selectModuleProgress(db, caller, "quiz", moduleKey),
    db
      .select({
        status: quizAttempts.status,
        number: quizAttempts.number,
        outOf: quizAttempts.outOf,
        passPercent: quizAttempts.passPercent,
        timeLimitMinutes: quizAttempts.timeLimitMinutes,
        startedAt: quizAttempts.startedAt,
        ...ATTEMPT_QUESTIONS,
      })
      .from(quizAttempts)
      .where(eq(quizAttempts.id, attemptId)),
  ])
  if (found.length === 0) throw notFound("quiz attempt")
  const { registration, row, lockError } = requireModuleAccess(found, rows[0], "quiz")
  const attempt = firstRow(attempts)
  if (attempt.status !== AttemptStatus.InProgress)
    throw conflict("already_submitted", "This attempt was already submitted. Start another one with quiz/attempt.")
  if (lockError && input.submitted_on === undefined) throw lockError
  const completedAt = input.submitted_on ?? now()
  if (completedAt < attempt.startedAt)
    throw invalid("submitted_on", "submitted_on must not be before the attempt was started.")

  const { outOf, passPercent, timeLimitMinutes, startedAt } = attempt
  const isLate = timeLimitMinutes > 0 && completedAt > startedAt + timeLimitMinutes * MINUTE + GRACE_PERIOD_MS
  const graded = gradeAnswers(toAttemptQuestions(attempt), input.answers, attempt.partialCredit)
  const { responses, unanswered } = graded
  const pendingPoints = isLate ? 0 : graded.pendingPoints
  const score = isLate ? 0 : graded.score
  const isPending = pendingPoints > 0 || (!isLate && responses.some(({ pending }) => pending))
  const result = {
    score,
    percent: isLate ? 0 : percentEarned(score, outOf),
    result: isLate ? QuizResult.Failed : isPending ? QuizResult.Pending : toQuizResult(score, outOf, passPercent),
  }
  const isPassed = result.result === QuizResult.Passed
  const timeTaken = Math.floor((completedAt - startedAt) / SECOND)
  const missing = missingTimeMessage(row, { measured: timeTaken })
  if (missing && input.submitted_on === undefined) throw conflict("too_early", missing)
  const { enrollmentId, moduleId, userId } = registration
  const message = isLate
    ? "The attempt was submitted after its time limit and scores 0."
    : isPending
      ? "You submitted the quiz. It waits to be graded."
      : result.result === "failed"
        ? "You didn't pass the quiz."
        : "You passed the quiz."
  return work.commit(
    [
      work.guard(
        rowExists(quizAttempts, and(eq(quizAttempts.id, attemptId), eq(quizAttempts.status, AttemptStatus.InProgress))),
      ),
      db
        .update(quizAttempts)
        .set({
          status: AttemptStatus.Completed,
          ...result,
          responses: isLate ? responses.map(({ pending: _, ...response }) => ({ ...response, points: 0 })) : responses,
          completedAt,
          timeTaken,
        })
        .where(eq(quizAttempts.id, attemptId)),
      ...(isPassed ? [onQuizPassed(work, sql`${quizAttempts.id} = ${attemptId}`)] : []),
      ...advanceModule(work, registration, {
        moduleId,
        completed: isPassed,
        points: isPending ? null : isLate ? 0 : pointsEarned(score, outOf, registration.totalPoints),
        opened: false,
        seconds: timeTaken,
        startedAt,
        at: completedAt,
      }),
      ...(isPending
        ? queueForGrading(work, submissionIds, { ...registration, number: attempt.number, submittedAt: completedAt })
        : []),
      ...(isPassed && input.submitted_on === undefined
        ? queueCompletionMail(work, base, enrollmentId, completedAt)
        : []),
      work.audit(
        "updated",
        "quiz attempt",
        { id: attemptId, name: registration.name },
        { userId, attempt: attempt.number, ...result },
      ),
    ],
    { message, attemptId, ...result, outOf, unanswered, pendingPoints },
  )
}
