import { eq, sql } from "drizzle-orm"
import { modules } from "../../../drizzle/schema/modules.ts"
import { bankQuestionVersions } from "../../../drizzle/schema/question-bank.ts"
import {
  type QuestionContent,
  quizAttempts,
  quizCounts,
  quizVersions,
  type VersionedQuestion,
} from "../../../drizzle/schema/quizzes.ts"
import { AttemptStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { rawStatement } from "../../db/select.ts"
import { literal } from "../../db/sql.ts"
import { notFound } from "../../lib/errors.ts"
import { correctAnswer } from "./attempt-questions.ts"
import { GRACE_PERIOD_MS } from "./quiz-grading.ts"

// Statistics of a quiz's questions, from its newest attempts: what they read does not grow with the number of attempts,
// and a submission writes nothing for them.

export const STATISTICS_ATTEMPTS = 2000
/** The most frequent texts of a question that are listed. */
const MAX_ANSWERS = 20
/** The quiz versions in which the text of a question is searched. */
const MAX_VERSIONS = 20

/** The newest attempts that were submitted in time. */
const newestAttempts = (moduleId: number) => sql`
  select id, responses, score, out_of, percent, layout
  from (
    select id, responses, score, out_of, percent, layout, status, recorded, time_limit_minutes, time_taken
    from ${quizAttempts}
    where ${quizAttempts.moduleId} = ${moduleId}
    order by id desc
    limit ${STATISTICS_ATTEMPTS}
  )
  where status = ${literal(AttemptStatus.Completed)} and not recorded and responses <> '[]'
    and (time_limit_minutes = 0 or time_taken <= time_limit_minutes * 60 + ${GRACE_PERIOD_MS / 1000})`

/** The responses that are graded, with the score of the rest of their attempt. */
const gradedResponses = (moduleId: number) => sql`
  select response.value ->> '$.questionId' as question_id, response.value as response,
    response.value ->> '$.points' as points,
    response.value ->> '$.outOf' as most,
    coalesce(
      (attempt.score - (response.value ->> '$.points')) * 1.0
        / nullif(attempt.out_of - (response.value ->> '$.outOf'), 0),
      0
    ) as rest
  from (${newestAttempts(moduleId)}) as attempt
  cross join json_each(attempt.responses) as response
  where response.value ->> '$.pending' is null`

interface Sums {
  questionId: number
  presented: number
  answered: number
  facility: number
  sumX: number
  sumY: number
  sumXX: number
  sumYY: number
  sumXY: number
}

const ANSWERED = sql`(
  json_array_length(response, '$.optionIds') > 0
  or trim(response ->> '$.text') <> ''
  or exists (select 1 from json_each(response, '$.values') as given where trim(given.value) <> '')
)`

const selectSums = (db: Database, moduleId: number) =>
  rawStatement<Sums>(
    db,
    sql`
      select question_id as "questionId", count(*) as presented, sum(answered) as answered, avg(part) as facility,
        sum(part) as "sumX", sum(rest) as "sumY", sum(part * part) as "sumXX", sum(rest * rest) as "sumYY",
        sum(part * rest) as "sumXY"
      from (
        select question_id, rest, coalesce(points * 1.0 / nullif(most, 0), 0) as part, ${ANSWERED} as answered
        from (${gradedResponses(moduleId)})
      )
      group by 1
      order by 1`,
  )

interface AnswerCount {
  questionId: number
  optionId: number | null
  answer: string
  isCorrect: number
  count: number
}

/** Counts answers: by option, else by text in lower case. */
const selectAnswers = (db: Database, moduleId: number) =>
  rawStatement<AnswerCount>(
    db,
    sql`
      select question_id as "questionId", option_id as "optionId", answer, correct as "isCorrect", answers as count
      from (
        select question_id, option_id, answer, max(correct) as correct, count(*) as answers,
          row_number() over (partition by question_id order by count(*) desc, option_id, answer) as place
        from (
          select question_id, chosen.value as option_id, '' as answer, 0 as correct
          from (${gradedResponses(moduleId)})
          cross join json_each(response, '$.optionIds') as chosen
          union all
          select question_id, null, lower(trim(response ->> '$.text')), response ->> '$.correct'
          from (${gradedResponses(moduleId)})
          where trim(response ->> '$.text') <> ''
          union all
          select question_id, null, (
              select lower(group_concat(given.value, '; ')) from json_each(response, '$.values') as given
            ), response ->> '$.correct'
          from (${gradedResponses(moduleId)})
          where json_array_length(response, '$.values') > 0
        )
        group by question_id, option_id, answer
      )
      where option_id is not null or place <= ${MAX_ANSWERS}
      order by question_id, place`,
  )

/** Pearson's correlation; null if either value does not vary. */
function correlation({ presented: n, sumX, sumY, sumXX, sumYY, sumXY }: Sums): number | null {
  const ROUNDING = 1e-9
  const varianceX = n * sumXX - sumX * sumX
  const varianceY = n * sumYY - sumY * sumY
  if (varianceX < ROUNDING || varianceY < ROUNDING) return null
  return Math.max(-1, Math.min(1, (n * sumXY - sumX * sumY) / Math.sqrt(varianceX * varianceY)))
}

const THOUSAND = 1000
const rounded = (value: number) => Math.round(value * THOUSAND) / THOUSAND

/** Each option with its count, or the most frequent texts. */
function toAnswers(content: QuestionContent, counts: AnswerCount[]) {
  if (content.type === "essay") return []
  const isChoice = content.type === "single" || content.type === "multiple" || content.type === "truefalse"
  if (!isChoice)
    return counts.map(({ answer, isCorrect, count }) => ({
      optionId: null,
      answer,
      isCorrect: Boolean(isCorrect),
      count,
    }))
  const correct = correctAnswer(content).optionIds
  return content.options.map(({ id, text }) => ({
    optionId: id,
    answer: text,
    isCorrect: correct.includes(id),
    count: counts.find(({ optionId }) => optionId === id)?.count ?? 0,
  }))
}

/** Reports the statistics of a quiz's questions. @throws 404 */
export async function reportStatistics(db: Database, moduleId: number) {
  const [quizzes, totals, sums, answers, versions, drawn] = await db.batch([
    db
      .select({ name: modules.name })
      .from(modules)
      .where(sql`${modules.id} = ${moduleId} and ${modules.type} = 'quiz'`),
    rawStatement<{ attempts: number; average: number | null; total: number }>(
      db,
      sql`
        select count(*) as attempts, avg(percent) as average, (
            select coalesce(sum(${quizCounts.completed}), 0)
            from course_modules
            join ${quizCounts} on ${quizCounts.audience} = 'all' and ${quizCounts.courseId} = course_modules.course_id
              and ${quizCounts.moduleId} = course_modules.module_id
            where course_modules.module_id = ${moduleId}
          ) as total
        from (${newestAttempts(moduleId)})`,
    ),
    selectSums(db, moduleId),
    selectAnswers(db, moduleId),
    db
      .select({ questions: quizVersions.questions })
      .from(quizVersions)
      .where(eq(quizVersions.moduleId, moduleId))
      .orderBy(sql`${quizVersions.moduleVersion} desc`)
      .limit(MAX_VERSIONS),
    rawStatement<{ id: number; content: string }>(
      db,
      sql`
        select question_id as id, content
        from (
          select placed.value ->> '$.id' as id, max(placed.value ->> '$.version') as version
          from (${newestAttempts(moduleId)}) as attempt
          cross join json_each(attempt.layout) as placed
          where placed.value ->> '$.version' > 0
          group by 1
        ) as newest
        cross join ${bankQuestionVersions} as stored
          on stored.question_id = newest.id and stored.version = newest.version`,
    ),
  ])
  const [quiz] = quizzes
  const [total] = totals
  if (!quiz || !total) throw notFound("quiz module")
  const contents = new Map<number, { content: QuestionContent; inBank: boolean }>()
  for (const { questions } of versions)
    for (const question of questions as VersionedQuestion[])
      if (!contents.has(question.id)) contents.set(question.id, { content: question, inBank: false })
  for (const { id, content } of drawn) contents.set(id, { content: JSON.parse(content), inBank: true })
  return {
    moduleId,
    name: quiz.name,
    attempts: total.attempts,
    totalAttempts: total.total,
    averagePercent: total.average === null ? null : rounded(total.average),
    questions: sums.flatMap((sum) => {
      const known = contents.get(sum.questionId)
      if (!known) return []
      const discrimination = correlation(sum)
      return [
        {
          questionId: sum.questionId,
          text: known.content.text,
          type: known.content.type,
          inBank: known.inBank,
          presented: sum.presented,
          answered: sum.answered,
          facility: rounded(sum.facility),
          discrimination: discrimination === null ? null : rounded(discrimination),
          answers: toAnswers(
            known.content,
            answers.filter(({ questionId }) => questionId === sum.questionId),
          ),
        },
      ]
    }),
  }
}
