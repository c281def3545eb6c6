import { asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import { categories } from "../../../drizzle/schema/categories.ts"
import { moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules, quizOptions, quizQuestions } from "../../../drizzle/schema/modules.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { idList, rowExists, rowList, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Question } from "./modules.schemas.ts"
import { recountPossiblePoints } from "./recount.background.ts"

/** What a quiz is worth. */
export const totalQuestionPoints = (questions: Question[]) =>
  questions.reduce((sum, question) => sum + question.points, 0)

const optionsOf = (questions: Question[]) =>
  questions.flatMap((question, at) => (question.type === "short" ? [] : question.options.map((o) => ({ ...o, at }))))

/** The ids among some rows that are given once or more, and how many rows give none, or one given before. */
function given(rows: { id?: number | undefined }[]) {
  const named = new Set(rows.flatMap((row) => row.id ?? []))
  return { named: [...named], unnamed: rows.length - named.size }
}

/** How many ids are needed for rows of which a table may know some. */
function missing(rows: { id?: number | undefined }[], known: SQL): number | SQL {
  const { named, unnamed } = given(rows)
  if (named.length === 0) return unnamed
  return sql`${unnamed} + (select count(*) from ${idList(named)} where value not in (${known}))`
}

/** The questions, or the options, that a quiz has. */
const idsOfQuestions = (moduleId: number | SQL) => sql`
  select ${quizQuestions.id}
  from ${quizQuestions}
  where ${quizQuestions.moduleId} = ${moduleId}`
const idsOfOptions = (moduleId: number) => sql`
  select ${quizOptions.id}
  from ${quizOptions}
  where ${quizOptions.questionId} in (${idsOfQuestions(moduleId)})`

/**
 * The statements that give out ids to a quiz's questions and options where they are new.
 * @param moduleId the quiz as it is; 0: there is none yet
 */
export const allocateQuestionIds = (work: UnitOfWork, questions: Question[], moduleId = 0) =>
  [
    work.nextIds("quiz_questions", missing(questions, idsOfQuestions(moduleId))),
    work.nextIds("quiz_options", missing(optionsOf(questions), idsOfOptions(moduleId))),
  ] as const

type Stored = Awaited<ReturnType<typeof selectQuestions>[0]>
type StoredOptions = Awaited<ReturnType<typeof selectQuestions>[1]>

/** Hands out the ids of rows: its own to the first that names one that is known, else the next new one. */
function identified<T extends { id?: number | undefined }>(rows: T[], known: { id: number }[], last: number) {
  const free = new Set(known.map((row) => row.id))
  const isKept = rows.map(({ id }) => id !== undefined && free.delete(id))
  let next = last - isKept.filter((is) => !is).length
  return rows.map((row, at) => {
    if (isKept[at] && row.id !== undefined) return { ...row, id: row.id }
    next += 1
    return { ...row, id: next }
  })
}

/**
 * The rows of a quiz's questions and their options. One that is sent with its id stays the same one.
 * @param stored what the quiz has
 * @param last the last ids given out
 */
export function toQuestionRows(
  questions: Question[],
  stored: { questions: Stored; options: StoredOptions },
  last: { question: number; option: number },
) {
  const asked = identified(questions, stored.questions, last.question)
  return {
    questions: asked.map(({ id, text, type, points, answers, categoryId = null }, at) => ({
      id,
      position: at + 1,
      text,
      type,
      points,
      answers: type === "short" ? answers : [],
      categoryId,
    })),
    options: identified(optionsOf(questions), stored.options, last.option).map(
      ({ id, text, correct, at }, position) => ({
        id,
        questionId: asked[at]?.id ?? 0,
        position: position + 1,
        text,
        correct,
      }),
    ),
  }
}
type Rows = ReturnType<typeof toQuestionRows>

/** Whether these rows are what the quiz has. */
export function hasSameQuestions(rows: Rows, stored: { questions: Stored; options: StoredOptions }): boolean {
  const asText = ({ questions, options }: { questions: Omit<Stored[number], "moduleId">[]; options: StoredOptions }) =>
    JSON.stringify([
      questions.map(({ id, text, type, points, answers, categoryId }) => [id, text, type, points, answers, categoryId]),
      // In the order of the questions: what is read is in the order of the positions, which each question may begin
      // anew.
      questions.map(({ id }) =>
        options.filter((option) => option.questionId === id).map((option) => [option.id, option.text, option.correct]),
      ),
    ])
  return asText(rows) === asText(stored)
}

/** Replaces a quiz's questions. */
export function replaceQuestions(db: Database, moduleId: number, { questions, options }: Rows): Statement[] {
  return [
    db.delete(quizQuestions).where(eq(quizQuestions.moduleId, moduleId)),
    insertFrom(
      db,
      quizQuestions,
      {
        id: jsonField("id"),
        moduleId,
        position: jsonField("position"),
        text: jsonField("text"),
        type: jsonField("type"),
        points: jsonField("points"),
        answers: sql`value -> '$.answers'`,
        categoryId: jsonField("categoryId"),
      },
      sql`from ${rowList(questions)} where true`,
    ),
    insertFrom(
      db,
      quizOptions,
      {
        id: jsonField("id"),
        questionId: jsonField("questionId"),
        position: jsonField("position"),
        text: jsonField("text"),
        correct: jsonField("correct"),
      },
      sql`from ${rowList(options)} where true`,
    ),
  ]
}

/** A question's category, unless that was deleted. */
const categoryThere = sql<number | null>`(
  select ${categories.id} from ${categories}
  where ${categories.id} = ${quizQuestions.categoryId} and ${categories.deletedAt} is null
)`

/** The statements that read a quiz's questions, and their options, in order. */
export const selectQuestions = (db: Database, moduleId: number | SQL) =>
  [
    db
      .select({ ...getTableColumns(quizQuestions), categoryId: subquery(categoryThere).as("category") })
      .from(quizQuestions)
      .where(eq(quizQuestions.moduleId, moduleId))
      .orderBy(asc(quizQuestions.position)),
    db
      .select({
        id: quizOptions.id,
        questionId: quizOptions.questionId,
        text: quizOptions.text,
        correct: quizOptions.correct,
      })
      .from(quizOptions)
      .where(sql`${quizOptions.questionId} in (${idsOfQuestions(moduleId)})`)
      .orderBy(asc(quizOptions.position)),
  ] as const

/** What a quiz without questions is worth from now on. */
export interface ModulePoints {
  moduleId: number
  name: string
  totalPoints: number
}

/** Sets the points of modules that have none yet. @throws 409 where another call sets others meanwhile */
export function setModulePoints(work: UnitOfWork, worth: ModulePoints[]): Statement[] {
  if (worth.length === 0) return []
  const { db } = work
  const rows = rowList(worth)
  const now = sql`(
    select ${jsonField("totalPoints")}
    from ${rows}
    where ${jsonField("moduleId")} = ${modules.id}
  )`
  const these = sql`${modules.id} in ${idList(worth.map(({ moduleId }) => moduleId))}`
  return [
    work.auditMany(
      "updated",
      "module",
      sql`
        select ${modules.id} as id, ${modules.name} as name, json_object('totalPoints', ${now}) as details
        from ${modules}
        where ${these} and ${modules.totalPoints} = 0`,
    ),
    db
      .update(modules)
      .set({ totalPoints: sql`${now}`, version: sql`${modules.version} + 1` })
      .where(sql`${these} and ${modules.totalPoints} = 0`),
    recountPossiblePoints(work, sql`${moduleStatuses.moduleId} in ${idList(worth.map(({ moduleId }) => moduleId))}`),
    // Another call may have set them first; they must be the same.
    work.guard(sql`not ${rowExists(modules, sql`${these} and ${modules.totalPoints} <> ${now}`)}`),
  ]
}
