import { type Placeholder, type SQL, sql } from "drizzle-orm"
import { moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules, quizQuestions } from "../../../drizzle/schema/modules.ts"
import { quizDraws } from "../../../drizzle/schema/question-bank.ts"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { AttemptStatus, QuizResult } from "../../../drizzle/statuses.ts"
import { literal } from "../../db/sql.ts"

/**
 * The number of selected attempts that count. Attempts before a reset or recertification don't: the module was opened
 * again after them.
 */
export const attemptsUsed = sql<number>`coalesce(sum(${quizAttempts.startedAt} >= (
  select ${moduleStatuses.startedAt}
  from ${moduleStatuses}
  where ${moduleStatuses.enrollmentId} = ${quizAttempts.enrollmentId}
    and ${moduleStatuses.moduleId} = ${quizAttempts.moduleId}
    and ${moduleStatuses.startedAt} > 0
)), 0)`

/** The terms of a quiz, and the number of used attempts. */
interface QuizTerms {
  questions: number
  timeLimitMinutes: number
  passPercent: number
  maxAttempts: number
  used: number
  isOpen: number
  isPending: number
}

/** The terms of a row of `modules` for an enrollment, as JSON; null for other types. */
export const selectQuizTerms = (enrollmentId: SQL | number | Placeholder) => {
  const attempts = sql`
    from ${quizAttempts}
    where ${quizAttempts.enrollmentId} = ${enrollmentId} and ${quizAttempts.moduleId} = ${modules.id}`
  return sql`case when ${modules.type} = 'quiz' then json_object(
    'questions', (select count(*) from ${quizQuestions} where ${quizQuestions.moduleId} = ${modules.id})
      + coalesce((select sum(${quizDraws.count}) from ${quizDraws} where ${quizDraws.moduleId} = ${modules.id}), 0),
    'timeLimitMinutes', ${modules.timeLimitMinutes},
    'passPercent', ${modules.passPercent},
    'maxAttempts', ${modules.maxAttempts},
    'used', (select ${attemptsUsed} ${attempts}),
    'isPending', exists (select 1 ${attempts} and ${quizAttempts.result} = ${literal(QuizResult.Pending)}),
    'isOpen', exists (select 1 ${attempts} and ${quizAttempts.status} = ${literal(AttemptStatus.InProgress)})
  ) end`
}

/** The terms of a quiz as the API returns them. */
export function toQuizTerms(json: string) {
  const terms: QuizTerms = JSON.parse(json)
  return {
    questions: terms.questions,
    time_limit_minutes: terms.timeLimitMinutes,
    pass_percent: terms.passPercent,
    max_attempts: terms.maxAttempts,
    attempts_used: terms.used,
    is_attempt_open: Boolean(terms.isOpen),
    is_awaiting_grading: Boolean(terms.isPending),
  }
}
