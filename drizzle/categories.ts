import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt, id } from "./columns.ts"
import { users } from "./users.ts"

export const categories = sqliteTable(
  "categories",
  {
    id: id(),
    name: text("name").notNull(),
    /** course, question, product, module, user */
    type: text("type").notNull(),
    createdBy: integer("created_by"),
    updatedBy: integer("updated_by"),
    deletedBy: integer("deleted_by"),
    createdAt: createdAt(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
  },
  (table) => [index("categories_type_name").on(table.type, table.name)],
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
