import { asc, eq, type SQL, sql } from "drizzle-orm"
import { quizOptions, quizQuestions } from "../../../drizzle/modules.ts"
import type { Database } from "../../lib/db.ts"
import { rowList } from "../../lib/sql.ts"
import type { Statement, UnitOfWork } from "../../lib/work.ts"
import type { Question } from "./modules.schemas.ts"

/** What a quiz is worth. */
export const pointsOf = (questions: Question[]) => questions.reduce((sum, question) => sum + question.points, 0)

const optionsOf = (questions: Question[]) =>
  questions.flatMap((question, at) => (question.type === "short" ? [] : question.options.map((o) => ({ ...o, at }))))

/** The statements that give out the ids of a quiz's questions and options. */
export const questionIds = (work: UnitOfWork, questions: Question[]) =>
  [work.nextIds("quiz_questions", questions.length), work.nextIds("quiz_options", optionsOf(questions).length)] as const

/** Replaces a quiz's questions. `last`: the last ids given out. */
export function setQuestions(
  db: Database,
  moduleId: number,
  questions: Question[],
  last: { question: number; option: number },
): Statement[] {
  const options = optionsOf(questions)
  const firstQuestion = last.question - questions.length + 1
  const firstOption = last.option - options.length + 1
  const questionRows = questions.map(({ text, type, points, answers, categoryId = null }, at) => ({
    id: firstQuestion + at,
    position: at + 1,
    text,
    type,
    points,
    answers: type === "short" ? answers : [],
    categoryId,
  }))
  const optionRows = options.map(({ text, correct, at }, position) => ({
    id: firstOption + position,
    questionId: firstQuestion + at,
    position: position + 1,
    text,
    correct,
  }))
  return [
    db.delete(quizQuestions).where(eq(quizQuestions.moduleId, moduleId)),
    db
      .insert(quizQuestions)
      .select(
        sql`select value ->> '$.id' as id, ${moduleId} as module_id, value ->> '$.position' as position, value ->> '$.text' as text, value ->> '$.type' as type, value ->> '$.points' as points, value -> '$.answers' as answers, value ->> '$.categoryId' as category_id from ${rowList(questionRows)} where true`,
      ),
    db
      .insert(quizOptions)
      .select(
        sql`select value ->> '$.id' as id, value ->> '$.questionId' as question_id, value ->> '$.position' as position, value ->> '$.text' as text, value ->> '$.correct' as correct from ${rowList(optionRows)} where true`,
      ),
  ]
}

/** The statements that read a quiz's questions, and their options, in order. */
export const questionsOf = (db: Database, moduleId: number | SQL) =>
  [
    db.select().from(quizQuestions).where(eq(quizQuestions.moduleId, moduleId)).orderBy(asc(quizQuestions.position)),
    db
      .select({
        id: quizOptions.id,
        questionId: quizOptions.questionId,
        text: quizOptions.text,
        correct: quizOptions.correct,
      })
      .from(quizOptions)
      .where(
        sql`${quizOptions.questionId} in (select ${quizQuestions.id} from ${quizQuestions} where ${quizQuestions.moduleId} = ${moduleId})`,
      )
      .orderBy(asc(quizOptions.position)),
  ] as const
