import { and, eq, isNull, sql } from "drizzle-orm"
import { categories } from "../../../drizzle/schema/categories.ts"
import { moduleCategories } from "../../../drizzle/schema/modules.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { requireExisting } from "../../db/records.ts"
import { idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { existingCategories } from "./categories.queries.ts"
import type { Question } from "./modules.schemas.ts"

interface Categorized {
  categoryIds?: number[] | undefined
  questions?: Question[] | undefined
}

type Ids = { id: number }[]

const questionCategoryIds = ({ questions = [] }: Categorized) => [
  ...new Set(questions.flatMap(({ categoryId }) => (categoryId === undefined ? [] : [categoryId]))),
]

/** Selects the existing categories of a module and its questions, for `requireCategories`. */
export const selectCategories = (db: Database, input: Categorized) =>
  [
    existingCategories(db, "module", input.categoryIds ?? []),
    existingCategories(db, "question", questionCategoryIds(input)),
  ] as const

/** @throws 422 for the first field with an unknown category */
export function requireCategories(input: Categorized, forModule: Ids, forQuestions: Ids) {
  requireExisting("categoryIds", input.categoryIds ?? [], forModule)
  requireExisting("questions", questionCategoryIds(input), forQuestions)
}

export const setModuleCategories = (db: Database, moduleId: number, categoryIds: number[]): Statement[] => [
  db.delete(moduleCategories).where(eq(moduleCategories.moduleId, moduleId)),
  insertFrom(db, moduleCategories, { moduleId, categoryId: sql`value` }, sql`from ${idList(categoryIds)} where true`),
]

export const selectModuleCategories = (db: Database, moduleId: number) =>
  db
    .select({ id: moduleCategories.categoryId })
    .from(moduleCategories)
    .innerJoin(categories, eq(categories.id, moduleCategories.categoryId))
    .where(and(eq(moduleCategories.moduleId, moduleId), isNull(categories.deletedAt)))
