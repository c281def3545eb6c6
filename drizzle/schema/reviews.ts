import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { createdAt, id, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { users } from "./users.ts"

/** Course reviews: at most one per user and course. */
export const reviews = sqliteTable(
  "reviews",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id, { onDelete: "cascade" }),
    /** 1 to 5 */
    rating: integer("rating").notNull(),
    text: text("text").notNull().default(""),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("reviews_user_course").on(table.courseId, table.userId),
    index("reviews_user").on(table.userId, table.createdAt),
    index("reviews_course_created").on(table.courseId, table.createdAt),
    index("reviews_created").on(table.createdAt),
    index("reviews_rating").on(table.rating),
  ],
)
