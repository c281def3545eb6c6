import { type SQLWrapper, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { categories, userCategories } from "../../../drizzle/schema/categories.ts"
import { courseCategories } from "../../../drizzle/schema/courses.ts"
import { moduleCategories, quizQuestions } from "../../../drizzle/schema/modules.ts"
import type { BackgroundKind, Stage } from "../../db/background-work.ts"
import type { Deletion } from "../../db/records.ts"
import { idList } from "../../db/sql.ts"

/** Links of one record type to deleted categories. */
const links = (table: SQLiteTable & { categoryId: SQLWrapper }, record: SQLWrapper): Stage<Deletion> => ({
  table,
  where: ({ ids }) => sql`${table.categoryId} in ${idList(ids)}`,
  key: [table.categoryId, record],
  weight: 2,
  // A category's stored count covers all kinds of links: the first stage uses it.
  total: () => sql`0`,
  change: ({ db }, _, which) => [db.delete(table).where(which)],
})

/** Removes records from deleted categories. */
export const categoryLinks: BackgroundKind<Deletion> = {
  name: "categories.links",
  stages: [
    {
      ...links(userCategories, userCategories.userId),
      total: ({ ids }) =>
        sql`(select sum(${categories.useCount}) from ${categories} where ${categories.id} in ${idList(ids)})`,
    },
    links(courseCategories, courseCategories.courseId),
    links(moduleCategories, moduleCategories.moduleId),
    {
      ...links(quizQuestions, quizQuestions.id),
      weight: 3,
      change: ({ db }, _, which) => [db.update(quizQuestions).set({ categoryId: null }).where(which)],
    },
  ],
}
