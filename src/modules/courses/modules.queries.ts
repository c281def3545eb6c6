import type { z } from "@hono/zod-openapi"
import { and, asc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import type { ModuleType } from "../../../drizzle/schema/modules.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { changedFields, guardUnchanged, hasSameIds, requireVersion, updateChanged } from "../../db/records.ts"
import { idsMatching, searchFilter } from "../../db/search.ts"
import { uniqueSlug } from "../../db/slug.ts"
import { counter, rowExists, subquery } from "../../db/sql.ts"
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
import type { Question } from "./modules.schemas.ts"
import {
  allocateQuestionIds,
  hasSameQuestions,
  replaceQuestions,
  selectQuestions,
  toQuestionRows,
  totalQuestionPoints,
} from "./quiz-questions.queries.ts"
import { modulePointsRecount } from "./recount.background.ts"

const UNIQUE = { "modules.slug": () => invalid("name", "name makes a slug that another module has; repeat the call.") }

/** The columns that a module's type may set, beside those of every module. */
type Columns = Partial<typeof modules.$inferInsert>

interface Links {
  questions?: Question[] | undefined
  categoryIds?: number[] | undefined
}
export type NewModule = z.output<z.ZodObject<typeof moduleFields.create>> & Links
export type ModuleChanges = Partial<z.output<z.ZodObject<typeof moduleFields.change>>> & Links
export type StoredModule = typeof modules.$inferSelect

/** An assignment is its content: what is to be done. @throws 422 where it says nothing */
function requireContent(type: ModuleType, content: string) {
  if (type === "assignment" && isEmpty(content))
    throw invalid("content", "content is required: it says what is to be done.")
}

/** Creates a module of a type. `columns`: what the type has beside the fields of every module. */
export async function createModule(work: UnitOfWork, type: ModuleType, input: NewModule, columns: Columns = {}) {
  const { db } = work
  const { name, content, questions, categoryIds } = input
  requireContent(type, content)
  const [given, questionId, optionId, ...found] = await work.read([
    work.nextIds("modules"),
    ...allocateQuestionIds(work, questions ?? []),
    ...selectCategories(db, input),
  ])
  requireCategories(input, ...found)
  const id = firstRow(given).last
  const row = moduleFields.toInsert(input)
  const last = { question: firstRow(questionId).last, option: firstRow(optionId).last }
  const asked = questions && toQuestionRows(questions, { questions: [], options: [] }, last)
  return work.commit(
    [
      db.insert(modules).values({
        ...columns,
        ...row,
        id,
        type,
        slug: uniqueSlug(modules, name, id, type),
        descriptionText: searchableText(content),
        authorId: userIdOf(work.caller),
        icon: row.icon ?? type,
        ...(questions && { totalPoints: totalQuestionPoints(questions) }),
        searchText: moduleFields.searchText(row),
        createdAt: now(),
      }),
      ...(asked ? replaceQuestions(db, id, asked) : []),
      ...(categoryIds ? setModuleCategories(db, id, categoryIds) : []),
      work.audit("created", "module", { id, name }, { type }),
    ],
    { id, message: "Module created." },
    { unique: UNIQUE },
  )
}

/**
 * Changes the given fields and leaves the others; the slug stays.
 * @param columns what the type has beside the fields of every module, or how that follows from the module as it is
 * @throws 404, 412
 */
export async function updateModule(
  work: UnitOfWork,
  type: ModuleType,
  id: number,
  changes: ModuleChanges,
  columns: Columns | ((module: StoredModule) => Columns) = {},
  demanded?: number,
) {
  const { db } = work
  const { questions } = changes
  const plan = planBackgroundWork(work, modulePointsRecount, { moduleId: id })
  const [planned, rows, questionId, optionId, askedNow, optionsNow, categoriesNow, ...found] = await work.read([
    plan.question,
    db.select().from(modules).where(sql`${modules.id} = ${id} and ${modules.type} = ${type}`),
    ...allocateQuestionIds(work, questions ?? [], id),
    ...selectQuestions(db, id),
    selectModuleCategories(db, id),
    ...selectCategories(db, changes),
  ])
  const module = requireVersion(rows, `${type} module`, demanded)
  requireCategories(changes, ...found)
  const last = { question: firstRow(questionId).last, option: firstRow(optionId).last }
  const stored = { questions: askedNow, options: optionsNow }
  const wanted = questions && toQuestionRows(questions, stored, last)
  const asked = wanted && !hasSameQuestions(wanted, stored) ? wanted : undefined
  const categoryIds = hasSameIds(changes.categoryIds, categoriesNow) ? undefined : changes.categoryIds
  const content = changes.content ?? module.content
  if (content !== module.content) requireContent(type, content)
  const next = {
    ...moduleFields.toUpdate(module, changes),
    // Without questions it keeps the points by which its attempts, recorded ones too, were marked.
    ...(questions && questions.length > 0 && { totalPoints: totalQuestionPoints(questions) }),
    ...(typeof columns === "function" ? columns(module) : columns),
  }
  const changed = changedFields(module, next)
  const recounted = "totalPoints" in changed ? plan.decide(planned) : undefined
  const answer = { message: "Module updated.", ...recounted?.job }
  if (Object.keys(changed).length === 0 && !asked && !categoryIds) return work.commit([], answer)
  await work.commit(
    [
      guardUnchanged(work, modules, module),
      updateChanged(db, modules, module, {
        ...changed,
        ...("content" in changed && { descriptionText: searchableText(content) }),
        ...moduleFields.changedSearchText(changed, next),
      }),
      ...(asked ? replaceQuestions(db, id, asked) : []),
      ...(categoryIds ? setModuleCategories(db, id, categoryIds) : []),
      work.audit(
        "updated",
        "module",
        { id, name: next.name },
        {
          ...changed,
          ...(asked && { questions: asked.questions.length }),
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

/** The name of a module by its id, looked up. */
export const selectModuleName = (moduleId: SQLWrapper): SQL<string> =>
  subquery(sql<string>`(
    select ${modules.name}
    from ${modules}
    where ${modules.id} = ${moduleId}
  )`)

/** Below staff, a module is known to those who have opened it in a course: that step minds its locks. */
const opened = (caller: Caller): SQL =>
  canSeeAllUsers(caller)
    ? sql`1`
    : rowExists(
        sql`${moduleStatuses} join ${enrollments} on ${enrollments.id} = ${moduleStatuses.enrollmentId}`,
        sql`${moduleStatuses.moduleId} = ${modules.id} and ${enrollments.userId} = ${caller.id}`,
      )

/** One module with the courses it is in (below staff, those that are published) and a quiz's questions. @throws 404 */
export async function getModule(db: Database, caller: Caller, type: ModuleType, id: number) {
  const [rows, courseRows, categoryRows, questions, options] = await db.batch([
    db
      .select({ ...moduleDetailColumns[type].fields, version: modules.version })
      .from(modules)
      .where(sql`${modules.id} = ${id} and ${modules.type} = ${type} and ${opened(caller)}`),
    db
      .select({ id: courses.id, name: courses.name })
      .from(courseModules)
      .innerJoin(courses, eq(courses.id, courseModules.courseId))
      .where(and(eq(courseModules.moduleId, id), canSeeAllUsers(caller) ? undefined : eq(courses.status, "publish")))
      .orderBy(asc(courses.name), asc(courses.id)),
    selectModuleCategories(db, id),
    ...selectQuestions(db, id),
  ])
  const [module] = rows
  if (!module) throw notFound(`${type} module`)
  return {
    ...module,
    courses: courseRows,
    categoryIds: categoryRows.map((row) => row.id),
    questions: questions.map((question) => ({
      ...question,
      options: options.filter((option) => option.questionId === question.id),
    })),
  }
}

/** The modules of a course, given by its id or by a part of its name. */
function inCourse(wanted: string): Filter {
  const which = /^\d+$/.test(wanted)
    ? eq(courseModules.courseId, Number(wanted))
    : sql`${courseModules.courseId} in ${idsMatching("courses_search", wanted)}`
  return {
    test: rowExists(courseModules, sql`${courseModules.moduleId} = ${modules.id} and ${which}`),
    ids: sql`
      select distinct ${courseModules.moduleId} as id
      from ${courseModules}
      where ${which}`,
  }
}

/** One page of the modules of a type. */
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
