import { and, eq, sql } from "drizzle-orm"
import { bankQuestionVersions } from "../../../drizzle/schema/question-bank.ts"
import { quizAttempts, quizVersions, type Response } from "../../../drizzle/schema/quizzes.ts"
import { submissions } from "../../../drizzle/schema/submissions.ts"
import { QuizResult, SubmissionStatus } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { literal, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { conflict, type FieldErrors, invalidFields, notFound } from "../../lib/errors.ts"
import { queueCompletionMail } from "../enrollments/completion-mail.ts"
import { selectModuleProgress } from "../enrollments/module-progress.queries.ts"
import { advanceModule, type ModuleKey, toStatusRowId } from "../enrollments/module-statuses.queries.ts"
import { percentEarned, pointsEarned, toQuizResult, totalsOf } from "./quiz-grading.ts"
import { onQuizPassed } from "./quiz-passed.ts"
import type { EssayGrades, QuizSubmission } from "./quizzes.schemas.ts"
import { evaluationNotice } from "./submit.queries.ts"

// Essays of quizzes are graded by hand. They wait in the queue of assignments: an attempt with essays has a row in
// `submissions`, without the text.

/** Draws the id of the row in the queue, if a text was given and the attempt has an essay. */
export const allocateSubmissionId = (work: UnitOfWork, attemptId: number, answers: QuizSubmission["answers"]) =>
  work.nextIds(
    "submissions",
    1,
    answers.some(({ text }) => text)
      ? sql`exists (
          select 1
          from ${quizAttempts} as own
          join ${quizVersions} as version
            on version.module_id = own.module_id and version.module_version = own.module_version
          cross join json_each(version.questions) as question
          where own.id = ${attemptId} and question.value ->> '$.type' = 'essay'
        ) or exists (
          select 1
          from ${quizAttempts} as own
          cross join json_each(own.layout) as placed
          cross join ${bankQuestionVersions} as version
            on version.question_id = placed.value ->> '$.id' and version.version = placed.value ->> '$.version'
          where own.id = ${attemptId} and version.content ->> '$.type' = 'essay'
        )`
      : sql`false`,
  )

interface QueuedAttempt extends ModuleKey {
  userId: number
  courseId: number
  number: number
  submittedAt: number
}

/** Adds an attempt to the queue of work that waits to be graded. */
export const queueForGrading = (
  { db }: UnitOfWork,
  ids: { last: number }[],
  { enrollmentId, moduleId, userId, courseId, number, submittedAt }: QueuedAttempt,
): Statement[] => [
  db.insert(submissions).values({
    id: firstRow(ids).last,
    enrollmentId,
    moduleId,
    statusRowId: toStatusRowId({ enrollmentId, moduleId }),
    userId,
    courseId,
    number,
    status: SubmissionStatus.Submitted,
    submittedAt,
  }),
]

/** Applies grades to the essays of an attempt. @throws 422 for other questions, too many points or missing grades */
function applyGrades(responses: Response[], grades: EssayGrades["grades"]): Response[] {
  const errors: FieldErrors = {}
  for (const [index, { questionId, points }] of grades.entries()) {
    const response = responses.find((known) => known.questionId === questionId)
    const field = `grades.${index}`
    if (!response?.pending) errors[`${field}.questionId`] = [`${field}.questionId must be an essay that waits.`]
    else if (points > response.outOf) errors[`${field}.points`] = [`${field}.points must be ${response.outOf} or less.`]
  }
  const graded = new Map(grades.map((grade) => [grade.questionId, grade]))
  const missing = responses.filter(({ pending, questionId }) => pending && !graded.has(questionId))
  if (missing.length > 0)
    errors.grades = [`grades must grade every essay. Missing: ${missing.map((one) => one.questionId).join(", ")}.`]
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
  return responses.map(({ pending, ...response }) => {
    const grade = pending ? graded.get(response.questionId) : undefined
    if (!grade) return response
    const { points, comment } = grade
    return { ...response, points, correct: points === response.outOf, ...(comment && { comment }) }
  })
}

/**
 * Grades the essays of an attempt, which then has its result.
 * @param base the origin of links in mails, without a trailing slash
 * @throws 404; 409 if the attempt does not wait to be graded; 422
 */
export async function gradeAttempt(work: UnitOfWork, base: string, { attemptId, grades }: EssayGrades) {
  const { db, caller } = work
  const moduleKey = {
    enrollmentId: sql`(select enrollment_id from quiz_attempts where id = ${attemptId})`,
    moduleId: sql`(select module_id from quiz_attempts where id = ${attemptId})`,
  }
  const [selectQuiz] = selectModuleProgress(db, caller, "quiz", moduleKey)
  const [[registration], [attempt]] = await work.read([
    selectQuiz,
    db
      .select({
        number: quizAttempts.number,
        outOf: quizAttempts.outOf,
        passPercent: quizAttempts.passPercent,
        startedAt: quizAttempts.startedAt,
        result: quizAttempts.result,
        responses: quizAttempts.responses,
      })
      .from(quizAttempts)
      .where(eq(quizAttempts.id, attemptId)),
  ])
  if (!registration || !attempt) throw notFound("quiz attempt")
  if (attempt.result !== QuizResult.Pending)
    throw conflict("not_submitted", "This attempt has no essay that waits to be graded.")
  const responses = applyGrades(attempt.responses, grades)
  const { outOf, passPercent, startedAt } = attempt
  const { score } = totalsOf(responses)
  const result = { score, percent: percentEarned(score, outOf), result: toQuizResult(score, outOf, passPercent) }
  const isPassed = result.result === QuizResult.Passed
  const at = now()
  const { enrollmentId, moduleId, userId, totalPoints, name } = registration
  return work.commit(
    [
      work.guard(
        rowExists(quizAttempts, and(eq(quizAttempts.id, attemptId), eq(quizAttempts.result, QuizResult.Pending))),
      ),
      db
        .update(quizAttempts)
        .set({ ...result, responses })
        .where(eq(quizAttempts.id, attemptId)),
      db
        .update(submissions)
        .set({
          status: SubmissionStatus.Accepted,
          pointsAwarded: Math.round(grades.reduce((sum, { points }) => sum + points, 0)),
          evaluatedBy: caller.id,
          evaluatedAt: at,
        })
        .where(
          sql`${submissions.statusRowId} = ${toStatusRowId(registration)}
            and ${submissions.status} = ${literal(SubmissionStatus.Submitted)}`,
        ),
      ...(isPassed ? [onQuizPassed(work, sql`${quizAttempts.id} = ${attemptId}`)] : []),
      ...advanceModule(work, registration, {
        moduleId,
        completed: isPassed,
        points: pointsEarned(score, outOf, totalPoints),
        opened: false,
        seconds: 0,
        startedAt,
        at,
      }),
      ...evaluationNotice(work, base, {
        enrollmentId,
        name,
        totalPoints: outOf,
        isAccepted: true,
        pointsAwarded: score,
      }),
      ...(isPassed ? queueCompletionMail(work, base, enrollmentId, at) : []),
      work.audit(
        "updated",
        "quiz attempt",
        { id: attemptId, name },
        { userId, attempt: attempt.number, ...result, graded: grades.length },
      ),
    ],
    { message: "The attempt was graded.", attemptId, ...result, outOf },
  )
}
