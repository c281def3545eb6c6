import { modules } from "../schema/modules.ts"
import { bankQuestions, questionPools } from "../schema/question-bank.ts"
import { quizAttempts, quizCounts } from "../schema/quizzes.ts"
import { AttemptStatus, QuizResult } from "../statuses.ts"
import { type AudienceCounter, audienceCounterTriggers, countsStatus } from "./audience-counters.ts"
import { changed, searchIndex, trigger } from "./declare.ts"

/** Counts quiz attempts by status. */
export const quizCounter: AudienceCounter = {
  counters: quizCounts,
  source: quizAttempts,
  scope: [quizCounts.courseId, quizCounts.moduleId],
  counts: {
    // A learner who starts a quiz again is counted once.
    started: (row) => `(${row}number = 1)`,
    in_progress: countsStatus(quizAttempts.status, AttemptStatus.InProgress),
    completed: countsStatus(quizAttempts.status, AttemptStatus.Completed),
  },
  updatedCounts: ["in_progress", "completed"],
  watched: [quizAttempts.status],
  label: "quizzes",
}

/** Pools and their questions. */
export const questionBankTriggers = [
  ...searchIndex(questionPools),
  ...searchIndex(bankQuestions, {
    inserted: ["UPDATE question_pools SET question_count = question_count + 1 WHERE id = new.pool_id"],
    deleted: ["UPDATE question_pools SET question_count = question_count - 1 WHERE id = old.pool_id"],
  }),
]

export const quizTriggers = [
  ...audienceCounterTriggers(quizCounter),
  // Points awarded for a quiz are the best attempt's share of what the quiz is worth now.
  trigger(
    "quizzes_points_changed",
    {
      on: modules,
      after: "update",
      of: [modules.totalPoints],
      if: `new.type = 'quiz' AND ${changed(modules.totalPoints)}`,
    },
    `
    UPDATE module_statuses SET points_awarded = coalesce((
        SELECT max(iif(out_of > 0, CAST(round(score * new.total_points / out_of) AS INTEGER), new.total_points))
        FROM quiz_attempts
        WHERE quiz_attempts.enrollment_id = module_statuses.enrollment_id
          AND quiz_attempts.module_id = new.id
          AND quiz_attempts.status = '${AttemptStatus.Completed}' AND quiz_attempts.result <> '${QuizResult.Pending}'
          AND (quiz_attempts.recorded OR quiz_attempts.started_at >= module_statuses.started_at)
      ), points_awarded)
    WHERE module_id = new.id AND points_awarded IS NOT NULL`,
  ),
]
