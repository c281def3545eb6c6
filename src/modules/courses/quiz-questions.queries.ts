import { asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import { categories } from "../../../drizzle/schema/categories.ts"
import { moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules, quizOptions, quizQuestions } from "../../../drizzle/schema/modules.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { rawStatement } from "../../db/select.ts"
import { idList, rowExists, rowList, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Question } from "./modules.schemas.ts"
import { toStoredContent, toStoredOptions } from "./question-content.ts"
import { recountPossiblePoints } from "./recount.background.ts"

/** The points of a quiz. */
export const totalQuestionPoints = (questions: Pick<Question, "points">[]) =>
  questions.reduce((sum, question) => sum + question.points, 0)

const optionsOf = (questions: Question[]) =>
  questions.flatMap((question, at) => toStoredOptions(question).map((option) => ({ ...option, at })))

/** Returns the distinct ids of rows, and the number of rows without an id or with a repeated one. */
function splitIds(rows: { id?: number | undefined }[]) {
  const named = new Set(rows.flatMap((row) => row.id ?? []))
  return { named: [...named], unnamed: rows.length - named.size }
}

/** Counts the new ids that rows need, given the existing ids. */
function countNewIds(rows: { id?: number | undefined }[], known: SQL): number | SQL {
  const { named, unnamed } = splitIds(rows)
  if (named.length === 0) return unnamed
  return sql`${unnamed} + (select count(*) from ${idList(named)} where value not in (${known}))`
}

/** Select the ids of a quiz's questions and options. */
const idsOfQuestions = (moduleId: number | SQL) => sql`
  select ${quizQuestions.id}
  from ${quizQuestions}
  where ${quizQuestions.moduleId} = ${moduleId}`
const idsOfOptions = (moduleId: number) => sql`
  select ${quizOptions.id}
  from ${quizOptions}
  where ${quizOptions.questionId} in (${idsOfQuestions(moduleId)})`

/**
 * Allocates ids for new questions and options of a quiz.
 * @param moduleId 0 for a new quiz
 */
export function allocateQuestionIds(work: UnitOfWork, questions: Question[], moduleId = 0) {
  // The sequence is not written for no ids: most modules have no questions.
  const allocate = (table: "quiz_questions" | "quiz_options", count: number | SQL) =>
    count === 0 ? rawStatement<{ last: number }>(work.db, sql`select 0 as last`) : work.nextIds(table, count)
  return [
    allocate("quiz_questions", countNewIds(questions, idsOfQuestions(moduleId))),
    allocate("quiz_options", countNewIds(optionsOf(questions), idsOfOptions(moduleId))),
  ] as const
}

type Stored = Awaited<ReturnType<typeof selectQuestions>[0]>
type StoredOptions = Awaited<ReturnType<typeof selectQuestions>[1]>

/** Assigns ids to rows: a known id to the first row that has it, otherwise the next new id. */
function assignIds<T extends { id?: number | undefined }>(rows: T[], known: { id: number }[], last: number) {
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
 * Returns the rows of a quiz's questions and options. Rows with a known id keep it.
 * @param stored the current rows
 * @param last the last allocated ids
 */
export function toQuestionRows(
  questions: Question[],
  stored: { questions: Stored; options: StoredOptions },
  last: { question: number; option: number },
) {
  const questionRows = assignIds(questions, stored.questions, last.question)
  return {
    questions: questionRows.map((question, at) => ({
      id: question.id,
      position: at + 1,
      text: question.text,
      type: question.type,
      points: question.points,
      ...toStoredContent(question),
      categoryId: question.categoryId ?? null,
    })),
    options: assignIds(optionsOf(questions), stored.options, last.option).map(
      ({ id, text, correct, match, at }, position) => ({
        id,
        questionId: questionRows[at]?.id ?? 0,
        position: position + 1,
        text,
        correct,
        match,
      }),
    ),
  }
}
type Rows = ReturnType<typeof toQuestionRows>

/** Whether the rows are equal to the stored ones. */
export function hasSameQuestions(rows: Rows, stored: { questions: Stored; options: StoredOptions }): boolean {
  const asText = ({ questions, options }: { questions: Omit<Stored[number], "moduleId">[]; options: StoredOptions }) =>
    JSON.stringify([
      questions.map(({ id, text, type, points, categoryId, ...question }) => {
        const { answers, blanks, numeric, explanation, imageUrl, imageAlt } = question
        return [id, text, type, points, categoryId, answers, blanks, numeric, explanation, imageUrl, imageAlt]
      }),
      // Grouped by question, because stored positions may restart with each question.
      questions.map(({ id }) =>
        options
          .filter((option) => option.questionId === id)
          .map((option) => [option.id, option.text, option.correct, option.match]),
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
        blanks: sql`value -> '$.blanks'`,
        numeric: sql`nullif(value -> '$.numeric', 'null')`,
        explanation: jsonField("explanation"),
        imageUrl: jsonField("imageUrl"),
        imageAlt: jsonField("imageAlt"),
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
        match: jsonField("match"),
      },
      sql`from ${rowList(options)} where true`,
    ),
  ]
}

/** The question's category, unless it was deleted. */
const activeCategoryId = sql<number | null>`(
  select ${categories.id} from ${categories}
  where ${categories.id} = ${quizQuestions.categoryId} and ${categories.deletedAt} is null
)`

/** Selects a quiz's questions and options in order. */
export const selectQuestions = (db: Database, moduleId: number | SQL) =>
  [
    db
      .select({ ...getTableColumns(quizQuestions), categoryId: subquery(activeCategoryId).as("category") })
      .from(quizQuestions)
      .where(eq(quizQuestions.moduleId, moduleId))
      .orderBy(asc(quizQuestions.position)),
    db
      .select({
        id: quizOptions.id,
        questionId: quizOptions.questionId,
        text: quizOptions.text,
        correct: quizOptions.correct,
        match: quizOptions.match,
      })
      .from(quizOptions)
      .where(sql`${quizOptions.questionId} in (${idsOfQuestions(moduleId)})`)
      .orderBy(asc(quizOptions.position)),
  ] as const

/** The new points of a quiz without questions. */
export interface ModulePoints {
  moduleId: number
  name: string
  totalPoints: number
}

/** Sets the points of modules without points. @throws 409 if a concurrent request sets different points */
export function setModulePoints(work: UnitOfWork, modulePoints: ModulePoints[]): Statement[] {
  if (modulePoints.length === 0) return []
  const { db } = work
  const rows = rowList(modulePoints)
  const newPoints = sql`(
    select ${jsonField("totalPoints")}
    from ${rows}
    where ${jsonField("moduleId")} = ${modules.id}
  )`
  const inModules = sql`${modules.id} in ${idList(modulePoints.map(({ moduleId }) => moduleId))}`
  return [
    work.auditMany(
      "updated",
      "module",
      sql`
        select ${modules.id} as id, ${modules.name} as name, json_object('totalPoints', ${newPoints}) as details
        from ${modules}
        where ${inModules} and ${modules.totalPoints} = 0`,
    ),
    db
      .update(modules)
      .set({ totalPoints: sql`${newPoints}`, version: sql`${modules.version} + 1` })
      .where(sql`${inModules} and ${modules.totalPoints} = 0`),
    recountPossiblePoints(
      work,
      sql`${moduleStatuses.moduleId} in ${idList(modulePoints.map(({ moduleId }) => moduleId))}`,
    ),
    // A concurrent request may have set them first; they must be the same.
    work.guard(sql`not ${rowExists(modules, sql`${inModules} and ${modules.totalPoints} <> ${newPoints}`)}`),
  ]
}
