import { sql } from "drizzle-orm"
import { type CategoryType, categories } from "../../../drizzle/schema/categories.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
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

/** A deleted category is kept as a row and known to nobody. */
const there = sql`${categories.deletedAt} is null`

const UNIQUE = {
  "categories.type": () =>
    invalid("category_name", "category_name is taken: another category of its type has it already."),
}

/** A name's columns. */
const named = (name: string) => ({ name, nameKey: name.toLowerCase(), searchText: searchText(name) })

/** Which of some ids are categories of a type, for `requireExisting` after the first trip. */
export const existingCategories = (db: Database, type: CategoryType, ids: readonly number[]) =>
  existingRecords(db, categories, ids, sql`${categories.type} = ${type} and ${there}`)

/** @throws 422 when another category of the type has the name, in whatever letters */
export async function createCategory(work: UnitOfWork, { category_name: name, categoryType: type }: NewCategory) {
  const [given] = await work.read([work.nextIds("categories")])
  const id = firstRow(given).last
  const at = now()
  return work.commit(
    [
      work.db
        .insert(categories)
        .values({ id, ...named(name), type, createdBy: userIdOf(work.caller), createdAt: at, updatedAt: at }),
      work.audit("created", "category", { id, name }, { type }),
    ],
    { id, message: "Category created." },
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
    there,
  )

/** Renames a category; what is in it stays. @throws 404, 412, 422 as in create */
export async function updateCategory(work: UnitOfWork, id: number, name: string, demanded?: number) {
  const [rows] = await work.read([work.db.select().from(categories).where(sql`${categories.id} = ${id} and ${there}`)])
  const category = requireVersion(rows, "category", demanded)
  const answer = { message: "Category updated." }
  if (name === category.name) return work.commit([], answer)
  return work.commit(
    [
      guardUnchanged(work, categories, category),
      updateChanged(work.db, categories, category, {
        ...named(name),
        updatedBy: userIdOf(work.caller),
        updatedAt: now(),
      }),
      work.audit("updated", "category", { id, name }, { name }),
    ],
    answer,
    { unique: UNIQUE },
  )
}

/** Deletes categories and takes the records in them out. Unknown ids are skipped and counted. */
export async function deleteCategories(work: UnitOfWork, ids: number[]) {
  const { db } = work
  const plan = planBackgroundWork(work, categoryLinks, { ids })
  const [found, planned] = await work.read([existingRecords(db, categories, ids, there), plan.question])
  const unknown = ids.length - found.length
  const deleted = `${pluralize(found.length, "category", "categories")} deleted.`
  const message = unknown > 0 ? `${deleted} ${pluralize(unknown, "id")} unknown.` : deleted
  if (found.length === 0) return work.commit([], { message })
  const going = found.map((row) => row.id)
  const these = sql`${categories.id} in ${idList(going)} and ${there}`
  const { statements, job, start } = plan.decide(planned, { ids: going })
  const answer = { message, ...job }
  await work.commit(
    [
      work.guard(sql`(select count(*) from ${categories} where ${these}) = ${found.length}`),
      work.auditMany("deleted", "category", sql`select id, name, '{}' as details from ${categories} where ${these}`),
      db
        .update(categories)
        .set({ deletedBy: userIdOf(work.caller), deletedAt: now(), version: sql`${categories.version} + 1` })
        .where(these),
      ...statements,
    ],
    answer,
  )
  await start()
  return answer
}

/** One page of a type's categories. */
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
      scope: [{ test: sql`${categories.type} = ${type} and ${there}` }],
      search: categoryName ? [searchFilter(categories, categoryName)] : [],
      total: counter(`categories:${type}`),
    },
    query,
  )
}

/** The categories of a type by name: all of them, or one page. */
export async function lookUpCategories(db: Database, type: CategoryType, query: PageQuery) {
  return readPage(
    db,
    {
      table: categories,
      key: categories.id,
      fields: { id: categories.id, name: categories.name },
      sort: { name: sql`${categories.name} collate nocase` },
      defaultSort: { colName: "name", direction: "asc" },
      scope: [{ test: sql`${categories.type} = ${type} and ${there}` }],
      search: [],
      total: counter(`categories:${type}`),
    },
    query,
  )
}
