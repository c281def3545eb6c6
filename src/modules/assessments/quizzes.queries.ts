import { and, eq, type SQL, sql } from "drizzle-orm"
import { quizAttempts, quizVersions, type VersionedQuestion } from "../../../drizzle/schema/quizzes.ts"
import { AttemptStatus, QuizResult } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { MINUTE, now, SECOND } from "../../lib/clock.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
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
import { gradeAnswers, percentEarned, pointsEarned, toQuizResult } from "./quiz-grading.ts"
import { onQuizPassed } from "./quiz-passed.ts"
import type { NewAttempt, QuizSubmission } from "./quizzes.schemas.ts"

/** How much later than its limit an attempt may come in: the time that the way to us takes. */
const GRACE = 30 * SECOND

/** What the paper of a version holds; nothing of version 0. */
const paperOf = (moduleId: SQL, moduleVersion: SQL) =>
  sql`coalesce((
    select ${quizVersions.questions}
    from ${quizVersions}
    where ${quizVersions.moduleId} = ${moduleId} and ${quizVersions.moduleVersion} = ${moduleVersion}
  ), '[]')`
    .mapWith((json: string): VersionedQuestion[] => JSON.parse(json))
    .as("paper_questions")

/** The questions as a learner sees them: without what is right. */
const asked = (questions: VersionedQuestion[]) =>
  questions.map(({ id, text, type, points, options }) => ({
    id,
    text,
    type,
    points,
    options: options.map((option) => ({ id: option.id, text: option.text })),
  }))

const toAttempt = (
  attempt: { id: number; statusRowId: number; number: number; startedAt: number; timeLimitMinutes: number },
  questions: VersionedQuestion[],
) => ({
  attemptId: attempt.id,
  statusRowId: attempt.statusRowId,
  attempt: attempt.number,
  started_on: new Date(attempt.startedAt).toISOString(),
  due_on:
    attempt.timeLimitMinutes > 0 ? new Date(attempt.startedAt + attempt.timeLimitMinutes * MINUTE).toISOString() : null,
  questions: asked(questions),
})

/**
 * Begins an attempt, or goes on with the one that is open, and opens the module.
 * @throws 404; 403 for dates below staff; 409 as the module's locks and dates say, or when no attempt is left
 */
export async function startAttempt(work: UnitOfWork, input: NewAttempt) {
  const { db, caller } = work
  requireStaffForDates(caller, input.started_on)
  const which = resolveModule(input)
  const mine = sql`${quizAttempts.enrollmentId} = ${which.enrollmentId}
    and ${quizAttempts.moduleId} = ${which.moduleId}`
  const [attemptIds, found, rows, open, counts, questions, options] = await work.read([
    work.nextIds("quiz_attempts"),
    ...selectModuleProgress(db, caller, "quiz", which),
    db
      .select({
        id: quizAttempts.id,
        statusRowId: quizAttempts.statusRowId,
        number: quizAttempts.number,
        startedAt: quizAttempts.startedAt,
        timeLimitMinutes: quizAttempts.timeLimitMinutes,
        questions: paperOf(sql`${quizAttempts.moduleId}`, sql`${quizAttempts.moduleVersion}`),
      })
      .from(quizAttempts)
      .where(and(mine, eq(quizAttempts.status, AttemptStatus.InProgress))),
    db
      .select({
        last: sql<number>`coalesce(max(${quizAttempts.number}), 0)`.as("last_number"),
        used: attemptsUsed.as("used_attempts"),
      })
      .from(quizAttempts)
      .where(mine),
    ...selectQuestions(db, which.moduleId),
  ])
  const { registration, held } = requireModuleAccess(found, rows[0], "quiz")
  if (held && input.started_on === undefined) throw held
  const [going] = open
  if (going) return work.commit([], toAttempt(going, going.questions))
  const { last, used } = firstRow(counts)
  if (registration.maxAttempts > 0 && used >= registration.maxAttempts)
    throw conflict("no_attempts_left", `No attempt is left: the quiz allows ${registration.maxAttempts}.`)

  const paper = questions.map(({ id, text, type, points, answers }) => ({
    id,
    text,
    type,
    points,
    answers,
    options: options
      .filter((option) => option.questionId === id)
      .map((option) => ({ id: option.id, text: option.text, correct: option.correct })),
  }))
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
    outOf: paper.reduce((sum, question) => sum + question.points, 0),
    passPercent,
    timeLimitMinutes,
    moduleVersion: version,
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
      db.insert(quizVersions).values({ moduleId, moduleVersion: version, questions: paper }).onConflictDoNothing(),
      db.insert(quizAttempts).values(attempt),
      work.audit("created", "quiz attempt", { id: attempt.id, name: registration.name }, { userId, attempt: last + 1 }),
    ],
    toAttempt(attempt, paper),
    RETRY_ON_CONFLICT,
  )
}

