import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { categories, userCategories } from "../schema/categories.ts"
import { courseCategories } from "../schema/courses.ts"
import { moduleCategories, quizQuestions } from "../schema/modules.ts"
import {
  type DatabaseObject,
  decrement,
  increment,
  searchIndexStatements,
  searchIndexTables,
  searchIndexUpdate,
  trigger,
} from "./declare.ts"

// A deleted category stays in its table but is not found, counted or linked. A job deletes its links
// (categories.background.ts).

const incrementUse = "UPDATE categories SET use_count = use_count + 1 WHERE id = new.category_id"
const decrementUse = `
    UPDATE categories SET use_count = use_count - 1
    WHERE id = old.category_id AND deleted_at IS NULL`

/** Maintains the links to categories of one type: only existing categories are linked, and links are counted. */
function categoryLinks(table: SQLiteTable & { categoryId: AnySQLiteColumn }, type: string): DatabaseObject[] {
  const name = getTableName(table)
  return [
    trigger(
      `${name}_existing_only`,
      {
        on: table,
        before: "insert",
        if: `NOT EXISTS (
  SELECT 1 FROM categories
  WHERE id = new.category_id AND type = '${type}' AND deleted_at IS NULL)`,
      },
      "SELECT RAISE(IGNORE)",
    ),
    trigger(`${name}_counted`, { on: table, after: "insert" }, incrementUse),
    trigger(`${name}_uncounted`, { on: table, after: "delete" }, decrementUse),
  ]
}

export const categoryTriggers = [
  ...searchIndexTables(categories),
  searchIndexUpdate(categories),
  trigger(
    "categories_inserted",
    { on: categories, after: "insert" },
    searchIndexStatements(categories).in,
    increment("'categories:' || new.type"),
  ),
  trigger(
    "categories_deleted",
    {
      on: categories,
      after: "update",
      of: [categories.deletedAt],
      if: "old.deleted_at IS NULL AND new.deleted_at IS NOT NULL",
    },
    searchIndexStatements(categories).out,
    decrement("'categories:' || new.type"),
  ),
  ...categoryLinks(courseCategories, "course"),
  ...categoryLinks(moduleCategories, "module"),
  ...categoryLinks(userCategories, "user"),
  trigger(
    "quiz_questions_categorized",
    { on: quizQuestions, after: "insert", if: "new.category_id IS NOT NULL" },
    `
    UPDATE quiz_questions SET category_id = NULL
    WHERE id = new.id AND NOT EXISTS (
      SELECT 1 FROM categories
      WHERE id = new.category_id AND type = 'question' AND deleted_at IS NULL)`,
    `
    UPDATE categories SET use_count = use_count + 1
    WHERE id = new.category_id AND type = 'question' AND deleted_at IS NULL`,
  ),
  trigger(
    "quiz_questions_uncategorized",
    { on: quizQuestions, after: "delete", if: "old.category_id IS NOT NULL" },
    decrementUse,
  ),
]
