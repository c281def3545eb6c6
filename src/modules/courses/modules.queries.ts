import type { z } from "@hono/zod-openapi"
import { and, asc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { type ModuleType, modules } from "../../../drizzle/schema/modules.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { changedFields, guardUnchanged, hasSameIds, requireVersion, updateChanged } from "../../db/records.ts"
import { idsMatching, searchFilter } from "../../db/search.ts"
import { uniqueSlug } from "../../db/slug.ts"
import { counter, rowExists, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers, userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { isEmpty, searchableText } from "../../lib/text/sanitize.ts"
import {
  requireCategories,
  selectCategories,
  selectModuleCategories,
  setModuleCategories,
} from "./module-categories.queries.ts"
import { moduleColumns, moduleDetailColumns } from "./module-columns.ts"
import { moduleFields } from "./module-fields.ts"
import { guardModuleMedia, requireModuleMedia, selectModuleMedia } from "./module-media.ts"
import type { Draw, Question } from "./modules.schemas.ts"
import { replaceDraws, requireSources, selectDrawSources, selectDraws, totalDrawPoints } from "./quiz-draws.queries.ts"
import {
  allocateQuestionIds,
  hasSameQuestions,
  replaceQuestions,
  selectQuestions,
  toQuestionRows,
  totalQuestionPoints,
} from "./quiz-questions.queries.ts"
import { modulePointsRecount } from "./recount.background.ts"

const UNIQUE = {
  "modules.slug": () =>
    invalid("name", "another module already uses the URL slug generated from this name. Try again."),
}

/** Columns specific to the module type. */
type Columns = Partial<typeof modules.$inferInsert>

interface Links {
  questions?: Question[] | undefined
  draws?: Draw[] | undefined
  categoryIds?: number[] | undefined
  mediaId?: number | null | undefined
}
export type NewModule = z.output<z.ZodObject<typeof moduleFields.create>> & Links
export type ModuleChanges = Partial<z.output<z.ZodObject<typeof moduleFields.change>>> & Links
export type StoredModule = typeof modules.$inferSelect

/** @throws 422 for an assignment without instructions */
function requireContent(type: ModuleType, content: string) {
  if (type === "assignment" && isEmpty(content)) throw invalid("content", "content is required: add instructions.")
}

/** @param columns the columns specific to the module type */
export async function createModule(work: UnitOfWork, type: ModuleType, input: NewModule, columns: Columns = {}) {
  const { name, content, questions, draws = [] } = input
  requireContent(type, content)
  const links = await planLinks(work, input)
  const row = moduleFields.toInsert(input)
  return work.create(
    "modules",
    {
      id: links.id,
      statements: (id) => [
        ...guardModuleMedia(work, input),
        work.db.insert(modules).values({
          ...columns,
          ...row,
          id,
          type,
          slug: uniqueSlug(modules, name, id, type),
          descriptionText: searchableText(content),
          authorId: userIdOf(work.caller),
          icon: row.icon ?? type,
          ...(questions && { totalPoints: totalQuestionPoints(questions) + totalDrawPoints(draws) }),
          searchText: moduleFields.searchText(row),
          createdAt: now(),
        }),
        ...links.statements,
        work.audit("created", "module", { id, name }, { type }),
      ],
      answer: (id) => ({ id, message: "Module created." }),
    },
    { unique: UNIQUE },
  )
}

/** Plans the records that a new module refers to. Only such a module needs a round trip that reads. @throws 422 */
async function planLinks(work: UnitOfWork, input: NewModule): Promise<{ id?: number; statements: Statement[] }> {
  const { db } = work
  const { questions, draws = [], categoryIds, mediaId } = input
  if (!questions && draws.length === 0 && !categoryIds && !mediaId) return { statements: [] }
  const [idRows, questionId, optionId, sources, forModule, forQuestions, playable] = await work.read([
    work.nextIds("modules"),
    ...allocateQuestionIds(work, questions ?? []),
    selectDrawSources(db, draws),
    ...selectCategories(db, input),
    ...selectModuleMedia(db, input),
  ])
  requireCategories(input, forModule, forQuestions)
  requireModuleMedia(input, playable)
  requireSources(draws, sources)
  const id = firstRow(idRows).last
  const lastIds = { question: firstRow(questionId).last, option: firstRow(optionId).last }
  const questionUpdate = questions && toQuestionRows(questions, { questions: [], options: [] }, lastIds)
  return {
    id,
    statements: [
      ...(questionUpdate ? replaceQuestions(db, id, questionUpdate) : []),
      ...(draws.length > 0 ? replaceDraws(db, id, draws) : []),
      ...(categoryIds ? setModuleCategories(db, id, categoryIds) : []),
    ],
  }
}

/**
 * Changes only the given fields. The slug never changes.
 * @param columns the columns specific to the module type, or a function of the stored module that returns them
 * @throws 404, 412
 */
export async function updateModule(
  work: UnitOfWork,
  type: ModuleType,
  id: number,
  changes: ModuleChanges,
  columns: Columns | ((module: StoredModule) => Columns) = {},
  expectedVersion?: number,
) {
  const { db } = work
  const { questions } = changes
  const plan = planBackgroundWork(work, modulePointsRecount, { moduleId: id })
  const [
    planned,
    rows,
    questionId,
    optionId,
    currentQuestions,
    currentOptions,
    currentDraws,
    sources,
    currentCategories,
    forModule,
    forQuestions,
    playable,
  ] = await work.read([
    plan.question,
    db.select().from(modules).where(sql`${modules.id} = ${id} and ${modules.type} = ${type}`),
    ...allocateQuestionIds(work, questions ?? [], id),
    ...selectQuestions(db, id),
    selectDraws(db, id),
    selectDrawSources(db, changes.draws ?? []),
    selectModuleCategories(db, id),
    ...selectCategories(db, changes),
    ...selectModuleMedia(db, changes),
  ])
  const module = requireVersion(rows, `${type} module`, expectedVersion)
  requireCategories(changes, forModule, forQuestions)
  requireModuleMedia(changes, playable)
  const lastIds = { question: firstRow(questionId).last, option: firstRow(optionId).last }
  const stored = { questions: currentQuestions, options: currentOptions }
  const newRows = questions && toQuestionRows(questions, stored, lastIds)
  const questionUpdate = newRows && !hasSameQuestions(newRows, stored) ? newRows : undefined
  const draws = JSON.stringify(changes.draws) === JSON.stringify(currentDraws) ? undefined : changes.draws
  if (draws) requireSources(draws, sources)
  const nextQuestions = questions ?? currentQuestions
  const nextDraws = draws ?? currentDraws
  const categoryIds = hasSameIds(changes.categoryIds, currentCategories) ? undefined : changes.categoryIds
  const content = changes.content ?? module.content
  if (content !== module.content) requireContent(type, content)
  const next = {
    ...moduleFields.toUpdate(module, changes),
    // A quiz without questions keeps its points: imported attempts were graded with them.
    ...((questions ?? draws) &&
      nextQuestions.length + nextDraws.length > 0 && {
        totalPoints: totalQuestionPoints(nextQuestions) + totalDrawPoints(nextDraws),
      }),
    ...(typeof columns === "function" ? columns(module) : columns),
  }
  const changed = changedFields(module, next)
  const recounted = "totalPoints" in changed ? plan.decide(planned) : undefined
  const answer = { message: "Module updated.", ...recounted?.job }
  if (Object.keys(changed).length === 0 && !questionUpdate && !draws && !categoryIds) return work.commit([], answer)
  await work.commit(
    [
      guardUnchanged(modules, module),
      ...guardModuleMedia(work, changes),
      updateChanged(db, modules, module, {
        ...changed,
        ...("content" in changed && { descriptionText: searchableText(content) }),
        ...moduleFields.changedSearchText(changed, next),
      }),
      ...(questionUpdate ? replaceQuestions(db, id, questionUpdate) : []),
      ...(draws ? replaceDraws(db, id, draws) : []),
      ...(categoryIds ? setModuleCategories(db, id, categoryIds) : []),
      work.audit(
        "updated",
        "module",
        { id, name: next.name },
        {
          ...changed,
          ...(questionUpdate && { questions: questionUpdate.questions.length }),
          ...(draws && { draws }),
          ...(categoryIds && { categoryIds }),
        },
      ),
      ...(recounted?.statements ?? []),
    ],
    answer,
  )
  await recounted?.start()
  return answer
}

/** Selects a module's name by its id. */
export const selectModuleName = (moduleId: SQLWrapper): SQL<string> =>
  subquery(sql<string>`(
    select ${modules.name}
    from ${modules}
    where ${modules.id} = ${moduleId}
  )`)

/** The condition that the caller may see a module: staff all, learners those they have opened in a course. */
export const hasOpened = (caller: Caller): SQL =>
  canSeeAllUsers(caller)
    ? sql`1`
    : rowExists(
        sql`${moduleStatuses} join ${enrollments} on ${enrollments.id} = ${moduleStatuses.enrollmentId}`,
        sql`${moduleStatuses.moduleId} = ${modules.id} and ${enrollments.userId} = ${caller.id}`,
      )

/** Returns a module with its questions and its courses (below staff, only published ones). @throws 404 */
export async function getModule(db: Database, caller: Caller, type: ModuleType, id: number) {
  const [rows, courseRows, categoryRows, questions, options, draws] = await db.batch([
    db
      .select({ ...moduleDetailColumns[type].fields, version: modules.version })
      .from(modules)
      .where(sql`${modules.id} = ${id} and ${modules.type} = ${type} and ${hasOpened(caller)}`),
    db
      .select({ id: courses.id, name: courses.name })
      .from(courseModules)
      .innerJoin(courses, eq(courses.id, courseModules.courseId))
      .where(and(eq(courseModules.moduleId, id), canSeeAllUsers(caller) ? undefined : eq(courses.status, "publish")))
      .orderBy(asc(courses.name), asc(courses.id)),
    selectModuleCategories(db, id),
    ...selectQuestions(db, id),
    selectDraws(db, id),
  ])
  const [module] = rows
  if (!module) throw notFound(`${type} module`)
  return {
    ...module,
    courses: courseRows,
    categoryIds: categoryRows.map((row) => row.id),
    draws,
    questions: questions.map((question) => ({
      ...question,
      options: options.filter((option) => option.questionId === question.id),
    })),
  }
}

/** Filters modules by course: by its id, or by part of its name. */
function inCourse(newRows: string): Filter {
  const courseCondition = /^\d+$/.test(newRows)
    ? eq(courseModules.courseId, Number(newRows))
    : sql`${courseModules.courseId} in ${idsMatching("courses_search", newRows)}`
  return {
    test: rowExists(courseModules, sql`${courseModules.moduleId} = ${modules.id} and ${courseCondition}`),
    ids: sql`
      select distinct ${courseModules.moduleId} as id
      from ${courseModules}
      where ${courseCondition}`,
  }
}

/** Returns one page of the modules of a type. */
export async function listModules(
  db: Database,
  type: ModuleType,
  query: PageQuery & { search_param: { associatedCourse?: string | undefined; moduleName?: string | undefined } },
  { fields, sort }: Pick<typeof moduleColumns, "fields" | "sort"> = moduleColumns,
) {
  const { associatedCourse, moduleName } = query.search_param
  return readPage(
    db,
    {
      table: modules,
      key: modules.id,
      fields,
      sort,
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [{ test: eq(modules.type, type) }],
      search: [
        ...(moduleName ? [searchFilter(modules, moduleName)] : []),
        ...(associatedCourse ? [inCourse(associatedCourse)] : []),
      ],
      total: counter(`modules:${type}`),
    },
    query,
  )
}
