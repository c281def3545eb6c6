import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { checkedTable, createdAt, id, searchText, version } from "./columns.ts"
import { courses } from "./courses.ts"
import { ENROLLMENT_STATUSES } from "./enrollments.ts"
import { users } from "./users.ts"

/** public: everyone sees it in the library; private: only enrolled users do */
export const PATH_TYPES = ["public", "private"] as const

/** Sequences of courses. Counters: `learning_paths` and `learning_paths:public`. */
export const learningPaths = checkedTable(
  "learning_paths",
  {
    id: id(),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
    type: text("type", { enum: PATH_TYPES }).notNull().default("public"),
    featuredImageUrl: text("featured_image_url"),
    /** The number, minutes and ratings of its courses. Only triggers write them. */
    courseCount: integer("course_count").notNull().default(0),
    estimatedMinutes: integer("estimated_minutes").notNull().default(0),
    ratingSum: integer("rating_sum").notNull().default(0),
    ratingCount: integer("rating_count").notNull().default(0),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("learning_paths_slug").on(table.slug),
    index("learning_paths_name").on(sql`${table.name} collate nocase`),
    index("learning_paths_type").on(table.type),
    index("learning_paths_created").on(table.createdAt),
  ],
)

export const learningPathCourses = sqliteTable(
  "learning_path_courses",
  {
    learningPathId: integer("learning_path_id")
      .notNull()
      .references(() => learningPaths.id, { onDelete: "cascade" }),
    courseId: integer("course_id")
      .notNull()
      .references(() => courses.id),
    /** From 1. */
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.learningPathId, table.courseId] }),
    index("learning_path_courses_course").on(table.courseId, table.learningPathId),
  ],
)

/** Enrollments in learning paths. Triggers derive the progress from the enrollments in the path's courses. */
export const learningPathEnrollments = checkedTable(
  "learning_path_enrollments",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    learningPathId: integer("learning_path_id")
      .notNull()
      .references(() => learningPaths.id),
    status: text("status", { enum: ENROLLMENT_STATUSES }).notNull(),
    /** floor(100 × completed courses ÷ courses). Adding a course does not decrease it. */
    percent: integer("percent").notNull(),
    completedCourses: integer("completed_courses").notNull(),
    /** The number of certificates earned in its courses. */
    certificateCount: integer("certificate_count").notNull(),
    registeredAt: integer("registered_at").notNull(),
    /** 0: not yet */
    startedAt: integer("started_at").notNull(),
    /** 0: not yet */
    completedAt: integer("completed_at").notNull(),
  },
  (table) => [
    uniqueIndex("learning_path_enrollments_user").on(table.userId, table.learningPathId),
    index("learning_path_enrollments_path").on(table.learningPathId),
  ],
)
