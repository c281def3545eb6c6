import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"

// Aggregates for reports, so that reports do not count enrollments, statuses or attempts. Only triggers write them,
// one row per activity.

/**
 * The activities in a course per day. They remain when the user, enrollment or course is deleted. A second
 * enrollment, or a start after a reset, counts again.
 */
export const courseDays = sqliteTable(
  "course_days",
  {
    courseId: integer("course_id").notNull(),
    /** In UTC: `2026-01-31`. */
    day: text("day").notNull(),
    enrolled: integer("enrolled").notNull(),
    started: integer("started").notNull(),
    completed: integer("completed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.day] })],
)

/**
 * The number of a course's enrollments per status of a module. All others are Not Started. Counts of a module that
 * was removed from the course remain, for when it is added again.
 */
export const moduleCounts = sqliteTable(
  "module_counts",
  {
    courseId: integer("course_id").notNull(),
    moduleId: integer("module_id").notNull(),
    inProgress: integer("in_progress").notNull(),
    submitted: integer("submitted").notNull(),
    completed: integer("completed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.moduleId] })],
)

/** The number of completed attempts at a quiz in a course by percentage, and how many passed. */
export const quizScores = sqliteTable(
  "quiz_scores",
  {
    courseId: integer("course_id").notNull(),
    moduleId: integer("module_id").notNull(),
    /** Whole, 0 to 100. */
    percent: integer("percent").notNull(),
    attempts: integer("attempts").notNull(),
    passed: integer("passed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.moduleId, table.percent] })],
)
