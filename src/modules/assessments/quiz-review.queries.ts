import { asc, eq, sql } from "drizzle-orm"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules, type ReviewDetail } from "../../../drizzle/schema/modules.ts"
import { quizAttempts, type Response } from "../../../drizzle/schema/quizzes.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { AttemptStatus, ModuleStatus, QuizResult } from "../../../drizzle/statuses.ts"
import { canSeeUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { RowOf } from "../../db/select.ts"
import { fullNameIn, literal, rowExists } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { type ModuleRef, resolveModule } from "../enrollments/module-progress.queries.ts"
import {
  ATTEMPT_QUESTIONS,
  type AttemptQuestion,
  correctAnswer,
  toAttemptQuestions,
  toLearnerQuestion,
} from "./attempt-questions.ts"
import { totalsOf } from "./quiz-grading.ts"

// What people see of submitted attempts. Learners see of their own what the author allows; others see everything.

/** What the author allows, and how many submitted attempts count, in SQL of a row of `quiz_attempts`. */
const REVIEW_STATE = {
  reviewDetail: modules.reviewDetail,
  reviewAfter: modules.reviewAfter,
  maxAttempts: modules.maxAttempts,
  isCompleted: sql`${rowExists(
    moduleStatuses,
    sql`${moduleStatuses.enrollmentId} = ${quizAttempts.enrollmentId}
      and ${moduleStatuses.moduleId} = ${quizAttempts.moduleId}
      and ${moduleStatuses.status} = ${literal(ModuleStatus.Completed)}`,
  )}`
    .mapWith(Boolean)
    .as("is_completed"),
  used: sql<number>`(
    select coalesce(sum(earlier.started_at >= (
      select ${moduleStatuses.startedAt}
      from ${moduleStatuses}
      where ${moduleStatuses.enrollmentId} = earlier.enrollment_id
        and ${moduleStatuses.moduleId} = earlier.module_id
        and ${moduleStatuses.startedAt} > 0
    )), 0)
    from quiz_attempts as earlier
    where earlier.enrollment_id = ${quizAttempts.enrollmentId} and earlier.module_id = ${quizAttempts.moduleId}
      and earlier.status = ${literal(AttemptStatus.Completed)}
  )`.as("used_attempts"),
}

interface ReviewState {
  reviewDetail: ReviewDetail
  reviewAfter: (typeof modules.$inferSelect)["reviewAfter"]
  maxAttempts: number
  isCompleted: boolean
  used: number
}

/** What a learner sees of their own submitted attempts. */
export function ownReviewDetail({
  reviewDetail,
  reviewAfter,
  maxAttempts,
  isCompleted,
  used,
}: ReviewState): ReviewDetail {
  const isTime =
    reviewAfter === "attempt" ||
    (reviewAfter === "passed" && isCompleted) ||
    (reviewAfter === "last" && maxAttempts > 0 && used >= maxAttempts)
  return isTime ? reviewDetail : "score"
}

const ATTEMPT = {
  id: quizAttempts.id,
  number: quizAttempts.number,
  status: quizAttempts.status,
  result: quizAttempts.result,
  score: quizAttempts.score,
  outOf: quizAttempts.outOf,
  percent: quizAttempts.percent,
  startedAt: quizAttempts.startedAt,
  completedAt: quizAttempts.completedAt,
  timeTaken: quizAttempts.timeTaken,
}

export type AttemptSummary = RowOf<typeof ATTEMPT>

/** Lists the attempts of an enrollment at a quiz. @throws 404 */
export async function listAttempts(db: Database, caller: Caller, ref: ModuleRef) {
  const { enrollmentId, moduleId } = resolveModule(ref)
  const [found, attempts] = await db.batch([
    db
      .select({ id: enrollments.id })
      .from(enrollments)
      .innerJoin(modules, sql`${modules.id} = ${moduleId} and ${modules.type} = 'quiz'`)
      .where(sql`${enrollments.id} = ${enrollmentId} and ${canSeeUser(caller, enrollments.userId)}`),
    db
      .select(ATTEMPT)
      .from(quizAttempts)
      .where(sql`${quizAttempts.enrollmentId} = ${enrollmentId} and ${quizAttempts.moduleId} = ${moduleId}`)
      .orderBy(asc(quizAttempts.number)),
  ])
  if (found.length === 0) throw notFound("quiz module of a registration")
  return attempts
}

/** Marks, and what is correct, of a response, as far as `detail` allows. */
function toReview(question: AttemptQuestion, response: Response | undefined, detail: ReviewDetail) {
  const answer = {
    optionIds: response?.optionIds ?? [],
    text: response?.text ?? "",
    values: response?.values ?? [],
  }
  return {
    ...toLearnerQuestion(question),
    answer,
    pointsAwarded: response?.pending ? null : (response?.points ?? 0),
    isCorrect: response?.pending ? null : (response?.correct ?? false),
    comment: response?.comment ?? "",
    correctAnswer: detail === "explanations" && question.type !== "essay" ? correctAnswer(question) : null,
    explanation: detail === "explanations" ? question.explanation : "",
  }
}

/**
 * Reads an attempt with its questions, as far as the author allows it. Attempts in progress show no questions.
 * @throws 404
 */
export async function getAttempt(db: Database, caller: Caller, id: number) {
  const [rows] = await db.batch([
    db
      .select({
        ...ATTEMPT,
        ...ATTEMPT_QUESTIONS,
        ...REVIEW_STATE,
        responses: quizAttempts.responses,
        statusRowId: quizAttempts.statusRowId,
        userId: quizAttempts.userId,
        courseId: quizAttempts.courseId,
        moduleId: quizAttempts.moduleId,
        quiz: sql<string>`${modules.name}`.as("quiz_name"),
        learner: fullNameIn().as("learner_name"),
        email: sql<string>`${users.email}`.as("learner_email"),
      })
      .from(quizAttempts)
      .innerJoin(modules, eq(modules.id, quizAttempts.moduleId))
      .innerJoin(users, eq(users.id, quizAttempts.userId))
      .where(sql`${quizAttempts.id} = ${id} and ${canSeeUser(caller, quizAttempts.userId)}`),
  ])
  const [attempt] = rows
  if (!attempt) throw notFound("quiz attempt")
  const isSubmitted = attempt.status === AttemptStatus.Completed
  const detail: ReviewDetail = !isSubmitted
    ? "score"
    : attempt.userId === caller.id
      ? ownReviewDetail(attempt)
      : "explanations"
  // A reset ends an attempt before its essays are graded.
  const given =
    attempt.result === QuizResult.Pending
      ? attempt.responses
      : attempt.responses.map(({ pending: _, ...response }) => response)
  const responses = new Map(given.map((response) => [response.questionId, response]))
  const { unanswered, pendingPoints } = totalsOf(given)
  return {
    ...attempt,
    detail,
    unanswered,
    pendingPoints,
    questions:
      detail === "score"
        ? []
        : toAttemptQuestions(attempt).map((question) => toReview(question, responses.get(question.id), detail)),
  }
}

/** Selects what a learner sees of their attempts at a quiz, as SQL of an enrollment's first attempt. */
export const selectReviewState = (db: Database, enrollmentId: number, moduleId: number) =>
  db
    .select(REVIEW_STATE)
    .from(quizAttempts)
    .innerJoin(modules, eq(modules.id, quizAttempts.moduleId))
    .where(sql`${quizAttempts.enrollmentId} = ${enrollmentId} and ${quizAttempts.moduleId} = ${moduleId}`)
    .limit(1)
