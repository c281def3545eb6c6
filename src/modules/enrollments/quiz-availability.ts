import { and, eq, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules, quizQuestions } from "../../../drizzle/schema/modules.ts"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { AttemptStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
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

/** Selects the terms of each quiz of the enrollment's course, and the number of used attempts. */
export const selectQuizTerms = (db: Database, enrollmentId: number) => {
  const attempts = sql`
    from ${quizAttempts}
    where ${quizAttempts.enrollmentId} = ${enrollmentId} and ${quizAttempts.moduleId} = ${modules.id}`
  return db
    .select({
      moduleId: modules.id,
      questions: sql<number>`(select count(*) from ${quizQuestions} where ${quizQuestions.moduleId} = ${modules.id})`,
      timeLimitMinutes: modules.timeLimitMinutes,
      passPercent: modules.passPercent,
      maxAttempts: modules.maxAttempts,
      used: sql<number>`(select ${attemptsUsed} ${attempts})`.as("used_attempts"),
      isOpen:
        sql<number>`exists (select 1 ${attempts} and ${quizAttempts.status} = ${literal(AttemptStatus.InProgress)})`.as(
          "is_open",
        ),
    })
    .from(courseModules)
    .innerJoin(modules, eq(modules.id, courseModules.moduleId))
    .where(
      and(
        sql`${courseModules.courseId} = (select course_id from enrollments where id = ${enrollmentId})`,
        eq(modules.type, "quiz"),
      ),
    )
}
export type QuizTerms = Awaited<ReturnType<typeof selectQuizTerms>>[number]

/** The terms of a quiz as the API returns them. */
export const toQuizTerms = (terms: QuizTerms) => ({
  questions: terms.questions,
  time_limit_minutes: terms.timeLimitMinutes,
  pass_percent: terms.passPercent,
  max_attempts: terms.maxAttempts,
  attempts_used: terms.used,
  is_attempt_open: Boolean(terms.isOpen),
})