/**
 * Marks an attempt and ends it. A passed one completes the module.
 * @param base the origin that links in mails lead to, without a slash at the end
 * @throws 404; 403 for dates below staff; 409 when it was submitted before, the registration is over or time is to be
 * spent first; 422
 */
export async function submitAttempt(work: UnitOfWork, base: string, input: QuizSubmission) {
  const { db, caller } = work
  requireStaffForDates(caller, input.submitted_on)
  const { attemptId } = input
  const which = {
    enrollmentId: sql`(select enrollment_id from quiz_attempts where id = ${attemptId})`,
    moduleId: sql`(select module_id from quiz_attempts where id = ${attemptId})`,
  }
  const [found, rows, attempts] = await work.read([
    ...selectModuleProgress(db, caller, "quiz", which),
    db
      .select({
        status: quizAttempts.status,
        number: quizAttempts.number,
        outOf: quizAttempts.outOf,
        passPercent: quizAttempts.passPercent,
        timeLimitMinutes: quizAttempts.timeLimitMinutes,
        startedAt: quizAttempts.startedAt,
        questions: paperOf(sql`${quizAttempts.moduleId}`, sql`${quizAttempts.moduleVersion}`),
      })
      .from(quizAttempts)
      .where(eq(quizAttempts.id, attemptId)),
  ])
  if (found.length === 0) throw notFound("quiz attempt")
  const { registration, row, held } = requireModuleAccess(found, rows[0], "quiz")
  const attempt = firstRow(attempts)
  if (attempt.status !== AttemptStatus.InProgress)
    throw conflict("already_submitted", "The attempt was submitted before. Begin another by quiz/attempt.")
  if (held && input.submitted_on === undefined) throw held
  const completedAt = input.submitted_on ?? now()
  if (completedAt < attempt.startedAt)
    throw invalid("submitted_on", "submitted_on must not be before the attempt was started.")

  const { outOf, passPercent, timeLimitMinutes, startedAt } = attempt
  const late = timeLimitMinutes > 0 && completedAt > startedAt + timeLimitMinutes * MINUTE + GRACE
  const { responses, score } = gradeAnswers(attempt.questions, input.answers)
  const result = {
    score: late ? 0 : score,
    percent: late ? 0 : percentEarned(score, outOf),
    result: late ? ("failed" as const) : toQuizResult(score, outOf, passPercent),
  }
  const isPassed = result.result === QuizResult.Passed
  const timeTaken = Math.floor((completedAt - startedAt) / SECOND)
  const missing = missingTimeMessage(row, { measured: timeTaken })
  if (missing && input.submitted_on === undefined) throw conflict("too_early", missing)
  const { enrollmentId, moduleId, userId } = registration
  const message = late
    ? "The attempt came after its time limit: nothing of it counts."
    : result.result === "failed"
      ? "The quiz is not passed."
      : "The quiz is passed."
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
          responses: late ? responses.map((response) => ({ ...response, points: 0 })) : responses,
          completedAt,
          timeTaken,
        })
        .where(eq(quizAttempts.id, attemptId)),
      ...(isPassed ? [onQuizPassed(work, sql`${quizAttempts.id} = ${attemptId}`)] : []),
      ...advanceModule(work, registration, {
        moduleId,
        completed: isPassed,
        points: late ? 0 : pointsEarned(score, outOf, registration.totalPoints),
        opened: false,
        seconds: timeTaken,
        startedAt,
        at: completedAt,
      }),
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
    { message, attemptId, ...result, outOf },
  )
}
