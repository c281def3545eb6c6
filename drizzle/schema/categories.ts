import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { checkedTable, createdAt, id, version } from "./columns.ts"
import { users } from "./users.ts"

/** The record types that have categories. */
export const CATEGORY_TYPES = ["course", "question", "product", "module", "user"] as const
export type CategoryType = (typeof CATEGORY_TYPES)[number]

/** Categories. A deleted one remains as a row without links. Counted by type. */
export const categories = checkedTable(
  "categories",
  {
    id: id(),
    name: text("name").notNull(),
    /** The lowercase name: unique within a type. */
    nameKey: text("name_key"),
    /** Never changes. */
    type: text("type", { enum: CATEGORY_TYPES }).notNull(),
    /** The number of records in it. Only triggers write it. */
    useCount: integer("use_count").notNull().default(0),
    createdBy: integer("created_by"),
    updatedBy: integer("updated_by"),
    deletedBy: integer("deleted_by"),
    createdAt: createdAt(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    /** See src/db/search.ts. */
    searchText: text("search_text").notNull().default(""),
    version: version(),
  },
  (table) => [
    uniqueIndex("categories_name_key").on(table.type, table.nameKey).where(sql`deleted_at is null`),
    index("categories_name").on(table.type, sql`${table.name} collate nocase`).where(sql`deleted_at is null`),
  ],
)

export const userCategories = sqliteTable(
  "user_categories",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    categoryId: integer("category_id")
      .notNull()
      .references(() => categories.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.categoryId] }),
    index("user_categories_category").on(table.categoryId, table.userId),
  ],
)
