import { sql } from "drizzle-orm"
import { type CategoryType, categories } from "../../../drizzle/schema/categories.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import type { Database } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { existingRecords, guardUnchanged, readRecord, requireVersion, updateChanged } from "../../db/records.ts"
import { searchFilter, searchText } from "../../db/search.ts"
import { counter, idList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { categoryLinks } from "./categories.background.ts"
import type { NewCategory } from "./categories.schemas.ts"
import { categoryColumns } from "./category-columns.ts"

/** Deleted categories remain as rows but are not visible. */
const isNotDeleted = sql`${categories.deletedAt} is null`

const UNIQUE = {
  "categories.type": () => invalid("category_name", "category_name is already used by another category of this type."),
}

/** The columns derived from a name. */
const nameColumns = (name: string) => ({ name, nameKey: name.toLowerCase(), searchText: searchText(name) })

/** Selects which ids are categories of the type, for `requireExisting`. */
export const existingCategories = (db: Database, type: CategoryType, ids: readonly number[]) =>
  existingRecords(db, categories, ids, sql`${categories.type} = ${type} and ${isNotDeleted}`)

/** @throws 422 if another category of the type has the same name, ignoring case */
export async function createCategory(work: UnitOfWork, { category_name: name, categoryType: type }: NewCategory) {
  const at = now()
  return work.create(
    "categories",
    {
      statements: (id) => [
        work.db
          .insert(categories)
          .values({ id, ...nameColumns(name), type, createdBy: userIdOf(work.caller), createdAt: at, updatedAt: at }),
        work.audit("created", "category", { id, name }, { type }),
      ],
      answer: (id) => ({ id, message: "Category created." }),
    },
    { unique: UNIQUE },
  )
}

/** @throws 404 */
export const getCategory = (db: Database, id: number) =>
  readRecord(
    db,
    {
      table: categories,
      fields: {
        id: categories.id,
        name: categories.name,
        type: categories.type,
        createdBy: categories.createdBy,
        updatedBy: categories.updatedBy,
        deletedBy: categories.deletedBy,
        createdAt: categories.createdAt,
        updatedAt: categories.updatedAt,
        deletedAt: categories.deletedAt,
      },
      subject: "category",
    },
    id,
    isNotDeleted,
  )

/** Renames a category. @throws 404, 412, 422 */
export async function updateCategory(work: UnitOfWork, id: number, name: string, expectedVersion?: number) {
  const [rows] = await work.read([
    work.db.select().from(categories).where(sql`${categories.id} = ${id} and ${isNotDeleted}`),
  ])
  const category = requireVersion(rows, "category", expectedVersion)
  const answer = { message: "Category updated." }
  if (name === category.name) return work.commit([], answer)
  return work.commit(
    [
      guardUnchanged(categories, category),
      updateChanged(work.db, categories, category, {
        ...nameColumns(name),
        updatedBy: userIdOf(work.caller),
        updatedAt: now(),
      }),
      work.audit("updated", "category", { id, name }, { name }),
    ],
    answer,
    { unique: UNIQUE },
  )
}

/** Deletes categories and removes their records from them. Unknown ids are counted. */
export async function deleteCategories(work: UnitOfWork, ids: number[]) {
  const { db } = work
  const plan = planBackgroundWork(work, categoryLinks, { ids })
  const [found, planned] = await work.read([existingRecords(db, categories, ids, isNotDeleted), plan.question])
  const unknown = ids.length - found.length
  const deleted = `${pluralize(found.length, "category", "categories")} deleted.`
  const message = unknown > 0 ? `${deleted} ${pluralize(unknown, "id")} not found.` : deleted
  if (found.length === 0) return work.commit([], { message })
  const deletedIds = found.map((row) => row.id)
  const condition = sql`${categories.id} in ${idList(deletedIds)} and ${isNotDeleted}`
  const { statements, job, start } = plan.decide(planned, { ids: deletedIds })
  const answer = { message, ...job }
  await work.commit(
    [
      work.guard(sql`(select count(*) from ${categories} where ${condition}) = ${found.length}`),
      work.auditMany(
        "deleted",
        "category",
        sql`select id, name, '{}' as details from ${categories} where ${condition}`,
      ),
      db
        .update(categories)
        .set({ deletedBy: userIdOf(work.caller), deletedAt: now(), version: sql`${categories.version} + 1` })
        .where(condition),
      ...statements,
    ],
    answer,
  )
  await start()
  return answer
}

/** Returns one page of the categories of a type. */
export async function listCategories(
  db: Database,
  type: CategoryType,
  query: PageQuery & { search_param: { categoryName?: string | undefined } },
) {
  const { categoryName } = query.search_param
  return readPage(
    db,
    {
      table: categories,
      key: categories.id,
      fields: categoryColumns.fields,
      sort: categoryColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [{ test: sql`${categories.type} = ${type} and ${isNotDeleted}` }],
      search: categoryName ? [searchFilter(categories, categoryName)] : [],
      total: counter(`categories:${type}`),
    },
    query,
  )
}

/** Returns the categories of a type by name: all of them, or one page. */
export async function lookUpCategories(db: Database, type: CategoryType, query: PageQuery) {
  return readPage(
    db,
    {
      table: categories,
      key: categories.id,
      fields: { id: categories.id, name: categories.name },
      sort: { name: sql`${categories.name} collate nocase` },
      defaultSort: { colName: "name", direction: "asc" },
      scope: [{ test: sql`${categories.type} = ${type} and ${isNotDeleted}` }],
      search: [],
      total: counter(`categories:${type}`),
    },
    query,
  )
}
